#include "cfuzzer.h"

// libFuzzer as a library: https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
__attribute__((weak)) extern int LLVMFuzzerRunDriver(int *argc, char ***argv, cfuzzer_check check);

int cfuzzer_is_linked(void) { return LLVMFuzzerRunDriver != 0; }

int cfuzzer_run(int argc, char **argv, cfuzzer_check check) {
  if (LLVMFuzzerRunDriver == 0) return 1;
  return LLVMFuzzerRunDriver(&argc, &argv, check);
}
