#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a run's event files with TensorBoard's own reader and compares them with the run's other files.

    python tests/engine/train/tensorboard_peer.py RUN_FOLDER

Ends with 77 where tensorboard is not installed. tensorboard_test.cpp calls it with the Python that NETWRIGHT_PYTHON names.
"""
import csv
import io
import json
import struct
import sys
from pathlib import Path


def scalars(board, run):
    rows = list(csv.DictReader((run / "metrics.csv").open()))
    for name in {r["name"] for r in rows}:
        ours = [(int(r["step"]), struct.unpack("f", struct.pack("f", float(r["value"])))[0]) for r in rows if r["name"] == name]
        theirs = [(e.step, e.value) for e in board.Scalars(name)]
        assert len(ours) == len(theirs) and all(a[0] == b[0] and abs(a[1] - b[1]) <= 1e-6 * max(1, abs(a[1]))
                                                for a, b in zip(ours, theirs)), f"{name}: {ours} is not {theirs}"
    return len(rows)


def histograms(board, run):
    records = [json.loads(line) for line in (run / "statistics.jsonl").read_text().splitlines()]
    count = 0
    for kind in ("weights", "gradients", "outputs"):
        for layer in {item["layer"] for record in records for item in record["layers"]}:
            ours = [(r["step"], item[kind]) for r in records for item in r["layers"] if item["layer"] == layer and item.get(kind)]
            ours = [(step, figures) for step, figures in ours if figures.get("bins")]
            if not ours:
                continue
            theirs = board.Histograms(f"{kind}/{layer}")
            assert [s for s, _ in ours] == [e.step for e in theirs], f"{kind}/{layer}"
            for (_, figures), event in zip(ours, theirs):
                value = event.histogram_value
                assert list(value.bucket) == figures["bins"], (value.bucket, figures)
                assert value.num == sum(figures["bins"]) and value.min <= value.bucket_limit[0] and value.bucket_limit[-1] == value.max
                assert list(value.bucket_limit) == sorted(value.bucket_limit)
                count += 1
    return count


def images(board):
    from PIL import Image
    tags = board.Tags()["images"]
    for tag in tags:
        event = board.Images(tag)[0]
        picture = Image.open(io.BytesIO(event.encoded_image_string))
        picture.load()
        assert picture.size == (event.width, event.height) == (28, 28), picture.size
        assert picture.getextrema()[1] > 100, "an empty picture"
    return len(tags)


def settings(board, run):
    from tensorboard.plugins.hparams import plugin_data_pb2
    contents = board.PluginTagToContent("hparams")
    read = {}
    for tag in ("_hparams_/session_start_info", "_hparams_/session_end_info"):
        read[tag] = plugin_data_pb2.HParamsPluginData.FromString(contents[tag])
    values = read["_hparams_/session_start_info"].session_start_info.hparams
    training = json.loads((run / "run.json").read_text())
    training = (training.get("project") or training)["training"]
    assert values["epochs"].number_value == training["epochs"] and values["optimizer"].string_value == training["optimizer"]
    assert values["sync_batch_norm"].WhichOneof("kind") == "bool_value" and values["data.kind"].string_value == "synthetic"
    assert read["_hparams_/session_end_info"].session_end_info.status == 1
    return len(values)


def main():
    try:
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 77
    run = Path(sys.argv[1])
    board = EventAccumulator(str(run), size_guidance={"scalars": 0, "histograms": 0, "images": 0})
    board.Reload()
    print(f"{scalars(board, run)} scalars, {histograms(board, run)} histograms, {settings(board, run)} settings")
    shown = images(board)
    assert shown == 8, f"{shown} images"
    return 0


if __name__ == "__main__":
    sys.exit(main())
