// Strands of hair as a table: lines "strand, x, y, z" with a word or number for the strand and
// coordinates in metres, separated by commas, semicolons, tabs or blanks. Lines of one strand
// follow each other, from root to tip. A first line with names of columns is skipped, and so are
// comments
// (#). Groups: root (the first two vertices of each strand), tip.
#include "mesh/reader.h"

#include <string.h>

static bool parts_columns(char c) { return c == ',' || c == ';' || c == ' ' || c == '\t'; }

// A column: its name or number, cut after 63 bytes.
static void take_column(const char** at, char word[64]) {
    size_t n = 0;
    const char* c = *at;
    for (; *c && *c != '\n' && *c != '\r' && !parts_columns(*c); ++c)
        if (n < 63) word[n++] = *c;
    word[n] = '\0';
    *at = c;
}

// One separator with blanks around it.
static void skip_separator(pli_scan* scan) {
    pli_scan_skip_blanks(scan);
    if (*scan->at == ',' || *scan->at == ';') ++scan->at;
    pli_scan_skip_blanks(scan);
}

// Whether the line has names of columns: the second one begins like no number.
static bool is_heading(const pli_scan* scan) {
    char word[64];
    const char* at = scan->at;
    take_column(&at, word);
    while (parts_columns(*at)) ++at;
    return (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '"';
}

static pli_status read_point(pli_reader* r) {
    double p[3];
    for (int k = 0; k < 3; ++k) {
        skip_separator(&r->scan);
        const char* c = r->scan.at; // the separator after the number ends it
        while (*c && *c != '\n' && *c != ',' && *c != ';') ++c;
        r->scan.stop = *c == ';' ? ';' : ',';
        PLI_TRY(pli_scan_real(&r->scan, PLI_FLOAT64, "coordinate", &p[k]));
    }
    return pli_reader_put_vertex(r, p);
}

// Groups at the ends of a strand that is complete.
static pli_status end_strand(pli_reader* r, const int groups[2], int first) {
    int32_t last = r->mesh->vertex_count - 1, root[2] = {first, first + 1};
    if (first < 0) return PLI_OK;
    if (last == first)
        return PLI_SCAN_FAIL(&r->scan, "the strand before has 1 point, must have at least 2");
    PLI_TRY(pli_reader_mark_group(r, groups[0], 2, root));
    return pli_reader_mark_group(r, groups[1], 1, &last);
}

pli_status pli_read_strands(pli_reader* r) {
    pli_scan* scan = &r->scan;
    char name[64] = "", next[64];
    int first = -1, groups[2];
    PLI_TRY(pli_marks_name(&r->marks, 0, "root", &groups[0], scan->error));
    PLI_TRY(pli_marks_name(&r->marks, 0, "tip", &groups[1], scan->error));
    scan->comment = '#';
    for (bool begun = false;; begun = true) {
        scan->one_line = false;
        pli_scan_skip_space(scan);
        scan->one_line = true;
        if (pli_scan_ended(scan)) break;
        if (!begun && is_heading(scan)) {
            pli_scan_skip_line(scan);
            continue;
        }
        take_column(&scan->at, next);
        bool same = first >= 0 && strcmp(name, next) == 0;
        if (!same) PLI_TRY(end_strand(r, groups, first));
        PLI_TRY(read_point(r));
        int32_t ends[2] = {r->mesh->vertex_count - 2, r->mesh->vertex_count - 1};
        if (same) PLI_TRY(pli_reader_put_element(r, PLI_SEGMENT, ends, pli_scan_place(scan)));
        if (!same) first = ends[1];
        memcpy(name, next, sizeof name);
        pli_scan_skip_line(scan); // further columns
    }
    return end_strand(r, groups, first);
}
