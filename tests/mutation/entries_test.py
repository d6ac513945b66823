#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the mutation list: accepted entries, rejected entries, and the result for a fault that is noticed or survives."""
import tempfile
import unittest
from pathlib import Path

from entries import Tree, check, parse
from results import Results, table
from run import try_entry
from scratch import CannotTry

GOOD = {"id": "a", "file": "engine/sum.cpp", "find": "a + b", "replace": "a - b",
        "test": "sum_test --gtest_filter=Sum.IsRight", "why": "sums are wrong"}


def block(**changes):
    return "".join(f"{key}: {value}\n" for key, value in {**GOOD, **changes}.items() if value is not None)


class InAToyTree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.top = Path(self.folder.name)
        self.put("engine/sum.cpp", "int sum(int a, int b) { return a + b; }\nint b2(int a) { return a; }\n")
        self.put("engine/same.cpp", "")
        self.put("ui/same.cpp", "")
        self.put("tests/CMakeLists.txt", "nw_room_test(sum_test DIR sum LIBS x)\n  nw_room_test(${room}_test DIR engine/${room} LIBS)\n")
        self.put("tests/sum/sum_test.cpp", "TEST(Sum, IsRight) {}\nTEST_P(Many, Agree) {}\n")
        self.put("tests/engine/io/io_test.cpp", "TEST_F(Io, Reads) {}\n")
        self.put("tests/ui/canvas/x_test.cpp", "TEST(Canvas, Draws) {}\n")

    def put(self, name, text):
        (self.top / name).parent.mkdir(parents=True, exist_ok=True)
        (self.top / name).write_text(text)

    def complaints(self, *blocks):
        return check(*parse("\n".join(blocks), "engine.txt"), Tree(self.top))

    def expect(self, part, *blocks):
        found = "\n".join(self.complaints(*blocks))
        self.assertIn(part, found)

    def test_what_fits_is_accepted(self):
        for test in ("sum_test --gtest_filter=Sum.IsRight", "sum_test --gtest_filter=Sum.*:Some/Many.Agree/7",
                     "io_test --gtest_filter=Io.Reads", "ui_canvas_test --gtest_filter=Canvas.D*"):
            self.assertEqual(self.complaints("# a comment\n" + block(test=test)), [], test)
        self.assertEqual(self.complaints(block(replace="")), [])

    def test_each_thing_that_is_wrong_is_named(self):
        self.expect("engine.txt:1: a: missing: why", block(why=None))
        self.expect("missing: test", block(test=None))
        self.expect("the same id", block(), block())
        self.expect("`find` occurs 0 times", block(find="a * b"))
        self.expect("`find` occurs 2 times", block(find="return a"))
        self.expect("the same as `find`", block(replace="a + b"))
        self.expect("no test program is called", block(test="other_test --gtest_filter=Sum.IsRight"))
        self.expect("has no test Sum.IsWrong", block(test="sum_test --gtest_filter=Sum.IsRight:Sum.IsWrong"))
        self.expect("no --gtest_filter", block(test="sum_test"))
        self.expect("not a line of the form", block() + "whatever\n")
        self.expect("a second `find`", block() + "find: x\n")
        self.expect("`known` can only be", block(known="maybe"))

    def test_a_file_that_moved_is_found_by_its_name_and_the_new_path_is_said(self):
        self.expect("engine/old/sum.cpp is now engine/sum.cpp", block(file="engine/old/sum.cpp"))
        self.expect("engine/gone.cpp is gone", block(file="engine/gone.cpp"))
        self.expect("2 files have its name", block(file="kernels/same.cpp"))

    def test_a_result_holds_until_the_file_of_the_fault_or_of_its_tests_changes(self):
        (entry,), _ = parse(block(), "engine.txt")
        first = Tree(self.top).basis(entry)
        other = self.top / "ui" / "same.cpp"
        other.write_text(other.read_text() + "// unrelated\n")
        self.assertEqual(Tree(self.top).basis(entry), first)
        for path in (self.top / "engine" / "sum.cpp", self.top / "tests" / "sum" / "sum_test.cpp"):
            before = path.read_text()
            path.write_text(before + "// changed\n")
            self.assertNotEqual(Tree(self.top).basis(entry), first, path)
            path.write_text(before)
        self.assertEqual(Tree(self.top).basis(entry), first)

    def test_results_are_kept_by_entry_and_basis(self):
        (entry,), _ = parse(block(), "engine.txt")
        (other,), _ = parse(block(replace="b"), "engine.txt")
        file = self.top / "results.jsonl"
        Results(file, lambda _: "tree 1").add(entry, "noticed", "", 1)
        Results(file, lambda _: "tree 2").add(entry, "survived", "", 1)
        self.assertEqual(Results(file, lambda _: "tree 1").of(entry), "noticed")
        self.assertEqual(Results(file, lambda _: "tree 2").of(entry), "survived")
        self.assertIsNone(Results(file, lambda _: "tree 3").of(entry))
        self.assertIsNone(Results(file, lambda _: "tree 1").of(other))
        shown = table([entry, other], Results(file, None))
        self.assertIn("| engine | 2 | 1 | 0 | 1 | 1 |  |", shown)
        self.assertIn("- `a` (engine/sum.cpp): sums are wrong", shown)


class FakeScratch:
    """Replaces the build: defines which tests pass with and without a fault."""

    def __init__(self, builds=True, passes_with_fault=True, reason=""):
        self.builds, self.with_fault, self.reason = builds, passes_with_fault, reason

    def expect_pass(self, *_):
        if self.reason:
            raise CannotTry(self.reason)

    def fault(self, *_):
        return tempfile.SpooledTemporaryFile()

    def build(self, _):
        return self.builds

    def passes(self, *_):
        return self.with_fault

    def last_lines(self):
        return ""


class Outcome(unittest.TestCase):
    def result(self, **scratch):
        (entry,), _ = parse(block(file="tests/mutation/run.py"), "engine.txt")
        return try_entry(FakeScratch(**scratch), Tree(), entry)[0]

    def test_a_fault_is_noticed_only_where_a_test_that_passed_fails(self):
        self.assertEqual(self.result(passes_with_fault=False), "noticed")
        self.assertEqual(self.result(passes_with_fault=True), "survived")
        self.assertEqual(self.result(builds=False, passes_with_fault=False), "does not build")
        self.assertEqual(self.result(reason="its tests are skipped here", passes_with_fault=False), "its tests are skipped here")


if __name__ == "__main__":
    unittest.main()
