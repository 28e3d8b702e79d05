// STL, text and binary: triangles with separate corners; coincident corners are merged. Whether a
// file is binary is decided by its size alone, because binary files may start with "solid" too.
#include "mesh/build.h"
#include "mesh/reader.h"

enum { HEAD_SIZE = 80, FACET_SIZE = 50 };

// Adds the triangle of the last three vertices.
static pli_status put_facet(pli_reader* r) {
    int32_t last = r->mesh->vertex_count;
    return pli_reader_put_element(r, PLI_TRIANGLE, (int32_t[3]){last - 3, last - 2, last - 1},
                                  pli_scan_place(&r->scan));
}

static bool is_binary(const pli_scan* scan, int64_t* count) {
    return scan->size >= HEAD_SIZE + 4 &&
           pli_number_integer((pli_number_type){'u', 4}, !pli_little_endian(),
                              scan->text + HEAD_SIZE, count) &&
           (uint64_t)scan->size == HEAD_SIZE + 4 + FACET_SIZE * (uint64_t)*count;
}

static pli_status read_binary(pli_reader* r, int64_t count) {
    pli_scan* scan = &r->scan;
    scan->binary = scan->bytes = true;
    scan->swap = !pli_little_endian();
    scan->at = scan->text + HEAD_SIZE + 4; // is_binary: they exist
    for (int64_t i = 0; i < count; ++i) {
        PLI_TRY(pli_scan_skip_bytes(scan, 12, "a normal"));
        for (int k = 0; k < 3; ++k) PLI_TRY(pli_reader_read_vertex(r, PLI_FLOAT32, 3));
        PLI_TRY(put_facet(r));
        PLI_TRY(pli_scan_skip_bytes(scan, 2, "a facet"));
    }
    return PLI_OK;
}

// After "facet": normal x y z outer loop vertex .. vertex .. vertex .. endloop endfacet.
static pli_status read_facet(pli_reader* r) {
    pli_scan* scan = &r->scan;
    pli_word ignored; // normals may have any value, even nan
    PLI_TRY(pli_scan_expect(scan, "normal"));
    for (int k = 0; k < 3; ++k) PLI_TRY(pli_scan_word(scan, "a normal", &ignored));
    PLI_TRY(pli_scan_expect(scan, "outer"));
    PLI_TRY(pli_scan_expect(scan, "loop"));
    for (int k = 0; k < 3; ++k) {
        PLI_TRY(pli_scan_expect(scan, "vertex"));
        PLI_TRY(pli_reader_read_vertex(r, PLI_FLOAT64, 3));
    }
    PLI_TRY(pli_scan_expect(scan, "endloop"));
    PLI_TRY(pli_scan_expect(scan, "endfacet"));
    return put_facet(r);
}

// Whether the text begins with "solid", ignoring case and leading spaces.
static bool says_solid(const pli_scan* whole) {
    pli_scan scan = *whole;
    pli_scan_skip_space(&scan);
    pli_word word = pli_scan_peek(&scan);
    word.text[5] = 0;
    return pli_same_word(word.text, "solid");
}

static pli_status read_text(pli_reader* r) {
    pli_scan* scan = &r->scan;
    pli_scan_unify_lines(scan);
    for (pli_scan_skip_space(scan); !pli_scan_ended(scan); pli_scan_skip_space(scan)) {
        PLI_TRY(pli_scan_expect(scan, "solid"));
        pli_scan_skip_line(scan); // its name
        while (pli_scan_take(scan, "facet")) PLI_TRY(read_facet(r));
        PLI_TRY(pli_scan_expect(scan, "endsolid"));
        pli_scan_skip_line(scan);
    }
    return PLI_OK;
}

// Keeps the first of coincident vertices and removes the others.
static pli_status weld(pli_reader* r) {
    pli_mesh* mesh = r->mesh;
    int first = r->first_vertex, count = pli_reader_vertices(r), kept = 0;
    double* x = mesh->positions + 3 * (size_t)first;
    int32_t* number;
    PLI_TRY(PLI_ALLOC(r->memory, number, count, r->scan.error));
    pli_status status = pli_same_places(r->memory, 3, count, x, number, r->scan.error);
    for (int v = 0; status == PLI_OK && v < count; ++v) {
        if (number[v] != v) {
            number[v] = number[number[v]]; // a lower vertex: it already has its new number
            continue;
        }
        for (int i = 0; i < 3; ++i) x[3 * kept + i] = x[3 * v + i];
        int32_t* places = r->source->places[PLI_VERTEX] + first;
        places[kept] = places[v];
        number[v] = kept++;
    }
    int32_t* corners = mesh->elements[PLI_TRIANGLE];
    for (int i = 0; status == PLI_OK && i < 3 * mesh->element_count[PLI_TRIANGLE]; ++i)
        if (corners[i] >= first) corners[i] = first + number[corners[i] - first];
    if (status == PLI_OK) mesh->vertex_count = first + kept;
    PLI_FREE(r->memory, number, count);
    return status;
}

pli_status pli_read_stl(pli_reader* r) {
    int64_t count = 0;
    bool binary = is_binary(&r->scan, &count);
    if (!binary && r->scan.size >= HEAD_SIZE + 4 && !says_solid(&r->scan))
        return pli_fail(r->scan.error, PLI_E_SCENE,
                        "%s: byte %d: %lld facets need a file of %lld bytes, it has %zu",
                        r->scan.path, HEAD_SIZE, (long long)count,
                        (long long)(HEAD_SIZE + 4 + FACET_SIZE * count), r->scan.size);
    PLI_TRY(binary ? read_binary(r, count) : read_text(r));
    return weld(r);
}
