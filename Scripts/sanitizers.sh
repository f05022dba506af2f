#!/usr/bin/env bash
# Runs the test suites under address and thread sanitizer; `make sanitizers`. Each sanitizer has its own build below
# .build. The builds are optimized, because the additional checks after every event take most of a debug build's time.
#
#   Scripts/sanitizers.sh [address|thread]...     default: both
#
# The address sanitizer checks all code that uses raw pointers (kernel, tables, devices, engine) or external input
# (scenario files, stored results). It omits the suites that start programs or compare strings. The thread sanitizer
# checks all code that runs on several threads: the engine, and the targets below and above it.
# Leaks are checked only in suites without strings and permanent memory. Swift tags pointers to strings in their upper
# bits, and LeakSanitizer reports memory without an untagged pointer as leaked.
set -euo pipefail
cd "$(dirname "$0")/.."
export SWIFT_BACKTRACE=enable=no

address=(SimulationKernel BackendModel Numerics DeviceModel Scenario ScenarioFiles FleetEngine Studies FleetReports)
leaks=" SimulationKernel BackendModel Numerics "
thread=(SimulationKernel BackendModel DeviceModel FleetEngine Studies)
fails=0

# build SANITIZER: builds with the options of Scripts/sameness.py, which uses the same program.
build() {
  swift build -c release --build-tests --sanitize "$1" -Xswiftc -enable-testing --scratch-path ".build/$1"
}

# suite SANITIZER NAME: runs a suite and prints its findings.
suite() {
  local log looks=0 began=$SECONDS
  log=$(mktemp)
  [[ $leaks == *" $2 "* ]] && looks=1
  # A finding makes the program fail. Under some kernels ASLR conflicts with the shadow memory.
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
