// Status codes, errors and the allocator: what every other public header uses.
#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLI_VERSION_MAJOR 0
#define PLI_VERSION_MINOR 1
#define PLI_VERSION_PATCH 0

#if defined(__GNUC__)
#define PLI_API __attribute__((visibility("default")))
#define PLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define PLI_API
#define PLI_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// What a call returns. Anything but PLI_OK comes with a pli_error that says why; outputs are then
// untouched. A step that did not converge is not an error: see pli_step_info.
typedef enum pli_status {
    PLI_OK = 0,
    PLI_E_MEMORY,   // the allocator returned NULL
    PLI_E_ARGUMENT, // a value or an order of calls that the function does not allow
    PLI_E_SCENE,    // a scene, a mesh file or saved state says something wrong
    PLI_E_IO,       // a file could not be opened, read or written
} pli_status;

// Filled by the function that failed. Zero-initialize it once; it owns no memory.
typedef struct pli_error {
    pli_status status;
    int line, column; // place in a text file, from 1; 0: no place
    char message[480]; // names the object, the value and the rule
} pli_error;

// Memory hook. `resize` works as realloc with the old size told: old_size 0 means block is NULL,
// new_size 0 means free. It returns NULL when it cannot serve new_size > 0 (the block then lives
// on). It must be safe to call from the thread that calls into the library.
typedef struct pli_allocator {
    void* (*resize)(void* context, void* block, size_t old_size, size_t new_size);
    void* context;
} pli_allocator;

// "0.1.0"
PLI_API const char* pli_version(void);

// One lower-case phrase for a status: "out of memory".
PLI_API const char* pli_status_text(pli_status status);

// Copies `text` so that a terminal can show it on one line: control characters and bytes that are
// not UTF-8 become '?'. What does not fit is cut off between characters. `buffer` may be `text`.
// Returns `buffer`; size must be > 0.
PLI_API const char* pli_printable(const char* text, char* buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
