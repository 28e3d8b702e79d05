// Notes and places of meshes from files.
#include "mesh/source.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

static pli_memory memory_of(const pli_mesh* mesh) {
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    return memory;
}

pli_status pli_mesh_source_create(pli_mesh* mesh, pli_error* error) {
    pli_memory memory = memory_of(mesh);
    return mesh->source ? PLI_OK : PLI_ALLOC(&memory, mesh->source, 1, error);
}

void pli_mesh_source_destroy(pli_mesh* mesh) {
    pli_memory memory = memory_of(mesh);
    pli_mesh_source* s = mesh->source;
    if (!s) return;
    for (int i = 0; i < s->note_count; ++i) pli_free_text(&memory, &s->notes[i]);
    PLI_FREE(&memory, s->notes, s->note_capacity);
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        PLI_FREE(&memory, s->places[kind], s->place_capacity[kind]);
    PLI_FREE(&memory, mesh->source, 1);
}

pli_status pli_mesh_source_put(pli_mesh* mesh, pli_element_kind kind, int index, int32_t place,
                               pli_error* error) {
    pli_memory memory = memory_of(mesh);
    pli_mesh_source* s = mesh->source;
    PLI_TRY(PLI_GROW(&memory, s->places[kind], s->place_capacity[kind], index + 1, error));
    for (int i = s->place_count[kind]; i < index; ++i) s->places[kind][i] = 0; // added by hand
    s->places[kind][index] = place;
    s->place_count[kind] = index + 1;
    return PLI_OK;
}

pli_status pli_mesh_source_note(pli_mesh* mesh, pli_error* error, const char* format, ...) {
    pli_memory memory = memory_of(mesh);
    pli_mesh_source* s = mesh->source;
    char text[480];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    PLI_TRY(PLI_GROW(&memory, s->notes, s->note_capacity, s->note_count + 1, error));
    PLI_TRY(pli_copy_text(&memory, text, &s->notes[s->note_count], error));
    s->note_count++;
    return PLI_OK;
}

void pli_mesh_source_cut(pli_mesh* mesh, int note_count) {
    pli_memory memory = memory_of(mesh);
    pli_mesh_source* s = mesh->source;
    while (s->note_count > note_count) pli_free_text(&memory, &s->notes[--s->note_count]);
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        int count = kind == PLI_VERTEX ? mesh->vertex_count : mesh->element_count[kind];
        s->place_count[kind] = pli_min_int(s->place_count[kind], count);
    }
}

int pli_mesh_note_count(const pli_mesh* mesh) {
    return mesh && mesh->source ? mesh->source->note_count : 0;
}

const char* pli_mesh_note(const pli_mesh* mesh, int i) {
    return i >= 0 && i < pli_mesh_note_count(mesh) ? mesh->source->notes[i] : NULL;
}

const char* pli_mesh_place(const pli_mesh* mesh, pli_element_kind kind, int index, char* buffer,
                           size_t size) {
    bool known = mesh && mesh->source && (int)kind >= 0 && kind < PLI_ELEMENT_KIND_COUNT &&
                 index >= 0 && index < mesh->source->place_count[kind];
    int32_t place = known ? mesh->source->places[kind][index] : 0;
    if (place > 0)
        pli_format(buffer, size, "line %d", (int)place);
    else if (place < 0)
        pli_format(buffer, size, "byte %d", (int)(-1 - place));
    else
        pli_format(buffer, size, "%s", "");
    return buffer;
}
