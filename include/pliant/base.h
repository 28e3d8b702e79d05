// Status codes, errors and memory: used by every other public header.
#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLI_VERSION_MAJOR 0
#define PLI_VERSION_MINOR 1
#define PLI_VERSION_PATCH 0

// Counts the changes after which programs must be recompiled; the library's soname ends with it.
#define PLI_ABI_VERSION 1

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

// Result of a call. On failure the pli_error says why, and outputs are unchanged. A step that did
// not converge is not an error: see pli_step_info.
typedef enum pli_status {
    PLI_OK = 0,
    PLI_E_MEMORY,    // the allocator returned NULL, or a budget is exhausted
    PLI_E_ARGUMENT,  // an invalid value or order of calls
    PLI_E_SCENE,     // a scene, a mesh file or a saved state is invalid
    PLI_E_IO,        // a file could not be opened, read or written
    PLI_E_BUSY,      // a world was called by its own callback, or by two threads at once
    PLI_E_CANCELLED, // a callback cancelled it; steps report PLI_INTERRUPTED instead
} pli_status;

// The object that an error is about.
typedef enum pli_object {
    PLI_OBJECT_NONE,    // none of these, or unknown
    PLI_OBJECT_WORLD,   // pli_world_def, except for the next three
    PLI_OBJECT_TIME,    // the members of pli_world_def about time: steps and the scheme
    PLI_OBJECT_SOLVER,  // pli_solver_def
    PLI_OBJECT_CONTACT, // pli_contact_def
    PLI_OBJECT_BODY,
    PLI_OBJECT_ENERGY,
    PLI_OBJECT_SUPPORT, // pli_fix_def or pli_prescribe_def, numbered as in pli_world_support
    PLI_OBJECT_LOAD,
    PLI_OBJECT_HALF_SPACE,
    PLI_OBJECT_RULE, // pli_contact_rule_def
    PLI_OBJECT_JOINT,
} pli_object;

// Filled by the function that failed. Initialize it once with PLI_NO_ERROR; it owns no memory. (The
// first member is a number, so that {0} is valid in C++ too; -Wextra asks for {} there.)
typedef struct pli_error {
    int line, column; // position in a text file, from 1; 0: none
    pli_status status;
    pli_object object; // at fault
    int index;         // its number among those of its kind, from 0, in the order of adding to the
                       // world, also if adding it is what failed; -1: there is only one
    char key[32]; // the member of its def, by the name of its parameter row if it has one; "": none
    char message[480]; // names the object, the value and the rule
} pli_error;

// Every def (pli_body_def, ...) begins with its size. pli_NAME_def_init fills a def whose size is
// set with the defaults; pli_default_NAME_def returns such a def. The latter is compiled into your
// program, so that the size is that of its headers: see docs/VERSIONING.md.
#define PLI_DEFAULT_DEF(name)                                                                      \
    static inline pli_##name##_def pli_default_##name##_def(void) {                                \
        pli_##name##_def def;                                                                      \
        def.size = sizeof def;                                                                     \
        pli_##name##_def_init(&def);                                                               \
        return def;                                                                                \
    }

#ifdef __cplusplus
#define PLI_NO_ERROR {}
#else
#define PLI_NO_ERROR {0}
#endif

// A memory limit shared by all allocators that refer to it, with a count of the memory in use: for
// a scene with its world and its recorder, for example. Thread-safe.
typedef struct pli_budget pli_budget;

// Memory hook. `resize` works like realloc, but gets the old size: old_size 0 means block is NULL,
// new_size 0 means free. It returns NULL if it cannot provide new_size > 0; the block is then
// unchanged. It must be safe to call from the thread that calls into the library. NULL: malloc.
typedef struct pli_allocator {
    void* (*resize)(void* context, void* block, size_t old_size, size_t new_size);
    void* context;
    pli_budget* budget; // NULL: no limit; must outlive everything allocated with it
} pli_allocator;

// limit [bytes]; 0: no limit, it only counts. An allocation that would exceed it fails with
// PLI_E_MEMORY; the message gives the requested size, the memory in use and the limit.
PLI_API pli_status pli_budget_create(size_t limit, pli_budget** budget, pli_error* error);
PLI_API void pli_budget_destroy(pli_budget* budget); // NULL is allowed
PLI_API size_t pli_budget_limit(const pli_budget* budget);
PLI_API size_t pli_budget_used(const pli_budget* budget); // now
PLI_API size_t pli_budget_peak(const pli_budget* budget);
// Counts other memory (the program's own) as in use, or stops counting it. False: it would exceed
// the limit, and nothing was counted.
PLI_API bool pli_budget_take(pli_budget* budget, size_t bytes);
PLI_API void pli_budget_give(pli_budget* budget, size_t bytes);

// "0.1.0"
PLI_API const char* pli_version(void);
// PLI_ABI_VERSION of the running library; it must equal that of the program's headers.
PLI_API int pli_abi_version(void);
// The licence of this binary and of the linked libraries: two lines or more, each with a line feed.
PLI_API const char* pli_licence(void);

// One lower-case phrase for a status: "out of memory".
PLI_API const char* pli_status_text(pli_status status);

#ifdef __cplusplus
}
#endif

#endif
