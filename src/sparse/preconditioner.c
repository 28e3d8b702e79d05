// The table of preconditioners; the first is the default.
#include "sparse/preconditioner.h"

#include <string.h>

static const pli_preconditioner_ops* const table[] = {
    &pli_incomplete_cholesky,
    &pli_block_jacobi,
    &pli_multilevel,
};

const char* pli_preconditioner_name(int i) {
    return i >= 0 && i < (int)(sizeof table / sizeof *table) ? table[i]->name : NULL;
}

const char* pli_preconditioner_help(int i) {
    return i >= 0 && i < (int)(sizeof table / sizeof *table) ? table[i]->help : NULL;
}

const pli_preconditioner_ops* pli_preconditioner_find(const char* name) {
    for (int i = 0; pli_preconditioner_name(i); ++i)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}
