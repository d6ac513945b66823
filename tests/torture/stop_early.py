# SPDX-License-Identifier: Apache-2.0
"""Starts a training and stops it as soon as its control socket answers: stop_early.py term|int|stop CLI RUN COMMAND...

Prints what the training printed and ends with its exit code; 99: it answered too late, or ended later than 2 s after."""
import signal
import subprocess
import sys
import time

LONGEST = 2.0


def control(cli, run, word):
    return subprocess.run([cli, "control", run, word], capture_output=True, timeout=5).returncode == 0


def main():
    how, cli, run, *command = sys.argv[1:]
    process = subprocess.Popen([cli, *command])
    until = time.monotonic() + 5
    while not control(cli, run, "status"):
        if process.poll() is not None or time.monotonic() > until:
            process.kill()
            return 99
        time.sleep(0.02)
    asked = time.monotonic()
    if how == "stop":
        control(cli, run, "stop")
    else:
        process.send_signal({"term": signal.SIGTERM, "int": signal.SIGINT}[how])
    code = process.wait()
    took = time.monotonic() - asked
    if took > LONGEST:
        print("it ended %.1f s after it was asked to" % took, file=sys.stderr)
        return 99
    return code


sys.exit(main())
