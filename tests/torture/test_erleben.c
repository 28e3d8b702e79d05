// The ten cases of Erleben: the rows of erleben.c, small.
#include "torture/check.h"

int main(void) { return check_ordeal(&pli_torture_erleben); }
