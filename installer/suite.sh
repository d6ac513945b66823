# SPDX-License-Identifier: Apache-2.0
# Functions of package.sh: building in another release of Debian. Sourced, not run.

# package_in SUITE [package.sh's arguments]: runs package.sh on a copy of the sources in a system of that release, which is kept below
# build/suites: the next call compiles only what has changed. Packages come to build/packages/SUITE.
package_in() {
  local suite=$1 root=$top/build/suites/$1
  shift
  { (( EUID == 0 )) && command -v mmdebstrap >/dev/null; } || die "--in needs root and mmdebstrap."
  make_suite "$suite" "$root"
  copy_sources "$root/src"
  say "Building in Debian $(cat "$root/etc/debian_version") ..."
  in_suite "$root" /src/installer/package.sh --yes "$@"
  mkdir -p "$top/build/packages/$suite"
  rm -f "$top/build/packages/$suite"/*
  cp "$root"/src/build/packages/* "$top/build/packages/$suite/"
  say "Packages for $suite: build/packages/$suite"
}

# make_suite SUITE ROOT: a system with everything that builds the packages, unless it is there
make_suite() {
  local names
  [[ ! -e $2/built ]] || return 0
  rm -rf --one-file-system "$2"
  mkdir -p "$(dirname "$2")"
  names=$({ packages_of build gui package; packages_of test | grep openmpi; } | cut -d'|' -f1 | sort -u | paste -sd,)
  say "Making a system of Debian $1 ..."
  mmdebstrap --quiet --variant=minbase --include="$names" "$1" "$2"
  touch "$2/built"
}

# copy_sources FOLDER: what git knows or would add, with its times, so that the next build compiles only what has changed
copy_sources() {
  mkdir -p "$1"
  find "$1" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  if git -C "$top" rev-parse --git-dir >/dev/null 2>&1; then
    git -C "$top" ls-files -z --cached --others --exclude-standard
  else
    (cd "$top" && find . -path ./build -prune -o -type f -print0)
  fi | (cd "$top" && { xargs -0 ls -d 2>/dev/null || true; } | tar -cf - --no-recursion -T -) | tar -xf - -C "$1"
}

# in_suite ROOT COMMAND...: in name spaces of its own, so that /proc goes with it
in_suite() {
  local root=$1
  shift
  unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" CCACHE_DIR=/src/build/ccache nice -n "$(nice)" "$@"
}
