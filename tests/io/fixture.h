// What the tests of io share: a temporary folder, whole files, and a snapshot with every kind of
// element. Include it first.
#ifndef PLI_TESTS_IO_FIXTURE_H
#define PLI_TESTS_IO_FIXTURE_H

#define _POSIX_C_SOURCE 200809L

#include "io/snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define TEST_PATH_SIZE 512

typedef struct test_folder {
    char path[TEST_PATH_SIZE];
} test_folder;

static inline test_folder make_test_folder(void) {
    test_folder folder = {"/tmp/pliant_io_XXXXXX"};
    assert_non_null(mkdtemp(folder.path));
    return folder;
}

static inline const char* path_in(const test_folder* folder, const char* name,
                                  char path[2 * TEST_PATH_SIZE]) {
    snprintf(path, 2 * TEST_PATH_SIZE, "%s/%s", folder->path, name);
    return path;
}

static inline bool exists_in(const test_folder* folder, const char* name) {
    char path[2 * TEST_PATH_SIZE];
    return access(path_in(folder, name, path), F_OK) == 0;
}

// Number of entries; the names that end in ".tmp" alone if `temporary`.
static inline int count_entries(const test_folder* folder, bool temporary) {
    DIR* stream = opendir(folder->path);
    assert_non_null(stream);
    int count = 0;
    for (const struct dirent* entry; (entry = readdir(stream));) {
        size_t length = strlen(entry->d_name);
        bool dots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        bool ends = length > 4 && strcmp(entry->d_name + length - 4, ".tmp") == 0;
        if (!dots && (ends || !temporary)) count++;
    }
    closedir(stream);
    return count;
}

// Removes the folder with its files and empty folders.
static inline void remove_test_folder(const test_folder* folder) {
    DIR* stream = opendir(folder->path);
    assert_non_null(stream);
    for (const struct dirent* entry; (entry = readdir(stream));) {
        char path[2 * TEST_PATH_SIZE];
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            assert_int_equal(remove(path_in(folder, entry->d_name, path)), 0);
    }
    closedir(stream);
    assert_int_equal(rmdir(folder->path), 0);
}

// A whole file, with a zero after it; freed by the caller.
static inline char* read_whole(const test_folder* folder, const char* name, size_t* size) {
    char path[2 * TEST_PATH_SIZE];
    FILE* file = fopen(path_in(folder, name, path), "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    rewind(file);
    char* text = malloc((size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    text[length] = 0;
    fclose(file);
    if (size) *size = (size_t)length;
    return text;
}

static inline void write_whole(const test_folder* folder, const char* name, const char* text) {
    char path[2 * TEST_PATH_SIZE];
    FILE* file = fopen(path_in(folder, name, path), "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// A disk that is full: until restore_files no file can grow beyond `size` bytes.
typedef struct file_limit {
    struct rlimit limit;
    void (*handler)(int);
} file_limit;

static inline file_limit limit_files(rlim_t size) {
    file_limit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old.limit), 0);
    struct rlimit limit = old.limit;
    limit.rlim_cur = size;
    old.handler = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    return old;
}

// Before any assertion: messages go to a file, too.
static inline void restore_files(const file_limit* old) {
    setrlimit(RLIMIT_FSIZE, &old->limit);
    signal(SIGXFSZ, old->handler);
}

// A locale with a decimal comma; false if this machine has none.
static inline bool use_comma_locale(void) {
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                        "it_IT.UTF-8", "de_DE",      "es_ES.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (setlocale(LC_ALL, names[i])) return true;
    return false;
}

// Three bodies: a tetrahedron with a triangle on it, a pair of segments, a loose vertex.
enum { MIXED_VERTICES = 9 };

typedef struct mixed_scene {
    double positions[3 * MIXED_VERTICES], velocities[3 * MIXED_VERTICES];
    double rest[3 * MIXED_VERTICES], reactions[3 * MIXED_VERTICES], masses[MIXED_VERTICES];
    double segment_energy[2], triangle_energy[1], tetrahedron_energy[1];
    double segment_stress[12], triangle_stress[6], tetrahedron_stress[6];
    double tetrahedron_density[1], tetrahedron_stretches[3];
    double energy_values[4], half_spaces[6];
    pli_snapshot snapshot;
} mixed_scene;

// What touch_mixed adds.
typedef struct mixed_contacts {
    double forces[3 * MIXED_VERTICES], friction[3 * MIXED_VERTICES];
    pli_contact_info list[2];
    pli_body_contact_info pairs[2];
} mixed_contacts;

static inline void fill_mixed(mixed_scene* m) {
    static const int32_t bodies[MIXED_VERTICES] = {0, 0, 0, 0, 0, 1, 1, 1, 2};
    static const char* const body_names[] = {"solid", "rope", "mass"};
    static const int32_t loose[] = {8}, segments[] = {5, 6, 6, 7}, triangles[] = {1, 2, 4},
                         tetrahedra[] = {0, 1, 2, 3};
    static const pli_support_info supports[] = {
        {0, "fixed", 2, {0, 0.5, 0}, {0, 9.81, 1e-3}, {1, 2, -3}, 0},
        {2, "prescribed", 1, {7, 8, 9}, {0, 0, 0}, {0, 0, 0}, 1},
    };
    static const char* const energy_names[] = {"kinetic", "spring", "gravity", "unused"};
    memset(m, 0, sizeof *m);
    for (int i = 0; i < 3 * MIXED_VERTICES; ++i) {
        m->rest[i] = (i * 7 % 11) / 3.0;
        m->positions[i] = m->rest[i] + 0.1 * i;
        m->velocities[i] = -1.0 / (i + 1);
        m->reactions[i] = i % 3 == 1 ? 9.81 * i : 0;
    }
    for (int i = 0; i < MIXED_VERTICES; ++i) m->masses[i] = 0.5 + i;
    for (int i = 0; i < 6; ++i) {
        m->triangle_stress[i] = 100 + i;
        m->tetrahedron_stress[i] = -200 * i;
        m->segment_stress[i] = m->segment_stress[6 + i] = i == 0 ? 3.5 : 0;
    }
    m->segment_energy[0] = 0.25;
    m->segment_energy[1] = 1e-300;
    m->triangle_energy[0] = 2;
    m->tetrahedron_energy[0] = 1.0 / 3;
    m->tetrahedron_density[0] = 7.5;
    for (int i = 0; i < 3; ++i) m->tetrahedron_stretches[i] = 1.5 - 0.5 * i;
    m->energy_values[0] = 1.5;
    m->energy_values[1] = 0.1;
    m->energy_values[2] = -3;
    m->half_spaces[1] = 2; // ground just below all vertices
    m->half_spaces[4] = 1;
    m->snapshot = (pli_snapshot){
        .dimension = 2,
        .time = 0.125,
        .vertex_count = MIXED_VERTICES,
        .positions = m->positions,
        .velocities = m->velocities,
        .rest = m->rest,
        .reactions = m->reactions,
        .masses = m->masses,
        .vertex_body = bodies,
        .body_count = 3,
        .body_names = body_names,
        .element_count = {1, 2, 1, 1},
        .elements = {loose, segments, triangles, tetrahedra},
        .fields = {[PLI_SEGMENT] = {.energy = m->segment_energy, .stress = m->segment_stress},
                   [PLI_TRIANGLE] = {.energy = m->triangle_energy, .stress = m->triangle_stress},
                   [PLI_TETRAHEDRON] = {m->tetrahedron_energy, m->tetrahedron_density,
                                        m->tetrahedron_stress, m->tetrahedron_stretches}},
        .energy_count = 4,
        .energy_names = energy_names,
        .energy_values = m->energy_values,
        .total_energy = m->energy_values[0] + m->energy_values[1] + m->energy_values[2],
        .half_space_count = 1,
        .half_spaces = m->half_spaces,
        .support_count = 2,
        .supports = supports,
    };
}

// The mass touches the solid and the ground.
static inline void touch_mixed(mixed_scene* m, mixed_contacts* c) {
    static const char* const half_space_names[] = {"ground"};
    memset(c, 0, sizeof *c);
    for (int i = 0; i < 3 * MIXED_VERTICES; ++i) {
        c->forces[i] = 0.5 * i;
        c->friction[i] = -0.25 * i;
    }
    c->list[0] = (pli_contact_info){.body = {2, -1},
                                    .vertex_count = {1, 0},
                                    .vertices = {{8}},
                                    .point = {{1, 2, 3}, {1, 1.5, 3}},
                                    .normal = {0, 1, 0},
                                    .distance = 0.5,
                                    .force = 7,
                                    .friction = {1, 0, -1}};
    c->list[1] = (pli_contact_info){.body = {2, 0},
                                    .vertex_count = {1, 3},
                                    .vertices = {{8}, {1, 2, 4}},
                                    .point = {{1, 2, 3}, {1, 2, 2.75}},
                                    .normal = {0, 0, 1},
                                    .distance = 0.25,
                                    .force = 11};
    c->pairs[0] = (pli_body_contact_info){
        .body = {0, 2}, .count = 1, .min_distance = 0.25, .force = {0, 0, -11}};
    c->pairs[1] = (pli_body_contact_info){.body = {2, -1},
                                          .count = 1,
                                          .min_distance = 0.5,
                                          .force = {0, 7, 0},
                                          .friction = {1, 0, -1}};
    m->snapshot.contact_forces = c->forces;
    m->snapshot.friction_forces = c->friction;
    m->snapshot.contact_count = 2;
    m->snapshot.contacts = c->list;
    m->snapshot.body_contact_count = 2;
    m->snapshot.body_contacts = c->pairs;
    m->snapshot.half_space_names = half_space_names;
}

#endif
