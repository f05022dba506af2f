#!/usr/bin/env python3
"""Measures how long the live page takes from a turn of a lever to the first new curve: `make bench-live`.

A line per scenario: the longest time of its first five levers, each turned by one place in Chromium, on the page's own
clock. The last line is the 95th percentile of all turns; the aim is half a second.
"""

import argparse
import signal
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

TOP = Path(__file__).resolve().parents[2]
AIM = 500
LEVERS = 5


def turns(browser, program, scenario):
    """Yields the milliseconds of each turn of a scenario's levers."""
    server = subprocess.Popen([program, "serve", scenario, "--port", "0", "-q"], stdout=subprocess.PIPE, text=True)
    try:
        page = browser.new_page()
        page.goto(server.stdout.readline().strip())
        page.wait_for_selector("#answer .verdict", timeout=120_000)
        sliders = page.locator(".lever input[type=range]:visible")
        for index in range(min(sliders.count(), LEVERS)):
            # The page first settles or reaches its larger waves, as it does while its user looks at it.
            page.wait_for_timeout(2_000)
            page.evaluate("() => { delete document.documentElement.dataset.first; }")
            slider = sliders.nth(index)
            slider.focus()
            isLast = slider.input_value() == slider.get_attribute("max")
            page.keyboard.press("ArrowLeft" if isLast else "ArrowRight")
            page.wait_for_selector("html[data-first]", timeout=120_000, state="attached")
            yield int(page.get_attribute("html", "data-first"))
        page.close()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=TOP / ".build/release/widgetfleet", help="the program to measure")
    parser.add_argument("scenarios", nargs="*", help="names of scenarios (default: all)")
    options = parser.parse_args()
    files = [TOP / f"Scenarios/{name}.yaml" for name in options.scenarios] or sorted((TOP / "Scenarios").glob("*.yaml"))
    every = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for file in files:
            found = list(turns(browser, options.program, file))
            every += found
            longest = max(found, default=0)
            print(f"{'!' if longest > AIM else ' '} {file.stem:26} {longest:6} ms, {len(found)} levers", flush=True)
        browser.close()
    every.sort()
    print(f"  95 % of {len(every)} turns within {every[int(0.95 * (len(every) - 1))]} ms, half within {every[len(every) // 2]} ms")
    return 0 if every[int(0.95 * (len(every) - 1))] <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
