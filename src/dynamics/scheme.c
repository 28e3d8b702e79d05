// The table of time schemes, the implicit ones and the simple explicit ones.
#include "dynamics/scheme.h"

#include "math/vec.h"
#include "model/rows.h"

#include <float.h>
#include <string.h>

// ---- history

pli_status pli_history_init(pli_history* history, pli_memory* memory, int n, int depth,
                            pli_error* error) {
    *history = (pli_history){.memory = memory, .n = n, .depth = depth};
    for (int i = 0; i < depth; ++i) {
        PLI_TRY(PLI_ALLOC(memory, history->q[i], n, error));
        PLI_TRY(PLI_ALLOC(memory, history->v[i], n, error));
    }
    return PLI_ALLOC(memory, history->a, n, error);
}

void pli_history_free(pli_history* history) {
    if (!history->memory) return;
    for (int i = 0; i < history->depth; ++i) {
        PLI_FREE(history->memory, history->q[i], history->n);
        PLI_FREE(history->memory, history->v[i], history->n);
    }
    PLI_FREE(history->memory, history->a, history->n);
}

static void set_newest(pli_history* history, double time, const double* q, const double* v) {
    history->time[0] = time;
    for (int i = 0; i < history->n; ++i) {
        history->q[0][i] = q[i];
        history->v[0][i] = v[i];
    }
}

void pli_history_push(pli_history* history, double time, const double* q, const double* v) {
    int last = history->depth - 1;
    double *oldest_q = history->q[last], *oldest_v = history->v[last];
    for (int i = last; i > 0; --i) {
        history->time[i] = history->time[i - 1];
        history->q[i] = history->q[i - 1];
        history->v[i] = history->v[i - 1];
    }
    history->q[0] = oldest_q;
    history->v[0] = oldest_v;
    set_newest(history, time, q, v);
    history->count = pli_min_int(history->count + 1, history->depth);
}

void pli_history_copy(const pli_history* from, pli_history* to) {
    PLI_ASSERT(from->n == to->n && from->depth == to->depth);
    to->count = from->count;
    for (int i = 0; i < from->count; ++i) {
        to->time[i] = from->time[i];
        pli_copy(from->q[i], to->q[i], from->n);
        pli_copy(from->v[i], to->v[i], from->n);
    }
    pli_copy(from->a, to->a, from->n);
}

void pli_history_restart(pli_history* history, double time, const double* q, const double* v) {
    set_newest(history, time, q, v);
    history->count = 1;
}

void pli_history_save(const pli_history* history, pli_pack* out) {
    size_t n = (size_t)history->n;
    pli_pack_int(out, history->n);
    pli_pack_int(out, history->count);
    for (int i = 0; i < history->count; ++i) {
        pli_pack_number(out, history->time[i]);
        pli_pack_numbers(out, history->q[i], n);
        pli_pack_numbers(out, history->v[i], n);
    }
    pli_pack_numbers(out, history->a, n);
}

void pli_history_restore(pli_history* history, int least, bool restart, pli_unpack* in) {
    int n = history->n, most = restart ? PLI_HISTORY_MAX : history->depth;
    double time = HUGE_VAL;
    (void)pli_unpack_int(in, n, n, "unknowns");
    int count = pli_unpack_int(in, least, most, "known states");
    for (int i = 0; i < count && pli_unpack_good(in); ++i) {
        bool kept = i == 0 || !restart;
        time = pli_unpack_number(in, -DBL_MAX, nextafter(time, -HUGE_VAL), "time");
        if (in->apply && kept) history->time[i] = time;
        pli_unpack_numbers(in, kept ? history->q[i] : history->q[0], kept ? (size_t)n : 0, "q");
        pli_unpack_numbers(in, kept ? history->v[i] : history->v[0], kept ? (size_t)n : 0, "v");
        if (!kept) (void)pli_unpack_bytes(in, 2 * (size_t)n * sizeof(double));
    }
    pli_unpack_numbers(in, history->a, (size_t)n, "acceleration");
    if (in->apply && pli_unpack_good(in)) history->count = restart ? pli_min_int(count, 1) : count;
}

// ---- implicit schemes

// Backward differentiation of any order with any step sizes: v(t) is the derivative at the new time
// of the polynomial through the new state and the last k,
//     v = d_0 q + sum d_j q_j,   a = d_0 v + sum d_j v_j,
// with d_j the derivatives of the Lagrange polynomials. With qt = -sum d_j q_j / d_0 and vt
// similarly:
//     q_hat = qt + vt / d_0,   inertia = d_0^2,   v = vt + d_0 (q - q_hat).
// With one state this is backward Euler.
static void bdf_aim(const pli_history* at, double h, const pli_scheme_def* def, pli_aim* aim) {
    (void)def;
    int k = at->count;
    double t[PLI_HISTORY_MAX + 1] = {at->time[0] + h}, d[PLI_HISTORY_MAX + 1];
    for (int j = 1; j <= k; ++j) t[j] = at->time[j - 1];
    d[0] = 0;
    for (int j = 1; j <= k; ++j) {
        d[0] += 1 / (t[0] - t[j]);
        d[j] = 1 / (t[j] - t[0]);
        for (int i = 1; i <= k; ++i)
            if (i != j) d[j] *= (t[0] - t[i]) / (t[j] - t[i]);
    }
    for (int i = 0; i < at->n; ++i) {
        double qt = 0, vt = 0;
        for (int j = 1; j <= k; ++j) {
            qt -= d[j] / d[0] * at->q[j - 1][i];
            vt -= d[j] / d[0] * at->v[j - 1][i];
        }
        aim->q_hat[i] = qt + vt / d[0];
        aim->v_base[i] = vt;
    }
    aim->inertia = d[0] * d[0];
    aim->rate = d[0];
}

// q' = q + h v + h^2 ((1/2 - beta) a + beta a'),  v' = v + h ((1 - gamma) a + gamma a')
static void newmark_aim(const pli_history* at, double h, const pli_scheme_def* def, pli_aim* aim) {
    for (int i = 0; i < at->n; ++i) {
        aim->q_hat[i] = at->q[0][i] + h * at->v[0][i] + h * h * (0.5 - def->beta) * at->a[i];
        aim->v_base[i] = at->v[0][i] + h * (1 - def->gamma) * at->a[i];
    }
    aim->inertia = 1 / (def->beta * h * h);
    aim->rate = def->gamma / (def->beta * h);
}

// The unknown is the midpoint y = (q + q') / 2 = q + (h/2) v + (h/2)^2 a(y); the velocity there is
// (y - q) / (h/2). At the end q' = 2 y - q and v' = 2 v(y) - v.
static void midpoint_aim(const pli_history* at, double h, const pli_scheme_def* def, pli_aim* aim) {
    (void)def;
    for (int i = 0; i < at->n; ++i) {
        aim->q_hat[i] = at->q[0][i] + 0.5 * h * at->v[0][i];
        aim->v_base[i] = at->v[0][i];
    }
    aim->inertia = 4 / (h * h);
    aim->rate = 2 / h;
}

static void midpoint_finish(const pli_history* at, double* q, double* v) {
    for (int i = 0; i < at->n; ++i) {
        q[i] = 2 * q[i] - at->q[0][i];
        v[i] = 2 * v[i] - at->v[0][i];
    }
}

// The averaged vector field: q' = q + h v + (h^2 / 2) a with a the mean over the straight line from
// q to q'; the mean velocity is (q' - q) / h. At the end v' = 2 (q' - q) / h - v.
static void averaged_aim(const pli_history* at, double h, const pli_scheme_def* def, pli_aim* aim) {
    (void)def;
    for (int i = 0; i < at->n; ++i) {
        aim->q_hat[i] = at->q[0][i] + h * at->v[0][i];
        aim->v_base[i] = at->v[0][i];
    }
    aim->inertia = 2 / (h * h);
    aim->rate = 1 / h;
}

static void averaged_finish(const pli_history* at, double* q, double* v) {
    (void)q;
    for (int i = 0; i < at->n; ++i) v[i] = 2 * v[i] - at->v[0][i];
}

// No inertia: each step ends in equilibrium. Velocities, used by dissipation, are differences.
static void quasi_static_aim(const pli_history* at, double h, const pli_scheme_def* def,
                             pli_aim* aim) {
    (void)def;
    for (int i = 0; i < at->n; ++i) {
        aim->q_hat[i] = at->q[0][i];
        aim->v_base[i] = 0;
    }
    aim->inertia = 0;
    aim->rate = 1 / h;
}

static void static_finish(const pli_history* at, double* q, double* v) {
    (void)q;
    for (int i = 0; i < at->n; ++i) v[i] = 0;
}

// ---- explicit schemes. at->a is the acceleration at the start; they leave v and q.

static pli_status forward_euler(const pli_history* at, double h, const pli_forces* forces,
                                double* q, double* v, pli_error* error) {
    (void)forces, (void)error;
    for (int i = 0; i < at->n; ++i) {
        q[i] = at->q[0][i] + h * at->v[0][i];
        v[i] = at->v[0][i] + h * at->a[i];
    }
    return PLI_OK;
}

static pli_status symplectic_euler(const pli_history* at, double h, const pli_forces* forces,
                                   double* q, double* v, pli_error* error) {
    (void)forces, (void)error;
    for (int i = 0; i < at->n; ++i) {
        v[i] = at->v[0][i] + h * at->a[i];
        q[i] = at->q[0][i] + h * v[i];
    }
    return PLI_OK;
}

static size_t leapfrog_work_size(int n) { return sizeof(double) * (size_t)n; }

// Velocity Verlet: half kick, drift, half kick. If forces depend on the velocity, the velocity at
// the end is predicted with the acceleration of the start: its error h^2 keeps order 2.
static pli_status leapfrog(const pli_history* at, double h, const pli_forces* forces, double* q,
                           double* v, pli_error* error) {
    double* end_a = forces->work;
    for (int i = 0; i < at->n; ++i) {
        q[i] = at->q[0][i] + h * (at->v[0][i] + 0.5 * h * at->a[i]);
        v[i] = at->v[0][i] + h * at->a[i];
    }
    PLI_TRY(forces->acceleration(forces->self, at->time[0] + h, q, v, end_a, error));
    for (int i = 0; i < at->n; ++i) v[i] = at->v[0][i] + 0.5 * h * (at->a[i] + end_a[i]);
    return PLI_OK;
}

static size_t rk4_work_size(int n) { return 3 * sizeof(double) * (size_t)n; }

// Classical Runge-Kutta of order 4 on (q, v).
static pli_status rk4(const pli_history* at, double h, const pli_forces* forces, double* q,
                      double* v, pli_error* error) {
    static const double ahead[3] = {0.5, 0.5, 1}, share[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    int n = at->n;
    double* work = forces->work; // stage position, stage velocity, stage acceleration
    double *stage_q = work, *stage_v = work + n, *stage_a = work + 2 * n;
    pli_copy(at->q[0], q, n);
    pli_copy(at->v[0], v, n);
    pli_copy(at->v[0], stage_v, n);
    pli_copy(at->a, stage_a, n);
    pli_status status = PLI_OK;
    for (int s = 0; s < 4 && status == PLI_OK; ++s) {
        pli_axpy(share[s] * h, stage_v, q, n);
        pli_axpy(share[s] * h, stage_a, v, n);
        if (s == 3) break;
        for (int i = 0; i < n; ++i) {
            stage_q[i] = at->q[0][i] + ahead[s] * h * stage_v[i];
            stage_v[i] = at->v[0][i] + ahead[s] * h * stage_a[i];
        }
        status = forces->acceleration(forces->self, at->time[0] + ahead[s] * h, stage_q, stage_v,
                                      stage_a, error);
    }
    return status;
}

static const char explicit_refusal[] =
    "an explicit step follows no certified segment, so bodies could pass through each other";
static const char high_bdf_refusal[] =
    "it is not stable enough for the stiff forces of contact and may gain energy";
static const char midpoint_refusal[] =
    "only the middle of the step is certified, so bodies could intersect at its end";
static const char averaged_refusal[] =
    "it evaluates forces between the start and the end of a step, where nothing is certified";

static const pli_scheme schemes[] = {
    {"backward-euler",
     "order 1, stable at any step size; damps, but a step of a tumbling body may gain energy",
     .depth = 1, .order = 1, .error = 1. / 2, .aim = bdf_aim},
    {"bdf2", "order 2, stable at any step size for linear forces, damps little", .depth = 2,
     .order = 2, .error = 2. / 9, .aim = bdf_aim},
    {"bdf3", "order 3, may gain energy", .depth = 3, .aim = bdf_aim, .refusal = high_bdf_refusal},
    {"bdf4", "order 4, may gain energy", .depth = 4, .aim = bdf_aim, .refusal = high_bdf_refusal},
    {"bdf5", "order 5, may gain energy", .depth = 5, .aim = bdf_aim, .refusal = high_bdf_refusal},
    {"bdf6", "order 6, may gain energy", .depth = 6, .aim = bdf_aim, .refusal = high_bdf_refusal},
    {"newmark", "order 2 with beta 1/4 and gamma 1/2: no damping, may gain energy", .depth = 1,
     .accelerates = true, .keeps_jumps = true, .order = 2, .error = 1. / 12, .aim = newmark_aim},
    {"implicit-midpoint",
     "order 2, conserves angular momentum; gains energy without bound on stiff motion that h does "
     "not "
     "resolve",
     .depth = 1, .keeps_jumps = true, .middle = true, .mean = true, .order = 2, .error = 1. / 12,
     .aim = midpoint_aim, .finish = midpoint_finish, .refusal = midpoint_refusal},
    {"averaged-vector-field",
     "order 2, conserves energy at any step size: exactly for springs and st-venant-kirchhoff",
     .depth = 1, .keeps_jumps = true, .mean = true, .averages = true, .order = 2, .error = 1. / 12,
     .aim = averaged_aim, .finish = averaged_finish, .refusal = averaged_refusal},
    {"quasi-static", "equilibrium at each time; friction depends on the motion in between",
     .depth = 1, .statics = true, .aim = quasi_static_aim},
    {"static", "equilibrium at each time, nothing moves in between", .depth = 1, .still = true,
     .statics = true, .aim = quasi_static_aim, .finish = static_finish},
    {"forward-euler", "explicit, order 1, gains energy", .depth = 1, .accelerates = true,
     .order = 1, .error = 1. / 2, .step = forward_euler, .refusal = explicit_refusal},
    {"symplectic-euler", "explicit, order 1, energy stays bounded if h < 2 / omega", .depth = 1,
     .accelerates = true, .order = 1, .error = 1. / 2, .step = symplectic_euler,
     .refusal = explicit_refusal},
    {"leapfrog", "explicit (velocity Verlet), order 2, energy stays bounded if h < 2 / omega",
     .depth = 1, .accelerates = true, .order = 2, .error = 1. / 12, .work_size = leapfrog_work_size,
     .step = leapfrog, .refusal = explicit_refusal},
    {"rk4", "explicit, order 4, stable if h < 2.8 / omega", .depth = 1, .accelerates = true,
     .work_size = rk4_work_size, .step = rk4, .refusal = explicit_refusal},
    {"exponential",
     "explicit (Rosenbrock-Euler), order 2, exact for linear forces if h < 3e4 / omega", .depth = 1,
     .accelerates = true, .stiffness = true, .work_size = pli_exponential_work_size,
     .step = pli_exponential_step, .refusal = explicit_refusal},
};

enum { SCHEME_COUNT = sizeof schemes / sizeof *schemes };

static const pli_scheme* scheme_at(int i) {
    return i >= 0 && i < SCHEME_COUNT ? &schemes[i] : NULL;
}

const char* pli_scheme_name(int i) { return scheme_at(i) ? scheme_at(i)->name : NULL; }
const char* pli_scheme_help(int i) { return scheme_at(i) ? scheme_at(i)->help : NULL; }
bool pli_scheme_statics(int i) { return scheme_at(i) && scheme_at(i)->statics; }
bool pli_scheme_dissipates(int i) { return scheme_at(i) && !scheme_at(i)->still; }

const pli_scheme* pli_scheme_find(const char* name) {
    for (int i = 0; i < SCHEME_COUNT; ++i)
        if (strcmp(schemes[i].name, name) == 0) return &schemes[i];
    return NULL;
}

pli_status pli_scheme_check_damping(const pli_scheme* scheme, const char* name, pli_error* error) {
    if (!scheme->still) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "\"%s\" cannot be used with scheme \"%s\": there is no velocity, so nothing is "
                    "dissipated; remove it or use quasi-static",
                    name, scheme->name);
}

// ---- parameter rows

PLI_WORDS(control, {"error", "the scheme's estimate of its local error"},
          {"effort", "the number of Newton iterations: for statics and contact"})

static const pli_param time_rows[] = {
    PLI_NUMBER_ROW(pli_world_def, time_step, "step", "s", 0, 1e12, 0.01,
                   PLI_PARAM_ABOVE_MIN | PLI_PARAM_AUTO, "time step h; auto: chosen for each step"),
    PLI_NUMBER_ROW(pli_world_def, step_min, "step_min", "s", 0, 1e12, 1e-6, PLI_PARAM_ABOVE_MIN,
                   "smallest step with step auto"),
    PLI_NUMBER_ROW(pli_world_def, step_max, "step_max", "s", 0, 1e12, 0.04, PLI_PARAM_ABOVE_MIN,
                   "largest step with step auto"),
    PLI_CHOICE_ROW(pli_world_def, step_control, "step_control", control, "how step auto is chosen"),
    PLI_NUMBER_ROW(pli_world_def, step_error, "step_error", "m", 0, 1e12, 0,
                   PLI_PARAM_ABOVE_MIN | PLI_PARAM_AUTO,
                   "allowed error of one step; auto: 1e-4 of the diagonal of the smallest body"),
    PLI_INTEGER_ROW(pli_world_def, step_effort, "step_effort", 1, 1e6, 8,
                    "Newton iterations that step_control effort aims at"),
    PLI_CHOICE_ROW(pli_world_def, scheme, "scheme", pli_scheme, "time scheme"),
    PLI_NUMBER_ROW(pli_world_def, newmark_beta, "newmark_beta", "", 0, 1, 0.25, PLI_PARAM_ABOVE_MIN,
                   "beta of scheme newmark"),
    PLI_NUMBER_ROW(pli_world_def, newmark_gamma, "newmark_gamma", "", 0, 1, 0.5, 0,
                   "gamma of scheme newmark; above 1/2 it damps"),
};
const pli_params pli_time_params = PLI_TABLE(time_rows);
