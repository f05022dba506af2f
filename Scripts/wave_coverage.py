#!/usr/bin/env python3
"""Measures how often the interval of the wave that settles a verdict contains the full fleet's peak (MODEL.md 1.6).

Simulates three scenarios of a million phones with different seeds, in waves and in full. Stopping once an interval is
narrow could select intervals that are too narrow; a method with exact 95 % intervals covers 186 to 197 of 200 peaks.
Fails if fewer are covered.

    Scripts/wave_coverage.py [--program .build/release/widgetfleet] [--seeds 200] [--jobs 2]
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

FLEET = """\
schema: widgetfleet/v1
name: fleet
clock: {start: 2027-01-18T12:00:00Z, settle: 0s, warmup: 12h, duration: 12h}
fleet:
  devices: 1M
  cohorts:
    - {name: all, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, widgets: [{kind: feed}]}
os: {idle: none, budget: {model: off}}
"""
PUSH = """\
kinds: {feed: {reload: never, requests: [{endpoint: api}]}}
events: [{name: goal, at: 2027-01-18T18:20:00Z, push: {type: widget, over: 0s}}]
"""
HOUR = """\
kinds: {feed: {reload: {after: {every: 3h}}, requests: [{endpoint: api}]}}
"""
# Each scenario's text, the window of its peak, and the limit of its goal.
CASES = {
    "a push with a goal": (PUSH, "1s", 18_000),
    "a push without a goal": (PUSH, "1min", None),
    "a three-hourly load with a goal": (HOUR, "1s", 1_300),
}


def peak(program: str, folder: pathlib.Path, window: str, options: list[str]) -> tuple[int, dict[str, float]]:
    """Returns the number of phones and the peak of a run."""
    run = [program, "run", "fleet.yaml", "--only", "summary.json", "--jobs", "1", "-q", "--out", "results", *options]
    done = subprocess.run(run, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    summary = json.loads((folder / "results/summary.json").read_text())
    for row in summary["rows"]:
        if (row["metric"], row["window"], row["endpoint"], row["during"]) == ("peak_rps", window, "", ""):
            return summary["devices_simulated"], row
    sys.exit(f"no peak in a window of {window}")


def outcome(program: str, name: str, seed: int) -> tuple[int, float, bool, float]:
    """Returns the wave's phones, its interval's half-width as a share, whether it covers the peak, and its error.

    A run that no wave settles has all phones, and an interval without width.
    """
    text, window, limit = CASES[name]
    goals = f'goals: [{{id: limit, assert: "peak_rps{{window={window}}} <= {limit}/s"}}]\n' if limit else ""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "fleet.yaml").write_text(f"{FLEET}{text}{goals}run: {{seed: {seed}}}\n")
        phones, row = peak(program, folder, window, [])
        _, full = peak(program, folder, window, ["--full", "--no-bracket"])
    low, high = (row["value"] if row[end] is None else row[end] for end in ("low", "high"))
    return phones, (high - low) / 2 / row["value"], low <= full["value"] <= high, row["value"] / full["value"] - 1


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", default=".build/release/widgetfleet")
    arguments.add_argument("--seeds", type=int, default=200)
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    failed = False
    for name in CASES:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            found = list(pool.map(lambda seed: outcome(program, name, seed), range(1, options.seeds + 1)))
        covered = sum(is_covered for _, _, is_covered, _ in found)
        failed |= covered < 0.93 * options.seeds
        waves = collections.Counter(phones for phones, _, _, _ in found)
        sizes = ", ".join(f"{count} of {phones}" for phones, count in sorted(waves.items()))
        half = statistics.mean(half for _, half, _, _ in found)
        error = statistics.mean(error * error for _, _, _, error in found) ** 0.5
        print(
            f"{name:33} {covered} of {len(found)}; mean half-width {half:.1%}, root mean square error {error:.1%}; "
            f"phones: {sizes}", flush=True,
        )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
