#!/usr/bin/env python3
"""Measures how often the intervals of a fit by simulation contain the true value, and whether its ranks are uniform.

Draws the keys of each log log-uniformly from their ranges, like the prior of `calibrate --fit`, simulates the log, fits
a scenario with wrong values, and compares the true values with the result. A correct method covers 181 to 197 of 200
times in 99 of 100 studies (binomial); intervals with the model's error may cover more often. Ranks of the true values
in the posterior are uniform: chi-square over ten bins (Talts and others 2018). Intervals that are too wide cause too
many ranks in the middle, and intervals that are too narrow cause too many at both ends.

    Scripts/fit_coverage.py [--program .build/release/widgetfleet] [--logs 200] [--phones 100] [--days 3,7,14] [--jobs 2]
"""

import argparse
import concurrent.futures
import csv
import math
import pathlib
import random
import subprocess
import sys
import tempfile

from coverage import right

SCENARIO = """\
schema: widgetfleet/v1
name: {name}
clock: {{start: 2027-01-18T00:00:00Z, duration: {days}d}}
run: {{seed: {seed}}}
kinds:
  weather: {{reload: {{after: 30min}}, requests: [{{endpoint: forecast, down: 8kB}}]}}
fleet:
  devices: {phones}
  cohorts:
    - name: all
      person: {{unlocks_per_day: {{lognormal: {{median: {unlocks}, sigma: 0.55}}}}}}
      zones: {{Europe/Berlin: 100%}}
      widgets: [{{kind: weather}}]
os: {{idle: {{after: {idle}s, give_up: 4h}}}}
backend: {{endpoints: {{forecast: {{latency: {{p50: 60ms, p99: 500ms}}}}}}}}
"""
# The name in SCENARIO, the range as an option, and its ends in the unit of fit.csv, by path.
KEYS = {
    "fleet.cohorts.all.person.unlocks_per_day.lognormal.median": ("unlocks", "30..250", 30.0, 250.0),
    "os.idle.after": ("idle", "30min..4h", 1800.0, 14400.0),
}


def place(value: float, low: float, high: float) -> float:
    """Returns the position of a value in its range, from 0 to 1, on a logarithmic scale, as in the fit."""
    return math.log(value / low) / math.log(high / low)


def rank(truth: float, middle: float, half: float) -> float:
    """Returns the share below the truth of a normal distribution whose 95 % interval has this half-width."""
    return 0.5 * (1 + math.erf((truth - middle) / (half / 1.96) / math.sqrt(2)))


def fitted(program: str, phones: int, days: int, seed: int) -> dict[str, tuple[float, dict[str, str]]]:
    """Returns the true value of each key in one log, and its row of fit.csv."""
    draws = random.Random(seed)
    truth = {name: round(low * (high / low) ** draws.random(), 3) for name, _, low, high in KEYS.values()}
    middle = {name: round(math.sqrt(low * high)) for name, _, low, high in KEYS.values()}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        common = {"phones": phones, "days": days, "seed": seed}
        (folder / "truth.yaml").write_text(SCENARIO.format(name="truth", **common, **truth))
        (folder / "guess.yaml").write_text(SCENARIO.format(name="guess", **common, **middle))
        quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        run = ["run", "truth.yaml", "--no-bracket", "--no-trials", "--only", "summary.csv", "--jobs", "1", "-q"]
        done = subprocess.run([program, *run, "--out", "truth", "--requests", "log"], **quiet)
        if done.returncode != 0:
            sys.exit(done.stderr)
        calibrate = ["calibrate", "guess.yaml", "--log", "log", "--id", "id", "--jobs", "1", "-q", "--out", "found"]
        calibrate += ["--max-minutes", "60"]
        for path, (_, ends, _, _) in KEYS.items():
            calibrate += ["--fit", f"{path}={ends}"]
        done = subprocess.run([program, *calibrate], **quiet)
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        with open(folder / "found/fit.csv", newline="") as file:
            return {row["path"]: (truth[KEYS[row["path"]][0]], row) for row in csv.DictReader(file)}


def study(program: str, phones: int, days: int, logs: int, jobs: int) -> bool:
    """Fits logs of some days and prints the results; returns whether they are consistent with a correct method."""
    covered = {path: [0, 0] for path in KEYS}
    ranks: dict[str, list[float]] = {path: [] for path in KEYS}
    identified = dict.fromkeys(KEYS, 0)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for rows in pool.map(lambda seed: fitted(program, phones, days, seed), range(1, logs + 1)):
            for path, (truth, row) in rows.items():
                _, _, least, most = KEYS[path]
                for number, ends in enumerate((("statistical_low", "statistical_high"), ("low", "high"))):
                    low, high = (float(row[end]) for end in ends)
                    # An interval may be cut off at an end of the range. No true value lies beyond it.
                    covered[path][number] += low * (1 - 1e-9) <= truth <= high * (1 + 1e-9)
                ends = [place(float(row[end]), least, most) for end in ("low", "high")]
                ranks[path].append(rank(place(truth, least, most), sum(ends) / 2, (ends[1] - ends[0]) / 2))
                identified[path] += row["verdict"] == "identified"
    wanted = right(logs)
    good = True
    for path in KEYS:
        bins = [sum(1 for value in ranks[path] if number <= value * 10 < number + 1) for number in range(10)]
        share = len(ranks[path]) / 10
        chi = sum((count - share) ** 2 / share for count in bins)
        good &= covered[path][1] >= wanted.start
        print(f"{days:2} days  {path:60} chance {covered[path][0]}, with model error {covered[path][1]} of {logs}", end="  ")
        print(f"identified {identified[path]}  ranks {bins}, chi-square {chi:.1f} for 9", flush=True)
    return good


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", default=".build/release/widgetfleet")
    arguments.add_argument("--logs", type=int, default=200)
    arguments.add_argument("--phones", type=int, default=100)
    arguments.add_argument("--days", default="3,7,14")
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    days = [int(text) for text in options.days.split(",")]
    done = [study(program, options.phones, count, options.logs, options.jobs) for count in days]
    sys.exit(0 if all(done) else 1)


if __name__ == "__main__":
    main()
