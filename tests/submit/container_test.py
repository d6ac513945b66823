#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows the recipe that `submit --to kubernetes` writes, in a root file system of mmdebstrap, and runs the pod's command there.

    tests/submit/container_test.py CLI DEB

As root, with a network connection. FROM, COPY, RUN and ENV are played as `podman build` would in the folder of netwright-cli's package DEB,
where that of netwright-mpi lies too; then the command of job.yaml trains the template mlp on the built-in digits, with the project and the
volume where the manifest mounts them, is ended by SIGTERM and resumed. The launcher's command of an MPIJob trains there with two ranks, which
mpirun starts beside it, since there is no worker. Exit code 77: skipped, with the reason.
"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SUITES = {"debian:12-slim": "bookworm"}


def skip(reason):
    print("Skipped:", reason)
    sys.exit(77)


def instructions(text):
    """(word, rest) of each instruction of a Containerfile; comments are left out, continued lines joined."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#")).replace("\\\n", " ")
    for line in lines.splitlines():
        if line.strip():
            word, rest = line.split(None, 1)
            yield word, rest


def inside(root, script, environment):
    """A shell of the root file system, with nothing of this computer's environment."""
    words = ["chroot", str(root), "env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
    return words + [f"{name}={value}" for name, value in environment.items()] + ["/bin/sh", "-c", script]


def build(recipe, context, root):
    """Plays the instructions; returns the image's environment."""
    arguments, environment = {}, {}
    for word, rest in instructions(recipe):
        if word == "ARG":
            name, value = rest.split("=", 1)
            arguments[name] = value
        elif word == "FROM":
            base = re.sub(r"\$\{(\w+)\}", lambda m: arguments[m[1]], rest)
            subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", SUITES[base], root], check=True)
            shutil.copy("/etc/resolv.conf", root / "etc")
        elif word == "COPY":
            *patterns, to = rest.split()
            for path in {path for pattern in patterns for path in glob.glob(str(context / pattern))}:
                shutil.copy(path, root / to.strip("/"))
        elif word == "RUN":
            subprocess.run(inside(root, rest, {**environment, "DEBIAN_FRONTEND": "noninteractive"}), check=True, stdout=subprocess.DEVNULL)
        elif word == "ENV":
            environment.update(pair.split("=", 1) for pair in rest.split())
        else:
            sys.exit(f"unknown instruction {word}")
    return environment


def train(root, manifest, environment, until=None):
    """Runs the pod's command as its first process would run, ended by SIGTERM when `until` holds; returns the exit code."""
    spec = manifest["spec"]
    command = spec.get("mpiReplicaSpecs", {}).get("Launcher", spec)["template"]["spec"]["containers"][0]["command"]
    assert command[:2] == ["/bin/sh", "-c"], command
    process = subprocess.Popen(inside(root, command[2], environment))
    deadline = time.monotonic() + 300
    while until and not until() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.1)
    if until:
        process.send_signal(signal.SIGTERM)
    return process.wait(timeout=600)


def train_ranks(root, job, environment):
    """A training of two ranks, from its first step to its end; both say that they have come."""
    assert train(root, job, environment) == 0, (root / "data/netwright/ranks/log.txt").read_text()
    events = [json.loads(line) for line in (root / "data/netwright/ranks/run/events.jsonl").read_text().splitlines()]
    assert events[-1].get("how") == "finished", events[-1]
    assert any(len(event["ranks"]) == 2 for event in events if event["type"] == "ranks"), [event["type"] for event in events]


def main():
    cli, deb = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        skip("it needs root and mmdebstrap")
    try:
        import yaml
    except ImportError:
        skip("python3 has no yaml")
    with tempfile.TemporaryDirectory() as folder:
        folder, root = Path(folder), Path(folder) / "root"
        context = folder / "context"
        context.mkdir()
        assert list(deb.parent.glob("netwright-mpi_*.deb")), f"no package of netwright-mpi lies beside {deb}"
        for package in deb.parent.glob("*.deb"):
            (context / package.name).symlink_to(package)
        for folder_name, name, ranks, epochs in (("long", "job", "1", "100000"), ("short", "job", "1", "2"), ("ranks", "ranks", "2", "2")):
            subprocess.run([cli, "submit", "mlp", "--to", "kubernetes", "--image", "local/netwright:1", "--data-volume", "sets", "--name",
                            name, "--cpus", "1", "--ranks", ranks, "--write-only", folder / folder_name, "--", "--epochs", epochs], check=True)
        environment = build((folder / "short/Containerfile").read_text(), context, root)
        (root / "project").mkdir()
        (root / "data").mkdir()
        subprocess.run([cli, "new", "--template", "mlp", "-o", root / "project/project.netwright"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
        try:
            run = root / "data/netwright/job/run"
            assert train(root, yaml.safe_load((folder / "short/job.yaml").read_text()), environment) == 0
            events = run / "events.jsonl"
            assert '"finished"' in events.read_text()
            shutil.rmtree(run)
            long = yaml.safe_load((folder / "long/job.yaml").read_text())
            assert train(root, long, environment, lambda: (run / "latest").exists()) == 143, "ended by the cluster"
            assert train(root, long, environment, lambda: '"resumed"' in events.read_text()) == 143, "the next pod goes on"
            assert '"resumed"' in events.read_text()
            train_ranks(root, yaml.safe_load((folder / "ranks/job.yaml").read_text()), environment)
            for program in ("sshd", "ssh"):
                subprocess.run(inside(root, f"command -v {program}", environment), check=True, stdout=subprocess.DEVNULL)
        finally:
            subprocess.run(["umount", root / "proc"], check=True)
    print("the recipe's image trains, ends with a checkpoint, goes on, and trains with two ranks")


if __name__ == "__main__":
    main()
