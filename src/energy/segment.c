// Rest lengths of springs.
#include "energy/segment.h"

#include "base/base.h"
#include "mesh/measure.h"

pli_status pli_segment_rest_length(const pli_element* element, int first, int second,
                                   double* length, pli_error* error) {
    const int32_t ends[2] = {element->vertices[first], element->vertices[second]};
    double l = pli_element_measure(element->dim, PLI_SEGMENT, ends, element->rest);
    if (!(l > 0))
        return pli_fail(
            error, PLI_E_ARGUMENT,
            "two vertices are at the same position at rest: the rest length must be > 0");
    *length = l;
    return PLI_OK;
}
