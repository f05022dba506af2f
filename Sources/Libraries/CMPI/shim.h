// MPI as loaded at run time (dlopen, dlsym): types of the calls, and the differences between its three ABIs. No mpi.h
// is needed.
#include <dlfcn.h>
#include <stdint.h>

// A handle: an address in Open MPI, a small number in the others. MPICH's have 32 bits; the callee reads only those.
typedef intptr_t WFHandle;

typedef int (*WFInitThread)(int *count, char ***arguments, int required, int *provided);
typedef int (*WFAllreduce)(const void *sent, void *received, int count, WFHandle type, WFHandle sum, WFHandle all);
typedef int (*WFBcast)(void *numbers, int count, WFHandle type, int root, WFHandle all);
typedef int (*WFSend)(const void *numbers, int count, WFHandle type, int rank, int tag, WFHandle all);
typedef int (*WFRecv)(void *numbers, int count, WFHandle type, int rank, int tag, WFHandle all, void *status);
typedef int (*WFAsk)(WFHandle all, int *answer);
typedef int (*WFSetErrorHandler)(WFHandle all, WFHandle handler);
typedef int (*WFErrorString)(int code, char *text, int *length);
typedef int (*WFAbort)(WFHandle all, int status);
typedef int (*WFFinalize)(void);

// Sizes that exceed MPI_Status and MPI_MAX_ERROR_STRING in all of them.
enum { WF_STATUS_BYTES = 256, WF_ERROR_BYTES = 4096 };

// MPICH's ABI (mpi.h of MPICH 3 and 4, Intel MPI, MVAPICH, Cray MPICH).
enum {
  WF_MPICH_ALL = 0x44000000,
  WF_MPICH_INT64 = 0x4c00083a,
  WF_MPICH_SUM = 0x58000003,
  WF_MPICH_ERRORS_RETURN = 0x54000001,
};

// The standard ABI (MPI 5.0, appendix A).
enum {
  WF_STANDARD_ALL = 0x101,
  WF_STANDARD_INT64 = 0x258,
  WF_STANDARD_SUM = 0x21,
  WF_STANDARD_ERRORS_RETURN = 0x143,
  WF_STANDARD_SERIALIZED = 2048,
};

// MPI_THREAD_SERIALIZED in Open MPI and in MPICH's ABI.
enum { WF_SERIALIZED = 2 };
