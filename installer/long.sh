# SPDX-License-Identifier: Apache-2.0
# The parts of `test.sh --long`: long_NAME runs part NAME for at most about 40 minutes and records in build/long/NAME what has
# passed, so that the same command continues where it stopped. A change of the tree restarts the part. Sourced by test.sh.
# The lines that begin with three spaces are printed by --help.
#   release    every test of the release build but torture, counts in full
#   asan       the same under the address and undefined-behaviour sanitizers, without the window
#   window     every test of the window under the address and undefined-behaviour sanitizers
#   tsan       the tests but the window, whose session alone, under the thread sanitizer
#   torture    kills and full disks at every point of saving and training, counts in full
#   fuzz       each fuzzer for ten minutes
#   coverage   lines covered in each room, against the floors
#   mutation   every fault of tests/mutation; the tests that its entry names must fail
#   tidy       clang-tidy over every source file
#   monkey     random input in the whole window under the address sanitizer, each call with new seeds
#   exchange   our ONNX files in onnxruntime, OpenCV and onnx.reference, those of PyTorch in ours (tests/exchange); skipped without
#              Python's onnx and onnxruntime
#   search     the samplers beside Optuna with equal budgets (tests/search); skipped without Python's optuna and scipy
#   packages   builds all packages, holds them to the distributions' own checks (lintian, piuparts, auditwheel,
#              appstreamcli, desktop-file-validate, shellcheck), and uses them in fresh systems; as root. Skipped
#              where one of these cannot run
#   reproducible  builds the headless Debian package twice, in two folders, and compares the bytes
#   parity     random networks trained here and in PyTorch in double precision (tests/parity); skipped without PyTorch

long_parts=(release asan window tsan torture fuzz coverage mutation tidy monkey parity exchange search packages reproducible)
long_minutes=${NETWRIGHT_PART_MINUTES:-38}

# state_of PART: prints the folder that records what has passed; empties it if the tree has changed since the last call
state_of() {
  local dir=$top/build/long/$1 tree
  tree=$(cd "$top" && find app engine kernels resources tests ui CMakeLists.txt CMakePresets.json -type f \
    ! -name '*.pyc' -exec cksum {} + | LC_ALL=C sort | cksum)
  if [[ $tree != "$(cat "$dir/tree" 2>/dev/null)" ]]; then
    rm -rf "$dir"
    mkdir -p "$dir"
    printf '%s' "$tree" >"$dir/tree"
  fi
  printf '%s' "$dir"
}

time_left() { (( SECONDS < ${deadline:=$((SECONDS + 60 * long_minutes))} )); }

# tests_left PRESET LOG [ctest's options]: prints the numbers of the tests that LOG does not list as passed or skipped, one a line
tests_left() {
  local preset=$1 log=$2
  shift 2
  {
    sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) \.+( +Passed|\*\*\*Skipped|\*\*\*Not Run \(Disabled\)).*/done \1/p' "$log"
    ctest --test-dir "$top/build/$preset" -N "$@"
  } | awk '$1 == "done" {done[$2]} $1 == "Test" && $2 ~ /^#/ && !($3 in done) {gsub(/[#:]/, "", $2); print $2}'
}

# go_on_with_tests PART PRESET [ctest's options]: runs 60 tests at a time until all have passed, one failed or time is up
go_on_with_tests() {
  local part=$1 preset=$2 dir numbers status=0
  shift 2
  dir=$(state_of "$part")
  touch "$dir/tests.log"
  mapfile -t numbers < <(tests_left "$preset" "$dir/tests.log" "$@")
  while (( ${#numbers[@]} )); do
    time_left || { say "$part: ${#numbers[@]} tests are left"; return "$unfinished_status"; }
    tests "$preset" -I "0,0,0,$(IFS=,; printf '%s' "${numbers[*]:0:60}")" >"$dir/last.log" || status=$?
    cat "$dir/last.log" >>"$dir/tests.log"
    if (( status )); then
      cat "$dir/last.log"
      cat "$top/build/$preset/summary.txt" >>"$top/build/long/summary.txt"
      return "$status"
    fi
    numbers=("${numbers[@]:60}")
    say "$part: ${#numbers[@]} tests are left"
  done
  printf '\n%s: 100%% tests passed, 0 tests failed out of %d\n' "$part" \
    "$(ctest --test-dir "$top/build/$preset" -N "$@" | sed -n 's/^Total Tests: //p')" >>"$top/build/long/summary.txt"
}

# long_tests PART PRESET [ctest's options]
long_tests() { part "$2 build" build_in_room "$2" && NETWRIGHT_LONG=1 part "long $1" go_on_with_tests "$@"; }
long_release() { long_tests release release -LE torture_test; }
long_asan() { long_tests asan asan -LE torture_test; }
long_window() { part "asan-window build" build_in_room asan-window window_tests && part "long window" go_on_with_tests window asan-window -L '^ui_'; }
long_tsan() { long_tests tsan tsan -LE torture_test; }
long_torture() { long_tests torture release -L torture_test; }

# Runs one fuzzer per processor at a time.
go_on_with_fuzzers() {
  local dir file names=()
  dir=$(state_of fuzz)
  for file in "$top"/tests/fuzz/readers/*.cpp; do
    [[ -e $dir/$(basename "$file" .cpp) ]] || names+=("$(basename "$file" .cpp)")
  done
  while (( ${#names[@]} )); do
    time_left || { say "fuzz: left are ${names[*]}"; return "$unfinished_status"; }
    "$top/tests/fuzz/run.sh" 600 "${names[@]:0:$(nproc)}" || return 1
    for file in "${names[@]:0:$(nproc)}"; do touch "$dir/$file"; done
    names=("${names[@]:$(nproc)}")
  done
}
long_fuzz() { part "asan build" build asan && part "long fuzz" go_on_with_fuzzers; }
long_mutation() { part "long mutation" python3 -B "$top/tests/mutation/run.py" --minutes "$long_minutes"; }

# The line counts accumulate over the calls, which is valid because all calls test the same tree.
go_on_with_coverage() {
  [[ -e $(state_of coverage)/tests.log ]] || find "$top/build/coverage" -name '*.gcda' -delete
  # without optimization the emulated tiles take more than 20 minutes to compare the bytes of one to four threads; limits
  # on the size of files stop gcov's files too
  go_on_with_tests coverage coverage \
    -E 'AnyNumberOfThreadsGivesTheSameBytes/amx_emulated|FileSizeLimitIsReportedAsAFullDisk|^hostile$' &&
    python3 -B "$top/tests/coverage.py"
}
long_coverage() { part "coverage build" build coverage && part "long coverage" go_on_with_coverage; }

# clang-tidy needs the headers that the build generates.
long_tidy() {
  part "release build" build release &&
    part "long tidy" python3 -B "$top/tests/tidy.py" --all --minutes "$long_minutes" --state "$(state_of tidy)"
}

long_monkey() {
  part "asan build" build asan netwright_monkey netwright-cli &&
    part "long monkey" python3 -B "$top/tests/monkey/monkey.py" --build "$top/build/asan" --state "$top/build/monkey" \
      --jobs "$(nproc)" --seconds 120 --minutes "$long_minutes"
}

# python_with PART MODULES [pip's arguments]: prints a Python that has these modules: that of NETWRIGHT_TORCH_PYTHON, or that of the virtual
# environment build/PART-venv, which is made and filled by pip. Status 77 if neither has them.
python_with() {
  local part=$1 modules=$2 venv=$top/build/$1-venv log=$top/build/long/$1-venv.log python
  shift 2
  for python in "${NETWRIGHT_TORCH_PYTHON:-false}" "$venv/bin/python"; do
    "$python" -c "import $modules" 2>/dev/null && { printf '%s' "$python"; return 0; }
  done
  say "$part: installing what has $modules into build/$part-venv ..."
  mkdir -p "$top/build/long"
  if python3 -m venv "$venv" >"$log" 2>&1 && "$python" -m pip install --timeout 30 --retries 2 "$@" >>"$log" 2>&1 &&
    "$python" -c "import $modules" 2>>"$log"; then
    printf '%s' "$python"
    return 0
  fi
  say "$part: $modules cannot be installed ($(tail -n 1 "$log" | cut -c -200)); NETWRIGHT_TORCH_PYTHON names a Python that has them"
  return "$skipped_status"
}

# One network for each layer type.
go_on_with_parity() {
  local dir python
  dir=$(state_of parity)
  python=$(python_with parity "numpy, torch" --extra-index-url https://download.pytorch.org/whl/cpu numpy torch) || return
  "$python" -B "$top/tests/parity/parity.py" --cli "$top/build/release/bin/netwright-cli" --state "$dir" \
    --minutes "$long_minutes"
}
long_parity() { part "release build" build release netwright-cli && part "long parity" go_on_with_parity; }

all_of_exchange() {
  local python
  python=$(python_with exchange "numpy, onnx, onnxruntime" numpy onnx onnxruntime onnxscript torch torchvision safetensors pillow keras \
    opencv-python-headless) || return
  "$python" -B "$top/tests/exchange/ecosystem.py" --cli "$top/build/release/bin/netwright-cli" &&
    "$python" -B "$top/tests/exchange/source_code.py" --cli "$top/build/release/bin/netwright-cli" &&
    NETWRIGHT_TORCH_PYTHON=$python python3 -B "$top/tests/deploy/bundles.py" --cli "$top/build/release/bin/netwright-cli"
}
long_exchange() { part "release build" build release netwright-cli && part "long exchange" all_of_exchange; }

all_of_search() {
  local python
  python=$(python_with search "optuna, scipy" optuna==5.0.0 scipy) || return
  "$python" -B "$top/tests/search/optuna_peer.py" --program "$top/build/release/bin/ask_tell"
}
long_search() { part "release build" build release ask_tell && part "long search" all_of_search; }

# held_to CHECK COMMAND...: says whether a distribution's check passed, after its output, and notes it in "held". Status 0 if it passed, or was
# skipped because it cannot run here.
held=()
held_to() {
  local check=$1 status=0
  shift
  say "packages: $check ..."
  if command -v "$1" >/dev/null; then "$@" || status=$?; else say "$1 is not here"; status=$skipped_status; fi
  case $status in
    0) held+=("$check: no findings") ;;
    "$skipped_status") held+=("$check: skipped"); status=0 ;;
    *) held+=("$check: FAILED") ;;
  esac
  say "packages: ${held[-1]}"
  return "$status"
}

checked_wheel() {
  local python
  python=$(python_with packages auditwheel auditwheel) || return
  "$python" -B installer/wheel/audit_test.py build/packages/netwright-*.whl
}

# checks_of SUITE FOLDER: the checks of Debian packages for this release
checks_of() {
  # lintian is this computer's: of another release it knows other names of libraries
  if [[ $1 == bookworm ]]; then held_to lintian lintian --allow-root --fail-on error,warning "$2"/*.deb || return; fi
  held_to "contents ($1)" python3 -B installer/debs_test.py "$2" || return
  held_to "piuparts ($1)" installer/piuparts_test.sh --suite "$1"
}

# Skipped, not passed, where a check could not run here.
checked_packages() {
  cd "$top" || return
  local status=0
  if (( EUID == 0 )) || command -v sudo >/dev/null; then install_missing 1 package checks; fi
  all_packages_checked || status=$?
  say "packages: what the packages were held to:"
  printf '  %s\n' "${held[@]}" >&2
  if (( status == 0 )) && [[ " ${held[*]} " == *": skipped "* ]]; then status=$skipped_status; fi
  return "$status"
}
all_packages_checked() {
  # what CI's long run promises, also where the same is among the tests of every run
  held_to shellcheck python3 -B tests/rules/shell_scripts.py || return
  held_to desktop-file-validate desktop-file-validate installer/desktop/org.netwright.Netwright.desktop || return
  held_to appstreamcli python3 -B installer/appstream_test.py || return
  held_to "appstreamcli (trixie)" python3 -B installer/appstream_test.py --suite trixie || return
  installer/package.sh --yes all || return
  held_to auditwheel checked_wheel || return
  checks_of bookworm build/packages || return
  if (( EUID == 0 )) && command -v mmdebstrap >/dev/null; then
    installer/package.sh --yes --in trixie deb || return
    checks_of trixie build/packages/trixie || return
  fi
  held_to "use in fresh systems" installer/packages_test.sh || return
  # the image that submit --to kubernetes describes
  held_to "image for Kubernetes" python3 -B tests/submit/container_test.py build/package/bin/netwright-cli build/packages/netwright-cli_*.deb
}
long_packages() { part "long packages" checked_packages; }
long_reproducible() { part "long reproducible" "$top/installer/reproducible.sh" deb --only cli; }
