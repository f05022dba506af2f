#!/usr/bin/env python3
"""Simulates scenarios whose numbers are drawn log-uniformly up to the limit of each key. The page of each valid one is
redrawn from its files, and a warning must precede each long run.

    Scripts/extremes.py [--scenarios N] [--seed N] [--program FILE] [--seconds N] [--keep FOLDER]

Prints its seed and a summary line. Scenarios that fail are kept in Reports/extremes.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import math
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SLOW = "WF307", "WF411"


class Author:
    """Draws one scenario: most keys have typical values, some any value up to the limit."""

    def __init__(self, dice):
        self.dice = dice
        self.wild = dice.choice([0.05, 0.15, 0.4, 0.8])

    def number(self, least, most, plain):
        """Returns the plain number or one from [least, most]; log-uniform, but the maximum more often."""
        if self.dice.random() > self.wild:
            return plain
        if self.dice.random() < 0.15:
            return most
        low = max(least, most * 1e-12, 1e-6)
        return math.exp(self.dice.uniform(math.log(low), math.log(most)))

    def count(self, least, most, plain):
        return max(least, min(most, int(self.number(max(least, 1), most, plain))))

    def span(self, least, most, plain):
        """Returns a span in milliseconds."""
        return f"{max(least, min(most, int(self.number(max(least, 1), most, plain))))}ms"

    def rate(self, most, plain):
        """Returns a rate per day."""
        return f"{max(1, int(self.number(1, most, plain)))}/day"

    def power(self, plain):
        return f"{self.number(1e-6, 20, plain):.6f}W"

    def per_bit(self, plain):
        return f"{self.number(1e-3, 1000, plain):.3f}mW/Mbps"

    def maybe(self, text, chance=0.3):
        return text if self.dice.random() < chance else ""

    def law(self, least, most, plain):
        """Returns a distribution of spans."""
        value = self.span(least, most, plain)
        return self.dice.choice([
            value, value, f"{{exponential: {value}}}" if value != "0ms" else value,
            f"{{uniform: 0ms..{value}}}",
            f"{{lognormal: {{median: {value}, sigma: {self.number(0.01, 10, 0.5):.3f}}}}}" if value != "0ms" else value,
        ])

    def people(self, plain):
        value = f"{self.number(1e-3, 10000, plain):.4f}"
        return self.dice.choice([
            value, f"{{exponential: {value}}}",
            f"{{lognormal: {{median: {value}, sigma: {self.number(0.01, 10, 0.5):.3f}}}}}",
        ])

    def scenario(self):
        duration = self.dice.choice([3600_000, 6 * 3600_000, 86_400_000, 86_400_000, 3 * 86_400_000])
        warmup = self.dice.choice([0, 3600_000, 86_400_000])
        if self.dice.random() < self.wild * 0.3:
            duration = self.count(1, 399, 2) * 86_400_000
        step = self.dice.choice([1_000, 1_000, 10_000, 60_000]) if duration < 50 * 86_400_000 else 60_000
        has_limits = self.dice.random() < 0.35 and duration <= 3 * 86_400_000
        step = min(step, 10_000) if has_limits else step
        devices = self.count(1, 1_000_000_000, 10_000)
        simulate = min(devices, self.dice.choice([1, 3, 10, 30]))
        return "\n".join(filter(None, [
            "schema: widgetfleet/v1", "name: extreme",
            f"clock: {{start: 2027-01-18T00:00:00Z, duration: {duration}ms, warmup: {warmup}ms, step: {step}ms}}",
            f"run: {{seed: {self.dice.randrange(1000)}, simulate: {simulate}, "
            f"replications: {self.dice.choice([1, 1, 2])}}}",
            self.app(), self.tables(), "kinds:", self.kind("a"), self.kind("b"),
            f"fleet:\n  devices: {devices}\n  cohorts:\n    - name: all\n      zones: {{Europe/Berlin: 100%}}",
            "      phones: {own: 50%, iphone-15: 50%}", self.habits(),
            f"      power: {self.dice.choice(['mains', '{overnight: 85%, health: 1%}', '{overnight: 0%}'])}",
            f"      widgets:\n{self.widgets()}", self.system(), self.backend(has_limits), self.events(),
        ])) + "\n"

    def app(self):
        occasion = self.dice.choice([
            "{when: open, kinds: all}", f"{{when: change, per_day: {self.number(1e-3, 10000, 5):.4f}, kinds: all}}",
            f"{{when: background-refresh, per_day: {self.number(1e-3, 10000, 5):.4f}, kinds: [a]}}",
        ])
        return (f"app:\n  opens_per_day: {self.number(1e-3, 1000, 2):.4f}\n  foreground: {self.law(1, 86_400_000, 60_000)}"
                f"\n  reloads: [{occasion}]")

    def tables(self):
        tails = ", ".join(
            f"{{length: {self.span(0, 3_600_000, 5000)}, power: {self.power(0.2)}}}" for _ in range(self.dice.choice([0, 1, 4])))
        return (f"radios:\n  own:\n    promotion: {{length: {self.span(0, 60_000, 260)}, power: {self.power(0.6)}}}\n"
                f"    active: {self.power(0.5)}\n    down: {self.per_bit(11)}\n    up: {self.per_bit(70)}\n"
                f"    tails: [{tails}]\n    round_trip: {self.span(0, 10_000, 60)}\n"
                f"phones: {{own: {self.number(0.1, 100, 12):.2f}Wh}}")

    def kind(self, name):
        reload = self.dice.choice([
            f"{{after: {self.law(1, 400 * 86_400_000, 1800_000)}}}",
            f"{{after: {{every: {self.span(1000, 86_400_000, 3600_000)}}}}}", "at-end", "never",
        ])
        lines = [
            f"  {name}:", f"    entries: {{count: {self.count(1, 10000, 4)}, every: {self.span(1, 400 * 86_400_000, 900_000)}}}",
            f"    reload: {reload}", f"    cpu: {self.span(0, 3_600_000, 200)}",
            f"    requests:\n      - {{endpoint: api, count: {self.count(1, 1000, 1)}, "
            f"up: {self.count(0, 10_000_000_000, 500)}B, down: {self.count(0, 10_000_000_000, 20_000)}B}}",
            f"    attempts: {{count: {self.count(1, 16, 1)}, backoff: {self.span(0, 3_600_000, 2000)}}}",
            self.maybe(f"    cache: {{ttl: {self.span(1, 10_000 * 86_400_000, 3600_000)}, "
                       f"single_flight: {self.dice.choice(['true', 'false'])}}}"),
            self.maybe(f"    jitter: {{up_to: {self.span(0, 400 * 86_400_000, 60_000)}}}"),
            self.maybe(f"    taps: {{per_day: {self.number(1e-3, 10000, 3):.4f}, burst: {self.count(1, 1000, 1)}, "
                       f"gap: {self.span(0, 3_600_000, 3000)}}}"),
            self.maybe(f"    on_error: {{after: {self.law(1, 86_400_000, 900_000)}}}"),
            self.maybe(f"    location_changes_per_day: {self.number(1e-3, 10000, 3):.4f}", 0.15),
            self.maybe("    crash: 10%", 0.1), self.maybe("    background_session: true", 0.1),
        ]
        return "\n".join(filter(None, lines))

    def habits(self):
        network = self.dice.choice(["wifi", "own", f"{{wifi: 40%, cellular: own, dwell: {self.span(1000, 86_400_000, 3600_000)}}}",
                                    f"{{offline: {{share: 30%, mean: {self.span(1000, 86_400_000, 600_000)}}}}}"])
        return (f"      person: {{unlocks_per_day: {self.people(60)}, session: {self.law(1, 86_400_000, 60_000)},\n"
                f"        day_variation: {self.number(0.01, 1_000_000, 6):.4f}, "
                f"glances_per_unlock: {self.number(1e-3, 1000, 1.2):.4f}, home_visits: {self.number(1e-3, 1000, 1.2):.4f}}}\n"
                f"      network: {network}")

    def widgets(self):
        places = ["page: 1", "page: 2, family: medium", "page: 3, family: large", "place: lock-screen"]
        return "\n".join(
            f"        - {{kind: {self.dice.choice('ab')}, {self.dice.choice(places)}}}"
            for _ in range(self.dice.choice([1, 2, 2, 2, 6, 6, 30, 60])))

    def system(self):
        return (f"os:\n  min_spacing: {self.span(0, 86_400_000, 300_000)}\n"
                f"  coalescing_window: {self.span(0, 86_400_000, 300_000)}\n"
                f"  foreground_gap: {self.span(0, 86_400_000, 30_000)}\n  at_end_gap: {self.span(0, 86_400_000, 1800_000)}\n"
                + self.maybe(f"  start_delay: {{policy: {self.law(0, 86_400_000, 900_000)}}}\n")
                + f"  budget: {{model: {self.dice.choice(['off', 'bucket', 'bucket', 'fixed'])}, "
                f"capacity: {self.dice.choice(['views', self.rate(1_000_000, 40)])}, "
                f"carry_over: {self.number(0.01, 400, 1.5):.4f}}}")

    def backend(self, has_limits):
        if not has_limits:
            return f"backend: {{endpoints: {{api: {{timeout: {self.span(1, 3_600_000, 30_000)}}}}}}}" if self.dice.random() < 0.5 else ""
        limit = self.dice.choice([
            f"capacity: {self.rate(10**11, 10**8)}, base_load: {{rate: {self.rate(10**11, 10**6)}}}",
            f"rate_limit: {{rate: {self.rate(10**11, 10**8)}, retry_after: {self.span(0, 86_400_000, 60_000)}}}",
            f"cdn: {{keys: {self.count(1, 10**11, 1000)}, ttl: {self.span(100_000, 400 * 86_400_000, 600_000)}}}",
        ])
        return f"backend: {{endpoints: {{api: {{timeout: {self.span(1, 3_600_000, 30_000)}, {limit}}}}}}}"

    def events(self):
        event = self.dice.choice([
            "", "", f"{{name: p, push: {{type: silent, kinds: all, per_device_per_day: {self.number(1e-3, 10000, 4):.4f}}}}}",
            f"{{name: p, push: {{type: widget, per_device_per_day: {self.number(1e-3, 10000, 4):.4f}}}}}",
            f"{{name: o, at: \"00:10\", zone: UTC, outage: {{endpoint: api, for: {self.span(1, 86_400_000, 600_000)}}}}}",
        ])
        return f"events: [{event}]" if event else ""


def run(program, *arguments, seconds):
    """Returns the exit code, `None` after the time limit, and stderr."""
    try:
        done = subprocess.run([program, *arguments], capture_output=True, timeout=seconds, text=True,
                              env={"SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin"})
        return done.returncode, done.stderr
    except subprocess.TimeoutExpired as late:
        return None, (late.stderr or b"").decode("utf-8", "replace")


def outcome(program, file, folder, seconds):
    """Returns the outcome of a scenario in words, and stderr."""
    code, said = run(program, "validate", str(file), seconds=seconds)
    if code != 0:
        return ("refused" if code == 2 else f"VALIDATE {code}"), said
    code, said = run(program, "run", str(file), "-o", str(folder), "--no-bracket", "--color", "never", seconds=seconds)
    if code == 2:
        return ("refused by run", said)
    if code is None:
        return ("slow, forecast" if any(word in said for word in SLOW) else "SLOW"), said
    if code != 0:
        return f"RUN {code}", said
    code, said = run(program, "report", str(folder), "-o", str(folder.with_suffix(".html")), seconds=seconds)
    if code is None:
        return "REPORT SLOW", said
    if code != 0:
        return f"REPORT {code}", said
    same = folder.with_suffix(".html").read_bytes() == (folder / "report.html").read_bytes()
    return "simulated" if same else "OTHER PAGE", said


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--scenarios", type=int, default=100)
    options.add_argument("--seed", type=int, default=None)
    options.add_argument("--seconds", type=float, default=30, help="time limit for each command")
    options.add_argument("--program", default=str(ROOT / ".build/release/widgetfleet"))
    options.add_argument("--keep", default=str(ROOT / "Reports/extremes"))
    settings = options.parse_args()
    seed = settings.seed if settings.seed is not None else random.SystemRandom().randrange(1 << 32)
    print(f"extremes: seed {seed}", flush=True)
    words = collections.Counter()
    for number in range(settings.scenarios):
        with tempfile.TemporaryDirectory() as place:
            file, folder = pathlib.Path(place) / "scenario.yaml", pathlib.Path(place) / "out"
            file.write_text(Author(random.Random(f"{seed}/{number}")).scenario())
            word, said = outcome(settings.program, file, folder, settings.seconds)
            words[word] += 1
            if word[0].isupper():
                kept = pathlib.Path(settings.keep)
                kept.mkdir(parents=True, exist_ok=True)
                (kept / f"{seed}-{number}.yaml").write_text(file.read_text() + "".join(f"# {x}\n" for x in said.splitlines()[:6]))
                print(f"{number}: {word}: {' '.join(said.split())[:160]}", flush=True)
    print("extremes: " + ", ".join(f"{count} {word}" for word, count in sorted(words.items())))
    return 1 if any(word[0].isupper() for word in words) else 0


if __name__ == "__main__":
    sys.exit(main())
