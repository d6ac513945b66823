#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""appstream_test.py [--suite trixie]: appstreamcli finds nothing above "pedantic" in the desktop's metainfo. Part of long.sh.

Without --suite by the appstreamcli of this computer, with it by that of this release of Debian in a fresh system, as root with mmdebstrap.
Exit code 77 where that is not here."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/packages"))
import appstream  # noqa: E402


def checked(before=(), file=appstream.METAINFO):
    """Exit code: 0 without findings. before: the words that lead to the system where appstreamcli runs."""
    def output(*words):
        return subprocess.run([*before, "appstreamcli", *words], capture_output=True, text=True)

    version = appstream.version_of(output("--version").stdout)
    done = output("validate", "--pedantic", "--no-net", str(file))
    found = appstream.findings(done.stdout, version)
    print(f"AppStream {version[0]}.{version[1]}", done.stdout, *(f"finding: {line}" for line in found), sep="\n")
    return 1 if found or done.returncode else 0


def in_suite(suite):
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "root"
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "--include=appstream", suite, str(root)], check=True)
        shutil.copy(appstream.METAINFO, root / "tmp")
        return checked(("chroot", str(root), "env", "LC_ALL=C.UTF-8"), Path("/tmp") / appstream.METAINFO.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite")
    suite = parser.parse_args().suite
    needed = "mmdebstrap" if suite else "appstreamcli"
    if not shutil.which(needed) or (suite and os.geteuid() != 0):
        print(f"{needed} is not here, or this is not root")
        sys.exit(77)
    sys.exit(in_suite(suite) if suite else checked())


if __name__ == "__main__":
    main()
