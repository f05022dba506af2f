#include "workloads.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char renewal[] = {
#embed "../../Scenarios/bench-renewal.yaml"
};
static const unsigned char city[] = {
#embed "../../Scenarios/bench-city.yaml"
};
static const unsigned char storm[] = {
#embed "../../Scenarios/bench-storm.yaml"
};

struct wf_text wf_bench_renewal(void) { return (struct wf_text){renewal, sizeof renewal}; }
struct wf_text wf_bench_city(void) { return (struct wf_text){city, sizeof city}; }
struct wf_text wf_bench_storm(void) { return (struct wf_text){storm, sizeof storm}; }
