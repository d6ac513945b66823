#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need, builds, runs them. Ends with ctest's summary of the release build; 0 only when everything passed.
#
#   installer/test.sh            the release build with the window and all its tests; without a window under the address and
#                                undefined-behaviour sanitizers; the fuzzers, 5 s each
#   installer/test.sh --long     every count in full, ten minutes for each fuzzer, and the thread sanitizer as well
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

long=0 fuzz_seconds=5
while (( $# )); do
  case $1 in
    --long) long=1 fuzz_seconds=600; export NETWRIGHT_LONG=1 ;;
    --help|-h) sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) say "Unknown option $1; --help lists them."; exit 2 ;;
  esac
  shift
done

symbolizer=/usr/bin/llvm-symbolizer-16   # of the compiler's own version; names the lines in a sanitizer's report
export ASAN_SYMBOLIZER_PATH=$symbolizer UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=suppressions=$top/tests/tsan.supp:external_symbolizer_path=$symbolizer

# part NAME COMMAND...: runs it, says how long it took, remembers if it failed
failed=()
part() {
  local name=$1 start=$SECONDS
  shift
  if ("$@"); then say "$name: passed ($((SECONDS - start)) s)"; return 0; fi
  failed+=("$name")
  say "$name: FAILED ($((SECONDS - start)) s)"
  return 1
}

# tests PRESET [ctest's options]: all its tests; what ctest says at the end is kept in build/PRESET/summary.txt. What programs keep
# between runs does not mix with the user's.
tests() {
  local dir=$top/build/$1 status=0
  shift
  XDG_CACHE_HOME=$dir/test_cache ctest --test-dir "$dir" -j "$(nproc)" --no-tests=error --output-on-failure --timeout 1200 "$@" | tee "$dir/tests.log" || status=$?
  sed -n '/% tests passed/,$p' "$dir/tests.log" >"$dir/summary.txt"
  return $status
}

# check PRESET [ctest's options]
check() { part "Build of $1" build "$1" && part "Tests of $1" tests "$@"; }

install_missing 1 build gui test
rm -f "$top/build/release/summary.txt"
check release || true
check asan || true
(( ! long )) || check tsan || true
part "Fuzzers, $fuzz_seconds s each" "$top/tests/fuzz/run.sh" "$fuzz_seconds" || true

for name in "${failed[@]}"; do say "FAILED: $name"; done
[[ ! -e $top/build/release/summary.txt ]] || cat "$top/build/release/summary.txt"
(( ${#failed[@]} == 0 ))
