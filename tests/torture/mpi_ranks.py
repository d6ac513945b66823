#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Training by several processes that mpirun starts, each a replica or a stage of a pipeline: the bytes of one process, also where each keeps a
part of the optimizer's state; a rank that is slow is named; a rank that is killed or stopped ends all ranks in time, is named with its step and
what it computed, and the run goes on with those that remain.

mpi_ranks.py CLI [--times N] [--timeout SECONDS]: N kills and N stops, by default 2 each, 50 with NETWRIGHT_LONG; SECONDS of
silence after which a rank counts as lost, as in engine/parallel/process_group.hpp. Ends with 77 where mpirun or the plug-in
is missing.
"""
import argparse, json, os, random, re, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path

SETTINGS = ["--batch", "50", "--seed", "7", "--probes", "0", "--statistics", "0", "--quiet"]


class Failed(Exception):
    pass


def check(good, what):
    if not good:
        raise Failed(what)


def environment(folder):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "NETWRIGHT_DATA"))}
    return clean | {"XDG_RUNTIME_DIR": str(folder), "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def mpirun(ranks):
    return ["mpirun", "-n", str(ranks), "--oversubscribe", "--bind-to", "none"]


class Bench:
    """Commands in a folder of their own."""

    def __init__(self, cli, folder):
        self.cli, self.folder, self.env = cli, folder, environment(folder)

    def run(self, *words, ranks=0, expected=0):
        command = (mpirun(ranks) if ranks else []) + [self.cli, *map(str, words)]
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=300)
        check(done.returncode == expected,
              f"{' '.join(command)} ended with {done.returncode}, not {expected}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done

    def project(self, name, images=410, **settings):
        path = self.folder / f"{name}.netwright"
        self.run("new", "--template", name, "-o", path, "--force")
        document = json.loads(path.read_text())
        document["data"].update(kind="synthetic", path="", synthetic_train=images, synthetic_test=90)
        if name == "resnet18-cifar":
            make_narrow(document)
        # In precision automatic the parts of a network may round other products than the whole.
        document["training"].update({"precision": "fp32"} | settings)
        path.write_text(json.dumps(document))
        return path


def make_narrow(document):
    """A sixteenth of the channels, for the synthetic digits."""
    for node in document["network"]["nodes"]:
        attributes = node.get("attrs", {})
        if node["type"] == "Input":
            attributes.update(channels=1, height=28, width=28)
        for name in ("out_channels", "filters"):
            if name in attributes:
                attributes[name] //= 16


def tensors(run):
    """The bytes of weights and optimizer of the latest checkpoint."""
    folder = run / "checkpoints" / (run / "latest").read_text().strip()
    return [(folder / f"{name}.safetensors").read_bytes() for name in ("model", "optimizer")]


def epochs(run):
    lines = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    keys = ("epoch", "step", "train_loss", "train_accuracy", "validation_loss", "validation_accuracy")
    return [{k: e[k] for k in keys} for e in lines if e["type"] == "epoch"]


def same_bytes(bench):
    for name, parallel, settings in (("lenet5", "data", {}), ("mlp", "data", {}),
                                     ("lenet5", "sharded", {"optimizer": "adam", "clip_norm": 0.5, "ema_decay": 0.9})):
        project = bench.project(name, parallel=parallel, **settings)
        for ranks in (2, 4):
            one, many = bench.folder / f"{name}-{parallel}-devices-{ranks}", bench.folder / f"{name}-{parallel}-ranks-{ranks}"
            devices = ",".join(f"cpu:{i}" for i in range(ranks))
            bench.run("train", project, *SETTINGS, "--epochs", "2", "--device", devices, "--parallel", "data", "--run-dir", one)
            said = bench.run("train", project, *SETTINGS, "--epochs", "2", "--device", "cpu", "--run-dir", many, ranks=ranks)
            check(said.stdout.count("test accuracy") + said.stderr.count("test accuracy") == 1, "the first rank alone prints")
            check(tensors(one) == tensors(many), f"{name}: {ranks} ranks have other bytes than {ranks} devices")
            check(epochs(one) == epochs(many), f"{name}: {ranks} ranks have another loss curve: {epochs(one)} {epochs(many)}")
            check([r["rank"] for r in last_of(many, "ranks")["ranks"]] == list(range(ranks)), "not all ranks are reported")
            print(f"{name}, {parallel}: {ranks} ranks train the bytes of {ranks} virtual devices", flush=True)


def last_of(run, kind):
    return [e for e in map(json.loads, (run / "events.jsonl").read_text().splitlines()) if e["type"] == kind][-1]


def stopped_and_resumed(bench):
    """Each rank has a part of the optimizer's state: a stop in the middle of an epoch saves all of it."""
    project = bench.project("lenet5", optimizer="adam", parallel="sharded")
    whole, parts = bench.folder / "whole", bench.folder / "parts"
    words = [*SETTINGS, "--device", "cpu", "--epochs", "40"]
    bench.run("train", project, *words, "--run-dir", whole, ranks=2)
    command = mpirun(2) + [bench.cli, "train", str(project), *words, "--run-dir", str(parts)]
    process = subprocess.Popen(command, env=bench.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: process.poll() is not None or steps_of(parts) > 10, 120, "no training began")
    bench.run("control", parts, "checkpoint")
    bench.run("control", parts, "stop")
    process.wait(60)
    stopped_at = steps_of(parts)
    bench.run("resume", parts, "--quiet", ranks=2)
    check(tensors(whole) == tensors(parts), "a run that was stopped has other bytes")
    print(f"sharded: stopped at step {stopped_at}, resumed with the bytes of a run without a break", flush=True)


def straggler(bench):
    """A rank that does not run for most of the time. Steps are long, so that it is stopped while it computes."""
    project, run = bench.project("lenet5", checkpoint_epochs=1000), bench.folder / "slow"
    document = json.loads(project.read_text())
    document["data"].update(synthetic_train=8000)
    project.write_text(json.dumps(document))
    command = mpirun(2) + [bench.cli, "train", str(project), "--batch", "800", *SETTINGS[2:], "--epochs", "100000", "--device", "cpu",
                           "--threads", "1", "--run-dir", str(run)]
    process = subprocess.Popen(command, env=bench.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    warned = lambda: [e for e in map(json.loads, (run / "events.jsonl").read_text().splitlines())
                      if e["type"] == "health" and "is slower than the others" in e["text"]]
    try:
        wait_until(lambda: process.poll() is not None or steps_of(run) > 10, 120, "no training began")
        slow, begin = ranks_of(bench.folder)[1], time.monotonic()
        while not warned() and time.monotonic() - begin < 40:
            os.kill(slow, signal.SIGSTOP)
            time.sleep(0.06)
            os.kill(slow, signal.SIGCONT)
            time.sleep(0.02)
        took = time.monotonic() - begin
        check(warned(), "the slow rank is not named")
        check("rank 1 (cpu on " in warned()[0]["text"], f"another rank is named: {warned()[0]['text']}")
        print(f"the slow rank is named after {took:.1f} s: {warned()[0]['text']}", flush=True)
    finally:
        process.terminate()
        process.wait(60)


def same_pipelines(bench):
    """Stages on ranks, replicas of pipelines, and accumulating ranks, with the bytes of one process."""
    one = ["--micro-batches", "4"]
    model = [*one, "--parallel", "model"]
    devices = ",".join(f"cpu:{i}" for i in range(4))
    stages = [(f"{ranks} stages, {schedule}", ["--device", "cpu", *model, "--pipeline", schedule], ranks)
              for ranks in (2, 4) for schedule in ("gpipe", "1f1b")]
    # ResNet-18 has batch norm, and connections that skip layers cross the borders of its stages.
    for name, some in (("lenet5", stages), ("resnet18-cifar", stages[1:3])):
        compare(bench, name, [("one device", ["--device", "cpu", *one], 0), *some])
        compare(bench, name, [
            ("2 devices that accumulate", ["--device", "cpu:0,cpu:1", *one], 0),
            ("2 ranks that accumulate", ["--device", "cpu", *one], 2),
            ("2 replicas of 2 stages on devices", ["--device", devices, *model, "--stages", "2"], 0),
            ("2 replicas of 2 stages on ranks", ["--device", "cpu", *model, "--stages", "2"], 4)])


def compare(bench, name, cases):
    project, first = bench.project(name), None
    for number, (what, options, ranks) in enumerate(cases):
        run = bench.folder / f"{name}-case-{number}"
        bench.run("train", project, *SETTINGS, *options, "--epochs", "2", "--run-dir", run, ranks=ranks)
        result = tensors(run), epochs(run)
        first = first or result
        check(result[0] == first[0], f"{name}: {what} has other bytes than {cases[0][0]}")
        check(result[1] == first[1], f"{name}: {what} has another loss curve: {result[1]} {first[1]}")
        shutil.rmtree(run)
        if number:
            print(f"{name}: {what} train the bytes of {cases[0][0]}", flush=True)


def settings_change(bench):
    """`control set` reaches all ranks; the run's recipe gives the same bytes on one device."""
    project, run, again = bench.project("lenet5"), bench.folder / "changed", bench.folder / "replayed"
    command = mpirun(2) + [bench.cli, "train", str(project), *SETTINGS, "--epochs", "100000", "--device", "cpu", "--parallel", "model",
                           "--micro-batches", "2", "--run-dir", str(run)]
    process = subprocess.Popen(command, env=bench.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: process.poll() is not None or steps_of(run) > 10, 120, "no training began")
        bench.run("control", run, "set", "l2", "0.01")
        bench.run("control", run, "set", "learning_rate", "0.002")
        then = steps_of(run)
        wait_until(lambda: process.poll() is not None or steps_of(run) > then + 20, 120, "the training does not go on")
        bench.run("control", run, "stop")
        wait_until(lambda: process.poll() is not None, 60, "the ranks do not stop")
    finally:
        for left in ranks_of(bench.folder).values():
            os.kill(left, signal.SIGKILL)
        process.wait()
    lines = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    changed = [(e["name"], e["value"]) for e in lines if e["type"] == "knob"]
    check(sorted(changed) == [("l2", 0.01), ("learning_rate", 0.002)], f"other changes are recorded: {changed}")
    check(lines[-1]["type"] == "ended" and lines[-1]["reason"] == "stopped", f"the run did not stop in order: {lines[-1]}")
    done = epochs(run)[-1]["epoch"] + 1
    bench.run("resume", run, "--stop-after", done, "--quiet", expected=8)
    bench.run("train", "--replay", run, "--device", "cpu", "--stop-after", done, "--run-dir", again, "--probes", "0", "--statistics", "0",
              "--quiet", expected=8)
    check(tensors(run) == tensors(again), "one device has other bytes with the same changes")
    print(f"settings were changed on 2 ranks: the bytes of one device after {done} epochs", flush=True)


def ranks_of(folder):
    """Process ids of this bench's ranks, by rank."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            env = dict(pair.partition(b"=")[::2] for pair in (entry / "environ").read_bytes().split(b"\0"))
            program = os.readlink(entry / "exe")
        except OSError:
            continue
        if env.get(b"XDG_RUNTIME_DIR") == str(folder).encode() and b"OMPI_COMM_WORLD_RANK" in env \
                and program.endswith("netwright-cli"):
            found[int(env[b"OMPI_COMM_WORLD_RANK"])] = int(entry.name)
    return found


def wait_until(condition, seconds, what):
    begin = time.monotonic()
    while not condition():
        check(time.monotonic() - begin < seconds, what)
        time.sleep(0.05)
    return time.monotonic() - begin


def steps_of(run):
    try:
        text = (run / "events.jsonl").read_text()
    except OSError:
        return 0
    return max([json.loads(line)["last"] for line in text.splitlines() if '"type":"steps"' in line], default=0)


def place_of(rank, stages):
    """What a lost rank may have been doing, as the others say it: a layer, a stage, or what is done between steps."""
    step = rf"the \w+ pass of stage {rank} \(\S+ to \S+\)" if stages else \
        r"the training step, at (?:no layer yet|\S+ \((?:forward|backward|exchange of gradients|update)\))"
    return rf"(?:{step}|the preparation of the next step|the evaluation|the start)"


def lose_a_rank(bench, project, how, number, timeout, dice, options=()):
    """Of 2, 3 or 4. Steps are long, so that a layer is computed most of the time."""
    run, ranks = bench.folder / f"lost-{number}", 2 + number % 3
    rank = dice.randrange(ranks)
    command = mpirun(ranks) + [bench.cli, "train", str(project), "--batch", "400", *SETTINGS[2:], "--epochs", "100000", "--device", "cpu", *options, "--run-dir", str(run)]
    with open(bench.folder / f"lost-{number}.txt", "w+") as output:
        process = subprocess.Popen(command, env=bench.env, stdout=output, stderr=output)
        try:
            wait_until(lambda: process.poll() is not None or (steps_of(run) > 10 and (run / "latest").exists()), 120,
                       "no training began")
            check(process.poll() is None, f"the training ended: {(bench.folder / f'lost-{number}.txt').read_text()[-2000:]}")
            time.sleep(dice.random())
            victim = ranks_of(bench.folder)[rank]
            os.kill(victim, how)
            took = wait_until(lambda: process.poll() is not None and not ranks_of(bench.folder), timeout + 2,
                              f"ranks are left {timeout + 2} s after rank {rank} was lost: {ranks_of(bench.folder)}")
        finally:
            for left in ranks_of(bench.folder).values():
                os.kill(left, signal.SIGKILL)
            process.kill()
            process.wait()
        output.seek(0)
        said = output.read()
    check(process.returncode != 0, "a lost rank is no success")
    silent = r"does not answer for \d+ s" if how == signal.SIGSTOP else "is gone without a word"
    named = re.search(rf"rank {rank} on \S+ {silent}[^;]*; it was last at step \d+, in {place_of(rank, options)}\. All ranks end", said)
    check(named, f"rank {rank} is not named with what it did: {said[-1500:]}")
    before = steps_of(run)
    resumed = bench.run("resume", run, "--stop-after", str(epochs(run)[-1]["epoch"] + 1), "--quiet", ranks=dice.choice([0, ranks - 1, ranks]),
                        expected=8)
    check(epochs(run)[-1]["epoch"] >= 1 and resumed, "the run does not go on")
    print(f"{'SIGKILL' if how == signal.SIGKILL else 'SIGSTOP'} of rank {rank} of {ranks} at step {before}: all ranks gone after {took:.2f} s, "
          f"the run goes on; {named[0]}", flush=True)
    shutil.rmtree(run)
    return took, named[0]


def main():
    words = argparse.ArgumentParser()
    words.add_argument("cli")
    words.add_argument("--times", type=int, default=50 if os.environ.get("NETWRIGHT_LONG") else 2)
    words.add_argument("--timeout", type=float, default=8)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--only", choices=["bytes", "pipelines", "sharded", "slow", "lost"], default="")
    asked = words.parse_args()
    if not shutil.which("mpirun") or not (Path(asked.cli).resolve().parent / "libnw_mpi.so").exists():
        print("mpirun or libnw_mpi.so is not here (Debian: openmpi-bin, libopenmpi-dev)")
        return 77
    dice = random.Random(asked.seed)
    folder = Path(tempfile.mkdtemp(prefix="nw-mpi-"))
    try:
        bench = Bench(str(Path(asked.cli).resolve()), folder)
        for name, works in (("bytes", (same_bytes, settings_change)), ("pipelines", (same_pipelines,)), ("sharded", (stopped_and_resumed,)), ("slow", (straggler,))):
            for work in works if asked.only in ("", name) else ():
                work(bench)
        if asked.only in ("", "lost"):
            project, times, places = bench.project("lenet5", images=4000), {signal.SIGKILL: [], signal.SIGSTOP: []}, []
            for number in range(2 * asked.times):
                how = (signal.SIGKILL, signal.SIGSTOP)[number % 2]
                stages = ["--parallel", "model", "--micro-batches", "4"] if number // 2 % 2 else []
                took, named = lose_a_rank(bench, project, how, number, asked.timeout, dice, stages)
                times[how].append(took)
                places += [] if stages else [named]
            check(len(places) < 6 or any(" (" in place for place in places), f"no layer is named in {places}")
            for how, took in times.items():
                print(f"{how.name} {len(took)} times: all ranks gone after {min(took):.2f} to {max(took):.2f} s", flush=True)
    except Failed as why:
        print(f"FAILED: {why}")
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
