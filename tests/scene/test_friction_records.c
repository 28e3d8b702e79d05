// Friction against public records: contacts, normal forces, frames, and the energy, gradient and
// Hessian that another program computed for them (friction/ in the data folder; its LICENSE.txt
// says whose they are). Read in place; skipped where they are absent.
//
// A record names each contact by four numbers [Li20, code]: (a, b, c, d) with a >= 0 are the edges
// a-b and c-d; a < 0 is the vertex -a - 1 against the triangle b-c-d, or with d < 0 against the
// edge b-c, or with c < 0 against the vertex b; -d says how often it counts, which is in its force
// already.
#include "scene/saved.h"

#include <glob.h>
#include <jansson.h>
#include <math.h>

#include "contact/barrier_term.h"
#include "math/vec.h"

enum { WIDTH = 4, LOCAL = 3 * WIDTH };

typedef struct record {
    pli_barrier barrier; // comes first: the stub of a barrier term
    int count;           // contacts
    int32_t* vertices;   // WIDTH each
    pli_contact* contacts;
    double *start, *end; // 3 per vertex
    json_t* root;
} record;

static double number(const json_t* list, int i) {
    return json_number_value(json_array_get(list, (size_t)i));
}

static int stub_count(const void* self) { return ((const record*)self)->count; }
static const int32_t* stub_vertices(const void* self) { return ((const record*)self)->vertices; }
static bool stub_contact(const pli_barrier* self, int i, const double* x, pli_contact* out) {
    (void)x;
    *out = ((const record*)(const void*)self)->contacts[i];
    return true;
}
static const pli_barrier_kind stub_kind = {.contact = stub_contact};
static const pli_term_ops stub_ops = {
    .name = "record", .width = WIDTH, .count = stub_count, .vertices = stub_vertices};

// Vertices and weights of a contact; `at`: coordinates of the closest points.
static void read_stencil(const json_t* id, const json_t* at, int32_t* vertices, double* weights) {
    int a = (int)number(id, 0), b = (int)number(id, 1), c = (int)number(id, 2),
        d = (int)number(id, 3);
    double s = number(at, 0), t = number(at, 1);
    bool edges = a >= 0, point = c < 0, edge = d < 0;
    const int32_t found[WIDTH] = {edges ? a : -a - 1, b, point ? b : c, edge ? b : d};
    const double of_edges[WIDTH] = {1 - s, s, -(1 - t), -t};
    const double of_point[WIDTH] = {1,
                                    point  ? -1
                                    : edge ? -(1 - s)
                                           : -(1 - s - t),
                                    point ? 0 : -s, point || edge ? 0 : -t};
    memcpy(vertices, found, sizeof found);
    memcpy(weights, edges ? of_edges : of_point, sizeof of_edges);
}

static double* read_positions(const json_t* list, int* count) {
    *count = (int)json_array_size(list);
    double* x = calloc(3 * (size_t)*count, sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < 3 * *count; ++i)
        x[i] = number(json_array_get(list, (size_t)(i / 3)), i % 3);
    return x;
}

// The frame of contact k: three rows of two columns, whose cross product is the normal.
static void read_normal(const json_t* bases, int k, double normal[3]) {
    double u[3], v[3];
    for (int c = 0; c < 3; ++c) {
        const json_t* row = json_array_get(bases, (size_t)(3 * k + c));
        u[c] = number(row, 0);
        v[c] = number(row, 1);
    }
    for (int c = 0; c < 3; ++c)
        normal[c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
}

static void read_record(const char* path, record* r) {
    *r = (record){.root = json_load_file(path, 0, NULL)};
    if (!r->root) fail_msg("%s cannot be read", path);
    const json_t *ids = json_object_get(r->root, "mmcvids"),
                 *forces = json_object_get(r->root, "normal_force_magnitudes"),
                 *points = json_object_get(r->root, "closest_point_coordinates"),
                 *bases = json_object_get(r->root, "tangent_bases");
    int n;
    r->count = (int)json_array_size(ids);
    r->vertices = calloc(WIDTH * (size_t)r->count + 1, sizeof *r->vertices);
    r->contacts = calloc((size_t)r->count + 1, sizeof *r->contacts);
    assert_true(r->vertices && r->contacts);
    for (int k = 0; k < r->count; ++k) {
        pli_contact* contact = &r->contacts[k];
        *contact = (pli_contact){.force = number(forces, k), .key = (uint64_t)k};
        read_stencil(json_array_get(ids, (size_t)k), json_array_get(points, (size_t)k),
                     r->vertices + WIDTH * k, contact->weights);
        read_normal(bases, k, contact->normal);
    }
    r->start = read_positions(json_object_get(r->root, "V_start"), &n);
    r->end = read_positions(json_object_get(r->root, "V_end"), &n);
    r->barrier = (pli_barrier){
        .kind = &stub_kind, .ops = stub_ops, .dim = 3, .vertex_count = n, .sides = {1, 3}};
}

static void free_record(record* r) {
    free(r->vertices);
    free(r->contacts);
    free(r->start);
    free(r->end);
    json_decref(r->root);
}

// Energy, gradient (3 per vertex) and Hessian (dense) of our friction term.
static double evaluate(record* r, double* g, double* H) {
    int n = 3 * r->barrier.vertex_count;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    // With h = 1 s speeds are lengths, and so is the one at which friction is smoothed.
    pli_friction_def def = {
        .coefficient = json_number_value(json_object_get(r->root, "mu")),
        .speed = sqrt(json_number_value(json_object_get(r->root, "epsv_times_h_squared")))};
    pli_term barrier = {&r->barrier.ops, r}, friction;
    ASSERT_OK(pli_friction_create(&memory, &barrier, &def, &friction, &error));
    pli_step step = {.h = 1, .x_n = r->start};
    pli_view view = {.dim = 3, .vertex_count = r->barrier.vertex_count, .x = r->end};
    ASSERT_OK(friction.ops->begin_step(friction.self, &step, &error));
    ASSERT_OK(friction.ops->lag(friction.self, &view, &error));
    int count = friction.ops->count(friction.self);
    const int32_t* vertices = friction.ops->vertices(friction.self);
    double sum = 0;
    for (int k = 0; k < count; ++k) {
        double e = 0, local_g[LOCAL] = {0}, local_H[LOCAL * LOCAL] = {0};
        pli_batch in = {.dim = 3,
                        .count = 1,
                        .width = WIDTH,
                        .vertices = vertices + WIDTH * k,
                        .x = r->end,
                        .want = PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN};
        friction.ops->eval(friction.self, k, &in, &(pli_local){.e = &e, .g = local_g, .H = local_H});
        sum += e;
        for (int i = 0; i < LOCAL; ++i) {
            int row = 3 * in.vertices[i / 3] + i % 3;
            g[row] += local_g[i];
            for (int j = 0; j < LOCAL; ++j)
                H[row * n + 3 * in.vertices[j / 3] + j % 3] += local_H[i * LOCAL + j];
        }
    }
    friction.ops->destroy(friction.self);
    return sum;
}

// The largest difference to the record, in parts of the largest number of its kind.
static double compare(record* r) {
    int n = 3 * r->barrier.vertex_count;
    double *g = calloc((size_t)n, sizeof *g), *H = calloc((size_t)(n * n), sizeof *H);
    assert_true(g && H);
    double e = evaluate(r, g, H), wanted = json_number_value(json_object_get(r->root, "energy"));
    double worst = fabs(e - wanted) / fmax(fabs(wanted), 1e-300), most = 1e-300, off = 0;
    const json_t *gradient = json_object_get(r->root, "gradient"),
                 *triplets = json_object_get(r->root, "hessian_triplets");
    for (int i = 0; i < n; ++i) {
        most = fmax(most, fabs(number(gradient, i)));
        off = fmax(off, fabs(g[i] - number(gradient, i)));
    }
    worst = fmax(worst, off / most);
    most = 1e-300;
    off = 0;
    for (size_t i = 0; i < json_array_size(triplets); ++i) {
        const json_t* t = json_array_get(triplets, i);
        most = fmax(most, fabs(number(t, 2)));
        H[(int)number(t, 0) * n + (int)number(t, 1)] -= number(t, 2);
    }
    for (int i = 0; i < n * n; ++i) off = fmax(off, fabs(H[i]));
    worst = fmax(worst, off / most);
    free(g);
    free(H);
    return worst;
}

static void records_agree(void** state) {
    (void)state;
    const char* folder = getenv("PLIANT_DATA");
    char pattern[1024];
    snprintf(pattern, sizeof pattern, "%s/friction/*.json", folder ? folder : PLIANT_DATA);
    glob_t files;
    if (glob(pattern, 0, NULL, &files) != 0) {
        print_message("no records of friction at %s\n", pattern);
        skip();
    }
    int agree = 0;
    for (size_t i = 0; i < files.gl_pathc; ++i) {
        record r;
        read_record(files.gl_pathv[i], &r);
        double off = compare(&r);
        // Both round sums of some dozen products; frames come as 16 digits.
        if (off < 1e-9)
            agree++;
        else
            print_message("%s: %g\n", files.gl_pathv[i], off);
        free_record(&r);
    }
    print_message("%d of %zu records of friction agree\n", agree, files.gl_pathc);
    assert_int_equal(agree, (int)files.gl_pathc);
    globfree(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(records_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
