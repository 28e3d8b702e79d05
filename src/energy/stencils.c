// See stencils.h.
#include "energy/stencils.h"

#include "mesh/surface.h"

// Is it a node of the sink's body? Then a stencil has it.
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
        if ((vertices[i] < sink->first_vertex || vertices[i] >= sink->end_vertex) &&
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
        return pli_fail(error, PLI_E_ARGUMENT, "wide stencils are added by pli_sink_wide");
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
    if (!sink->asker.nodes) return pli_fail(error, PLI_E_ARGUMENT, "node: there can be none here");
    return pli_nodes_ask(&sink->asker, key, def, vertex, error);
}

pli_status pli_sink_wide(pli_stencil_sink* sink, int count, const int32_t* vertices,
                         pli_error* error) {
    if (!sink || !vertices)
        return pli_fail(error, PLI_E_ARGUMENT, "stencil: sink or vertices is NULL");
    if (sink->width != PLI_WIDE || count < 1)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "stencil %d has %d vertices, must be %s of an energy whose width is %d",
                        sink->count, count, sink->width == PLI_WIDE ? "at least 1" : "those",
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
    sink->count = sink->capacity = sink->start_capacity = 0;
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
    if (sink->count > 0) return PLI_OK;
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

// ---- hinges

// The corner of a triangle that is not an end of the edge; *in_order: the triangle runs from the
// first to the second end.
static int32_t find_apex(const int32_t* triangle, const int32_t* edge, bool* in_order) {
    for (int i = 0; i < 3; ++i) {
        int32_t apex = triangle[i];
        if (apex == edge[0] || apex == edge[1]) continue;
        *in_order = triangle[(i + 1) % 3] == edge[0];
        return apex;
    }
    return -1; // an edge from a vertex to itself
}

pli_status pli_hinge_stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error) {
    PLI_TRY(check(body, sink, 4, error));
    const int32_t* triangles = body->elements[PLI_TRIANGLE];
    pli_edges edges = {0};
    PLI_TRY(pli_edges_create(sink->memory, body->first_vertex + body->vertex_count,
                             body->element_count[PLI_TRIANGLE], triangles, &edges, error));
    pli_status status = PLI_OK;
    for (int e = 0; e < edges.count && status == PLI_OK; ++e) {
        if (edges.use[e] != 2) continue;
        const int32_t *ends = edges.vertices + 2 * (size_t)e, *of = edges.triangles + 2 * (size_t)e;
        bool in_order = true, ignored;
        int32_t apex = find_apex(triangles + 3 * (size_t)of[0], ends, &in_order);
        int32_t other = find_apex(triangles + 3 * (size_t)of[1], ends, &ignored);
        if (apex < 0 || other < 0) continue;
        status = pli_sink_stencil(sink, (int32_t[4]){apex, ends[!in_order], ends[in_order], other},
                                  error);
    }
    pli_edges_free(&edges);
    return status;
}

// ---- corners

pli_status pli_corner_stencils(const pli_body_view* body, pli_stencil_sink* sink,
                               pli_error* error) {
    PLI_TRY(check(body, sink, 3, error));
    const int32_t* segments = body->elements[PLI_SEGMENT];
    int count = body->element_count[PLI_SEGMENT];
    // Per vertex: how many segments it has, and their other ends.
    struct corner {
        int use;
        int32_t others[2];
    } * corners;
    PLI_TRY(PLI_ALLOC(sink->memory, corners, body->vertex_count, error));
    for (int i = 0; i < 2 * count; ++i) {
        struct corner* at = &corners[segments[i] - body->first_vertex];
        if (at->use < 2) at->others[at->use] = segments[i ^ 1];
        at->use++;
    }
    pli_status status = PLI_OK;
    for (int v = 0; v < body->vertex_count && status == PLI_OK; ++v) {
        const struct corner* at = &corners[v];
        if (at->use != 2 || at->others[0] == at->others[1]) continue;
        status = pli_sink_stencil(
            sink, (int32_t[3]){at->others[0], body->first_vertex + v, at->others[1]}, error);
    }
    PLI_FREE(sink->memory, corners, body->vertex_count);
    return status;
}
