#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs the command line as a Python wheel (PEP 427): the program, its image module, the libraries that they need, and `import netwright`.

    python3 installer/wheel/build.py --build build/portable --version 0.1.0 --out build/packages

The wheel's platform is the C library that the program was linked with. SOURCE_DATE_EPOCH sets the times in the archive.
"""
import argparse
import base64
import hashlib
import os
import platform
import subprocess
import tempfile
import time
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
METADATA = """Metadata-Version: 2.1
Name: netwright
Version: {version}
Summary: Draw a neural network, train it, see why: the command line, and runs in Python
Home-page: https://github.com/netwright/netwright
License: Apache-2.0
Requires-Python: >=3.8
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Provides-Extra: tables
Requires-Dist: pandas; extra == "tables"
Description-Content-Type: text/markdown

`netwright-cli` trains image classifiers on processors: `netwright-cli new --template lenet5 -o a.netwright`, then `netwright-cli train a.netwright`.
`import netwright` opens its run folders as tables and predicts.
"""


def platform_tag():
    machine, (_, version) = platform.machine(), platform.libc_ver()
    return f"manylinux_{version.replace('.', '_')}_{machine}"


def programs(build, folder):
    """The program, its module and their libraries, stripped, each finding the others."""
    (folder / "bin").mkdir(parents=True)
    files = [build / "bin" / name for name in ("netwright-cli", "libnw_images.so")]
    for file in files:
        subprocess.run(["strip", "-o", folder / "bin" / file.name, file], check=True)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN/../libs", folder / "bin" / file.name], check=True)
    script = 'top=$1; source "$top/installer/portable.sh"; shift; bundle "$@"; folder=$1; shift; licences "${folder%/libs}/licences" $(libraries_of "$@")'
    subprocess.run(["bash", "-euo", "pipefail", "-c", "say() { echo \"$*\" >&2; }; " + script, "build", TOP, folder / "libs", *files], check=True)


def package(folder, version):
    for file in sorted((TOP / "installer/wheel/netwright").glob("*.py")):
        (folder / file.name).write_text(file.read_text(encoding="utf-8").replace("@VERSION@", version), encoding="utf-8")


def metadata(folder, version, tag):
    folder.mkdir()
    (folder / "METADATA").write_text(METADATA.format(version=version), encoding="utf-8")
    (folder / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: netwright\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text("[console_scripts]\nnetwright-cli = netwright.program:main\n", encoding="utf-8")
    (folder / "LICENSE").write_bytes((TOP / "LICENSE").read_bytes())


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def write(root, info, to):
    """All files in a fixed order, with their checksums in RECORD."""
    when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800))[:6]  # ZIP begins in 1980
    record = []
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def put(name, data, mode):
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = mode << 16
            archive.writestr(entry, data)

        for file in sorted(p for p in root.rglob("*") if p.is_file()):
            name, data = str(file.relative_to(root)), file.read_bytes()
            record.append(f"{name},{digest(data)},{len(data)}")
            put(name, data, 0o100755 if file.parent.name == "bin" else 0o100644)
        put(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,"]) + "\n", 0o100644)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--build", type=Path, required=True)
    ap.add_argument("--version", required=True)
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    tag, info = platform_tag(), f"netwright-{a.version}.dist-info"
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        programs(a.build, root / "netwright")
        package(root / "netwright", a.version)
        metadata(root / info, a.version, tag)
        wheel = a.out / f"netwright-{a.version}-py3-none-{tag}.whl"
        write(root, info, wheel)
    print(f"Packed {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
