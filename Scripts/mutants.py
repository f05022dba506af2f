#!/usr/bin/env python3
"""Mutation testing: measures how many small changes to the program its tests detect; `make mutants`.

    Scripts/mutants.py [--count 300] [--seed 1] [--jobs 2] [--minutes 0] [--list]

Draws places in the folders of ROOMS and changes each in one way: a comparison, a sign, `&&` for `||`, a literal, `min`
for `max`, or a removed statement. All changes are compiled at once, in a copy below .build/mutants, each behind a
switch that WIDGETFLEET_MUTANT sets; a change that does not compile is reverted. Then the tests for each mutant's folder
run, the quick ones first, until one fails: the mutant is killed. A mutant that passes all of them is a survivor, to be
assessed in Docs/RELIABILITY.md. Outcomes, and the suites that missed a mutant, are kept in .build/mutants, so that the
next call continues; `--minutes` limits the time.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPACE = ROOT / ".build/mutants"
TREE = SPACE / "tree"
OUTCOMES = SPACE / "outcomes.json"
# The suites that missed a mutant without an outcome so far, by mutant.
PASSED = SPACE / "passed.json"
# The names of the mutants that do not compile.
REFUSED = SPACE / "refused.json"
# A hanging mutant counts as detected after PATIENCE times the suite's time without a mutant, plus LEAST seconds.
PATIENCE, LEAST = 5, 30
# The minimum share of mutants that the tests must detect.
ENOUGH = 0.85
# The tests that take seconds, mainly because they simulate many fleets. They run after all others.
SLOW = [
    "fastPathForSessionsCountsTheSame", "fastPathForRunsCountsTheSame", "randomEventsMatchTheNaiveEnergyModel", "schemaAndParserAgree",
    "everyKeyIsReadAndWritten", "mutationsDoNotCrash", "bothPathsAgree", "anyNumberOfRanks", "failureAtOneRankFailsAllRanks",
    "outageOfCapacityCreatesAQueue", "flippedBitsNeverTrap", "resumedRunEqualsAnUninterruptedRun", "anyOrderGivesTheSameBytes", "pathsAgree",
    "allExecutionModesAgree", "devicesFileIsWrittenInPieces", "hostileTextKeepsComparisonStructure", "hostileTextLeavesTheStructure",
]
# The suites that should detect the mutants of a folder, the quickest first. A + marks the slow tests of a suite.
ROOMS = {
    "Sources/Model/DeviceModel": [
        "DeviceModelTests", "FleetEngineTests", "DeviceModelTests+", "FleetEngineTests+",
        "ScenarioGoldenTests.GoldenFileTests", "RandomScenarioTests",
    ],
    "Sources/Model/BackendModel": [
        "BackendModelTests", "FleetEngineTests", "FleetEngineTests+", "ScenarioGoldenTests.GoldenFileTests",
    ],
    "Sources/Studies/Studies": [
        "StudiesTests", "FleetReportsTests", "FleetReportsTests+", "ScenarioGoldenTests.ReportFindingTests",
        "ScenarioGoldenTests.EventFindingTests", "ScenarioGoldenTests.OverloadFindingTests",
        "ScenarioGoldenTests.GoldenFileTests",
    ],
    "Sources/Files/ScenarioFiles": [
        "ScenarioFilesTests", "ScenarioFilesTests+", "ScenarioGoldenTests.CatalogueTests",
        "ScenarioGoldenTests.GoldenFileTests",
    ],
}
# The characters for mutant operators. Each mutant has its own operator, with the same precedence and types.
MARKS = [chr(code) for code in range(0x2200, 0x2240)]
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
JUNCTIONS = {"&&": "||", "||": "&&"}
SIGNS = {"+": "-", "-": "+"}


@dataclasses.dataclass
class Mutant:
    number: int
    path: str
    line: int
    column: int
    old: str
    kind: str

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line + 1}:{self.column + 1} {self.kind} {self.old}"

    @property
    def mark(self) -> str:
        return "".join(MARKS[self.number >> shift & 63] for shift in (6, 0))


def code(line: str) -> str:
    """Returns a line with its strings and comment blanked out, so that nothing in them is changed."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda text: " " * len(text.group()), line)
    return re.sub(r"//.*", lambda text: " " * len(text.group()), line)


def is_statement(line: str) -> bool:
    """Returns whether a line is a complete assignment or call that can be removed."""
    words = r"let|var|return|guard|if|for|while|case|self\.\w+ = |throw|switch|try|precondition|assert|\w+:"
    whole = re.match(r"\s+[a-z][\w.\[\]]*( [+\-*/|&]?= |\()[^{}]*[\w)\]]$", line)
    return bool(whole) and line.count("(") == line.count(")") and not re.match(rf"\s*({words})", line)


def places(path: str, text: str) -> list[Mutant]:
    found, in_text = [], False
    for number, raw in enumerate(text.split("\n")):
        if raw.count('"""') == 1:
            in_text = not in_text
        line = code(raw)
        if in_text or '"""' in raw or re.match(r"\s*(import|package import|public import|@|#|func|case \w+ =)", line):
            continue

        def add(match: re.Match[str], kind: str, group: int = 0) -> None:
            found.append(Mutant(0, path, number, match.start(group), match.group(group), kind))

        for match in re.finditer(r"(?<=[\w)\]] )(<=|>=|==|!=|<|>)(?= [\w(.\-])", line):
            add(match, "comparison")
        for match in re.finditer(r"(?<= )(&&|\|\|)(?= )", line):
            add(match, "junction")
        if '"' not in raw:
            for match in re.finditer(r"(?<=[\w)\]] )[+-](?= [\w(])", line):
                add(match, "sign")
        for match in re.finditer(r"(?<![\w.])(max|min)(?=\()", line):
            add(match, "extreme")
        for match in re.finditer(r"(?<![\w.$])(\d[\d_]*)(?![\w.])(?!\s*\.\.)", line):
            before = line[: match.start()]
            if "<" not in before.replace(" < ", "") and not re.search(r"\.\.[.<]\s*$", before):
                add(match, "literal")
        begin = re.search(r"\S", line)
        if begin and is_statement(line) and text.split("\n")[number - 1].rstrip().endswith(("{", "}", ")", "]")):
            found.append(Mutant(0, path, number, begin.start(), raw.strip(), "statement"))
    return found


def drawn(count: int, seed: int) -> list[Mutant]:
    """Draws places spread over the folders, with equal numbers of each kind as far as possible."""
    dice = random.Random(seed)
    groups: dict[tuple[str, str], list[Mutant]] = {}
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.swift")):
            path = str(file.relative_to(ROOT))
            for mutant in places(path, file.read_text()):
                groups.setdefault((room, mutant.kind), []).append(mutant)
    for group in groups.values():
        dice.shuffle(group)
    chosen: list[Mutant] = []
    while len(chosen) < count and any(groups.values()):
        chosen += [group.pop() for group in groups.values() if group]
    chosen = sorted(chosen[:count], key=lambda mutant: (mutant.path, mutant.line, mutant.column))
    for number, mutant in enumerate(chosen):
        mutant.number = number + 1
    return chosen


def write(mutants: list[Mutant]) -> None:
    """Writes the copy with these mutants in it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        files.setdefault(mutant.path, []).append(mutant)
    for path in filter(None, listed.split("\0")):
        target = TREE / path
        if path in files or not (ROOT / path).is_file():
            continue
        put(target, (ROOT / path).read_bytes(), os.access(ROOT / path, os.X_OK))
    for path, own in files.items():
        lines = (ROOT / path).read_text().split("\n")
        for mutant in sorted(own, key=lambda one: (one.line, -one.column)):
            line = lines[mutant.line]
            end = mutant.column + len(mutant.old)
            lines[mutant.line] = line[: mutant.column] + replaced(mutant) + line[end:]
        text = "\n".join(lines)
        if needs_import(ROOT / path):
            text = "internal import SimulationKernel\n" + text
        put(TREE / path, text.encode(), False)
    put(TREE / "Sources/Kernel/SimulationKernel/Mutants.swift", support(mutants).encode(), False)


def needs_import(file: pathlib.Path) -> bool:
    """Returns whether the file needs an import of the target with the switches."""
    return "import SimulationKernel" not in file.read_text()


def put(target: pathlib.Path, content: bytes, is_program: bool) -> None:
    """Writes a file only if it differs, so that unchanged files are not recompiled."""
    if target.exists() and target.read_bytes() == content:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    if is_program:
        target.chmod(0o755)


def replaced(mutant: Mutant) -> str:
    if mutant.kind in ("comparison", "junction", "sign"):
        return ("∘" if mutant.kind == "junction" else "∙") + mutant.mark
    if mutant.kind == "extreme":
        return f"{mutant.old}Mutant{mutant.number}"
    if mutant.kind == "literal":
        return f"(activeMutant == {mutant.number} ? {int(mutant.old.replace('_', '')) + 1} : {mutant.old})"
    return f"if activeMutant != {mutant.number} {{ {mutant.old} }}"


def support(mutants: list[Mutant]) -> str:
    lines = [
        "import Glibc",
        'public let activeMutant: Int = getenv("WIDGETFLEET_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0',
    ]
    for mutant in mutants:
        name = ("∘" if mutant.kind == "junction" else "∙") + mutant.mark
        if mutant.kind == "junction":
            law = "LogicalConjunctionPrecedence" if mutant.old == "&&" else "LogicalDisjunctionPrecedence"
            lines.append(f"infix operator {name}: {law}")
            lines.append(
                f"public func {name} (l: Bool, r: @autoclosure () throws -> Bool) rethrows -> Bool {{ "
                f"try activeMutant == {mutant.number} ? l {JUNCTIONS[mutant.old]} r() : l {mutant.old} r() }}")
        elif mutant.kind in ("comparison", "sign"):
            isSign = mutant.kind == "sign"
            swap = SIGNS[mutant.old] if isSign else COMPARISONS[mutant.old]
            law = "AdditiveArithmetic" if isSign else "Equatable" if mutant.old in ("==", "!=") else "Comparable"
            lines.append(f"infix operator {name}: {'AdditionPrecedence' if isSign else 'ComparisonPrecedence'}")
            lines.append(
                f"public func {name} <T: {law}>(l: T, r: T) -> {'T' if isSign else 'Bool'} {{ "
                f"activeMutant == {mutant.number} ? l {swap} r : l {mutant.old} r }}")
        elif mutant.kind == "extreme":
            other = "min" if mutant.old == "max" else "max"
            lines.append(
                f"public func {mutant.old}Mutant{mutant.number}<T: Comparable>(_ l: T, _ r: T) -> T {{ "
                f"activeMutant == {mutant.number} ? {other}(l, r) : {mutant.old}(l, r) }}")
    return "\n".join(lines) + "\n"


def build(mutants: list[Mutant]) -> list[Mutant]:
    """Builds the copy, reverting changes that do not compile, until the build succeeds."""
    refused = set(json.loads(REFUSED.read_text())) if REFUSED.exists() else set()
    mutants = [one for one in mutants if one.name not in refused]
    while True:
        write(mutants)
        command = ["swift", "build", "--build-tests", "--scratch-path", str(SPACE / "build")]
        done = subprocess.run(command, cwd=TREE, capture_output=True, text=True)
        if done.returncode == 0:
            return mutants
        text = done.stdout + done.stderr
        errors = re.finditer(r"tree/(Sources/\S+?\.swift):(\d+):\d+: error", text)
        wrong = {(match[1], int(match[2])) for match in errors}
        bad = [one for one in mutants if (one.path, one.line + 1 + needs_import(ROOT / one.path)) in wrong]
        if not bad:
            # The compiler reports the error at another line, so all mutants of the file are reverted.
            files = {path for path, _ in wrong}
            bad = [one for one in mutants if one.path in files]
        if not bad:
            sys.exit(text[-4000:])
        print(f"{len(bad)} changes do not compile and are reverted", flush=True)
        mutants = [one for one in mutants if one not in bad]
        refused |= {one.name for one in bad}
        REFUSED.write_text(json.dumps(sorted(refused), indent=1))


class Limits(dict):
    """The time limit of each suite in seconds, from its time without a mutant, measured on first use."""

    def __missing__(self, suite: str) -> float:
        begun = time.monotonic()
        if noticed(0, suite, float("inf")):
            sys.exit(f"{suite} fails without a mutant")
        self[suite] = PATIENCE * (time.monotonic() - begun) + LEAST
        return self[suite]


def words(suite: str) -> list[str]:
    """Returns options that select a suite's tests; a dot between letters is no word boundary in Swift's regexes."""
    own, slow = re.escape(suite.rstrip("+")), "|".join(SLOW)
    if suite.endswith("+"):
        return ["--filter", rf"^{own}[./](.*/)?({slow})\("]
    return ["--filter", f"^{own}[./]", "--skip", rf"/({slow})\("]


def noticed(number: int, suite: str, limit: float) -> str:
    """Returns how a suite detects a mutant: `fails` or `takes too long`; empty if it does not."""
    program = SPACE / "build/debug/WidgetFleetPackageTests.xctest"
    command = [program, "--testing-library", "swift-testing", *words(suite)]
    environment = {**os.environ, "WIDGETFLEET_MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no"}
    begun = time.monotonic()
    with subprocess.Popen(
        command, cwd=TREE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        os.set_blocking(process.stdout.fileno(), False)
        text = b""
        try:
            while process.poll() is None:
                text += process.stdout.read() or b""
                if "✘".encode() in text:
                    return "fails"
                if time.monotonic() - begun > limit:
                    return "takes too long"
                time.sleep(0.1)
            text += process.stdout.read() or b""
            return "fails" if process.returncode != 0 else ""
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def judge(mutants: list[Mutant], options: argparse.Namespace, end: float) -> dict[str, str]:
    """Returns by name the suite that detects a mutant, and how; empty if it survives. The quickest suites run first.

    Mutants that have not met all suites when time runs out have no outcome.
    """
    limits = Limits()
    known: dict[str, str] = json.loads(OUTCOMES.read_text()) if OUTCOMES.exists() else {}
    passed: dict[str, list[str]] = json.loads(PASSED.read_text()) if PASSED.exists() else {}
    left = [one for one in mutants if known.get(one.name, "") == ""]
    random.Random(options.seed).shuffle(left)
    suites = {one.name: next(own for room, own in ROOMS.items() if one.path.startswith(room)) for one in left}
    for level in range(max(map(len, ROOMS.values()))):
        turn = [one for one in left if one.name not in known and level < len(suites[one.name])]
        new = [suites[one.name][level] for one in turn if suites[one.name][level] not in passed.get(one.name, [])]
        for suite in dict.fromkeys(new):
            _ = limits[suite]

        def meet(one: Mutant) -> str | None:
            suite = suites[one.name][level]
            if suite in passed.get(one.name, []):
                return ""
            return noticed(one.number, suite, limits[suite]) if time.monotonic() < end else None

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for one, how in zip(turn, pool.map(meet, turn)):
                suite = suites[one.name][level]
                if how == "":
                    passed[one.name] = list(dict.fromkeys([*passed.get(one.name, []), suite]))
                    PASSED.write_text(json.dumps(passed, indent=1))
                if how:
                    known[one.name] = f"{suite} ({how})"
                    print(f"killed by {known[one.name]}: {one.name}", flush=True)
                elif how == "" and level == len(suites[one.name]) - 1:
                    known[one.name] = ""
                    print(f"SURVIVED: {one.name}", flush=True)
                OUTCOMES.write_text(json.dumps(known, indent=1))
        print(f"after suite {level + 1} of each folder: {sum(map(bool, known.values()))} killed", flush=True)
    return known


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--minutes", type=float, default=0)
    arguments.add_argument("--list", action="store_true")
    options = arguments.parse_args()
    mutants = drawn(options.count, options.seed)
    if options.list:
        for one in mutants:
            print(f"{one.path}:{one.line + 1}:{one.column + 1}: {one.kind} {one.old}")
        return
    end = time.monotonic() + options.minutes * 60 if options.minutes else float("inf")
    mutants = build(mutants)
    print(f"{len(mutants)} mutants compile", flush=True)
    outcomes = judge(mutants, options, end)
    tried = [outcomes[one.name] for one in mutants if one.name in outcomes]
    killed = sum(1 for killer in tried if killer)
    goldens = sum(1 for killer in tried if killer.startswith("ScenarioGoldenTests.GoldenFile"))
    print(f"{killed} of {len(tried)} mutants were killed, {goldens} by goldens only; {len(mutants)} compile")
    sys.exit(0 if killed >= ENOUGH * len(tried) else 1)


if __name__ == "__main__":
    main()
