"""Tests the files of a run with other programs: DuckDB and Python's csv read the same numbers, and check-jsonschema
accepts the schemas. Run by `make tools-test`, with the packages in requirements.txt."""

import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import duckdb

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WIDGETFLEET", ROOT / ".build/debug/widgetfleet"))
CHECK = [sys.executable, "-m", "check_jsonschema"]

# Names that may cause problems in spreadsheets and CSV readers.
SCENARIO = """
schema: widgetfleet/v1
name: files
clock: {start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 2h, step: 10s}
kinds:
  "=1+1, \\"quoted\\"":
    reload: {after: 15min}
    requests: [{endpoint: "a,b", up: 1kB, down: 20kB}, {endpoint: images, down: 3kB}]
    cache: {ttl: 10min}
  "名前 é":
    reload: at-end
    requests: [{endpoint: images, down: 1kB}]
    taps: {per_day: 30}
fleet:
  devices: 300
  cohorts:
    - name: "-one"
      share: 60%
      zones: {Europe/Berlin: 70%, America/New_York: 30%}
      widgets: [{kind: "=1+1, \\"quoted\\""}, {kind: "名前 é", share: 50%}]
    - name: "@two"
      share: 40%
      zones: {Asia/Tokyo: 100%}
      widgets: [{kind: "名前 é"}]
events:
  - {name: storm, at: 2027-01-18T01:00:00Z, outage: {endpoint: images, for: 5min, errors: 50%}}
backend:
  endpoints:
    images: {capacity: 2/s, queue: 100, latency: {p50: 40ms, p99: 300ms}, cdn: {keys: 50, ttl: 10min}}
goals:
  - {id: "peak, 10 s", assert: "peak_rps{endpoint=images, window=10s} <= 1/s"}
  - {id: open, assert: "recovery_time{event=storm} <= 10min", severity: warning}
"""


def run(*arguments, folder, status=(0,)):
    """Returns the program's stdout; its exit status must be one of `status`."""
    done = subprocess.run(
        [PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
    if done.returncode not in status:
        raise AssertionError(f"{arguments} exited with {done.returncode}: {done.stderr}")
    return done.stdout


class Results(unittest.TestCase):
    """The results of one run with two replications."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "files.yaml").write_text(SCENARIO, encoding="utf-8")
        run("run", "files.yaml", "-n", "2", "--save-conditions", "-q", folder=cls.folder, status=(0, 1))
        cls.results = cls.folder / "Reports/files"
        cls.tables = sorted(cls.results.glob("*.csv"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()


class Tables(Results):
    """Tests the tables with CSV readers."""

    def rows(self, table):
        """Returns the rows as read by Python's csv."""
        with open(table, newline="", encoding="utf-8") as file:
            return list(csv.reader(file))

    def test_every_table_is_there(self):
        names = {table.name for table in self.tables}
        self.assertEqual(names, {
            "summary.csv", "goals.csv", "load.csv", "causes.csv", "devices.csv", "distribution.csv",
            "hours.csv", "asked.csv", "echo.csv", "trials.csv", "conditions.csv"})

    def test_duckdb_and_csv_read_the_same(self):
        for table in self.tables:
            with self.subTest(table.name):
                header, *rows = self.rows(table)
                # There are no trials if no finding recommends a change.
                self.assertTrue(rows or table.name == "trials.csv")
                self.assertLessEqual({len(row) for row in rows}, {len(header)})
                # DuckDB detects separators, quotes, header and types without options.
                found = duckdb.sql(f"SELECT * FROM '{table}'")
                self.assertEqual(found.columns, header)
                others = found.fetchall()
                self.assertEqual(len(others), len(rows))
                for row, other in zip(rows, others):
                    for text, value in zip(row, other):
                        self.assertTrue(same(text, value), f"{table.name}: {text!r} is not {value!r} in {row}")

    def test_numbers_are_numbers_to_duckdb(self):
        for name, columns in {
            "summary.csv": ["value", "low", "high", "prompt", "lazy"], "goals.csv": ["value", "low", "high", "limit"],
            "load.csv": ["time_s", "arrivals", "origin_requests", "failures", "backlog"],
            "causes.csv": ["minute", "arrivals", "failures_outage", "bytes_down", "retries"],
            "devices.csv": ["device", "runs", "runs_policy", "energy_uj"], "distribution.csv": ["from", "to", "count"],
        }.items():
            found = duckdb.sql(f"SELECT * FROM '{self.results / name}'")
            kinds = dict(zip(found.columns, map(str, found.types)))
            for column in columns:
                with self.subTest(f"{name}: {column}"):
                    self.assertIn(kinds[column], {"BIGINT", "DOUBLE"})

    def test_sums_agree_between_files(self):
        def total(table, column):
            return duckdb.sql(f"SELECT sum({column}) FROM '{self.results / table}'").fetchone()[0]

        # load.csv counts requests by arrival time; causes.csv counts them by cause.
        self.assertEqual(total("load.csv", "arrivals"), total("causes.csv", "arrivals"))
        self.assertEqual(total("load.csv", "failures"), sum(
            total("causes.csv", f'"failures_{reason}"')
            for reason in ["outage", "refused", "limited", "timeout", "offline", "cached-error"]))

    def test_nothing_becomes_a_formula(self):
        seen = set()
        for table in self.tables:
            for row in self.rows(table)[1:]:
                for text in row:
                    seen.add(text.lstrip("'"))
                    is_number = same_number(text)
                    self.assertFalse(text[:1] in ("=", "+", "-", "@") and not is_number, f"{table.name}: {text!r}")
        self.assertIn('=1+1, "quoted"', seen)
        self.assertIn("@two", seen)

    def test_lines_end_with_lf_and_text_is_utf8(self):
        for table in self.tables:
            data = table.read_bytes()
            data.decode("utf-8")
            self.assertNotIn(b"\r", data)
            self.assertTrue(data.endswith(b"\n"))
            self.assertFalse(data.startswith(b"\xef\xbb\xbf"))

    def test_summary_json_has_the_rows_of_the_table(self):
        document = json.loads((self.results / "summary.json").read_text(encoding="utf-8"))
        header, *rows = self.rows(self.results / "summary.csv")
        self.assertEqual(len(document["rows"]), len(rows))
        for row, other in zip(rows, document["rows"]):
            for column, text in zip(header, row):
                value = other[column]
                unescaped = text[1:] if text.startswith("'") else text
                self.assertTrue(same(text, value) or unescaped == value, f"{column}: {text!r} is not {value!r}")


class Schemas(Results):
    """Tests the schemas with check-jsonschema."""

    def check(self, schema, *files, status=0):
        path = self.folder / "schema.json"
        path.write_text(schema, encoding="utf-8")
        done = subprocess.run(
            [*CHECK, "--schemafile", str(path), *map(str, files)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)

    def test_they_are_schemas(self):
        for kind in ["scenario", "summary"]:
            path = self.folder / f"{kind}.json"
            path.write_text(run("schema", "--kind", kind, folder=self.folder), encoding="utf-8")
            done = subprocess.run([*CHECK, "--check-metaschema", str(path)], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_scenarios(self):
        schema = run("schema", folder=self.folder)
        starters = []
        for name in ["weather", "news", "wallet", "sports", "minimal"]:
            path = self.folder / f"{name}.yaml"
            path.write_text(run("init", name, folder=self.folder), encoding="utf-8")
            starters.append(path)
        scenarios = sorted((ROOT / "Scenarios").glob("*.yaml"))
        self.assertTrue(scenarios)
        self.check(schema, self.folder / "files.yaml", *starters, *scenarios)

    def test_what_the_parser_refuses(self):
        schema = run("schema", folder=self.folder)
        good = starter = run("init", "minimal", folder=self.folder)
        for was, becomes in [
            ("reload: {after: 1h}", "reload: {afer: 1h}"), ("reload: {after: 1h}", "reload: {after: 1}"),
            ("reload: {after: 1h}", "reload: {after: 1y}"), ("reload: {after: 1h}", "reload: at-ends"),
            ("widgetfleet/v1", "widgetfleet/v2"), ("name: minimal", "name: Minimal"), ("devices: 10k", "devices: 10kk"),
            ("Europe/Berlin: 100%", "Europe/Berlin: 1"), ("up: 1kB", "up: 1KB"), ("[{endpoint: api,", "[{"),
        ]:
            with self.subTest(becomes):
                self.assertIn(was, good)
                path = self.folder / "bad.yaml"
                path.write_text(starter.replace(was, becomes), encoding="utf-8")
                run("validate", "bad.yaml", folder=self.folder, status=(2,))
                self.check(schema, path, status=1)

    def test_summaries(self):
        schema = run("schema", "--kind", "summary", folder=self.folder)
        self.check(schema, self.results / "summary.json")


def same_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def same(text, value):
    """Returns whether a table field has a value."""
    if value is None:
        return text == ""
    if isinstance(value, bool):
        # DuckDB reads a column of yes and no as booleans.
        return text == ("yes" if value else "no")
    if isinstance(value, (int, float)):
        return same_number(text) and float(text) == float(value)
    return text == str(value)


if __name__ == "__main__":
    unittest.main()
