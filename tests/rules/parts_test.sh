#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests of installer/parts.sh and long.sh on a toy tree: the final lines, the exit codes, and that an unfinished part continues.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
toy=$(mktemp -d)
export toy
trap 'rm -rf "$toy"' EXIT
mkdir -p "$toy"/{app,engine,kernels,resources,tests,ui,docs,build/long}
printf '<!-- budget -->\n| part | seconds | MB of disk |\n|---|---|---|\n| slow | 10 |  |\n| big build | 5 | 1000 |\n<!-- /budget -->\n| other | 1 |\n' >"$toy/docs/testing.md"
echo '{}' >"$toy/CMakePresets.json"
cp "$repository/tests/skipped.py" "$toy/tests"
printf '.*\tfalse\n' >"$toy/tests/skipped.tsv"
cat >"$toy/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(toy NONE)
enable_testing()
foreach(number RANGE 1 70)
  add_test(NAME Toy.Passes\${number} COMMAND true)
endforeach()
add_test(NAME Toy.Skips COMMAND sh -c "exit 77")
set_tests_properties(Toy.Skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME Toy.FailsOnDemand COMMAND test ! -e $toy/fail)
CMAKE
cmake -S "$toy" -B "$toy/build/toy" >/dev/null

# run COMMAND: stores its output in $toy/out and its exit code in $status
run() {
  status=0
  bash -c "set -euo pipefail; source '$repository/installer/lib.sh'; source '$repository/installer/parts.sh'
           source '$repository/installer/long.sh'; top=$toy; summary=$toy/build/long/summary.txt; rm -f \$summary; $1" \
    >"$toy/out" 2>&1 || status=$?
}
# expect STATUS [TEXT]: checks the exit code and the output of the last run
expect() {
  [[ $status == "$1" ]] || { cat "$toy/out"; echo "exit code $status instead of $1"; exit 1; }
  grep -qF -- "${2:-}" "$toy/out" || { cat "$toy/out"; echo "missing: $2"; exit 1; }
}

run 'part one true; finish'; expect 0 'one: passed'
run 'part one false || true; part two true; finish'; expect 1 'FAILED: one'
run 'part one exit 75 || true; finish'; expect 75 'UNFINISHED: one'
run 'part one exit 75 || true; part two false || true; finish'; expect 1
run 'part one exit 77 && part two true; finish'; expect 0 'one: skipped'
run 'note_time slow 15; finish'; expect 0 'budget 10 s'
! grep -q OVER "$toy/out" || { echo 'named within 1.5 times the budget'; exit 1; }
run 'note_time slow 16; note_time other 16; echo last >$toy/s; finish $toy/s'; expect 0 'OVER BUDGET: slow took 16 s'
[[ $(tail -n 1 "$toy/out") == last ]] || { echo 'the summary is not last'; exit 1; }
[[ $(grep -c OVER "$toy/out") == 1 ]] || { echo 'a part without a budget is named'; exit 1; }

run 'free_mb() { echo 999; }; make_room big'; expect 1 "Building (big) needs 1000 MB of disk below $toy/build and only 999 MB are free."
run 'free_mb() { echo 1000; }; make_room big; echo "cache ${CCACHE_READONLY:-written}"'; expect 0 'cache 1'
run 'free_mb() { echo 2000; }; make_room big; make_room slow; echo "cache ${CCACHE_READONLY:-written}"'; expect 0 'cache written'
run 'free_mb() { if [[ -e $toy/cleaned ]]; then echo 5000; else echo 10; fi; }; cmake() { echo "$*" >>$toy/cleaned; }; checked=(toy other); make_room big'
expect 0 '10 MB are free: what was built in build/toy, whose checks are over, is removed.'
[[ $(cat "$toy/cleaned") == "--build $toy/build/toy --target clean" ]] || { cat "$toy/cleaned"; echo 'more or less was removed'; exit 1; }
run 'ctest() { echo $TMPDIR >$toy/place; mkdir $TMPDIR/leaver-a1B2c3 $TMPDIR/leaver-XXyyZZ; touch $TMPDIR/one; echo "<t/>" >$toy/build/toy/tests.xml; echo "100% tests passed"; }; tests toy'
expect 0 'removed now: leaver (2), one (1)'
[[ ! -e $(cat "$toy/place") ]] || { echo 'the temporary files are still there'; exit 1; }
system=${TMPDIR:-/tmp}
(( $(wc -c <"$toy/place") <= ${#system} + 16 )) || { cat "$toy/place"; echo 'the path is too long for sockets below it'; exit 1; }

long='part long go_on_with_tests x toy || true; finish $summary'
touch "$toy/fail"
run "$long"; expect 1 'Toy.FailsOnDemand (Failed)'
rm "$toy/fail"
run "$long"; expect 0 'x: 100% tests passed, 0 tests failed out of 72'
{ grep -q ' 0 tests are left' "$toy/out" && [[ $(grep -c 'tests are left' "$toy/out") == 1 ]]; } ||
  { cat "$toy/out"; echo 'tests that had passed ran again'; exit 1; }
run "long_minutes=0; $long"; expect 0
touch "$toy/app/new"
run "$(printf 'deadline=0; %s' "$long")"; expect 75 'x: 72 tests are left'

run 'printf "[1/550 2.0] a\n[412/550 360.5] b\na warning\n[413/550 361] c\n[549/550 480.0] d\n" | build_progress 60'
expect 0 '[412/550] about 2 minutes left'
expect 0 '[549/550] less than a minute left'
[[ $(wc -l <"$toy/out") == 2 ]] || { cat "$toy/out"; echo 'progress is printed more than once a minute'; exit 1; }
# Ten of 40 steps are left, all of them large. 30 steps took 60 s, so ten large steps, six times as long each, need 120 s.
run '{ for i in {1..30}; do echo "[$i/40 $((2 * i)).1] kernels/$i.o"; done; } | build_progress 60 10'; expect 0 '[30/40] about 2 minutes left'
run '{ for i in {1..20}; do echo "[$i/40 $((6 * i))] ui/Unity/$i.o"; done; } | build_progress 120 20'; expect 0 '[20/40] less than a minute left'
run 'build_time_left 1 550 3; build_time_left 0 550 0; build_time_left 10 550 60'; expect 0 'about 54 minutes left'
run 'cmake() { case $1 in --preset) mkdir -p $toy/build/bad ;; *) echo "a.cpp:1: error: wrong"; false ;; esac; }; build bad'
expect 1 'a.cpp:1: error: wrong'
run 'tests toy -R Toy.Skips'; expect 0 'Skipped tests: 1'
printf '.*\ttrue\n' >"$toy/tests/skipped.tsv"
run 'tests toy -R Toy.Skips'; expect 1 'could have run here'

echo 'parts of a test run: passed'
