// Wall time for statistics; never used to decide anything.
#ifndef PLI_BASE_CLOCK_H
#define PLI_BASE_CLOCK_H

double pli_now(void); // [s], monotonic

#endif
