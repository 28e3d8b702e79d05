// See picking.h.
#include "collision/picking.h"

#include "math/vec.h"
#include "mesh/topology.h"

#include <float.h>
#include <string.h>

// ---- parts

static pli_status add_part(pli_picker* p, int body, int count, const int32_t* vertices,
                           int triangle, pli_error* error) {
    PLI_TRY(PLI_GROW(p->memory, p->parts, p->part_capacity, p->part_count + 1, error));
    pli_picked part = {
        .body = body, .count = count, .vertices = {-1, -1, -1}, .triangle = triangle};
    memcpy(part.vertices, vertices, sizeof *vertices * (size_t)count);
    p->parts[p->part_count++] = part;
    return PLI_OK;
}

static pli_status add_triangles(pli_picker* p, int body, pli_error* error) {
    int count = 0, room;
    int32_t* vertices = NULL;
    PLI_TRY(pli_model_skin_triangles(p->model, body, NULL, &room, error));
    PLI_TRY(PLI_ALLOC(p->memory, vertices, 3 * (size_t)room, error));
    pli_status status = pli_model_skin_triangles(p->model, body, vertices, &count, error);
    for (int i = 0; i < count && status == PLI_OK; ++i)
        status = add_part(p, body, 3, vertices + 3 * (size_t)i, i, error);
    PLI_FREE(p->memory, vertices, 3 * (size_t)room);
    return status;
}

// Quadratic edges count as two straight ones, as in contact.
static pli_status add_outline(pli_picker* p, int body, pli_error* error) {
    pli_skin skin = {0};
    pli_status status = pli_model_skin(p->model, body, 2, &skin, error);
    for (int i = 0; i < skin.count[0] && status == PLI_OK; ++i)
        status = add_part(p, body, 2, skin.faces[0] + 2 * (size_t)i, -1, error);
    for (int i = 0; i < skin.count[1] && status == PLI_OK; ++i) {
        const int32_t *v = skin.faces[1] + 3 * (size_t)i, halves[4] = {v[0], v[2], v[2], v[1]};
        status = add_part(p, body, 2, halves, -1, error);
        if (status == PLI_OK) status = add_part(p, body, 2, halves + 2, -1, error);
    }
    pli_skin_free(&skin);
    return status;
}

static pli_status add_segments(pli_picker* p, int body, pli_error* error) {
    const pli_model* model = p->model;
    int first = model->bodies[body].first_element[PLI_SEGMENT];
    int count = pli_body_element_count(model, body, PLI_SEGMENT), dim = model->def.dimension;
    bool* loose = NULL;
    pli_elements all = pli_model_elements(model, body);
    PLI_TRY(PLI_ALLOC(p->memory, loose, count, error));
    pli_status status = pli_mark_loose(p->memory, &all, PLI_SEGMENT, dim, loose, error);
    for (int i = 0; i < count && status == PLI_OK; ++i)
        if (loose[i])
            status = add_part(p, body, 2, model->elements[PLI_SEGMENT] + 2 * (size_t)(first + i),
                              -1, error);
    PLI_FREE(p->memory, loose, count);
    return status;
}

static pli_status add_body(pli_picker* p, const pli_surfaces* surfaces, int body,
                           pli_error* error) {
    const pli_model* model = p->model;
    if (pli_body_is_cage(model, body)) return PLI_OK;
    PLI_TRY(model->def.dimension == 3 ? add_triangles(p, body, error)
                                      : add_outline(p, body, error));
    PLI_TRY(add_segments(p, body, error));
    for (int32_t v = model->bodies[body].first_vertex; v < pli_body_end_vertex(model, body); ++v)
        if (surfaces->extent[v] == 1) PLI_TRY(add_part(p, body, 1, &v, -1, error));
    return PLI_OK;
}

pli_status pli_picker_init(pli_picker* p, const pli_model* model, const pli_surfaces* surfaces,
                           pli_error* error) {
    *p = (pli_picker){.memory = model->memory, .model = model};
    pli_status status = PLI_OK;
    for (int b = 0; b < model->body_count && status == PLI_OK; ++b)
        status = add_body(p, surfaces, b, error);
    if (status != PLI_OK) pli_picker_free(p);
    return status;
}

void pli_picker_free(pli_picker* p) {
    if (!p->memory) return;
    pli_tree_free(&p->tree);
    PLI_FREE(p->memory, p->parts, p->part_capacity);
    *p = (pli_picker){0};
}

// ---- the tree

static double radius_of(const pli_picker* p, int part) {
    return p->model->bodies[p->parts[part].body].def.contact_thickness;
}

pli_status pli_picker_update(pli_picker* p, pli_error* error) {
    int dim = p->model->def.dimension;
    double* boxes = NULL;
    pli_tree_free(&p->tree);
    PLI_TRY(PLI_ALLOC(p->memory, boxes, 6 * (size_t)p->part_count, error));
    for (int k = 0; k < 3; ++k) p->low[k] = HUGE_VAL, p->high[k] = -HUGE_VAL;
    for (int i = 0; i < p->part_count; ++i) {
        double *low = boxes + 6 * (size_t)i, *high = low + 3, radius = radius_of(p, i);
        for (int k = 0; k < 3; ++k) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
        for (int v = 0; v < p->parts[i].count; ++v)
            for (int k = 0; k < 3; ++k) {
                double x = p->model->positions[3 * (size_t)p->parts[i].vertices[v] + (size_t)k];
                low[k] = fmin(low[k], k < dim ? x - radius : 0);
                high[k] = fmax(high[k], k < dim ? x + radius : 0);
            }
        for (int k = 0; k < 3; ++k) {
            p->low[k] = fmin(p->low[k], low[k]);
            p->high[k] = fmax(p->high[k], high[k]);
        }
    }
    pli_status status = pli_tree_create(p->memory, p->part_count, boxes, &p->tree, error);
    PLI_FREE(p->memory, boxes, 6 * (size_t)p->part_count);
    return status;
}

// ---- queries

// The query and the best result so far. Boxes are enlarged by `slack`, which covers rounding.
typedef struct query {
    const pli_picker* picker;
    pli_line line;
    bool ray;
    double slack;
    int best;
    double distance;
    pli_meeting* out;
} query;

static void try_part(query* q, int number) {
    const pli_picker* p = q->picker;
    const pli_picked* picked = &p->parts[number];
    double flat[3][3];
    pli_meeting met;
    pli_part part = {
        .dim = p->model->def.dimension, .count = picked->count, .radius = radius_of(p, number)};
    for (int i = 0; i < part.count; ++i) {
        memcpy(flat[i], p->model->positions + 3 * (size_t)picked->vertices[i], sizeof flat[i]);
        if (part.dim == 2) flat[i][2] = 0;
        part.x[i] = flat[i];
    }
    double d = q->ray ? pli_line_meets(&q->line, &part, &met)
                      : pli_part_closest(&part, q->line.origin, &met);
    if (d > q->distance || d == HUGE_VAL || (d == q->distance && q->best >= 0 && q->best < number))
        return;
    q->distance = d;
    q->best = number;
    *q->out = met;
}

// Lower bound of the distance to the contents of a box; HUGE_VAL: the line misses it.
static double bound_ray(const query* q, const pli_tree_node* node) {
    double first = 0, last = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        double o = q->line.origin[k], d = q->line.direction[k];
        double low = node->low[k] - q->slack - o, high = node->high[k] + q->slack - o;
        if (d == 0 && (low > 0 || high < 0)) return HUGE_VAL;
        if (d == 0) continue;
        first = fmax(first, (d > 0 ? low : high) / d);
        last = fmin(last, (d > 0 ? high : low) / d);
    }
    return first <= last + q->slack ? first - q->slack : HUGE_VAL;
}

// A point within a box may be inside of surfaces there.
static double bound_place(const query* q, const pli_tree_node* node) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double o = q->line.origin[k];
        double off = fmax(0, fmax(node->low[k] - o, o - node->high[k]));
        sum += off * off;
    }
    return sum > 0 ? sqrt(sum) - q->slack : -HUGE_VAL;
}

static double bound(const query* q, int node) {
    const pli_tree_node* at = &q->picker->tree.nodes[node];
    return q->ray ? bound_ray(q, at) : bound_place(q, at);
}

// The nearer child first; boxes farther than the best result are skipped.
static void search(query* q, int number, double nearest) {
    const pli_tree* tree = &q->picker->tree;
    const pli_tree_node* node = &tree->nodes[number];
    if (nearest == HUGE_VAL || nearest > q->distance) return;
    if (node->skip == number + 1) {
        for (int i = node->first; i < node->end; ++i) try_part(q, tree->items[i]);
        return;
    }
    int children[2] = {number + 1, tree->nodes[number + 1].skip};
    double bounds[2] = {bound(q, children[0]), bound(q, children[1])};
    int near = bounds[1] < bounds[0];
    search(q, children[near], bounds[near]);
    search(q, children[1 - near], bounds[1 - near]);
}

int pli_picker_find(const pli_picker* p, const double origin[3], const double* direction,
                    double most, pli_meeting* out) {
    query q = {.picker = p, .ray = direction, .best = -1, .distance = most, .out = out};
    double reach = 0, size = 0;
    if (p->part_count == 0) return -1;
    for (int k = 0; k < p->model->def.dimension; ++k) q.line.origin[k] = origin[k];
    for (int k = 0; k < 3; ++k) {
        double far = fmax(fabs(p->high[k] - q.line.origin[k]), fabs(p->low[k] - q.line.origin[k]));
        reach += 2 * far;
        size += fabs(q.line.origin[k]) + fmax(fabs(p->low[k]), fabs(p->high[k]));
    }
    q.slack = 16 * DBL_EPSILON * (size + reach);
    for (int k = 0; k < 3 && direction; ++k) {
        q.line.direction[k] = direction[k];
        q.line.far[k] = q.line.origin[k] + (reach > 0 ? reach : 1) * direction[k];
    }
    search(&q, 0, bound(&q, 0));
    return q.best;
}
