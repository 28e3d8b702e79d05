// The writer: all files, in order, with any number of slots; a failure drops what came behind it.
#include "result/fixture.h"

#include "record/writer.h"

typedef struct bench {
    test_folder folder;
    pli_memory memory;
    pli_vtu* vtu;
    pli_writer* writer;
    mixed_scene scene;
} bench;

static void begin(bench* b, int slots) {
    const pli_vtu_choice choice = {.fields = PLI_FRAME_ALL_FIELDS};
    pli_error error = {0};
    memset(b, 0, sizeof *b);
    b->folder = make_test_folder();
    pli_memory_init(&b->memory, NULL);
    fill_mixed(&b->scene);
    assert_int_equal(pli_vtu_create(&b->memory, &choice, &b->scene.snapshot, &b->vtu, &error),
                     PLI_OK);
    assert_int_equal(
        pli_writer_create(&b->memory, b->folder.path, b->vtu, slots, &b->writer, &error), PLI_OK);
}

static void end(bench* b) {
    pli_writer_destroy(b->writer);
    pli_vtu_destroy(b->vtu);
    assert_int_equal(b->memory.bytes, 0);
    remove_test_folder(&b->folder);
}

static pli_status hand_over(bench* b, int frame, pli_error* error) {
    pli_write_job* job;
    PLI_TRY(pli_writer_begin(b->writer, &job, error));
    job->kind = PLI_WRITE_FRAME;
    pli_frame_name(frame, job->name);
    PLI_TRY(pli_vtu_gather(b->vtu, &b->scene.snapshot, &job->state, error));
    return pli_writer_submit(b->writer, error);
}

// A text of `size` bytes.
static pli_status hand_over_text(bench* b, const char* name, size_t size, pli_error* error) {
    pli_write_job* job;
    PLI_TRY(pli_writer_begin(b->writer, &job, error));
    job->kind = PLI_WRITE_BYTES;
    pli_format(job->name, sizeof job->name, "%s", name);
    job->bytes.size = 0;
    for (size_t i = 0; i < size; ++i) pli_pack_bytes(&job->bytes, "x", 1);
    return pli_writer_submit(b->writer, error);
}

static void small_frames_have_more_slots(void** state) {
    (void)state;
    assert_int_equal(pli_writer_slots(0), 32);
    assert_int_equal(pli_writer_slots(3000), 32);
    assert_int_equal(pli_writer_slots(100000), 10);
    assert_int_equal(pli_writer_slots(1 << 20), 4);
    assert_int_equal(pli_writer_slots(SIZE_MAX / 2), 4);
}

// A hundred frames through few slots and many: all there, all the same bytes.
static void all_files_are_written(void** state) {
    (void)state;
    static const int slots[] = {4, 5, 10, 32};
    enum { FRAMES = 100 };
    for (size_t k = 0; k < sizeof slots / sizeof *slots; ++k) {
        bench b;
        pli_error error = {0};
        begin(&b, slots[k]);
        for (int i = 0; i < FRAMES; ++i) assert_int_equal(hand_over(&b, i, &error), PLI_OK);
        assert_int_equal(pli_writer_wait(b.writer, &error), PLI_OK);
        assert_int_equal(pli_writer_frame_count(b.writer), FRAMES);
        assert_int_equal(count_entries(&b.folder, false), FRAMES);
        size_t size, other;
        char name[PLI_FRAME_NAME_SIZE];
        char* first = read_whole(&b.folder, "frame_000000.vtu", &size);
        char* last = read_whole(&b.folder, pli_frame_name(FRAMES - 1, name), &other);
        assert_int_equal(size, other);
        assert_memory_equal(first, last, size);
        free(first);
        free(last);
        end(&b);
    }
}

// A batch that is not full is written without anybody waiting for it.
static void destroying_writes_the_rest(void** state) {
    (void)state;
    bench b;
    pli_error error = {0};
    begin(&b, 32);
    for (int i = 0; i < 3; ++i) assert_int_equal(hand_over(&b, i, &error), PLI_OK);
    pli_writer_destroy(b.writer);
    b.writer = NULL;
    assert_int_equal(count_entries(&b.folder, false), 3);
    end(&b);
}

// A file cannot be written: those behind it are dropped, the failure is told once, then it goes on.
static void failure_drops_what_is_behind(void** state) {
    (void)state;
    static const int slots[] = {4, 32};
    for (size_t k = 0; k < sizeof slots / sizeof *slots; ++k) {
        bench b;
        pli_error error = {0};
        begin(&b, slots[k]);
        for (int i = 0; i < 2; ++i) assert_int_equal(hand_over(&b, i, &error), PLI_OK);
        assert_int_equal(hand_over_text(&b, "absent/text", 10, &error), PLI_OK);
        pli_status status = hand_over(&b, 2, &error);
        if (status == PLI_OK) status = pli_writer_wait(b.writer, &error);
        assert_int_equal(status, PLI_E_IO);
        assert_non_null(strstr(error.message, "absent/text"));
        assert_int_equal(pli_writer_frame_count(b.writer), 2);
        assert_int_equal(count_entries(&b.folder, false), 2);
        assert_int_equal(hand_over(&b, 2, &error), PLI_OK);
        assert_int_equal(pli_writer_wait(b.writer, &error), PLI_OK);
        assert_int_equal(pli_writer_frame_count(b.writer), 3);
        end(&b);
    }
}

// Large lists do not stay in all the slots.
static void slots_give_large_texts_back(void** state) {
    (void)state;
    bench b;
    pli_error error = {0};
    begin(&b, 32);
    for (int i = 0; i < 32; ++i)
        assert_int_equal(hand_over_text(&b, "list", 100000, &error), PLI_OK);
    for (int i = 0; i < 32; ++i) assert_int_equal(hand_over_text(&b, "list", 10, &error), PLI_OK);
    assert_int_equal(pli_writer_wait(b.writer, &error), PLI_OK);
    assert_true(b.memory.bytes < 1000000);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_frames_have_more_slots),
        cmocka_unit_test(all_files_are_written),
        cmocka_unit_test(destroying_writes_the_rest),
        cmocka_unit_test(failure_drops_what_is_behind),
        cmocka_unit_test(slots_give_large_texts_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
