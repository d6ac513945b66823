#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a power cut leaves. A command runs under strace; after each of its calls that changes files, the states that a disk
may be in if the power fails then are written to a folder, and the program must go on from there with nothing lost that it
had reported.

power_cut.py CLI [--cuts N] [--seed N] [--only SCENARIO...]: N cuts of each scenario, by default 12; 0: every cut in each of
its states. Ends with 77 where strace cannot trace.
"""
import argparse, json, os, random, shutil, subprocess, sys, tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from traced_calls import trace
from unsynced_disk import Disk, digest, read, write

LEARNS = ["--seed", "7", "--probes", "0", "--statistics", "0", "--json"]


class Failed(Exception):
    pass


def check(good, what):
    if not good:
        raise Failed(what)


class Program:
    """netwright-cli with folders of its own; `disk` is the folder whose states are looked at."""

    def __init__(self, cli, folder):
        self.cli, self.folder, self.disk = cli, folder, folder / "disk"
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("NETWRIGHT")}
        self.env |= {"XDG_RUNTIME_DIR": str(folder / "rt"), "XDG_DATA_HOME": str(folder / "data"), "ASAN_OPTIONS": "detect_leaks=0"}
        (folder / "rt").mkdir(mode=0o700)

    def command(self, *words):
        return [self.cli, *map(str, words)]

    def run(self, *words, codes=(0,)):
        done = subprocess.run(self.command(*words), env=self.env, capture_output=True, text=True, timeout=300)
        check(done.returncode in codes, f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr[-2000:]}")
        return done

    def project(self, epochs):
        path = self.folder / "small.netwright"
        self.run("new", "--template", "mlp", "-o", path, "--force")
        document = json.loads(path.read_text())
        document["data"].update(kind="synthetic", path="", synthetic_train=320, synthetic_test=64)
        document["training"].update(epochs=epochs)
        path.write_text(json.dumps(document))
        return path


def objects(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")]


def weights(run):
    return (run / "checkpoints" / (run / "latest").read_text().strip() / "model.safetensors").read_bytes()


class Training:
    """A run: no reported checkpoint is lost, and the resumed run ends with the bytes of an undisturbed one."""

    def __init__(self, program):
        self.program = program
        self.project = program.project(epochs=3)
        program.run("train", self.project, "--run-dir", program.folder / "undisturbed", *LEARNS)
        self.expected = weights(program.folder / "undisturbed")

    def command(self):
        return ["train", self.project, "--run-dir", self.program.disk / "run", *LEARNS]

    def holds(self, reported, ended):
        run = self.program.disk / "run"
        events = objects(reported)
        steps = [e["step"] for e in events if e["type"] == "checkpoint"]
        if not (run / "run.json").exists():
            check(not steps, "the run's definition is lost after a checkpoint was reported")
            return
        if steps:
            check((run / "latest").exists(), f"a checkpoint of step {steps[-1]} was reported and none is found")
            found = json.loads((run / "checkpoints" / (run / "latest").read_text().strip() / "state.json").read_text())["step"]
            check(found >= steps[-1], f"a checkpoint of step {steps[-1]} was reported and the latest is of step {found}")
            self.program.run("resume", run, "--verify")
        finished = ended or any(json.loads(line).get("how") == "finished" for line in lines_of(run / "events.jsonl"))
        if not finished:
            done = self.program.run("resume", run, "--quiet", codes=(0,) if steps else (0, 3))
            if done.returncode == 3:
                check(len(done.stderr.strip().splitlines()) <= 2, "more than a sentence: " + done.stderr)
                return
        check(weights(run) == self.expected, "the weights differ from those of an undisturbed run")
        epochs = {e["epoch"] for e in map(json.loads, lines_of(run / "events.jsonl")) if e.get("type") == "epoch"}
        check(epochs == {1, 2, 3}, f"the events of the epochs {epochs} are left")


class ResumedTraining(Training):
    """The same of a run that goes on after it was stopped."""

    def __init__(self, program):
        super().__init__(program)
        program.run("train", self.project, "--run-dir", program.disk / "run", "--stop-after", "1", *LEARNS, codes=(8,))

    def command(self):
        return ["resume", self.program.disk / "run", "--json"]


def lines_of(path):
    return path.read_text().split("\n")[:-1] if path.exists() else []


class SavedProject:
    """A project that replaces another one: the old one or the new one, the new one once the command has ended."""

    def __init__(self, program):
        self.program, self.file = program, program.disk / "net.netwright"
        program.run("new", "--template", "lenet5", "-o", program.folder / "new.netwright")
        self.new = (program.folder / "new.netwright").read_bytes()
        program.run("new", "--template", "mlp", "-o", self.file)
        self.old = self.file.read_bytes()

    def command(self):
        return ["new", "--template", "lenet5", "-o", self.file, "--force"]

    def holds(self, reported, ended):
        check(self.file.exists(), "the project is gone")
        found = self.file.read_bytes()
        check(found == self.new or (found == self.old and not ended), f"the project is neither: {len(found)} bytes")


class ExportedWeights(SavedProject):
    """Weights that replace an exported file."""

    def __init__(self, program):
        self.program, self.file = program, program.disk / "weights.safetensors"
        project = program.project(epochs=1)
        for name, seed in (("a", "1"), ("b", "2")):
            program.run("train", project, "--run-dir", program.folder / name, "--seed", seed, "--quiet")
            program.run("export", program.folder / name, "--safetensors", program.folder / f"{name}.safetensors")
        self.old, self.new = ((program.folder / f"{name}.safetensors").read_bytes() for name in "ab")
        shutil.copy(program.folder / "a.safetensors", self.file)

    def command(self):
        return ["export", self.program.folder / "b", "--safetensors", self.file, "--force"]


class Queued:
    """A training that was added to a queue is in it once the command has reported its number."""

    def __init__(self, program):
        self.program, self.project, self.queue = program, program.project(epochs=1), program.disk / "queue"
        program.run("queue", "add", "--queue", self.queue, "--hold", "train", self.project)

    def command(self):
        return ["queue", "add", "--queue", self.queue, "--hold", "--json", "train", self.project]

    def holds(self, reported, ended):
        items = objects(self.program.run("queue", "list", "--queue", self.queue, "--json").stdout)
        count = len(items[0]["items"]) if items and "items" in items[0] else len(items)
        check(count in ((2,) if objects(reported) else (1, 2)), f"the queue has {count} items, and one more was reported")


class Studied:
    """A study goes on with the same command, repeats no trial that had ended and ends with the same values."""

    def __init__(self, program):
        self.program, self.project, self.study = program, program.project(epochs=1), program.disk / "study"
        self.space = program.folder / "space.json"
        self.space.write_text(json.dumps({"parameters": [
            {"name": "learning_rate", "type": "real", "low": 0.01, "high": 0.3, "log": True}]}))
        self.expected = self.last(program.run(*self.words(program.folder / "undisturbed")).stdout)

    def words(self, folder):
        return ["sweep", self.project, "--space", self.space, "--dir", folder, "--trials", "3", "--epochs", "1", "--sampler",
                "random", "--seed", "5", "--json"]

    def last(self, text):
        end = objects(text)[-1]
        check(end["type"] == "ended", "the study did not end")
        return end["complete"], end["failed"], end["best"]["value"], end["best"]["parameters"]

    def command(self):
        return self.words(self.study)

    def holds(self, reported, ended):
        complete = [e["trial"] for e in objects(reported) if e["type"] == "trial_ended" and e["state"] == "complete"]
        done = self.program.run(*self.words(self.study))
        again = [e["trial"] for e in objects(done.stdout) if e["type"] == "trial"]
        check(not set(complete) & set(again), f"trials {complete} were reported as complete and {again} were started")
        found = self.last(done.stdout)
        check(found == self.expected, f"the study ended with {found}, undisturbed with {self.expected}")


SCENARIOS = {"project": SavedProject, "weights": ExportedWeights, "queue": Queued, "training": Training,
             "resumed": ResumedTraining, "study": Studied}


def moments(disk, calls):
    """The name of each call that changed the disk, just after it; then the end of the command."""
    for call in calls:
        if disk.apply(call):
            yield call.name
    yield "the end of the command"


def play(program, scenario, cuts, seed):
    """(cuts, states that were looked at). The calls are followed once to count the cuts and once to play some."""
    start = read(program.disk)
    done, calls = trace(program.command(*scenario.command()), program.folder / "trace", program.env)
    check(done.returncode == 0, f"the command ended with {done.returncode}: {done.stderr[-2000:]}")
    after = read(program.disk)
    rehearsal = Disk(program.disk, start)
    count = sum(1 for _ in moments(rehearsal, calls))
    check(digest(rehearsal.now()) == digest(after), "the model of the disk is not what lies on the disk")
    disk, chance = Disk(program.disk, start), random.Random(seed)
    chosen = set(range(count)) if cuts == 0 else set(chance.sample(range(count), min(cuts, count))) | {count - 1}
    seen = set()
    for at, last in enumerate(moments(disk, calls)):
        if at not in chosen:
            continue
        states = list(disk.states(chance))
        for name, tree in states if cuts == 0 or at == count - 1 else [states[at % len(states)]]:
            reported = "".join(disk.written)
            key = (digest(tree), reported)
            if key in seen:
                continue
            seen.add(key)
            shutil.rmtree(program.disk)
            write(tree, program.disk)
            try:
                scenario.holds(reported, ended=at == count - 1)
            except (Failed, OSError, ValueError, KeyError) as wrong:
                raise Failed(f"cut {at + 1} of {count}, after {last}, {name}: {wrong!r}") from wrong
    return len(chosen), len(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--cuts", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=SCENARIOS, default=list(SCENARIOS))
    options = parser.parse_args()
    if subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        print("strace cannot trace here")
        return 77
    failed = 0
    for name in options.only:
        with tempfile.TemporaryDirectory() as folder:
            program = Program(str(Path(options.cli).resolve()), Path(folder).resolve())
            program.disk.mkdir(mode=0o700)
            try:
                cuts, states = play(program, SCENARIOS[name](program), options.cuts, options.seed)
                print(f"{name}: {cuts} cuts, {states} states: passed", flush=True)
            except Failed as wrong:
                failed += 1
                print(f"{name}: FAILED: {wrong}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
