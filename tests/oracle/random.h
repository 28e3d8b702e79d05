// Random numbers for tests: the same on every machine and in every run.
#ifndef TESTS_ORACLE_RANDOM_H
#define TESTS_ORACLE_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct pli_random {
    uint64_t state; // the seed
} pli_random;

// 32 random bits: the upper half of a linear congruential generator (Knuth's multiplier).
static inline uint32_t pli_random_bits(pli_random* r) {
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->state >> 32);
}

// Uniform in [low, high).
static inline double pli_random_in(pli_random* r, double low, double high) {
    return low + (high - low) * (pli_random_bits(r) / 4294967296.0);
}

// Uniform in 0 .. n - 1.
static inline int pli_random_below(pli_random* r, int n) {
    return (int)(((uint64_t)pli_random_bits(r) * (uint64_t)n) >> 32);
}

// A random rotation in the plane or in space, 3x3.
static inline void pli_random_rotation(pli_random* r, int dim, double R[9]) {
    double q[4] = {1, 0, 0, 0}, n = 0;
    for (int i = 0; i < 4; ++i)
        if (dim == 3 || i == 0 || i == 3) q[i] = pli_random_in(r, -1, 1);
    for (int i = 0; i < 4; ++i) n += q[i] * q[i];
    for (int i = 0; i < 4; ++i) q[i] /= sqrt(n);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    R[0] = 1 - 2 * (y * y + z * z);
    R[1] = 2 * (x * y - w * z);
    R[2] = 2 * (x * z + w * y);
    R[3] = 2 * (x * y + w * z);
    R[4] = 1 - 2 * (x * x + z * z);
    R[5] = 2 * (y * z - w * x);
    R[6] = 2 * (x * z - w * y);
    R[7] = 2 * (y * z + w * x);
    R[8] = 1 - 2 * (x * x + y * y);
}

#endif
