// A bounded sample keeps first and last and stays evenly spaced.
#include "base/folder.h"

#include "base/sampler.h"

static int64_t record_of(const pli_sampler* sampler, int i) {
    int64_t number;
    memcpy(&number, pli_sampler_get(sampler, i), sizeof number);
    return number;
}

static void add(pli_sampler* sampler, int64_t number) {
    void* record = NULL;
    pli_error error = {0};
    assert_int_equal(pli_sampler_add(sampler, &record, &error), PLI_OK);
    memcpy(record, &number, sizeof number);
}

static void check_invariant(const pli_sampler* sampler, int64_t newest) {
    assert_int_equal(sampler->seen, newest + 1);
    assert_true(sampler->count <= sampler->limit);
    assert_int_equal(record_of(sampler, 0), 0);
    assert_int_equal(record_of(sampler, sampler->count - 1), newest);
    for (int i = 0; i + 1 < sampler->count; ++i)
        assert_int_equal(record_of(sampler, i), i * sampler->stride);
}

static void row_stays_even_at_any_length(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int limit = 3; limit <= 13; ++limit) {
        pli_sampler sampler;
        pli_sampler_init(&sampler, &memory, sizeof(int64_t), limit);
        for (int64_t i = 0; i < 3000; ++i) {
            add(&sampler, i);
            check_invariant(&sampler, i);
            // Never less than half of the room is used once it was full.
            if (i >= limit) assert_true(2 * sampler.count >= limit);
        }
        assert_true(sampler.capacity <= 16);
        pli_sampler_free(&sampler);
    }
    assert_int_equal(memory.bytes, 0);
}

static void picks_are_spread_evenly(void** state) {
    (void)state;
    enum { WANTED = 6 };
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_sampler sampler;
    pli_sampler_init(&sampler, &memory, sizeof(int64_t), 8 * WANTED);
    for (int64_t i = 0; i < 2000; ++i) {
        add(&sampler, i);
        int wanted = sampler.count < WANTED ? sampler.count : WANTED;
        assert_int_equal(pli_sampler_pick(&sampler, wanted - 1, wanted), sampler.count - 1);
        if (wanted > 1) assert_int_equal(pli_sampler_pick(&sampler, 0, wanted), 0);
        for (int k = 1; k < wanted; ++k) {
            int before = pli_sampler_pick(&sampler, k - 1, wanted),
                here = pli_sampler_pick(&sampler, k, wanted);
            assert_true(before < here);
            // The ideal place is at most one stride away.
            int64_t ideal = k * i / (wanted - 1), off = record_of(&sampler, here) - ideal;
            assert_true(off <= sampler.stride && -off <= sampler.stride);
        }
    }
    pli_sampler_free(&sampler);
}

static void few_records_are_all_picked(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_sampler sampler;
    pli_sampler_init(&sampler, &memory, sizeof(int64_t), 12);
    for (int64_t i = 0; i < 5; ++i) add(&sampler, i);
    for (int k = 0; k < 5; ++k) assert_int_equal(pli_sampler_pick(&sampler, k, 5), k);
    assert_int_equal(pli_sampler_pick(&sampler, 0, 1), 4); // a single picture shows the end
    pli_sampler_free(&sampler);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row_stays_even_at_any_length),
        cmocka_unit_test(picks_are_spread_evenly),
        cmocka_unit_test(few_records_are_all_picked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
