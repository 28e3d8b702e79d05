// A bar against a wall and sliding to rest: the rows of problems_contact.c.
#include "validation/check.h"

int main(void) { return check_part(&pli_problems_contact); }
