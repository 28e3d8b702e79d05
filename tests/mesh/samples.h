// One small mesh in every file format, text and binary: 5 vertices, 2 tetrahedra that share a face
// (or the 6 triangles around them). Many have groups, which test_groups.c asks for.
#ifndef TESTS_MESH_SAMPLES_H
#define TESTS_MESH_SAMPLES_H

#include <zlib.h>

#include "mesh/data.h"

enum { SAMPLE_SIZE = 8192 };

typedef struct sample {
    const char *name, *extension;
    bool solid; // tetrahedra, else triangles
    size_t size;
    unsigned char bytes[SAMPLE_SIZE];
    bool big; // numbers are put highest byte first
} sample;

static const double sample_x[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
static const int sample_tets[2][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}};
static const int sample_triangles[6][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2},
                                           {1, 2, 4}, {2, 3, 4}, {3, 1, 4}};

// ---- writing bytes

static inline void put_bytes(sample* s, const void* bytes, size_t size) {
    assert_true(s->size + size <= SAMPLE_SIZE);
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
}

static inline void put_text(sample* s, const char* text) { put_bytes(s, text, strlen(text)); }

static inline void put_int(sample* s, int size, int64_t value) {
    for (int i = 0; i < size; ++i) {
        unsigned char byte = (unsigned char)((uint64_t)value >> (8 * (s->big ? size - 1 - i : i)));
        put_bytes(s, &byte, 1);
    }
}

static inline void put_double(sample* s, double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_int(s, 8, bits);
}

static inline void put_float(sample* s, double value) {
    float single = (float)value;
    int32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_int(s, 4, bits);
}

static inline void put_positions(sample* s, bool single) {
    for (int i = 0; i < 15; ++i) (single ? put_float : put_double)(s, sample_x[i / 3][i % 3]);
}

// ---- binary Gmsh

static inline void make_gmsh_2_binary(sample* s) {
    put_text(s, "$MeshFormat\n2.2 1 8\n");
    put_int(s, 4, 1);
    put_text(s, "\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all\"\n$EndPhysicalNames\n$Nodes\n5\n");
    for (int v = 0; v < 5; ++v) {
        put_int(s, 4, 10 * v + 7);
        for (int k = 0; k < 3; ++k) put_double(s, sample_x[v][k]);
    }
    put_text(s, "\n$EndNodes\n$Elements\n4\n");
    static const int runs[2][3] = {{15, 2, 2}, {4, 2, 2}}; // points first, which are passed over
    for (int r = 0; r < 2; ++r) {
        for (int k = 0; k < 3; ++k) put_int(s, 4, runs[r][k]);
        for (int e = 0; e < 2; ++e) {
            for (int k = 0; k < 3; ++k) put_int(s, 4, e + 1); // number and two tags
            for (int k = 0; k < (r ? 4 : 1); ++k) put_int(s, 4, 10 * sample_tets[e][k] + 7);
        }
    }
    put_text(s, "\n$EndElements\n");
}

static inline void make_gmsh_4_0_binary(sample* s) {
    put_text(s, "$MeshFormat\n4 1 8\n");
    put_int(s, 4, 1);
    put_text(s, "\n$EndMeshFormat\n$Entities\n");
    put_int(s, 8, 1), put_int(s, 8, 0), put_int(s, 8, 0), put_int(s, 8, 1);
    for (int e = 0; e < 2; ++e) { // a point and a volume, with boxes; the volume is in a group
        put_int(s, 4, 1);
        for (int k = 0; k < 6; ++k) put_double(s, k / 3);
        put_int(s, 8, e);
        if (e) put_int(s, 4, 7), put_int(s, 8, 1), put_int(s, 4, 1);
    }
    put_text(s, "\n$EndEntities\n$Nodes\n");
    put_int(s, 8, 1), put_int(s, 8, 5);
    put_int(s, 4, 1), put_int(s, 4, 3), put_int(s, 4, 0), put_int(s, 8, 5);
    for (int v = 0; v < 5; ++v) {
        put_int(s, 4, 100 + 10 * v);
        for (int k = 0; k < 3; ++k) put_double(s, sample_x[v][k]);
    }
    put_text(s, "\n$EndNodes\n$Elements\n");
    put_int(s, 8, 1), put_int(s, 8, 2);
    put_int(s, 4, 1), put_int(s, 4, 3), put_int(s, 4, 4), put_int(s, 8, 2);
    for (int e = 0; e < 2; ++e) {
        put_int(s, 4, 1 + e);
        for (int k = 0; k < 4; ++k) put_int(s, 4, 100 + 10 * (e + k));
    }
    put_text(s, "\n$EndElements\n");
}

static inline void put_gmsh_4_binary(sample* s, bool entities) {
    put_text(s, "$MeshFormat\n4.1 1 8\n");
    put_int(s, 4, 1);
    put_text(s, "\n$EndMeshFormat\n");
    if (entities) { // one surface without groups, one volume in two of them
        put_text(s, "$PhysicalNames\n1\n3 7 \"my body\"\n$EndPhysicalNames\n$Entities\n");
        put_int(s, 8, 0), put_int(s, 8, 0), put_int(s, 8, 1), put_int(s, 8, 1);
        for (int e = 0; e < 2; ++e) {
            put_int(s, 4, 1);
            for (int k = 0; k < 6; ++k) put_double(s, k / 3);
            put_int(s, 8, 2 * e);
            if (e) put_int(s, 4, 7), put_int(s, 4, 8);
            put_int(s, 8, e);
            if (e) put_int(s, 4, 1);
        }
        put_text(s, "\n$EndEntities\n");
    }
    put_text(s, "$Nodes\n");
    static const int blocks[2][2] = {{2, 2},
                                     {3, 3}}; // dimension and count; the first is parametric
    put_int(s, 8, 2), put_int(s, 8, 5), put_int(s, 8, 100), put_int(s, 8, 140);
    for (int b = 0, v = 0; b < 2; v += blocks[b++][1]) {
        put_int(s, 4, blocks[b][0]), put_int(s, 4, 1), put_int(s, 4, b == 0);
        put_int(s, 8, blocks[b][1]);
        for (int i = 0; i < blocks[b][1]; ++i) put_int(s, 8, 100 + 10 * (v + i));
        for (int i = 0; i < blocks[b][1]; ++i) {
            for (int k = 0; k < 3; ++k) put_double(s, sample_x[v + i][k]);
            for (int k = 0; k < 2 && b == 0; ++k) put_double(s, 0.25);
        }
    }
    put_text(s, "\n$EndNodes\n$Elements\n");
    put_int(s, 8, 1), put_int(s, 8, 2), put_int(s, 8, 1), put_int(s, 8, 2);
    put_int(s, 4, 3), put_int(s, 4, 1), put_int(s, 4, 4), put_int(s, 8, 2);
    for (int e = 0; e < 2; ++e) {
        put_int(s, 8, e + 1);
        for (int k = 0; k < 4; ++k) put_int(s, 8, 100 + 10 * sample_tets[e][k]);
    }
    put_text(s, "\n$EndElements\n");
}

static inline void make_gmsh_4_binary(sample* s) { put_gmsh_4_binary(s, false); }
static inline void make_gmsh_4_binary_entities(sample* s) { put_gmsh_4_binary(s, true); }

// ---- binary legacy VTK

static inline void make_vtk_binary(sample* s) {
    s->big = true;
    put_text(s, "# vtk DataFile Version 3.0\na title\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
                "FIELD FieldData 1\nTIME 1 1 double\n");
    put_double(s, 0.5);
    put_text(s, "\nPOINTS 5 float\n");
    put_positions(s, true);
    put_text(s, "\nCELLS 3 12\n");
    for (int e = 0; e < 2; ++e) {
        put_int(s, 4, 4);
        for (int k = 0; k < 4; ++k) put_int(s, 4, sample_tets[e][k]);
    }
    put_int(s, 4, 1), put_int(s, 4, 0);
    put_text(s, "\nCELL_TYPES 3\n");
    put_int(s, 4, 10), put_int(s, 4, 10), put_int(s, 4, 1);
    put_text(s, "\nPOINT_DATA 5\nSCALARS a float 3\nLOOKUP_TABLE default\n");
    put_positions(s, true);
    put_text(s, "\nCELL_DATA 3\nFIELD FieldData 1\nCellEntityIds 1 3 int\n");
    put_int(s, 4, 5), put_int(s, 4, -6), put_int(s, 4, 5);
    put_text(s, "\n");
}

static inline void make_vtk_5_binary(sample* s) {
    s->big = true;
    put_text(s, "# vtk DataFile Version 5.1\na title\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
                "POINTS 5 double\n");
    put_positions(s, false);
    put_text(s, "\nMETADATA\nINFORMATION 1\nNAME L2 LOCATION x\nDATA 1 2\n\nCELLS 3 8\n"
                "OFFSETS vtktypeint64\n");
    put_int(s, 8, 0), put_int(s, 8, 4), put_int(s, 8, 8);
    put_text(s, "\nCONNECTIVITY vtktypeint64\n");
    for (int i = 0; i < 8; ++i) put_int(s, 8, sample_tets[i / 4][i % 4]);
    put_text(s, "\nCELL_TYPES 2\n");
    put_int(s, 4, 10), put_int(s, 4, 10);
}

// ---- VTU

static inline void put_base64(sample* s, const unsigned char* bytes, size_t size) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)bytes[i] << 16;
        if (i + 1 < size) bits |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < size) bits |= bytes[i + 2];
        char group[4];
        for (size_t k = 0; k < 4; ++k)
            group[k] = k > size - i ? '=' : letters[bits >> (18 - 6 * k) & 63];
        put_bytes(s, group, 4);
    }
}

typedef struct vtu_form {
    int header;      // bytes of a length
    bool compressed; // in blocks of 32 bytes
    bool base64, appended, big;
} vtu_form;

// The bytes of array i: points, connectivity, offsets, types.
static inline void array_bytes(const vtu_form* form, int i, sample* out) {
    out->size = 0;
    out->big = form->big;
    if (i == 0) put_positions(out, false);
    for (int k = 0; k < 8 && i == 1; ++k) put_int(out, 8, sample_tets[k / 4][k % 4]);
    for (int k = 1; k <= 2 && i == 2; ++k) put_int(out, 4, 4 * k);
    for (int k = 0; k < 2 && i == 3; ++k) put_int(out, 1, 10);
}

static inline void put_array(sample* s, const vtu_form* form, int i) {
    static sample data, head, body; // large, so not on the stack
    array_bytes(form, i, &data);
    head.size = body.size = 0;
    head.big = form->big;
    if (!form->compressed) {
        put_int(&head, form->header, (int64_t)data.size);
        put_bytes(&head, data.bytes, data.size); // one stream
    } else {
        size_t blocks = (data.size + 31) / 32;
        put_int(&head, form->header, (int64_t)blocks);
        put_int(&head, form->header, 32);
        put_int(&head, form->header, (int64_t)(data.size % 32));
        for (size_t b = 0; b < blocks; ++b) {
            size_t size = b + 1 == blocks && data.size % 32 ? data.size % 32 : 32;
            unsigned char packed[200];
            uLongf length = sizeof packed;
            assert_int_equal(compress2(packed, &length, data.bytes + 32 * b, (uLong)size, 6), Z_OK);
            put_int(&head, form->header, (int64_t)length);
            put_bytes(&body, packed, length);
        }
    }
    if (form->base64) {
        put_base64(s, head.bytes, head.size);
        put_base64(s, body.bytes, body.size);
    } else {
        put_bytes(s, head.bytes, head.size);
        put_bytes(s, body.bytes, body.size);
    }
}

static inline void put_vtu_tag(sample* s, const vtu_form* form, int i, size_t offset) {
    static const char* const attributes[] = {
        "type=\"Float64\" NumberOfComponents=\"3\"", "type=\"Int64\" Name=\"connectivity\"",
        "type=\"Int32\" Name=\"offsets\"", "type=\"UInt8\" Name=\"types\""};
    char text[200];
    if (form->appended) {
        snprintf(text, sizeof text, "<DataArray %s format=\"appended\" offset=\"%zu\"/>\n",
                 attributes[i], offset);
        put_text(s, text);
        return;
    }
    snprintf(text, sizeof text, "<DataArray %s format=\"binary\">\n  ", attributes[i]);
    put_text(s, text);
    put_array(s, form, i);
    put_text(s, "\n</DataArray>\n");
}

static inline void make_vtu(sample* s, const vtu_form* form) {
    static sample appended;
    size_t offsets[4] = {0};
    appended.size = 0;
    for (int i = 0; i < 4 && form->appended; ++i) {
        offsets[i] = appended.size;
        put_array(&appended, form, i);
    }
    char text[400];
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<VTKFile type=\"UnstructuredGrid\" "
             "byte_order=\"%sEndian\" header_type=\"UInt%d\"%s>\n<UnstructuredGrid>\n"
             "<Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n<PointData>\n"
             "<DataArray type=\"Foo\" Name=\"u\" format=\"appended\" offset=\"7\"/>\n"
             "</PointData>\n<Points>\n",
             form->big ? "Big" : "Little", 8 * form->header,
             form->compressed ? " compressor=\"vtkZLibDataCompressor\"" : "");
    put_text(s, text);
    put_vtu_tag(s, form, 0, offsets[0]);
    put_text(s, "</Points>\n<Cells>\n");
    for (int i = 1; i < 4; ++i) put_vtu_tag(s, form, i, offsets[i]);
    put_text(s, "</Cells>\n</Piece>\n</UnstructuredGrid>\n");
    if (form->appended) {
        put_text(s, form->base64 ? "<AppendedData encoding=\"base64\">\n  _"
                                 : "<AppendedData encoding=\"raw\">\n  _");
        put_bytes(s, appended.bytes, appended.size);
        put_text(s, "\n</AppendedData>\n");
    }
    put_text(s, "</VTKFile>\n");
}

static inline void make_vtu_inline(sample* s) {
    make_vtu(s, &(vtu_form){.header = 4, .base64 = true});
}
static inline void make_vtu_inline_zlib(sample* s) {
    make_vtu(s, &(vtu_form){.header = 8, .base64 = true, .compressed = true});
}
static inline void make_vtu_raw(sample* s) {
    make_vtu(s, &(vtu_form){.header = 8, .appended = true, .big = true});
}
static inline void make_vtu_raw_zlib(sample* s) {
    make_vtu(s, &(vtu_form){.header = 8, .appended = true, .compressed = true});
}
static inline void make_vtu_base64_zlib(sample* s) {
    make_vtu(s, &(vtu_form){.header = 4, .appended = true, .base64 = true, .compressed = true});
}

// ---- PLY, STL

static inline void put_ply(sample* s, const char* format) {
    put_text(s, "ply\nformat ");
    put_text(s, format);
    put_text(s, " 1.0\ncomment made by hand\nelement vertex 5\nproperty double x\n"
                "property double y\nproperty double z\nproperty uchar red\nelement face 6\n"
                "property list uchar int vertex_indices\nelement edge 1\nproperty int vertex1\n"
                "property int vertex2\nelement other 1\nproperty list uchar float weights\n"
                "end_header\n");
    for (int v = 0; v < 5; ++v) {
        for (int k = 0; k < 3; ++k) put_double(s, sample_x[v][k]);
        put_int(s, 1, 255);
    }
    for (int t = 0; t < 6; ++t) {
        put_int(s, 1, 3);
        for (int k = 0; k < 3; ++k) put_int(s, 4, sample_triangles[t][k]);
    }
    put_int(s, 4, 0), put_int(s, 4, 4);
    put_int(s, 1, 2), put_float(s, 0.5), put_float(s, 0.25);
}
static inline void make_ply_little(sample* s) { put_ply(s, "binary_little_endian"); }
static inline void make_ply_big(sample* s) {
    s->big = true;
    put_ply(s, "binary_big_endian");
}

static inline void make_stl_binary(sample* s) {
    char head[80] = "solid in name only";
    put_bytes(s, head, sizeof head);
    put_int(s, 4, 6);
    for (int t = 0; t < 6; ++t) {
        for (int k = 0; k < 3; ++k) put_float(s, 0);
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < 3; ++i) put_float(s, sample_x[sample_triangles[t][k]][i]);
        put_int(s, 2, 0);
    }
}

static inline void make_stl_text(sample* s) {
    put_text(s, "solid my shape\n");
    for (int t = 0; t < 6; ++t) {
        put_text(s, "  facet normal nan 0 0\n    outer loop\n");
        for (int k = 0; k < 3; ++k) {
            const double* x = sample_x[sample_triangles[t][k]];
            char line[80];
            snprintf(line, sizeof line, "      vertex %g %g -0.0%g\n", x[0], x[1], 0.0);
            if (x[2] != 0) snprintf(line, sizeof line, "      VERTEX %g %g 1e0\n", x[0], x[1]);
            put_text(s, line);
        }
        put_text(s, "    endloop\n  endfacet\n");
    }
    put_text(s, "endsolid my shape\n");
}

// ---- all of them

#define GMSH_NODES "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
#define POINTS "0 0 0 1 0 0\n0 1 0 0 0 1 1 1 1\n"
#define FACES "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 4\n3 2 3 4\n3 3 1 4\n"

typedef struct recipe {
    const char *name, *extension;
    bool solid;
    const char* text; // or
    void (*make)(sample* s);
} recipe;

static const recipe recipes[] = {
    {"Gmsh 2.2 text", ".msh", true,
     "$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n$PhysicalNames\n3\n0 3 \"tip\"\n"
     "3 7 \"my body\"\r\n2 9 \"unused\"\n$EndPhysicalNames\n$Nodes\n5\n" GMSH_NODES
     "$EndNodes\n$Elements\n5\n"
     "1 15 2 3 1 5\n2 4 2 7 1 1 2 3 4\n3 4 2 8 1 1 2 3 4\n4 4 0 2 3 4 5\n"
     "5 15 2 0 1 1\n$EndElements\n$Surface\n1\n1 2 "
     "3\n$EndSurface\n",
     NULL},
    {"Gmsh 4.1 text", ".msh", true,
     "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 1 5\n3 0 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n"
     "0 1 0\n0 0 1\n1 1 1\n$EndNodes\n$Elements\n1 2 1 2\n3 0 4 2\n1 1 2 3 4\n2 2 3 4 5\n"
     "$EndElements\n$Surface\n1\n1 2 3\n$EndSurface\n",
     NULL},
    {"Gmsh 4.1 entities", ".msh", true,
     "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n0 3 \"tip\"\n$EndPhysicalNames\n"
     "$Entities\n1 0 0 2\n9 1 1 1 1 3 \n1 0 0 0 1 1 1 2 -7 8 0\n2 0 0 0 1 1 1 0 2 4 -5\n"
     "$EndEntities\n$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n"
     "0 1 0\n0 0 1\n1 1 1\n$EndNodes\n$Elements\n3 3 1 3\n0 9 15 1\n3 5\n3 1 4 1\n1 1 2 3 4\n"
     "3 2 4 1\n2 2 3 4 5\n$EndElements\n",
     NULL},
    {"Gmsh 4.0 entities", ".msh", true,
     "$MeshFormat\n4 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n0 3 \"tip\"\n$EndPhysicalNames\n"
     "$Entities\n1 0 0 2\n9 1 1 1 1 1 1 1 3 \n1 0 0 0 1 1 1 2 -7 8 0\n2 0 0 0 1 1 1 0 2 4 -5\n"
     "$EndEntities\n$Nodes\n2 5\n5 1 1 1\n1 0 0 0 0.5\n1 3 0 4\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
     "5 1 1 1\n$EndNodes\n$Elements\n3 3\n9 0 15 1\n3 5\n1 3 4 1\n1 1 2 3 4\n"
     "2 3 4 1\n2 2 3 4 5\n$EndElements\n",
     NULL},
    {"Gmsh 2.2 binary", ".msh", true, NULL, make_gmsh_2_binary},
    {"Gmsh 4.0 binary", ".msh", true, NULL, make_gmsh_4_0_binary},
    {"Gmsh 4.1 binary", ".msh", true, NULL, make_gmsh_4_binary},
    {"Gmsh 4.1 binary entities", ".msh", true, NULL, make_gmsh_4_binary_entities},
    {"VTK text", ".vtk", true,
     "# vtk DataFile Version 2.0\nsome title\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 "
     "float\n" POINTS "CELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\n\nCELL_TYPES 2\n10 10\nPOINT_DATA "
     "5\nSCALARS gmsh%3aphysical int\n"
     "LOOKUP_TABLE default\n1 1 2 2 2\nVECTORS v float\n" POINTS
     "CELL_DATA 2\nSCALARS material int 1\nLOOKUP_TABLE default\n4 5\n",
     NULL},
    {"VTK 5 text", ".vtk", true,
     "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n" POINTS
     "METADATA\nINFORMATION 0\n\nCELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY "
     "vtktypeint64\n"
     "0 1 2 3 1 2 3 4\nCELL_TYPES 2\n10\n10\n",
     NULL},
    {"VTK polygons", ".vtk", false,
     "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n" POINTS
     "VERTICES 1 2\n1 0\nPOLYGONS 4 16\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 4\n"
     "TRIANGLE_STRIPS 1 5\n4 2 3 4 1\nCELL_DATA 6\nSCALARS a short\n0 1 2 3 4 5\n",
     NULL},
    {"VTK binary", ".vtk", true, NULL, make_vtk_binary},
    {"VTK 5 binary", ".vtk", true, NULL, make_vtk_5_binary},
    {"VTU text", ".vtu", true,
     "<VTKFile type='UnstructuredGrid' version='0.1' byte_order='LittleEndian'><UnstructuredGrid>"
     "<Piece NumberOfPoints='5' NumberOfCells='2'><PointData><DataArray type='UInt8' "
     "Name='group:a &lt; &quot;b&quot;' pliant_dim='2' pliant_tag='12' format='ascii'>1 0 0 0 1"
     "</DataArray></PointData><CellData><DataArray type='Int32' Name='attribute' format='ascii'>"
     "3 4</DataArray><DataArray type='Float32' Name='f' format='ascii'>3 nan</DataArray></CellData>"
     "<Points><DataArray type='Float32' "
     "NumberOfComponents='3' format='ascii'>" POINTS "</DataArray></Points><Cells>"
     "<DataArray type='Int32' Name='connectivity' format='ascii'>0 1 2 3 1 2 3 4</DataArray>"
     "<DataArray type='Int32' Name='offsets' format='ascii'>4 8</DataArray>"
     "<DataArray type='UInt8' Name='types' format='ascii'>10 10</DataArray></Cells></Piece>"
     "</UnstructuredGrid></VTKFile>",
     NULL},
    {"VTU base64", ".vtu", true, NULL, make_vtu_inline},
    {"VTU base64 zlib", ".vtu", true, NULL, make_vtu_inline_zlib},
    {"VTU appended", ".vtu", true, NULL, make_vtu_raw},
    {"VTU appended zlib", ".vtu", true, NULL, make_vtu_raw_zlib},
    {"VTU appended base64 zlib", ".vtu", true, NULL, make_vtu_base64_zlib},
    {"Medit", ".mesh", true,
     "MeshVersionFormatted 2 # a comment\nDimension\n3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 1\n"
     "0 0 1 0\n1 1 1 0\nCorners\n2\n1\n2\nTetrahedra 2\n1 2 3 4 0\n2 3 4 5 6\nEnd\n",
     NULL},
    {"OBJ", ".obj", false,
     "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\no my body \r\nf 1 3 2\ng a b\nf 1 2 4\n"
     "g\nf 1 4 3\nf 2 3 5\nf 3 4 5\ng b\nf 4 2 5\n",
     NULL},
    {"OFF", ".off", false, "OFF\n# a comment\n5 6 9\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n" FACES,
     NULL},
    {"COFF", ".off", false,
     "COFF 5 6\n0 0 0 1 1 1 1\n1 0 0 1 1 1 1\n\n0 1 0 1 1 1 1\n0 0 1 0 0 0 0\n1 1 1 1 1 1 1\n"
     "3 0 2 1 255 0 0\n3 0 1 3\n3 0 3 2\n3 1 2 4\n3 2 3 4\n3 3 1 4",
     NULL},
    {"PLY text", ".ply", false,
     "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float "
     "z\n"
     "element face 6\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 "
     "1\n"
     "1 1 1\n" FACES,
     NULL},
    {"PLY little-endian", ".ply", false, NULL, make_ply_little},
    {"PLY big-endian", ".ply", false, NULL, make_ply_big},
    {"STL text", ".stl", false, NULL, make_stl_text},
    {"STL binary", ".stl", false, NULL, make_stl_binary},
};
enum { RECIPE_COUNT = sizeof recipes / sizeof *recipes };

static inline void make_sample(int i, sample* s) {
    s->name = recipes[i].name;
    s->extension = recipes[i].extension;
    s->solid = recipes[i].solid;
    s->size = 0;
    s->big = false;
    if (recipes[i].text)
        put_text(s, recipes[i].text);
    else
        recipes[i].make(s);
}

#endif
