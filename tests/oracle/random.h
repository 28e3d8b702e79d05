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

#endif
