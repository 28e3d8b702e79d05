// Rods bent far, buckling, frequencies, curved shapes: the rows of problems_rods.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_rods); }
