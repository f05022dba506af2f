"""Tests the harness of `make bench-peers`: its parsing, its refusals, and that its C programs simulate the same day."""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PEERS = pathlib.Path(__file__).resolve().parents[2] / "Bench/Peers"
sys.dont_write_bytecode = True


def module(name):
    spec = importlib.util.spec_from_file_location(name, PEERS / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


run = module("run")


def peer(name, devices, runs, seconds, squares=0, target=None):
    one = run.Peer(name, [], devices, target)
    one.runs, one.squares, one.seconds = runs, squares, seconds
    return one


class Harness(unittest.TestCase):
    def test_counts_of_ours_and_of_a_peer(self):
        ours = "widgetfleet: 1000 devices, 98286 runs, 199526 events in 113 ms, 32 ms of processor time, threads: up to 1"
        self.assertEqual(run.counts("warning: x\n" + ours), (98286, 0))
        self.assertEqual(run.counts("1000 98286 9900000 98280\n"), (98286, 9900000))
        with self.assertRaises(SystemExit):
            run.counts("nothing of the kind\n")

    def test_the_least_time_counts(self):
        ours = peer("ours", 1000, 100000, [2.0, 1.0])
        other = peer("other", 100, 10000, [4.0], target=50)
        rows = list(run.rows([ours, other]))
        self.assertEqual(rows[0]["events_per_cpu_second"], 200000)
        self.assertEqual(rows[1]["ratio"], 40)
        self.assertFalse(rows[1]["met"])
        self.assertIsNone(rows[0]["met"])

    def test_another_workload_is_refused(self):
        # A standard deviation of 10 runs gives a standard error of 0.447 between two means of 1 000 devices.
        squares = 1000 * (100**2 + 10**2)
        ours = peer("ours", 1000, 100000, [1.0])
        known = peer("C", 1000, 100000, [1.0], squares)
        run.check([ours, known, peer("near", 1000, 101700, [1.0])])
        with self.assertRaises(SystemExit) as refusal:
            run.check([ours, known, peer("far", 1000, 101900, [1.0])])
        self.assertIn("far simulates another workload", str(refusal.exception))

    def test_a_peer_that_changes_its_mind_is_refused(self):
        one = run.Peer("fickle", ["sh", "-c", "echo 1 $$ 0 0"], 1)
        one.measure()
        with self.assertRaises(SystemExit):
            one.measure()
        with self.assertRaises(SystemExit):
            run.Peer("broken", ["false"], 1).measure()


class Workload(unittest.TestCase):
    def test_both_languages_have_the_same_numbers(self):
        header = (PEERS / "workload.h").read_text()
        python = module("workload")
        names = re.findall(r"^  ([A-Z_]+) = (\d+),", header, re.M)
        self.assertEqual(len(names), 10)
        for name, value in names:
            self.assertEqual(getattr(python, name), int(value), name)
        self.assertIn(f"LATENCY_SIGMA = {python.LATENCY_SIGMA};", header)

    def test_the_c_programs_agree(self):
        devices = 4000
        with tempfile.TemporaryDirectory() as folder:
            outputs = {}
            for name in ("libm", "same"):
                for flags in ([], ["-DAPART"]):
                    program = f"{folder}/program"
                    source = str(PEERS / f"{name}.c")
                    subprocess.run(["cc", "-std=gnu11", "-O2", *flags, "-o", program, source, "-lm"], check=True)
                    output = subprocess.run([program, str(devices)], check=True, capture_output=True, text=True).stdout
                    outputs[name, bool(flags)] = [int(word) for word in output.split()]
        # Draws are keyed, so they do not depend on the order of the instances.
        self.assertEqual(outputs["same", False], outputs["same", True])
        known = outputs["same", False]
        mean = known[1] / devices
        error = ((known[2] / devices - mean**2) * 2 / devices) ** 0.5
        for output in outputs.values():
            self.assertLess(abs(output[1] / devices - mean), 4 * error)
            # All requests except those in flight at midnight are in a bin.
            self.assertLessEqual(output[3], output[1])
            self.assertGreater(output[3], output[1] - 40)


if __name__ == "__main__":
    unittest.main()
