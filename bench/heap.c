// The text of the scene.
#define _GNU_SOURCE
#include "heap.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const double size = 0.1, pitch = 0.1045; // [m]

// In [-1, 1].
static double draw(uint32_t* seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 2147483648.0 - 1;
}

static void write_cube(FILE* file, const int at[3], int side, int segments, uint32_t* seed) {
    double turn[3] = {draw(seed), draw(seed), draw(seed)}; // [degrees]: corners move by 1.5 mm
    fprintf(file,
            "%s{\"density\": 1000, \"mesh\": {\"type\": \"box\", \"size\": [%g, %g, %g], "
            "\"segments\": [%d, %d, %d]}, \"rotate\": [%.6f, %.6f, %.6f], "
            "\"translate\": [%.6f, %.6f, %.6f], \"velocity\": [%.6f, %.6f, %.6f], "
            "\"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.4}]}",
            at[0] + at[1] + at[2] > 0 ? ",\n" : "", size, size, size, segments, segments, segments,
            turn[0], turn[1], turn[2], pitch * at[0], pitch * at[1], 0.053 + pitch * at[2],
            0.3 * (0.5 * (side - 1) - at[0]), 0.3 * (0.5 * (side - 1) - at[1]), -0.3 * (1 + at[2]));
}

char* bench_heap(int side, int segments) {
    char* text = NULL;
    size_t length;
    uint32_t seed = 1;
    FILE* file = open_memstream(&text, &length);
    if (!file) abort();
    fprintf(file,
            "{\"dimension\": 3, \"gravity\": [0, 0, -9.81], \"time\": {\"step\": 0.01, "
            "\"steps\": 10},\n\"solver\": {\"tolerance\": 0.01, \"linear\": \"pcg\", "
            "\"linear_tolerance\": 0.001, \"max_iterations\": 4, \"on_failure\": "
            "\"accept\"}, \"contact\": {\"dhat\": "
            "0.001, \"stiffness\": \"auto\"},\n\"obstacles\": [{\"type\": \"box\", \"size\": "
            "[%g, %g, 0.1], \"center\": [0.1, 0.1, -0.05]}],\n\"bodies\": [\n",
            0.7 * side - 0.1, 0.7 * side - 0.1);
    for (int i = 0; i < side * side * side; ++i)
        write_cube(file, (const int[]){i / (side * side), i / side % side, i % side}, side,
                   segments, &seed);
    fprintf(file, "]}\n");
    fclose(file);
    return text;
}
