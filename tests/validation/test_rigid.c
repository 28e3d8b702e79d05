// Free rotation, slopes, rolling and collisions of rigid bodies: the rows of problems_rigid.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_rigid); }
