#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need, builds, runs them. Ends with ctest's summary.
#
#   installer/test.sh            the release build with the window and all its tests
#   installer/test.sh --long     every count in full, then the address, undefined-behaviour and thread sanitizers without a window
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

long=0
while (( $# )); do
  case $1 in
    --long) long=1; export NETWRIGHT_LONG=1 ;;
    --help|-h) sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) say "Unknown option $1; --help lists them."; exit 2 ;;
  esac
  shift
done

install_missing 1 build gui test
failed=0
if (( long )); then
  for sanitizer in asan tsan; do
    build "$sanitizer"
    say "Sanitizers, headless ($sanitizer):"
    ctest --test-dir "$top/build/$sanitizer" -j "$(nproc)" --no-tests=error --output-on-failure --timeout 1200 || failed=1
  done
fi
build release
ctest --test-dir "$top/build/release" -j "$(nproc)" --no-tests=error --output-on-failure --timeout 1200 || failed=1
exit $failed
