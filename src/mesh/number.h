// Numbers as mesh files store them in bytes.
#ifndef PLI_MESH_NUMBER_H
#define PLI_MESH_NUMBER_H

#include "pliant/base.h"

typedef struct pli_number_type {
    char kind; // 'i' signed, 'u' unsigned, 'f' real
    int size;  // bytes: 1, 2, 4, 8; 'f' only 4 and 8
} pli_number_type;

#define PLI_INT32 ((pli_number_type){'i', 4})
#define PLI_FLOAT32 ((pli_number_type){'f', 4})
#define PLI_FLOAT64 ((pli_number_type){'f', 8})

// From its name in VTK or PLY files ("Float64", "unsigned_char", "uchar" ...). False: no such name.
bool pli_number_named(const char* name, pli_number_type* type);

// Whether this machine puts the lowest byte first.
bool pli_little_endian(void);

double pli_number_real(pli_number_type type, bool swap, const void* bytes);
// False: it is no whole number or does not fit.
bool pli_number_integer(pli_number_type type, bool swap, const void* bytes, int64_t* value);

#endif
