// The table of linear solvers; the first is the default.
#include "sparse/linear.h"

#include <string.h>

static const pli_linear_ops* const table[] = {
    &pli_multifrontal,
#ifdef PLIANT_CHOLMOD
    &pli_cholmod,
#endif
    &pli_pcg,
    &pli_automatic,
};

const pli_linear_ops* pli_linear_at(int i) {
    return i >= 0 && i < (int)(sizeof table / sizeof *table) ? table[i] : NULL;
}

const pli_linear_ops* pli_linear_find(const char* name) {
    for (int i = 0; pli_linear_at(i); ++i)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

const char* pli_linear_absent(const char* name) {
    if (strcmp(name, "cholesky") != 0 || pli_linear_find(name)) return NULL;
    return "this binary was built without CHOLMOD: use \"multifrontal\", or build with "
           "-DPLIANT_CHOLMOD=ON";
}

const char* pli_linear_name(int i) {
    const pli_linear_ops* ops = pli_linear_at(i);
    return ops ? ops->name : NULL;
}

const char* pli_linear_help(int i) {
    const pli_linear_ops* ops = pli_linear_at(i);
    return ops ? ops->help : NULL;
}
