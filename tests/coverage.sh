#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds with the preset `coverage`, runs all tests, prints the lines covered in each room and fails below a floor (coverage.py).
# `installer/test.sh --long coverage` does the same in pieces.
#
#   tests/coverage.sh [ctest's options]        for instance -L io_test: the coverage of one room's tests
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"
cmake --preset coverage >/dev/null
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete   # counts of earlier runs
status=0
ctest --test-dir build/coverage -j "$(nproc)" --output-on-failure --timeout 1200 "$@" || status=$?
python3 -B tests/coverage.py || status=1
exit $status
