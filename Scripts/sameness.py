#!/usr/bin/env python3
"""Compares the SHA-256 of every output file across builds, threads, locales, time zones and processors.

`make sameness` runs it. The release build simulates each scenario on one thread. These variants must write the same
files and print the same table: a repetition; debug, release, address and thread sanitizer builds, and one with the code
for arm64 and macOS as far as it compiles here (WIDGETFLEET_PLAIN), on 1, 2, 3 and 8 threads; other locales and time
zones; the variants of libm for a processor without AVX2 and FMA. `make test` includes a few of these.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
THREADS = (1, 2, 3, 8)
# The build options and the folder of the program, by build.
BUILDS = {
    "release": (["-c", "release"], ".build/release"),
    "debug": ([], ".build/debug"),
    **{
        name: (
            ["-c", "release", "--sanitize", name, "-Xswiftc", "-enable-testing", "--scratch-path", f".build/{name}"],
            f".build/{name}/release")
        for name in ("address", "thread")
    },
    "plain": (["-c", "release", "--scratch-path", ".build/plain"], ".build/plain/release"),
}
# The first scenarios have no feedback, but people, pushes and other radios. The later ones have queues, outages, a CDN
# or an autoscaler, for which threads synchronize once a step. They have few steps, because eight threads on two
# processors wait a long time for each other.
SCENARIOS = {
    "bench-renewal": ["fleet.devices=150"],
    "bench-city": ["fleet.devices=60"],
    "ivi-continue-watching": ["run.simulate=60"],
    "push-fanout": ["run.simulate=60"],
    "battery-5g": ["run.simulate=60"],
    "bench-storm": [
        "run.simulate=120", "clock.start=2027-01-18T07:30:00Z", "clock.warmup=15min", "clock.duration=4h",
        "clock.step=5s"],
    "metastable": ["run.simulate=120", "clock.start=2027-01-18T09:00:00Z", "clock.duration=2h"],
    "cdn-weather": ["run.simulate=120", "clock.duration=1h"],
    "autoscale-morning": ["run.simulate=120"],
}
LOCALES = ("de_DE", "tr_TR")
ZONES = ("Asia/Kathmandu", "America/New_York")


def build(builds):
    """Builds the programs; those with a sanitizer as in Scripts/sanitizers.sh."""
    for name in builds:
        print(f"sameness: building {name}", flush=True)
        subprocess.run(
            ["swift", "build", "--product", "widgetfleet", *BUILDS[name][0]], cwd=TOP, check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "WIDGETFLEET_PLAIN": str(int(name == "plain"))})


def locales():
    """Yields environments with other locales, which are generated here, because the system may not have them."""
    folder = TOP / ".build/locales"
    folder.mkdir(parents=True, exist_ok=True)
    yield {"LC_ALL": "C"}
    for name in LOCALES:
        made = folder / f"{name}.UTF-8"
        if not made.exists():
            done = subprocess.run(["localedef", "-i", name, "-f", "UTF-8", str(made)], capture_output=True)
            if not made.exists():
                print(f"sameness: skipped locale {name}: {done.stderr.decode(errors='replace').strip()}")
                continue
        yield {"LOCPATH": str(folder), "LC_ALL": f"{name}.UTF-8", "LANG": f"{name}.UTF-8"}


def variants(builds):
    """Yields the variants to compare with the reference: a build, a number of threads and an environment."""
    for name in builds:
        for threads in THREADS:
            yield name, threads, {}
    plain = [name for name in ("release", "debug") if name in builds]
    for name in plain:
        for environment in locales():
            yield name, 2, environment
        for zone in ZONES:
            yield name, 2, {"TZ": zone}
        yield name, 2, {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"}
        yield name, 2, {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F,-AVX", "LC_ALL": "C", "TZ": "UTC-14"}


def digests(scenario, settings, name, threads, environment):
    """Returns the SHA-256 of every file and of standard output."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            str(TOP / BUILDS[name][1] / "widgetfleet"), "run", str(TOP / f"Scenarios/{scenario}.yaml"), "-n", "2",
            "--jobs", str(threads), "--progress", "none", "--save-conditions", "--exit-zero", "-q", "-o",
            folder + "/out"]
        for setting in settings:
            command += ["--set", setting]
        # The sanitizers' shadow memory needs its fixed addresses. Scripts/sanitizers.sh checks for leaks.
        if name in ("address", "thread"):
            command[:0] = ["setarch", "-R"]
        plain = {
            "PATH": os.environ["PATH"], "SWIFT_BACKTRACE": "enable=no", "TSAN_OPTIONS": "halt_on_error=1",
            "ASAN_OPTIONS": "detect_leaks=0"}
        done = subprocess.run(command, env={**plain, **environment}, capture_output=True, cwd=folder)
        if done.returncode != 0:
            sys.exit(
                f"sameness: {what(scenario, name, threads, environment)} exited with status {done.returncode}:\n"
                + done.stderr.decode(errors="replace")[-4000:])
        files = {path.name: path.read_bytes() for path in sorted(Path(folder, "out").iterdir())}
        files["standard output"] = done.stdout
        return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def what(scenario, name, threads, environment):
    settings = "".join(f" {key}={value}" for key, value in environment.items() if key != "LOCPATH")
    return f"{scenario}, {name}, {threads} threads{settings}"


def compare(scenario, builds):
    """Returns the number of compared runs, of output files per run, and of differing files."""
    settings = SCENARIOS[scenario]
    reference = digests(scenario, settings, builds[0], 1, {})
    count = differing = 0
    for name, threads, environment in variants(builds):
        count += 1
        found = digests(scenario, settings, name, threads, environment)
        for file in sorted(set(reference) | set(found)):
            if reference.get(file) != found.get(file):
                differing += 1
                print(f"sameness: {file} differs: {what(scenario, name, threads, environment)}")
    return count, len(reference), differing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--skip-build", action="store_true", help="use the existing builds")
    parser.add_argument("--builds", default=",".join(BUILDS), help="some of " + ",".join(BUILDS))
    parser.add_argument("--scenarios", default=",".join(SCENARIOS), help="some of " + ",".join(SCENARIOS))
    options = parser.parse_args()
    builds = options.builds.split(",")
    if not options.skip_build:
        build(builds)
    total = failed = 0
    for scenario in options.scenarios.split(","):
        began = time.monotonic()
        count, files, differing = compare(scenario, builds)
        total, failed = total + count, failed + differing
        print(
            f"{scenario}: {count} runs, {files} outputs each, {differing} differ ({time.monotonic() - began:.0f} s)",
            flush=True)
    if failed:
        sys.exit(f"sameness: {failed} outputs differ")
    print(f"sameness: {total} runs wrote the same bytes")


if __name__ == "__main__":
    main()
