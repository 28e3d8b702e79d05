// Readers of all formats: the same small mesh from each, what each must refuse and where, what is
// passed over with a note.
#include "mesh/samples.h"
#include "oracle/allocator.h"

static const char* write_sample(const sample* s) {
    return scratch_file(s->extension, s->bytes, s->size);
}

static void check_mesh(const sample* s, const pli_mesh* mesh) {
    assert_int_equal(mesh->vertex_count, 5);
    assert_int_equal(mesh->element_count[PLI_TETRAHEDRON], s->solid ? 2 : 0);
    assert_int_equal(mesh->element_count[PLI_TRIANGLE], s->solid ? 0 : 6);
    for (int i = 0; i < 8 && s->solid; ++i)
        assert_int_equal(mesh->elements[PLI_TETRAHEDRON][i], sample_tets[i / 4][i % 4]);
    pli_mesh_summary summary;
    pli_error error = {0};
    ASSERT_OK(pli_mesh_summarize(mesh, &summary, &error));
    assert_true(summary.closed);
    ASSERT_NEAR(summary.enclosed, 0.5, 1e-15);
    // STL has its own order of vertices; in all others vertex 4 is at (1, 1, 1).
    if (strcmp(s->extension, ".stl") != 0)
        for (int i = 0; i < 15; ++i) assert_true(mesh->positions[i] == sample_x[i / 3][i % 3]);
}

static void every_format(void** state) {
    (void)state;
    static sample s;
    for (int i = 0; i < RECIPE_COUNT; ++i) {
        pli_mesh mesh;
        pli_error error = {0};
        make_sample(i, &s);
        pli_mesh_init(&mesh, NULL);
        if (pli_mesh_read(&mesh, write_sample(&s), &error) != PLI_OK)
            fail_msg("%s: %s", s.name, error.message);
        print_message("    %s\n", s.name);
        check_mesh(&s, &mesh);
        assert_int_equal(pli_mesh_note_count(&mesh), 0);
        remove(write_sample(&s));
        pli_mesh_free(&mesh);
    }
}

// Behind vertices that are there already, and after each other.
static void reading_adds(void** state) {
    (void)state;
    static sample s;
    for (int i = 0; i < RECIPE_COUNT; ++i) {
        pli_mesh mesh;
        pli_error error = {0};
        make_sample(i, &s);
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_read(&mesh, write_sample(&s), &error));
        ASSERT_OK(pli_mesh_read(&mesh, write_sample(&s), &error));
        assert_int_equal(mesh.vertex_count, 10);
        pli_mesh_summary summary;
        ASSERT_OK(pli_mesh_summarize(&mesh, &summary, &error));
        assert_int_equal(summary.component_count, 2);
        ASSERT_NEAR(summary.enclosed, 1, 1e-15);
        remove(write_sample(&s));
        pli_mesh_free(&mesh);
    }
}

// Without a known name the first bytes tell.
static void content_tells(void** state) {
    (void)state;
    static const char* const names[] = {"Gmsh 4.1 binary", "VTK text", "VTU text", "Medit", "OFF",
                                        "PLY text",        "STL text"};
    static sample s;
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        pli_mesh mesh;
        pli_error error = {0};
        int i = 0;
        while (strcmp(recipes[i].name, names[n]) != 0) ++i;
        make_sample(i, &s);
        s.extension = ".something";
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_read(&mesh, write_sample(&s), &error));
        remove(write_sample(&s));
        pli_mesh_free(&mesh);
    }
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    const char* path = scratch_text(".dat", "hello");
    assert_int_equal(pli_mesh_read(&mesh, path, &error), PLI_E_SCENE);
    assert_non_null(
        strstr(error.message, "unknown mesh file format; known formats: .obj .msh"));
    remove(path);
    assert_int_equal(pli_mesh_read(&mesh, "/nowhere/a.msh", &error), PLI_E_IO);
    assert_true(pli_mesh_is_file("a/b.MSH") && pli_mesh_is_file("x.ele"));
    assert_false(pli_mesh_is_file("scene.json") || pli_mesh_is_file("a.msh/b"));
    pli_mesh_free(&mesh);
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

#define MSH2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define MSH4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define TET_NODES "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define TEN_NODES                                                                                  \
    "1 0 0 0\n2 2 0 0\n3 0 2 0\n4 0 0 2\n5 1 0 0\n6 1 1 0\n7 0 1 0\n8 0 0 1\n9 0 1 1\n10 1 0 1\n"

// Gmsh and TetGen order middles their own way; ours is VTK's: 01 12 20 03 13 23.
static void quadratic_elements(void** state) {
    (void)state;
    pli_mesh mesh = read_text(".msh", MSH2 "$Nodes\n10\n" TEN_NODES "$EndNodes\n$Elements\n2\n"
                                           "1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n"
                                           "2 9 0 1 2 3 5 6 7\n$EndElements\n");
    static const int32_t ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}, six[] = {0, 1, 2, 4, 5, 6};
    assert_int_equal(mesh.element_count[PLI_TETRAHEDRON10], 1);
    assert_memory_equal(mesh.elements[PLI_TETRAHEDRON10], ten, sizeof ten);
    assert_memory_equal(mesh.elements[PLI_TRIANGLE6], six, sizeof six);
    pli_mesh_free(&mesh);
    mesh = read_text(".vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                             "POINTS 10 float\n0 0 0 2 0 0 0 2 0 0 0 2 1 0 0 1 1 0 0 1 0 0 0 1 "
                             "1 0 1 0 1 1\nCELLS 1 11\n10 0 1 2 3 4 5 6 7 8 9\nCELL_TYPES 1\n24\n");
    for (int i = 0; i < 10; ++i) assert_int_equal(mesh.elements[PLI_TETRAHEDRON10][i], i);
    pli_mesh_free(&mesh);
    char node[100];
    snprintf(node, sizeof node, "%s", scratch_text(".node", "10 3 0 0\n" TEN_NODES));
    mesh = read_text(".ele", "1 10 0\n1  1 2 3 4  8 9 10 7 6 5\n");
    assert_memory_equal(mesh.elements[PLI_TETRAHEDRON10], ten, sizeof ten);
    remove(node);
    pli_mesh_free(&mesh);
}

// Text STL may begin in capitals or with spaces; a binary one with "solid" or the mark of UTF-8.
static void starts_of_stl(void** state) {
    (void)state;
    static const char* const starts[] = {"SOLID T\n", "\nsolid\n", " \t Solid t\r\n",
                                         "\xef\xbb\xbfsolid\n", "solid\r"};
    static sample s;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
        s.size = 0;
        put_text(&s, starts[i]);
        put_text(&s, "FACET NORMAL 0 0 1\nouter loop\nvertex 0 0 0\nVertex 1 0 0\nvertex 0 1 0\n"
                     "endloop\nendfacet\nendsolid\n");
        put_bytes(&s, "", 1);
        pli_mesh mesh = read_text(".stl", (const char*)s.bytes);
        assert_int_equal(mesh.element_count[PLI_TRIANGLE], 1);
        pli_mesh_free(&mesh);
    }
    int binary = 0;
    while (strcmp(recipes[binary].name, "STL binary") != 0) ++binary;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
        pli_mesh mesh;
        pli_error error = {0};
        make_sample(binary, &s);
        memcpy(s.bytes, starts[i], strlen(starts[i]));
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_read(&mesh, write_sample(&s), &error));
        check_mesh(&s, &mesh);
        remove(write_sample(&s));
        pli_mesh_free(&mesh);
    }
}

#define PLY_UNUSED                                                                                 \
    "element vertex 3\nproperty float x\nproperty float y\nproperty float n\n"                     \
    "property list uchar float w\nelement face 1\nproperty list uchar int vertex_indices\n"        \
    "end_header\n"

// Properties that are not used may be anything.
static void unused_properties(void** state) {
    (void)state;
    pli_mesh mesh = read_text(".ply", "ply\nformat ascii 1.0\n" PLY_UNUSED
                                      "0 0 nan 2 inf 1e999\n1 0 -nan 0\n0 1 1 1 nan\n3 0 1 2\n");
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], 1);
    pli_mesh_free(&mesh);
    static sample s;
    pli_error error = {0};
    s.size = 0;
    put_text(&s, "ply\nformat binary_little_endian 1.0\n" PLY_UNUSED);
    for (int v = 0; v < 3; ++v) {
        for (int i = 0; i < 2; ++i) put_float(&s, sample_x[v][i]);
        put_float(&s, NAN);
        put_int(&s, 1, v);
        for (int i = 0; i < v; ++i) put_float(&s, NAN);
    }
    put_int(&s, 1, 3);
    for (int i = 0; i < 3; ++i) put_int(&s, 4, i);
    pli_mesh_init(&mesh, NULL);
    const char* path = scratch_file(".ply", s.bytes, s.size);
    ASSERT_OK(pli_mesh_read(&mesh, path, &error));
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], 1);
    pli_mesh_free(&mesh);
    pli_mesh_init(&mesh, NULL);
    scratch_file(".ply", s.bytes, s.size - 20); // in the list of the last vertex
    assert_int_equal(pli_mesh_read(&mesh, path, &error), PLI_E_SCENE);
    remove(path);
    pli_mesh_free(&mesh);
}

// One element of each type, binary: types of high order are counted, the segment behind is read.
static void types_of_high_order(void** state) {
    (void)state;
    static const int types[][2] = {{21, 10},   {26, 4},    {36, 16},  {37, 25}, {46, 66},
                                   {51, 121},  {62, 7},    {75, 286}, {90, 40}, {98, 1000},
                                   {110, 550}, {124, 385}, {131, 69}, {137, 16}};
    enum { COUNT = sizeof types / sizeof *types };
    static sample s;
    for (int t = 0; t <= COUNT; ++t) {
        pli_mesh mesh;
        pli_error error = {0};
        s.size = 0;
        put_text(&s, "$MeshFormat\n2.2 1 8\n");
        put_int(&s, 4, 1);
        put_text(&s, "\n$EndMeshFormat\n$Nodes\n2\n");
        for (int i = 0; i < 2; ++i) {
            put_int(&s, 4, i + 1);
            for (int c = 0; c < 3; ++c) put_double(&s, sample_x[i][c]);
        }
        put_text(&s, "\n$EndNodes\n$Elements\n2\n");
        const int head[] = {t < COUNT ? types[t][0] : 132, 1, 0, 1};
        for (int i = 0; i < 4; ++i) put_int(&s, 4, head[i]);
        for (int i = 0; t < COUNT && i < types[t][1]; ++i) put_int(&s, 4, 1 + i % 2);
        static const int segment[] = {1, 1, 0, 2, 1, 2};
        for (int i = 0; i < 6; ++i) put_int(&s, 4, segment[i]);
        put_text(&s, "\n$EndElements\n");
        pli_mesh_init(&mesh, NULL);
        const char* path = scratch_file(".msh", s.bytes, s.size);
        pli_status status = pli_mesh_read(&mesh, path, &error);
        if (t == COUNT) {
            assert_int_equal(status, PLI_E_SCENE);
            assert_non_null(strstr(error.message, "element type 132 is not known"));
        } else {
            if (status != PLI_OK) fail_msg("type %d: %s", types[t][0], error.message);
            assert_int_equal(mesh.element_count[PLI_SEGMENT], 1);
            assert_string_equal(pli_mesh_note(&mesh, 0), "1 elements of order 3 or more skipped");
        }
        remove(path);
        pli_mesh_free(&mesh);
    }
}

// Nodes with the parameters of the entity they lie on: none of a point, one of a curve, two of a
// surface, none of a volume.
static void parametric_nodes(void** state) {
    (void)state;
    pli_mesh mesh = read_text(".msh", MSH2 "$ParametricNodes\n4\n1 0 0 0 0 1\n2 1 0 0 1 7 0.5\n"
                                           "3 0 1 0 2 7 0.5 nan\n4 0 0 1 3 1\n"
                                           "$EndParametricNodes\n$Elements\n1\n1 4 0 1 2 3 4\n"
                                           "$EndElements\n");
    assert_int_equal(mesh.element_count[PLI_TETRAHEDRON], 1);
    assert_true(mesh.positions[7] == 1 && mesh.positions[11] == 1);
    pli_mesh_free(&mesh);
    static sample s;
    pli_error error = {0};
    s.size = 0;
    put_text(&s, "$MeshFormat\n2.2 1 8\n");
    put_int(&s, 4, 1);
    put_text(&s, "\n$EndMeshFormat\n$ParametricNodes\n4\n");
    for (int i = 0; i < 4; ++i) {
        put_int(&s, 4, i + 1);
        for (int c = 0; c < 3; ++c) put_double(&s, sample_x[i][c]);
        put_int(&s, 4, i);
        put_int(&s, 4, 7);
        for (int k = 0; i < 3 && k < i; ++k) put_double(&s, 0.5);
    }
    put_text(&s, "\n$EndParametricNodes\n");
    pli_mesh_init(&mesh, NULL);
    const char* path = scratch_file(".msh", s.bytes, s.size);
    ASSERT_OK(pli_mesh_read(&mesh, path, &error));
    assert_int_equal(mesh.vertex_count, 4);
    for (int i = 0; i < 12; ++i) assert_true(mesh.positions[i] == sample_x[i / 3][i % 3]);
    remove(path);
    pli_mesh_free(&mesh);
}

// Medit lists may come in any order.
static void elements_before_vertices(void** state) {
    (void)state;
    pli_mesh mesh =
        read_text(".mesh", "MeshVersionFormatted 1\nTriangles 1\n1 2 3 5\nEdges 1\n1 2 0\n"
                           "Dimension 2\nVertices 3 # of them\n0 0 0\n1 0 0\n0 1 0\n"
                           "Triangles 1\n3 2 1 5\nEnd\n");
    assert_int_equal(mesh.vertex_count, 3);
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], 2);
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 1);
    pli_mesh_free(&mesh);
}

// A tag that is only named in a comment is none.
static void commented_tags(void** state) {
    (void)state;
    pli_mesh mesh = read_text(
        ".vtu",
        "<?xml version='1.0'?>\n<!-- <AppendedData encoding='odd'> --><VTKFile "
        "type='UnstructuredGrid'><UnstructuredGrid><Piece NumberOfPoints='1' NumberOfCells='0'>"
        "<Points><DataArray type='Float32' NumberOfComponents='3' format='ascii'>0 0 0</DataArray>"
        "</Points></Piece></UnstructuredGrid></VTKFile>");
    assert_int_equal(mesh.vertex_count, 1);
    pli_mesh_free(&mesh);
}

// What we have no use for is counted and named.
static void notes_and_places(void** state) {
    (void)state;
    pli_mesh mesh =
        read_text(".msh", MSH2 "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n"
                               "6 1 0 1\n7 1 1 1\n8 0 1 1\n$EndNodes\n$Elements\n5\n"
                               "1 5 2 0 1 1 2 3 4 5 6 7 8\n2 5 0 1 2 3 4 5 6 7 8\n"
                               "3 77 0 1 2\n4 3 0 1 2 3 4\n5 4 0 1 2 4 5\n"
                               "$EndElements\n");
    char place[32];
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], 2); // the quadrangle
    assert_int_equal(mesh.element_count[PLI_TETRAHEDRON], 1);
    assert_int_equal(pli_mesh_note_count(&mesh), 2);
    assert_string_equal(pli_mesh_note(&mesh, 0), "2 hexahedra skipped");
    assert_string_equal(pli_mesh_note(&mesh, 1), "1 elements of unknown type skipped");
    assert_null(pli_mesh_note(&mesh, 2));
    assert_string_equal(pli_mesh_place(&mesh, PLI_TETRAHEDRON, 0, place, sizeof place), "line 21");
    assert_string_equal(pli_mesh_place(&mesh, PLI_TRIANGLE, 1, place, sizeof place), "line 20");
    assert_string_equal(pli_mesh_place(&mesh, PLI_VERTEX, 7, place, sizeof place), "line 13");
    assert_string_equal(pli_mesh_place(&mesh, PLI_SEGMENT, 0, place, sizeof place), "");
    pli_error error = {0};
    ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error)); // places go along
    assert_string_equal(pli_mesh_place(&mesh, PLI_TETRAHEDRON10, 0, place, sizeof place),
                        "line 21");
    pli_mesh_free(&mesh);
    mesh = read_text(".mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 1\n0 0 0 0\n"
                              "Hexahedra 1\n1 1 1 1 1 1 1 1 0\nNormals 1\n0 0 1\nEnd");
    assert_string_equal(pli_mesh_note(&mesh, 0), "1 hexahedra skipped");
    pli_mesh_free(&mesh);
}

// Lines, plane meshes, clouds of points.
static void other_contents(void** state) {
    (void)state;
    pli_mesh hair = read_text(".csv", "strand, x, y, z\n1, 0,0,0\n1,0,1,0\n1,0 , 2,0\n# tail\n\n"
                                      "two;5;0;0\ntwo;5;1.5;0;9\n3 1 1 1\n3\t1 1 2");
    assert_int_equal(hair.vertex_count, 7);
    assert_int_equal(hair.element_count[PLI_SEGMENT], 4);
    static const int32_t ends[8] = {0, 1, 1, 2, 3, 4, 5, 6}, roots[6] = {0, 1, 3, 4, 5, 6},
                         tips[3] = {2, 4, 6};
    assert_memory_equal(hair.elements[PLI_SEGMENT], ends, sizeof ends);
    assert_true(hair.positions[13] == 1.5 && hair.positions[20] == 2);
    const pli_mesh_group* group = &hair.groups[pli_mesh_find_group(&hair, "root")];
    assert_int_equal(group->vertex_count, 6);
    assert_memory_equal(group->vertices, roots, sizeof roots);
    group = &hair.groups[pli_mesh_find_group(&hair, "tip")];
    assert_int_equal(group->vertex_count, 3);
    assert_memory_equal(group->vertices, tips, sizeof tips);
    pli_mesh_free(&hair);
    pli_mesh mesh = read_text(".seg", "v 0 0 0\nv 1 0 0\nv 2 0 0\ns 1 2\ns 2 3\n");
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 2);
    pli_mesh_free(&mesh);
    mesh =
        read_text(".mesh", "MeshVersionFormatted 1\nDimension 2\nVertices 4\n0 0 0\n1 0 0\n1 1 0\n"
                           "0 1 0\nEdges 1\n1 2 5\nQuadrilaterals 1\n1 2 3 4 0\nEnd\n");
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], 2);
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 1);
    assert_true(mesh.positions[11] == 0 && mesh.positions[10] == 1);
    pli_mesh_free(&mesh);
    mesh =
        read_text(".vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 int\n"
                          "0 0 0 1 0 0 1 1 0 0 1 0\nLINES 1 5\n4 0 1 2 3\nPOLYGONS 1 5\n"
                          "4 0 1 2 3\n");
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 3);
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], 2);
    pli_mesh_free(&mesh);
    mesh = read_text(".node", "# cloud\n2 3 0 0\n5 0 0 0\n7 1 1 1\n");
    assert_int_equal(mesh.vertex_count, 2);
    pli_mesh_free(&mesh);
}

#define VTK3 "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define VTK_POINTS "POINTS 4 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n"
#define PLY_HEAD "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
#define TEN(text) text text text text text text text text text text
#define VTU_HEAD "<VTKFile type='UnstructuredGrid'>\n<UnstructuredGrid>\n"

static const struct {
    const char *extension, *text, *says;
} bad[] = {
    {".msh", "", ":1:1: no $MeshFormat"},
    {".msh", "hello", ":1:6: \"hello\", must be a section such as $Nodes"},
    {".msh", "$Nodes\n", ":1:7: $MeshFormat must come before $Nodes"},
    {".msh", "$MeshFormat\n1.0 0 8\n", ":2:4: version 1 of Gmsh files, must be 2.x, 4.0 or 4.1"},
    {".msh", "$MeshFormat\n3 0 8\n", ":2:2: version 3 of Gmsh files"},
    {".msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n$Nodes\n1 2\n1 3 0 1\n1 0 0 0\n$EndNodes\n",
     "the section declares 2 nodes, its blocks have 1"},
    {".msh", MSH2 "$Private\n1 2\n", ":4:9: section $Private has no $EndPrivate"},
    {".msh", MSH2 "$Nodes\n-1\n", ":5:3: -1 nodes, must be >= 0"},
    {".msh", MSH2 "$Nodes\n2\n1 0 0 0\n$EndNodes\n", ":7:1: node id \"$EndNodes\""},
    {".msh", MSH2 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", ":7:1: \"2\", must be \"$EndNodes\""},
    {".msh", MSH2 "$Nodes\n1\n1 0 inf 0\n$EndNodes\n", ":6:5: coordinate \"inf\""},
    {".msh", MSH2 "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 1 0 1 2\n$EndElements\n",
     ":10:10: an element has node 2, which is not in the file"},
    {".msh",
     "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 2 1 2\n3 0 0 1\n1\n0 0 0\n$EndNodes\n",
     "the section declares 2 nodes, its blocks have 1"},
    {".msh", MSH2 "$Nodes\n1\n1 0 0 0\n", ":7:1: the file ends, $EndNodes is missing"},
    // Counts that lie: of elements, of the numbers in a line, of names, of entities.
    {".msh", MSH2 TET_NODES "$Elements\n2\n1 4 0 1 2 3 4\n$EndElements\n",
     ":14:1: element id \"$EndElements\""},
    {".msh", MSH2 TET_NODES "$Elements\n0\n1 4 0 1 2 3 4\n$EndElements\n",
     ":13:1: \"1\", must be \"$EndElements\""},
    {".msh", MSH2 TET_NODES "$Elements\n1\n1 4 0 1 2 3\n$EndElements\n",
     ":13:12: the line ends, node is missing"},
    {".msh", MSH2 TET_NODES "$Elements\n1\n1 4 0 1 2 3 4 1\n$EndElements\n",
     ":13:15: "},
    {".msh", MSH2 TET_NODES "$Elements\n1\n1 4 9 1 2 3 4\n$EndElements\n",
     ":13:14: the line ends, tag is missing"},
    {".msh", MSH2 TET_NODES "$Elements\n9000\n1 4 0 1 2 3 4\n$EndElements\n",
     ":12:5: 9000 elements cannot be in the"},
    {".msh", MSH2 TET_NODES "$Elements\n1\n1 4 2 1 1 1 2 3", ":13:16: the file ends, node"},
    {".msh", MSH2 "$Nodes\n2\n1 0 0\n2 0 0 0\n$EndNodes\n",
     ":6:6: the line ends after 2 coordinates of a vertex, must have 3"},
    {".msh", MSH2 "$PhysicalNames\n2\n2 1 \"a\"\n$EndPhysicalNames\n",
     ":7:1: dimension of a group \"$EndPhysicalNames\""},
    {".msh", MSH2 "$PhysicalNames\n1\n2 1 a\n$EndPhysicalNames\n",
     ":6:5: \"a\", must be a name in quotes"},
    {".msh", MSH2 "$PhysicalNames\n1\n2 1 \"a\n$EndPhysicalNames\n",
     ":6:7: the line ends in a name"},
    {".msh", MSH2 "$PhysicalNames\n1\n4 1 \"a\"\n$EndPhysicalNames\n",
     ":6:2: dimension 4 of a group, must be 0 to 3"},
    {".msh", MSH4 "$Entities\n0 0 0 2\n1 0 0 0 1 1 1 0 0\n1 0 0 0 1 1 1 0 0\n$EndEntities\n",
     ":7:2: entity 1 of dimension 3 occurs twice"},
    {".msh", MSH4 "$Entities\n1 0 0 0\n1 0 0 0 2 5\n$EndEntities\n",
     ":7:1: physical tag \"$EndEntities\""},
    {".msh", MSH4 "$Entities\n0 0 0 900000\n$EndEntities\n", "900000 volumes cannot be in the"},
    {".msh", MSH4 "$Nodes\n1 1 1 1\n3 0 0 1\n1\n0 0 0\n$EndNodes\n$Elements\n1 1 1 1\n7 0 1 1\n",
     ":12:6: entity dimension 7, must be 0 to 3"},
    {".mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 2\n0 0 0 0\nEdges 0\nEnd\n",
     ":5:1: coordinate \"Edges\""},
    {".mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 2\n0 0 0 0\nEnd\n",
     ":3:11: 2 vertices cannot be in the 13 bytes that are left"},
    {".vtk", "# vtk\n", ":2:1: the file ends, DataFile is missing"},
    {".vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_GRID\n",
     "dataset \"STRUCTURED_GRID\", must be UNSTRUCTURED_GRID or POLYDATA"},
    {".vtk", VTK3 "POINTS 2 float\n0 0 0 1 1\n", ":7:1: the file ends, coordinate is missing"},
    {".vtk", VTK3 "POINTS 2 quad\n0 0 0 1 1 1\n", ":5:14: unknown number type \"quad\""},
    {".vtk", VTK3 VTK_POINTS "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n",
     ":9:9: vertex 4, must be 0 to 3"},
    {".vtk", VTK3 VTK_POINTS "CELLS 1 5\n4 0 1 2 -3\nCELL_TYPES 1\n10\n",
     ":9:9: vertex -3, must be 0 to 3"},
    {".vtk", VTK3 VTK_POINTS "CELLS 1 5\n5 0 1 2 3\nCELL_TYPES 1\n10\n",
     ":9:2: a cell of 5 vertices, but only 4 are left"},
    {".vtk", VTK3 VTK_POINTS "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n",
     "cell 0 of type 10 has 3 vertices, must have 4"},
    {".vtk", VTK3 VTK_POINTS "CELLS 1 5\n4 0 1 2 3\n", "CELL_TYPES is missing"},
    {".vtk", VTK3 VTK_POINTS "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n",
     "2 cell types, but 1 cells"},
    {".vtk", VTK3 "CELLS 1 5\n", "POINTS must come before cells"},
    {".vtu", "<a/>", "no tag VTKFile"},
    {".vtu", "<VTKFile type='PolyData'>", "of type \"PolyData\", must be UnstructuredGrid"},
    {".vtu", "<VTKFile type='UnstructuredGrid' compressor='vtkLZ4DataCompressor'>",
     "must be vtkZLibDataCompressor or none"},
    {".vtu", VTU_HEAD, ":3:1: the file ends without </VTKFile>"},
    {".vtu", VTU_HEAD "</VTKFile>", "no complete <Piece>"},
    {".vtu", VTU_HEAD "<Piece NumberOfPoints='-1' NumberOfCells='0'/></VTKFile>",
     "NumberOfPoints=\"-1\", must be an integer"},
    {".vtu", VTU_HEAD "<Piece NumberOfPoints='2' NumberOfCells='0'/></VTKFile>",
     "array \"Points\" is missing"},
    {".vtu",
     VTU_HEAD "<Piece NumberOfPoints='2000000000' NumberOfCells='0'><Points><DataArray "
              "type='Float32' Name='P' NumberOfComponents='3' format='ascii'>0 0 0</DataArray>"
              "</Points></Piece></VTKFile>",
     "6000000000 P cannot be in the"},
    {".mesh", "Vertices 1\n", ":1:1: \"Vertices\", must be \"MeshVersionFormatted\""},
    {".mesh", "MeshVersionFormatted 1\nVertices 1\n", "Dimension must come before Vertices"},
    {".mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 1\n0 0 0 0\n1 1 1 0\nEnd\n",
     ":5:2: \"1\", must be a keyword: the list before it is longer than its count"},
    {".mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 1\n0 0 0 0\nTriangles 1\n1 1 2 0\n",
     ":6:5: vertex 2, must be 1 to 1"},
    {".mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 1\n0 0 0 0\n",
     ":5:1: the file ends, End is missing"},
    {".mesh", "MeshVersionFormatted 1\nDimension 3\nTriangles 1\n1 1 1 0\nEnd\n",
     ":4:1: vertex 1, must be 1 to 0"},
    {".mesh",
     "MeshVersionFormatted 1\nDimension 3\nEdges 1\n1 1 0\nVertices 1\n0 0 0 0\n1 1 1 0\nEnd\n",
     ":7:2: \"1\", must be a keyword: the list before it is longer than its count"},
    {".off", "OFF\n2 0 0\n0 0 0\n", ":4:1: the file ends after 1 of 2 vertices"},
    {".off", "OFF\n1 0 0\n0 0\n", ":3:4: the line ends after 2 coordinates"},
    {".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", ":6:7: vertex 3, must be 0 to 2"},
    {".off", "OFF BINARY\n", "binary OFF"},
    {".off", "4OFF\n1 0 0\n", "vertices must have 3 coordinates"},
    {".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", ":6:8: the line ends, vertex number"},
    {".ply", "ply\nelement vertex 1\n", "the file ends, end_header is missing"},
    {".ply", "ply\nformat octal 1.0\n", "format \"octal\", must be ascii"},
    {".ply", PLY_HEAD "property quad z\nend_header\n", ":6:14: type \"quad\" is not known"},
    {".ply", PLY_HEAD "property float z\nend_header\n0 0 0\n1 0 0\n", "3 vertex cannot be in"},
    {".ply", "ply\nformat ascii 1.0\nelement vertex 3\nend_header\n0 0 0\n1 0 0\n0 0 1\n",
     "vertices have no x and y"},
    {".ply", "ply\nformat ascii 1.0\nelement other 9\nend_header\n0 0 0\n1 0 0\n0 0 1\n",
     "element other has no properties"},
    {".ply", PLY_HEAD "property list uchar float z\nend_header\n",
     ":6:28: property z must not be a list"},
    {".ply", PLY_HEAD "element face 1\nproperty int vertex_indices\nend_header\n",
     ":7:28: property vertex_indices must be a list"},
    {".ply", "ply\nformat ascii 1.0\n" TEN(TEN("element e 0\n")), "more than 16 elements"},
    {".ply", PLY_HEAD TEN(TEN("property int i\n")), "more than 64 properties"},
    {".obj", "v 0 0 0\ng" TEN(TEN(" a")) "\n", "more than 32 groups in one line"},
    {".stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 nan\n",
     ":5:12: coordinate \"nan\""},
    {".stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
     ":6:1: \"endloop\", must be \"vertex\""},
    {".stl", "solid a\n", ":2:1: the file ends, endsolid is missing"},
    {".stl", "solid a\nendsolid\n", "no vertices in the file"},
    {".seg", "v 0 0 0\ns 1 2\n", ":2:5: vertex 2, must be 1 to 1"},
    {".csv", "a,0,0,0\na,1,0\n", ":2:6: the line ends, coordinate is missing"},
    {".csv", "a,0,0,0\na,1,0,x\n", ":2:7: coordinate \"x\", must be a finite number"},
    {".csv", "a,0,0,0\nb,1,0,0\nb,2,0,0\n", ":2:2: the strand before has 1 point"},
    {".node", "2 2 0 0\n0 0 0\n1 1 1\n", ":1:4: dimension 2, must be 3"},
    {".node", "2 3 0 0\n1 0 0 0\n1 1 1 1\n", ":3:2: node 1 occurs twice"},
    {".node", "1 3 0 0\n1 0 0\n", ":2:6: the line ends after 2 coordinates"},
};

static void refused_with_a_place(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        pli_mesh mesh;
        pli_error error = {0};
        pli_mesh_init(&mesh, NULL);
        const char* path = scratch_text(bad[i].extension, bad[i].text);
        if (pli_mesh_read(&mesh, path, &error) != PLI_E_SCENE)
            fail_msg("%s is read: %s", bad[i].extension, bad[i].text);
        if (!strstr(error.message, bad[i].says) || strncmp(error.message, path, strlen(path)) != 0)
            fail_msg("%s\n  must say: %s", error.message, bad[i].says);
        assert_int_equal(mesh.vertex_count, 0);
        remove(path);
        pli_mesh_free(&mesh);
    }
}

static void pairs_of_files(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_error error = {0};
    char node[100], ele[100];
    pli_mesh_init(&mesh, NULL);
    snprintf(ele, sizeof ele, "%s", scratch_text(".ele", "1 4 0\n0 0 1 2 9\n"));
    assert_int_equal(pli_mesh_read(&mesh, ele, &error), PLI_E_IO); // no .node
    snprintf(node, sizeof node, "%s",
             scratch_text(".node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n"));
    for (int i = 0; i < 2; ++i) { // whichever is named, the message names the right one
        assert_int_equal(pli_mesh_read(&mesh, i ? ele : node, &error), PLI_E_SCENE);
        assert_true(strncmp(error.message, ele, strlen(ele)) == 0);
        assert_non_null(strstr(error.message, ":2:10: node 9 is not in the .node file"));
        assert_int_equal(mesh.vertex_count, 0);
    }
    scratch_text(".ele", "1 4 0\n0 0 1 2 3\n");
    FILE* broken = fopen(ele, "r+b");
    assert_non_null(broken);
    fputc(0, broken);
    fclose(broken);
    assert_int_equal(pli_mesh_read(&mesh, node, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "zero byte: not a text file"));
    // Ten nodes of which six are no midpoints of edges.
    char ten[100];
    snprintf(ten, sizeof ten, "%s", scratch_text(".ele", "1 10 0\n0 0 1 2 3 0 0 0 0 0 0\n"));
    assert_int_equal(pli_mesh_read(&mesh, ten, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "last six nodes"));
    scratch_text(".ele", "1 4 0\n0 0 1 2 3\n");
    ASSERT_OK(pli_mesh_read(&mesh, node, &error));
    ASSERT_OK(pli_mesh_read(&mesh, ele, &error));
    assert_int_equal(mesh.element_count[PLI_TETRAHEDRON], 2);
    remove(node);
    remove(ele);
    pli_mesh_free(&mesh);
}

static void memory_may_run_out_anywhere(void** state) {
    (void)state;
    static sample s;
    for (int i = 0; i < RECIPE_COUNT; ++i) {
        make_sample(i, &s);
        for (int n = 1;; ++n) {
            pli_test_allocator counter = {.fail_at = n};
            pli_allocator hook = pli_test_hook(&counter);
            pli_mesh mesh;
            pli_error error = {0};
            pli_mesh_init(&mesh, &hook);
            pli_status status = pli_mesh_read(&mesh, write_sample(&s), &error);
            assert_int_equal(mesh.vertex_count, status == PLI_OK ? 5 : 0);
            pli_mesh_free(&mesh);
            assert_int_equal(counter.bytes, 0);
            assert_false(counter.wrong_size);
            if (status == PLI_OK) break;
            assert_int_equal(status, PLI_E_MEMORY);
        }
        remove(write_sample(&s));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format),
        cmocka_unit_test(reading_adds),
        cmocka_unit_test(content_tells),
        cmocka_unit_test(quadratic_elements),
        cmocka_unit_test(starts_of_stl),
        cmocka_unit_test(unused_properties),
        cmocka_unit_test(types_of_high_order),
        cmocka_unit_test(parametric_nodes),
        cmocka_unit_test(elements_before_vertices),
        cmocka_unit_test(commented_tags),
        cmocka_unit_test(notes_and_places),
        cmocka_unit_test(other_contents),
        cmocka_unit_test(refused_with_a_place),
        cmocka_unit_test(pairs_of_files),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
