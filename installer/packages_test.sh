#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the packages of build/packages where nothing is installed: in fresh Debian systems below a folder of their own. Commands are those of the
# user guide's chapter "installing", as it has them. As root; needs mmdebstrap, Xvfb, xdotool and a network connection. Part of installer/long.sh.
#
#   installer/packages_test.sh [deb|tar|wheel]... [--suites bookworm,trixie] [--from FOLDER]
#
# deb: installs, plays the guide's first chapters, opens a file as a file manager does on a display of Xvfb, trains on own photos in a Chinese
# window at 200 %, removes: nothing may stay. The packages for another release lie in build/packages/SUITE (installer/package.sh deb --in SUITE).
# tar: as a user without root, with its window. wheel: as a user, with and without pandas.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/fresh.sh"

out=$top/build/packages
suites=(bookworm trixie) kinds=()
while (( $# )); do
  case $1 in
    --suites) IFS=, read -r -a suites <<<"${2:?--suites needs names}"; shift ;;
    --from) out=$(realpath "${2:?--from needs a folder}"); shift ;;
    deb|tar|wheel) kinds+=("$1") ;;
    *) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
  shift
done
(( ${#kinds[@]} )) || kinds=(deb tar wheel)
{ (( EUID == 0 )) && command -v mmdebstrap && command -v Xvfb && command -v xdotool; } >/dev/null ||
  { say "Skipped: it needs root, mmdebstrap, Xvfb and xdotool."; exit 77; }

base=$(mktemp -d)
chmod 711 "$base"
trap 'leave; stop_display; rm -rf --one-file-system "$base"' EXIT
home() { printf '%s' "$root/home/somebody"; }

# play PATH SCRIPT WHAT: blocks of the guide; what they print is shown where one fails
play() {
  as_user "$1" "$2" >"$base/played.txt" 2>&1 || { cat "$base/played.txt" >&2; say "a block of the guide failed: $3"; return 1; }
  say "the guide: $3"
}
# chapter KIND STEP: the blocks on installing that are marked so
chapter() { local blocks; blocks=$(python3 -B "$top/tests/docs/marked_blocks.py" "$1" "$2"); play /usr/bin "$blocks" "installing, $1 $2"; }
# guide CHAPTER PATH: the blocks of another chapter, with the programs of this folder
guide() {
  local blocks
  blocks=$(python3 -B "$top/tests/docs/marked_blocks.py" "$1" "$(home)")
  give_to_user
  play "$2" "$blocks" "$1"
}

# use PATH [1]: what every kind must do, with the programs of this folder; 1 if the window is among them
use() {
  as_user "$1" 'netwright-cli --version; netwright-cli new --template lenet5 -o a.netwright >/dev/null
    netwright-cli train a.netwright --epochs 2 --run-dir run --quiet
    netwright-cli evaluate run --split test | head -n 3'
  [[ ${2:-} != 1 ]] || as_user "$1" 'netwright --thumbnail 256 a.netwright a.png; netwright --thumbnail 256 run/run.json run.png; [[ -s a.png && -s run.png ]]'
}
# reads_photos PATH: predicts a JPEG and a PNG of several kinds
reads_photos() {
  cp "$top"/tests/reference/odd_images/jpeg/{4-2-0,grey,progressive}.jpg "$top"/resources/pictures/design.png "$(home)/"
  give_to_user
  as_user "$1" 'for photo in 4-2-0.jpg grey.jpg progressive.jpg design.png; do netwright-cli predict run $photo | grep . >/dev/null; done'
}

# names_bundled_libraries PATH: each with its version and its licence
names_bundled_libraries() {
  as_user "$1" 'bundled=$(netwright-cli about --json | grep "\"bundled\":true")
    (( $(wc -l <<<"$bundled") > 10 )) || { echo "only these libraries are listed: $bundled"; exit 1; }
    ! grep -v "\"version\":\"[0-9]" <<<"$bundled" || { echo "these have no version"; exit 1; }
    ! grep -v "\"licence_file\":\"/" <<<"$bundled" || { echo "these have no licence"; exit 1; }'
}

# names_brought_licences PATH: the wheel's libraries are all of components, and the licence of each lies in the wheel
names_brought_licences() {
  as_user "$1" 'told=$(netwright-cli about --json)
    for licence in $(find ~/netwright -path "*/licences/*" ! -name versions.txt); do
      grep -F "\"licence_file\":\"$licence\"" <<<"$told" >/dev/null || { echo "$licence is told of no component"; exit 1; }
    done
    (( $(grep -c "/licences/" <<<"$told") > 5 )) || { echo "only these licences are told: $told"; exit 1; }'
}

# opens_by_double_click: what a file manager does with a.netwright: its type, the program of that type, a window of this name on a display
opens_by_double_click() {
  as_user /usr/bin 'is() { [[ $2 == "$3" ]] || { echo "xdg-mime: $1 is \"$2\", not $3"; exit 1; }; }
    is "the type of a project" "$(xdg-mime query filetype ~/a.netwright)" application/x-netwright
    is "its program" "$(xdg-mime query default application/x-netwright)" org.netwright.Netwright.desktop
    is "the type of a run" "$(xdg-mime query filetype ~/run/run.json)" application/x-netwright-run'
  shows_window '^a .*Netwright' /usr/bin 'xdg-open ~/a.netwright'
  closes_window
}

# own_photos_in_chinese: the guide's chapter on own photos in the window of a Chinese desktop at 200 %, from the folder of photos that guide() has
# made. The folder is named when the window is started, in place of the dialog that chooses one. F1 opens the Chinese guide.
own_photos_in_chinese() {
  local id
  stop_display
  start_display 2732x1536
  mkdir -p "$(home)/bin"
  printf '#!/bin/sh\necho "$1" >~/opened\n' >"$(home)/bin/xdg-open"   # in place of a browser
  chmod 755 "$(home)/bin/xdg-open"
  give_to_user
  shows_window '用自己的照片训练' /home/somebody/bin 'netwright photos' LANG=zh_CN.UTF-8 QT_SCALE_FACTOR=2
  xdotool key Return   # its button "创建项目"
  id=$(window_of '^photos - Netwright') || { say "no project was created"; return 1; }
  sleep 1
  xdotool windowfocus "$id"; sleep 1; xdotool key F5
  within 300 has_trained photos || { say "F5 has trained nothing"; return 1; }
  say "trained: $(as_user /usr/bin 'netwright-cli runs list' | tail -n 1)"
  xdotool key F1
  within 30 test -s "$(home)/opened" || { say "F1 has opened nothing"; return 1; }
  as_user /usr/bin 'page=$(cat opened); page=${page#file://}; [[ $page == */guide/zh_CN/*.html && -s $page ]] || { echo "F1 has opened $page"; exit 1; }; echo "F1: $page"'
  closes_window
  stop_display
}
has_trained() { as_user /usr/bin "netwright-cli runs list --where '$1 and status = finished'" 2>/dev/null | grep "$1" >/dev/null; }

# debs_of SUITE: the folder of the packages for this release; fails where there are none
debs_of() {
  local folder=$out
  [[ ! -d $out/$1 ]] || folder=$out/$1
  compgen -G "$folder/netwright-cli_*+deb${release}_*.deb" >/dev/null || return 1
  printf '%s' "$folder"
}

# try_deb: the command line, and the window and the documents where they were built
try_deb() {
  local before left from release window=
  release=$(sed -n 's/^VERSION_ID="\(.*\)"/\1/p' "$root/etc/os-release")
  from=$(debs_of "$suite") || { say "There are no packages for Debian $release; installer/package.sh deb --in $suite builds them."; return 1; }
  install_there sudo shared-mime-info desktop-file-utils xdg-utils libfile-mimeinfo-perl hicolor-icon-theme
  before=$(as_root dpkg-query -W -f '${Package}\n') left=$(files)
  cp "$from"/netwright-cli_*.deb "$(home)/Downloads/"
  if cp "$from"/netwright_*.deb "$from"/netwright-doc_*.deb "$(home)/Downloads/" 2>/dev/null; then window=1; else say "There is no window or no netwright-doc here: the command line alone is tried."; fi
  chapter deb server
  if as_root dpkg-query -W 'libqt6*' 2>/dev/null | grep .; then say "the command line brought Qt"; return 1; fi
  [[ -z $window ]] || chapter deb install
  say "installed: $(as_root dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Installed-Size} KiB\n' 'netwright*' | sed -n 's/^ii *//p' | paste -sd,)"
  use /usr/bin $window
  reads_photos /usr/bin
  [[ -z $window ]] || { opens_by_double_click; guide first_network /usr/bin; guide own_photos /usr/bin; own_photos_in_chinese; }
  as_root bash -c 'man -w netwright-cli >/dev/null 2>&1 || [[ -e /usr/share/man/man1/netwright-cli.1.gz ]]'
  as_root bash -c 'apt-get install -y -qq --reinstall /home/somebody/Downloads/netwright-cli_*.deb >/dev/null'
  if [[ -n $window ]]; then chapter deb remove; else as_root apt-get remove -y -qq netwright-cli >/dev/null; fi
  comm -13 <(echo "$before") <(as_root dpkg-query -W -f '${Package}\n') | xargs -r chroot "$root" apt-get purge -y -qq >/dev/null
  if diff <(grep -v '^./home/somebody' <<<"$left") <(files | grep -v '^./home/somebody') | grep '^>' | grep -i netwright; then echo "these files stayed"; return 1; fi
}
try_tar() {
  local folder
  cp "$out"/netwright-*.tar.xz "$(home)/Downloads/"
  # a minimal system has no xz; those of people have
  as_user /bin 'command -v xz >/dev/null' || install_there xz-utils
  chapter tar install
  folder=/home/somebody/$(basename "$out"/netwright-*.tar.xz .tar.xz)/bin
  use "$folder" 1
  names_bundled_libraries "$folder"
  reads_photos "$folder"
  shows_window Netwright /bin "$(python3 -B "$top/tests/docs/marked_blocks.py" tar window)"
  closes_window
  shows_window '^a .*Netwright' "$folder" 'netwright a.netwright'
  closes_window
}
try_wheel() {
  local bin=/home/somebody/netwright/bin
  cp "$out"/netwright-*.whl "$(home)/Downloads/"
  install_there python3-venv
  chapter wheel install
  chapter wheel python   # tables are lists
  use "$bin"
  reads_photos "$bin"
  names_brought_licences "$bin"
  as_user /bin '! find ~/netwright -iname "*opencv*" | grep .'
  install_there python3-pandas
  cp "$top/tests/packages/installed_wheel.py" "$(home)/"
  as_user "$bin" 'python installed_wheel.py run 4-2-0.jpg design.png'
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
