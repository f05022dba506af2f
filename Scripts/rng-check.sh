#!/usr/bin/env bash
# Runs dieharder on the engine's random words, in the orders in which the engine draws them.
# `make rng-check` builds rngdump.
#
# DIEHARDER chooses the tests: '-a -k 2' runs all of them and takes hours. The default is the tests that take up to a
# minute each, a quarter of an hour in total, numbered as in `dieharder -l`. A p-value below 1e-6 is FAILED, and fails
# the check. A p-value below 0.005 or above 0.995 is WEAK; a perfect generator has one in a hundred.
set -euo pipefail
cd "$(dirname "$0")/.."

program=.build/release/rngdump
# Birthdays, OPERM5, ranks 32 and 6x8, bitstream, ones in streams and bytes, parking lot, circles and spheres, squeeze,
# runs, craps; STS: monobit, runs, serial; permutations, lagged sums, Kolmogorov-Smirnov; DAB: bytes, DCT, trees,
# monobit.
quick=(0 1 2 3 4 8 9 10 11 12 13 15 16 100 101 102 202 203 204 205 206 207 208 209)
results=$(mktemp)
trap 'rm -f "$results"' EXIT

# check ORDER OPTION...: runs dieharder on a new stream, which supplies as many words as it needs.
check() {
  local order=$1
  shift
  # dieharder exits when it has enough words, and rngdump exits with it.
  { "$program" "$order" || true; } | dieharder -g 200 -D test_name -D ntuple -D tsamples -D psamples -D pvalues \
    -D assessment -c '|' "$@" | sed "s/^/$order|/" | tee -a "$results"
}

for order in sequential interleaved; do
  if [[ -n ${DIEHARDER:-} ]]; then
    # shellcheck disable=SC2086
    check "$order" $DIEHARDER
  else
    for test in "${quick[@]}"; do check "$order" -d "$test" -k 2; done
  fi
done

count() { grep -c "$1" "$results" || true; }
echo "rng-check: $(count PASSED) passed, $(count WEAK) weak, $(count FAILED) failed"
[[ $(count FAILED) -eq 0 && $(count PASSED) -gt 0 ]]
