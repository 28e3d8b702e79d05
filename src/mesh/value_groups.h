// Arrays of data on points or cells as groups: one for each value of an array of whole numbers,
// named "array=value". Our own files have an array "group:NAME" per group, 0 outside, else 1.
#ifndef PLI_MESH_VALUE_GROUPS_H
#define PLI_MESH_VALUE_GROUPS_H

#include "mesh/reader.h"

#define PLI_GROUP_PREFIX "group:"

enum { PLI_VALUE_LIMIT = 64 }; // values; an array with more of them names no parts

typedef struct pli_value_groups {
    char name[PLI_MESH_NAME_SIZE + sizeof PLI_GROUP_PREFIX];
    int32_t tag; // of a group of ours
    int dim;     // of that group
    bool own;    // the name has the prefix
    int count;
    int64_t values[PLI_VALUE_LIMIT]; // ascending
} pli_value_groups;

// Looks at all values of the array. No group comes of it if there are too many.
void pli_value_groups_init(pli_value_groups* groups, const char* name, int count,
                           const int64_t* values);

// Puts the vertices of a point (dim 0) or a cell into the group of its value.
pli_status pli_value_groups_mark(const pli_value_groups* groups, pli_reader* reader, int dim,
                                 int64_t value, int count, const int32_t* vertices);

#endif
