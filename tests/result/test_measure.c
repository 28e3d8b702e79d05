// Measures of a run from hand-written records: paths, names in lists, reductions, what is refused.
#define _POSIX_C_SOURCE 200809L // mkdtemp
#include "pliant/measure.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char records[] =
    "{\"time\":0.1,\"kept\":true,\"total\":5,\"energies\":{\"gravity\":-2},\"residual\":null,"
    "\"supports\":[{\"body\":\"bar\",\"force\":[1,2,3]},{\"body\":\"rod\",\"force\":[4,5,6]},"
    "{\"body\":\"rod\",\"force\":[7,8,9]}],\"contacts\":[]}\n"
    "{\"time\":0.2,\"kept\":true,\"total\":-1,\"energies\":{\"gravity\":-4},\"residual\":0.5,"
    "\"supports\":[{\"body\":\"bar\",\"force\":[1,20,3]},{\"body\":\"rod\",\"force\":[4,5,6]},"
    "{\"body\":\"rod\",\"force\":[7,8,9]}],"
    "\"contacts\":[{\"a\":\"bar\",\"b\":\"ground\",\"count\":3,\"force\":[0,1.5,0]}]}\n"
    "{\"time\":0.3,\"kept\":true,\"total\":2,\"ener"; // a run that still writes

static char folder[] = "/tmp/pliant_measure_XXXXXX";
static char path[sizeof folder + 32];

static int make_folder(void** state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/stats.jsonl", folder);
    FILE* file = fopen(path, "w");
    if (!file) return -1;
    fputs(records, file);
    return fclose(file);
}

static int remove_folder(void** state) {
    (void)state;
    return remove(path) | remove(folder);
}

static double measured(const char* text) {
    double value = 0;
    pli_error error = PLI_NO_ERROR;
    if (pli_measure(folder, text, &value, &error) != PLI_OK) fail_msg("%s", error.message);
    return value;
}

static void values(void** state) {
    (void)state;
    static const struct {
        const char* text;
        double value;
    } rows[] = {
        {"total", -1},
        {"last(total)", -1},
        {"first(total)", 5},
        {"max(total)", 5},
        {"min(total)", -1},
        {"mean(total)", 2},
        {"sum(energies.gravity)", -6},
        {"kept", 1},
        {"supports.bar.force.y", 20},
        {"supports.bar.force.1", 20},
        {"mean(supports.bar.force.y)", 11},
        {"supports.2.force.z", 9},
        {"contacts.bar:ground.count", 3}, // absent in the first step
        {"first(contacts.0.force.y)", 1.5},
        {"first(residual)", 0.5}, // null does not count
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (measured(rows[i].text) != rows[i].value)
            fail_msg("%s is %g", rows[i].text, measured(rows[i].text));
}

static void refused(void** state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"energies.gravty", "did you mean \"gravity\"?"},
        {"supports.baar.force.y", "there are bar, rod, rod"},
        {"supports.rod.force.y", "2 have the name \"rod\": use a number from 0"},
        {"supports.bar.force.w", "there are x, y, z"},
        {"supports.bar.force", "is no number"},
        {"total.x", "\"total\" has no parts"},
        {"mex(total)", "did you mean max"},
        {"max(total", "must be NAME or one of"},
        {"", "empty"},
        {"a..b", "a name is empty"},
        {"max()", "a name is empty"},
        {"a.b.c.d.e.f.g.h.i", "more than 8"},
        {"bodies.bar", "must be like bodies.NAME.position.x"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        double value = 7;
        pli_error error = PLI_NO_ERROR;
        assert_int_equal(pli_measure(folder, rows[i].text, &value, &error), PLI_E_ARGUMENT);
        if (!strstr(error.message, rows[i].message))
            fail_msg("%s: %s", rows[i].text, error.message);
        assert_true(value == 7);
    }
    double value;
    assert_int_equal(pli_measure("/nowhere", "total", &value, NULL), PLI_E_IO);
    assert_int_equal(pli_measure(folder, "bodies.bar.position.x", &value, NULL), PLI_E_IO);
}

static void collect(void* context, double time, double value) {
    double* sums = context;
    sums[0] += time;
    sums[1] += value;
}

static void each_step(void** state) {
    (void)state;
    double sums[2] = {0};
    assert_int_equal(pli_measure_each(folder, "supports.bar.force.y", collect, sums, NULL), PLI_OK);
    assert_true(fabs(sums[0] - 0.3) < 1e-15 && sums[1] == 22);
    assert_int_equal(pli_measure_each(folder, "max(total)", collect, sums, NULL), PLI_E_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(refused),
        cmocka_unit_test(each_step),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
