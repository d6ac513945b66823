#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the kit that contains this script. Prints one line per check: PASSED, FAILED or SKIPPED with the reason; exit code 0 when
# nothing failed. Measurements go to $NETWRIGHT_KIT_OUT, or out/ beside this script: report.txt, device.json, speed.jsonl, run
# folders. NETWRIGHT_KIT_QUICK=1 shortens every check, to test the kit itself.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export NETWRIGHT_KIT_OUT=${NETWRIGHT_KIT_OUT:-$here/out}
mkdir -p "$NETWRIGHT_KIT_OUT"
out=$NETWRIGHT_KIT_OUT
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib
cli=$here/bin/netwright-cli
proof=$here/bin/gpu_device_test
quick=${NETWRIGHT_KIT_QUICK:-}
data=${NETWRIGHT_DATA:-$here/data}
failed=0
: >"$out/report.txt"

tell() { printf '%-8s %s\n' "$1" "$2" | tee -a "$out/report.txt"; [[ $1 != FAILED ]] || failed=1; }

# prove NAME COMMAND...: writes COMMAND's output to a file of that name
prove() {
  local name=$1 log; shift
  log="$out/$(tr ' ' '-' <<<"$name").txt"
  # GoogleTest passes when a filter matches no test, and when every test was skipped.
  if "$@" >"$log" 2>&1 && { ! grep -q '^\[==========\]' "$log" || grep -q '^\[       OK \]' "$log"; }; then tell PASSED "$name"; else tell FAILED "$name (see $log)"; tail -n 5 "$log" >&2; fi
}

# The reason why no GPU can train; empty if one can.
why_no_gpu() {
  local listed; listed=$("$cli" devices --json 2>&1) || { echo "netwright-cli does not run here: $(tail -n 1 <<<"$listed")"; return; }
  grep -q '"name":"cuda:0".*"usable":true' <<<"$listed" && return
  if "$proof" --gtest_filter='OnDevice.DevicePropertiesAreWrittenToAFileOnRequest' 2>&1 | grep -q '^\[  PASSED  \] 1 test'; then return; fi
  "$cli" devices 2>&1 >/dev/null | head -n 1
}

# Without these libraries the kernels of our own take over, and every figure below would be of them. Writes the version and the
# place of each to libraries.txt.
libraries() {
  local listed id ids="driver cublas cudnn" lacking=""
  listed=$("$cli" devices --json 2>/dev/null)
  (( $(grep -c '"name":"cuda:.*"usable":true' <<<"$listed") < 2 )) || ids+=" nccl"
  grep '"search":' <<<"$listed" >"$out/libraries.txt"
  for id in $ids; do grep "\"search\":\"$id\"" "$out/libraries.txt" | grep -q '"found":true' || lacking+=" $id"; done
  if [[ -z $lacking ]]; then tell PASSED "libraries: $(sed -n 's/.*"title":"\([^"]*\)","version":"\([^"]\+\)".*/\1 \2/p' "$out/libraries.txt" | paste -sd, | sed 's/,/, /g')"
  else tell FAILED "libraries:$lacking (see $out/libraries.txt for what was sought and how to get it)"; fi
}

sanitize() {
  local tool=$1
  command -v compute-sanitizer >/dev/null || { tell SKIPPED "compute-sanitizer $tool: compute-sanitizer is not installed on this machine"; return; }
  # The tool slows kernels down so much that the watchdog would treat them as hung.
  NETWRIGHT_GPU_PATIENCE_S=0 prove "compute-sanitizer $tool" compute-sanitizer --tool "$tool" --error-exitcode 9 "$proof" --gtest_filter='OnDevice.WholeSteps*:Device/Kernels.*/relu:Device/Kernels.*/max_pool2d*'
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

# Images per second of all networks; then PyTorch's on the same machine, if PyTorch is installed.
speed() {
  local seconds=3 repeats=5 precision net
  [[ -z $quick ]] || { seconds=0.2 repeats=1; }
  : >"$out/speed.jsonl"
  for net in mlp:64 lenet5:64 vgg13-cifar:512 resnet18-cifar:128 resnet50:256; do
    [[ -z $quick || $net == mlp:64 ]] || continue
    for precision in fp32 tf32 bf16 fp16; do
      NETWRIGHT_DATA=$data "$cli" bench --device cuda:0 --nets "${net%:*}" --batch "${net#*:}" --precision "$precision" --seconds "$seconds" --repeats "$repeats" --json \
        >>"$out/speed.jsonl" 2>>"$out/speed.txt" || echo "no $precision for ${net%:*}: $(tail -n 1 "$out/speed.txt")" >>"$out/report.txt"
    done
  done
  if [[ -s $out/speed.jsonl ]]; then tell PASSED "speed: $(wc -l <"$out/speed.jsonl") figures in $out/speed.jsonl"; else tell FAILED "speed: $(tail -n 1 "$out/speed.txt")"; fi
  if ! python3 -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null; then tell SKIPPED "speed beside PyTorch: python3 here has no PyTorch that sees the GPU"; return; fi
  prove "speed of PyTorch" python3 "$here/torch_speed.py" --seconds "$seconds" --repeats "$repeats" --append "$out/speed.jsonl"
}

rate_of() { sed -n 's/.*"type":"ended".*/&/p' "$1" | sed -n 's/.*"images_per_s":\([0-9.e+]*\).*/\1/p'; }
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# The cost of a reader that follows a run's events, as the window does: runs alternate with and without; medians are compared.
watching() {
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

why=$(why_no_gpu)
if [[ -n $why ]]; then
  for name in "libraries" "conformance of every kernel" "eager = graph" "100-step determinism" "device properties" "compute-sanitizer" "accuracy" "speed beside PyTorch" "cost of being watched"; do
    tell SKIPPED "$name: $why"
  done
  exit 0
fi
libraries
prove "conformance of every kernel" "$proof" --gtest_filter='Device/Kernels.*'
prove "eager = graph" "$proof" --gtest_filter='OnDevice.GraphReplay*:OnDevice.WholeSteps*'
prove "100-step determinism" "$proof" --gtest_filter='OnDevice.AHundred*'
prove "device properties" "$proof" --gtest_filter='OnDevice.DeviceProperties*'
sanitize memcheck
sanitize racecheck
accuracy lenet5 mnist 0.989 12
if [[ -s $data/cifar-10-batches-bin/data_batch_1.bin && $(stat -Lc %s "$data/cifar-10-batches-bin/data_batch_1.bin") -ge 30730000 ]]; then accuracy resnet18-cifar cifar-10-batches-bin 0.93 50
else tell SKIPPED "accuracy of resnet18-cifar: all of CIFAR-10 is needed, name its folder in NETWRIGHT_DATA"; fi
speed
watching
exit "$failed"
