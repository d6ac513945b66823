#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds every fuzzer and runs each for so many seconds from the corpus beside this file. What it finds stays out of the
# repository: new inputs and crashes lie in build/fuzz/found/NAME. Ends with 0 when nothing was found.
#
#   tests/fuzz/run.sh SECONDS [NAME...]        NAME: idx, cifar, csv, project, safetensors, event, run, message, image_header
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
top="$(dirname "$(dirname "$here")")"
seconds="${1:?how many seconds for each reader?}"
shift
cd "$top"
cmake --preset fuzz > /dev/null
cmake --build --preset fuzz --target fuzzers > /dev/null

names=("$@")
if (( ${#names[@]} == 0 )); then
  for file in "$here"/fuzz_*.cpp; do
    name="$(basename "$file" .cpp)"
    names+=("${name#fuzz_}")
  done
fi

failed=0
for name in "${names[@]}"; do
  found="$top/build/fuzz/found/$name"
  mkdir -p "$found/corpus" "$found/crashes"
  log="$found/log.txt"
  if "$top/build/fuzz/bin/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=20000 -print_final_stats=1 \
      -artifact_prefix="$found/crashes/" "$found/corpus" "$here/corpus/$name" > "$log" 2>&1; then
    runs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    printf '%-14s %12s inputs, nothing found\n' "$name" "$runs"
  else
    failed=1
    printf '%-14s FAILED; the input lies in %s\n' "$name" "build/fuzz/found/$name/crashes"
    tail -n 40 "$log"
  fi
done
exit $failed
