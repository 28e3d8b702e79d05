// Large steps and extreme deformation: the rows of twist.c, small.
#include "torture/check.h"

int main(void) { return check_ordeal(&pli_torture_twist); }
