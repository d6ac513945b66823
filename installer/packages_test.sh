#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the packages of build/packages where nothing is installed: in fresh Debian systems below a folder of their own. As root; needs
# mmdebstrap and a network connection. Part of installer/long.sh.
#
#   installer/packages_test.sh [deb|tar|wheel]... [--suites bookworm,trixie]
#
# deb: installs, trains, opens a file as a file manager does, removes and purges: nothing may stay. tar, wheel: as a user without root.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

out=$top/build/packages
suites=(bookworm trixie) kinds=()
while (( $# )); do
  case $1 in
    --suites) IFS=, read -r -a suites <<<"${2:?--suites needs names}"; shift ;;
    deb|tar|wheel) kinds+=("$1") ;;
    *) sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
  shift
done
(( ${#kinds[@]} )) || kinds=(deb tar wheel)
(( EUID == 0 )) && command -v mmdebstrap >/dev/null || { say "Skipped: it needs root and mmdebstrap."; exit 77; }

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
  [[ ${2:-} != 1 ]] || as_user "$1" 'cd ~; netwright --thumbnail 256 a.netwright a.png
    code=0; QT_QPA_PLATFORM=offscreen timeout 8 netwright a.netwright 2>window.txt || code=$?
    [[ $code == 124 ]] || { cat window.txt; echo "the window ended with $code"; exit 1; }'
}

try_deb() {
  local before after left
  as_root apt-get update -qq
  as_root apt-get install -y -qq --no-install-recommends shared-mime-info desktop-file-utils xdg-utils hicolor-icon-theme >/dev/null
  before=$(as_root dpkg-query -W -f '${Package}\n') left=$(files)
  cp "$out"/netwright{,-cli,-doc}_*.deb "$root/tmp/"
  as_root bash -c 'apt-get install -y -qq --no-install-recommends /tmp/netwright*.deb >/dev/null'
  use /usr/bin 1
  as_user /usr/bin '[[ $(xdg-mime query filetype ~/a.netwright) == application/x-netwright ]]
    [[ $(xdg-mime query default application/x-netwright) == org.netwright.Netwright.desktop ]]
    [[ $(xdg-mime query filetype ~/run/run.json) == application/x-netwright-run ]]'
  as_root bash -c 'man -w netwright-cli >/dev/null 2>&1 || [[ -e /usr/share/man/man1/netwright-cli.1.gz ]]'
  as_root bash -c "apt-get install -y -qq --reinstall /tmp/netwright-cli_*.deb >/dev/null; apt-get purge -y -qq 'netwright*' >/dev/null"
  comm -13 <(echo "$before") <(as_root dpkg-query -W -f '${Package}\n') | xargs -r chroot "$root" apt-get purge -y -qq >/dev/null
  after=$(files | grep -v '^./home/somebody')
  diff <(grep -v '^./home/somebody' <<<"$left") <(echo "$after") | grep '^>' | grep -i netwright && { echo "these files stayed"; return 1; } || true
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
    "try_$kind" && say "PASSED $kind on Debian $(cat "$root/etc/debian_version") in $((SECONDS - begin)) s"
    leave
  done
done
