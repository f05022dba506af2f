#include "dygraphs.h"

__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    "wf_dygraphs_begin:\n"
    ".incbin \"/usr/share/javascript/dygraphs/dygraph.min.js\"\n"
    "wf_dygraphs_end:\n"
    ".popsection\n");

extern const unsigned char wf_dygraphs_begin[];
extern const unsigned char wf_dygraphs_end[];

const unsigned char *wf_dygraphs_bytes(void) { return wf_dygraphs_begin; }
size_t wf_dygraphs_count(void) { return (size_t)(wf_dygraphs_end - wf_dygraphs_begin); }
