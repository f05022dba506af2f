#!/usr/bin/env python3
"""Whether a scenario's own log contradicts it.

Simulates every scenario that is shipped with a few hundred phones, writes the requests as an access log, and calibrates
the same scenario against that log. Nothing may be contradicted, and what is called identified must hold the file's
value in 95 % of all cases. Each seed uses another number of days and another format.

    Scripts/own_logs.py [--program .build/release/widgetfleet] [--seeds 20] [--phones 500] [--jobs 2] [NAME...]
"""

import argparse
import concurrent.futures
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

FORMATS = {"jsonl": "id", "nginx": "query.install"}
DAYS = [5, 3, 7, 4]
SCENARIOS = pathlib.Path(__file__).resolve().parent.parent / "Scenarios"


class Outcome:
    """What one calibration found: rows of parameters.csv, and why it failed."""

    def __init__(self, name: str, seed: int):
        self.name = name
        self.seed = seed
        self.rows: list[dict[str, str]] = []
        self.contradictions: list[str] = []
        self.failure = ""


def outcome(program: str, name: str, seed: int, phones: int) -> Outcome:
    """Simulates one log of a scenario and calibrates the scenario against it."""
    result = Outcome(name, seed)
    log_format = list(FORMATS)[seed % len(FORMATS)]
    days = DAYS[seed % len(DAYS)]
    path = str(SCENARIOS / f"{name}.yaml")
    sets = ["--set", f"fleet.devices={phones}", "--set", f"clock.duration={days}d", "--set", "run.simulate=all"]
    with tempfile.TemporaryDirectory() as folder:
        quiet = {"cwd": folder, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        run = [program, "run", path, *sets, "--set", f"run.seed={seed}", "--set", "run.replications=1"]
        run += ["--no-bracket", "--no-trials", "--only", "manifest.json", "--jobs", "1", "-q", "--out", "truth"]
        done = subprocess.run([*run, "--requests", "log", "--requests-as", log_format], **quiet)
        if done.returncode not in (0, 1) or not (pathlib.Path(folder) / "log").exists():
            result.failure = "run: " + done.stderr.strip()[-200:]
            return result
        calibrate = [program, "calibrate", path, *sets, "--log", "log", "--id", FORMATS[log_format], "--jobs", "1", "-q"]
        done = subprocess.run([*calibrate, "--map", "kind=kind", "--out", "found"], **quiet)
        table = pathlib.Path(folder) / "found/parameters.csv"
        if not table.exists():
            result.failure = "calibrate: " + done.stderr.strip()[-200:]
            return result
        with open(table, newline="") as file:
            result.rows = list(csv.DictReader(file))
        manifest = (pathlib.Path(folder) / "found/manifest.json").read_text()
        found = re.search(r'"contradictions": \[([^\]]*)\]', manifest)
        result.contradictions = re.findall(r'"([^"]+)"', found.group(1)) if found else []
        result.failure = "" if done.returncode in (0, 1, 5) else f"exit {done.returncode}"
        return result


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", default=".build/release/widgetfleet")
    arguments.add_argument("--seeds", type=int, default=20)
    arguments.add_argument("--phones", type=int, default=500)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--verbose", action="store_true")
    arguments.add_argument("names", nargs="*")
    options = arguments.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    names = options.names or sorted(path.stem for path in SCENARIOS.glob("*.yaml"))
    tasks = [(name, seed) for name in names for seed in range(1, options.seeds + 1)]
    identified, held, contradicted, failed = 0, 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda task: outcome(program, *task, options.phones), tasks):
            where = f"{result.name} seed {result.seed}"
            if result.failure:
                failed += 1
                print(f"{where}: {result.failure}", flush=True)
            for path in result.contradictions:
                contradicted += 1
                row = next((row for row in result.rows if row["path"] == path), {})
                print(f"{where}: {path} contradicted: {row.get('value')} ({row.get('low')} to {row.get('high')})"
                      f" for {row.get('file')}", flush=True)
            for row in result.rows:
                if row["verdict"] != "identified" or not row["low"] or not row["high"]:
                    continue
                identified += 1
                # A value is replaced only if the file's lies outside the interval.
                held += not row["written"]
                if row["written"]:
                    print(f"{where}: {row['path']} outside: {row['value']} ({row['low']} to {row['high']})"
                          f" for {row['file']}", flush=True)
                elif options.verbose:
                    print(f"{where}: {row['path']} held: {row['value']} for {row['file']}", flush=True)
    share = held / identified if identified else 0
    print(f"{len(tasks)} logs: {contradicted} contradictions, {identified} identified values,"
          f" {share:.1%} hold the file's, {failed} failures")
    sys.exit(1 if contradicted or share < 0.95 else 0)


if __name__ == "__main__":
    main()
