// Reads files of exact collision queries (*.ccdq):
//
//   # comment lines
//   ccdq 1 <EE|VF> <number of queries>
//   Q <index> <label> <toi_lo> <toi_hi> <d0> <dmin>
//   x y z      8 lines: four positions at t = 0, the same four at t = 1
//
// EE: a0 a1 b0 b1; VF: point, t0 t1 t2. label 1: they touch in [0, 1], first at a time that toi_lo
// and toi_hi enclose; 0: they never do, times -1.
#ifndef TESTS_CONTACT_CCDQ_H
#define TESTS_CONTACT_CCDQ_H

#include "contact/ccd.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct ccdq_file {
    FILE* stream;
    bool edges; // EE
    int left;   // queries to come
} ccdq_file;

typedef struct ccdq {
    int index, label;
    double toi_lo, toi_hi, d0, dmin;
    double x[4][3], end[4][3];
} ccdq;

static inline bool ccdq_open(const char* path, ccdq_file* out) {
    *out = (ccdq_file){.stream = fopen(path, "r")};
    if (!out->stream) return false;
    char kind[3] = "";
    int c, version = 0;
    while ((c = fgetc(out->stream)) == '#')
        while ((c = fgetc(out->stream)) != '\n' && c != EOF) continue;
    ungetc(c, out->stream);
    if (fscanf(out->stream, "ccdq %d %2s %d", &version, kind, &out->left) == 3 && version == 1 &&
        (strcmp(kind, "EE") == 0 || strcmp(kind, "VF") == 0)) {
        out->edges = kind[0] == 'E';
        return true;
    }
    fclose(out->stream);
    return false;
}

// False at the end (then `left` is 0) or where the file is not as it should be.
static inline bool ccdq_next(ccdq_file* file, ccdq* q) {
    if (file->left == 0) return false;
    if (fscanf(file->stream, " Q %d %d %lf %lf %lf %lf", &q->index, &q->label, &q->toi_lo,
               &q->toi_hi, &q->d0, &q->dmin) != 6)
        return false;
    for (int i = 0; i < 8; ++i) {
        double* y = i < 4 ? q->x[i] : q->end[i - 4];
        if (fscanf(file->stream, "%lf %lf %lf", y, y + 1, y + 2) != 3) return false;
    }
    file->left--;
    return true;
}

// What our CCD answers.
static inline double ccdq_answer(const ccdq_file* file, const ccdq* q) {
    double motion[4][3];
    const double *x[4], *p[4];
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 3; ++k) motion[i][k] = q->end[i][k] - q->x[i][k];
        x[i] = q->x[i];
        p[i] = motion[i];
    }
    return (file->edges ? pli_ccd_edge_edge : pli_ccd_point_triangle)(3, x, p, 1, 0);
}

#endif
