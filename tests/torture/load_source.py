# SPDX-License-Identifier: Apache-2.0
"""Loads an exported file of source code with its weights, where neither PyTorch nor Keras is installed.

    load_source.py FILE.py

The libraries are replaced by objects that take everything and hold nothing, but for the metadata of the weights. Exit code 1: the file
refuses its weights, with its sentence on stderr.
"""
import importlib.util
import json
import sys


class Anything:
    def __init__(self, *arguments, **named):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *arguments, **named):
        return Anything()

    def __getitem__(self, index):
        return Anything()

    def __iter__(self):
        return iter(())


class Opened(Anything):
    def __init__(self, file, framework):
        with open(file, "rb") as f:
            self.header = json.loads(f.read(int.from_bytes(f.read(8), "little")))

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return None

    def metadata(self):
        return self.header.get("__metadata__")


for name in ("numpy", "torch", "torch.nn", "torchvision", "torchvision.transforms", "keras", "PIL", "safetensors", "safetensors.torch",
             "safetensors.numpy"):
    sys.modules[name] = Anything()
sys.modules["safetensors"].safe_open = Opened
spec = importlib.util.spec_from_file_location("exported", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
try:
    module.load_model()
except ValueError as refusal:
    sys.exit(str(refusal))
