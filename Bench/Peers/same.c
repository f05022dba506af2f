// Workload W, one device after the other, with our draws: Philox4x32-10 by the same keys, and tables of the same shape
// (Sources/Kernel/SimulationKernel/QuantileTable.swift). The practical limit of a program that draws what ours draws: its runs
// are ours but for the few whose draw lies at the edge of a millisecond.
#include <math.h>
#include <stdint.h>

struct draws {
  uint32_t device;
  uint64_t date[2];  // of each instance's present run: the other half of the block that gave its latency
};

#include "device.h"

enum { OCTAVES = 40, CELLS = 32, HALF = OCTAVES * CELLS, SEED = 1, TRAITS = 0, PLACED = 2, PROVIDER = 4 };

struct cell {
  double c0, c1, c2, c3;
};

static struct cell gaps[2 * HALF], latencies[2 * HALF];

struct block {
  uint64_t first, second;
};

static inline struct block philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3) {
  uint32_t k0 = SEED, k1 = 0;
  for (int i = 0; i < 10; i++) {
    uint64_t left = 0xD2511F53ull * c0, right = 0xCD9E8D57ull * c2;
    c0 = (uint32_t)(right >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)right;
    c2 = (uint32_t)(left >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)left;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return (struct block){c0 | (uint64_t)c1 << 32, c2 | (uint64_t)c3 << 32};
}

static inline int64_t span(const struct cell *table, uint64_t u) {
  int64_t upper = (int64_t)u >> 63;
  uint64_t distance = u ^ (uint64_t)upper;
  if (distance < 1 << 23) distance = 1 << 23;
  int zeros = __builtin_clzll(distance);
  uint64_t fraction = distance << zeros;
  const struct cell *cell = table + (upper & HALF) + (zeros - 1) * CELLS + (fraction >> 58 & 31);
  double t = (double)(int64_t)(fraction >> 26 & 0xFFFFFFFF) * 0x1p-32;
  return (int64_t)(cell->c0 + t * (cell->c1 + t * (cell->c2 + t * cell->c3)) + 0.5);
}

static inline int64_t latency(struct draws *draws, int instance, uint32_t run) {
  struct block block = philox(draws->device, PROVIDER, (uint32_t)instance, run);
  draws->date[instance] = block.second;
  return span(latencies, block.first);
}

static inline int64_t gap(struct draws *draws, int instance, uint32_t run) {
  (void)run;
  return span(gaps, draws->date[instance]);
}

// The share `u` / 2^64 of a width.
static inline int64_t part(int64_t width, uint64_t u) { return (int64_t)((unsigned __int128)u * (uint64_t)width >> 64); }

// The normal's quantile of a probability up to 1/2, by Newton's steps on its logarithm.
static double normal_quantile(double p) {
  double x = p > 0.01 ? -1.4 * (1 - 2 * p) : -sqrt(-2 * log(p));
  for (int i = 0; i < 60; i++) {
    double tail = 0.5 * erfc(-x * M_SQRT1_2), density = exp(-x * x / 2) * 0.3989422804014327;
    double step = tail * log(p / tail) / density;
    x += step;
    if (fabs(step) < 1e-14) break;
  }
  return x;
}

static double exponential_at(double p, int is_upper) { return -MEAN_GAP * (is_upper ? log(p) : log1p(-p)); }

static double lognormal_at(double p, int is_upper) {
  double z = normal_quantile(p);
  return LATENCY_MEDIAN * exp(LATENCY_SIGMA * (is_upper ? -z : z));
}

// A cubic through four quantiles in each cell.
static void fill(struct cell *table, double (*at)(double, int)) {
  for (int i = 0; i < 2 * HALF; i++) {
    int is_upper = i >= HALF, octave = i % HALF / CELLS, place = i % CELLS;
    double y[4];
    for (int k = 0; k < 4; k++) y[k] = at(ldexp(1 + (place + k / 3.0) / CELLS, -2 - octave), is_upper);
    double d1 = y[1] - y[0], d2 = y[2] - y[0], d3 = y[3] - y[0];
    table[i] = (struct cell){
        y[0], (18 * d1 - 9 * d2 + 2 * d3) / 2, 9 * (4 * d2 - 5 * d1 - d3) / 2, 9 * (3 * d1 - 3 * d2 + d3) / 2};
  }
}

static struct draws begin(long device, struct instance *instances, int64_t *renewal) {
  if (device == 0) {
    fill(gaps, exponential_at);
    fill(latencies, lognormal_at);
  }
  struct block traits = philox((uint32_t)device, TRAITS, 0, 1);
  *renewal = 23 * HOUR + part(QUARTER, traits.first);
  for (int i = 0; i < INSTANCES; i++)
    instances[i].balance = 1e-6 * (double)part(CAPACITY * 1000000ll, philox((uint32_t)device, PLACED, (uint32_t)i, 0).second);
  return (struct draws){(uint32_t)device, {0}};
}
