#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""about_test.py NETWRIGHT_CLI PROGRAM...: everything that the programs and modules link, that CMake looks for, that installer/packages.txt asks
for and that lies in resources/ as the work of others is a row of engine/about/components.cpp, with a licence and the version that was found."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
CLI, PROGRAMS = sys.argv[1], sys.argv[2:]
# The C and C++ libraries, which belong to the system, and our own.
OF_THE_SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s|gomp)|lib(a|t|ub)san|libnw_.*)\.so")
OF_THE_BUILD = {"Threads", "PkgConfig", "Python3", "JPEG_TURBO", "cmake", "g++", "ninja-build", "ccache", "mold", "pkg-config", "protobuf-compiler",
                "qt6-tools-dev", "qt6-tools-dev-tools", "qt6-l10n-tools"}
ROW = re.compile(r"\{\.name = (.*?)(?=\n    \{\.name|\n\};)", re.S)


def rows():
    """The table as written: {name: {field: text}}."""
    source = (TOP / "engine/about/components.cpp").read_text(encoding="utf-8")
    found = {}
    for row in ROW.findall(source):
        fields = dict(re.findall(r'\.(\w+) = "([^"]*)"', row))
        found[re.match(r'"([^"]*)"', row).group(1)] = fields
    return found


def words_of(field):
    return {word for row in rows().values() for word in row.get(field, "").split()}


def needed_libraries():
    """Those that the programs and modules name; empty where readelf is missing."""
    needed = set()
    for program in PROGRAMS if shutil.which("readelf") else ():
        out = subprocess.run(["readelf", "-dW", program], check=True, capture_output=True, text=True).stdout
        needed |= set(re.findall(r"\(NEEDED\).*\[(.*)\]", out))
    return needed


class About(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        out = subprocess.run([CLI, "about", "--json"], check=True, capture_output=True, text=True, timeout=60).stdout
        cls.said = {line["name"]: line for line in map(json.loads, out.splitlines())}

    def test_the_command_lists_every_row(self):
        self.assertGreater(len(rows()), 20)
        self.assertEqual(set(self.said), set(rows()))

    def test_what_the_programs_link_is_listed(self):
        if not shutil.which("readelf"):
            self.skipTest("binutils are missing")
        needed = needed_libraries()
        self.assertIn("libz.so.1", needed)
        starts = tuple(words_of("libraries"))
        self.assertEqual([n for n in sorted(needed) if not OF_THE_SYSTEM.match(n) and not n.startswith(starts)], [])

    def test_what_cmake_looks_for_is_listed(self):
        files = [p for folder in ("kernels", "engine", "ui", "app", "resources") for p in (TOP / folder).rglob("*")
                 if p.name == "CMakeLists.txt" or p.suffix == ".cmake"]
        sought = {name for p in files for name in re.findall(r"(?:find_package|pkg_check_modules)\((\w+)", p.read_text(encoding="utf-8"))}
        self.assertIn("ZLIB", sought)
        self.assertEqual(sorted(sought - words_of("cmake") - OF_THE_BUILD), [])

    def test_what_the_installer_asks_for_is_listed(self):
        text = (TOP / "installer/packages.txt").read_text(encoding="utf-8")
        asked = {line.split("|")[0] for part in ("build", "gui") for line in re.search(rf"\[{part}\]\n(.*?)(?=\n\[)", text, re.S).group(1).splitlines()}
        self.assertEqual(sorted(asked - words_of("development") - OF_THE_BUILD), [])

    def test_works_in_the_resources_are_listed(self):
        self.assertIn("Inter", rows())
        self.assertIn("ONNX", rows())
        self.assertEqual(sorted(p.parent.name for p in (TOP / "resources").rglob("LICEN[CS]E*")), ["fonts", "onnx"])

    def test_every_row_has_a_version_or_comes_with_the_system(self):
        made, needed = {Path(p).name for p in PROGRAMS}, needed_libraries()
        self.assertLessEqual({"CUDA", "cuBLAS", "cuDNN", "NCCL", "OpenGL", "ONNX", "Inter"}, set(rows()))
        for name, row in rows().items():
            optional = name == "OpenCV" and not any(n.startswith("libopencv_") for n in needed)    # photos are read without it
            if row.get("module", "netwright-cli") not in made or optional:
                continue
            if self.said[name]["with_system"]:
                self.assertEqual(self.said[name]["built"], "", name)
            else:
                self.assertRegex(self.said[name]["built"], r"^(IR )?\d+(\.\d+)*", name)

    def test_what_comes_with_the_system_is_no_more_than_this(self):
        self.assertEqual({name for name, line in self.said.items() if line["with_system"]},
                         {"OpenGL", "cuBLAS", "cuDNN", "NCCL", "JetBrains Mono", "Noto Sans CJK"})

    def test_versions_of_works_in_the_resources_are_theirs(self):
        schema = (TOP / "resources/onnx/onnx.proto").read_text(encoding="utf-8")
        self.assertEqual(self.said["ONNX"]["built"], f"IR {int(re.search(r' IR_VERSION = (0x[0-9A-F]+);', schema).group(1), 16)}")
        font = (TOP / "resources/fonts/NwSans-Regular.otf").read_bytes()
        tables = {font[i:i + 4]: int.from_bytes(font[i + 8:i + 12], "big") for i in range(12, 12 + 16 * int.from_bytes(font[4:6], "big"), 16)}
        revision = round(int.from_bytes(font[tables[b"head"] + 4:tables[b"head"] + 8], "big") / 65536 * 1000)    # 3.019, written 3.19
        self.assertEqual(self.said["Inter"]["built"], f"{revision // 1000}.{revision % 1000}")

    def test_loaded_libraries_tell_the_version_of_their_file(self):
        linked = [name for name in ("zlib", "xxHash", "SQLite") if self.said[name]["built"]]
        for name in linked:
            self.assertRegex(self.said[name]["loaded"], r"^\d+\.\d+", name)
            self.assertEqual(self.said[name]["loaded"].split(".")[0], self.said[name]["built"].split(".")[0], name)

    def test_the_archive_and_the_wheel_tell_the_libraries_they_bring(self):
        for program, licences in (("lib/netwright", "licences"), ("netwright/bin", "netwright/licences")):
            with tempfile.TemporaryDirectory() as place:
                for folder in (program, licences):
                    Path(place, folder).mkdir(parents=True)
                shutil.copy(CLI, Path(place, program))
                Path(place, licences, "libbrought1").write_text("its licence", encoding="utf-8")
                Path(place, licences, "versions.txt").write_text("libbrought1 1.2-3\n", encoding="utf-8")
                out = subprocess.run([Path(place, program, Path(CLI).name), "about", "--json"], check=True, capture_output=True, text=True, timeout=60).stdout
                brought = [line for line in map(json.loads, out.splitlines()) if line.get("bundled")]
                self.assertEqual([(line["name"], line["version"]) for line in brought], [("libbrought1", "1.2-3")], program)

    def test_every_licence_is_known(self):
        for name, line in self.said.items():
            self.assertTrue(line["licence"], name)
            if line["licence_file"]:
                self.assertTrue(Path(line["licence_file"]).is_file(), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
