#!/usr/bin/env python3
"""Coverage-guided fuzzing of every reader of external input, and of fleets described by bytes: libFuzzer with address
sanitizer, `make fuzz-deep`. Tests/Fuzz/Harness/Harness.swift lists the harnesses.

    Scripts/fuzz_deep.py [--minutes 60] [--only scenario,log] [--jobs 2] [--keep] [--many]

Every harness gets an equal share of the time. Its corpus is in .build/fuzz-corpus, and its findings are in
.build/fuzz-found; `.build/fuzz/debug/widgetfuzz HARNESS FILE` reruns one. An input that takes more than 2 s (10 s for
pages and conditions, 60 s for a fleet, because every check is on) and a process that takes more than 1 GB are findings,
too.
`--keep` copies short inputs that increased coverage to Tests/Fuzz/Corpus, which `make test` replays; with
`--minutes 0` it does nothing else.
`--many` omits address sanitizer and optimises, in .build/fuzz-many/release: more runs in the same time.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GROWN = ROOT / ".build/fuzz-corpus"
FOUND = ROOT / ".build/fuzz-found"
KEPT = ROOT / "Tests/Fuzz/Corpus"
# The maximum bytes of an input. Longer inputs take longer and rarely add coverage.
LONGEST = {"scenario": 4096, "folder": 262144, "store": 65536, "journal": 65536, "life": 400, "log": 4096}
# The maximum seconds of an input, with every check on. Pages and simulated phones are slow, and so are conditions of up
# to 67 million steps, which are written and read back.
SLOWEST = {"folder": 10, "life": 60, "conditions": 10}
KEPT_FILES, KEPT_BYTES = 40, 3000


def runtime() -> pathlib.Path:
    """Returns the libFuzzer archive without a `main`."""
    swift = pathlib.Path(shutil.which("swiftc") or sys.exit("swiftc is not in PATH")).resolve().parent.parent
    archives = sorted(swift.glob("lib/clang/*/lib/linux/libclang_rt.fuzzer_no_main-x86_64.a"))
    return archives[0] if archives else sys.exit(f"no libFuzzer below {swift}")


def build(many: bool) -> pathlib.Path:
    """Builds with address sanitizer, or optimised and without it for many runs; both have debug checks."""
    scratch, configuration = ROOT / (".build/fuzz-many" if many else ".build/fuzz"), "release" if many else "debug"
    command = ["swift", "build", "-c", configuration, "--product", "widgetfuzz", "--scratch-path", str(scratch)]
    command += ["-Xlinker", str(runtime()), "-Xlinker", "-lstdc++"]
    sanitizers = "fuzzer" if many else "fuzzer,address"
    subprocess.run(command, cwd=ROOT, env={**os.environ, "WIDGETFLEET_FUZZ": sanitizers}, check=True)
    return scratch / configuration / "widgetfuzz"


def environment() -> dict[str, str]:
    # Swift tags pointers in their upper bits, and LeakSanitizer does not follow these.
    return {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1", "SWIFT_BACKTRACE": "enable=no"}


def fuzz(program: pathlib.Path, harness: str, seconds: int) -> tuple[str, bool]:
    """Fuzzes for a time; returns a line for the table, and whether nothing was found."""
    grown, found, seeds = GROWN / harness, FOUND / harness, GROWN / f"{harness}-seeds"
    for folder in (grown, found, seeds, KEPT / harness):
        folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([program, harness, "--seeds", seeds], env=environment(), check=True)
    before = set(found.iterdir())
    runs, memory, slowest, coverage, left = 0, 0, 0, 0, seconds
    # A finding ends the process, and another one continues with half the time, up to ten in total.
    for _ in range(10):
        command = [program, harness, f"-max_total_time={left}", f"-timeout={SLOWEST.get(harness, 2)}"]
        command += ["-rss_limit_mb=1024", f"-max_len={LONGEST.get(harness, 1024)}", "-print_final_stats=1"]
        command += ["-report_slow_units=1000"]
        command += [f"-artifact_prefix={found}/", grown, KEPT / harness, seeds]
        done = subprocess.run(command, capture_output=True, env=environment())
        text = done.stderr.decode(errors="replace")
        (FOUND / f"{harness}.log").write_text(text[-200_000:])
        figure = lambda name: int((re.findall(rf"stat::{name}:\s+(\d+)", text) or ["0"])[-1])
        runs += figure("number_of_executed_units")
        memory = max(memory, figure("peak_rss_mb"))
        slowest = max(slowest, figure("slowest_unit_time_sec"))
        coverage = max([coverage] + [int(word) for word in re.findall(r"cov: (\d+)", text)])
        took = re.findall(r"Done \d+ runs in (\d+) second", text)
        if done.returncode == 0 or took:
            break
        left = max(10, left // 2)
    new = len(set(found.iterdir()) - before)
    line = f"| {harness} | {runs:,} | {coverage:,} | {memory} | {slowest} | {new} |".replace(",", " ")
    print(line, flush=True)
    return line, new == 0


def keep(harness: str) -> None:
    """Copies some of the corpus to the repository: each input increased coverage when it was found."""
    files = [file for file in (GROWN / harness).iterdir() if file.stat().st_size <= KEPT_BYTES]
    files.sort(key=lambda file: (file.stat().st_size, file.name))
    # The kept inputs are spread evenly over the sizes. The shortest are the simplest.
    step = max(1, len(files) // KEPT_FILES)
    (KEPT / harness).mkdir(parents=True, exist_ok=True)
    for file in files[::step][:KEPT_FILES]:
        shutil.copy(file, KEPT / harness / file.name[:12])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--keep", action="store_true")
    arguments.add_argument("--many", action="store_true")
    options = arguments.parse_args()
    source = (ROOT / "Tests/Fuzz/Harness/Harness.swift").read_text()
    every = re.findall(r"^  case (\w+)$", source, re.MULTILINE)
    harnesses = options.only.split(",") if options.only else every
    good = True
    if options.minutes > 0:
        program = build(options.many)
        seconds = max(1, int(options.minutes * 60 * options.jobs / len(harnesses)))
        print("| harness | runs | edges reached | max MB | slowest input, s | findings |")
        print("|---|---|---|---|---|---|")
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            good = all([fine for _, fine in pool.map(lambda name: fuzz(program, name, seconds), harnesses)])
    if options.keep:
        for harness in harnesses:
            keep(harness)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
