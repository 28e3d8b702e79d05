// Impacts at high speed: the rows of speed.c, small.
#include "torture/check.h"

int main(void) { return check_ordeal(&pli_torture_speed); }
