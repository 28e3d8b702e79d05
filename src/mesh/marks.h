// What a reader notes about groups while it reads: rows of (group, vertex), in any order and with
// repetition. They become groups of the mesh when all of the file was read.
#ifndef PLI_MESH_MARKS_H
#define PLI_MESH_MARKS_H

#include "mesh/ids.h"
#include "pliant/mesh.h"

enum { PLI_MARKS_LIMIT = 1024 }; // groups; a file that numbers each of its elements has no groups

typedef struct pli_mark {
    int32_t group, vertex;
} pli_mark;

typedef struct pli_marks {
    pli_memory* memory;
    int count, capacity;
    pli_mark* rows;
    int32_t highest; // vertex
    int group_count, group_capacity;
    pli_mesh_group* groups; // names, tags, dimensions; without vertices
    pli_ids numbered;       // dimension and tag -> group
    bool overflow;          // there were more groups than the limit
} pli_marks;

void pli_marks_init(pli_marks* marks, pli_memory* memory);
void pli_marks_free(pli_marks* marks);

// The group with this number, or with this name; made if it is not there. *group is -1 if there are
// too many, or if the number is 0 or the name is empty, which mean no group.
pli_status pli_marks_number(pli_marks* marks, int dim, int64_t tag, int* group, pli_error* error);
pli_status pli_marks_name(pli_marks* marks, int dim, const char* name, int* group,
                          pli_error* error);

// Puts vertices of the mesh into the group; -1 as group or vertex means nothing.
pli_status pli_marks_put(pli_marks* marks, int group, int count, const int32_t* vertices,
                         pli_error* error);

// Adds the groups that have vertices to the mesh.
pli_status pli_marks_commit(pli_marks* marks, pli_mesh* mesh, pli_error* error);

#endif
