#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Throughput, latency, memory and start of the inference server beside FastAPI with onnxruntime, in one run.

    NETWRIGHT_PYTHON=/venv/bin/python3 python3 tests/bench/serve.py build/release RUN_DIR [RUN_DIR …] [--json F]

Both answer the same requests (one float32 image, binary) of the same load generator (wrk, Debian) on this machine; the peer runs
once with one process that uses all processors and once with a process for each. Prints a table; docs/serve.md has figures.
"""
import argparse
import json
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = os.environ.get("NETWRIGHT_PYTHON", sys.executable)
LUA = """local f = io.open("%s", "rb")
wrk.method = "POST"
wrk.body = f:read("*a")
f:close()
%s
done = function(summary, latency, requests)
  io.write(string.format("RESULT %%d %%d %%d %%d %%d\\n", summary.requests, summary.duration, latency:percentile(50),
           latency:percentile(99), summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
"""


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=1) as reply:
            return reply.status == 200
    except (urllib.error.URLError, OSError):
        return False


def start(command, ready):
    """The process, and the seconds until it answers."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while not answers(ready):
        if process.poll() is not None or time.monotonic() - begin > 60:
            sys.exit(f"{command[0]} does not answer at {ready}")
        time.sleep(0.002)
    return process, time.monotonic() - begin


def resident_mb(process):
    """Of the process and its children: memory that is not shared is counted once each (PSS)."""
    pids = {process.pid}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) in pids or int(fields[2]) == process.pid:
            pids.add(int(status.parent.name))
    total = 0
    for pid in pids:
        try:
            total += int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1])
        except OSError:
            pass
    return total / 1024


def load(url, script, connections, seconds):
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s", "-s", script, url],
                         capture_output=True, text=True, check=True).stdout
    requests, us, p50, p99, errors = map(int, re.search(r"RESULT (.*)", out)[1].split())
    return {"connections": connections, "requests_per_s": 1e6 * requests / us, "p50_ms": p50 / 1000, "p99_ms": p99 / 1000,
            "errors": errors}


def measure(command, ready, url, script, options):
    process, start_s = start(command, ready)
    try:
        load(url, script, options.connections[-1], 1)  # warm-up
        rows = [load(url, script, c, options.seconds) for c in options.connections]
        memory = resident_mb(process)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
    return [{"start_s": start_s, "memory_mb": memory, **row} for row in rows]


def image_of(cli, run):
    d = json.loads((Path(run) / "run.json").read_text())
    image = d.get("image") or d
    return [int(image[k]) for k in ("channels", "height", "width")]


def compare(build, run, place, options):
    cli = str(build / "bin" / "netwright-cli")
    model = Path(run).resolve().name
    channels, height, width = image_of(cli, run)
    count = channels * height * width
    pixels = struct.pack(f"<{count}f", *[(7 * i) % 256 for i in range(count)])
    head = json.dumps({"inputs": [{"name": "images", "datatype": "FP32", "shape": [1, channels, height, width],
                                   "parameters": {"binary_data_size": len(pixels)}}],
                       "outputs": [{"name": "scores"}]}).encode()
    (place / "ours.bin").write_bytes(head + pixels)
    (place / "peer.bin").write_bytes(pixels)
    (place / "ours.lua").write_text(LUA % (place / "ours.bin",
                                           f'wrk.headers["Inference-Header-Content-Length"] = "{len(head)}"'))
    (place / "peer.lua").write_text(LUA % (place / "peer.bin", ""))
    onnx = str(place / f"{model}.onnx")
    subprocess.run([cli, "export", run, "--onnx", onnx, "--force"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    processors = len(os.sched_getaffinity(0))
    results = {"Netwright": measure([cli, "infer-server", run, "--port", "18000", "--threads", str(processors)],
                                    "http://127.0.0.1:18000/v2/health/ready",
                                    f"http://127.0.0.1:18000/v2/models/{model}/infer", str(place / "ours.lua"), options)}
    for workers, threads in ((1, processors), (processors, 1)):
        command = [PYTHON, str(HERE / "fastapi_peer.py"), onnx, "--port", "18001", "--workers", str(workers), "--threads", str(threads)]
        results[f"FastAPI, {workers} × {threads} threads"] = measure(
            command, "http://127.0.0.1:18001/ready", "http://127.0.0.1:18001/infer", str(place / "peer.lua"), options)
    return {"model": model, "program_mb": sum((build / "bin" / f).stat().st_size for f in ("netwright-cli", "libnw_http.so")) / 1e6,
            "results": results}


def show(answer):
    print(f"{answer['model']}:")
    print("| server | connections | requests/s | p50 ms | p99 ms | memory MB | start s | errors |")
    print("|---|---|---|---|---|---|---|---|")
    for name, rows in answer["results"].items():
        for r in rows:
            print(f"| {name} | {r['connections']} | {r['requests_per_s']:.0f} | {r['p50_ms']:.2f} | {r['p99_ms']:.2f} | "
                  f"{r['memory_mb']:.0f} | {r['start_s']:.3f} | {r['errors']} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--connections", type=lambda t: [int(c) for c in t.split(",")], default=[1, 32])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        answers_of_all = [compare(options.build, run, Path(place), options) for run in options.runs]
    for answer in answers_of_all:
        show(answer)
    if options.json:
        options.json.write_text(json.dumps(answers_of_all, indent=2) + "\n")


if __name__ == "__main__":
    main()
