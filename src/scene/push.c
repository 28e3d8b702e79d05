// In each round, every two units that are closer than the target distance, or that cross, need to
// move apart along one direction by what is missing; so does a unit and a half-space. All units
// move by the smallest displacements that satisfy these needs together, so that a stack of any
// height separates in few rounds.
//
// Near pairs: the direction is the mean normal of the pairs of parts, weighted by what each lacks,
// and the distance is the longest that one of them needs along it. Crossings: of a few directions
// (axes, from centre to centre, normal to the plane through the crossing points) the one with the
// shortest distance that separates the crossing parts:
//     distance(n) = max over the second's vertices of n.x - min over the first's of n.x.
// It is kept while the two cross, so that they do not oscillate.
#include "scene/separate.h"

#include "base/text.h"
#include "math/small.h"
#include "math/vec.h"
#include "pliant/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 200, MAX_DIRECTIONS = 10 };
static const double aim = 1.05;         // target distance, in units of dhat
static const double least_cosine = 0.2; // pairs less aligned with the direction are ignored

// A pair of parts of two units that are too close or cross; the lower unit first.
typedef struct conflict {
    uint64_t key; // units
    int order;
    double lack;      // near: distance missing to the target [m]; 0: they cross
    double normal[3]; // near: from the second to the first
    double point[3];  // of a crossing [m]
    int count[2];     // vertices of a crossing
    int32_t vertices[2][3];
} conflict;

typedef struct direction {
    uint64_t key;
    double n[3];
    bool used; // in the last round
} direction;

// Two units must move apart along n by `way`. A Lagrange multiplier is the way that it contributes.
typedef struct need {
    int one, other; // other -1: a half-space
    double n[3], way, multiplier;
} need;

typedef struct work {
    pli_push* push;
    pli_world* world;
    int dim;
    double dhat;
    pli_crossing_info* crossings;
    conflict* conflicts;
    int conflict_count, conflict_capacity;
    direction* directions; // of units that cross, those of earlier rounds sorted
    int direction_count, direction_capacity;
    int sorted_count;
    need* needs;
    int need_count, need_capacity;
    double* ways; // of the present round, 3 per unit [m]
    bool all_apart;
    pli_status status;
    pli_error* error;
} work;

static int unit_of(const work* w, int body) { return w->push->initial->bodies[body].body; }

static void give_up(work* w, const char* format, const char* one, const char* other) {
    if (!w->push->reason[0])
        pli_format(w->push->reason, sizeof w->push->reason, format, one, other);
}

// Whether two bodies can be moved apart; if not, gives up.
static bool can_push(work* w, int one, int other, bool cross) {
    const pli_initial_body* bodies = w->push->initial->bodies;
    const char *a = pli_world_body_name(w->world, one), *b = pli_world_body_name(w->world, other);
    if (one == other) {
        if (cross) give_up(w, "body \"%.60s\" intersects itself%s", a, "");
        return false; // self-proximity is not changed
    }
    if (bodies[one].body == bodies[other].body)
        give_up(w,
                "bodies \"%.60s\" and \"%.60s\" are copies of one body and move together: "
                "change repeat.spacing",
                a, b);
    else if (bodies[one].held && bodies[other].held)
        give_up(w,
                "neither body \"%.60s\" nor body \"%.60s\" can be moved: obstacles, fixed or "
                "prescribed bodies, and bodies with loads or velocities by place are not moved",
                a, b);
    else
        return true;
    return false;
}

static conflict* next_conflict(work* w, int one, int other) {
    if (w->status == PLI_OK)
        w->status = PLI_GROW(w->push->memory, w->conflicts, w->conflict_capacity,
                             w->conflict_count + 1, w->error);
    if (w->status != PLI_OK) return NULL;
    conflict* m = &w->conflicts[w->conflict_count];
    int a = unit_of(w, one), b = unit_of(w, other);
    *m = (conflict){.key = (uint64_t)(a < b ? a : b) << 32 | (uint64_t)(a < b ? b : a),
                    .order = w->conflict_count};
    w->conflict_count++;
    return m;
}

static void add_near(void* context, const pli_near_info* pair) {
    work* w = context;
    int one = pair->body[0], other = pair->body[1];
    if (one != other && pair->distance < w->dhat) w->all_apart = false;
    bool close = pair->distance < w->dhat || unit_of(w, one) != unit_of(w, other);
    if (!close || (w->push->initial->bodies[one].held && w->push->initial->bodies[other].held &&
                   pair->distance >= w->dhat))
        return; // between the limit and the target nothing is needed
    if (!can_push(w, one, other, false)) return;
    conflict* m = next_conflict(w, one, other);
    if (!m) return;
    m->lack = aim * w->dhat - pair->distance;
    double sign = unit_of(w, one) < unit_of(w, other) ? 1 : -1;
    for (int k = 0; k < 3; ++k) m->normal[k] = sign * pair->normal[k];
}

static void add_crossing(work* w, const pli_crossing_info* c) {
    if (!can_push(w, c->body[0], c->body[1], true)) return;
    conflict* m = next_conflict(w, c->body[0], c->body[1]);
    if (!m) return;
    int swap = unit_of(w, c->body[0]) > unit_of(w, c->body[1]);
    pli_copy(c->point, m->point, 3);
    for (int side = 0; side < 2; ++side) {
        int from = side ^ swap, first = pli_world_body_vertex(w->world, c->body[from]);
        m->count[side] = c->vertex_count[from];
        for (int i = 0; i < m->count[side]; ++i)
            m->vertices[side][i] = first + c->vertices[from][i];
    }
}

// All conflicts at the current positions, sorted by units, crossings first.
static int compare_conflicts(const void* a, const void* b) {
    const conflict *m = a, *n = b;
    if (m->key != n->key) return m->key < n->key ? -1 : 1;
    if ((m->lack == 0) != (n->lack == 0)) return m->lack == 0 ? -1 : 1;
    return (m->order > n->order) - (m->order < n->order);
}

static pli_status find_conflicts(work* w) {
    int count;
    w->conflict_count = 0;
    w->all_apart = true;
    PLI_TRY(pli_survey_crossings(w->world, w->push->x, PLI_CROSSINGS_KEPT, w->crossings, &count,
                                 w->error));
    for (int i = 0; i < pli_min_int(count, PLI_CROSSINGS_KEPT); ++i)
        if (w->crossings[i].distance == 0) {
            w->all_apart = false;
            add_crossing(w, &w->crossings[i]);
        }
    PLI_TRY(pli_survey_near(w->world, w->push->x, aim * w->dhat, add_near, w, w->error));
    PLI_TRY(w->status);
    if (w->conflict_count > 0)
        qsort(w->conflicts, (size_t)w->conflict_count, sizeof *w->conflicts, compare_conflicts);
    return PLI_OK;
}

// ---- moving

static void move(work* w, int unit, double way, const double n[3]) {
    pli_unit* c = &w->push->units[unit];
    int end = pli_world_body_vertex(w->world, c->end);
    pli_axpy(way, n, c->way, 3);
    for (int v = pli_world_body_vertex(w->world, c->first); v < end; ++v)
        pli_axpy(way, n, w->push->x + 3 * (size_t)v, 3);
}

static pli_status add_need(work* w, int one, int other, double way, const double n[3]) {
    PLI_TRY(PLI_GROW(w->push->memory, w->needs, w->need_capacity, w->need_count + 1, w->error));
    need* add = &w->needs[w->need_count++];
    *add = (need){.one = one, .other = other, .way = way};
    pli_copy(n, add->n, 3);
    return PLI_OK;
}

static pli_status push_pair(work* w, uint64_t key, double way, const double n[3]) {
    return add_need(w, (int)(key >> 32), (int)(key & UINT32_MAX), way, n);
}

// Minimizes sum |way_i|^2 / 2 subject to n . (way_one - way_other) >= way, by successive
// over-relaxation of the multipliers, which are not negative: way_one = sum multiplier n. Returns
// the largest violation of a sweep [m].
static double sweep(work* w) {
    static const double relaxation = 1.5;
    double worst = 0;
    for (int i = 0; i < w->need_count; ++i) {
        need* c = &w->needs[i];
        int sides[2] = {c->one, c->other}, moving = 0;
        double missing = c->way;
        for (int side = 0; side < 2; ++side) {
            if (sides[side] < 0 || w->push->units[sides[side]].held) continue;
            moving++;
            missing += (side ? 1 : -1) * pli_dot(c->n, w->ways + 3 * (size_t)sides[side], 3);
        }
        if (moving == 0) continue;
        double next = fmax(0, c->multiplier + relaxation * missing / moving);
        for (int side = 0; side < 2; ++side)
            if (sides[side] >= 0 && !w->push->units[sides[side]].held)
                pli_axpy((side ? -1 : 1) * (next - c->multiplier), c->n,
                         w->ways + 3 * (size_t)sides[side], 3);
        c->multiplier = next;
        worst = fmax(worst, missing);
    }
    return worst;
}

static void meet_needs(work* w) {
    enum { MOST_SWEEPS = 100000, MOST_WORK = 20000000 };
    int limit = pli_min_int(MOST_SWEEPS, MOST_WORK / pli_max_int(w->need_count, 1));
    memset(w->ways, 0, 3 * sizeof *w->ways * (size_t)w->push->unit_count);
    for (int i = 0; i < limit; ++i)
        if (sweep(w) <= 0.01 * (aim - 1) * w->dhat) break;
    for (int u = 0; u < w->push->unit_count; ++u) move(w, u, 1, w->ways + 3 * (size_t)u);
    w->need_count = 0;
}

static pli_status push_near(work* w, const conflict* list, int count) {
    double n[3] = {0}, way = 0;
    const conflict* closest = list;
    for (int i = 0; i < count; ++i) {
        pli_axpy(list[i].lack, list[i].normal, n, 3);
        if (list[i].lack > closest->lack) closest = &list[i];
    }
    double length = pli_norm(n, 3);
    if (length > 0.1 * closest->lack)
        for (int k = 0; k < 3; ++k) n[k] /= length;
    else // normals cancel
        pli_copy(closest->normal, n, 3);
    for (int i = 0; i < count; ++i) {
        double cosine = pli_dot(n, list[i].normal, 3);
        if (cosine > least_cosine) way = fmax(way, list[i].lack / cosine);
    }
    return push_pair(w, list->key, way, n);
}

// ---- crossings

static void centre_of(const work* w, int unit, double centre[3]) {
    const pli_unit* c = &w->push->units[unit];
    int first = pli_world_body_vertex(w->world, c->first);
    int end = pli_world_body_vertex(w->world, c->end);
    for (int k = 0; k < 3; ++k) centre[k] = 0;
    for (int v = first; v < end; ++v)
        pli_axpy(1.0 / (end - first), w->push->x + 3 * (size_t)v, centre, 3);
}

// The direction in which the crossing points spread least.
static void across_places(const work* w, const conflict* list, int count, double n[3]) {
    double mean[3] = {0}, A[9] = {0}, values[3], V[9];
    for (int i = 0; i < count; ++i) pli_axpy(1.0 / count, list[i].point, mean, 3);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 9; ++k)
            A[k] += (list[i].point[k / 3] - mean[k / 3]) * (list[i].point[k % 3] - mean[k % 3]);
    int dim = w->dim;
    double small[9];
    for (int k = 0; k < dim * dim; ++k) small[k] = A[3 * (k / dim) + k % dim];
    pli_eigen_symmetric(dim, small, values, V);
    for (int k = 0; k < 3; ++k) n[k] = k < dim ? V[dim * k] : 0;
}

static double way_along(const work* w, const conflict* list, int count, const double n[3]) {
    double most = -HUGE_VAL, least = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < list[i].count[0]; ++k)
            least = fmin(least, pli_dot(n, w->push->x + 3 * (size_t)list[i].vertices[0][k], 3));
        for (int k = 0; k < list[i].count[1]; ++k)
            most = fmax(most, pli_dot(n, w->push->x + 3 * (size_t)list[i].vertices[1][k], 3));
    }
    return most - least;
}

static void best_direction(const work* w, const conflict* list, int count, double best[3]) {
    double all[MAX_DIRECTIONS][3] = {{0}}, centres[2][3];
    int found = 0;
    for (int k = 0; k < 2 * w->dim; ++k) all[found++][k / 2] = k % 2 ? -1 : 1;
    across_places(w, list, count, all[found]);
    for (int k = 0; k < 3; ++k) all[found + 1][k] = -all[found][k];
    found += 2;
    for (int side = 0; side < 2; ++side)
        centre_of(w, (int)(side ? list->key & UINT32_MAX : list->key >> 32), centres[side]);
    pli_sub(centres[0], centres[1], all[found], 3);
    double length = pli_norm(all[found], 3), shortest = HUGE_VAL;
    for (int k = 0; k < 3 && length > 0; ++k) all[found][k] /= length;
    found += length > 0;
    for (int i = 0; i < found; ++i) {
        double way = way_along(w, list, count, all[i]);
        if (!(way < shortest)) continue;
        shortest = way;
        pli_copy(all[i], best, 3);
    }
}

static int compare_keys(const void* a, const void* b) {
    uint64_t m = *(const uint64_t*)a, n = *(const uint64_t*)b;
    return (m > n) - (m < n);
}

static pli_status push_crossing(work* w, const conflict* list, int count) {
    direction* known = NULL;
    if (w->sorted_count > 0)
        known = bsearch(&list->key, w->directions, (size_t)w->sorted_count, sizeof *known,
                        compare_keys); // the key comes first in a direction
    if (!known) {
        PLI_TRY(PLI_GROW(w->push->memory, w->directions, w->direction_capacity,
                         w->direction_count + 1, w->error));
        known = &w->directions[w->direction_count++];
        *known = (direction){.key = list->key};
        best_direction(w, list, count, known->n);
    }
    known->used = true;
    double way = fmax(way_along(w, list, count, known->n), 0) + 0.1 * w->dhat;
    return push_pair(w, list->key, way, known->n);
}

// Drops the directions of units that no longer cross.
static void forget_directions(work* w) {
    int kept = 0;
    for (int i = 0; i < w->direction_count; ++i) {
        if (!w->directions[i].used) continue;
        w->directions[kept] = w->directions[i];
        w->directions[kept++].used = false;
    }
    w->direction_count = w->sorted_count = kept;
    if (kept > 0) qsort(w->directions, (size_t)kept, sizeof *w->directions, compare_keys);
}

// ---- half-spaces

static pli_status leave_half_spaces(work* w) {
    for (int h = 0; h < pli_world_half_space_count(w->world); ++h) {
        double point[3], normal[3];
        pli_world_half_space(w->world, h, point, normal);
        int carrier = pli_world_half_space_carrier(w->world, h);
        if (carrier >= 0) pli_copy(w->push->x + 3 * (size_t)carrier, point, 3);
        for (int b = 0; b < w->push->initial->body_count; ++b) {
            const pli_initial_body* body = &w->push->initial->bodies[b];
            if (body->held || body->passes || !pli_survey_touches(w->world, b, -1 - h)) continue;
            double least = HUGE_VAL, radius = pli_world_body_thickness(w->world, b);
            for (int v = pli_world_body_vertex(w->world, b);
                 v < pli_world_body_vertex(w->world, b + 1); ++v) {
                double d[3];
                pli_sub(w->push->x + 3 * (size_t)v, point, d, 3);
                if (v != carrier) least = fmin(least, pli_dot(d, normal, 3) - radius);
            }
            if (least < w->dhat) w->all_apart = false;
            // Also of bodies that others may push there in this round.
            PLI_TRY(add_need(w, unit_of(w, b), -1, aim * w->dhat - least, normal));
        }
    }
    return PLI_OK;
}

// ---- the rounds

static pli_status do_round(work* w) {
    for (int first = 0, end; first < w->conflict_count; first = end) {
        const conflict* list = w->conflicts + first;
        int crossings = 0;
        for (end = first; end < w->conflict_count && w->conflicts[end].key == list->key; ++end)
            crossings += w->conflicts[end].lack == 0;
        if (crossings > 0)
            PLI_TRY(push_crossing(w, list, crossings));
        else
            PLI_TRY(push_near(w, list, end - first));
    }
    meet_needs(w);
    forget_directions(w);
    return PLI_OK;
}

static void note_inside(void* context, const pli_inside_info* inside) {
    work* w = context;
    give_up(w, "body \"%.60s\" is inside body \"%.60s\"",
            pli_world_body_name(w->world, inside->body[0]),
            pli_world_body_name(w->world, inside->body[1]));
}

static pli_status run(work* w) {
    pli_push* push = w->push;
    for (;; ++push->round_count) {
        PLI_TRY(find_conflicts(w));
        if (push->reason[0]) return PLI_OK;
        PLI_TRY(leave_half_spaces(w));
        if (w->all_apart) break;
        if (push->round_count == MAX_ROUNDS) {
            char text[32];
            pli_format(text, sizeof text, "%d", MAX_ROUNDS);
            give_up(w, "some bodies are still too close after %s rounds: give them more space%s",
                    text, "");
            return PLI_OK;
        }
        PLI_TRY(do_round(w));
    }
    return pli_survey_inside(w->world, push->x, note_inside, w, w->error);
}

static pli_status make_units(pli_push* push, pli_error* error) {
    const pli_initial* initial = push->initial;
    PLI_TRY(PLI_ALLOC(push->memory, push->units, push->unit_count, error));
    for (int b = initial->body_count - 1; b >= 0; --b) {
        pli_unit* unit = &push->units[initial->bodies[b].body];
        if (unit->end == 0) unit->end = b + 1;
        unit->first = b;
        unit->name = pli_world_body_name(initial->world, b);
        unit->held = initial->bodies[b].held;
    }
    push->room = 3 * pli_world_vertex_count(initial->world);
    PLI_TRY(PLI_ALLOC(push->memory, push->x, push->room, error));
    pli_copy(pli_world_positions(initial->world), push->x, push->room);
    return PLI_OK;
}

pli_status pli_push_apart(pli_memory* memory, const pli_initial* initial, int unit_count,
                          pli_push* push, pli_error* error) {
    *push = (pli_push){.memory = memory, .initial = initial, .unit_count = unit_count};
    work w = {.push = push,
              .world = initial->world,
              .dim = pli_world_dimension(initial->world),
              .dhat = pli_world_dhat(initial->world),
              .error = error};
    pli_status status;
    PLI_TRY_CLEANUP(status, make_units(push, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, w.ways, 3 * (size_t)unit_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, w.crossings, PLI_CROSSINGS_KEPT, error));
    status = run(&w);
cleanup:
    PLI_FREE(memory, w.crossings, PLI_CROSSINGS_KEPT);
    PLI_FREE(memory, w.conflicts, w.conflict_capacity);
    PLI_FREE(memory, w.needs, w.need_capacity);
    PLI_FREE(memory, w.ways, 3 * (size_t)unit_count);
    PLI_FREE(memory, w.directions, w.direction_capacity);
    return status;
}

void pli_push_free(pli_push* push) {
    if (!push->memory) return;
    PLI_FREE(push->memory, push->units, push->unit_count);
    PLI_FREE(push->memory, push->x, push->room);
}
