// Hessians that are kept from one matrix to the next: nothing that has changed is missed, and what
// is kept is wrong by less than what was asked for.
#include "dynamics/world.h"
#include "math/vec.h"
#include "oracle/near.h"
#include "oracle/random.h"
#include "pliant/scene.h"

#include <stdlib.h>
#include <string.h>

static pli_error error;

static const char* const cube =
    "{\"dimension\": 3, \"time\": {\"step\": 0.01}, \"contact\": {\"dhat\": 0.02},"
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"box\", \"size\": [0.5, 0.5, 0.5],"
    " \"segments\": [5, 5, 5]}, \"translate\": [0, 0, 0.255],"
    " \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.4}]}],"
    " \"obstacles\": [{\"type\": \"half-space\", \"normal\": [0, 0, 1]}]}";

static const char* const square =
    "{\"dimension\": 2, \"time\": {\"step\": 0.01}, \"contact\": {\"dhat\": 0.02},"
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"rectangle\", \"size\": [0.5, 0.5],"
    " \"segments\": [12, 12]}, \"translate\": [0, 0.255],"
    " \"energies\": [{\"type\": \"stable-neo-hookean\", \"young\": 1e5, \"poisson\": 0.4}]}],"
    " \"obstacles\": [{\"type\": \"half-space\", \"normal\": [0, 1]}]}";

static const char* const scenes[] = {cube, square};
enum { SCENES = 2 };

static const double INERTIA = 1e4; // 1 / h^2

static pli_world* open_scene(int i, pli_scene** scene) {
    pli_scene_def def = pli_default_scene_def();
    def.text = scenes[i];
    def.thread_count = 2;
    ASSERT_OK(pli_scene_create(&def, scene, &error));
    pli_world* w = pli_scene_world(*scene);
    ASSERT_OK(pli_world_prepare(w, &error));
    return w;
}

// The matrix at w->x with contact pairs that are right there.
static void make_matrix(pli_world* w, double keep, const uint8_t* frozen) {
    double alpha = 1;
    ASSERT_OK(pli_world_refresh(w, NULL, &alpha, &error));
    pli_assembly_evaluate(&w->assembly, w->x, &(pli_hessian_wish){.project = true, .keep = keep});
    pli_assembly_matrix(&w->assembly, INERTIA, frozen);
}

static double* copy_matrix(const pli_world* w) {
    size_t bytes = sizeof(double) * (size_t)w->assembly.pattern.value_count;
    double* copy = malloc(bytes);
    assert_non_null(copy);
    memcpy(copy, w->assembly.values, bytes);
    return copy;
}

// Vertices in a random ball around one of them move, some of them into or out of contact; groups
// freeze and melt. Kept are those that did not move at all: the same bits as of a fresh matrix.
static void test_what_changes_is_seen(void** state) {
    (void)state;
    for (int scene = 0; scene < SCENES; ++scene) {
        pli_scene* owner;
        pli_world* w = open_scene(scene, &owner);
        int n = w->model.vertex_count, dim = w->model.def.dimension;
        uint8_t* frozen = calloc((size_t)w->kinematics.group_count, 1);
        double* x = malloc(sizeof(double) * (size_t)(3 * n));
        assert_true(frozen && x);
        memcpy(x, w->x, sizeof(double) * (size_t)(3 * n));
        pli_random random = {7};
        int kept_columns = 0, changed_columns = 0;
        for (int trial = 0; trial < 60; ++trial) {
            const double* centre = x + 3 * pli_random_below(&random, n);
            double radius = pli_random_in(&random, 0, 0.2),
                   at[3] = {centre[0], centre[1], centre[2]};
            for (int v = 0; v < n; ++v) {
                double away[3];
                pli_sub(x + 3 * v, at, away, 3);
                if (pli_norm(away, 3) > radius) continue;
                for (int c = 0; c < dim; ++c)
                    w->x[3 * v + c] = x[3 * v + c] + pli_random_in(&random, -4e-3, 4e-3);
            }
            for (int g = 0; g < 3 && trial % 4 == 3; ++g) // then the whole matrix is gathered
                frozen[pli_random_below(&random, w->kinematics.group_count)] ^= 1;
            // rounding makes |D' D^-1 - I| about 1e-15 where nothing moved, 1e-3 where something
            // did
            make_matrix(w, 1e-9, frozen);
            for (int g = 0; g < w->kinematics.group_count; ++g) {
                kept_columns += !w->assembly.changed[g];
                changed_columns += w->assembly.changed[g];
            }
            double* kept = copy_matrix(w);
            make_matrix(w, 0, frozen);
            assert_memory_equal(kept, w->assembly.values,
                                sizeof(double) * (size_t)w->assembly.pattern.value_count);
            free(kept);
            make_matrix(w, 1e-9, frozen); // so that the next trial starts from a kept one as well
        }
        assert_true(kept_columns > 1000 && changed_columns > 1000);
        free(frozen);
        free(x);
        pli_scene_destroy(owner);
    }
}

// |u^T (H' - H) u| <= part * inertia u^T M u for many u, smooth motions of all sizes.
static void test_error_is_bounded(void** state) {
    (void)state;
    for (int scene = 0; scene < SCENES; ++scene) {
        pli_scene* owner;
        pli_world* w = open_scene(scene, &owner);
        int n = w->kinematics.unknown_count, dim = w->model.def.dimension, wrong = 0;
        double *u = malloc(sizeof(double) * (size_t)n), *Mu = malloc(sizeof(double) * (size_t)n);
        assert_true(u && Mu);
        pli_random random = {3};
        for (int trial = 0; trial < 30; ++trial) {
            const double part = 0.1;
            make_matrix(w, 0, NULL);
            double size = pow(10, pli_random_in(&random, -6, -2)), wave[3], turn[3];
            for (int c = 0; c < 3; ++c) wave[c] = pli_random_in(&random, -6, 6);
            for (int c = 0; c < 3; ++c) turn[c] = pli_random_in(&random, -size, size);
            for (int v = 0; v < w->model.vertex_count; ++v) {
                double* x = w->x + 3 * v;
                double phase = pli_dot(wave, x, 3);
                for (int c = 0; c < dim; ++c) x[c] += turn[c] * sin(phase + c);
            }
            make_matrix(w, part, NULL);
            double* kept = copy_matrix(w);
            make_matrix(w, 0, NULL);
            const pli_pattern* p = &w->assembly.pattern;
            for (int k = 0; k < p->value_count; ++k) kept[k] -= w->assembly.values[k];
            for (int sample = 0; sample < 20; ++sample) {
                for (int i = 0; i < n; ++i) u[i] = pli_random_in(&random, -1, 1);
                pli_mass_multiply(&w->kinematics, u, Mu);
                double difference = 0;
                for (int j = 0; j < n; ++j)
                    for (int at = p->start[j]; at < p->start[j + 1]; ++at)
                        difference += (p->row[at] == j ? 1 : 2) * kept[at] * u[j] * u[p->row[at]];
                wrong += difference != 0;
                assert_true(fabs(difference) <= part * INERTIA * pli_dot(u, Mu, n));
            }
            free(kept);
        }
        assert_true(wrong > 20); // something was kept that had changed
        free(u);
        free(Mu);
        pli_scene_destroy(owner);
    }
}

static void move(pli_world* w, int first, int end, double way) {
    for (int v = first; v < end; ++v) w->x[3 * v] += v % 2 ? way : -way;
}

static void make_whole(pli_world* w) {
    pli_hessian_wish wish = {.project = true, .keep = 1, .whole = true};
    pli_assembly_evaluate(&w->assembly, w->x, &wish);
    pli_assembly_matrix(&w->assembly, INERTIA, NULL);
}

// From step to step all Hessians are kept or none; what was kept comes back with the state.
static void test_all_or_none(void** state) {
    (void)state;
    for (int scene = 0; scene < SCENES; ++scene) {
        pli_scene *owner, *other_owner;
        pli_world *w = open_scene(scene, &owner), *other = open_scene(scene, &other_owner);
        size_t bytes = sizeof(double) * (size_t)w->assembly.pattern.value_count;
        double alpha = 1;
        int up = w->model.def.dimension - 1; // where nothing touches
        for (int v = 0; v < w->model.vertex_count; ++v) w->x[3 * v + up] += 0.1;
        move(w, 0, w->model.vertex_count, 1e-3);
        ASSERT_OK(pli_world_refresh(w, NULL, &alpha, &error));
        make_whole(w);
        double* first = copy_matrix(w);
        move(w, 0, w->model.vertex_count, 1e-7);
        make_whole(w); // though x is another one
        assert_memory_equal(first, w->assembly.values, bytes);

        pli_pack pack;
        pli_pack_init(&pack, &w->memory);
        pli_assembly_save(&w->assembly, &pack);
        pli_unpack in = pli_unpack_from(pack.bytes, pack.size);
        in.apply = true;
        ASSERT_OK(pli_assembly_restore(&other->assembly, &in, &error));
        memcpy(other->x, w->x, 3 * sizeof(double) * (size_t)w->model.vertex_count);
        ASSERT_OK(pli_world_refresh(other, NULL, &alpha, &error));
        make_whole(other);
        assert_memory_equal(first, other->assembly.values, bytes);
        pli_pack_free(&pack);

        move(w, 0, 1, 1e-2);
        make_whole(w);
        double* moved = copy_matrix(w);
        assert_memory_not_equal(first, moved, bytes);
        make_matrix(w, 0, NULL);
        assert_memory_equal(moved, w->assembly.values, bytes);
        free(first);
        free(moved);
        pli_scene_destroy(owner);
        pli_scene_destroy(other_owner);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_changes_is_seen),
        cmocka_unit_test(test_error_is_bounded),
        cmocka_unit_test(test_all_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
