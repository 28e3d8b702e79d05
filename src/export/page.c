// The viewer's page, embedded in the library: PLIANT_PAGE is the file that web/ builds.
#include "pliant/export.h"

extern const unsigned char pli_page_bytes[], pli_page_bytes_end[];

__asm__(".section .rodata\n"
        ".global pli_page_bytes\n"
        ".hidden pli_page_bytes\n"
        ".balign 16\n"
        "pli_page_bytes:\n"
        ".incbin \"" PLIANT_PAGE "\"\n"
        ".global pli_page_bytes_end\n"
        ".hidden pli_page_bytes_end\n"
        "pli_page_bytes_end:\n"
        ".byte 0\n"
        ".previous\n");

const void* pli_viewer_page(size_t* size) {
    // cppcheck-suppress comparePointers; two labels of one object
    if (size) *size = (size_t)(pli_page_bytes_end - pli_page_bytes);
    return pli_page_bytes;
}
