// Minimum degree [Amestoy96], and nested dissection [Karypis98] where the factor is expensive,
// both through CHOLMOD.
#include "sparse/ordering.h"

#include "sparse/foreign.h"

#include <cholmod.h>

// Nested dissection takes five times as long as minimum degree and pays only if the factor is
// expensive: for solids of some 4000 vertices and more, for thin and plane bodies hardly ever.
static const double metis_flops = 5e9;

// Flops of the group graph count as (mean width)^3 each.
static bool order(const pli_pattern* pattern, int32_t* out, cholmod_common* common) {
    size_t n = (size_t)pattern->group_count;
    cholmod_sparse graph = {
        .nrow = n,
        .ncol = n,
        .nzmax = (size_t)pattern->block_count,
        .p = pattern->block_start,
        .i = pattern->block_row,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_PATTERN,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = true,
        .packed = true,
    };
    if (!cholmod_amd(&graph, NULL, 0, out, common)) return false;
    double width = (double)pattern->unknown_count / pattern->group_count;
    if (common->fl * width * width * width < metis_flops) return true;
    pli_metis_lock();
    int done = cholmod_metis(&graph, NULL, 0, true, out, common);
    pli_metis_unlock();
    return done;
}

// What both searches take at most, fitted to boxes and rectangles of 1,000 to 100,000 groups
// [bytes].
static size_t search_size(const pli_pattern* pattern) {
    return 100 * (size_t)pattern->group_count + 40 * (size_t)pattern->block_count;
}

pli_status pli_order_groups(pli_memory* memory, const pli_pattern* pattern, int32_t* out,
                            pli_error* error) {
    if (pattern->group_count == 0) return PLI_OK;
    size_t claimed = 0;
    PLI_TRY(pli_claim(memory, &claimed, search_size(pattern), error));
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0;
    common.error_handler = NULL;
    bool done = order(pattern, out, &common);
    int status = common.status;
    cholmod_finish(&common);
    (void)pli_claim(memory, &claimed, 0, NULL);
    if (done) return PLI_OK;
    if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
        return pli_fail(error, PLI_E_MEMORY,
                        "out of memory in the ordering of %d groups by CHOLMOD",
                        pattern->group_count);
    return pli_fail(error, PLI_E_ARGUMENT,
                    "CHOLMOD: the ordering of %d groups failed with status %d",
                    pattern->group_count, status);
}
