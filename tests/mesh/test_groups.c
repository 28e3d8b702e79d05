// Groups of vertices: made, found, merged, read from every format that has them, written and read
// back, carried to quadratic meshes, taken back when something fails.
#include "mesh/samples.h"
#include "oracle/allocator.h"

// The group has exactly these vertices; `list` ends with -1.
static void assert_group(const pli_mesh* mesh, const char* name, int dim, const int* list) {
    const pli_mesh_group* g = NULL;
    for (int i = 0; i < mesh->group_count; ++i)
        if (strcmp(mesh->groups[i].name, name) == 0 && mesh->groups[i].dim == dim)
            g = &mesh->groups[i];
    if (!g) fail_msg("no group %s of dimension %d", name, dim);
    int count = 0;
    while (list[count] >= 0) ++count;
    if (g->vertex_count != count) fail_msg("group %s has %d vertices", name, g->vertex_count);
    for (int i = 0; i < count; ++i) assert_int_equal(g->vertices[i], list[i]);
}

#define LIST(...) ((const int[]){__VA_ARGS__, -1})

static const pli_mesh_group* find(const pli_mesh* mesh, const char* name) {
    int i = pli_mesh_find_group(mesh, name);
    if (i < 0) fail_msg("no group %s", name);
    return &mesh->groups[i];
}

static pli_mesh read_sample(const char* name) {
    static sample s;
    pli_mesh mesh;
    pli_error error = {0};
    int i = 0;
    while (strcmp(recipes[i].name, name) != 0) ++i;
    make_sample(i, &s);
    pli_mesh_init(&mesh, NULL);
    const char* path = scratch_file(s.extension, s.bytes, s.size);
    if (pli_mesh_read(&mesh, path, &error) != PLI_OK) fail_msg("%s", error.message);
    remove(path);
    return mesh;
}

static pli_mesh read_text(const char* extension, const char* text) {
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    const char* path = scratch_text(extension, text);
    if (pli_mesh_read(&mesh, path, &error) != PLI_OK) fail_msg("%s", error.message);
    remove(path);
    return mesh;
}

static void adding_and_finding(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_error error = {0};
    static const double x[18] = {0};
    char name[100] = "";
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 6, x, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TETRAHEDRON, 1, (int32_t[]){0, 1, 2, 3}, &error));
    ASSERT_OK(pli_mesh_add_group(&mesh, "a", 0, 3, 3, (int32_t[]){5, 0, 5}, &error));
    ASSERT_OK(pli_mesh_add_group(&mesh, "a", 7, 3, 2, (int32_t[]){1, 2}, &error));
    ASSERT_OK(pli_mesh_add_group(&mesh, "a", 9, 3, 0, NULL, &error));
    assert_int_equal(mesh.group_count, 1);
    assert_group(&mesh, "a", 3, LIST(0, 1, 2, 5));
    assert_int_equal(mesh.groups[0].tag, 7); // the first that is not 0
    // Of several of one name the surface is found first, the solid last.
    ASSERT_OK(pli_mesh_add_group(&mesh, "a", 0, 0, 1, (int32_t[]){4}, &error));
    ASSERT_OK(pli_mesh_add_group(&mesh, "a", 0, 2, 1, (int32_t[]){3}, &error));
    assert_int_equal(find(&mesh, "a")->dim, 2);
    assert_int_equal(pli_mesh_find_group(&mesh, "b"), -1);
    assert_int_equal(pli_mesh_find_group(&mesh, ""), -1);
    // A long name is cut at a character, and found by its long form.
    memset(name, 'x', 62);
    strcpy(name + 62, "\xc3\xa4rger");
    ASSERT_OK(pli_mesh_add_group(&mesh, name, 0, 1, 1, (int32_t[]){3}, &error));
    assert_int_equal(strlen(find(&mesh, name)->name), 62);
    assert_int_equal(pli_mesh_add_group(&mesh, "", 0, 1, 0, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_group(&mesh, "c", 0, 4, 0, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_group(&mesh, "c", 0, 1, 1, (int32_t[]){6}, &error),
                     PLI_E_ARGUMENT);
    assert_string_equal(error.message, "group \"c\": vertex 6, the mesh has 6");
    assert_int_equal(mesh.group_count, 4);
    pli_mesh_free(&mesh);
}

// ---- files

static void formats_with_groups(void** state) {
    (void)state;
    pli_mesh m = read_sample("Gmsh 2.2 text"); // a repeated element is there once, in both groups
    assert_int_equal(m.group_count, 3);
    assert_group(&m, "tip", 0, LIST(4));
    assert_group(&m, "my body", 3, LIST(0, 1, 2, 3));
    assert_group(&m, "8", 3, LIST(0, 1, 2, 3));
    assert_int_equal(find(&m, "my body")->tag, 7);
    pli_mesh_free(&m);
    m = read_sample("Gmsh 4.1 entities");
    assert_int_equal(m.group_count, 3);
    assert_group(&m, "tip", 0, LIST(4));
    assert_group(&m, "7", 3, LIST(0, 1, 2, 3));
    assert_group(&m, "8", 3, LIST(0, 1, 2, 3));
    pli_mesh_free(&m);
    m = read_sample("Gmsh 4.0 entities");
    assert_int_equal(m.group_count, 3);
    assert_group(&m, "tip", 0, LIST(4));
    assert_group(&m, "7", 3, LIST(0, 1, 2, 3));
    assert_group(&m, "8", 3, LIST(0, 1, 2, 3));
    pli_mesh_free(&m);
    m = read_sample("Gmsh 4.0 binary");
    assert_int_equal(m.group_count, 1);
    assert_group(&m, "7", 3, LIST(0, 1, 2, 3, 4));
    pli_mesh_free(&m);
    m = read_sample("Gmsh 4.1 text"); // no $Entities
    assert_int_equal(m.group_count, 0);
    pli_mesh_free(&m);
    m = read_sample("Gmsh 2.2 binary");
    assert_int_equal(m.group_count, 4);
    assert_group(&m, "1", 0, LIST(0));
    assert_group(&m, "2", 0, LIST(1));
    assert_group(&m, "all", 3, LIST(0, 1, 2, 3));
    assert_group(&m, "2", 3, LIST(1, 2, 3, 4));
    pli_mesh_free(&m);
    m = read_sample("Gmsh 4.1 binary entities");
    assert_int_equal(m.group_count, 2);
    assert_group(&m, "my body", 3, LIST(0, 1, 2, 3, 4));
    assert_group(&m, "8", 3, LIST(0, 1, 2, 3, 4));
    pli_mesh_free(&m);
    m = read_sample("Medit");
    assert_int_equal(m.group_count, 2);
    assert_group(&m, "1", 0, LIST(2));
    assert_group(&m, "6", 3, LIST(1, 2, 3, 4));
    pli_mesh_free(&m);
    m = read_sample("OBJ");
    assert_int_equal(m.group_count, 3);
    assert_group(&m, "my body", 2, LIST(0, 1, 2, 3, 4));
    assert_group(&m, "a", 2, LIST(0, 1, 3));
    assert_group(&m, "b", 2, LIST(0, 1, 3, 4));
    pli_mesh_free(&m);
}

// A mesh in partitions: elements name parts of the entities. The triangle between the partitions
// has the tag of the volume, which is none of a surface.
static void partitions(void** state) {
    (void)state;
    pli_mesh m = read_text(
        ".msh",
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"side\"\n3 1 \"body\"\n"
        "$EndPhysicalNames\n$Entities\n0 0 1 1\n1 0 0 0 1 1 1 1 1 0\n1 0 0 0 1 1 1 1 1 1 1\n"
        "$EndEntities\n$PartitionedEntities\n2\n1\n9 1\n0 0 2 2\n2 2 1 1 1 0 0 0 1 1 1 1 1 0\n"
        "3 3 1 2 1 2 0 0 0 1 1 1 1 1 0\n2 3 1 1 1 0 0 0 1 1 1 1 1 2 2 3\n"
        "3 3 1 1 2 0 0 0 1 1 1 1 1 1 -3\n$EndPartitionedEntities\n$Nodes\n1 5 1 5\n3 2 0 5\n"
        "1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n$Elements\n4 4 1 4\n"
        "2 2 2 1\n1 1 3 2\n2 3 2 1\n2 2 3 4\n3 2 4 1\n3 1 2 3 4\n3 3 4 1\n4 2 3 4 5\n"
        "$EndElements\n");
    assert_int_equal(m.group_count, 2);
    assert_group(&m, "side", 2, LIST(0, 1, 2));
    assert_group(&m, "body", 3, LIST(0, 1, 2, 3, 4));
    assert_int_equal(m.element_count[PLI_TRIANGLE], 2);
    pli_mesh_free(&m);
}

static void data_as_groups(void** state) {
    (void)state;
    pli_mesh m = read_sample("VTK text");
    assert_int_equal(m.group_count, 4);
    assert_group(&m, "gmsh:physical=1", 0, LIST(0, 1));
    assert_group(&m, "gmsh:physical=2", 0, LIST(2, 3, 4));
    assert_group(&m, "material=4", 3, LIST(0, 1, 2, 3));
    assert_group(&m, "material=5", 3, LIST(1, 2, 3, 4));
    pli_mesh_free(&m);
    m = read_sample("VTK polygons"); // vertices, lines, polygons, strips
    assert_int_equal(m.group_count, 6);
    assert_group(&m, "a=0", 0, LIST(0));
    assert_group(&m, "a=4", 2, LIST(1, 2, 4));
    assert_group(&m, "a=5", 2, LIST(1, 2, 3, 4));
    pli_mesh_free(&m);
    m = read_sample("VTK binary");
    assert_int_equal(m.group_count, 3);
    assert_group(&m, "CellEntityIds=5", 3, LIST(0, 1, 2, 3));
    assert_group(&m, "CellEntityIds=5", 0, LIST(0));
    assert_group(&m, "CellEntityIds=-6", 3, LIST(1, 2, 3, 4));
    pli_mesh_free(&m);
    m = read_sample("VTU text");
    assert_int_equal(m.group_count, 3);
    assert_group(&m, "a < \"b\"", 2, LIST(0, 4));
    assert_int_equal(find(&m, "a < \"b\"")->tag, 12);
    assert_group(&m, "attribute=3", 3, LIST(0, 1, 2, 3));
    pli_mesh_free(&m);
}

#define VTK_HEAD                                                                                   \
    "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 2 float\n0 0 0 1 0 "  \
    "0\n"                                                                                          \
    "CELLS 1 3\n2 0 1\nCELL_TYPES 1\n3\n"

// Data that is wrong or of another kind does not cost the mesh.
static void odd_data(void** state) {
    (void)state;
    static const struct {
        const char *text, *note;
        int groups;
    } cases[] = {
        {"POINT_DATA 2\nSCALARS a int\n3", ":13:1: 2 numbers cannot be in", 0},
        {"POINT_DATA 2\nSCALARS a int\n3 x\n", ":13:3: number \"x\", must be an integer", 0},
        {"POINT_DATA 3\nSCALARS a int\n3 3 3\n", ":11:13: data of 3 points, but there are 2", 0},
        {"POINT_DATA 2\nSCALARS a int\n3 4\nSTRANGE\n", "keyword \"STRANGE\" of data", 2},
        {"CELL_DATA 1\nCOLOR_SCALARS c 3\n1 0 0.5\nLOOKUP_TABLE t 1\n0 0 0 0\nNORMALS n float\n"
         "nan 0 1\nMETADATA\nINFORMATION 0\n\nGLOBAL_IDS i int\n7\nTEXTURE_COORDINATES t 2 float\n"
         "0 0\nSCALARS p double\n1\n",
         NULL, 1},
        {"FIELD f 1\na 1 2 int\n3 4\n", NULL, 0}, // of the whole file
        {"FIELD f 2\ns 1 3 string\nhello world\n\n%20\na 1 2 int\n3 4\nPOINT_DATA 2\nFIELD f 2\n"
         "s 2 1 utf8_string\nx\ny\na 1 2 int\n3 4\n",
         NULL, 2},
        {"POINT_DATA 2\nFIELD f 1\ns 1 9 string\nx\n", "9 tuples cannot be in", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s", VTK_HEAD, cases[i].text);
        pli_mesh mesh = read_text(".vtk", text);
        assert_int_equal(mesh.element_count[PLI_SEGMENT], 1);
        assert_int_equal(mesh.group_count, cases[i].groups);
        assert_int_equal(pli_mesh_note_count(&mesh), cases[i].note != NULL);
        if (cases[i].note && !strstr(pli_mesh_note(&mesh, 0), cases[i].note))
            fail_msg("%s\n  must say: %s", pli_mesh_note(&mesh, 0), cases[i].note);
        pli_mesh_free(&mesh);
    }
    pli_mesh mesh = read_text(
        ".vtu",
        "<VTKFile type='UnstructuredGrid'><UnstructuredGrid><Piece NumberOfPoints='1' "
        "NumberOfCells='0'><PointData><DataArray type='Int32' Name='a' format='ascii'>x"
        "</DataArray><DataArray type='Int8' Name='b' format='ascii'>1</DataArray>"
        "<DataArray type='Int8' Name='c' format='odd'>1</DataArray><DataArray type='String' "
        "Name='s' format='ascii'>1</DataArray></PointData><Points><DataArray "
        "type='Float32' NumberOfComponents='3' format='ascii'>0 0 0</DataArray></Points>"
        "</Piece></UnstructuredGrid></VTKFile>");
    assert_int_equal(mesh.group_count, 1);
    assert_group(&mesh, "b=1", 0, LIST(0));
    assert_int_equal(pli_mesh_note_count(&mesh), 2);
    assert_non_null(strstr(pli_mesh_note(&mesh, 0), "array \"c\": format \"odd\""));
    pli_mesh_free(&mesh);
}

// Strings of binary files have their length in front, in 1, 2, 4 or 8 bytes.
static void binary_strings(void** state) {
    (void)state;
    static const char head[] = "# vtk DataFile Version 5.1\nt\nBINARY\nDATASET POLYDATA\n"
                               "FIELD f 1\ns 1 4 string\n";
    static sample s;
    s.big = true;
    for (int cut = 0; cut < 3; ++cut) {
        pli_mesh mesh;
        pli_error error = {0};
        s.size = 0;
        put_text(&s, head);
        put_int(&s, 1, 0xc0 | 5);
        put_text(&s, "a\nb c");
        put_int(&s, 2, 0x8000 | 1);
        put_text(&s, "x");
        put_int(&s, 4, 0x40000000 | 2);
        put_text(&s, "yz");
        put_int(&s, 8, cut == 1 ? INT64_MAX >> 1 : 3);
        put_text(&s, "end");
        if (cut == 2) s.size -= 6; // in the last length
        if (cut < 2) put_text(&s, "\nPOINTS 1 float\n");
        for (int i = 0; i < 3 && cut < 2; ++i) put_float(&s, i);
        pli_mesh_init(&mesh, NULL);
        const char* path = scratch_file(".vtk", s.bytes, s.size);
        pli_status status = pli_mesh_read(&mesh, path, &error);
        assert_int_equal(status, cut ? PLI_E_SCENE : PLI_OK);
        if (cut) assert_non_null(strstr(error.message, "the file ends in"));
        if (!cut) assert_true(mesh.positions[2] == 2);
        remove(path);
        pli_mesh_free(&mesh);
    }
    s.big = false;
}

// More values than parts of a thing have, and more groups than a scene could name.
static void too_many(void** state) {
    (void)state;
    static char text[40000];
    int n = snprintf(text, sizeof text,
                     "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                     "POINTS 65 int\n");
    for (int i = 0; i < 65; ++i) n += snprintf(text + n, sizeof text - (size_t)n, "%d 0 0\n", i);
    n += snprintf(text + n, sizeof text - (size_t)n, "POINT_DATA 65\nSCALARS id int\n");
    for (int i = 0; i < 65; ++i) n += snprintf(text + n, sizeof text - (size_t)n, "%d\n", i);
    pli_mesh mesh = read_text(".vtk", text);
    assert_int_equal(mesh.group_count, 0);
    pli_mesh_free(&mesh);
    n = snprintf(text, sizeof text, "MeshVersionFormatted 1\nDimension 2\nVertices 1100\n");
    for (int i = 1; i <= 1100; ++i)
        n += snprintf(text + n, sizeof text - (size_t)n, "%d 0 %d\n", i, i);
    snprintf(text + n, sizeof text - (size_t)n, "End\n");
    mesh = read_text(".mesh", text);
    assert_int_equal(mesh.group_count, 1024);
    assert_string_equal(pli_mesh_note(&mesh, 0),
                        "the file has more than 1024 groups; the others are ignored");
    pli_mesh_free(&mesh);
}

static void tetgen_markers(void** state) {
    (void)state;
    char node[100];
    snprintf(node, sizeof node, "%s",
             scratch_text(".node", "4 3 1 1 # head\n0 0 0 0 0.5 -1\n1 1 0 0 0.5 0\n2 0 1 0 0.5 2\n"
                                   "3 0 0 1 0.5 -1\n"));
    pli_mesh mesh = read_text(".ele", "1 4 1\n0 0 1 2 3 2.5\n");
    assert_int_equal(mesh.group_count, 3);
    assert_group(&mesh, "-1", 0, LIST(0, 3));
    assert_group(&mesh, "2", 0, LIST(2));
    assert_group(&mesh, "2.5", 3, LIST(0, 1, 2, 3));
    remove(node);
    pli_mesh_free(&mesh);
}

// Quadratic segments are no elements of ours, but their groups stay.
static void groups_of_what_is_skipped(void** state) {
    (void)state;
    pli_mesh mesh = read_text(".msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n"
                                      "2 2 0 0\n3 1 0 0\n$EndNodes\n$Elements\n1\n"
                                      "1 8 2 -5 1 1 2 3\n$EndElements\n");
    assert_group(&mesh, "5", 1, LIST(0, 1, 2));
    assert_string_equal(pli_mesh_note(&mesh, 0), "1 quadratic segments skipped");
    pli_mesh_free(&mesh);
}

// ---- shapes

typedef bool side_fn(const double* x);
static bool low_x(const double* x) { return x[0] == -1; }
static bool high_x(const double* x) { return x[0] == 1; }
static bool low_y(const double* x) { return x[1] == -1; }
static bool high_y(const double* x) { return x[1] == 1; }
static bool low_z(const double* x) { return x[2] == -1; }
static bool high_z(const double* x) { return x[2] == 1; }
static bool on_box(const double* x) {
    return low_x(x) || high_x(x) || low_y(x) || high_y(x) || low_z(x) || high_z(x);
}
static bool on_side(const double* x) { return fabs(hypot(x[1], x[2]) - 1) < 1e-12; } // rounding
static bool on_cylinder(const double* x) { return on_side(x) || low_x(x) || high_x(x); }
static bool on_cone(const double* x) { return fabs(hypot(x[1], x[2]) - (x[0] + 1) / 2) < 1e-12; }
static bool around_cone(const double* x) { return on_cone(x) || high_x(x); }
static bool on_ball(const double* x) {
    return fabs(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 1) < 1e-12;
}
static bool on_torus(const double* x) {
    return fabs(hypot(hypot(x[0], x[1]) - 1, x[2]) - 0.25) < 1e-12;
}

// The group has all vertices for which `on` is true and no other.
static void assert_side(const pli_mesh* mesh, const char* name, side_fn* on) {
    const pli_mesh_group* g = find(mesh, name);
    int next = 0;
    for (int v = 0; v < mesh->vertex_count; ++v) {
        bool in = next < g->vertex_count && g->vertices[next] == v;
        if (in != on(mesh->positions + 3 * (size_t)v))
            fail_msg("vertex %d in group %s: %d", v, name, in);
        next += in;
    }
    assert_int_equal(next, g->vertex_count);
    assert_true(next > 0);
}

typedef struct shape {
    pli_status (*add)(pli_mesh* mesh, pli_error* error);
    struct {
        const char* name;
        side_fn* on;
    } sides[7];
    bool flat; // middles of edges lie on the sides, too
} shape;

static pli_status add_rectangle(pli_mesh* m, pli_error* e) {
    return pli_mesh_add_rectangle(m, 2, 2, 3, 2, PLI_TRIANGLES, e);
}
static pli_status add_box(pli_mesh* m, pli_error* e) {
    return pli_mesh_add_box(m, (double[]){2, 2, 2}, (int[]){1, 3, 2}, e);
}
static pli_status add_ball(pli_mesh* m, pli_error* e) { return pli_mesh_add_ball(m, 1, 2, e); }
static pli_status add_cylinder(pli_mesh* m, pli_error* e) {
    return pli_mesh_add_cylinder(m, 1, 2, 2, 3, e);
}
static pli_status add_cone(pli_mesh* m, pli_error* e) {
    return pli_mesh_add_cone(m, 1, 2, 2, 3, e);
}
static pli_status add_torus(pli_mesh* m, pli_error* e) {
    return pli_mesh_add_torus(m, 1, 0.25, 2, 8, e);
}

static const shape shapes[] = {
    {add_rectangle, {{"left", low_x}, {"right", high_x}, {"bottom", low_y}, {"top", high_y}}, true},
    {add_box,
     {{"left", low_x},
      {"right", high_x},
      {"bottom", low_y},
      {"top", high_y},
      {"front", low_z},
      {"back", high_z},
      {"surface", on_box}},
     true},
    {add_ball, {{"surface", on_ball}}, false},
    {add_cylinder,
     {{"bottom", low_x}, {"top", high_x}, {"side", on_side}, {"surface", on_cylinder}},
     false},
    {add_cone,
     {{"bottom", high_x}, {"top", low_x}, {"side", on_cone}, {"surface", around_cone}},
     false},
    {add_torus, {{"surface", on_torus}}, false},
};
enum { SHAPE_COUNT = sizeof shapes / sizeof *shapes };

static void sides_of_shapes(void** state) {
    (void)state;
    for (int i = 0; i < SHAPE_COUNT; ++i) {
        pli_mesh mesh;
        pli_error error = {0};
        int sides = 0;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(shapes[i].add(&mesh, &error));
        for (; sides < 7 && shapes[i].sides[sides].name; ++sides)
            assert_side(&mesh, shapes[i].sides[sides].name, shapes[i].sides[sides].on);
        assert_int_equal(mesh.group_count, sides);
        // A second one joins the groups of the first.
        int before = mesh.vertex_count, count = mesh.groups[0].vertex_count;
        ASSERT_OK(shapes[i].add(&mesh, &error));
        assert_int_equal(mesh.group_count, sides);
        assert_int_equal(mesh.groups[0].vertex_count, 2 * count);
        assert_int_equal(mesh.groups[0].vertices[count], mesh.groups[0].vertices[0] + before);
        pli_mesh_free(&mesh);
    }
}

static void middles_join_groups(void** state) {
    (void)state;
    for (int i = 0; i < SHAPE_COUNT; ++i) {
        pli_mesh mesh;
        pli_error error = {0};
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(shapes[i].add(&mesh, &error));
        ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
        for (int s = 0; shapes[i].flat && s < 7 && shapes[i].sides[s].name; ++s)
            assert_side(&mesh, shapes[i].sides[s].name, shapes[i].sides[s].on);
        int surface = pli_mesh_find_group(&mesh, "surface");
        if (surface >= 0) { // V - E + F = 2 (0 of a ring), E the middles, F = 2 E / 3
            int all = mesh.groups[surface].vertex_count, euler = i == SHAPE_COUNT - 1 ? 0 : 2;
            pli_mesh linear;
            pli_mesh_init(&linear, NULL);
            ASSERT_OK(shapes[i].add(&linear, &error));
            int v = linear.groups[surface].vertex_count;
            assert_int_equal(all - v, 3 * (v - euler));
            pli_mesh_free(&linear);
        }
        pli_mesh_free(&mesh);
    }
    // A group of the solid itself has the middles between its corners.
    pli_mesh mesh = read_sample("Gmsh 2.2 text");
    pli_error error = {0};
    ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    assert_int_equal(find(&mesh, "my body")->vertex_count, 10);
    assert_int_equal(find(&mesh, "tip")->vertex_count, 1);
    pli_mesh_free(&mesh);
}

// ---- there and back

static void assert_same_groups(const pli_mesh* a, const pli_mesh* b, bool dims) {
    assert_int_equal(a->group_count, b->group_count);
    for (int i = 0; i < a->group_count; ++i) {
        const pli_mesh_group *g = &a->groups[i], *h = NULL;
        for (int k = 0; k < b->group_count; ++k)
            if (strcmp(b->groups[k].name, g->name) == 0) h = &b->groups[k];
        assert_non_null(h);
        assert_int_equal(g->vertex_count, h->vertex_count);
        if (dims) assert_int_equal(g->dim, h->dim);
        assert_memory_equal(g->vertices, h->vertices,
                            (size_t)g->vertex_count * sizeof *g->vertices);
    }
}

static pli_mesh write_and_read(const pli_mesh* mesh, const char* extension) {
    pli_mesh back;
    pli_error error = {0};
    char path[100];
    snprintf(path, sizeof path, "/tmp/pliant_test_groups_%d%s", (int)getpid(), extension);
    pli_mesh_init(&back, NULL);
    ASSERT_OK(pli_mesh_write(mesh, path, &error));
    if (pli_mesh_read(&back, path, &error) != PLI_OK) fail_msg("%s", error.message);
    remove(path);
    return back;
}

static void written_and_read(void** state) {
    (void)state;
    for (int i = 0; i < SHAPE_COUNT; ++i) {
        pli_mesh mesh;
        pli_error error = {0};
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(shapes[i].add(&mesh, &error));
        ASSERT_OK(pli_mesh_add_group(&mesh, "<a> & \x01 'b'", 3, 0, 1, (int32_t[]){2}, &error));
        pli_mesh vtu = write_and_read(&mesh, ".vtu"), msh = write_and_read(&mesh, ".msh");
        pli_mesh both = write_and_read(&vtu, ".msh"), again = write_and_read(&msh, ".vtu");
        assert_int_equal(vtu.group_count, mesh.group_count);
        assert_same_groups(&vtu, &msh, false);
        assert_same_groups(&msh, &both, false);
        assert_same_groups(&msh, &again, true);
        assert_int_equal(msh.element_count[PLI_TETRAHEDRON], mesh.element_count[PLI_TETRAHEDRON]);
        pli_mesh_free(&mesh);
        pli_mesh_free(&vtu);
        pli_mesh_free(&msh);
        pli_mesh_free(&both);
        pli_mesh_free(&again);
    }
    // A name that is long only with its escapes.
    char name[61];
    memset(name, '&', 60);
    name[60] = 0;
    pli_mesh line = read_text(".obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
    assert_int_equal(pli_mesh_add_group(&line, name, 0, 1, 1, (int32_t[]){1}, NULL), PLI_OK);
    pli_mesh same = write_and_read(&line, ".vtu");
    assert_group(&same, name, 1, LIST(1));
    pli_mesh_free(&line);
    pli_mesh_free(&same);
    // Groups made of elements stay groups of elements, with their tags.
    pli_mesh mesh = read_text(".msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n" GMSH_NODES
                                      "$EndNodes\n$Elements\n3\n1 2 2 5 1 1 2 3\n"
                                      "2 4 2 6 1 1 2 3 4\n3 4 2 5 1 2 3 4 5\n$EndElements\n");
    pli_mesh back = write_and_read(&mesh, ".msh");
    assert_group(&back, "5", 2, LIST(0, 1, 2));
    assert_group(&back, "6", 3, LIST(0, 1, 2, 3));
    assert_group(&back, "5", 3, LIST(1, 2, 3, 4));
    assert_int_equal(back.group_count, 3);
    assert_int_equal(find(&back, "6")->tag, 6);
    pli_mesh_free(&mesh);
    pli_mesh_free(&back);
}

// ---- failures

static void failures_take_groups_back(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(add_box(&mesh, &error));
    int count = mesh.group_count, left = mesh.groups[0].vertex_count;
    const char* path =
        scratch_text(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\ng left new\nf 1 2 3\nf 9\n");
    assert_int_equal(pli_mesh_read(&mesh, path, &error), PLI_E_SCENE);
    assert_int_equal(mesh.group_count, count);
    assert_int_equal(mesh.groups[0].vertex_count, left);
    scratch_text(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\ng left new\nf 1 2 3\n");
    ASSERT_OK(pli_mesh_read(&mesh, path, &error));
    assert_int_equal(mesh.group_count, count + 1);
    assert_int_equal(find(&mesh, "new")->vertex_count, 3);
    remove(path);
    pli_mesh_free(&mesh);
}

// Whenever memory runs out a mesh is as it was.
static void memory_may_run_out(void** state) {
    (void)state;
    for (int i = 0; i < SHAPE_COUNT; ++i)
        for (int n = 1;; ++n) {
            pli_test_allocator counter = {.fail_at = n};
            pli_allocator hook = pli_test_hook(&counter);
            pli_mesh mesh;
            pli_error error = {0};
            int vertices = 0, groups = 0;
            pli_mesh_init(&mesh, &hook);
            pli_status status = shapes[i].add(&mesh, &error);
            if (status == PLI_OK) {
                vertices = mesh.vertex_count;
                groups = mesh.groups[0].vertex_count;
                status = pli_mesh_make_quadratic(&mesh, &error);
            }
            if (status != PLI_OK) {
                assert_int_equal(status, PLI_E_MEMORY);
                assert_int_equal(mesh.vertex_count, vertices);
                assert_int_equal(mesh.group_count > 0 ? mesh.groups[0].vertex_count : 0, groups);
            }
            pli_mesh_free(&mesh);
            assert_int_equal(counter.bytes, 0);
            if (status == PLI_OK) break;
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adding_and_finding),
        cmocka_unit_test(formats_with_groups),
        cmocka_unit_test(partitions),
        cmocka_unit_test(data_as_groups),
        cmocka_unit_test(odd_data),
        cmocka_unit_test(binary_strings),
        cmocka_unit_test(too_many),
        cmocka_unit_test(tetgen_markers),
        cmocka_unit_test(groups_of_what_is_skipped),
        cmocka_unit_test(sides_of_shapes),
        cmocka_unit_test(middles_join_groups),
        cmocka_unit_test(written_and_read),
        cmocka_unit_test(failures_take_groups_back),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
