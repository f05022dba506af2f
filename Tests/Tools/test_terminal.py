"""Tests the program on a terminal: colours, the progress bar, and what disables them."""

import os
import pathlib
import pty
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WIDGETFLEET", ROOT / ".build/debug/widgetfleet"))

SCENARIO = """
schema: widgetfleet/v1
name: terminal
clock: {start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 2h}
kinds: {weather: {reload: {after: 15min}}}
fleet: {devices: 50, cohorts: [{name: all, zones: {UTC: 100%}, widgets: [{kind: weather}]}]}
"""
BAR = "\r\x1b[K["


class Terminal(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "good.yaml").write_text(SCENARIO, encoding="utf-8")
        (self.folder / "bad.yaml").write_text(SCENARIO + "nonsense: 1\n", encoding="utf-8")

    def on_terminal(self, *arguments, **environment):
        """Returns the output on stderr when stderr is a terminal."""
        ours, theirs = pty.openpty()
        variables = {"PATH": os.environ["PATH"], "TERM": "xterm", "SWIFT_BACKTRACE": "enable=no", **environment}
        with subprocess.Popen(
                [PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=theirs, env=variables) as child:
            os.close(theirs)
            said = b""
            while True:
                try:
                    part = os.read(ours, 65536)
                except OSError:
                    break
                if not part:
                    break
                said += part
            child.wait()
        os.close(ours)
        return said.decode("utf-8")

    def test_colours(self):
        red = "\x1b[1;31merror"
        self.assertIn(red, self.on_terminal("validate", "bad.yaml"))
        self.assertIn(red, self.on_terminal("validate", "bad.yaml", "--color=always", NO_COLOR="1"))
        self.assertIn(red, self.on_terminal("validate", "bad.yaml", NO_COLOR="1", WIDGETFLEET_COLOR="always"))
        self.assertIn(red, self.on_terminal("validate", "bad.yaml", NO_COLOR=""))
        self.assertIn(red, self.on_terminal("rum"))

    def test_no_colours(self):
        for arguments, environment in [
            (["--color=never"], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"}),
            ([], {"WIDGETFLEET_COLOR": "never"}), (["--color=never"], {"WIDGETFLEET_COLOR": "always"}),
        ]:
            with self.subTest(arguments=arguments, environment=environment):
                said = self.on_terminal("validate", "bad.yaml", *arguments, **environment)
                self.assertIn("error[WF102]", said)
                self.assertNotIn("\x1b", said)
        # The same holds for arguments that cannot be parsed.
        self.assertNotIn("\x1b", self.on_terminal("rum", NO_COLOR="1"))
        self.assertNotIn("\x1b", self.on_terminal("run", "--nonsense", TERM="dumb"))

    def test_a_bar_on_a_terminal_only(self):
        run = ["run", "good.yaml", "--no-bracket", "--only=summary", "--jobs=1"]
        said = self.on_terminal(*run)
        self.assertIn(BAR, said)
        # The bar is erased before the results are printed.
        self.assertTrue(said.rsplit(BAR, 1)[1].split("\r\x1b[K")[-1].startswith("results: "))
        for arguments, environment in [
            (["--progress=none"], {}), (["--progress=plain"], {}), (["-q"], {}), ([], {"CI": "true"}),
            (["--progress=bar"], {"CI": "1"}), ([], {"TERM": "dumb"}),
        ]:
            with self.subTest(arguments=arguments, environment=environment):
                self.assertNotIn("\x1b", self.on_terminal(*run, *arguments, **environment))

    def test_no_bar_without_a_terminal(self):
        done = subprocess.run(
            [PROGRAM, "run", "good.yaml", "--no-bracket", "--progress=bar"], cwd=self.folder, capture_output=True,
            text=True, check=True, env={"SWIFT_BACKTRACE": "enable=no"})
        self.assertNotIn("\x1b", done.stderr + done.stdout)
        self.assertTrue(all(len(line) <= 80 for line in done.stdout.splitlines()))


if __name__ == "__main__":
    unittest.main()
