#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hardened.py FILE...: fails if a program or module could be taken over more easily than its compiler permits: its
addresses are fixed, its jump tables stay writable, its stack can be executed, or the checks of buffers and of the
library's containers are missing.

The flags stand in resources/cmake/toolchain.cmake."""
import shutil
import subprocess
import sys

from sources import skip


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def complaints(headers, symbols, is_program, has_buffers):
    """headers: what `readelf -hldW` says; symbols: what `nm -D` does. has_buffers: it is large enough to call functions
    that are checked."""
    lines = headers.splitlines()
    stack = next((line for line in lines if "GNU_STACK" in line), "RWE")
    flags = [line for line in lines if "(FLAGS" in line]
    if is_program and not any("PIE" in line for line in flags):
        yield "is not position-independent (-fPIE -pie)"
    if not any("NOW" in line for line in flags):
        yield "resolves functions while it runs (-z now)"
    if not any("GNU_RELRO" in line for line in lines):
        yield "keeps its tables of functions writable (-z relro)"
    if "RWE" in stack:
        yield "has a stack that can be executed (-z noexecstack)"
    if has_buffers and "_chk@" not in symbols:
        yield "calls no function that checks its buffer (_FORTIFY_SOURCE)"
    if has_buffers and "__stack_chk_fail" not in symbols:
        yield "has functions that do not guard their return address (-fstack-protector-strong)"
    if has_buffers and "__glibcxx_assert_fail" not in symbols:
        yield "has containers that do not check their indexes (_GLIBCXX_ASSERTIONS)"


def main(paths):
    if not shutil.which("readelf") or not shutil.which("nm"):
        skip("binutils are missing")
    found = []
    for path in paths:
        program = not path.endswith(".so")
        found += [f"{path} {what}" for what in
                  complaints(output_of("readelf", "-hldW", path), output_of("nm", "-D", path), program, program)]
    print("\n".join(found) or f"{len(paths)} files are hardened")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
