// The kernels in 128-bit registers, the portable baseline.
// scalars.
#define KERNEL_SET pli_front_baseline
#define KERNEL_TARGET
#define KERNEL_WIDTH 2
#define KERNEL_VECTORS 2
#include "sparse/front_kernels.h"
