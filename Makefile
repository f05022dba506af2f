# WidgetFleet: `make run` and `make test` work on a fresh Debian machine with Swift. SPDX-License-Identifier: GPL-3.0-or-later
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup test-setup build run check test tools-test browser-test bench-live properties goldens reports pages studies coverage \
  fit-coverage wave-coverage own-logs manual fuzz fuzz-deep mutants soak bench bench-answers bench-peers sameness \
  sanitizers rng-check ranks-test cluster-test faults probe-test library-test deb dist package-build package-test format-check counts clean

SCENARIO := Scenarios/ivi-continue-watching.yaml
BROWSER_TEST = .build/browser/bin/python Tests/Browser/$(1).py .build/debug/widgetfleet
PROGRAM := .build/release/widgetfleet
MINUTES := 5
LOGS := 200
# The options of a static program with its own build: it includes the Swift runtime and has no library search path and
# read-only relocations.
STATIC := --scratch-path .build/package/swift --static-swift-stdlib --disable-local-rpath \
  -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
# A crash must not wait for a debugger.
export SWIFT_BACKTRACE := enable=no
# Warnings as errors, and optimised targets for tests (Package.swift).
export WIDGETFLEET_DEVELOP := 1

help:
	@echo "make run           build and simulate $(SCENARIO), or another: make run SCENARIO=Scenarios/stocks-open.yaml"
	@echo "make build         the program, $(PROGRAM)"
	@echo "make deb           a Debian package below .build/package that needs no Swift"
	@echo "make dist          the same as a tar archive"
	@echo "make check         format and quick tests, before each commit (needs make test once)"
	@echo "make test          every test"
	@echo "make browser-test  the report and live pages in Chromium; part of make test"
	@echo "make properties    invariants on 1 000 random scenarios (takes ten minutes)"
	@echo "make studies       measures the claims in Docs/STUDIES.md, and reads every corrupted file (an hour)"
	@echo "make coverage      how often intervals of calibrate contain the true value, on 200 logs (takes ten minutes)"
	@echo "make own-logs      every scenario against its own log: nothing may be contradicted (takes hours; SEEDS=2 for fewer)"
	@echo "make fit-coverage  the same for fits by simulation, over 3, 7 and 14 days (takes hours; LOGS=20 for fewer)"
	@echo "make wave-coverage how often the wave that settles a verdict contains the fleet's peak (half an hour)"
	@echo "make goldens       rewrite the expected figures and messages of the scenarios"
	@echo "make manual        rewrite the manual page Docs/widgetfleet.1"
	@echo "make fuzz          mutated scenarios for MINUTES=5: no crash, each problem reported at its location"
	@echo "make fuzz-deep     coverage-guided fuzzing of every reader and 20 phones, address sanitizer, for MINUTES=60"
	@echo "make mutants       300 small changes to the program, of which the tests must detect 85 % (hours)"
	@echo "make soak          random scenarios simulated in ways that must agree, for MINUTES=60, from SEED=1 on"
	@echo "make reports       rewrite the sample reports under Reports/"
	@echo "make pages         checks that the pages of all shipped scenarios are below 600 kB (two minutes)"
	@echo "make bench         speed, memory, allocations and start-up time (takes minutes)"
	@echo "make bench-answers how long each scenario takes to its verdict and to its page (takes minutes)"
	@echo "make bench-live    how soon the live page follows a lever, p95 over all scenarios (takes minutes)"
	@echo "make bench-peers   our speed compared with other simulators, on the same workload (takes minutes)"
	@echo "make sameness      the same bytes from every build, thread count and locale (takes an hour to build)"
	@echo "make sanitizers    the tests under address and thread sanitizer (takes half an hour)"
	@echo "make rng-check     dieharder on our random streams (DIEHARDER='-a -k 2': all tests, hours)"
	@echo "make cluster-test  MPI ranks, kills and restarts, Slurm, two hosts, Deploy/ (a quarter of an hour)"
	@echo "make ranks-test    part of cluster-test: the same bytes from any ranks, refusals, signals (a few minutes)"
	@echo "make faults        every system call fails once, 1 000 kills: old results or new ones (half an hour)"
	@echo "make package-test  both packages in a clean Debian from debootstrap, as root (a few minutes)"
	@echo "make probe-test    WidgetFleetProbe, the package for apps under Probe/; part of make test"
	@echo "make library-test  Examples/FlightWidget outside of the checkout, with the library by Git URL and version"
	@echo "make format-check  swift format, strict"
	@echo "make counts        lines and files of the sources"
	@echo "make clean         remove build products"

setup:
	@Scripts/setup.sh

test-setup:
	@Scripts/setup.sh test

build: setup
	swift build -c release --product widgetfleet

run: build
	$(PROGRAM) run $(SCENARIO)
	@echo
	@echo "Open the report in a browser: $(CURDIR)/Reports/$(basename $(notdir $(SCENARIO)))/report.html"

# The format and the quick tests: all but goldens, random scenarios and tests that run the program.
check: format-check
	swift build --build-tests
	swift test --skip-build --skip '^(ScenarioGoldenTests|RandomScenarioTests|widgetfleetTests)\.'

# Tables must have the same bytes whichever variant of libm the processor selects.
test: test-setup
	swift build --build-tests
	GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA swift test --skip-build --filter sameBytes
	swift test --skip-build
	Scripts/fuzz.py --seconds 5 --program .build/debug/widgetfleet
	@Scripts/reports.sh .build/debug/widgetfleet check
	.build/python/bin/python -W error -m unittest discover -s Tests/Tools
	swift test --package-path Probe
	$(call BROWSER_TEST,check)
	$(call BROWSER_TEST,live)

# Tests our files with other programs, such as DuckDB, Python's csv and check-jsonschema.
tools-test: test-setup
	swift build --product widgetfleet
	.build/python/bin/python -W error -m unittest discover -s Tests/Tools

probe-test:
	swift test --package-path Probe

# Without our own flags, as packages that depend on the library build it.
library-test: setup
	Scripts/library_test.sh

browser-test: test-setup
	swift build --product widgetfleet
	$(call BROWSER_TEST,check)
	$(call BROWSER_TEST,live)

studies: setup
	WIDGETFLEET_STUDIES=1 swift test --filter 'ScenarioGoldenTests.*(StudyTests|StoredMutationTests)'

properties: setup
	WIDGETFLEET_RANDOM_SCENARIOS=1000 swift test --filter RandomScenarioTests.PropertyTests

goldens: setup
	WIDGETFLEET_RENEW_GOLDENS=1 swift test --filter ScenarioGoldenTests
	WIDGETFLEET_RENEW_GOLDENS=1 swift test --skip-build --filter changedFiguresNeedANewVersion
	git status --short Tests/ScenarioGoldenTests

coverage: build
	Scripts/coverage.py --program $(PROGRAM)

own-logs: SEEDS = 20
own-logs: build
	Scripts/own_logs.py --program $(PROGRAM) --seeds $(SEEDS)

fit-coverage: build
	Scripts/fit_coverage.py --program $(PROGRAM) --logs $(LOGS)

wave-coverage: build
	Scripts/wave_coverage.py --program $(PROGRAM)

fuzz: build
	Scripts/fuzz.py --minutes $(MINUTES)

fuzz-deep: MINUTES = 60
fuzz-deep: setup
	Scripts/fuzz_deep.py --minutes $(MINUTES)

mutants: setup
	Scripts/mutants.py

# Half of the time is for the program from outside, half for the engine, where ranks and shortcuts can be chosen.
soak: MINUTES = 60
soak: SEED = 1
soak: build
	swift build --build-tests
	Scripts/soak.py --minutes $$((($(MINUTES) + 1) / 2)) --seed $(SEED)
	WIDGETFLEET_SOAK_MINUTES=$$((($(MINUTES) + 1) / 2)) WIDGETFLEET_SOAK_SEED=$(SEED) \
	  swift test --skip-build --filter RandomFleetTests

manual: setup
	WIDGETFLEET_RENEW_MANUAL=1 swift test --filter ManualTests
	git status --short Docs

bench: build
	swift build -c release --product fleetbench
	@Scripts/setup.sh bench
	@Scripts/bench.sh

bench-answers: build
	@Bench/Answers/run.py

bench-live: build test-setup
	@.build/browser/bin/python Bench/Live/run.py

bench-peers: build
	@Scripts/setup.sh peers
	@Bench/Peers/run.py

sameness: test-setup
	@Scripts/setup.sh sameness
	@Scripts/sameness.py

sanitizers: setup
	@Scripts/sanitizers.sh

rng-check: setup
	@Scripts/setup.sh rng
	swift build -c release --product rngdump
	@DIEHARDER="$(DIEHARDER)" Scripts/rng-check.sh

# A part of cluster-test, with the release build; takes a few minutes.
ranks-test: build
	@Scripts/setup.sh ranks
	WIDGETFLEET_CLUSTER_QUICK=1 python3 -W error Tests/Cluster/check.py $(PROGRAM) SamenessTests RefusalTests \
	  EndingTests.test_signals

cluster-test: build
	@Scripts/setup.sh cluster
	WIDGETFLEET=$(PROGRAM) .build/cluster/bin/python -W error Tests/Cluster/deploy.py
	.build/cluster/bin/python -W error Tests/Cluster/check.py $(PROGRAM)
	Tests/Cluster/slurm.sh $(PROGRAM)
	Tests/Cluster/hosts.sh $(PROGRAM)

deb dist: package-build
	Scripts/package.py $@ .build/package/swift/release/widgetfleet

package-build:
	@Scripts/setup.sh deb
	swift build -c release --product widgetfleet $(STATIC)

package-test: build deb dist
	@Scripts/setup.sh package
	lintian --fail-on error .build/package/*.deb
	for what in deb dist; do Scripts/package.py $$what .build/package/swift/release/widgetfleet --out .build/package/again; done
	cmp .build/package/*.deb .build/package/again/*.deb && cmp .build/package/*.tar.gz .build/package/again/*.tar.gz
	python3 -W error Tests/Package/check.py $(PROGRAM) .build/package

faults: build
	@Scripts/setup.sh faults
	python3 -W error Tests/Faults/check.py $(PROGRAM) --kills 1000

counts:
	@Scripts/counts.sh

reports: build
	@Scripts/reports.sh $(PROGRAM)

pages: build
	@Scripts/pages.sh $(PROGRAM)

format-check:
	swift format lint --strict -r Sources Tests Bench Package.swift Probe/Sources Probe/Tests Probe/Package.swift Examples

clean:
	swift package clean
	swift package --package-path Probe clean
