#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what a training step of every template costs a GPU, before and after the last change of its kernels, as the
tables of docs/gpu.md; with --check FILE it fails unless FILE holds exactly these lines.

The numbers are those of tests/kernels/cuda/proof: launch_budgets_before.txt, launch_budgets.txt and measured.txt."""
import pathlib
import sys

PROOF = pathlib.Path(__file__).resolve().parent.parent / "kernels/cuda/proof"
FIELDS = ("launches", "read", "written", "operations", "loads", "h100", "h200")
# images per second on an H200 that the program is to reach
GOALS = {
    "mlp/fp32/64": 6_400_000,
    "lenet5/fp32/64": 3_200_000,
    "resnet18-cifar/fp16/128": 80_000,
    "vgg13-cifar/fp16/512": 200_000,
    "resnet50/fp16/256": 7_000,
}


def rows(name):
    lines = (PROOF / name).read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def budgets(name):
    return {key: dict(zip(FIELDS, map(float, numbers))) for key, *numbers in rows(name)}


def change(before, after, form):
    old, new = form(before), form(after)
    return new if old == new else f"{old} → {new}"


def whole(number):
    return f"{number:,.0f}"


def microseconds(number):
    return f"{number:,.1f}" if number < 100 else whole(number)


def per_second(key, us):
    batch = int(key.rsplit("/", 1)[1])
    return float(f"{batch / us * 1e6:.3g}")


def cost_table():
    before, after = budgets("launch_budgets_before.txt"), budgets("launch_budgets.txt")
    yield "| template, precision, batch | launches | MB | dependent loads | H100, µs | H200, µs | H200, images/s | goal |"
    yield "|---|---|---|---|---|---|---|---|"
    for key, new in after.items():
        old = before.get(key, new)
        megabytes = [round((x["read"] + x["written"]) / 1e6, 1) for x in (old, new)]
        cells = [
            key.replace("/", ", "),
            change(old["launches"], new["launches"], whole),
            change(*megabytes, lambda x: f"{x:,.1f}"),
            change(old["loads"], new["loads"], whole),
            change(old["h100"], new["h100"], microseconds),
            change(old["h200"], new["h200"], microseconds),
            whole(per_second(key, new["h200"])),
            whole(GOALS[key]) if key in GOALS else "",
        ]
        yield "| " + " | ".join(cells) + " |"


def comparison():
    after = budgets("launch_budgets.txt")
    yield "| template, precision, batch | GPU | measured, images/s | by the model | difference |"
    yield "|---|---|---|---|---|"
    for key, gpu, measured, _ in rows("measured.txt"):
        predicted = per_second(key, after[key][gpu])
        difference = f"{100 * (predicted / float(measured) - 1):+.0f} %".replace("-", "−")
        yield f"| {key.replace('/', ', ')} | {gpu.upper()} | {whole(float(measured))} | {whole(predicted)} | {difference} |"


def main():
    tables = ["\n".join(cost_table()), "\n".join(comparison())]
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        text = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
        missing = [t.splitlines()[0] for t in tables if t not in text]
        for title in missing:
            print(f"{sys.argv[2]} does not hold the table as tests/gpu/launch_table.py prints it: {title}")
        return 1 if missing else 0
    print("\n\n".join(tables))
    return 0


if __name__ == "__main__":
    sys.exit(main())
