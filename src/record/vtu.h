// Frames as VTK unstructured grids (.vtu): XML header, then all arrays as appended raw data in zlib
// blocks (header_type UInt64). Opens in ParaView and other programs that use VTK's reader.
//
// The format cannot share arrays between files, so each frame contains its cells. Constant arrays
// (cells, bodies, masses) are encoded once and copied. Changing numbers are stored in zlib blocks
// without compression, because compressing them takes several times as long and saves about 15 %;
// arrays that are mostly zeros are compressed.
//
// Writing has two halves: pli_vtu_gather copies the state and may run out of memory; pli_vtu_encode
// writes the bytes of the file and neither allocates nor reads the snapshot, so that another thread
// can do it (writer.h).
#ifndef PLI_RECORD_VTU_H
#define PLI_RECORD_VTU_H

#include "base/file.h"
#include "base/memory.h"
#include "pliant/record.h"
#include "result/snapshot.h"

// Which parts of the state are written.
typedef struct pli_vtu_choice {
    uint32_t fields; // bits of pli_frame_field_name
    bool exact;      // numbers with double precision, otherwise single
    bool small;      // compress all numbers
} pli_vtu_choice;

enum { PLI_VTU_MAX_ARRAYS = 48 };

// The constant arrays.
typedef struct pli_vtu pli_vtu;

// One file in progress. Zero-initialize it; its memory is kept from file to file.
typedef struct pli_vtu_state {
    const struct pli_vtu_table* table;
    double time; // [s]
    int epoch;
    int64_t point_count, cell_count;
    int node_count;
    const char* names[PLI_VTU_MAX_ARRAYS];
    bool present[PLI_VTU_MAX_ARRAYS];
    size_t start[PLI_VTU_MAX_ARRAYS], bytes[PLI_VTU_MAX_ARRAYS]; // of changing arrays, in `data`
    unsigned char* data;
    size_t size, capacity;
} pli_vtu_state;

// Encodes cells, bodies and masses of the snapshot, common to all frames of its epoch.
pli_status pli_vtu_create(pli_memory* memory, const pli_vtu_choice* choice,
                          const pli_snapshot* snapshot, pli_vtu** vtu, pli_error* error);
// The same for another epoch; states that were gathered before cannot be encoded afterwards. On
// failure nothing changes.
pli_status pli_vtu_change(pli_vtu* vtu, const pli_snapshot* snapshot, pli_error* error);
void pli_vtu_destroy(pli_vtu* vtu); // NULL is allowed

// Bytes of the changing arrays of a frame.
size_t pli_vtu_frame_size(const pli_vtu* vtu, const pli_snapshot* snapshot);

// The state of a frame, or its contacts: a line each, between the closest points.
pli_status pli_vtu_gather(const pli_vtu* vtu, const pli_snapshot* snapshot, pli_vtu_state* state,
                          pli_error* error);
pli_status pli_vtu_gather_contacts(const pli_vtu* vtu, const pli_snapshot* snapshot,
                                   pli_vtu_state* state, pli_error* error);
void pli_vtu_state_free(const pli_vtu* vtu, pli_vtu_state* state);

// Capacity that pli_vtu_encode needs for this state; only grows.
pli_status pli_vtu_reserve(pli_vtu* vtu, const pli_vtu_state* state, pli_error* error);
bool pli_vtu_has_room(const pli_vtu* vtu, const pli_vtu_state* state);
void pli_vtu_encode(pli_vtu* vtu, const pli_vtu_state* state, pli_file* file);

// Gathers and encodes: writes folder/name, complete or not at all.
pli_status pli_vtu_write(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                         const char* name, pli_error* error);
pli_status pli_vtu_write_contacts(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                                  const char* name, pli_error* error);

// ---- the arrays of a file, as rows of a table

typedef enum pli_vtu_section {
    PLI_VTU_POINTS,
    PLI_VTU_CELLS,
    PLI_VTU_POINT_DATA,
    PLI_VTU_CELL_DATA,
    PLI_VTU_SECTIONS,
    PLI_VTU_FIELD_DATA = PLI_VTU_SECTIONS // of the frame as a whole: an entry per node
} pli_vtu_section;
typedef enum pli_vtu_number {
    PLI_VTU_UINT8,
    PLI_VTU_INT32,
    PLI_VTU_REAL, // single or double precision, by choice
} pli_vtu_number;

enum { PLI_VTU_ALWAYS = -1, PLI_VTU_MAX_COMPONENTS = 6 };

// One array and how its tuple i is computed: reals as doubles, integers unchanged.
typedef struct pli_vtu_column {
    pli_vtu_section section;
    const char* name; // of arrays always written; otherwise see pli_frame_field_name
    pli_vtu_number type;
    int components;
    int64_t (*count)(const pli_snapshot* s);
    void (*tuple)(const pli_snapshot* s, int64_t i, void* out);
    const double* (*all)(const pli_snapshot* s); // or all tuples, concatenated
    int scalar;                                  // or scalar - 1 of the snapshot
    int field;                                   // its bit in pli_vtu_choice.fields
    bool constant;                               // the same in all frames
    bool (*has)(const pli_snapshot* s);          // whether the array exists; NULL: always
    const char* component_names;                 // as further attributes; NULL: none
} pli_vtu_column;

typedef struct pli_vtu_table {
    const pli_vtu_column* arrays;
    int count; // of arrays
    int64_t (*point_count)(const pli_snapshot* s);
    int64_t (*cell_count)(const pli_snapshot* s);
} pli_vtu_table;

extern const pli_vtu_table pli_frame_table, pli_contact_table;

#endif
