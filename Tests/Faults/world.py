"""Small runs of the program, each in its own folder, and the content of their folders afterwards."""

import dataclasses
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The seconds after which a run counts as hung; a run normally takes a tenth of a second.
PATIENCE = 30
ENVIRONMENT = {"PATH": os.environ["PATH"], "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8"}
# A file that the user has put into a results folder.
NOTE = "notes.txt"


@dataclasses.dataclass(frozen=True)
class Case:
    """A command that writes."""

    name: str
    # The arguments that the old and the new results share.
    arguments: tuple
    # The files and folders that the command replaces.
    outputs: tuple
    # The additional arguments of the old results.
    old: tuple = ("--seed", "2")
    status: int = 0
    # Whether the command resumes the work of a killed one.
    resumes: bool = False


KEY = "key"
# Ids are hashed with a fixed key; without it, each run would generate its own.
DAYS = ("days.yaml", "--log", "days.log", "--id", "query.install", "--key-file", KEY)
CASES = [
    Case(
        "run", ("run", "small.yaml", "-o", "out", "--junit", "goals.xml", "--requests", "requests.log", "--requests-as",
                "jsonl", "--save-conditions"), ("out", "goals.xml", "requests.log")),
    Case("sweep", ("sweep", "small.yaml", "--nominal", "--resume", "-o", "out"), ("out",), resumes=True),
    Case("tune", ("tune", "small.yaml", "--nominal", "-o", "out"), ("out",)),
    Case("report", ("report", "results", "-o", "page.html"), ("page.html",), ()),
    Case("compare", ("compare", "results", "small.yaml", "--html", "page.html"), ("page.html",), ()),
    Case("calibrate", ("calibrate", *DAYS, "-o", "out"), ("out",)),
    Case("backtest", ("backtest", *DAYS, "--train", "1-2", "-o", "out"), ("out",)),
]


def call(program, arguments, folder, before=()):
    """Runs the program; returns status, stdout and stderr. The status is negative for a signal, `None` if it hangs."""
    try:
        done = subprocess.run(
            [*before, str(program), *arguments], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as late:
        return None, late.stdout or b"", late.stderr or b""
    return done.returncode, done.stdout, done.stderr


def fingerprint(path):
    """Returns the fingerprint of a file, or of a folder and its content; `None` if it does not exist."""
    if path.is_symlink() or not path.exists():
        return None
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    return tuple((entry.name, fingerprint(entry)) for entry in sorted(path.iterdir()))


class World:
    """The folder of a case, with old results, and its content after a run without faults."""

    def __init__(self, program, case, root):
        self.program, self.case = program, case
        self.folder = Path(root) / case.name
        self.folder.mkdir()
        for name in ("small.yaml", "days.yaml"):
            shutil.copy(HERE / name, self.folder)
        self._prepare()
        self.inputs = {path.name for path in self.folder.iterdir()}
        self._must(*case.arguments, *case.old)
        for output in case.outputs:
            if (self.folder / output).is_dir():
                (self.folder / output / NOTE).write_text("mine\n", encoding="utf-8")
            elif not case.old:
                (self.folder / output).write_text("old\n", encoding="utf-8")
        self.old = self.look(self.folder)
        with self.copy() as folder:
            self.status, self.output, _ = call(program, case.arguments, folder)
            self.new = self.look(folder)
            if self.status != case.status or self.leftovers(self.new):
                raise SystemExit(f"{case.name}: status {self.status}, left over {self.leftovers(self.new)}")
            if any(self.new[name] == self.old[name] for name in case.outputs):
                raise SystemExit(f"{case.name}: the new results do not differ from the old ones")
        if case.resumes:
            self._interrupt()

    def _prepare(self):
        if self.case.name in ("report", "compare"):
            self._must("run", "small.yaml", "-o", "results", "--no-trials", "--seed", "1")
        if self.case.name in ("calibrate", "backtest"):
            self._must("run", "days.yaml", "-o", "days", "--no-bracket", "--no-trials", "--only", "summary.csv", "--requests",
                       "days.log", "--requests-as", "nginx")
            shutil.rmtree(self.folder / "days")
            (self.folder / KEY).write_bytes(bytes(range(16)))

    def _must(self, *arguments):
        status, _, error = call(self.program, arguments, self.folder)
        if status != self.case.status:
            raise SystemExit(f"{' '.join(arguments)}: status {status}\n{error.decode()}")

    def _interrupt(self):
        """Kills the case while it commits its second run: one run is stored, with a hot journal, and one is missing."""
        before = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=ftruncate",
                  "-e", "inject=ftruncate:signal=KILL:when=3"]
        call(self.program, self.case.arguments, self.folder, before)
        for leftover in self.folder.glob(".widgetfleet-*.partial"):
            shutil.rmtree(leftover)
        self.old = self.look(self.folder)
        if not self.leftovers(self.old):
            raise SystemExit(f"{self.case.name}: nothing to resume")

    def copy(self):
        """Returns a copy of the initial folder, which is removed with its context."""
        return _Copy(self.folder)

    def look(self, folder):
        """Returns fingerprints by name of everything in the folder except the inputs."""
        return {path.name: fingerprint(path) for path in sorted(folder.iterdir()) if path.name not in self.inputs}

    def leftovers(self, seen):
        """Returns the files that are neither input nor output."""
        return sorted(set(seen) - set(self.case.outputs))

    def next_run(self, folder):
        """Runs without faults; returns what is wrong afterwards, or `None`."""
        status, output, error = call(self.program, self.case.arguments, folder)
        seen = self.look(folder)
        if status != self.case.status:
            return f"the next run ends with {status}: {error.decode(errors='replace').strip()}"
        if output != self.output:
            return "the next run has different output"
        if seen != self.new:
            different = [name for name in {*seen, *self.new} if seen.get(name) != self.new.get(name)]
            return f"after the next run {', '.join(sorted(different))} differs from a run without faults"
        return None

    def mixture(self, seen):
        """Returns the outputs that are neither the old nor the new ones."""
        return [name for name in self.case.outputs
                if seen.get(name) not in (self.old.get(name), self.new.get(name))]


class _Copy:
    def __init__(self, folder):
        self.origin = folder

    def __enter__(self):
        self.path = Path(tempfile.mkdtemp(prefix="widgetfleet-faults-", dir=self.origin.parent))
        folder = self.path / "case"
        shutil.copytree(self.origin, folder)
        return folder

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)
