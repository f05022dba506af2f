#include <zlib.h>

// inflateInit2 is a macro that Swift does not import. 31: a gzip header, 32 KiB of history.
static inline int wf_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 31); }
