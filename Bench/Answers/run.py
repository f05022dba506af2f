#!/usr/bin/env python3
"""Measures how long the shipped scenarios take to a settled verdict and to the whole page: `make bench-answers`.

A line per scenario: seconds to the verdict, with its bracket and assumptions; seconds of the whole command; its CPU
time; the phones that the verdict rests on, and those in runs that vary assumptions. Lines that miss an aim begin with
`!`.
"""

import argparse
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
# The seconds to the verdict; the whole page may take twice as long.
AIM = 5
AIMS = {"weather-launch": 15}
VERDICT = re.compile(r"verdict after (\d+) ms with (\d+) devices and (\d+) in runs that vary assumptions")


def measured(program, scenario):
    """Returns the seconds to the verdict and to the end, the CPU time, and both numbers of phones."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        run = subprocess.run(
            [program, "run", scenario, "-v", "--progress", "none", "-o", f"{folder}/results"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )
        seconds = time.monotonic() - begin
    found = VERDICT.search(run.stderr)
    if run.returncode not in (0, 1) or not found:
        sys.exit(f"bench-answers: {scenario}: status {run.returncode}\n{run.stderr}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return int(found[1]) / 1000, seconds, used, int(found[2]), int(found[3])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=TOP / ".build/release/widgetfleet", help="the program to measure")
    parser.add_argument("scenarios", nargs="*", help="names of scenarios (default: all)")
    options = parser.parse_args()
    files = [TOP / f"Scenarios/{name}.yaml" for name in options.scenarios] or sorted((TOP / "Scenarios").glob("*.yaml"))
    print(f"  {'scenario':26} {'verdict s':>9} {'page s':>7} {'CPU s':>6} {'phones':>8} {'varied':>9}")
    sums, missed = [0, 0], 0
    for file in files:
        verdict, page, used, phones, total = measured(options.program, file)
        aim = AIMS.get(file.stem, AIM)
        misses = verdict > aim or page > 2 * aim
        missed += misses
        sums = [sums[0] + verdict, sums[1] + page]
        print(f"{'!' if misses else ' '} {file.stem:26} {verdict:9.2f} {page:7.2f} {used:6.2f} {phones:8} {total:9}", flush=True)
    print(f"  {'all':26} {sums[0]:9.1f} {sums[1]:7.1f}\n{missed} of {len(files)} miss their aim")


if __name__ == "__main__":
    main()
