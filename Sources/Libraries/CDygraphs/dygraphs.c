#include "dygraphs.h"

#ifndef WF_DYGRAPHS
#define WF_DYGRAPHS "/usr/share/javascript/dygraphs/dygraph.min.js"
#endif

#if defined(__ELF__) && !defined(WIDGETFLEET_PLAIN)

__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    "wf_dygraphs_begin:\n"
    ".incbin \"" WF_DYGRAPHS "\"\n"
    "wf_dygraphs_end:\n"
    ".popsection\n");

extern const unsigned char wf_dygraphs_begin[];
extern const unsigned char wf_dygraphs_end[];

const unsigned char *wf_dygraphs_bytes(void) { return wf_dygraphs_begin; }
size_t wf_dygraphs_count(void) { return (size_t)(wf_dygraphs_end - wf_dygraphs_begin); }

#else

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char script[] = {
#embed WF_DYGRAPHS
};

const unsigned char *wf_dygraphs_bytes(void) { return script; }
size_t wf_dygraphs_count(void) { return sizeof script; }

#endif
