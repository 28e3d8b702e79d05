// Packed local matrices. Of a symmetric matrix only the dim x dim blocks of the vertex pairs i >= j
// are stored, (0,0) (1,0) (1,1) (2,0) ..., each column by column.
#ifndef PLI_ENERGY_PACKED_H
#define PLI_ENERGY_PACKED_H

// Offset of the block of vertices i >= j, and the total count of numbers.
#define PLI_PACKED_AT(dim, i, j) (((i) * ((i) + 1) / 2 + (j)) * (dim) * (dim))
#define PLI_PACKED_SIZE(dim, width) PLI_PACKED_AT(dim, width, 0)

// The full matrix, row by row: out += H.
static inline void pli_packed_add_to(int dim, int width, const double* H, double* out) {
    int n = width * dim;
    for (int i = 0; i < width; ++i)
        for (int j = 0; j <= i; ++j)
            for (int c = 0; c < dim; ++c)
                for (int r = 0; r < dim; ++r) {
                    double value = *H++;
                    out[(i * dim + r) * n + j * dim + c] += value;
                    if (i != j) out[(j * dim + c) * n + i * dim + r] += value;
                }
}

#endif
