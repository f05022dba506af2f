"""Workload W for the peers in Python; see workload.h for its rules. Times in milliseconds."""

import math

DAY = 86_400_000
INSTANCES = 2
MIN_SPACING = 300_000
MEAN_GAP = 1_500_000
CAPACITY = 60
QUARTER = 900_000
HOUR = 3_600_000
WAY_OUT = 94
WAY = 109
STEP = 1_000
LATENCY_MU = math.log(368)
LATENCY_SIGMA = 0.4997709852705093


def print_counts(devices, runs, bins):
    """Prints devices, runs, 0 (no squares) and requests in the bins, as in workload.h."""
    print(devices, runs, 0, int(sum(bins)))
