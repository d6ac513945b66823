#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hardening_test.py PROGRAM...: each program and module that this build made is hardened; what is not is noticed."""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import hardening

PROGRAMS = sys.argv[1:]
if not shutil.which("readelf") or not PROGRAMS:
    print("binutils are missing")
    sys.exit(77)
SOURCE = '#include <stdio.h>\n#include <string.h>\nint main(int n, char **a) { char b[16]; strcpy(b, a[n - 1]); return puts(b); }\n'


def compiled(folder, *options):
    source, program = Path(folder) / "a.c", Path(folder) / "a"
    source.write_text(SOURCE)
    subprocess.run(["gcc", "-w", *options, "-o", program, source], check=True)
    return program


class Hardening(unittest.TestCase):
    def test_programs_and_modules_are_hardened(self):
        for program in PROGRAMS:
            self.assertEqual(hardening.complaints(program), [], program)
            self.assertRegex(hardening.build_id(program), "^[0-9a-f]{40}$", program)

    @unittest.skipUnless(shutil.which("gcc"), "gcc is missing")
    def test_each_weakness_is_named(self):
        full = ("-O2", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong", "-fPIE", "-pie", "-Wl,-z,relro,-z,now")
        weak = {("-fno-pie", "-no-pie"): "position", ("-Wl,-z,norelro",): "relocations", ("-Wl,-z,lazy",): "relocations",
                ("-z", "execstack"): "stack is executable", ("-fno-stack-protector",): "canaries", ("-U_FORTIFY_SOURCE",): "string functions"}
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(hardening.complaints(compiled(folder, *full), installed=True), [])
            for options, word in weak.items():
                found = hardening.complaints(compiled(folder, *full, *options))
                self.assertEqual(len(found), 1, (options, found))
                self.assertIn(word, found[0])
            rpath = compiled(folder, *full, "-Wl,-rpath,/nowhere")
            self.assertEqual(hardening.complaints(rpath), [])
            self.assertEqual(hardening.complaints(rpath, installed=True), ["it names a folder to load libraries from"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
