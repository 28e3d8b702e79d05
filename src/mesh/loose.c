// The parts of all larger elements as sorted rows; each element is looked up among them.
#include "mesh/loose.h"

#include "mesh/sort.h"

// Corners of each face, then its middles 01 12 20: of a triangle, and of a tetrahedron with the
// middles 01 12 20 03 13 23.
static const uint8_t triangle_face[1][6] = {{0, 1, 2, 3, 4, 5}};
static const uint8_t tetrahedron_faces[4][6] = {
    {0, 1, 2, 4, 5, 6}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 2, 3, 6, 9, 7}};

// Parts of one face, those of a linear one first.
static const uint8_t triangle_parts[5][3] = {{0, 1, 2}, {0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
static const uint8_t edge_parts[12][3] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 1}, {1, 4},
                                          {4, 2}, {2, 5}, {5, 0}, {3, 4}, {4, 5}, {5, 3}};

typedef struct rows {
    int width, count;
    int32_t* vertices;
} rows;

// Vertices in rising order, so that rows compare whatever their direction.
static void put_sorted(const int32_t* v, int width, int32_t* row) {
    for (int i = 0; i < width; ++i) {
        int at = i;
        for (; at > 0 && row[at - 1] > v[i]; --at) row[at] = row[at - 1];
        row[at] = v[i];
    }
}

static int part_count(int width, bool quadratic) {
    return width == 3 ? quadratic ? 5 : 1 : quadratic ? 12 : 3;
}

static void add_element(const int32_t* element, int face_count, bool quadratic, rows* to) {
    for (int f = 0; f < face_count; ++f)
        for (int p = 0; p < part_count(to->width, quadratic); ++p) {
            const uint8_t* face = face_count == 1 ? triangle_face[f] : tetrahedron_faces[f];
            const uint8_t* part = to->width == 3 ? triangle_parts[p] : edge_parts[p];
            int32_t v[3] = {0};
            for (int i = 0; i < 3 && i < to->width; ++i) v[i] = element[face[part[i]]];
            put_sorted(v, to->width, to->vertices + (size_t)to->width * (size_t)to->count++);
        }
}

static int compare(const int32_t* a, const int32_t* b, int width) {
    for (int i = 0; i < width; ++i)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

static bool has_row(const rows* r, const int32_t* row) {
    int low = 0, high = r->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = compare(r->vertices + (size_t)r->width * (size_t)middle, row, r->width);
        if (order == 0) return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

pli_status pli_mark_loose(pli_memory* memory, const pli_skin_source* source, pli_element_kind kind,
                          int of, bool* loose, pli_error* error) {
    const pli_element_kind larger[2] = {of == 3 ? PLI_TETRAHEDRON : PLI_TRIANGLE,
                                        of == 3 ? PLI_TETRAHEDRON10 : PLI_TRIANGLE6};
    rows parts = {.width = kind == PLI_SEGMENT ? 2 : 3};
    int face_count = of == 3 ? 4 : 1, room = 0;
    for (int i = 0; i < source->count[kind]; ++i) loose[i] = true;
    for (int k = 0; k < 2 && source->count[kind] > 0; ++k)
        room += source->count[larger[k]] * face_count * part_count(parts.width, k);
    if (room == 0) return PLI_OK;
    PLI_TRY(PLI_ALLOC(memory, parts.vertices, (size_t)parts.width * (size_t)room, error));
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < source->count[larger[k]]; ++i)
            add_element(source->elements[larger[k]] +
                            (size_t)i * (size_t)pli_element_size(larger[k]),
                        face_count, k, &parts);
    pli_status status = pli_sort_rows(memory, parts.vertices, parts.count, parts.width, parts.width,
                                      source->vertex_limit, error);
    for (int i = 0; i < source->count[kind] && status == PLI_OK; ++i) {
        int32_t row[3];
        put_sorted(source->elements[kind] + (size_t)i * (size_t)pli_element_size(kind), parts.width,
                   row);
        loose[i] = !has_row(&parts, row);
    }
    PLI_FREE(memory, parts.vertices, (size_t)parts.width * (size_t)room);
    return status;
}
