// Arrays of frames as values per vertex, and the fields offered to users.
#ifndef PLI_RESULT_RESULT_FIELD_H
#define PLI_RESULT_RESULT_FIELD_H

#include "pliant/replay.h"
#include "result/result.h"
#include "result/result_frame.h"

// One array on all vertices of the world. Zero-initialize it; its memory is kept from frame to
// frame.
typedef struct pli_result_values {
    pli_memory* memory;
    int components;
    double* values;
    size_t value_count;
    // of cells: vertices and where those of each end; read once
    int cell_count;
    int32_t *connectivity, *ends;
    size_t connectivity_size;
} pli_result_values;
void pli_result_values_free(pli_result_values* values); // zeroed is fine

// Reads the array of this name in frame i; of what is known per cell the mean of the cells at each
// vertex. PLI_E_ARGUMENT: there is no such array.
pli_status pli_result_read_values(pli_result_values* values, const pli_result* result, int i,
                                  const char* array, pli_error* error);
// Does the first frame have pli_field_at(i)?
bool pli_result_has_field(const pli_result* result, int i);
// Which ones a frame has, as pli_result.fields.
uint32_t pli_frame_fields(const pli_frame_file* file);

// PLI_E_ARGUMENT, with a list of what there is: the first frame has no field with this key, which
// is `length` long.
pli_status pli_result_check_field(const pli_result* result, const char* key, size_t length,
                                  pli_error* error);

// The field with this key; NULL if there is none.
const pli_field_info* pli_field_find(const char* key);

// A value, or the length of a vector.
double pli_result_size(const pli_result_values* values, int vertex);

#endif
