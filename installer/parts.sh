# SPDX-License-Identifier: Apache-2.0
# Parts of a test run: each is timed, compared with its budget in docs/testing.md, and recorded if it failed. Sourced.

failed=() unfinished=() times=() over=()
readonly skipped_status=77      # the part cannot run here and has printed the reason
readonly unfinished_status=75   # the part stopped at its time limit; the same command continues it

# budget_of NAME: prints the seconds from the table in docs/testing.md; nothing for a part without a budget
budget_of() {
  sed -n '/<!-- budget -->/,/<!-- \/budget -->/p' "$top/docs/testing.md" 2>/dev/null |
    awk -F' *[|] *' -v name="$1" '$2 == name && $3 ~ /^[0-9]+$/ {print $3; exit}'
}

# note_time NAME SECONDS: adds the time to the table of times and, beyond 1.5 times the budget, to the final warnings
note_time() {
  local name=$1 seconds=$2 budget
  budget=$(budget_of "$name")
  times+=("$(printf '  %-16s %6d s%s' "$name" "$seconds" "${budget:+   budget $budget s}")")
  [[ -z $budget ]] || (( 2 * seconds <= 3 * budget )) ||
    over+=("OVER BUDGET: $name took $seconds s, more than 1.5 times its budget of $budget s (docs/testing.md)")
}

# part NAME COMMAND...: runs COMMAND in a subshell, prints its result and duration. Status 0 only if it passed or was skipped.
part() {
  local name=$1 start=$SECONDS status=0 seconds
  shift
  ("$@") || status=$?
  seconds=$((SECONDS - start))
  note_time "$name" "$seconds"
  case $status in
    0) say "$name: passed ($seconds s)" ;;
    "$skipped_status") say "$name: skipped ($seconds s)"; return 0 ;;
    "$unfinished_status") unfinished+=("$name"); say "$name: unfinished ($seconds s)" ;;
    *) failed+=("$name"); say "$name: FAILED ($seconds s)" ;;
  esac
  return $status
}

# finish [SUMMARY]: prints the table of times, the parts that failed or exceeded their budget and, last, the file SUMMARY if it
# exists. Exits with 0 when everything passed, 75 when parts are unfinished, else 1.
finish() {
  local line
  (( ${#times[@]} == 0 )) || say "Seconds of each part:"
  for line in "${times[@]}" "${over[@]}"; do say "$line"; done
  for line in "${unfinished[@]}"; do say "UNFINISHED: $line; the same command goes on where it stopped"; done
  for line in "${failed[@]}"; do say "FAILED: $line"; done
  [[ ! -e ${1:-} ]] || cat "$1"
  (( ${#failed[@]} == 0 )) || exit 1
  (( ${#unfinished[@]} == 0 )) || exit "$unfinished_status"
  exit 0
}

# tests PRESET [ctest's options]: runs all its tests; writes ctest's final lines to build/PRESET/summary.txt. The tests have a
# cache folder separate from the user's.
tests() {
  local dir=$top/build/$1 status=0
  shift
  XDG_CACHE_HOME=$dir/test_cache ctest --test-dir "$dir" -j "$(nproc)" --no-tests=error --output-on-failure \
    --no-label-summary --timeout 1200 "$@" | tee "$dir/tests.log" || status=$?
  sed -n '/% tests passed/,$p' "$dir/tests.log" >"$dir/summary.txt"
  return $status
}

# check PRESET [ctest's options]
check() { part "$1 build" build "$1" && part "$1 tests" tests "$@"; }

# The rules that need no build run first: formatting, line width, commit subjects, mutation entries.
rules() {
  local script status=0
  for script in rules/formatting rules/line_width rules/commit_subjects "mutation/run --check"; do
    python3 -B "$top/tests/${script%% *}.py" ${script#"${script%% *}"} >&2 || (( $? == skipped_status )) || status=1
  done
  return $status
}
