// Reports: well-formed, alone, with the right numbers.
#include "record/run_fixture.h"

#include "oracle/allocator.h"
#include "pliant/report.h"
#include "result/xml_check.h"

static pli_report_info write_report(const test_result* r) {
    pli_report_def def = pli_default_report_def();
    pli_report_info info = {0};
    pli_error error = {0};
    def.folder = r->run;
    if (pli_report(&def, &info, &error) != PLI_OK) fail_msg("%s", error.message);
    return info;
}

static char* read_report(const test_result* r) {
    static const char doctype[] = "<!DOCTYPE html>\n";
    char* text = read_whole(&r->folder, "run/report.html", NULL);
    assert_int_equal(strncmp(text, doctype, sizeof doctype - 1), 0);
    memmove(text, text + sizeof doctype - 1, strlen(text + sizeof doctype - 1) + 1);
    assert_true(is_well_formed(text));
    return text;
}

static int count_text(const char* text, const char* what) {
    int count = 0;
    while ((text = strstr(text, what))) ++count, ++text;
    return count;
}

static void has(const char* text, const char* what) {
    if (!strstr(text, what)) fail_msg("the report lacks %s", what);
}

// Three steps by hand: every sum can be done in the head.
static const char records[] =
    "{\"step\":1,\"time\":0.25,\"substeps\":1,\"iterations\":3,\"residual\":0.001,"
    "\"contact_count\":0,\"min_distance\":null,\"reason\":\"converged\",\"seconds\":{\"hessian\":"
    "0.25,\"total\":1},\"energies\":{\"gravity\":-4,\"a<b\":0},\"total\":7,"
    "\"balance\":{\"kinetic\":2}}\n"
    "{\"step\":2,\"time\":0.5,\"substeps\":4,\"iterations\":10,\"residual\":0.002,"
    "\"contact_count\":6,\"min_distance\":0.5,\"reason\":\"converged\",\"seconds\":{\"hessian\":0."
    "5,"
    "\"total\":2},\"energies\":{\"gravity\":-6,\"a<b\":0},\"total\":8,\"balance\":{\"kinetic\":1}}"
    "\n"
    "{\"step\":3,\"time\":0.75,\"substeps\":1,\"iterations\":5,\"residual\":0.004,"
    "\"contact_count\":2,\"min_distance\":0.125,\"reason\":\"it <stalled>\",\"remedy\":\"rest\","
    "\"seconds\":{\"hessian\":0.25,\"total\":1},\"energies\":{\"gravity\":-9,\"a<b\":0},"
    "\"total\":9,\"balance\":{\"kinetic\":0.5}}\n"
    "{\"step\":4,\"time\":1"; // a run is writing it

static void numbers_are_right(void** state) {
    (void)state;
    test_result r = make_result(1);
    write_whole(&r.folder, "run/stats.jsonl", records);
    pli_report_info info = write_report(&r);
    assert_int_equal(info.step_count, 3);
    char* text = read_report(&r);
    assert_int_equal(info.bytes, strlen(text) + strlen("<!DOCTYPE html>\n"));
    has(text, "<title>a title</title>");
    has(text, "<td>steps</td><td>3, t = 0.75 s</td>");
    has(text, "<td>18, 6.00 per step, at most 10</td>");
    has(text, "<td>divided</td><td>1 steps</td>");
    has(text, "<td>not converged</td><td>1 steps</td>");
    has(text, "<td>at most 6 at the end of a step, smallest distance 0.125 m</td>");
    has(text, "<td>4.000 s, 1.33e+03 ms per step</td>");
    has(text, "<td>hessian</td><td class=\"n\">1.000</td><td class=\"n\">25.0</td>");
    has(text, "<td>rest of steps</td><td class=\"n\">3.000</td><td class=\"n\">75.0</td>");
    has(text,
        "<td>gravity</td><td class=\"n\">-4</td><td class=\"n\">-9</td><td class=\"n\">-5</td>");
    has(text, "<td>total</td><td class=\"n\">7</td><td class=\"n\">9</td><td class=\"n\">2</td>");
    has(text, "<td>into motion</td><td class=\"n\">3.5</td>");
    has(text, "<td>it &lt;stalled&gt;</td><td>rest</td>");
    has(text, "<td>my &quot;solid&quot;, 1</td><td class=\"n\">5</td>");
    assert_int_equal(count_text(text, "<svg "),
                     5); // energies, iterations, residual, time, contacts
    assert_int_equal(count_text(text, "</svg>"), 5);
    free(text);
    remove_result(&r);
}

// Forces of the last step, with friction; several supports of a kind add up; the largest of all
// steps.
static void forces_come_first(void** state) {
    (void)state;
    static const char lines[] =
        "{\"step\":1,\"time\":0.5,\"supports\":[{\"body\":\"bar\",\"kind\":\"fixed\",\"force\":[0,"
        "30,0],"
        "\"torque\":[0,0,1]}],\"contacts\":[{\"a\":\"bar\",\"b\":\"cup\",\"force\":[3,0,0],"
        "\"friction\":[0,4,0]},{\"a\":\"bar\",\"b\":\"left\",\"force\":[1,0,0],\"friction\":[0,0,0]"
        "}]}\n"
        "{\"step\":2,\"time\":1,\"supports\":[{\"body\":\"bar\",\"kind\":\"fixed\",\"force\":[0,10,"
        "0],"
        "\"torque\":[0,0,2]},{\"body\":\"bar\",\"kind\":\"fixed\",\"force\":[0,5,0],\"torque\":[0,"
        "0,3]}],"
        "\"contacts\":[{\"a\":\"bar\",\"b\":\"cup\",\"force\":[1,0,0],\"friction\":[0,2,0]}]}\n";
    test_result r = make_result(1);
    write_whole(&r.folder, "run/stats.jsonl", lines);
    write_report(&r);
    char* text = read_report(&r);
    has(text, "<td>bar</td><td>fixed</td><td class=\"n\">0</td><td class=\"n\">15</td>"
              "<td class=\"n\">0</td><td class=\"n\">0</td><td class=\"n\">0</td>"
              "<td class=\"n\">5</td><td class=\"n\">30</td><td class=\"n\">0.5</td>");
    has(text, "<td>bar</td><td>cup</td><td class=\"n\">1</td><td class=\"n\">2</td>"
              "<td class=\"n\">0</td><td class=\"n\">5</td><td class=\"n\">0.5</td>");
    has(text,
        "<td>bar</td><td>left</td><td></td><td></td><td></td><td class=\"n\">1</td>"); // apart
    assert_true(strstr(text, ">Supports<") < strstr(text, ">Pictures<"));
    free(text);
    remove_result(&r);
}

// The residual is a speed or a relative force; an old run does not say which.
static void residuals_have_their_unit(void** state) {
    (void)state;
    static const struct {
        const char *member, *label;
    } rows[] = {{"\"residual_unit\":\"m/s\"", ">Residual [m/s], at the end of a step<"},
                {"\"residual_unit\":\"1\"", ">Residual (relative force), at the end of a step<"},
                {"\"title\":\"old\"", ">Residual, at the end of a step<"}};
    test_result r = make_result(1);
    write_whole(&r.folder, "run/stats.jsonl", records);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char card[64];
        snprintf(card, sizeof card, "{%s}", rows[i].member);
        write_whole(&r.folder, "run/run.json", card);
        write_report(&r);
        char* text = read_report(&r);
        has(text, rows[i].label);
        free(text);
    }
    remove_result(&r);
}

// Nothing of it runs, nothing is loaded: the one address names what SVG is.
static void pages_are_alone(void** state) {
    (void)state;
    test_result r = make_result(3);
    write_whole(&r.folder, "run/preview.svg", "<svg><script>alert(1)</script></svg>");
    write_report(&r);
    char* text = read_report(&r);
    has(text, "src=\"data:image/svg+xml;base64,PHN2Zz48c2NyaXB0PmFsZXJ0KDEpPC9zY3JpcHQ+PC9zdmc+\"");
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "href"));
    assert_int_equal(count_text(text, "src="), 1);
    assert_int_equal(count_text(text, "://"), count_text(text, "http://www.w3.org/2000/svg"));
    free(text);
    remove_result(&r);
}

// A run that has just begun has no steps; an old one no run.json.
static void little_is_enough(void** state) {
    (void)state;
    test_result r = make_result(1);
    char path[2 * TEST_PATH_SIZE];
    write_whole(&r.folder, "run/stats.jsonl", "");
    assert_int_equal(remove(path_in(&r.folder, "run/run.json", path)), 0);
    assert_int_equal(write_report(&r).step_count, 0);
    char* text = read_report(&r);
    assert_int_equal(count_text(text, "<svg "), 0);
    has(text, "<td>0, t = 0 s</td>");
    free(text);
    remove_result(&r);
}

static void long_runs_are_thinned(void** state) {
    (void)state;
    test_result r = make_result(1);
    char path[2 * TEST_PATH_SIZE];
    FILE* file = fopen(path_in(&r.folder, "run/stats.jsonl", path), "w");
    for (int i = 1; i <= 9000; ++i)
        fprintf(file,
                "{\"step\":%d,\"time\":%d,\"iterations\":2,\"reason\":\"converged\","
                "\"seconds\":{\"total\":0.5},\"energies\":{\"e\":%d},\"total\":%d}\n",
                i, i, i % 100, i % 100);
    fclose(file);
    assert_int_equal(write_report(&r).step_count, 9000);
    char* text = read_report(&r);
    has(text, "<td>18000, 2.00 per step, at most 2</td>");
    has(text, "one step in 4");
    assert_true(strlen(text) < 100000);
    free(text);
    remove_result(&r);
}

// Lists are cut, and say by how much: 13 steps in trouble, 3 of them blocked; 45 bodies.
static void long_lists_are_cut(void** state) {
    (void)state;
    test_result r = make_result(1);
    char path[2 * TEST_PATH_SIZE];
    FILE* file = fopen(path_in(&r.folder, "run/stats.jsonl", path), "w");
    for (int i = 1; i <= 13; ++i)
        fprintf(file, "{\"step\":%d,\"time\":%d,\"reason\":\"%s\"}\n", i, i,
                pli_reason_text(i > 10 ? PLI_BLOCKED : PLI_ITERATION_CAP));
    fclose(file);
    file = fopen(path_in(&r.folder, "run/run.json", path), "w");
    fprintf(file, "{\"dimension\":2,\"bodies\":[");
    for (int i = 0; i < 45; ++i)
        fprintf(file, "%s{\"name\":\"b%d\",\"vertices\":[%d,%d]}", i > 0 ? "," : "", i, i, i + 1);
    fprintf(file, "]}\n");
    fclose(file);
    write_report(&r);
    char* text = read_report(&r);
    has(text, "<td>45, in 2 dimensions</td>");
    has(text, "<td>not converged</td><td>10 steps</td>");
    has(text, "<td>blocked</td><td>3 steps");
    has(text, "<p class=\"said\">and 3 more</p>");
    has(text, "<p class=\"said\">and 5 more</p>");
    has(text, "<td>b39</td>");
    assert_null(strstr(text, "<td>b40</td>"));
    free(text);
    remove_result(&r);
}

static bool stop_half_way(void* context, const pli_export_progress* now) {
    double* last = context;
    assert_true(now->done >= *last && now->done <= 1);
    *last = now->done;
    return now->done < 0.5;
}

static void reading_can_be_stopped(void** state) {
    (void)state;
    test_result r = make_result(1);
    char path[2 * TEST_PATH_SIZE];
    double last = 0;
    FILE* file = fopen(path_in(&r.folder, "run/stats.jsonl", path), "w");
    for (int i = 1; i <= 4000; ++i) fprintf(file, "{\"step\":%4d,\"time\":1}\n", i);
    fclose(file);
    pli_report_def def = {
        .size = sizeof def, .folder = r.run, .progress = stop_half_way, .context = &last};
    pli_report_info info = {0};
    pli_error error = {0};
    assert_int_equal(pli_report(&def, &info, &error), PLI_OK);
    assert_true(info.cancelled);
    assert_true(last >= 0.5 && last < 0.7);
    assert_false(exists_in(&r.folder, "run/report.html"));
    assert_false(exists_in(&r.folder, "run/report.html.tmp"));
    remove_result(&r);
}

static void failures_leave_nothing(void** state) {
    (void)state;
    test_result r = make_result(1);
    pli_report_def def = {.size = sizeof def, .folder = r.run};
    pli_error error = {0};
    assert_int_equal(pli_report(NULL, NULL, &error), PLI_E_ARGUMENT);
    def.out = "";
    assert_int_equal(pli_report(&def, NULL, &error), PLI_E_ARGUMENT);
    def.out = NULL;
    file_limit limit = limit_files(20);
    pli_status status = pli_report(&def, NULL, &error);
    restore_files(&limit);
    assert_int_equal(status, PLI_E_IO);
    write_whole(&r.folder, "run/stats.jsonl", "{}\n[1]\n");
    assert_int_equal(pli_report(&def, NULL, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "stats.jsonl:2"));
    write_whole(&r.folder, "run/stats.jsonl", "{}\n");
    write_whole(&r.folder, "run/run.json", "[1]");
    assert_int_equal(pli_report(&def, NULL, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "run.json: not a JSON object"));
    def.folder = r.folder.path;
    assert_int_equal(pli_report(&def, NULL, &error), PLI_E_IO);
    assert_false(exists_in(&r.folder, "run/report.html"));
    assert_false(exists_in(&r.folder, "run/report.html.tmp"));
    remove_result(&r);
}

static void memory_may_end_anywhere(void** state) {
    (void)state;
    test_result r = make_result(2);
    write_whole(&r.folder, "run/preview.svg", "<svg/>");
    pli_status status = PLI_E_MEMORY;
    for (int i = 1; status != PLI_OK; ++i) {
        pli_test_allocator counter = {.fail_at = i};
        const pli_allocator allocator = pli_test_hook(&counter);
        pli_report_def def = {.size = sizeof def, .folder = r.run, .allocator = &allocator};
        status = pli_report(&def, NULL, NULL);
        assert_true(status == PLI_OK || status == PLI_E_MEMORY);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
        assert_int_equal(exists_in(&r.folder, "run/report.html"), status == PLI_OK);
    }
    remove_result(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_right),      cmocka_unit_test(forces_come_first),
        cmocka_unit_test(pages_are_alone),        cmocka_unit_test(residuals_have_their_unit),
        cmocka_unit_test(little_is_enough),       cmocka_unit_test(long_runs_are_thinned),
        cmocka_unit_test(long_lists_are_cut),     cmocka_unit_test(reading_can_be_stopped),
        cmocka_unit_test(failures_leave_nothing), cmocka_unit_test(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
