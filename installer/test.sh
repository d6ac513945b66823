#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages that the tests need, builds and runs the tests. Prints the seconds of each part and ends with
# ctest's summary (of the release build). Exit code 0 only when everything passed.
#
#   installer/test.sh              the rules; the release build with the window and all its tests; without a window under
#                                  the address and undefined-behaviour sanitizers; the fuzzers, 5 s each
#   installer/test.sh --long [PART...]
#                                  parts that take too long for every change, all of them without a PART; each stops
#                                  after about 40 minutes (exit code 75), and the same command continues where it stopped
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
source "$here/lib.sh"
source "$here/parts.sh"
source "$here/long.sh"

help() {
  sed -n '3,11s/^# \{0,1\}//p' "$0"
  say_parts
}
say_parts() { printf '\nParts:\n'; sed -n 's/^#   //p' "$here/long.sh" | sed 's/^/  /'; }

long=0 parts=()
while (( $# )); do
  case $1 in
    --long) long=1 ;;
    --help|-h) help; exit 0 ;;
    -*) say "Unknown option $1; --help lists them."; exit 2 ;;
    *)
      if (( ! long )) || [[ " ${long_parts[*]} " != *" $1 "* ]]; then say "Unknown part $1; --help lists them."; exit 2; fi
      parts+=("$1") ;;
  esac
  shift
done

symbolizer=/usr/bin/llvm-symbolizer-16   # of the compiler's own version; names the lines in a sanitizer's report
export ASAN_SYMBOLIZER_PATH=$symbolizer UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=suppressions=$top/tests/tsan.supp:external_symbolizer_path=$symbolizer

summary=$top/build/$( (( long )) && printf long || printf release)/summary.txt
rm -f "$summary"
part packages install_missing 1 build gui test || finish
if (( long )); then
  (( ${#parts[@]} )) || parts=("${long_parts[@]}")
  for name in "${parts[@]}"; do "long_$name" || true; done
else
  part rules rules || true
  check release || true
  part tidy python3 -B "$top/tests/tidy.py" --minutes 2 || true
  check asan || true
  part fuzzers "$top/tests/fuzz/run.sh" 5 || true
fi
finish "$summary"
