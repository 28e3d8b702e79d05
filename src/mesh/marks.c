// Groups of a file, collected. When the rows are full they are first sorted and thinned out, so
// that memory goes with the different rows and not with how often the file repeats them.
#include "mesh/marks.h"

#include <string.h>

#include "base/text.h"
#include "mesh/sort.h"

void pli_marks_init(pli_marks* marks, pli_memory* memory) {
    *marks = (pli_marks){.memory = memory};
    pli_ids_init(&marks->numbered, memory);
}

void pli_marks_free(pli_marks* marks) {
    if (!marks->memory) return;
    PLI_FREE(marks->memory, marks->rows, marks->capacity);
    PLI_FREE(marks->memory, marks->groups, marks->group_capacity);
    pli_ids_free(&marks->numbered);
    *marks = (pli_marks){0};
}

static pli_status add_head(pli_marks* marks, int dim, int32_t tag, const char* name, int* group,
                           pli_error* error) {
    *group = -1;
    if (marks->group_count == PLI_MARKS_LIMIT) {
        marks->overflow = true;
        return PLI_OK;
    }
    PLI_TRY(PLI_GROW(marks->memory, marks->groups, marks->group_capacity, marks->group_count + 1,
                     error));
    pli_mesh_group* g = &marks->groups[marks->group_count];
    *g = (pli_mesh_group){.dim = dim, .tag = tag};
    pli_format(g->name, sizeof g->name, "%s", name);
    *group = marks->group_count++;
    return PLI_OK;
}

pli_status pli_marks_number(pli_marks* marks, int dim, int64_t tag, int* group, pli_error* error) {
    char name[32];
    *group = -1;
    if (tag == 0 || tag > INT32_MAX || tag < -INT32_MAX) return PLI_OK;
    int64_t key = tag * 4 + dim;
    *group = pli_ids_find(&marks->numbered, key);
    if (*group >= 0) return PLI_OK;
    pli_format(name, sizeof name, "%d", (int)tag);
    PLI_TRY(add_head(marks, dim, (int32_t)tag, name, group, error));
    return *group < 0 ? PLI_OK : pli_ids_add(&marks->numbered, key, *group, error);
}

pli_status pli_marks_name(pli_marks* marks, int dim, const char* name, int* group,
                          pli_error* error) {
    *group = -1;
    if (!name[0]) return PLI_OK;
    for (int i = 0; i < marks->group_count; ++i)
        if (marks->groups[i].dim == dim &&
            strncmp(marks->groups[i].name, name, PLI_MESH_NAME_SIZE - 1) == 0) {
            *group = i;
            return PLI_OK;
        }
    return add_head(marks, dim, 0, name, group, error);
}

// Sorts the rows by group and vertex and keeps each once.
static pli_status thin_out(pli_marks* marks, pli_error* error) {
    int limit = pli_max_int(marks->group_count, marks->highest + 1), kept = 0;
    PLI_TRY(pli_sort_rows(marks->memory, (int32_t*)marks->rows, marks->count, 2, 2, limit, error));
    for (int i = 0; i < marks->count; ++i)
        if (i == 0 || memcmp(&marks->rows[i], &marks->rows[i - 1], sizeof *marks->rows) != 0)
            marks->rows[kept++] = marks->rows[i];
    marks->count = kept;
    return PLI_OK;
}

// Sorting takes time with the highest vertex, so there are at least as many rows; and they grow
// unless half of them became free, so sorting stays rare.
static pli_status make_room(pli_marks* marks, int count, pli_error* error) {
    if (marks->count <= marks->capacity - count) return PLI_OK;
    if (marks->capacity > marks->highest) PLI_TRY(thin_out(marks, error));
    if (marks->count > INT32_MAX / 8)
        return pli_fail(error, PLI_E_MEMORY, "the groups of the file are too large");
    if (marks->capacity > marks->highest && marks->count + count <= marks->capacity / 2)
        return PLI_OK;
    int need = pli_max_int(2 * marks->count, marks->highest + 1) + count;
    return PLI_GROW(marks->memory, marks->rows, marks->capacity, need, error);
}

pli_status pli_marks_put(pli_marks* marks, int group, int count, const int32_t* vertices,
                         pli_error* error) {
    if (group < 0) return PLI_OK;
    PLI_ASSERT(count < INT32_MAX / 8);
    for (int i = 0; i < count; ++i) marks->highest = pli_max_int(marks->highest, vertices[i]);
    PLI_TRY(make_room(marks, count, error));
    for (int i = 0; i < count; ++i)
        if (vertices[i] >= 0) marks->rows[marks->count++] = (pli_mark){group, vertices[i]};
    return PLI_OK;
}

pli_status pli_marks_commit(pli_marks* marks, pli_mesh* mesh, pli_error* error) {
    int32_t* vertices = NULL;
    pli_status status = PLI_OK;
    PLI_TRY(thin_out(marks, error));
    int total = marks->count;
    PLI_TRY(PLI_ALLOC(marks->memory, vertices, total, error));
    for (int i = 0; i < total; ++i) vertices[i] = marks->rows[i].vertex;
    for (int i = 0, end; i < total; i = end) {
        int32_t group = marks->rows[i].group;
        const pli_mesh_group* g = &marks->groups[group];
        for (end = i; end < total && marks->rows[end].group == group;) ++end;
        PLI_TRY_CLEANUP(status, pli_mesh_add_group(mesh, g->name, g->tag, g->dim, end - i,
                                                   vertices + i, error));
    }
cleanup:
    PLI_FREE(marks->memory, vertices, total);
    return status;
}
