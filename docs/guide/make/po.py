# SPDX-License-Identifier: Apache-2.0
"""Reads and writes gettext catalogues: {English: translation}, in their order."""
import ast
import re

LINE = re.compile(r'^(msgid|msgstr)? ?(".*")$')


def read(path):
    entries, key = [], None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        found = LINE.match(line)
        if not found:
            raise ValueError(f"{path}:{number}: neither msgid, msgstr nor a text")
        key = found.group(1) or key
        if found.group(1) == "msgid":
            entries.append({"msgid": "", "msgstr": ""})
        entries[-1][key] += ast.literal_eval(found.group(2))
    return {e["msgid"]: e["msgstr"] for e in entries if e["msgid"]}


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


HEADER = 'msgid ""\nmsgstr ""\n"Language: zh_CN\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'


def write(path, entries):
    body = "".join(f"\nmsgid {quoted(english)}\nmsgstr {quoted(other)}\n" for english, other in entries.items())
    path.write_text(HEADER + body, encoding="utf-8")
