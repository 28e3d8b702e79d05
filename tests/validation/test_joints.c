// Pendulums and a linkage of rigid bodies with joints: the rows of problems_joints.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_joints); }
