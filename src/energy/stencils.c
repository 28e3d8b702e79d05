// Stencils of energy types: see stencils.h.
#include "energy/stencils.h"

#include "mesh/topology.h"

// True if it is a node of the sink's body; marks it as used.
static bool take_node(pli_stencil_sink* sink, int32_t vertex) {
    pli_nodes* nodes = sink->asker.nodes;
    if (!nodes || vertex < nodes->first || vertex - nodes->first >= nodes->count) return false;
    pli_node* node = &nodes->list[vertex - nodes->first];
    node->used = node->used || node->body == sink->asker.body;
    return node->body == sink->asker.body;
}

static pli_status check_vertices(pli_stencil_sink* sink, int count, const int32_t* vertices,
                                 pli_error* error) {
    for (int i = 0; i < count; ++i)
        if (!(vertices[i] == -1 && i > 0 && sink->width > 0) &&
            (vertices[i] < sink->first_vertex || vertices[i] >= sink->end_vertex) &&
            !take_node(sink, vertices[i]))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "stencil %d: vertex %d, must be %d to %d, or a node of the body",
                            sink->count, vertices[i], sink->first_vertex, sink->end_vertex - 1);
    return PLI_OK;
}

pli_status pli_sink_stencil(pli_stencil_sink* sink, const int32_t* vertices, pli_error* error) {
    if (!sink || !vertices)
        return pli_fail(error, PLI_E_ARGUMENT, "stencil: sink or vertices is NULL");
    if (sink->width == PLI_WIDE)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "this energy has wide stencils: add them with pli_sink_wide");
    PLI_TRY(check_vertices(sink, sink->width, vertices, error));
    int at = sink->count * sink->width;
    if (sink->count >= INT32_MAX / sink->width - 1)
        return pli_fail(error, PLI_E_MEMORY, "more than %d stencils", sink->count);
    PLI_TRY(PLI_GROW(sink->memory, sink->vertices, sink->capacity, at + sink->width, error));
    for (int i = 0; i < sink->width; ++i) sink->vertices[at + i] = vertices[i];
    sink->count++;
    return PLI_OK;
}

pli_node_def pli_default_node_def(void) { return (pli_node_def){.scale = 1}; }

pli_status pli_sink_node(pli_stencil_sink* sink, const pli_node_key* key, const pli_node_def* def,
                         int32_t* vertex, pli_error* error) {
    if (!sink || !key || !def || !vertex)
        return pli_fail(error, PLI_E_ARGUMENT, "node: sink, key, def or vertex is NULL");
    if (!sink->asker.nodes)
        return pli_fail(error, PLI_E_ARGUMENT, "node: not available for listed stencils");
    return pli_nodes_ask(&sink->asker, key, def, vertex, error);
}

pli_status pli_sink_wide(pli_stencil_sink* sink, int count, const int32_t* vertices,
                         pli_error* error) {
    if (!sink || !vertices)
        return pli_fail(error, PLI_E_ARGUMENT, "stencil: sink or vertices is NULL");
    if (sink->width != PLI_WIDE || count < 1)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "stencil %d has %d vertices, must be %s of an energy whose width is %d",
                        sink->count, count, sink->width == PLI_WIDE ? "at least 1" : "the width",
                        sink->width);
    PLI_TRY(check_vertices(sink, count, vertices, error));
    int at = sink->start ? sink->start[sink->count] : 0;
    PLI_TRY(PLI_GROW(sink->memory, sink->vertices, sink->capacity, at + count, error));
    PLI_TRY(PLI_GROW(sink->memory, sink->start, sink->start_capacity, sink->count + 2, error));
    for (int i = 0; i < count; ++i) sink->vertices[at + i] = vertices[i];
    sink->start[++sink->count] = at + count;
    return PLI_OK;
}

void pli_sink_free(pli_stencil_sink* sink) {
    if (sink->memory) PLI_FREE(sink->memory, sink->vertices, sink->capacity);
    if (sink->memory) PLI_FREE(sink->memory, sink->start, sink->start_capacity);
    if (sink->memory) PLI_FREE(sink->memory, sink->pattern, sink->pattern_capacity);
    sink->count = sink->capacity = sink->start_capacity = sink->pattern_capacity = 0;
}

pli_status pli_find_stencils(pli_memory* memory, const pli_energy_type* type,
                             const pli_body_view* body, const pli_asker* nodes,
                             pli_stencil_sink* sink, pli_error* error) {
    *sink = (pli_stencil_sink){.memory = memory,
                               .width = type->width,
                               .first_vertex = body->first_vertex,
                               .end_vertex = body->first_vertex + body->vertex_count};
    if (nodes) sink->asker = *nodes;
    sink->asker.first_vertex = sink->first_vertex;
    sink->asker.end_vertex = sink->end_vertex;
    PLI_TRY(type->stencils(body, sink, error));
    bool any = sink->count > 0; // or it has elements beside its stencils
    for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k)
        any = any || (body->element_count[k] > 0 &&
                      pli_energy_covers(type, body->dim, (pli_element_kind)k));
    if (any) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\" finds no stencils in this mesh: %s",
                    type->name, type->help);
}

static pli_status check(const pli_body_view* body, const pli_stencil_sink* sink, int width,
                        pli_error* error) {
    if (!body || !sink) return pli_fail(error, PLI_E_ARGUMENT, "stencils: body or sink is NULL");
    if (sink->width == width) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "stencils: the width of the energy is %d, must be %d",
                    sink->width, width);
}

// ---- hinges, corners and stars

// The elements of one kind of a body.
static pli_elements elements_of(const pli_body_view* body, pli_element_kind kind) {
    pli_elements all = {.vertex_limit = body->first_vertex + body->vertex_count};
    all.count[kind] = body->element_count[kind];
    all.elements[kind] = body->elements[kind];
    return all;
}

// The flat rest shapes of the two triangles of the hinge that was added last.
static pli_status sink_pattern(const pli_body_view* body, const int32_t* uses,
                               const int32_t hinge[4], pli_stencil_sink* sink, pli_error* error) {
    const int32_t own[2][3] = {{hinge[0], hinge[1], hinge[2]}, {hinge[3], hinge[2], hinge[1]}};
    PLI_TRY(PLI_GROW(sink->memory, sink->pattern, sink->pattern_capacity,
                     PLI_HINGE_PATTERN * sink->count, error));
    double* out = sink->pattern + (size_t)PLI_HINGE_PATTERN * (size_t)(sink->count - 1);
    for (int t = 0; t < 2; ++t) {
        size_t triangle = (size_t)uses[t] / 3;
        const int32_t* corners = body->elements[PLI_TRIANGLE] + 3 * triangle;
        for (int k = 0; k < 3; ++k) {
            size_t at = corners[0] == own[t][k] ? 0 : corners[1] == own[t][k] ? 1 : 2;
            for (size_t c = 0; c < 2; ++c) *out++ = body->pattern[6 * triangle + 2 * at + c];
        }
    }
    return PLI_OK;
}

pli_status pli_hinge_stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error) {
    PLI_TRY(check(body, sink, 4, error));
    pli_elements triangles = elements_of(body, PLI_TRIANGLE);
    pli_sides edges = {0};
    PLI_TRY(pli_sides_create(sink->memory, &triangles, PLI_EDGES, &edges, error));
    pli_status status = PLI_OK;
    for (int e = 0; e < edges.count && status == PLI_OK; ++e) {
        int32_t hinge[4];
        if (!pli_hinge_at(&triangles, &edges, e, hinge)) continue;
        status = pli_sink_stencil(sink, hinge, error);
        if (status == PLI_OK && body->pattern)
            status = sink_pattern(body, edges.uses + edges.start[e], hinge, sink, error);
    }
    pli_sides_free(&edges);
    return status;
}

pli_status pli_corner_stencils(const pli_body_view* body, pli_stencil_sink* sink,
                               pli_error* error) {
    PLI_TRY(check(body, sink, 3, error));
    pli_elements all = elements_of(body, PLI_SEGMENT);
    pli_sides segments = {0};
    pli_stars stars = {0};
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_sides_create(sink->memory, &all, PLI_SEGMENTS, &segments, error));
    PLI_TRY_CLEANUP(status, pli_stars_create(sink->memory, &all, &segments, &stars, error));
    for (int v = body->first_vertex; v < all.vertex_limit; ++v) {
        int32_t corner[3];
        if (pli_corner_at(&segments, &stars, v, corner))
            PLI_TRY_CLEANUP(status, pli_sink_stencil(sink, corner, error));
    }
cleanup:
    pli_stars_free(&stars);
    pli_sides_free(&segments);
    return status;
}

// The vertex and the other ends of its edges.
static pli_status sink_star(pli_stencil_sink* sink, const pli_sides* edges, const pli_stars* stars,
                            int32_t vertex, int32_t* star, pli_error* error) {
    int count = 0;
    star[count++] = vertex;
    for (int i = stars->start[vertex]; i < stars->start[vertex + 1]; ++i)
        star[count++] = pli_star_neighbor(stars, edges, vertex, i);
    return count > 1 ? pli_sink_wide(sink, count, star, error) : PLI_OK;
}

pli_status pli_star_stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error) {
    PLI_TRY(check(body, sink, PLI_WIDE, error));
    pli_elements all = {.vertex_limit = body->first_vertex + body->vertex_count};
    for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        all.count[k] = body->element_count[k];
        all.elements[k] = body->elements[k];
    }
    pli_sides edges = {0};
    pli_stars stars = {0};
    int32_t* star = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_sides_create(sink->memory, &all, PLI_LINKS, &edges, error));
    PLI_TRY_CLEANUP(status, pli_stars_create(sink->memory, &all, &edges, &stars, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(sink->memory, star, body->vertex_count, error));
    for (int v = body->first_vertex; v < all.vertex_limit; ++v)
        PLI_TRY_CLEANUP(status, sink_star(sink, &edges, &stars, v, star, error));
cleanup:
    PLI_FREE(sink->memory, star, body->vertex_count);
    pli_stars_free(&stars);
    pli_sides_free(&edges);
    return status;
}
