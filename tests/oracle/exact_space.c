// Determinant and linear systems in rational numbers; slow.
#include "oracle/exact_space.h"

#include <gmp.h>

int pli_exact_orient3d(const double* a, const double* b, const double* c, const double* d) {
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const double* rows[3] = {a, b, c};
    mpq_t m[3][3], sum, product, corner;
    mpq_inits(sum, product, corner, NULL);
    for (int i = 0; i < 9; ++i) {
        mpq_init(m[i / 3][i % 3]);
        mpq_set_d(m[i / 3][i % 3], rows[i / 3][i % 3]);
        mpq_set_d(corner, d[i % 3]);
        mpq_sub(m[i / 3][i % 3], m[i / 3][i % 3], corner);
    }
    for (int i = 0; i < 6; ++i) {
        mpq_mul(product, m[0][orders[i][0]], m[1][orders[i][1]]);
        mpq_mul(product, product, m[2][orders[i][2]]);
        (i < 3 ? mpq_add : mpq_sub)(sum, sum, product);
    }
    int sign = mpq_sgn(sum);
    for (int i = 0; i < 9; ++i) mpq_clear(m[i / 3][i % 3]);
    mpq_clears(sum, product, corner, NULL);
    return sign;
}

enum { ROWS = 5, MAX_COLUMNS = 6 };

typedef struct equations {
    mpq_t at[ROWS][MAX_COLUMNS + 1];
} equations;

// row -= factor * pivot row, for all columns from `first` on.
static void eliminate(equations* s, int row, int pivot, int first, int columns, mpq_t t) {
    mpq_t factor;
    mpq_init(factor);
    mpq_div(factor, s->at[row][first], s->at[pivot][first]);
    for (int k = first; k <= columns; ++k) {
        mpq_mul(t, factor, s->at[pivot][k]);
        mpq_sub(s->at[row][k], s->at[row][k], t);
    }
    mpq_clear(factor);
}

// Columns independent, and the solution exists and is >= 0.
static bool solves(equations* s, int columns, mpq_t t) {
    for (int k = 0; k < columns; ++k) {
        int pivot = k;
        while (pivot < ROWS && mpq_sgn(s->at[pivot][k]) == 0) pivot++;
        if (pivot == ROWS) return false;
        for (int j = 0; j <= columns; ++j) mpq_swap(s->at[k][j], s->at[pivot][j]);
        for (int row = 0; row < ROWS; ++row)
            if (row != k && mpq_sgn(s->at[row][k]) != 0) eliminate(s, row, k, k, columns, t);
    }
    for (int row = columns; row < ROWS; ++row)
        if (mpq_sgn(s->at[row][columns]) != 0) return false;
    for (int k = 0; k < columns; ++k)
        if (mpq_sgn(s->at[k][columns]) * mpq_sgn(s->at[k][k]) < 0) return false;
    return true;
}

// Unknowns: weights of the a's, then of the b's. Rows: sum w a - sum w b = 0, both sums of weights
// are 1.
static void fill_column(equations* s, int column, const double* point, bool first) {
    for (int k = 0; k < 3; ++k) mpq_set_d(s->at[k][column], first ? point[k] : -point[k]);
    mpq_set_si(s->at[3][column], first, 1);
    mpq_set_si(s->at[4][column], !first, 1);
}

bool pli_exact_hulls_meet(int m, const double* const* a, int n, const double* const* b) {
    equations s;
    mpq_t t;
    mpq_init(t);
    for (int i = 0; i < ROWS * (MAX_COLUMNS + 1); ++i)
        mpq_init(s.at[i / (MAX_COLUMNS + 1)][i % (MAX_COLUMNS + 1)]);
    bool meet = false;
    for (int subset = 1; subset < 1 << (m + n) && !meet; ++subset) {
        int columns = 0;
        for (int i = 0; i < m + n; ++i)
            if (subset >> i & 1) columns++;
        if (columns > ROWS) continue;
        columns = 0;
        for (int i = 0; i < m + n; ++i)
            if (subset >> i & 1) fill_column(&s, columns++, i < m ? a[i] : b[i - m], i < m);
        for (int row = 0; row < ROWS; ++row) mpq_set_si(s.at[row][columns], row >= 3, 1);
        meet = solves(&s, columns, t);
    }
    for (int i = 0; i < ROWS * (MAX_COLUMNS + 1); ++i)
        mpq_clear(s.at[i / (MAX_COLUMNS + 1)][i % (MAX_COLUMNS + 1)]);
    mpq_clear(t);
    return meet;
}
