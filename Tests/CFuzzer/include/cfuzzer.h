#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// What libFuzzer calls with each input; 0: it may be kept.
typedef int (*cfuzzer_check)(const uint8_t *bytes, size_t count);

/// Whether this build has libFuzzer in it.
int cfuzzer_is_linked(void);

/// Hands over to libFuzzer, which reads the arguments and mostly does not come back. 1 without it.
int cfuzzer_run(int argc, char **argv, cfuzzer_check check);

#endif
