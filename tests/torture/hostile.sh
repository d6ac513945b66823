#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Plays hostile input against netwright-cli from outside: files, folders, archives, projects, run folders, sockets,
# signals, limits on memory, threads, files and disk. Each case must end within 10 s and 1 GB, with the exit code and the
# sentence that are written beside it, without a control character, and without a file outside its place.
# hostile.sh FOLDER_OF_PROGRAMS [CASES]: prints a line for each case that fails, then "N passed, M failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
cli=$(cd "$1" && pwd)/netwright-cli
only=${2:-}
seconds=${NETWRIGHT_HOSTILE_SECONDS:-10} megabytes=1024
place=$(mktemp -d)
leave() {
  local pid
  for pid in $(jobs -p); do kill -KILL "$pid" 2>/dev/null; done
  rm -rf "$place"
}
trap leave EXIT
cd "$place" || exit 1
export XDG_DATA_HOME=$place/data XDG_STATE_HOME=$place/state XDG_CACHE_HOME=$place/cache XDG_RUNTIME_DIR=$place/rt \
  XDG_CONFIG_HOME=$place/config NETWRIGHT_RUNS=$place/listed LC_ALL=C.UTF-8
unset NETWRIGHT_DATA
mkdir -p rt listed && chmod 700 rt
passed=0 failed=0 played=

fails() {
  failed=$((failed + 1))
  printf 'FAILED %s: %s\n' "$1" "$2"
  cat err out | sed 's/^/    /' | head -n 12 | cut -c -300
}

# case NAME CODE SENTENCE COMMAND...: CODE is an extended regular expression; SENTENCE one for the last line of the errors
# or, of a command that prints none, for its output; empty: any.
case_() {
  local name=$1 code=$2 sentence=$3
  shift 3
  # shellcheck disable=SC2053  # CASES is a pattern
  [[ -z $only || $name == $only ]] || return 0
  played+=" $name"
  local result took used
  rm -f out err
  read -r result took used < <(python3 -B "$here/limited.py" "$seconds" "$megabytes" out err "$@")
  if ! [[ $result =~ ^($code)$ ]]; then fails "$name" "exit code $result after $took s, not $code"
  elif (( used > megabytes )); then fails "$name" "$used MiB of memory"
  elif LC_ALL=C grep -qP '[\x00-\x08\x0B-\x1F\x7F]|\xC2[\x80-\x9F]|\xE2\x80[\xAA-\xAE\xA8\xA9]' out err; then
    fails "$name" "a control character in the output"
  elif grep -qE 'terminate called|Assertion|internal error|^OWNED' out err; then fails "$name" "an internal error"
  elif [[ -n $sentence && $result != 0 && -s err && $(grep -v '^warning: ' err | grep -c .) -gt 0 && $(grep -c '^netwright-cli: ' err) != 1 ]]; then fails "$name" "not one sentence"
  elif [[ -n $sentence && $result != 0 && -s err ]] && ! tail -n 1 err | grep -qE -- "$sentence"; then fails "$name" "no \"$sentence\""
  elif [[ -n $sentence && $result != 0 && ! -s err ]] && ! grep -qE -- "$sentence" out; then fails "$name" "no \"$sentence\""
  elif [[ -n $sentence && $result == 0 ]] && ! cat out err | grep -qE -- "$sentence"; then fails "$name" "no \"$sentence\""
  elif [[ -e $place/OWNED || $(cat runs/victim 2>/dev/null) != keep ]]; then fails "$name" "it wrote into another file"
  else passed=$((passed + 1)); fi
}

# --- what the cases are played on
mkdir -p in runs
python3 -B "$here/malformed_files.py" in projects || exit 1
"$cli" new --template mlp -o small.netwright >/dev/null 2>&1
python3 -B - "$here" <<'P'
import json, sys
p = json.load(open("small.netwright"))
p["data"].update(kind="synthetic", synthetic_train=320, synthetic_test=64)
p["training"].update(epochs=1, threads=2)
json.dump(p, open("small.netwright", "w"))
p["training"]["epochs"] = 1000000
json.dump(p, open("long.netwright", "w"))
sys.path.insert(0, sys.argv[1])
from malformed_files import slow_data
for kind in ("folder", "archive", "table"):
    json.dump({**p, "data": {**p["data"], **slow_data(kind)}}, open("in/slow_%s.netwright" % kind, "w"))
p["network"]["nodes"][1]["type"] = "Conv9d"
json.dump(p, open("never.netwright", "w"))
P
"$cli" train long.netwright --run-dir good --quiet >/dev/null 2>&1 &
training=$!
for _ in $(seq 200); do [[ -s good/best && -s good/latest ]] && break; sleep 0.1; done
kill -TERM $training; wait $training
python3 -B "$here/malformed_files.py" runs runs good || exit 1

# --- projects
for word in check train; do
  case_ "$word-ports" 3 'inputs once the blocks are repeated' "$cli" $word in/ports.netwright
  case_ "$word-many-ports" 3 'at most 400000 are read' "$cli" $word in/many_ports.netwright
  case_ "$word-factors" 3 'at most 64 inputs' "$cli" $word in/factors.netwright
  case_ "$word-repeats" 3 'more than 100000 layers' "$cli" $word in/repeats.netwright
  case_ "$word-empties" 3 'MiB of memory' "$cli" $word in/empties.netwright
  case_ "$word-pipe" 3 'is not a file: it is a pipe' "$cli" $word in/pipe.netwright
  case_ "$word-zero" 3 'is not a file: it is a device' "$cli" $word in/zero.netwright
done
case_ lists 3 'MiB of memory' "$cli" check in/lists.netwright
case_ deep 3 'nested deeper than 64' "$cli" check in/deep.netwright
case_ twice 3 'occurs twice' "$cli" check in/twice.netwright
case_ bytes 3 'not valid JSON' "$cli" check in/bytes.netwright
case_ number 3 'bytes|number|JSON' "$cli" check in/number.netwright
case_ newer 3 'newer Netwright' "$cli" check in/newer.netwright
case_ escape 3 'no layer' "$cli" train in/escape.netwright
case_ ring 3 'connected back to its input' "$cli" train in/ring.netwright
case_ huge 3 'larger than' "$cli" check in/huge.netwright
case_ dangling 3 'dangling' "$cli" check in/dangling.netwright
case_ folder 3 'is not a file: it is a folder' "$cli" check in
case_ absent 3 'neither a file nor a template' "$cli" check absent

# --- images, archives, lists
for set in two_sizes giant two_widths long_width frame pnm bmp cut; do
  case_ "image-$set" 3 'in/'"$set" "$cli" data verify in/$set
done
case_ escapes 0 'cat' "$cli" data inspect in/escapes
case_ escapes-json 0 'cat' "$cli" data inspect in/escapes --json
case_ escapes-check '0|3' '.' "$cli" data check in/escapes
case_ loops '0|3' '.' "$cli" data verify in/loops
case_ pipes '0|3' '.' "$cli" data verify in/pipes
case_ climbs 3 'climbs.zip' "$cli" data verify in/climbs.zip
case_ bomb '0|3' '.' "$cli" data verify in/bomb.zip
case_ odd-tar 3 'odd.tar' "$cli" data verify in/odd.tar
case_ garbage 3 'garbage.zip' "$cli" data verify in/garbage.zip
case_ coco-empties 3 'MiB of memory' "$cli" data inspect in/empties.json
case_ coco-nothing 3 'categories' "$cli" data inspect in/outlines.json
case_ csv-nul 3 'nul.csv' "$cli" data inspect in/nul.csv
case_ csv-wide 3 'wide.csv' "$cli" data inspect in/wide.csv
case_ idx '3|5' 'idx' "$cli" data inspect in/idx
case_ xml 3 '.' "$cli" data inspect in/entity.xml

# --- run folders
for file in run.json lock log.txt events.jsonl metrics.csv metrics.bin statistics.jsonl latest best profile.json checkpoints; do
  for kind in link pipe; do
    case_ "resume-$kind-$file" 3 "$file" "$cli" resume "runs/${kind}_$file"
  done
done
case_ no-classes 3 'names 0 classes' "$cli" evaluate runs/no_classes
case_ many-classes 3 'classes' "$cli" evaluate runs/many_classes
case_ escape-classes 0 'accuracy' "$cli" evaluate runs/escape_classes
case_ escape-classes-json 0 'accuracy' "$cli" evaluate runs/escape_classes --json
case_ escape-device '2|4' 'x.touch' "$cli" resume runs/escape_device
case_ huge-image '3|5' '.' "$cli" evaluate runs/huge_image
case_ no-mean 3 'run.json|training data' "$cli" evaluate runs/no_mean
case_ run-climbs 3 'no complete checkpoint' "$cli" evaluate runs/climbs
case_ checkpoint-climbs 3 'not the name of a checkpoint' "$cli" evaluate good --checkpoint ../../etc
case_ long-events 143 '' timeout -s TERM --preserve-status 4 "$cli" resume runs/long_events --quiet
case_ list-runs 0 'long_events +(stopped|interrupted)' "$cli" runs list runs
case_ sparse-tensor 3 'belongs to another network' "$cli" evaluate runs/sparse_tensor
case_ empties-tensor 3 'safetensors|checkpoint' "$cli" evaluate runs/empties_tensor
case_ never-began-1 3 'no layer' "$cli" train never.netwright --run-dir never
case_ never-began-2 3 'no layer' "$cli" train never.netwright --run-dir never
case_ never-began-3 0 '.' "$cli" train small.netwright --run-dir never --quiet
case_ holds-a-run 2 'holds a run already' "$cli" train small.netwright --run-dir never

# --- paths
case_ run-absent 3 'absent is not there' "$cli" evaluate absent
case_ run-file 3 'small.netwright is not a folder: it is a file' "$cli" evaluate small.netwright
case_ run-folder 3 'in is not the folder of a run' "$cli" evaluate in
case_ list-absent 3 'absent is not there' "$cli" runs list absent
case_ report-folder 3 'in is not a file: it is a folder' "$cli" evaluate good --report in
case_ report-absent 3 'absent is not there' "$cli" evaluate good --report absent/x.html
case_ run-dir-file '3|7' 'small.netwright' "$cli" train small.netwright --run-dir small.netwright
case_ data-absent 3 'absent' "$cli" train mlp --data absent --run-dir absent-data
case_ new-folder 3 'is not a file: it is a folder' "$cli" new -t mlp --force -o in

# --- words
case_ device $'2|4' 'x.touch OWNED' "$cli" train small.netwright --device $'x\ntouch OWNED'
case_ password '1|7' '127.0.0.1' "$cli" data get mnist --to got --mirror http://me:secret@127.0.0.1:9/
if [[ -z $only ]] && grep -rqs secret out err got; then fails password "the mirror's password is shown or written"; fi

# --- limits and signals
case_ threads '1|5' 'no more threads can be started' bash -c 'ulimit -v 3000000; exec "$@"' _ "$cli" train small.netwright --threads 1024 --run-dir threads
case_ file-size 7 'cannot be written' bash -c 'ulimit -f 64; exec "$@"' _ "$cli" train small.netwright --disk-wait 0 --run-dir size
case_ full-output 7 'output cannot be written' bash -c '"$@" >/dev/full' _ "$cli" data inspect in/photos
case_ closed-pipe '0|141' '' bash -c '"$@" | true' _ "$cli" data inspect in/photos
case_ sigterm 143 '' timeout -s TERM --preserve-status 2 "$cli" train long.netwright --run-dir term --quiet
case_ sigint 130 '' timeout -s INT --preserve-status 2 "$cli" train long.netwright --run-dir int --quiet
# --- data that take long to open
for kind in folder archive table; do
  early() { case_ "opening-$kind-$1" "$2" 'stopped before training began' python3 -B "$here/stop_early.py" "$3" "$cli" "$4" "${@:5}" --quiet; }
  early term 143 term "early_$kind" train "in/slow_$kind.netwright" --run-dir "early_$kind"
  early stop 8 stop "asked_$kind" train "in/slow_$kind.netwright" --run-dir "asked_$kind"
  early resume-int 130 int "runs/slow_$kind" resume "runs/slow_$kind"
  early resume-stop 8 stop "runs/slow_$kind" resume "runs/slow_$kind"
done
case_ control-absent '1|3' 'not running' "$cli" control good status
if [[ -z $only || $only == stopped* ]]; then
  "$cli" train long.netwright --run-dir live --quiet >/dev/null 2>&1 &
  live=$!
  for _ in $(seq 200); do "$cli" control live status >/dev/null 2>&1 && break; sleep 0.1; done
  kill -STOP $live
  for i in 1 2 3; do case_ "stopped-$i" 1 "kill -CONT $live" "$cli" control live status; done
  kill -CONT $live
  case_ stopped-continues 0 '.' "$cli" control live stop
  wait $live
fi

if [[ -z $only ]] && (( passed + failed < 120 )); then fails cases "only $((passed + failed)) were played"; fi
echo "$passed passed, $failed failed"
(( failed == 0 ))
