// The model: see model.h.
#include "model/model.h"

#include "model/joints.h"

#include "math/vec.h"

#include <string.h>

void pli_model_free(pli_model* m) {
    pli_model_free_joints(m);
    pli_model_free_energies(m);
    pli_model_free_loads(m);
    pli_model_free_relations(m);
    pli_model_free_bodies(m);
    pli_slots_free(m);
}

bool pli_body_is_embedded(const pli_body_def* def) {
    return strcmp(def->kinematics, "embedded") == 0;
}

bool pli_body_is_affine(const pli_body_def* def) {
    return strcmp(def->kinematics, "affine") == 0 || strcmp(def->kinematics, "rigid") == 0;
}

bool pli_energy_is_idle(const pli_model* m, const pli_body_energy* energy) {
    if (energy->body < 0 || !energy->type->internal || energy->type->state_size > 0) return false;
    const pli_body* body = &m->bodies[energy->body];
    return strcmp(body->def.kinematics, "rigid") == 0 && !body->modes;
}

bool pli_body_is_cage(const pli_model* m, int body) {
    return body + 1 < m->body_count && pli_body_is_embedded(&m->bodies[body + 1].def);
}

bool pli_body_has_prescribed(const pli_model* m, int body) {
    for (int v = m->bodies[body].first_vertex; v < pli_body_end_vertex(m, body); ++v)
        if (m->supports[v].kind == PLI_SUPPORT_PRESCRIBED) return true;
    return false;
}

pli_elements pli_model_elements(const pli_model* m, int body) {
    pli_elements all = {.vertex_limit = m->vertex_count};
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        int first = body < 0 ? 0 : m->bodies[body].first_element[k];
        all.count[k] = body < 0 ? m->element_count[k] : pli_body_element_count(m, body, kind);
        if (all.count[k] > 0)
            all.elements[k] = m->elements[k] + (size_t)first * (size_t)pli_element_size(kind);
    }
    return all;
}

pli_status pli_model_skin(const pli_model* m, int body, int dim, pli_skin* skin, pli_error* error) {
    pli_elements all = pli_model_elements(m, body);
    return pli_skin_create(m->memory, &all, dim, false, skin, error);
}

pli_status pli_model_skin_triangles(const pli_model* model, int body, int32_t* out, int* count,
                                    pli_error* error) {
    pli_skin skin = {0};
    if (body < 0 || body >= model->body_count)
        return pli_fail(error, PLI_E_ARGUMENT, "body %d, must be 0 to %d", body,
                        model->body_count - 1);
    *count = 0;
    if (pli_body_is_cage(model, body)) return PLI_OK; // its skin is another body
    pli_elements all = pli_model_elements(model, body);
    PLI_TRY(pli_skin_create(model->memory, &all, 3, true, &skin, error));
    *count = pli_skin_triangle_count(&skin);
    if (out) pli_skin_triangles(&skin, out);
    pli_skin_free(&skin);
    return PLI_OK;
}

double pli_model_rest_diagonal(const pli_model* m, int body) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int v = m->bodies[body].first_vertex; v < pli_body_end_vertex(m, body); ++v)
        for (int c = 0; c < 3; ++c) {
            low[c] = fmin(low[c], m->rest[3 * (size_t)v + (size_t)c]);
            high[c] = fmax(high[c], m->rest[3 * (size_t)v + (size_t)c]);
        }
    pli_sub(high, low, high, 3);
    return pli_norm(high, 3);
}

double pli_model_diagonal(const pli_model* m, int first, int end) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int b = first; b < end; ++b) {
        int last = 3 * pli_body_end_vertex(m, b);
        for (int i = 3 * m->bodies[b].first_vertex; i < last && !m->bodies[b].def.obstacle; ++i) {
            low[i % 3] = fmin(low[i % 3], m->positions[i]);
            high[i % 3] = fmax(high[i % 3], m->positions[i]);
        }
    }
    double d[3];
    pli_sub(high, low, d, 3);
    return low[0] > high[0] ? 0 : pli_norm(d, m->def.dimension);
}

double pli_model_smallest_diagonal(const pli_model* m) {
    double smallest = HUGE_VAL;
    for (int b = 0; b < m->body_count; ++b) {
        double length = pli_model_diagonal(m, b, b + 1);
        if (length > 0) smallest = fmin(smallest, length);
    }
    return isfinite(smallest) ? smallest : 1;
}

double pli_model_mean_mass(const pli_model* m) {
    double sum = 0;
    int count = 0;
    for (int b = 0; b < m->body_count; ++b) {
        const pli_body_def* def = &m->bodies[b].def;
        if (def->obstacle || pli_body_is_embedded(def)) continue;
        for (int v = m->bodies[b].first_vertex; v < pli_body_end_vertex(m, b); ++v, ++count)
            sum += m->masses[v];
    }
    return count > 0 ? sum / count : 1;
}
