// Aligned, nearly touching, of masses far apart: the rows of tight.c, small.
#include "torture/check.h"

int main(void) { return check_ordeal(&pli_torture_tight); }
