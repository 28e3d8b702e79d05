// OFF in text: the word OFF (or COFF, NOFF, STOFF and the like, whose additional numbers per vertex
// are skipped), three counts, vertices, polygons. Each vertex and polygon has a separate line.
#include <string.h>

#include "mesh/reader.h"

static pli_status read_head(pli_scan* scan, int* vertices, int* faces) {
    int64_t edges;
    pli_scan_skip_space(scan);
    pli_word word = pli_scan_peek(scan);
    size_t n = strlen(word.text);
    bool named = n >= 3 && strcmp(word.text + n - 3, "OFF") == 0;
    if (named && word.text[0] >= '0' && word.text[0] <= '9')
        return PLI_SCAN_FAIL(scan, "\"%.23s\": vertices must have 3 coordinates", word.text);
    if (named) scan->at += n;
    if (named && pli_scan_take(scan, "BINARY"))
        return PLI_SCAN_FAIL(scan, "binary OFF files are not supported");
    PLI_TRY(pli_scan_count(scan, PLI_INT32, "vertices", 6, vertices));
    PLI_TRY(pli_scan_count(scan, PLI_INT32, "faces", 4, faces));
    scan->one_line = true; // the number of edges may be missing
    pli_scan_skip_blanks(scan);
    if (!pli_scan_line_ended(scan) && *scan->at != '#')
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "number of edges", &edges));
    pli_scan_skip_line(scan);
    return PLI_OK;
}

// Moves to the next line that is not empty.
static void next_line(pli_scan* scan) {
    scan->one_line = false;
    pli_scan_skip_space(scan);
    scan->one_line = true;
}

static pli_status read_face(pli_reader* r) {
    int64_t corners;
    PLI_TRY(pli_scan_integer(&r->scan, PLI_INT32, "number of corners", &corners));
    PLI_TRY(pli_scan_check_count(&r->scan, "corners", corners, 2));
    pli_chain chain = {.kind = corners == 2 ? PLI_SEGMENT : PLI_TRIANGLE,
                       .place = pli_scan_place(&r->scan)};
    for (int64_t k = 0; k < corners; ++k) {
        int32_t vertex;
        PLI_TRY(pli_reader_read_index(r, PLI_INT32, 0, &vertex));
        PLI_TRY(pli_reader_chain(r, &chain, vertex));
    }
    pli_scan_skip_line(&r->scan); // colours
    return PLI_OK;
}

pli_status pli_read_off(pli_reader* r) {
    int vertices, faces;
    pli_scan* scan = &r->scan;
    scan->comment = '#';
    PLI_TRY(read_head(scan, &vertices, &faces));
    for (int i = 0; i < vertices; ++i) {
        next_line(scan);
        if (pli_scan_ended(scan))
            return PLI_SCAN_FAIL(scan, "the file ends after %d of %d vertices", i, vertices);
        PLI_TRY(pli_reader_read_vertex(r, PLI_FLOAT64, 3));
        pli_scan_skip_line(scan); // normals, colours
    }
    for (int i = 0; i < faces; ++i) {
        next_line(scan);
        if (pli_scan_ended(scan))
            return PLI_SCAN_FAIL(scan, "the file ends after %d of %d faces", i, faces);
        PLI_TRY(read_face(r));
    }
    return PLI_OK;
}
