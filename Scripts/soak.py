#!/usr/bin/env python3
"""Simulates random scenarios with every feature in several ways that must give the same results.

    Scripts/soak.py [--minutes N] [--seed N] [--samples N] [--program FILE]

Each sample is a scenario of 20 to 200 phones, generated from its number. It is simulated on one thread. Then:

- with 3 threads, every file has the same bytes;
- with its keys in another order, or its kinds renamed, the figures are the same;
- a second run into the same folder replaces the first with the same bytes;
- `report` redraws the same page from the files; `compare` of the run with itself finds no difference;
- `--requests` writes as many requests as the first replication counts;
- a device's day can be replayed under the saved conditions;
- a sweep killed at a random moment and resumed writes the same bytes as an uninterrupted one;
- concurrent runs with other seeds, without -o, leave the same folders and bytes as sequential ones.

Prints the number of each sample that fails; --seed NUMBER --samples 1 reproduces the failure.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import argparse
import csv
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

TIMEOUT = 120


class Broken(Exception):
    """A check that failed."""


def policy(dice: random.Random) -> object:
    minutes = dice.choice([5, 15, 30, 60, 240])
    return dice.choice([
        {"after": f"{minutes}min"}, {"after": f"{minutes}min"}, "at-end", "never",
        {"after": {"uniform": f"5min..{minutes + 5}min"}}, {"after": {"every": "1h", "zone": "local"}},
        {"after": {"at": "09:30", "zone": "Europe/Berlin"}},
    ])  # fmt: skip


def kind(dice: random.Random, endpoints: list[str]) -> dict:
    own = {
        "reload": policy(dice),
        "requests": [
            {"endpoint": name, "up": "500B", "down": f"{dice.randint(1, 60)}kB", "count": dice.randint(1, 3)}
            for name in dice.sample(endpoints, dice.randint(1, len(endpoints)))
        ],
    }
    optional = {
        "entries": {"count": dice.randint(1, 6), "every": "1h"},
        "jitter": {"up_to": f"{dice.randint(1, 20)}min", "per": dice.choice(["run", "device"])},
        "cache": {"ttl": f"{dice.randint(5, 300)}min", "scope": dice.choice(["kind", "instance"])},
        "on_error": {"after": f"{dice.randint(1, 30)}min"},
        "attempts": {"count": dice.randint(1, 3), "backoff": "2s"},
        "taps": {"per_day": dice.randint(1, 20), "burst": dice.randint(1, 4)},
        "stale_after": f"{dice.randint(10, 200)}min",
        "protected": True,
        "location_changes_per_day": dice.randint(1, 5),
        "when": [{"days": "sat-sun", "from": "18:00", "to": "20:30", "zone": "local", "reload": policy(dice)}],
    }
    return own | {key: value for key, value in optional.items() if dice.random() < 0.3}


def cohort(dice: random.Random, name: str, share: int, kinds: list[str]) -> dict:
    own = {
        "name": name, "share": f"{share}%",
        "zones": dice.choice([{"UTC": "100%"}, {"Asia/Tokyo": "60%", "UTC": "40%"}, {"Asia/Kolkata": "100%"}]),
        "widgets": [{"kind": dice.choice(kinds), "share": f"{dice.randint(20, 100)}%"}] + [{"kind": kinds[0]}],
    }  # fmt: skip
    optional = {
        "person": {"unlocks_per_day": dice.choice([5, 60, 200]), "home_visits": 0.8},
        "network": {"wifi": f"{dice.randint(0, 100)}%", "offline": {"share": f"{dice.randint(1, 20)}%"}},
        "os": dice.choice(["ios-26", "ios-17", "prompt", "lazy"]),
    }
    return own | {key: value for key, value in optional.items() if dice.random() < 0.5}


def endpoint(dice: random.Random) -> dict:
    optional = {
        "latency": {"p50": "60ms", "p99": f"{dice.randint(200, 3000)}ms"},
        "timeout": "10s",
        "capacity": f"{dice.randint(1, 20)}/s",
        "rate_limit": {"rate": f"{dice.randint(1, 20)}/s", "retry_after": "1min"},
        "cdn": {"keys": dice.randint(1, 50), "ttl": f"{dice.randint(2, 30)}min"},
        "base_load": {"rate": f"{dice.randint(1, 5)}/s", "hours": "default", "zone": "UTC"},
    }
    return {key: value for key, value in optional.items() if dice.random() < 0.4}


def event(dice: random.Random, number: int, endpoints: list[str]) -> dict:
    what = dice.choice([
        {"push": {"type": "silent", "kinds": "all", "audience": f"{dice.randint(1, 100)}%"}},
        {"outage": {"endpoint": dice.choice(endpoints), "for": f"{dice.randint(1, 60)}min"}},
        {"app_update": {"audience": "100%", "over": "2h"}},
    ])  # fmt: skip
    return {"name": f"event-{number}", "at": f"2027-01-18T{dice.randint(0, 23):02}:17:00Z"} | what


def scenario(dice: random.Random) -> dict:
    endpoints = ["api", "images"][: dice.randint(1, 2)]
    kinds = ["alpha", "beta", "gamma"][: dice.randint(1, 3)]
    shares = dice.choice([[100], [60, 40]])
    own = {
        "schema": "widgetfleet/v1",
        "name": "soak",
        "clock": {"start": "2027-01-18T00:00:00Z", "duration": dice.choice(["1d", "36h"]), "warmup": "1d",
                  "step": dice.choice(["1s", "10s"])},
        "run": {"seed": dice.randrange(1 << 40), "replications": dice.randint(1, 2)},
        "kinds": {name: kind(dice, endpoints) for name in kinds},
        "fleet": {
            "devices": dice.randint(20, 200),
            "cohorts": [cohort(dice, f"cohort-{i}", share, kinds) for i, share in enumerate(shares)],
        },
        "backend": {"endpoints": {name: endpoint(dice) for name in endpoints}},
    }  # fmt: skip
    optional = {
        "app": {"opens_per_day": 3, "reloads": [{"when": "close", "kinds": "all"}]},
        "os": {"min_spacing": f"{dice.randint(1, 10)}min",
               "budget": {"model": dice.choice(["off", "fixed", "bucket"]), "capacity": "40/day"}},
        "events": [event(dice, number, endpoints) for number in range(dice.randint(1, 3))],
        "goals": [{"id": "load", "assert": "peak_rps <= 100/s"}],
    }  # fmt: skip
    return own | {key: value for key, value in optional.items() if dice.random() < 0.5}


def shuffled(dice: random.Random, node: object) -> object:
    """Returns the same with shuffled keys in every mapping whose order does not matter."""
    if isinstance(node, list):
        return [shuffled(dice, item) for item in node]
    if not isinstance(node, dict):
        return node
    keys = list(node)
    # The order of kinds, endpoints and zones determines the order of draws and rows.
    if not {"alpha", "api", "UTC", "Asia/Kolkata"} & set(keys):
        dice.shuffle(keys)
    keys.sort(key=lambda key: key != "schema")
    return {key: shuffled(dice, node[key]) for key in keys}


class Sample:
    def __init__(self, program: str, number: int, folder: pathlib.Path):
        self.program, self.number, self.folder = program, number, folder
        self.dice = random.Random(number)
        self.scenario = scenario(self.dice)

    def call(self, *arguments: str, good: tuple[int, ...] = (0, 1)) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [self.program, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT
        )
        if done.returncode not in good:
            raise Broken(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stderr[-800:]}")
        return done

    def write(self, name: str, what: object) -> str:
        (self.folder / name).write_text(json.dumps(what))
        return name

    def live(self, file: str, out: str, *more: str) -> dict[str, bytes]:
        self.call("run", file, "-q", "--no-bracket", "--no-trials", "--out", out, *more)
        return {path.name: path.read_bytes() for path in sorted((self.folder / out).iterdir())}

    def summary(self, files: dict[str, bytes]) -> list[list[str]]:
        return list(csv.reader(files["summary.csv"].decode().splitlines()))

    def expect(self, holds: bool, what: str) -> None:
        if not holds:
            raise Broken(what)

    def is_valid(self) -> bool:
        return self.call("validate", self.write("sample.yaml", self.scenario), good=(0, 2)).returncode == 0

    def same(self, one: dict[str, bytes], other: dict[str, bytes], what: str) -> None:
        names = [name for name in sorted(one | other) if one.get(name) != other.get(name)]
        self.expect(not names, f"{what}: {', '.join(names)} differ")

    def check(self) -> None:
        base = self.live("sample.yaml", "base", "--jobs", "1", "--save-conditions")
        self.same(base, self.live("sample.yaml", "base", "--jobs", "3", "--save-conditions"), "threads, second run")
        self.ways(base)
        self.pages()
        self.requests(base)
        self.call("run", "sample.yaml", "--device", str(self.dice.randrange(self.scenario["fleet"]["devices"])),
                  "--replay-conditions", "base/conditions.csv", "-q")  # fmt: skip
        self.killed_sweep()
        self.at_once()

    def ways(self, base: dict[str, bytes]) -> None:
        figures = self.summary(base)
        self.write("shuffled.yaml", shuffled(self.dice, self.scenario))
        self.expect(figures == self.summary(self.live("shuffled.yaml", "shuffled")), "shuffled keys change the figures")
        text = json.dumps(self.scenario)
        (self.folder / "renamed.yaml").write_text(text.replace('"alpha"', '"omega"'))
        renamed = self.summary(self.live("renamed.yaml", "renamed"))
        back = [[cell.replace("omega", "alpha") for cell in row] for row in renamed]
        self.expect(sorted(figures) == sorted(back), "a renamed kind changes the figures")

    def pages(self) -> None:
        self.call("report", "base", "-o", "again.html")
        drawn = (self.folder / "again.html").read_bytes()
        self.expect(drawn == (self.folder / "base/report.html").read_bytes(), "the redrawn page differs")
        told = json.loads(self.call("compare", "base", "base", "--format", "json", good=(0,)).stdout)
        figures = [row for one in told["comparisons"] for row in one["figures"]]
        changed = [row for row in figures if row["base"] != row["new"] or row["difference"] not in (0, None)]
        self.expect(len(figures) > 0 and not changed, f"compared with itself: {changed[:2]}")

    def requests(self, base: dict[str, bytes]) -> None:
        self.call("run", "sample.yaml", "-q", "--no-bracket", "--no-trials", "-n", "1", "--out", "logged",
                  "--requests", "log")  # fmt: skip
        lines = (self.folder / "log").read_bytes().count(b"\n")
        rows = self.summary({"summary.csv": (self.folder / "logged/summary.csv").read_bytes()})
        head = rows[0]
        counted = [
            float(row[head.index("value")]) for row in rows[1:]
            if row[head.index("metric")] == "requests" and not any(
                row[place] for place, name in enumerate(head) if name in ("kind", "cohort", "endpoint", "cause"))
        ]  # fmt: skip
        self.expect(counted == [lines], f"{lines} lines, but {counted} requests")

    def killed_sweep(self) -> None:
        sweep = ["sweep", "sample.yaml", "-q", "--vary", "fleet.devices=20,30,40", "--resume", "--out"]
        self.call(*sweep, "whole")
        child = subprocess.Popen([self.program, *sweep, "killed"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)  # fmt: skip
        time.sleep(self.dice.random() * 0.2)
        child.kill()
        child.wait()
        self.call(*sweep, "killed")
        one, other = (
            {path.name: path.read_bytes() for path in (self.folder / name).iterdir() if path.is_file()}
            for name in ("whole", "killed")
        )
        self.same(one, other, "killed and resumed sweep")

    def at_once(self) -> None:
        def reports(name: str) -> pathlib.Path:
            folder = self.folder / name
            folder.mkdir()
            return folder

        def left(folder: pathlib.Path) -> list[tuple[str, bytes]]:
            names = {path.parent.name for path in folder.glob("Reports/*/*")}
            hidden = [path.name for path in (folder / "Reports").iterdir() if path.name.startswith(".")]
            self.expect(not hidden, f"{folder.name}: {hidden} are left")
            files = sorted((path.name, path.read_bytes()) for path in folder.glob("Reports/*/*"))
            return [(name, b"") for name in sorted(names)] + files

        run = [self.program, "run", "../sample.yaml", "-q", "--no-bracket", "--no-trials", "--only", "summary,causes"]
        seeds = [["--seed", str(self.dice.randrange(1 << 20))] for _ in range(3)]
        row, once = reports("row"), reports("once")
        for seed in seeds:
            subprocess.run(run + seed, cwd=row, capture_output=True, timeout=TIMEOUT, check=False)
        children = [subprocess.Popen(run + seed, cwd=once, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                    for seed in [*seeds, seeds[0]]]  # fmt: skip
        for child in children:
            error = child.communicate(timeout=TIMEOUT)[1].decode()
            refused = child.returncode == 4 and "with the same settings is working on it" in error
            self.expect(refused or child.returncode in (0, 1), f"parallel: exit {child.returncode}\n{error[-800:]}")
        self.expect(left(row) == left(once), "concurrent runs leave other results than sequential ones")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=1, help="number of the first sample")
    arguments.add_argument("--samples", type=int, default=1_000_000_000)
    arguments.add_argument("--program", default=".build/release/widgetfleet")
    options = arguments.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    end = time.monotonic() + 60 * options.minutes
    (lived, refused, broken) = (0, 0, 0)
    for number in range(options.seed, options.seed + options.samples):
        if time.monotonic() > end:
            break
        folder = pathlib.Path(tempfile.mkdtemp(prefix="soak-"))
        try:
            sample = Sample(program, number, folder)
            if not sample.is_valid():
                refused += 1
                continue
            lived += 1
            sample.check()
        except (Broken, subprocess.TimeoutExpired) as problem:
            broken += 1
            print(f"soak: sample {number}: {problem}", flush=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"soak: {lived} samples simulated, {refused} refused by validate, {broken} failed")
    sys.exit(1 if broken or not lived else 0)


if __name__ == "__main__":
    main()
