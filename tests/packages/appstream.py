# SPDX-License-Identifier: Apache-2.0
"""What appstreamcli says of the desktop's metainfo, and which of it is a finding: all above "pedantic" but one word."""
import re
from pathlib import Path

METAINFO = Path(__file__).resolve().parents[2] / "installer/desktop/org.netwright.Netwright.metainfo.xml"
# AppStream before 1.0 does not know <developer>, whose absence is a warning since 1.0.
TOO_NEW = re.compile(r"I: [\w.]+:\d+: unknown-tag developer")


def version_of(text):
    """(major, minor) of what `appstreamcli --version` prints."""
    return tuple(map(int, re.search(r"AppStream.*?(\d+)\.(\d+)", text).groups()))


def findings(said, version):
    """The lines of errors, warnings and hints; that of <developer> is none before 1.0."""
    lines = [line.strip() for line in said.splitlines() if re.match(r"\s*[EWI]: ", line)]
    return [line for line in lines if version >= (1, 0) or not TOO_NEW.fullmatch(line)]
