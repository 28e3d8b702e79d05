// The kernels of solids in 256-bit registers.
#include "energy/solid.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define KERNEL_SET pli_solid_avx2
#define PLI_LANE_COUNT 4
#define PLI_LANE_TARGET __attribute__((target("avx2")))
#include "energy/solid_kernels.h"
#endif
