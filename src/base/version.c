// What the library says of itself: its version and the words of its statuses.
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
