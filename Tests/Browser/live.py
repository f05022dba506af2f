"""Tests the page of `serve` in Chromium, its server under attack, and its figures against those of `run`.

usage: live.py WIDGETFLEET [part of a test's name]
"""
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
PROGRAM = Path(sys.argv[1]).resolve()
WANTED = sys.argv[2] if len(sys.argv) > 2 else ""
SCENARIOS = HERE.parents[1] / "Scenarios"
JITTER = "kinds.forecast.jitter.up_to"
# A herd on the full hour, whose peak a jitter spreads. 1 000 phones within a minute are 17/s; within 10 min, 1.7/s.
HERD = """schema: widgetfleet/v1
name: herd
clock: {start: 2027-01-18T00:00:00Z, warmup: 6h, duration: 6h, step: 1s}
kinds:
  forecast:  # a comment that stays
    reload: {after: {every: 1h, zone: local}}
    jitter: {up_to: 0s}
    requests: [{endpoint: api, up: 500B, down: 8kB}]
    stale_after: 2h
fleet:
  devices: 4k
  cohorts:
    - name: all
      zones: {Europe/Berlin: 100%}
      person: {unlocks_per_day: 0}
      network: lte-2021-vz
      widgets: [{kind: forecast}]
os:
  idle: none
  budget: {model: off}
  start_delay: {policy: {uniform: 0s..1min}, in_use: {uniform: 0s..1min}}
backend:
  endpoints:
    api: {capacity: 40/s, latency: {p50: 40ms, p99: 300ms}}
goals:
  - {id: servers, assert: "server_peak_rps{endpoint=api, window=1min} <= 30/s"}
"""


@contextmanager
def served(scenario):
    """Serves a scenario on a free port; gives the address and the process."""
    process = subprocess.Popen([PROGRAM, "serve", scenario, "--port", "0", "-q"], stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0, "SIGINT must end the server with status 0"


@contextmanager
def herd():
    with tempfile.TemporaryDirectory(prefix="widgetfleet-live-") as folder:
        path = Path(folder) / "herd.yaml"
        path.write_text(HERD, encoding="utf-8")
        with served(path) as (address, process):
            yield address, path, process


def waves(address, tab, settings=()):
    """Yields the waves of an answer."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=120)
    query = urlencode([("tab", tab)] + [("set", setting) for setting in settings])
    connection.request("GET", parts.path + "answer?" + query)
    reply = connection.getresponse()
    assert reply.status == 200, reply.read()
    kind = ""
    for line in reply:
        text = line.decode()
        if text.startswith("event: "):
            kind = text[7:].strip()
        if text.startswith("data: ") and kind != "progress":
            yield kind, json.loads(text[6:])
    connection.close()


def request(address, path="", method="GET", headers=None, body=None):
    """Returns the status and the text of one request, with the given headers alone."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=30)
    connection.putrequest(method, parts.path + path if not path.startswith("/") else path, skip_host=True,
                          skip_accept_encoding=True)
    for name, value in {"Host": parts.netloc, **(headers or {})}.items():
        connection.putheader(name, value)
    connection.endheaders()
    if body is not None:
        try:
            connection.send(body)
        except (BrokenPipeError, ConnectionResetError):
            pass
    try:
        reply = connection.getresponse()
        return reply.status, reply.read().decode("utf-8", "replace")
    except (http.client.HTTPException, ConnectionError):
        return 0, ""
    finally:
        connection.close()


@contextmanager
def opened(browser, address, **options):
    """Opens the live page; at the end, nothing may have been said on the console or asked of another host."""
    context = browser.new_context(**options)
    page = context.new_page()
    said, hosts = [], set()
    # The browser reports answers with an error status by itself.
    page.on("console", lambda message: "status of 409" in message.text or said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda one: hosts.add(urlsplit(one.url).netloc))
    page.goto(address)
    yield page
    assert not said, said
    assert hosts == {urlsplit(address).netloc}, hosts
    context.close()


def settled(page):
    page.wait_for_selector(".answers:not(.provisional):not(.stale) #answer .verdict", timeout=90_000)


def turn(page, path, key, count=1):
    """Turns a lever by arrow keys, and waits for the first answer."""
    page.locator(".lever", has_text=path).locator("input[type=range]").focus()
    for _ in range(count):
        page.keyboard.press(key)
    page.wait_for_selector(".answers:not(.stale) #answer", timeout=60_000)


def test_figures_are_those_of_run(_):
    """The last wave has the verdict and figures of `run`; an earlier one has the figures of as many phones, but neither
    the bracket nor the offered load."""
    with herd() as (address, path, _), tempfile.TemporaryDirectory() as folder:
        for settings in [[], [JITTER + "=10min"]]:
            found = [value for kind, value in waves(address, "t", settings) if kind == "wave"]
            assert found[-1]["isLast"] and [one["devices"] for one in found] == sorted(one["devices"] for one in found)
            for wave in [found[0], found[-1]]:
                own = [] if wave["isLast"] else ["--no-bracket", "-n", "1", "--set", f"run.simulate={wave['devices']}"]
                results = f"{folder}/{len(settings)}-{wave['devices']}"
                run = [PROGRAM, "run", path, "-q", "--exit-zero", "--no-trials", "-o", results, *own]
                subprocess.run(run + [part for one in settings for part in ["--set", one]], check=True, capture_output=True)
                report = Path(f"{results}/report.html").read_text(encoding="utf-8")
                names = ["load", "refreshes"] + (["verdict"] if wave["isLast"] else [])
                for element in [f"section id=\"{name}\"" for name in names]:
                    part = wave["html"][wave["html"].index("<" + element):]
                    part = part[:part.index("</section>")]
                    assert part in report, (settings, wave["devices"], element)


def test_jitter_lowers_the_peak_and_turns_the_verdict(browser):
    with herd() as (address, _, _), opened(browser, address) as page:
        settled(page)
        assert page.locator("#answer .verdict.is-bad").count() == 1
        turn(page, JITTER, "ArrowRight", 8)
        assert "up_to%3D10min" in page.url
        settled(page)
        assert page.locator("#answer .verdict.is-good").count() == 1
        tile = page.locator("#answer .tile", has_text="Peak").first.text_content()
        before, now = [float(text.replace("\u202f", "")) for text in re.findall(r"([\d.\u202f]+)/s (?:before|now)", tile)]
        # A minute's start delays alone carry 4 000 / 60 = 66.7/s. With 10 min of jitter, it is at most 4 000 / 600.
        assert 60 < before < 75 and 6 < now < 8, tile
        assert "dashed: before, the file" in page.locator("#answer figcaption").first.text_content()
        page.click("button:has-text('Undo')")
        settled(page)
        assert page.locator("#answer .verdict.is-bad").count() == 1 and "set=" not in page.url


def test_the_launch_follows_its_jitter(browser):
    with served(SCENARIOS / "weather-launch.yaml") as (address, _), opened(browser, address) as page:
        page.wait_for_selector("#answer .verdict", timeout=60_000)
        turn(page, JITTER, "ArrowRight", 8)
        page.wait_for_selector("#answer .tile", timeout=60_000)
        tile = page.locator("#answer .tile", has_text="Peak at the CDN").text_content()
        before, now = [float(text.replace("\u202f", "")) for text in re.findall(r"([\d.\u202f]+)/s (?:before|now)", tile)]
        assert now < before, tile


def test_save_restore_pin_and_compare(browser):
    with herd() as (address, path, _), opened(browser, address, permissions=["clipboard-write"]) as page:
        settled(page)
        turn(page, JITTER, "ArrowRight", 8)
        settled(page)
        page.click("button:has-text('Save as scenario')")
        page.wait_for_selector("output:has-text('Saved as')")
        saved = (path.parent / "herd-2.yaml").read_text(encoding="utf-8")
        assert saved == HERD.replace("jitter: {up_to: 0s}", "jitter: {up_to: 10min}"), saved
        page.click("button:has-text('Save as scenario')")
        page.wait_for_selector("output:has-text('exists')")
        assert path.read_text(encoding="utf-8") == HERD
        page.click("button:has-text('Copy as --set')")
        page.wait_for_selector(f"output:has-text('--set {JITTER}=10min')")
        page.click("button:has-text('Pin')")
        page.wait_for_selector("#pins figure", timeout=60_000)
        link = page.locator("a:has-text('Compare with the file')").get_attribute("href")
        status, text = request(address, link)
        assert status == 200 and "WidgetFleet comparison" in text and JITTER in text
        with opened(browser, page.url) as other:
            settled(other)
            assert other.locator(".lever.changed").count() == 1
            other.wait_for_selector("#pins figure", timeout=60_000)
            field = other.locator(".lever", has_text=JITTER).locator("input[type=text]")
            assert field.input_value() == "10min"
            field.fill("soon")
            field.press("Enter")
            other.wait_for_selector("#problem:has-text('error')")
            assert other.locator("#answer .verdict").count() == 1


def test_any_key_becomes_a_lever(browser):
    with herd() as (address, _, _), opened(browser, address) as page:
        settled(page)
        page.fill("input[list=keys]", "fleet.cohorts.all.person.unlocks_per_day")
        page.keyboard.press("Enter")
        page.wait_for_selector(".lever:has-text('unlocks_per_day')")
        assert request(address, "lever?path=no.such.key")[0] == 404


def test_two_tabs_and_a_slow_scenario(browser):
    """Neither blocks: a new change stops what runs, and each tab has its own answer."""
    with served(SCENARIOS / "bench-city.yaml") as (address, _):
        with opened(browser, address) as one, opened(browser, address) as other:
            for page in [one, other]:
                page.wait_for_selector("#answer .verdict", timeout=90_000)
            first = one.locator(".lever input[type=range]").first
            first.focus()
            for _ in range(5):
                one.keyboard.press("ArrowRight")
            began = time.monotonic()
            assert one.evaluate("1 + 1") == 2 and time.monotonic() - began < 1
            one.wait_for_selector(".answers:not(.stale) #answer .tile", timeout=90_000)
            assert other.locator("#answer .tile").count() == 0


def test_looks(browser):
    with herd() as (address, _, _):
        for scheme, width in [("light", 1300), ("dark", 1300), ("light", 400), ("dark", 400)]:
            with opened(browser, address, color_scheme=scheme, viewport={"width": width, "height": 900}) as page:
                settled(page)
                turn(page, JITTER, "ArrowRight", 3)
                settled(page)
                assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (scheme, width)
                found = Axe().run(page)
                assert found.violations_count == 0, (scheme, width, found.generate_report())


def test_attacks(_):
    with herd() as (address, path, process):
        port = urlsplit(address).port
        (path.parent.parent / "secret.yaml").write_text("secret: 1", encoding="utf-8")
        refused = [
            request(address, headers={"Host": "evil.example"}),
            request(address, headers={"Host": f"127.0.0.1.evil.example:{port}"}),
            request(address, headers={"Origin": "http://evil.example"}),
            request(address, headers={"Sec-Fetch-Site": "cross-site"}),
            request(address, "/"), request(address, "/" + "0" * 32 + "/"), request(address, "/" + "0" * 32 + "/answer?tab=1"),
            request(address, method="DELETE"), request(address, method="OPTIONS"),
            request(address, "save?name=a.yaml", "POST", {"Content-Length": "1000000000"}, b"x" * 100_000),
            request(address, "save?name=a.yaml", "POST", {"Transfer-Encoding": "chunked"}, b"5\r\nhello\r\n0\r\n\r\n"),
            request(address, "../../../etc/passwd"), request(address, "%2e%2e/%2e%2e/etc/passwd"),
            request(address, "save?" + urlencode({"name": "../out.yaml"}), "POST"),
            request(address, "save?" + urlencode({"name": "/tmp/out.yaml"}), "POST"),
            request(address, "save?" + urlencode({"name": "herd.yaml"}), "POST"),
            request(address, "save?" + urlencode({"name": "a.yaml"})),
            request(address, "lever?" + urlencode({"path": "x" * 20_000})),
            request(address, "answer?" + urlencode({"tab": "x" * 1_000})),
            request(address, headers={"X-Long": "x" * 100_000}),
        ]
        assert all(status not in [200, 500] for status, _ in refused), [status for status, _ in refused]
        assert sorted(one.name for one in path.parent.iterdir()) == ["herd.yaml"]
        problems = list(waves(address, "a", ["profile=../secret.yaml"])) + list(waves(address, "a", ["fleet.devices=<script>"]))
        assert [kind for kind, _ in problems] == ["problem", "problem"] and "secret: 1" not in problems[0][1]["text"]
        slow = []
        for _ in range(200):
            one = socket.create_connection(("127.0.0.1", port))
            one.sendall(b"GET /")
            slow.append(one)
        assert request(address)[0] == 200, "slow clients must not block others"
        memory = int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())[1])
        assert memory < 1_000_000, f"{memory} kB"
        listening = subprocess.run(["ss", "-ltnH", f"sport = :{port}"], capture_output=True, text=True, check=False)
        assert listening.returncode != 0 or "127.0.0.1:" in listening.stdout and "0.0.0.0" not in listening.stdout.split()[3]
        for one in slow:
            one.close()


def main():
    failures = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        tests = [(name, test) for name, test in globals().items() if name.startswith("test_") and WANTED in name]
        for name, test in tests:
            try:
                test(browser)
                print(f"passed  {name}", flush=True)
            except Exception as error:  # prints the failure and runs the other tests
                failures += 1
                line = traceback.extract_tb(error.__traceback__)[-1].lineno
                print(f"FAILED  {name}: line {line}: {type(error).__name__}: {str(error)[:2000]}", flush=True)
        browser.close()
    print(f"{len(tests) - failures} of {len(tests)} tests of the live page passed")
    return 1 if failures or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
