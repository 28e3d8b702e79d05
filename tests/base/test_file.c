// Files are complete or absent; failures name the path and the reason; nothing temporary stays.
#include "base/folder.h"

#include "base/file.h"

#include <sys/stat.h>

static void commit_gives_the_final_name(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_file file;
    assert_int_equal(pli_file_create(&file, folder.path, "a.txt", &error), PLI_OK);
    assert_true(exists_in(&folder, "a.txt.tmp"));
    assert_false(exists_in(&folder, "a.txt"));
    PLI_FILE_PRINT(&file, "%d;%.2f;", 7, 0.5);
    pli_file_number(&file, 0.1);
    assert_int_equal(pli_file_commit(&file, &error), PLI_OK);
    assert_false(exists_in(&folder, "a.txt.tmp"));
    char* text = read_whole(&folder, "a.txt", NULL);
    assert_string_equal(text, "7;0.50;0.1");
    free(text);
    remove_test_folder(&folder);
}

static void large_and_small_writes_keep_their_order(void** state) {
    (void)state;
    enum { BIG = 100000, ROUNDS = 3 };
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_file file;
    char* big = malloc(BIG);
    assert_non_null(big);
    assert_int_equal(pli_file_create(&file, folder.path, "b", &error), PLI_OK);
    for (int round = 0; round < ROUNDS; ++round) {
        pli_file_text(&file, "small");
        memset(big, 'A' + round, BIG);
        pli_file_write(&file, big, BIG);
    }
    assert_int_equal(pli_file_commit(&file, &error), PLI_OK);
    size_t size;
    char* text = read_whole(&folder, "b", &size);
    assert_int_equal(size, ROUNDS * (BIG + 5));
    for (int round = 0; round < ROUNDS; ++round) {
        const char* at = text + round * (BIG + 5);
        assert_memory_equal(at, "small", 5);
        memset(big, 'A' + round, BIG);
        assert_memory_equal(at + 5, big, BIG);
    }
    free(text);
    free(big);
    remove_test_folder(&folder);
}

static void abandon_leaves_the_old_file(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_file file;
    write_whole(&folder, "c", "old");
    assert_int_equal(pli_file_create(&file, folder.path, "c", &error), PLI_OK);
    pli_file_text(&file, "new");
    pli_file_abandon(&file);
    pli_file_abandon(&file); // a second time does nothing
    assert_int_equal(count_entries(&folder, false), 1);
    char* text = read_whole(&folder, "c", NULL);
    assert_string_equal(text, "old");
    free(text);
    remove_test_folder(&folder);
}

static void text_is_escaped(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_file file;
    const char* hard = "a<b> & \"c\"\\\n\t\x01 \xc3\xa4 \xff \xe2\x82";
    assert_int_equal(pli_file_create(&file, folder.path, "d", &error), PLI_OK);
    pli_file_xml(&file, hard);
    pli_file_text(&file, "|");
    // XML has neither U+FFFE nor U+FFFF; their neighbours it has.
    pli_file_xml(&file, "\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd\xf0\x90\x80\x80\xed\xa0\x80");
    pli_file_text(&file, "|");
    pli_file_json(&file, hard);
    assert_int_equal(pli_file_commit(&file, &error), PLI_OK);
    char* text = read_whole(&folder, "d", NULL);
    assert_string_equal(text, "a&lt;b&gt; &amp; &quot;c&quot;\\    \xc3\xa4 ? ??|"
                              "??\xef\xbf\xbd\xf0\x90\x80\x80???|"
                              "\"a<b> & \\\"c\\\"\\\\\\n\\t  \xc3\xa4 ? ??\"");
    free(text);
    remove_test_folder(&folder);
}

// The file cannot grow beyond a limit: the temporary one goes, the old one stays.
static void failure_while_writing_leaves_nothing(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    write_whole(&folder, "e", "old");
    file_limit old = limit_files(50000);
    pli_error error = {0};
    pli_file file;
    pli_status created = pli_file_create(&file, folder.path, "e", &error);
    for (int i = 0; i < 10000; ++i) pli_file_text(&file, "ten bytes.");
    pli_status committed = pli_file_commit(&file, &error);
    restore_files(&old);
    assert_int_equal(created, PLI_OK);
    assert_int_equal(committed, PLI_E_IO);
    assert_int_equal(error.status, PLI_E_IO);
    assert_non_null(strstr(error.message, folder.path));
    assert_non_null(strstr(error.message, "File too large"));
    assert_int_equal(count_entries(&folder, false), 1);
    char* text = read_whole(&folder, "e", NULL);
    assert_string_equal(text, "old");
    free(text);
    remove_test_folder(&folder);
}

// Whoever can write to the results folder may have put links there: what they point to stays as it
// is, and a pipe does not make the writer wait.
static void links_are_replaced_not_followed(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    char target[2 * TEST_PATH_SIZE], path[2 * TEST_PATH_SIZE];
    pli_file file;
    write_whole(&folder, "victim", "precious");
    path_in(&folder, "victim", target);
    static const char* const names[] = {"f", "f.tmp", "g"};
    for (int i = 0; i < 3; ++i)
        assert_int_equal(symlink(target, path_in(&folder, names[i], path)), 0);
    assert_int_equal(mkfifo(path_in(&folder, "h.tmp", path), 0600), 0);

    assert_int_equal(pli_file_create(&file, folder.path, "f", &error), PLI_OK);
    pli_file_text(&file, "new f");
    assert_int_equal(pli_file_commit(&file, &error), PLI_OK);
    assert_int_equal(pli_file_create_direct(&file, folder.path, "g", &error), PLI_OK);
    pli_file_text(&file, "new g");
    assert_int_equal(pli_file_commit(&file, &error), PLI_OK);
    assert_int_equal(pli_file_create(&file, folder.path, "h", &error), PLI_OK);
    assert_int_equal(pli_file_commit(&file, &error), PLI_OK);

    static const char* const expected[][2] = {
        {"victim", "precious"}, {"f", "new f"}, {"g", "new g"}, {"h", ""}};
    for (int i = 0; i < 4; ++i) {
        struct stat info;
        char* text = read_whole(&folder, expected[i][0], NULL);
        assert_string_equal(text, expected[i][1]);
        free(text);
        assert_int_equal(lstat(path_in(&folder, expected[i][0], path), &info), 0);
        assert_true(S_ISREG(info.st_mode));
    }
    assert_int_equal(count_entries(&folder, false), 4);
    remove_test_folder(&folder);
}

static void places_that_cannot_be_written_are_named(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_file file;
    char path[2 * TEST_PATH_SIZE];
    assert_int_equal(pli_file_create(&file, path_in(&folder, "absent", path), "g", &error),
                     PLI_E_IO);
    assert_non_null(strstr(error.message, "absent/g"));
    assert_non_null(strstr(error.message, "No such file or directory"));

    write_whole(&folder, "plain", "");
    assert_int_equal(pli_file_create(&file, path_in(&folder, "plain", path), "g", &error),
                     PLI_E_IO);
    assert_non_null(strstr(error.message, "Not a directory"));

    // The final name is taken by a folder.
    assert_int_equal(mkdir(path_in(&folder, "taken", path), 0777), 0);
    assert_int_equal(pli_file_create(&file, folder.path, "taken", &error), PLI_OK);
    assert_int_equal(pli_file_commit(&file, &error), PLI_E_IO);
    assert_int_equal(count_entries(&folder, true), 0);

    char* endless = malloc(2 * PLI_PATH_SIZE);
    assert_non_null(endless);
    memset(endless, 'x', 2 * PLI_PATH_SIZE - 1);
    endless[2 * PLI_PATH_SIZE - 1] = 0;
    assert_int_equal(pli_file_create(&file, endless, "g", &error), PLI_E_IO);
    assert_non_null(strstr(error.message, "File name too long"));
    assert_int_equal(pli_make_folder(endless, &error), PLI_E_IO);
    free(endless);
    remove_test_folder(&folder);
}

static void text_needs_a_path(void** state) {
    (void)state;
    pli_error error = {0};
    assert_int_not_equal(pli_write_text(NULL, "", &error), PLI_OK);
    assert_int_not_equal(pli_write_text("/tmp/x", NULL, &error), PLI_OK);
    assert_int_not_equal(pli_write_text("", "a", &error), PLI_OK);
    assert_int_not_equal(pli_write_text("/nowhere/at/all", "a", NULL), PLI_OK);
}

static void folders_are_made_with_their_parents(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    char path[2 * TEST_PATH_SIZE];
    path_in(&folder, "a//b/c/", path);
    assert_int_equal(pli_make_folder(path, &error), PLI_OK);
    assert_int_equal(pli_make_folder(path, &error), PLI_OK); // exists
    assert_true(exists_in(&folder, "a/b/c"));
    assert_int_equal(rmdir(path_in(&folder, "a/b/c", path)), 0);
    assert_int_equal(rmdir(path_in(&folder, "a/b", path)), 0);

    write_whole(&folder, "plain", "");
    assert_int_equal(pli_make_folder(path_in(&folder, "plain", path), &error), PLI_E_IO);
    assert_int_equal(pli_make_folder(path_in(&folder, "plain/below", path), &error), PLI_E_IO);
    assert_non_null(strstr(error.message, "plain"));
    assert_non_null(strstr(error.message, "Not a directory"));
    assert_int_not_equal(pli_make_folder(NULL, &error), PLI_OK);
    assert_int_not_equal(pli_make_folder("", NULL), PLI_OK);
    remove_test_folder(&folder);
}

static bool starts_with(const void* letter, const char* name) {
    return name[0] == *(const char*)letter;
}

static void only_matching_plain_files_are_removed(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    char path[2 * TEST_PATH_SIZE];
    write_whole(&folder, "x1", "");
    write_whole(&folder, "x2", "");
    write_whole(&folder, "y", "");
    assert_int_equal(mkdir(path_in(&folder, "x3", path), 0777), 0);
    char target[2 * TEST_PATH_SIZE];
    assert_int_equal(symlink(path_in(&folder, "y", target), path_in(&folder, "x4", path)), 0);
    assert_int_equal(pli_remove_files(folder.path, starts_with, "x", &error), PLI_OK);
    assert_false(exists_in(&folder, "x1"));
    assert_false(exists_in(&folder, "x2"));
    assert_false(exists_in(&folder, "x4"));
    assert_true(exists_in(&folder, "x3"));
    assert_true(exists_in(&folder, "y"));
    assert_int_equal(pli_remove_files(path_in(&folder, "z", path), starts_with, "x", &error),
                     PLI_E_IO);
    remove_test_folder(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commit_gives_the_final_name),
        cmocka_unit_test(large_and_small_writes_keep_their_order),
        cmocka_unit_test(abandon_leaves_the_old_file),
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(failure_while_writing_leaves_nothing),
        cmocka_unit_test(links_are_replaced_not_followed),
        cmocka_unit_test(places_that_cannot_be_written_are_named),
        cmocka_unit_test(text_needs_a_path),
        cmocka_unit_test(folders_are_made_with_their_parents),
        cmocka_unit_test(only_matching_plain_files_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
