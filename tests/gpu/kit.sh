#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs all checks that need a machine with a GPU, in one command:
#
#   bash tests/gpu/kit.sh            builds, packs build/gpu-kit (and build/gpu-kit.tar.gz, 40 MiB at most) and runs it
#   bash tests/gpu/kit.sh pack       only packs: copy the folder or the archive to a machine with a GPU, and run run.sh there
#   bash tests/gpu/kit.sh run [PART...]   runs the kit that was packed before, or parts of it (see run.sh)
#
# The kit contains programs, the libraries they link and real images (from NETWRIGHT_DATA): it installs nothing and needs no
# network connection. NETWRIGHT_KIT_BUILD names a build folder whose programs are packed without building; NETWRIGHT_KIT_TO
# names another folder for the kit.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$top/installer/lib.sh"
kit=${NETWRIGHT_KIT_TO:-$top/build/gpu-kit}
limit_mib=40
programs=(netwright-cli gpu_device_test)
cifar_images=800   # of every CIFAR-10 file: enough to train on, small enough to carry

build_all() {
  [[ -z ${NETWRIGHT_KIT_BUILD:-} ]] || { echo "$NETWRIGHT_KIT_BUILD"; return; }
  build release "${programs[@]}" nw_cuda >&2
  echo "$top/build/release"
}

# Libraries that the target machine may lack or have in other versions; the C library is the target machine's.
copy_libraries() {
  ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u | grep -vE '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' |
    while read -r library; do cp -L "$library" "$kit/lib/"; done
}

# All of MNIST, and the first images of each CIFAR-10 file. Without the data the kit reports the checks that cannot run.
copy_data() {
  local data=${NETWRIGHT_DATA:-} image=3073 file
  [[ -n $data ]] || { say "NETWRIGHT_DATA is not set: the kit holds no real images."; return; }
  [[ -d $data/mnist ]] && mkdir -p "$kit/data/mnist" && cp "$data"/mnist/*-ubyte.gz "$kit/data/mnist/"
  for file in "$data"/cifar-10-batches-bin/{data_batch_{1..5},test_batch}.bin; do
    [[ -r $file ]] || continue
    mkdir -p "$kit/data/cifar-10-batches-bin"
    head -c $((image * cifar_images)) "$file" >"$kit/data/cifar-10-batches-bin/${file##*/}"
  done
}

pack() {
  local from; from=$(build_all)
  rm -rf "$kit"
  mkdir -p "$kit/bin" "$kit/lib"
  cp "${programs[@]/#/$from/bin/}" "$from/bin/libnw_cuda.so" "$kit/bin/"
  strip "$kit"/bin/*
  copy_libraries "$kit"/bin/*
  copy_data
  cp "$top"/tests/gpu/{run.sh,torch_speed.py} "$kit/"
  tar -C "$(dirname "$kit")" -czf "$kit.tar.gz" "$(basename "$kit")"
  local bytes; bytes=$(stat -c %s "$kit.tar.gz")
  (( bytes <= limit_mib << 20 )) || die "The kit is $((bytes >> 20)) MiB, more than the $limit_mib MiB it may be: leave images out"
  say "Packed $kit.tar.gz ($(((bytes >> 20) + 1)) MiB) and $kit"
}

case ${1:-all} in
  pack) pack ;;
  run) [[ -x $kit/run.sh || -r $kit/run.sh ]] || die "There is no kit in $kit: run \"$0 pack\" first"; shift; exec bash "$kit/run.sh" "$@" ;;
  all) pack; exec bash "$kit/run.sh" ;;
  *) sed -n '3,11p' "${BASH_SOURCE[0]}" | cut -c3- >&2; exit 2 ;;
esac
