# SPDX-License-Identifier: Apache-2.0
"""The program netwright-cli of this package."""
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parent / "bin" / "netwright-cli"


class NetwrightError(RuntimeError):
    """A command failed. args[0] is its sentence, exit_code its code: 2 usage, 3 bad input, 4 no such device, 5 out of memory, 6 not finite, 7 disk."""

    def __init__(self, sentence, exit_code):
        super().__init__(sentence)
        self.exit_code = exit_code


def run(*words):
    """What the command prints. Raises NetwrightError with its last line if it fails."""
    done = subprocess.run([str(PROGRAM), *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise NetwrightError(lines[-1].removeprefix("netwright-cli: ") if lines else f"exit code {done.returncode}", done.returncode)
    return done.stdout


def main():
    """The command netwright-cli: this process becomes the program."""
    os.execv(PROGRAM, [str(PROGRAM), *sys.argv[1:]])
