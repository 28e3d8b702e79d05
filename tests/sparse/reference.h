// CHOLMOD as a reference where it is installed, whether or not the library under test links it.
#ifndef TESTS_SPARSE_REFERENCE_H
#define TESTS_SPARSE_REFERENCE_H

#include <string.h>

#include "sparse/linear.h"

// NULL: it is not installed.
static inline const pli_linear_ops* find_cholmod(void) {
#ifdef HAS_CHOLMOD
    return &pli_cholmod;
#else
    print_message("CHOLMOD is not installed: nothing is compared with it\n");
    return NULL;
#endif
}

// As pli_linear_find, but CHOLMOD is found in any case; NULL: it is not installed.
static inline const pli_linear_ops* find_solver(const char* name) {
    return strcmp(name, "cholesky") == 0 ? find_cholmod() : pli_linear_find(name);
}

#endif
