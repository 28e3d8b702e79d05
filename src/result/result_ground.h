// Half-spaces as bodies, for programs that know none.
#ifndef PLI_RESULT_RESULT_GROUND_H
#define PLI_RESULT_RESULT_GROUND_H

#include "result/result.h"

// Adds an obstacle for each half-space of the result, with its name: in space a square of its
// surface that is twice as wide as what some of the frames show, cut by the others; in the plane a
// strip below its line. Frames that are read afterwards have their vertices behind those of the
// world, with fields of zero; those that a vertex carries move with it and cut no others. Call
// once.
pli_status pli_result_add_grounds(pli_result* result, pli_error* error);
// Moves them from where they were made to where they are in the frame: for who reads frames.
void pli_result_move_grounds(const pli_result* result, pli_result_frame* frame);

#endif
