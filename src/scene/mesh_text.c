// A mesh from the JSON that a scene would write for it: all shapes and keys of scenes, for programs
// and bindings that build worlds by themselves.
#include "base/text.h"
#include "scene/mesh_kinds.h"
#include "scene/reader.h"
#include "scene/source.h"
#include "scene/tables.h"

#include <string.h>

// All errors in one, at the place of the first.
static pli_status join_errors(pli_findings* findings, pli_error* error) {
    PLI_TRY(pli_findings_finish(findings, error));
    char text[sizeof error->message] = "";
    const pli_finding* first = NULL;
    for (int i = 0; i < findings->count; ++i) {
        const pli_finding* f = &findings->items[i];
        if (f->severity != PLI_ERROR) continue;
        size_t used = strlen(text);
        pli_format(text + used, sizeof text - used, "%s%s", first ? "; " : "", f->message);
        if (!first) first = f;
    }
    if (!first) return PLI_OK;
    pli_status status = pli_fail(error, PLI_E_SCENE, "mesh: %s", text);
    error->line = first->line;
    error->column = first->column;
    return status;
}

// Adds to `mesh`, which is empty. *arena holds what was read.
static pli_status build(const char* text, int dimension, pli_arena* arena, pli_findings* findings,
                        pli_mesh* mesh, pli_error* error) {
    const pli_catalog catalog = {0};
    pli_scene_reader reader = {.arena = arena,
                               .kept = arena,
                               .findings = findings,
                               .catalog = &catalog,
                               .dimension = dimension};
    json_t* root = NULL;
    pli_tagged read = {.variant = -1};
    pli_status status = pli_source_parse(findings, strlen(text), &root, error);
    if (status == PLI_OK && root)
        status = pli_read_section(&reader, &pli_mesh_section, root, NULL, &read, error);
    if (status == PLI_OK && findings->error_count == 0 && read.variant >= 0)
        status = pli_mesh_build(&read, "", NULL, findings, mesh, error);
    json_decref(root); // texts of `read` point into it
    return status == PLI_OK ? join_errors(findings, error) : status;
}

pli_status pli_scene_mesh(const char* text, int dimension, pli_mesh* out, pli_error* error) {
    pli_error unused = {0};
    if (!error) error = &unused;
    if (!text || !out || dimension < 2 || dimension > 3)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "a mesh from text needs the text, a mesh and the dimension 2 or 3");
    if (out->vertex_count > 0)
        return pli_fail(error, PLI_E_ARGUMENT, "the mesh for a mesh from text must be empty");
    pli_memory memory;
    pli_memory_init(&memory, out->allocator);
    pli_arena arena;
    pli_arena_init(&arena, &memory);
    pli_findings findings;
    pli_findings_init(&findings, &memory);
    findings.source.text = text;
    pli_mesh mesh;
    pli_mesh_init(&mesh, out->allocator);
    pli_status status = build(text, dimension, &arena, &findings, &mesh, error);
    if (status == PLI_OK) {
        pli_mesh_free(out);
        *out = mesh;
    } else {
        pli_mesh_free(&mesh);
    }
    pli_findings_free(&findings);
    pli_arena_free(&arena);
    return status;
}
