#!/usr/bin/env python3
"""Compares other simulators on workload W with ours on one thread: `make bench-peers`.

Every program simulates the same day (workload.h) and prints the number of runs. The comparison requires that the means
per device agree within chance. CPU time is that of the whole process, as accounted by the system; the programs take
turns, and the minimum counts. An event is the start or the end of a run, so every program has two per run. Other events
of ours take time but do not count.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
HERE = TOP / "Bench/Peers"
BUILT = TOP / ".build/peer-programs"
PYTHON = TOP / ".build/peers/bin/python"
SCENARIO = TOP / "Scenarios/bench-renewal.yaml"
# The maximum difference of two means in standard errors: chance exceeds it once in 16 000 times, and seeds are fixed.
MOST_ERRORS = 4
# SimPy's events are objects in one heap, which fits in the caches for a small fleet: an event costs about half as much.
SMALL_FLEET = 5_000


class Peer:
    """A program that simulates W."""

    def __init__(self, name, command, devices, target=None):
        self.name = name
        self.command = command
        self.devices = devices
        # The minimum ratio of our events per CPU-second to this one's.
        self.target = target
        self.runs = None
        self.squares = 0
        self.seconds = []

    @property
    def speed(self):
        """Events per CPU-second."""
        return 2 * self.runs / min(self.seconds)

    @property
    def mean(self):
        return self.runs / self.devices

    def measure(self):
        """Simulates the day once."""
        with tempfile.TemporaryDirectory() as folder:
            lines, seconds = timed([part.replace("FOLDER", folder) for part in self.command])
        runs, squares = counts(lines)
        if self.runs not in (None, runs):
            sys.exit(f"bench-peers: {self.name} had {self.runs} runs, then {runs}")
        self.runs, self.squares = runs, squares
        self.seconds.append(seconds)


def timed(command):
    """Returns the output of a command and its CPU time in seconds."""
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    if child.returncode != 0:
        sys.exit(f"bench-peers: {command[0]} exited with status {child.returncode}:\n{text}")
    return text, usage.ru_utime + usage.ru_stime


def counts(text):
    """Returns the runs and the sum of their squares per device, from a peer's line or the output of `run -v`."""
    for line in text.splitlines():
        words = line.split()
        if line.startswith("widgetfleet: ") and " runs, " in line:
            return int(words[3]), 0
        if len(words) == 4 and all(word.isdigit() for word in words):
            return int(words[1]), int(words[2])
    sys.exit(f"bench-peers: no counts in:\n{text}")


def build():
    """Compiles the peers in C and C++."""
    BUILT.mkdir(parents=True, exist_ok=True)
    for name in ("libm", "same"):
        for suffix, flags in (("", []), ("-apart", ["-DAPART"])):
            source, program = str(HERE / f"{name}.c"), str(BUILT / (name + suffix))
            plain = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O3", "-ffp-contract=off"]
            subprocess.run(["cc", *plain, *flags, "-o", program, source, "-lm"], check=True)
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "ns3-core"], check=True, capture_output=True, text=True).stdout.split()
    source = str(HERE / "ns3.cc")
    subprocess.run(["c++", "-std=c++17", "-O3", source, "-o", str(BUILT / "ns3"), *flags], check=True)


def peers(devices):
    """Returns our program, then the others with their targets."""
    ours = [
        str(TOP / ".build/release/widgetfleet"), "run", str(SCENARIO), "--jobs", "1", "--no-bracket", "--only",
        "manifest.json", "-v", "--progress", "none", "-o", "FOLDER/results", "--set", f"fleet.devices={devices}"]
    few = min(devices, SMALL_FLEET)
    simpy = lambda count: [str(PYTHON), str(HERE / "simpy_peer.py"), str(count)]
    built = lambda name: [str(BUILT / name), str(devices)]
    return [
        Peer("widgetfleet run --jobs 1", ours, devices),
        Peer("SimPy", simpy(devices), devices, 120),
        Peer("SimPy, small fleet", simpy(few), few),
        Peer("ns-3", built("ns3"), devices, 15),
        Peer("C, libm", built("libm"), devices, 1),
        Peer("C, same draws", built("same"), devices, 1 / 2.5),
        Peer("C, libm, instances apart", built("libm-apart"), devices),
        Peer("C, same draws, apart", built("same-apart"), devices),
        Peer("numpy (stretch)", [str(PYTHON), str(HERE / "numpy_peer.py"), str(devices)], devices, 1),
    ]


def check(all_peers):
    """Exits if the mean runs per device differ; their standard deviation comes from the C programs."""
    known = next(peer for peer in all_peers if peer.squares)
    deviation = math.sqrt(known.squares / known.devices - known.mean**2)
    ours = all_peers[0]
    for peer in all_peers[1:]:
        error = deviation * math.sqrt(1 / ours.devices + 1 / peer.devices)
        if abs(peer.mean - ours.mean) > MOST_ERRORS * error:
            sys.exit(
                f"bench-peers: {peer.name} simulates another workload: {peer.mean:.3f} runs per device-day, "
                f"ours {ours.mean:.3f}, standard error {error:.3f}")


def rows(all_peers):
    ours = all_peers[0]
    for peer in all_peers:
        ratio = ours.speed / peer.speed
        yield {
            "name": peer.name, "devices": peer.devices, "runs_per_device_day": peer.mean,
            "cpu_seconds": min(peer.seconds), "events_per_cpu_second": peer.speed, "ratio": ratio,
            "target": peer.target, "met": None if peer.target is None else ratio >= peer.target}


def table(results):
    print(f"{'':26}{'devices':>9}{'runs/day':>10}{'CPU s':>8}{'M events/CPU s':>16}{'ours is':>10}{'aim':>8}")
    for row in results:
        aim = "" if row["target"] is None else f"{row['target']:g}x" + ("" if row["met"] else " !")
        print(
            f"{row['name']:26}{row['devices']:>9}{row['runs_per_device_day']:>10.3f}{row['cpu_seconds']:>8.2f}"
            f"{row['events_per_cpu_second'] / 1e6:>16.2f}{row['ratio']:>9.2f}x{aim:>8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--devices", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3, help="turns of each program; the minimum CPU time counts")
    parser.add_argument("--format", choices=("human", "json"), default="human")
    options = parser.parse_args()
    build()
    all_peers = peers(options.devices)
    for _ in range(options.rounds):
        for peer in all_peers:
            peer.measure()
    check(all_peers)
    results = list(rows(all_peers))
    if options.format == "json":
        print(json.dumps({"schema": "widgetfleet.bench-peers/v1", "peers": results}, indent=2))
    else:
        table(results)


if __name__ == "__main__":
    main()
