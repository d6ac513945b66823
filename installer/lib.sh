# SPDX-License-Identifier: Apache-2.0
# Functions of run.sh and test.sh: listing and installing missing packages, building with progress. Sourced, not run.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# packages_of GROUP...: prints the "package|reason" lines of these groups
packages_of() {
  awk -F'|' -v want=" $* " '/^\[/ {group = substr($0, 2, length($0) - 2); next} /^#/ || NF < 2 {next} index(want, " " group " ") {print}' \
    "$top/installer/packages.txt"
}

# missing_of GROUP...: prints those of these lines whose package is not installed
missing_of() {
  packages_of "$@" | while IFS='|' read -r package reason; do
    [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null) == ii* ]] || printf '%s|%s\n' "$package" "$reason"
  done
}

# install_missing YES GROUP...: lists what is missing and why, asks (unless YES=1 or there is no terminal), installs
install_missing() {
  local yes=$1 lines names=() sudo=()
  shift
  { command -v dpkg-query && command -v apt-get; } >/dev/null ||
    die "This script installs packages with apt-get, which is not here. Install what installer/packages.txt lists, then build with: cmake --preset release && cmake --build --preset release"
  lines=$(missing_of "$@")
  [[ -n $lines ]] || return 0
  say "Missing on this computer:"
  while IFS='|' read -r package reason; do printf '  %-24s %s\n' "$package" "$reason" >&2; done <<<"$lines"
  mapfile -t names < <(cut -d'|' -f1 <<<"$lines")
  if (( EUID != 0 )); then
    command -v sudo >/dev/null || die "Installing needs root and sudo is not here. As root, run: apt-get install ${names[*]}"
    sudo=(sudo)
  fi
  if [[ $yes != 1 && -t 0 ]]; then
    read -r -p "Install these with apt-get? [Y/n] " answer
    [[ -z $answer || $answer == [Yy]* ]] || die "Nothing was installed."
  fi
  say "Installing ..."
  local log; log=$(mktemp)
  # The package index may be outdated or absent. A third-party source that does not respond must not block the others.
  "${sudo[@]}" apt-get update -q >"$log" 2>&1 || say "Some package source did not answer; going on with the others."
  if ! "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends "${names[@]}" >>"$log" 2>&1; then
    tail -n 15 "$log" >&2
    die "apt-get could not install the packages above; its last lines are shown, all of them are in $log"
  fi
  rm -f "$log"
}

# Steps that take about six times as long as others: unity builds of several files, all of moc's files, precompiled headers.
large_steps='/Unity/|/mocs_compilation\.cpp|/cmake_pch\.hxx'

# build_progress EVERY [LARGE]: reads ninja's output (NINJA_STATUS='[%f/%t %e] ') and prints the steps built and an estimate of
# the time left, at most once in EVERY seconds; 0: each step, on one terminal line. LARGE is the number of large_steps.
build_progress() {
  local every=$1 large=${2:-0} large_done=0 line last=0 left
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\ ([0-9]+) ]] || continue
    local finished=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} elapsed=${BASH_REMATCH[3]}
    [[ ! $line =~ $large_steps ]] || (( large_done += 1 ))
    (( elapsed - last >= every )) || continue
    last=$elapsed
    left=$(build_time_left $(( finished + 5 * large_done )) $(( all + 5 * (large > large_done ? large : large_done) )) "$elapsed")
    if (( every )); then printf '[%s/%s] %s\n' "$finished" "$all" "$left"; else printf '\r\033[K[%s/%s] %s' "$finished" "$all" "$left"; fi
  done
  (( every )) || printf '\n'
}

# build_time_left DONE ALL SECONDS: an estimate as text. It assumes that a remaining step takes as long as a finished one.
build_time_left() {
  local seconds=$(( $3 * ($2 - $1) / ($1 > 0 ? $1 : 1) ))
  if (( $3 < 10 )); then echo "building"; elif (( seconds < 60 )); then echo "less than a minute left"
  elif (( seconds < 90 )); then echo "about 1 minute left"; else echo "about $(( (seconds + 30) / 60 )) minutes left"; fi
}

# configure PRESET: every time, for a package that was missing at the last build (such as a test library) may be installed now
configure() {
  local log; log=$(mktemp)
  (cd "$top" && cmake --preset "$1") >"$log" 2>&1 || { tail -n 20 "$log" >&2; rm -f "$log"; die "Configuring the build failed; see above."; }
  rm -f "$log"
}

# build PRESET TARGETS...: configures and builds, with progress; the complete output goes to build/PRESET/build.log
build() {
  local preset=$1; shift
  local dir="$top/build/$preset" jobs targets=()
  # The compiler needs up to 1.5 GB for the largest file: memory limits the number of jobs.
  jobs=$(awk -v n="$(nproc)" '/MemAvailable/ {m = int($2 / 1500000); print (m < 1 ? 1 : (m < n ? m : n))}' /proc/meminfo)
  (( $# )) && targets=(--target "$@")
  # Not for packages: names relative to the folder of the build would come into their debug symbols where the cache is used, and only there.
  [[ $preset == package ]] || export CCACHE_BASEDIR=$top CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
  configure "$preset"
  say "Building ($preset) ..."
  local every=60 large
  [[ ! -t 2 ]] || every=0
  # ninja's dry run lists the remaining steps.
  large=$(cmake --build "$dir" "${targets[@]}" -- -n 2>/dev/null | grep -cE "$large_steps") || true
  if ! NINJA_STATUS='[%f/%t %e] ' cmake --build "$dir" -j "$jobs" "${targets[@]}" 2>&1 | tee "$dir/build.log" | build_progress "$every" "$large" >&2; then
    grep -nE 'error|FAILED' "$dir/build.log" | head -n 20 >&2
    tail -n 20 "$dir/build.log" >&2
    die "The build failed; the whole log is $dir/build.log"
  fi
}
