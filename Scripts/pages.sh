#!/usr/bin/env bash
# Runs every shipped scenario and checks that its page stays small enough for slow phones.
#
#   Scripts/pages.sh PROGRAM
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=$1
most=600000
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
failed=0
for scenario in Scenarios/*.yaml; do
  name=$(basename "$scenario" .yaml)
  # The scenarios of `make bench` only compare machines.
  [[ $name == bench-* ]] && continue
  "$program" run "$scenario" -o "$results/$name" --exit-zero --no-trials -q > /dev/null
  size=$(stat -c %s "$results/$name/report.html")
  echo "$size $name"
  if ((size >= most)); then
    echo "pages: the page of $name is too large: $size bytes" >&2
    failed=1
  fi
done
exit "$failed"
