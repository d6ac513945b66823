#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Error rates of the training doctor: ten planted faults on ten small networks, on subsets of real data.

Five networks (group "set") served to choose the thresholds in engine/doctor/diagnoses, five others ("held") measure them; the
healthy networks and the product's templates must give no finding. By hand: tests/doctor/error_rates.py CLI [DATA] [--workdir DIR]
[--only PATTERN]; DATA, by default NETWRIGHT_DATA, holds mnist and cifar-10-batches-bin. --seed changes weights and images.
--drawn N: ten networks drawn with seed N.
--small: one network and four faults, for ctest. Ends with 1 where recall is below 90 % or a healthy run has a finding.
"""
import argparse, gzip, json, os, random, re, shutil, struct, subprocess, sys, time
from pathlib import Path

CLASSES = 10


# --- data -----------------------------------------------------------------------------------------------------------------------

def mnist(data):
    def read(name, skip):
        with gzip.open(data / "mnist" / name) as f:
            return f.read()[skip:]
    pixels, labels = read("train-images-idx3-ubyte.gz", 16), read("train-labels-idx1-ubyte.gz", 8)
    return [(pixels[i * 784:(i + 1) * 784], labels[i]) for i in range(len(labels))]


def cifar(data):
    raw = (data / "cifar-10-batches-bin" / "data_batch_1.bin").read_bytes()
    return [(raw[i + 1:i + 3073], raw[i]) for i in range(0, len(raw), 3073)]


def write_mnist(folder, train, test):
    for name, rows in (("train", train), ("t10k", test)):
        images = struct.pack(">4I", 0x803, len(rows), 28, 28) + b"".join(p for p, _ in rows)
        (folder / f"{name}-images-idx3-ubyte").write_bytes(images)
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(struct.pack(">2I", 0x801, len(rows)) + bytes(y for _, y in rows))


def write_cifar(folder, train, test):
    per = -(-len(train) // 5)
    for b in range(5):
        part = train[b * per:(b + 1) * per]
        (folder / f"data_batch_{b + 1}.bin").write_bytes(b"".join(bytes([y]) + p for p, y in part))
    (folder / "test_batch.bin").write_bytes(b"".join(bytes([y]) + p for p, y in test))


class Data:
    """Subsets of the real sets, written once for each variant."""

    def __init__(self, source, work, seed):
        self.work, self.seed = work, seed
        self.source, self.sets = source, {}

    def folder(self, kind, images, variant="plain"):
        folder = self.work / f"{kind}-{images}-{variant}"
        if folder.exists():
            return folder
        rng = random.Random(f"{kind}{images}{self.seed}")
        if kind not in self.sets:
            self.sets[kind] = {"mnist": mnist, "cifar": cifar}[kind](self.source)
        rows = rng.sample(self.sets[kind], images + 500)
        train, test = rows[:images], rows[images:]
        if variant == "shuffled":
            labels = [y for _, y in train]
            rng.shuffle(labels)
            train = [(p, y) for (p, _), y in zip(train, labels)]
        if variant == "doubled":   # one image in ten twice
            train += train[:images // 10]
            rng.shuffle(train)
        folder.mkdir(parents=True)
        (write_mnist if kind == "mnist" else write_cifar)(folder, train, test)
        return folder


# --- networks -------------------------------------------------------------------------------------------------------------------

def conv(n, k=3, p=1, **more):
    return ("Conv2d", {"out_channels": n, "kernel_size": [k, k], "padding": [p, p], **more})


def linear(n):
    return ("Linear", {"out_features": n})


RELU, POOL, BN, FLAT, GAP = ("ReLU", {}), ("MaxPool2d", {}), ("BatchNorm2d", {}), ("Flatten", {}), ("GlobalAvgPool2d", {})


def net(data, layers, rate, optimizer="sgd", images=2000, epochs=6):
    return dict(data=data, layers=layers + [linear(CLASSES)], rate=rate, optimizer=optimizer, images=images, epochs=epochs)


SET = {   # thresholds were chosen on these
    "mlp": net("mnist", [FLAT, linear(128), RELU, linear(64), RELU], 0.02),
    "lenet": net("mnist", [conv(6, 5, 2), RELU, POOL, conv(16, 5, 0), RELU, POOL, FLAT, linear(120), RELU, linear(84), RELU], 0.02,
                 epochs=8),
    "conv-bn": net("cifar", [conv(16), BN, RELU, POOL, conv(32), BN, RELU, POOL, conv(32), BN, RELU, GAP, FLAT], 0.02),
    "conv-adam": net("cifar", [conv(16), RELU, POOL, conv(32), RELU, POOL, FLAT, linear(64), RELU], 0.001, "adam"),
    "vgg-bn": net("mnist", [conv(8), BN, RELU, conv(8), BN, RELU, POOL, conv(16), BN, RELU, conv(16), BN, RELU, POOL, FLAT, linear(64),
                            RELU, ("Dropout", {"p": 0.3})], 0.01),
}
HELD = {  # and are reported on these
    "mlp-deep": net("mnist", [FLAT, linear(200), RELU, linear(100), RELU, linear(50), RELU], 0.02, epochs=8),
    "mlp-adam": net("mnist", [FLAT, linear(96), RELU, linear(48), RELU], 0.001, "adam"),
    "conv-plain": net("mnist", [conv(12, 3), RELU, POOL, conv(24, 3), RELU, POOL, FLAT, linear(60), RELU], 0.02),
    "conv-group": net("cifar", [conv(16), ("GroupNorm", {"num_groups": 4}), RELU, POOL, conv(32), ("GroupNorm", {"num_groups": 4}), RELU,
                                POOL, conv(48), ("GroupNorm", {"num_groups": 4}), RELU, GAP, FLAT], 0.02),
    "conv-bn-wide": net("cifar", [conv(24, 5, 2), BN, RELU, POOL, conv(48), BN, RELU, POOL, FLAT, linear(64), RELU], 0.01),
}
def drawn(seed, count=10):
    """Networks that nobody has looked at: drawn from depth, width, normalization, dropout, optimizer and data."""
    nets = {}
    for n in range(count):
        rng = random.Random(f"drawn {seed} {n}")
        data, adam, layers = rng.choice(["mnist", "cifar"]), rng.random() < 0.4, []
        if data == "mnist" and rng.random() < 0.4:
            layers = [FLAT]
        else:
            norm = rng.choice([None, BN, ("GroupNorm", {"num_groups": 4})])
            for filters in [rng.choice([8, 12, 16, 24]) * (i + 1) for i in range(rng.choice([2, 3]))]:
                k = rng.choice([3, 5])
                layers += [conv(filters, k, k // 2)] + ([norm] if norm else []) + [RELU, POOL]
            layers += [FLAT]
        widths = sorted((rng.choice([32, 48, 64, 96, 128]) for _ in range(rng.choice([1, 2, 3]))), reverse=True)
        for width in widths:
            layers += [linear(width), RELU]
        if rng.random() < 0.3:
            layers.append(("Dropout", {"p": rng.choice([0.2, 0.4])}))
        nets[f"drawn{n}"] = net(data, layers, 0.001 if adam else rng.choice([0.01, 0.02]), "adam" if adam else "sgd",
                                rng.choice([2000, 3000]), rng.choice([5, 6, 8]))
    return nets


TEMPLATES = ["mlp", "mlp-binary", "lenet5", "mlp-moons", "shapes-labels", "shapes-values", "convnet-tiny", "mobilenet-small"]


def project(cli, work, spec):
    """A project file of a chain of layers, begun from the template mlp."""
    base = work / "base.netwright"
    if not base.exists():
        subprocess.run([cli, "new", "--template", "mlp", "-o", base], check=True, capture_output=True)
    doc = json.loads(base.read_text())
    size = dict(channels=1, height=28, width=28) if spec["data"] == "mnist" else dict(channels=3, height=32, width=32)
    chain = [("Input", size)] + spec["layers"] + [("CrossEntropy", {})]
    nodes, counts = [], {}
    for i, (kind, attrs) in enumerate(chain):
        counts[kind] = counts.get(kind, 0) + 1
        name = {"Input": "images", "CrossEntropy": "loss"}.get(kind, kind.lower() + str(counts[kind]))
        nodes.append({"id": i + 1, "name": name, "type": kind, "attrs": attrs, "x": 0.0, "y": 80.0 * i})
    doc["network"].update(nodes=nodes, connections=[[i, 0, i + 1, 0] for i in range(1, len(nodes))], frames=[], notes=[])
    doc["data"].update(kind="mnist" if spec["data"] == "mnist" else "cifar", path="", validation_fraction=spec.get("validation", 0.25))
    return doc


# --- faults ---------------------------------------------------------------------------------------------------------------------

def formula(text):
    return ("Formula", {"expression": text})


def hidden(layers):
    return [i for i, (kind, _) in enumerate(layers) if kind == "ReLU"]


def dead(s):      # a large negative bias before the ReLU in the middle: its units are never above zero
    at = hidden(s["layers"])
    s["layers"].insert(at[len(at) // 2], formula("x-50"))


def vanishing(s):  # eight saturating layers before the output, sigmoids everywhere
    s["layers"] = [("Sigmoid", {}) if k == "ReLU" else (k, a) for k, a in s["layers"] if k not in ("BatchNorm2d", "GroupNorm")]
    s["layers"][-1:-1] = [x for _ in range(8) for x in (linear(32), ("Sigmoid", {}))]


def exploding(s):  # six layers before the output that each multiply by ten
    s["layers"][-1:-1] = [x for _ in range(6) for x in (linear(32), RELU, formula("10*x"))]


def too_high(s):
    s["rate"] *= 200 if s["optimizer"] == "adam" else 100
    if any(k in ("BatchNorm2d", "GroupNorm") for k, _ in s["layers"]):
        s["rate"] *= 10


def too_low(s):
    s["rate"] *= 1e-3 if s["optimizer"] == "adam" else 1e-4


def over(s):     # 120 images, for a long time
    s.update(images=240, validation=0.5, epochs=60)


def saturated(s):
    s["variant"] = "shuffled"


def leak(s):
    s["variant"] = "doubled"


def augmented(s):
    s.update(transforms=["RandomRotation:degrees=180", "RandomErasing:p=1", "RandAugment", "RandomAffine"], epochs=16)


def infinite(s):
    s["layers"].insert(hidden(s["layers"])[-1] + 1, formula("log(x)"))


FAULTS = {"dead_units": dead, "vanishing_gradients": vanishing, "exploding_gradients": exploding, "rate_too_high": too_high,
          "rate_too_low": too_low, "over_fitting": over, "saturated_loss": saturated, "label_leak": leak,
          "strong_augmentation": augmented, "non_finite": infinite}


# --- runs -----------------------------------------------------------------------------------------------------------------------

class Bench:
    def __init__(self, a):
        self.a, self.work = a, a.workdir
        self.data = Data(a.data, self.work / "data", a.seed)

    def call(self, *args):
        return subprocess.run([self.a.cli, *map(str, args)], capture_output=True, text=True)

    def findings(self, run):
        out = self.call("doctor", run, "--json")
        if out.returncode:
            sys.exit(f"doctor {run}: {out.stderr}")
        lines = [json.loads(line) for line in out.stdout.splitlines()]
        if not lines[-1]["data"] and "validation" in out.stderr:
            print("data not examined:", out.stderr.strip())
        return [f for f in lines if f["type"] == "finding"]

    def train(self, name, spec):
        run = self.work / "runs" / name
        if self.a.again or not (run / "events.jsonl").exists():
            shutil.rmtree(run, ignore_errors=True)
            run.parent.mkdir(parents=True, exist_ok=True)
            file = self.work / f"{name}.netwright"
            file.write_text(json.dumps(project(self.a.cli, self.work, spec)))
            data = self.data.folder(spec["data"], spec["images"], spec.get("variant", "plain"))
            args = ["train", file, "--data", data, "--run-dir", run, "--epochs", spec["epochs"], "--batch", 32, "--lr", spec["rate"],
                    "--set", f'optimizer={spec["optimizer"]}', "--seed", self.a.seed, "--threads", 1, "--quiet"]
            for t in spec.get("transforms", []):
                args += ["--transform", t]
            out = self.call(*args)
            if out.returncode not in (0, 6):
                sys.exit(f"{name}: {out.stderr}")
        return self.findings(run)

    def template(self, name):
        run = self.work / "runs" / f"template-{name}"
        if self.a.again or not (run / "events.jsonl").exists():
            shutil.rmtree(run, ignore_errors=True)
            run.parent.mkdir(parents=True, exist_ok=True)
            args = ["train", name, "--run-dir", run, "--epochs", 4, "--seed", self.a.seed, "--threads", 1, "--quiet"]
            kind = {"mlp": "mnist", "mlp-binary": "mnist", "lenet5": "mnist", "convnet-tiny": "cifar", "mobilenet-small": "cifar"}.get(name)
            if kind:
                args += ["--data", self.data.folder(kind, 6000 if kind == "mnist" else 3000)]
            out = self.call(*args)
            if out.returncode:
                sys.exit(f"{name}: {out.stderr}")
        return self.findings(run)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("cli")
    p.add_argument("data", type=Path, nargs="?", default=os.environ.get("NETWRIGHT_DATA"))
    p.add_argument("--workdir", type=Path, default=Path("/tmp/doctor"))
    p.add_argument("--only", default=".")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--again", action="store_true", help="train again what the work folder holds already")
    p.add_argument("--small", action="store_true")
    p.add_argument("--drawn", type=int, help="ten networks drawn with this seed, in place of the ten of this file")
    a = p.parse_args()
    if not a.data or not (Path(a.data) / "mnist" / "train-images-idx3-ubyte.gz").exists():
        print("skipped: NETWRIGHT_DATA holds no real MNIST")
        return 77
    a.data, a.workdir = Path(a.data), a.workdir.resolve()
    bench, start = Bench(a), time.time()
    groups = {"set": SET, "held": HELD}
    faults, templates = FAULTS, TEMPLATES
    if a.drawn is not None:
        groups, templates = {"drawn": drawn(a.drawn)}, []
    if a.small:
        groups, templates = {"held": {"mlp-deep": HELD["mlp-deep"]}}, ["mlp-moons"]
        faults = {k: FAULTS[k] for k in ("dead_units", "rate_too_high", "label_leak", "non_finite")}
    seen, healthy, extra = {}, {}, []
    for group, nets in groups.items():
        for name, spec in nets.items():
            for fault in [None, *faults]:
                label = f"{name}-{fault or 'healthy'}"
                if not re.search(a.only, label):
                    continue
                planted = dict(spec, layers=list(spec["layers"]))
                if fault:
                    faults[fault](planted)
                found = [f["id"] for f in bench.train(label, planted)]
                print(f"{group:4} {label:34} {' '.join(found) or '-'}{'' if not fault or fault in found else '   MISSED'}", flush=True)
                if fault:
                    seen[group, name, fault] = fault in found
                    extra += [(label, f) for f in found if f != fault]
                else:
                    healthy[label] = found
    for name in templates:
        if re.search(a.only, f"template-{name}"):
            healthy[f"template-{name}"] = [f["id"] for f in bench.template(name)]
            print(f"     template-{name:25} {' '.join(healthy[f'template-{name}']) or '-'}", flush=True)
    alarms = {k: v for k, v in healthy.items() if v}
    ok = not alarms
    print(f"\n{'fault':22}" + "".join(f"{g:>10}" for g in groups))
    for fault in faults:
        print(f"{fault:22}" + "".join(
            f"{sum(v for (g2, _, f), v in seen.items() if g2 == g and f == fault):>7}/{sum(1 for (g2, _, f) in seen if g2 == g and f == fault)}"
            for g in groups))
    for g in groups:
        hits = [v for (g2, _, _), v in seen.items() if g2 == g]
        if hits:
            print(f"recall on {g}: {sum(hits)}/{len(hits)} = {sum(hits) / len(hits):.2f}")
            ok &= g == "set" or sum(hits) >= 0.9 * len(hits)
    print(f"false alarms: {sum(map(len, alarms.values()))} in {len(healthy)} healthy runs {alarms or ''}")
    print(f"findings beside the planted one: {len(extra)} in {len(seen)} runs")
    for label, f in extra:
        print(f"  {label}: {f}")
    print(f"{time.time() - start:.0f} s")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
