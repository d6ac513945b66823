#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""debs_test.py FOLDER: what the Debian packages there hold. Programs and modules are hardened, and their symbols are in the package of debug
symbols, which knows the lines of the sources; no package runs a script when it is installed; no file names the folder that it was built in;
checksums are those of the files; the command line needs no Qt; icons, completions and man pages are there; the guide is, in both languages, with
its pictures and the card of keys. Part of long.sh."""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TOP / "tests/packages"), str(TOP / "docs/guide/make")]
import hardening  # noqa: E402
import pictures  # noqa: E402
import texts  # noqa: E402

FOLDER = Path(sys.argv.pop(1))


GUIDE = Path("usr/share/doc/netwright-doc/guide")
SHARED = {
    "netwright-cli": ["bash-completion/completions/netwright-cli", "zsh/vendor-completions/_netwright-cli", "fish/vendor_completions.d/netwright-cli.fish",
                      "man/man1/netwright-cli.1.gz", "man/man1/netwright-cli-train.1.gz"],
    "netwright": ["icons/hicolor/scalable/apps/org.netwright.Netwright.svg", "icons/hicolor/scalable/mimetypes/application-x-netwright.svg",
                  "icons/hicolor/scalable/mimetypes/application-x-netwright-run.svg", "applications/org.netwright.Netwright.desktop",
                  "metainfo/org.netwright.Netwright.metainfo.xml", "mime/packages/netwright.xml", "thumbnailers/netwright.thumbnailer", "man/man1/netwright.1.gz"],
}


def pages_of(pdf):
    """Number of pages of a PDF file as Qt writes it, whose objects are not packed."""
    return len(re.findall(rb"^/Type /Page\s*$", pdf.read_bytes(), re.M))


def is_elf(file):
    return file.is_file() and not file.is_symlink() and file.read_bytes()[:4] == b"\x7fELF"


class Debs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.trees = {}
        for deb in sorted(FOLDER.glob("*.deb")):
            cls.trees[deb.name.split("_")[0]] = tree = Path(cls.place.name) / deb.stem
            subprocess.run(["dpkg-deb", "-R", deb, tree], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def programs(self):
        found = [(name, f) for name, tree in self.trees.items() if not name.endswith("-dbgsym") for f in sorted(tree.rglob("*")) if is_elf(f)]
        self.assertGreaterEqual(len(found), 5)
        return found

    def test_programs_are_hardened(self):
        for name, file in self.programs():
            # Open MPI's own compiler settings name its folder below /usr/lib.
            self.assertEqual(hardening.complaints(file, installed=name != "netwright-mpi"), [], file.name)

    def test_symbols_are_apart_and_fit(self):
        for name, file in self.programs():
            self.assertNotIn(".debug_info", hardening.readelf("-S", file), file.name)
            number = hardening.build_id(file)
            symbols = self.trees[name + "-dbgsym"] / "usr/lib/debug/.build-id" / number[:2] / (number[2:] + ".debug")
            self.assertTrue(symbols.exists(), file.name)
            if file.name == "netwright-cli":
                main = next(line.split()[0] for line in subprocess.run(["nm", symbols], check=True, capture_output=True, text=True).stdout.splitlines()
                            if re.search(r" [Tt] main$", line))
                line = subprocess.run(["addr2line", "-e", symbols, main], check=True, capture_output=True, text=True).stdout
                self.assertRegex(line, r"^(build/package/)?app/cli/\w+\.cpp:\d+")

    def test_no_file_names_the_folder_of_the_build(self):
        for name, tree in self.trees.items():
            for file in sorted(f for f in tree.rglob("*") if f.is_file() and not f.is_symlink()):
                self.assertNotIn(str(TOP).encode() + b"/", file.read_bytes(), f"{name}: {file.name}")

    def test_nothing_runs_at_installation(self):
        # CPack has ldconfig called for what it takes for libraries of the system.
        for name, tree in self.trees.items():
            self.assertEqual({f.name for f in (tree / "DEBIAN").iterdir()} - {"control", "md5sums"}, set(), name)

    def tree(self, name):
        if name not in self.trees:
            self.skipTest(f"{name} was not built")
        return self.trees[name]

    def test_the_command_line_needs_no_qt(self):
        control = (self.tree("netwright-cli") / "DEBIAN/control").read_text()
        needs = re.search(r"^Depends: (.+)$", control, re.M)[1]
        self.assertIn("libc6", needs)
        self.assertNotRegex(control, r"(?i)libqt\d|libqcustomplot")

    def test_icons_completions_and_pages_are_there(self):
        for name, files in SHARED.items():
            with self.subTest(name):
                for file in files:
                    path = self.tree(name) / "usr/share" / file
                    self.assertTrue(path.exists() and path.stat().st_size > 50, file)

    def test_the_guide_is_whole_in_both_languages(self):
        guide, wanted = self.tree("netwright-doc") / GUIDE, pictures.wanted(texts.GUIDE)
        grey = Path(self.place.name) / "grey.png"
        pictures.placeholder(grey)
        for language in texts.LANGUAGES:
            pages = guide / language
            self.assertEqual([c.stem for c in texts.GUIDE.glob("*.rst") if not (pages / f"{c.stem}.html").exists()], [])
            shown = {p.stem: p.read_bytes() for p in (pages / "_images").glob("*.png")}
            self.assertEqual([name for name in wanted if name not in shown], [])
            self.assertEqual([name for name, data in shown.items() if data == grey.read_bytes()], [])
            self.assertEqual(len({shown[name] for name in wanted}), len(wanted))

    def test_the_card_of_keys_is_one_page_that_the_guide_leads_to(self):
        guide = self.tree("netwright-doc") / GUIDE
        if "netwright" not in self.trees:
            self.skipTest("the window, which writes the card, was not built")
        for language in texts.LANGUAGES:
            self.assertEqual(pages_of(guide / language / "keyboard-card.pdf"), 1)
            self.assertTrue('href="keyboard-card.pdf"' in (guide / language / "keys.html").read_text(encoding="utf-8"), language)

    def test_checksums_are_those_of_the_files(self):
        for name, tree in self.trees.items():
            subprocess.run(["md5sum", "--quiet", "-c", "DEBIAN/md5sums"], cwd=tree, check=True)
            self.assertGreater(len((tree / "DEBIAN/md5sums").read_text().splitlines()), 0, name)


if __name__ == "__main__":
    unittest.main()
