#!/usr/bin/env bash
# Speed, memory and allocations of the release build; `make bench` builds it first.
set -euo pipefail
cd "$(dirname "$0")/.."

program=.build/release/widgetfleet
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# measure SCENARIO OPTION...: what `run -v` says of the run's speed, as
# "devices events runs wall-ms processor-ms device-bytes instance-bytes".
measure() {
  local scenario=$1
  shift
  "$program" run "Scenarios/$scenario.yaml" -v --progress none -o "$out/results" --no-bracket "$@" 2>&1 > /dev/null |
    sed -nE 's/^widgetfleet: ([0-9]+) devices, ([0-9]+) runs, ([0-9]+) events in ([0-9]+) ms, ([0-9]+) ms of processor time on [0-9]+ threads; ([0-9]+) bytes per device and ([0-9]+) per instance$/\1 \3 \2 \4 \5 \6 \7/p'
}

# fastest SCENARIO OPTION...: the least disturbed of $runs runs.
runs=5
fastest() {
  for ((i = 0; i < runs; i++)); do measure "$@"; done | sort -n -k 5 | head -n 1
}

# report NAME DAYS SCENARIO OPTION...
report() {
  local name=$1 days=$2
  shift 2
  fastest "$@" | awk -v name="$name" -v days="$days" '{
    printf "%s: %d devices, %g days\n", name, $1, days
    printf "  %10.0f device-days per second: %.2f s, %.2f s of processor time\n",
      $1 * days / ($4 / 1000), $4 / 1000, $5 / 1000
    printf "  %10.1f million events per second of processor time\n", $2 / $5 / 1000
    printf "  %10.1f million widget runs per second of processor time\n", $3 / $5 / 1000
    printf "  %10d bytes per device and %d per instance\n", $6, $7
  }'
}

# heap SCENARIO OPTION...: "events allocations" of a run on one thread; long steps keep load.csv out of it.
heap() {
  local log=$out/valgrind scenario=$1
  shift
  valgrind --log-file="$log" "$program" run "Scenarios/$scenario.yaml" -v --progress none --jobs 1 \
    -o "$out/results" --no-bracket --set clock.step=1h "$@" 2> "$out/stderr" > /dev/null
  awk 'FNR == NR { for (i = 1; i < NF; i++) if ($(i + 1) == "events") events = $i; next }
    /total heap usage/ { gsub(",", ""); print events, $5 }' "$out/stderr" "$log"
}

echo "Reference workload W and the first scenario at 100 000 devices"
report "bench-renewal (W)" 1 bench-renewal
report "game-status, warm-up included" 8 game-status --set run.simulate=100k

echo
echo "A million device-days; the aim is less than 10 s on two cores"
report "game-status" 1 game-status --jobs 2 --set fleet.devices=1M --set run.simulate=all --set clock.warmup=0s

echo
echo "A million device-days of people, warm-up included; the aim is less than 40 s on two cores"
runs=2 report "bench-city" 2 bench-city --jobs 2

echo
echo "A backend that answers back, with a warm-up of 6 hours; the aim is at most twice the time of the same without limits"
endpoints=
for name in forecast api images accounts; do endpoints+="$name: {latency: {p50: 45ms, p99: 400ms}}, "; done
storm=$(runs=3 fastest bench-storm --jobs 2)
calm=$(runs=3 fastest bench-storm --jobs 2 --set "backend.endpoints={${endpoints%, }}")
echo "$storm $calm" | awk '{
  printf "bench-storm: %d devices, 1.25 days\n", $1
  printf "  %10.0f device-days per second: %.2f s, %.2f s of processor time\n",
    $1 * 1.25 / ($4 / 1000), $4 / 1000, $5 / 1000
  printf "  %10.2f times the time without limits (%.2f s), %.2f times the processor time (%.2f s)\n",
    $4 / $11, $11 / 1000, $5 / $12, $12 / 1000
  printf "  %10d bytes per device and %d per instance\n", $6, $7
}'

# per_event NAME: of two lines of `heap`, so that start and output cancel out.
per_event() {
  awk -v name="$1" '{ e[NR] = $1; a[NR] = $2 } END {
    printf "  %s: %d allocations with %d events, %d with %d: %.5f per event\n",
      name, a[1], e[1], a[2], e[2], (a[2] - a[1]) / (e[2] - e[1])
  }'
}

echo
echo "Allocations: W with reloads every 100 and every 25 minutes, city with a warm-up of 1 and of 3 days"
for gap in 100min 25min; do
  heap bench-renewal --set fleet.devices=20k --set os.budget.model=off --set "kinds.feed.reload.after.exponential=$gap"
done | per_event "bench-renewal (W)"
for warmup in 1d 3d; do heap bench-city --set fleet.devices=2k --set "clock.warmup=$warmup"; done | per_event bench-city
