#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds packages into build/packages:
#
#   installer/package.sh deb     Debian packages: netwright, netwright-cli, netwright-cuda (where nvcc is found), netwright-mpi (where Open MPI
#                                is), netwright-doc, debug symbols
#   installer/package.sh tar     one archive that starts on any Linux with glibc 2.36, without root
#   installer/package.sh wheel   a Python wheel of the command line
#   installer/package.sh all     all of them
#
#   --only cli,mpi               of the Debian packages only these and their debug symbols: cli, window, cuda, mpi, doc
#   --in SUITE                   for another release of Debian (trixie): in a system of it below build/suites, as root, with mmdebstrap;
#                                into build/packages/SUITE
#   --yes                        install what is missing without asking
#
# Packages are made of the sources as they are; the same sources and the same compiler give the same bytes (installer/reproducible.sh).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/portable.sh"
source "$(dirname "${BASH_SOURCE[0]}")/suite.sh"
source "$(dirname "${BASH_SOURCE[0]}")/symbols.sh"
umask 022   # of what is packed

out=$top/build/packages
# The times of all files in packages: that of the last change of the sources (https://reproducible-builds.org/specs/source-date-epoch/).
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/CHANGELOG.md")}
version() { sed -n 's/^project(Netwright VERSION \([0-9.]*\).*/\1/p' "$top/CMakeLists.txt"; }
headless=(netwright-cli nw_images nw_net nw_http pages)
programs=(netwright "${headless[@]}")
declare -A targets_of=([cli]="${headless[*]}" [window]="netwright pages" [cuda]=nw_cuda [mpi]=nw_mpi [doc]=guide)

make_deb() {
  local build=$top/build/package targets modules part chosen=()
  install_missing "${yes:-0}" build gui package
  configure package
  mapfile -t modules < <(has_target package nw_cuda; has_target package nw_mpi)
  targets=("${programs[@]}" "${modules[@]}" guide)
  if (( ${#only[@]} )); then
    read -r -a targets <<<"$(for part in "${only[@]}"; do printf '%s ' "${targets_of[$part]}"; done)"
    chosen=(-D "CPACK_COMPONENTS_ALL=$(IFS=';'; echo "${only[*]}")")
  fi
  build package "${targets[@]}"
  rm -rf "$build/packages"
  (cd "$build" && cpack -G DEB "${chosen[@]}" >cpack.log 2>&1) ||
    { tail -n 20 "$build/cpack.log" >&2; die "cpack failed; its whole log is $build/cpack.log"; }
  repack_symbols "$build/packages"
  mkdir -p "$out"
  rm -f "$out"/*.*deb
  cp "$build"/packages/*.deb "$out/"
  say "Packed $(find "$build/packages" -type f -printf '%f ')"
}
has_target() { cmake --build "$top/build/$1" -- -t targets all 2>/dev/null | grep -o "^$2:" | tr -d : || true; }

make_tar() {
  local name; name=netwright-$(version)-$(uname -m)
  install_missing "${yes:-0}" build gui package
  build portable "${programs[@]}"
  portable_tree "$top/build/portable" "$top/build/portable/$name"
  mkdir -p "$out"
  # One thread: the blocks of several depend on their number.
  tar -C "$top/build/portable" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "$name" | xz -T1 >"$out/$name.tar.xz"
  say "Packed $name.tar.xz ($(du -m "$out/$name.tar.xz" | cut -f 1) MB)"
}

make_wheel() {
  install_missing "${yes:-0}" build package
  build portable netwright-cli nw_images
  mkdir -p "$out"
  python3 -B "$top/installer/wheel/build.py" --build "$top/build/portable" --version "$(version)" --out "$out"
}

kinds=() only=()
while (( $# )); do
  case $1 in
    --yes|-y) yes=1 ;;
    --only)
      IFS=, read -r -a only <<<"${2:?--only takes names of packages}"; shift
      for part in "${only[@]}"; do [[ -n ${targets_of[$part]:-} ]] || { say "--only takes cli, window, cuda, mpi and doc, with commas between them."; exit 2; }; done ;;
    --in) suite=${2:-}; shift; [[ $suite =~ ^[a-z]+$ ]] || { say "--in takes the name of a release of Debian, such as trixie."; exit 2; } ;;
    deb|tar|wheel) kinds+=("$1") ;;
    all) kinds+=(deb tar wheel) ;;
    --help|-h) sed -n '3,17s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) say "Unknown package $1; --help lists them."; exit 2 ;;
  esac
  shift
done
(( ${#kinds[@]} )) || kinds=(deb tar wheel)
if [[ -n ${suite:-} ]]; then
  if (( ${#only[@]} )); then kinds=(--only "$(IFS=,; echo "${only[*]}")" "${kinds[@]}"); fi
  package_in "$suite" "${kinds[@]}"
  exit
fi
for kind in "${kinds[@]}"; do "make_$kind"; done
