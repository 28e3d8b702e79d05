// Under which licence this binary is. It must name what CMakeLists.txt links; docs/LICENCES.md
// explains it. Names of licences are those of SPDX.
#include "base/base.h"

#define PERMISSIVE                                                                                 \
    "AMD (BSD-3-Clause), METIS (Apache-2.0), OpenBLAS (BSD-3-Clause), jansson (MIT), zlib "        \
    "(Zlib)\n"                                                                                     \
    "inside: three.js (MIT), in the page of `pliant view`\n"

const char* pli_licence(void) {
#ifdef PLIANT_CHOLMOD
    return "licence: GPL-3.0-or-later, because CHOLMOD is linked: its modules Supernodal, "
           "MatrixOps "
           "and Modify are GPL-2.0-or-later; without it (-DPLIANT_CHOLMOD=OFF): MIT\n"
           "linked: CHOLMOD (GPL-2.0-or-later, other modules LGPL-2.1-or-later), " PERMISSIVE;
#else
    return "licence: MIT\n"
           "linked: " PERMISSIVE;
#endif
}
