// The kernels in 256-bit registers.
#include "sparse/front.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define KERNEL_SET pli_front_avx2
#define KERNEL_TARGET __attribute__((target("avx2")))
#define KERNEL_WIDTH 4
#define KERNEL_VECTORS 2
#include "sparse/front_kernels.h"
#endif
