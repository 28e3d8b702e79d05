// Motion that the report draws as well.
#ifndef TESTS_VALIDATION_MOTION_H
#define TESTS_VALIDATION_MOTION_H

#include "validation/trial.h"

// Two masses on a stiff rod of length 2 m about the origin under backward Euler, which turned by h
// omega in the step before.
pli_status pli_trial_dumbbell(trial* t, double h, double omega);

#endif
