// Friction on slopes, floors and tables: the rows of friction.c, small.
#include "torture/check.h"

int main(void) { return check_ordeal(&pli_torture_friction); }
