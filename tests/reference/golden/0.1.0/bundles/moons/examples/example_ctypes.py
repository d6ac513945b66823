"""Predicts with the C library: make, then python3 examples/example_ctypes.py [FILE of raw pixels]."""
import ctypes
import json
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent.parent
about = json.loads((here / "preprocessing.json").read_text(encoding="utf-8"))
classes = json.loads((here / "classes.json").read_text(encoding="utf-8"))
library = ctypes.CDLL(str(here / "libnw_model.so"))
weights = here / "c" / "nw_model.weights"
if weights.exists():
    kept = ctypes.create_string_buffer(weights.read_bytes(), weights.stat().st_size)
    library.nw_init.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    if library.nw_init(kept, weights.stat().st_size) != 0:
        sys.exit("c/nw_model.weights is not the network's")
if library.nw_selftest() != 0:
    sys.exit("the self-test fails")
if len(sys.argv) < 2:
    print("self-test passed")
    sys.exit(0)
size = about["channels"] * about["height"] * about["width"]
pixels = pathlib.Path(sys.argv[1]).read_bytes()[:size]
if len(pixels) < size:
    sys.exit(f"{sys.argv[1]} is too short")
scores = (ctypes.c_float * about["outputs"])()
library.nw_predict_u8(pixels, scores)
best = library.nw_best(scores)
print("class", best, classes[best] if best < len(classes) else "")
