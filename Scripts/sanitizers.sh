#!/usr/bin/env bash
# The test suites under address and thread sanitizer; `make sanitizers`. Each has a build of its own, kept below .build,
# optimized: what debug builds check besides after every event takes most of the time of a debug build.
#
#   Scripts/sanitizers.sh [address|thread]...     both without arguments
#
# Address: everything that handles memory by pointers (kernel, tables, devices, engine) or bytes from outside (scenario
# files, stored results), all but the suites that start programs or compare texts. Thread: whatever runs on several
# threads, which is the engine, and what is below and above it.
# Leaks are looked for where no texts are and nothing is kept for good: Swift marks the pointers to texts in upper bits,
# and LeakSanitizer takes what it finds no plain pointer to for lost.
set -euo pipefail
cd "$(dirname "$0")/.."
export SWIFT_BACKTRACE=enable=no

address=(SimulationKernel BackendModel Numerics DeviceModel Scenario ScenarioFiles FleetEngine Studies FleetReports)
leaks=" SimulationKernel BackendModel Numerics "
thread=(SimulationKernel BackendModel DeviceModel FleetEngine Studies)
fails=0

# build SANITIZER: with the options of Scripts/sameness.py, which takes the program.
build() {
  swift build -c release --build-tests --sanitize "$1" -Xswiftc -enable-testing --scratch-path ".build/$1"
}

# suite SANITIZER NAME: prints what was found.
suite() {
  local log looks=0 began=$SECONDS
  log=$(mktemp)
  [[ $leaks == *" $2 "* ]] && looks=1
  # A find ends the program with a status of its own; ASLR confuses the shadow memory under some kernels.
  if ASAN_OPTIONS=detect_leaks=$looks setarch -R ".build/$1/release/WidgetFleetPackageTests.xctest" \
    --testing-library swift-testing --filter "^$2Tests\." > "$log" 2>&1; then
    echo "$1: $2: $(grep -a 'Test run with' "$log" | tail -n 1 | sed 's/.*Test run/Test run/')" \
      "($((SECONDS - began)) s)"
  else
    echo "$1: $2: FAILED"
    grep -a -E 'recorded an issue|ERROR: |WARNING: ThreadSanitizer|SUMMARY: |^ +#[0-9]+ .*(Sources|Tests)/' "$log" | head -n 60
    fails=$((fails + 1))
  fi
  rm -f "$log"
}

for sanitizer in "${@:-address thread}"; do
  for one in $sanitizer; do
    build "$one"
    declare -n suites=$one
    for name in "${suites[@]}"; do suite "$one" "$name"; done
  done
done
[[ $fails -eq 0 ]] || { echo "sanitizers: $fails suites failed"; exit 1; }
