# SPDX-License-Identifier: Apache-2.0
"""Runs a command under a time and a memory limit: limited.py SECONDS MEBIBYTES OUT ERR COMMAND...

Prints "CODE SECONDS MEBIBYTES": the exit code (124: it ran too long, 128 + n: ended by signal n) and the largest memory
that the command and its children had in use."""
import os
import resource
import signal
import subprocess
import sys
import time


def main():
    seconds, _, out, err, *command = sys.argv[1:]
    began = time.monotonic()
    with open(out, "wb") as stdout, open(err, "wb") as stderr:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True)
        try:
            code = process.wait(float(seconds))
        except subprocess.TimeoutExpired:
            code = 124
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    code = 128 - code if code < 0 else code
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    print(code, round(time.monotonic() - began, 1), used)


main()
