# SPDX-License-Identifier: Apache-2.0
"""Reads the list of faults and checks it against the tree without building anything.

A file tests/mutation/<room>.txt holds blocks of `field: value` lines, separated by empty lines; `#` begins a comment line:

    id: short-name             unique in the whole list
    file: path                 below the top; if the file moved, its name must be unique in the tree
    find: text                 part of one line, exactly once in the file; spaces at the ends do not count
    replace: text              the text that replaces it; may be empty
    test: program --gtest_filter=Suite.Case      the test that should fail; the field may be repeated
    why: the effect of the fault on a user
    known: survives            optional: the named tests do not notice the fault yet
"""
import fnmatch
import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LIST = Path(__file__).resolve().parent
ROOMS = ("app", "engine", "kernels", "resources", "tests", "ui")
FIELDS = ("id", "file", "find", "replace", "test", "why", "known")
NEEDED = ("id", "file", "find", "replace", "test", "why")
TEST_NAME = re.compile(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\(\s*(\w+)\s*,\s*(\w+)\s*\)")


@dataclass
class Entry:
    place: str                                    # list file and line, for messages
    fields: dict = field(default_factory=dict)    # text of each field but `test`
    tests: list = field(default_factory=list)     # (program, filter)

    @property
    def id(self):
        return self.fields.get("id", f"({self.place})")

    @property
    def room(self):
        return self.place.split(":")[0].removesuffix(".txt")

    @property
    def known(self):
        return self.fields.get("known") == "survives"

    def hash(self):
        parts = [self.fields.get(name, "") for name in ("find", "replace")] + [Path(self.fields["file"]).name]
        return hashlib.sha256(repr((parts, self.tests)).encode()).hexdigest()[:16]


def parse(text, name):
    """(entries, error messages) of one list file."""
    entries, complaints, entry = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        place = f"{name}:{number}"
        if line.startswith("#"):
            continue
        if not line.strip():
            entry = None
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or key not in FIELDS:
            complaints.append(f"{place}: not a line of the form `field: value`: {line.strip()}")
            continue
        if entry is None:
            entries.append(entry := Entry(place))
        if key == "test":
            program, _, chosen = value.partition(" --gtest_filter=")
            entry.tests.append((program.strip(), chosen.strip()))
        elif key in entry.fields:
            complaints.append(f"{place}: a second `{key}` in one block")
        else:
            entry.fields[key] = value
    return entries, complaints


def read_list(folder=LIST):
    entries, complaints = [], []
    for path in sorted(folder.glob("*.txt")):
        found, wrong = parse(path.read_text(encoding="utf-8"), path.name)
        entries += found
        complaints += wrong
    return entries, complaints


class Tree:
    """The parts of the tree that the list refers to: files by path or name, and the test cases of each program."""

    def __init__(self, top=TOP):
        self.top = top
        self.files = sorted(path for room in ROOMS for path in (top / room).rglob("*")
                            if path.suffix in (".cpp", ".hpp", ".cu", ".cuh"))
        self.folders = self._programs()
        self.cases = {program: self._cases_below(folder) for program, folder in self.folders.items()}

    def locate(self, name):
        """(path, error message) of the file, searched by name if it has moved."""
        if (self.top / name).is_file():
            return self.top / name, ""
        same = [path for path in self.files if path.name == Path(name).name]
        if len(same) == 1:
            return same[0], f"{name} is now {same[0].relative_to(self.top)}"
        return None, f"{name} is gone" + (f"; {len(same)} files have its name" if same else "")

    def test_complaint(self, program, chosen):
        if program not in self.cases:
            return f"no test program is called {program}"
        names = self.cases[program]
        for pattern in chosen.split("-")[0].split(":"):
            parts = pattern.split("/")     # Instance/Suite.Case/parameter: the source contains only Suite.Case
            plain = next((part for part in parts if "." in part), pattern)
            if not fnmatch.filter(names, plain):
                return f"{program} has no test {pattern or '(no --gtest_filter)'}"
        return ""

    def basis(self, entry):
        """Hash of what a result depends on first of all: the file with the fault and the files of the tests named. A
        change elsewhere may change the result too; deleting the results asks again."""
        digest = hashlib.sha256()
        path, _ = self.locate(entry.fields["file"])
        for source in [path, *self._sources(entry)]:
            digest.update(source.read_bytes() if source else b"")
        return digest.hexdigest()[:16]

    def _sources(self, entry):
        found = set()
        for program, chosen in entry.tests:
            suites = set(re.findall(r"(\w+)\.", chosen))
            for path in self.folders[program].rglob("*.cpp"):
                if suites & {suite for suite, _ in TEST_NAME.findall(path.read_text(encoding="utf-8"))}:
                    found.add(path)
        return sorted(found)

    def _cases_below(self, folder):
        text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.cpp")))
        return [f"{suite}.{case}" for suite, case in TEST_NAME.findall(text)]

    def _programs(self):
        """Test programs and their folders, read from the CMakeLists.txt files."""
        tests = self.top / "tests"
        found = {f"ui_{folder.name}_test": folder for folder in (tests / "ui").glob("*") if folder.is_dir()}
        for cmake in tests.rglob("CMakeLists.txt"):
            for program, folder in re.findall(r"^\s*nw_room_test\((\S+) DIR ([^\s)]+)", cmake.read_text(), re.MULTILINE):
                rooms = [path.name for path in (tests / "engine").glob("*") if path.is_dir()] if "${room}" in program else [""]
                for room in rooms:
                    found[program.replace("${room}", room)] = cmake.parent / folder.replace("${room}", room)
            for program in re.findall(r"^\s*add_executable\((\w+_test)\b", cmake.read_text(), re.MULTILINE):
                found.setdefault(program, cmake.parent)
        return found


def complaint_of(entry, tree):
    """The error message for one entry; empty if it is valid."""
    missing = [name for name in NEEDED if name != "test" and name not in entry.fields]
    if missing or not entry.tests:
        return "missing: " + ", ".join(missing + ([] if entry.tests else ["test"]))
    path, moved = tree.locate(entry.fields["file"])
    if moved:
        return moved
    if entry.fields["find"] == entry.fields["replace"]:
        return "`replace` is the same as `find`"
    if entry.fields.get("known", "survives") != "survives":
        return "`known` can only be `survives`"
    times = path.read_text(encoding="utf-8").count(entry.fields["find"])
    if times != 1:
        return f"`find` occurs {times} times in {entry.fields['file']}"
    return next((c for c in (tree.test_complaint(*test) for test in entry.tests) if c), "")


def check(entries, complaints, tree):
    found, seen = list(complaints), {}
    for entry in entries:
        if entry.id in seen:
            found.append(f"{entry.place}: {entry.id}: the same id as at {seen[entry.id]}")
        seen[entry.id] = entry.place
        if wrong := complaint_of(entry, tree):
            found.append(f"{entry.place}: {entry.id}: {wrong}")
    return found
