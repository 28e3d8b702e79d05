// See mesh_parts.h. A part is placed like a body; its mesh is any but parts and strands, so that
// the tables do not contain themselves.
#include "scene/mesh_parts.h"

#include "math/elementary.h"
#include "scene/motion.h"
#include "scene/tables.h"

// ---- prism

typedef struct prism_data {
    pli_list points; // double[2]
    double height;
    int around;
} prism_data;

static const pli_param prism_rows[] = {
    PLI_NUMBER(prism_data, height, "height", "m", 0, 1e9, 0, 0,
               "along z, half of it on each side; 0: the polygon alone, for the plane"),
    PLI_INTEGER(prism_data, around, "around", 1, 10000, 1,
                "the points are repeated this often around the z axis: 12 for a gear of twelve "
                "teeth, of which one is listed"),
};
static const pli_part prism_parts[] = {
    PLI_PART(PLI_NUMBER(prism_data, points, "points", "m", -1e9, 1e9, 0, PLI_PARAM_REQUIRED,
                        "[x, y] each, counter-clockwise"),
             PLI_TUPLES, 2, 1, 100000, NULL),
};
const pli_section pli_prism_section = {
    .name = "prism",
    .help = "a polygon swept along z: a closed surface of triangles, or the polygon alone",
    .size = sizeof(prism_data),
    PLI_ROWS(prism_rows),
    PLI_PARTS(prism_parts)};

pli_mesh_size pli_prism_size(const void* data) {
    const prism_data* d = data;
    double corners = (double)d->points.count * d->around, layers = d->height > 0 ? 2 : 1;
    return (pli_mesh_size){.vertices = layers * corners,
                           .elements[PLI_TRIANGLE] = (layers > 1 ? 4 : 1) * corners};
}

// A failure of `call` (a bad file, a refused value) as a finding at `at`.
#define REPORT(call) pli_finding_from(findings, at, (call), error)

pli_status pli_prism_read(const void* data, const char* folder, const pli_path* at,
                          pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const prism_data* d = data;
    const double* points = d->points.items;
    int count = d->points.count;
    pli_memory memory;
    double* outline = NULL;
    (void)folder;
    if ((double)count * d->around > 1000000)
        return PLI_FIND(findings, PLI_KEY(at, "around"), error,
                        "the outline has more than 1000000 points: reduce around");
    size_t room = 2 * (size_t)count * (size_t)d->around;
    pli_memory_init(&memory, mesh->allocator);
    PLI_TRY(PLI_ALLOC(&memory, outline, room, error));
    for (int k = 0; k < d->around; ++k) {
        double angle = 2 * 3.14159265358979323846 * k / d->around;
        double c = pli_cos(angle), s = pli_sin(angle), *out = outline + 2 * k * count;
        for (int i = 0; i < count; ++i) {
            const double* p = points + 2 * i;
            out[2 * i] = k == 0 ? p[0] : c * p[0] - s * p[1];
            out[2 * i + 1] = k == 0 ? p[1] : s * p[0] + c * p[1];
        }
    }
    pli_status status =
        REPORT(pli_mesh_add_prism(mesh, count * d->around, outline, d->height, error));
    PLI_FREE(&memory, outline, room);
    return status;
}

// ---- parts

typedef struct part_data {
    pli_tagged mesh;
    double scale[3], rotate[3], translate[3];
} part_data;

typedef struct parts_data {
    pli_list of; // part_data
} parts_data;

// The kinds that a part can be: those before the first that is made of others.
static bool part_variant(const pli_catalog* catalog, int i, pli_section* out) {
    return pli_mesh_is_simple(i) && pli_mesh_variant(catalog, i, out);
}

static const pli_section part_mesh_section = {
    .name = "mesh",
    .help = "shape of a part",
    .variant = part_variant,
};

static const pli_param part_rows[] = {
    PLI_VECTOR_OF(part_data, scale, "scale", "", -1e6, 1e6, 1, "scale factors, not 0"),
    PLI_VECTOR(part_data, translate, "translate", "m", 0, "translation after scale and rotate"),
};
static const pli_part part_parts[] = {
    PLI_ONE_OBJECT(part_data, mesh, "mesh", &part_mesh_section, PLI_PARAM_REQUIRED, "its shape"),
    PLI_ONE_TURN(part_data, rotate, "rotate", "degrees",
                 "rotation of the scaled part, counter-clockwise; [x, y, z]: about this axis, by "
                 "its length"),
};
static const pli_section part_section = {.name = "of",
                                         .help = "one part",
                                         .size = sizeof(part_data),
                                         PLI_ROWS(part_rows),
                                         PLI_PARTS(part_parts)};

static const pli_part parts_parts[] = {
    PLI_LIST_OF_OBJECTS(parts_data, of, "of", &part_section, 1, 100000, PLI_PARAM_REQUIRED,
                        "the parts"),
};
const pli_section pli_parts_section = {
    .name = "parts",
    .help = "several shapes as one mesh; they are not joined, so for rigid bodies they may overlap "
            "(what overlaps counts twice in mass from density)",
    .size = sizeof(parts_data),
    PLI_PARTS(parts_parts)};

pli_mesh_size pli_parts_size(const void* data) {
    const parts_data* d = data;
    const part_data* parts = d->of.items;
    pli_mesh_size sum = {0};
    for (int i = 0; i < d->of.count; ++i) {
        pli_mesh_size size = pli_mesh_expected_size(&parts[i].mesh);
        sum.vertices += size.vertices;
        for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k) sum.elements[k] += size.elements[k];
    }
    return sum;
}

static void place_part(const part_data* d, pli_mesh* mesh) {
    double turn[3];
    for (int c = 0; c < 3; ++c) turn[c] = d->rotate[c] * (3.14159265358979323846 / 180);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        double *x = &mesh->positions[3 * v], y[3];
        for (int c = 0; c < 3; ++c) y[c] = d->scale[c] * x[c];
        pli_rotate(turn, y, x);
        for (int c = 0; c < 3; ++c) x[c] += d->translate[c];
    }
    if (d->scale[0] * d->scale[1] * d->scale[2] > 0) return;
    for (int k = PLI_TRIANGLE; k < PLI_ELEMENT_KIND_COUNT; ++k)
        for (int e = 0; e < mesh->element_count[k]; ++e)
            pli_element_mirror((pli_element_kind)k,
                               &mesh->elements[k][e * pli_element_size((pli_element_kind)k)]);
}

static pli_status add_part(const part_data* d, const char* folder, const pli_path* at,
                           pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    pli_mesh part;
    pli_path key = pli_path_key(at, "mesh");
    int before = findings->error_count;
    if (d->mesh.variant < 0) return PLI_OK;
    for (int c = 0; c < 3; ++c)
        if (d->scale[c] == 0)
            PLI_TRY(PLI_FIND(findings, PLI_KEY(at, "scale"), error,
                             "scale along %c = 0, must not be 0", "xyz"[c]));
    pli_mesh_init(&part, mesh->allocator);
    pli_status status = pli_mesh_build(&d->mesh, folder, &key, findings, &part, error);
    if (status == PLI_OK && findings->error_count == before) {
        place_part(d, &part);
        status = REPORT(pli_mesh_add_mesh(mesh, &part, error));
    }
    pli_mesh_free(&part);
    return status;
}

pli_status pli_parts_read(const void* data, const char* folder, const pli_path* at,
                          pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const parts_data* d = data;
    pli_path list = pli_path_key(at, "of");
    for (int i = 0; i < d->of.count; ++i) {
        pli_path entry = pli_path_index(&list, i);
        PLI_TRY(add_part((const part_data*)d->of.items + i, folder, &entry, findings, mesh, error));
    }
    return PLI_OK;
}
