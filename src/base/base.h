// Internal: error propagation and assertions.
#ifndef PLI_BASE_BASE_H
#define PLI_BASE_BASE_H

#include "pliant/base.h"

// Fills `error` (may be NULL); the second with a place in a text file.
void pli_error_fill(pli_error* error, pli_status status, const char* format, ...) PLI_PRINTF(3, 4);
void pli_error_fill_at(pli_error* error, pli_status status, int line, int column,
                       const char* format, ...) PLI_PRINTF(5, 6);

// The same, as an expression with the value `status`, for `return pli_fail(...)`. Macros, so that
// static analysis of a caller sees that this is never PLI_OK.
#define pli_fail(error, status, ...)                                                               \
    (pli_error_fill((error), (status), __VA_ARGS__), (pli_status)(status))
#define pli_fail_at(error, status, line, column, ...)                                              \
    (pli_error_fill_at((error), (status), (line), (column), __VA_ARGS__), (pli_status)(status))

// Prepends "text: " to the message.
void pli_error_prefix(pli_error* error, const char* format, ...) PLI_PRINTF(2, 3);

// If `status` is a failure, records in the error what it refers to: see pli_error. Existing entries
// stay: the function nearest to the cause has the most precise information. `key` NULL: unknown.
// Returns `status`.
pli_status pli_error_place(pli_status status, pli_error* error, pli_object object, int index,
                           const char* key);
pli_status pli_error_key(pli_status status, pli_error* error, const char* key); // only the key

#define PLI_TRY(expression)                                                                        \
    do {                                                                                           \
        pli_status try_status_ = (expression);                                                     \
        if (try_status_ != PLI_OK) return try_status_;                                             \
    } while (0)

// For functions that own something: keeps the status and leaves by the `cleanup:` label.
#define PLI_TRY_CLEANUP(status, expression)                                                        \
    do {                                                                                           \
        (status) = (expression);                                                                   \
        if ((status) != PLI_OK) goto cleanup;                                                      \
    } while (0)

// Internal bugs. On in debug, sanitizer and CI builds (PLI_ASSERTS), compiled out in release.
#ifdef PLI_ASSERTS
_Noreturn void pli_assert_failed(const char* expression, const char* file, int line);
#define PLI_ASSERT(expression)                                                                     \
    ((expression) ? (void)0 : pli_assert_failed(#expression, __FILE__, __LINE__))
#else
#define PLI_ASSERT(expression) ((void)0)
#endif

static inline int pli_min_int(int a, int b) { return a < b ? a : b; }
static inline int pli_max_int(int a, int b) { return a > b ? a : b; }

// Wall time for statistics; never used to decide anything.

double pli_now(void); // [s], monotonic

#endif
