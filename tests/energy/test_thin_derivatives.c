// Gradient and Hessian of every thin energy against differences, to 1e-8 of their largest entry: a
// table of energies, one way to check them. Differences are extrapolated to step 0 [Ridders82]: the
// central difference has an error in even powers of the step, so halving the step again and again
// removes one power after the other, and the smallest change in this triangle of numbers tells
// which of them is best.
#include "energy/plate_fixture.h"

// clang-format off
enum { MAX_SETTINGS = 5, STATES = 8, LEVELS = 8, SIZE = PLI_LOCAL_MAX };
// clang-format on

static const double tolerance = 1e-8;

typedef struct thin_case {
    const char* name;
    pli_setting settings[MAX_SETTINGS];
    bool segments; // a thread of segments; else a sheet of triangles
    bool elements; // one stencil per element, also where the energy derives others
    bool flat;     // at rest
    double step;   // the largest one [m]; 0: 0.02
} thin_case;

static const thin_case cases[] = {
    {.name = "arap", {{"young", 1e3}, {"poisson", 0.3}}},
    {.name = "fixed-corotated", {{"young", 1e3}, {"poisson", 0.3}}},
    {.name = "neo-hookean", {{"young", 1e3}, {"poisson", 0.3}}},
    {.name = "stable-neo-hookean", {{"young", 1e3}, {"poisson", 0.3}}},
    {.name = "st-venant-kirchhoff", {{"young", 1e3}, {"poisson", 0.3}}},
    {.name = "neo-hookean", {{"young", 1e3}, {"poisson", 0.4}, {"plane_stress", 1}}},
    {.name = "orthotropic",
     {{"c11", 300}, {"c12", 40}, {"c22", 100}, {"c33", 25}, {"warp_y", 0.7}}},
    {.name = "baraff-witkin", {{"stretch", 300}, {"stretch_weft", 200}, {"shear", 50}}},
    {.name = "baraff-witkin", {{"stretch", 300}, {"shear", 50}, {"cubic", 900}}, .step = 1e-3},
    {.name = "strain-limit", {{"limit", 2}, {"stiffness", 700}}, .step = 1e-3},
    {.name = "strain-limit",
     {{"limit", 2}, {"stiffness", 700}, {"lower", 0.1}, {"lower_start", 0.95}},
     .step = 1e-3},
    {.name = "sheet-viscosity", {{"shear", 30}, {"bulk", 50}}},
    {.name = "wind",
     {{"normal", 1.5}, {"tangential", 0.3}, {"linear", 0.4}, {"wind_x", 4}, {"wind_z", -3}}},
    {.name = "hinge", {{"stiffness", 35}}},
    {.name = "quadratic-bending", {{"stiffness", 35}}, .flat = true},
    {.name = "bending-spring", {{"stiffness", 35}}},
    {.name = "bending", {{"young", 3e4}, {"poisson", 0.3}, {"thickness", 0.1}}},
    {.name = "plastic-bending",
     {{"young", 3e4}, {"poisson", 0.3}, {"thickness", 0.1}, {"yield", 0.8}},
     .step = 1e-4},
    {.name = "shell", {{"young", 3e4}, {"poisson", 0.3}, {"thickness", 0.3}}},
    {.name = "seam", {{"stiffness", 300}, {"close", 1}, {"gap", 0.1}}, .segments = true},
    {.name = "thread", {{"young", 2e7}, {"radius", 0.01}}, .segments = true},
    {.name = "rod",
     {{"axial", 70}, {"bending1", 3}, {"bending2", 5}, {"torsion", 2}, {"twist", 0.4}},
     .segments = true},
    {.name = "rod",
     {{"axial", 70}, {"bending1", 3}, {"torsion", 2}},
     .segments = true,
     .elements = true},
};

// ---- a body and a state of it

// A thread of six segments, or a sheet of 3 x 3 cells.
static void make_body(plate* p, const thin_case* c, pli_random* r) {
    if (c->segments)
        plate_thread(p, 6);
    else
        plate_grid(p, 3, 3, 1.5, 0.2);
    for (int i = 0; i < 3 * p->points; ++i)
        if (i % 3 < 2 || !c->flat) p->rest[i] += pli_random_in(r, -0.03, 0.03);
    double params[32];
    pli_error error = {0};
    int count = 0;
    while (count < MAX_SETTINGS && c->settings[count].name) ++count;
    if (pli_energy_params(find_type(c->name), c->settings, count, params, &error) != PLI_OK)
        fail_msg("%s: %s", c->name, error.message);
    if (c->elements)
        plate_make_elements(p, c->name, params);
    else
        plate_make(p, c->name, params);
}

// Starts a step from another state, with velocities and with states of energies.
static void start_step(const plate* p, pli_random* r, double* x_n, double* x_still) {
    const pli_term_ops* ops = p->term.ops;
    pli_error error = {0};
    plate_disturb(p, 0.06, x_n, r);
    plate_disturb(p, 0.06, x_still, r);
    pli_step step = {.h = 0.1, .velocity_rate = 10, .x_n = x_n, .x_still = x_still};
    if (ops->begin_step) ASSERT_OK(ops->begin_step(p->term.self, &step, &error));
    if (ops->commit) ops->commit(p->term.self, x_n);
}

// ---- derivatives

// Energy, then gradient of stencil i.
static void eval(const pli_term* term, int i, const double* x, double* out, double* H) {
    int width = term->ops->width, n = 3 * width;
    pli_batch in = {.dim = 3,
                    .count = 1,
                    .width = width,
                    .vertices = term->ops->vertices(term->self) + i * width,
                    .x = x,
                    .want = PLI_VALUE | PLI_GRADIENT | (H ? PLI_HESSIAN : 0u)};
    memset(out, 0, sizeof *out * (size_t)(n + 1));
    if (H) memset(H, 0, sizeof *H * (size_t)(n * n));
    term->ops->eval(term->self, i, &in, &(pli_local){.e = out, .g = out + 1, .H = H});
}

// The derivative of energy and gradient of stencil i along one coordinate.
static void differentiate(const pli_term* term, int i, double* x, int coordinate, double largest,
                          double* best) {
    static double table[2][LEVELS][SIZE + 1], up[SIZE + 1], down[SIZE + 1], error[SIZE + 1];
    int count = 3 * term->ops->width + 1;
    double start = x[coordinate];
    for (int k = 0; k < count; ++k) error[k] = HUGE_VAL;
    for (int level = 0; level < LEVELS; ++level) {
        double(*now)[SIZE + 1] = table[level % 2], (*last)[SIZE + 1] = table[(level + 1) % 2];
        double step = ldexp(largest, -level), factor = 1;
        x[coordinate] = start + step;
        eval(term, i, x, up, NULL);
        x[coordinate] = start - step;
        eval(term, i, x, down, NULL);
        double apart = (start + step) - (start - step); // as rounded
        for (int k = 0; k < count; ++k) now[0][k] = (up[k] - down[k]) / apart;
        for (int m = 1; m <= level; ++m) {
            factor *= 4;
            for (int k = 0; k < count; ++k) {
                now[m][k] = now[m - 1][k] + (now[m - 1][k] - last[m - 1][k]) / (factor - 1);
                double change =
                    fmax(fabs(now[m][k] - now[m - 1][k]), fabs(now[m][k] - last[m - 1][k]));
                if (!(change < error[k])) continue;
                error[k] = change;
                best[k] = now[m][k];
            }
        }
    }
    x[coordinate] = start;
}

// The worst deviations of one stencil, as parts of the largest entries. False if all are 0.
static bool compare(const pli_term* term, int i, double* x, double largest, double worst[2]) {
    static double out[SIZE + 1], H[SIZE * SIZE], found[SIZE + 1], other[SIZE * SIZE], g[SIZE];
    int width = term->ops->width, n = 3 * width;
    const int32_t* vertices = term->ops->vertices(term->self) + i * width;
    double scale[2] = {0};
    eval(term, i, x, out, H);
    assert_true(isfinite(out[0]));
    for (int k = 0; k < n; ++k) {
        memset(found, 0, sizeof found);
        if (vertices[k / 3] >= 0)
            differentiate(term, i, x, 3 * vertices[k / 3] + k % 3, largest, found);
        g[k] = found[0];
        memcpy(other + k * n, found + 1, sizeof *H * (size_t)n);
    }
    for (int k = 0; k < n; ++k) scale[0] = fmax(scale[0], fabs(out[1 + k]));
    for (int k = 0; k < n * n; ++k) scale[1] = fmax(scale[1], fabs(H[k]));
    for (int k = 0; k < n && scale[0] > 0; ++k)
        worst[0] = fmax(worst[0], fabs(out[1 + k] - g[k]) / scale[0]);
    for (int k = 0; k < n * n && scale[1] > 0; ++k)
        worst[1] = fmax(worst[1], fabs(H[k] - other[k]) / scale[1]);
    return scale[0] > 0 && scale[1] > 0;
}

static void check_case(void** state) {
    const thin_case* c = *state;
    static plate p;
    static double x[3 * PLATE_VERTICES], x_n[3 * PLATE_VERTICES], x_still[3 * PLATE_VERTICES];
    pli_random r = {3};
    double worst[2] = {0};
    int active = 0;
    for (int s = 0; s < STATES; ++s) {
        make_body(&p, c, &r);
        start_step(&p, &r, x_n, x_still);
        plate_disturb(&p, 0.06, x, &r);
        for (int i = 0; i < p.term.ops->count(p.term.self); ++i)
            active += compare(&p.term, i, x, c->step > 0 ? c->step : 0.02, worst);
        plate_free(&p);
    }
    assert_true(active > STATES);
    print_message("%s: gradient %.1e, Hessian %.1e\n", c->name, worst[0], worst[1]);
    if (worst[0] > tolerance || worst[1] > tolerance)
        fail_msg("%s: gradient %.3g, Hessian %.3g, tolerance %.3g", c->name, worst[0], worst[1],
                 tolerance);
}

int main(void) {
    enum { COUNT = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[COUNT] = {0};
    for (int i = 0; i < COUNT; ++i) {
        tests[i].name = cases[i].name;
        tests[i].test_func = check_case;
        tests[i].initial_state = (void*)(uintptr_t)&cases[i];
    }
    return _cmocka_run_group_tests("thin derivatives", tests, COUNT, NULL, NULL);
}
