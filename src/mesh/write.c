// Mesh files as text, each complete or absent.
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "mesh/build.h"
#include "mesh/measure.h"
#include "mesh/scan.h"
#include "mesh/vtk_cells.h"
#include "mesh/vtu_xml.h"
#include "pliant/mesh.h"

static void put_position(pli_file* file, const double* p) {
    for (int i = 0; i < 3; ++i) {
        if (i) pli_file_text(file, " ");
        pli_file_number(file, p[i]);
    }
    pli_file_text(file, "\n");
}

static int64_t count_elements(const pli_mesh* mesh) {
    int64_t count = 0;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        count += mesh->element_count[kind];
    return count;
}

// The vertices of one element, counted from `base`; `order` (or NULL) is their permutation.
static void put_vertices(pli_file* file, const pli_mesh* mesh, int kind, int element, int base,
                         const int* order) {
    int width = pli_element_size((pli_element_kind)kind);
    const int32_t* v = mesh->elements[kind] + (size_t)width * (size_t)element;
    for (int i = 0; i < width; ++i)
        PLI_FILE_PRINT(file, "%s%d", i ? " " : "", (int)v[order ? order[i] : i] + base);
}

// ---- VTU

// Each group as an array over the vertices: 1 inside, 0 outside.
static void put_vtu_group(pli_file* file, const pli_mesh* mesh, const pli_mesh_group* g) {
    char name[sizeof PLI_GROUP_PREFIX + sizeof g->name], attributes[64];
    pli_format(name, sizeof name, PLI_GROUP_PREFIX "%s", g->name);
    pli_format(attributes, sizeof attributes, " pliant_dim=\"%d\" pliant_tag=\"%d\"", g->dim,
               (int)g->tag);
    pli_vtu_xml_text_array(file, &(pli_vtu_xml_array){"UInt8", name, 1, attributes});
    for (int v = 0, next = 0; v < mesh->vertex_count; ++v) {
        bool in = next < g->vertex_count && g->vertices[next] == v;
        next += in;
        pli_file_text(file, in ? "1\n" : "0\n");
    }
    pli_vtu_xml_close(file, "DataArray");
}

// One number or row of numbers per cell.
static void put_vtu_cells(pli_file* file, const pli_mesh* mesh, const char* type,
                          const char* name) {
    uint64_t end = 0;
    pli_vtu_xml_text_array(file, &(pli_vtu_xml_array){type, name, 1, NULL});
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            end += (uint64_t)pli_element_size((pli_element_kind)kind);
            if (*name == 'c')
                put_vertices(file, mesh, kind, e, 0, NULL);
            else
                pli_file_count(file, *name == 'o' ? end : pli_vtk_types[kind]);
            pli_file_text(file, "\n");
        }
    pli_vtu_xml_close(file, "DataArray");
}

static pli_status write_vtu(const pli_mesh* mesh, pli_file* file, pli_error* error) {
    (void)error;
    pli_vtu_xml_begin(file, "");
    pli_vtu_xml_piece(file, mesh->vertex_count, count_elements(mesh));
    if (mesh->group_count > 0) pli_vtu_xml_open(file, "PointData");
    for (int i = 0; i < mesh->group_count; ++i) put_vtu_group(file, mesh, &mesh->groups[i]);
    if (mesh->group_count > 0) pli_vtu_xml_close(file, "PointData");
    pli_vtu_xml_open(file, "Points");
    pli_vtu_xml_text_array(file, &(pli_vtu_xml_array){"Float64", "Points", 3, NULL});
    for (int v = 0; v < mesh->vertex_count; ++v)
        put_position(file, mesh->positions + 3 * (size_t)v);
    pli_vtu_xml_close(file, "DataArray");
    pli_vtu_xml_close(file, "Points");
    pli_vtu_xml_open(file, "Cells");
    put_vtu_cells(file, mesh, "Int64", "connectivity");
    put_vtu_cells(file, mesh, "Int64", "offsets");
    put_vtu_cells(file, mesh, "UInt8", "types");
    pli_vtu_xml_close(file, "Cells");
    pli_vtu_xml_end_piece(file);
    pli_vtu_xml_end(file);
    return PLI_OK;
}

// ---- Gmsh

static const int gmsh_types[PLI_ELEMENT_KIND_COUNT] = {15, 1, 2, 4, 9, 11};

// Physical groups consist of elements. A group whose vertices are those of free elements of its
// dimension takes these; any other is written as points, so that no vertex is lost or added.
typedef struct gmsh_groups {
    const pli_mesh* mesh;
    pli_memory* memory;
    int32_t* owner[PLI_ELEMENT_KIND_COUNT]; // tag of the group of each element, 0: none
    int32_t* tag;                           // per group
    bool* as_points;                        // per group
    int8_t* state;                          // per vertex: 1 in the current group, 2 also covered
} gmsh_groups;

static void free_gmsh_groups(gmsh_groups* g) {
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        PLI_FREE(g->memory, g->owner[kind], g->mesh->element_count[kind]);
    PLI_FREE(g->memory, g->tag, g->mesh->group_count);
    PLI_FREE(g->memory, g->as_points, g->mesh->group_count);
    PLI_FREE(g->memory, g->state, g->mesh->vertex_count);
}

// Its own tag if no other group has it, otherwise the lowest unused one.
static int32_t choose_tag(const gmsh_groups* g, int group) {
    const pli_mesh* mesh = g->mesh;
    int32_t tag = mesh->groups[group].tag, fresh = 0;
    bool taken = tag <= 0;
    for (int i = 0; i < group && !taken; ++i) taken = g->tag[i] == tag;
    if (!taken) return tag;
    do {
        ++fresh;
        taken = false;
        for (int i = 0; i < mesh->group_count && !taken; ++i)
            taken = mesh->groups[i].tag == fresh || (i < group && g->tag[i] == fresh);
    } while (taken);
    return fresh;
}

// Sets the owner of all elements of one kind that are in the group from `from` to `to`; returns the
// number of vertices that became covered.
static int claim(gmsh_groups* g, int kind, int32_t from, int32_t to) {
    size_t width = (size_t)pli_element_size((pli_element_kind)kind);
    int covered = 0;
    for (int e = 0; e < g->mesh->element_count[kind]; ++e) {
        const int32_t* v = g->mesh->elements[kind] + width * (size_t)e;
        bool inside = g->owner[kind][e] == from;
        for (size_t i = 0; i < width && inside; ++i) inside = g->state[v[i]] > 0;
        if (!inside) continue;
        g->owner[kind][e] = to;
        for (size_t i = 0; i < width; ++i) {
            covered += g->state[v[i]] == 1;
            g->state[v[i]] = 2;
        }
    }
    return covered;
}

static void place_group(gmsh_groups* g, int group) {
    const pli_mesh_group* own = &g->mesh->groups[group];
    int covered = 0;
    g->tag[group] = choose_tag(g, group);
    for (int i = 0; i < own->vertex_count; ++i) g->state[own->vertices[i]] = 1;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        if (pli_element_dimension((pli_element_kind)kind) == own->dim)
            covered += claim(g, kind, 0, -1);
    g->as_points[group] = covered < own->vertex_count;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        (void)claim(g, kind, -1, g->as_points[group] ? 0 : g->tag[group]);
    for (int i = 0; i < own->vertex_count; ++i) g->state[own->vertices[i]] = 0;
}

static pli_status place_groups(gmsh_groups* g, pli_error* error) {
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        PLI_TRY(PLI_ALLOC(g->memory, g->owner[kind], g->mesh->element_count[kind], error));
    PLI_TRY(PLI_ALLOC(g->memory, g->tag, g->mesh->group_count, error));
    PLI_TRY(PLI_ALLOC(g->memory, g->as_points, g->mesh->group_count, error));
    PLI_TRY(PLI_ALLOC(g->memory, g->state, g->mesh->vertex_count, error));
    for (int i = 0; i < g->mesh->group_count; ++i) place_group(g, i);
    return PLI_OK;
}

// Names end at a quotation mark.
static void put_gmsh_names(const gmsh_groups* g, pli_file* file) {
    if (g->mesh->group_count == 0) return;
    PLI_FILE_PRINT(file, "$PhysicalNames\n%d\n", g->mesh->group_count);
    for (int i = 0; i < g->mesh->group_count; ++i) {
        const pli_mesh_group* group = &g->mesh->groups[i];
        PLI_FILE_PRINT(file, "%d %d \"", g->as_points[i] ? 0 : group->dim, (int)g->tag[i]);
        for (const char* c = group->name; *c; ++c)
            pli_file_write(file, *c == '"' ? "'" : (unsigned char)*c < ' ' ? " " : c, 1);
        pli_file_text(file, "\"\n");
    }
    pli_file_text(file, "$EndPhysicalNames\n");
}

static void put_gmsh_elements(const gmsh_groups* g, pli_file* file) {
    static const int order[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}; // of the quadratic tetrahedron
    const pli_mesh* mesh = g->mesh;
    long long number = 0, count = count_elements(mesh);
    for (int i = 0; i < mesh->group_count; ++i)
        count += g->as_points[i] ? mesh->groups[i].vertex_count : 0;
    PLI_FILE_PRINT(file, "$Elements\n%lld\n", count);
    for (int i = 0; i < mesh->group_count; ++i)
        for (int k = 0; g->as_points[i] && k < mesh->groups[i].vertex_count; ++k)
            PLI_FILE_PRINT(file, "%lld %d 2 %d 1 %d\n", ++number, gmsh_types[PLI_VERTEX],
                           (int)g->tag[i], (int)mesh->groups[i].vertices[k] + 1);
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            PLI_FILE_PRINT(file, "%lld %d 2 %d 1 ", ++number, gmsh_types[kind],
                           (int)g->owner[kind][e]);
            put_vertices(file, mesh, kind, e, 1, kind == PLI_TETRAHEDRON10 ? order : NULL);
            pli_file_text(file, "\n");
        }
    pli_file_text(file, "$EndElements\n");
}

static pli_status write_gmsh(const pli_mesh* mesh, pli_file* file, pli_error* error) {
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    gmsh_groups g = {.mesh = mesh, .memory = &memory};
    pli_status status = place_groups(&g, error);
    if (status == PLI_OK) {
        pli_file_text(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
        put_gmsh_names(&g, file);
        PLI_FILE_PRINT(file, "$Nodes\n%d\n", mesh->vertex_count);
        for (int v = 0; v < mesh->vertex_count; ++v) {
            PLI_FILE_PRINT(file, "%d ", v + 1);
            put_position(file, mesh->positions + 3 * (size_t)v);
        }
        pli_file_text(file, "$EndNodes\n");
        put_gmsh_elements(&g, file);
    }
    free_gmsh_groups(&g);
    return status;
}

// ---- OBJ, which cannot store groups of vertices

static pli_status write_obj(const pli_mesh* mesh, pli_file* file, pli_error* error) {
    (void)error;
    for (int v = 0; v < mesh->vertex_count; ++v) {
        pli_file_text(file, "v ");
        put_position(file, mesh->positions + 3 * (size_t)v);
    }
    for (int kind = PLI_SEGMENT; kind <= PLI_TRIANGLE; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            pli_file_text(file, kind == PLI_SEGMENT ? "l " : "f ");
            put_vertices(file, mesh, kind, e, 1, NULL);
            pli_file_text(file, "\n");
        }
    return PLI_OK;
}

// ---- the table

typedef struct format {
    const char* extension;
    pli_element_kind highest; // the highest kind it can hold
    pli_status (*write)(const pli_mesh* mesh, pli_file* file, pli_error* error);
} format;

static const format formats[] = {
    {".vtu", PLI_TETRAHEDRON10, write_vtu},
    {".msh", PLI_TETRAHEDRON10, write_gmsh},
    {".obj", PLI_TRIANGLE, write_obj},
};

static pli_status find_format(const pli_mesh* mesh, const char* path, const format** found,
                              pli_error* error) {
    const char* dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; ++i)
        if (pli_same_word(formats[i].extension, dot)) *found = &formats[i];
    if (!*found)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "%s: meshes are written to files named .vtu, .msh or .obj", path);
    for (int kind = (int)(*found)->highest + 1; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        if (mesh->element_count[kind] > 0)
            return pli_fail(error, PLI_E_ARGUMENT, "%s: a %s file cannot hold a %s", path,
                            (*found)->extension, pli_element_word((pli_element_kind)kind));
    return PLI_OK;
}

pli_status pli_mesh_write(const pli_mesh* mesh, const char* path, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!path) return pli_fail(error, PLI_E_ARGUMENT, "mesh: path is NULL");
    const format* f = NULL;
    pli_file file;
    PLI_TRY(find_format(mesh, path, &f, error));
    PLI_TRY(pli_file_create(&file, "", path, error));
    pli_status status = f->write(mesh, &file, error);
    if (status == PLI_OK) return pli_file_commit(&file, error);
    pli_file_abandon(&file);
    return status;
}
