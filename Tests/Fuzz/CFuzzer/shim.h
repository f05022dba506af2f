#include <stddef.h>
#include <stdint.h>

// The entry point of libFuzzer for programs with their own `main` (FuzzerInterface.h of LLVM).
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
