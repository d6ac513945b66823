#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds the Debian packages of build/packages to piuparts: each is installed, removed and purged in a fresh system, then installed in its
# previous version, upgraded, removed and purged; no file may stay or change. The previous version is the same package under a lower number,
# from a repository that this script makes. As root; needs piuparts, mmdebstrap, dpkg-dev and a network connection. Part of installer/long.sh.
#
#   installer/piuparts_test.sh [PACKAGE]... [--suite bookworm] [--from FOLDER]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

suite=bookworm names=() out=$top/build/packages
while (( $# )); do
  case $1 in
    --suite) suite=${2:?--suite needs a name}; shift ;;
    --from) out=$(realpath "${2:?--from needs a folder}"); shift ;;
    netwright*) names+=("$1") ;;
    *) sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
  shift
done
[[ $suite == bookworm || ! -d $out/$suite ]] || out=$out/$suite
{ (( EUID == 0 )) && command -v piuparts && command -v mmdebstrap && command -v dpkg-scanpackages; } >/dev/null ||
  { say "Skipped: it needs root, piuparts, mmdebstrap and dpkg-dev."; exit 77; }
(( ${#names[@]} )) || mapfile -t names < <(for file in "$out"/*.deb; do dpkg-deb -f "$file" Package; done | grep -v -e -dbgsym)

base=$(mktemp -d)
trap 'rm -rf --one-file-system "$base"' EXIT
log=$top/build/packages/piuparts-$suite.log
mkdir -p "${log%/*}"

# as_previous DEB: the same package as version 0.0.9, in the repository; packages that need it in its version need that one
as_previous() {
  local tree=$base/tree version
  version=$(dpkg-deb -f "$1" Version)
  rm -rf "$tree"
  dpkg-deb -R "$1" "$tree"
  sed -i "s/^Version: .*/Version: 0.0.9-0upstream1/; /^Depends:/s/(= $version)/(= 0.0.9-0upstream1)/g" "$tree/DEBIAN/control"
  dpkg-deb --root-owner-group -b "$tree" "$base/previous/" >/dev/null
}

mkdir "$base/previous"
for file in "$out"/*.deb; do [[ $file == *-dbgsym_* ]] || as_previous "$file"; done
(cd "$base/previous" && dpkg-scanpackages --multiversion . >Packages 2>/dev/null)
chmod -R a+rX "$base"
mmdebstrap --quiet --variant=minbase --include=ca-certificates "$suite" "$base/system.tar.gz"

# What netwright-cli and netwright need of each other in the same version is tried together.
debs=()
for name in "${names[@]}"; do debs+=("$out/${name}"_*.deb); done
# tmp.ci: a folder of apt-utils' own, in which Debian 13 asks the questions of dependencies before they are installed
begin=$SECONDS
piuparts --distribution="$suite" --mirror="http://deb.debian.org/debian main" --basetgz="$base/system.tar.gz" \
  --extra-repo="deb [trusted=yes] file:$base/previous ./" --bindmount="$base/previous" \
  --ignore-regex='^/var/cache/debconf/tmp\.ci/?$' --no-eatmydata "${debs[@]}" >"$log" 2>&1 || { grep -E 'ERROR|FAIL|WARN' "$log" | head -n 30 >&2; tail -n 15 "$log" >&2; die "piuparts failed; its whole log is $log"; }
grep -E 'PASS|WARN' "$log" >&2 || true
say "PASSED piuparts of ${names[*]} on $suite in $((SECONDS - begin)) s"
