# SPDX-License-Identifier: Apache-2.0
"""Commands of the guide that are for another computer, which an sshd of the test plays, or for a GPU, which fake libraries of NVIDIA's play."""
import json
import os
import shutil
import subprocess
from pathlib import Path

import background

SSHD = "/usr/sbin/sshd"
SERVER = """Port {port}
ListenAddress 127.0.0.1
HostKey {place}/host_key
PidFile none
AuthorizedKeysFile {place}/user_key.pub
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
PrintMotd no
ForceCommand {place}/login
"""
CLIENT = """Host HOST
  HostName 127.0.0.1
  Port {port}
  IdentityFile {place}/user_key
  IdentitiesOnly yes
  UserKnownHostsFile /dev/null
  StrictHostKeyChecking no
  LogLevel ERROR
"""
# The host has a home folder of its own, and the programs; no data.
LOGIN = """#!/bin/sh
export HOME='{place}/home' PATH='{programs}':"$PATH" NETWRIGHT_DATA='{place}/none'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0    # Open MPI has some
cd "$HOME" && exec sh -c "$SSH_ORIGINAL_COMMAND"
"""
SSH = "#!/bin/sh\nexec /usr/bin/ssh -F '{place}/client' \"$@\"\n"


def missing_for_a_host():
    """What this computer lacks; empty: nothing."""
    lacking = [p for p in (SSHD, "/usr/bin/ssh", "ssh-keygen", "mpirun") if not shutil.which(p)]
    return ", ".join(lacking)


def lay_out_host(place, environment):
    """Writes keys, configurations and the programs "ssh" and "login" into this folder; the server's port."""
    (place / "home").mkdir(parents=True)
    port = background.free_port()
    programs = Path(shutil.which("netwright-cli", path=environment["PATH"])).parent
    for key in ("host_key", "user_key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", place / key], check=True)
    (place / "bin").mkdir()
    for name, text in (("server", SERVER), ("client", CLIENT), ("login", LOGIN), ("bin/ssh", SSH)):
        (place / name).write_text(text.format(place=place, port=port, programs=programs), encoding="utf-8")
    for name in ("login", "bin/ssh"):
        (place / name).chmod(0o755)
    return port


def make_long(project):
    """So many epochs that the training does not end by itself while a test looks at it."""
    read = json.loads(project.read_text(encoding="utf-8"))
    read["training"]["epochs"] = 100000
    project.write_text(json.dumps(read), encoding="utf-8")


def end_job(there):
    """mpirun waits a minute for ranks that have ended: it and the script of the job are killed, once the run is nobody's any more."""
    background.waiting_for("the job does not stop", lambda: subprocess.run(["flock", "-n", there / "run/lock", "true"]).returncode == 0)
    kill_job(there)


def kill_job(there):
    """The script of the job and what it started, which are a session; they may have ended."""
    if (there / "pid").exists():
        subprocess.run(["pkill", "-KILL", "-s", (there / "pid").read_text().split()[0]])


def on_a_host(body, run, folder, environment):
    """The commands in their order, but the one that follows the job goes on beside those after it, as in a terminal of its own. A training that is
    paused would not end: it is continued and stopped, with a checkpoint, before the last command fetches it."""
    if lacking := missing_for_a_host():
        return print(f"netwright-cli submit --to ssh:HOST is not run: there is no {lacking}")
    submit, follow, *control, fetch = body.splitlines()
    place, name = Path(folder).resolve() / "host", follow.split()[-1]
    make_long(Path(folder) / "lenet5.netwright")
    port = lay_out_host(place, environment)
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    there = {**environment, "PATH": f"{place}/bin:{environment['PATH']}"}

    def play(command):
        return run(f"PATH='{place}/bin':\"$PATH\"\n{command}\n")

    def trains():
        asked = subprocess.run(["netwright-cli", "jobs", "control", name, "status"], cwd=folder, env=there, capture_output=True, text=True)
        return asked.returncode == 0 and json.loads(asked.stdout).get("step", 0) > 0
    server = subprocess.Popen([SSHD, "-D", "-e", "-f", place / "server"], stdin=subprocess.DEVNULL, stderr=(place / "log").open("w"))
    following = None
    try:
        background.waiting_for("sshd does not listen", lambda: background.listens(port), server)
        if name not in (said := play(submit)):
            raise AssertionError(f"{submit}\nnames no job {name}: {said}")
        following = subprocess.Popen(follow.split(), cwd=folder, env=there, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        background.waiting_for("the job does not train", trains, following)
        for command in [*control, f"netwright-cli jobs control {name} continue", f"netwright-cli jobs control {name} stop"]:
            play(command)
        end_job(place / "home/netwright" / name)
        play(fetch)
        if not list((Path(folder) / "home/netwright/jobs" / name / "run/checkpoints").glob("step-*")):
            raise AssertionError("the run that was fetched has no checkpoint")
    finally:
        kill_job(place / "home/netwright" / name)
        for child in (following, server):
            if child:
                child.terminate()
                child.wait(background.LIMIT_S)


def fake_gpu_of(environment):
    """The folder of the fake libraries beside the programs; None: this build has no module for GPUs."""
    programs = Path(shutil.which("netwright-cli", path=environment["PATH"])).parent
    fakes = programs.parent / "fake_gpu"
    return fakes if (programs / "libnw_cuda.so").exists() and list(fakes.glob("libcuda.so*")) else None


def on_a_gpu(body, _run, folder, environment):
    """The training begins on the device and is stopped with its checkpoint: a fake device computes on the processor."""
    if not (fakes := fake_gpu_of(environment)):
        return print("netwright-cli train --device cuda:0 is not run: this build has no module for GPUs")
    runs = Path(folder) / "runs/gpu"
    there = {**environment, "LD_LIBRARY_PATH": f"{fakes}:{environment.get('LD_LIBRARY_PATH', '')}", "NETWRIGHT_FAKE_GPU_COUNT": "1",
             "NETWRIGHT_GPU_PATIENCE_S": "0", "NETWRIGHT_RUNS": str(runs)}
    child = subprocess.Popen(body.split(), cwd=folder, env=there, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def control(word):
        made = list(runs.glob("*/run.json"))
        return subprocess.run(["netwright-cli", "control", made[0].parent, word], cwd=folder, env=there, capture_output=True, text=True) if made else None

    def trains():
        asked = control("status")
        return asked and asked.returncode == 0 and json.loads(asked.stdout)["step"] > 0
    try:
        background.waiting_for("no training begins on the GPU", trains, child)
        if "cuda:0" not in (next(runs.glob("*/run.json"))).read_text(encoding="utf-8"):
            raise AssertionError("the run is not on the GPU")
        control("stop")
        if (code := child.wait(background.LIMIT_S)) != 8:
            raise AssertionError(f"a stopped training ended with {code}, not with 8 (stopped with a checkpoint)")
    finally:
        child.kill()
        child.wait()
