// Polygons in the plane and what they sweep along z: plates, gears, cams. See ngon.h for how
// polygons are divided into triangles.
#include "mesh/build.h"
#include "mesh/ngon.h"

#include <math.h>

// The triangles of the polygon as a fan from its first corner, for pli_ngon_cut.
static void make_fan(int corners, int32_t* triangles) {
    for (int t = 0; t < corners - 2; ++t) {
        triangles[3 * t] = 0;
        triangles[3 * t + 1] = t + 1;
        triangles[3 * t + 2] = t + 2;
    }
}

static double double_area(int corners, const double* x) {
    double sum = 0;
    for (int i = 0, k = corners - 1; i < corners; k = i++)
        sum += x[3 * k] * x[3 * i + 1] - x[3 * i] * x[3 * k + 1];
    return sum;
}

// Divides the polygon; *triangles has room for corners - 2 of them, counter-clockwise.
static pli_status cut_outline(pli_memory* memory, int corners, const double* x, int32_t* triangles,
                              pli_error* error) {
    pli_ngon_room room = {.memory = memory};
    pli_ngon_answer answer = PLI_NGON_SOUND;
    make_fan(corners, triangles);
    pli_status status = pli_ngon_cut(&room, x, corners, triangles, &answer, error);
    pli_ngon_room_free(&room);
    PLI_TRY(status);
    if (answer == PLI_NGON_CROSSES)
        return pli_fail(error, PLI_E_ARGUMENT, "polygon: its outline crosses itself");
    if (answer == PLI_NGON_LARGE)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "polygon: concave with %d points, must have at most %d", corners,
                        PLI_NGON_LIMIT);
    if (!(double_area(corners, x) > 0))
        return pli_fail(error, PLI_E_ARGUMENT, "polygon: its points must run counter-clockwise");
    return PLI_OK;
}

static void put(pli_mesh* mesh, int32_t a, int32_t b, int32_t c) {
    pli_mesh_put_element(mesh, PLI_TRIANGLE, (int32_t[3]){a, b, c});
}

// Corners i of the lower polygon are first + i, of the upper one first + corners + i.
static void put_prism(pli_mesh* mesh, int corners, const double* x, const int32_t* triangles,
                      double height) {
    int first = mesh->vertex_count, layers = height > 0 ? 2 : 1, up = first + corners;
    for (int l = 0; l < layers; ++l)
        for (int i = 0; i < corners; ++i)
            pli_mesh_put_vertex(mesh, x[3 * i], x[3 * i + 1], (l - 0.5 * (layers - 1)) * height);
    for (int t = 0; t < corners - 2; ++t) {
        const int32_t* v = triangles + 3 * t;
        if (layers == 2) put(mesh, first + v[0], first + v[2], first + v[1]);
        put(mesh, (layers == 2 ? up : first) + v[0], (layers == 2 ? up : first) + v[1],
            (layers == 2 ? up : first) + v[2]);
    }
    for (int i = 0, k = corners - 1; i < corners && layers == 2; k = i++) {
        put(mesh, first + k, first + i, up + i);
        put(mesh, first + k, up + i, up + k);
    }
}

pli_status pli_mesh_add_prism(pli_mesh* mesh, int corners, const double* outline, double height,
                              pli_error* error) {
    pli_memory memory;
    double* x = NULL;
    int32_t* triangles = NULL;
    pli_status status;
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!outline || corners < 3)
        return pli_fail(error, PLI_E_ARGUMENT, "polygon: %d points, must be at least 3", corners);
    if (!(height >= 0) || !isfinite(height))
        return pli_fail(error, PLI_E_ARGUMENT, "polygon: height = %g m, must be >= 0", height);
    pli_memory_init(&memory, mesh->allocator);
    int64_t sides = height > 0 ? 2 : 1, n = corners;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, x, 3 * n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, triangles, 3 * n, error));
    for (int i = 0; i < corners; ++i) {
        if (!isfinite(outline[2 * i]) || !isfinite(outline[2 * i + 1]))
            PLI_TRY_CLEANUP(status,
                            pli_fail(error, PLI_E_ARGUMENT, "polygon: point %d is not finite", i));
        x[3 * i] = outline[2 * i], x[3 * i + 1] = outline[2 * i + 1], x[3 * i + 2] = 0;
    }
    PLI_TRY_CLEANUP(status, cut_outline(&memory, corners, x, triangles, error));
    PLI_TRY_CLEANUP(status, pli_mesh_reserve_vertices(mesh, sides * n, error));
    PLI_TRY_CLEANUP(status, pli_mesh_reserve_elements(
                                mesh, PLI_TRIANGLE, sides * (n - 2) + (sides - 1) * 2 * n, error));
    put_prism(mesh, corners, x, triangles, height);
cleanup:
    PLI_FREE(&memory, x, 3 * (size_t)n);
    PLI_FREE(&memory, triangles, 3 * (size_t)n);
    return status;
}
