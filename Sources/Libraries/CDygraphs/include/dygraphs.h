// dygraphs (MIT, https://dygraphs.com) as Debian's libjs-dygraphs installs it, taken into the program when it is built.
#ifndef WIDGETFLEET_DYGRAPHS_H
#define WIDGETFLEET_DYGRAPHS_H

#include <stddef.h>

/// The first byte of the script; it is not terminated.
const unsigned char *wf_dygraphs_bytes(void);
/// How many bytes it has.
size_t wf_dygraphs_count(void);

#endif
