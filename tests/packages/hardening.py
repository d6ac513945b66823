# SPDX-License-Identifier: Apache-2.0
"""What programs and modules of a package must be, read with binutils: position-independent, all relocations resolved before they start and
read-only then (full RELRO), no executable stack, canaries on the stack, checked string functions, no folder of this build to load from."""
import re
import subprocess


def readelf(option, file):
    return subprocess.run(["readelf", "-W", option, file], check=True, capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout


def imported(file):
    return set(re.findall(r" UND (\w+)", readelf("--dyn-syms", file)))


def complaints(file, installed=False):
    """What a program or module lacks, as sentences; installed: it must also not say where to look for libraries."""
    segments, dynamic, names = readelf("-l", file), readelf("-d", file), imported(file)
    program = "INTERP" in segments
    found = []
    if "Type:                              DYN" not in readelf("-h", file):
        found.append("it is not position-independent")
    if "GNU_RELRO" not in segments or not re.search(r"BIND_NOW|FLAGS_1.*NOW", dynamic):
        found.append("its relocations stay writable")
    if not re.search(r"GNU_STACK .* RW ", segments):
        found.append("its stack is executable")
    if "TEXTREL" in dynamic:
        found.append("its code is written to when it is loaded")
    if "__stack_chk_fail" not in names:
        found.append("it has no canaries on the stack")
    if program and not any(n.startswith("__") and n.endswith("_chk") for n in names):
        found.append("none of its string functions is checked")
    if installed and re.search(r"\((RPATH|RUNPATH)\)", dynamic):
        found.append("it names a folder to load libraries from")
    return found


def build_id(file):
    return re.search(r"Build ID: ([0-9a-f]{40})", readelf("-n", file)).group(1)
