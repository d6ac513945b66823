#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants defects in a copy of CIFAR-10's images and counts how many of them the data check finds.

    python tests/bench/planted_defects.py --images DIR [--take 10000] [--epochs 12] [--seed 1]

DIR contains train/CLASS/*.jpg and test/CLASS/*.jpg; it is not changed. The script plants 200 exact duplicates across training and
test set, 100 near-duplicates (compressed again, cropped by 1 or 2 pixels, brightened), 50 truncated files, and 100 training images
with a wrong label. CIFAR-10 itself contains near-duplicates: recall counts planted images only, and precision ignores groups that
the clean copy has too. Needs Pillow. Prints one Markdown row per type of defect.
"""
import argparse
import io
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from PIL import Image, ImageEnhance

EXACT, NEAR, CUT, SWAPPED, SUSPECTS = 200, 100, 50, 100, 300


def copy(images, to, take):
    """Copies the first images of every class, a sixth of them to the test set; uses hard links if the file system supports them."""
    for part, share in (("train", take * 5 // 6), ("test", take // 6)):
        classes = sorted(p for p in (images / part).iterdir() if p.is_dir())
        for folder in classes:
            (to / part / folder.name).mkdir(parents=True)
            for file in sorted(folder.glob("*.jp*g"))[:share // len(classes) if take else None]:
                target = to / part / folder.name / file.name
                try:
                    os.link(file, target)
                except OSError:
                    shutil.copyfile(file, target)


def replace(file, data):
    """Writes a new file in place of the old one, which may be a hard link."""
    file.unlink(missing_ok=True)
    file.write_bytes(data)


def again(file, way, rnd):
    """The same image, saved with a small change."""
    image = Image.open(file).convert("RGB")
    if way == 0:
        image = ImageEnhance.Brightness(image).enhance(rnd.choice([0.85, 0.9, 1.1, 1.15]))
    if way == 1:
        cut = rnd.choice([1, 2])
        image = image.crop((cut, rnd.choice([0, cut]), image.width, image.height)).resize(image.size, Image.BILINEAR)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=rnd.choice([60, 70, 80]))
    return out.getvalue()


def plant(root, seed):
    rnd = random.Random(seed)
    train = sorted((root / "train").glob("*/*"))
    rnd.shuffle(train)
    taken = iter(train)
    exact, near, cut, swapped = {}, {}, set(), set()
    for i in range(EXACT):
        file = next(taken)
        target = root / "test" / file.parent.name / f"exact{i:03}.jpg"
        shutil.copyfile(file, target)
        exact[name(root, target)] = name(root, file)
    for i in range(NEAR):
        file = next(taken)
        target = root / ("test" if i % 2 else "train") / file.parent.name / f"near{i:03}.jpg"
        replace(target, again(file, i % 3, rnd))
        near[name(root, target)] = name(root, file)
    for i in range(CUT):
        file = next(taken)
        data = file.read_bytes()
        replace(file, data[:len(data) * rnd.randint(30, 90) // 100])
        cut.add(name(root, file))
    classes = sorted(p.name for p in (root / "train").iterdir())
    for i in range(SWAPPED):
        file = next(taken)
        other = rnd.choice([c for c in classes if c != file.parent.name])
        target = root / "train" / other / f"swapped{i:03}.jpg"
        shutil.move(file, target)
        swapped.add(name(root, target))
    return exact, near, cut, swapped


def name(root, file):
    part, *rest = file.relative_to(root).parts
    return f"{part}: {'/'.join(rest)}"


def check(cli, root):
    done = subprocess.run([cli, "data", "check", str(root), "--kind", "folder", "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def groups(found, kind):
    return [frozenset(s["name"] for s in d["samples"]) for d in found["defects"] if d["kind"] == kind]


def pairs_found(planted, found_groups):
    return sum(any(copy in g and original in g for g in found_groups) for copy, original in planted.items())


def right(found_groups, planted, clean_groups):
    """(groups with a planted image, all groups), both without the groups that the clean copy has too."""
    known = [g for g in clean_groups]
    new = [g for g in found_groups if not any(len(g & k) > 1 for k in known)]
    return sum(any(n in planted for n in g) for g in new), len(new)


def network(width=32):
    """A small residual network with 0.76 million parameters; its CIFAR-10 test accuracy is about 85 % after 12 epochs."""
    nodes, connections = [], []

    def node(kind, attrs=None, inputs=()):
        nodes.append({"id": len(nodes) + 1, "type": kind, "name": f"{kind.lower()}{len(nodes) + 1}", "attrs": attrs or {}, "x": 0.0, "y": 90.0 * len(nodes)})
        connections.extend([source, 0, len(nodes), port] for port, source in enumerate(inputs))
        return len(nodes)

    def conv(x, channels, stride=1):
        x = node("Conv2d", {"out_channels": channels, "kernel_size": [3, 3], "padding": [1, 1], "stride": [stride, stride], "bias": False}, [x])
        return node("ReLU", {}, [node("BatchNorm2d", {}, [x])])

    x = conv(node("Input", {"channels": 3, "height": 32, "width": 32}), width)
    for channels in (2 * width, 4 * width):
        x = conv(x, channels, 2)
        x = node("Add", {}, [x, conv(conv(x, channels), channels)])
    x = node("Flatten", {}, [node("GlobalAvgPool2d", {}, [conv(x, 8 * width, 2)])])
    node("CrossEntropy", {}, [node("Linear", {"out_features": 10}, [x])])
    return nodes, connections


def suspects(cli, root, epochs, seed):
    project = root.parent / "cifar.netwright"
    subprocess.run([cli, "new", "--template", "lenet5", "-o", str(project)], check=True, capture_output=True)
    doc = json.loads(project.read_text())
    doc["network"]["nodes"], doc["network"]["connections"] = network()
    doc["data"] = {"kind": "image_folder", "path": str(root), "validation_fraction": 0}
    doc["training"].update(optimizer="sgd", learning_rate=0.1, momentum=0.9, nesterov=True, l2=0.0005, batch=128, epochs=epochs, seed=seed, schedule="cosine", warmup_epochs=1,
                           horizontal_flip=True, random_crop=True, precision="bf16")
    project.write_text(json.dumps(doc))
    run = root.parent / "run"
    trained = subprocess.run([cli, "train", str(project), "--run-dir", str(run), "--json"], capture_output=True, text=True)
    if trained.returncode != 0:
        sys.exit(trained.stderr)
    accuracy = json.loads(trained.stdout.splitlines()[-1]).get("test_accuracy", 0)
    done = subprocess.run([cli, "data", "suspects", str(run), "--most", str(SUSPECTS), "--json"], capture_output=True, text=True, check=True)
    return [json.loads(line)["name"] for line in done.stdout.splitlines()], accuracy


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--images", type=pathlib.Path, required=True)
    ap.add_argument("--cli", default=here / "build/release/bin/netwright-cli")
    ap.add_argument("--take", type=int, default=0, help="images; 0: all")
    ap.add_argument("--epochs", type=int, default=12, help="of the training; 0: none, and no labels are doubted")
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "images"
        copy(a.images, root, a.take)
        clean = check(a.cli, root)
        exact, near, cut, swapped = plant(root, a.seed)
        found = check(a.cli, root)
        print("| planted | found | recall % | reported and true | precision % |\n|---|---|---|---|---|")
        row("exact duplicates", pairs_found(exact, groups(found, "duplicate")), len(exact), *right(groups(found, "duplicate"), {**exact, **near}, groups(clean, "duplicate")))
        # A planted near-duplicate is in a new group, or in a group that the clean data set had already.
        row("near duplicates", pairs_found(near, groups(found, "near-duplicate")), len(near), *right(groups(found, "near-duplicate"), {**exact, **near}, groups(clean, "near-duplicate")))
        unreadable = {f["name"] for f in found["files"] if f["kind"] == "unreadable"}
        row("files cut off", len(unreadable & cut), len(cut), len(unreadable & cut), len(unreadable))
        if a.epochs:
            doubted, accuracy = suspects(a.cli, root, a.epochs, a.seed)
            hit = len(swapped & set(doubted))
            row(f"swapped labels, among {len(doubted)} suspects", hit, len(swapped), hit, len(doubted))
            print(f"\ntest accuracy of the training: {100 * accuracy:.2f} %, {found['images']} images")


def row(kind, hit, planted, true, reported):
    print(f"| {planted} {kind} | {hit} | {100 * hit / planted:.1f} | {true} of {reported} | {100 * true / max(1, reported):.1f} |", flush=True)


if __name__ == "__main__":
    main()
