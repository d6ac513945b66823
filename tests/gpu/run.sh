#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the kit that contains this script, in parts:
#
#   run.sh              all parts
#   run.sh first        what matters most, in at most ten minutes
#   run.sh PART...      these parts
#   run.sh list         the parts with their limits in seconds: alone, and as one of "first"
#
# Prints one line per check: PASSED, FAILED or SKIPPED with the reason; exit code 0 when nothing failed. A part that does not end
# within its limit is ended and FAILED, and the next one follows. Measurements go to $NETWRIGHT_KIT_OUT, or out/ beside this
# script: report.txt, device.json, speed.jsonl, run folders; all of it without checkpoints into one archive beside that folder.
# NETWRIGHT_KIT_QUICK=1 shortens every check, NETWRIGHT_KIT_LIMIT_S sets another limit for every part: to test the kit itself.
# shellcheck disable=SC2317  # parts are called by names that are put together: part_$name
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export NETWRIGHT_KIT_OUT=${NETWRIGHT_KIT_OUT:-$here/out}
out=$NETWRIGHT_KIT_OUT
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib
cli=$here/bin/netwright-cli
proof=$here/bin/gpu_device_test
quick=${NETWRIGHT_KIT_QUICK:-}
short=${NETWRIGHT_KIT_SHORT:-}   # as one of "first"
data=${NETWRIGHT_DATA:-$here/data}
failed=0

# name, seconds, seconds as one of "first" (0: it is not), the name in the report; the most important come first
parts=(
  "libraries 60 20 libraries"
  "properties 60 20 device properties"
  "conformance 600 100 conformance of every kernel"
  "graphs 300 40 eager = graph"
  "determinism 300 40 100-step determinism"
  "precisions 600 70 fp32, tf32, bf16 and fp16"
  "several 300 30 several GPUs as one"
  "stages 120 20 stages of a pipeline as one GPU"
  "lenet5 300 80 accuracy of lenet5"
  "resnet50 600 90 speed of ResNet-50 on 224 pixels"
  "speed 1200 90 speed"
  "torch 2400 0 speed of PyTorch"
  "sanitizer 3600 0 compute-sanitizer"
  "resnet18 3600 0 accuracy of resnet18-cifar"
  "watching 900 0 cost of being watched"
)
part_names() { local p; for p in "${parts[@]}"; do echo "${p%% *}"; done; }
# field NAME N: the N-th field of a part, from 0; the last one is the title
field() { local p; for p in "${parts[@]}"; do [[ ${p%% *} != "$1" ]] || { cut -d ' ' -f "$2" <<<"$p"; return; }; done; }
title_of() { field "$1" 4-; }

tell() { printf '%-8s %s\n' "$1" "$2" | tee -a "$out/report.txt"; [[ $1 != FAILED ]] || failed=1; }

# prove NAME COMMAND...: writes COMMAND's output to a file of that name
prove() {
  local name=$1 log; shift
  log="$out/$(tr ' ' '-' <<<"$name").txt"
  # GoogleTest passes when a filter matches no test, and when every test was skipped.
  if "$@" >"$log" 2>&1 && { ! grep -q '^\[==========\]' "$log" || grep -q '^\[       OK \]' "$log"; }; then tell PASSED "$name"; else tell FAILED "$name (see $log)"; tail -n 5 "$log" >&2; fi
}
bench() { NETWRIGHT_DATA=$data "$cli" bench --device cuda:0 --json "$@"; }

# The reason why no GPU can train; empty if one can.
why_no_gpu() {
  local listed; listed=$("$cli" devices --json 2>&1) || { echo "netwright-cli does not run here: $(tail -n 1 <<<"$listed")"; return; }
  grep -q '"name":"cuda:0".*"usable":true' <<<"$listed" && return
  if "$proof" --gtest_filter='OnDevice.DevicePropertiesAreWrittenToAFileOnRequest' 2>&1 | grep -q '^\[  PASSED  \] 1 test'; then return; fi
  "$cli" devices 2>&1 >/dev/null | head -n 1
}

# Without these libraries the kernels of our own take over, and every figure below would be of them. Writes the version and the
# place of each to libraries.txt.
part_libraries() {
  local listed id ids="driver cublas cudnn" lacking=""
  listed=$("$cli" devices --json 2>/dev/null)
  (( $(grep -c '"name":"cuda:.*"usable":true' <<<"$listed") < 2 )) || ids+=" nccl"
  grep '"search":' <<<"$listed" >"$out/libraries.txt"
  for id in $ids; do grep "\"search\":\"$id\"" "$out/libraries.txt" | grep -q '"found":true' || lacking+=" $id"; done
  if [[ -z $lacking ]]; then tell PASSED "libraries: $(sed -n 's/.*"title":"\([^"]*\)","version":"\([^"]\+\)".*/\1 \2/p' "$out/libraries.txt" | paste -sd, | sed 's/,/, /g')"
  else tell FAILED "libraries:$lacking (see $out/libraries.txt for what was sought and how to get it)"; fi
}
part_properties() { prove "device properties" "$proof" --gtest_filter='OnDevice.DeviceProperties*'; }
part_conformance() {
  prove "conformance of every kernel" "$proof" --gtest_filter='Device/Kernels.*'
  # The cases are small, so that kernels of our own computed the products above.
  prove "conformance of the libraries" env NETWRIGHT_GPU_SMALL_KERNELS=0 "$proof" --gtest_filter='Device/Kernels.*/conv*:Device/Kernels.*/linear*'
}
part_graphs() { prove "eager = graph" "$proof" --gtest_filter='OnDevice.GraphReplay*:OnDevice.WholeSteps*'; }
part_precisions() {
  prove "fp32, tf32, bf16 and fp16" "$proof" --gtest_filter='Halves/*:Products/*:Device/Precisions.*'
  prove "the libraries in these" env NETWRIGHT_GPU_SMALL_KERNELS=0 "$proof" --gtest_filter='Halves/*:Products/*:Device/Precisions.*'
}
part_several() {
  if (( $("$cli" devices --json 2>/dev/null | grep -c '"name":"cuda:.*"usable":true') < 2 )); then tell SKIPPED "several GPUs as one: there is one GPU"
  else prove "several GPUs as one" "$proof" --gtest_filter='Device/SeveralGpus.*'; fi
}
part_stages() { prove "stages of a pipeline as one GPU" "$proof" --gtest_filter='Stages.*'; }
part_determinism() { prove "100-step determinism" "$proof" --gtest_filter='OnDevice.AHundred*'; }

# On PATH, in a toolkit, or in the packages of a Python (pip install nvidia-cuda-sanitizer-api).
find_sanitizer() {
  local place named=() folder
  IFS=: read -ra named <<<"${NETWRIGHT_CUDA_PATH:-}:${CUDA_PATH:-}:/usr/local/cuda"
  for folder in ${PATH//:/ }; do named+=("${folder%/bin}"); done
  command -v compute-sanitizer && return
  for folder in "${named[@]}"; do
    for place in "$folder"/bin/compute-sanitizer "$folder"/compute-sanitizer/compute-sanitizer \
      "$folder"/nvidia/*/bin/compute-sanitizer "$folder"/lib/python3*/{site,dist}-packages/nvidia/*/{bin,compute-sanitizer}/compute-sanitizer; do
      [[ $place != /* || ! -x $place || -d $place ]] || { echo "$place"; return; }
    done
  done
}
part_sanitizer() {
  local tool program; program=$(find_sanitizer)
  for tool in memcheck racecheck; do
    [[ -n $program ]] || { tell SKIPPED "compute-sanitizer $tool: compute-sanitizer is not installed on this machine (pip install nvidia-cuda-sanitizer-api)"; continue; }
    # The tool slows kernels down so much that the watchdog would treat them as hung.
    NETWRIGHT_GPU_PATIENCE_S=0 prove "compute-sanitizer $tool" "$program" --tool "$tool" --error-exitcode 9 "$proof" --gtest_filter='OnDevice.WholeSteps*:Device/Precisions.StepsAreNear*:Device/Kernels.*/relu:Device/Kernels.*/max_pool2d*'
  done
}

# accuracy NET DATA LEAST EPOCHS ARGUMENTS...: trains, then compares the test accuracy with LEAST
accuracy() {
  local net=$1 folder=$2 least=$3 epochs=$4 run="$out/run-$1" reached; shift 4
  [[ -d $data/$folder ]] || { tell SKIPPED "accuracy of $net: there is no $folder in $data"; return; }
  rm -rf "$run"
  [[ -z $quick ]] || { epochs=1 least=0; }
  if ! "$cli" train "$net" --data "$data/$folder" --device cuda:0 --epochs "$epochs" --seed 1 --json --run-dir "$run" "$@" >"$out/$net.jsonl" 2>"$out/$net.txt"; then
    tell FAILED "accuracy of $net: $(tail -n 1 "$out/$net.txt")"; return
  fi
  reached=$(tail -n 1 "$out/$net.jsonl" | sed -n 's/.*"test_accuracy":\([0-9.e-]*\).*/\1/p')
  if awk -v a="${reached:-0}" -v b="$least" 'BEGIN {exit !(a + 0 >= b + 0)}'; then tell PASSED "accuracy of $net: ${reached:-none}, at least $least was asked for"
  else tell FAILED "accuracy of $net: ${reached:-none}, at least $least was asked for"; fi
}
# Of 15 seeds on a GPU the accuracies were 98.64 to 99.11 %, of 15 on a CPU 98.79 to 99.09: the last steps scatter.
part_lenet5() { accuracy lenet5 mnist 0.985 12; }
part_resnet18() {
  if [[ -s $data/cifar-10-batches-bin/data_batch_1.bin && $(stat -Lc %s "$data/cifar-10-batches-bin/data_batch_1.bin") -ge 30730000 ]]; then accuracy resnet18-cifar cifar-10-batches-bin 0.93 50
  else tell SKIPPED "accuracy of resnet18-cifar: all of CIFAR-10 is needed, name its folder in NETWRIGHT_DATA"; fi
}

# rates NAME FILE NET:BATCH PRECISION ARGUMENTS...: appends images per second to FILE, or says why there are none
rates() {
  local name=$1 file=$2 net=$3 precision=$4 seconds=3 repeats=5; shift 4
  [[ -z $short ]] || seconds=1 repeats=3
  [[ -z $quick ]] || seconds=0.2 repeats=1
  bench --nets "${net%:*}" --batch "${net#*:}" --precision "$precision" --seconds "$seconds" --repeats "$repeats" "$@" >>"$file" 2>>"$out/$name.txt" ||
    echo "no $precision for ${net%:*}: $(tail -n 1 "$out/$name.txt")" | tee -a "$out/report.txt"
}
counted() { if [[ -s $2 ]]; then tell PASSED "$1: $(wc -l <"$2") figures in $2"; else tell FAILED "$1: $(tail -n 1 "$3")"; fi; }

# Images of 224 pixels in memory: from the device's memory on, everything a training on photos does.
part_resnet50() {
  local net=resnet50:256 precision precisions="bf16 fp16 tf32 fp32"
  [[ -z $quick ]] || net=mlp:32
  : >"$out/resnet50.jsonl"; : >"$out/resnet50.txt"
  for precision in $precisions; do rates resnet50 "$out/resnet50.jsonl" "$net" "$precision" --noise; done
  counted "$(title_of resnet50)" "$out/resnet50.jsonl" "$out/resnet50.txt"
}
part_speed() {
  local precision net nets="mlp:64 lenet5:64 vgg13-cifar:512 resnet18-cifar:128" precisions="fp32 tf32 bf16 fp16"
  [[ -z $short ]] || precisions="bf16 fp32"
  [[ -z $quick ]] || nets=mlp:64
  : >"$out/speed.jsonl"; : >"$out/speed.txt"
  for net in $nets; do for precision in $precisions; do rates speed "$out/speed.jsonl" "$net" "$precision"; done; done
  counted speed "$out/speed.jsonl" "$out/speed.txt"
}
# A mode that fails or hangs is reported, and the others are measured all the same.
part_torch() {
  local python=${NETWRIGHT_TORCH_PYTHON:-python3} seconds=3 repeats=5 limit=180 only=() mode net error
  [[ -z $quick ]] || { seconds=0.2 repeats=1 limit=5 only=(--nets mlp); }
  if ! "$python" -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null; then tell SKIPPED "speed of PyTorch: $python has no PyTorch that sees the GPU"; return; fi
  "$python" "$here/torch_speed.py" --seconds "$seconds" --repeats "$repeats" --limit "$limit" "${only[@]}" >"$out/torch.jsonl" 2>"$out/torch.txt"
  while IFS=$'\t' read -r mode net error; do tell SKIPPED "PyTorch's $mode of $net: $error"; done < <(
    grep '"error"' "$out/torch.jsonl" | sed -E 's/.*"mode": "torch-([^"]*)".*/\1\t&/; s/^([^\t]*)\t.*"net": "([^"]*)".*"error": "(.*)"\}$/\1\t\2\t\3/')
  sed -i '/"error"/d' "$out/torch.jsonl"
  counted "speed of PyTorch" "$out/torch.jsonl" "$out/torch.txt"
}

rate_of() { sed -n 's/.*"type":"ended".*/&/p' "$1" | sed -n 's/.*"images_per_s":\([0-9.e+]*\).*/\1/p'; }
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# The cost of a reader that follows a run's events, as the window does: runs alternate with and without; medians are compared.
part_watching() {
  local epochs=30 rounds=5 most=1 alone watched name rate cost
  [[ -z $quick ]] || { epochs=1 rounds=1 most=1000; }
  [[ -d $data/mnist ]] || { tell SKIPPED "cost of being watched: there is no mnist in $data"; return; }
  : >"$out/rates-alone.txt"; : >"$out/rates-watched.txt"
  for name in $(for ((i = 0; i < rounds; i++)); do echo alone watched; done); do
    rm -rf "$out/run-$name"
    [[ $name == alone ]] || (until [[ -e $out/run-$name/events.jsonl ]]; do sleep 0.05; done; exec "$cli" watch "$out/run-$name" --json >/dev/null 2>&1) &
    "$cli" train lenet5 --data "$data/mnist" --device cuda:0 --epochs "$epochs" --seed 1 --json --quiet --run-dir "$out/run-$name" >"$out/$name.jsonl" 2>&1
    wait
    rate=$(rate_of "$out/$name.jsonl")
    [[ -n $rate ]] || { tell FAILED "cost of being watched: a run did not end (see $out/$name.jsonl)"; return; }
    echo "$rate" >>"$out/rates-$name.txt"
  done
  alone=$(median <"$out/rates-alone.txt") watched=$(median <"$out/rates-watched.txt")
  cost=$(awk -v a="$alone" -v b="$watched" 'BEGIN {printf "%.1f", 100 * (1 - b / a)}')
  name="cost of being watched: $cost % ($(printf '%.0f images/s alone, %.0f' "$alone" "$watched") watched, at most $most % was asked for)"
  if awk -v c="$cost" -v m="$most" 'BEGIN {exit !(c <= m)}'; then tell PASSED "$name"; else tell FAILED "$name"; fi
}

# run_part NAME LIMIT: in a process group of its own, which ends with it
run_part() {
  local code limit=${NETWRIGHT_KIT_LIMIT_S:-$2}
  timeout --kill-after=5 "$limit" bash "$here/run.sh" --in-this-process "$1"; code=$?
  (( code != 124 && code != 137 )) || tell FAILED "$(title_of "$1"): it did not end within $limit s"
  (( code == 0 )) || failed=1
}
# One file to bring home.
archive() {
  tar --exclude='run-*/checkpoints' -C "$(dirname "$out")" -czf "$out.tar.gz" "$(basename "$out")" && echo "All results: $out.tar.gz"
}

[[ ${1:-} == list ]] || mkdir -p "$out"
chosen=("$@") column=2
case ${1:-all} in
  --in-this-process) "part_$2"; exit "$failed" ;;
  list) printf '%s\n' "${parts[@]}"; exit 0 ;;
  all) mapfile -t chosen < <(part_names); : >"$out/report.txt" ;;
  first) mapfile -t chosen < <(for p in "${parts[@]}"; do read -r name _ least _ <<<"$p"; (( least == 0 )) || echo "$name"; done)
    export NETWRIGHT_KIT_SHORT=1; column=3; : >"$out/report.txt" ;;
esac
for name in "${chosen[@]}"; do
  [[ -n $(field "$name" 2) ]] || { echo "There is no part $name; the parts are: $(part_names | paste -sd' ')" >&2; exit 2; }
done
if ! why=$(timeout --kill-after=5 "${NETWRIGHT_KIT_LIMIT_S:-60}" bash -c "$(declare -p cli proof; declare -f why_no_gpu); why_no_gpu"); then
  why="netwright-cli devices did not answer"; tell FAILED "devices: $why"
fi
for name in "${chosen[@]}"; do
  if [[ -n $why ]]; then tell SKIPPED "$(title_of "$name"): $why"; else run_part "$name" "$(field "$name" "$column")"; fi
done
archive
exit "$failed"
