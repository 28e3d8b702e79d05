// run.pvd lists all frames with their times.
#include "result/fixture.h"

#include "result/xml_check.h"

#include "result/pvd.h"

static void frames_are_listed(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const double times[] = {0, 0.1, 1.0 / 3};
    char name[PLI_FRAME_NAME_SIZE];
    assert_string_equal(pli_frame_name(12, name), "frame_000012.vtu");
    assert_string_equal(pli_frame_name(1234567, name), "frame_1234567.vtu");
    for (int count = 1; count <= 3; ++count)
        assert_int_equal(pli_pvd_write(times, count, NULL, folder.path, &memory, &error), PLI_OK);
    assert_int_equal(count_entries(&folder, false), 1);
    char* text = read_whole(&folder, "run.pvd", NULL);
    assert_true(is_well_formed(text));
    assert_non_null(strstr(text, "<VTKFile type=\"Collection\""));
    assert_non_null(strstr(text, "timestep=\"0\" part=\"0\" file=\"frame_000000.vtu\""));
    assert_non_null(strstr(text, "timestep=\"0.1\" part=\"0\" file=\"frame_000001.vtu\""));
    assert_non_null(
        strstr(text, "timestep=\"0.3333333333333333\" part=\"0\" file=\"frame_000002.vtu\""));
    assert_null(strstr(text, "frame_000003"));
    free(text);
    remove_test_folder(&folder);
}

static void contacts_are_a_second_part(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const double times[] = {0, 0.1};
    char name[PLI_FRAME_NAME_SIZE];
    assert_string_equal(pli_contacts_name(12, name), "contacts_000012.vtu");
    assert_int_equal(pli_pvd_write(times, 2, (bool[2]){true, true}, folder.path, &memory, &error),
                     PLI_OK);
    char* text = read_whole(&folder, "run.pvd", NULL);
    assert_true(is_well_formed(text));
    assert_non_null(
        strstr(text, "<DataSet timestep=\"0\" part=\"0\" file=\"frame_000000.vtu\"/>\n"
                     "<DataSet timestep=\"0\" part=\"1\" file=\"contacts_000000.vtu\"/>\n"
                     "<DataSet timestep=\"0.1\" part=\"0\" file=\"frame_000001.vtu\"/>\n"
                     "<DataSet timestep=\"0.1\" part=\"1\" file=\"contacts_000001.vtu\"/>\n"));
    free(text);
    remove_test_folder(&folder);
}

// A list that grows has the bytes of one that is made at once, also after frames were dropped.
static void lists_grow(void** state) {
    (void)state;
    enum { FRAMES = 30 };
    double times[FRAMES];
    bool contacts[FRAMES];
    pli_memory memory;
    pli_error error = {0};
    pli_pvd grown;
    pli_pack text, expected;
    pli_memory_init(&memory, NULL);
    pli_pvd_init(&grown, &memory);
    pli_pack_init(&text, &memory);
    pli_pack_init(&expected, &memory);
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < FRAMES; ++i) {
            times[i] = (1 + round) * i / 7.0;
            contacts[i] = (i + round) % 3 == 0;
        }
        for (int count = 0; count <= FRAMES; count += 1 + count / 3) {
            pli_pvd fresh;
            pli_pvd_init(&fresh, &memory);
            assert_int_equal(pli_pvd_pack(&grown, times, count, contacts, &text, &error), PLI_OK);
            assert_int_equal(pli_pvd_pack(&fresh, times, count, contacts, &expected, &error),
                             PLI_OK);
            assert_int_equal(text.size, expected.size);
            assert_memory_equal(text.bytes, expected.bytes, text.size);
            pli_pvd_free(&fresh);
        }
        pli_pvd_forget(&grown);
    }
    pli_pvd_free(&grown);
    pli_pack_free(&text);
    pli_pack_free(&expected);
    assert_int_equal(memory.bytes, 0);
}

static void failure_keeps_the_old_list(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const double times[] = {0, 1};
    assert_int_equal(pli_pvd_write(times, 1, NULL, folder.path, &memory, &error), PLI_OK);
    file_limit old = limit_files(100);
    pli_status status = pli_pvd_write(times, 2, NULL, folder.path, &memory, &error);
    restore_files(&old);
    assert_int_equal(status, PLI_E_IO);
    assert_non_null(strstr(error.message, "run.pvd: File too large"));
    assert_int_equal(count_entries(&folder, true), 0);
    char* text = read_whole(&folder, "run.pvd", NULL);
    assert_true(is_well_formed(text));
    assert_non_null(strstr(text, "frame_000000"));
    assert_null(strstr(text, "frame_000001"));
    free(text);
    remove_test_folder(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_listed),
        cmocka_unit_test(contacts_are_a_second_part),
        cmocka_unit_test(lists_grow),
        cmocka_unit_test(failure_keeps_the_old_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
