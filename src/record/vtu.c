// VTK's XML format for unstructured grids [VTK user's guide, "VTK File Formats"]. All arrays are
// rows of a table: name, type, components and the function that returns the numbers; this file
// interprets the table. An appended array is
//     [blocks][bytes per block][bytes of the last block if partial, else 0][packed bytes ...]
// as UInt64, followed by the blocks, each a zlib stream; its offset counts from the byte after the
// '_'. The constant arrays come first.
#include "record/vtu.h"

#include <string.h>

#include "mesh/inflate.h"
#include "mesh/vtu_xml.h"

// A block fits one stored block of a zlib stream [RFC 1951, 3.2.4]: 2 + 5 bytes before, 4 after.
enum { BLOCK_SIZE = 65528, STORED_EXTRA = 11 };

static const char* const section_names[] = {"Points", "Cells", "PointData", "CellData"};

// How blocks become zlib streams.
typedef enum packing {
    ZEROS, // run-length coding, fast
    TIGHT,
    PACKINGS,
    STORED = PACKINGS
} packing;
static const struct {
    int level, strategy;
} packings[PACKINGS] = {[ZEROS] = {1, Z_RLE}, [TIGHT] = {3, Z_DEFAULT_STRATEGY}};

// A compressed block of zeros. Most arrays of forces are zero in most frames.
enum { ZERO_BLOCKS = 8, ZERO_BYTES = 128 };
typedef struct zero_block {
    size_t size, used; // bytes before and after
    unsigned char bytes[ZERO_BYTES];
} zero_block;

// Growing appended data.
typedef struct bytes {
    unsigned char* data;
    size_t size, capacity;
} bytes;

struct pli_vtu {
    pli_memory* memory;
    pli_vtu_choice choice;
    z_stream zlib[PACKINGS]; // reset for every block
    int zlib_count;
    zero_block zeros[ZERO_BLOCKS]; // a ring
    int zero_next;
    bytes constant; // arrays that are constant over an epoch
    size_t offsets[PLI_VTU_MAX_ARRAYS];
    bytes packed; // arrays of the current file
    size_t packed_offsets[PLI_VTU_MAX_ARRAYS];
};

// ---- numbers

static size_t number_size(const pli_vtu* vtu, pli_vtu_number type) {
    return type == PLI_VTU_UINT8 ? 1 : type == PLI_VTU_REAL && vtu->choice.exact ? 8 : 4;
}

static const char* number_name(const pli_vtu* vtu, pli_vtu_number type) {
    static const char* const names[] = {"UInt8", "Int32", "Float32"};
    return type == PLI_VTU_REAL && vtu->choice.exact ? "Float64" : names[type];
}

static const char* array_name(const pli_vtu_column* a, const pli_snapshot* s) {
    if (a->scalar > 0) return a->scalar <= s->scalar_count ? s->scalars[a->scalar - 1].name : "";
    return a->field >= 0 ? pli_frame_field_name(a->field) : a->name;
}

static size_t tuple_size(const pli_vtu* vtu, const pli_vtu_column* a) {
    return number_size(vtu, a->type) * (size_t)a->components;
}

static bool is_there(const pli_vtu* vtu, const pli_vtu_column* a, const pli_snapshot* s) {
    if (a->field >= 0 && !(vtu->choice.fields >> a->field & 1)) return false;
    if (a->scalar > s->scalar_count) return false;
    return !a->has || a->has(s);
}

static void put_reals(const pli_vtu* vtu, const double* from, size_t count, unsigned char* to) {
    if (vtu->choice.exact) {
        memcpy(to, from, count * sizeof *from);
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        float value = (float)from[i];
        memcpy(to + i * sizeof value, &value, sizeof value);
    }
}

// All tuples of an array, concatenated.
static void put_array(const pli_vtu* vtu, const pli_vtu_column* a, const pli_snapshot* s,
                      unsigned char* to) {
    size_t width = (size_t)a->components, size = tuple_size(vtu, a);
    int64_t count = a->count(s);
    if (a->all || a->scalar > 0) {
        const double* from = a->all ? a->all(s) : s->scalar_values[a->scalar - 1];
        put_reals(vtu, from, width * (size_t)count, to);
        return;
    }
    for (int64_t i = 0; i < count; ++i, to += size) {
        double reals[PLI_VTU_MAX_COMPONENTS];
        a->tuple(s, i, a->type == PLI_VTU_REAL ? (void*)reals : (void*)to);
        if (a->type == PLI_VTU_REAL) put_reals(vtu, reals, width, to);
    }
}

// ---- blocks

// Upper bound of the bytes of a packed array of `size`.
static size_t packed_bound(size_t size) {
    size_t blocks = size / (BLOCK_SIZE / 2) + 1; // whole tuples may leave a part of a block free
    return (3 + blocks) * sizeof(uint64_t) + blocks * (STORED_EXTRA + 64) + size + size / 64;
}

static size_t store_block(const unsigned char* from, size_t size, unsigned char* to) {
    unsigned check = (unsigned)adler32(1, from, (uInt)size), length = (unsigned)size;
    const unsigned char head[7] = {0x78,
                                   1,
                                   1, // the last block, stored
                                   (unsigned char)(length & 255u),
                                   (unsigned char)(length >> 8),
                                   (unsigned char)(~length & 255u),
                                   (unsigned char)(~length >> 8 & 255u)};
    memcpy(to, head, sizeof head);
    memcpy(to + sizeof head, from, size);
    for (int i = 0; i < 4; ++i)
        to[sizeof head + size + (size_t)i] = (unsigned char)(check >> (24 - 8 * i) & 255u);
    return size + STORED_EXTRA;
}

// `room` bytes are available, which is sufficient.
static size_t pack_block(z_stream* z, const unsigned char* from, size_t size, unsigned char* to,
                         size_t room) {
    deflateReset(z);
    z->next_in = (z_const Bytef*)from;
    z->avail_in = (uInt)size;
    z->next_out = to;
    z->avail_out = (uInt)room;
    int result = deflate(z, Z_FINISH);
    PLI_ASSERT(result == Z_STREAM_END);
    (void)result;
    return room - z->avail_out;
}

static bool is_zero(const unsigned char* data, size_t size) {
    return size > 0 && data[0] == 0 && memcmp(data, data + 1, size - 1) == 0;
}

// Whether three of four words are zero.
static bool is_mostly_zero(const unsigned char* data, size_t size) {
    size_t words = size / sizeof(uint32_t), zeros = 0;
    for (size_t i = 0; i < words; ++i) {
        uint32_t word;
        memcpy(&word, data + i * sizeof word, sizeof word);
        zeros += word == 0;
    }
    return 4 * zeros >= 3 * words;
}

// pack_block of zeros: a stored stream, or a new one that is stored.
static size_t pack_zeros(pli_vtu* vtu, const unsigned char* from, size_t size, unsigned char* to,
                         size_t room) {
    for (int i = 0; i < ZERO_BLOCKS; ++i) {
        const zero_block* known = &vtu->zeros[i];
        if (known->size != size) continue;
        memcpy(to, known->bytes, known->used);
        return known->used;
    }
    size_t used = pack_block(&vtu->zlib[ZEROS], from, size, to, room);
    if (used > ZERO_BYTES) return used;
    zero_block* kept = &vtu->zeros[vtu->zero_next++ % ZERO_BLOCKS];
    kept->size = size;
    kept->used = used;
    memcpy(kept->bytes, to, used);
    return used;
}

static size_t pack(pli_vtu* vtu, packing how, const unsigned char* from, size_t size,
                   unsigned char* to) {
    size_t room = size + size / 64 + STORED_EXTRA + 64;
    if (how == STORED) return store_block(from, size, to);
    if (how == ZEROS && is_zero(from, size)) return pack_zeros(vtu, from, size, to, room);
    return pack_block(&vtu->zlib[how], from, size, to, room);
}

static void put_word(unsigned char* at, uint64_t word) { memcpy(at, &word, sizeof word); }

// An array with its header; `out` has room for packed_bound.
static void append_array(pli_vtu* vtu, packing how, const unsigned char* from, size_t size,
                         size_t tuple, bytes* out) {
    size_t block = BLOCK_SIZE / tuple * tuple, count = (size + block - 1) / block;
    unsigned char* header = out->data + out->size;
    PLI_ASSERT(out->capacity - out->size >= packed_bound(size));
    put_word(header, count);
    put_word(header + 8, block);
    put_word(header + 16, size % block);
    out->size += (3 + count) * sizeof(uint64_t);
    for (size_t b = 0; b < count; ++b) {
        const unsigned char* at = from + b * block;
        size_t part = size - b * block < block ? size - b * block : block;
        size_t used = pack(vtu, how, at, part, out->data + out->size);
        put_word(header + 24 + 8 * b, used);
        out->size += used;
    }
}

static pli_status reserve(pli_memory* memory, bytes* b, size_t more, pli_error* error) {
    if (more <= b->capacity - b->size) return PLI_OK;
    size_t capacity = 2 * b->capacity > b->size + more ? 2 * b->capacity : b->size + more;
    PLI_TRY(pli_resize(memory, &b->data, 1, b->capacity, capacity, error));
    b->capacity = capacity;
    return PLI_OK;
}

// ---- arrays that are constant over an epoch

static pli_status add_constant(pli_vtu* vtu, int i, const pli_snapshot* s, bytes* out,
                               pli_error* error) {
    const pli_vtu_column* a = &pli_frame_table.arrays[i];
    size_t size = tuple_size(vtu, a) * (size_t)a->count(s);
    unsigned char* raw = NULL;
    PLI_TRY(PLI_ALLOC(vtu->memory, raw, size + 1, error));
    pli_status status = reserve(vtu->memory, out, packed_bound(size), error);
    if (status == PLI_OK) {
        put_array(vtu, a, s, raw);
        append_array(vtu, TIGHT, raw, size, tuple_size(vtu, a), out);
    }
    PLI_FREE(vtu->memory, raw, size + 1);
    return status;
}

static pli_status start_zlib(pli_vtu* vtu, pli_error* error) {
    for (; vtu->zlib_count < PACKINGS; ++vtu->zlib_count) {
        const int window = 15, memory_level = 8, i = vtu->zlib_count;
        pli_zlib_use(&vtu->zlib[i], vtu->memory);
        if (deflateInit2(&vtu->zlib[i], packings[i].level, Z_DEFLATED, window, memory_level,
                         packings[i].strategy) != Z_OK)
            return pli_fail(error, PLI_E_MEMORY, "out of memory: zlib could not start");
    }
    return PLI_OK;
}

pli_status pli_vtu_change(pli_vtu* vtu, const pli_snapshot* s, pli_error* error) {
    size_t offsets[PLI_VTU_MAX_ARRAYS] = {0};
    bytes fresh = {0};
    pli_status status;
    for (int i = 0; i < pli_frame_table.count; ++i) {
        const pli_vtu_column* a = &pli_frame_table.arrays[i];
        if (!a->constant || !is_there(vtu, a, s)) continue;
        offsets[i] = fresh.size;
        PLI_TRY_CLEANUP(status, add_constant(vtu, i, s, &fresh, error));
    }
    // Releases the unused reserve of the last array.
    PLI_TRY_CLEANUP(status,
                    pli_resize(vtu->memory, &fresh.data, 1, fresh.capacity, fresh.size + 1, error));
    fresh.capacity = fresh.size + 1;
    PLI_FREE(vtu->memory, vtu->constant.data, vtu->constant.capacity);
    vtu->constant = fresh;
    memcpy(vtu->offsets, offsets, sizeof offsets);
    return PLI_OK;
cleanup:
    PLI_FREE(vtu->memory, fresh.data, fresh.capacity);
    return status;
}

pli_status pli_vtu_create(pli_memory* memory, const pli_vtu_choice* choice,
                          const pli_snapshot* snapshot, pli_vtu** vtu, pli_error* error) {
    PLI_ASSERT(pli_frame_table.count <= PLI_VTU_MAX_ARRAYS);
    pli_vtu* fresh;
    PLI_TRY(PLI_ALLOC(memory, fresh, 1, error));
    fresh->memory = memory;
    fresh->choice = *choice;
    pli_status status = start_zlib(fresh, error);
    if (status == PLI_OK) status = pli_vtu_change(fresh, snapshot, error);
    if (status != PLI_OK) {
        pli_vtu_destroy(fresh);
        return status;
    }
    *vtu = fresh;
    return PLI_OK;
}

void pli_vtu_destroy(pli_vtu* vtu) {
    if (!vtu) return;
    pli_memory* memory = vtu->memory;
    while (vtu->zlib_count > 0) deflateEnd(&vtu->zlib[--vtu->zlib_count]);
    PLI_FREE(memory, vtu->constant.data, vtu->constant.capacity);
    PLI_FREE(memory, vtu->packed.data, vtu->packed.capacity);
    PLI_FREE(memory, vtu, 1);
}

// ---- gathering

size_t pli_vtu_frame_size(const pli_vtu* vtu, const pli_snapshot* s) {
    size_t size = 0;
    for (int i = 0; i < pli_frame_table.count; ++i) {
        const pli_vtu_column* a = &pli_frame_table.arrays[i];
        if (is_there(vtu, a, s) && !a->constant) size += tuple_size(vtu, a) * (size_t)a->count(s);
    }
    return size;
}

static pli_status gather(const pli_vtu* vtu, const pli_vtu_table* table, const pli_snapshot* s,
                         pli_vtu_state* state, pli_error* error) {
    state->table = table;
    state->time = s->time;
    state->epoch = s->epoch;
    state->point_count = table->point_count(s);
    state->cell_count = table->cell_count(s);
    state->node_count = table == &pli_frame_table ? s->node_count : 0;
    state->size = 0;
    for (int i = 0; i < table->count; ++i) {
        const pli_vtu_column* a = &table->arrays[i];
        state->present[i] = is_there(vtu, a, s);
        state->names[i] = array_name(a, s);
        state->start[i] = state->size;
        state->bytes[i] =
            state->present[i] && !a->constant ? tuple_size(vtu, a) * (size_t)a->count(s) : 0;
        state->size += state->bytes[i];
    }
    if (!state->data || state->size > state->capacity) {
        size_t room = state->size + state->size / 4 + 1; // the number of contacts grows
        PLI_TRY(pli_resize(vtu->memory, &state->data, 1, state->capacity, room, error));
        state->capacity = room;
    }
    for (int i = 0; i < table->count; ++i)
        if (state->bytes[i] > 0)
            put_array(vtu, &table->arrays[i], s, state->data + state->start[i]);
    return PLI_OK;
}

pli_status pli_vtu_gather(const pli_vtu* vtu, const pli_snapshot* snapshot, pli_vtu_state* state,
                          pli_error* error) {
    return gather(vtu, &pli_frame_table, snapshot, state, error);
}

pli_status pli_vtu_gather_contacts(const pli_vtu* vtu, const pli_snapshot* snapshot,
                                   pli_vtu_state* state, pli_error* error) {
    return gather(vtu, &pli_contact_table, snapshot, state, error);
}

void pli_vtu_state_free(const pli_vtu* vtu, pli_vtu_state* state) {
    if (state->data) PLI_FREE(vtu->memory, state->data, state->capacity);
    *state = (pli_vtu_state){0};
}

// ---- encoding

static size_t room_for(const pli_vtu_state* state) {
    size_t room = 0;
    for (int i = 0; i < state->table->count; ++i) room += packed_bound(state->bytes[i]);
    return room;
}

bool pli_vtu_has_room(const pli_vtu* vtu, const pli_vtu_state* state) {
    return vtu->packed.capacity >= room_for(state);
}

pli_status pli_vtu_reserve(pli_vtu* vtu, const pli_vtu_state* state, pli_error* error) {
    if (pli_vtu_has_room(vtu, state)) return PLI_OK;
    size_t room = room_for(state);
    PLI_TRY(pli_resize(vtu->memory, &vtu->packed.data, 1, vtu->packed.capacity, room + room / 4,
                       error));
    vtu->packed.capacity = room + room / 4;
    return PLI_OK;
}

static void write_arrays(const pli_vtu* vtu, const pli_vtu_state* state, pli_file* file,
                         pli_vtu_section which) {
    char tuples[40]; // only field data need them
    pli_format(tuples, sizeof tuples, " NumberOfTuples=\"%d\"", state->node_count);
    for (int i = 0; i < state->table->count; ++i) {
        const pli_vtu_column* a = &state->table->arrays[i];
        if (a->section != which || !state->present[i]) continue;
        pli_vtu_xml_array head = {number_name(vtu, a->type), state->names[i], a->components,
                                  which == PLI_VTU_FIELD_DATA ? tuples : a->component_names};
        pli_vtu_xml_appended_array(file, &head,
                                   a->constant ? vtu->offsets[i] : vtu->packed_offsets[i]);
    }
}

static void write_section(const pli_vtu* vtu, const pli_vtu_state* state, pli_file* file,
                          pli_vtu_section which) {
    pli_vtu_xml_open(file, section_names[which]);
    write_arrays(vtu, state, file, which);
    pli_vtu_xml_close(file, section_names[which]);
}

static void write_head(const pli_vtu* vtu, const pli_vtu_state* state, pli_file* file) {
    pli_vtu_xml_begin(file, " header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"");
    pli_file_text(file, "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\""
                        " NumberOfTuples=\"1\" format=\"ascii\">");
    pli_file_number(file, state->time);
    pli_file_text(file, "</DataArray>\n<DataArray type=\"Int32\" Name=\"PliantFormat\""
                        " NumberOfTuples=\"1\" format=\"ascii\">");
    pli_file_count(file, state->epoch > 0 ? PLI_RESULT_FORMAT : PLI_RESULT_FORMAT_ONE_EPOCH);
    if (state->epoch > 0)
        PLI_FILE_PRINT(file,
                       "</DataArray>\n<DataArray type=\"Int32\" Name=\"PliantEpoch\""
                       " NumberOfTuples=\"1\" format=\"ascii\">%d",
                       state->epoch);
    if (state->node_count > 0)
        PLI_FILE_PRINT(file,
                       "</DataArray>\n<DataArray type=\"Int32\" Name=\"PliantNodes\""
                       " NumberOfTuples=\"1\" format=\"ascii\">%d",
                       state->node_count);
    pli_file_text(file, "</DataArray>\n");
    write_arrays(vtu, state, file, PLI_VTU_FIELD_DATA);
    pli_file_text(file, "</FieldData>\n");
    pli_vtu_xml_piece(file, state->point_count, state->cell_count);
    for (int i = 0; i < PLI_VTU_SECTIONS; ++i) write_section(vtu, state, file, (pli_vtu_section)i);
    pli_vtu_xml_end_piece(file);
    pli_file_text(file, "<AppendedData encoding=\"raw\">\n_");
}

// Compresses zeros where it saves enough: small arrays would save less than a kilobyte.
static packing quick_packing(const unsigned char* data, size_t size) {
    enum { LITTLE = 1024 };
    return (size < LITTLE ? is_zero(data, size) : is_mostly_zero(data, size)) ? ZEROS : STORED;
}

void pli_vtu_encode(pli_vtu* vtu, const pli_vtu_state* state, pli_file* file) {
    const pli_vtu_table* table = state->table;
    const bytes none = {0};
    const bytes* constant = table == &pli_frame_table ? &vtu->constant : &none;
    vtu->packed.size = 0;
    for (int i = 0; i < table->count; ++i) {
        const pli_vtu_column* a = &table->arrays[i];
        const unsigned char* data = state->data + state->start[i];
        if (a->constant || !state->present[i]) continue;
        packing how = vtu->choice.small ? TIGHT : quick_packing(data, state->bytes[i]);
        vtu->packed_offsets[i] = constant->size + vtu->packed.size;
        append_array(vtu, how, data, state->bytes[i], tuple_size(vtu, a), &vtu->packed);
    }
    write_head(vtu, state, file);
    if (constant->size > 0) pli_file_write(file, constant->data, constant->size);
    pli_file_write(file, vtu->packed.data, vtu->packed.size);
    pli_file_text(file, "\n</AppendedData>\n");
    pli_vtu_xml_end(file);
}

// ---- gathering and encoding at once

static pli_status write_table(pli_vtu* vtu, const pli_vtu_table* table,
                              const pli_snapshot* snapshot, const char* folder, const char* name,
                              pli_error* error) {
    pli_vtu_state state = {0};
    pli_file file;
    pli_status status = gather(vtu, table, snapshot, &state, error);
    if (status == PLI_OK) status = pli_vtu_reserve(vtu, &state, error);
    if (status == PLI_OK) status = pli_file_create(&file, folder, name, error);
    if (status == PLI_OK) {
        pli_vtu_encode(vtu, &state, &file);
        status = pli_file_commit(&file, error);
    }
    pli_vtu_state_free(vtu, &state);
    return status;
}

pli_status pli_vtu_write(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                         const char* name, pli_error* error) {
    return write_table(vtu, &pli_frame_table, snapshot, folder, name, error);
}

pli_status pli_vtu_write_contacts(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                                  const char* name, pli_error* error) {
    return write_table(vtu, &pli_contact_table, snapshot, folder, name, error);
}
