// SPDX-License-Identifier: Apache-2.0
// The Python script that runs an ONNX file in onnxruntime, OpenCV and onnx.reference. Private to engine/exchange.
#pragma once

namespace nw::exchange {

/// Arguments: the ONNX file, the samples. Prints one JSON object per reader that is installed.
inline constexpr const char* python_readers = R"PY(
import json, sys, time
try:
    import numpy as np
except ImportError:
    sys.exit(0)

def samples(path):
    with open(path, "rb") as f:
        header = json.loads(f.read(int.from_bytes(f.read(8), "little")))
        data = f.read()
    return {k: np.frombuffer(data[v["data_offsets"][0]:v["data_offsets"][1]], np.float32).reshape(v["shape"])
            for k, v in header.items() if k != "__metadata__"}

def report(reader, version, make, most):
    record = {"reader": reader, "version": version}
    try:
        run = make()
        x, y = given["inputs"][:most], given["scores"][:most]
        begin = time.perf_counter()
        out = np.concatenate([np.asarray(run(x[i:i + batch])).reshape(-1, y.shape[1]) for i in range(0, len(x), batch)])
        record["ms_per_image"] = (time.perf_counter() - begin) * 1000 / len(x)
        record["max_abs_diff"] = float(np.abs(out.astype(np.float64) - y).max())
        top = (out.argmax(1) == y.argmax(1)) if y.shape[1] > 1 else (np.abs(out - y) < 1e-3).all(1)
        record["top1_agreement"] = float(top.mean())
        record["images"] = len(x)
    except Exception as e:
        record["problem"] = " ".join(str(e).split())[:300] or type(e).__name__
    print(json.dumps(record), flush=True)

given, batch = samples(sys.argv[2]), int(sys.argv[3])
path, count = sys.argv[1], len(given["inputs"])
try:
    import onnxruntime
    def make():
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        return lambda x: session.run(None, {session.get_inputs()[0].name: x})[0]
    report("onnxruntime", onnxruntime.__version__, make, count)
except ImportError:
    pass
try:
    import cv2
    def make():
        net = cv2.dnn.readNetFromONNX(path)
        def run(x):
            net.setInput(x)
            return net.forward()
        return run
    report("OpenCV", cv2.__version__, make, count)
except ImportError:
    pass
try:
    import onnx, onnx.reference, onnx.reference.op_run
    import onnx.reference.ops.op_max_pool as pooling
    class LRN(onnx.reference.op_run.OpRun):
        """Its own (onnx 1.23 and before) takes the number of images for that of channels."""
        def _run(self, x, alpha=None, beta=None, bias=None, size=None):
            squares = np.pad(x.astype(np.float64) ** 2, [(0, 0), (size // 2, size // 2), (0, 0), (0, 0)])
            sums = sum(squares[:, i:i + x.shape[1]] for i in range(size))
            return ((x / (bias + alpha / size * sums) ** beta).astype(x.dtype),)
    class MaxPool(pooling.MaxPool):
        """Its own (as before) takes other paddings where the strides are 1."""
        def _run(self, x, **attributes):
            return self._max_pool(x, **attributes)
    class QuantizeLinear(onnx.reference.op_run.OpRun):
        """For int8; its own are of versions from 19 on."""
        def _run(self, x, scale, zero, **attributes):
            low, high = np.iinfo(zero.dtype).min, np.iinfo(zero.dtype).max
            return (np.clip(np.rint(x / scale) + zero, low, high).astype(zero.dtype),)
    class DequantizeLinear(onnx.reference.op_run.OpRun):
        def _run(self, x, scale, zero, axis=1, **attributes):
            sizes = [-1 if i == axis else 1 for i in range(x.ndim)] if scale.ndim else []
            scale, zero = scale.reshape(sizes), zero.reshape(sizes)
            return ((x.astype(np.float32) - zero.astype(np.float32)) * scale,)
    def make():
        onnx.checker.check_model(path)
        own = [LRN, MaxPool, QuantizeLinear, DequantizeLinear]
        evaluator = onnx.reference.ReferenceEvaluator(path, new_ops=own)
        return lambda x: evaluator.run(None, {evaluator.input_names[0]: x})[0]
    if given["inputs"][0].size <= 20000:
        report("onnx.reference", onnx.__version__, make, min(count, 4 if batch == 1 else batch))
except ImportError:
    pass
)PY";

}  // namespace nw::exchange
