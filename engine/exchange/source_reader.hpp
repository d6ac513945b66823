// SPDX-License-Identifier: Apache-2.0
// The Python script that runs a generated source file. Private to engine/exchange.
#pragma once

namespace nw::exchange {

/// Arguments: the library, the file, its weights, the samples. Prints one JSON object; without the library, one with
/// the key "missing" only.
inline constexpr const char* source_reader = R"PY(
import importlib.util, json, os, sys, time
library, path, weights, given = sys.argv[1:5]
found = importlib.util.find_spec
needed = ["numpy", "safetensors", "PIL", {"PyTorch": "torch", "Keras": "keras"}[library]]
missing = [name for name in needed if not found(name)]
if library == "Keras":
    backends = [name for name in ("torch", "jax", "tensorflow") if found(name)]
    missing += [] if backends else ["torch, jax or tensorflow"]
    os.environ.setdefault("KERAS_BACKEND", (backends or ["torch"])[0])
if missing:
    print(json.dumps({"missing": ", ".join(missing)}))
    sys.exit(0)
import numpy as np

def samples(path):
    with open(path, "rb") as f:
        header = json.loads(f.read(int.from_bytes(f.read(8), "little")))
        data = f.read()
    return {k: np.frombuffer(data[v["data_offsets"][0]:v["data_offsets"][1]], np.float32).reshape(v["shape"]).copy()
            for k, v in header.items() if k != "__metadata__"}

def runner(module):
    if library == "PyTorch":
        import torch
        model = module.load_model(weights)
        return torch.__version__, lambda x: model(torch.from_numpy(x)).detach().numpy()
    import keras
    model = module.load_model(weights)
    run = lambda x: keras.ops.convert_to_numpy(model(np.moveaxis(x, 1, 3), training=False))
    return keras.__version__ + " on " + keras.backend.backend(), run

record = {"reader": library, "version": ""}
try:
    spec = importlib.util.spec_from_file_location("netwright_export", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    record["version"], run = runner(module)
    data = samples(given)
    x, y = data["inputs"], data["scores"]
    begin = time.perf_counter()
    out = np.concatenate([run(x[i:i + 16]).reshape(-1, y.shape[1]) for i in range(0, len(x), 16)])
    record["ms_per_image"] = (time.perf_counter() - begin) * 1000 / len(x)
    record["max_abs_diff"] = float(np.abs(out.astype(np.float64) - y).max())
    top = (out.argmax(1) == y.argmax(1)) if y.shape[1] > 1 else (np.abs(out - y) < 1e-3).all(1)
    record["top1_agreement"] = float(top.mean())
    record["images"] = len(x)
except Exception as e:
    record["problem"] = " ".join(f"{type(e).__name__}: {e}".split())[:600]
print(json.dumps(record), flush=True)
)PY";

}  // namespace nw::exchange
