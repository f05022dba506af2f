// The types of calls to librsvg and cairo, which are found at run time (dlopen, dlsym). Their headers are not needed.
#include <dlfcn.h>

// RsvgRectangle.
typedef struct { double x, y, width, height; } WFRectangle;

// Handles are opaque addresses of the libraries; an error is not read.
typedef void *(*WFReadPicture)(const unsigned char *bytes, unsigned long count, void **error);
typedef int (*WFRenderPicture)(void *picture, void *context, const WFRectangle *place, void **error);
typedef void (*WFRelease)(void *thing);
typedef void *(*WFCreateSurface)(int format, int width, int height);
typedef void *(*WFCreateContext)(void *surface);
typedef int (*WFTakeBytes)(void *taker, const unsigned char *bytes, unsigned int count);
typedef int (*WFWritePNG)(void *surface, WFTakeBytes take, void *taker);

// CAIRO_FORMAT_ARGB32.
enum { WF_ARGB32 = 0 };
