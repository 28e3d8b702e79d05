// Checks of sheets and threads: meshes on which bending is not defined, energies that are missing
// or given twice, and clamped supports without effect.
#include "scene/check.h"

#include "base/text.h"
#include "math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- what energies do

enum {
    STRETCHES = 1, // resists changes of length and area
    BENDS = 2,     // resists bending
    TURNS = 4,     // by an angle between triangles, which is not defined where they are folded
    CLAMPS = 8,    // "clamped" acts on its unknowns at edges
};

// Energies of thin bodies, each with the dimension of its elements.
typedef struct role {
    const char* name;
    int dimension;
    unsigned does;
} role;

static const role roles[] = {
    {"shell", 2, STRETCHES | BENDS | TURNS | CLAMPS},
    {"bending", 2, BENDS | TURNS | CLAMPS},
    {"plastic-bending", 2, BENDS | TURNS | CLAMPS},
    {"hinge", 2, BENDS | TURNS},
    {"quadratic-bending", 2, BENDS},
    {"bending-spring", 2, BENDS},
    {"orthotropic", 2, STRETCHES},
    {"baraff-witkin", 2, STRETCHES},
    {"rod", 1, STRETCHES | BENDS | CLAMPS},
    {"thread", 1, STRETCHES | BENDS},
};

// Others that store energy may stretch anything; solid laws in space stretch sheets.
static role role_of(const pli_energy_type* type) {
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; ++i)
        if (strcmp(roles[i].name, type->name) == 0) return roles[i];
    bool elastic = !type->dissipation && !type->linear;
    return (role){type->name, type->sheet ? 2 : 0, elastic ? STRETCHES : 0};
}

static unsigned all_roles(const pli_builder* b, const pli_shape* shape) {
    const pli_tagged* energies = shape->data->energies.items;
    unsigned all = 0;
    for (int i = 0; i < shape->data->energies.count; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        if (type) all |= role_of(type).does;
    }
    return all;
}

// Of two energies on the same elements, one of which both stretches and bends, what both do acts
// twice. Two that only stretch may be fibres and what is between them.
static pli_status check_twice(pli_builder* b, const pli_shape* shape, int i, const pli_path* at,
                              pli_error* error) {
    const unsigned both = STRETCHES | BENDS;
    const pli_tagged* energies = shape->data->energies.items;
    role own = role_of(pli_catalog_energy(b->catalog, energies[i].variant));
    for (int j = 0; j < i; ++j) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[j].variant);
        if (!type) continue;
        role other = role_of(type);
        unsigned same = own.does & other.does & both;
        bool whole = (own.does & both) == both || (other.does & both) == both;
        if (own.dimension == 0 || own.dimension != other.dimension) continue;
        if (!(same & BENDS) && !(whole && same)) continue;
        return PLI_WARN(
            b->findings, at, error,
            "energies \"%s\" and \"%s\" both resist %s of the same elements, so it acts "
            "twice: remove one of them",
            other.name, own.name,
            same == both    ? "stretch and bending"
            : same == BENDS ? "bending"
                            : "stretch");
    }
    return PLI_OK;
}

static pli_status check_roles(pli_builder* b, const pli_shape* shape, const pli_path* at,
                              pli_error* error) {
    const pli_tagged* energies = shape->data->energies.items;
    unsigned all = all_roles(b, shape);
    for (int i = 0; i < shape->data->energies.count; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        pli_path entry = pli_path_index(PLI_KEY(at, "energies"), i);
        if (!type) continue;
        if (role_of(type).does & BENDS && !(all & STRETCHES))
            return PLI_WARN(b->findings, &entry, error,
                            "energy \"%s\" resists only bending, so nothing keeps the triangles in "
                            "shape: use \"shell\", or add a membrane such as \"neo-hookean\"",
                            type->name);
        PLI_TRY(check_twice(b, shape, i, &entry, error));
    }
    return PLI_OK;
}

// Energies of thin bodies derive their stencils from triangles or segments.
static pli_status check_needed(pli_builder* b, const pli_shape* shape, const pli_path* at,
                               pli_error* error) {
    static const char* const words[] = {"", "segment", "triangle"};
    const pli_tagged* energies = shape->data->energies.items;
    const int* count = shape->mesh.element_count;
    for (int i = 0; i < shape->data->energies.count; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        pli_path entry = pli_path_index(PLI_KEY(at, "energies"), i);
        int dimension = type && type->stencils ? role_of(type).dimension : 0;
        if (dimension == 0 || count[dimension == 1 ? PLI_SEGMENT : PLI_TRIANGLE] > 0) continue;
        PLI_TRY(PLI_FIND(b->findings, &entry, error,
                         "energy \"%s\" needs %s elements; the mesh has none%s", type->name,
                         words[dimension],
                         dimension == 2 && count[PLI_TRIANGLE6] > 0
                             ? ", only 6-node triangles: set mesh.order to 1"
                             : ""));
    }
    return PLI_OK;
}

// ---- meshes

// Edges in words: "0-1, 4-7 and 3 more".
typedef struct edge_list {
    int count;
    char text[PLI_TALLY_SIZE];
} edge_list;

static void add_edge(edge_list* list, const int32_t* ends) {
    size_t used = strlen(list->text);
    if (list->count++ < PLI_TALLY_SHOWN / 2)
        pli_format(list->text + used, sizeof list->text - used, "%s%d-%d", used ? ", " : "",
                   (int)ends[0], (int)ends[1]);
}

static const char* edges_text(edge_list* list) {
    size_t used = strlen(list->text);
    if (list->count > PLI_TALLY_SHOWN / 2)
        pli_format(list->text + used, sizeof list->text - used, " and %d more",
                   list->count - PLI_TALLY_SHOWN / 2);
    return list->text;
}

// Whether the triangles at an edge are folded onto each other: the directions from the edge to both
// apexes are the same.
static bool is_folded(const double* x, const int32_t hinge[4]) {
    static const double least = 1e-6; // sine of the angle between them
    double e[3], p[2][3], cross[3];
    pli_sub(x + 3 * (size_t)hinge[2], x + 3 * (size_t)hinge[1], e, 3);
    for (int i = 0; i < 2; ++i) {
        pli_sub(x + 3 * (size_t)hinge[3 * i], x + 3 * (size_t)hinge[1], p[i], 3);
        pli_axpy(-pli_dot(p[i], e, 3) / pli_dot(e, e, 3), e, p[i], 3);
    }
    pli_cross3(p[0], p[1], cross);
    return pli_dot(p[0], p[1], 3) > 0 &&
           pli_norm(cross, 3) < least * pli_norm(p[0], 3) * pli_norm(p[1], 3);
}

// A side of a triangle, or a segment.
typedef struct side {
    int32_t ends[2]; // ascending
    int32_t apex;    // the third vertex; -1: a segment
    int32_t element;
} side;

static int compare_numbers(int32_t a, int32_t b) { return (a > b) - (a < b); }

static int compare_sides(const void* x, const void* y) {
    const side *a = x, *b = y;
    int order = compare_numbers(a->ends[0], b->ends[0]);
    if (order == 0) order = compare_numbers(a->ends[1], b->ends[1]);
    if (order == 0) order = compare_numbers(a->apex, b->apex);
    return order ? order : compare_numbers(a->element, b->element);
}

// All sides of the elements of a kind, sorted.
static pli_status find_sides(pli_builder* b, const pli_mesh* mesh, pli_element_kind kind,
                             side** sides, int* count, pli_error* error) {
    int size = pli_element_size(kind), each = kind == PLI_SEGMENT ? 1 : size;
    *count = each * mesh->element_count[kind];
    PLI_TRY(PLI_TAKE(b->arena, *sides, (size_t)*count + 1, error));
    for (int i = 0; i < *count; ++i) {
        const int32_t* v = mesh->elements[kind] + (size_t)(i / each) * (size_t)size;
        int k = i % each;
        int32_t p = v[k], q = v[(k + 1) % size];
        (*sides)[i] = (side){.ends = {p < q ? p : q, p < q ? q : p},
                             .apex = size == 3 ? v[(k + 2) % 3] : -1,
                             .element = i / each};
    }
    if (*count > 0) qsort(*sides, (size_t)*count, sizeof **sides, compare_sides);
    return PLI_OK;
}

static bool is_same_edge(const side* a, const side* b) {
    return a->ends[0] == b->ends[0] && a->ends[1] == b->ends[1];
}

// Elements with the vertices of an earlier one; triangles at the edge of their lowest vertices.
static void add_copies(const side* sides, int count, pli_tally* copies) {
    for (int i = 1; i < count; ++i)
        if (is_same_edge(&sides[i - 1], &sides[i]) && sides[i - 1].apex == sides[i].apex &&
            (sides[i].apex < 0 || sides[i].apex > sides[i].ends[1]))
            pli_tally_add(copies, sides[i].element);
}

static pli_status report_copies(pli_builder* b, const pli_tally* copies, int count,
                                const char* word, const pli_path* at, pli_error* error) {
    char numbers[PLI_TALLY_SIZE];
    if (copies->count == 0) return PLI_OK;
    return PLI_WARN(b->findings, PLI_KEY(at, "mesh"), error,
                    "%d of %d %ss have the same vertices as another one, so mass and stiffness "
                    "count twice there: remove %s %s",
                    copies->count, count, word, word, pli_tally_text(copies, 0, numbers));
}

static pli_status check_edges(pli_builder* b, const pli_shape* shape, const side* sides, int count,
                              const pli_path* at, pli_error* error) {
    const pli_mesh* mesh = &shape->mesh;
    unsigned does = b->scene->world.dimension == 3 ? all_roles(b, shape) : 0;
    edge_list crowded = {0}, folded = {0};
    pli_tally copies = {0};
    int edge_count = 0;
    add_copies(sides, count, &copies);
    for (int i = 0, next; i < count; i = next, ++edge_count) {
        for (next = i + 1; next < count && is_same_edge(&sides[i], &sides[next]);) ++next;
        if (next > i + 2 && does & BENDS) add_edge(&crowded, sides[i].ends);
        if (next != i + 2 || !(does & TURNS)) continue;
        int32_t hinge[4] = {sides[i].apex, sides[i].ends[0], sides[i].ends[1], sides[i + 1].apex};
        if (is_folded(mesh->positions, hinge)) add_edge(&folded, sides[i].ends);
    }
    PLI_TRY(report_copies(b, &copies, mesh->element_count[PLI_TRIANGLE], "triangle", at, error));
    if (crowded.count > 0 && copies.count == 0)
        PLI_TRY(PLI_WARN(b->findings, PLI_KEY(at, "mesh"), error,
                         "%d of %d edges have more than two triangles, so nothing resists bending "
                         "there: %s; split the sheet into bodies, or accept a hinge",
                         crowded.count, edge_count, edges_text(&crowded)));
    if (folded.count > 0 && copies.count == 0)
        PLI_TRY(
            PLI_FIND(b->findings, PLI_KEY(at, "mesh"), error,
                     "the triangles at %d of %d edges are folded onto each other at rest, where "
                     "the angle of bending is not defined: %s; open the fold, or give the sheet "
                     "flat and fold it with \"initial\"",
                     folded.count, edge_count, edges_text(&folded)));
    return PLI_OK;
}

static pli_status check_sides(pli_builder* b, const pli_shape* shape, const pli_path* at,
                              pli_error* error) {
    side* sides;
    int count;
    pli_tally copies = {0};
    PLI_TRY(find_sides(b, &shape->mesh, PLI_TRIANGLE, &sides, &count, error));
    PLI_TRY(check_edges(b, shape, sides, count, at, error));
    PLI_TRY(find_sides(b, &shape->mesh, PLI_SEGMENT, &sides, &count, error));
    add_copies(sides, count, &copies);
    return report_copies(b, &copies, count, "segment", at, error);
}

// ---- clamped supports

static void mark(const pli_chosen* chosen, bool* marks) {
    for (int k = 0; k < chosen->count; ++k)
        marks[chosen->vertices ? chosen->vertices[k] : k] = true;
}

static bool has_marked_edge(const pli_mesh* mesh, const bool* marks) {
    for (int kind = PLI_SEGMENT; kind <= PLI_TRIANGLE; ++kind) {
        int size = pli_element_size((pli_element_kind)kind);
        for (int i = 0; i < mesh->element_count[kind] * size; ++i) {
            int next = i - i % size + (i + 1) % size;
            if (marks[mesh->elements[kind][i]] && marks[mesh->elements[kind][next]]) return true;
        }
    }
    return false;
}

static pli_status check_clamped(pli_builder* b, const pli_shape* shape, const pli_path* at,
                                pli_error* error) {
    const pli_fix_data* fix = shape->data->fix.items;
    const pli_prescribe_data* prescribe = shape->data->prescribe.items;
    pli_path list = pli_path_key(at, NULL), entry, key = {0};
    bool* marks;
    PLI_TRY(PLI_TAKE(b->arena, marks, shape->mesh.vertex_count, error));
    for (int i = shape->data->prescribe.count - 1; i >= 0; --i) {
        if (!prescribe[i].clamped) continue;
        list = pli_path_key(at, "prescribe"), entry = pli_path_index(&list, i);
        key = pli_path_key(&entry, "clamped");
        mark(&shape->prescribe[i], marks);
    }
    for (int i = shape->data->fix.count - 1; i >= 0; --i) {
        if (!fix[i].clamped) continue;
        list = pli_path_key(at, "fix"), entry = pli_path_index(&list, i);
        key = pli_path_key(&entry, "clamped");
        mark(&shape->fix[i], marks);
    }
    if (!key.key) return PLI_OK;
    if (!(all_roles(b, shape) & CLAMPS))
        return PLI_WARN(
            b->findings, &key, error,
            "clamped is not used, because only \"shell\", \"bending\", "
            "\"plastic-bending\" and \"rod\" have slopes at edges: add one of them, or fix "
            "two rows of vertices");
    if (has_marked_edge(&shape->mesh, marks)) return PLI_OK;
    return PLI_WARN(b->findings, &key, error,
                    "clamped is not used, because no edge has both its ends selected: select a "
                    "neighbour too");
}

// ---- thickness

// A sheet thicker than it is wide, or a thread thicker than long.
static pli_status check_slender(pli_builder* b, const pli_shape* shape, const pli_path* at,
                                pli_error* error) {
    const pli_tagged* energies = shape->data->energies.items;
    double low[3], high[3], d[3];
    pli_bounding_box(shape->mesh.vertex_count, shape->mesh.positions, low, high);
    pli_sub(high, low, d, 3);
    double size = pli_norm(d, 3);
    for (int i = 0; i < shape->data->energies.count; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        if (!type || !type->section ||
            (type->check && type->check(energies[i].data, NULL) != PLI_OK))
            continue;
        double sheet = type->section(energies[i].data, 2),
               area = type->section(energies[i].data, 1);
        double thick = role_of(type).dimension == 1 ? sqrt(area)
                       : sheet > 0                  ? sheet
                                                    : shape->data->def.thickness;
        if (!(thick > 0.5 * size) || size == 0) continue;
        pli_path entry = pli_path_index(PLI_KEY(at, "energies"), i);
        char text[120];
        pli_format(text, sizeof text, "is %.3g m thick, and the whole body %.3g m long", thick,
                   size);
        return PLI_WARN(b->findings, &entry, error,
                        "energy \"%s\" %s: it is for thin bodies; check the units, or use a solid",
                        type->name, text);
    }
    return PLI_OK;
}

pli_status pli_check_thin(pli_builder* b, const pli_shape* shape, const pli_path* at,
                          pli_error* error) {
    const int* count = shape->mesh.element_count;
    PLI_TRY(check_clamped(b, shape, at, error));
    PLI_TRY(check_needed(b, shape, at, error));
    if (count[PLI_TETRAHEDRON] + count[PLI_TETRAHEDRON10] > 0) return PLI_OK;
    int errors = b->findings->error_count;
    PLI_TRY(check_sides(b, shape, at, error));
    if (b->findings->error_count > errors) return PLI_OK;
    PLI_TRY(check_roles(b, shape, at, error));
    return check_slender(b, shape, at, error);
}
