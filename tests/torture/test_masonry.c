// Cards and arches that stand or fall: the rows of masonry.c, small.
#include "torture/check.h"

int main(void) { return check_ordeal(&pli_torture_masonry); }
