#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The user guide is built in both languages without a warning, and is complete: guide_test.py NETWRIGHT_CLI.

Pictures are placeholders here; the target `guide` has them painted.
"""
import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import unquote, urlsplit

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "docs/guide/make"))
import build  # noqa: E402
import command_pages  # noqa: E402
import diagrams  # noqa: E402
import key_page  # noqa: E402
import pictures  # noqa: E402
import record_pages  # noqa: E402
import texts  # noqa: E402
import transform_pictures  # noqa: E402

CLI = sys.argv.pop(1) if __name__ == "__main__" else ""
if not shutil.which("sphinx-build"):
    print("sphinx-build was not found; install python3-sphinx")
    sys.exit(77)


PLACE = Path("usr/share/doc/netwright-doc/guide")  # ui/shell/help/guide_pages.cpp


class Page(html.parser.HTMLParser):
    """Where a page's links and pictures lead, and the places that links to it can name."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.links += [values[k] for k in ("href", "src") if values.get(k)]
        if values.get("id"):
            self.places.add(values["id"])


def dead_links(folder):
    """"page: link" of all links that lead nowhere; a link out of the guide is one, too."""
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = not parts.scheme and not parts.netloc and target.exists()
            if not known or (parts.fragment and target in pages and parts.fragment not in pages[target].places):
                found.append(f"{path.name}: {link}")
    return found


class Guide(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = Path(cls.folder.name)
        cls.complaints = build.build(CLI, cls.out)
        cls.records = record_pages.read(CLI)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_nothing_is_missing(self):
        self.assertEqual(self.complaints, [])

    def test_each_record_has_a_page_in_both_languages(self):
        for language in texts.LANGUAGES:
            for record in self.records:
                page = self.out / "html" / language / record_pages.FOLDERS[record["kind"]][0] / f"{record['name']}.html"
                self.assertTrue(page.exists(), page)
                text = page.read_text(encoding="utf-8")
                for field in record["fields"]:
                    self.assertIn(f">{field['name']}<", text.replace("</span>", "<"), page)

    def test_each_record_says_formula_cost_and_other_names(self):
        for language in texts.LANGUAGES:
            words = texts.Words(language)
            for record in self.records:
                page = self.out / "html" / language / record_pages.FOLDERS[record["kind"]][0] / f"{record['name']}.html"
                text = page.read_text(encoding="utf-8")
                headings = [h.strip() for h in re.findall(r"<h2>([^<]+)", text)]
                self.assertEqual(headings, [words(h) for h in ("Formula", "Attributes", "What it costs", "In other programs")], page)
                rows = re.findall(r"<td><p>([^<]+)", text.rpartition("<h2>")[2])
                self.assertEqual([r for r in rows if r in ("PyTorch", "torchvision", "ONNX")],
                                 ["torchvision" if record["kind"] == "transform" else "PyTorch", "ONNX"], page)

    def test_each_record_has_its_picture(self):
        for language in texts.LANGUAGES:
            for record in self.records:
                page = self.out / "html" / language / record_pages.FOLDERS[record["kind"]][0] / f"{record['name']}.html"
                shown = [link for link in Page(page).links if link.endswith(f"/{record_pages.picture_name(record)}")]
                self.assertEqual(len(shown), 1, page)
                self.assertGreater((page.parent / shown[0]).resolve().stat().st_size, 300, page)

    def test_each_command_has_a_page_with_its_options(self):
        for language in texts.LANGUAGES:
            for command in command_pages.read(CLI):
                text = (self.out / "html" / language / "commands" / f"{command_pages.file_name(command)}.html").read_text(encoding="utf-8")
                for option in command.options:
                    self.assertIn(option.names[-1], text, command.name)

    def test_links_lead_somewhere(self):
        for language in texts.LANGUAGES:
            self.assertEqual(dead_links(self.out / "html" / language), [])

    def test_chinese_pages_are_chinese(self):
        page = (self.out / "html/zh_CN/layers/Conv2d.html").read_text(encoding="utf-8")
        for word in ("二维卷积", "公式", "让小卷积核在图像上滑动。", "nn.Conv2d"):
            self.assertIn(word, page)
        self.assertIn("训练项目", (self.out / "html/zh_CN/commands/train.html").read_text(encoding="utf-8"))


class Generator(unittest.TestCase):
    """Each check notices what it is for."""

    def test_a_record_without_a_formula_is_named(self):
        records = record_pages.read(CLI)
        self.assertEqual(record_pages.without_formula(records), [])
        self.assertEqual(record_pages.without_formula([{**records[0], "name": "NewLayer"}]), ["NewLayer"])

    def test_a_text_without_a_translation_is_named(self):
        record = {**record_pages.read(CLI)[0], "summary": "Nobody translated this sentence."}
        words = texts.Words("zh_CN")
        record_pages.page(record, words)
        self.assertEqual(words.missing, ["Nobody translated this sentence."])
        english = texts.Words("en")
        record_pages.page(record, english)
        self.assertEqual(english.missing, [])

    def test_a_picture_has_the_shapes_and_weights_of_its_record(self):
        records = {r["name"]: r for r in record_pages.read(CLI)}
        drawn = diagrams.of_layer(records["Conv2d"])
        for words in ("16×32×32", "16×30×30", "weight 16×16×3×3", "bias 16"):
            self.assertIn(f">{words}<", drawn)
        self.assertIn("momentum (momentum ≠ 0)", diagrams.of_optimizer(records["SGD"]))
        self.assertEqual(diagrams.sides("64")[0], 1)
        self.assertGreater(diagrams.sides("64×8×8")[0], diagrams.sides("4×8×8")[0])
        self.assertGreater(diagrams.sides("3×64×8")[2], diagrams.sides("3×32×8")[2])

    def test_a_transform_that_changes_no_photo_is_named(self):
        if not transform_pictures.reads_photos(CLI):
            self.skipTest("built without photos")
        with tempfile.TemporaryDirectory() as folder:
            painter = transform_pictures.Painter(CLI, folder)
            never = next(r for r in record_pages.read(CLI) if r["name"] == "GaussianNoise")
            never = {**never, "fields": [{**f, "default": 0.0} for f in never["fields"]]}
            with self.assertRaisesRegex(ValueError, "GaussianNoise changes no photo"):
                painter.paint(never, Path(folder) / "a.png")

    def test_a_dead_link_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.html").write_text('<a href="a.html#here">x</a><p id="here"><a href="b.html">y</a><a href="#gone">z</a><img src="https://example.org/p.png">')
            self.assertEqual(dead_links(Path(folder)), ["a.html: b.html", "a.html: #gone", "a.html: https://example.org/p.png"])

    def test_costs_and_names_are_those_of_the_records(self):
        conv = next(r for r in record_pages.read(CLI) if r["name"] == "Conv2d")
        self.assertEqual((conv["example"]["output"], conv["example"]["parameters"]), ("16×30×30", 16 * 16 * 9 + 16))
        self.assertEqual(conv["example"]["multiply_adds"], 16 * 30 * 30 * 16 * 9)
        names = {r["name"]: (r.get("torch"), r.get("torch_own_class")) for r in record_pages.read(CLI)}
        self.assertEqual(names["Linear"], ("nn.Linear", False))
        self.assertEqual(names["ChannelLinear"], ("ChannelLinear", True))
        self.assertEqual(names["CrossEntropy"], ("nn.functional.cross_entropy", False))
        self.assertEqual((names["AdamW"], names["Lion"]), (("torch.optim.AdamW", False), ("Lion", True)))

    def test_the_card_has_the_keys_of_the_window(self):
        keys = {name: keys for name, _, keys, _ in key_page.actions()}
        self.assertEqual(keys["train"], "F5")
        self.assertEqual(keys["command-palette"], "Ctrl+Shift+P; Ctrl+K")
        self.assertGreaterEqual(len(key_page.gestures()), 9)
        source = (TOP / "ui/page/actions.cpp").read_text(encoding="utf-8")
        self.assertGreaterEqual(len(keys), sum(f'"{k}"' in source for k in ("F5", "F8", "F11", "Ctrl+Z", "Ctrl+1", "Ctrl+,")))

    def test_the_page_of_keys_leads_to_the_card_where_there_is_one(self):
        link = "<keyboard-card.pdf>`__"
        for language in texts.LANGUAGES:
            words = texts.Words(language)
            self.assertIn(link, key_page.pages(words, card=True)["keys.rst"])
            self.assertNotIn(link, key_page.pages(words)["keys.rst"])
            self.assertEqual(words.missing, [])

    def test_the_card_has_the_time_of_the_sources(self):
        pdf = b"%PDF-1.4\n/CreationDate (D:20261127050548Z)\nxref\n"
        self.assertEqual(build.with_date(pdf, 86400), b"%PDF-1.4\n/CreationDate (D:19700102000000Z)\nxref\n")

    def test_the_package_holds_it_where_the_window_looks(self):
        build_folder = Path(CLI).resolve().parents[1]
        if not (build_folder / "cmake_install.cmake").exists():
            self.skipTest("the program is not in a folder of a build")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cmake", "--install", str(build_folder), "--component", "doc", "--prefix", "/usr"], check=True,
                           env={**os.environ, "DESTDIR": folder}, stdout=subprocess.DEVNULL)
            self.assertEqual([p.name for p in Path(folder).iterdir()], ["usr"])
            self.assertEqual([p.name for p in (Path(folder) / "usr").iterdir()], ["share"])
            self.assertEqual([p.name for p in (Path(folder) / "usr/share/doc").iterdir()], ["netwright-doc"])
            inside = {p.name for p in (Path(folder) / PLACE).glob("*")}
            self.assertLessEqual(inside, set(texts.LANGUAGES))
            if (build_folder / "guide/html").exists():  # made by the target `guide`
                self.assertTrue((Path(folder) / PLACE / "zh_CN/index.html").exists())
            self.assertTrue((Path(folder) / "usr/share/lintian/overrides/netwright-doc").exists())

    def test_pictures_are_screens_of_the_gallery(self):
        sources = "".join(p.read_text(encoding="utf-8") for p in (TOP / "tests/gallery").glob("*.cpp"))
        self.assertGreater(len(pictures.wanted(texts.GUIDE)), 10)
        self.assertEqual([n for n in pictures.wanted(texts.GUIDE) if f'{{"{n}", ' not in sources], [])


if __name__ == "__main__":
    unittest.main()
