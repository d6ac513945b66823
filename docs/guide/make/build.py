#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the user guide: build.py NETWRIGHT_CLI OUT [--gallery NETWRIGHT_GALLERY] [--window NETWRIGHT] [--languages en,zh_CN]

OUT/html/en and OUT/html/zh_CN are the pages. Needs Sphinx (Debian: python3-sphinx). Without --gallery each picture is a grey placeholder;
--window writes the card of keys and gestures (keyboard-card.pdf) beside the pages.
Fails where a text has no translation, a record has no formula, or Sphinx warns.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import command_pages
import key_page
import pictures
import po
import record_pages
from texts import GUIDE, LANGUAGES, TOP, Words


def write_sources(folder, language, records, commands, card):
    """The written chapters beside the generated pages; card: they lead to the card of keys. Returns the texts that have no translation."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(GUIDE, folder, ignore=shutil.ignore_patterns("make", "__pycache__"))
    shutil.copytree(TOP / "resources/icons", folder / "icons", ignore=lambda _, names: [n for n in names if not n.startswith("layer-")])
    words = Words(language)
    for path, text in {**record_pages.pages(records, words), **command_pages.pages(commands, words), **key_page.pages(words, card)}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return words.missing


def sphinx(builder, sources, target, language, version):
    program = shutil.which("sphinx-build") or sys.exit("sphinx-build was not found; install python3-sphinx")
    environment = {**os.environ, "NETWRIGHT_GUIDE_LANGUAGE": language, "NETWRIGHT_GUIDE_VERSION": version}
    command = [program, "-q", "-b", builder, "-d", f"{sources}.{builder}"]
    if builder == "gettext":  # only the chapters, whose links to generated pages then lead nowhere
        command += ["-Q", "-D", "exclude_patterns=make,locale,layers/*,losses/*,optimizers/*,transforms/*,commands/*,keys.rst"]
    else:
        command += ["-W", "--keep-going", "-n", "-j", "2"]
    subprocess.run([*command, str(sources), str(target)], check=True, env=environment)


def untranslated(work, version):
    """Texts of the chapters without a translation, and translations of texts that are gone, as "chapter: text"."""
    sphinx("gettext", work / "source-en", work / "pot", "en", version)
    found = []
    for chapter in sorted(GUIDE.glob("*.rst")):
        texts, catalogue = po.read(work / "pot" / f"{chapter.stem}.pot"), GUIDE / f"locale/zh_CN/LC_MESSAGES/{chapter.stem}.po"
        translated = po.read(catalogue) if catalogue.exists() else {}
        found += [f"{chapter.stem}: {t}" for t in texts if not translated.get(t)]
        found += [f"{chapter.stem}: no longer in the chapter: {t}" for t in translated if t not in texts]
    return found


def unused_help(commands):
    """Translations of help texts that no command has."""
    texts = {c.summary for c in commands} | {a.text for c in commands for a in c.positionals + c.options + c.subcommands}
    return [t for t in po.read(GUIDE / "locale/zh_CN/help.po") if t not in texts]


def with_date(pdf, seconds):
    """The same bytes whenever it is written: Qt puts the present time into a PDF file."""
    when = time.strftime("%Y%m%d%H%M%S", time.gmtime(seconds)).encode()
    return re.sub(rb"(/CreationDate \(D:)\d{14}(Z\))", rb"\g<1>" + when + rb"\2", pdf)


def write_card(window, out, language):
    card = out / "html" / language / "keyboard-card.pdf"
    subprocess.run([window, "--key-card", language[:2], str(card)], check=True, env={**os.environ, "TZ": "UTC"})
    if "SOURCE_DATE_EPOCH" in os.environ:
        card.write_bytes(with_date(card.read_bytes(), int(os.environ["SOURCE_DATE_EPOCH"])))


def build(cli, out, gallery=None, languages=LANGUAGES, window=None):
    records, commands = record_pages.read(cli), command_pages.read(cli)
    version = subprocess.run([cli, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
    complaints = [f"no formula in docs/guide/make/formulas.py: {name}" for name in record_pages.without_formula(records)]
    if complaints:
        return complaints
    names = pictures.wanted(GUIDE)
    record_pages.paint(cli, records, out / "record-pictures", out / "example")
    if gallery:
        pictures.paint(gallery, names, out / "pictures")
    for language in ("en", *(l for l in languages if l != "en")):
        sources = out / f"source-{language}"
        complaints += [f"no translation: {text}" for text in sorted(set(write_sources(sources, language, records, commands, bool(window))))]
        shutil.copytree(out / "record-pictures", sources / "record-pictures")
        pictures.place(out / "pictures" / language if gallery else None, names, sources / "pictures")
    complaints += [f"no translation: {text}" for text in untranslated(out, version)]
    complaints += [f"translation of a help text that is gone: {text}" for text in unused_help(commands)]
    for language in languages if not complaints else ():
        sphinx("html", out / f"source-{language}", out / "html" / language, language, version)
        if window:
            write_card(window, out, language)
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("out", type=Path)
    parser.add_argument("--gallery")
    parser.add_argument("--window")
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    o = parser.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    complaints = build(o.cli, o.out.resolve(), o.gallery, o.languages.split(","), o.window)
    sys.exit("\n".join(complaints) if complaints else 0)


if __name__ == "__main__":
    main()
