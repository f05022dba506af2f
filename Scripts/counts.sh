#!/usr/bin/env bash
# Prints the number of Swift lines and files by target, and the folder with the most files; `make counts`.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
cd "$(dirname "$0")/.."

for room in Sources/*/*/; do
  files=$(find "$room" -name '*.swift' | wc -l)
  ((files == 0)) ||
    printf '%7d lines %4d files  %s\n' "$(find "$room" -name '*.swift' -exec cat {} + | wc -l)" "$files" \
      "$(basename "$room")"
done
printf '%7d lines %4d files  all of Sources\n' "$(find Sources -name '*.swift' -exec cat {} + | wc -l)" \
  "$(find Sources -name '*.swift' | wc -l)"
find Sources -name '*.swift' -printf '%h\n' | sort | uniq -c | sort -rn |
  awk 'NR == 1 { printf "%13s %4d files in the fullest folder, %s\n", "", $1, $2 }'
