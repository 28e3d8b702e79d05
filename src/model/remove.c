// Removing from the model. All arrays stay dense: later entries move down, and all numbers that
// refer to them are updated. Nothing here can fail.
#include "model/model.h"

#include "model/joints.h"

#include <string.h>

// Removes entries [first, first + count) of `size` bytes from an array of `total`.
static void cut(void* array, size_t size, int first, int count, int total) {
    if (count == 0) return;
    char* at = (char*)array + (size_t)first * size;
    memmove(at, at + (size_t)count * size, (size_t)(total - first - count) * size);
}

// ---- objects attached to bodies

void pli_model_remove_support(pli_model* model, int set) {
    pli_support_set* sets = model->support_sets;
    bool prescribed = sets[set].kind == PLI_SUPPORT_PRESCRIBED;
    int32_t motion = sets[set].motion;
    pli_support_set_free(model->memory, &sets[set]);
    cut(sets, sizeof *sets, set, 1, model->support_set_count--);
    for (int i = 0; i < model->support_set_count && prescribed; ++i)
        if (sets[i].kind == PLI_SUPPORT_PRESCRIBED && sets[i].motion > motion) sets[i].motion--;
    pli_slots_remove(model, PLI_SLOT_SUPPORT, set);
    pli_model_hold_vertices(model);
}

void pli_model_remove_energy(pli_model* model, int energy) {
    const pli_energy_type* type = model->energies[energy].type;
    int body = model->energies[energy].body;
    pli_body_energy_free(model->memory, &model->energies[energy]);
    cut(model->energies, sizeof *model->energies, energy, 1, model->energy_count--);
    pli_slots_remove(model, PLI_SLOT_ENERGY, energy);
    if (type->section && body >= 0) pli_model_weigh(model, body);
}

void pli_model_remove_load(pli_model* model, int load) {
    pli_body_load_free(model->memory, &model->loads[load]);
    cut(model->loads, sizeof *model->loads, load, 1, model->load_count--);
    pli_slots_remove(model, PLI_SLOT_LOAD, load);
}

// ---- bodies

bool pli_stencil_is_lost(const pli_body_energy* energy, int i, int first, int end,
                         const int32_t* child) {
    int width = energy->entry_count / energy->stencil_count;
    for (int k = i * width; k < (i + 1) * width; ++k) {
        int32_t v = energy->vertices[k];
        if (v >= first && v < end && (!child || child[v - first] < 0)) return true;
    }
    return false;
}

// Removes listed stencils with a vertex in `first` .. `end` - 1; false: none is left.
static bool drop_stencils(pli_body_energy* energy, int first, int end) {
    int width = energy->entry_count / energy->stencil_count, kept = 0;
    for (int i = 0; i < energy->stencil_count; ++i) {
        if (pli_stencil_is_lost(energy, i, first, end, NULL)) continue;
        memmove(energy->vertices + kept * width, energy->vertices + i * width,
                sizeof *energy->vertices * (size_t)width);
        kept++;
    }
    energy->stencil_count = kept;
    energy->entry_count = kept * width;
    return kept > 0;
}

static void remove_what_lies_on(pli_model* model, int body) {
    int first = model->bodies[body].first_vertex, end = pli_body_end_vertex(model, body);
    for (int i = model->support_set_count; i-- > 0;)
        if (model->support_sets[i].body == body) pli_model_remove_support(model, i);
    for (int i = model->load_count; i-- > 0;)
        if (model->loads[i].body == body) pli_model_remove_load(model, i);
    for (int i = model->energy_count; i-- > 0;) {
        pli_body_energy* energy = &model->energies[i];
        if (energy->body == body || (energy->body < 0 && !drop_stencils(energy, first, end)))
            pli_model_remove_energy(model, i);
    }
    for (int i = model->half_space_count; i-- > 0;) {
        pli_body_id carrier = model->half_spaces[i].carrier;
        bool carried = carrier.generation > 0 && carrier.index == model->bodies[body].slot;
        if (carried) pli_model_remove_half_space(model, i);
    }
    for (int i = model->joint_count; i-- > 0;)
        for (int s = 0; s < 2; ++s)
            if (model->joints[i].side[s].body == body) {
                pli_model_remove_joint(model, i);
                break;
            }
}

static void lower(int32_t* vertices, size_t count, int from, int by) {
    for (size_t i = 0; i < count; ++i)
        if (vertices[i] >= from) vertices[i] -= by;
}

// Vertex numbers from `from` on decrease by `by` in all lists except those of elements; numbers of
// bodies after `body` decrease by one.
static void renumber(pli_model* model, int body, int from, int by) {
    for (int i = 0; i < model->support_set_count; ++i) {
        pli_support_set* set = &model->support_sets[i];
        lower(set->vertices, (size_t)set->vertex_count, from, by);
        set->body -= set->body > body;
    }
    for (int i = 0; i < model->load_count; ++i) {
        pli_body_load* load = &model->loads[i];
        lower(load->vertices, (size_t)load->vertex_count, from, by);
        for (int q = 0; q < 2; ++q)
            lower(load->skin.faces[q],
                  (size_t)load->skin.count[q] * (size_t)pli_face_width(load->skin.dim, q), from, by);
        load->body -= load->body > body;
    }
    for (int i = 0; i < model->energy_count; ++i) {
        pli_body_energy* energy = &model->energies[i];
        lower(energy->vertices, (size_t)energy->entry_count, from, by);
        energy->body -= energy->body > body;
    }
    for (int i = 0; i < model->joint_count; ++i)
        for (int s = 0; s < 2; ++s) model->joints[i].side[s].body -= model->joints[i].side[s].body > body;
}

static void cut_elements(pli_model* model, int body, int from, int by) {
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int size = pli_element_size((pli_element_kind)k), first = model->bodies[body].first_element[k];
        int count = pli_body_element_count(model, body, (pli_element_kind)k);
        cut(model->elements[k], sizeof(int32_t) * (size_t)size, first, count,
            model->element_count[k]);
        model->element_count[k] -= count;
        lower(model->elements[k], (size_t)model->element_count[k] * (size_t)size, from, by);
        for (int b = body + 1; b < model->body_count; ++b) model->bodies[b].first_element[k] -= count;
    }
}

pli_status pli_model_check_remove_body(const pli_model* model, int body, pli_error* error) {
    if (!pli_body_is_cage(model, body)) return PLI_OK;
    return pli_error_place(
        pli_fail(
            error, PLI_E_ARGUMENT,
            "body \"%s\" cannot be removed: body \"%s\" is embedded in it; remove that one first",
            model->bodies[body].name, model->bodies[body + 1].name),
        error, PLI_OBJECT_BODY, body, NULL);
}

void pli_model_remove_body(pli_model* model, int body) {
    int first = model->bodies[body].first_vertex, end = pli_body_end_vertex(model, body);
    int count = end - first, total = model->vertex_count;
    remove_what_lies_on(model, body);
    if (pli_body_is_embedded(&model->bodies[body].def)) { // restores contact of its cage
        pli_body* cage = &model->bodies[body - 1];
        cage->def.contact_bodies = cage->own_contact_bodies;
        cage->def.contact_vertices = cage->own_contact_vertices;
    }
    pli_body_free(model, body);
    cut_elements(model, body, end, count);
    renumber(model, body, end, count);
    cut(model->rest, 3 * sizeof(double), first, count, total);
    cut(model->positions, 3 * sizeof(double), first, count, total);
    cut(model->velocities, 3 * sizeof(double), first, count, total);
    cut(model->masses, sizeof(double), first, count, total);
    cut(model->supports, sizeof *model->supports, first, count, total);
    for (int b = body + 1; b < model->body_count; ++b) {
        model->bodies[b].first_vertex -= count;
        model->bodies[b].first_element[PLI_VERTEX] -= count;
    }
    cut(model->bodies, sizeof *model->bodies, body, 1, model->body_count--);
    model->vertex_count -= count;
    pli_slots_remove(model, PLI_SLOT_BODY, body);
}
