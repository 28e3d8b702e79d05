// Status codes, errors and the allocator: what every other public header uses.
#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLI_VERSION_MAJOR 0
#define PLI_VERSION_MINOR 1
#define PLI_VERSION_PATCH 0

// Counts the changes after which programs must be compiled anew; the library's soname ends with it.
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

// What a call returns. Anything but PLI_OK comes with a pli_error that says why; outputs are then
// untouched. A step that did not converge is not an error: see pli_step_info.
typedef enum pli_status {
    PLI_OK = 0,
    PLI_E_MEMORY,   // the allocator returned NULL, or a budget was used up
    PLI_E_ARGUMENT, // a value or an order of calls that the function does not allow
    PLI_E_SCENE,    // a scene, a mesh file or saved state says something wrong
    PLI_E_IO,       // a file could not be opened, read or written
    PLI_E_BUSY,     // a world was called by its own callback, or by two threads at once
    PLI_E_CANCELLED, // a cancel callback ended it; steps tell it as PLI_INTERRUPTED instead
} pli_status;

// What an error is about, of all that was given.
typedef enum pli_object {
    PLI_OBJECT_NONE,    // none of these, or it is not known
    PLI_OBJECT_WORLD,   // pli_world_def, but for what follows
    PLI_OBJECT_TIME,    // the part of pli_world_def about time: steps and the scheme
    PLI_OBJECT_SOLVER,  // pli_solver_def
    PLI_OBJECT_CONTACT, // pli_contact_def
    PLI_OBJECT_BODY,
    PLI_OBJECT_ENERGY,
    PLI_OBJECT_SUPPORT, // pli_fix_def or pli_prescribe_def, counted as pli_world_support does
    PLI_OBJECT_LOAD,
    PLI_OBJECT_HALF_SPACE,
    PLI_OBJECT_RULE, // pli_contact_rule_def
} pli_object;

// Filled by the function that failed. Initialize it once, by PLI_NO_ERROR; it owns no memory. (A
// number comes first, so that {0} is right in C++ as well; -Wextra asks for {} there.)
typedef struct pli_error {
    int line, column; // place in a text file, from 1; 0: no place
    pli_status status;
    pli_object object; // at fault
    int index;         // its number among those of its kind, from 0, in the order of adding to the
                       // world, also if adding it is what failed; -1: there is only one
    char key[32];      // the member of its def, as its parameter row is called if it has one; "": none
    char message[480]; // names the object, the value and the rule
} pli_error;

// Every def (pli_body_def, ...) begins with its size. pli_NAME_def_init fills a def whose size is set
// with the defaults; pli_default_NAME_def returns such a def. The latter is part of your program, so
// that the size is the one that its headers know: see docs/VERSIONING.md.
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

// A limit that all share whose allocators name it, and a count of what they have: of a scene with its
// world and the recorder of the run, say. Any thread may use it.
typedef struct pli_budget pli_budget;

// Memory hook. `resize` works as realloc with the old size told: old_size 0 means block is NULL,
// new_size 0 means free. It returns NULL when it cannot serve new_size > 0 (the block then lives
// on). It must be safe to call from the thread that calls into the library. NULL: malloc.
typedef struct pli_allocator {
    void* (*resize)(void* context, void* block, size_t old_size, size_t new_size);
    void* context;
    pli_budget* budget; // NULL: no limit; must outlive what was made with it
} pli_allocator;

// limit [bytes]; 0: none, it only counts. What would go beyond it fails with PLI_E_MEMORY, and the
// message says what was asked for, what is in use and what the limit is.
PLI_API pli_status pli_budget_create(size_t limit, pli_budget** budget, pli_error* error);
PLI_API void pli_budget_destroy(pli_budget* budget); // NULL is fine
PLI_API size_t pli_budget_limit(const pli_budget* budget);
PLI_API size_t pli_budget_used(const pli_budget* budget); // now
PLI_API size_t pli_budget_peak(const pli_budget* budget);
// Counts memory that comes from elsewhere (a program's own) as in use, or gives it back. False: it
// would go beyond the limit, and nothing was counted.
PLI_API bool pli_budget_take(pli_budget* budget, size_t bytes);
PLI_API void pli_budget_give(pli_budget* budget, size_t bytes);

// "0.1.0"
PLI_API const char* pli_version(void);
// PLI_ABI_VERSION of the library that runs: it must be that of the headers a program was made with.
PLI_API int pli_abi_version(void);
// Under which licence this binary is, and what is linked into it: two lines or more, each ends with
// a line feed.
PLI_API const char* pli_licence(void);

// One lower-case phrase for a status: "out of memory".
PLI_API const char* pli_status_text(pli_status status);

#ifdef __cplusplus
}
#endif

#endif
