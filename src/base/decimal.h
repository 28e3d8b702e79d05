// Doubles as the shortest text that reads back as the same, the quick way.
#ifndef PLI_BASE_DECIMAL_H
#define PLI_BASE_DECIMAL_H

#include "base/base.h"

// What printf writes by %.15g, %.16g or %.17g, the first of them that reads back as `value`.
// Returns false, with anything in `out` (32 bytes), where that takes exact arithmetic. Finite
// numbers only.
bool pli_shortest_decimal(double value, char* out);

#endif
