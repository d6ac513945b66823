#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need, builds, runs them. Ends with ctest's summary.
#
#   installer/test.sh            at most 10 minutes of tests: the window's build, and the sanitizers' build without a window
#   installer/test.sh --long     every count in full (thousands of edits, hundreds of kills, long fuzzing): about an hour
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

fuzz_seconds=5
while (( $# )); do
  case $1 in
    --long) export NETWRIGHT_LONG=1; fuzz_seconds=60 ;;
    --help|-h) sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) say "Unknown option $1; --help lists them."; exit 2 ;;
  esac
  shift
done

install_missing 1 build gui test
build asan
build release

failed=0
say "Address and undefined-behaviour sanitizers, headless:"
ctest --test-dir "$top/build/asan" -j "$(nproc)" --output-on-failure -LE long --timeout 600 2>&1 | tail -n 40 || failed=1
say "Fuzzing, $fuzz_seconds s for each reader:"
"$top/tests/fuzz/run.sh" "$fuzz_seconds" || failed=1
say "Release, with the window:"
ctest --test-dir "$top/build/release" -j "$(nproc)" --output-on-failure --timeout 1200 || failed=1
exit $failed
