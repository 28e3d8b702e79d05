// Vibration and buckling of plates: the rows of problems_modes.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_modes); }
