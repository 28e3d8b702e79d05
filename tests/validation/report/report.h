// The report on all problems with known answers: a table in Markdown and pictures beside it.
#ifndef TESTS_VALIDATION_REPORT_H
#define TESTS_VALIDATION_REPORT_H

#include "validation/problems.h"

// Curves of a part that are not errors over resolution. `draw` writes `folder`/`picture`.svg.
typedef struct curve {
    const char* family;  // title of the family it belongs to
    const char* picture; // name of the file without .svg
    const char* caption;
    pli_status (*draw)(const struct curve* self, const char* path, trial* t);
} curve;

extern const curve pli_curves[];
extern const int pli_curve_count;

#endif
