# SPDX-License-Identifier: Apache-2.0
# Parts of a test run: each is timed, compared with its budget in docs/testing.md, and recorded if it failed. Sourced.

failed=() unfinished=() times=() over=() checked=()
readonly skipped_status=77      # the part cannot run here and has printed the reason
readonly unfinished_status=75   # the part stopped at its time limit; the same command continues it

# budget_of NAME [FIELD]: prints the seconds from the table in docs/testing.md, or with FIELD 4 the MB of disk; nothing for a
# part without them
budget_of() {
  sed -n '/<!-- budget -->/,/<!-- \/budget -->/p' "$top/docs/testing.md" 2>/dev/null |
    awk -F' *[|] *' -v name="$1" -v field="${2:-3}" '$2 == name && $field ~ /^[0-9]+$/ && !found++ {print $field}'
}

free_mb() { df -m --output=avail "$top" | tail -n 1 | tr -d ' '; }

# make_room PRESET: is there room on the disk for building it? The builds that this run has checked may go for it.
make_room() {
  local need have free old
  need=$(budget_of "$1 build" 4)
  [[ -n $need ]] || return 0
  have=$(du -sm "$top/build/$1" 2>/dev/null | cut -f 1) || have=0
  (( (need -= have) > 0 )) || return 0
  for old in "${checked[@]}"; do
    free=$(free_mb)
    (( free < need )) || break
    say "Building ($1) needs $need MB and $free MB are free: what was built in build/$old, whose checks are over, is removed."
    cmake --build "$top/build/$old" --target clean >/dev/null
  done
  free=$(free_mb)
  (( free >= need )) || { say "Building ($1) needs $need MB of disk below $top/build and only $free MB are free."; return 1; }
  # The next build is quicker with the compiler's cache, but this one needs the disk.
  (( free >= 2 * need )) || export CCACHE_READONLY=1
}
build_in_room() { make_room "$1" && build "$@"; }

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

remove_folder() { chmod -R u+rwX "$1" 2>/dev/null || true; rm -rf "$1"; }

# name_left_behind DIR: a sentence on what lies in DIR, which is the name of a test program, or of its temporary folder
name_left_behind() {
  local names
  names=$(find "$1" -mindepth 1 -maxdepth 1 -printf '%f\n' | sed -E 's/[-.][A-Za-z0-9_]{6,10}$//' | sort | uniq -c | awk '{print $2 " (" $1 ")"}' | paste -sd, | sed 's/,/, /g')
  [[ -z $names ]] || say "LEFT BEHIND by tests among the temporary files, and removed now: $names"
}

# tests PRESET [ctest's options]: runs all its tests, lists those that were skipped with the reasons, and fails if this computer could
# have run them (tests/skipped.py); writes ctest's final lines to build/PRESET/summary.txt. The tests have a cache folder separate
# from the user's, and temporary files that are removed afterwards.
tests() {
  local dir=$top/build/$1 status=0 place
  shift
  place=$(mktemp -d)   # a short path: sockets lie below it, whose paths Linux limits to 107 bytes
  rm -rf "$dir/test_parts"   # what tests/skipped.py reads besides ctest's report
  chmod 711 "$place"   # tests of what other users may do run processes as such
  TMPDIR=$place XDG_CACHE_HOME=$dir/test_cache ctest --test-dir "$dir" -j "$(($(nproc) + 1))" --no-tests=error --output-on-failure \
    --no-label-summary --timeout 1200 --output-junit "$dir/tests.xml" "$@" | tee "$dir/tests.log" || status=$?
  python3 -B "$top/tests/skipped.py" "$dir/tests.xml" >&2 || status=1
  sed -n '/% tests passed/,$p' "$dir/tests.log" >"$dir/summary.txt"
  name_left_behind "$place"
  remove_folder "$place"
  return "$status"
}

# check PRESET [ctest's options]
check() {
  local status=0
  part "$1 build" build_in_room "$1" || return
  part "$1 tests" tests "$@" || status=$?
  checked+=("$1")
  return "$status"
}

# The rules that need no build run first: formatting, line width, commit subjects, shell scripts, mutation
# entries.
rules() {
  local script status=0
  for script in rules/formatting rules/line_width rules/commit_subjects rules/shell_scripts "mutation/run --check"; do
    read -r -a script <<<"$script"
    python3 -B "$top/tests/${script[0]}.py" "${script[@]:1}" >&2 || (( $? == skipped_status )) || status=1
  done
  return "$status"
}
