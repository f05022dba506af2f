#!/usr/bin/env bash
# Starts a fleet with Open MPI's mpirun and watches it; the launcher of Deploy/kubernetes/mpijob.yaml, and of anything
# else that has neither Slurm nor another scheduler.
#
#   launch.sh OUT [OPTION OF MPIRUN]... -- run SCENARIO [OPTION]...       -o OUT and --resume are added
#
# It ends with 0 or 1 when OUT is complete, whatever mpirun said, and else with mpirun's status; 75: start it again.
# mpirun does not always notice that a host has gone: when no rank has given a sign of life in the folder beside OUT for
# WIDGETFLEET_STALL seconds (300), it is killed. Variables MPIRUN and PROGRAM name other programs than those in PATH.
set -uo pipefail

out=${1:?the folder of the results}
shift
mpi=()
while [[ $# -gt 0 && $1 != -- ]]; do
  mpi+=("$1")
  shift
done
shift
stall=${WIDGETFLEET_STALL:-300}
unfinished=$(dirname "$out")/.$(basename "$out").unfinished

say() { printf 'launch: %s\n' "$*" >&2; }

if [[ -e $out/manifest.json ]]; then
  say "$out is complete: nothing to do"
  exit 0
fi

# When each rank gave its last sign of life; only a change of it counts, since clocks of machines differ.
signs() { stat --format='%n %y' "$unfinished"/*.pulse 2> /dev/null; }

"${MPIRUN:-mpirun}" "${mpi[@]}" "${PROGRAM:-widgetfleet}" "$@" -o "$out" --resume &
mpirun=$!
# Kubernetes ends a pod with SIGTERM. mpirun hands SIGUSR1 on to the ranks, which stop together.
trap 'kill -USR1 "$mpirun" 2> /dev/null' TERM INT USR1
heard=$(signs)
heard_at=$SECONDS
while kill -0 "$mpirun" 2> /dev/null; do
  sleep 1 &
  wait $!
  now=$(signs)
  if [[ $now != "$heard" ]]; then
    heard=$now
    heard_at=$SECONDS
  elif ((SECONDS - heard_at > stall)); then
    say "no rank has given a sign of life for $stall s, mpirun is killed"
    kill -KILL "$mpirun" 2> /dev/null
  fi
done
wait "$mpirun"
status=$?
if [[ -e $out/manifest.json ]]; then
  # 1: a goal of the scenario fails.
  if [[ $status -eq 1 ]]; then exit 1; fi
  exit 0
fi
say "mpirun ended with $status, $out is not complete"
if [[ $status -eq 0 || $status -gt 128 ]]; then exit 75; fi
exit $status
