"""Compares the result of `logs` for a real access log with that of a regular expression. Run by `make tools-test`, with
the archive in real-logs.txt."""

import json
import os
import pathlib
import re
import subprocess
import tarfile
import tempfile
import unittest
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WIDGETFLEET", ROOT / ".build/debug/widgetfleet"))
ARCHIVES = ROOT / ".build/real-logs"

# nginx's combined format as in its manual, followed by any number of quoted fields, because a few lines have one.
COMBINED = re.compile(
    r'\S+ - \S+ \[\d{2}/\w{3}/\d{4}:(?P<hour>\d{2}):\d{2}:\d{2} [+-]\d{4}\] "(?P<request>[^"]*)" (?P<status>\d{3}) '
    r'(?P<bytes>\d+)(?: "[^"]*"){2,}'
)


class RealLogs(unittest.TestCase):
    """Nine days of a data server: 16 275 lines, a third of which are the ends of broken lines."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        (archive,) = ARCHIVES.glob("erddaplogs-*.tar.gz")
        with tarfile.open(archive) as opened:
            opened.extractall(cls.folder.name, filter="data")
        (cls.logs,) = pathlib.Path(cls.folder.name).glob("*/example_data/nginx_example_logs")
        cls.lines = [
            line for path in cls.logs.iterdir() for line in path.read_text(errors="replace").split("\n") if line
        ]
        cls.whole = [match for match in map(COMBINED.fullmatch, cls.lines) if match]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def logs_of(self, *options):
        command = [PROGRAM, "logs", self.logs, "--format", "json", *options]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def test_every_line_is_read_or_counted(self):
        found = self.logs_of()
        self.assertEqual(found["lines"], len(self.lines))
        self.assertEqual(found["requests"], len(self.whole))
        self.assertEqual(found["left_out"], {"not in the format": len(self.lines) - len(self.whole)})
        self.assertGreater(found["left_out"]["not in the format"], 5_000)

    def test_statuses_are_those_of_the_lines(self):
        own = Counter(match["status"] for match in self.whole)
        self.assertEqual(self.logs_of()["statuses"], dict(own))

    def test_bursts_of_robots_are_no_defect(self):
        """Checks that load changes by a factor of a hundred are not reported as a lost server."""
        codes = {finding["code"] for finding in self.logs_of("--yes-ip", "--id", "ip")["findings"]}
        self.assertEqual(codes, {"WF611"})

    def test_no_address_is_written(self):
        addresses = {line.split(" ")[0] for line in self.lines if re.match(r"\d+\.\d+\.\d+\.\d+ ", line)}
        self.assertGreater(len(addresses), 900)
        text = json.dumps(self.logs_of("--yes-ip", "--id", "ip"))
        self.assertFalse([address for address in addresses if address in text])


if __name__ == "__main__":
    unittest.main()
