#include <stddef.h>
#include <stdint.h>

// What libFuzzer has for programs with a `main` of their own (FuzzerInterface.h of LLVM).
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
