// Workload W, one device after the other, with the draws of a textbook: -mean log(u), and exp of a Box-Muller normal.
// The uniforms are those of xoshiro256++ (Blackman and Vigna, public domain).
#include <math.h>
#include <stdint.h>

struct draws {
  double normal;
  int has_normal;
};

#include "device.h"

static uint64_t state[4] = {0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0x2545F4914F6CDD1D};

static inline uint64_t rotated(uint64_t x, int k) { return x << k | x >> (64 - k); }

static inline uint64_t bits(void) {
  uint64_t result = rotated(state[0] + state[3], 23) + state[0], t = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= t;
  state[3] = rotated(state[3], 45);
  return result;
}

// Above 0, up to 1.
static inline double uniform(void) { return (double)((bits() >> 11) + 1) * 0x1p-53; }

static inline double normal(struct draws *draws) {
  if (draws->has_normal) {
    draws->has_normal = 0;
    return draws->normal;
  }
  double radius = sqrt(-2 * log(uniform())), angle = 6.283185307179586 * uniform();
  draws->normal = radius * sin(angle);
  draws->has_normal = 1;
  return radius * cos(angle);
}

static inline int64_t latency(struct draws *draws, int instance, uint32_t run) {
  (void)instance, (void)run;
  return (int64_t)(LATENCY_MEDIAN * exp(LATENCY_SIGMA * normal(draws)) + 0.5);
}

static inline int64_t gap(struct draws *draws, int instance, uint32_t run) {
  (void)draws, (void)instance, (void)run;
  return (int64_t)(-MEAN_GAP * log(uniform()) + 0.5);
}

static struct draws begin(long device, struct instance *instances, int64_t *renewal) {
  (void)device;
  *renewal = (int64_t)23 * HOUR + (int64_t)(uniform() * QUARTER);
  for (int i = 0; i < INSTANCES; i++) instances[i].balance = CAPACITY * uniform();
  return (struct draws){0, 0};
}
