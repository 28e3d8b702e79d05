// Islands: see islands.h.
#include "dynamics/islands.h"

#include "base/collections.h"
#include "dynamics/world.h"
#include "math/vec.h"

#include <string.h>

// The search of an island that was cut short reaches this many times as far in the next step: a
// search over whole directions finds many pairs that are not needed.
static const double AHEAD = 8;

// Minimum reach: an island that could not move at all would otherwise never search again.
static const double LEAST_REACH = 1e-6;

// ---- parts

// Joins all groups that drive vertex v to `*first`, the first group found (-1: none yet).
static void join_vertex(const pli_kinematics* k, int32_t* root, int v, int* first) {
    const pli_vertex_map* map = &k->vertices[v];
    for (int e = map->entry_start - 1; e < map->entry_end; ++e) {
        int group = e < map->entry_start ? map->identity_group : k->entries[e].group;
        if (group < 0) continue;
        if (*first >= 0) pli_disjoint_join(root, *first, group);
        if (*first < 0) *first = group;
    }
}

static void join_stencils(const pli_world* w, int32_t* root, const pli_term* term) {
    const int32_t* vertices = term->ops->vertices(term->self);
    int count = term->ops->count(term->self);
    for (int s = 0; s < count; ++s) {
        int first = -1;
        for (size_t i = pli_term_vertex(term, s); i < pli_term_vertex(term, s + 1); ++i)
            if (vertices[i] >= 0) join_vertex(&w->kinematics, root, vertices[i], &first);
    }
}

// Per group the lowest group of its part.
static void join_groups(const pli_world* w, int32_t* root) {
    const pli_kinematics* k = &w->kinematics;
    for (int i = 0; i < k->group_count; ++i) root[i] = i;
    for (int b = 0; b < w->model.body_count; ++b) {
        int first = -1;
        for (int v = w->model.bodies[b].first_vertex; v < pli_body_end_vertex(&w->model, b); ++v)
            join_vertex(k, root, v, &first);
    }
    for (int t = 0; t < w->term_count; ++t)
        if (!w->terms[t].contact && !w->plain_terms[t].ops->dynamic)
            join_stencils(w, root, &w->plain_terms[t]);
    for (int i = 0; i < k->mass_count; ++i)
        pli_disjoint_join(root, k->mass[i].row, k->mass[i].column);
    for (int i = 0; i < w->joints.equations.count; ++i) {
        int first = -1;
        for (int t = w->joints.term_start[i]; t < w->joints.term_start[i + 1]; ++t)
            join_vertex(k, root, w->joints.terms[t].vertex, &first);
    }
}

// Numbers the parts in the order of their groups; `part` of each group.
static int number_parts(int32_t* root, int32_t* part, int group_count) {
    int count = 0;
    for (int i = 0; i < group_count; ++i) {
        int first = pli_disjoint_root(root, i);
        part[i] = first == i ? count++ : part[first];
    }
    return count;
}

static void spread_parts(pli_world* w, const int32_t* group_part) {
    pli_islands* at = &w->islands;
    const pli_kinematics* k = &w->kinematics;
    for (int g = 0; g < k->group_count; ++g)
        for (int i = k->group_offset[g]; i < k->group_offset[g + 1]; ++i)
            at->unknown_part[i] = group_part[g];
    for (int v = 0; v < k->vertex_count; ++v) {
        const pli_vertex_map* map = &k->vertices[v];
        int group = map->identity_group;
        if (group < 0 && map->entry_end > map->entry_start)
            group = k->entries[map->entry_start].group;
        at->vertex_part[v] = group < 0 ? -1 : group_part[group];
    }
}

static pli_status make_arrays(pli_memory* m, pli_islands* at, pli_error* error) {
    int n = at->part_count;
    PLI_TRY(PLI_ALLOC(m, at->vertex_part, 2 * (size_t)at->vertex_count, error));
    PLI_TRY(PLI_ALLOC(m, at->unknown_part, 2 * (size_t)at->unknown_count, error));
    PLI_TRY(PLI_ALLOC(m, at->root, 2 * (size_t)n, error));
    PLI_TRY(PLI_ALLOC(m, at->speed, 6 * (size_t)n, error));
    PLI_TRY(PLI_ALLOC(m, at->settled, n, error));
    at->vertex_island = at->vertex_part + at->vertex_count;
    at->unknown_island = at->unknown_part + at->unknown_count;
    at->number = at->root + n;
    double** rest[5] = {&at->share, &at->reach, &at->limit, &at->value, &at->size};
    for (int i = 0; i < 5; ++i) *rest[i] = at->speed + (size_t)(i + 1) * (size_t)n;
    return PLI_OK;
}

pli_status pli_islands_make(pli_world* w, pli_error* error) {
    pli_islands* at = &w->islands;
    pli_memory* m = &w->memory;
    int group_count = w->kinematics.group_count;
    int32_t *root = NULL, *part = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, root, group_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, part, group_count, error));
    join_groups(w, root);
    *at = (pli_islands){.part_count = number_parts(root, part, group_count),
                        .vertex_count = w->kinematics.vertex_count,
                        .unknown_count = w->kinematics.unknown_count};
    PLI_TRY_CLEANUP(status, make_arrays(m, at, error));
    spread_parts(w, part);
cleanup:
    PLI_FREE(m, root, root ? group_count : 0);
    PLI_FREE(m, part, part ? group_count : 0);
    return status;
}

void pli_islands_free(pli_world* w) {
    pli_islands* at = &w->islands;
    pli_memory* m = &w->memory;
    PLI_FREE(m, at->vertex_part, at->vertex_part ? 2 * (size_t)at->vertex_count : 0);
    PLI_FREE(m, at->unknown_part, at->unknown_part ? 2 * (size_t)at->unknown_count : 0);
    PLI_FREE(m, at->root, at->root ? 2 * (size_t)at->part_count : 0);
    PLI_FREE(m, at->speed, at->speed ? 6 * (size_t)at->part_count : 0);
    PLI_FREE(m, at->settled, at->settled ? at->part_count : 0);
}

// ---- islands

bool pli_islands_on(const pli_world* w) {
    return w->islands.part_count > 1 && !w->scheme->statics &&
           pli_constraints_arrived(&w->constraints);
}

void pli_islands_begin(pli_world* w) {
    pli_islands* at = &w->islands;
    for (int i = 0; i < at->part_count; ++i) at->speed[i] = HUGE_VAL, at->reach[i] = 1;
    if (at->part_count > 0) memset(at->settled, 0, (size_t)at->part_count);
    at->any_settled = false;
    pli_assembly_hold(&w->assembly, NULL, NULL);
}

// A vertex with frozen unknowns couples nothing.
static bool is_frozen(const pli_world* w, int v) {
    const pli_kinematics* k = &w->kinematics;
    const pli_vertex_map* map = &k->vertices[v];
    if (map->identity_group >= 0) return w->frozen[map->identity_group];
    for (int e = map->entry_start; e < map->entry_end; ++e)
        if (!w->frozen[k->entries[e].group]) return false;
    return map->entry_end > map->entry_start;
}

// Is the Hessian of a stencil nonzero? Blocks of fixed vertices are not written: they hold data of
// another stencil.
static bool is_stiff(const pli_kinematics* k, int width, const int32_t* vertices, const double* H) {
    int square = k->dim * k->dim;
    for (int i = 0; i < width; ++i)
        for (int j = 0; j <= i; ++j, H += square) {
            double weight;
            if (vertices[i] < 0 || pli_own_group(k, vertices[i], &weight) < 0) continue;
            if (vertices[j] < 0 || pli_own_group(k, vertices[j], &weight) < 0) continue;
            for (int c = 0; c < square; ++c)
                if (H[c] != 0) return true;
        }
    return false;
}

// The same for a stencil whose matrix is mapped.
static bool is_mapped_stiff(const pli_assembly* a, const pli_mapped* mapped) {
    int n = mapped->group_count, dim = a->kinematics->dim;
    int count = mapped->scalar ? n * (n + 1) / 2 * dim * dim : mapped->width * mapped->width;
    for (int i = 0; i < count; ++i)
        if (a->hessians[mapped->hessian + i] != 0) return true;
    return false;
}

// Joins the parts that the stencils of term t couple.
static void join_term(pli_world* w, int t, bool all) {
    pli_islands* at = &w->islands;
    const pli_assembly* a = &w->assembly;
    const pli_term_layout* layout = &a->layout[t];
    const int32_t* vertices = w->plain_terms[t].ops->vertices(w->plain_terms[t].self);
    int next = layout->mapped_start;
    bool blended = false; // any mapped stencil without numbers as weights: all count as stiff
    for (int m = layout->mapped_start; m < layout->mapped_end; ++m)
        blended = blended || !a->mapped[m].scalar;
    for (int s = 0; s < layout->count; ++s, vertices += layout->width) {
        const double* H = a->hessians + layout->hessian + (size_t)s * (size_t)layout->packed;
        bool mapped = next < layout->mapped_end && a->mapped[next].stencil == s;
        if (mapped && a->mapped[next].adds) { // an earlier one stands for it
            next++;
            continue;
        }
        bool stiff = all || blended || (mapped ? is_mapped_stiff(a, &a->mapped[next])
                                    : is_stiff(&w->kinematics, layout->width, vertices, H));
        next += mapped;
        if (!stiff) continue;
        int first = -1;
        for (int i = 0; i < layout->width; ++i) {
            int part =
                vertices[i] < 0 || is_frozen(w, vertices[i]) ? -1 : at->vertex_part[vertices[i]];
            if (part < 0) continue;
            if (first >= 0) pli_disjoint_join(at->root, first, part);
            first = part;
        }
    }
}

void pli_islands_find(pli_world* w, bool all) {
    pli_islands* at = &w->islands;
    for (int i = 0; i < at->part_count; ++i) at->root[i] = i;
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].contact && w->plain_terms[t].ops->width > 1) join_term(w, t, all);
    for (int i = 0; i < at->part_count; ++i) at->root[i] = pli_disjoint_root(at->root, i);
}

int pli_islands_spread(pli_world* w) {
    pli_islands* at = &w->islands;
    int count = 0;
    for (int i = 0; i < at->part_count; ++i) // the root is the lowest part
        at->number[i] = at->root[i] == i ? count++ : at->number[at->root[i]];
    for (int v = 0; v < at->vertex_count; ++v)
        at->vertex_island[v] = at->vertex_part[v] < 0 ? -1 : at->number[at->vertex_part[v]];
    for (int i = 0; i < at->unknown_count; ++i)
        at->unknown_island[i] = at->number[at->unknown_part[i]];
    return count;
}

// ---- converged islands

// value[root] = the maximum over its parts.
static void take_largest(const pli_islands* at, double* value) {
    for (int i = 0; i < at->part_count; ++i)
        value[at->root[i]] = fmax(value[at->root[i]], value[i]);
}

// Are some islands slower than the tolerance and others not? If all are slow the minimizer ends.
static bool some_are_slow(const pli_world* w) {
    const pli_islands* at = &w->islands;
    bool slow = false, fast = false;
    for (int i = 0; i < at->part_count; ++i) {
        if (at->settled[i] || at->root[i] != i) continue;
        slow = slow || at->speed[i] <= w->tolerance;
        fast = fast || !(at->speed[i] <= w->tolerance);
    }
    return slow && fast;
}

// Settles islands that are slow enough and balanced. Wakes those whose forces have changed or that
// touch a moving one. Returns whether any flag changed.
static bool find_settled(pli_world* w, bool allowed, const double* g) {
    pli_islands* at = &w->islands;
    bool changed = false;
    take_largest(at, at->speed);
    bool look = allowed && some_are_slow(w);
    if (!look && !at->any_settled) return false;
    pli_world_part_shares(w, pli_joints_net(w, g), at->share);
    take_largest(at, at->share);
    for (int i = 0; i < at->part_count; ++i) {
        int root = at->root[i];
        bool rests = at->speed[root] <= w->tolerance && at->share[root] <= PLI_BALANCED;
        bool settled = rests && (look || at->settled[i]);
        changed = changed || settled != at->settled[i];
        at->settled[i] = settled;
    }
    return changed;
}

void pli_islands_settle(pli_world* w, bool allowed, double* g) {
    pli_islands* at = &w->islands;
    if (!pli_islands_on(w)) { // a prescribed vertex may have left its target again
        if (at->any_settled) pli_islands_begin(w);
        return;
    }
    pli_islands_find(w, false);
    bool changed = find_settled(w, allowed, g);
    at->any_settled = false;
    for (int i = 0; i < at->part_count; ++i) at->any_settled |= at->settled[i];
    if (changed)
        pli_assembly_hold(&w->assembly, at->vertex_part, at->any_settled ? at->settled : NULL);
    pli_islands_rest(at, g);
}

void pli_islands_rest(const pli_islands* at, double* g) {
    for (int i = 0; i < at->unknown_count && at->any_settled; ++i)
        if (at->settled[at->unknown_part[i]]) g[i] = 0;
}

// ---- step lengths

// Scales the motion of each island by its limit.
static void scale(const int32_t* island, const double* limit, int count, int width, double* p) {
    for (int i = 0; i < count; ++i)
        if (island[i] >= 0 && limit[island[i]] < 1)
            for (int c = 0; c < width; ++c) p[i * width + c] *= limit[island[i]];
}

// limit[island] = the shortest reach of its parts.
static void take_reach(pli_islands* at, int count) {
    for (int i = 0; i < count; ++i) at->limit[i] = 1;
    for (int i = 0; i < at->part_count; ++i)
        at->limit[at->number[i]] = fmin(at->limit[at->number[i]], at->reach[i]);
    for (int i = 0; i < at->part_count; ++i) at->reach[i] = at->limit[at->number[i]];
}

// Scales the direction and the motion of vertices by the limits of their islands.
static void scale_all(pli_world* w, double* p) {
    const pli_islands* at = &w->islands;
    scale(at->vertex_island, at->limit, at->vertex_count, 3, w->dx);
    scale(at->unknown_island, at->limit, at->unknown_count, 1, p);
}

// The fraction of the moving unknowns whose reach is their full direction.
static double share_of_free(const pli_islands* at) {
    double all = 0, whole = 0;
    for (int i = 0; i < at->unknown_count; ++i) {
        all += !at->settled[at->unknown_part[i]];
        whole += !at->settled[at->unknown_part[i]] && at->reach[at->unknown_part[i]] == 1;
    }
    return all > 0 ? whole / all : 0;
}

pli_status pli_islands_shorten(pli_world* w, double* p, double* least, double* free,
                               pli_error* error) {
    pli_islands* at = &w->islands;
    int count = pli_islands_spread(w);
    pli_view view = pli_world_view(w);
    *least = *free = 1;
    if (count < 2) return PLI_OK;
    take_reach(at, count);
    scale_all(w, p);
    for (int i = 0; i < count; ++i) at->limit[i] = 1;
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->limit)
            PLI_TRY(
                term->ops->limit(term->self, &view, w->dx, at->vertex_island, at->limit, error));
    }
    scale_all(w, p);
    for (int i = 0; i < at->part_count; ++i) {
        at->reach[i] *= at->limit[at->number[i]];
        *least = fmin(*least, at->reach[i]);
    }
    *free = share_of_free(at);
    for (int i = 0; i < at->part_count; ++i)
        at->reach[i] = fmin(1, fmax(LEAST_REACH, AHEAD * at->reach[i]));
    return PLI_OK;
}
