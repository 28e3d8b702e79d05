// Elementary functions with the same bits for every compiler and machine. Those of the C library
// differ (it uses fused operations where available). Errors are below one ulp (hypot: 1.1).
// Arguments at or beyond the limits of the domain, infinities, NaN and signs of zeros follow the C
// standard (annex F). errno is never set.
//
// Functions that are exact, so the same everywhere, come from the C library: sqrt, fabs, floor,
// ceil, fma, frexp, ldexp. tests/check/elementary.sh checks that modules of the core use no others.
#ifndef PLI_MATH_ELEMENTARY_H
#define PLI_MATH_ELEMENTARY_H

double pli_exp(double x);
double pli_log(double x);   // natural
double pli_log1p(double x); // ln (1 + x)
double pli_pow(double x, double y);
double pli_hypot(double x, double y);

double pli_sinh(double x);
double pli_cosh(double x);
double pli_tanh(double x);

// Angles in radians, of any size.
double pli_sin(double x);
double pli_cos(double x);
double pli_tan(double x);
double pli_asin(double x);
double pli_acos(double x);
double pli_atan(double x);
double pli_atan2(double y, double x);

#endif
