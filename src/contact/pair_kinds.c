// The rows.
#include "contact/pair_kinds.h"

#include "contact/ccd.h"

const pli_space_pair pli_space_pairs[PLI_SPACE_PAIR_COUNT] = {
    {"point-triangle",
     1,
     3,
     false,
     {pli_ccd_point_triangle, pli_point_triangle_clearance},
     pli_point_triangle_closest},
    {"edge-edge",
     2,
     2,
     true,
     {pli_ccd_edge_edge, pli_edge_edge_clearance},
     pli_edge_edge_closest},
    {"point-edge",
     1,
     2,
     false,
     {pli_ccd_point_edge, pli_point_edge_clearance},
     pli_point_segment_closest},
    {"point-point",
     1,
     1,
     false,
     {pli_ccd_point_point, pli_point_point_clearance},
     pli_point_point_closest},
};

const pli_space_pair* pli_space_pair_of(int a_width, int b_width) {
    for (int i = 0; i < PLI_SPACE_PAIR_COUNT; ++i)
        if (pli_space_pairs[i].a_width == a_width && pli_space_pairs[i].b_width == b_width)
            return &pli_space_pairs[i];
    return NULL;
}
