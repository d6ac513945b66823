#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every layer type of the program is drawn by the parity test, and no other. Needs no PyTorch."""
import pathlib
import random
import re
import sys

from draw import ALL, TYPES, draw_network

top = pathlib.Path(__file__).resolve().parents[2]


def types_of_the_program():
    """The names of the records in engine/layers; each file has one. An opaque node computes nothing."""
    names = set()
    for file in sorted(set((top / "engine/layers").glob("*.cpp")) - {top / "engine/layers/opaque.cpp"}):
        found = re.findall(r'extern const LayerType \w+\s*(?:=[^;]*?)?\{[^;]*?\.name = "(\w+)"', file.read_text())
        if len(found) != 1:
            sys.exit(f"{file}: {len(found)} names of layer types")
        names.update(found)
    return names


def main():
    program = types_of_the_program()
    faults = [f"tests/parity draws no {name}: add it to draw_image.py or draw_vector.py, and to layers.py"
              for name in sorted(program - set(ALL))]
    faults += [f"tests/parity draws {name}, which is no layer" for name in sorted(set(ALL) - program)]
    for number, name in enumerate(TYPES):
        net = draw_network(random.Random(number), name, 3, "MSE", 0.0, False)
        if name not in {node["type"] for node in net.nodes}:
            faults.append(f"the network that must hold {name} does not")
    print("\n".join(faults) or f"{len(program)} layer types")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
