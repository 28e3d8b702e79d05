// stats.jsonl: every field of a step, as strict JSON, line by line.
#include "result/fixture.h"

#include "record/json_check.h"

#include "record/recorder.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

static pli_step_info some_info(void) {
    return (pli_step_info){
        .reason = PLI_CONVERGED,
        .remedy = "",
        .kept = true,
        .step = 3,
        .time = 0.03,
        .time_step = 0.01,
        .substeps = 1,
        .iterations = 5,
        .linear_iterations = 40,
        .lag_passes = 2,
        .blocked = 1,
        .residual = 1.5e-10,
        .unbalanced = 0.25,
        .worst_vertex = 3,
        .min_step = 0.5,
        .contact_count = 0,
        .min_distance = HUGE_VAL,
        .rejected = 2,
        .balance = {1, -2, 0.5, 0.25, 0.125, 4, 0.375, 0.75, 0.0625},
        .unknown_count = 242,
        .factor_nonzeros = 5000000000,
        .symbolic_count = 6,
        .seconds = {.gradient = 0.1,
                    .hessian = 0.2,
                    .assembly = 0.3,
                    .symbolic = 0.4,
                    .numeric = 0.5,
                    .solve = 0.6,
                    .collision = 0.7,
                    .line_search = 0.8,
                    .total = 3.6},
    };
}

static char* write_one(const pli_step_info* info, const char* reason, const pli_snapshot* s) {
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_file file;
    assert_int_equal(pli_stats_open(&file, folder.path, &error), PLI_OK);
    assert_int_equal(pli_stats_write(&file, info, reason, s, &error), PLI_OK);
    char* text = read_whole(&folder, "stats.jsonl", NULL); // while still open: it is flushed
    pli_file_abandon(&file);
    assert_true(exists_in(&folder, "stats.jsonl"));
    remove_test_folder(&folder);
    return text;
}

static void line_has_every_field(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    pli_step_info info = some_info();
    char* text = write_one(&info, "converged", &m.snapshot);
    assert_int_equal(count_json_lines(text), 1);
    assert_string_equal(
        text,
        "{\"step\":3,\"time\":0.03,\"time_step\":0.01,\"kept\":true,\"substeps\":1,"
        "\"rejected\":2,"
        "\"iterations\":5,\"linear_iterations\":40,\"lag_passes\":2,\"blocked\":1,"
        "\"residual\":1.5e-10,\"unbalanced\":0.25,\"worst_vertex\":3,\"min_step\":0.5,\"contact_"
        "count\":0,\"min_"
        "distance\":null,"
        "\"unknown_count\":242,\"factor_nonzeros\":5000000000,\"symbolic_count\":6,"
        "\"reason\":\"converged\","
        "\"seconds\":{\"gradient\":0.1,\"hessian\":0.2,\"assembly\":0.3,\"symbolic\":0.4,"
        "\"numeric\":0.5,\"solve\":0.6,\"collision\":0.7,\"line_search\":0.8,\"total\":3.6},"
        "\"energies\":{\"kinetic\":1.5,\"spring\":0.1,\"gravity\":-3,\"unused\":0},"
        "\"total\":-1.4,"
        "\"balance\":{\"kinetic\":1,\"potential\":-2,\"dissipated\":0.5,\"numerical\":0.25,"
        "\"work_prescribed\":0.125,\"work_loads\":4,\"stiffening\":0.375,\"changes\":0.75,\"residual\":0.0625,\"inelastic\":0},"
        "\"supports\":["
        "{\"body\":\"solid\",\"kind\":\"fixed\",\"vertices\":2,\"blocked\":0,\"centre\":[0,0.5,0],"
        "\"force\":[0,9.81,0.001],\"torque\":[1,2,-3]},"
        "{\"body\":\"mass\",\"kind\":\"prescribed\",\"vertices\":1,\"blocked\":1,\"centre\":[7,8,9]"
        ","
        "\"force\":[0,0,0],\"torque\":[0,0,0]}]}\n");
    free(text);
}

static void failed_step_carries_its_remedy(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    pli_step_info info = some_info();
    info.reason = PLI_ITERATION_CAP;
    info.remedy = "raise \"max_iterations\"\nor the tolerance";
    info.kept = false;
    info.min_distance = 1e-3;
    char* text = write_one(&info, "iteration cap", &m.snapshot);
    assert_int_equal(count_json_lines(text), 1);
    assert_non_null(strstr(text, "\"reason\":\"iteration cap\",\"remedy\":\"raise "
                                 "\\\"max_iterations\\\"\\nor the tolerance\""));
    assert_non_null(strstr(text, "\"kept\":false"));
    assert_non_null(strstr(text, "\"min_distance\":0.001"));
    free(text);
}

static void contacts_by_bodies(void** state) {
    (void)state;
    mixed_scene m;
    mixed_contacts c;
    fill_mixed(&m);
    touch_mixed(&m, &c);
    pli_step_info info = some_info();
    char* text = write_one(&info, "converged", &m.snapshot);
    assert_int_equal(count_json_lines(text), 1);
    assert_non_null(strstr(text,
                           "}],\"contacts\":[{\"a\":\"solid\",\"b\":\"mass\",\"count\":1,"
                           "\"min_distance\":0.25,\"force\":[0,0,-11],\"friction\":[0,0,0]},"
                           "{\"a\":\"mass\",\"b\":\"ground\",\"count\":1,\"min_distance\":0.5,"
                           "\"force\":[0,7,0],\"friction\":[1,0,-1]}]}\n"));
    free(text);

    m.snapshot.body_contact_count = 0; // nothing touches now
    text = write_one(&info, "converged", &m.snapshot);
    assert_non_null(strstr(text, "}],\"contacts\":[]}\n"));
    free(text);
}

static void many_contacts_are_cut(void** state) {
    (void)state;
    mixed_scene m;
    mixed_contacts c;
    fill_mixed(&m);
    touch_mixed(&m, &c);
    pli_body_contact_info pairs[PLI_BODY_CONTACTS_KEPT];
    for (int i = 0; i < PLI_BODY_CONTACTS_KEPT; ++i) pairs[i] = c.pairs[1];
    pairs[0].min_distance = HUGE_VAL; // come apart
    m.snapshot.body_contacts = pairs;
    m.snapshot.body_contact_count = PLI_BODY_CONTACTS_KEPT + 7;
    pli_step_info info = some_info();
    char* text = write_one(&info, "converged", &m.snapshot);
    assert_int_equal(count_json_lines(text), 1);
    assert_non_null(strstr(text, "],\"contacts_omitted\":7}\n"));
    assert_non_null(strstr(text, "\"min_distance\":null,\"force\":[0,7,0]"));
    int count = 0;
    for (const char* at = text; (at = strstr(at, "\"b\":\"ground\"")); ++at) count++;
    assert_int_equal(count, PLI_BODY_CONTACTS_KEPT);
    free(text);
}

static void numbers_that_are_not_finite_become_null(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    m.energy_values[1] = HUGE_VAL;
    m.energy_values[2] = m.snapshot.total_energy = nan("");
    pli_step_info info = some_info();
    char* text = write_one(&info, "converged", &m.snapshot);
    assert_int_equal(count_json_lines(text), 1);
    assert_non_null(strstr(text, "\"spring\":null,\"gravity\":null,"));
    assert_non_null(strstr(text, "},\"total\":null,"));
    free(text);
}

static void locale_does_not_matter(void** state) {
    (void)state;
    if (!use_comma_locale()) skip();
    mixed_scene m;
    fill_mixed(&m);
    pli_step_info info = some_info();
    char* text = write_one(&info, "converged", &m.snapshot);
    setlocale(LC_ALL, "C");
    assert_int_equal(count_json_lines(text), 1);
    assert_non_null(strstr(text, "\"time\":0.03,"));
    free(text);
}

// When the disk fills up in the middle of a line, whole lines are left.
static void half_lines_are_taken_back(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    pli_step_info info = some_info();
    test_folder folder = make_test_folder();
    struct rlimit old_limit, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
    limit = old_limit;
    limit.rlim_cur = 5000;
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);

    pli_error error = {0};
    pli_file file;
    pli_status status = pli_stats_open(&file, folder.path, &error);
    int written = 0;
    while (status == PLI_OK && written < 100) {
        status = pli_stats_write(&file, &info, "converged", &m.snapshot, &error);
        if (status == PLI_OK) written++;
    }
    pli_file_abandon(&file);

    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
    signal(SIGXFSZ, old_handler);
    assert_int_equal(status, PLI_E_IO);
    assert_non_null(strstr(error.message, "stats.jsonl: File too large"));
    assert_true(written > 1 && written < 100);
    char* text = read_whole(&folder, "stats.jsonl", NULL);
    assert_int_equal(count_json_lines(text), written);
    free(text);
    remove_test_folder(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_has_every_field),
        cmocka_unit_test(failed_step_carries_its_remedy),
        cmocka_unit_test(contacts_by_bodies),
        cmocka_unit_test(many_contacts_are_cut),
        cmocka_unit_test(numbers_that_are_not_finite_become_null),
        cmocka_unit_test(locale_does_not_matter),
        cmocka_unit_test(half_lines_are_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
