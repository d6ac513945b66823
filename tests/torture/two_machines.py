#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two ranks on two machines, played by network namespaces with a link that delays and loses packets (tun_relay.py):
LeNet-5 trains the bytes of two ranks on one machine; on MNIST, with NETWRIGHT_LONG, it reaches its accuracy; a link that is
cut ends both ranks, and the lost one is named with its host, step and layer.

two_machines.py CLI [--delay SECONDS] [--loss SHARE] [--only bytes|cut|mnist]. Ends with 77 where mpirun, the plug-in, or
namespaces are missing.
"""
import argparse, json, os, re, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from mpi_ranks import SETTINGS, Bench, Failed, check, epochs, ranks_of, steps_of, tensors, wait_until
from tun_relay import Link

AGENT = """#!/bin/sh
# as `ssh HOST COMMAND…`: the second machine is the only other one
shift
exec {enter} sh -c "$*"
"""
TIMEOUT_S = 8  # of silence, as in engine/parallel/process_group.hpp


def mpirun(link, folder):
    """The words before the program's own: one rank on each machine, over the link alone."""
    agent = folder / "agent"
    agent.write_text(AGENT.format(enter=" ".join(link.on(1, inside=True))))
    agent.chmod(0o755)
    network = link.addresses[0].rsplit(".", 1)[0] + ".0/24"
    choices = {"plm_rsh_agent": agent, "btl": "tcp,self", "pml": "ob1", "btl_tcp_if_include": network, "oob_tcp_if_include": network}
    words = [word for key, value in choices.items() for word in ("--mca", key, str(value))]
    return link.on(0) + ["mpirun", "-n", "2", "--host", ",".join(f"{a}:1" for a in link.addresses), "--bind-to", "none",
                         "-x", "XDG_RUNTIME_DIR", *words]


def train(bench, link, project, run, *words, batch=50, seconds=300):
    command = mpirun(link, bench.folder) + [bench.cli, "train", str(project), "--batch", str(batch), *SETTINGS[2:], "--device", "cpu",
                                            "--threads", "1", "--run-dir", str(run), *map(str, words)]
    done = subprocess.run(command, env=bench.env, capture_output=True, text=True, timeout=seconds)
    check(done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-3000:]}")
    return done


def hosts_of(run):
    lines = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    return {rank["host"] for e in lines if e["type"] == "ranks" for rank in e["ranks"]}


def same_bytes(bench, link):
    project = bench.project("lenet5")
    here, there = bench.folder / "here", bench.folder / "there"
    bench.run("train", project, *SETTINGS, "--epochs", "2", "--device", "cpu", "--threads", "1", "--run-dir", here, ranks=2)
    begin = time.monotonic()
    train(bench, link, project, there, "--epochs", "2")
    check(tensors(here) == tensors(there), "two machines train other bytes than two ranks on one")
    check(epochs(here) == epochs(there), f"another loss curve: {epochs(here)} {epochs(there)}")
    check(hosts_of(there) == set(link.names), f"the ranks are on {hosts_of(there)}")
    print(f"two machines train the bytes of two ranks on one, in {time.monotonic() - begin:.1f} s; "
          f"{link.passed} packets passed, {link.lost} were lost", flush=True)


def cut(bench, link):
    project, run = bench.project("lenet5"), bench.folder / "cut"
    command = mpirun(link, bench.folder) + [bench.cli, "train", str(project), *SETTINGS, "--epochs", "100000", "--device", "cpu",
                                            "--threads", "1", "--run-dir", str(run)]
    with open(bench.folder / "cut.txt", "w+") as output:
        process = subprocess.Popen(command, env=bench.env, stdout=output, stderr=output, start_new_session=True)
        try:
            wait_until(lambda: process.poll() is not None or (steps_of(run) > 10 and (run / "latest").exists()), 120, "no training began")
            time.sleep(1)
            link.cut()
            took = wait_until(lambda: not ranks_of(bench.folder), TIMEOUT_S + 2, f"ranks are left {TIMEOUT_S + 2} s after the cut")
        finally:
            for left in ranks_of(bench.folder).values():
                os.kill(left, signal.SIGKILL)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        said = output.read()
    named = re.search(rf"rank 1 on {link.names[1]} does not answer for \d+ s; it was last at step \d+, in the [^.]*", said)
    check(named, f"the lost rank is not named: {said[-2000:]}")
    print(f"the link was cut: all ranks gone after {took:.1f} s; {named[0]}", flush=True)
    bench.run("resume", run, "--stop-after", str(epochs(run)[-1]["epoch"] + 1), "--quiet", expected=8)
    print("the run goes on on one machine", flush=True)


def mnist(bench, link, data):
    project, run = bench.folder / "mnist.netwright", bench.folder / "mnist"
    bench.run("new", "--template", "lenet5", "-o", project, "--force")
    begin = time.monotonic()
    said = train(bench, link, project, run, "--data", data, "--epochs", "8", "--set", "optimizer=adam", "--lr", "0.002",
                 batch=128, seconds=3000)
    reached = float(re.search(r"test accuracy ([\d.]+) %", said.stdout + said.stderr)[1])
    check(reached >= 98.5, f"MNIST: {reached} %")
    print(f"LeNet-5 on MNIST over two machines: {reached} % after 8 epochs, {time.monotonic() - begin:.0f} s", flush=True)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("cli")
    words.add_argument("--delay", type=float, default=0.002)
    words.add_argument("--loss", type=float, default=0.001)
    words.add_argument("--only", choices=["bytes", "cut", "mnist"], default="")
    asked = words.parse_args()
    if not shutil.which("mpirun") or not (Path(asked.cli).resolve().parent / "libnw_mpi.so").exists():
        print("mpirun or libnw_mpi.so is not here (Debian: openmpi-bin, libopenmpi-dev)")
        return 77
    folder = Path(tempfile.mkdtemp(prefix="nw-two-"))
    data = os.environ.get("NETWRIGHT_DATA", "")
    try:
        bench = Bench(str(Path(asked.cli).resolve()), folder)
        for name, work in (("bytes", same_bytes), ("mnist", lambda b, l: mnist(b, l, str(Path(data) / "mnist"))), ("cut", cut)):
            if asked.only not in ("", name) or (name == "mnist" and not asked.only and not (os.environ.get("NETWRIGHT_LONG") and data)):
                continue
            try:
                link = Link(asked.delay, asked.loss).__enter__()
            except OSError as why:
                print(f"no namespaces here: {why}")
                return 77
            try:
                work(bench, link)
            finally:
                link.__exit__()
    except Failed as why:
        print(f"FAILED: {why}")
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
