// Curved edges of quadratic elements: middles on the surface, volumes of order 4, no folded
// element.
#include "mesh/measure.h"
#include "oracle/allocator.h"
#include "oracle/near.h"
#include "pliant/mesh.h"

static const double pi = 3.14159265358979323846;

static void onto_ball(const void* context, double x[3]) {
    double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int k = 0; k < 3; ++k) x[k] *= *(const double*)context / r;
}

static double volume(const pli_mesh* mesh, double* least) {
    pli_element_kind kind =
        mesh->element_count[PLI_TETRAHEDRON10] > 0 ? PLI_TETRAHEDRON10 : PLI_TRIANGLE6;
    double sum = 0;
    *least = HUGE_VAL;
    for (int e = 0; e < mesh->element_count[kind]; ++e) {
        double v =
            pli_element_measure(kind == PLI_TRIANGLE6 ? 2 : 3, kind,
                                mesh->elements[kind] + pli_element_size(kind) * e, mesh->positions);
        sum += v;
        *least = fmin(*least, v);
    }
    return sum;
}

// The error of the volume of a ball falls with the fourth power of the size; with straight edges
// with the second.
static void balls(void** state) {
    (void)state;
    double off[2][2] = {{0}}, radius = 0.5, least, whole = 4 * pi / 3 * radius * radius * radius;
    for (int i = 0; i < 2; ++i) {
        pli_mesh mesh;
        pli_error error = {0};
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_ball(&mesh, radius, 3 << i, &error));
        ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
        off[0][i] = whole - volume(&mesh, &least);
        ASSERT_OK(pli_mesh_curve(&mesh, "surface", onto_ball, &radius, &error));
        off[1][i] = whole - volume(&mesh, &least);
        assert_true(least > 0);
        int group = pli_mesh_find_group(&mesh, "surface");
        for (int k = 0; k < mesh.groups[group].vertex_count; ++k) { // middles are in it, too
            const double* x = mesh.positions + 3 * mesh.groups[group].vertices[k];
            ASSERT_NEAR(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), radius, 1e-15);
        }
        pli_mesh_straighten(&mesh);
        ASSERT_NEAR(whole - volume(&mesh, &least), off[0][i], 1e-15);
        pli_mesh_free(&mesh);
    }
    print_message("    volume off by %.2e, %.2e straight, %.2e, %.2e curved\n", off[0][0],
                  off[0][1], off[1][0], off[1][1]);
    assert_true(off[0][0] / off[0][1] > 3.5 && off[0][0] / off[0][1] < 4.5);
    assert_true(off[1][0] / off[1][1] > 12 && off[1][0] < 0.02 * off[0][0]);
}

// The coarsest ones: edges of a quarter of the circle and more. Nothing folds.
static void coarse_shapes(void** state) {
    (void)state;
    double radius = 1, least;
    for (int shells = 1; shells < 4; ++shells) {
        pli_mesh ball, disk;
        pli_error error = {0};
        pli_mesh_init(&ball, NULL);
        pli_mesh_init(&disk, NULL);
        ASSERT_OK(pli_mesh_add_ball(&ball, 1, shells, &error));
        ASSERT_OK(pli_mesh_make_quadratic(&ball, &error));
        double before = volume(&ball, &least);
        ASSERT_OK(pli_mesh_curve(&ball, "surface", onto_ball, &radius, &error));
        double after = volume(&ball, &least);
        assert_true(least > 0 && after > before && after < 4 * pi / 3);
        ASSERT_OK(pli_mesh_add_disk(&disk, 1, shells, &error));
        ASSERT_OK(pli_mesh_make_quadratic(&disk, &error));
        ASSERT_OK(pli_mesh_curve(&disk, "rim", onto_ball, &radius, &error));
        ASSERT_NEAR(volume(&disk, &least), pi, 0.02 / (shells * shells)); // Simpson's rule of arcs
        assert_true(least > 0);
        pli_mesh_free(&disk);
        pli_mesh_free(&ball);
    }
}

// Onto a surface so far away that elements would fold: they do not.
static void far_surface(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_error error = {0};
    double far = 0.2, least;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_ball(&mesh, 1, 3, &error));
    ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    ASSERT_OK(pli_mesh_curve(&mesh, "surface", onto_ball, &far, &error));
    volume(&mesh, &least);
    assert_true(least > 0);
    assert_int_equal(pli_mesh_curve(&mesh, "side", onto_ball, &far, &error), PLI_E_ARGUMENT);
    pli_mesh_free(&mesh);
}

static void out_of_memory(void** state) {
    (void)state;
    double radius = 1;
    for (int fail_at = 1, failed = 1; failed; ++fail_at) {
        pli_test_allocator counter = {0};
        pli_allocator hook = pli_test_hook(&counter);
        pli_mesh mesh;
        pli_error error = {0};
        pli_mesh_init(&mesh, &hook);
        ASSERT_OK(pli_mesh_add_ball(&mesh, 1, 1, &error));
        ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
        counter.requests = 0;
        counter.fail_at = fail_at;
        failed = pli_mesh_curve(&mesh, "surface", onto_ball, &radius, &error) != PLI_OK;
        if (failed) assert_int_equal(error.status, PLI_E_MEMORY);
        pli_mesh_free(&mesh);
        assert_true(counter.bytes == 0 && !counter.wrong_size);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls),
        cmocka_unit_test(coarse_shapes),
        cmocka_unit_test(far_surface),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
