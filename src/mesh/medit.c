// Medit .mesh files in text: keywords, each with a count and as many lines. Numbers start at 1;
// the last number of a line is a reference, which makes a group unless it is 0. Lists of elements
// may come before the vertices.
#include "mesh/measure.h"
#include "mesh/reader.h"

typedef struct medit {
    pli_reader* reader;
    pli_scan* scan;
    int dimension;       // 0: not stated yet
    bool sought;         // vertices were searched, as elements come before them
    const char* fetched; // start of the vertices read then; NULL: none
    pli_scan behind;     // after them
} medit;

// Supported lists; polygons of `polygon` corners are triangulated.
typedef struct keyword {
    const char* word;
    int vertices;
    bool polygon;
    pli_element_kind kind;
} keyword;

static const keyword keywords[] = {
    {"Edges", 2, false, PLI_SEGMENT},          {"Triangles", 3, false, PLI_TRIANGLE},
    {"Quadrilaterals", 4, true, PLI_TRIANGLE}, {"Tetrahedra", 4, false, PLI_TETRAHEDRON},
    {"TrianglesP2", 6, false, PLI_TRIANGLE6},  {"TetrahedraP2", 10, false, PLI_TETRAHEDRON10},
};

// Lists of unsupported solids; all others (corners, ridges, normals ...) only add information.
static const char* const solids[][2] = {
    {"Hexahedra", "hexahedra"},        {"Prisms", "prisms"},
    {"Pyramids", "pyramids"},          {"HexahedraQ2", "quadratic hexahedra"},
    {"EdgesP2", "quadratic segments"},
};

static pli_status read_dimension(medit* m) {
    int64_t dimension;
    PLI_TRY(pli_scan_integer(m->scan, PLI_INT32, "dimension", &dimension));
    if (dimension != 2 && dimension != 3)
        return PLI_SCAN_FAIL(m->scan, "dimension %lld, must be 2 or 3", (long long)dimension);
    m->dimension = (int)dimension;
    return PLI_OK;
}

static pli_status read_vertices(medit* m) {
    int count;
    int64_t reference;
    if (m->dimension == 0) return PLI_SCAN_FAIL(m->scan, "Dimension must come before Vertices");
    PLI_TRY(pli_scan_count(m->scan, PLI_INT32, "vertices", 2 * (size_t)m->dimension + 2, &count));
    for (int i = 0; i < count; ++i) {
        pli_scan_skip_space(m->scan);
        PLI_TRY(pli_reader_read_vertex(m->reader, PLI_FLOAT64, m->dimension));
        PLI_TRY(pli_scan_integer(m->scan, PLI_INT32, "reference", &reference));
        int32_t vertex = m->reader->mesh->vertex_count - 1;
        PLI_TRY(pli_reader_mark(m->reader, 0, reference, 1, &vertex));
    }
    return PLI_OK;
}

// Elements come before the vertices: reads the vertices first, then returns.
static pli_status fetch_vertices(medit* m) {
    const pli_scan here = *m->scan;
    pli_word word = {{0}};
    m->sought = true;
    while (!m->fetched && !pli_same_word(word.text, "End")) {
        pli_scan_skip_space(m->scan);
        if (pli_scan_line_ended(m->scan)) break; // the end of the file
        PLI_TRY(pli_scan_word(m->scan, "a keyword", &word));
        if (pli_same_word(word.text, "Dimension")) PLI_TRY(read_dimension(m));
        if (!pli_same_word(word.text, "Vertices")) continue;
        m->fetched = m->scan->at;
        PLI_TRY(read_vertices(m));
        m->behind = *m->scan;
    }
    *m->scan = here;
    return PLI_OK;
}

static pli_status read_elements(medit* m, const keyword* k) {
    int count;
    int64_t reference;
    if (pli_reader_vertices(m->reader) == 0 && !m->sought) PLI_TRY(fetch_vertices(m));
    PLI_TRY(pli_scan_count(m->scan, PLI_INT32, "elements", 2 * (size_t)k->vertices + 2, &count));
    for (int i = 0; i < count; ++i) {
        int32_t v[10];
        pli_scan_skip_space(m->scan);
        int32_t place = pli_scan_place(m->scan);
        for (int j = 0; j < k->vertices; ++j)
            PLI_TRY(pli_reader_read_index(m->reader, PLI_INT32, 1, &v[j]));
        PLI_TRY(pli_scan_integer(m->scan, PLI_INT32, "reference", &reference));
        PLI_TRY(
            pli_reader_mark(m->reader, pli_element_dimension(k->kind), reference, k->vertices, v));
        pli_chain chain = {.kind = PLI_TRIANGLE, .place = place};
        for (int j = 0; k->polygon && j < k->vertices; ++j)
            PLI_TRY(pli_reader_chain(m->reader, &chain, v[j]));
        if (!k->polygon) PLI_TRY(pli_reader_put_element(m->reader, k->kind, v, place));
    }
    return PLI_OK;
}

static bool is_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.'; }

// Numbers up to the next keyword.
static pli_status pass_over(medit* m, const char* word) {
    for (size_t i = 0; i < sizeof solids / sizeof *solids; ++i) {
        pli_scan ahead = *m->scan;
        int count = 0;
        if (!pli_same_word(solids[i][0], word)) continue;
        PLI_TRY(pli_scan_count(&ahead, PLI_INT32, solids[i][1], 2, &count));
        pli_reader_skip(m->reader, solids[i][1], count);
    }
    for (pli_scan_skip_space(m->scan); is_number(*m->scan->at); pli_scan_skip_space(m->scan))
        PLI_TRY(pli_scan_word(m->scan, "a number", &(pli_word){{0}}));
    return PLI_OK;
}

static pli_status read_keyword(medit* m, const char* word) {
    if (pli_same_word(word, "Dimension")) return read_dimension(m);
    if (pli_same_word(word, "Vertices") && m->scan->at == m->fetched) {
        *m->scan = m->behind;
        return PLI_OK;
    }
    if (pli_same_word(word, "Vertices")) return read_vertices(m);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; ++i)
        if (pli_same_word(keywords[i].word, word)) return read_elements(m, &keywords[i]);
    return pass_over(m, word);
}

pli_status pli_read_medit(pli_reader* reader) {
    medit m = {.reader = reader, .scan = &reader->scan};
    pli_scan* scan = m.scan;
    double version;
    scan->comment = '#';
    PLI_TRY(pli_scan_expect(scan, "MeshVersionFormatted"));
    PLI_TRY(pli_scan_real(scan, PLI_FLOAT64, "version", &version));
    for (;;) {
        pli_word word;
        PLI_TRY(pli_scan_word(scan, "End", &word));
        if (pli_same_word(word.text, "End")) return PLI_OK;
        char c = word.text[0];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')))
            return PLI_SCAN_FAIL(scan,
                                 "\"%.23s\", must be a keyword: the list before it is longer "
                                 "than its count",
                                 word.text);
        PLI_TRY(read_keyword(&m, word.text));
    }
}
