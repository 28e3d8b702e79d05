// Fuzzing: each target_NAME.c is one program around the entry point of libFuzzer, whose bytes are
// the input. What must hold for any bytes is checked by HOLDS, by PLI_ASSERT inside the library and
// by the sanitizers. Without libFuzzer replay.c gives the files of a corpus to the same entry.
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pliant/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define HOLDS(expression)                                                                          \
    ((expression) ? (void)0 : pli_fuzz_failed(#expression, __FILE__, __LINE__))
void pli_fuzz_failed(const char* expression, const char* file, int line); // prints and aborts

// Set by targets that refuse most inputs when one was read: replay.c asks it of files whose names
// begin with `valid`. When their format changes, seeds that are refused at once would hide all that
// is behind.
extern bool pli_fuzz_accepted;

// Memory that is counted, never more than `limit` bytes: what asks for more is told that there is
// none, as on a small machine. After the target all must be given back.
typedef struct pli_fuzz_memory {
    size_t limit, bytes;
} pli_fuzz_memory;
pli_allocator pli_fuzz_allocator(pli_fuzz_memory* memory);

// A folder of this process, in memory where the machine has such a place; removed at the end.
const char* pli_fuzz_folder(void);
// Writes a file there; returns its path, which lives until the next call.
const char* pli_fuzz_file(const char* name, const uint8_t* data, size_t size);

// The scene that the bytes are: its text up to the first zero byte, then overrides, with a zero
// byte behind each. Those in `more` come last. NULL: no memory.
pli_scene* pli_fuzz_scene(const uint8_t* data, size_t size, const char* const* more, int more_count,
                          const pli_allocator* allocator);

// Two bodies in the plane, one above the other; its world is prepared.
pli_scene* pli_fuzz_small_scene(const pli_allocator* allocator);
// One step, which must have an answer and leave a state that is finite and free of intersections.
void pli_fuzz_step(pli_world* world);

#endif
