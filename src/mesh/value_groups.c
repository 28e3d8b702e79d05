// Data arrays as groups.
#include "mesh/value_groups.h"

#include <string.h>

#include "base/text.h"

// Where the value is in the list, or would be.
static int find_value(const pli_value_groups* g, int64_t value) {
    int at = 0;
    while (at < g->count && g->values[at] < value) ++at;
    return at;
}

void pli_value_groups_init(pli_value_groups* g, const char* name, int count,
                           const int64_t* values) {
    *g = (pli_value_groups){0};
    pli_format(g->name, sizeof g->name, "%s", name);
    g->own = strncmp(name, PLI_GROUP_PREFIX, strlen(PLI_GROUP_PREFIX)) == 0;
    for (int i = 0; i < count; ++i) {
        int at = find_value(g, values[i]);
        if (at < g->count && g->values[at] == values[i]) continue;
        if (g->count == PLI_VALUE_LIMIT) {
            g->count = 0;
            return;
        }
        memmove(g->values + at + 1, g->values + at, (size_t)(g->count - at) * sizeof *g->values);
        g->values[at] = values[i];
        g->count++;
    }
}

pli_status pli_value_groups_mark(const pli_value_groups* g, pli_reader* reader, int dim,
                                 int64_t value, int count, const int32_t* vertices) {
    char name[2 * PLI_MESH_NAME_SIZE];
    int group;
    if (g->count == 0 || (g->own && value == 0)) return PLI_OK;
    if (g->own)
        pli_format(name, sizeof name, "%s", g->name + strlen(PLI_GROUP_PREFIX));
    else // the value is what tells groups apart, so a long name of the array is cut
        pli_format(name, sizeof name, "%.40s=%lld", g->name, (long long)value);
    PLI_TRY(pli_marks_name(&reader->marks, g->own && dim == 0 ? g->dim : dim, name, &group,
                           reader->scan.error));
    if (group >= 0 && g->own) reader->marks.groups[group].tag = g->tag;
    return pli_reader_mark_group(reader, group, count, vertices);
}
