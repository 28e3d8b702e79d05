// Shells in large rotation: the rows of problems_sze.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_sze); }
