// Mesh files as text. Bytes go to "name.tmp" beside the final name, which is given only when all of
// them are written.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "mesh/measure.h"
#include "mesh/scan.h"
#include "pliant/mesh.h"

static void put_number(FILE* file, double value) {
    char text[PLI_NUMBER_SIZE];
    fputs(pli_format_double(value, text), file);
}

static void put_position(FILE* file, const double* p) {
    for (int i = 0; i < 3; ++i) {
        if (i) fputc(' ', file);
        put_number(file, p[i]);
    }
    fputc('\n', file);
}

static int64_t count_elements(const pli_mesh* mesh) {
    int64_t count = 0;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        count += mesh->element_count[kind];
    return count;
}

// The vertices of one element, counted from `base`; `order` (or NULL) says which comes where.
static void put_vertices(FILE* file, const pli_mesh* mesh, int kind, int element, int base,
                         const int* order) {
    int width = pli_element_size((pli_element_kind)kind);
    const int32_t* v = mesh->elements[kind] + (size_t)width * (size_t)element;
    for (int i = 0; i < width; ++i)
        fprintf(file, "%s%d", i ? " " : "", (int)v[order ? order[i] : i] + base);
}

// ---- the formats

static const int vtk_types[PLI_ELEMENT_KIND_COUNT] = {1, 3, 5, 10, 22, 24};
static const int gmsh_types[PLI_ELEMENT_KIND_COUNT] = {15, 1, 2, 4, 9, 11};

static void open_array(FILE* file, const char* type, const char* name, int components) {
    fprintf(file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n",
            type, name, components);
}

static void write_vtu(const pli_mesh* mesh, FILE* file) {
    long long end = 0;
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
            "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n"
            "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%lld\">\n<Points>\n",
            mesh->vertex_count, (long long)count_elements(mesh));
    open_array(file, "Float64", "Points", 3);
    for (int v = 0; v < mesh->vertex_count; ++v)
        put_position(file, mesh->positions + 3 * (size_t)v);
    fputs("</DataArray>\n</Points>\n<Cells>\n", file);
    open_array(file, "Int64", "connectivity", 1);
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            put_vertices(file, mesh, kind, e, 0, NULL);
            fputc('\n', file);
        }
    fputs("</DataArray>\n", file);
    open_array(file, "Int64", "offsets", 1);
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e)
            fprintf(file, "%lld\n", end += pli_element_size((pli_element_kind)kind));
    fputs("</DataArray>\n", file);
    open_array(file, "UInt8", "types", 1);
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) fprintf(file, "%d\n", vtk_types[kind]);
    fputs("</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", file);
}

static void write_gmsh(const pli_mesh* mesh, FILE* file) {
    static const int order[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}; // of the quadratic tetrahedron
    long long number = 0;
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", mesh->vertex_count);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        fprintf(file, "%d ", v + 1);
        put_position(file, mesh->positions + 3 * (size_t)v);
    }
    fprintf(file, "$EndNodes\n$Elements\n%lld\n", (long long)count_elements(mesh));
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            fprintf(file, "%lld %d 2 0 1 ", ++number, gmsh_types[kind]);
            put_vertices(file, mesh, kind, e, 1, kind == PLI_TETRAHEDRON10 ? order : NULL);
            fputc('\n', file);
        }
    fputs("$EndElements\n", file);
}

static void write_obj(const pli_mesh* mesh, FILE* file) {
    for (int v = 0; v < mesh->vertex_count; ++v) {
        fputs("v ", file);
        put_position(file, mesh->positions + 3 * (size_t)v);
    }
    for (int kind = PLI_SEGMENT; kind <= PLI_TRIANGLE; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            fputs(kind == PLI_SEGMENT ? "l " : "f ", file);
            put_vertices(file, mesh, kind, e, 1, NULL);
            fputc('\n', file);
        }
}

// ---- the table

typedef struct format {
    const char* extension;
    pli_element_kind highest; // kind that it can hold
    void (*write)(const pli_mesh* mesh, FILE* file);
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
    const format* f = NULL;
    char temporary[4096];
    PLI_TRY(find_format(mesh, path, &f, error));
    if (pli_format(temporary, sizeof temporary, "%s.tmp", path) >= (int)sizeof temporary)
        return pli_fail(error, PLI_E_IO, "the name of the file is too long");
    FILE* file = fopen(temporary, "wb");
    if (!file) return pli_fail(error, PLI_E_IO, "cannot write %s: %s", temporary, strerror(errno));
    f->write(mesh, file);
    bool good = fflush(file) == 0 && !ferror(file);
    int code = errno;
    good = fclose(file) == 0 && good;
    if (good) {
        good = rename(temporary, path) == 0;
        code = errno;
    }
    if (good) return PLI_OK;
    remove(temporary);
    return pli_fail(error, PLI_E_IO, "cannot write %s: %s", path, strerror(code));
}
