// Files of a result folder, one of them any bytes: the first byte says which, and who reads it. The
// others are those of a small run, made here.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "pliant/export.h"
#include "pliant/record.h"
#include "pliant/replay.h"
#include "pliant/report.h"

static const char scene_text[] =
    "{\"name\": \"fuzz\", \"dimension\": 3, \"time\": {\"step\": 0.01},"
    " \"contact\": {\"bodies\": true, \"dhat\": 0.05}, \"bodies\": ["
    " {\"name\": \"a\", \"mesh\": {\"type\": \"box\", \"size\": [1, 1, 1], \"segments\": [1, 1, "
    "1]},"
    "  \"energies\": [{\"type\": \"neo-hookean\"}]},"
    " {\"name\": \"b\", \"mesh\": {\"type\": \"line\", \"from\": [0, 0, 0], \"to\": [1, 0, 0],"
    "  \"segments\": 1}, \"vertex_mass\": 1, \"translate\": [0, 0.52, 0],"
    "  \"energies\": [{\"type\": \"spring\"}]}],"
    " \"obstacles\": [{\"type\": \"half-space\", \"point\": [0, -0.52, 0], \"normal\": [0, 1, "
    "0]}]}";

// The files that may be changed, as the run wrote them.
static struct file {
    const char* name;
    uint8_t* data;
    size_t size;
} files[] = {{.name = "frame_000000.vtu"},
             {.name = "frame_000001.vtu"},
             {.name = "contacts_000001.vtu"},
             {.name = "run.json"},
             {.name = "stats.jsonl"}};
enum { FILES = sizeof files / sizeof *files };

static void read_back(struct file* file) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", pli_fuzz_folder(), file->name);
    FILE* stream = fopen(path, "rb");
    HOLDS(stream && fseek(stream, 0, SEEK_END) == 0);
    file->size = (size_t)ftell(stream);
    rewind(stream);
    HOLDS((file->data = malloc(file->size)) != NULL);
    HOLDS(fread(file->data, 1, file->size, stream) == file->size && fclose(stream) == 0);
}

static void record(void) {
    pli_error error = {0};
    pli_step_info info;
    pli_recorder* recorder = NULL;
    pli_scene* scene = pli_fuzz_scene((const uint8_t*)scene_text, sizeof scene_text, NULL, 0, NULL);
    HOLDS(scene && pli_scene_world(scene));
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = pli_fuzz_folder();
    def.title = "fuzz";
    HOLDS(pli_recorder_create(&def, pli_scene_world(scene), &recorder, &error) == PLI_OK);
    HOLDS(pli_recorder_frame(recorder, &error) == PLI_OK);
    HOLDS(pli_world_step(pli_scene_world(scene), &info, &error) == PLI_OK);
    HOLDS(pli_recorder_step(recorder, &info, &error) == PLI_OK);
    HOLDS(pli_recorder_frame(recorder, &error) == PLI_OK);
    HOLDS(pli_recorder_finish(recorder, &error) == PLI_OK);
    pli_recorder_destroy(recorder);
    pli_scene_destroy(scene);
    for (int i = 0; i < FILES; ++i) read_back(&files[i]);
}

// ---- readers; they read it or say why not

static bool is_answer(pli_status status, const pli_error* error) {
    return status == PLI_OK || error->message[0];
}

static void look_at_bodies(const pli_replay* replay) {
    int vertices = pli_replay_vertex_count(replay);
    for (int i = 0; i < pli_replay_body_count(replay); ++i) {
        pli_replay_body body = pli_replay_body_at(replay, i);
        HOLDS(body.name && body.first_vertex >= 0 && body.end_vertex <= vertices);
        int count = 3 * body.triangle_count + 2 * body.segment_count;
        int32_t* list = calloc((size_t)count + 1, sizeof *list);
        HOLDS(list != NULL);
        pli_replay_triangles(replay, i, list);
        pli_replay_segments(replay, i, list + 3 * (size_t)body.triangle_count);
        for (int k = 0; k < count; ++k)
            HOLDS(list[k] >= body.first_vertex && list[k] < body.end_vertex);
        free(list);
    }
}

static void replay(const char* folder, const pli_allocator* allocator) {
    pli_replay* r = NULL;
    pli_error error = {0};
    pli_status status = pli_replay_open(folder, allocator, &r, &error);
    HOLDS(is_answer(status, &error));
    if (status != PLI_OK) return;
    look_at_bodies(r);
    for (int i = 0; i < pli_replay_frame_count(r); ++i) {
        HOLDS(is_answer(pli_replay_read(r, i, &error), &error));
        const double* x = pli_replay_positions(r);
        for (int k = 0; k < 3 * pli_replay_vertex_count(r); ++k) HOLDS(isfinite(x[k]));
        int components;
        for (int k = 0; pli_field_at(k).key; ++k)
            pli_replay_field(r, pli_field_at(k).array, &components);
        HOLDS(pli_replay_contacts_now(r).count >= 0);
    }
    pli_replay_close(r);
}

static void report(const char* folder, const pli_allocator* allocator) {
    pli_report_def def = pli_default_report_def();
    pli_error error = {0};
    def.folder = folder;
    def.allocator = allocator;
    HOLDS(is_answer(pli_report(&def, NULL, &error), &error));
}

static void export_as(const char* format, const char* folder, const pli_allocator* allocator) {
    pli_export_def def = pli_default_export_def();
    pli_error error = {0};
    char out[200];
    snprintf(out, sizeof out, "%s/out.%s", folder, format);
    def.folder = folder;
    def.out = out;
    def.format = format;
    def.allocator = allocator;
    HOLDS(is_answer(pli_export(&def, NULL, &error), &error));
}

static void export_gltf(const char* folder, const pli_allocator* allocator) {
    export_as("gltf", folder, allocator);
}

static void export_csv(const char* folder, const pli_allocator* allocator) {
    export_as("csv", folder, allocator);
}

static void export_html(const char* folder, const pli_allocator* allocator) {
    export_as("html", folder, allocator);
}

static void (*const readers[])(const char* folder, const pli_allocator* allocator) = {
    replay, report, export_gltf, export_csv, export_html};
enum { READERS = sizeof readers / sizeof *readers };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    if (!files[0].data) record();
    const struct file* file = &files[data[0] % FILES];
    int reader = data[0] / FILES % READERS;
    pli_fuzz_memory memory = {.limit = 64 << 20};
    const pli_allocator allocator = pli_fuzz_allocator(&memory);
    pli_fuzz_file(file->name, data + 1, size - 1);
    readers[reader](pli_fuzz_folder(), &allocator);
    pli_fuzz_file(file->name, file->data, file->size);
    HOLDS(memory.bytes == 0);
    return 0;
}
