#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The C library beside onnx2c and onnxruntime, in one run: size of the text, microseconds of one picture.

beside_others.py --cli NETWRIGHT_CLI --run RUN_DIR --onnx2c ONNX2C: prints the tables of docs/deploy.md. onnx2c
(github.com/kraiskil/onnx2c, commit ea045cc) is built by hand. The Python must have onnxruntime. All read the same ONNX
file, which takes one picture of normalized numbers; each is timed as the least mean of 50 calls among 200 such means,
the programs in turns so that a busy machine is busy for all.
"""
import argparse
import pathlib
import shutil
import subprocess
import tempfile
import time

TIMER = r"""
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>
#include "nw_model.h"
#ifdef ONNX2C
void entry(const float x[1][NW_CHANNELS][NW_HEIGHT][NW_WIDTH], float y[1][NW_OUTPUTS]);
#define RUN(x, y) entry((const float(*)[NW_CHANNELS][NW_HEIGHT][NW_WIDTH])(x), (float(*)[NW_OUTPUTS])(y))
#else
#define RUN(x, y) nw_predict(x, y)
#endif
static float x[NW_CHANNELS * NW_HEIGHT * NW_WIDTH], y[NW_OUTPUTS];
int main(void) {
  double least = 1e30;
  int i, r;
  for (i = 0; i < (int)(sizeof x / sizeof *x); ++i) x[i] = (float)(i * 7919 % 255) / 255.0f - 0.5f;
  for (r = 0; r < 200; ++r) {
    struct timespec a, b;
    double us;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (i = 0; i < 50; ++i) RUN(x, y);
    clock_gettime(CLOCK_MONOTONIC, &b);
    us = ((double)(b.tv_sec - a.tv_sec) * 1e6 + (double)(b.tv_nsec - a.tv_nsec) * 1e-3) / 50;
    if (us < least) least = us;
  }
  printf("%.6f\n", least);
  return y[0] > 1e30f;
}
"""


def run(*words, cwd=None):
    return subprocess.run([str(w) for w in words], cwd=cwd, check=True, capture_output=True, text=True).stdout


def text_of(object_file):
    return int(run("size", object_file).splitlines()[1].split()[0])


def object_of(place, compiler, flags, source, name):
    run(compiler, "-std=c99", *flags, "-Ic", "-c", source, "-o", name, cwd=place)
    return place / name


def sizes(place):
    print("| compiler | flags | onnx2c | C library, -DNW_PREDICT_ONLY | C library |\n|---|---|---:|---:|---:|")
    for compiler in ("gcc", "clang", "arm-linux-gnueabihf-gcc"):
        for level in ("-Os", "-O2", "-O3", "-O3 -march=native"):
            if not shutil.which(compiler) or (compiler.startswith("arm") and "native" in level):
                continue
            flags = level.split()
            all_sizes = [text_of(object_of(place, compiler, flags + more, source, "x.o"))
                         for source, more in (("onnx2c.c", []), ("c/nw_model.c", ["-DNW_PREDICT_ONLY"]), ("c/nw_model.c", []))]
            print(f"| {compiler} | `{level}` | " + " | ".join(f"{n:,}" for n in all_sizes) + " |")


def timer(place, compiler, level, source, more, name):
    run(compiler, "-std=c99", *level.split(), *more, "-Ic", "timer.c", source, "-o", name, "-lm", cwd=place)
    return lambda: float(run(place / name))


def onnxruntime_timer(file, threads):
    import numpy
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    shape = session.get_inputs()[0].shape
    feed = {session.get_inputs()[0].name: numpy.random.default_rng(0).standard_normal(shape, dtype=numpy.float32)}

    def least():
        means = []
        for _ in range(200):
            begin = time.perf_counter()
            for _ in range(50):
                session.run(None, feed)
            means.append((time.perf_counter() - begin) / 50 * 1e6)
        return min(means)
    return least


def latencies(place):
    programs = {f"onnxruntime, {n} thread{'s' if n > 1 else ''}": onnxruntime_timer(place / "model.onnx", n) for n in (1, 2)}
    for compiler in ("gcc", "clang"):
        for level in ("-Os", "-O3", "-O3 -march=native"):
            if shutil.which(compiler):
                key = f"{compiler} `{level}`"
                number = str(len(programs))
                programs[f"onnx2c, {key}"] = timer(place, compiler, level, "onnx2c.c", ["-DONNX2C"], "a" + number)
                programs[f"C library, {key}"] = timer(place, compiler, level, "c/nw_model.c", [], "b" + number)
    best = dict.fromkeys(programs, float("inf"))
    for _ in range(5):
        for name, measure in programs.items():
            best[name] = min(best[name], measure())
    print("\n| program | µs for one picture |\n|---|---:|")
    for name, us in best.items():
        print(f"| {name} | {us:.1f} |")


def main():
    arguments = argparse.ArgumentParser()
    for name in ("cli", "run", "onnx2c"):
        arguments.add_argument("--" + name, required=True)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        run(options.cli, "export", options.run, "--c", place / "c", "--images", "64")
        run(options.cli, "export", options.run, "--onnx", place / "model.onnx", "--batch", "1", "--no-preprocessing")
        (place / "onnx2c.c").write_text(run(options.onnx2c, place / "model.onnx"))
        (place / "timer.c").write_text(TIMER)
        sizes(place)
        latencies(place)


main()
