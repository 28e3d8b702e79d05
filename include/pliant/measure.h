// Measures: one number of a run, by name, from the files of its result folder.
//
//   "total"                       the last value of a member of stats.jsonl (docs/RESULTS.md)
//   "supports.bar.force.y"        the support of body "bar"; of several "supports.0": the first of all
//   "contacts.block:ground.count" of two bodies, as `a` and `b` have them
//   "joints.pin.torque.z", "energies.gravity", "seconds.total", "balance.dissipated"
//   "bodies.block.position.x"     mean over the vertices of a body, from the frames: "position" or an
//                                 array of the frames, "velocity" say
//   "max(total)"                  of all steps (or frames): first, last, min, max, mean, sum
//
// Steps in which it is absent (a contact that is open) do not count.
#ifndef PLIANT_MEASURE_H
#define PLIANT_MEASURE_H

#include "pliant/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// The value of a measure. PLI_E_ARGUMENT: the text is no measure, or the run has nothing of that name:
// the message names what there is; PLI_E_IO, PLI_E_SCENE: the result cannot be read.
PLI_API pli_status pli_measure(const char* folder, const char* measure, double* value,
                               pli_error* error);
// Its value at each step, or at each frame for "bodies", with the time [s]; "max(...)" is refused.
typedef void pli_measured_fn(void* context, double time, double value);
PLI_API pli_status pli_measure_each(const char* folder, const char* measure, pli_measured_fn* found,
                                    void* context, pli_error* error);
// Whether the text can be a measure; nothing is read.
PLI_API pli_status pli_measure_check(const char* measure, pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
