// Mesh files of every kind: the first byte says which. A file is read or refused; a refused one
// leaves nothing behind, and memory is in proportion to the file.
#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "pliant/mesh.h"

// By their names. Of TetGen both files, the second behind a zero byte; the last by its first bytes.
static const char* const names[] = {"a.obj", "a.msh", "a.vtk", "a.vtu", "a.mesh", "a.node",
                                    "a.stl", "a.ply", "a.off", "a.seg", "a"};
enum { KINDS = sizeof names / sizeof *names, TETGEN = 5 };

static const char* write_files(int kind, const uint8_t* data, size_t size) {
    const uint8_t* zero = kind == TETGEN && size > 0 ? memchr(data, 0, size) : NULL;
    if (zero) {
        pli_fuzz_file("a.ele", zero + 1, (size_t)(data + size - zero) - 1);
        size = (size_t)(zero - data);
    } else if (kind == TETGEN) {
        pli_fuzz_file("a.ele", (const uint8_t*)"0 4 0\n", 6);
    }
    return pli_fuzz_file(names[kind], data, size);
}

static void check_groups(const pli_mesh* mesh) {
    for (int i = 0; i < mesh->group_count; ++i) {
        const pli_mesh_group* g = &mesh->groups[i];
        HOLDS(g->name[0] && memchr(g->name, 0, sizeof g->name) && g->dim >= 0 && g->dim <= 3);
        HOLDS(g->vertex_count > 0);
        for (int k = 0; k < g->vertex_count; ++k)
            HOLDS(g->vertices[k] > (k ? g->vertices[k - 1] : -1) &&
                  g->vertices[k] < mesh->vertex_count);
    }
}

static void check_mesh(const pli_mesh* mesh) {
    HOLDS(mesh->vertex_count > 0);
    for (int i = 0; i < 3 * mesh->vertex_count; ++i) HOLDS(isfinite(mesh->positions[i]));
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        int entries = mesh->element_count[kind] * pli_element_size((pli_element_kind)kind);
        for (int i = 0; i < entries; ++i)
            HOLDS(mesh->elements[kind][i] >= 0 && mesh->elements[kind][i] < mesh->vertex_count);
    }
    check_groups(mesh);
}

static void note_defect(void* context, bool grave, const char* message) {
    HOLDS(message[0]);
    *(int*)context += grave;
}

// What is read can be looked at, written and made quadratic, whatever its elements are.
static void use(pli_mesh* mesh) {
    pli_mesh_summary summary;
    pli_error error = {0};
    char place[64];
    int grave = 0;
    check_mesh(mesh);
    for (int i = 0; i < pli_mesh_note_count(mesh); ++i) HOLDS(pli_mesh_note(mesh, i)[0]);
    pli_mesh_place(mesh, PLI_VERTEX, 0, place, sizeof place);
    if (pli_mesh_summarize(mesh, &summary, &error) != PLI_OK) HOLDS(error.status == PLI_E_MEMORY);
    if (pli_mesh_find_defects(mesh, 3, note_defect, &grave, &error) != PLI_OK)
        HOLDS(error.status == PLI_E_MEMORY);
    if (pli_mesh_make_quadratic(mesh, &error) != PLI_OK) HOLDS(error.status == PLI_E_MEMORY);
    check_mesh(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    int kind = data[0] % KINDS;
    // A multiple of the file (hash tables, places, doubling; data that zlib had made smaller).
    pli_fuzz_memory memory = {.limit = 4000 * size + 600000};
    const pli_allocator allocator = pli_fuzz_allocator(&memory);
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, &allocator);
    pli_status status = pli_mesh_read(&mesh, write_files(kind, data + 1, size - 1), &error);
    HOLDS(status == PLI_OK || (status == PLI_E_SCENE && error.message[0]));
    if (status == PLI_OK)
        use(&mesh);
    else
        HOLDS(mesh.vertex_count == 0 && mesh.group_count == 0);
    pli_mesh_free(&mesh);
    HOLDS(memory.bytes == 0);
    return 0;
}
