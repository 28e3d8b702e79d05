// Layout: where stencils and their contributions go in the buffers, and what the vertices gather.
#include "energy/assembly_parts.h"
#include "energy/packed.h"
#include "math/vec.h"
#include "sparse/reserve.h"

#include <float.h>
#include <string.h>

#define PATTERN_SECTION PLI_SECTION('p', 'a', 't', 't')

pli_status pli_assembly_init(pli_assembly* a, pli_memory* memory, pli_pool* pool,
                             const pli_kinematics* kinematics, const pli_term* terms,
                             int term_count, pli_error* error) {
    *a = (pli_assembly){.memory = memory,
                        .pool = pool,
                        .kinematics = kinematics,
                        .terms = terms,
                        .term_count = term_count};
    pli_pattern_init(&a->pattern, memory);
    pli_pattern_init(&a->added, memory);
    pli_low_rank_init(&a->low_rank, memory, pool);
    while (a->fixed_term_count < term_count && !terms[a->fixed_term_count].ops->dynamic)
        a->fixed_term_count++;
    PLI_TRY(PLI_ALLOC(memory, a->layout, term_count, error));
    PLI_TRY(PLI_ALLOC(memory, a->mass_start, kinematics->group_count + 1, error));
    PLI_TRY(PLI_ALLOC(memory, a->share, kinematics->vertex_count, error));
    PLI_TRY(PLI_ALLOC(memory, a->reference.x, 3 * kinematics->vertex_count, error));
    PLI_TRY(PLI_ALLOC(memory, a->last.x, 3 * kinematics->vertex_count, error));
    PLI_TRY(PLI_ALLOC(memory, a->changed, kinematics->group_count, error));
    PLI_TRY(PLI_ALLOC(memory, a->dynamic, kinematics->group_count, error));
    PLI_TRY(PLI_ALLOC(memory, a->frozen, kinematics->group_count, error));
    for (int b = 0; b < kinematics->mass_count; ++b)
        a->mass_start[kinematics->mass[b].column + 1] = b + 1;
    for (int g = 0; g < kinematics->group_count; ++g)
        a->mass_start[g + 1] = pli_max_int(a->mass_start[g + 1], a->mass_start[g]);
    return PLI_OK;
}

static void gather_free(pli_memory* m, pli_gather* gather) {
    PLI_FREE(m, gather->start, gather->destination_capacity);
    PLI_FREE(m, gather->source, gather->capacity);
}

void pli_assembly_free(pli_assembly* a) {
    pli_memory* m = a->memory;
    if (!m) return;
    for (int c = 0; c < 2; ++c) {
        gather_free(m, &a->vertex_gather[c]);
        gather_free(m, &a->block_gather[c]);
    }
    for (int t = 0; a->layout && t < a->term_count; ++t) pli_kept_free(&a->layout[t].kept, m);
    PLI_FREE(m, a->layout, a->term_count);
    PLI_FREE(m, a->share, a->kinematics->vertex_count);
    PLI_FREE(m, a->reference.x, 3 * a->kinematics->vertex_count);
    PLI_FREE(m, a->last.x, 3 * a->kinematics->vertex_count);
    PLI_FREE(m, a->changed, a->kinematics->group_count);
    PLI_FREE(m, a->dynamic, a->kinematics->group_count);
    PLI_FREE(m, a->frozen, a->kinematics->group_count);
    PLI_FREE(m, a->chunk_values, a->chunk_capacity);
    PLI_FREE(m, a->energies, a->energy_capacity);
    PLI_FREE(m, a->gradients, a->gradient_capacity);
    PLI_FREE(m, a->hessians, a->hessian_capacity);
    PLI_FREE(m, a->mapped, a->mapped_capacity);
    PLI_FREE(m, a->mapped_groups, a->mapped_group_capacity);
    PLI_FREE(m, a->mapped_weights, a->mapped_weight_capacity);
    PLI_FREE(m, a->pairs, a->pair_capacity);
    PLI_FREE(m, a->places, a->place_capacity);
    PLI_FREE(m, a->moved, a->moved_capacity);
    PLI_FREE(m, a->keep, a->keep_capacity);
    PLI_FREE(m, a->spare_start, a->spare_capacity);
    pli_pattern_free(&a->added);
    pli_assembly_free_wide(a);
    PLI_FREE(m, a->values, a->value_capacity);
    PLI_FREE(m, a->mass_start, a->mass_start ? a->kinematics->group_count + 1 : 0);
    pli_pattern_free(&a->pattern);
    *a = (pli_assembly){0};
}

static pli_status too_large(pli_error* error) {
    return pli_fail(error, PLI_E_MEMORY,
                    "the stencils need more than 2^31 local matrix entries; use a smaller mesh");
}

// Running buffer sizes while places are assigned.
typedef struct map_sizes {
    int64_t gradient, hessian, weights;
} map_sizes;

// Adds one distinct group to the mapped stencil's list, in ascending order.
static pli_status insert_group(pli_assembly* a, pli_mapped* mapped, int32_t group,
                               pli_error* error) {
    int at = mapped->group_start + mapped->group_count;
    PLI_TRY(PLI_GROW(a->memory, a->mapped_groups, a->mapped_group_capacity, at + 1, error));
    int32_t* list = a->mapped_groups;
    int place = mapped->group_start;
    while (place < at && list[place] < group) ++place;
    if (place < at && list[place] == group) return PLI_OK;
    memmove(list + place + 1, list + place, sizeof *list * (size_t)(at - place));
    list[place] = group;
    mapped->group_count++;
    mapped->width += pli_group_width(a->kinematics, group);
    return PLI_OK;
}

// One row of a mapped stencil's W: how component `component` of a vertex depends on its groups.
static void fill_weights(const pli_assembly* a, const pli_mapped* mapped, int vertex, int component,
                         double* row) {
    const pli_kinematics* k = a->kinematics;
    memset(row, 0, sizeof *row * (size_t)mapped->width);
    if (vertex < 0) return;
    const pli_vertex_map* map = &k->vertices[vertex];
    int at = 0;
    for (int i = 0; i < mapped->group_count; ++i) {
        int group = a->mapped_groups[mapped->group_start + i], width = pli_group_width(k, group);
        if (map->identity_group == group) row[at + component] = 1;
        for (int e = map->entry_start; e < map->entry_end; ++e)
            for (int c = 0; c < width && k->entries[e].group == group; ++c)
                row[at + c] += pli_entry_weight(k, &k->entries[e], component, c);
        at += width;
    }
}

// The same for all components of a vertex, one number per group.
static void fill_scalars(const pli_assembly* a, const pli_mapped* mapped, int vertex, double* row) {
    const pli_kinematics* k = a->kinematics;
    for (int i = 0; i < mapped->group_count; ++i) row[i] = 0;
    if (vertex < 0) return;
    const pli_vertex_map* map = &k->vertices[vertex];
    const int32_t* groups = a->mapped_groups + mapped->group_start;
    for (int i = 0; i < mapped->group_count; ++i) {
        if (map->identity_group == groups[i]) row[i] = 1;
        for (int e = map->entry_start; e < map->entry_end; ++e)
            if (k->entries[e].group == groups[i]) row[i] += k->weights[k->entries[e].weights];
    }
}

// Whether all summands of all vertices are numbers.
static bool is_scalar(const pli_kinematics* k, const int32_t* vertices, int width) {
    for (int i = 0; i < width; ++i) {
        const pli_vertex_map* map = vertices[i] < 0 ? NULL : &k->vertices[vertices[i]];
        for (int e = map ? map->entry_start : 0; map && e < map->entry_end; ++e)
            if (!k->entries[e].scalar) return false;
    }
    return true;
}

// Stencils between the same affine bodies share one matrix in each chunk, which is evaluated by one
// thread, in the order of its stencils. Terms whose stencils may be evaluated in part have none.
static void share_matrix(pli_assembly* a, int t, pli_mapped* mapped) {
    const int32_t* groups = a->mapped_groups + mapped->group_start;
    int chunk = mapped->stencil / PLI_ASSEMBLY_CHUNK;
    if (!mapped->scalar || t < a->fixed_term_count) return;
    for (int m = a->mapped_count - 1; m >= a->layout[t].mapped_start; --m) {
        const pli_mapped* other = &a->mapped[m];
        if (other->stencil / PLI_ASSEMBLY_CHUNK != chunk) return;
        if (other->adds || !other->scalar || other->group_count != mapped->group_count ||
            memcmp(a->mapped_groups + other->group_start, groups,
                   sizeof *groups * (size_t)mapped->group_count) != 0)
            continue;
        mapped->adds = true;
        mapped->hessian = other->hessian;
        a->mapped_group_count = mapped->group_start; // its list is not needed
        mapped->group_start = other->group_start;
        return;
    }
}

// Gives a mapped stencil its W and room for W^T H W.
static pli_status map_weights(pli_assembly* a, pli_mapped* mapped, const int32_t* vertices,
                              int width, map_sizes* sizes, pli_error* error) {
    const pli_kinematics* k = a->kinematics;
    int n = mapped->group_count, rows = mapped->scalar ? width : width * k->dim,
        columns = mapped->scalar ? n : mapped->width;
    mapped->weights = (int32_t)sizes->weights;
    if (!mapped->adds) {
        mapped->hessian = (int32_t)sizes->hessian;
        sizes->hessian += mapped->scalar ? n * (n + 1) / 2 * k->dim * k->dim
                                         : (int64_t)mapped->width * mapped->width;
    }
    sizes->weights += (int64_t)rows * columns;
    if (sizes->hessian > INT32_MAX || sizes->weights > INT32_MAX) return too_large(error);
    PLI_TRY(PLI_GROW(a->memory, a->mapped_weights, a->mapped_weight_capacity, (int)sizes->weights,
                     error));
    for (int r = 0; r < rows; ++r) {
        double* row = a->mapped_weights + mapped->weights + r * columns;
        if (mapped->scalar)
            fill_scalars(a, mapped, vertices[r], row);
        else
            fill_weights(a, mapped, vertices[r / k->dim], r % k->dim, row);
    }
    return PLI_OK;
}

static bool off_fast_path(const pli_kinematics* k, const int32_t* vertices, int width) {
    for (int i = 0; i < width; ++i)
        if (vertices[i] >= 0 && vertices[i] < k->point_count &&
            k->vertices[vertices[i]].entry_end > k->vertices[vertices[i]].entry_start)
            return true;
    return false;
}

// Stencils with a point that is not simply free or fixed get an entry in `mapped`, W and room for
// W^T H W.
static pli_status map_stencils(pli_assembly* a, int t, map_sizes* sizes, pli_error* error) {
    const pli_kinematics* k = a->kinematics;
    pli_term_layout* layout = &a->layout[t];
    layout->mapped_start = layout->mapped_end = a->mapped_count;
    if (k->entry_count == 0 || layout->hessian < 0) return PLI_OK;
    const int32_t* vertices = a->terms[t].ops->vertices(a->terms[t].self);
    for (int s = 0; s < layout->count; ++s, vertices += layout->width) {
        if (!off_fast_path(k, vertices, layout->width)) continue;
        pli_mapped mapped = {.term = t, .stencil = s, .group_start = a->mapped_group_count};
        for (int i = 0; i < layout->width; ++i) {
            if (vertices[i] < 0) continue;
            const pli_vertex_map* map = &k->vertices[vertices[i]];
            if (map->identity_group >= 0)
                PLI_TRY(insert_group(a, &mapped, map->identity_group, error));
            for (int e = map->entry_start; e < map->entry_end; ++e)
                PLI_TRY(insert_group(a, &mapped, k->entries[e].group, error));
        }
        a->mapped_group_count += mapped.group_count;
        mapped.scalar = is_scalar(k, vertices, layout->width);
        share_matrix(a, t, &mapped);
        PLI_TRY(map_weights(a, &mapped, vertices, layout->width, sizes, error));
        PLI_TRY(PLI_GROW(a->memory, a->mapped, a->mapped_capacity, a->mapped_count + 1, error));
        a->mapped[a->mapped_count++] = mapped;
    }
    layout->mapped_end = a->mapped_count;
    return PLI_OK;
}

// Room for local gradients or Hessians. Those of the fixed terms come first and stay. Which
// Hessians a minimization keeps must not depend on the buffer size, or a run resumed from a saved
// state would have other bits.
static pli_status reserve(pli_memory* memory, double** buffer, size_t* capacity, size_t need,
                          pli_error* error) {
    if (*capacity == 0) return PLI_RESERVE(memory, *buffer, *capacity, need, error);
    size_t wanted = *capacity + pli_reserve_growth(*capacity, need);
    PLI_TRY(pli_resize(memory, buffer, sizeof **buffer, *capacity, wanted, error));
    *capacity = wanted;
    return PLI_OK;
}

// Assigns places to all terms from `first` on; terms before it keep theirs.
static pli_status lay_out(pli_assembly* a, int first, pli_error* error) {
    map_sizes sizes = {0};
    int chunk = 0;
    a->mapped_count = a->mapped_group_count = 0;
    for (int t = 0; t < a->term_count; ++t) {
        const pli_term_ops* ops = a->terms[t].ops;
        pli_term_layout* layout = &a->layout[t];
        if (t >= first) {
            layout->count = ops->count(a->terms[t].self);
            layout->width = ops->width;
            layout->start = ops->start ? ops->start(a->terms[t].self) : NULL;
            layout->epoch = ops->epoch ? ops->epoch(a->terms[t].self) : 0;
        }
        bool dense = !ops->linear && !layout->start;
        layout->chunk_start = chunk;
        layout->gradient = (int)sizes.gradient;
        layout->hessian = dense ? (int)sizes.hessian : -1;
        layout->packed = PLI_PACKED_SIZE(a->kinematics->dim, layout->width);
        chunk += (layout->count + PLI_ASSEMBLY_CHUNK - 1) / PLI_ASSEMBLY_CHUNK;
        sizes.gradient += (int64_t)pli_layout_vertex(layout, layout->count) * a->kinematics->dim;
        if (dense) sizes.hessian += (int64_t)layout->count * layout->packed;
        if (sizes.gradient > INT32_MAX || sizes.hessian > INT32_MAX) return too_large(error);
        PLI_TRY(map_stencils(a, t, &sizes, error));
    }
    a->chunk_count = chunk;
    PLI_TRY(PLI_GROW(a->memory, a->chunk_values, a->chunk_capacity, chunk, error));
    PLI_TRY(
        reserve(a->memory, &a->gradients, &a->gradient_capacity, (size_t)sizes.gradient, error));
    if (first == 0) a->keeps_hessians = a->reference.known = false;
    return reserve(a->memory, &a->hessians, &a->hessian_capacity, (size_t)sizes.hessian, error);
}

// Once, when the stencils at each vertex are known: its mass divided by their number.
static void share_masses(pli_assembly* a) {
    const pli_kinematics* k = a->kinematics;
    const int32_t* start = a->vertex_gather[0].start;
    for (int v = 0; v < k->vertex_count; ++v) {
        const pli_vertex_map* map = &k->vertices[v];
        int group = map->identity_group;
        if (map->entry_end > map->entry_start) // driven by other groups: has no inertia of its own
            a->share[v] = 0;
        else if (group < 0)
            a->share[v] = -1;
        else if (a->mass_start[group + 1] > a->mass_start[group] && start[v + 1] > start[v])
            a->share[v] =
                k->mass_values[k->mass[a->mass_start[group]].value] / (start[v + 1] - start[v]);
    }
}

static void gather_corners(const pli_assembly* a, int class_index, const pli_gather_pass* pass) {
    for (int t = pli_first_term(a, class_index); t < pli_end_term(a, class_index); ++t) {
        const pli_term_layout* layout = &a->layout[t];
        const int32_t* vertices = a->terms[t].ops->vertices(a->terms[t].self);
        int total = (int)pli_layout_vertex(layout, layout->count);
        for (int i = 0; i < total; ++i)
            pli_gather_add(pass, vertices[i], layout->gradient + i * a->kinematics->dim, 0);
    }
}

static pli_status gather_vertices(pli_assembly* a, int class_index, pli_error* error) {
    int64_t corners = 0;
    for (int t = pli_first_term(a, class_index); t < pli_end_term(a, class_index); ++t)
        corners += (int64_t)pli_layout_vertex(&a->layout[t], a->layout[t].count);
    return pli_gather_make(a, class_index, &a->vertex_gather[class_index],
                           a->kinematics->vertex_count, (int)corners, gather_corners, error);
}

static pli_status make_kept(pli_assembly* a, pli_error* error) {
    for (int t = 0; t < a->fixed_term_count; ++t) {
        pli_kept_free(&a->layout[t].kept, a->memory);
        PLI_TRY(
            pli_kept_init(&a->layout[t].kept, a->memory, &a->terms[t], a->kinematics->dim, error));
    }
    return PLI_OK;
}

pli_status pli_assembly_update(pli_assembly* a, pli_error* error) {
    bool changed = a->block_gather[1].destination_count != a->pattern.block_count; // restored
    for (int t = a->fixed_term_count; t < a->term_count; ++t)
        if (a->terms[t].ops->epoch(a->terms[t].self) != a->layout[t].epoch) changed = true;
    if (a->laid_out && !changed) return PLI_OK;
    bool first = !a->laid_out;
    a->laid_out = false; // if anything below fails, the next update rebuilds everything
    if (first) PLI_TRY(make_kept(a, error));
    PLI_TRY(lay_out(a, first ? 0 : a->fixed_term_count, error));
    if (first) {
        a->pair_count = 0;
        PLI_TRY(pli_assembly_make_wide(a, error));
        PLI_TRY(pli_assembly_begin_pattern(a, error));
    }
    for (int c = first ? 0 : 1; c < 2; ++c) {
        PLI_TRY(pli_assembly_gather_blocks(a, c, error));
        PLI_TRY(gather_vertices(a, c, error));
    }
    if (first) share_masses(a);
    a->laid_out = true;
    return PLI_OK;
}

void pli_assembly_forget(pli_assembly* a) { a->laid_out = false; }

void pli_assembly_forget_hessians(pli_assembly* a) {
    a->keeps_hessians = a->keeps_values = a->values_hold = a->energies_hold = false;
    a->reference.known = a->last.known = false;
}

// ---- the pattern and the reference, kept

// Version 1 has no reference.
enum { PATTERN_VERSION = 2 };

static void save_reference(const pli_assembly* a, pli_pack* out) {
    const pli_reference* r = &a->reference;
    pli_pack_int(out, r->known);
    if (!r->known) return;
    pli_pack_int(out, r->project);
    pli_pack_number(out, r->inertia);
    pli_pack_numbers(out, r->x, 3 * (size_t)a->kinematics->vertex_count);
}

static pli_reference read_reference(pli_assembly* a, pli_unpack* in) {
    pli_reference r = {.x = a->reference.x};
    r.known = pli_unpack_int(in, 0, 1, "reference known");
    if (!r.known) return r;
    r.project = pli_unpack_int(in, 0, 1, "reference projected");
    r.inertia = pli_unpack_number(in, 0, DBL_MAX, "inertia of the reference");
    pli_unpack_numbers(in, r.x, 3 * (size_t)a->kinematics->vertex_count, "reference");
    return r;
}

static void copy_reference(const pli_assembly* a, const pli_reference* from, pli_reference* to) {
    double* x = to->x;
    if (from->known) pli_copy(from->x, x, 3 * a->kinematics->vertex_count);
    *to = *from;
    to->x = x;
}

void pli_assembly_keep(pli_assembly* a) { copy_reference(a, &a->reference, &a->last); }

void pli_assembly_go_back(pli_assembly* a) {
    copy_reference(a, &a->last, &a->reference);
    a->stale = true;
}

void pli_assembly_save(const pli_assembly* a, pli_pack* out) {
    const pli_pattern* pattern = &a->pattern;
    const int32_t* fixed = a->block_gather[0].start;
    size_t place = pli_pack_open(out, PATTERN_SECTION, PATTERN_VERSION);
    int count = 0;
    pli_pack_int(out, a->kinematics->group_count);
    for (int pass = 0; pass < 2; ++pass) {
        for (int J = 0; a->laid_out && J < pattern->group_count; ++J)
            for (int b = pattern->block_start[J] + 1; b < pattern->block_start[J + 1]; ++b) {
                if (fixed[b] < fixed[b + 1]) continue;
                if (pass == 0)
                    count++;
                else
                    pli_pack_ints(out, (int32_t[2]){pattern->block_row[b], J}, 2);
            }
        if (pass == 0) pli_pack_int(out, count);
    }
    save_reference(a, out);
    pli_pack_close(out, place);
}

pli_status pli_assembly_restore(pli_assembly* a, pli_unpack* in, pli_error* error) {
    int version = PATTERN_VERSION, groups = a->kinematics->group_count;
    pli_unpack from = pli_unpack_enter(in, PATTERN_SECTION, &version);
    (void)pli_unpack_int(&from, groups, groups, "groups");
    int count = pli_unpack_int(&from, 0, INT32_MAX, "blocks");
    a->pair_count = 0;
    for (int i = 0; i < count && pli_unpack_good(&from); ++i) {
        int row = pli_unpack_int(&from, 0, groups - 1, "row");
        int column = pli_unpack_int(&from, 0, row, "column");
        if (in->apply) PLI_TRY(pli_assembly_add_pair(a, row, column, error));
    }
    pli_reference reference = {.x = a->reference.x};
    if (version > 1) reference = read_reference(a, &from);
    pli_unpack_leave(in, &from);
    if (!in->apply || !pli_unpack_good(in)) return PLI_OK;
    a->laid_out = false;
    PLI_TRY(make_kept(a, error));
    PLI_TRY(lay_out(a, 0, error));
    PLI_TRY(pli_assembly_make_wide(a, error));
    PLI_TRY(pli_assembly_begin_pattern(a, error));
    PLI_TRY(pli_assembly_gather_blocks(a, 0, error));
    PLI_TRY(gather_vertices(a, 0, error));
    share_masses(a);
    for (int t = a->fixed_term_count; t < a->term_count; ++t) a->layout[t].epoch = UINT64_MAX;
    a->reference = reference;
    a->stale = true;
    a->laid_out = true;
    return PLI_OK;
}
