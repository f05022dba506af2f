#!/usr/bin/env python3
"""Measures how often the intervals of `calibrate` contain the true value.

Simulates 7-day logs with different seeds, and calibrates a scenario with wrong values against each. Counts for each key
how often its 95 % interval contains the value used to simulate the log. A correct method covers 181 to 197 of 200 times
in 99 of 100 studies (binomial). Intervals due to chance alone must be within these bounds; those widened by the length
of a run, the resolution of timestamps or a bin may cover more often.

    Scripts/coverage.py [--program .build/release/widgetfleet] [--logs 200] [--phones 300] [--jobs 2]
"""

import argparse
import concurrent.futures
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

TRUTH = """\
schema: widgetfleet/v1
name: truth
clock: {{start: 2027-01-18T00:00:00Z, duration: 7d}}
run: {{seed: {seed}}}
kinds:
  weather: {{reload: {{after: 30min}}, requests: [{{endpoint: forecast, down: 8kB}}]}}
fleet:
  devices: {phones}
  cohorts: [{{name: all, zones: {{Europe/Berlin: 70%, America/New_York: 30%}}, widgets: [{{kind: weather}}]}}]
backend: {{endpoints: {{forecast: {{latency: {{p50: 60ms, p99: 500ms}}}}}}}}
"""
ZONE = "fleet.cohorts.all.zones.Europe/Berlin"
# The true values by path, in the unit of parameters.csv; `None` if counted in each log, because each phone's zone is
# drawn at random.
KEYS = {
    "kinds.weather.reload.after": 1800.0,
    "os.start_delay.policy": 900.0,
    "os.idle.give_up": 14400.0,
    "fleet.devices": None,
    ZONE: None,
    "backend.endpoints.forecast.latency.p50": 0.06,
    "backend.endpoints.forecast.latency.p99": 0.5,
}
CHANCE = {ZONE}
FORMATS = {"jsonl": "id", "nginx": "query.install"}


def parameters(program: str, phones: int, seed: int) -> tuple[dict[str, float], dict[str, dict[str, str]]]:
    """Returns the true values of one log, and the rows of parameters.csv."""
    log_format = list(FORMATS)[seed % len(FORMATS)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        truth = TRUTH.format(seed=seed, phones=phones)
        (folder / "truth.yaml").write_text(truth)
        guess = truth.replace("30min", "1h").replace(f"devices: {phones}", f"devices: {3 * phones}").replace("70%", "50%").replace("30%", "50%")
        (folder / "guess.yaml").write_text(guess)
        run = ["run", "truth.yaml", "--no-bracket", "--no-trials", "--only", "devices.csv", "--jobs", "1", "-q"]
        run += ["--out", "truth"]
        quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        done = subprocess.run([program, *run, "--requests", "log", "--requests-as", log_format], **quiet)
        if done.returncode != 0:
            sys.exit(done.stderr)
        calibrate = ["calibrate", "guess.yaml", "--log", "log", "--id", FORMATS[log_format], "--jobs", "1", "-q"]
        done = subprocess.run([program, *calibrate, "--no-simulation", "--out", "found"], **quiet)
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        with open(folder / "truth/devices.csv", newline="") as file:
            zones = [row["zone"] for row in csv.DictReader(file)]
        counted = {"fleet.devices": float(len(zones)), ZONE: zones.count("Europe/Berlin") / len(zones)}
        with open(folder / "found/parameters.csv", newline="") as file:
            return KEYS | counted, {row["path"]: row for row in csv.DictReader(file)}


def right(count: int) -> range:
    """Returns how often 95 % intervals cover in 99 of 100 studies of a correct method: 181 to 197 of 200 times."""
    chances = [math.comb(count, k) * 0.95**k * 0.05 ** (count - k) for k in range(count + 1)]
    low = next(k for k in range(count + 1) if sum(chances[: k + 1]) > 0.005)
    high = next(k for k in range(count, -1, -1) if sum(chances[k:]) > 0.005)
    return range(low, high + 1)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", default=".build/release/widgetfleet")
    arguments.add_argument("--logs", type=int, default=200)
    arguments.add_argument("--phones", type=int, default=300)
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    covered = {key: 0 for key in KEYS}
    judged = {key: 0 for key in KEYS}
    errors: dict[str, list[float]] = {key: [] for key in KEYS}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(1, options.logs + 1)
        for truths, rows in pool.map(lambda seed: parameters(program, options.phones, seed), seeds):
            for key, truth in truths.items():
                row = rows.get(key)
                if row is None or not row["low"] or not row["high"]:
                    continue
                judged[key] += 1
                covered[key] += float(row["low"]) <= truth * (1 + 1e-9) and float(row["high"]) >= truth * (1 - 1e-9)
                errors[key].append(float(row["value"]) / truth - 1)
    failed = False
    for key in KEYS:
        spread = sorted(errors[key])
        middle = f"{spread[len(spread) // 2]:+.4%}" if spread else "-"
        root = f"{math.sqrt(sum(error * error for error in spread) / len(spread)):.4%}" if spread else "-"
        wanted = right(judged[key])
        is_right = covered[key] >= wanted.start and (key not in CHANCE or covered[key] in wanted)
        failed |= not is_right
        verdict = "ok" if is_right else "outside"
        print(f"{key:45} {covered[key]:4} of {judged[key]:4}  median error {middle}  root mean square {root}  {verdict}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
