// The multifrontal factorization for solvers that need its cost in advance: the analysis of
// pli_multifrontal in two parts.
#ifndef PLI_SPARSE_MULTIFRONTAL_H
#define PLI_SPARSE_MULTIFRONTAL_H

#include "sparse/linear.h"

typedef struct pli_factor_cost {
    double flops;    // multiplications and additions of one factorization
    double nonzeros; // of the factor
} pli_factor_cost;

// All of analyze except allocating memory for numbers. `self` was created by
// pli_multifrontal.create. A factor that exceeds the index range costs HUGE_VAL for both; it cannot
// be reserved.
pli_status pli_multifrontal_plan(void* self, const pli_pattern* pattern, pli_factor_cost* cost,
                                 pli_error* error);
// Memory that reserve will allocate, in addition to what is allocated [bytes].
size_t pli_multifrontal_rest(const void* self);
// Memory allocated for numbers [bytes].
size_t pli_multifrontal_held(const void* self);
// The rest of analyze; call it before the first factorize. Repeated calls do nothing.
pli_status pli_multifrontal_reserve(void* self, pli_error* error);

// pli_multifrontal.restore without the analysis. `analyzed`: an analysis is to be repeated, and has
// not been repeated yet (pli_multifrontal_repeats). group_count -1: any.
bool pli_multifrontal_repeats(const void* self);
void pli_multifrontal_repeat_no_more(void* self);
pli_status pli_multifrontal_restore(void* self, int group_count, bool analyzed, pli_unpack* in,
                                    pli_error* error);

#endif
