// Rest lengths of segments.
#include "energy/segment.h"

#include "base/base.h"
#include "mesh/measure.h"

pli_status pli_segment_rest_length(const pli_element* element, double* length, pli_error* error) {
    double l = pli_element_measure(element->dim, PLI_SEGMENT, element->vertices, element->rest);
    if (!(l > 0))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "vertices %d and %d are at the same place at rest, the length must be > 0",
                        (int)element->vertices[0], (int)element->vertices[1]);
    *length = l;
    return PLI_OK;
}
