// The file of one frame: its arrays by name.
#ifndef PLI_RESULT_RESULT_FRAME_H
#define PLI_RESULT_RESULT_FRAME_H

#include "mesh/vtu_array.h"

typedef enum pli_frame_part {
    PLI_FRAME_FIELDS, // of the frame as a whole
    PLI_FRAME_POINTS,
    PLI_FRAME_CELLS,
    PLI_FRAME_POINT_DATA,
    PLI_FRAME_CELL_DATA,
    PLI_FRAME_PARTS
} pli_frame_part;

typedef struct pli_frame_array {
    pli_frame_part part;
    pli_vtu_array array;
} pli_frame_array;
enum { PLI_FRAME_ARRAYS = 64 };

typedef struct pli_frame_file {
    pli_memory* memory;
    char* path;
    pli_scan scan;
    pli_vtu_layout layout;
    int point_count, cell_count;
    int array_count;
    pli_frame_array arrays[PLI_FRAME_ARRAYS];
} pli_frame_file;

// Opens folder/name and lists its arrays; it must have one piece.
pli_status pli_frame_open_file(pli_frame_file* file, pli_memory* memory, const char* folder,
                               const char* name, pli_error* error);
// folder/frame_<i>.vtu
pli_status pli_frame_open(pli_frame_file* file, pli_memory* memory, const char* folder, int i,
                          pli_error* error);
void pli_frame_close(pli_frame_file* file); // zeroed is valid

// The array of this name, NULL if there is none.
const pli_vtu_array* pli_frame_find(const pli_frame_file* file, pli_frame_part part,
                                    const char* name);

// All numbers of an array, `count` including components. Integers must fit 32 bits.
pli_status pli_frame_reals(const pli_frame_file* file, const pli_vtu_array* array, int64_t count,
                           double* out);
pli_status pli_frame_integers(const pli_frame_file* file, const pli_vtu_array* array, int64_t count,
                              int32_t* out);

// The positions of all points, which must be finite, also as floats.
pli_status pli_frame_positions(const pli_frame_file* file, double* out);
// The epoch of the frame; 0 if it names none.
pli_status pli_frame_epoch(const pli_frame_file* file, int* epoch);

#endif
