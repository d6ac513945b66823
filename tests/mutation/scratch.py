# SPDX-License-Identifier: Apache-2.0
"""A copy of the tree in which faults are applied, with a separate build folder."""
import contextlib
import os
import re
import shutil
import subprocess

ENVIRONMENT = {
    "CCACHE_NOHASHDIR": "1",
    "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime",
    "QT_QPA_PLATFORM": "offscreen",
}
TEST_SECONDS = 600


class CannotTry(Exception):
    """The reason why a fault could not be tried."""


class Scratch:
    def __init__(self, top, folder, jobs=0):
        self.top, self.tree, self.build_folder = top, folder / "tree", folder / "tree" / "build" / "release"
        self.jobs = jobs or len(os.sched_getaffinity(0))
        self.output, self.passing, self.configured = "", set(), False
        self.environment = {**os.environ, **ENVIRONMENT, "CCACHE_BASEDIR": str(self.tree),
                            "XDG_CACHE_HOME": str(folder / "cache")}

    def copy_tree(self):
        """Updates the copy. Unchanged files keep their modification time, so that only changed files are rebuilt."""
        listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=self.top, capture_output=True)
        names = {name for name in listed.stdout.decode().split("\0") if name and (self.top / name).is_file()}
        if not names:
            raise SystemExit("this is not a git repository: there is no list of files to copy")
        self._remove_others(names)
        for name in names:
            source, copy = self.top / name, self.tree / name
            if not copy.is_file() or copy.read_bytes() != source.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, copy)

    @contextlib.contextmanager
    def fault(self, name, find, replace):
        """Context manager: the file contains the fault while the block runs."""
        path = self.tree / name
        whole = path.read_text(encoding="utf-8")
        if whole.count(find) != 1:
            raise CannotTry("`find` is not there once")
        path.write_text(whole.replace(find, replace), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(whole, encoding="utf-8")

    def build(self, programs):
        if not self.configured:
            self.configured = self._run(["cmake", "--preset", "release"], 600)
            if not self.configured:
                raise CannotTry("the copy cannot be configured")
        return self._run(["cmake", "--build", self.build_folder, "-j", str(self.jobs), "--target", *programs], 3600)

    def passes(self, program, chosen):
        """False if the program fails, crashes or exceeds the time limit. Raises if it runs no test."""
        passed = self._run([self.build_folder / "bin" / program, f"--gtest_filter={chosen}"], TEST_SECONDS)
        if passed and not re.search(r"^\[       OK \]", self.output, re.MULTILINE):
            raise CannotTry("its tests are skipped here" if "[  SKIPPED ]" in self.output else "its tests are not there")
        return passed

    def expect_pass(self, program, chosen):
        """Raises if the test fails without a fault: its failure with the fault would prove nothing."""
        if (program, chosen) in self.passing:
            return
        if not self.build([program]):
            raise CannotTry("the tree without the fault does not build")
        if not self.passes(program, chosen):
            raise CannotTry("its tests fail without the fault")
        self.passing.add((program, chosen))

    def last_lines(self):
        return self.output[-2000:]

    def _run(self, command, seconds):
        try:
            done = subprocess.run(["nice", "-n", "15", *map(str, command)], cwd=self.tree, env=self.environment, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=seconds, errors="replace")
        except subprocess.TimeoutExpired as late:
            self.output = f"{late}"
            return False
        self.output = done.stdout
        return done.returncode == 0

    def _remove_others(self, names):
        for path in sorted(self.tree.rglob("*"), reverse=True) if self.tree.is_dir() else []:
            inside = path.relative_to(self.tree)
            if inside.parts[0] != "build" and path.is_file() and str(inside) not in names:
                path.unlink()
