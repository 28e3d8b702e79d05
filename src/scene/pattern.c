// The flat rest shape of a sheet: "pattern", from the texture coordinates of its OBJ file or from
// the mesh of its panels in another file; "pattern_map", from formulas.
#include "scene/pattern.h"

#include "base/text.h"
#include "math/vec.h"
#include "scene/check.h"
#include "scene/motion.h"
#include "scene/mesh_kinds.h"
#include "scene/source.h"

#include <math.h>

// Reads the panels; *good: there are as many triangles as in the body.
static pli_status read_panels(pli_builder* b, const pli_shape* shape, const pli_path* key,
                              pli_mesh* panels, bool* good, pli_error* error) {
    const pli_body_data* d = shape->data;
    bool uv = strcmp(d->pattern, "uv") == 0;
    const char* name = uv ? pli_mesh_file_path(&d->mesh) : d->pattern;
    char full[4096];
    *good = false;
    if (!name)
        return PLI_FIND(
            b->findings, key, error,
            "\"uv\" takes the texture coordinates of an OBJ file, but the mesh is not from "
            "a file: name a file of panels");
    pli_status status = pli_file_path(b->folder, name, full, sizeof full, error);
    if (status == PLI_OK)
        status = uv ? pli_mesh_read_uv(panels, full, error) : pli_mesh_read(panels, full, error);
    PLI_TRY(pli_finding_from(b->findings, key, status, error));
    if (status != PLI_OK) return PLI_OK;
    int own = panels->element_count[PLI_TRIANGLE], count = shape->mesh.element_count[PLI_TRIANGLE];
    if (own != count)
        return PLI_FIND(
            b->findings, key, error,
            "the pattern has %d triangles and the mesh %d: it must have the same triangles "
            "in the same order",
            own, count);
    *good = true;
    return PLI_OK;
}

static double signed_area(const double p[6]) {
    double d1[2], d2[2];
    pli_sub(p + 2, p, d1, 2);
    pli_sub(p + 4, p, d2, 2);
    return 0.5 * pli_cross2(d1, d2);
}

// Triangles without area are errors; those that are mirrored against most others, and another size
// than that of the mesh, are suspect.
static pli_status check_pattern(pli_builder* b, const pli_shape* shape, const pli_path* key,
                                pli_error* error) {
    const pli_mesh* mesh = &shape->mesh;
    int count = mesh->element_count[PLI_TRIANGLE], positive = 0;
    double flat = 0, whole = 0;
    pli_tally empty = {0}, mirrored = {0};
    char numbers[PLI_TALLY_SIZE];
    for (int t = 0; t < count; ++t) positive += signed_area(shape->pattern + 6 * (size_t)t) > 0;
    for (int t = 0; t < count; ++t) {
        double area = signed_area(shape->pattern + 6 * (size_t)t);
        if (!(fabs(area) > 0 && fabs(area) < HUGE_VAL)) pli_tally_add(&empty, t);
        if ((area > 0) != (2 * positive >= count)) pli_tally_add(&mirrored, t);
        flat += fabs(area);
        whole += pli_element_measure(3, PLI_TRIANGLE, mesh->elements[PLI_TRIANGLE] + 3 * (size_t)t,
                                     mesh->positions);
    }
    if (empty.count > 0)
        return PLI_FIND(b->findings, key, error,
                        "%d of %d triangles have no area in the pattern: %s", empty.count, count,
                        pli_tally_text(&empty, 0, numbers));
    if (mirrored.count > 0)
        PLI_TRY(PLI_WARN(b->findings, key, error,
                         "%d of %d triangles are mirrored in the pattern against the others: %s",
                         mirrored.count, count, pli_tally_text(&mirrored, 0, numbers)));
    if (flat > 2 * whole || flat < 0.5 * whole)
        PLI_TRY(PLI_WARN(
            b->findings, key, error,
            "the pattern has an area of %.3g m^2 and the mesh %.3g m^2: check pattern_scale", flat,
            whole));
    return PLI_OK;
}

pli_status pli_pattern_read(pli_builder* b, pli_shape* shape, bool mirrored, const pli_path* at,
                            pli_error* error) {
    pli_path key = pli_path_key(at, "pattern");
    int count = shape->mesh.element_count[PLI_TRIANGLE];
    pli_mesh panels;
    bool good;
    if (!shape->data->pattern || shape->data->pattern[0] == 0) return PLI_OK;
    pli_mesh_init(&panels, b->allocator);
    pli_status status = read_panels(b, shape, &key, &panels, &good, error);
    if (status == PLI_OK && good)
        status = PLI_TAKE(b->arena, shape->pattern, 6 * (size_t)count, error);
    for (int i = 0; i < 3 * count && good && status == PLI_OK; ++i) {
        // A mirrored body has its corners 1 and 2 swapped.
        int corner = i % 3 == 0 || !mirrored ? i % 3 : 3 - i % 3;
        const double* x =
            panels.positions + 3 * (size_t)panels.elements[PLI_TRIANGLE][i - i % 3 + corner];
        for (int c = 0; c < 2; ++c) shape->pattern[2 * i + c] = shape->data->pattern_scale * x[c];
    }
    pli_mesh_free(&panels);
    return status == PLI_OK && good ? check_pattern(b, shape, &key, error) : status;
}

pli_status pli_pattern_map(pli_builder* b, const pli_shape* shape, double** flat,
                           pli_error* error) {
    const pli_formulas* map = &shape->data->pattern_map;
    *flat = NULL;
    if (!map->given) return PLI_OK;
    PLI_TRY(PLI_TAKE(b->arena, *flat, 2 * (size_t)shape->mesh.vertex_count, error));
    for (int v = 0; v < shape->mesh.vertex_count; ++v) {
        double at[3];
        pli_formulas_value(map, 0, shape->mesh.positions + 3 * (size_t)v, at);
        for (int c = 0; c < 2; ++c)
            (*flat)[2 * (size_t)v + (size_t)c] = shape->data->pattern_scale * at[c];
    }
    return PLI_OK;
}

pli_status pli_pattern_take(pli_builder* b, pli_shape* shape, const double* flat,
                            const pli_path* at, pli_error* error) {
    pli_path key = pli_path_key(at, "pattern_map");
    int count = shape->mesh.element_count[PLI_TRIANGLE];
    if (shape->data->pattern && shape->data->pattern[0])
        return PLI_FIND(b->findings, &key, error,
                        "pattern and pattern_map are both given: omit one");
    if (count == 0)
        return PLI_FIND(b->findings, &key, error,
                        "the mesh has no triangles: a pattern is the rest shape of a sheet");
    PLI_TRY(PLI_TAKE(b->arena, shape->pattern, 6 * (size_t)count, error));
    for (int i = 0; i < 3 * count; ++i)
        pli_copy(flat + 2 * (size_t)shape->mesh.elements[PLI_TRIANGLE][i], shape->pattern + 2 * i,
                 2);
    return check_pattern(b, shape, &key, error);
}
