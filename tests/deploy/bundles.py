#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bundles of templates: each proves itself, a change of any of its files is told, and its examples run.

bundles.py --cli NETWRIGHT_CLI [--names lenet5,mlp] [--onnxruntime PYTHON]; without names all templates, which takes about
ten minutes. Exit code 77: there is no C compiler. Sources of what the examples need: make, a Python with ctypes, and, where
they are installed, OpenCV (pkg-config opencv4) and onnxruntime.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(*words, cwd=None, good=True):
    done = subprocess.run([str(w) for w in words], cwd=cwd, capture_output=True, text=True, timeout=1800)
    if good and done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def expect(condition, sentence):
    if not condition:
        sys.exit(sentence)


def made(cli, source, folder):
    proof = json.loads(run(cli, "export", source, "--bundle", folder, "--json", "--images", "8").stdout.splitlines()[-1])
    expect(proof["type"] == "proof" and proof["top1_agreement"] == 1, f"{source}: {proof}")
    expect(proof["max_abs_diff"] <= 1e-4 * max(1e-3, proof["c"]["largest_output"]), f"{source}: {proof}")
    expect(proof["ms_per_image"] > 0 and proof["c"]["readers"][0]["reader"] == "C library", f"{source}: {proof}")
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    expect(files == set(proof["files"]) | {"PROOF.json"}, f"{source}: {sorted(files)}")
    expect(not list(folder.parent.glob(".*bundling*")), "a temporary folder is left")
    return sorted(files)


def told(cli, folder, name, what):
    done = run(cli, "verify", folder, "--json", good=False)
    expect(done.returncode == 3, f"{name} {what}: verify ends with {done.returncode}\n{done.stdout}{done.stderr}")
    if done.stdout:
        problems = json.loads(done.stdout)["problems"]
        expect(name in [p["file"] for p in problems], f"{name} {what}: {problems}")


def tampering(cli, folder, files):
    run(cli, "verify", folder)
    for name in files:
        file = folder / name
        bytes_ = bytearray(file.read_bytes())
        for at in {0, len(bytes_) // 2, len(bytes_) - 1}:
            changed = bytearray(bytes_)
            changed[at] ^= 1
            file.write_bytes(changed)
            told(cli, folder, name, f"changed at byte {at}")
        file.unlink()
        told(cli, folder, name, "removed")
        os.symlink("/etc/hostname", file)
        told(cli, folder, name, "a link")
        file.unlink()
        file.write_bytes(bytes_)
    (folder / "c" / "more.h").write_text("x")
    told(cli, folder, "c/more.h", "added")
    (folder / "c" / "more.h").unlink()
    run(cli, "verify", folder)


def stamp(cli, folder):
    """A better figure in PROOF.json is told, though the file is JSON of the same form."""
    file = folder / "PROOF.json"
    text = file.read_text(encoding="utf-8")
    proof = json.loads(text)
    proof["max_abs_diff"] = 0.5
    file.write_text(json.dumps(proof, indent=2), encoding="utf-8")
    told(cli, folder, "PROOF.json", "with another figure")
    file.write_text(text, encoding="utf-8")


def replacing(cli, source, folder):
    expect(run(cli, "export", source, "--bundle", folder, good=False).returncode == 2, "a bundle was overwritten")
    run(cli, "export", source, "--bundle", folder, "--force", "--images", "2")
    other = folder.parent / "other"
    other.mkdir()
    (other / "mine.txt").write_text("keep")
    done = run(cli, "export", source, "--bundle", other, "--force", "--images", "2", good=False)
    expect(done.returncode == 2 and (other / "mine.txt").read_text() == "keep", "a folder that is no bundle was replaced")
    shutil.rmtree(other)


def without_compiler(cli, source, folder):
    """No compiler: a sentence, and nothing is written."""
    environment = dict(os.environ, CC="no-such-compiler")
    done = subprocess.run([cli, "export", source, "--bundle", folder, "--images", "2"], env=environment, capture_output=True, text=True)
    expect(done.returncode == 1 and "compiler" in done.stderr and not folder.exists(), f"without a compiler: {done.stderr}")
    done = subprocess.run([cli, "export", source, "--c", folder, "--images", "2"], env=environment, capture_output=True, text=True)
    expect(done.returncode == 0 and "not compiled" in done.stderr, f"a C library without a compiler: {done.stderr}")
    shutil.rmtree(folder)


def examples(folder, python):
    copy = folder.parent / "built"
    shutil.copytree(folder, copy)
    if shutil.which("make"):
        run("make", "CFLAGS=-O2", cwd=copy)
        expect("self-test passed" in run("make", "test", cwd=copy).stdout, "make test")
        about = json.loads((copy / "preprocessing.json").read_text(encoding="utf-8"))
        (copy / "picture").write_bytes(bytes(i * 37 % 256 for i in range(about["channels"] * about["height"] * about["width"])))
        c = run("./example", "picture", cwd=copy).stdout.splitlines()[-1]
        ctypes = run(sys.executable, "-B", "examples/example_ctypes.py", "picture", cwd=copy).stdout.strip()
        expect(c.split()[:2] == ctypes.split()[:2], f"C says {c!r}, ctypes {ctypes!r}")
    if run("pkg-config", "--exists", "opencv4", good=False).returncode == 0:
        flags = run("pkg-config", "--cflags", "opencv4").stdout.split()
        weights = ["-DNW_WEIGHTS_FILE"] if (copy / "c" / "nw_model.weights").exists() else []
        run("cc", "-std=c99", "-O2", "-c", "c/nw_model.c", "-o", "model.o", cwd=copy)
        run("c++", "-std=c++17", "-Ic", *weights, *flags, "examples/example.cpp", "model.o", "-o", "photo", "-lopencv_core",
            "-lopencv_imgproc", "-lopencv_imgcodecs", cwd=copy)
        expect("self-test passed" in run("./photo", cwd=copy).stdout, "example.cpp")
    if python:
        run(python, "-B", "examples/example_onnxruntime.py", cwd=copy)
    shutil.rmtree(copy)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cli", required=True)
    arguments.add_argument("--names", default="")
    options = arguments.parse_args()
    if not any(shutil.which(name) for name in ("cc", "gcc", "clang")):
        print("bundles: there is no C compiler")
        sys.exit(77)
    names = options.names.split(",") if options.names else [
        line.split()[0] for line in run(options.cli, "new", "--list").stdout.splitlines()]
    python = os.environ.get("NETWRIGHT_TORCH_PYTHON") or os.environ.get("NETWRIGHT_PYTHON") or ""
    if python and run(python, "-c", "import onnxruntime, numpy", good=False).returncode != 0:
        python = ""
    for number, name in enumerate(names):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "bundle"
            if number == 0:
                without_compiler(options.cli, name, folder)
            files = made(options.cli, name, folder)
            examples(folder, python)
            if number == 0:
                tampering(options.cli, folder, files)
                stamp(options.cli, folder)
                replacing(options.cli, name, folder)
            print(f"{name}: {len(files)} files", flush=True)


main()
