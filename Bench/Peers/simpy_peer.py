"""Workload W in SimPy: a process for each instance, and a timeout for each start and end of a run."""

import random
import sys

import simpy
from workload import *


def live(env, draw, bins, runs, renewal):
    """Simulates an instance's day."""
    balance = CAPACITY * draw.random()
    is_renewed = False
    while True:
        runs[0] += 1
        arrival = int(env.now) + WAY_OUT
        if arrival < DAY:
            bins[arrival // STEP] += 1
        yield env.timeout(WAY + int(draw.lognormvariate(LATENCY_MU, LATENCY_SIGMA) + 0.5))
        now = env.now
        start = now + max(MIN_SPACING, int(draw.expovariate(1 / MEAN_GAP) + 0.5))
        if not is_renewed and start >= renewal:
            balance, is_renewed = CAPACITY, True
        if balance < 1:
            # Withheld until the renewal; after the renewal, until the end of the day.
            if is_renewed:
                return
            start, balance, is_renewed = renewal, CAPACITY, True
        balance -= 1
        yield env.timeout(start - now)


def main():
    devices = int(sys.argv[1])
    draw = random.Random(1)
    env = simpy.Environment()
    bins = [0] * (DAY // STEP)
    runs = [0]
    for _ in range(devices):
        renewal = 23 * HOUR + draw.randrange(QUARTER)
        for _ in range(INSTANCES):
            env.process(live(env, draw, bins, runs, renewal))
    env.run(until=DAY)
    print_counts(devices, runs[0], bins)


main()
