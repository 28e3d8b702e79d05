// Evaluation and gathering. assembly_layout.c builds the lists used here.
#include "energy/assembly_parts.h"
#include "energy/packed.h"
#include "math/small.h"
#include "math/vec.h"
#include "sparse/reserve.h"

#include <math.h>
#include <string.h>

enum { CHUNK_GRAIN = 8, COLUMN_GRAIN = 256, VERTEX_GRAIN = 512 };

typedef struct eval_task {
    pli_assembly* a;
    const double* x;
    unsigned want;
    bool project;
    bool hold;        // parts at rest are not evaluated
    double keep;      // bound of pli_kept_holds; 0: no Hessian is kept
    double* energies; // per stencil, by chunks; NULL: not requested
} eval_task;

// The term of a chunk and the chunk's stencils [*first, *first + return value).
static int chunk_stencils(const pli_assembly* a, int chunk, int* term, int* first) {
    int t = *term;
    while (t + 1 < a->term_count && a->layout[t + 1].chunk_start <= chunk) ++t;
    *term = t;
    *first = (chunk - a->layout[t].chunk_start) * PLI_ASSEMBLY_CHUNK;
    return pli_min_int(PLI_ASSEMBLY_CHUNK, a->layout[t].count - *first);
}

// The mapped stencils of a term from stencil `first` on.
static int first_mapped(const pli_assembly* a, const pli_term_layout* layout, int first) {
    int low = layout->mapped_start, high = layout->mapped_end;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a->mapped[middle].stencil < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Block (row, column) of a local matrix, column by column. By symmetry it is read transposed, so
// that triples are contiguous on both sides.
static inline void copy_block(int dim, const double* H, int size, int row, int column,
                              double* out) {
    const double* from = H + column * dim * size + row * dim;
    for (int c = 0; c < dim; ++c) memcpy(out + c * dim, from + c * size, sizeof *out * (size_t)dim);
}

// The blocks of pairs i >= j of a stencil's vertices in matrix order: the row has the higher group.
// Pairs with a fixed vertex are skipped; two vertices of one group count both ways.
static inline void pack_stencil(int dim, int width, const int32_t* groups, const double* H,
                                double* out) {
    int size = width * dim;
    for (int i = 0; i < width; ++i)
        for (int j = 0; j <= i; ++j, out += dim * dim) {
            if (groups[i] < 0 || groups[j] < 0) continue;
            bool below = groups[i] >= groups[j];
            copy_block(dim, H, size, below ? i : j, below ? j : i, out);
            if (i == j || groups[i] != groups[j]) continue;
            double other[9];
            copy_block(dim, H, size, j, i, other);
            for (int k = 0; k < dim * dim; ++k) out[k] += other[k];
        }
}

// Multiplies the packed blocks of a stencil with the weights of both vertices.
static void weigh_blocks(int dim, int width, const double* weights, double* out) {
    for (int i = 0; i < width; ++i)
        for (int j = 0; j <= i; ++j, out += dim * dim) {
            double weight = weights[i] * weights[j];
            for (int k = 0; k < dim * dim && weight != 1; ++k) out[k] *= weight;
        }
}

// Moves the Hessians of stencils [first, first + count) from scratch to the buffer.
static void keep_hessians(pli_assembly* a, int term, int first, int count, const double* H) {
    const pli_term_layout* layout = &a->layout[term];
    const pli_kinematics* k = a->kinematics;
    int dim = k->dim, width = layout->width, size = width * dim;
    int mapped = first_mapped(a, layout, first);
    const int32_t* vertices = a->terms[term].ops->vertices(a->terms[term].self) + first * width;
    double* out = a->hessians + layout->hessian + (size_t)first * (size_t)layout->packed;
    for (int s = 0; s < count; ++s, vertices += width, H += size * size, out += layout->packed) {
        if (mapped < layout->mapped_end && a->mapped[mapped].stencil == first + s) {
            pli_assembly_map(a, &a->mapped[mapped++], size, H);
            continue;
        }
        int32_t groups[PLI_STENCIL_MAX];
        double weights[PLI_STENCIL_MAX];
        bool weighted = pli_stencil_groups(k, vertices, width, groups, weights);
        if (dim == 3 && width == 4)
            pack_stencil(3, 4, groups, H, out);
        else if (dim == 3)
            pack_stencil(3, width, groups, H, out);
        else
            pack_stencil(2, width, groups, H, out);
        if (weighted) weigh_blocks(dim, width, weights, out);
    }
}

// Number of local Hessian entries evaluated at a time: small enough for the L1 cache.
enum { SCRATCH = 9 * 12 * 12 };
_Static_assert(SCRATCH >= PLI_LOCAL_MAX * PLI_LOCAL_MAX, "scratch must hold the largest stencil");

// Evaluates stencils [first, first + batch->count) with Hessians, a few at a time.
static void eval_hessians(pli_assembly* a, int term, int first, const pli_batch* batch,
                          const pli_local* local) {
    double H[SCRATCH];
    int size = batch->width * batch->dim, most = SCRATCH / (size * size);
    for (int done = 0; done < batch->count; done += most) {
        pli_batch part = *batch;
        part.count = pli_min_int(most, batch->count - done);
        part.vertices += done * batch->width;
        pli_local out = {.e = local->e + done, .g = local->g + done * size, .H = H};
        memset(H, 0, sizeof *H * (size_t)(part.count * size * size));
        a->terms[term].ops->eval(a->terms[term].self, first + done, &part, &out);
        keep_hessians(a, term, first + done, part.count, H);
    }
}

// Bit masks of the blocks in a chunk of stencils that the matrix stores transposed, and of those
// that count both ways. Mapped stencils have neither.
typedef struct chunk_turns {
    uint64_t turned[PLI_ASSEMBLY_CHUNK], both[PLI_ASSEMBLY_CHUNK];
} chunk_turns;

static void find_turns(const pli_assembly* a, const pli_term_layout* layout, int first,
                       const pli_batch* batch, chunk_turns* turns) {
    const int32_t* vertices = batch->vertices;
    int mapped = first_mapped(a, layout, first), width = batch->width;
    for (int s = 0; s < batch->count; ++s, vertices += width) {
        uint64_t turned = 0, both = 0;
        int32_t groups[PLI_STENCIL_MAX];
        double weights[PLI_STENCIL_MAX];
        (void)pli_stencil_groups(a->kinematics, vertices, width, groups, weights);
        for (int i = 0, bit = 0; i < width; ++i, ++bit) {
            for (int j = 0; j < i; ++j, ++bit) {
                turned |= (uint64_t)(groups[i] < groups[j]) << bit;
                both |= (uint64_t)(groups[i] == groups[j] && groups[i] >= 0) << bit;
            }
        }
        bool is_mapped = mapped < layout->mapped_end && a->mapped[mapped].stencil == first + s;
        mapped += is_mapped;
        turns->turned[s] = is_mapped ? 0 : turned;
        turns->both[s] = is_mapped ? 0 : both;
    }
}

// Stencils with nodes: multiplies what `blocks` has written.
static void weigh_nodes(const pli_assembly* a, const pli_term_layout* layout, int first,
                        const pli_batch* batch, double* H) {
    const pli_kinematics* k = a->kinematics;
    if (k->vertex_count == k->point_count) return;
    int mapped = first_mapped(a, layout, first), width = batch->width;
    for (int s = 0; s < batch->count; ++s, H += layout->packed) {
        int32_t groups[PLI_STENCIL_MAX];
        double weights[PLI_STENCIL_MAX];
        if (mapped < layout->mapped_end && a->mapped[mapped].stencil == first + s)
            mapped++;
        else if (pli_stencil_groups(k, batch->vertices + s * width, width, groups, weights))
            weigh_blocks(batch->dim, width, weights, H);
    }
}

// Same as eval_hessians, but `blocks` writes directly into the buffer.
static void eval_blocks(pli_assembly* a, int term, int first, const pli_batch* batch,
                        pli_local local) {
    const pli_term_layout* layout = &a->layout[term];
    int dim = batch->dim, square = dim * dim, size = batch->width * dim;
    chunk_turns turns;
    find_turns(a, layout, first, batch, &turns);
    local.H = a->hessians + layout->hessian + (size_t)first * (size_t)layout->packed;
    a->terms[term].ops->blocks(a->terms[term].self, first, batch, turns.turned, &local);
    for (int s = 0; s < batch->count; ++s)
        for (int block = 0; turns.both[s] >> block; ++block) {
            double* at = local.H + s * layout->packed + block * square;
            if (!(turns.both[s] >> block & 1)) continue;
            for (int c = 0; c < dim; ++c)
                for (int r = 0; r <= c; ++r)
                    at[c * dim + r] = at[r * dim + c] = at[c * dim + r] + at[r * dim + c];
        }
    weigh_nodes(a, layout, first, batch, local.H);
    for (int m = first_mapped(a, layout, first); m < layout->mapped_end; ++m) {
        int s = a->mapped[m].stencil - first;
        if (s >= batch->count) break;
        double H[PLI_LOCAL_MAX * PLI_LOCAL_MAX] = {0};
        pli_packed_add_to(dim, batch->width, local.H + s * layout->packed, H);
        pli_assembly_map(a, &a->mapped[m], size, H);
    }
}

// The stencils [start, end) of a batch.
static pli_batch part_of(const pli_batch* batch, int start, int end) {
    pli_batch part = *batch;
    part.count = end - start;
    part.vertices += start * batch->width;
    return part;
}

// Same, but runs of stencils whose Hessians are kept get gradients only.
static void eval_changed(const eval_task* task, int term, int first, const pli_batch* batch,
                         const pli_local* local) {
    pli_assembly* a = task->a;
    const pli_kept* kept = &a->layout[term].kept;
    int size = batch->width * batch->dim, packed = a->layout[term].packed;
    PLI_ASSERT(local->g);
    for (int start = 0, end; start < batch->count; start = end) {
        bool fresh = true;
        for (end = start; end < batch->count;) {
            int next = pli_min_int(end + PLI_KEPT_RUN, batch->count);
            pli_batch run = part_of(batch, end, next);
            bool holds = task->keep > 0 && pli_kept_holds(kept, first + end, &run, task->keep);
            if (end > start && holds == fresh) break;
            fresh = !holds;
            kept->fresh[(first + end) / PLI_KEPT_RUN] = fresh;
            end = next;
        }
        pli_batch part = part_of(batch, start, end);
        pli_local out = {.e = local->e + start, .g = local->g + start * size};
        if (fresh) {
            eval_blocks(a, term, first + start, &part, out);
            const double* H = a->hessians + a->layout[term].hessian;
            pli_kept_note(kept, first + start, &part, H + (size_t)(first + start) * (size_t)packed,
                          a->share);
        } else {
            part.want &= ~(unsigned)PLI_HESSIAN;
            memset(out.g, 0, sizeof(double) * (size_t)((end - start) * size));
            a->terms[term].ops->eval(a->terms[term].self, first + start, &part, &out);
        }
    }
}

// True if everything that the stencils of a chunk depend on is at rest.
static bool stands_still(const pli_assembly* a, int term, int first, int count) {
    const pli_term_layout* layout = &a->layout[term];
    size_t start = pli_layout_vertex(layout, first), end = pli_layout_vertex(layout, first + count);
    const int32_t* vertices = a->terms[term].ops->vertices(a->terms[term].self);
    if (term >= a->fixed_term_count) return false;
    for (size_t i = start; i < end; ++i)
        if (vertices[i] >= 0 && a->part[vertices[i]] >= 0 && !a->still[a->part[vertices[i]]])
            return false;
    return true;
}

static void eval_chunks(void* context, int first_chunk, int end_chunk) {
    const eval_task* task = context;
    pli_assembly* a = task->a;
    int term = 0, first = 0;
    for (int chunk = first_chunk; chunk < end_chunk; ++chunk) {
        int count = chunk_stencils(a, chunk, &term, &first);
        const pli_term_layout* layout = &a->layout[term];
        const pli_term_ops* ops = a->terms[term].ops;
        const void* self = a->terms[term].self;
        size_t start = pli_layout_vertex(layout, first), dim = (size_t)a->kinematics->dim;
        size_t size = (pli_layout_vertex(layout, first + count) - start) * dim;
        if (task->hold && stands_still(a, term, first, count)) continue;
        double energies[PLI_ASSEMBLY_CHUNK] = {0};
        pli_batch batch = {.dim = a->kinematics->dim,
                           .count = count,
                           .width = layout->width,
                           .start = layout->start ? layout->start + first : NULL,
                           .vertices = ops->vertices(self) + start,
                           .x = task->x,
                           .want = task->want,
                           .project = task->project};
        pli_local local = {.e = energies};
        if (ops->linear) batch.want &= ~(unsigned)PLI_HESSIAN;
        bool by_blocks = batch.want & PLI_HESSIAN && ops->blocks;
        if (task->want & PLI_GRADIENT) {
            local.g = a->gradients + layout->gradient + start * dim;
            if (!by_blocks) memset(local.g, 0, sizeof(double) * size);
        }
        bool dense = batch.want & PLI_HESSIAN && !layout->start;
        if (batch.want & PLI_HESSIAN && layout->start)
            pli_assembly_place_factors(a, term, first, count, &local);
        if (by_blocks && layout->kept.slack)
            eval_changed(task, term, first, &batch, &local);
        else if (by_blocks)
            eval_blocks(a, term, first, &batch, local);
        else if (dense)
            eval_hessians(a, term, first, &batch, &local);
        else
            ops->eval(self, first, &batch, &local);
        double sum = 0;
        for (int i = 0; i < count; ++i) sum += energies[i];
        if (task->energies)
            pli_copy(energies, task->energies + (size_t)chunk * PLI_ASSEMBLY_CHUNK, count);
        else if (task->want & PLI_VALUE)
            a->chunk_values[chunk] = sum;
    }
}

// Sums chunk_values over the chunks of each term; HUGE_VAL where the sum is not finite.
static void sum_chunks(const pli_assembly* a, double* sums) {
    for (int t = 0; t < a->term_count; ++t) {
        int end = t + 1 < a->term_count ? a->layout[t + 1].chunk_start : a->chunk_count;
        double sum = 0, lost = 0; // Kahan sum: the line search compares these values
        for (int chunk = a->layout[t].chunk_start; chunk < end; ++chunk) {
            double term = a->chunk_values[chunk], next = sum + term;
            lost += fabs(sum) >= fabs(term) ? (sum - next) + term : (term - next) + sum;
            sum = next;
        }
        sums[t] = isfinite(sum) ? sum + lost : HUGE_VAL;
    }
}

void pli_assembly_values(pli_assembly* a, const double* x, double* term_values) {
    eval_task task = {.a = a, .x = x, .want = PLI_VALUE, .hold = a->still && a->values_hold};
    pli_parallel_for(a->pool, a->chunk_count, CHUNK_GRAIN, eval_chunks, &task);
    a->values_hold = true;
    sum_chunks(a, term_values);
}

// Adds the energies of the stencils of term t to their parts.
static void add_to_parts(const pli_assembly* a, int t, const int32_t* part, double* values,
                         double* sizes) {
    const pli_term_layout* layout = &a->layout[t];
    const int32_t* vertices = a->terms[t].ops->vertices(a->terms[t].self);
    const double* energies = a->energies + (size_t)layout->chunk_start * PLI_ASSEMBLY_CHUNK;
    for (int s = 0; s < layout->count; ++s) {
        int owner = -1;
        size_t end = pli_layout_vertex(layout, s + 1);
        for (size_t i = pli_layout_vertex(layout, s); i < end && owner < 0; ++i)
            if (vertices[i] >= 0) owner = part[vertices[i]];
        if (owner < 0) continue;
        values[owner] += energies[s];
        sizes[owner] += fabs(energies[s]);
    }
}

pli_status pli_assembly_part_values(pli_assembly* a, const double* x, const int32_t* part,
                                    double* values, double* sizes, pli_error* error) {
    size_t need = (size_t)a->chunk_count * PLI_ASSEMBLY_CHUNK;
    if (need > a->energy_capacity) a->energies_hold = false;
    PLI_TRY(PLI_RESERVE(a->memory, a->energies, a->energy_capacity, need, error));
    eval_task task = {.a = a,
                      .x = x,
                      .want = PLI_VALUE,
                      .energies = a->energies,
                      .hold = a->still && a->energies_hold};
    pli_parallel_for(a->pool, a->chunk_count, CHUNK_GRAIN, eval_chunks, &task);
    a->energies_hold = true;
    for (int t = 0; t < a->term_count; ++t) add_to_parts(a, t, part, values, sizes);
    return PLI_OK;
}

void pli_assembly_hold(pli_assembly* a, const int32_t* part, const uint8_t* still) {
    a->part = part;
    a->still = still;
    a->values_hold = a->energies_hold = false;
}

typedef struct work_task {
    pli_assembly* a;
    const double* dx;
} work_task;

static void work_chunks(void* context, int first_chunk, int end_chunk) {
    const work_task* task = context;
    pli_assembly* a = task->a;
    int term = 0, first = 0, dim = a->kinematics->dim;
    for (int chunk = first_chunk; chunk < end_chunk; ++chunk) {
        int count = chunk_stencils(a, chunk, &term, &first);
        const pli_term_layout* layout = &a->layout[term];
        size_t start = pli_layout_vertex(layout, first);
        const int32_t* vertices = a->terms[term].ops->vertices(a->terms[term].self) + start;
        const double* g = a->gradients + layout->gradient + start * (size_t)dim;
        int end = (int)(pli_layout_vertex(layout, first + count) - start);
        double sum = 0;
        for (int i = 0; i < end; ++i)
            if (vertices[i] >= 0) sum += pli_dot(g + i * dim, task->dx + 3 * vertices[i], dim);
        a->chunk_values[chunk] = sum;
    }
}

void pli_assembly_work(pli_assembly* a, const double* dx, double* work) {
    work_task task = {.a = a, .dx = dx};
    pli_parallel_for(a->pool, a->chunk_count, CHUNK_GRAIN, work_chunks, &task);
    a->values_hold = false;
    sum_chunks(a, work);
}

// Marks the groups of all stencils that were evaluated again; all groups if a term keeps nothing.
static void mark_changed(pli_assembly* a) {
    const pli_kinematics* k = a->kinematics;
    if (k->group_count > 0) memset(a->changed, 0, (size_t)k->group_count);
    for (int t = 0; t < a->fixed_term_count; ++t) {
        const pli_term_layout* layout = &a->layout[t];
        const int32_t* vertices = a->terms[t].ops->vertices(a->terms[t].self);
        const uint8_t* fresh = layout->kept.fresh;
        bool skipped = false; // the whole chunk; else stencils at rest may be fresh too
        if (a->terms[t].ops->linear) continue;
        for (int s = 0; s < layout->count; ++s) {
            if (a->held && s % PLI_ASSEMBLY_CHUNK == 0)
                skipped = stands_still(a, t, s, pli_min_int(PLI_ASSEMBLY_CHUNK, layout->count - s));
            if (skipped || (fresh && !fresh[s / PLI_KEPT_RUN])) continue;
            if (!fresh && a->held && stands_still(a, t, s, 1)) continue;
            if (layout->start) pli_assembly_mark_wide(a, t, s);
            for (int i = 0; i < layout->width; ++i) {
                int v = vertices[s * layout->width + i];
                double weight;
                int group = v < 0 ? -1 : pli_own_group(k, v, &weight);
                if (group >= 0) a->changed[group] = 1;
            }
        }
        for (int m = layout->mapped_start; m < layout->mapped_end; ++m)
            for (int i = 0; i < a->mapped[m].group_count; ++i)
                a->changed[a->mapped_groups[a->mapped[m].group_start + i]] = 1;
    }
}

// Sets chunk_values to 1 for chunks in which a stencil cannot be kept, to 0 for the others.
static void check_chunks(void* context, int first_chunk, int end_chunk) {
    const eval_task* task = context;
    pli_assembly* a = task->a;
    int term = 0, first = 0;
    for (int chunk = first_chunk; chunk < end_chunk; ++chunk) {
        int count = chunk_stencils(a, chunk, &term, &first), width = a->layout[term].width;
        const pli_term* of = &a->terms[term];
        pli_batch batch = {.dim = a->kinematics->dim,
                           .count = count,
                           .width = width,
                           .vertices = of->ops->vertices(of->self) + first * width,
                           .x = task->x};
        const pli_kept* kept = &a->layout[term].kept;
        a->chunk_values[chunk] =
            kept->slack && !pli_kept_holds(kept, first, &batch, task->keep) ? 1 : 0;
    }
}

static int fixed_chunk_count(const pli_assembly* a) {
    bool all = a->fixed_term_count == a->term_count;
    return all ? a->chunk_count : a->layout[a->fixed_term_count].chunk_start;
}

// True if all Hessians of the reference can be kept.
static bool reference_holds(pli_assembly* a, const eval_task* task) {
    const pli_reference* r = &a->reference;
    int chunks = fixed_chunk_count(a);
    if (!r->known || r->project != task->project) return false;
    if (a->stale) {
        eval_task again = {.a = a, .x = r->x, .want = task->want, .project = task->project};
        pli_parallel_for(a->pool, chunks, CHUNK_GRAIN, eval_chunks, &again);
        a->stale = a->gathered = false;
    }
    pli_parallel_for(a->pool, chunks, CHUNK_GRAIN, check_chunks, (void*)task);
    a->values_hold = false;
    bool all = true;
    for (int chunk = 0; chunk < chunks; ++chunk) all = all && a->chunk_values[chunk] == 0;
    return all;
}

// True if the last evaluation changed a Hessian that could have been kept.
static bool any_fresh(const pli_assembly* a) {
    for (int t = 0; t < a->fixed_term_count; ++t) {
        const pli_kept* kept = &a->layout[t].kept;
        for (int run = 0; kept->fresh && run * PLI_KEPT_RUN < kept->count; ++run)
            if (kept->fresh[run]) return true;
    }
    return false;
}

// Called after an evaluation: does the buffer hold the Hessians of one reference?
static void note_reference(pli_assembly* a, const eval_task* task, bool whole) {
    pli_reference* r = &a->reference;
    if (!any_fresh(a)) return;
    r->known = whole;
    r->project = task->project;
    if (whole) pli_copy(task->x, r->x, 3 * a->kinematics->vertex_count);
    a->stale = false;
}

void pli_assembly_evaluate(pli_assembly* a, const double* x, const pli_hessian_wish* wish) {
    eval_task task = {.a = a, .x = x, .want = PLI_GRADIENT | (wish ? PLI_HESSIAN : 0u)};
    if (wish) task.project = wish->project;
    task.hold = a->still && (!wish || (a->keeps_hessians && wish->project == a->projected));
    if (wish) {
        a->projected = wish->project;
        a->held = task.hold;
        task.keep = wish->keep * (wish->whole ? a->reference.inertia : a->inertia);
    }
    bool keep = wish && wish->keep > 0;
    if (keep) keep = wish->whole ? reference_holds(a, &task) : a->keeps_hessians;
    if (!keep) task.keep = 0;
    pli_parallel_for(a->pool, a->chunk_count, CHUNK_GRAIN, eval_chunks, &task);
    if (!wish) return;
    note_reference(a, &task, wish->whole);
    a->whole = wish->whole;
    a->keeps_values = a->gathered && keep;
    a->keeps_hessians = true;
    a->gathered = false;
    if (a->keeps_values) mark_changed(a);
}

typedef struct correct_task {
    pli_assembly* a;
    const double* x;
    const double* const* y;
    int count;
    bool project;
} correct_task;

// A secant update is applied where the stiffness along the step is larger by this fraction.
// Rounding of forces must not count as stiffness.
static const double STIFFER = 0.25, ROUNDED = 1e-10;

// Updates H (size x size) of one stencil from its forces at the end of the step d: see
// pli_assembly_correct.
static void learn_secant(int size, const double* g, const double* end, const double* d, double* H) {
    double e[PLI_LOCAL_MAX], along = 0, model = 0, force = 0, way = 0;
    for (int i = 0; i < size; ++i) {
        double Hd = pli_dot(H + i * size, d, size);
        e[i] = end[i] - g[i] - Hd;
        model += d[i] * Hd;
        along += d[i] * e[i];
        force += fabs(e[i]);
        way += fabs(d[i]);
    }
    if (!isfinite(along) || !(along > STIFFER * model) || !(along > ROUNDED * force * way)) return;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) H[i * size + j] += e[i] * e[j] / along;
}

// The stencils of `part`, at most SCRATCH Hessian entries.
static void correct_part(const correct_task* task, int term, int first, pli_batch part) {
    double H[SCRATCH] = {0}, g[SCRATCH] = {0}, end[SCRATCH], e[PLI_ASSEMBLY_CHUNK] = {0};
    const pli_term_ops* ops = task->a->terms[term].ops;
    const void* self = task->a->terms[term].self;
    int size = part.width * part.dim;
    part.x = task->x;
    part.want = PLI_GRADIENT | PLI_HESSIAN;
    ops->eval(self, first, &part, &(pli_local){.e = e, .g = g, .H = H});
    for (int k = 0; k < task->count; ++k) {
        memset(end, 0, sizeof *end * (size_t)(part.count * size));
        part.x = task->y[k];
        part.want = PLI_GRADIENT;
        ops->eval(self, first, &part, &(pli_local){.e = e, .g = end});
        for (int s = 0; s < part.count; ++s) {
            double d[PLI_LOCAL_MAX] = {0};
            for (int i = 0; i < part.width; ++i) {
                int32_t v = part.vertices[s * part.width + i];
                if (v >= 0)
                    pli_sub(task->y[k] + 3 * v, task->x + 3 * v, d + i * part.dim, part.dim);
            }
            learn_secant(size, g + s * size, end + s * size, d, H + s * size * size);
        }
    }
    keep_hessians(task->a, term, first, part.count, H);
}

static void correct_chunks(void* context, int first_chunk, int end_chunk) {
    const correct_task* task = context;
    pli_assembly* a = task->a;
    int term = 0, first = 0;
    for (int chunk = first_chunk; chunk < end_chunk; ++chunk) {
        int count = chunk_stencils(a, chunk, &term, &first);
        const pli_term_layout* layout = &a->layout[term];
        const pli_term_ops* ops = a->terms[term].ops;
        if (layout->hessian < 0 || ops->blocks) continue;
        int size = layout->width * a->kinematics->dim, most = SCRATCH / (size * size);
        for (int done = 0; done < count; done += most) {
            const int32_t* vertices = ops->vertices(a->terms[term].self);
            correct_part(task, term, first + done,
                         (pli_batch){.dim = a->kinematics->dim,
                                     .count = pli_min_int(most, count - done),
                                     .width = layout->width,
                                     .vertices = vertices + (first + done) * layout->width,
                                     .project = task->project});
        }
    }
}

void pli_assembly_correct(pli_assembly* a, const double* x, const double* const* y, int count,
                          bool project) {
    correct_task task = {.a = a, .x = x, .y = y, .count = count, .project = project};
    pli_parallel_for(a->pool, a->chunk_count, CHUNK_GRAIN, correct_chunks, &task);
    a->keeps_values = false;
    a->updated = true;
}

typedef struct gradient_task {
    const pli_assembly* a;
    double *gx, *load;
} gradient_task;

// Gathers vertex v; returns the sum of the magnitudes if requested.
static inline double gather_vertex(const pli_assembly* a, int v, int dim, bool sizes, double* g) {
    double load = 0;
    for (int c = 0; c < 2; ++c) {
        const pli_gather* gather = &a->vertex_gather[c];
        for (int i = gather->start[v]; i < gather->start[v + 1]; ++i) {
            const double* local = a->gradients + gather->source[i].at;
            for (int k = 0; k < dim; ++k) g[k] += local[k];
            if (sizes) load += pli_norm(local, dim);
        }
    }
    return load;
}

static void gradient_range(void* context, int first, int end) {
    const gradient_task* task = context;
    const pli_assembly* a = task->a;
    int dim = a->kinematics->dim;
    for (int v = first; v < end; ++v) {
        double g[3] = {0, 0, 0};
        if (task->load)
            task->load[v] = gather_vertex(a, v, dim, true, g);
        else if (dim == 3)
            gather_vertex(a, v, 3, false, g);
        else
            gather_vertex(a, v, 2, false, g);
        memcpy(task->gx + 3 * (size_t)v, g, sizeof g);
    }
}

void pli_assembly_gradient(pli_assembly* a, double* gx, double* load) {
    gradient_task task = {.a = a, .gx = gx, .load = load};
    pli_parallel_for(a->pool, a->kinematics->vertex_count, VERTEX_GRAIN, gradient_range, &task);
}

static void largest_range(void* context, int first, int end) {
    const gradient_task* task = context;
    const pli_assembly* a = task->a;
    int dim = a->kinematics->dim;
    for (int v = first; v < end; ++v) {
        double largest = 0;
        for (int c = 0; c < 2; ++c) {
            const pli_gather* gather = &a->vertex_gather[c];
            for (int i = gather->start[v]; i < gather->start[v + 1]; ++i) {
                const double* local = a->gradients + gather->source[i].at;
                largest = fmax(largest, pli_dot(local, local, dim));
            }
        }
        task->load[v] = sqrt(largest);
    }
}

void pli_assembly_largest(pli_assembly* a, double* largest) {
    gradient_task task = {.a = a, .load = largest};
    pli_parallel_for(a->pool, a->kinematics->vertex_count, VERTEX_GRAIN, largest_range, &task);
}

typedef struct matrix_task {
    pli_assembly* a;
    double inertia;
    const uint8_t* frozen;
} matrix_task;

// out (column-major, leading dimension `height`) += scale * in (leading dimension `stride`)
static void add_dense(double* out, int height, const double* in, int stride, double scale, int rows,
                      int columns) {
    for (int c = 0; c < columns; ++c) pli_axpy(scale, in + c * stride, out + c * height, rows);
}

// Block b of any shape: inertia * mass (NULL: none) + its contributions.
static void gather_any(const matrix_task* task, int b, const double* mass, double* out, int height,
                       int rows, int columns) {
    const pli_assembly* a = task->a;
    for (int c = 0; c < columns; ++c) memset(out + c * height, 0, sizeof *out * (size_t)rows);
    if (mass) add_dense(out, height, mass, rows, task->inertia, rows, columns);
    for (int c = 0; c < 2; ++c) {
        const pli_gather* gather = &a->block_gather[c];
        for (int i = gather->start[b]; i < gather->start[b + 1]; ++i)
            add_dense(out, height, a->hessians + gather->source[i].at, gather->source[i].stride, 1,
                      rows, columns);
    }
}

// Same for dim x dim blocks: sums stay in registers; packed contributions are contiguous. They are
// far apart in memory, so upcoming ones are prefetched. A block may span two cache lines.
static inline void gather_square(const matrix_task* task, int b, const double* mass, double* out,
                                 int height, int dim) {
    const pli_assembly* a = task->a;
    double sum[9] = {0};
    if (mass)
        for (int k = 0; k < dim * dim; ++k) sum[k] += task->inertia * mass[k];
    for (int c = 0; c < 2; ++c) {
        const pli_gather* gather = &a->block_gather[c];
        const struct pli_source *source = gather->source + gather->start[b],
                                *end = gather->source + gather->start[b + 1];
        for (; source < end; ++source) {
            const double *in = a->hessians + source->at,
                         *soon = a->hessians + source[PLI_GATHER_AHEAD].at;
            __builtin_prefetch(soon);
            __builtin_prefetch(soon + dim * dim - 1);
            if (source->stride == dim)
                for (int k = 0; k < dim * dim; ++k) sum[k] += in[k];
            else
                add_dense(sum, dim, in, source->stride, 1, dim, dim);
        }
    }
    for (int c = 0; c < dim; ++c)
        for (int r = 0; r < dim; ++r) out[c * height + r] = sum[c * dim + r];
}

// True if nothing in column J changed since it was gathered.
static bool column_holds(pli_assembly* a, int J) {
    const int32_t* start = a->block_gather[1].start;
    bool was_dynamic = a->dynamic[J];
    a->dynamic[J] = start[a->pattern.block_start[J + 1]] > start[a->pattern.block_start[J]];
    return a->keeps_values && !a->changed[J] && !was_dynamic && !a->dynamic[J];
}

// True if the same groups are frozen as before. Stores the new set.
static bool same_frozen(pli_assembly* a, const uint8_t* frozen) {
    size_t n = (size_t)a->kinematics->group_count;
    bool same = true;
    for (size_t i = 0; i < n; ++i) {
        uint8_t now = frozen && frozen[i];
        same &= a->frozen[i] == now;
        a->frozen[i] = now;
    }
    return same;
}

static void matrix_range(void* context, int first, int end) {
    const matrix_task* task = context;
    pli_assembly* a = task->a;
    const pli_pattern* p = &a->pattern;
    const pli_kinematics* k = a->kinematics;
    for (int J = first; J < end; ++J) {
        a->changed[J] = !column_holds(a, J);
        if (!a->changed[J]) continue;
        int height = p->column_height[J], columns = pli_group_width(k, J);
        bool column_frozen = task->frozen && task->frozen[J];
        int mass = a->mass_start[J];
        for (int b = p->block_start[J]; b < p->block_start[J + 1]; ++b) {
            int I = p->block_row[b], rows = pli_group_width(k, I);
            bool has_mass = mass < a->mass_start[J + 1] && k->mass[mass].row == I;
            const double* block = has_mass ? k->mass_values + k->mass[mass++].value : NULL;
            double* out = a->values + p->block_value[b];
            if (column_frozen || (task->frozen && task->frozen[I])) {
                for (int c = 0; c < columns; ++c)
                    for (int r = 0; r < rows; ++r) out[c * height + r] = I == J && r == c;
            } else if (rows == 3 && columns == 3) {
                gather_square(task, b, block, out, height, 3);
            } else if (rows == 2 && columns == 2) {
                gather_square(task, b, block, out, height, 2);
            } else {
                gather_any(task, b, block, out, height, rows, columns);
            }
        }
        if (a->low_rank.block_count > 0) pli_low_rank_expand(&a->low_rank, p, J, a->values);
    }
}

// True if any column changed since it was gathered.
static bool any_changed(const pli_assembly* a) {
    const int32_t* start = a->block_gather[1].start;
    if (start[a->pattern.block_count] > 0) return true;
    for (int J = 0; J < a->pattern.group_count; ++J)
        if (a->changed[J] || a->dynamic[J]) return true;
    return false;
}

// Preconditioners are updated where columns changed, so they depend on history. A whole matrix has
// all columns new or none, and none changed since the last.
void pli_assembly_matrix(pli_assembly* a, double inertia, const uint8_t* frozen) {
    matrix_task task = {.a = a, .inertia = inertia, .frozen = frozen};
    bool same = same_frozen(a, frozen) && inertia == a->inertia;
    a->keeps_values = a->keeps_values && same;
    if (a->whole) {
        a->keeps_values = a->keeps_values && !a->updated && !any_changed(a);
        a->updated = false;
    } else {
        a->updated = a->updated || !a->keeps_values || any_changed(a);
    }
    pli_assembly_pull_factors(a, frozen);
    pli_parallel_for(a->pool, a->pattern.group_count, COLUMN_GRAIN, matrix_range, &task);
    a->inertia = inertia;
    if (a->whole) a->reference.inertia = inertia;
    a->gathered = true;
}

void pli_assembly_vertex_range(const pli_assembly* a, int vertex, double range[2]) {
    const pli_pattern* pattern = &a->pattern;
    int group = a->kinematics->vertices[vertex].identity_group, dim = a->kinematics->dim;
    const double* block = a->values + pattern->block_value[pattern->block_start[group]];
    double lower[9], values[3];
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
            lower[i * dim + j] =
                block[pli_min_int(i, j) * pattern->column_height[group] + pli_max_int(i, j)];
    pli_eigen_symmetric(dim, lower, values, NULL);
    range[0] = values[0];
    range[1] = values[dim - 1];
}

double pli_assembly_vertex_stiffness(const pli_assembly* a, int vertex) {
    const pli_pattern* pattern = &a->pattern;
    int group = a->kinematics->vertices[vertex].identity_group, dim = a->kinematics->dim;
    int at = pattern->block_value[pattern->block_start[group]];
    double trace = 0;
    for (int i = 0; i < dim; ++i) trace += a->values[at + i * (pattern->column_height[group] + 1)];
    return trace / dim;
}
