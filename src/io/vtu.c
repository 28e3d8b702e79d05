// VTK's XML format for unstructured grids [VTK user's guide, "VTK File Formats"]. All arrays are
// rows of one table: name, type, components and the function that gives one tuple; the rest of the
// file reads that table. An appended array is
//     [blocks][bytes per block][bytes of the last block if partial, else 0][compressed bytes ...]
// as UInt64, followed by the zlib blocks; its offset counts from the byte after the '_'.
#include "io/vtu.h"
#include "io/file.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "mesh/inflate.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_ORDER_WORD "BigEndian"
#else
#define BYTE_ORDER_WORD "LittleEndian"
#endif

enum { BLOCK_SIZE = 32768, COMPRESSION_LEVEL = 3 };

typedef enum section { POINTS, CELLS, POINT_DATA, CELL_DATA, SECTION_COUNT } section;
typedef enum number { UINT8, INT32, INT64, FLOAT64 } number;

static const char* const section_names[] = {"Points", "Cells", "PointData", "CellData"};
static const char* const number_names[] = {"UInt8", "Int32", "Int64", "Float64"};
static const size_t number_sizes[] = {1, 4, 8, 8};

// What one array is and how tuple i of it is made.
typedef struct array {
    section section;
    const char* name;
    number type;
    int components;
    int64_t (*count)(const pli_snapshot* s);
    void (*tuple)(const pli_snapshot* s, int64_t i, void* out);
    const char* component_names; // as further attributes
} array;

// The cell with number i: vertices that are alone first, then segments, triangles, tetrahedra.
typedef struct cell {
    int kind;
    int64_t index;
} cell;

static cell find_cell(const pli_snapshot* s, int64_t i) {
    cell c = {PLI_VERTEX, i};
    while (c.index >= s->element_count[c.kind]) c.index -= s->element_count[c.kind++];
    return c;
}

static int64_t point_count(const pli_snapshot* s) { return s->vertex_count; }

static int64_t cell_count(const pli_snapshot* s) {
    int64_t count = 0;
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind) count += s->element_count[kind];
    return count;
}

static int64_t corner_count(const pli_snapshot* s) {
    int64_t count = 0;
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        count += (int64_t)s->element_count[kind] * pli_element_size((pli_element_kind)kind);
    return count;
}

static void give_position(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->positions + 3 * i, 3 * sizeof(double));
}
static void give_velocity(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->velocities + 3 * i, 3 * sizeof(double));
}
static void give_reaction(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->reactions + 3 * i, 3 * sizeof(double));
}
static void give_mass(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->masses + i, sizeof(double));
}
static void give_displacement(const pli_snapshot* s, int64_t i, void* out) {
    double u[3];
    for (int k = 0; k < 3; ++k) u[k] = s->positions[3 * i + k] - s->rest[3 * i + k];
    memcpy(out, u, sizeof u);
}

static void give_connectivity(const pli_snapshot* s, int64_t i, void* out) {
    int kind = PLI_VERTEX;
    for (int64_t n;
         i >= (n = (int64_t)s->element_count[kind] * pli_element_size((pli_element_kind)kind));
         ++kind)
        i -= n;
    int64_t vertex = s->elements[kind][i];
    memcpy(out, &vertex, sizeof vertex);
}
// Where cell i ends in the connectivity.
static void give_offset(const pli_snapshot* s, int64_t i, void* out) {
    cell c = find_cell(s, i);
    int64_t end = (c.index + 1) * pli_element_size((pli_element_kind)c.kind);
    for (int kind = 0; kind < c.kind; ++kind)
        end += (int64_t)s->element_count[kind] * pli_element_size((pli_element_kind)kind);
    memcpy(out, &end, sizeof end);
}
static void give_type(const pli_snapshot* s, int64_t i, void* out) {
    static const uint8_t types[PLI_ELEMENT_KIND_COUNT] = {1, 3, 5, 10, 22, 24}; // VTK_VERTEX ...
    memcpy(out, &types[find_cell(s, i).kind], 1);
}

static void give_body(const pli_snapshot* s, int64_t i, void* out) {
    cell c = find_cell(s, i);
    int32_t vertex = s->elements[c.kind][c.index * pli_element_size((pli_element_kind)c.kind)];
    memcpy(out, &s->vertex_body[vertex], sizeof(int32_t));
}
// Tuple i of a field that has an array per kind, or where there is none, `none`.
static const double* field_of(const pli_snapshot* s, int64_t i, size_t member, int components,
                              const double* none) {
    cell c = find_cell(s, i);
    double* const* values = (double* const*)(const void*)((const char*)&s->fields[c.kind] + member);
    return *values ? *values + components * c.index : none;
}
#define FIELD(s, i, name, components, none)                                                        \
    field_of(s, i, offsetof(pli_element_fields, name), components, none)

static const double zeros[6] = {0}, ones[3] = {1, 1, 1};

static void give_energy(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, FIELD(s, i, energy, 1, zeros), sizeof(double));
}
static void give_energy_density(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, FIELD(s, i, energy_density, 1, zeros), sizeof(double));
}
static void give_stretches(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, FIELD(s, i, stretches, 3, ones), 3 * sizeof(double));
}
// VTK's order of a symmetric tensor is xx yy zz xy yz xz, ours is xx yy zz yz zx xy.
static void give_stress(const pli_snapshot* s, int64_t i, void* out) {
    const double* t = FIELD(s, i, stress, 6, zeros);
    const double ordered[6] = {t[0], t[1], t[2], t[5], t[3], t[4]};
    memcpy(out, ordered, sizeof ordered);
}
// sqrt(((xx-yy)^2 + (yy-zz)^2 + (zz-xx)^2) / 2 + 3 (yz^2 + zx^2 + xy^2))
static void give_von_mises(const pli_snapshot* s, int64_t i, void* out) {
    const double* t = FIELD(s, i, stress, 6, zeros);
    double a = t[0] - t[1], b = t[1] - t[2], d = t[2] - t[0];
    double shear = t[3] * t[3] + t[4] * t[4] + t[5] * t[5];
    double value = sqrt(0.5 * (a * a + b * b + d * d) + 3 * shear);
    memcpy(out, &value, sizeof value);
}

#define TENSOR_NAMES                                                                               \
    " ComponentName0=\"XX\" ComponentName1=\"YY\" ComponentName2=\"ZZ\""                           \
    " ComponentName3=\"XY\" ComponentName4=\"YZ\" ComponentName5=\"XZ\""
#define STRETCH_NAMES " ComponentName0=\"1\" ComponentName1=\"2\" ComponentName2=\"3\""

static const array arrays[] = {
    {POINTS, "Points", FLOAT64, 3, point_count, give_position, ""},
    {CELLS, "connectivity", INT64, 1, corner_count, give_connectivity, ""},
    {CELLS, "offsets", INT64, 1, cell_count, give_offset, ""},
    {CELLS, "types", UINT8, 1, cell_count, give_type, ""},
    {POINT_DATA, "velocity", FLOAT64, 3, point_count, give_velocity, ""},
    {POINT_DATA, "displacement", FLOAT64, 3, point_count, give_displacement, ""},
    {POINT_DATA, "reaction", FLOAT64, 3, point_count, give_reaction, ""},
    {POINT_DATA, "mass", FLOAT64, 1, point_count, give_mass, ""},
    {CELL_DATA, "body", INT32, 1, cell_count, give_body, ""},
    {CELL_DATA, "energy", FLOAT64, 1, cell_count, give_energy, ""},
    {CELL_DATA, "energy_density", FLOAT64, 1, cell_count, give_energy_density, ""},
    {CELL_DATA, "principal_stretches", FLOAT64, 3, cell_count, give_stretches, STRETCH_NAMES},
    {CELL_DATA, "stress", FLOAT64, 6, cell_count, give_stress, TENSOR_NAMES},
    {CELL_DATA, "von_mises", FLOAT64, 1, cell_count, give_von_mises, ""},
};
enum { ARRAY_COUNT = sizeof arrays / sizeof *arrays };

struct pli_vtu {
    pli_memory* memory;
    z_stream zlib; // reset for every block
    bool zlib_ready;
    unsigned char* data; // all appended arrays of one frame
    size_t size, capacity;
    size_t offsets[ARRAY_COUNT];
    unsigned char block[BLOCK_SIZE]; // tuples on their way
};

pli_status pli_vtu_create(pli_memory* memory, pli_vtu** vtu, pli_error* error) {
    pli_vtu* fresh;
    PLI_TRY(PLI_ALLOC(memory, fresh, 1, error));
    fresh->memory = memory;
    pli_zlib_use(&fresh->zlib, memory);
    if (deflateInit(&fresh->zlib, COMPRESSION_LEVEL) != Z_OK) {
        pli_vtu_destroy(fresh);
        return pli_fail(error, PLI_E_MEMORY, "out of memory: zlib could not start");
    }
    fresh->zlib_ready = true;
    *vtu = fresh;
    return PLI_OK;
}

void pli_vtu_destroy(pli_vtu* vtu) {
    if (!vtu) return;
    pli_memory* memory = vtu->memory;
    if (vtu->zlib_ready) deflateEnd(&vtu->zlib);
    PLI_FREE(memory, vtu->data, vtu->capacity);
    PLI_FREE(memory, vtu, 1);
}

// Room for `more` bytes at the end of the appended data.
static pli_status reserve(pli_vtu* vtu, size_t more, pli_error* error) {
    if (more <= vtu->capacity - vtu->size) return PLI_OK;
    size_t capacity = 2 * vtu->capacity > vtu->size + more ? 2 * vtu->capacity : vtu->size + more;
    PLI_TRY(pli_resize(vtu->memory, &vtu->data, 1, vtu->capacity, capacity, error));
    vtu->capacity = capacity;
    return PLI_OK;
}

// Compresses `size` bytes of the block to the end of the appended data.
static pli_status append_block(pli_vtu* vtu, size_t size, pli_error* error) {
    z_stream* z = &vtu->zlib;
    deflateReset(z);
    size_t bound = deflateBound(z, (uLong)size);
    PLI_TRY(reserve(vtu, bound, error));
    z->next_in = vtu->block;
    z->avail_in = (uInt)size;
    z->next_out = vtu->data + vtu->size;
    z->avail_out = (uInt)bound;
    int result = deflate(z, Z_FINISH); // one call does it: the bound is kept
    PLI_ASSERT(result == Z_STREAM_END);
    (void)result;
    vtu->size += bound - z->avail_out;
    return PLI_OK;
}

static void put_word(pli_vtu* vtu, size_t at, uint64_t word) {
    memcpy(vtu->data + at, &word, sizeof word);
}

// One array with its header. Blocks hold whole tuples.
static pli_status append_array(pli_vtu* vtu, const array* a, const pli_snapshot* s,
                               pli_error* error) {
    size_t tuple_size = number_sizes[a->type] * (size_t)a->components;
    int64_t per_block = (int64_t)(BLOCK_SIZE / tuple_size), count = a->count(s);
    int64_t block_count = (count + per_block - 1) / per_block;
    size_t header = vtu->size, words = 3 + (size_t)block_count;
    PLI_TRY(reserve(vtu, words * sizeof(uint64_t), error));
    put_word(vtu, header, (uint64_t)block_count);
    put_word(vtu, header + 8, (uint64_t)per_block * tuple_size);
    put_word(vtu, header + 16, (uint64_t)(count % per_block) * tuple_size);
    vtu->size += words * sizeof(uint64_t);
    for (int64_t b = 0; b < block_count; ++b) {
        int64_t first = b * per_block;
        int64_t end = first + per_block < count ? first + per_block : count;
        for (int64_t i = first; i < end; ++i)
            a->tuple(s, i, vtu->block + (size_t)(i - first) * tuple_size);
        size_t before = vtu->size;
        PLI_TRY(append_block(vtu, (size_t)(end - first) * tuple_size, error));
        put_word(vtu, header + 24 + 8 * (size_t)b, vtu->size - before);
    }
    return PLI_OK;
}

static void write_section(const pli_vtu* vtu, pli_file* file, section which) {
    PLI_FILE_PRINT(file, "<%s>\n", section_names[which]);
    for (int i = 0; i < ARRAY_COUNT; ++i) {
        const array* a = &arrays[i];
        if (a->section != which) continue;
        PLI_FILE_PRINT(file,
                       "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"%s"
                       " format=\"appended\" offset=\"%zu\"/>\n",
                       number_names[a->type], a->name, a->components, a->component_names,
                       vtu->offsets[i]);
    }
    PLI_FILE_PRINT(file, "</%s>\n", section_names[which]);
}

static void write_all(const pli_vtu* vtu, const pli_snapshot* s, pli_file* file) {
    pli_file_text(file, "<?xml version=\"1.0\"?>\n"
                        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"" //
                  BYTE_ORDER_WORD "\" header_type=\"UInt64\""
                        " compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n"
                        "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\""
                        " NumberOfTuples=\"1\" format=\"ascii\">");
    pli_file_number(file, s->time);
    pli_file_text(file, "</DataArray>\n</FieldData>\n");
    PLI_FILE_PRINT(file, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%lld\">\n", s->vertex_count,
                   (long long)cell_count(s));
    for (int i = 0; i < SECTION_COUNT; ++i) write_section(vtu, file, (section)i);
    pli_file_text(file, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
    pli_file_write(file, vtu->data, vtu->size);
    pli_file_text(file, "\n</AppendedData>\n</VTKFile>\n");
}

pli_status pli_vtu_write(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                         const char* name, pli_error* error) {
    vtu->size = 0;
    for (int i = 0; i < ARRAY_COUNT; ++i) {
        vtu->offsets[i] = vtu->size;
        PLI_TRY(append_array(vtu, &arrays[i], snapshot, error));
    }
    pli_file file;
    PLI_TRY(pli_file_create(&file, folder, name, error));
    write_all(vtu, snapshot, &file);
    return pli_file_commit(&file, error);
}
