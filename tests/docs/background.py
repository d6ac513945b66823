# SPDX-License-Identifier: Apache-2.0
"""Commands of the guide and of the help that need another program which goes on meanwhile: a training, or a server."""
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/guide/make"))
import pictures  # noqa: E402

LIMIT_S = 60  # until a training answers, a server listens, or either has ended


def waiting_for(what, ready, child=None):
    """Fails with these words where it takes too long, or where this process has ended before."""
    end = time.monotonic() + LIMIT_S
    while not ready():
        code = child.poll() if child else None
        if code is not None or time.monotonic() > end:
            raise AssertionError(f"{what}: exit code {code}")
        time.sleep(0.05)


def while_training(body, run, folder, environment, epochs=1000):
    """Runs commands on RUN_DIR while it trains; the last of them, or this function, stops it with its checkpoint."""
    shutil.rmtree(Path(folder) / "runs/now", ignore_errors=True)
    project = json.loads((Path(folder) / "lenet5.netwright").read_text(encoding="utf-8"))
    project["training"]["optimizer"] = "adamw"    # which has a weight_decay, that examples change
    (Path(folder) / "now.netwright").write_text(json.dumps(project), encoding="utf-8")
    words = ["netwright-cli", "train", "now.netwright", "--epochs", str(epochs), "--run-dir", "runs/now", "-q"]
    child = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def trains():
        asked = subprocess.run(["netwright-cli", "control", "runs/now", "status"], cwd=folder, env=environment, capture_output=True, text=True)
        return asked.returncode == 0 and json.loads(asked.stdout)["step"] > 0
    try:
        waiting_for("the training does not begin", trains, child)
        run(body.replace("RUN_DIR", "runs/now"))    # an empty body does nothing
        if not re.search(r"^netwright-cli control RUN_DIR stop$", body, re.M):
            subprocess.run(["netwright-cli", "control", "runs/now", "stop"], cwd=folder, env=environment, check=True, capture_output=True)
        if (code := child.wait(LIMIT_S)) != 8:
            raise AssertionError(f"a stopped training ended with {code}, not with 8 (stopped with a checkpoint)")
        if not list((Path(folder) / "runs/now/checkpoints").glob("step-*")):
            raise AssertionError("a stopped training has no checkpoint")
    finally:
        child.kill()
        child.wait()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listens(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def missing_for_serving(environment):
    """What this build or this computer lacks; empty: nothing."""
    programs = Path(shutil.which("netwright-cli", path=environment["PATH"])).parent
    return "" if (programs / "libnw_http.so").exists() and shutil.which("curl") else "the HTTP module or curl"


def while_serving(body, run, folder, environment):
    """The first command serves on a port of its own until the others have run, which must get a class."""
    if lacking := missing_for_serving(environment):
        return print(f"netwright-cli infer-server is not run: there is no {lacking}")
    pictures.write(Path(folder) / "digit.png", 28, 28, bytes(28 * 28))
    port = free_port()
    first, _, others = body.replace(":8000", f":{port}").replace("--port 8000", f"--port {port}").partition("\n")
    child = subprocess.Popen(["bash", "-c", "exec " + first], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    try:
        waiting_for("the server does not listen", lambda: listens(port), child)
        asked = others or f"curl --data-binary @digit.png http://127.0.0.1:{port}/v2/models/first/infer\n"
        if '"outputs"' not in (said := run(asked.replace("curl ", "curl --silent --show-error --fail "))):
            raise AssertionError(f"{asked}answered {said[:300]}")
    finally:
        child.terminate()
        child.wait(LIMIT_S)
