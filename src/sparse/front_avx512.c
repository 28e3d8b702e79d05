// The kernels in 512-bit registers.
#include "sparse/front.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define KERNEL_SET pli_front_avx512
#define KERNEL_TARGET __attribute__((target("avx512f")))
#define KERNEL_WIDTH 8
#define KERNEL_VECTORS 1
#include "sparse/front_kernels.h"
#endif
