// Thin shells: the rows of problems_shells.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_shells); }
