#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends the runs of a folder to a real MLflow server and reads them back by MLflow's own client.

    python tests/app/mlflow_peer.py NETWRIGHT_CLI RUNS_FOLDER WORK_FOLDER

Ends with 77 where mlflow is not installed. mlflow_test.cpp calls it with the Python that NETWRIGHT_PYTHON names.
"""
import csv
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(url, server):
    for _ in range(240):
        try:
            with urllib.request.urlopen(url + "/health", timeout=2):
                return
        except OSError:
            if server.poll() is not None:
                sys.exit("the server has ended")
            time.sleep(0.5)
    sys.exit("the server does not answer")


def compare(client, runs):
    """Every run of the folder is there once, with its settings and every row of its metrics.csv."""
    for folder in sorted(p for p in runs.iterdir() if (p / "run.json").exists()):
        found = [r for e in client.search_experiments() for r in client.search_runs([e.experiment_id])
                 if r.data.tags.get("netwright.identity", "").startswith(folder.name + "@")]
        assert len(found) == 1, f"{folder.name}: {len(found)} runs"
        run = found[0]
        assert run.info.status == "FINISHED", run.info.status
        assert run.data.params["epochs"] == "2", run.data.params
        rows = list(csv.DictReader((folder / "metrics.csv").open()))
        for name in {r["name"] for r in rows}:
            ours = sorted((int(r["step"]), float(r["value"])) for r in rows if r["name"] == name)
            theirs = sorted((m.step, m.value) for m in client.get_metric_history(run.info.run_id, name))
            assert ours == theirs, f"{name}: {ours} is not {theirs}"
        print(f"{folder.name}: {len(rows)} values, {len(run.data.params)} parameters")


def main():
    try:
        import mlflow
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 77
    cli, runs, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    work.mkdir()
    url = f"http://127.0.0.1:{free_port()}"
    environment = {**os.environ, "no_proxy": "127.0.0.1"}
    server = subprocess.Popen([sys.executable, "-m", "mlflow", "server", "--backend-store-uri", f"sqlite:///{work}/mlflow.db", "--workers", "1",
                               "--default-artifact-root", str(work / "artifacts"), "--host", "127.0.0.1", "--port", url.rsplit(":", 1)[1]],
                              cwd=work, env=environment, stdout=(work / "log").open("w"), stderr=subprocess.STDOUT, start_new_session=True)
    try:
        wait_for(url, server)
        for _ in range(2):
            subprocess.run([cli, "runs", "export", str(runs), "--mlflow", url], check=True, env=environment)
        print(f"MLflow {mlflow.__version__}")
        os.environ["no_proxy"] = "127.0.0.1"
        compare(mlflow.MlflowClient(url), runs)
    finally:
        os.killpg(server.pid, 15)
        server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
