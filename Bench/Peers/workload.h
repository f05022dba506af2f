// Workload W (Scenarios/bench-renewal.yaml) as the peers simulate it; times in whole milliseconds.
//
// Each device has two instances. Both run at the start of the day, free of charge. A run takes the round trip of a
// request and the server's latency. The next one is due max(5 min, Exp(25 min)) after its end and costs 1 of the
// instance's budget, which starts with U(0, 60) and is filled up to 60 once: at 23:00 plus U(0, 15 min), drawn per
// device. Without budget a run waits until then. Events are starts and ends of runs: two per run.
#ifndef WIDGETFLEET_BENCH_WORKLOAD_H
#define WIDGETFLEET_BENCH_WORKLOAD_H

#include <stdint.h>
#include <stdio.h>

enum {
  DAY = 86400000,
  INSTANCES = 2,
  MIN_SPACING = 300000,
  MEAN_GAP = 1500000,
  CAPACITY = 60,
  QUARTER = 900000,
  HOUR = 3600000,
  // The way of wifi: promotion 79 ms, then half the round trip of 30 ms to the server, and back.
  WAY_OUT = 94,
  WAY = 109,
  STEP = 1000,
};

// The median in ms, and ln(1177 / 368) / z(0.99).
static const double LATENCY_MEDIAN = 368;
static const double LATENCY_SIGMA = 0.4997709852705093;

// Prints the output of every peer: devices, runs, the sum of the squares of a device's runs (0: not counted), and
// requests.
// The requests are in the bins of the load, without which a compiler could leave out the bins.
static inline void print_counts(long devices, long long runs, long long squares, const uint32_t *bins) {
  long long requests = 0;
  for (int i = 0; i < DAY / STEP; i++) requests += bins[i];
  printf("%ld %lld %lld %lld\n", devices, runs, squares, requests);
}

#endif
