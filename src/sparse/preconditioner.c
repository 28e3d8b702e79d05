// The table of preconditioners.
#include "sparse/preconditioner.h"

#include <string.h>

#define ADDRESS(name) &pli_##name,
static const pli_preconditioner_ops* const table[] = {PLI_PRECONDITIONERS(ADDRESS)};

const pli_preconditioner_ops* pli_preconditioner_at(int i) {
    return i >= 0 && i < (int)(sizeof table / sizeof *table) ? table[i] : NULL;
}

const pli_preconditioner_ops* pli_preconditioner_find(const char* name) {
    for (int i = 0; pli_preconditioner_at(i); ++i)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

const char* pli_preconditioner_name(int i) {
    const pli_preconditioner_ops* ops = pli_preconditioner_at(i);
    return ops ? ops->name : NULL;
}

const char* pli_preconditioner_help(int i) {
    const pli_preconditioner_ops* ops = pli_preconditioner_at(i);
    return ops ? ops->help : NULL;
}
