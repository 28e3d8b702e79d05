// The number of doubles per vector register of this machine: 2, 4 or 8. Kernels that exist for
// several widths give the same bits with each; PLI_MOST_LANES (the build's PLIANT_LANES) limits the
// width so that this can be tested.
#ifndef PLI_MATH_MACHINE_H
#define PLI_MATH_MACHINE_H

#ifndef PLI_MOST_LANES
#define PLI_MOST_LANES 8
#endif

static inline int pli_machine_lanes(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (PLI_MOST_LANES >= 8 && __builtin_cpu_supports("avx512f")) return 8;
    if (PLI_MOST_LANES >= 4 && __builtin_cpu_supports("avx2")) return 4;
#endif
    return 2;
}

#endif
