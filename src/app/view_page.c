// The page, inside the program: PLIANT_PAGE is the file that web/ builds.
#include "app/view.h"

__asm__(".section .rodata\n"
        ".global pli_view_page\n"
        ".balign 16\n"
        "pli_view_page:\n"
        ".incbin \"" PLIANT_PAGE "\"\n"
        ".global pli_view_page_end\n"
        "pli_view_page_end:\n"
        ".byte 0\n"
        ".previous\n");
