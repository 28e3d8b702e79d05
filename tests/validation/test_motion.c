// What motion keeps and how long it takes: the rows of problems_motion.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_motion); }
