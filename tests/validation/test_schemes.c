// Time schemes against their formulas: the rows of problems_schemes.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_schemes); }
