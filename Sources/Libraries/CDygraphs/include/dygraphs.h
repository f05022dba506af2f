// dygraphs (MIT, https://dygraphs.com) as installed by Debian's libjs-dygraphs, embedded in the program at build time.
#ifndef WIDGETFLEET_DYGRAPHS_H
#define WIDGETFLEET_DYGRAPHS_H

#include <stddef.h>

/// Returns the first byte of the script, which is not terminated.
const unsigned char *wf_dygraphs_bytes(void);
/// Returns the length of the script in bytes.
size_t wf_dygraphs_count(void);

#endif
