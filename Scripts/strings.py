#!/usr/bin/env python3
"""Every text that a user can meet, in one list, so that they can be read in one go: Docs/STRINGS.txt.

    Scripts/strings.py [check]

Without `check` it writes the list anew; with it, it says whether the list is what the sources hold. Texts stand by
file, in the order of the code; what is computed is an ellipsis, and pieces that are added up are one text. Left out
are names and formats: what has no two words.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "Docs/STRINGS.txt"
# Languages of others in Swift texts: of the scripts only what they show, of style sheets and queries nothing.
SCRIPTS = {"PageScript.swift", "FigureScript.swift"}
FOREIGN = {"StyleSheet.swift", "FigureStyle.swift", "StudyStyle.swift", "StudyStore.swift", "MPICollective.swift"}
HEAD = """Every text that a user can meet, by the file that says it: written by Scripts/strings.py, held by make test.
An ellipsis is what is computed. Read it in one go after changing any: would a native SRE write it so?
"""


def text_at(code: str, place: int) -> tuple[str, int]:
    """The text literal that begins here, what is computed as an ellipsis, and where it ends."""
    quote = '"""' if code.startswith('"""', place) else '"'
    place += len(quote)
    parts: list[str] = []
    while not code.startswith(quote, place):
        if code.startswith("\\(", place):
            parts.append("…")
            place = end_of_value(code, place + 2)
        elif code[place] == "\\":
            mark = re.match(r"\\u\{([0-9A-Fa-f]+)\}", code[place:])
            escape = {"n": " ", "t": " ", "\n": ""}.get(code[place + 1], code[place + 1])
            parts.append(chr(int(mark[1], 16)) if mark else escape)
            place += len(mark[0]) if mark else 2
        else:
            parts.append(code[place])
            place += 1
    return "".join(parts), place + len(quote)


def end_of_value(code: str, place: int) -> int:
    """Where the parenthesis of a computed part closes, past texts within it."""
    depth = 1
    while depth:
        if code[place] == '"':
            place = text_at(code, place)[1]
            continue
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        place += 1
    return place


def texts(code: str) -> list[str]:
    """The text literals of Swift code; those that a plus joins are one."""
    found: list[str] = []
    place, joined = 0, False
    while place < len(code):
        if code.startswith("//", place):
            place = code.find("\n", place) % (len(code) + 1)
        elif code.startswith("/*", place):
            place = code.index("*/", place) + 2
        elif code.startswith('#"', place):
            place = code.index('"#', place + 2) + 2
        elif is_pattern(code, place):
            place = re.compile(r"/(\\.|[^/\\\n])+/").match(code, place).end()
        elif code[place] == '"':
            text, place = text_at(code, place)
            found[-1:] = [found[-1] + text] if joined and found else found[-1:] + [text]
            joined = False
        else:
            between = re.compile(r"\s*\+\s*(?=\")").match(code, place)
            joined = bool(between) and place > 0 and code[place - 1] == '"'
            place = between.end() if joined else place + 1
    return found


def is_pattern(code: str, place: int) -> bool:
    """Whether a regular expression begins here: a slash that nothing is divided by."""
    return code[place] == "/" and code[place - 1] in "( :=" and code[place + 1] not in " /*=" and bool(
        re.compile(r"/(\\.|[^/\\\n])+/[),.\s]").match(code, place))


def shown(text: str) -> bool:
    """Whether people read it: two words, or more."""
    return bool(re.search(r"[A-Za-z]{2}.* .*[A-Za-z]{2}", text)) and not re.match(r"\s*(</|[.#@]\w+ \{)", text)


def listed() -> str:
    lines = [HEAD]
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        if path.name in FOREIGN:
            continue
        found = texts(path.read_text())
        if path.name in SCRIPTS:
            found = [text for part in found for text in re.findall(r'"([^"\\\n]+)"', part)]
        own = [" ".join(text.split()) for text in found if shown(text)]
        if own:
            lines += [f"== {path.relative_to(ROOT / 'Sources')}", *own, ""]
    return "\n".join(lines)


def main() -> None:
    text = listed()
    if sys.argv[1:] == ["check"]:
        if not LIST.exists() or LIST.read_text() != text:
            sys.exit("Docs/STRINGS.txt is out of date: Scripts/strings.py writes it anew; read what changed in it")
    else:
        LIST.write_text(text)


if __name__ == "__main__":
    main()
