#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the checks in this folder: each must accept valid input and name the fault in invalid input."""
import json
import shutil
import tempfile
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import commit_subjects
import coverage
import formatting
import hardened
import line_width
import replaced_names
import skip_reasons
import shell_scripts
import skipped
import test_filters
import tidy
from sources import TOP, cpp_files


class LineWidth(unittest.TestCase):
    def allowed(self):
        return [(Path("tests") / name, "x" * 121) for name in line_width.ALLOWED]

    def test_a_line_of_120_columns_is_accepted_and_one_of_121_is_named(self):
        self.assertEqual(line_width.complaints(self.allowed() + [(Path("a.cpp"), "ok\n" + "é" * 120)]), [])
        found = line_width.complaints(self.allowed() + [(Path("a.cpp"), "ok\n" + "x" * 121)])
        self.assertEqual(found, ["a.cpp:2: 121 columns; at most 120"])

    def test_an_exception_that_is_no_longer_needed_is_named(self):
        found = line_width.complaints(self.allowed()[1:])
        self.assertIn("has no wide line", found[0])


class Formatting(unittest.TestCase):
    def test_headers_sources_and_cuda_files_are_found(self):
        names = {path.relative_to(TOP).as_posix() for path in cpp_files()}
        self.assertLessEqual({"kernels/cuda/kernels.cu", "kernels/catalogue.cpp", "kernels/catalogue.hpp"}, names)
        self.assertGreater(len(names), 1000)

    def test_a_badly_formatted_file_is_named(self):
        if not shutil.which(formatting.CLANG_FORMAT):
            self.skipTest("clang-format-16 is not installed")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(TOP / ".clang-format", folder)
            bad, good = Path(folder) / "bad.cpp", Path(folder) / "good.cpp"
            bad.write_text("int  x ;\n")
            good.write_text("int x;\n")
            self.assertEqual(formatting.badly_formatted([bad, good]), {str(bad)})


class SkipReasons(unittest.TestCase):
    ROWS = skipped.read_list("\\w+ is not installed\tcommand -v git\nno disk at /dev/\\w+\tfalse")

    def complaints(self, source):
        return list(skip_reasons.complaints("a_test.cpp", source, self.ROWS))

    def test_reasons_of_the_list_are_accepted(self):
        self.assertEqual(self.complaints('if (x) GTEST_SKIP() << "git is not installed";'), [])
        self.assertEqual(self.complaints('GTEST_SKIP() << shell << " is "\n    << "not installed";'), [])
        self.assertEqual(self.complaints('GTEST_SKIP() << "no disk at " << disk;'), [])
        self.assertEqual(self.complaints("GTEST_SKIP() << *reason;"), [])

    def test_a_missing_and_an_unknown_reason_are_named_with_their_line(self):
        self.assertEqual(self.complaints("\n GTEST_SKIP();"), ["a_test.cpp:2: this test is skipped without a reason"])
        found = self.complaints('GTEST_SKIP() << "not today";')
        self.assertEqual(found, ['a_test.cpp:1: skipped.tsv has no line for "not today"'])
class ShellScripts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.top = Path(self.folder.name)
        (self.top / "installer").mkdir()

    def tearDown(self):
        self.folder.cleanup()

    def put(self, name, text):
        (self.top / "installer" / name).write_text(text)

    def test_scripts_and_what_they_source_are_told_apart(self):
        self.put("run", "#!/usr/bin/env bash\nsource \"$here/parts.sh\"\n")
        self.put("parts.sh", "x=1\n")
        self.put("notes.txt", "#!/bin/bash\n")
        scripts, sourced = shell_scripts.shell_files(self.top)
        self.assertEqual([[p.name for p in kind] for kind in (scripts, sourced)], [["run"], ["parts.sh"]])
        self.assertEqual(shell_scripts.unread(scripts, sourced), [])
        self.put("run", "#!/usr/bin/env bash\necho parts.sh\n")
        self.assertEqual([p.name for p in shell_scripts.unread(scripts, sourced)], ["parts.sh"])

    def test_all_scripts_of_the_tree_are_found(self):
        scripts, sourced = shell_scripts.shell_files()
        names = {p.relative_to(TOP).as_posix() for p in scripts + sourced}
        self.assertLessEqual({".ci/run", "installer/run.sh", "installer/long.sh", "tests/torture/hostile.sh", "tests/gpu/run.sh"}, names)

    def test_an_exception_needs_a_reason(self):
        self.put("a.sh", "# shellcheck disable=SC2059\nprintf $x\n")
        self.put("b.sh", "# shellcheck disable=SC2059  # a format by design\nprintf $x\n")
        files = [self.top / "installer" / name for name in ("a.sh", "b.sh")]
        self.assertEqual([p.name for p in shell_scripts.without_reason(files)], ["a.sh"])

    def test_findings_are_named_also_those_of_sourced_files(self):
        if not shutil.which(shell_scripts.SHELLCHECK):
            self.skipTest("shellcheck is not installed")
        self.put("run", "#!/usr/bin/env bash\nhere=$(dirname \"${BASH_SOURCE[0]}\")\nsource \"$(dirname \"${BASH_SOURCE[0]}\")/parts.sh\"\nrm -r $here\n")
        self.put("parts.sh", "echo $1\n")
        found = "\n".join(shell_scripts.findings([self.top / "installer/run"], self.top))
        self.assertRegex(found, r"run:4:.*SC2086")
        self.assertRegex(found, r"parts.sh:1:.*SC2086")


class Hardened(unittest.TestCase):
    HEADERS = """  GNU_STACK 0x0 0x0 0x0 0x0 0x0 RW 0x10
  GNU_RELRO 0x0 0x0 0x0 0x1 0x1 R 0x1
 0x1e (FLAGS) BIND_NOW
 0x6ffffffb (FLAGS_1) Flags: NOW PIE"""
    SYMBOLS = "U __memcpy_chk@GLIBC_2.3.4\nU __stack_chk_fail@GLIBC_2.4\nU _ZSt21__glibcxx_assert_failPKciS0_S0_@GLIBCXX"

    def found(self, headers=HEADERS, symbols=SYMBOLS, program=True):
        return " ".join(hardened.complaints(headers, symbols, program, program))

    def test_a_hardened_program_is_accepted(self):
        self.assertEqual(self.found(), "")
        self.assertEqual(self.found(self.HEADERS.replace(" PIE", ""), "", program=False), "")

    def test_what_is_missing_is_named(self):
        for old, new, words in ((" PIE", "", "-pie"), ("GNU_RELRO", "LOAD", "relro"), (" RW ", " RWE ", "noexecstack"),
                                ("GNU_STACK", "LOAD", "noexecstack")):
            self.assertIn(words, self.found(self.HEADERS.replace(old, new)))
        self.assertIn("-z now", self.found(self.HEADERS.replace("NOW", "")))
        for name, words in (("__memcpy_chk", "FORTIFY"), ("__stack_chk_fail", "stack-protector"),
                            ("__glibcxx_assert_fail", "GLIBCXX_ASSERTIONS")):
            self.assertIn(words, self.found(symbols=self.SYMBOLS.replace(name, "")))


class Filters(unittest.TestCase):
    TESTS = test_filters.tests_in("TEST_F(Files, AreSaved) {}\nTEST_P(Kernels,\n       Agree) {}")

    def found(self, text):
        return list(test_filters.unmatched(text, self.TESTS))

    def test_filters_that_match_a_test_are_accepted(self):
        self.assertEqual(self.found("x --gtest_filter=Files.Are*:Device/Kernels.Agree/relu y"), [])
        self.assertEqual(self.found("--gtest_filter='Fi*.*-Files.AreLost'"), [])

    def test_a_filter_without_a_test_is_named(self):
        self.assertEqual(self.found("--gtest_filter='Files.AreSaved:Files.AreLost*'"), ["Files.AreLost*"])

    def test_a_page_may_name_only_tests_that_exist(self):
        page = "| `Files.AreSaved`, `Kernels.*`, `files.cpp`, Files.AreLost, `Files.AreLost` |"
        self.assertEqual(test_filters.unknown_names(page, self.TESTS), ["Files.AreLost"])


class Skipped(unittest.TestCase):
    OUTPUT = "[ RUN      ] A.B\n../a.cpp:22: Skipped\nthere is no\nprinter\n\n[  SKIPPED ] A.B (0 ms)\n"

    def complaint(self, reason, row):
        return skipped.complaint_on(reason, skipped.read_list(row))

    def test_the_reason_of_a_test_is_read_from_its_output(self):
        self.assertEqual(skipped.reason_of(self.OUTPUT), "there is no printer")
        self.assertEqual(skipped.reason_of("begins\nSkipped: no mpirun\n\n"), "Skipped: no mpirun")

    def test_a_reason_must_be_in_the_list_as_a_whole(self):
        self.assertIsNone(self.complaint("there is no printer", "there is no (printer|plotter)\tfalse"))
        self.assertIn("no line", self.complaint("there is no printer today", "there is no printer\tfalse"))

    def test_what_the_computer_could_have_run_must_not_be_skipped(self):
        self.assertIn("could have run", self.complaint("no sh", "no (sh)\tcommand -v {1}"))
        self.assertIsNone(self.complaint("no nosuchcommand", "no (nosuchcommand)\tcommand -v {1}"))

    def test_skipped_tests_are_found_in_what_ctest_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "tests.xml"
            report.write_text('<testsuite><testcase name="A.B/x  # GetParam() = 1"><skipped message=""/><system-out>' + self.OUTPUT +
                              '</system-out></testcase><testcase name="A.C"><system-out/></testcase></testsuite>')
            self.assertEqual(skipped.skipped_tests(report), {"there is no printer": ["A.B/x"]})

    def test_skipped_tests_are_found_in_what_a_process_of_many_tests_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            report, parts = Path(folder) / "tests.xml", Path(folder) / "test_parts"
            report.write_text('<testsuite><testcase name="a_test.1of2"/></testsuite>')
            parts.mkdir()
            (parts / "a_test.1.xml").write_text('<testsuites><testsuite><testcase name="B/x" classname="Sets/A" status="run">'
                                                '<skipped message="a.cpp:22&#x0A;there is no&#x0A;printer&#x0A;"/></testcase>'
                                                '<testcase name="C" classname="A"/></testsuite></testsuites>')
            self.assertEqual(skipped.skipped_tests(report), {"there is no printer": ["Sets/A.B/x"]})

    def test_each_line_of_the_list_is_a_reason_and_a_command(self):
        skipped.read_list(skipped.LIST.read_text())
        self.assertRaises(ValueError, skipped.read_list, "a reason alone")


class ReplacedNames(unittest.TestCase):
    ROWS = {"Wire": [("ConnectionKey", ["engine/design"])], "OldName": [("NewName", [])]}

    def found(self, path, text):
        return list(replaced_names.uses(path, text, self.ROWS))

    def test_a_replaced_name_is_found_as_a_whole_word_with_its_line(self):
        self.assertEqual(self.found("ui/a.cpp", "int a;\nOldName b;"), [(2, "OldName", "NewName")])
        self.assertEqual(self.found("ui/a.cpp", "OldNames b;"), [])

    def test_a_name_is_replaced_in_its_paths_only(self):
        self.assertEqual(len(self.found("engine/design/a.cpp", "Wire w;")), 1)
        self.assertEqual(self.found("engine/designer/a.cpp", "Wire w;"), [])

    def test_the_list_is_read(self):
        self.assertGreater(len(replaced_names.names()), 500)


class Tidy(unittest.TestCase):
    def test_each_file_of_a_unity_source_gets_a_command(self):
        with tempfile.TemporaryDirectory() as folder:
            unity = Path(folder) / "unity_ui_page_0_cxx.cxx"
            unity.write_text('/* made by CMake */\n#include "/top/ui/a.cpp"\n#include "/top/ui/b.cpp"\n')
            entry = {"file": str(unity), "command": f"c++ -O1 -c {unity}"}
            self.assertEqual([(e["file"], e["command"]) for e in tidy.compiled_alone(entry)],
                             [("/top/ui/a.cpp", "c++ -O1 -c /top/ui/a.cpp"), ("/top/ui/b.cpp", "c++ -O1 -c /top/ui/b.cpp")])

    def test_a_unity_source_is_checked_as_a_whole_or_in_its_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            top, build = Path(folder), Path(folder) / "build"
            build.mkdir()
            unity = build / "unity_ui_page_0_cxx.cxx"
            unity.write_text(f'#include "{top}/ui/a.cpp"\n#include "{top}/ui/b.cpp"\n')
            moc = build / "mocs_compilation.cpp"
            entries = [{"file": str(f), "command": f"c++ -c {f}"} for f in (unity, moc, top / "ui" / "c.cpp")]
            (build / "compile_commands.json").write_text(json.dumps(entries))
            with mock.patch.object(tidy, "TOP", top), mock.patch.object(tidy, "BUILD", build):
                self.assertEqual(sorted(tidy.commands(together=False)), ["ui/a.cpp", "ui/b.cpp", "ui/c.cpp"])
                self.assertEqual(sorted(tidy.commands(together=True)), ["build/unity_ui_page_0_cxx.cxx", "ui/c.cpp"])

    def test_other_entries_stay(self):
        entry = {"file": "/top/engine/a.cpp", "command": "c++ -c /top/engine/a.cpp"}
        self.assertEqual(tidy.compiled_alone(entry), [entry])


class CommitSubjects(unittest.TestCase):
    def test_area_and_imperative_are_accepted(self):
        for subject in ("kernels/cpu: pack weights once a step", "docs, tests: Bring the table up to date", ".ci: process x",
                        "ui/canvas: " + "x" * 61):
            self.assertEqual(commit_subjects.fault_of(subject), "", subject)

    def test_other_subjects_are_named_with_the_reason(self):
        for subject, fault in {"Pack weights once a step": "form", "Kernels: pack": "form", "kernels:pack": "form",
                               "ui: fixes the crash": "imperative", "ui: added a button": "imperative",
                               "ui: adding a button": "imperative", "ui: add a button.": "full stop",
                               "ui/canvas: " + "x" * 62: "73 characters"}.items():
            self.assertIn(fault, commit_subjects.fault_of(subject), subject)


class Coverage(unittest.TestCase):
    def test_lines_count_in_their_room_and_in_the_one_around_it(self):
        rooms = coverage.by_room({"engine/core/a.cpp": {1: True, 2: False}, "engine/io/b.cpp": {7: True},
                                  "kernels/api.cpp": {1: False}})
        self.assertEqual(rooms, {"engine": (2, 3), "engine/core": (1, 2), "engine/io": (1, 1), "kernels": (0, 1)})

    def test_ways_that_only_an_exception_takes_are_no_branches(self):
        def ways(*kinds):
            return [{"fallthrough": kind == "on", "throw": kind == "throw", "count": 0} for kind in kinds]
        self.assertEqual(coverage.decisions(ways("on", "jump", "on", "throw")), ways("on", "jump"))
        self.assertEqual(coverage.decisions(ways("throw", "on", "jump")), ways("on", "jump"))
        self.assertEqual(coverage.decisions(ways("on", "throw")), [])

    def test_branches_are_printed_beside_the_lines_of_their_room(self):
        text, good = coverage.report({"engine": (90, 100), "kernels": (90, 100), "ui": (80, 100)}, {"engine": (3, 4)})
        self.assertTrue(good)
        self.assertRegex(text, r"engine +90.0 % .* 75.0 % +3 of +4 branches")

    def test_a_floor_is_reached_by_its_own_share_and_missed_by_a_line_less(self):
        enough = {"engine": (90, 100), "kernels": (900, 1000), "ui": (80, 100)}
        self.assertTrue(coverage.report(enough)[1])
        for low in ({"engine": (89, 100)}, {"kernels": (899, 1000)}, {"ui": (79, 100)}, {"ui": (0, 0)}):
            text, good = coverage.report({**enough, **low})
            self.assertFalse(good)
            self.assertEqual(text.count("BELOW"), 1)

    def test_paths_outside_the_tree_do_not_count(self):
        self.assertEqual(coverage.below_top("/usr/include/c++/12/vector", TOP), "")
        self.assertEqual(coverage.below_top(str(TOP / "engine/core/files.cpp"), TOP), "engine/core/files.cpp")
        self.assertEqual(coverage.below_top("engine/core/files.cpp", TOP), "engine/core/files.cpp")


if __name__ == "__main__":
    unittest.main()
