// Slopes, ramps, stick and slip, rolling and tipping: the rows of problems_friction.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_friction); }
