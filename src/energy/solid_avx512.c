// The kernels of solids in 512-bit registers.
#include "energy/solid.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define KERNEL_SET pli_solid_avx512
#define PLI_LANE_COUNT 8
#define PLI_LANE_TARGET __attribute__((target("avx512f")))
#include "energy/solid_kernels.h"
#endif
