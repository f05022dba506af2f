#!/usr/bin/env bash
# Measures speed, memory, start-up time, and instructions and allocations per event of the release build, which
# `make bench` builds first. Counts do not depend on other load on the machine; times do.
set -euo pipefail
cd "$(dirname "$0")/.."

program=.build/release/widgetfleet
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
first=Scenarios/ivi-continue-watching.yaml

# least COMMAND...: prints the minimum wall-clock seconds and CPU seconds of seven runs.
least() {
  local TIMEFORMAT='%R %U %S'
  for ((i = 0; i < 7; i++)); do { time "$@" > /dev/null 2>&1; } 2>&1; done |
    awk '{ c = $2 + $3; if (NR == 1 || $1 < w) w = $1; if (NR == 1 || c < p) p = c } END { print w, p }'
}

# startup NAME AIM COMMAND...: prints the minimum times of a command and the target.
startup() {
  local name=$1 aim=$2
  shift 2
  least "$@" | awk -v name="$name" -v aim="$aim" '{
    printf "%s %.3f s, %.3f s of CPU time: %s, aim %.2f s\n", ($1 < aim ? " " : "!"), $1, $2, name, aim }'
}

# count TOOL SCENARIO OPTION...: prints the events of a run on one thread, then its allocations (memcheck) or its
# instructions (callgrind).
count() {
  local tool=$1 scenario=$2 log=$out/valgrind
  shift 2
  valgrind --tool="$tool" --log-file="$log" $([[ $tool == callgrind ]] && echo --callgrind-out-file=/dev/null) \
    "$program" run "Scenarios/$scenario.yaml" -v --progress none --jobs 1 --only manifest.json -o "$out/results" \
    --no-bracket "$@" 2> "$out/stderr" > /dev/null
  awk 'FNR == NR { for (i = 1; i < NF; i++) if ($(i + 1) == "events") events = $i; next }
    /total heap usage/ { gsub(",", ""); print events, $5 }
    /Collected :/ { print events, $4 }' "$out/stderr" "$log"
}

# per_event NAME WHAT: prints the count per event between two lines of `count`, so that start and output cancel out.
per_event() {
  awk -v name="$1" -v what="$2" '{ e[NR] = $1; a[NR] = $2 } END {
    printf "  %s: %.0f %s with %d events, %.0f with %d: %.5g per event\n",
      name, a[1], what, e[1], a[2], e[2], (a[2] - a[1]) / (e[2] - e[1])
  }'
}

# both TOOL WHAT: counts two loads of each workload. Long steps keep the load series out of the counts. storm has steps
# of one second, so only its devices differ.
both() {
  for gap in 100min 25min; do
    count "$1" bench-renewal --set fleet.devices=2k --set os.budget.model=off --set clock.step=1h \
      --set "kinds.feed.reload.after.exponential=$gap"
  done | per_event W "$2"
  for warmup in 1d 3d; do
    count "$1" bench-city --set fleet.devices=300 --set clock.step=1h --set "clock.warmup=$warmup"
  done | per_event city "$2"
  for devices in 1k 3k; do
    count "$1" bench-storm --set "run.simulate=$devices" --set clock.duration=2h --set clock.warmup=1h \
      --set clock.start=2027-01-18T07:00:00Z \
      --set 'events=[{name: api-down, at: 2027-01-18T08:00:00Z, outage: {endpoint: api, for: 8min}}]'
  done | per_event storm "$2"
}

# policies: counts the instructions of W with after(15 min) in the file, and as code in its place.
policies() {
  for case in file:2 code:2 file:1 code:1; do
    for devices in 500 2000; do
      valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$out/valgrind" \
        "$bench" --policy "${case%:*}:$devices:${case#*:}" > "$out/events"
      awk 'FNR == NR { events = $1; next } /Collected :/ { print events, $4 }' "$out/events" "$out/valgrind"
    done | per_event "W, after(15 min), ${case%:*}, widgets: ${case#*:}" instructions
  done
}

if [[ ${1:-} != --counts ]]; then
  .build/release/fleetbench "$@"
  echo
  echo "Start-up"
  startup "run of $first with its report" 1 "$program" run "$first" -q -o "$out/first"
  startup "validate of $first" 0.3 "$program" validate "$first"
  echo
fi
# Valgrind cannot read Swift's newer debug information. It needs only function names.
strip --strip-debug -o "$out/widgetfleet" "$program"
strip --strip-debug -o "$out/fleetbench" .build/release/fleetbench
program=$out/widgetfleet bench=$out/fleetbench
echo "Allocations"
both memcheck allocations
echo "Instructions"
both callgrind instructions
policies
