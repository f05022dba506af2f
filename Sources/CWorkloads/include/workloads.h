// The scenarios of `widgetfleet bench`, as they stood in Scenarios when the program was built.
#ifndef WIDGETFLEET_WORKLOADS_H
#define WIDGETFLEET_WORKLOADS_H

#include <stddef.h>

/// A text; it is not terminated.
struct wf_text {
  const unsigned char *bytes;
  size_t count;
};

struct wf_text wf_bench_renewal(void);
struct wf_text wf_bench_city(void);
struct wf_text wf_bench_storm(void);

#endif
