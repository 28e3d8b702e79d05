// Gmsh makes patches of a surface by dividing it in two, and the parts again, until each can be
// flattened. It uses METIS, which returns small graphs (up to some eight triangles: a
// tetrahedron) in one piece, and Gmsh then asks for the same again, forever. The linker
// prefers this program's METIS_PartGraphKway to that of the library: it asks the library and
// divides what is left whole. So every part is smaller than what it was cut from, and Gmsh ends.
#define _GNU_SOURCE // RTLD_NEXT
#include <dlfcn.h>
#include <metis.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*divide_function)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*,
                               real_t*, real_t*, idx_t*, idx_t*, idx_t*);

static void give_up(const char* reason) {
    fprintf(stderr, "pliant-mesh: the surface cannot be remeshed: %s; fill it without --size\n",
            reason);
    exit(1);
}

static bool is_whole(idx_t count, const idx_t* part) {
    for (idx_t i = 1; i < count; ++i)
        if (part[i] != part[0]) return false;
    return true;
}

// The half of the graph next to vertex 0 is part 0, the others are part 1.
static void halve(idx_t count, const idx_t* ends, const idx_t* neighbors, idx_t* part) {
    idx_t *queue = malloc((size_t)count * sizeof *queue), known = 0;
    if (!queue) give_up("out of memory");
    for (idx_t i = 0; i < count; ++i) part[i] = 1;
    for (idx_t seed = 0, at = 0; known < count / 2; ++seed) { // one is enough if all are connected
        if (part[seed] == 0) continue;
        part[seed] = 0;
        queue[known++] = seed;
        for (; at < known; ++at)
            for (idx_t k = ends[queue[at]]; k < ends[queue[at] + 1] && known < count / 2; ++k) {
                if (part[neighbors[k]] == 0) continue;
                part[neighbors[k]] = 0;
                queue[known++] = neighbors[k];
            }
    }
    free(queue);
}

// As metis.h has it.
__attribute__((visibility("default"))) int
METIS_PartGraphKway(idx_t* nvtxs, idx_t* ncon, idx_t* xadj, idx_t* adjncy, idx_t* vwgt,
                    idx_t* vsize, idx_t* adjwgt, idx_t* nparts, real_t* tpwgts, real_t* ubvec,
                    idx_t* options, idx_t* edgecut, idx_t* part) {
    divide_function divide;
    void* found = dlsym(RTLD_NEXT, "METIS_PartGraphKway");
    memcpy(&divide, &found, sizeof divide); // C has no conversion from objects to functions
    if (!found) give_up("METIS is not there");
    int status = divide(nvtxs, ncon, xadj, adjncy, vwgt, vsize, adjwgt, nparts, tpwgts, ubvec,
                        options, edgecut, part);
    if (*nparts < 2) return status;
    if (*nvtxs < 2) give_up("one of its triangles is too thin");
    if (status != METIS_OK || is_whole(*nvtxs, part)) halve(*nvtxs, xadj, adjncy, part);
    return METIS_OK;
}
