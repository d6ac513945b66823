#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the packages of build/packages where nothing is installed: in fresh Debian systems below a folder of their own. As root; needs
# mmdebstrap and a network connection. Part of installer/long.sh.
#
#   installer/packages_test.sh [deb|tar|wheel]... [--suites bookworm,trixie]
#
# deb: installs, trains, opens a file as a file manager does on a display of Xvfb, removes and purges: nothing may stay. The packages for another
# release lie in build/packages/SUITE (installer/package.sh deb --in SUITE). tar, wheel: as a user without root.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

out=$top/build/packages
suites=(bookworm trixie) kinds=()
while (( $# )); do
  case $1 in
    --suites) IFS=, read -r -a suites <<<"${2:?--suites needs names}"; shift ;;
    deb|tar|wheel) kinds+=("$1") ;;
    *) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
  shift
done
(( ${#kinds[@]} )) || kinds=(deb tar wheel)
{ (( EUID == 0 )) && command -v mmdebstrap >/dev/null; } || { say "Skipped: it needs root and mmdebstrap."; exit 77; }

base=$(mktemp -d) root=
trap 'leave; rm -rf --one-file-system "$base"' EXIT
leave() { [[ -z $root ]] || { umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$root"; root=; }; }

# enter SUITE: a fresh system in $root, with the user "somebody"
enter() {
  [[ -d $base/$1 ]] || mmdebstrap --quiet --variant=minbase "$1" "$base/$1"
  root=$base/now
  cp -a "$base/$1" "$root"
  mount -t proc proc "$root/proc"
  chroot "$root" useradd -m somebody
  cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
}
as_root() { chroot "$root" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
as_user() { chroot --userspec=somebody:somebody "$root" env -i HOME=/home/somebody PATH="${1}:/usr/bin:/bin" LANG=C.UTF-8 XDG_RUNTIME_DIR=/tmp bash -euc "$2"; }
# All files but those that every installation changes.
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/cache -o -path ./var/log -o -path ./tmp \) -prune -o -print | sort); }

# What every kind must do; $1: the folder of the programs, $2: 1 if the window is among them
use() {
  as_user "$1" 'cd ~; netwright-cli --version; netwright-cli new --template lenet5 -o a.netwright >/dev/null
    netwright-cli train a.netwright --epochs 2 --run-dir run --quiet
    netwright-cli evaluate run --split test | head -n 3'
  [[ ${2:-} != 1 ]] || as_user "$1" 'cd ~; netwright --thumbnail 256 a.netwright a.png; netwright --thumbnail 256 run/run.json run.png
    code=0; QT_QPA_PLATFORM=offscreen timeout 8 netwright a.netwright 2>window.txt || code=$?
    [[ $code == 124 ]] || { cat window.txt; echo "the window ended with $code"; exit 1; }'
}

# opens_by_double_click: what a file manager does with a.netwright: its type, the program of that type, a window of this name on a display
opens_by_double_click() {
  as_user /usr/bin 'is() { [[ $2 == "$3" ]] || { echo "xdg-mime: $1 is \"$2\", not $3"; exit 1; }; }
    is "the type of a project" "$(xdg-mime query filetype ~/a.netwright)" application/x-netwright
    is "its program" "$(xdg-mime query default application/x-netwright)" org.netwright.Netwright.desktop
    is "the type of a run" "$(xdg-mime query filetype ~/run/run.json)" application/x-netwright-run'
  as_user /usr/bin 'cd ~; export DISPLAY=:71; opened= display=
    ends() { kill -- "-$opened"; kill "$display"; wait; } 2>/dev/null
    trap "ends || true" EXIT
    Xvfb :71 -screen 0 1366x768x24 -nolisten tcp >/dev/null 2>&1 & display=$!
    for _ in {1..50}; do [[ ! -e /tmp/.X11-unix/X71 ]] || break; sleep 0.1; done
    setsid xdg-open ~/a.netwright >opened.txt 2>&1 & opened=$!
    for _ in {1..600}; do ids=$(xdotool search --onlyvisible --name "^a .*Netwright" 2>/dev/null) && break; sleep 0.1; done
    [[ -n ${ids:-} ]] || { cat opened.txt; echo "xdg-open brought no window of the project"; exit 1; }
    for id in $ids; do echo "window: $(xdotool getwindowname "$id"), $(xdotool getwindowgeometry "$id" | sed -n "s/ *Geometry: //p")"; done'
}

# debs_of SUITE: the folder of the packages for this release; fails where there are none
debs_of() {
  local folder=$out
  [[ ! -d $out/$1 ]] || folder=$out/$1
  compgen -G "$folder/netwright-cli_*+deb${release}_*.deb" >/dev/null || return 1
  printf '%s' "$folder"
}

# try_deb: the command line, and the window and the documents where they were built
try_deb() {
  local before after left from release window=
  release=$(sed -n 's/^VERSION_ID="\(.*\)"/\1/p' "$root/etc/os-release")
  from=$(debs_of "$suite") || { say "There are no packages for Debian $release; installer/package.sh deb --in $suite builds them."; return 1; }
  as_root apt-get update -qq
  as_root apt-get install -y -qq --no-install-recommends shared-mime-info desktop-file-utils xdg-utils libfile-mimeinfo-perl hicolor-icon-theme xvfb xdotool >/dev/null
  before=$(as_root dpkg-query -W -f '${Package}\n') left=$(files)
  cp "$from"/netwright-cli_*.deb "$root/tmp/"
  cp "$from"/netwright-doc_*.deb "$root/tmp/" 2>/dev/null || say "There is no netwright-doc here: left out."
  if cp "$from"/netwright_*.deb "$root/tmp/" 2>/dev/null; then window=1; else say "There is no window here: the command line alone is tried."; fi
  as_root bash -c 'apt-get install -y -qq --no-install-recommends /tmp/netwright*.deb >/dev/null'
  say "installed: $(as_root dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Installed-Size} KiB\n' 'netwright*' | sed -n 's/^ii *//p' | paste -sd,)"
  use /usr/bin $window
  [[ -z $window ]] || opens_by_double_click
  as_root bash -c 'man -w netwright-cli >/dev/null 2>&1 || [[ -e /usr/share/man/man1/netwright-cli.1.gz ]]'
  as_root bash -c "apt-get install -y -qq --reinstall /tmp/netwright-cli_*.deb >/dev/null; apt-get purge -y -qq 'netwright*' >/dev/null"
  comm -13 <(echo "$before") <(as_root dpkg-query -W -f '${Package}\n') | xargs -r chroot "$root" apt-get purge -y -qq >/dev/null
  after=$(files | grep -v '^./home/somebody')
  if diff <(grep -v '^./home/somebody' <<<"$left") <(echo "$after") | grep '^>' | grep -i netwright; then echo "these files stayed"; return 1; fi
}
try_tar() {
  as_user /bin 'tar -C ~ -xJ' <"$(ls "$out"/netwright-*.tar.xz)" 2>/dev/null || { as_root bash -c 'apt-get update -qq; apt-get install -y -qq xz-utils >/dev/null'; as_user /bin 'tar -C ~ -xJ' <"$(ls "$out"/netwright-*.tar.xz)"; }
  use "/home/somebody/$(basename "$(ls "$out"/netwright-*.tar.xz)" .tar.xz)/bin" 1
}
try_wheel() {
  as_root bash -c 'apt-get update -qq; apt-get install -y -qq --no-install-recommends python3-venv >/dev/null'
  cp "$out"/netwright-*.whl "$root/tmp/"
  as_user /bin 'python3 -m venv ~/v; ~/v/bin/pip install --no-index --quiet /tmp/netwright-*.whl'
  use /home/somebody/v/bin
  as_user /home/somebody/v/bin 'cd ~; python -c "
import netwright
run = netwright.open_run(\"run\")
print(run.name, len(run.epochs()))"'
}

for suite in "${suites[@]}"; do
  for kind in "${kinds[@]}"; do
    begin=$SECONDS
    enter "$suite"
    "try_$kind"   # ends here where it fails
    say "PASSED $kind on Debian $(cat "$root/etc/debian_version") in $((SECONDS - begin)) s"
    leave
  done
done
