// An energy type over stencils, as a term. It owns the vertex lists, the precomputed records and
// the state, and passes ranges of them to the type. Each object has its own operations, because
// name, width and linearity come from the type.
#include "energy/element_term.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "math/vec.h"
#include "mesh/measure.h"

typedef struct element_term {
    pli_term_ops ops;
    pli_memory* memory;
    const pli_energy_type* type;
    pli_element_kind kind;
    int dim, count;
    int first_vertex, end_vertex; // as in pli_domain
    size_t data_size;             // bytes per record
    size_t state_size;            // bytes per state
    int32_t* vertices;            // of all stencils
    int32_t* start;               // of wide stencils, count + 1; else NULL
    void* data;                   // count records of data_size bytes
    void* state; // count records of state_size bytes, then the initial ones; NULL: none
    double h;    // of the present step, 0 between steps; only if there is state [s]
    double last; // of the last step [s]
    // Of a dissipation, 3 per vertex of each element:
    double *x_n, *x_still; // at the start of the step; where the velocity is 0 [m]
    double rate;           // dv/dx of the present step [1/s]
    pli_field_fn* field;   // of the input of the type; NULL: none
    void* context;         // of `field`
} element_term;

enum { SHOW_RUN = 32, SHOW_FIELDS = 8 }; // stencils at once; fields of an energy at most

static int term_count(const void* self) { return ((const element_term*)self)->count; }

static const int32_t* term_vertices(const void* self) {
    return ((const element_term*)self)->vertices;
}

static const int32_t* term_start(const void* self) { return ((const element_term*)self)->start; }

// First vertex of stencil i.
static size_t vertex_at(const element_term* term, int i) {
    return term->start ? (size_t)term->start[i] : (size_t)i * (size_t)term->ops.width;
}

static int width_of(const element_term* term, int i) {
    return term->start ? term->start[i + 1] - term->start[i] : term->ops.width;
}

static const void* record(const element_term* term, int i) {
    return (const char*)term->data + (size_t)i * term->data_size;
}

static void* state_of(const element_term* term, int i) {
    return term->state ? (char*)term->state + (size_t)i * term->state_size : NULL;
}

// The fields of a batch that belong to the type, for stencils from `first` on; the core fills in
// the rest.
static pli_batch own_batch(const element_term* term, int first, const pli_batch* in) {
    pli_batch batch = *in;
    batch.kind = term->kind;
    batch.data = record(term, first);
    batch.state = state_of(term, first);
    batch.h = term->h;
    return batch;
}

static void term_eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const element_term* term = self;
    pli_batch batch = own_batch(term, first, in);
    term->type->eval(&batch, out);
}

static void term_blocks(const void* self, int first, const pli_batch* in, const uint64_t* turned,
                        pli_local* out) {
    const element_term* term = self;
    pli_batch batch = own_batch(term, first, in);
    term->type->blocks(&batch, turned, out);
}

static pli_status term_curvature(const void* self, int first, const pli_batch* in,
                                 pli_curvature_sink* sink, pli_error* error) {
    const element_term* term = self;
    pli_batch batch = own_batch(term, first, in);
    return term->type->curvature(&batch, sink, error);
}

// ---- input by time and place

// Writes the input of the present step to the records.
static pli_status sample(element_term* term, const pli_step* step, pli_error* error) {
    for (int i = 0; term->field && i < term->count; ++i) {
        const int32_t* v = term->vertices + vertex_at(term, i);
        int width = width_of(term, i);
        double place[3] = {0}, value[3] = {0};
        for (int k = 0; k < width; ++k)
            pli_axpy(1.0 / width, step->x_n + 3 * (size_t)v[k], place, 3);
        term->field(term->context, step->force_time, place, value);
        if (term->dim == 2) value[2] = 0;
        if (!isfinite(value[0] + value[1] + value[2]))
            return pli_fail(
                error, PLI_E_ARGUMENT,
                "%s of energy \"%s\" at t = %g s and (%g, %g, %g) is (%g, %g, %g), must "
                "be finite",
                term->type->input->name, term->type->name, step->force_time, place[0], place[1],
                place[2], value[0], value[1], value[2]);
        term->type->sample(value, (char*)term->data + (size_t)i * term->data_size);
    }
    return PLI_OK;
}

void pli_element_term_set_field(const pli_term* of, pli_field_fn* field, void* context) {
    element_term* term = of->self;
    term->field = field;
    term->context = context;
}

// ---- dissipation

enum { RUN = 8, RUN_VERTICES = RUN * PLI_STENCIL_MAX };

// Copies the start of the step and the still positions, per element.
static pli_status dissipation_begin_step(void* self, const pli_step* step, pli_error* error) {
    element_term* term = self;
    term->rate = step->velocity_rate;
    term->h = step->h;
    for (size_t i = 0; i < (size_t)term->count * (size_t)term->ops.width; ++i) {
        if (term->vertices[i] < 0) continue;
        size_t at = 3 * (size_t)term->vertices[i];
        memcpy(term->x_n + 3 * i, step->x_n + at, 3 * sizeof(double));
        memcpy(term->x_still + 3 * i, step->x_still + at, 3 * sizeof(double));
    }
    return sample(term, step, error);
}

// v = rate (x - x_still) of the vertices of a run of elements, 3 each; absent components are 0.
static void find_velocities(const element_term* term, int first, const pli_batch* in, double* v) {
    const double* x_still = term->x_still + 3 * (size_t)first * (size_t)in->width;
    for (int i = 0; i < in->count * in->width; ++i)
        for (int c = 0; c < 3; ++c) {
            v[3 * i + c] = 0;
            if (in->vertices[i] < 0) continue;
            double d = in->x[3 * (size_t)in->vertices[i] + (size_t)c] - x_still[3 * i + c];
            v[3 * i + c] = c < in->dim ? term->rate * d : 0;
        }
}

// A few elements, numbered from 0: e = R / rate, g = dR/dv, H = rate d2R/dv2.
static void eval_run(const element_term* term, int first, const pli_batch* in, pli_local* out) {
    double v[3 * RUN_VERTICES], e[RUN] = {0};
    double H[RUN * PLI_LOCAL_MAX * PLI_LOCAL_MAX];
    int32_t numbers[RUN_VERTICES];
    size_t size = (size_t)in->width * (size_t)in->dim, entries = (size_t)in->count * size * size;
    for (int i = 0; i < in->count * in->width; ++i) numbers[i] = in->vertices[i] < 0 ? -1 : i;
    find_velocities(term, first, in, v);
    pli_batch batch = own_batch(term, first, in);
    batch.vertices = numbers;
    batch.x = term->x_n + 3 * (size_t)first * (size_t)in->width;
    batch.v = v;
    pli_local local = {.e = e, .g = out->g, .H = H};
    PLI_ASSERT(out->e || !(in->want & PLI_VALUE));
    PLI_ASSERT(out->H || !(in->want & PLI_HESSIAN));
    if (in->want & PLI_HESSIAN) memset(H, 0, entries * sizeof *H);
    term->type->eval(&batch, &local);
    for (int i = 0; i < in->count && in->want & PLI_VALUE; ++i) out->e[i] += e[i] / term->rate;
    for (size_t k = 0; k < entries && in->want & PLI_HESSIAN; ++k) out->H[k] += term->rate * H[k];
}

static void dissipation_eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const element_term* term = self;
    if (term->rate == 0) return;
    size_t size = (size_t)in->width * (size_t)in->dim;
    for (int start = 0; start < in->count; start += RUN) {
        size_t at = (size_t)start;
        pli_batch run = *in;
        run.count = in->count - start < RUN ? in->count - start : RUN;
        run.vertices += at * (size_t)in->width;
        pli_local local = {.e = out->e ? out->e + at : NULL,
                           .g = out->g ? out->g + at * size : NULL,
                           .H = out->H ? out->H + at * size * size : NULL};
        eval_run(term, first + start, &run, &local);
    }
}

static pli_status make_room(element_term* term, pli_error* error) {
    size_t entries = 3 * (size_t)term->count * (size_t)term->ops.width;
    PLI_TRY(PLI_ALLOC(term->memory, term->x_n, entries, error));
    PLI_TRY(PLI_ALLOC(term->memory, term->x_still, entries, error));
    term->ops.role = PLI_DISSIPATION;
    term->ops.eval = dissipation_eval;
    term->ops.blocks = NULL;
    term->ops.max_step = NULL;
    term->ops.limit = NULL;
    term->ops.begin_step = dissipation_begin_step;
    return PLI_OK;
}

// ---- potentials, and what both share

// Elements [first, end) at positions x as a batch; the caller sets `want`.
static pli_batch batch_of(const element_term* term, const double* x, int first, int end) {
    pli_batch batch = {.dim = term->dim,
                       .count = end - first,
                       .width = term->ops.width,
                       .start = term->start ? term->start + first : NULL,
                       .vertices = term->vertices + vertex_at(term, first),
                       .x = x};
    return own_batch(term, first, &batch);
}

// ---- state

static pli_status potential_begin_step(void* self, const pli_step* step, pli_error* error) {
    ((element_term*)self)->h = step->h;
    return sample(self, step, error);
}

static void* term_state(void* self, size_t* size, const void** initial) {
    element_term* term = self;
    *size = (size_t)term->count * term->state_size;
    *initial = (char*)term->state + *size;
    return term->state;
}

static void term_commit(void* self, const double* x) {
    element_term* term = self;
    pli_batch batch = batch_of(term, x, 0, term->count);
    batch.state = NULL;
    if (term->type->commit) term->type->commit(&batch, term->state);
}

static void term_between(void* self, bool between) {
    element_term* term = self;
    if (term->h > 0) term->last = term->h;
    term->h = between ? 0 : term->last;
}

enum { SPENT_RUN = 64 };

static double term_spent(const void* self) {
    const element_term* term = self;
    double sum = 0, spent[SPENT_RUN];
    for (int first = 0; first < term->count; first += SPENT_RUN) {
        int end = pli_min_int(first + SPENT_RUN, term->count);
        pli_batch batch = batch_of(term, NULL, first, end);
        term->type->spent(&batch, spent);
        for (int i = 0; i < end - first; ++i) sum += spent[i];
    }
    return sum;
}

enum { MAX_BLOCKS = 256, MIN_GRAIN = 64 };

typedef struct step_search {
    const element_term* term;
    const double *x, *p;
    int grain;
    double bound[MAX_BLOCKS];
} step_search;

static void search_range(void* context, int first, int end) {
    step_search* search = context;
    pli_batch batch = batch_of(search->term, search->x, first, end);
    search->bound[first / search->grain] = search->term->type->max_step(&batch, search->p);
}

// A minimum does not depend on how the elements are split into blocks, so the block size may grow
// with the count and the bounds fit on the stack.
static double term_max_step(const void* self, const pli_view* view, const double* p) {
    const element_term* term = self;
    step_search search = {.term = term, .x = view->x, .p = p};
    search.grain = pli_max_int(MIN_GRAIN, term->count / MAX_BLOCKS + 1);
    for (int i = 0; i < MAX_BLOCKS; ++i) search.bound[i] = 1;
    pli_parallel_for(view->pool, term->count, search.grain, search_range, &search);
    double bound = 1;
    for (int i = 0; i < MAX_BLOCKS; ++i)
        if (search.bound[i] < bound) bound = search.bound[i];
    return bound;
}

static int island_of(const element_term* term, int element, const int32_t* island) {
    const int32_t* v = term->vertices + vertex_at(term, element);
    int found = -1;
    for (int i = 0; i < width_of(term, element) && found < 0; ++i)
        found = v[i] < 0 ? -1 : island[v[i]];
    return found;
}

// Processes consecutive elements of one island together.
static pli_status term_limit(void* self, const pli_view* view, const double* p,
                             const int32_t* island, double* limit, pli_error* error) {
    const element_term* term = self;
    (void)error;
    for (int first = 0, end; first < term->count; first = end) {
        int own = island_of(term, first, island);
        for (end = first + 1; end < term->count && island_of(term, end, island) == own;) ++end;
        if (own < 0) continue;
        pli_batch batch = batch_of(term, view->x, first, end);
        double bound = term->type->max_step(&batch, p);
        if (bound < limit[own]) limit[own] = bound;
    }
    return PLI_OK;
}

static void term_destroy(void* self) {
    element_term* term = self;
    if (!term) return;
    pli_memory* memory = term->memory;
    size_t entries = vertex_at(term, term->count);
    PLI_FREE(memory, term->vertices, entries);
    PLI_FREE(memory, term->start, term->start ? term->count + 1 : 0);
    PLI_FREE(memory, term->x_n, 3 * entries);
    PLI_FREE(memory, term->x_still, 3 * entries);
    size_t count = (size_t)term->count;
    if (term->data) (void)pli_resize(memory, &term->data, term->data_size, count, 0, NULL);
    if (term->state) (void)pli_resize(memory, &term->state, term->state_size, 2 * count, 0, NULL);
    PLI_FREE(memory, term, 1);
}

bool pli_energy_covers(const pli_energy_type* type, int dim, pli_element_kind kind) {
    if (!type || (dim != 2 && dim != 3) || !(type->dims & (1u << dim))) return false;
    if (kind < 0 || kind > PLI_STENCIL) return false;
    if (kind == PLI_STENCIL) return type->width != 0;
    if (type->data_size[kind] == 0) return false;
    return !type->solid || pli_element_dimension(kind) == dim ||
           (type->sheet && kind == PLI_TRIANGLE);
}

bool pli_energy_acts_on(const pli_energy_type* type, int dim, pli_element_kind kind,
                        const int counts[PLI_ELEMENT_KIND_COUNT]) {
    if (!counts || !pli_energy_covers(type, dim, kind)) return false;
    bool face = type->solid && pli_element_dimension(kind) < dim;
    return !face || (counts[PLI_TETRAHEDRON] == 0 && counts[PLI_TETRAHEDRON10] == 0);
}

const char* pli_energy_kinds(const pli_energy_type* type, int dim, char text[PLI_KINDS_SIZE]) {
    size_t length = 0;
    text[0] = '\0';
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        if (!pli_energy_covers(type, dim, (pli_element_kind)kind)) continue;
        pli_format(text + length, PLI_KINDS_SIZE - length, "%s%s", length > 0 ? " or " : "",
                   pli_element_word((pli_element_kind)kind));
        length = strlen(text);
    }
    return text;
}

bool pli_energy_plane_stress(const pli_energy_type* type, const double* params) {
    if (!type->solid || type->dissipation) return false;
    for (int i = 0; i < type->param_count; ++i)
        if (strcmp(type->params[i].name, "plane_stress") == 0) return params[i] != 0;
    return false;
}

pli_status pli_energy_check_beside(const pli_energy_type* type, const double* params,
                                   const pli_energy_type* other, pli_error* error) {
    if (!pli_energy_plane_stress(type, params) || !other->solid || other->dissipation)
        return PLI_OK;
    pli_status status =
        pli_fail(error, PLI_E_ARGUMENT,
                 "plane_stress of energy \"%s\" is invalid together with energy \"%s\": stress "
                 "across the plane would remain. Give the body one solid energy",
                 type->name, other->name);
    return pli_error_key(status, error, "plane_stress");
}

static pli_status check_type(const pli_energy_type* type, int dim, pli_element_kind kind, bool wide,
                             pli_error* error) {
    if (type->abi != PLI_ENERGY_ABI)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "energy \"%s\" was built for interface %u; this library has %u: rebuild it",
                        type->name, (unsigned)type->abi, (unsigned)PLI_ENERGY_ABI);
    if (type->field_count < 0 || type->field_count > SHOW_FIELDS ||
        (type->field_count > 0 && (!type->fields || !type->show)))
        return pli_fail(
            error, PLI_E_ARGUMENT,
            "energy \"%s\": field_count = %d, must be 0 to %d, with `fields` and `show`",
            type->name, type->field_count, SHOW_FIELDS);
    if (!type->eval)
        return pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\": `eval` is NULL, must be set",
                        type->name);
    if ((kind == PLI_STENCIL && type->width == PLI_WIDE) != wide)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "energy \"%s\": its stencils are %s; list them with the matching function",
                        type->name, wide ? "not wide" : "wide");
    if (!(type->dims & (1u << dim)))
        return pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\" does not support dimension %d",
                        type->name, dim);
    if (!pli_energy_covers(type, dim, kind))
        return pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\" does not support %s elements",
                        type->name, pli_element_word(kind));
    return PLI_OK;
}

static pli_element element_of(const element_term* term, const pli_domain* domain, int i) {
    size_t flat = domain->pattern_size > 0 ? (size_t)domain->pattern_size : 6;
    return (pli_element){.dim = domain->dim,
                         .kind = domain->kind,
                         .vertex_count = width_of(term, i),
                         .vertices = term->vertices + vertex_at(term, i),
                         .rest = domain->rest,
                         .mass = domain->mass,
                         .area = domain->area,
                         .thickness = domain->thickness,
                         .held = domain->held,
                         .offset = domain->offset,
                         .pattern = domain->pattern ? domain->pattern + flat * (size_t)i : NULL};
}

// Nodes are not named: they are beyond the vertices of the body. Of wide stencils the first ones.
static const char* name_stencil(const element_term* term, int i, char text[PLI_PLACE_SIZE]) {
    static const int most = 10; // numbers
    const int32_t* vertices = term->vertices + vertex_at(term, i);
    const char* before = " (vertices ";
    pli_format(text, PLI_PLACE_SIZE, "%s %d", pli_element_word(term->kind), i);
    if (term->kind != PLI_STENCIL) return text;
    for (int k = 0; k < width_of(term, i) && k < most; ++k) {
        size_t used = strlen(text);
        bool own = vertices[k] >= term->first_vertex &&
                   (vertices[k] < term->end_vertex || term->end_vertex == 0);
        if (own)
            pli_format(text + used, PLI_PLACE_SIZE - used, "%s%d", before,
                       (int)vertices[k] - term->first_vertex);
        if (own) before = ", ";
    }
    size_t used = strlen(text);
    pli_format(text + used, PLI_PLACE_SIZE - used, "%s", *before == ',' ? ")" : "");
    return text;
}

const char* pli_element_term_place(const pli_term* of, int stencil, char text[PLI_PLACE_SIZE]) {
    return name_stencil(of->self, stencil, text);
}

// Fills a zero-initialized record.
static pli_status prepare_record(const element_term* term, const double* params,
                                 const pli_domain* domain, int i, void* data, pli_error* error) {
    if (!term->type->prepare) return PLI_OK;
    pli_element element = element_of(term, domain, i);
    pli_status status = term->type->prepare(params, &element, data, error);
    char place[PLI_PLACE_SIZE];
    if (status != PLI_OK) pli_error_prefix(error, "%s", name_stencil(term, i, place));
    return status;
}

static pli_status prepare_stencil(element_term* term, const double* params,
                                  const pli_domain* domain, int i, pli_error* error) {
    char* data = (char*)term->data + (size_t)i * term->data_size;
    PLI_TRY(prepare_record(term, params, domain, i, data, error));
    if (!term->type->init || !term->state) return PLI_OK;
    pli_element element = element_of(term, domain, i);
    term->type->init(params, &element, data, state_of(term, i));
    return PLI_OK;
}

pli_status pli_element_term_prepare(const pli_term* of, const double* params,
                                    const pli_domain* domain, bool take, pli_error* error) {
    element_term* term = of->self;
    void* scratch = NULL;
    pli_status status = PLI_OK;
    if (!take) PLI_TRY(pli_resize(term->memory, &scratch, term->data_size, 0, 1, error));
    for (int i = 0; i < term->count && status == PLI_OK; ++i) {
        char* data = take ? (char*)term->data + (size_t)i * term->data_size : scratch;
        memset(data, 0, term->data_size);
        status = prepare_record(term, params, domain, i, data, error);
    }
    if (!take) (void)pli_resize(term->memory, &scratch, term->data_size, 1, 0, NULL);
    return status;
}

static pli_status prepare_stencils(element_term* term, const double* params,
                                   const pli_domain* domain, pli_error* error) {
    size_t count = (size_t)term->count;
    PLI_TRY(pli_resize(term->memory, &term->data, term->data_size, 0, count, error));
    if (term->state_size > 0) {
        PLI_TRY(pli_resize(term->memory, &term->state, term->state_size, 0, 2 * count, error));
        term->ops.state = term_state;
        term->ops.commit = term_commit;
        term->ops.between = term_between;
        term->ops.spent = term->type->spent ? term_spent : NULL;
    }
    for (int i = 0; i < term->count; ++i) PLI_TRY(prepare_stencil(term, params, domain, i, error));
    if (term->state) memcpy(state_of(term, term->count), term->state, count * term->state_size);
    return PLI_OK;
}

static pli_status copy_vertices(element_term* term, const pli_domain* domain, pli_error* error) {
    int count = domain->element_count;
    if (domain->start) {
        PLI_TRY(PLI_ALLOC(term->memory, term->start, count + 1, error));
        memcpy(term->start, domain->start, sizeof *term->start * (size_t)(count + 1));
        term->ops.start = term_start;
        term->ops.rank = term->type->rank;
        term->ops.global = term->type->global;
    }
    size_t entry_count = vertex_at(term, count);
    term->count = count; // the size of `start`, should the next request fail
    PLI_TRY(PLI_ALLOC(term->memory, term->vertices, entry_count, error));
    if (entry_count > 0)
        memcpy(term->vertices, domain->vertices, entry_count * sizeof *term->vertices);
    return PLI_OK;
}

pli_status pli_element_term_create(pli_memory* memory, const pli_energy_type* type,
                                   const double* params, const pli_domain* domain, pli_term* out,
                                   pli_error* error) {
    PLI_TRY(check_type(type, domain->dim, domain->kind, domain->start != NULL, error));
    element_term* term = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, term, 1, error));
    bool element = domain->kind != PLI_STENCIL;
    size_t own = type->state_sizes[domain->kind], state_size = own > 0 ? own : type->state_size;
    int width = element ? pli_element_size(domain->kind) : pli_max_int(type->width, 0);
    *term = (element_term){.memory = memory,
                           .type = type,
                           .kind = domain->kind,
                           .dim = domain->dim,
                           .first_vertex = domain->first_vertex,
                           .end_vertex = domain->end_vertex,
                           .data_size = type->data_size[domain->kind],
                           .state_size = state_size};
    term->ops = (pli_term_ops){
        .name = type->name,
        .width = width,
        .linear = type->linear,
        .simplices = element && width == domain->dim + 1 &&
                     pli_element_dimension(domain->kind) == domain->dim && state_size == 0,
        .count = term_count,
        .vertices = term_vertices,
        .eval = term_eval,
        .blocks = type->blocks ? term_blocks : NULL,
        .curvature = type->curvature ? term_curvature : NULL,
        .max_step = type->max_step ? term_max_step : NULL,
        .limit = type->max_step ? term_limit : NULL,
        .begin_step = state_size > 0 || type->sample ? potential_begin_step : NULL,
        .destroy = term_destroy};
    PLI_TRY_CLEANUP(status, copy_vertices(term, domain, error));
    PLI_TRY_CLEANUP(status, prepare_stencils(term, params, domain, error));
    if (type->dissipation) PLI_TRY_CLEANUP(status, make_room(term, error));
    *out = (pli_term){.ops = &term->ops, .self = term};
    term = NULL;
cleanup:
    term_destroy(term);
    return status;
}

void pli_element_term_fields(const pli_term* of, const double* x, const pli_term_fields* fields) {
    const element_term* term = of->self;
    if (term->type->dissipation) return; // stores no energy
    pli_batch batch = batch_of(term, x, 0, term->count);
    batch.want = PLI_VALUE;
    if (fields->energy) term->type->eval(&batch, &(pli_local){.e = fields->energy});
    if (fields->stress && term->type->stress) term->type->stress(&batch, fields->stress);
    if (fields->across && term->type->across) term->type->across(&batch, fields->across);
}

int pli_element_term_forbidden(const pli_term* of, const double* x, char* text, size_t size) {
    const element_term* term = of->self;
    for (int i = 0; i < term->count && !term->type->dissipation; ++i) {
        double e = 0;
        pli_batch batch = batch_of(term, x, i, i + 1);
        batch.want = PLI_VALUE;
        term->type->eval(&batch, &(pli_local){.e = &e});
        if (isfinite(e)) continue;
        pli_format(text, size, "it is inverted, degenerate or folded back");
        if (term->type->explain) term->type->explain(&batch, text, size);
        return i;
    }
    return -1;
}

// ---- scalars for readers

// The stencils from `first` on with their vertices numbered from 0 and positions of their own, so
// that points and nodes are in one array.
static void gather_run(const element_term* term, const pli_term_scalar* scalar, int first,
                       int count, int32_t* numbers, double* x) {
    int entries = count * term->ops.width;
    const int32_t* vertices = term->vertices + vertex_at(term, first);
    for (int i = 0; i < entries; ++i) {
        int32_t v = vertices[i];
        numbers[i] = v < 0 ? -1 : i;
        for (int c = 0; c < 3; ++c) x[3 * i + c] = 0;
        if (v >= scalar->point_count)
            x[3 * i] = scalar->nodes[v - scalar->point_count];
        else if (v >= 0)
            memcpy(x + 3 * i, scalar->x + 3 * (size_t)v, 3 * sizeof *x);
    }
}

static void add_run(const element_term* term, const pli_term_scalar* scalar, int first, int count,
                    const double* values) {
    const pli_energy_type* type = term->type;
    for (int i = 0; i < count; ++i) {
        double value = values[(size_t)i * (size_t)type->field_count];
        const int32_t* v = term->vertices + vertex_at(term, first + i);
        for (int k = 0; k < term->ops.width && !isnan(value); ++k) {
            bool own = type->field_places == 0 || (type->field_places >> k & 1u);
            if (!own || v[k] < 0 || v[k] >= scalar->point_count) continue;
            scalar->sums[v[k]] += value;
            scalar->shares[v[k]]++;
        }
    }
}

void pli_element_term_scalar(const pli_term* of, const pli_term_scalar* scalar) {
    const element_term* term = of->self;
    const pli_energy_type* type = term->type;
    int row = 0;
    while (row < type->field_count && strcmp(type->fields[row].name, scalar->name) != 0) ++row;
    if (row == type->field_count || term->start || type->dissipation) return;
    for (int first = 0; first < term->count; first += SHOW_RUN) {
        int32_t numbers[SHOW_RUN * PLI_STENCIL_MAX];
        double x[3 * SHOW_RUN * PLI_STENCIL_MAX], values[SHOW_RUN * SHOW_FIELDS];
        int count = pli_min_int(SHOW_RUN, term->count - first);
        gather_run(term, scalar, first, count, numbers, x);
        pli_batch batch = batch_of(term, x, first, first + count);
        batch.vertices = numbers;
        type->show(&batch, values);
        add_run(term, scalar, first, count, values + row);
    }
}
