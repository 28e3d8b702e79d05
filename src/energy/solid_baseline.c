// The kernels of solids in 128-bit registers, the portable baseline.
#define KERNEL_SET pli_solid_baseline
#define PLI_LANE_COUNT 2
#define PLI_LANE_TARGET
#include "energy/solid_kernels.h"
