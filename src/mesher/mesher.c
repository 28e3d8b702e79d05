// pliant-mesh: fills a closed surface with tetrahedra by Gmsh. A program of its own, so that Gmsh's
// licence (GPL) and libraries stay out of the library and the command.
//
//     pliant-mesh IN OUT SIZE [PARENT]
//
// SIZE [m] of the tetrahedra; 0: the surface stays as it is. PARENT is the number of the process
// that started this one; it ends with that.
//
// Each shell of the surface that lies in an even number of others is filled; the shells directly
// inside it are its cavities. Groups of the surface go along if it stays as it is.
#include <gmshc.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/collections.h"
#include "pliant/mesh.h"

typedef struct mesher {
    const pli_mesh* surface;
    double size; // [m]; 0: keep the surface
    pli_mesh* solid;
    int32_t* image; // of each vertex of the surface in the solid; -1: none
    bool remeshed;  // a shell has a new surface mesh: its groups have other vertices now
} mesher;

static bool complain(const char* format, const char* detail) {
    fprintf(stderr, "pliant-mesh: ");
    fprintf(stderr, format, detail);
    fprintf(stderr, "\n");
    return false;
}

// What Gmsh says was wrong.
static bool gmsh_failed(const char* doing) {
    char *text = NULL, message[600];
    int code;
    gmshLoggerGetLastError(&text, &code);
    snprintf(message, sizeof message, "%s: %s", doing,
             code == 0 && text ? text : "no reason given");
    gmshFree(text);
    return complain("Gmsh failed while %s", message);
}

// ---- shells: triangles connected by vertices
//
// One shell lies in another if that one winds around its first vertex.

typedef struct shell_list {
    int count;
    int* triangle_shell; // of each triangle
    int* depth;          // number of shells around each shell
    int* parent;         // the innermost of them; -1: none
} shell_list;

// Numbers the shells by their first triangles; `number` has an entry per vertex.
static void label(const pli_mesh* mesh, int32_t* root, int* number, shell_list* s) {
    const int32_t* corners = mesh->elements[PLI_TRIANGLE];
    int count = mesh->element_count[PLI_TRIANGLE];
    for (int v = 0; v < mesh->vertex_count; ++v) root[v] = v, number[v] = -1;
    for (int i = 0; i < 3 * count; ++i) pli_disjoint_join(root, corners[i], corners[i / 3 * 3]);
    for (int t = 0; t < count; ++t) {
        int r = pli_disjoint_root(root, corners[3 * t]);
        if (number[r] < 0) number[r] = s->count++;
        s->triangle_shell[t] = number[r];
    }
}

// Solid angle of a triangle seen from p [van Oosterom and Strackee 1983]:
//     tan(omega / 2) = det(a, b, c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)
static double solid_angle(const double* x, const int32_t* v, const double* p) {
    double e[3][3], length[3], dot[3];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) e[i][k] = x[3 * v[i] + k] - p[k];
        length[i] = sqrt(e[i][0] * e[i][0] + e[i][1] * e[i][1] + e[i][2] * e[i][2]);
    }
    for (int i = 0; i < 3; ++i) {
        const double *a = e[i], *b = e[(i + 1) % 3];
        dot[i] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    double det = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                 e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                 e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    return 2 * atan2(det, length[0] * length[1] * length[2] + dot[0] * length[2] +
                              dot[1] * length[0] + dot[2] * length[1]);
}

// Whether the shell winds around the point, whichever way its triangles look.
static bool contains(const pli_mesh* mesh, const shell_list* s, int shell, const double* p) {
    double sum = 0;
    for (int t = 0; t < mesh->element_count[PLI_TRIANGLE]; ++t)
        if (s->triangle_shell[t] == shell)
            sum += solid_angle(mesh->positions, mesh->elements[PLI_TRIANGLE] + 3 * t, p);
    return fabs(sum) > 6.283185307179586; // half of 4 pi
}

static const double* first_point(const pli_mesh* mesh, const shell_list* s, int shell) {
    int t = 0;
    while (s->triangle_shell[t] != shell) ++t;
    return mesh->positions + 3 * mesh->elements[PLI_TRIANGLE][3 * t];
}

static void nest(const pli_mesh* mesh, shell_list* s) {
    for (int i = 0; i < s->count; ++i) {
        const double* p = first_point(mesh, s, i);
        s->parent[i] = -1;
        for (int j = 0; j < s->count; ++j) s->depth[i] += j != i && contains(mesh, s, j, p);
    }
    for (int i = 0; i < s->count; ++i) {
        const double* p = first_point(mesh, s, i);
        for (int j = 0; j < s->count && s->depth[i] > 0; ++j)
            if (j != i && s->depth[j] == s->depth[i] - 1 && contains(mesh, s, j, p))
                s->parent[i] = j;
    }
}

static void free_shells(shell_list* shells) {
    free(shells->triangle_shell);
    free(shells->depth);
    free(shells->parent);
    *shells = (shell_list){0};
}

// False: no memory.
static bool find_shells(const pli_mesh* mesh, shell_list* shells) {
    size_t vertices = (size_t)mesh->vertex_count + 1,
           triangles = (size_t)mesh->element_count[PLI_TRIANGLE] + 1;
    int32_t* root = calloc(vertices, sizeof *root);
    int* number = calloc(vertices, sizeof *number);
    *shells = (shell_list){.triangle_shell = calloc(triangles, sizeof(int)),
                           .depth = calloc(triangles, sizeof(int)),
                           .parent = calloc(triangles, sizeof(int))};
    bool good = root && number && shells->triangle_shell && shells->depth && shells->parent;
    if (good) {
        label(mesh, root, number, shells);
        nest(mesh, shells);
    } else {
        free_shells(shells);
    }
    free(root);
    free(number);
    return good;
}

// ---- in

// The triangles of one shell as a discrete surface. `corners` has room for all.
static bool put_shell(const mesher* m, const shell_list* shells, int shell, size_t* corners) {
    int code, tag;
    size_t count = 0;
    for (int t = 0; t < m->surface->element_count[PLI_TRIANGLE]; ++t)
        for (int k = 0; k < 3 && shells->triangle_shell[t] == shell; ++k)
            corners[count++] = (size_t)m->surface->elements[PLI_TRIANGLE][3 * t + k] + 1;
    tag = gmshModelAddDiscreteEntity(2, -1, NULL, 0, &code);
    if (code == 0) gmshModelMeshAddElementsByType(tag, 2, NULL, 0, corners, count, &code);
    return code == 0;
}

// The shell and its cavities in a new model.
static bool put_surface(const mesher* m, const shell_list* shells, int shell) {
    int code, first;
    size_t vertices = (size_t)m->surface->vertex_count;
    size_t* tags = malloc(vertices * sizeof *tags);
    size_t* corners = malloc(3 * (size_t)m->surface->element_count[PLI_TRIANGLE] * sizeof *corners);
    double* x = malloc(3 * vertices * sizeof *x);
    bool good = tags && corners && x;
    if (!good) complain("%s", "out of memory");
    for (size_t v = 0; good && v < vertices; ++v) tags[v] = v + 1;
    if (good) {
        memcpy(x, m->surface->positions, 3 * vertices * sizeof *x);
        gmshClear(&code);
        gmshModelAdd("solid", &code);
        first = gmshModelAddDiscreteEntity(0, -1, NULL, 0, &code); // has all vertices for a while
        gmshModelMeshAddNodes(0, first, tags, vertices, x, 3 * vertices, NULL, 0, &code);
        good = code == 0;
        for (int s = 0; good && s < shells->count; ++s)
            if (s == shell || shells->parent[s] == shell) good = put_shell(m, shells, s, corners);
        if (good) gmshModelMeshReclassifyNodes(&code);
        good = (good && code == 0) || gmsh_failed("it took over the surface");
    }
    free(tags);
    free(corners);
    free(x);
    return good;
}

// ---- meshing

// A volume inside all surfaces of the model.
static bool make_volume(void) {
    int *entities = NULL, code;
    size_t n = 0;
    gmshModelGetEntities(&entities, &n, 2, &code);
    int* surfaces = malloc((n / 2 + 1) * sizeof *surfaces);
    bool good = code == 0 && surfaces && n > 0;
    for (size_t i = 0; good && i < n / 2; ++i) surfaces[i] = entities[2 * i + 1];
    if (good) {
        int loop = gmshModelGeoAddSurfaceLoop(surfaces, n / 2, -1, &code);
        if (code == 0) gmshModelGeoAddVolume(&loop, 1, -1, &code);
        if (code == 0) gmshModelGeoSynchronize(&code);
        good = code == 0;
    }
    free(surfaces);
    gmshFree(entities);
    return good;
}

// Cuts the surface at edges sharper than 40 degrees into patches that can be remeshed.
static bool make_patches(void) {
    const double pi = 3.14159265358979323846;
    int code;
    gmshModelMeshClassifySurfaces(40 * pi / 180, 1, 1, pi, 1, &code);
    if (code == 0) gmshModelMeshCreateGeometry(NULL, 0, &code);
    return code == 0;
}

static bool generate(const mesher* m, bool remesh) {
    int code;
    if (m->size > 0) {
        gmshOptionSetNumber("Mesh.MeshSizeMax", m->size, &code);
        gmshOptionSetNumber("Mesh.MeshSizeMin", 0.5 * m->size, &code);
    }
    if (remesh && !make_patches()) return false;
    if (!make_volume()) return false;
    gmshModelMeshGenerate(3, &code);
    return code == 0;
}

// ---- out

typedef struct result {
    size_t *node_tags, *element_tags, *corners;
    double *x, *parameters;
    size_t node_count, x_count, parameter_count, element_count, corner_count;
} result;

// Notes the vertices of the surface that are nodes with their old tags and places.
static void note_images(const mesher* m, const int32_t* vertex, size_t largest) {
    for (int v = 0; v < m->surface->vertex_count && (size_t)v + 1 <= largest; ++v) {
        int32_t image = vertex[v + 1];
        if (image >= 0 && memcmp(m->surface->positions + 3 * (size_t)v,
                                 m->solid->positions + 3 * (size_t)image, 3 * sizeof(double)) == 0)
            m->image[v] = image;
    }
}

// Adds the nodes of tetrahedra and the tetrahedra.
static bool add_result(const mesher* m, const result* r) {
    size_t largest = 0;
    for (size_t i = 0; i < r->node_count; ++i)
        if (r->node_tags[i] > largest) largest = r->node_tags[i];
    int32_t* vertex = malloc((largest + 1) * sizeof *vertex); // of each tag; -1: not used
    pli_error error = {0};
    bool good = vertex != NULL;
    for (size_t tag = 0; good && tag <= largest; ++tag) vertex[tag] = -1;
    for (size_t i = 0; good && i < r->corner_count; ++i) vertex[r->corners[i]] = 0;
    for (size_t i = 0; good && i < r->node_count; ++i) {
        int first;
        if (vertex[r->node_tags[i]] < 0) continue;
        good = pli_mesh_add_vertices(m->solid, 1, r->x + 3 * i, &first, &error) == PLI_OK;
        vertex[r->node_tags[i]] = first;
    }
    for (size_t e = 0; good && e < r->element_count; ++e) {
        int32_t v[4];
        for (size_t k = 0; k < 4; ++k) v[k] = vertex[r->corners[4 * e + k]];
        good = pli_mesh_add_elements(m->solid, PLI_TETRAHEDRON, 1, v, &error) == PLI_OK;
    }
    if (good) note_images(m, vertex, largest);
    free(vertex);
    return good || complain("%s", error.message);
}

static bool take_result(const mesher* m) {
    result r = {0};
    int code;
    gmshModelMeshGetElementsByType(4, &r.element_tags, &r.element_count, &r.corners,
                                   &r.corner_count, -1, 0, 1, &code);
    if (code == 0)
        gmshModelMeshGetNodes(&r.node_tags, &r.node_count, &r.x, &r.x_count, &r.parameters,
                              &r.parameter_count, -1, -1, 0, 0, &code);
    bool good = code == 0 && r.element_count > 0 && add_result(m, &r);
    gmshFree(r.node_tags);
    gmshFree(r.element_tags);
    gmshFree(r.corners);
    gmshFree(r.x);
    gmshFree(r.parameters);
    return good;
}

// Remeshing the surface may fail where it folds tightly; then it stays as it is.
static bool fill_shell(mesher* m, const shell_list* shells, int shell) {
    for (int remesh = m->size > 0; remesh >= 0; --remesh) {
        if (!put_surface(m, shells, shell)) return false;
        if (generate(m, remesh) && take_result(m)) {
            m->remeshed |= remesh;
            return true;
        }
        if (remesh) complain("%s", "the surface could not be remeshed and stays as it is");
    }
    return gmsh_failed("it made the tetrahedra");
}

static bool keep_group(const mesher* m, const pli_mesh_group* g) {
    pli_error error = {0};
    int32_t* vertices = malloc(((size_t)g->vertex_count + 1) * sizeof *vertices);
    bool whole = !m->remeshed;
    if (!vertices) return complain("%s", "out of memory");
    for (int i = 0; i < g->vertex_count; ++i) {
        vertices[i] = m->image[g->vertices[i]];
        whole = whole && vertices[i] >= 0;
    }
    pli_status status = whole ? pli_mesh_add_group(m->solid, g->name, g->tag, g->dim,
                                                   g->vertex_count, vertices, &error)
                              : PLI_OK;
    free(vertices);
    if (!whole) complain("group %s is lost: the surface was remeshed", g->name);
    return status == PLI_OK || complain("%s", error.message);
}

static bool keep_groups(const mesher* m) {
    bool good = true;
    for (int i = 0; i < m->surface->group_count && good; ++i)
        good = keep_group(m, &m->surface->groups[i]);
    return good;
}

static bool fill(mesher* m) {
    shell_list shells;
    int code;
    m->image = malloc(((size_t)m->surface->vertex_count + 1) * sizeof *m->image);
    if (!m->image) return complain("%s", "out of memory");
    for (int v = 0; v < m->surface->vertex_count; ++v) m->image[v] = -1;
    if (!find_shells(m->surface, &shells)) return complain("%s", "out of memory");
    gmshInitialize(0, NULL, 0, &code);
    gmshOptionSetNumber("General.Terminal", 0, &code);
    gmshOptionSetNumber("General.NumThreads", 1, &code); // the same mesh every time
    gmshOptionSetNumber("Mesh.Renumber", 0, &code);      // tags tell which nodes were there
    bool good = true;
    for (int s = 0; good && s < shells.count; ++s)
        if (shells.depth[s] % 2 == 0) good = fill_shell(m, &shells, s);
    gmshFinalize(&code);
    free_shells(&shells);
    return good && keep_groups(m);
}

// ---- files

static bool read_surface(const char* path, pli_mesh* mesh) {
    pli_error error = {0};
    pli_mesh_summary s;
    if (pli_mesh_read(mesh, path, &error) != PLI_OK ||
        pli_mesh_summarize(mesh, &s, &error) != PLI_OK)
        return complain("%s", error.message);
    if (mesh->element_count[PLI_TETRAHEDRON] + mesh->element_count[PLI_TETRAHEDRON10] > 0)
        return complain("%s has tetrahedra already", path);
    if (mesh->element_count[PLI_TRIANGLE] == 0 || !s.closed)
        return complain("%s is not a closed surface of triangles; see: pliant check", path);
    return true;
}

// From now on this process ends when its parent does; at once if that is gone already. No signal
// but this one will do: METIS catches SIGTERM.
static void end_with(long parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) exit(1);
}

int main(int argc, char** argv) {
    pli_mesh surface, solid;
    pli_error error = {0};
    char* end = NULL;
    mesher m = {.surface = &surface, .solid = &solid};
    if (argc >= 4) m.size = strtod(argv[3], &end);
    if (argc == 5) end_with(strtol(argv[4], NULL, 10));
    if (argc < 4 || argc > 5 || *end || !(m.size >= 0 && m.size < 1e9)) {
        fprintf(stderr, "usage: pliant-mesh IN OUT SIZE\n"
                        "  fills a closed surface with tetrahedra of this size [m]; 0: the surface "
                        "stays as it is\n");
        return 2;
    }
    pli_mesh_init(&surface, NULL);
    pli_mesh_init(&solid, NULL);
    bool good = read_surface(argv[1], &surface) && fill(&m);
    if (good && pli_mesh_write(&solid, argv[2], &error) != PLI_OK)
        good = complain("%s", error.message);
    pli_mesh_free(&surface);
    pli_mesh_free(&solid);
    free(m.image);
    return good ? 0 : 1;
}
