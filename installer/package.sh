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
# Packages are made of the sources as they are; the same sources and the same compiler give the same bytes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/portable.sh"

out=$top/build/packages
# The times of all files in packages: that of the last change of the sources (https://reproducible-builds.org/specs/source-date-epoch/).
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/CHANGELOG.md")}
version() { sed -n 's/^project(Netwright VERSION \([0-9.]*\).*/\1/p' "$top/CMakeLists.txt"; }
programs=(netwright netwright-cli nw_images nw_net nw_http pages)

make_deb() {
  local build=$top/build/package
  install_missing "${yes:-0}" build gui package
  build package "${programs[@]}" $(has_target package nw_cuda) $(has_target package nw_mpi) guide
  rm -rf "$build/packages"
  (cd "$build" && cpack -G DEB >cpack.log 2>&1) || { tail -n 20 "$build/cpack.log" >&2; die "cpack failed; its whole log is $build/cpack.log"; }
  mkdir -p "$out"
  cp "$build"/packages/*.*deb "$out/"
  say "Packed $(cd "$build/packages" && ls | tr '\n' ' ')"
}
has_target() { cmake --build "$top/build/$1" -- -t targets all 2>/dev/null | grep -o "^$2:" | tr -d : || true; }

make_tar() {
  local name; name=netwright-$(version)-$(uname -m)
  install_missing "${yes:-0}" build gui package
  build portable "${programs[@]}"
  portable_tree "$top/build/portable" "$top/build/portable/$name"
  mkdir -p "$out"
  tar -C "$top/build/portable" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cJf "$out/$name.tar.xz" "$name"
  say "Packed $name.tar.xz ($(du -m "$out/$name.tar.xz" | cut -f 1) MB)"
}

make_wheel() {
  install_missing "${yes:-0}" build package
  build portable netwright-cli nw_images
  mkdir -p "$out"
  python3 -B "$top/installer/wheel/build.py" --build "$top/build/portable" --version "$(version)" --out "$out"
}

for wanted in "$@"; do
  case $wanted in
    --yes|-y) yes=1 ;;
    deb|tar|wheel) "make_$wanted" ;;
    all) make_deb; make_tar; make_wheel ;;
    --help|-h) sed -n '3,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) say "Unknown package $wanted; --help lists them."; exit 2 ;;
  esac
done
(( $# )) || { make_deb; make_tar; make_wheel; }
