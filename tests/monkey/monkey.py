#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays seeds with netwright_monkey and shortens the sequence of steps of each failure.

    tests/monkey/monkey.py --minutes 60 --state DIR          continues with the next seed where DIR ends
    tests/monkey/monkey.py --seeds 5 9 --steps 3000          these seeds
    tests/monkey/monkey.py --shrink FILE                     shortens a file of steps that fails

The program comes from --build (build/release). A failure is a process that ends with another exit code than 0; its
steps, shortened, are written to DIR/failures/seed-N.steps, its output and all that was done to seed-N.txt, pictures of faults of the layout to
seed-N/. Exit code 1: a seed failed.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SCALES = ("1", "1", "1.5", "2")
NOISE = "This plugin does not support"


def end_leftovers(folder):
    """A queue and studies outlive the window: ends the processes that have the folder in their environment."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"TMPDIR={folder}\0".encode() in (entry / "environ").read_bytes() + b"\0":
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:
            continue


def play(program, arguments, scale, limit=1800):
    """(exit code, output, steps played, log) of one process in folders of its own."""
    with tempfile.TemporaryDirectory(prefix="netwright-monkey-") as folder:
        log, output = Path(folder) / "steps", Path(folder) / "output"
        environment = {**os.environ, "TMPDIR": folder, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen",
                       "ASAN_OPTIONS": "detect_leaks=0:handle_abort=1"}
        with output.open("w") as out:
            try:
                code = subprocess.run([program, "--log", log, *arguments], env=environment, stdout=out,
                                      stderr=subprocess.STDOUT, timeout=limit, cwd=folder).returncode
            except subprocess.TimeoutExpired:
                code = 124
        end_leftovers(folder)
        said = [line for line in output.read_text(errors="replace").split("\n") if not line.startswith(NOISE)]
        lines = log.read_text(errors="replace").split("\n") if log.is_file() else []
        return code, "\n".join(said), [line for line in lines if line and not line.startswith("#")], lines


def signature(code, output):
    """What two failures of the same cause have in common."""
    for pattern in (r"SUMMARY: \w+: (.*)", r"FAILED at step \d+ \(.*?\): (.*)", r"(Assertion .*? failed)",
                    r"(.*: runtime error: .*)"):
        if found := re.search(pattern, output):
            return re.sub(r"0x[0-9a-f]+|\d+", "N", found[1])
    return f"exit code {code}"


def shrink(program, steps, scale, wanted, minutes):
    """Removes pieces of the sequence, halves first, as long as the failure stays (delta debugging)."""
    deadline, size = time.monotonic() + 60 * minutes, max(1, len(steps) // 2)

    def fails(some):
        with tempfile.NamedTemporaryFile("w", suffix=".steps") as file:
            file.write("\n".join(some) + "\n")
            file.flush()
            code, output, _, _ = play(program, ["--replay", file.name, "--no-layout"], scale, 120)
            return code != 0 and signature(code, output) == wanted

    while size >= 1 and time.monotonic() < deadline:
        at = 0
        while at < len(steps) and time.monotonic() < deadline:
            shorter = steps[:at] + steps[at + size:]
            if shorter and fails(shorter):
                steps = shorter
            else:
                at += size
        size //= 2
    return steps


def one_seed(program, seed, options):
    scale = SCALES[seed % len(SCALES)]
    length = ["--seconds", str(options.seconds)] if options.seconds else ["--steps", str(options.steps)]
    folder = options.state / "failures"
    pictures = (folder / f"seed-{seed}").resolve()
    pictures.mkdir(parents=True, exist_ok=True)
    arguments = ["--seed", str(seed), *length, "--pictures", pictures] + (["--no-layout"] if options.no_layout else [])
    code, output, steps, lines = play(program, arguments, scale)
    if code == 0:
        shutil.rmtree(pictures)
        return seed, len(steps), True, output
    what = signature(code, output)
    (folder / f"seed-{seed}.txt").write_text(f"{what}\nQT_SCALE_FACTOR={scale}\n{output}\n" + "\n".join(lines))
    (folder / f"seed-{seed}.steps").write_text("\n".join(steps) + "\n")
    if code != 1 or "FAILED" in output:  # faults of the layout are named with their step
        steps = shrink(program, steps, scale, what, options.shrink_minutes)
        (folder / f"seed-{seed}.steps").write_text("\n".join(steps) + "\n")
    shown = "\n".join(steps) if len(steps) <= 60 else f"{len(steps)} steps in {folder}"
    return seed, len(steps), False, f"{what} ({len(steps)} steps after shortening)\n{output[-3000:]}\n{shown}"


def chosen_seeds(options):
    if options.seeds:
        return range(options.seeds[0], options.seeds[1] + 1)
    played = options.state / "played"
    done = [int(line.split()[0]) for line in played.read_text().split("\n") if line] if played.is_file() else []
    return range(1 + max(done, default=0), 10**9)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=TOP / "build" / "release")
    parser.add_argument("--seeds", type=int, nargs=2, metavar=("FIRST", "LAST"))
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--state", type=Path, default=TOP / "build" / "monkey")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-layout", action="store_true")
    parser.add_argument("--shrink-minutes", type=float, default=5)
    parser.add_argument("--shrink", type=Path, metavar="FILE")
    return parser.parse_args()


def main():
    options = arguments()
    program = options.build.resolve() / "bin" / "netwright_monkey"
    if not program.is_file():
        sys.exit(f"{program} is missing: build the target netwright_monkey")
    if options.shrink:
        steps = [line for line in options.shrink.read_text().split("\n") if line and not line.startswith("#")]
        code, output, _, _ = play(program, ["--replay", options.shrink.resolve(), "--no-layout"], "1")
        print(signature(code, output))
        print("\n".join(shrink(program, steps, "1", signature(code, output), options.shrink_minutes)))
        return
    options.state.mkdir(parents=True, exist_ok=True)
    seeds, deadline, bad = chosen_seeds(options), time.monotonic() + 60 * options.minutes, 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for start in range(0, len(seeds), options.jobs):
            if time.monotonic() > deadline:
                break
            batch = seeds[start:start + options.jobs]
            for seed, steps, good, output in pool.map(lambda s: one_seed(program, s, options), batch):
                bad += not good
                with (options.state / "played").open("a") as out:
                    out.write(f"{seed} {steps} {'passed' if good else 'FAILED'}\n")
                print(f"seed {seed}: {output.strip()}", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
