// Replaces the mesh of a body in the model: later vertices and elements move, numbers are updated.
#include "model/model.h"

#include <string.h>

// Replaces the entries [first, first + before) of an array of `total` by `after` entries; the new
// ones keep old values or are undefined.
static void resize_range(void* array, size_t size, int first, int before, int after, int total) {
    char* at = (char*)array + (size_t)first * size;
    memmove(at + (size_t)after * size, at + (size_t)before * size,
            (size_t)(total - first - before) * size);
}

static void shift(int32_t* vertices, size_t count, int from, int by) {
    for (size_t i = 0; i < count; ++i)
        if (vertices[i] >= from) vertices[i] += by;
}

// Listed stencils: a vertex of the body becomes its child; stencils with a vertex without child are
// dropped.
static void follow_stencils(pli_body_energy* energy, int first, int end, int by,
                            const int32_t* child) {
    int width = energy->entry_count / energy->stencil_count, kept = 0;
    for (int i = 0; i < energy->stencil_count; ++i) {
        int32_t* to = energy->vertices + (size_t)kept * (size_t)width;
        const int32_t* from = energy->vertices + (size_t)i * (size_t)width;
        if (pli_stencil_is_lost(energy, i, first, end, child)) continue;
        for (int k = 0; k < width; ++k) {
            int32_t v = from[k];
            to[k] = v >= first && v < end ? first + child[v - first] : v >= end ? v + by : v;
        }
        kept++;
    }
    energy->stencil_count = kept;
    energy->entry_count = kept * width;
}

static void follow(pli_model* model, int body, int end, int by, const int32_t* child) {
    int first = model->bodies[body].first_vertex;
    for (int i = 0; i < model->support_set_count; ++i) {
        pli_support_set* set = &model->support_sets[i];
        if (set->body != body) shift(set->vertices, (size_t)set->vertex_count, end, by);
    }
    for (int i = 0; i < model->load_count; ++i) {
        pli_body_load* load = &model->loads[i];
        if (load->body == body) continue;
        shift(load->vertices, (size_t)load->vertex_count, end, by);
        for (int q = 0; q < 2; ++q)
            shift(load->skin.faces[q],
                  (size_t)load->skin.count[q] * (size_t)pli_face_width(load->skin.dim, q), end, by);
    }
    for (int i = 0; i < model->energy_count; ++i)
        if (model->energies[i].body < 0)
            follow_stencils(&model->energies[i], first, end, by, child);
    for (int i = model->energy_count; i-- > 0;)
        if (model->energies[i].body < 0 && model->energies[i].stencil_count == 0)
            pli_model_remove_energy(model, i);
}

static void replace_elements(pli_model* model, int body, const pli_mesh* mesh, int end, int by) {
    pli_body* b = &model->bodies[body];
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int size = pli_element_size((pli_element_kind)k), first = b->first_element[k];
        int before = pli_body_element_count(model, body, (pli_element_kind)k);
        int after = mesh->element_count[k];
        shift(model->elements[k], (size_t)model->element_count[k] * (size_t)size, end, by);
        if (model->elements[k])
            resize_range(model->elements[k], sizeof(int32_t) * (size_t)size, first, before, after,
                         model->element_count[k]);
        for (int i = 0; i < after * size; ++i)
            model->elements[k][(size_t)first * (size_t)size + (size_t)i] =
                b->first_vertex + mesh->elements[k][i];
        model->element_count[k] += after - before;
        for (int o = body + 1; o < model->body_count; ++o)
            model->bodies[o].first_element[k] += after - before;
    }
}

void pli_model_replace_mesh(pli_model* model, int body, const pli_mesh* mesh, const double* mass,
                            const int32_t* child) {
    int first = model->bodies[body].first_vertex, end = pli_body_end_vertex(model, body);
    int before = end - first, after = mesh->vertex_count, total = model->vertex_count;
    int by = after - before;
    follow(model, body, end, by, child);
    replace_elements(model, body, mesh, end, by);
    resize_range(model->rest, 3 * sizeof(double), first, before, after, total);
    resize_range(model->positions, 3 * sizeof(double), first, before, after, total);
    resize_range(model->velocities, 3 * sizeof(double), first, before, after, total);
    resize_range(model->masses, sizeof(double), first, before, after, total);
    memcpy(model->rest + 3 * (size_t)first, mesh->positions, 3 * sizeof(double) * (size_t)after);
    memcpy(model->masses + first, mass, sizeof *mass * (size_t)after);
    for (int b = body + 1; b < model->body_count; ++b) {
        model->bodies[b].first_vertex += by;
        model->bodies[b].first_element[PLI_VERTEX] += by;
    }
    model->vertex_count += by;
}
