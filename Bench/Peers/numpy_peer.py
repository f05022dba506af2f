"""Workload W in numpy: simulates many instances at once, in groups that fit in the cache.

There are no events and no order between instances. Arrays suffice for W, but for little else.
"""

import sys

import numpy as np
from workload import *

GROUP = 8_192


def live(count, draw, bins):
    """Simulates `count` devices and returns the number of runs."""
    renewal = 23 * HOUR + draw.integers(0, QUARTER, count)
    renewal = np.repeat(renewal, INSTANCES)
    balance = CAPACITY * draw.random(renewal.size)
    now = np.zeros(renewal.size, np.int64)
    runs = 0
    while now.size:
        runs += now.size
        arrivals = (now + WAY_OUT) // STEP
        counted = np.bincount(arrivals)
        bins[: counted.size] += counted[: bins.size]
        latency = np.exp(LATENCY_MU + LATENCY_SIGMA * draw.standard_normal(now.size))
        gap = np.maximum(MEAN_GAP * draw.standard_exponential(now.size), MIN_SPACING)
        now += WAY + (latency + 0.5).astype(np.int64) + (gap + 0.5).astype(np.int64)
        # Withheld until the renewal, which is set beyond the day once it has happened.
        waits = (balance < 1) & (now < renewal)
        now[waits] = renewal[waits]
        renews = now >= renewal
        balance[renews] = CAPACITY
        renewal[renews] = 2 * DAY
        goes_on = (now < DAY) & (balance >= 1)
        now, balance, renewal = now[goes_on], balance[goes_on] - 1, renewal[goes_on]
    return runs


def main():
    devices = int(sys.argv[1])
    draw = np.random.Generator(np.random.SFC64(1))
    bins = np.zeros(DAY // STEP + 1, np.int64)
    runs = 0
    for first in range(0, devices, GROUP):
        runs += live(min(GROUP, devices - first), draw, bins)
    print_counts(devices, runs, bins[:-1])


main()
