// Cook's membrane and torsion: the rows of problems_shapes.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_shapes); }
