// Checks of one body.
#include "scene/check.h"

#include "base/text.h"
#include "math/elementary.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/contact_rules.h"
#include "scene/obstacle_kinds.h"
#include "scene/shape.h"

void pli_tally_add(pli_tally* t, int number) {
    if (t->count < PLI_TALLY_SHOWN) t->first[t->count] = number;
    t->count++;
}

const char* pli_tally_text(const pli_tally* t, int from, char text[PLI_TALLY_SIZE]) {
    int n = 0;
    text[0] = '\0';
    for (int i = from; i < t->count && i < PLI_TALLY_SHOWN; ++i)
        n += snprintf(text + n, PLI_TALLY_SIZE - (size_t)n, "%s%d", i > from ? ", " : "",
                      t->first[i]);
    if (t->count > PLI_TALLY_SHOWN)
        snprintf(text + n, PLI_TALLY_SIZE - (size_t)n, " and %d more", t->count - PLI_TALLY_SHOWN);
    return text;
}

// ---- elements

typedef struct defects {
    pli_tally tallies[PLI_DEFECT_KIND_COUNT][PLI_ELEMENT_KIND_COUNT];
    pli_defect first[PLI_DEFECT_KIND_COUNT][PLI_ELEMENT_KIND_COUNT];
} defects;

static void count_defect(void* context, const pli_defect* defect) {
    defects* d = context;
    pli_tally* t = &d->tallies[defect->kind][defect->element_kind];
    if (t->count == 0) d->first[defect->kind][defect->element_kind] = *defect;
    pli_tally_add(t, defect->element);
}

// Defects at the start come from the key that deforms the mesh: it replaces the advice at the end
// of the text.
static void blame(const char* key, char* text, size_t size) {
    char* last = strrchr(text, ':');
    size_t used = last ? (size_t)(last - text) : strlen(text);
    pli_format(text + used, size - used, ": %s causes this", key);
}

// One finding per kind of defect and element: the first in words, the numbers of the others. `key`:
// the key that deforms the body at t = 0; NULL: the rest shape.
static pli_status report_defects(pli_builder* b, const defects* d, const char* key,
                                 const pli_path* at, pli_error* error) {
    for (int i = 0; i < PLI_DEFECT_KIND_COUNT * PLI_ELEMENT_KIND_COUNT; ++i) {
        int kind = i / PLI_ELEMENT_KIND_COUNT, element = i % PLI_ELEMENT_KIND_COUNT;
        const pli_tally* t = &d->tallies[kind][element];
        if (t->count == 0) continue;
        char text[200], numbers[PLI_TALLY_SIZE];
        pli_defect_text(&d->first[kind][element], text, sizeof text);
        if (key) blame(key, text, sizeof text);
        pli_severity severity =
            pli_defect_is_grave((pli_defect_kind)kind) ? PLI_ERROR : PLI_WARNING;
        PLI_TRY(pli_finding_add(
            b->findings, severity, at, PLI_AT_VALUE, error, "%s%s%s%s", key ? "at t = 0: " : "",
            text, t->count > 1 ? "; the same holds for " : "", pli_tally_text(t, 1, numbers)));
    }
    return PLI_OK;
}

// Number of elements that an energy covers.
static int covered_count(const pli_mesh* mesh, const pli_energy_type* type, int dim) {
    int count = 0;
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        if (pli_energy_acts_on(type, dim, (pli_element_kind)kind, mesh->element_count))
            count += kind == PLI_VERTEX ? mesh->vertex_count : mesh->element_count[kind];
    return count;
}

// All elements at rest; at the start only those covered by an energy that forbids inversion,
// because others may start inverted.
static pli_status check_elements(pli_builder* b, const pli_shape* shape, const pli_path* at,
                                 pli_error* error) {
    const int dim = b->scene->world.dimension;
    defects rest = {0}, start = {0};
    int errors = b->findings->error_count;
    PLI_TRY(pli_mesh_check(&shape->mesh, dim, count_defect, &rest, error));
    PLI_TRY(report_defects(b, &rest, NULL, PLI_KEY(at, "mesh"), error));
    if (b->findings->error_count > errors) return PLI_OK;
    pli_mesh moved = shape->mesh;
    moved.positions = shape->initial;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        bool used = false;
        const pli_tagged* energies = shape->data->energies.items;
        for (int i = 0; i < shape->data->energies.count; ++i) {
            const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
            used |=
                type && type->max_step &&
                pli_energy_acts_on(type, dim, (pli_element_kind)kind, shape->mesh.element_count);
        }
        if (!used) moved.element_count[kind] = 0;
    }
    PLI_TRY(pli_mesh_check(&moved, dim, count_defect, &start, error));
    for (int kind = 0; kind < PLI_DEFECT_KIND_COUNT; ++kind) // reported for the rest shape
        if (!pli_defect_is_grave((pli_defect_kind)kind))
            memset(start.tallies[kind], 0, sizeof start.tallies[kind]);
    return report_defects(b, &start, pli_start_key(shape->data),
                          PLI_KEY(at, pli_start_key(shape->data)), error);
}

// ---- masses

// Vertices that are fixed along all axes, by one or several supports.
static pli_status mark_fixed(const pli_builder* b, const pli_shape* shape, bool* marks,
                             pli_error* error) {
    const pli_fix_data* fix = shape->data->fix.items;
    const unsigned all = (1u << b->scene->world.dimension) - 1;
    unsigned* axes; // bits per vertex
    PLI_TRY(PLI_TAKE(b->arena, axes, shape->mesh.vertex_count, error));
    for (int i = 0; i < shape->data->fix.count; ++i) {
        unsigned own = 0;
        for (int c = 0; c < 3; ++c) own |= fix[i].axes[c] ? 1u << c : 0;
        for (int k = 0; pli_norm(fix[i].normal, 3) == 0 && k < shape->fix[i].count; ++k)
            axes[shape->fix[i].vertices ? shape->fix[i].vertices[k] : k] |= own;
    }
    for (int v = 0; v < shape->mesh.vertex_count; ++v) marks[v] |= (axes[v] & all) == all;
    return PLI_OK;
}

static void mark_elements(const pli_mesh* mesh, pli_element_kind kind, bool* marks) {
    for (int i = 0; i < mesh->element_count[kind] * pli_element_size(kind); ++i)
        marks[mesh->elements[kind][i]] = true;
}

// Segments get mass from density only with a cross-section, of the body or of an energy. An energy
// whose parameters are wrong has its own finding.
static bool has_section(const pli_builder* b, const pli_shape* shape) {
    const pli_tagged* energies = shape->data->energies.items;
    bool found = shape->data->def.cross_section > 0;
    for (int i = 0; i < shape->data->energies.count; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        if (!type || !type->section) continue;
        bool wrong = type->check && type->check(energies[i].data, NULL) != PLI_OK;
        found |= wrong || type->section(energies[i].data, 1) > 0;
    }
    return found;
}

// Density gives mass to the vertices of tetrahedra or, without these, of triangles, or of segments.
static pli_status check_mass(pli_builder* b, const pli_shape* shape, const pli_path* at,
                             pli_error* error) {
    const pli_mesh* mesh = &shape->mesh;
    if (shape->data->def.vertex_mass > 0 || shape->data->def.total_mass > 0 ||
        pli_is_skin(&shape->data->def))
        return PLI_OK;
    int dimension = pli_mass_dimension(mesh->element_count);
    pli_path key = pli_path_key(at, "vertex_mass");
    if (dimension == 0 && mesh->element_count[PLI_SEGMENT] > 0 && has_section(b, shape))
        dimension = 1;
    if (dimension == 0)
        return PLI_FIND(
            b->findings, &key, error,
            "the mesh has no triangles%s, so density gives it no mass: set vertex_mass%s",
            mesh->element_count[PLI_SEGMENT] > 0 ? " and its segments no cross_section" : "",
            mesh->element_count[PLI_SEGMENT] > 0 ? " or cross_section" : "");
    if (strcmp(shape->data->def.mass, "even") == 0) return PLI_OK;
    bool* marks;
    PLI_TRY(PLI_TAKE(b->arena, marks, mesh->vertex_count, error));
    PLI_TRY(mark_fixed(b, shape, marks, error));
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        if (pli_element_dimension((pli_element_kind)kind) == dimension)
            mark_elements(mesh, (pli_element_kind)kind, marks);
    pli_tally bare = {0};
    for (int v = 0; v < mesh->vertex_count; ++v)
        if (!marks[v]) pli_tally_add(&bare, v);
    if (bare.count == 0) return PLI_OK;
    char numbers[PLI_TALLY_SIZE];
    static const char* const words[] = {"", "segment", "triangle", "tetrahedron"};
    return PLI_FIND(b->findings, &key, error,
                    "%d of %d vertices have no mass, because they belong to no %s: %s; remove or "
                    "fix them, set vertex_mass, or write \"mass\": \"even\"",
                    bare.count, mesh->vertex_count, words[dimension],
                    pli_tally_text(&bare, 0, numbers));
}

// ---- energies

enum { KINDS_SIZE = 128 };

static pli_status check_damping(pli_builder* b, const char* name, const pli_path* at,
                                pli_error* error) {
    if (pli_can_dissipate(b)) return PLI_OK;
    return PLI_FIND(b->findings, at, error,
                    "\"%s\" cannot be used with scheme \"%s\", which has no motion to dissipate: "
                    "remove it or use quasi-static",
                    name, b->scene->world.scheme);
}

// Damping of the body itself, by its mass and by the stiffness of its energies.
static pli_status check_body_damping(pli_builder* b, const pli_body_data* d, const pli_path* at,
                                     pli_error* error) {
    const pli_tagged* energies = d->energies.items;
    bool stiff = false;
    for (int i = 0; i < d->energies.count; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        stiff |= type && !type->linear && !type->dissipation;
    }
    if (d->def.mass_damping > 0)
        PLI_TRY(check_damping(b, "mass_damping", PLI_KEY(at, "mass_damping"), error));
    return stiff && d->def.stiffness_damping > 0
               ? check_damping(b, "stiffness_damping", PLI_KEY(at, "stiffness_damping"), error)
               : PLI_OK;
}

// The kinds of elements that an energy covers: "triangle or 6-node triangle".
static const char* kinds_of(const pli_energy_type* type, int dim, char text[KINDS_SIZE]) {
    int n = 0;
    text[0] = '\0';
    for (int k = 0; k <= PLI_STENCIL; ++k)
        if (pli_energy_covers(type, dim, (pli_element_kind)k))
            n += pli_format(text + n, KINDS_SIZE - (size_t)n, "%s%s", n ? " or " : "",
                            pli_element_word((pli_element_kind)k));
    return text;
}

// Membranes in sheets without a thickness of their own.
static pli_status check_thickness(pli_builder* b, const pli_shape* shape, const pli_path* at,
                                  pli_error* error) {
    const pli_tagged* energies = shape->data->energies.items;
    const pli_energy_type* sheet = NULL;
    double thickness = shape->data->def.thickness;
    for (int i = 0; i < shape->data->energies.count && b->scene->world.dimension == 3; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        if (type && type->section) thickness += type->section(energies[i].data, 2);
        if (type && type->sheet &&
            pli_energy_acts_on(type, 3, PLI_TRIANGLE, shape->mesh.element_count))
            sheet = type;
    }
    if (!sheet || thickness > 0 || shape->mesh.element_count[PLI_TRIANGLE] == 0) return PLI_OK;
    return PLI_WARN(b->findings, PLI_KEY(at, "thickness"), error,
                    "energy \"%s\" and the mass of its sheet use thickness = %g m of the scene: "
                    "set the thickness of the body",
                    sheet->name, b->scene->world.thickness);
}

static pli_status check_energies(pli_builder* b, const pli_shape* shape, const pli_path* at,
                                 pli_error* error) {
    const pli_tagged* energies = shape->data->energies.items;
    const int dim = b->scene->world.dimension;
    int elements = 0;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        elements += shape->mesh.element_count[kind];
    const char* kinematics = shape->data->def.kinematics;
    bool skin = pli_is_skin(&shape->data->def) // its cage or its frame moves it
                || strcmp(kinematics, "affine") == 0 || strcmp(kinematics, "rigid") == 0;
    if (shape->data->energies.count == 0 && elements > 0 && !skin)
        PLI_TRY(PLI_WARN(
            b->findings, at, error,
            "it has no energies, so its vertices move independently: add a material or energies"));
    for (int i = 0; i < shape->data->energies.count; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        pli_path entry = pli_path_index(PLI_KEY(at, "energies"), i);
        char kinds[KINDS_SIZE];
        if (!type) continue;
        if (type->dissipation) PLI_TRY(check_damping(b, type->name, &entry, error));
        if (!(type->dims & (1u << dim)))
            PLI_TRY(PLI_FIND(b->findings, &entry, error,
                             "energy \"%s\" is not available in dimension %d: use another",
                             type->name, dim));
        else if (!type->stencils && covered_count(&shape->mesh, type, dim) == 0)
            PLI_TRY(PLI_FIND(b->findings, &entry, error,
                             "energy \"%s\" needs %s elements; the mesh has none", type->name,
                             kinds_of(type, dim, kinds)));
    }
    return PLI_OK;
}

// ---- unknowns

// Values of the monomials x^i y^j z^k with i + j + k <= order; returns their number.
enum { MOST_MONOMIALS = 20 };
static int monomials(int dim, int order, const double* x, double out[MOST_MONOMIALS]) {
    int count = 0;
    for (int i = 0; i <= order; ++i)
        for (int j = 0; i + j <= order; ++j)
            for (int k = 0; i + j + k <= (dim == 3 ? order : i + j); ++k)
                out[count++] = pli_pow(x[0], i) * pli_pow(x[1], j) * pli_pow(x[2], k);
    return count;
}

static void swap(double* a, double* b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

// Rank of a positive semi-definite matrix: pivots of its Cholesky factor, the largest first.
static int rank(double matrix[MOST_MONOMIALS][MOST_MONOMIALS], int size) {
    double first = 0;
    for (int r = 0; r < size; ++r) {
        int best = r;
        for (int i = r; i < size; ++i)
            if (matrix[i][i] > matrix[best][best]) best = i;
        double pivot = matrix[best][best];
        if (r == 0) first = pivot;
        // Monomials of numbers in [-1, 1]: if they are dependent, rounding leaves some 1e-16.
        if (!(pivot > 1e-12 * first)) return r;
        for (int i = 0; i < size; ++i) swap(&matrix[i][r], &matrix[i][best]);
        for (int i = 0; i < size; ++i) swap(&matrix[r][i], &matrix[best][i]);
        for (int i = r + 1; i < size; ++i)
            for (int j = r + 1; j < size; ++j) matrix[i][j] -= matrix[i][r] * matrix[r][j] / pivot;
    }
    return size;
}

// The vertices determine the coefficients of a polynomial only if its monomials are independent at
// their positions.
static pli_status check_polynomial(pli_builder* b, const pli_shape* shape, const pli_path* at,
                                   pli_error* error) {
    const pli_body_def* def = &shape->data->def;
    const pli_mesh* mesh = &shape->mesh;
    if (strcmp(def->kinematics, "polynomial") != 0) return PLI_OK;
    double low[3], high[3], half = 0, gram[MOST_MONOMIALS][MOST_MONOMIALS] = {{0}};
    pli_bounding_box(mesh->vertex_count, mesh->positions, low, high);
    for (int c = 0; c < 3; ++c) half = fmax(half, 0.5 * (high[c] - low[c]));
    int count = 1;
    for (int v = 0; v < mesh->vertex_count; ++v) {
        double y[3], values[MOST_MONOMIALS];
        for (int c = 0; c < 3; ++c)
            y[c] = half > 0 ? (mesh->positions[3 * v + c] - 0.5 * (low[c] + high[c])) / half : 0;
        count = monomials(b->scene->world.dimension, def->order, y, values);
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j) gram[i][j] += values[i] * values[j];
    }
    int known = rank(gram, count);
    if (known == count) return PLI_OK;
    return PLI_FIND(b->findings, PLI_KEY(at, "order"), error,
                    "order = %d has %d coefficients per coordinate, but %d vertices determine only "
                    "%d: use a lower order or a finer mesh",
                    def->order, count, mesh->vertex_count, known);
}

// ---- keys without effect

static pli_status warn_unused(pli_builder* b, const pli_path* at, const char* key,
                              const char* reason, pli_error* error) {
    return PLI_WARN(b->findings, PLI_KEY(at, key), error, "%s is not used, because %s", key,
                    reason);
}

static pli_status check_unused(pli_builder* b, const pli_shape* shape, const pli_path* at,
                               pli_error* error) {
    const pli_body_data* d = shape->data;
    if (d->def.order != 1 && strcmp(d->def.kinematics, "free") == 0)
        PLI_TRY(warn_unused(b, at, "order", "kinematics is \"free\"; for elements use mesh.order",
                            error));
    double speed = 0;
    for (int i = 0; i < 3 * shape->mesh.vertex_count; ++i)
        speed = fmax(speed, fabs(shape->velocities[i]));
    if (!pli_is_static(b) || speed == 0) return PLI_OK;
    char reason[80];
    pli_format(reason, sizeof reason, "there is no inertia in a %s analysis",
               b->scene->world.scheme);
    if (d->velocity.given) PLI_TRY(warn_unused(b, at, "velocity", reason, error));
    return pli_norm(d->spin, 3) > 0 ? warn_unused(b, at, "spin", reason, error) : PLI_OK;
}

// ---- thickness

// The longest edge at rest.
static double longest_edge(const pli_mesh* mesh) {
    double longest = 0;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        int size = pli_element_size((pli_element_kind)kind);
        for (int e = 0; e < mesh->element_count[kind]; ++e)
            for (int i = 0; i < size * size; ++i) {
                const int32_t* v = mesh->elements[kind] + (size_t)e * (size_t)size;
                double d[3];
                pli_sub(mesh->positions + 3 * (size_t)v[i / size],
                        mesh->positions + 3 * (size_t)v[i % size], d, 3);
                longest = fmax(longest, pli_norm(d, 3));
            }
    }
    return longest;
}

// Such a body is a ball rather than what its mesh shows; and each part has hundreds of neighbours.
static pli_status check_contact_thickness(pli_builder* b, const pli_shape* shape,
                                          const pli_path* at, pli_error* error) {
    static const double most = 10; // times the longest edge
    double thickness = shape->data->def.contact_thickness;
    double edge = thickness > 0 ? longest_edge(&shape->mesh) : 0;
    if (edge == 0 || !(thickness > most * edge)) return PLI_OK;
    char text[160];
    pli_format(text, sizeof text,
               "contact_thickness is %.3g m, %.3g times its longest edge of %.3g m", thickness,
               thickness / edge, edge);
    return PLI_WARN(b->findings, at, error,
                    "%s: it is the distance of its surface from the mesh, half of a sheet's "
                    "thickness; reduce it, or use a coarser mesh",
                    text);
}

// ---- speed

// Paths are straight within a step: a body that moves farther than its own size may miss a body
// that it would hit on its curved path.
static pli_status check_speed(pli_builder* b, const pli_shape* shape, const pli_path* at,
                              pli_error* error) {
    const pli_world_def* world = &b->scene->world;
    bool alone = b->body_count < 2 || !world->contact.bodies || !shape->data->def.contact_bodies;
    if (alone) return PLI_OK;
    double low[3], high[3], d[3], speed = 0;
    pli_bounding_box(shape->mesh.vertex_count, shape->initial, low, high);
    pli_sub(high, low, d, 3);
    for (int v = 0; v < shape->mesh.vertex_count; ++v)
        speed = fmax(speed, pli_norm(&shape->velocities[3 * v], 3));
    double size = pli_norm(d, 3), way = speed * world->time_step; // 0 if the step is chosen
    if (size == 0 || !(way > size)) return PLI_OK;
    char text[120];
    pli_format(text, sizeof text, "it moves %.3g m in one step, more than its size of %.3g m", way,
               size);
    return PLI_WARN(b->findings, at, error,
                    "%s, so it may pass around other bodies: use a smaller step", text);
}

// Materials of sheets are for triangles in space.
static pli_status check_sheet(pli_builder* b, const pli_shape* shape, const pli_path* at,
                              pli_error* error) {
    const pli_mesh* mesh = &shape->mesh;
    const char* material = shape->data->material;
    if (!material || !pli_sheet_material_find(material)) return PLI_OK;
    bool plane = b->scene->world.dimension == 2;
    bool solid = mesh->element_count[PLI_TETRAHEDRON] + mesh->element_count[PLI_TETRAHEDRON10] > 0;
    if (!plane && !solid) return PLI_OK;
    return PLI_FIND(b->findings, PLI_KEY(at, "material"), error,
                    "material \"%s\" is a sheet, but the body %s: use a mesh of triangles in space "
                    "(dimension 3), or the material of a solid",
                    material, plane ? "is in the plane" : "has tetrahedra");
}

pli_status pli_check_body(pli_builder* b, int body, pli_error* error) {
    const pli_shape* shape = &b->bodies[body];
    pli_path list, at = pli_body_path(b, body, &list);
    if (!shape->sound || shape->copy > 0) return PLI_OK; // copies differ only in position
    if (shape->obstacle) return PLI_OK;                  // it neither deforms nor has mass
    int errors = b->findings->error_count;
    PLI_TRY(check_sheet(b, shape, &at, error));
    if (b->findings->error_count > errors) return PLI_OK;
    PLI_TRY(check_elements(b, shape, &at, error));
    if (b->findings->error_count == errors) PLI_TRY(pli_check_thin(b, shape, &at, error));
    PLI_TRY(check_mass(b, shape, &at, error));
    PLI_TRY(check_energies(b, shape, &at, error));
    PLI_TRY(pli_check_flow(b, shape, &at, error));
    PLI_TRY(check_thickness(b, shape, &at, error));
    PLI_TRY(check_body_damping(b, shape->data, &at, error));
    PLI_TRY(check_polynomial(b, shape, &at, error));
    PLI_TRY(check_unused(b, shape, &at, error));
    PLI_TRY(check_contact_thickness(b, shape, &at, error));
    return check_speed(b, shape, &at, error);
}
