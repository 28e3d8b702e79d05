// Properties of the library: its version, the names of its statuses, its licence.
#include "pliant/base.h"

#define STRING_(x) #x
#define STRING(x) STRING_(x)

const char* pli_version(void) {
    return STRING(PLI_VERSION_MAJOR) "." STRING(PLI_VERSION_MINOR) "." STRING(PLI_VERSION_PATCH);
}

int pli_abi_version(void) { return PLI_ABI_VERSION; }

const char* pli_status_text(pli_status status) {
    static const char* const words[] = {
        [PLI_OK] = "ok",
        [PLI_E_MEMORY] = "out of memory",
        [PLI_E_ARGUMENT] = "bad argument",
        [PLI_E_SCENE] = "bad scene",
        [PLI_E_IO] = "input or output failed",
        [PLI_E_BUSY] = "busy",
        [PLI_E_CANCELLED] = "cancelled",
    };
    size_t i = (size_t)status;
    return i < sizeof words / sizeof *words ? words[i] : "unknown status";
}

// ---- licence
//
// The licence of this binary. It must match what CMakeLists.txt links; docs/LICENCES.md explains
// it. Licence names are those of SPDX.

#define PERMISSIVE                                                                                 \
    "AMD (BSD-3-Clause), METIS (Apache-2.0), OpenBLAS (BSD-3-Clause), Expat (MIT), jansson (MIT), zlib "        \
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
