#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kit_test.sh BUILD_DIR FAKES CASE: the kit is packed, is small enough and runs from another folder. The cases:
#
#   packed  the kit is packed, with the real images and with noise in their place; the other cases unpack the latter
#   whole   without a device it reports what it skips and why; a library that cannot be used is a failure; with a fake device it
#           runs every check, where bare_parts, which does so too, cannot
#   parts   the parts that are named, the choice of ten minutes, one archive of results
#   hang    a device that hangs costs the parts that need it, each its limit
#   torch   modes of PyTorch that fail or hang are reported and passed over
#   wheels  libraries and compute-sanitizer that are only in the packages of a Python, where nothing else is installed, or in a toolkit
#   bare_parts   every part where nothing but the driver and the packages of a Python is installed
set -euo pipefail
build=$1 fakes=$2 case=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# fail SENTENCE: why the case fails, the kit's report, the machine, and the end of what each part wrote
fail() {
  local log
  {
    printf '%s\n' "$1"
    cat "$place"/out/report.txt || :
    printf 'After %s s, as user %s on %s processors:\n' "$SECONDS" "$(id -u)" "$(nproc)"
    df -h "$place" || :
    for log in "$place"/said "$place"/out/*.txt; do
      [[ $log == */report.txt || ! -s $log ]] || { printf '%s:\n' "${log##*/}"; grep -vE '^\[ (RUN|      OK) ' "$log" | tail -n 15 || :; }
    done
  } >&2 2>/dev/null
  exit 1
}

# number N: prints N as four bytes, big-endian
number() { local hex; hex=$(printf %08x "$1"); printf %b "\\x${hex:0:2}\\x${hex:2:2}\\x${hex:4:2}\\x${hex:6:2}"; }
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

archive=$build/gpu-kit-test/kit.tar.gz real_data=${NETWRIGHT_DATA:-}
pack() {
  NETWRIGHT_KIT_BUILD=$build NETWRIGHT_KIT_TO=$1 bash "$here/kit.sh" pack
  (( $(stat -c %s "$1.tar.gz") <= 40 << 20 )) || fail "the archive is too large"
}
packed() {
  NETWRIGHT_DATA=$real_data pack "$place/kit"
  make_digits "$place/data/mnist"
  NETWRIGHT_DATA=$place/data pack "${archive%.tar.gz}"
}
unpack() {
  mkdir "$place/elsewhere"
  tar -C "$place/elsewhere" -xzf "$archive"
}
[[ $case == packed ]] || unpack
export NETWRIGHT_KIT_OUT=$place/out NETWRIGHT_KIT_QUICK=1
unset NETWRIGHT_DATA
# A fake device that computes on the CPU may take seconds for a kernel.
export NETWRIGHT_GPU_PATIENCE_S=0
report=$place/out/report.txt
kit=$place/elsewhere/kit/run.sh
on_fakes() { env LD_LIBRARY_PATH="$fakes" "$@"; }
expect() { grep -qE "$1" "$report" || fail "$2"; }
# in_archive REGEX: does the archive of results hold such a path? All of the list is read: a tar whose reader has gone fails.
in_archive() { tar -tzf "$place/out.tar.gz" >"$place/listed" && grep -q "$1" "$place/listed"; }

whole() {
  if [[ ! -e /dev/nvidia0 ]]; then
    bash "$kit" || fail "without a device the kit fails"
    (( $(grep -c '^SKIPPED .*: .*driver' "$report") >= 8 )) || fail "it does not say what it skips and why"
    ! grep -qE '^(PASSED|FAILED)' "$report" || fail "without a device something was proved"
  fi
  # A library without a single function of cuDNN is no cuDNN.
  mkdir "$place/unusable"
  cp "$(ldconfig -p | awk '/libm\.so\.6/ && !found++ {print $NF}')" "$place/unusable/libcudnn.so.9"
  ! on_fakes NETWRIGHT_CUDA_PATH="$place/unusable" bash "$kit" libraries || fail "a library that cannot be used is no failure"
  expect '^FAILED *libraries:.* cudnn' "it does not name the library that cannot be used"
  grep -q '"version":"CUDA 13.0"' "$place/out/libraries.txt" || fail "it does not write down the driver's version"
  ! can_be_bare || return 0
  # Only the libraries may fail, where this machine has no cuDNN.
  on_fakes bash "$kit" || grep -q '^FAILED *libraries' "$report" || fail "on a fake device the kit fails"
  ! grep '^FAILED' "$report" | grep -v '^FAILED *libraries' || fail "on a fake device the kit fails"
  for proof in "conformance of every kernel" "eager = graph" "100-step determinism" "fp32, tf32, bf16 and fp16" "several GPUs as one" "stages of a pipeline as one GPU" "device properties" "accuracy of lenet5" "speed: " "speed of ResNet-50 on 224 pixels: 4 figures" "cost of being watched"; do
    expect "^PASSED *$proof" "\"$proof\" is not proved on a fake device"
  done
  expect '^SKIPPED *accuracy of resnet18-cifar: .*NETWRIGHT_DATA' "it does not say what the accuracy of resnet18-cifar needs"
  grep -q deviceName "$place/out/device.json" || fail "device.json was not written"
}

parts() {
  local seconds
  seconds=$(bash "$kit" list | awk '{s += $3} END {print s}')
  (( seconds > 300 && seconds <= 600 )) || fail "what matters most takes up to $seconds s, not ten minutes"
  ! bash "$kit" everything 2>"$place/said" || fail "a part that does not exist is run"
  grep -q 'There is no part everything; the parts are: libraries properties' "$place/said" || fail "it does not name the parts"
  on_fakes bash "$kit" properties determinism || fail "two parts fail on a fake device"
  (( $(grep -c . "$report") == 2 )) || fail "parts were run that were not asked for"
  expect '^PASSED *100-step determinism' "a part that was asked for was not run"
  in_archive '^out/device.json$' || fail "the archive does not hold the results"
  ! in_archive checkpoints/. || fail "the archive holds checkpoints"
}

hang() {
  # the 100th call of the driver never returns: what only lists devices ends before
  ! on_fakes NETWRIGHT_FAKE_GPU="100 -1 -1" NETWRIGHT_KIT_LIMIT_S=6 bash "$kit" graphs properties determinism || fail "a device that hangs is no failure"
  expect '^FAILED *eager = graph: it did not end within 6 s' "a part that hangs is not ended"
  expect '^FAILED *100-step determinism: it did not end' "the parts after one that hangs are not run"
  expect '^PASSED *device properties' "a part between two that hang is not run"
  [[ -e $place/out.tar.gz ]] || fail "there is no archive after a part that hangs"
  ! pgrep -f "$place/elsewhere/kit/bin" || fail "a process is left behind"
}

# A PyTorch whose eager steps take no time, whose graphs fail and whose compiler hangs.
torch() {
  mkdir -p "$place/modules/torch"
  cat >"$place/modules/torch/__init__.py" <<'PYTHON'
import sys
import time
from unittest.mock import MagicMock

fake = MagicMock()
fake.nn.Module = type("Module", (), {})
fake.cuda.max_memory_reserved.return_value = 1
fake.cuda.CUDAGraph.side_effect = RuntimeError("operation not permitted when stream is capturing")
fake.compile.side_effect = lambda *_, **__: time.sleep(1000)
sys.modules[__name__] = fake
PYTHON
  on_fakes PYTHONPATH="$place/modules" bash "$kit" torch || fail "modes that fail make the kit fail"
  expect "^SKIPPED *PyTorch's graph of mlp: RuntimeError: operation not permitted when stream is capturing" "a mode that fails is not reported"
  expect "^SKIPPED *PyTorch's compile of mlp: it did not end within 5 s" "a mode that hangs is not reported"
  expect "^PASSED *speed of PyTorch: 2 figures" "the other modes are not measured"
}

# What a fake compute-sanitizer prints is the program's.
fake_sanitizer() {
  printf '#!/bin/sh\nwhile [ "${1#--}" != "$1" ]; do case $1 in --tool|--error-exitcode) shift;; esac; shift; done\nexec "$@"\n' >"$1"
  chmod +x "$1"
}
# bare PATH COMMAND...: a container with the driver, the kit, tools of the system and a network of its own, without a toolkit, a
# home or the system's copies of what the kit brings
bare() {
  cat >"$place/bare.sh" <<'SHELL'
set -e
# Where the test lies below one of these folders it is seen there all the same.
mount --bind "$1" /mnt
for folder in /usr/local /opt /root /home; do [[ ! -d $folder ]] || mount -t tmpfs none "$folder"; done
[[ -d $1 ]] || { mkdir -p "$1"; mount --bind /mnt "$1"; }
of_bash=$(ldd "$(command -v bash)" | awk '$2 == "=>" {print $3}')
ldd "$1"/elsewhere/kit/bin/* | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u | grep -vE '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' |
  while read -r library; do [[ $of_bash == *"$library"* ]] || mount --bind "$1/nothing" "$library"; done
[[ ! -d $1/toolkit ]] || cp -r "$1/toolkit" /usr/local/cuda
export HOME=/nowhere PATH=$2 LD_LIBRARY_PATH=$1/driver
unset NETWRIGHT_CUDA_PATH CUDA_PATH VIRTUAL_ENV
shift 2
exec "$@"
SHELL
  : >"$place/nothing"
  unshare -rmn bash "$place/bare.sh" "$place" "$@"
}
# Are there namespaces of mounts here, and all the mounts of `bare`? A container may refuse some. $place/said says why not.
can_be_bare() {
  unshare -rmn true 2>/dev/null || { echo "no namespaces of mounts here" >"$place/said"; return 1; }
  bare /usr/bin:/bin true 2>"$place/said"
}
prepare_bare() {
  can_be_bare || { echo "Skipped: $(tail -n 1 "$place/said")"; exit 77; }
  packages=$place/python/lib/python3.12/site-packages/nvidia
  mkdir -p "$place/python/bin" "$place/driver"
  printf '#!/bin/sh\nexit 1\n' >"$place/python/bin/python3"   # only its packages matter
  chmod +x "$place/python/bin/python3"
  cp "$fakes"/libcuda.so.1 "$fakes"/libnvidia-ml.so.1 "$place/driver/"
}
put_into_packages() {
  mkdir -p "$packages"/{nccl,cudnn}/lib "$packages/cu13"/{lib,bin}
  cp "$fakes/libnccl.so.2" "$packages/nccl/lib/"
  fake_sanitizer "$packages/cu13/bin/compute-sanitizer"
}

# A machine that has the driver and a Python with NVIDIA's packages, and neither a toolkit nor a loader that knows them; then one
# with a toolkit.
wheels() {
  prepare_bare
  put_into_packages
  bare "$place/python/bin:/usr/bin:/bin" bash "$kit" libraries sanitizer || :   # cuDNN and cuBLASLt have no fakes that the plug-in could use
  grep -q '"place":"'"$packages"'/nccl/lib/libnccl.so.2"' "$place/out/libraries.txt" || fail "NCCL in the packages of a Python is not found"
  expect '^FAILED *libraries: cublas cudnn' "libraries are found that are not there"
  expect '^PASSED *compute-sanitizer memcheck' "compute-sanitizer in the packages of a Python is not found"
  rm -rf "$packages" "$place/out"
  mkdir -p "$place/toolkit"/{lib64,bin}
  cp "$fakes/libnccl.so.2" "$place/toolkit/lib64/"
  fake_sanitizer "$place/toolkit/bin/compute-sanitizer"
  bare /usr/bin:/bin bash "$kit" libraries sanitizer || :
  grep -q '"place":"/usr/local/cuda/lib64/libnccl.so.2"' "$place/out/libraries.txt" || fail "NCCL in a toolkit is not found"
  expect '^PASSED *compute-sanitizer memcheck' "compute-sanitizer in a toolkit is not found"
}

# Every part there: what matters most, then the rest.
bare_parts() {
  local name
  export NETWRIGHT_KIT_LIMIT_S=300   # the fake device computes on processors that others use too
  prepare_bare
  put_into_packages
  bare "$place/python/bin:/usr/bin:/bin" bash "$kit" first || :
  for name in "device properties" "conformance of every kernel" "conformance of the libraries" "eager = graph" "100-step determinism" "fp32, tf32, bf16 and fp16" \
    "the libraries in these" "several GPUs as one" "stages of a pipeline as one GPU" \
    "accuracy of lenet5" "speed of ResNet-50 on 224 pixels: 4 figures" "speed: 2 figures"; do
    expect "^PASSED *$name" "\"$name\" is not proved in a bare container"
  done
  (( $(grep -c . "$report") == 13 )) || fail "\"first\" is not the libraries and these twelve"
  in_archive '^out/device.json$' || fail "the archive does not hold the results"
  bare "$place/python/bin:/usr/bin:/bin" bash "$kit" torch sanitizer resnet18 watching || fail "the other parts fail in a bare container"
  expect "^SKIPPED *speed of PyTorch: python3 has no PyTorch that sees the GPU" "it does not say what PyTorch's speed needs"
  for name in memcheck racecheck; do expect "^PASSED *compute-sanitizer $name" "$name was not run"; done
  expect '^SKIPPED *accuracy of resnet18-cifar: ' "it does not say what the accuracy of resnet18-cifar needs"
  expect '^PASSED *cost of being watched' "the cost of being watched was not measured"
}

"$case"
