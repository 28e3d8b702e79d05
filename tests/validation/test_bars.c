// Cantilevers, frequencies, a hanging bar: the rows of problems_bars.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_bars); }
