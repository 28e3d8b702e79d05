// Physical groups of Gmsh files [Gmsh reference manual, "MSH file format"]. The sign of a tag is
// the orientation of an entity, which is ignored.
#include "mesh/gmsh_groups.h"

#include <string.h>

static int64_t without_sign(int64_t tag) { return tag < 0 ? -tag : tag; }

// ---- names

// "name" in quotes, truncated to the size of a group's name.
static pli_status read_quoted(pli_scan* scan, char name[PLI_MESH_NAME_SIZE]) {
    pli_scan_skip_blanks(scan);
    if (*scan->at != '"')
        return PLI_SCAN_FAIL(scan, "\"%.23s\", must be a name in quotes", pli_scan_peek(scan).text);
    const char* first = ++scan->at;
    while (*scan->at != '"' && !pli_scan_line_ended(scan)) ++scan->at;
    if (*scan->at != '"') return PLI_SCAN_FAIL(scan, "the line ends in a name");
    size_t n = (size_t)(scan->at++ - first), most = PLI_MESH_NAME_SIZE - 1;
    memset(name, 0, PLI_MESH_NAME_SIZE);
    memcpy(name, first, n < most ? n : most);
    return PLI_OK;
}

// A number, then in each line "dimension tag name".
pli_status pli_gmsh_read_names(pli_reader* reader) {
    pli_scan* scan = &reader->scan;
    int count, group;
    scan->binary = false; // text in either case
    PLI_TRY(pli_scan_count(scan, PLI_INT32, "names", 6, &count));
    for (int i = 0; i < count; ++i) {
        int64_t dim, tag;
        char name[PLI_MESH_NAME_SIZE];
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "dimension of a group", &dim));
        if (dim < 0 || dim > 3)
            return PLI_SCAN_FAIL(scan, "dimension %lld of a group, must be 0 to 3", (long long)dim);
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "tag of a group", &tag));
        PLI_TRY(read_quoted(scan, name));
        PLI_TRY(pli_marks_number(&reader->marks, (int)dim, without_sign(tag), &group, scan->error));
        if (group >= 0 && name[0]) memcpy(reader->marks.groups[group].name, name, sizeof name);
    }
    return PLI_OK;
}

// ---- entities

void pli_gmsh_entities_init(pli_gmsh_entities* e, pli_memory* memory) {
    *e = (pli_gmsh_entities){.memory = memory};
    pli_ids_init(&e->numbers, memory);
}

void pli_gmsh_entities_free(pli_gmsh_entities* e) {
    PLI_FREE(e->memory, e->ends, e->end_capacity);
    PLI_FREE(e->memory, e->groups, e->group_capacity);
    pli_ids_free(&e->numbers);
}

static bool fits(int64_t tag) { return tag <= INT32_MAX && tag >= -INT32_MAX; }

static int64_t key_of(int dim, int64_t tag) { return tag * 4 + dim; }

static pli_status add_entity(pli_gmsh_entities* e, int dim, int64_t tag, pli_scan* scan) {
    if (!fits(tag)) return PLI_SCAN_FAIL(scan, "entity %lld, must fit 31 bits", (long long)tag);
    if (pli_ids_find(&e->numbers, key_of(dim, tag)) >= 0)
        return PLI_SCAN_FAIL(scan, "entity %lld of dimension %d occurs twice", (long long)tag, dim);
    PLI_TRY(pli_ids_add(&e->numbers, key_of(dim, tag), e->count, scan->error));
    PLI_TRY(PLI_GROW(e->memory, e->ends, e->end_capacity, e->count + 1, scan->error));
    e->ends[e->count++] = e->group_count;
    return PLI_OK;
}

// For an entity of a partition: its parent, and the partitions.
static pli_status read_parent(pli_scan* scan, int word, int64_t* dim) {
    int64_t number;
    int count;
    PLI_TRY(pli_scan_integer(scan, PLI_INT32, "dimension of the parent", dim));
    PLI_TRY(pli_scan_integer(scan, PLI_INT32, "parent", &number));
    PLI_TRY(pli_scan_count(scan, (pli_number_type){'u', word}, "partitions", scan->binary ? 4 : 2,
                           &count));
    for (int i = 0; i < count; ++i)
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "partition", &number));
    return PLI_OK;
}

typedef struct entity_format {
    int word; // bytes of a size_t
    bool early, partitioned;
} entity_format;

// Tag, position (a point or its bounding box), physical tags, and for all but points the bounding
// entities.
static pli_status read_entity(pli_gmsh_entities* e, pli_scan* scan, int dim,
                              const entity_format* f) {
    const int word = f->word;
    const pli_number_type size = {'u', word};
    int64_t tag, parent = dim;
    int count;
    PLI_TRY(pli_scan_integer(scan, PLI_INT32, "entity", &tag));
    PLI_TRY(add_entity(e, dim, tag, scan));
    if (f->partitioned) PLI_TRY(read_parent(scan, word, &parent));
    for (int i = 0; i < (dim == 0 && !f->early ? 3 : 6); ++i) {
        double coordinate;
        PLI_TRY(pli_scan_real(scan, PLI_FLOAT64, "coordinate", &coordinate));
    }
    PLI_TRY(pli_scan_count(scan, size, "physical tags", scan->binary ? 4 : 2, &count));
    PLI_TRY(PLI_GROW(e->memory, e->groups, e->group_capacity, e->group_count + count, scan->error));
    for (int i = 0; i < count; ++i) {
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "physical tag", &tag));
        // An interface between partitions has the tags of the entity it cuts.
        if (parent == dim) e->groups[e->group_count++] = without_sign(tag);
    }
    e->ends[e->count - 1] = e->group_count;
    if (dim == 0) return PLI_OK;
    PLI_TRY(pli_scan_count(scan, size, "bounding entities", scan->binary ? 4 : 2, &count));
    for (int i = 0; i < count; ++i)
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "bounding entity", &tag));
    return PLI_OK;
}

static pli_status read_lists(pli_gmsh_entities* e, pli_scan* scan, const entity_format* f) {
    static const char* const words[] = {"points", "curves", "surfaces", "volumes"};
    int counts[4];
    for (int dim = 0; dim < 4; ++dim)
        PLI_TRY(
            pli_scan_count(scan, (pli_number_type){'u', f->word}, words[dim], 10, &counts[dim]));
    for (int dim = 0; dim < 4; ++dim)
        for (int i = 0; i < counts[dim]; ++i) PLI_TRY(read_entity(e, scan, dim, f));
    return PLI_OK;
}

pli_status pli_gmsh_read_entities(pli_gmsh_entities* e, pli_reader* reader, int word, bool early) {
    return read_lists(e, &reader->scan, &(entity_format){word, early, false});
}

// The number of partitions, then ghosts with an entity and a partition each.
pli_status pli_gmsh_read_partitions(pli_gmsh_entities* e, pli_reader* reader, int word,
                                    bool early) {
    pli_scan* scan = &reader->scan;
    const pli_number_type size = {'u', word};
    int64_t number;
    int ghosts;
    PLI_TRY(pli_scan_integer(scan, size, "number of partitions", &number));
    PLI_TRY(pli_scan_count(scan, size, "ghost entities", scan->binary ? 8 : 4, &ghosts));
    for (int i = 0; i < 2 * ghosts; ++i)
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "ghost entity", &number));
    return read_lists(e, scan, &(entity_format){word, early, true});
}

// ---- marks

static int groups_of(const pli_gmsh_entities* e, int dim, int64_t entity, const int64_t** groups) {
    int32_t i = fits(entity) ? pli_ids_find(&e->numbers, key_of(dim, entity)) : -1;
    if (i < 0 || !e->groups) return 0;
    int first = i > 0 ? e->ends[i - 1] : 0;
    *groups = e->groups + first;
    return e->ends[i] - first;
}

bool pli_gmsh_has_groups(const pli_gmsh_entities* e, int dim, int64_t entity) {
    const int64_t* groups;
    return groups_of(e, dim, entity, &groups) > 0;
}

pli_status pli_gmsh_mark(const pli_gmsh_entities* e, pli_reader* reader, int dim, int64_t entity,
                         int count, const int32_t* vertices) {
    const int64_t* groups;
    int n = groups_of(e, dim, entity, &groups);
    for (int i = 0; i < n; ++i) PLI_TRY(pli_reader_mark(reader, dim, groups[i], count, vertices));
    return PLI_OK;
}
