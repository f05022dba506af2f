#!/usr/bin/env python3
"""Fuzzes `widgetfleet validate` with mutated scenarios: no crash, exit code 0 or 2, a code and a location in the file
for every problem, and no control characters in the output.

    Scripts/fuzz.py [--minutes N | --seconds N] [--seed N] [--program FILE]

Prints its seed. Scenarios that fail are kept in Reports/fuzz, with the seed that reproduces the failure.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCH = 40
TIMEOUT = 60
TOKENS = [
    b"", b"0", b"-1", b"1e999", b"1e-999", b".nan", b".inf", b"-.inf", b"99999999999999999999", b"9223372036854775807",
    b"18446744073709551616", b"0x10", b"010", b"1:30", b"1_000", b"yes", b"no", b"null", b"~", b"none", b"true", b"[]",
    b"{}", b"[[[[[[", b"{a: {b: {c: ", b"&a x", b"*a", b"!!str x", b"---", b"...", b"# c", b"'", b'"', b'"\\u0000"',
    b'"\\e[31m"', b"|", b">", b"%TAG", b"? ", b": ", b"- ", b"\t", b"\r", b"\r\n", b"\x00", b"\x1b[31m", b"\x7f",
    b"\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"\xef\xbb\xbf", "\u202e".encode(), "\u2028".encode(), "東京".encode(),
    "👩‍👩‍👧".encode(), "e\u0301".encode(), b"0s", b"1ms", b"400d", b"100000d", b"0.0000001s", b"0%", b"100%", b"101%",
    b"1G", b"1/s", b"0/day", b"{uniform: 5s..1s}", b"{exponential: 0s}", b"{lognormal: {median: 1s, sigma: 10}}",
    b"{normal: {mean: 1s, sd: 9d}}", b"{choice: {1s: 50%, 1.0s: 50%}}", b"{every: 1s}", b'{at: "24:00"}', b"at-end",
    b"never", b"local", b"Europe/Berlin", b"Etc/GMT+14", b"mon-fri", b"all", b"peak_rps{} > 1/s",
]


def mutated(dice, seeds):
    """Returns a scenario with one to eight mutations."""
    text = bytearray(dice.choice(seeds))
    for _ in range(dice.choice([1, 1, 1, 2, 3, 8])):
        change(dice, text, seeds)
    return bytes(text[:200_000])


def change(dice, text, seeds):
    place = dice.randrange(len(text) + 1)
    kind = dice.randrange(13)
    lines = text.split(b"\n")
    if kind == 0 and text:
        text[place % len(text)] ^= 1 << dice.randrange(8)
    elif kind == 1:
        text[place:place] = dice.choice(TOKENS)
    elif kind == 2:
        del text[place:place + dice.choice([1, 2, 5, 40])]
    elif kind in (3, 4, 5):  # replaces a value, which finds the most faults
        values = list(re.finditer(rb"(?<=[:,\[{] )[^,\]}\n]+|(?<=[\[{])[^,\]}\n]+", text))
        if values:
            span = dice.choice(values).span()
            text[span[0]:span[1]] = dice.choice(TOKENS)
    elif kind == 6:
        line = dice.choice(lines)
        text[place:place] = b"\n" + line + b"\n"
    elif kind == 7:
        lines.pop(dice.randrange(len(lines)))
        text[:] = b"\n".join(lines)
    elif kind == 8 and len(lines) > 1:
        a, b = dice.randrange(len(lines)), dice.randrange(len(lines))
        lines[a], lines[b] = lines[b], lines[a]
        text[:] = b"\n".join(lines)
    elif kind == 9:
        other = dice.choice(seeds)
        start = dice.randrange(len(other))
        text[place:place] = other[start:start + dice.choice([10, 100, 1000])]
    elif kind == 10:
        text[:] = text.replace(b"\n", dice.choice([b"\r\n", b"\r", b"\n\n"]))
    elif kind == 11:
        del text[place:]
    else:
        line = dice.randrange(len(lines))
        lines[line] = b" " * dice.randrange(6) + lines[line].lstrip()
        text[:] = b"\n".join(lines)


def validate(program, files, form):
    command = [program, "validate", "--format", form] + [str(file) for file in files]
    environment = {"SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, timeout=TIMEOUT, env=environment)


def complaint(program, file):
    """Returns the fault in the result for one file; `None` if there is none."""
    try:
        answer, human = validate(program, [file], "json"), validate(program, [file], "human")
    except subprocess.TimeoutExpired:
        return f"takes longer than {TIMEOUT} s"
    if answer.returncode not in (0, 2) or human.returncode != answer.returncode:
        return f"exits with {answer.returncode} and {human.returncode}"
    if any((byte < 32 and byte != 10) or byte == 127 for byte in human.stderr + human.stdout):
        return "writes control characters"
    problems = json.loads(answer.stdout)
    errors = [problem for problem in problems if problem["severity"] == "error"]
    if bool(errors) != (answer.returncode == 2):
        return f"exits with {answer.returncode} after {len(errors)} errors"
    return next((fault for fault in (misplaced(problem, file) for problem in problems) if fault), None)


def misplaced(problem, file):
    if not re.fullmatch(r"WF[0-9]{3}", problem["code"]) or not problem["message"]:
        return f"has no code or no message: {problem}"
    if problem["line"] is None:
        return None if problem["file"] else f"names no file: {problem}"
    text = file.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = re.split(r"\r\n|\r|\n", text)
    if not 1 <= problem["line"] <= len(lines):
        return f"points below the end of the file: {problem}"
    # Decoders count columns differently after invalid UTF-8. A column one past the end indicates something missing.
    if "\ufffd" not in text and not 1 <= problem["column"] <= len(lines[problem["line"] - 1]) + 1:
        return f"points outside its line: {problem}"
    return None


def keep(file, seed, number, what):
    folder = ROOT / "Reports" / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"seed-{seed}-{number}.yaml"
    kept.write_bytes(file.read_bytes())
    print(f"{kept}: {what} (--seed {seed}, scenario {number})", file=sys.stderr)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--minutes", type=float, default=0)
    options.add_argument("--seconds", type=float, default=0)
    options.add_argument("--seed", type=int, default=None)
    options.add_argument("--program", default=str(ROOT / ".build/release/widgetfleet"))
    settings = options.parse_args()
    seed = settings.seed if settings.seed is not None else random.SystemRandom().randrange(1 << 32)
    dice = random.Random(seed)
    seeds = [file.read_bytes() for file in sorted((ROOT / "Scenarios").glob("*.yaml"))]
    end = time.monotonic() + (settings.minutes * 60 + settings.seconds or 60)
    print(f"fuzz: seed {seed}", flush=True)
    tried = valid = faults = 0
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / f"{number}.yaml" for number in range(BATCH)]
        while time.monotonic() < end and faults < 10:
            for file in files:
                file.write_bytes(mutated(dice, seeds))
            # One process validates the batch. The first file is also validated alone, or all if a fault is suspected.
            try:
                answer = validate(settings.program, files, "json")
                suspicious = answer.returncode not in (0, 2)
            except subprocess.TimeoutExpired:
                suspicious = True
            if not suspicious:
                problems = json.loads(answer.stdout)
                broken = {problem["file"] for problem in problems if problem["severity"] == "error"}
                valid += sum(str(file) not in broken for file in files)
                by_name = {str(file): file for file in files}
                faulty = {p["file"] for p in problems if p["file"] not in by_name or misplaced(p, by_name[p["file"]])}
                suspicious = bool(faulty)
            for number, file in enumerate(files):
                if suspicious or number == 0:
                    fault = complaint(settings.program, file)
                    if fault:
                        faults += 1
                        keep(file, seed, tried + number, fault)
            tried += BATCH
    print(f"fuzz: {tried} scenarios, {valid} of them valid, {faults} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
