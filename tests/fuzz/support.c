// What targets share: memory with a limit, files, scenes.
#define _GNU_SOURCE // mkdtemp
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool pli_fuzz_accepted;

void pli_fuzz_failed(const char* expression, const char* file, int line) {
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, expression);
    abort();
}

// ---- memory

static void* resize(void* context, void* block, size_t old_size, size_t new_size) {
    pli_fuzz_memory* m = context;
    HOLDS((block == NULL) == (old_size == 0) && m->bytes >= old_size);
    if (new_size > m->limit - (m->bytes - old_size)) return NULL;
    void* fresh = NULL;
    if (new_size > 0 && !(fresh = realloc(block, new_size))) return NULL;
    if (new_size == 0) free(block);
    m->bytes += new_size - old_size;
    return fresh;
}

pli_allocator pli_fuzz_allocator(pli_fuzz_memory* memory) {
    return (pli_allocator){.resize = resize, .context = memory};
}

// ---- files

static char folder[64];

static void remove_folder(void) {
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "%s stays\n", folder);
}

const char* pli_fuzz_folder(void) {
    if (folder[0]) return folder;
    const char* base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/pliant_fuzz_XXXXXX", base);
    HOLDS(mkdtemp(folder) != NULL && atexit(remove_folder) == 0);
    return folder;
}

const char* pli_fuzz_file(const char* name, const uint8_t* data, size_t size) {
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", pli_fuzz_folder(), name);
    FILE* file = fopen(path, "wb");
    HOLDS(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    return path;
}

// ---- scenes

enum { OVERRIDES = 8 };

static pli_scene* read_scene(char* text, const char* end, const char* const* more, int more_count,
                             const pli_allocator* allocator) {
    const char* overrides[OVERRIDES];
    pli_scene_def def = pli_default_scene_def();
    def.path = "fuzz.json";
    def.text = text;
    def.overrides = overrides;
    def.thread_count = 1;
    def.allocator = allocator;
    for (const char* at = text + strlen(text) + 1;
         at < end && def.override_count + more_count < OVERRIDES; at += strlen(at) + 1)
        overrides[def.override_count++] = at;
    for (int i = 0; i < more_count; ++i) overrides[def.override_count++] = more[i];
    pli_scene* scene = NULL;
    pli_error error = {0};
    pli_status status = pli_scene_create(&def, &scene, &error);
    HOLDS(status == PLI_OK || (status == PLI_E_MEMORY && error.message[0]));
    HOLDS((status == PLI_OK) == (scene != NULL));
    return scene;
}

pli_scene* pli_fuzz_scene(const uint8_t* data, size_t size, const char* const* more, int more_count,
                          const pli_allocator* allocator) {
    char* text = malloc(size + 1);
    HOLDS(text != NULL);
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    pli_scene* scene = read_scene(text, text + size, more, more_count, allocator);
    free(text);
    return scene;
}

static const char small_scene[] =
    "{\"name\": \"fuzz\", \"time\": {\"step\": 0.01, \"scheme\": \"bdf2\"},"
    " \"solver\": {\"max_iterations\": 10}, \"contact\": {\"dhat\": 0.05, \"friction\": 0.3},"
    " \"bodies\": ["
    " {\"name\": \"a\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, "
    "1]},"
    "  \"energies\": [{\"type\": \"neo-hookean\"}]},"
    " {\"name\": \"b\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [1, "
    "1]},"
    "  \"translate\": [0.1, 1.02], \"energies\": [{\"type\": \"neo-hookean\"}],"
    "  \"prescribe\": [{\"group\": \"top\", \"velocity\": [0.1, -0.1]}]}],"
    " \"obstacles\": [{\"type\": \"half-space\", \"point\": [0, -0.52], \"normal\": [0, 1]}]}";

pli_scene* pli_fuzz_small_scene(const pli_allocator* allocator) {
    pli_scene* scene =
        pli_fuzz_scene((const uint8_t*)small_scene, sizeof small_scene, NULL, 0, allocator);
    HOLDS(scene && pli_scene_world(scene));
    return scene;
}

void pli_fuzz_step(pli_world* world) {
    pli_error error = {0};
    pli_step_info info;
    pli_status status = pli_world_step(world, &info, &error);
    HOLDS(status == PLI_OK || error.message[0]);
    const double* x = pli_world_positions(world);
    for (int k = 0; k < 3 * pli_world_vertex_count(world); ++k) HOLDS(isfinite(x[k]));
    if (status == PLI_OK && info.kept) HOLDS(pli_world_verify(world, &error) == PLI_OK);
}
