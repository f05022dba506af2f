#!/usr/bin/env bash
# Checks how a program with providers that have faults ends (main.swift): with the provider, the phone and the instant,
# and without results. Scripts/library_test.sh builds it.
# Usage: Tests/Outside/check.sh PROGRAM SCENARIO
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
program=$1 scenario=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
work=$folder/work
# A crash must not wait for a debugger.
export SWIFT_BACKTRACE=enable=no

fail() { echo "$*; stderr: $(cat "$folder/stderr")" >&2; exit 1; }

# run OPTION...: runs the scenario in the work folder, and sets `status`.
run() {
  status=0
  (cd "$work" && "$program" run "$scenario" "$@") > /dev/null 2> "$folder/stderr" || status=$?
}

# use PROVIDER OPTION...: runs the scenario with another provider.
use() { run --set "kinds.flight.reload.provider=$1" "${@:2}"; }

# A fault ends the run, and the day of a phone, with status 2. No folder remains, not even a hidden one.
declare -A faults=(
  [past]="a date in the past, 2027-01-[0-9]+ [0-9:]+ UTC," [crowded]="a timeline of more than 1000 entries"
  [endless]="a timeline of more than 1000 entries")
for provider in past crowded endless; do
  for device in "" 3; do
    mkdir "$work"
    if [[ -z $device ]]; then use "$provider" -o out; else use "$provider" --device "$device"; fi
    [[ $status == 2 ]] || fail "$provider ended with status $status"
    sentence="provider '$provider' \\(version 1\\) returned ${faults[$provider]} for device [0-9]+ of cohort travellers"
    grep -qE "^error: '.*flight.yaml' was stopped: $sentence at 2027-01-[0-9]+ [0-9:]+ UTC\$" "$folder/stderr" ||
      fail "$provider is not named"
    if grep -q "help:" "$folder/stderr"; then fail "$provider has help for other errors"; fi
    rmdir "$work" || fail "$provider left files behind"
  done
done

# A trap leaves no results; the next run removes the hidden files that it has left.
mkdir "$work"
use trap -o out
((status > 128)) || fail "a trap ended with status $status"
[[ -z $(ls "$work") ]] || fail "a trap left results"
use usual -o out
[[ $status == 0 ]] || fail "the run after a trap ended with status $status"
[[ $(ls -A "$work") == out ]] || fail "a trap left files for good"
grep -q '"providers": {"usual": "1"}' "$work/out/manifest.json" || fail "the manifest has no provider"

# A trap does not touch the results of another run.
before=$(cd "$work/out" && sha256sum -- *)
use trap -o out
((status > 128)) || fail "a trap ended with status $status"
[[ $(cd "$work/out" && sha256sum -- *) == "$before" ]] || fail "a trap changed results"

# A provider that is given by its type.
run -o out
[[ $status == 0 ]] || fail "a provider that names types ended with status $status"
grep -q '"providers": {"flight": "two"}' "$work/out/manifest.json" || fail "the manifest has no version"
echo "faults of providers end the program without results"
