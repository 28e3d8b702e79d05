// Lagged, smoothed Coulomb friction for any barrier term.
//
// D = sum mu lambda h f0(|v|) [J], v = T sum_i c_i (x_i - x_n,i) / h, T = I - n n^T, with lambda, c
// and n frozen by `lag`. mu is the static coefficient; the kinetic one is (1 - drop) mu. With e =
// eps_v and z = y / e, f1 = f0' and f2 = f1' of the mollifier are [Li20]
// clang-format off
//   z < 1      f0 = y z (1 - z / 3) + e / 3      f1 = z (2 - z)               f2 = 2 (1 - z) / e
//   1 < z < 2  f0 = y - drop e t^3 (1 - t / 2)   f1 = 1 - drop t^2 (3 - 2 t)  f2 = -6 drop t (1 - t) / e,  t = z - 1
//   2 < z      f0 = (1 - drop) y + 3/2 drop e    f1 = 1 - drop                f2 = 0
// clang-format on
// The gradient is mu lambda (f1 / y) c (x) v and the Hessian
//   (mu lambda / h) c c^T (x) [f2 a a^T + (f1 / y) b b^T],  a = v / y,  b = n x a (space only).
// f1 / y >= 0, so max(f2, 0) instead of f2 makes it positive semi-definite; without a drop f2 >= 0.
#include "contact/barrier_term.h"
#include "contact/local.h"
#include "math/vec.h"

// One contact as `lag` froze it.
typedef struct frozen {
    double force; // mu lambda [N], mu the static coefficient
    double drop;  // 1 - kinetic / static coefficient
    double normal[3];
    double weights[PLI_CONTACT_MAX];
    uint64_t key; // see pli_contact
} frozen;

typedef struct friction {
    pli_term_ops ops;
    pli_memory* memory;
    pli_term barrier;
    int dim, vertex_count;
    pli_friction_def def;
    double h;    // [s]; 0 before the first step
    double* x_n; // 3 per vertex [m]
    int count;
    int32_t* stencils; // count * width
    frozen* contacts;
    uint64_t epoch;
    int stencil_capacity, contact_capacity;
} friction;

static int stencil_count(const void* context) { return ((const friction*)context)->count; }

static const int32_t* stencil_vertices(const void* context) {
    return ((const friction*)context)->stencils;
}

static uint64_t epoch(const void* context) { return ((const friction*)context)->epoch; }

// v = T sum_i c_i (x_i - x_n,i) / h
static void sliding_velocity(const friction* self, const frozen* contact, const int32_t* vertices,
                             const double* x, double v[3]) {
    for (int k = 0; k < 3; ++k) v[k] = 0;
    for (int i = 0; i < self->ops.width; ++i)
        for (int k = 0; k < self->dim; ++k) {
            int at = 3 * vertices[i] + k;
            v[k] += contact->weights[i] * (x[at] - self->x_n[at]) / self->h;
        }
    pli_axpy(-pli_dot(contact->normal, v, self->dim), contact->normal, v, self->dim);
}

typedef struct mollifier {
    double f0;        // [m/s]
    double f1_over_y; // [s/m]
    double f2;        // [s/m]
} mollifier;

static mollifier mollify(double y, double e, double drop) {
    double z = y / e, t = z - 1;
    if (z < 1) return (mollifier){y * z * (1 - z / 3) + e / 3, (2 - z) / e, 2 * (1 - z) / e};
    if (z < 2 && drop > 0)
        return (mollifier){y - drop * e * t * t * t * (1 - t / 2),
                           (1 - drop * t * t * (3 - 2 * t)) / y, -6 * drop * t * (1 - t) / e};
    return (mollifier){(1 - drop) * y + 1.5 * drop * e, (1 - drop) / y, 0};
}

// Two unit tangents, the first along v (arbitrary if v = 0); the second is 0 in the plane.
static void tangents(int dim, const double n[3], const double v[3], double y, double a[3],
                     double b[3]) {
    a[2] = b[0] = b[1] = b[2] = 0;
    if (dim == 2) {
        a[0] = -n[1];
        a[1] = n[0];
        return;
    }
    if (y > 0)
        for (int k = 0; k < 3; ++k) a[k] = v[k] / y;
    else
        pli_any_perpendicular(3, n, a);
    b[0] = n[1] * a[2] - n[2] * a[1];
    b[1] = n[2] * a[0] - n[0] * a[2];
    b[2] = n[0] * a[1] - n[1] * a[0];
}

static void eval(const void* context, int first, const pli_batch* in, pli_local* out) {
    const friction* self = context;
    int n = in->width * in->dim;
    for (int i = 0; i < in->count; ++i) {
        const frozen* contact = &self->contacts[first + i];
        const double* c = contact->weights;
        double v[3], a[3], b[3];
        sliding_velocity(self, contact, in->vertices + i * in->width, in->x, v);
        double y = pli_norm(v, in->dim);
        mollifier f = mollify(y, self->def.speed, contact->drop);
        if (in->want & PLI_VALUE) out->e[i] += contact->force * self->h * f.f0;
        if (in->want & PLI_GRADIENT)
            pli_local_add_vector(in->width, in->dim, contact->force * f.f1_over_y, c, v,
                                 out->g + i * n);
        if (!(in->want & PLI_HESSIAN)) continue;
        double scale = contact->force / self->h, *H = out->H + i * n * n;
        if (in->project) f.f2 = fmax(f.f2, 0);
        tangents(in->dim, contact->normal, v, y, a, b);
        pli_local_add_square(in->width, in->dim, scale * f.f2, c, a, H);
        if (in->dim == 3) pli_local_add_square(in->width, in->dim, scale * f.f1_over_y, c, b, H);
    }
}

// Writes the vertices of stencil i and returns whether they changed.
static bool put_stencil(friction* self, int i, const int32_t* vertices) {
    bool changed = i >= self->count;
    for (int k = 0; k < self->ops.width; ++k) {
        int at = i * self->ops.width + k;
        changed = changed || self->stencils[at] != vertices[k];
        self->stencils[at] = vertices[k];
    }
    return changed;
}

// The coefficients for the contact of these vertices.
static pli_relation relation_of(const friction* self, const int32_t* vertices) {
    const pli_filter* filter = self->def.filter;
    if (!filter)
        return (pli_relation){.friction = self->def.coefficient,
                              .friction_static = self->def.coefficient_static};
    int32_t one = filter->body[vertices[0]], other = filter->body[vertices[self->ops.width - 1]];
    const int32_t* classes = filter->classes;
    int32_t against = self->def.half_space_class;
    if (against < 0) against = classes ? classes[other] : 0;
    return *pli_relation_of(filter, classes ? classes[one] : 0, against);
}

static pli_status lag(void* context, const pli_view* view, pli_error* error) {
    friction* self = context;
    const pli_barrier* barrier = self->barrier.self;
    if (!(self->h > 0))
        return pli_fail(error, PLI_E_ARGUMENT, "friction: lag was called before begin_step");
    int width = self->ops.width, total = self->barrier.ops->count(barrier), active;
    const int32_t* vertices = self->barrier.ops->vertices(barrier);
    double min_distance;
    pli_barrier_contacts(&self->barrier, view->x, &active, &min_distance);
    PLI_TRY(PLI_GROW(self->memory, self->stencils, self->stencil_capacity, active * width, error));
    PLI_TRY(PLI_GROW(self->memory, self->contacts, self->contact_capacity, active, error));
    int count = 0;
    bool changed = false;
    for (int i = 0; i < total; ++i) {
        pli_contact contact;
        if (!barrier->kind->contact(barrier, i, view->x, &contact)) continue;
        pli_relation relation = relation_of(self, vertices + i * width);
        if (!(relation.friction_static > 0)) continue;
        changed = put_stencil(self, count, vertices + i * width) || changed;
        frozen* to = &self->contacts[count++];
        to->force = relation.friction_static * contact.force;
        to->drop = 1 - relation.friction / relation.friction_static;
        to->key = contact.key;
        for (int k = 0; k < 3; ++k) to->normal[k] = contact.normal[k];
        for (int k = 0; k < PLI_CONTACT_MAX; ++k) to->weights[k] = contact.weights[k];
    }
    if (changed || count != self->count) self->epoch++;
    self->count = count;
    return PLI_OK;
}

static void add_force(const friction* self, const int32_t* vertices, double force,
                      const int32_t* body, double* to) {
    int32_t one = body[vertices[0]], other = body[vertices[self->ops.width - 1]];
    to[one] += force;
    if (other != one) to[other] += force;
}

void pli_friction_forces(const pli_term* term, const double* x, const int32_t* body, double* lagged,
                         double* now) {
    const friction* self = term->self;
    const pli_barrier* barrier = self->barrier.self;
    int width = self->ops.width, total = self->barrier.ops->count(barrier);
    const int32_t* vertices = self->barrier.ops->vertices(barrier);
    for (int i = 0; i < self->count; ++i)
        add_force(self, self->stencils + i * width, self->contacts[i].force, body, lagged);
    for (int i = 0; i < total; ++i) {
        pli_contact contact;
        if (!barrier->kind->contact(barrier, i, x, &contact)) continue;
        pli_relation relation = relation_of(self, vertices + i * width);
        add_force(self, vertices + i * width, relation.friction_static * contact.force, body, now);
    }
}

int pli_friction_find(const pli_term* term, uint64_t key) {
    const friction* self = term->self;
    int first = 0, end = self->count; // keys grow
    while (first < end) {
        int middle = first + (end - first) / 2;
        if (self->contacts[middle].key < key)
            first = middle + 1;
        else
            end = middle;
    }
    return first < self->count && self->contacts[first].key == key ? first : -1;
}

void pli_friction_forget(const pli_term* term) {
    friction* self = term->self;
    self->epoch += self->count > 0;
    self->count = 0;
}

static pli_status begin_step(void* context, const pli_step* step, pli_error* error) {
    friction* self = context;
    if (!(step->h > 0))
        return pli_fail(error, PLI_E_ARGUMENT, "friction: time step = %g s, must be > 0", step->h);
    self->h = step->h;
    for (int i = 0; i < 3 * self->vertex_count; ++i) self->x_n[i] = step->x_n[i];
    return PLI_OK;
}

static void destroy(void* context) {
    friction* self = context;
    if (!self) return;
    pli_memory* memory = self->memory;
    PLI_FREE(memory, self->stencils, self->stencil_capacity);
    PLI_FREE(memory, self->contacts, self->contact_capacity);
    PLI_FREE(memory, self->x_n, 3 * self->vertex_count);
    PLI_FREE(memory, self, 1);
}

static const pli_term_ops ops = {
    .name = "friction",
    .dynamic = true,
    .role = PLI_DISSIPATION,
    .count = stencil_count,
    .vertices = stencil_vertices,
    .eval = eval,
    .lag = lag,
    .begin_step = begin_step,
    .epoch = epoch,
    .destroy = destroy,
};

static pli_status check_coefficients(const pli_friction_def* def, pli_error* error) {
    if (def->filter && !def->filter->relations)
        return pli_fail(error, PLI_E_ARGUMENT, "friction: the filter has no coefficients");
    if (def->filter) return PLI_OK;
    if (!(def->coefficient >= 0) || !isfinite(def->coefficient))
        return pli_fail(error, PLI_E_ARGUMENT, "friction: coefficient = %g, must be >= 0",
                        def->coefficient);
    double most = def->coefficient_static;
    if (most != 0 && (!(most >= def->coefficient) || !isfinite(most)))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "friction: static coefficient = %g, must be at least the kinetic one, %g",
                        most, def->coefficient);
    return PLI_OK;
}

pli_status pli_friction_create(pli_memory* memory, const pli_term* barrier,
                               const pli_friction_def* def, pli_term* term, pli_error* error) {
    PLI_TRY(check_coefficients(def, error));
    if (!(def->speed > 0) || !isfinite(def->speed))
        return pli_fail(error, PLI_E_ARGUMENT, "friction: speed = %g m/s, must be > 0", def->speed);
    const pli_barrier* other = barrier->self;
    friction* self;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->memory = memory;
    self->ops = ops;
    self->ops.width = barrier->ops->width;
    self->barrier = *barrier;
    self->dim = other->dim;
    self->vertex_count = other->vertex_count;
    self->def = *def;
    if (def->coefficient_static == 0) self->def.coefficient_static = def->coefficient;
    pli_status status = PLI_ALLOC(memory, self->x_n, 3 * self->vertex_count, error);
    if (status != PLI_OK) {
        destroy(self);
        return status;
    }
    *term = (pli_term){&self->ops, self};
    return PLI_OK;
}
