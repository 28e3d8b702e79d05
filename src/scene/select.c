// Selectors, one row of a table each. Each clears the marks of the vertices that it does not
// choose. Vertices on a surface count as inside; a slack of 1e-9 of the size of the body covers
// rounding.
#include "scene/shape.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

#include "scene/findings.h"

typedef struct search {
    pli_builder* b;
    const pli_mesh* mesh;
    const pli_selection* selection;
    const pli_path* at; // of the selector's key
    double slack;       // [m]
    bool* marks;        // per vertex
} search;

static pli_status by_number(search* s, pli_error* error) {
    const int* numbers = s->selection->vertices.items;
    bool* listed;
    PLI_TRY(PLI_TAKE(s->b->arena, listed, s->mesh->vertex_count, error));
    for (int i = 0; i < s->selection->vertices.count; ++i) {
        pli_path entry = pli_path_index(s->at, i);
        if (numbers[i] >= s->mesh->vertex_count) {
            PLI_TRY(PLI_FIND(s->b->findings, &entry, error,
                             "vertex %d does not exist: must be from 0 to %d", numbers[i],
                             s->mesh->vertex_count - 1));
            continue;
        }
        if (listed[numbers[i]])
            PLI_TRY(PLI_FIND(s->b->findings, &entry, error, "vertex %d is listed twice: omit one",
                             numbers[i]));
        listed[numbers[i]] = true;
    }
    for (int v = 0; v < s->mesh->vertex_count; ++v) s->marks[v] &= listed[v];
    return PLI_OK;
}

static pli_status by_box(search* s, pli_error* error) {
    const double *low = s->selection->box.items, *high = low + 3;
    const int dim = s->b->scene->world.dimension;
    for (int c = 0; c < dim; ++c)
        if (low[c] > high[c])
            return PLI_FIND(s->b->findings, s->at, error,
                            "box: the first corner must not exceed the second along %c", "xyz"[c]);
    for (int v = 0; v < s->mesh->vertex_count; ++v)
        for (int c = 0; c < dim; ++c) {
            double x = s->mesh->positions[3 * v + c];
            if (x < low[c] - s->slack || x > high[c] + s->slack) s->marks[v] = false;
        }
    return PLI_OK;
}

// |x - center| <= radius
static pli_status by_sphere(search* s, pli_error* error) {
    (void)error;
    const pli_sphere_data* sphere = s->selection->sphere;
    for (int v = 0; v < s->mesh->vertex_count; ++v) {
        double r[3];
        pli_sub(&s->mesh->positions[3 * v], sphere->center, r, 3);
        if (pli_norm(r, s->b->scene->world.dimension) > sphere->radius + s->slack)
            s->marks[v] = false;
    }
    return PLI_OK;
}

// (x - point) . normal / |normal| >= 0
static pli_status by_plane(search* s, pli_error* error) {
    const pli_plane_data* plane = s->selection->plane;
    double length = pli_norm(plane->normal, 3);
    if (length == 0)
        return PLI_FIND(s->b->findings, PLI_KEY(s->at, "normal"), error,
                        "plane.normal is zero, must have a direction");
    for (int v = 0; v < s->mesh->vertex_count; ++v) {
        double r[3];
        pli_sub(&s->mesh->positions[3 * v], plane->point, r, 3);
        if (pli_dot(r, plane->normal, 3) < -s->slack * length) s->marks[v] = false;
    }
    return PLI_OK;
}

static pli_status by_group(search* s, pli_error* error) {
    const char* name = s->selection->group;
    int found = pli_mesh_find_group(s->mesh, name);
    if (found < 0) {
        char words[240] = "", hint[PLI_HINT_SIZE];
        pli_nearest nearest = {.word = name};
        for (int i = 0; i < s->mesh->group_count; ++i) {
            pli_nearest_try(&nearest, s->mesh->groups[i].name);
            pli_append_word(words, sizeof words, s->mesh->groups[i].name);
        }
        return PLI_FIND(s->b->findings, s->at, error, "the mesh has no group \"%.60s\"%s%s%s", name,
                        pli_nearest_hint(&nearest, hint), nearest.best ? "" : "; it has ",
                        nearest.best ? ""
                        : *words     ? words
                                     : "none");
    }
    const pli_mesh_group* group = &s->mesh->groups[found];
    bool* listed;
    PLI_TRY(PLI_TAKE(s->b->arena, listed, s->mesh->vertex_count, error));
    for (int i = 0; i < group->vertex_count; ++i) listed[group->vertices[i]] = true;
    for (int v = 0; v < s->mesh->vertex_count; ++v) s->marks[v] &= listed[v];
    return PLI_OK;
}

static pli_status by_expression(search* s, pli_error* error) {
    for (int v = 0; v < s->mesh->vertex_count; ++v) {
        const double* x = &s->mesh->positions[3 * v];
        double value =
            pli_expression_value(&s->selection->where, (const double[]){0, x[0], x[1], x[2]});
        if (isnan(value))
            return PLI_FIND(s->b->findings, s->at, error,
                            "where: the expression is not a number at vertex %d", v);
        if (value == 0) s->marks[v] = false;
    }
    return PLI_OK;
}

static bool has_numbers(const pli_selection* s) { return s->vertices.count > 0; }
static bool has_box(const pli_selection* s) { return s->box.count > 0; }
static bool has_sphere(const pli_selection* s) { return s->sphere != NULL; }
static bool has_plane(const pli_selection* s) { return s->plane != NULL; }
static bool has_group(const pli_selection* s) { return s->group[0] != '\0'; }
static bool has_expression(const pli_selection* s) { return s->where.count > 0; }

static const struct selector {
    const char* key;
    const char* none; // message if it chooses no vertex
    bool placed;      // depends on placement
    bool (*given)(const pli_selection*);
    pli_status (*clear)(search*, pli_error*);
} selectors[] = {
    {"vertices", "vertices: the list is empty", false, has_numbers, by_number},
    {"box", "box: no vertex of the body is inside", true, has_box, by_box},
    {"sphere", "sphere: no vertex of the body is inside", true, has_sphere, by_sphere},
    {"plane", "plane: no vertex of the body is on this side", true, has_plane, by_plane},
    {"group", "group: it has no vertices", false, has_group, by_group},
    {"where", "where: true for no vertex of the body", true, has_expression, by_expression},
};
enum { SELECTOR_COUNT = sizeof selectors / sizeof *selectors };

static double slack_of(const pli_mesh* mesh) {
    double low[3], high[3], diagonal[3];
    pli_bounding_box(mesh->vertex_count, mesh->positions, low, high);
    pli_sub(high, low, diagonal, 3);
    return 1e-9 * pli_norm(diagonal, 3);
}

static pli_status take_marked(const search* s, pli_chosen* chosen, pli_error* error) {
    int32_t* vertices;
    int count = 0;
    PLI_TRY(PLI_TAKE(s->b->arena, vertices, s->mesh->vertex_count, error));
    for (int v = 0; v < s->mesh->vertex_count; ++v)
        if (s->marks[v]) vertices[count++] = v;
    *chosen = (pli_chosen){count, vertices};
    return PLI_OK;
}

// Runs one selector on the marks; a finding if nothing is left.
static pli_status narrow(search* s, const struct selector* selector, bool first, const pli_path* at,
                         pli_error* error) {
    pli_path key = pli_path_key(at, selector->key);
    if (pli_findings_error_below(s->b->findings, &key)) return PLI_OK;
    s->at = &key;
    pli_status status = selector->clear(s, error);
    s->at = at;
    if (status != PLI_OK) return status;
    if (pli_findings_error_below(s->b->findings, &key)) return PLI_OK;
    for (int v = 0; v < s->mesh->vertex_count; ++v)
        if (s->marks[v]) return PLI_OK;
    return PLI_FIND(s->b->findings, first ? &key : at, error, "%s",
                    first ? selector->none
                          : "no vertex of the body satisfies all conditions of the selection");
}

pli_status pli_select(pli_builder* b, const pli_shape* shape, const pli_selection* selection,
                      const pli_path* at, pli_chosen* chosen, pli_error* error) {
    search s = {.b = b, .mesh = &shape->mesh, .selection = selection};
    int given = 0, errors = b->findings->error_count;
    bool skipped = pli_findings_error_below(b->findings, at);
    s.slack = slack_of(s.mesh);
    PLI_TRY(PLI_TAKE(b->arena, s.marks, s.mesh->vertex_count, error));
    memset(s.marks, true, (size_t)s.mesh->vertex_count * sizeof *s.marks);
    for (int i = 0; i < SELECTOR_COUNT && b->findings->error_count == errors; ++i) {
        if (!selectors[i].given(selection)) continue;
        if (selectors[i].placed && !shape->sound)
            skipped = true;
        else
            PLI_TRY(narrow(&s, &selectors[i], given++ == 0, at, error));
    }
    if (skipped || b->findings->error_count > errors) return PLI_OK;
    if (given > 0) return take_marked(&s, chosen, error);
    *chosen = (pli_chosen){s.mesh->vertex_count, NULL};
    return PLI_OK;
}
