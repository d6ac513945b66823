#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds packages twice, in two folders of different names, with another umask, locale, time zone, home folder, order of Python's sets and
# number of jobs, at another time and without the compiler's cache, and compares them byte by byte. Part of installer/long.sh.
#
#   installer/reproducible.sh [deb|tar|wheel]... [--only cli]     two builds of copies of this tree below build/reproducible
#   installer/reproducible.sh --pack [deb|tar|wheel]...           one build, that of this tree, packed twice
#   installer/reproducible.sh --compare FOLDER FOLDER             packages that are there
#
# A folder that it built is kept and used again with --keep; else both are removed at the end.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/suite.sh"

place=$top/build/reproducible
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/CHANGELOG.md")}

# The two builders, who differ in what must not matter. unshare gives the second another host name where it may.
first() { (umask 022; CCACHE_DISABLE=1 LC_ALL=C.UTF-8 TZ=UTC PYTHONHASHSEED=1 "$@"); }
second() {
  local home; home=$(mktemp -d)
  (umask 077; CCACHE_DISABLE=1 LC_ALL=$(other_locale) TZ=Asia/Shanghai PYTHONHASHSEED=2 HOME=$home USER=somebody LOGNAME=somebody "$@")
  rm -rf "$home"
}
other_locale() { locale -a 2>/dev/null | grep -m 1 -iE '^(zh_CN|de_DE|fr_FR|tr_TR)' || echo C; }

# inside FILE FOLDER: what the package holds, and the control files of a Debian package
inside() {
  mkdir -p "$2"
  case $1 in
    *deb) dpkg-deb -R "$1" "$2" ;;
    *.tar.xz) tar -C "$2" -xJf "$1" ;;
    *.whl) python3 -m zipfile -e "$1" "$2" ;;
  esac
}

# explain A B: the files that differ, or the order, times and modes in the archive where none does
explain() {
  local folder; folder=$(mktemp -d)
  if command -v diffoscope >/dev/null; then diffoscope --text - "$1" "$2" | head -n 60 || true; fi
  inside "$1" "$folder/a" && inside "$2" "$folder/b"
  diff -rq "$folder/a" "$folder/b" | sed "s|$folder/||g" | head -n 40 || true
  if [[ $1 == *deb ]]; then diff <(dpkg-deb -c "$1") <(dpkg-deb -c "$2") | head -n 20 || true; fi
  rm -rf "$folder"
}

# compare A B: every package of both folders; status 1 if one differs or is in one folder only
compare() {
  local status=0 name
  diff <(ls "$1") <(ls "$2") >&2 || { say "The folders hold different packages."; status=1; }
  [[ -n $(ls "$1") ]] || { say "There is no package to compare."; return 1; }
  for name in "$1"/*; do
    name=${name##*/}
    [[ -f $1/$name && -f $2/$name ]] || continue
    if cmp -s "$1/$name" "$2/$name"; then
      say "the same bytes: $name ($(sha256sum <"$1/$name" | cut -c 1-16))"
    else
      status=1
      say "DIFFERENT: $name"
      explain "$1/$name" "$2/$name" >&2
    fi
  done
  return $status
}

# build_into FOLDER TREE WHO KIND...: packages of the tree, made by this builder
build_into() {
  local out=$1 tree=$2 who=$3 begin=$SECONDS
  shift 3
  rm -rf "$tree/build/packages" "$out"
  "$who" "$tree/installer/package.sh" --yes "$@" >"$place/$who.log" 2>&1 || { tail -n 20 "$place/$who.log" >&2; die "The $who build failed; its whole log is $place/$who.log"; }
  mv "$tree/build/packages" "$out"
  say "The $who build took $((SECONDS - begin)) s."
}

pack=0 keep=0 kinds=()
while (( $# )); do
  case $1 in
    --compare) compare "${2:?--compare takes two folders}" "${3:?--compare takes two folders}"; exit ;;
    --pack) pack=1 ;;
    --keep) keep=1 ;;
    --only) kinds+=(--only "${2:?--only takes cli}"); shift ;;
    deb|tar|wheel) kinds+=("$1") ;;
    *) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
  shift
done
(( ${#kinds[@]} )) || kinds=(deb tar wheel)
mkdir -p "$place"
trees=("$place/one" "$place/another-folder-with-a-longer-name")
if (( pack )); then
  trees=("$top" "$top")
else
  for tree in "${trees[@]}"; do copy_sources "$tree"; done
fi
build_into "$place/first" "${trees[0]}" first "${kinds[@]}"
build_into "$place/second" "${trees[1]}" second "${kinds[@]}"
compare "$place/first" "$place/second"
(( ! pack )) || cp -r "$place/second" "$top/build/packages"
(( pack || keep )) || rm -rf "${trees[@]}"
