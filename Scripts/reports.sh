#!/usr/bin/env bash
# Rewrites the sample reports under Reports/, or checks that this version writes the same reports.
#
#   Scripts/reports.sh PROGRAM [check]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=$1
target=Reports
if [[ ${2:-} == check ]]; then
  target=$(mktemp -d)
  trap 'rm -rf "$target"' EXIT
fi

# sample NAME SETTING...: runs a scenario with few devices and long steps, so that its files stay small.
sample() {
  local name=$1
  shift
  local settings=()
  for setting in "$@"; do settings+=(--set "$setting"); done
  "$program" run "Scenarios/$name.yaml" -o "$target/$name" --exit-zero -q "${settings[@]}" > /dev/null
  if [[ $target != Reports ]]; then
    diff -r -q "Reports/$name" "$target/$name" || { echo "reports: $name is outdated: run make reports" >&2; exit 1; }
  fi
}

sample weather-hourly clock.step=1min run.simulate=400
sample game-status clock.step=1min run.simulate=100
sample battery-wifi clock.step=1min run.simulate=100 fleet.devices=100
