"""Tests MPI ranks: the same bytes for any number of ranks, any MPI library and any number of kills.

    python3 Tests/Cluster/check.py PROGRAM [TEST...]

Needs Open MPI and MPICH from Debian (Scripts/setup.sh ranks). Random times come from a seed that is printed;
WIDGETFLEET_CLUSTER_SEED sets another one. WIDGETFLEET_CLUSTER_QUICK omits three of the five scenarios.
"""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / ".build/release/widgetfleet"
SEED = int(os.environ.get("WIDGETFLEET_CLUSTER_SEED", "22"))
PROCESSORS = len(os.sched_getaffinity(0))

# Two scenarios without and three with feedback; one has caches and a CDN, one two systems, some several replications.
SCENARIOS = {
    "bench-city": ["--set", "run.simulate=2000", "-n", "2", "--no-bracket"],
    "mixed-ios": ["--set", "run.simulate=2000"],
    "bench-storm": ["--set", "run.simulate=2000", "--no-trials"],
    "weather-launch": ["--set", "run.simulate=500", "--set", "clock.settle=0s"],
    "market-open-overload": ["--set", "run.simulate=1000", "-n", "2", "--no-bracket"],
}
if os.environ.get("WIDGETFLEET_CLUSTER_QUICK"):
    SCENARIOS = {name: SCENARIOS[name] for name in ("bench-city", "bench-storm")}


def launcher(mpi, ranks):
    """Returns the command that starts ranks."""
    if mpi == "mpich":
        return ["mpirun.mpich", "-n", str(ranks)]
    # Allows root in a container and more ranks than processors. Without binding, threads may run on any processor.
    return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]


def hashes(folder):
    """Returns the SHA-256 of every file in a folder, by name."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(Path(folder).iterdir())}


def pids_of_ranks(group):
    """Returns the processes of the program within a session, by rank."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if os.getsid(int(entry.name)) != group or os.readlink(entry / "exe") != str(PROGRAM):
                continue
            environment = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        for name in (b"OMPI_COMM_WORLD_RANK=", b"PMI_RANK="):
            for value in environment:
                if value.startswith(name):
                    found[int(value[len(name):])] = int(entry.name)
    return found


class Folder(unittest.TestCase):
    """A temporary folder, and runs in it."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="widgetfleet-cluster-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def command(self, scenario, out, *more):
        path = ROOT / "Scenarios" / f"{scenario}.yaml"
        return [str(PROGRAM), "run", str(path), *SCENARIOS.get(scenario, []), "--exit-zero", "-o", str(self.folder / out), *more]

    def run_command(self, command, environment=None, timeout=600):
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=timeout, start_new_session=True,
            env={**os.environ, **(environment or {})})

    def succeed(self, command, environment=None):
        result = self.run_command(command, environment)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout[-2000:]}\n{result.stderr[-4000:]}")
        return result

    def start(self, command):
        """Starts ranks in their own session, which ends with the test."""
        process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        for pid in pids_of_ranks(process.pid).values():
            os.kill(pid, signal.SIGKILL)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def ranks(self, process, count):
        """Waits for all ranks and returns their processes."""
        for _ in range(400):
            found = pids_of_ranks(process.pid)
            if len(found) == count:
                return found
            if process.poll() is not None:
                self.fail(f"exited before all ranks started: {process.communicate()}")
            time.sleep(0.025)
        self.fail("the ranks do not start")

    def nothing_half_written(self, out):
        """Checks that there is a complete folder or none."""
        folder = self.folder / out
        self.assertTrue(not folder.exists() or (folder / "manifest.json").exists())


class SamenessTests(Folder):
    def test_same_bytes_everywhere(self):
        for scenario in SCENARIOS:
            alone = self.succeed(self.command(scenario, "alone", "-q"))
            expected = hashes(self.folder / "alone")
            self.assertIn("devices.csv", expected)
            for mpi, counts in (("openmpi", (1, 2, 3, 4)), ("mpich", range(1, min(PROCESSORS, 4) + 1))):
                for ranks in counts:
                    for threads in (1, 2):
                        with self.subTest(scenario=scenario, mpi=mpi, ranks=ranks, threads=threads):
                            result = self.succeed(
                                launcher(mpi, ranks)
                                + self.command(scenario, "ranks", "--jobs", str(threads), "-q"))
                            self.assertEqual(hashes(self.folder / "ranks"), expected)
                            self.assertEqual(result.stdout, alone.stdout)
                            self.assertEqual(sorted(path.name for path in self.folder.glob(".*")), [])
                            shutil.rmtree(self.folder / "ranks")
            shutil.rmtree(self.folder / "alone")

    def test_studies(self):
        """Checks that compare, sweep and tune have the same output and files as one process."""
        path = ROOT / "Scenarios" / "weather-tune.yaml"
        small = ["--set", "run.simulate=300", "-q"]
        vary = ["--vary", "kinds.weather.jitter.up_to=0s,10min"]
        for name, arguments, out in [
            ("sweep", [str(path), *vary, *small], True),
            ("tune", [str(path), "--max-runs", "20", "--nominal", *small], True),
            ("compare", [str(path), str(path), *small], False),
        ]:
            with self.subTest(command=name):
                def call(out_name, before):
                    where = ["-o", str(self.folder / out_name)] if out else []
                    result = self.run_command([*before, str(PROGRAM), name, *arguments, *where])
                    return result.returncode, result.stdout

                alone = call("alone", [])
                self.assertIn(alone[0], (0, 1, 5), alone)
                self.assertEqual(call("ranks", launcher("openmpi", 2)), alone)
                if out:
                    self.assertEqual(hashes(self.folder / "ranks"), hashes(self.folder / "alone"))
                    shutil.rmtree(self.folder / "ranks")
                    shutil.rmtree(self.folder / "alone")

    def test_compare_calls_nobody_silent(self):
        """Compares for a quarter of a minute with ranks that have no folder for signs of life."""
        path = str(ROOT / "Scenarios" / "bench-city.yaml")
        result = self.succeed(
            launcher("openmpi", 2)
            + [str(PROGRAM), "compare", path, path, "--set", "run.simulate=250000", "--jobs", "1", "--progress", "plain"])
        self.assertNotIn("silent", result.stderr)


class EndingTests(Folder):
    """Runs of a few seconds that are interrupted and then resumed."""

    LONG = {
        "bench-city": ["--set", "run.simulate=60000", "--no-bracket", "--no-trials"],
        "bench-storm": ["--set", "run.simulate=30000", "--no-bracket", "--no-trials"],
    }

    def long(self, scenario, out, *more):
        path = ROOT / "Scenarios" / f"{scenario}.yaml"
        return [str(PROGRAM), "run", str(path), *self.LONG[scenario], "-o", str(self.folder / out), "-q", *more]

    def expected(self, scenario):
        """Returns the hashes of an uninterrupted run, and the time it takes on two ranks."""
        self.succeed(self.long(scenario, "alone"))
        began = time.monotonic()
        self.succeed(launcher("openmpi", 2) + self.long(scenario, "ranks", "--jobs", "1"))
        took = time.monotonic() - began
        expected = hashes(self.folder / "alone")
        self.assertEqual(hashes(self.folder / "ranks"), expected)
        shutil.rmtree(self.folder / "ranks")
        return expected, took

    def resume(self, scenario, ranks, expected, *more):
        before = launcher("openmpi", ranks) if ranks > 1 else []
        self.succeed(before + self.long(scenario, "killed", "--resume", "--jobs", "1", *more))
        self.assertEqual(hashes(self.folder / "killed"), expected)
        self.assertEqual(sorted(path.name for path in self.folder.glob(".*")), [])
        shutil.rmtree(self.folder / "killed")

    def test_twenty_kills(self):
        """Kills a random rank, or the launcher, at a random time; then resumes with another number of ranks."""
        dice = random.Random(SEED)
        print(f"seed {SEED}", end=" ", flush=True)
        for scenario in self.LONG:
            expected, took = self.expected(scenario)
            for number in range(10):
                ranks, after = dice.choice((2, 3)), dice.uniform(0, took)
                victim, then = dice.randrange(ranks), dice.choice((1, 2, 4))
                with self.subTest(scenario=scenario, number=number, ranks=ranks, victim=victim, after=after, then=then):
                    process = self.start(
                        launcher("openmpi", ranks) + self.long(scenario, "killed", "--jobs", "1", "--resume"))
                    time.sleep(after)
                    pids = pids_of_ranks(process.pid)
                    if victim in pids:
                        os.kill(pids[victim], signal.SIGKILL)
                    else:
                        self.end(process)
                    process.communicate(timeout=120)
                    self.nothing_half_written("killed")
                    if (self.folder / "killed").exists():
                        self.assertEqual(hashes(self.folder / "killed"), expected)
                        shutil.rmtree(self.folder / "killed")
                    self.resume(scenario, then, expected)

    def begun(self, scenario, *more):
        """Returns a run on two ranks that has saved a checkpoint, and its processes by rank."""
        process = self.start(launcher("openmpi", 2) + self.long(scenario, "killed", "--jobs", "1", *more))
        pids = self.ranks(process, 2)
        while not self.kept():
            self.assertIsNone(process.poll(), "exited before anything was saved")
            time.sleep(0.05)
        return process, pids

    def kept(self):
        folder = self.folder / ".killed.unfinished"
        return [path for path in folder.glob("*") if path.suffix in (".steps", ".shards") and path.stat().st_size]

    def test_signals(self):
        """Sends a signal to one rank: all exit with 75, and --resume continues."""
        for scenario in self.LONG:
            expected, _ = self.expected(scenario)
            for number, rank in ((signal.SIGTERM, 1), (signal.SIGUSR1, 0), (signal.SIGINT, 1)):
                with self.subTest(scenario=scenario, signal=number.name, rank=rank):
                    process, pids = self.begun(scenario)
                    os.kill(pids[rank], number)
                    _, errors = process.communicate(timeout=60)
                    self.assertEqual(process.returncode, 75, errors)
                    self.assertIn("is kept for --resume", errors)
                    self.assertFalse((self.folder / "killed").exists())
                    self.resume(scenario, 3, expected)

    def test_a_rank_that_never_joins(self):
        """Starts a rank that exits or sleeps before MPI_Init: the others wait no longer than the watchdog."""
        for mpi in ("openmpi", "mpich"):
            for fate in ("exit 0", "exec sleep 60"):
                with self.subTest(mpi=mpi, fate=fate):
                    script = f'[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = 1 ] && {fate}; exec "$@"'
                    command = self.command("bench-city", "alone", "--watchdog", "3s", "-q")
                    begun = time.monotonic()
                    process = self.start(launcher(mpi, 2) + ["sh", "-c", script, "sh", *command])
                    try:
                        _, error = process.communicate(timeout=30)
                    except subprocess.TimeoutExpired:
                        self.fail("rank 0 waits forever")
                    self.assertNotEqual(process.returncode, 0)
                    # The launcher may notice first.
                    if time.monotonic() - begun > 3:
                        self.assertIn("rank 0 has heard nothing for 3 s (--watchdog)", error)
                    self.nothing_half_written("alone")

    def test_a_stopped_rank_and_the_watchdog(self):
        for scenario in self.LONG:
            expected, took = self.expected(scenario)
            with self.subTest(scenario=scenario):
                process, pids = self.begun(scenario, "--watchdog", "3s")
                os.kill(pids[1], signal.SIGSTOP)
                began = time.monotonic()
                _, errors = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 75, errors)
                self.assertIn("has heard nothing for 3 s", errors)
                self.assertLess(time.monotonic() - began, took + 20)
                self.resume(scenario, 1, expected)

    def test_a_silent_rank_is_named(self):
        command = [word for word in self.long("bench-storm", "killed", "--jobs", "1", "--watchdog", "14s") if word != "-q"]
        process = self.start(launcher("openmpi", 2) + command)
        pids = self.ranks(process, 2)
        while not self.kept():
            time.sleep(0.05)
        os.kill(pids[1], signal.SIGSTOP)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 75, errors)
        self.assertIn("rank 1 has been silent for 10 s", errors)

    def unfinished(self, scenario):
        """Returns the folder and files of a run that was killed after it had saved a checkpoint."""
        process, _ = self.begun(scenario)
        time.sleep(0.3)
        self.end(process)
        return self.folder / ".killed.unfinished", self.kept()

    def test_spoiled_logs(self):
        for scenario in self.LONG:
            expected, _ = self.expected(scenario)
            folder, kept = self.unfinished(scenario)
            whole = {path: path.read_bytes() for path in kept}
            largest = max(kept, key=lambda path: len(whole[path]))
            resume = launcher("openmpi", 2) + self.long(scenario, "killed", "--jobs", "1", "--resume")
            with self.subTest(scenario=scenario, spoiled="a changed byte"):
                spoiled = bytearray(whole[largest])
                spoiled[len(spoiled) // 2] ^= 1
                largest.write_bytes(bytes(spoiled))
                result = self.run_command(resume)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("it is damaged; without --resume", result.stderr)
                largest.write_bytes(whole[largest])
            for name, words in (("version", "another version"), ("seed", "another seed"), ("scenario", "another scenario")):
                with self.subTest(scenario=scenario, foreign=name):
                    journal = folder / "journal"
                    text = journal.read_text()
                    journal.write_text("".join(
                        f"{line}9\n" if line.startswith(name) else f"{line}\n" for line in text.splitlines()))
                    result = self.run_command(resume)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertIn(words, result.stderr)
                    journal.write_text(text)
            if largest.suffix == ".steps":
                with self.subTest(scenario=scenario, spoiled="cut"):
                    largest.write_bytes(whole[largest][:-3])
            self.resume(scenario, 3, expected)

    def test_begun_anew(self):
        expected, _ = self.expected("bench-storm")
        self.unfinished("bench-storm")
        result = self.succeed(launcher("openmpi", 2) + [a for a in self.long("bench-storm", "killed") if a != "-q"])
        self.assertIn("--resume would have continued it", result.stderr)
        self.assertEqual(hashes(self.folder / "killed"), expected)


class RefusalTests(Folder):
    """Runs that cannot work: all ranks exit, with one message from rank 0 and no partial results."""

    def refuse(self, command, status, words, environment=None, keeps=False):
        result = self.run_command(command, environment, timeout=120)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertEqual(result.stderr.count("error:"), 1, result.stderr)
        self.nothing_half_written("out")
        self.assertFalse((self.folder / ".out.unfinished").exists() and not keeps)
        return result

    def small(self, *more):
        return self.command("bench-storm", "out", "--jobs", "1", *more)

    def both(self, first, second):
        """Returns a command that starts two ranks with different commands."""
        one = launcher("openmpi", 1)
        return one + first + [":", "-n", "1"] + second

    def test_another_scenario_file(self):
        (self.folder / "a").mkdir()
        (self.folder / "b").mkdir()
        text = (ROOT / "Scenarios/bench-storm.yaml").read_text()
        (self.folder / "a/x.yaml").write_text(text)
        (self.folder / "b/x.yaml").write_text(text.replace("1M", "2M"))
        command = [str(PROGRAM), "run", "x.yaml", "-o", str(self.folder / "out")]
        one = launcher("openmpi", 1)
        self.refuse(
            one + ["-wdir", str(self.folder / "a")] + command + [":", "-n", "1", "-wdir", str(self.folder / "b")]
            + command, 2, "rank 1 has a different scenario file of the same name than rank 0")

    def test_other_arguments_and_environment(self):
        self.refuse(self.both(self.small(), self.small("--seed", "9")), 2, "rank 1 has different arguments than rank 0")
        command = self.small()
        self.refuse(
            launcher("openmpi", 1) + ["-x", "WIDGETFLEET_SEED=1"] + command
            + [":", "-n", "1", "-x", "WIDGETFLEET_SEED=2"] + command, 2, "rank 1 has a different WIDGETFLEET_SEED than rank 0")

    def test_another_version(self):
        """Runs a copy of the program with another version string."""
        version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
        other = self.folder / "widgetfleet"
        program = PROGRAM.read_bytes()
        changed = version[:-1] + ("9" if version[-1] != "9" else "8")
        other.write_bytes(program.replace(version.encode(), changed.encode()))
        other.chmod(0o755)
        said = subprocess.run([other, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
        if said == version:
            self.skipTest("the version is not a plain string in the program")
        self.refuse(
            self.both(self.small(), [str(other), *self.small()[1:]]), 2,
            "rank 1 has a different version of widgetfleet than rank 0")

    def test_the_wrong_library(self):
        library = next(Path("/usr/lib").glob("*/libmpi.so.40"))
        result = self.refuse(
            launcher("mpich", 2) + self.small(), 2, "MPICH has started 2 ranks, but the MPI library reports 1",
            {"WIDGETFLEET_MPI_LIB": str(library)})
        self.assertIn("must match", result.stderr)
        self.refuse(
            launcher("mpich", 2) + self.small(), 2, "cannot be opened", {"WIDGETFLEET_MPI_LIB": "/nowhere/libmpi.so"})

    def test_too_many_ranks_of_mpich(self):
        self.refuse(launcher("mpich", PROCESSORS + 1) + self.small(), 2, "where waiting ranks take time from working ones")

    def test_tasks_of_slurm_without_mpi(self):
        self.refuse(
            self.small(), 2, "Slurm has started 4 tasks that are not connected to each other",
            {"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "0"})

    def test_a_rank_that_does_not_see_the_folder(self):
        hidden = ["unshare", "-m", "sh", "-c", f'mount -t tmpfs none {self.folder} && exec "$@"', "sh"]
        if subprocess.run([*hidden, "true"], capture_output=True).returncode != 0:
            self.skipTest("no mount namespaces here")
        self.refuse(self.both(self.small(), hidden + self.small()), 4, "rank 1 cannot see")

    def test_full_disks(self):
        """Limits files to a few kilobytes, on rank 0, then on rank 1."""
        def limited(command):
            return ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", *command]

        city = [*self.command("bench-city", "out", "--jobs", "1", "--no-bracket", "--no-trials", "-q")]
        city += ["--set", "run.simulate=100000"]
        self.refuse(self.both(limited(city), city), 4, "cannot write", keeps=True)
        shutil.rmtree(self.folder / ".out.unfinished", ignore_errors=True)
        self.refuse(self.both(city, limited(city)), 4, "error: rank 1 cannot write", keeps=True)

    def test_a_wrong_scenario(self):
        (self.folder / "x.yaml").write_text("schema: widgetfleet/v1\nname: x\nfleet: {devices: none}\n")
        result = self.run_command(launcher("openmpi", 3) + [str(PROGRAM), "run", "x.yaml"])
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.count("x.yaml:3:18"), 1, result.stderr)

    def test_other_commands_are_done_once(self):
        result = self.succeed(launcher("openmpi", 3) + [str(PROGRAM), "--version"])
        self.assertEqual(result.stdout.count("widgetfleet"), 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[2:]])
