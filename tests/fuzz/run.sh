#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzzers (with the sanitizers' preset) and runs each for SECONDS on the corpus that make_corpus.py writes and on
# found/NAME beside this file. New inputs and crashes are stored in build/asan/found/NAME. An input that made a reader fail
# is committed to found/NAME together with the correction. Exit code 0 when no reader failed.
#
#   tests/fuzz/run.sh SECONDS [NAME...]        NAME: a file of readers/ without its ending; all of them without a NAME
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
top="$(dirname "$(dirname "$here")")"
build="$top/build/asan"
seconds="${1:?how many seconds for each reader?}"
shift
names=("$@")
if (( ${#names[@]} == 0 )); then
  for file in "$here"/readers/*.cpp; do names+=("$(basename "$file" .cpp)"); done
fi
(cd "$top" && { [[ -e $build/build.ninja ]] || cmake --preset asan > /dev/null; } && cmake --build --preset asan --target "${names[@]/#/fuzz_}" > /dev/null)

# fuzz NAME: prints a one-line summary, or the complete output if the reader failed
fuzz() {
  local name=$1 found="$build/found/$1" status=0 corpora
  mkdir -p "$found/corpus" "$found/crashes"
  corpora=("$found/corpus" "$build/fuzz_corpus/$name")
  [[ ! -d $here/found/$name ]] || corpora+=("$here/found/$name")
  "$build/bin/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=20000 -print_final_stats=1 \
    -artifact_prefix="$found/crashes/" "${corpora[@]}" > "$found/log.txt" 2>&1 || status=$?
  if (( status == 0 )); then
    printf '%-14s %12s inputs, nothing found\n' "$name" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$found/log.txt")"
  else
    printf '%-14s FAILED; the input lies in %s\n' "$name" "$found/crashes"
    tail -n 40 "$found/log.txt"
  fi
  return $status
}

failed=0 running=()
for name in "${names[@]}"; do
  if (( ${#running[@]} == $(nproc) )); then
    wait "${running[0]}" || failed=1
    running=("${running[@]:1}")
  fi
  fuzz "$name" & running+=($!)
done
for job in "${running[@]}"; do wait "$job" || failed=1; done
exit $failed
