#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a clone to a network ready to train: installs missing packages (after confirmation), builds, opens the window with LeNet-5
# on the canvas. Without a display it trains the same network in the terminal.
#
#   installer/run.sh [--yes] [--epochs N] [FILE|RUN_DIR]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

yes=0 epochs=() open=()
while (( $# )); do
  case $1 in
    --yes|-y) yes=1 ;;
    --epochs) epochs=(--epochs "${2:?--epochs needs a number}"); shift ;;
    --help|-h) sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) say "Unknown option $1; --help lists them."; exit 2 ;;
    *) open=("$1") ;;
  esac
  shift
done

bin=$top/build/release/bin
# A checksum of the sources' names, sizes and times is stored: a second start compares it instead of building.
sources() { (cd "$top" && find CMakeLists.txt CMakePresets.json app engine kernels resources ui -type f -printf '%p %s %T@\n' | sort | cksum); }
stamp=$top/build/release/built-from
if [[ ! -x $bin/netwright || ! -x $bin/netwright-cli || $(sources) != "$(cat "$stamp" 2>/dev/null)" ]]; then
  install_missing "$yes" build gui
  now=$(sources)
  build release netwright netwright-cli nw_images nw_net nw_http
  printf '%s' "$now" >"$stamp"
fi

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
  if (( ${#open[@]} )); then exec "$bin/netwright" "${open[@]}"; fi
  exec "$bin/netwright" --template lenet5
fi

say "No display here: training LeNet-5 in this terminal. With a display the same command opens the window."
project=${open[0]:-}
if [[ -z $project ]]; then
  project=$(mktemp -d)/lenet5.netwright
  "$bin/netwright-cli" new --template lenet5 -o "$project"
fi
exec "$bin/netwright-cli" train "$project" "${epochs[@]}"
