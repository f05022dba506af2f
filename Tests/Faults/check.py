"""Makes each system call of the program fail, once and permanently, and kills it at calls and at random times. After
each fault, every output is the old one or the new one, the program has reported the reason, and the next run works.

    python3 Tests/Faults/check.py PROGRAM [--only CASE,...] [--sample N] [--kills N] [--seed N]

--sample N: only N faults of each case, drawn with the seed. Needs strace (Scripts/setup.sh faults). Each failure is
printed with the strace option that reproduces it. SPDX-License-Identifier: GPL-3.0-or-later
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from world import CASES, ENVIRONMENT, World, call

# The errors of each call: exhausted memory, threads and descriptors, full and failing disks, interrupts.
ERRORS = {
    "openat": "EMFILE EIO ENOSPC EACCES EINTR", "read": "EIO EINTR", "pread64": "EIO EINTR", "write": "ENOSPC EIO EINTR",
    "writev": "ENOSPC EIO EINTR", "pwrite64": "ENOSPC EIO EINTR", "fsync": "EIO ENOSPC EINTR",
    "fdatasync": "EIO ENOSPC EINTR", "renameat2": "EIO ENOSPC EINVAL", "renameat": "EIO ENOSPC", "rename": "EIO ENOSPC",
    "mkdir": "ENOSPC EACCES", "mkdirat": "ENOSPC EACCES", "unlink": "EIO EACCES", "unlinkat": "EIO EACCES",
    "ftruncate": "EIO EINTR", "fallocate": "ENOSPC", "close": "EIO ENOSPC EINTR", "newfstatat": "EIO ENOMEM",
    "lseek": "EIO", "getdents64": "EIO", "flock": "ENOLCK EINTR", "fcntl": "EIO ENOLCK", "faccessat": "EIO EACCES",
    "faccessat2": "EIO EACCES", "access": "EIO", "readlink": "EIO", "readlinkat": "EIO", "fchown": "EIO",
    "fchmod": "EIO", "getcwd": "EIO", "mmap": "ENOMEM", "mremap": "ENOMEM", "munmap": "ENOMEM", "mprotect": "ENOMEM",
    "brk": "ENOMEM", "clone3": "EAGAIN ENOMEM",
}
# The calls that manage memory. If they fail, the Swift and C runtimes end the program with a signal.
MEMORY = {"mmap", "mremap", "munmap", "mprotect", "brk"}
# The errors that are injected only once, because no real call returns EINTR forever. Memory calls also fail only once,
# because no program can run without memory.
PASSING = {"EINTR"}
# The calls with a lasting effect: a kill before them differs from one after them.
LASTING = [
    "openat", "write", "pwrite64", "fsync", "fdatasync", "renameat2", "renameat", "mkdirat", "unlink", "unlinkat",
    "ftruncate", "flock",
]
# The message for a page that SQLite cannot read and treats as damaged.
MALFORMED = "cannot be used: database disk image is malformed; without --resume, a new one replaces it"
# The first call in `main`; all earlier calls are made by the loader.
MARK = "fcntl(0"
KILLED = ("run", "sweep", "tune")


@dataclasses.dataclass(frozen=True)
class Fault:
    """A fault in the N-th call of a name, in each thread."""

    call: str
    number: int
    # The name of an error, or KILL.
    what: str
    # Whether the fault applies to all later calls, too.
    stays: bool = False

    @property
    def injection(self):
        kind = "signal" if self.what == "KILL" else "error"
        return f"inject={self.call}:{kind}={self.what}:when={self.number}{'+' if self.stays else ''}"

    def before(self, log):
        """Returns the words before the program's name."""
        # A filter in the kernel stops only the traced calls, but then strace injects no signal.
        filtering = [] if self.what == "KILL" else ["--seccomp-bpf"]
        return ["strace", "-f", *filtering, "-qq", "-y", "-s", "0", "-e", "signal=none", "-o", str(log),
                "-e", f"trace={self.call}", "-e", self.injection]


def calls(world):
    """Returns by name the numbers of the first and the last call made by the program itself."""
    with world.copy() as folder:
        log = folder.parent / "log"
        names = ",".join(sorted({*ERRORS, "fcntl"}))
        call(world.program, world.case.arguments, folder, ["strace", "-f", "-qq", "-o", log, "-e", f"trace={names}"])
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    main, has_begun = lines[0].split()[0], False
    loader, counts = collections.Counter(), collections.Counter()
    for line in lines:
        found = re.match(r"(\d+) +(\w+)\(", line)
        if not found:
            continue
        has_begun = has_begun or MARK in line
        thread, name = found.groups()
        counts[thread, name] += 1
        if thread == main and not has_begun:
            loader[name] += 1
    if not has_begun:
        raise SystemExit(f"{world.case.name}: no {MARK} in the trace")
    ends = collections.Counter()
    for (_, name), count in counts.items():
        ends[name] = max(ends[name], count)
    return {name: (loader[name] + 1, ends[name]) for name in ERRORS if ends[name] > loader[name]}


def faults(found):
    """Yields all faults in the calls of a run."""
    for name, (first, last) in found.items():
        for number in range(first, last + 1):
            for error in ERRORS[name].split():
                yield Fault(name, number, error)
                if error not in PASSING and name not in MEMORY:
                    yield Fault(name, number, error, stays=True)
            if name in LASTING:
                yield Fault(name, number, "KILL")


def verdict(world, fault, outcome, hits, seen):
    """Returns what is wrong with the end of a run, or `None`, and how it ended."""
    status, output, error = outcome
    if world.mixture(seen):
        return f"{', '.join(world.mixture(seen))}: neither old nor new", "?"
    if fault.what == "KILL":
        # Calls are distributed over the threads differently in each run, so the last ones may not occur.
        ends = {-9: "killed", world.case.status: "not reached"}
        return (None, ends[status]) if status in ends else (f"status {status} after a kill", "?")
    if status is None:
        return "hangs", "?"
    if status == world.case.status:
        broken = [name for name in world.case.outputs if seen.get(name) != world.new[name]]
        if broken:
            return f"status {status}, but {', '.join(broken)} is unchanged", "?"
        return (None, "done") if output == world.output else (f"status {status}, but stdout differs", "?")
    if status == 4:
        said = [line for line in error.decode(errors="replace").splitlines() if line.startswith("error: ")]
        if len(said) == 1 and re.search(r"'[^']+'|standard output|memory|threads", said[0]):
            return None, "refused"
        # A message cannot be printed if writes to stderr fail.
        if not said and any("write(2<" in hit for hit in hits):
            return None, "refused"
        return f"status 4 with {error.decode(errors='replace')!r}", "?"
    if status == 2 and fault.call == "pread64" and MALFORMED in error.decode(errors="replace"):
        return None, "refused"
    if status < 0 and fault.call in MEMORY:
        return None, "ended by the runtime"
    return f"status {status} with {error.decode(errors='replace')!r}", "?"


def trial(world, fault):
    """Returns how a run ended, what is wrong or `None`, and the calls that failed."""
    with world.copy() as folder:
        log = folder.parent / "log"
        outcome = call(world.program, world.case.arguments, folder, fault.before(log))
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        hits = [line for line in text.splitlines() if "INJECTED" in line]
        if fault.what != "KILL" and not hits:
            return "not reached", None, []
        seen = world.look(folder)
        wrong, end = verdict(world, fault, outcome, hits, seen)
        if wrong is None and (world.leftovers(seen) or end == "killed") and seen != world.old:
            wrong = world.next_run(folder)
        if fault.what == "KILL":
            hits = text.splitlines()[-1:]
        return end, wrong, [re.sub(r"^\d+ +", "", hit) for hit in hits]


def random_kill(world, dice, longest):
    """Kills a run at a random time; returns how it ended, what is wrong or `None`, and the time."""
    with world.copy() as folder:
        moment = dice.uniform(0, longest)
        with subprocess.Popen(
                [str(world.program), *world.case.arguments], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            time.sleep(moment)
            child.kill()
            has_ended = child.wait() != -9
        seen = world.look(folder)
        mixed = world.mixture(seen)
        wrong = f"{', '.join(mixed)}: neither old nor new" if mixed else world.next_run(folder)
        return "had exited" if has_ended else "killed", wrong, [f"after {moment * 1000:.1f} ms"]


def report(name, ends, problems, began):
    """Prints a line for a case, and its failures."""
    words = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    print(f"{name}: {words}; {len(problems)} failures; {time.monotonic() - began:.0f} s", flush=True)
    for fault, wrong, hits in problems:
        print(f"  {fault}\n    {wrong}\n    {hits[0] if hits else ''}", flush=True)


def gathered(pool, jobs):
    """Returns the counts of outcomes and the problems of (name, work) pairs."""
    ends, problems = collections.Counter(), []
    running = [(name, pool.submit(*work)) for name, work in jobs]
    for name, future in running:
        end, wrong, hits = future.result()
        ends[end] += 1
        if wrong:
            problems.append((name, wrong, hits))
    return ends, problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--only", default=",".join(case.name for case in CASES))
    parser.add_argument("--sample", type=int)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wanted = options.only.split(",")
    if options.sample:
        print(f"seed {options.seed}")
    broken = 0
    with tempfile.TemporaryDirectory(prefix="widgetfleet-faults-") as root, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for case in CASES:
            if case.name not in wanted:
                continue
            began = time.monotonic()
            world = World(options.program.resolve(), case, root)
            found = calls(world)
            chosen = list(faults(found))
            dice = random.Random(f"{options.seed} {case.name}")
            if options.sample:
                chosen = dice.sample(chosen, min(options.sample, len(chosen)))
            count = sum(last - first + 1 for first, last in found.values())
            ends, problems = gathered(pool, [(fault.injection, (trial, world, fault)) for fault in chosen])
            report(f"{case.name}: {count} calls, {len(chosen)} faults", ends, problems, began)
            broken += len(problems)
            kills = options.kills // len(KILLED) + 1 if options.kills and case.name in KILLED else 0
            if kills:
                began = time.monotonic()
                broken += kill_all(world, pool, dice, kills)
    return 1 if broken else 0


def kill_all(world, pool, dice, count):
    """Kills runs at random times within the time of a run; returns the number of failures."""
    with world.copy() as folder:
        began = time.monotonic()
        call(world.program, world.case.arguments, folder)
        longest = 1.2 * (time.monotonic() - began)
    began = time.monotonic()
    ends, problems = gathered(
        pool, [(f"kill {number}", (random_kill, world, random.Random(dice.random()), longest)) for number in range(count)])
    report(f"{world.case.name}: {count} kills at random times", ends, problems, began)
    return len(problems)


if __name__ == "__main__":
    sys.exit(main())
