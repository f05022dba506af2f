"""Tests the output of `export` with other programs: locust sends the load to a server in this test, duktape runs the k6
script with a stub of k6, promtool, Prometheus and prometheus_client read the series, and DuckDB and pandas read the
tables with timestamps. All load goes to 127.0.0.1 and ends within seconds. Run by `make tools-test`."""

import csv
import datetime
import http.server
import json
import math
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request
from collections import Counter

import duckdb
import pandas
from prometheus_client.openmetrics.parser import text_string_to_metric_families

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WIDGETFLEET", ROOT / ".build/debug/widgetfleet"))
LOCUST = ROOT / ".build/locust/bin/locust"

# The exported part is in the first wave of reloads, with about 25 requests per second to each endpoint. The hour starts
# at 08:00 UTC.
SCENARIO = """
schema: widgetfleet/v1
name: export
clock: {start: 2027-01-18T08:00:00Z, warmup: 0s, duration: 1h, step: 1s}
kinds:
  news:
    reload: {after: 5min}
    requests: [{endpoint: api, up: 1kB, down: 20kB}, {endpoint: "images, é", down: 30kB}]
fleet:
  devices: 25000
  cohorts:
    - name: all
      zones: {Europe/Berlin: 100%}
      person: {unlocks_per_day: 0, glances_per_unlock: 0}
      network: wifi
      power: mains
      widgets: [{kind: news}]
os: {idle: {after: 2h, give_up: 0s}}
backend:
  endpoints:
    api: {capacity: 500/s, base_load: {rate: 5/s}}
    "images, é": {cdn: {keys: 50, ttl: 10min}}
events:
  - {name: gone, at: 2027-01-18T08:10:00Z, outage: {endpoint: api, for: 1min, errors: 50%}}
"""
ENDPOINTS = {"api": "/api", "images, é": "/images%2C%20%C3%A9"}
# The exported part: six seconds.
FROM, STEPS = 360, 6
PART = ["--part", "6min..6min6s", "--step", "1s"]

# A stub of k6: a request of a scenario is due when the area below its rate reaches the next whole number.
K6 = """
var __ENV = {};
var sent = [];
var now = 0;
var http = { get: function (url) { sent.push([now, url]); } };
SCRIPT
function milliseconds(text) { return parseFloat(text) * (/ms$/.test(text) ? 1 : 1000); }
var functions = { send: send };
Object.keys(options.scenarios).forEach(function (key) {
  var scenario = options.scenarios[key];
  var unit = milliseconds(scenario.timeUnit);
  var stages = scenario.stages || [{ duration: scenario.duration, target: scenario.rate }];
  var rate = scenario.stages ? scenario.startRate : scenario.rate;
  var begin = 0, area = 0, count = 0;
  __ENV = scenario.env;
  stages.forEach(function (stage) {
    var length = milliseconds(stage.duration), last = stage.target;
    var until = area + (rate + last) / 2 * length / unit;
    while (count < until - 1e-6) {
      // The time in the stage at which the area reaches the next whole number.
      var wanted = (count - area) * unit, slope = (last - rate) / (length || 1);
      now = begin + 2 * wanted / (rate + Math.sqrt(rate * rate + 2 * slope * wanted) || 1);
      functions[scenario.exec]();
      count += 1;
    }
    area = until;
    begin += length;
    rate = last;
  });
});
print(JSON.stringify({ options: options, sent: sent }));
"""


def run(*arguments, folder):
    done = subprocess.run(
        [PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
    if done.returncode != 0:
        raise AssertionError(f"{arguments} exited with {done.returncode}: {done.stderr}")
    return done.stdout


class Server:
    """A server that records the arrival times of requests and responds after a delay."""

    def __init__(self, seconds):
        arrivals = self.arrivals = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                arrivals.append((time.monotonic(), self.path))
                time.sleep(seconds)
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, *_):
                pass

        class Threads(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

        self.server = Threads(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "export.yaml").write_text(SCENARIO, encoding="utf-8")
        run("run", "export.yaml", "-o", "out", "--timestamps", "--no-bracket", "--no-trials", "-q", folder=cls.folder)
        with open(cls.folder / "out/load.csv", newline="", encoding="utf-8") as file:
            cls.load = list(csv.DictReader(file))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def export(self, target, *options):
        return run("export", "out", "--to", target, *options, folder=self.folder)

    def planned(self, endpoint, begin=FROM, end=FROM + STEPS, column="arrivals"):
        """Returns the arrivals in each second according to load.csv."""
        rows = [row for row in self.load if row["endpoint"] == endpoint and begin <= float(row["time_s"]) < end]
        return [float(row[column] or 0) for row in rows]


class LoadTests(Exports):
    def compare(self, arrivals):
        """Checks that the number of arrivals is as planned, and that each second's is within its Poisson error."""
        arrivals = sorted(arrivals)
        begin = arrivals[0][0]
        for endpoint, path in ENDPOINTS.items():
            planned = self.planned(endpoint)
            self.assertGreater(min(planned), 5, "the part has too little load to compare")
            own = [at - begin for at, asked in arrivals if asked == path]
            self.assertEqual(len(own), sum(planned))
            seconds = Counter(min(int(at), STEPS) for at in own)
            for second, count in enumerate(planned):
                # The tolerance is four standard errors of the difference: the edges of the seconds differ slightly.
                self.assertLessEqual(abs(seconds[second] - count), 4 * math.sqrt(2 * count), f"{endpoint}, {second} s")
            self.assertLessEqual(seconds[STEPS], 4 * math.sqrt(2 * planned[-1]))

    def test_locust_sends_what_was_simulated(self):
        file = self.folder / "locustfile.py"
        file.write_text(self.export("locust", *PART), encoding="utf-8")
        # A client that waited for its responses, which take a second each, would send at most one request per second.
        server = Server(seconds=1)
        try:
            done = subprocess.run(
                [LOCUST, "-f", file, "--headless", "--host", server.address, "--only-summary"], cwd=self.folder,
                capture_output=True, text=True, check=False, timeout=120)
        finally:
            server.close()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.compare(server.arrivals)

    def test_locust_places_arrivals_by_the_rate(self):
        """Checks that the share of arrivals before a time in a ramp is the share of the area."""
        text = self.export("locust", "--part", "5min..15min", "--step", "5min", "--ramps")
        names = {}
        exec(text.split("\nimport gevent\n")[0], names)  # pylint: disable=exec-used
        exec("HOST" + text.split("\nHOST", 1)[1].split("class Pace")[0], names)  # pylint: disable=exec-used
        for share in (0.0, 0.1, 0.5, 0.9):
            for first, last in ((0, 8), (8, 0), (3, 5), (4, 4)):
                place = names["place"](share, first, last)
                area = first * place + (last - first) * place**2 / 2
                self.assertAlmostEqual(area, share * (first + last) / 2)
        for name, path, pieces in names["ENDPOINTS"]:
            due = [at for at, _, _ in names["arrivals"](name, path, pieces)]
            self.assertEqual(due, sorted(due))
            self.assertEqual(len(due), sum(self.planned(name, 300, 900)))
            begin = 0
            for seconds, _, _, count in pieces:
                self.assertEqual(sum(begin <= at < begin + seconds for at in due), count)
                begin += seconds

    def k6(self, *options):
        """Runs the script with a stub of k6; returns its scenarios, and each request's time in seconds and path."""
        script = self.export("k6", "--url", "http://127.0.0.1:1", *options)
        for old, new in (("import http from 'k6/http';\n", ""), ("export const", "const"), ("export function", "function")):
            self.assertEqual(script.count(old), 1)
            script = script.replace(old, new)
        file = self.folder / "k6.js"
        file.write_text(K6.replace("SCRIPT", script), encoding="utf-8")
        done = subprocess.run(["duk", file], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = json.loads(done.stdout)
        return found["options"]["scenarios"], [
            (at / 1000, urllib.parse.urlsplit(url).path) for at, url in found["sent"]]

    def test_k6_starts_what_was_simulated(self):
        scenarios, sent = self.k6(*PART)
        self.assertEqual({one["env"]["TARGET"] for one in scenarios.values()}, set(ENDPOINTS.values()))
        self.assertEqual({one["tags"]["endpoint"] for one in scenarios.values()}, set(ENDPOINTS))
        for endpoint, path in ENDPOINTS.items():
            planned = self.planned(endpoint)
            own = [at for at, asked in sent if asked == path]
            self.assertEqual(len(own), sum(planned))
            for second, count in enumerate(planned):
                self.assertAlmostEqual(sum(second <= at + 1e-6 < second + 1 for at in own), count, delta=1)

    def test_k6_ramps_keep_the_total(self):
        scenarios, sent = self.k6("--part", "5min..35min", "--step", "7min", "--ramps", "--factor", "0.1")
        self.assertTrue(all(one["executor"] == "ramping-arrival-rate" for one in scenarios.values()))
        # A stage without a duration would be a jump in the rate.
        self.assertFalse([s for one in scenarios.values() for s in one["stages"] if s["duration"] == "0s"])
        for endpoint, path in ENDPOINTS.items():
            total = sum(self.planned(endpoint, 300, 2100)) / 10
            self.assertAlmostEqual(sum(asked == path for _, asked in sent), total, delta=2)

    def test_k6_of_the_servers_has_the_base_load(self):
        _, sent = self.k6("--at", "servers", "--part", "6min..16min")
        for endpoint, path in ENDPOINTS.items():
            reached = self.planned(endpoint, 360, 960, "reached") + self.planned(endpoint, 360, 960, "base_load")
            self.assertAlmostEqual(sum(asked == path for _, asked in sent), sum(reached), delta=1.5)


class Series(Exports):
    def test_openmetrics_is_openmetrics(self):
        families = {one.name: one for one in text_string_to_metric_families(self.export("openmetrics"))}
        self.assertEqual(families["widgetfleet_requests"].type, "counter")
        for endpoint in ENDPOINTS:
            own = [s for s in families["widgetfleet_requests"].samples if s.labels["endpoint"] == endpoint]
            self.assertEqual(own[-1].value, sum(self.planned(endpoint, 0, 3600)))
            self.assertEqual(float(own[-1].timestamp) - float(own[0].timestamp), 3600)
        self.assertEqual(families["widgetfleet_backlog_requests"].type, "gauge")
        most = max(s.value for s in families["widgetfleet_backlog_requests"].samples if s.labels["endpoint"] == "api")
        self.assertAlmostEqual(most, max(self.planned("api", 0, 3600, "backlog")))

    def test_promtool_has_no_complaint(self):
        """Converts to the older format that promtool checks, in which a counter's header names its samples."""
        text = self.export("openmetrics", "--part", "5min..35min")
        old = []
        for line in text.splitlines():
            words = line.split(" ")
            if words[:2] in (["#", "TYPE"], ["#", "HELP"]) and f"\n{words[2]}_total{{" in text:
                words[2] += "_total"
            old.append(" ".join(words))
        done = subprocess.run(
            ["promtool", "check", "metrics"], input="\n".join(old) + "\n", capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_the_dashboard_shows_what_was_simulated(self):
        """Runs the dashboard's queries in a Prometheus with the series."""
        (self.folder / "series.txt").write_text(self.export("openmetrics"), encoding="utf-8")
        subprocess.run(
            ["promtool", "tsdb", "create-blocks-from", "openmetrics", "series.txt", "data"], cwd=self.folder, check=True,
            capture_output=True)
        dashboard = json.loads(self.export("grafana"))
        with Prometheus(self.folder) as prometheus:
            for panel in dashboard["panels"]:
                for target in panel["targets"]:
                    answer = prometheus.ask(target["expr"], dashboard["time"])
                    self.assertTrue(answer, target["expr"])
                    if "widgetfleet_requests_total" in target["expr"]:
                        self.check_rates(answer)

    def check_rates(self, answer):
        self.assertEqual({series["metric"]["endpoint"] for series in answer}, set(ENDPOINTS))
        for series in answer:
            values = dict(series["values"])
            begin = datetime.datetime(2027, 1, 18, 8, tzinfo=datetime.timezone.utc).timestamp()
            for minute in range(1, 60):
                count = sum(self.planned(series["metric"]["endpoint"], 60 * minute, 60 * minute + 60))
                found = float(values[begin + 60 * minute + 60])
                # A window of two steps that ends on a sample has the one before it, and another if its edge counts.
                before = sum(self.planned(series["metric"]["endpoint"], 60 * minute - 60, 60 * minute))
                self.assertTrue(
                    math.isclose(found * 60, count) or math.isclose(found * 120, count + before), (minute, found, count))


class Prometheus:
    """A Prometheus server on 127.0.0.1 with the blocks in `data`."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        (folder / "prometheus.yml").write_text("scrape_configs: []\n", encoding="utf-8")
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(
            ["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data", "--storage.tsdb.retention.time=10y",
             f"--web.listen-address={self.address}", "--log.level=error"],
            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"http://{self.address}/-/ready", timeout=5) as answer:
                    answer.read()
                return self
            except OSError:
                time.sleep(0.1)
        raise AssertionError("Prometheus does not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=30)

    def ask(self, expression, span):
        values = urllib.parse.urlencode(
            {"query": expression, "start": span["from"], "end": span["to"], "step": "60"})
        with urllib.request.urlopen(f"http://{self.address}/api/v1/query_range?{values}", timeout=30) as answer:
            return json.loads(answer.read())["data"]["result"]


class Timestamps(Exports):
    """Tests load.csv and causes.csv with a time column."""

    def test_duckdb_finds_times(self):
        for name, span in (("load.csv", "to_seconds(time_s)"), ("causes.csv", "to_minutes(minute)")):
            table = self.folder / "out" / name
            found = duckdb.sql(f"SELECT * FROM '{table}'")
            kinds = dict(zip(found.columns, map(str, found.types)))
            self.assertTrue(kinds["time"].startswith("TIMESTAMP"), kinds["time"])
            self.assertEqual(kinds["arrivals"], "BIGINT")
            duckdb.sql("SET timezone = 'UTC'")
            wrong = duckdb.sql(
                f"SELECT count(*) FROM '{table}' WHERE time::TIMESTAMP <> TIMESTAMP '2027-01-18 08:00:00' + {span}")
            self.assertEqual(wrong.fetchone(), (0,))
            self.assertGreater(duckdb.sql(f"SELECT count(*) FROM '{table}'").fetchone()[0], 50)

    def test_pandas_finds_times(self):
        for name, column, unit in (("load.csv", "time_s", "s"), ("causes.csv", "minute", "min")):
            table = pandas.read_csv(self.folder / "out" / name, parse_dates=["time"])
            self.assertEqual(str(table["time"].dt.tz), "UTC")
            self.assertTrue(pandas.api.types.is_integer_dtype(table["arrivals"]))
            self.assertTrue(pandas.api.types.is_string_dtype(table["endpoint"]))
            begin = pandas.Timestamp("2027-01-18T08:00:00Z")
            self.assertTrue((table["time"] == begin + pandas.to_timedelta(table[column], unit=unit)).all())


if __name__ == "__main__":
    unittest.main()
