// Homogeneous states of solids: the rows of problems_materials.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_materials); }
