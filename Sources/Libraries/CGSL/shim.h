#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_statistics.h>

// Swift 6 treats a library's global pointers as state shared between threads.
static inline const gsl_qrng_type *wf_sobol(void) { return gsl_qrng_sobol; }
static inline const gsl_multimin_fminimizer_type *wf_simplex(void) { return gsl_multimin_fminimizer_nmsimplex2; }
