#include <zlib.h>

// inflateInit2 is a macro that Swift does not import. 31 stands for a gzip header and a history of 32 KiB.
static inline int wf_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 31); }
