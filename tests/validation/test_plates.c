// Plates and shells: the rows of problems_plates.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_plates); }
