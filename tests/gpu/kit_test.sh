#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kit_test.sh BUILD_DIR FAKES: the kit is packed, is small enough and runs from another folder. Without a device it reports what
# it skips and why; with a fake device it runs every check.
set -euo pipefail
build=$1 fakes=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() { printf '%s\n' "$1" >&2; cat "$place"/out/report.txt >&2 2>/dev/null || :; exit 1; }

# number N: prints N as four bytes, big-endian
number() { local hex; hex=$(printf %08x "$1"); printf "\\x${hex:0:2}\\x${hex:2:2}\\x${hex:4:2}\\x${hex:6:2}"; }
# Noise in MNIST's format, small enough for a fake device that computes on the CPU.
make_digits() {
  local name images
  mkdir -p "$1"
  for name in train:256 t10k:64; do
    images=${name#*:}
    { printf '\0\0\010\003'; number "$images"; number 28; number 28; head -c $((images * 784)) /dev/urandom; } | gzip >"$1/${name%:*}-images-idx3-ubyte.gz"
    { printf '\0\0\010\001'; number "$images"; head -c "$images" /dev/zero | tr '\0' '\3'; } | gzip >"$1/${name%:*}-labels-idx1-ubyte.gz"
  done
}

export NETWRIGHT_KIT_BUILD=$build NETWRIGHT_KIT_TO=$place/kit
bash "$here/kit.sh" pack   # with the real images if present: fails if the kit is too large
make_digits "$place/data/mnist"
NETWRIGHT_DATA=$place/data bash "$here/kit.sh" pack
(( $(stat -c %s "$place/kit.tar.gz") <= 40 << 20 )) || fail "the archive is too large"
mkdir "$place/elsewhere"
tar -C "$place/elsewhere" -xzf "$place/kit.tar.gz"
rm -rf "$place/kit"
export NETWRIGHT_KIT_OUT=$place/out NETWRIGHT_KIT_QUICK=1
unset NETWRIGHT_DATA

if [[ ! -e /dev/nvidia0 ]]; then
  bash "$place/elsewhere/kit/run.sh" || fail "without a device the kit fails"
  (( $(grep -c '^SKIPPED .*: .*driver' "$place/out/report.txt") >= 8 )) || fail "it does not say what it skips and why"
  ! grep -qE '^(PASSED|FAILED)' "$place/out/report.txt" || fail "without a device something was proved"
fi
# A fake device that computes on the CPU may take seconds for a kernel. run [VARIABLE=VALUE...]: only the libraries may fail,
# where this machine has no cuDNN.
export NETWRIGHT_GPU_PATIENCE_S=0
run() {
  env LD_LIBRARY_PATH="$fakes" "$@" bash "$place/elsewhere/kit/run.sh" || grep -q '^FAILED *libraries' "$place/out/report.txt" || fail "on a fake device the kit fails"
  ! grep '^FAILED' "$place/out/report.txt" | grep -v '^FAILED *libraries' || fail "on a fake device the kit fails"
}
# A library without a single function of cuDNN is no cuDNN; everything else is tried all the same.
mkdir "$place/unusable"
cp "$(ldconfig -p | awk '/libm\.so\.6/ {print $NF; exit}')" "$place/unusable/libcudnn.so.9"
run NETWRIGHT_CUDA_PATH="$place/unusable"
grep -q '^FAILED *libraries:.* cudnn' "$place/out/report.txt" || fail "it does not name the library that cannot be used"
grep -q '"version":"CUDA 13.0"' "$place/out/libraries.txt" || fail "it does not write down the driver's version"
run
for proof in "conformance of every kernel" "eager = graph" "100-step determinism" "device properties" "accuracy of lenet5" "speed: " "cost of being watched"; do
  grep -q "^PASSED *$proof" "$place/out/report.txt" || fail "\"$proof\" is not proved on a fake device"
done
grep -q '^SKIPPED *accuracy of resnet18-cifar: .*NETWRIGHT_DATA' "$place/out/report.txt" || fail "it does not say what the accuracy of resnet18-cifar needs"
grep -q deviceName "$place/out/device.json" || fail "device.json was not written"
