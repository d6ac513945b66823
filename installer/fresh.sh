# SPDX-License-Identifier: Apache-2.0
# Functions of packages_test.sh: fresh systems below a folder of their own, and a display beside them. Sourced, not run.

base='' root='' display='' shown=''

# enter SUITE: a fresh system in $root, with the user "somebody", who may install packages. Questions of apt are answered with yes.
enter() {
  [[ -d $base/$1 ]] || mmdebstrap --quiet --variant=minbase "$1" "$base/$1"
  root=$base/now
  cp -a "$base/$1" "$root"
  mount -t proc proc "$root/proc"
  chroot "$root" useradd -m somebody
  mkdir -p "$root/etc/sudoers.d" "$root/home/somebody/Downloads"
  echo 'somebody ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/somebody"
  printf '%s "%s";\n' APT::Get::Assume-Yes true APT::Install-Recommends false quiet 1 >"$root/etc/apt/apt.conf.d/90test"
  cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
  as_root apt-get update -qq
}
leave() { closes_window; [[ -z $root ]] || { umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$root"; root=; }; }

as_root() { chroot "$root" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
install_there() { as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }

# as_user PATH SCRIPT [NAME=VALUE...]: in the user's home folder; programs are those of PATH and of the system
as_user() {
  local path=$1 script=$2
  shift 2
  chroot --userspec=somebody:somebody "$root" env -i HOME=/home/somebody PATH="$path:/usr/bin:/bin" LANG=C.UTF-8 XDG_RUNTIME_DIR=/tmp \
    ${DISPLAY:+DISPLAY="$DISPLAY"} "$@" bash -euc "cd ~; $script"
}
give_to_user() { chroot "$root" chown -R somebody: /home/somebody; }

# All files but those that every installation changes.
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/cache -o -path ./var/log -o -path ./tmp \) -prune -o -print | sort); }

# start_display SIZE: a display of this computer, so that nothing that shows windows comes into the fresh systems with it; sets DISPLAY
start_display() {
  local output number
  exec {output}< <(exec Xvfb -displayfd 1 -screen 0 "${1}x24" -nolisten tcp -noreset 2>/dev/null)
  display=$!
  read -r -t 60 -u "$output" number || die "Xvfb did not start."
  export DISPLAY=:$number
}
stop_display() { [[ -z $display ]] || { kill "$display" 2>/dev/null || true; display=; unset DISPLAY; }; }

# within SECONDS COMMAND...: tries it until it succeeds; fails after this time
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do (( SECONDS < end )) || return 1; sleep 0.2; done
}

# window_now PATTERN: the number of a visible window whose name fits; xdotool's own search knows only names of ASCII letters
window_now() {
  local id
  for id in $(xdotool search --onlyvisible --name '.*' 2>/dev/null); do
    [[ ! $(xdotool getwindowname "$id" 2>/dev/null) =~ $1 ]] || { printf '%s' "$id"; return 0; }
  done
  return 1
}
# window_of PATTERN: waits for at most a minute for it
window_of() { within 60 window_now "$1"; }

# shows_window PATTERN PATH SCRIPT [NAME=VALUE...]: what the user starts brings a window of this name, which stays; prints name and size. It is
# closed by closes_window.
shows_window() {
  local pattern=$1 id
  shift
  [[ -n $display ]] || start_display 1366x768
  set -m   # in a group of its own, which closes_window ends
  as_user "$@" >"$base/window.txt" 2>&1 &
  shown=$!
  set +m
  id=$(window_of "$pattern") || { cat "$base/window.txt" >&2; say "there was no window \"$pattern\""; return 1; }
  sleep 2
  say "window: $(xdotool getwindowname "$id"), $(xdotool getwindowgeometry "$id" | sed -n 's/ *Geometry: //p')"
}
closes_window() { [[ -z $shown ]] || { kill -- "-$shown" 2>/dev/null || true; wait "$shown" 2>/dev/null || true; shown=; }; }
