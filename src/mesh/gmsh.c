// Gmsh .msh files, versions 2.x, 4.0 and 4.1, text and binary [Gmsh reference manual, "MSH file
// format"]. Sections other than those in the table at the end are skipped by searching for their
// end, so files with private sections can be read. Files of version 4 without $Entities have no
// groups; in a partitioned mesh, elements name $PartitionedEntities. In text each
// node and each element has a line, so that a missing or extra number is located.
#define _GNU_SOURCE // memmem
#include <string.h>

#include "mesh/gmsh_groups.h"
#include "mesh/reader.h"

typedef struct gmsh {
    pli_reader* reader;
    pli_scan* scan;
    pli_ids nodes; // id -> vertex of the mesh
    pli_gmsh_entities entities;
    int version; // 2 or 4
    bool early;  // 4.0: nodes and elements are numbered by ints, blocks start with the entity
    bool binary;
    int word; // bytes of a size_t in version 4
    bool has_format;
    struct { // the previous element, as far as it was added
        int type, vertices[10];
        int64_t group;
    } last;
} gmsh;

// ---- element types

enum { MAX_NODES = 1000 };

// The meaning of a type: an element kind, a polygon that is triangulated, or skipped. The last ones
// (points) are skipped without a note.
typedef enum use { KIND, POLYGON, SKIPPED, SILENT } use;

typedef struct element_type {
    int number, nodes, dimension;
    use use;
    pli_element_kind kind;
    const char* word;
} element_type;

static const element_type types[] = {
    {1, 2, 1, KIND, PLI_SEGMENT, ""},
    {2, 3, 2, KIND, PLI_TRIANGLE, ""},
    {3, 4, 2, POLYGON, PLI_TRIANGLE, ""},
    {4, 4, 3, KIND, PLI_TETRAHEDRON, ""},
    {5, 8, 3, SKIPPED, 0, "hexahedra"},
    {6, 6, 3, SKIPPED, 0, "prisms"},
    {7, 5, 3, SKIPPED, 0, "pyramids"},
    {8, 3, 1, SKIPPED, 0, "quadratic segments"},
    {9, 6, 2, KIND, PLI_TRIANGLE6, ""},
    {10, 9, 2, SKIPPED, 0, "quadratic quadrangles"},
    {11, 10, 3, KIND, PLI_TETRAHEDRON10, ""},
    {12, 27, 3, SKIPPED, 0, "quadratic hexahedra"},
    {13, 18, 3, SKIPPED, 0, "quadratic prisms"},
    {14, 14, 3, SKIPPED, 0, "quadratic pyramids"},
    {15, 1, 0, SILENT, 0, ""},
    {16, 8, 2, SKIPPED, 0, "quadratic quadrangles"},
    {17, 20, 3, SKIPPED, 0, "quadratic hexahedra"},
    {18, 15, 3, SKIPPED, 0, "quadratic prisms"},
    {19, 13, 3, SKIPPED, 0, "quadratic pyramids"},
};

// Numbers of nodes of the types of order 3 or more, which have numbers from `first` on.
static const struct {
    int first, dimension, count;
    short nodes[42];
} high_types[] = {
    {20, 2, 6, {9, 10, 12, 15, 15, 21}},
    {26, 1, 3, {4, 5, 6}},
    {29, 3, 5, {20, 35, 56, 22, 28}},
    {36, 2, 26, {16, 25,  36,  12, 16, 20, 28, 36, 45, 55, 66, 49, 64,
                 81, 100, 121, 18, 21, 24, 27, 30, 24, 28, 32, 36, 40}},
    {62, 1, 5, {7, 8, 9, 10, 11}},
    {71, 3, 5, {84, 120, 165, 220, 286}},
    {79, 3, 5, {34, 40, 46, 52, 58}},
    {90, 3, 42, {40, 75,  64,  125, 216, 343, 512, 729, MAX_NODES, 32, 44, 56, 68, 80,
                 92, 104, 126, 196, 288, 405, 550, 24,  33,        42, 51, 60, 69, 78,
                 30, 55,  91,  140, 204, 285, 385, 21,  29,        37, 45, 53, 61, 69}},
    {137, 3, 1, {16}},
};

// An unknown type can be skipped only in text, where its line ends.
static const element_type unknown = {0, -1, 0, SKIPPED, 0, "elements of unknown type"};

static pli_status find_type(gmsh* g, int64_t number, element_type* type) {
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (types[i].number == number) {
            *type = types[i];
            return PLI_OK;
        }
    for (size_t i = 0; i < sizeof high_types / sizeof *high_types; ++i) {
        int first = high_types[i].first;
        if (number < first || number >= first + high_types[i].count) continue;
        *type = (element_type){.number = (int)number, .use = SKIPPED};
        type->nodes = high_types[i].nodes[number - first];
        type->dimension = high_types[i].dimension;
        type->word = "elements of order 3 or more";
        return PLI_OK;
    }
    *type = unknown;
    if (!g->binary) return PLI_OK;
    return PLI_SCAN_FAIL(g->scan, "element type %lld is not known", (long long)number);
}

// Version 2 has the physical group of an element, version 4 its entity.
static bool is_grouped(const gmsh* g, const element_type* type, int64_t tag) {
    return g->version == 2 ? tag != 0 : pli_gmsh_has_groups(&g->entities, type->dimension, tag);
}

static pli_status mark(gmsh* g, const element_type* type, int64_t tag, const int32_t* v) {
    if (g->version == 4)
        return pli_gmsh_mark(&g->entities, g->reader, type->dimension, tag, type->nodes, v);
    return pli_reader_mark(g->reader, type->dimension, tag < 0 ? -tag : tag, type->nodes, v);
}

// Version 2 repeats an element for each of its groups. Whether this is a repetition.
static bool is_repeated(gmsh* g, const element_type* type, int64_t tag, const int32_t* v) {
    size_t size = (size_t)type->nodes * sizeof *v;
    bool same = g->version == 2 && tag != g->last.group && tag != 0 && g->last.group != 0 &&
                type->number == g->last.type && memcmp(g->last.vertices, v, size) == 0;
    g->last.type = type->number;
    g->last.group = tag;
    memcpy(g->last.vertices, v, size);
    return same;
}

static pli_status put_element(gmsh* g, const element_type* type, int64_t tag, int32_t place,
                              int32_t* v) {
    if (type->use == SKIPPED) pli_reader_skip(g->reader, type->word, 1);
    if (type->use >= SKIPPED || is_repeated(g, type, tag, v)) return PLI_OK;
    if (type->kind == PLI_TETRAHEDRON10) { // Gmsh swaps the mid-edge nodes of 23 and 13
        int32_t swapped = v[8];
        v[8] = v[9];
        v[9] = swapped;
    }
    if (type->use == KIND) return pli_reader_put_element(g->reader, type->kind, v, place);
    pli_chain chain = {.kind = PLI_TRIANGLE, .place = place};
    for (int i = 0; i < type->nodes; ++i) PLI_TRY(pli_reader_chain(g->reader, &chain, v[i]));
    return PLI_OK;
}

// The nodes of one element, and the element. `place` is its start. In text, elements that are
// neither added nor in a group need not be parsed.
static pli_status read_element(gmsh* g, const element_type* type, pli_number_type number,
                               int64_t tag, int32_t place) {
    bool grouped = is_grouped(g, type, tag);
    if (type->nodes < 0 || (type->use >= SKIPPED && !g->binary && !grouped)) {
        if (type->use == SKIPPED) pli_reader_skip(g->reader, type->word, 1);
        pli_scan_skip_line(g->scan);
        return PLI_OK;
    }
    int32_t v[MAX_NODES];
    for (int i = 0; i < type->nodes; ++i) {
        int64_t id;
        PLI_TRY(pli_scan_integer(g->scan, number, "node", &id));
        v[i] = pli_ids_find(&g->nodes, id);
        if (v[i] < 0 && type->use < SKIPPED)
            return PLI_SCAN_FAIL(g->scan, "an element has node %lld, which is not in the file",
                                 (long long)id);
    }
    if (!g->binary) {
        pli_scan_skip_blanks(g->scan);
        if (!pli_scan_line_ended(g->scan))
            return PLI_SCAN_FAIL(g->scan, "the line continues after the %d nodes of the element",
                                 type->nodes);
    }
    if (grouped) PLI_TRY(mark(g, type, tag, v));
    return put_element(g, type, tag, place, v);
}

// ---- nodes

static pli_status add_id(gmsh* g, int64_t id, int32_t vertex) {
    if (pli_ids_find(&g->nodes, id) >= 0)
        return PLI_SCAN_FAIL(g->scan, "node %lld occurs twice", (long long)id);
    return pli_ids_add(&g->nodes, id, vertex, g->scan->error);
}

// After a node of $ParametricNodes: the dimension of its entity, its tag, as many parameters.
static pli_status pass_parameters(gmsh* g) {
    int64_t dimension, tag;
    if (!g->binary) {
        pli_scan_skip_line(g->scan);
        return PLI_OK;
    }
    PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "entity dimension", &dimension));
    PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "entity", &tag));
    bool has_parameters = dimension == 1 || dimension == 2;
    return pli_scan_skip_bytes(g->scan, has_parameters ? 8 * (size_t)dimension : 0, "parameters");
}

static pli_status read_nodes(gmsh* g, bool parametric) {
    int count;
    g->scan->binary = false; // the count is text in either case
    PLI_TRY(pli_scan_count(g->scan, PLI_INT32, "nodes", g->binary ? 28 : 8, &count));
    pli_scan_skip_line(g->scan);
    g->scan->binary = g->binary;
    for (int i = 0; i < count; ++i) {
        int64_t id;
        PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "node id", &id));
        PLI_TRY(add_id(g, id, g->reader->mesh->vertex_count));
        g->scan->one_line = !g->binary;
        PLI_TRY(pli_reader_read_vertex(g->reader, PLI_FLOAT64, 3));
        g->scan->one_line = false;
        if (parametric) PLI_TRY(pass_parameters(g));
    }
    return PLI_OK;
}

static pli_status read_nodes_2(gmsh* g) { return read_nodes(g, false); }
static pli_status read_parametric_nodes(gmsh* g) { return read_nodes(g, true); }

static pli_status read_id(gmsh* g, pli_number_type type, int32_t vertex) {
    int64_t id;
    PLI_TRY(pli_scan_integer(g->scan, type, "node id", &id));
    return add_id(g, id, vertex);
}

// One block of version 4: all ids, then all coordinates; in version 4.0 each id before its
// coordinates. `extra` parameters follow each point.
static pli_status read_node_block(gmsh* g, int count, int extra) {
    int first = g->reader->mesh->vertex_count;
    for (int i = 0; i < count && !g->early; ++i)
        PLI_TRY(read_id(g, (pli_number_type){'u', g->word}, first + i));
    for (int i = 0; i < count; ++i) {
        if (g->early) PLI_TRY(read_id(g, PLI_INT32, first + i));
        if (!g->binary && !g->early) pli_scan_skip_space(g->scan);
        g->scan->one_line = !g->binary;
        PLI_TRY(pli_reader_read_vertex(g->reader, PLI_FLOAT64, 3));
        for (int k = 0; k < extra; ++k) {
            double parameter;
            PLI_TRY(pli_scan_real(g->scan, PLI_FLOAT64, "parameter", &parameter));
        }
        g->scan->one_line = false;
    }
    return PLI_OK;
}

// The numbers at the start of a section of version 4: blocks, entries, and since 4.1 the smallest
// and the largest id.
static pli_status read_section_head(gmsh* g, const char* what, size_t bytes_each, int* blocks,
                                    int* count) {
    const pli_number_type size = {'u', g->word};
    int64_t id;
    PLI_TRY(pli_scan_count(g->scan, size, "blocks", 4, blocks));
    PLI_TRY(pli_scan_count(g->scan, size, what, bytes_each, count));
    if (g->early) return PLI_OK;
    PLI_TRY(pli_scan_integer(g->scan, size, "least id", &id));
    return pli_scan_integer(g->scan, size, "largest id", &id);
}

// The four numbers at the start of a block.
typedef struct block {
    int64_t dimension, entity;
    int64_t third; // whether nodes have parameters; the type of elements
    int count;
} block;

static pli_status read_block_head(gmsh* g, const char* what, size_t bytes_each, block* b) {
    if (g->early) PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "entity", &b->entity));
    PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "entity dimension", &b->dimension));
    if (!g->early) PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "entity", &b->entity));
    PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "entry of a block", &b->third));
    if (b->dimension < 0 || b->dimension > 3)
        return PLI_SCAN_FAIL(g->scan, "entity dimension %lld, must be 0 to 3",
                             (long long)b->dimension);
    return pli_scan_count(g->scan, (pli_number_type){'u', g->word}, what, bytes_each, &b->count);
}

static pli_status check_total(gmsh* g, const char* what, int said, int64_t found) {
    if (said == found) return PLI_OK;
    return PLI_SCAN_FAIL(g->scan, "the section declares %d %s, its blocks have %lld", said, what,
                         (long long)found);
}

static pli_status read_nodes_4(gmsh* g) {
    int blocks, total;
    size_t each = g->binary ? (g->early ? 4 : (size_t)g->word) + 24 : 8;
    int64_t found = 0;
    block head;
    PLI_TRY(read_section_head(g, "nodes", each, &blocks, &total));
    for (int b = 0; b < blocks; ++b) {
        PLI_TRY(read_block_head(g, "nodes", each, &head));
        found += head.count;
        PLI_TRY(read_node_block(g, head.count, head.third ? (int)head.dimension : 0));
    }
    return check_total(g, "nodes", total, found);
}

// ---- elements

// Version 2, text: "id type tags tag ... node ...".
static pli_status read_elements_2_text(gmsh* g, int count) {
    for (int i = 0; i < count; ++i) {
        int64_t id, number, tags, tag, group = 0;
        element_type type;
        PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "element id", &id));
        int32_t place = pli_scan_place(g->scan);
        g->scan->one_line = true;
        PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "element type", &number));
        PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "number of tags", &tags));
        PLI_TRY(find_type(g, number, &type));
        PLI_TRY(pli_scan_check_count(g->scan, "tags", tags, 2));
        for (int64_t k = 0; k < tags; ++k) {
            PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "tag", &tag));
            if (k == 0) group = tag;
        }
        PLI_TRY(read_element(g, &type, PLI_INT32, group, place));
        g->scan->one_line = false;
    }
    return PLI_OK;
}

// Version 2, binary: runs of one type with a header of type, count, tags.
static pli_status read_elements_2_binary(gmsh* g, int count) {
    for (int64_t done = 0, run; done < count; done += run) {
        int64_t number, tags, id;
        element_type type;
        PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "element type", &number));
        PLI_TRY(find_type(g, number, &type));
        PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "number of elements", &run));
        PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "number of tags", &tags));
        PLI_TRY(pli_scan_check_count(g->scan, "tags", tags, 4));
        PLI_TRY(pli_scan_check_count(g->scan, "elements", run, 8));
        if (run < 1 || run > count - done)
            return PLI_SCAN_FAIL(g->scan, "a run of %lld elements, must be 1 to %lld",
                                 (long long)run, (long long)(count - done));
        for (int64_t i = 0; i < run; ++i) {
            int32_t place = pli_scan_place(g->scan);
            int64_t group = 0;
            PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "element id", &id));
            if (tags > 0) PLI_TRY(pli_scan_integer(g->scan, PLI_INT32, "tag", &group));
            PLI_TRY(pli_scan_skip_bytes(g->scan, tags > 1 ? 4 * (size_t)(tags - 1) : 0,
                                        "the tags of an element"));
            PLI_TRY(read_element(g, &type, PLI_INT32, group, place));
        }
    }
    return PLI_OK;
}

static pli_status read_elements_2(gmsh* g) {
    int count;
    g->scan->binary = false;
    PLI_TRY(pli_scan_count(g->scan, PLI_INT32, "elements", g->binary ? 8 : 6, &count));
    pli_scan_skip_line(g->scan);
    g->scan->binary = g->binary;
    return g->binary ? read_elements_2_binary(g, count) : read_elements_2_text(g, count);
}

static pli_status read_elements_4(gmsh* g) {
    int blocks, total;
    const pli_number_type size = g->early ? PLI_INT32 : (pli_number_type){'u', g->word};
    size_t each = g->binary ? 2 * (size_t)size.size : 4;
    int64_t found = 0, id;
    block head;
    PLI_TRY(read_section_head(g, "elements", each, &blocks, &total));
    for (int b = 0; b < blocks; ++b) {
        element_type type;
        PLI_TRY(read_block_head(g, "elements", each, &head));
        PLI_TRY(find_type(g, head.third, &type));
        found += head.count;
        for (int i = 0; i < head.count; ++i) {
            int32_t place = pli_scan_place(g->scan);
            PLI_TRY(pli_scan_integer(g->scan, size, "element id", &id));
            if (!g->binary) place = pli_scan_place(g->scan);
            g->scan->one_line = !g->binary;
            PLI_TRY(read_element(g, &type, size, head.entity, place));
            g->scan->one_line = false;
        }
    }
    return check_total(g, "elements", total, found);
}

// ---- sections

static pli_status read_format(gmsh* g) {
    double version;
    int64_t binary, size;
    pli_scan* scan = g->scan;
    PLI_TRY(pli_scan_real(scan, PLI_FLOAT64, "version", &version));
    if (!(version >= 2 && version < 3) && !(version >= 4 && version < 5))
        return PLI_SCAN_FAIL(scan, "version %g of Gmsh files, must be 2.x, 4.0 or 4.1", version);
    PLI_TRY(pli_scan_integer(scan, PLI_INT32, "file type", &binary));
    PLI_TRY(pli_scan_integer(scan, PLI_INT32, "data size", &size));
    if (binary < 0 || binary > 1)
        return PLI_SCAN_FAIL(scan, "file type %lld, must be 0 or 1", (long long)binary);
    if (size != 8 && size != 4)
        return PLI_SCAN_FAIL(scan, "data size %lld, must be 4 or 8", (long long)size);
    g->version = (int)version;
    g->early = version >= 4 && version < 4.1;
    g->binary = binary == 1;
    g->word = g->early ? 8 : (int)size; // 4.0 states the size of a double but means unsigned long
    g->has_format = true;
    if (!g->binary) return PLI_OK;
    int64_t one;
    pli_scan_skip_line(scan);
    scan->binary = scan->bytes = true;
    PLI_TRY(pli_scan_integer(scan, PLI_INT32, "the number 1", &one));
    if (one == 1) return PLI_OK;
    scan->swap = true;
    if (one == 0x01000000) return PLI_OK;
    return PLI_SCAN_FAIL(scan, "the number after the format is %lld, must be 1", (long long)one);
}

// Skips an unused section.
static pli_status pass_over(gmsh* g, const char* name) {
    char end[80] = "$End";
    strcat(end, name + 1);
    const char* found = memmem(g->scan->at, pli_scan_left(g->scan), end, strlen(end));
    if (!found) return PLI_SCAN_FAIL(g->scan, "section %s has no %s", name, end);
    pli_scan_move(g->scan, found + strlen(end));
    return PLI_OK;
}

static pli_status end_section(gmsh* g, const char* name) {
    char end[80] = "$End";
    strcat(end, name + 1);
    g->scan->binary = false;
    return pli_scan_expect(g->scan, end);
}

static pli_status read_names(gmsh* g) { return pli_gmsh_read_names(g->reader); }

static pli_status read_entities(gmsh* g) {
    return pli_gmsh_read_entities(&g->entities, g->reader, g->word, g->early);
}

static pli_status read_partitions(gmsh* g) {
    return pli_gmsh_read_partitions(&g->entities, g->reader, g->word, g->early);
}

static pli_status read_section(gmsh* g, const char* name) {
    static const struct {
        const char* name;
        pli_status (*read[2])(gmsh* g); // of version 2, 4
    } sections[] = {
        {"$MeshFormat", {read_format, read_format}},
        {"$PhysicalNames", {read_names, read_names}},
        {"$Entities", {NULL, read_entities}},
        {"$PartitionedEntities", {NULL, read_partitions}},
        {"$Nodes", {read_nodes_2, read_nodes_4}},
        {"$ParametricNodes", {read_parametric_nodes, NULL}},
        {"$Elements", {read_elements_2, read_elements_4}},
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; ++i) {
        if (strcmp(sections[i].name, name) != 0) continue;
        if (i > 0 && !g->has_format)
            return PLI_SCAN_FAIL(g->scan, "$MeshFormat must come before %s", name);
        if (i > 0) pli_scan_skip_line(g->scan);
        g->scan->binary = i > 0 && g->binary;
        pli_status (*read)(gmsh * g) = sections[i].read[g->version == 4];
        if (!read) break;
        PLI_TRY(read(g));
        return end_section(g, name);
    }
    return pass_over(g, name);
}

static pli_status read_sections(gmsh* g) {
    for (;;) {
        pli_word name;
        pli_scan_skip_space(g->scan);
        if (pli_scan_ended(g->scan)) break;
        PLI_TRY(pli_scan_word(g->scan, "a section", &name));
        if (name.text[0] != '$')
            return PLI_SCAN_FAIL(g->scan, "\"%.23s\", must be a section such as $Nodes", name.text);
        PLI_TRY(read_section(g, name.text));
    }
    if (!g->has_format) return PLI_SCAN_FAIL(g->scan, "no $MeshFormat: not a Gmsh file");
    return PLI_OK;
}

pli_status pli_read_gmsh(pli_reader* reader) {
    gmsh g = {.reader = reader, .scan = &reader->scan};
    pli_ids_init(&g.nodes, reader->memory);
    pli_gmsh_entities_init(&g.entities, reader->memory);
    pli_status status = read_sections(&g);
    pli_ids_free(&g.nodes);
    pli_gmsh_entities_free(&g.entities);
    return status;
}
