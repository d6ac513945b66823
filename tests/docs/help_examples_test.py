#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples at the end of every command's help on small synthetic data: help_examples_test.py NETWRIGHT_CLI [COMMAND…]

The examples of one help run one after another in a folder of their own, in which the names that they use are a trained LeNet-5, its project, its ONNX
file and some pictures. What a test cannot have is listed in NOT_RUN with the reason; an example is either run or there.
"""
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "installer/pages"))
import background  # noqa: E402
import command_help  # noqa: E402
import companions  # noqa: E402
import guide_blocks_test as guide  # noqa: E402

NOT_RUN = {
    r"netwright-cli COMMAND --help": "names no command",
    r".*\bcuda:0\b.*": "the machine that tests may have no GPU",
    r"netwright-cli data get .*": "loads from the internet",
    r"On another computer: .*": "needs a second computer",
}
# What takes minutes as it stands, goes on after the test, or would reach other computers: the same options with others.
SHORTER = [(r"netwright-cli queue add ", "netwright-cli queue add --hold "), (r"--trials 30 --epochs 9", "--trials 2 --epochs 3"), (r"--seconds 3\b", "--seconds 0.2"), (r"--epochs 20\b", "--epochs 6"),
           (r"--from 1200\b", "--from 113"), (r"--from epoch3\b", "--from epoch1"),
           (r"^(netwright-cli submit (?!.*--dry-run).*?)( -- .*)?$", r"\1 --dry-run\2")]
RUNS = ("2026-11-21-lenet5-a7", "2026-11-21-resnet18-a7", "lenet5", "lenet5-half")
PROJECTS = ("broken", "base", "ours", "theirs", "resnet")
EXAMPLE = re.compile(r"^(?:Examples?:)? *((?:netwright-cli|On another computer:) .*)$")


def examples(footer):
    """The commands of a help's last lines; one that is too long goes on in the next line, further to the right."""
    found, depth = [], 0
    for line in footer:
        match = EXAMPLE.match(line)
        if match:
            found.append(match.group(1))
            depth = len(line) - len(line.lstrip())
        elif found and line.startswith(" " * (depth + 4)) and line.lstrip().startswith("--"):
            found[-1] += " " + line.strip()
        elif "netwright-cli" in line:
            raise AssertionError(f"an example that is not read: {line}")
    return found


def all_examples(cli):
    """{command: its examples}; help that repeats another command's is left out."""
    told, out = set(), {}
    for command in command_help.read_all(cli):
        found = tuple(examples(command.footer))
        if found and found not in told:
            told.add(found)
            out[" ".join(command.words) or "netwright-cli"] = found
    return out


def lay_out(folder, trained, command):
    """The files that examples name, but those that they make."""
    shutil.copytree(trained, folder)
    for name in RUNS:
        shutil.copytree(folder / "runs/first", folder / "runs" / name)
    shutil.copytree(folder / "runs", folder / "home/.local/share/netwright/runs")
    for name in PROJECTS:
        shutil.copy(folder / "lenet5.netwright", folder / f"{name}.netwright")
    for made, makers in (("lenet5.netwright", ("netwright-cli", "new")), ("lenet5.onnx", ("export",))):
        if command in makers:
            (folder / made).unlink()


def stop_before_the_end(folder, cli):
    """Puts a run that was stopped with a checkpoint where those of RUNS[0] are."""
    background.while_training("", lambda text: None, folder, guide.environment_of(folder, cli), epochs=5)
    for place in (folder / "runs", folder / "home/.local/share/netwright/runs"):
        shutil.rmtree(place / RUNS[0])
        shutil.copytree(folder / "runs/now", place / RUNS[0])


def train_once(folder, cli):
    folder.mkdir()
    guide.make_photos(folder)
    searching = (TOP / "docs/guide/searching.rst").read_text(encoding="utf-8")
    (folder / "space.json").write_text(next(text for what, name, _, text in guide.blocks(searching) if name == "space.json"))
    guide.run("netwright-cli new --template lenet5 -o lenet5.netwright\n"
              "netwright-cli train lenet5.netwright --epochs 1 --run-dir runs/first -q\n"
              "netwright-cli train lenet5.netwright --epochs 1 --seed 2 --run-dir runs/second -q\n"
              "netwright-cli export runs/first --onnx lenet5.onnx --samples samples.safetensors\n"
              "mkdir data; cp -r photos data/mnist; cp -r photos holiday; cp -r photos letters; cp lenet5.onnx resnet18.onnx\n"
              "for i in 1 2 3; do netwright-cli queue add --hold train lenet5 --epochs 1; done\n", folder, cli)
    guide.pictures.write(folder / "digit.png", 28, 28, bytes(28 * 28))
    shutil.copy(folder / "digit.png", folder / "photo.jpg")    # a file is read by its content


def shown(example):
    """The command as it is run."""
    for pattern, other in SHORTER:
        example = re.sub(pattern, other, example)
    return example.replace("OTHER_RUN_DIR", "runs/second").replace("~/.local", "home/.local").replace("~/", "")


def run_help(found, folder, cli):
    """Number of examples that ran."""
    ran, environment = 0, guide.environment_of(folder, cli)
    for example in found:
        if any(re.fullmatch(pattern, example) for pattern in NOT_RUN):
            continue
        body, companion = shown(example) + "\n", companions.companion_of(example)
        if companion:
            companion(body if companion is background.while_training else body.replace("RUN_DIR", "runs/first"),
                      lambda text: guide.run(text, folder, cli), folder, environment)
        else:
            guide.run(body.replace("RUN_DIR", "runs/first"), folder, cli)
        ran += 1
    return ran


def main():
    cli, chosen = sys.argv[1], sys.argv[2:]
    failures, ran, told = 0, 0, all_examples(cli)
    unused = [p for p in NOT_RUN if not any(re.fullmatch(p, e) for found in told.values() for e in found)]
    with tempfile.TemporaryDirectory() as place:
        trained = Path(place) / "trained"
        train_once(trained, cli)
        for command, found in told.items():
            if chosen and command not in chosen:
                continue
            folder, begin = Path(place) / "now", time.monotonic()
            lay_out(folder, trained, command)
            try:
                if command == "resume":
                    stop_before_the_end(folder, cli)
                count = run_help(found, folder, cli)
                print(f"{command}: {count} of {len(found)} examples, {time.monotonic() - begin:.1f} s", flush=True)
                ran += count
            except AssertionError as error:
                failures += 1
                print(f"{command}: {error}", flush=True)
            shutil.rmtree(folder)
    for pattern in unused:
        print(f"NOT_RUN has no example: {pattern}")
    if not chosen and ran < 45:
        sys.exit(f"only {ran} examples ran")
    sys.exit(1 if failures or unused else 0)


if __name__ == "__main__":
    main()
