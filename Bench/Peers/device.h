// A device's day, for the C programs: events of its two instances in order of time.
//
// The program that includes this defines `struct draws` and the draws. With -DAPART each instance is simulated
// separately, which needs no order: less than a simulation of devices.
#include <stdlib.h>

#include "workload.h"

struct instance {
  int64_t next;  // the start of its next run, or the end of the present one
  double balance;
  uint32_t runs;
  int is_running;
  int is_renewed;
};

static uint32_t bins[DAY / STEP + 1];

static int64_t latency(struct draws *draws, int instance, uint32_t run);
static int64_t gap(struct draws *draws, int instance, uint32_t run);

static inline void start(struct instance *one, int number, struct draws *draws) {
  int64_t arrival = one->next + WAY_OUT;
  if (arrival < DAY) bins[arrival / STEP]++;
  one->next += WAY + latency(draws, number, one->runs);
  one->runs++;
  one->is_running = 1;
}

static inline void end(struct instance *one, int number, struct draws *draws, int64_t renewal) {
  int64_t wait = gap(draws, number, one->runs - 1);
  one->next += wait > MIN_SPACING ? wait : MIN_SPACING;
  one->is_running = 0;
  if (!one->is_renewed && one->next >= renewal) {
    one->balance = CAPACITY;
    one->is_renewed = 1;
  }
  if (one->balance < 1) {
    // The run is withheld until the renewal, and after the renewal until tomorrow.
    one->next = one->is_renewed ? DAY : renewal;
    one->balance = CAPACITY;
    one->is_renewed = 1;
  }
  one->balance -= 1;
}

static inline void step(struct instance *one, int number, struct draws *draws, int64_t renewal) {
  if (one->is_running) end(one, number, draws, renewal);
  else start(one, number, draws);
}

// Returns the runs of a device.
static inline uint32_t live(struct instance *instances, struct draws *draws, int64_t renewal) {
#ifdef APART
  for (int i = 0; i < INSTANCES; i++)
    while (instances[i].next < DAY) step(&instances[i], i, draws, renewal);
#else
  for (;;) {
    int i = instances[1].next < instances[0].next;
    if (instances[i].next >= DAY) break;
    step(&instances[i], i, draws, renewal);
  }
#endif
  return instances[0].runs + instances[1].runs;
}

static struct draws begin(long device, struct instance *instances, int64_t *renewal);

int main(int count, char **arguments) {
  long devices = count > 1 ? atol(arguments[1]) : 1000;
  long long runs = 0, squares = 0;
  for (long device = 0; device < devices; device++) {
    struct instance instances[INSTANCES] = {{0}};
    int64_t renewal;
    struct draws draws = begin(device, instances, &renewal);
    uint32_t lived = live(instances, &draws, renewal);
    runs += lived;
    squares += (long long)lived * lived;
  }
  print_counts(devices, runs, squares, bins);
  return 0;
}
