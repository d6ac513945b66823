#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes man pages and completions of the built program.

    python3 installer/pages/write.py NETWRIGHT_CLI FOLDER [--date YYYY-MM-DD]

FOLDER gets man/man1/*.1.gz, man/man7/netwright-protocol.7.gz, bash-completion/completions/netwright-cli, zsh/vendor-completions/_netwright-cli and
fish/vendor_completions.d/netwright-cli.fish: what lies in share/ of an installation. The same program gives the same bytes.
"""
import argparse
import gzip
import subprocess
from pathlib import Path

import command_help
import completions
import man
import protocol

TOP = Path(__file__).resolve().parents[2]


def put(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("cli")
    ap.add_argument("folder", type=Path)
    ap.add_argument("--date", default="2026-11-26", help="of the man pages")
    a = ap.parse_args()
    commands = command_help.read_all(a.cli)
    version = subprocess.run([a.cli, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
    for name, text in man.pages(commands, version, a.date).items():
        put(a.folder / "man/man1" / (name + ".gz"), gzip.compress(text.encode(), 9, mtime=0))
    text = protocol.page((TOP / "docs/protocol.md").read_text(encoding="utf-8"), version, a.date)
    put(a.folder / "man/man7/netwright-protocol.7.gz", gzip.compress(text.encode(), 9, mtime=0))
    put(a.folder / "bash-completion/completions/netwright-cli", completions.bash(commands).encode())
    put(a.folder / "zsh/vendor-completions/_netwright-cli", completions.zsh(commands).encode())
    put(a.folder / "fish/vendor_completions.d/netwright-cli.fish", completions.fish(commands).encode())


if __name__ == "__main__":
    main()
