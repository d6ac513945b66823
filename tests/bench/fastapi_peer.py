#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peer of serve.py: an ONNX file behind FastAPI, as teams without an inference server write it.

    python3 tests/bench/fastapi_peer.py FILE.onnx --port P --workers 1 --threads 2

POST /infer takes one image as little-endian float32 (C,H,W) and answers with its scores as JSON.
"""
import argparse
import os

import numpy as np
import onnxruntime
import uvicorn
from fastapi import FastAPI, Request


def application():
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(os.environ["PEER_THREADS"])
    session = onnxruntime.InferenceSession(os.environ["PEER_FILE"], options, providers=["CPUExecutionProvider"])
    entry = session.get_inputs()[0]
    shape = [1, *entry.shape[1:]]
    app = FastAPI()

    @app.get("/ready")
    def ready():
        return True

    @app.post("/infer")
    async def infer(request: Request):
        image = np.frombuffer(await request.body(), np.float32).reshape(shape)
        return {"scores": session.run(None, {entry.name: image})[0].tolist()}

    return app


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    os.environ |= {"PEER_FILE": options.file, "PEER_THREADS": str(options.threads)}
    uvicorn.run("fastapi_peer:application", factory=True, port=options.port, workers=options.workers, log_level="warning",
                access_log=False, app_dir=os.path.dirname(os.path.abspath(__file__)))


if __name__ == "__main__":
    main()
