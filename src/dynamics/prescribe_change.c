// Prescribed motion that comes, goes or changes between steps; see prescribe.h.
#include "dynamics/prescribe.h"

#include "math/vec.h"

#include <string.h>

// The mass that a pin has to pull: an affine body hangs on all pins of a motion.
static double pulled_mass(const pli_model* model, const pli_support_set* set, int vertex) {
    if (!pli_body_is_affine(&model->bodies[set->body].def)) return model->masses[vertex];
    double sum = 0;
    for (int v = model->bodies[set->body].first_vertex; v < pli_body_end_vertex(model, set->body);
         ++v)
        sum += model->masses[v];
    return sum / set->vertex_count;
}

// All or nothing: the pins have room before anything is added.
pli_status pli_pins_add_support(pli_pins* pins, pli_model* model, pli_body_id id,
                                const pli_prescribe_def* def, pli_error* error) {
    pli_prescribe_def checked = *def;
    pli_support_set set = {0};
    int32_t motion;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_model_check_prescribe(model, id, &checked, &set, error));
    PLI_TRY_CLEANUP(
        status, pli_motion_check_keys(&checked, checked.per_vertex ? set.vertex_count : 1, error));
    if (model->trial) goto cleanup;
    PLI_TRY_CLEANUP(status, pli_pins_reserve(pins, set.vertex_count, error));
    PLI_TRY_CLEANUP(status, pli_pins_add_motion(pins, &checked, set.vertex_count, &motion, error));
    for (int i = 0; i < set.vertex_count; ++i) {
        int v = set.vertices[i];
        pli_pins_add(pins, v, motion, model->positions + 3 * (size_t)v, pulled_mass(model, &set, v));
    }
    pli_model_add_prescribed(model, &set, motion);
    return PLI_OK;
cleanup:
    pli_support_set_free(pins->memory, &set);
    return status;
}

void pli_pins_remove_motion(pli_pins* pins, int32_t number) {
    int first = pins->motions[number].first, kept = first;
    pli_motion_free_keys(pins->memory, &pins->motions[number]);
    for (int i = first; i < pins->count; ++i) {
        if (pins->pins[i].motion == number) continue;
        pins->pins[kept] = pins->pins[i];
        pins->pins[kept++].motion--;
    }
    int gone = pins->count - kept;
    pins->count = kept;
    pins->motion_count--;
    for (int m = number; m < pins->motion_count; ++m) {
        pins->motions[m] = pins->motions[m + 1];
        pins->motions[m].first -= gone;
    }
}

pli_status pli_pins_set_target(pli_pins* pins, int32_t number, const double offset[3],
                               pli_error* error) {
    pli_motion* motion = &pins->motions[number];
    if (motion->key_count != 1 || motion->width != 1) {
        double *times = NULL, *offsets = NULL;
        PLI_TRY(PLI_ALLOC(pins->memory, times, 1, error));
        pli_status status = PLI_ALLOC(pins->memory, offsets, 3, error);
        if (status != PLI_OK) {
            PLI_FREE(pins->memory, times, 1);
            return status;
        }
        pli_motion_free_keys(pins->memory, motion);
        motion->key_count = motion->width = 1;
        motion->times = times;
        motion->offsets = offsets;
    }
    motion->field = NULL;
    motion->delay = 0;
    memset(motion->velocity, 0, sizeof motion->velocity);
    memcpy(motion->offsets, offset, 3 * sizeof *offset);
    pli_motion_mask(motion, motion->offsets);
    return PLI_OK;
}

void pli_pins_lower(pli_pins* pins, int from, int by) {
    for (int i = 0; i < pins->count; ++i)
        if (pins->pins[i].vertex >= from) pins->pins[i].vertex -= by;
}

// ---- another mesh

// A pin of a new vertex: what its sources have, weighted.
static pli_pin blend_pins(const pli_pins* pins, const pli_pin_sources* of, int i) {
    const pli_pin* lead = &pins->pins[of->from[of->start[i]]];
    pli_pin pin = *lead;
    if (of->start[i + 1] - of->start[i] == 1) return pin;
    double* sums[] = {pin.start,     pin.last,     pin.end,       pin.target, pin.base,
                      pin.was.place, pin.was.rate, pin.was.older, pin.from};
    for (size_t s = 0; s < sizeof sums / sizeof *sums; ++s) {
        size_t at = (size_t)((char*)sums[s] - (char*)&pin);
        memset(sums[s], 0, 3 * sizeof(double));
        for (int k = of->start[i]; k < of->start[i + 1]; ++k)
            pli_axpy(of->weight[k],
                     (const double*)(const void*)((const char*)&pins->pins[of->from[k]] + at),
                     sums[s], 3);
    }
    return pin;
}

// Offsets of a motion whose pins have offsets of their own.
static pli_status blend_offsets(pli_pins* pins, pli_motion* motion, const pli_pin_sources* of,
                                pli_error* error) {
    double* offsets;
    size_t width = (size_t)of->count;
    PLI_TRY(PLI_ALLOC(pins->memory, offsets, 3 * width * (size_t)motion->key_count, error));
    for (int key = 0; key < motion->key_count; ++key)
        for (int i = 0; i < of->count; ++i)
            for (int k = of->start[i]; k < of->start[i + 1]; ++k) {
                size_t from =
                    (size_t)key * (size_t)motion->width + (size_t)(of->from[k] - motion->first);
                pli_axpy(of->weight[k], motion->offsets + 3 * from,
                         offsets + 3 * ((size_t)key * width + (size_t)i), 3);
            }
    PLI_FREE(pins->memory, motion->offsets, 3 * (size_t)motion->key_count * (size_t)motion->width);
    motion->offsets = offsets;
    motion->width = of->count;
    return PLI_OK;
}

pli_status pli_pins_replace(pli_pins* pins, int32_t number, const pli_pin_sources* of,
                            pli_error* error) {
    pli_motion* motion = &pins->motions[number];
    int first = motion->first, end = first;
    while (end < pins->count && pins->pins[end].motion == number) ++end;
    int more = of->count - (end - first);
    pli_pin* blended = NULL;
    if (more > 0) PLI_TRY(pli_pins_reserve(pins, more, error));
    PLI_TRY(PLI_ALLOC(pins->memory, blended, of->count, error));
    pli_status status = motion->width > 1 ? blend_offsets(pins, motion, of, error) : PLI_OK;
    for (int i = 0; i < of->count && status == PLI_OK; ++i) {
        blended[i] = blend_pins(pins, of, i);
        blended[i].vertex = of->vertices[i];
        blended[i].mass = of->masses[of->vertices[i]];
        blended[i].massless = blended[i].mass == 0;
    }
    if (status == PLI_OK) {
        memmove(pins->pins + first + of->count, pins->pins + end,
                sizeof *pins->pins * (size_t)(pins->count - end));
        if (of->count > 0) memcpy(pins->pins + first, blended, sizeof *blended * (size_t)of->count);
        pins->count += more;
        for (int m = number + 1; m < pins->motion_count; ++m) pins->motions[m].first += more;
    }
    PLI_FREE(pins->memory, blended, of->count);
    return status;
}
