// Checks of one body.
#include "scene/check.h"

#include "base/text.h"
#include "mesh/measure.h"
#include "mesh/quality.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

enum { DEFECT_KINDS = PLI_DEFECT_SAME_PLACE + 1 };

typedef struct defects {
    pli_tally tallies[DEFECT_KINDS][PLI_ELEMENT_KIND_COUNT];
    pli_defect first[DEFECT_KINDS][PLI_ELEMENT_KIND_COUNT];
} defects;

static void count_defect(void* context, const pli_defect* defect) {
    defects* d = context;
    pli_tally* t = &d->tallies[defect->kind][defect->element_kind];
    if (t->count == 0) d->first[defect->kind][defect->element_kind] = *defect;
    pli_tally_add(t, defect->element);
}

// One finding per kind of defect and element: the first in words, the numbers of the others.
static pli_status report_defects(pli_builder* b, const defects* d, const char* when,
                                 const pli_path* at, pli_error* error) {
    for (int i = 0; i < DEFECT_KINDS * PLI_ELEMENT_KIND_COUNT; ++i) {
        int kind = i / PLI_ELEMENT_KIND_COUNT, element = i % PLI_ELEMENT_KIND_COUNT;
        const pli_tally* t = &d->tallies[kind][element];
        if (t->count == 0) continue;
        char text[200], numbers[PLI_TALLY_SIZE];
        pli_defect_text(&d->first[kind][element], text, sizeof text);
        pli_severity severity = kind == PLI_DEFECT_SAME_PLACE ? PLI_WARNING : PLI_ERROR;
        PLI_TRY(pli_finding_add(b->findings, severity, at, PLI_AT_VALUE, error, "%s%s%s%s", when,
                                text, t->count > 1 ? "; the same is wrong with " : "",
                                pli_tally_text(t, 1, numbers)));
    }
    return PLI_OK;
}

static int element_count(const pli_mesh* mesh, pli_element_kind kind) {
    return kind == PLI_VERTEX ? mesh->vertex_count : mesh->element_count[kind];
}

// At rest everything counts; at the start only what an energy lies over, because springs may well
// start turned over.
static pli_status check_elements(pli_builder* b, const pli_shape_of_body* shape, const pli_path* at,
                                 pli_error* error) {
    const int dim = b->scene->world.dimension;
    pli_path mesh_key = pli_path_key(at, "mesh"), stretch_key = pli_path_key(at, "stretch");
    defects rest = {0}, start = {0};
    int errors = b->findings->error_count;
    PLI_TRY(pli_mesh_check(b->memory, &shape->mesh, dim, count_defect, &rest, error));
    PLI_TRY(report_defects(b, &rest, "", &mesh_key, error));
    if (b->findings->error_count > errors) return PLI_OK;
    pli_mesh moved = shape->mesh;
    moved.positions = shape->initial;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        bool used = false;
        const pli_tagged* energies = shape->data->energies.items;
        for (int i = 0; i < shape->data->energies.count; ++i) {
            const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
            used |= type && (int)type->element == kind;
        }
        if (!used) moved.element_count[kind] = 0;
    }
    PLI_TRY(pli_mesh_check(b->memory, &moved, dim, count_defect, &start, error));
    memset(start.tallies[PLI_DEFECT_SAME_PLACE], 0, sizeof start.tallies[PLI_DEFECT_SAME_PLACE]);
    return report_defects(b, &start, "at t = 0: ", &stretch_key, error);
}

// ---- masses

static void mark_fixed(const pli_builder* b, const pli_shape_of_body* shape, bool* marks) {
    const pli_fix_data* fix = shape->data->fix.items;
    for (int i = 0; i < shape->data->fix.count; ++i) {
        bool all = fix[i].normal[0] == 0 && fix[i].normal[1] == 0 && fix[i].normal[2] == 0;
        for (int c = 0; c < b->scene->world.dimension; ++c) all &= fix[i].axes[c];
        for (int k = 0; all && k < shape->fix[i].count; ++k)
            marks[shape->fix[i].vertices ? shape->fix[i].vertices[k] : k] = true;
    }
}

static void mark_elements(const pli_mesh* mesh, pli_element_kind kind, bool* marks) {
    for (int i = 0; i < mesh->element_count[kind] * pli_element_size(kind); ++i)
        marks[mesh->elements[kind][i]] = true;
}

// Density gives mass to the vertices of tetrahedra or else of triangles.
static pli_status check_mass(pli_builder* b, const pli_shape_of_body* shape, const pli_path* at,
                             pli_error* error) {
    const pli_mesh* mesh = &shape->mesh;
    if (shape->data->def.vertex_mass > 0) return PLI_OK;
    pli_element_kind kind = mesh->element_count[PLI_TETRAHEDRON] ? PLI_TETRAHEDRON : PLI_TRIANGLE;
    pli_path key = pli_path_key(at, "vertex_mass");
    if (mesh->element_count[kind] == 0)
        return PLI_FIND(b->findings, &key, error,
                        "the mesh has no triangles, so density gives it no mass: set vertex_mass");
    if (strcmp(shape->data->def.mass, "even") == 0) return PLI_OK;
    bool* marks;
    PLI_TRY(PLI_TAKE(b->arena, marks, mesh->vertex_count, error));
    mark_fixed(b, shape, marks);
    mark_elements(mesh, kind, marks);
    pli_tally bare = {0};
    for (int v = 0; v < mesh->vertex_count; ++v)
        if (!marks[v]) pli_tally_add(&bare, v);
    if (bare.count == 0) return PLI_OK;
    char numbers[PLI_TALLY_SIZE];
    return PLI_FIND(b->findings, &key, error,
                    "%d of %d vertices have no mass, because they belong to no %s: %s; remove or "
                    "fix them, set vertex_mass, or write \"mass\": \"even\"",
                    bare.count, mesh->vertex_count, pli_element_word(kind),
                    pli_tally_text(&bare, 0, numbers));
}

// ---- energies

static pli_status check_energies(pli_builder* b, const pli_shape_of_body* shape, const pli_path* at,
                                 pli_error* error) {
    const pli_tagged* energies = shape->data->energies.items;
    const int dim = b->scene->world.dimension;
    pli_path list = pli_path_key(at, "energies");
    int elements = 0;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        elements += shape->mesh.element_count[kind];
    if (shape->data->energies.count == 0 && elements > 0)
        PLI_TRY(pli_finding_add(b->findings, PLI_WARNING, at, PLI_AT_VALUE, error,
                                "it has no energies, so nothing holds its vertices together"));
    for (int i = 0; i < shape->data->energies.count; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        pli_path entry = pli_path_index(&list, i);
        if (!type) continue;
        if (!(type->dims & (1u << dim)))
            PLI_TRY(PLI_FIND(b->findings, &entry, error,
                             "energy \"%s\" does not work in dimension %d", type->name, dim));
        else if (element_count(&shape->mesh, type->element) == 0)
            PLI_TRY(PLI_FIND(b->findings, &entry, error,
                             "energy \"%s\" lies over each %s, but the mesh has none", type->name,
                             pli_element_word(type->element)));
    }
    return PLI_OK;
}

// ---- contact with itself

// Bodies whose edges are shorter than dhat repel themselves at rest.
static pli_status check_dhat(pli_builder* b, const pli_shape_of_body* shape, const pli_path* at,
                             pli_error* error) {
    const pli_contact_def* contact = &b->scene->world.contact;
    const pli_mesh* mesh = &shape->mesh;
    if (!contact->bodies || !shape->data->def.contact_bodies || contact->dhat <= 0) return PLI_OK;
    double shortest = HUGE_VAL;
    for (int i = 0; i < mesh->element_count[PLI_TRIANGLE] * 3; ++i) {
        const int32_t* corner = &mesh->elements[PLI_TRIANGLE][i / 3 * 3];
        int32_t edge[2] = {corner[i % 3], corner[(i + 1) % 3]};
        shortest = fmin(shortest, pli_element_measure(b->scene->world.dimension, PLI_SEGMENT, edge,
                                                      mesh->positions));
    }
    if (shortest > contact->dhat) return PLI_OK;
    char length[PLI_NUMBER_SIZE], dhat[PLI_NUMBER_SIZE];
    pli_format(length, sizeof length, "%.3g", shortest);
    pli_format(dhat, sizeof dhat, "%.3g", contact->dhat);
    return pli_finding_add(b->findings, PLI_WARNING, at, PLI_AT_VALUE, error,
                           "its shortest edge (%s m) is not longer than contact.dhat (%s m), so it "
                           "repels itself at rest; make dhat smaller",
                           length, dhat);
}

pli_status pli_check_body(pli_builder* b, int body, pli_error* error) {
    const pli_shape_of_body* shape = &b->bodies[body];
    pli_path list, at = pli_body_path(b, body, &list);
    if (!shape->sound) return PLI_OK;
    PLI_TRY(check_elements(b, shape, &at, error));
    PLI_TRY(check_mass(b, shape, &at, error));
    PLI_TRY(check_energies(b, shape, &at, error));
    return check_dhat(b, shape, &at, error);
}
