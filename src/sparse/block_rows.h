// Sparse rows of small dense blocks of one width: prolongators and products with them.
//
// Row i has the blocks column[start[i]] .. column[start[i + 1] - 1], columns ascending. Each is
// (height of row i) x width, row by row, stored consecutively from values[value[i]] on. A row with
// a height above PLI_BLOCK_ROWS_HEIGHT is empty.
#ifndef PLI_SPARSE_BLOCK_ROWS_H
#define PLI_SPARSE_BLOCK_ROWS_H

#include "sparse/pattern.h"

enum { PLI_BLOCK_ROWS_HEIGHT = 12 };

typedef struct pli_block_rows {
    int32_t *start, *column;
    size_t* value;
    double* values;
    size_t start_capacity, column_capacity, value_capacity, values_capacity;
} pli_block_rows;

// C += A B, row by row: C is rows x columns, A rows x inner.
static inline void pli_block_add(int rows, int inner, int columns, const double* a, const double* b,
                                 double* c) {
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < inner; ++k)
            for (int j = 0; j < columns; ++j)
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
}

// C += A^T B: C is rows x columns, A inner x rows.
static inline void pli_block_add_transposed(int rows, int inner, int columns, const double* a,
                                            const double* b, double* c) {
    for (int k = 0; k < inner; ++k)
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                c[i * columns + j] += a[k * rows + i] * b[k * columns + j];
}

// Calls one of the two with constant sizes for common cases: vertices and rigid motions.
#define PLI_BLOCK_CALL(function, rows, inner, columns, a, b, c)                                    \
    do {                                                                                           \
        const int rows_ = (rows), inner_ = (inner), columns_ = (columns);                          \
        if (rows_ == 3 && inner_ == 3 && columns_ == 6)                                            \
            function(3, 3, 6, a, b, c);                                                            \
        else if (rows_ == 6 && inner_ == 3 && columns_ == 6)                                       \
            function(6, 3, 6, a, b, c);                                                            \
        else if (rows_ == 6 && inner_ == 6 && columns_ == 6)                                       \
            function(6, 6, 6, a, b, c);                                                            \
        else if (rows_ == 3 && inner_ == 3 && columns_ == 3)                                       \
            function(3, 3, 3, a, b, c);                                                            \
        else                                                                                       \
            function(rows_, inner_, columns_, a, b, c);                                            \
    } while (0)

#endif
