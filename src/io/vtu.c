// VTK's XML format for unstructured grids [VTK user's guide, "VTK File Formats"]. All arrays are
// rows of a table: name, type, components and the function that gives one tuple; this file reads
// such a table. An appended array is
//     [blocks][bytes per block][bytes of the last block if partial, else 0][compressed bytes ...]
// as UInt64, followed by the zlib blocks; its offset counts from the byte after the '_'.
#include "io/vtu.h"
#include "io/file.h"
#include "io/vtu_array.h"
#include "pliant/record.h"

#include <string.h>

#include "mesh/inflate.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_ORDER_WORD "BigEndian"
#else
#define BYTE_ORDER_WORD "LittleEndian"
#endif

enum { BLOCK_SIZE = 32768, COMPRESSION_LEVEL = 3, MAX_ARRAYS = 24 };

static const char* const section_names[] = {"Points", "Cells", "PointData", "CellData"};
static const char* const number_names[] = {"UInt8", "Int32", "Int64", "Float64"};
static const size_t number_sizes[] = {1, 4, 8, 8};

struct pli_vtu {
    pli_memory* memory;
    z_stream zlib; // reset for every block
    bool zlib_ready;
    unsigned char* data; // all appended arrays of one frame
    size_t size, capacity;
    size_t offsets[MAX_ARRAYS];
    uint64_t hash;                   // of the last file
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
static pli_status append_array(pli_vtu* vtu, const pli_vtu_array* a, const pli_snapshot* s,
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

static bool is_there(const pli_vtu_array* a, const pli_snapshot* s) { return !a->has || a->has(s); }

static void write_section(const pli_vtu* vtu, const pli_vtu_grid* grid, const pli_snapshot* s,
                          pli_file* file, pli_vtu_section which) {
    PLI_FILE_PRINT(file, "<%s>\n", section_names[which]);
    for (int i = 0; i < grid->count; ++i) {
        const pli_vtu_array* a = &grid->arrays[i];
        if (a->section != which || !is_there(a, s)) continue;
        PLI_FILE_PRINT(file,
                       "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"%s"
                       " format=\"appended\" offset=\"%zu\"/>\n",
                       number_names[a->type], a->name, a->components,
                       a->component_names ? a->component_names : "", vtu->offsets[i]);
    }
    PLI_FILE_PRINT(file, "</%s>\n", section_names[which]);
}

static void write_all(const pli_vtu* vtu, const pli_vtu_grid* grid, const pli_snapshot* s,
                      pli_file* file) {
    pli_file_text(file, "<?xml version=\"1.0\"?>\n"
                        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"" //
                  BYTE_ORDER_WORD "\" header_type=\"UInt64\""
                        " compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n"
                        "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\""
                        " NumberOfTuples=\"1\" format=\"ascii\">");
    pli_file_number(file, s->time);
    PLI_FILE_PRINT(file,
                   "</DataArray>\n<DataArray type=\"Int32\" Name=\"PliantFormat\""
                   " NumberOfTuples=\"1\" format=\"ascii\">%d</DataArray>\n</FieldData>\n",
                   PLI_RESULT_FORMAT);
    PLI_FILE_PRINT(file, "<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n",
                   (long long)grid->point_count(s), (long long)grid->cell_count(s));
    for (int i = 0; i < PLI_VTU_SECTIONS; ++i)
        write_section(vtu, grid, s, file, (pli_vtu_section)i);
    pli_file_text(file, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
    pli_file_write(file, vtu->data, vtu->size);
    pli_file_text(file, "\n</AppendedData>\n</VTKFile>\n");
}

pli_status pli_vtu_write_grid(pli_vtu* vtu, const pli_vtu_grid* grid, const pli_snapshot* snapshot,
                              const char* folder, const char* name, pli_error* error) {
    PLI_ASSERT(grid->count <= MAX_ARRAYS);
    vtu->size = 0;
    for (int i = 0; i < grid->count; ++i) {
        vtu->offsets[i] = vtu->size;
        if (is_there(&grid->arrays[i], snapshot))
            PLI_TRY(append_array(vtu, &grid->arrays[i], snapshot, error));
    }
    pli_file file;
    PLI_TRY(pli_file_create(&file, folder, name, error));
    write_all(vtu, grid, snapshot, &file);
    pli_status status = pli_file_commit(&file, error);
    vtu->hash = file.hash;
    return status;
}

uint64_t pli_vtu_hash(const pli_vtu* vtu) { return vtu->hash; }
