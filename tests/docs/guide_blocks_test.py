#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every code block of the user guide on small synthetic data: guide_blocks_test.py NETWRIGHT_CLI [CHAPTER…]

In a chapter: ".. setup: photos|project|run" is made before its blocks; ".. write: FILE" before a block: the block is that file; ".. packages: KIND STEP"
before a block: installer/packages_test.sh plays it where a package is installed (marked_blocks.py). No other block is left out: what needs a training,
a server, another computer or a GPU has it (companions.py). Blocks of `text` are pictures of folders. Blocks of a chapter run one after another in one
folder.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "docs/guide/make"))
import companions  # noqa: E402
import pictures  # noqa: E402

BLOCK = re.compile(r"(?:^\.\. (write|packages): (.+)\n)?^\.\. code-block:: (\w+)\n\n((?:   .*\n|\n)+)", re.M)
SETUP = re.compile(r"^\.\. setup: (\w+)$", re.M)
ANY_BLOCK = re.compile(r"^ *\.\. (?:code-block|sourcecode|highlight|code)::|^(?! *\.\. ).*::$", re.M)


def blocks(chapter):
    """(directive, its argument, language, text) of all blocks of a chapter."""
    return [(directive, argument, language, "\n".join(line[3:] for line in body.splitlines()).strip() + "\n")
            for directive, argument, language, body in BLOCK.findall(chapter)]


def make_photos(folder):
    numbers = random.Random(1)
    for name, size in (("cats", 20), ("dogs", 36)):
        (folder / "photos" / name).mkdir(parents=True)
        for i in range(1, 21):
            side = size + numbers.randrange(8)
            pictures.write(folder / f"photos/{name}/{i}.png", side, side, numbers.randbytes(side * side))


def environment_of(folder, cli):
    """Nothing of this computer is read or written but the folder."""
    environment = {**os.environ, "PATH": f"{Path(cli).resolve().parent}:{os.environ['PATH']}", "NETWRIGHT_DATA": str(folder / "none"),
                   "NETWRIGHT_RUNS": str(folder / "runs"), "NETWRIGHT_QUEUE": str(folder / "queue"), "XDG_DATA_HOME": str(folder / "home"),
                   "XDG_CACHE_HOME": str(folder / "cache")}
    environment.pop("NETWRIGHT_PYTHON", None)  # proofs by other programs have tests of their own
    return environment


def run(commands, folder, cli):
    """Its standard error and output; raises where a command fails."""
    done = subprocess.run(["bash", "-eu", "-c", commands], cwd=folder, env=environment_of(folder, cli), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise AssertionError(f"exit code {done.returncode}\n{commands}{done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout + done.stderr


def prepare(what, folder, cli, trained):
    """Brings the chapter's folder to where it begins; the run is trained once for all chapters."""
    if what == "photos":
        return make_photos(folder)
    if what not in ("project", "run"):
        raise AssertionError(f"there is no setup '{what}'")
    if not trained.exists():
        trained.mkdir()
        run("netwright-cli new --template lenet5 -o lenet5.netwright\n"
            "netwright-cli train lenet5.netwright --epochs 1 --run-dir runs/first -q\n", trained, cli)
    shutil.copy(trained / "lenet5.netwright", folder)
    if what == "run":
        shutil.copytree(trained / "runs/first", folder / "runs/first")


def run_chapter(path, folder, cli, trained):
    """Number of blocks that ran. Raises where one fails, or is no block that this test knows."""
    text, ran = path.read_text(encoding="utf-8"), 0
    for what in SETUP.findall(text):
        prepare(what, folder, cli, trained)
    found = blocks(text)
    if len(found) != len(ANY_BLOCK.findall(text)):
        raise AssertionError(f"{path.name} has a block that is not read")
    for directive, argument, language, body in found:
        if directive == "write":
            (folder / argument).write_text(body, encoding="utf-8")
        elif language == "sh" and (companion := companions.companion_of(body)):
            companion(body, lambda commands: run(commands, folder, cli), folder, environment_of(folder, cli))
            ran += 1
        elif language == "sh" and not directive:
            run(body, folder, cli)
            ran += 1
        elif language != "text" and not directive:
            raise AssertionError(f"{path.name}: a block of {language} is neither written nor run")
    return ran


def main():
    cli, chosen = sys.argv[1], sys.argv[2:]
    failures, ran = 0, 0
    with tempfile.TemporaryDirectory() as place:
        for chapter in sorted((TOP / "docs/guide").glob("*.rst")):
            if chosen and chapter.stem not in chosen:
                continue
            folder, begin = Path(place) / chapter.stem, time.monotonic()
            folder.mkdir()
            try:
                count = run_chapter(chapter, folder, cli, Path(place) / "trained")
                print(f"{chapter.stem}: {count} blocks, {time.monotonic() - begin:.1f} s")
                ran += count
            except AssertionError as error:
                failures += 1
                print(f"{chapter.name}: {error}")
            shutil.rmtree(folder)
    if not chosen and ran < 25:
        sys.exit(f"only {ran} blocks were found")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
