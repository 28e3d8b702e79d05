// Meshes: vertices, elements, groups, and information about their file.
#include "mesh/build.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "mesh/measure.h"
#include "pliant/mesh.h"

enum { MAX_COUNT = INT32_MAX / 12 }; // 3 coordinates or 10 vertices each must still fit an int

void pli_mesh_init(pli_mesh* mesh, const pli_allocator* allocator) {
    if (mesh) *mesh = (pli_mesh){.allocator = allocator};
}

void pli_mesh_free(pli_mesh* mesh) {
    if (!mesh) return;
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    PLI_FREE(&memory, mesh->positions, 3 * mesh->vertex_capacity);
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        PLI_FREE(&memory, mesh->elements[kind],
                 pli_element_size((pli_element_kind)kind) * mesh->element_capacity[kind]);
    pli_mesh_cut_groups(mesh, 0);
    PLI_FREE(&memory, mesh->groups, mesh->group_capacity);
    pli_mesh_source_destroy(mesh);
    pli_mesh_init(mesh, mesh->allocator);
}

static pli_status check_count(const char* what, int old, int64_t count, pli_error* error) {
    if (count >= 0 && count <= MAX_COUNT - old) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "mesh: %lld more %s, added to %d, must be 0 to %d in total", (long long)count,
                    what, old, MAX_COUNT);
}

pli_status pli_mesh_reserve_vertices(pli_mesh* mesh, int64_t count, pli_error* error) {
    PLI_TRY(check_count("vertices", mesh->vertex_count, count, error));
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    return pli_grow(&memory, &mesh->positions, 3 * sizeof *mesh->positions, &mesh->vertex_capacity,
                    mesh->vertex_count + (int)count, error);
}

pli_status pli_mesh_reserve_elements(pli_mesh* mesh, pli_element_kind kind, int64_t count,
                                     pli_error* error) {
    PLI_TRY(check_count("elements", mesh->element_count[kind], count, error));
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    return pli_grow(&memory, &mesh->elements[kind],
                    (size_t)pli_element_size(kind) * sizeof **mesh->elements,
                    &mesh->element_capacity[kind], mesh->element_count[kind] + (int)count, error);
}

void pli_mesh_put_vertex(pli_mesh* mesh, double x, double y, double z) {
    PLI_ASSERT(mesh->vertex_count < mesh->vertex_capacity);
    double* position = mesh->positions + 3 * (size_t)mesh->vertex_count++;
    position[0] = x;
    position[1] = y;
    position[2] = z;
}

void pli_mesh_put_element(pli_mesh* mesh, pli_element_kind kind, const int32_t* vertices) {
    PLI_ASSERT(mesh->element_count[kind] < mesh->element_capacity[kind]);
    size_t width = (size_t)pli_element_size(kind), e = (size_t)mesh->element_count[kind]++;
    memcpy(mesh->elements[kind] + width * e, vertices, width * sizeof *vertices);
}

pli_status pli_mesh_add_vertices(pli_mesh* mesh, int count, const double* positions, int* first,
                                 pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (count < 0 || (count > 0 && !positions))
        return pli_fail(error, PLI_E_ARGUMENT, "mesh: %d vertices without positions", count);
    size_t bytes = 3 * sizeof *positions * (size_t)mesh->vertex_count;
    ptrdiff_t own = pli_offset_in(positions, mesh->positions, bytes);
    PLI_TRY(pli_mesh_reserve_vertices(mesh, count, error));
    if (own >= 0) positions = mesh->positions + own / (ptrdiff_t)sizeof *positions;
    for (int i = 0; i < 3 * count; ++i)
        if (!isfinite(positions[i]))
            return pli_fail(error, PLI_E_ARGUMENT, "vertex %d: coordinate %c is not finite",
                            mesh->vertex_count + i / 3, "xyz"[i % 3]);
    if (first) *first = mesh->vertex_count;
    for (int i = 0; i < count; ++i)
        pli_mesh_put_vertex(mesh, positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    return PLI_OK;
}

pli_status pli_mesh_add_elements(pli_mesh* mesh, pli_element_kind kind, int count,
                                 const int32_t* vertices, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (kind <= PLI_VERTEX || kind >= PLI_ELEMENT_KIND_COUNT)
        return pli_fail(error, PLI_E_ARGUMENT, "mesh: element kind = %d, must be %d to %d",
                        (int)kind, PLI_SEGMENT, PLI_ELEMENT_KIND_COUNT - 1);
    if (count < 0 || (count > 0 && !vertices))
        return pli_fail(error, PLI_E_ARGUMENT, "mesh: %d elements without vertices", count);
    int width = pli_element_size(kind);
    size_t bytes = sizeof *vertices * (size_t)width * (size_t)mesh->element_count[kind];
    ptrdiff_t own = pli_offset_in(vertices, mesh->elements[kind], bytes);
    PLI_TRY(pli_mesh_reserve_elements(mesh, kind, count, error));
    if (own >= 0) vertices = mesh->elements[kind] + own / (ptrdiff_t)sizeof *vertices;
    for (int i = 0; i < width * count; ++i)
        if (vertices[i] < 0 || vertices[i] >= mesh->vertex_count)
            return pli_fail(error, PLI_E_ARGUMENT, "%s %d: vertex %d, the mesh has %d",
                            pli_element_word(kind), mesh->element_count[kind] + i / width,
                            (int)vertices[i], mesh->vertex_count);
    for (int i = 0; i < count; ++i) pli_mesh_put_element(mesh, kind, vertices + width * i);
    return PLI_OK;
}

// ---- groups: their vertices are always sorted and distinct

// The group of this name and dimension, -1 if there is none. Names are compared after truncation.
static int find_exactly(const pli_mesh* mesh, const char* name, int dim) {
    for (int i = 0; i < mesh->group_count; ++i)
        if (mesh->groups[i].dim == dim && strcmp(mesh->groups[i].name, name) == 0) return i;
    return -1;
}

// A name that is too long is truncated between characters.
static void cut_name(const char* name, char out[PLI_MESH_NAME_SIZE]) {
    size_t n = 0;
    while (n < PLI_MESH_NAME_SIZE - 1 && name[n]) ++n;
    while (n > 0 && (name[n] & 0xC0) == 0x80) --n;
    memset(out, 0, PLI_MESH_NAME_SIZE);
    memcpy(out, name, n);
}

// The group with room for `count` more vertices; created if it does not exist.
static pli_status make_room(pli_mesh* mesh, const char* name, int dim, int64_t count, int* group,
                            pli_error* error) {
    pli_memory memory;
    char cut[PLI_MESH_NAME_SIZE];
    pli_memory_init(&memory, mesh->allocator);
    cut_name(name, cut);
    int at = find_exactly(mesh, cut, dim);
    if (count > INT32_MAX - (at < 0 ? 0 : mesh->groups[at].vertex_count))
        return pli_fail(error, PLI_E_MEMORY, "group \"%s\": more than %d vertices", cut, INT32_MAX);
    if (at < 0) {
        at = mesh->group_count;
        PLI_TRY(PLI_GROW(&memory, mesh->groups, mesh->group_capacity, at + 1, error));
        mesh->groups[at] = (pli_mesh_group){.dim = dim};
        memcpy(mesh->groups[at].name, cut, sizeof cut);
        mesh->group_count++;
    }
    pli_mesh_group* g = &mesh->groups[at];
    *group = at;
    return PLI_GROW(&memory, g->vertices, g->vertex_capacity, g->vertex_count + (int)count, error);
}

pli_status pli_mesh_reserve_groups(pli_mesh* mesh, pli_group_plan* plans, int count,
                                   pli_error* error) {
    int before = mesh->group_count;
    pli_status status = PLI_OK;
    for (int i = 0; i < count && status == PLI_OK; ++i)
        status =
            make_room(mesh, plans[i].name, plans[i].dim, plans[i].count, &plans[i].group, error);
    if (status != PLI_OK) pli_mesh_cut_groups(mesh, before);
    return status;
}

void pli_mesh_put_in_group(pli_mesh* mesh, int group, int32_t vertex) {
    pli_mesh_group* g = &mesh->groups[group];
    PLI_ASSERT(g->vertex_count < g->vertex_capacity);
    PLI_ASSERT(g->vertex_count == 0 || g->vertices[g->vertex_count - 1] < vertex);
    g->vertices[g->vertex_count++] = vertex;
}

void pli_mesh_put_on_sides(pli_mesh* mesh, const pli_group_plan* plans, int count, const bool* on) {
    for (int i = 0; i < count; ++i)
        if (on[i]) pli_mesh_put_in_group(mesh, plans[i].group, mesh->vertex_count - 1);
}

void pli_mesh_cut_groups(pli_mesh* mesh, int group_count) {
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    while (mesh->group_count > group_count) {
        pli_mesh_group* g = &mesh->groups[--mesh->group_count];
        PLI_FREE(&memory, g->vertices, g->vertex_capacity);
    }
    for (int i = 0; i < mesh->group_count; ++i) {
        pli_mesh_group* g = &mesh->groups[i];
        while (g->vertex_count > 0 && g->vertices[g->vertex_count - 1] >= mesh->vertex_count)
            g->vertex_count--;
    }
}

bool pli_group_has(const pli_mesh_group* g, int32_t vertex) {
    int low = 0, high = g->vertex_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (g->vertices[middle] < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->vertex_count && g->vertices[low] == vertex;
}

static pli_status check_group(const pli_mesh* mesh, const char* name, int dim, int count,
                              const int32_t* vertices, pli_error* error) {
    if (!name || !name[0]) return pli_fail(error, PLI_E_ARGUMENT, "mesh: a group has no name");
    if (dim < 0 || dim > 3)
        return pli_fail(error, PLI_E_ARGUMENT, "group \"%.63s\": dimension %d, must be 0 to 3",
                        name, dim);
    if (count < 0 || (count > 0 && !vertices))
        return pli_fail(error, PLI_E_ARGUMENT, "group \"%.63s\": %d vertices without a list", name,
                        count);
    for (int i = 0; i < count; ++i)
        if (vertices[i] < 0 || vertices[i] >= mesh->vertex_count)
            return pli_fail(error, PLI_E_ARGUMENT, "group \"%.63s\": vertex %d, the mesh has %d",
                            name, (int)vertices[i], mesh->vertex_count);
    return PLI_OK;
}

pli_status pli_mesh_add_group(pli_mesh* mesh, const char* name, int32_t tag, int dim, int count,
                              const int32_t* vertices, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!name) return pli_fail(error, PLI_E_ARGUMENT, "mesh: the name of the group is NULL");
    pli_memory memory;
    bool* marked = NULL;
    int group = -1, before = mesh->group_count, size = mesh->vertex_count;
    pli_status status;
    PLI_TRY(check_group(mesh, name, dim, count, vertices, error));
    pli_memory_init(&memory, mesh->allocator);
    bool rising = true; // as files and generators list them
    for (int i = 1; i < count && rising; ++i) rising = vertices[i - 1] < vertices[i];
    if (!rising) PLI_TRY(PLI_ALLOC(&memory, marked, size, error));
    ptrdiff_t own = -1; // the list may be that of a group, which moves
    int owner = -1;
    while (own < 0 && ++owner < before)
        own = pli_offset_in(vertices, mesh->groups[owner].vertices,
                            sizeof *vertices * (size_t)mesh->groups[owner].vertex_count);
    PLI_TRY_CLEANUP(status, make_room(mesh, name, dim, count, &group, error));
    if (own >= 0) vertices = mesh->groups[owner].vertices + own / (ptrdiff_t)sizeof *vertices;
    pli_mesh_group* g = &mesh->groups[group];
    if (g->tag == 0) g->tag = tag;
    int last = g->vertex_count > 0 ? g->vertices[g->vertex_count - 1] : -1;
    if (rising && (count == 0 || vertices[0] > last)) {
        for (int i = 0; i < count; ++i) g->vertices[g->vertex_count++] = vertices[i];
        goto cleanup;
    }
    if (!marked) PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, marked, size, error));
    for (int i = 0; i < g->vertex_count; ++i) marked[g->vertices[i]] = true;
    for (int i = 0; i < count; ++i) marked[vertices[i]] = true;
    g->vertex_count = 0;
    for (int v = 0; v < size; ++v)
        if (marked[v]) g->vertices[g->vertex_count++] = v;
cleanup:
    if (status != PLI_OK) pli_mesh_cut_groups(mesh, before);
    if (marked) PLI_FREE(&memory, marked, size);
    return status;
}

int pli_mesh_find_group(const pli_mesh* mesh, const char* name) {
    if (!mesh || !name) return -1;
    int solid = pli_mass_dimension(mesh->element_count), best = -1, best_rank = -1;
    char cut[PLI_MESH_NAME_SIZE];
    cut_name(name, cut);
    for (int i = 0; i < mesh->group_count; ++i) {
        const pli_mesh_group* g = &mesh->groups[i];
        int rank = g->dim < solid ? g->dim + 1 : 0;
        if (rank <= best_rank || strcmp(g->name, cut) != 0) continue;
        best = i;
        best_rank = rank;
    }
    return best;
}

// ---- source: notes and places of meshes from files

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

// ---- coincident vertices: neighbours after sorting by coordinates

typedef struct place_order {
    const double* x;
    int dim;
} place_order;

// By coordinates, then by number.
static bool before(const place_order* order, int32_t a, int32_t b) {
    const double *p = order->x + 3 * (size_t)a, *q = order->x + 3 * (size_t)b;
    for (int i = 0; i < order->dim; ++i)
        if (p[i] != q[i]) return p[i] < q[i];
    return a < b;
}

static void sift_down(const place_order* order, int32_t* heap, int root, int count) {
    int32_t value = heap[root];
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && before(order, heap[child], heap[child + 1])) ++child;
        if (!before(order, value, heap[child])) break;
        heap[root] = heap[child];
    }
    heap[root] = value;
}

// Heap sort: in place, so that all memory goes through the user's allocator.
static void sort_by_place(const place_order* order, int32_t* numbers, int count) {
    for (int i = count / 2 - 1; i >= 0; --i) sift_down(order, numbers, i, count);
    for (int end = count - 1; end > 0; --end) {
        int32_t last = numbers[end];
        numbers[end] = numbers[0];
        numbers[0] = last;
        sift_down(order, numbers, 0, end);
    }
}

pli_status pli_same_places(pli_memory* memory, int dim, int count, const double* x,
                           int32_t* partner, pli_error* error) {
    int32_t* sorted;
    place_order order = {x, dim};
    PLI_TRY(PLI_ALLOC(memory, sorted, count, error));
    for (int v = 0; v < count; ++v) sorted[v] = v;
    sort_by_place(&order, sorted, count);
    for (int i = 0; i < count; ++i) {
        int32_t v = sorted[i];
        partner[v] = v;
        if (i == 0) continue;
        const double *p = x + 3 * (size_t)v, *q = x + 3 * (size_t)sorted[i - 1];
        bool same = p[0] == q[0] && p[1] == q[1] && (dim == 2 || p[2] == q[2]);
        if (same) partner[v] = partner[sorted[i - 1]];
    }
    PLI_FREE(memory, sorted, count);
    return PLI_OK;
}
