// Input of commands: a scene from a file or standard input, or the checkpoint of an earlier run.
#include "app/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char pli_input_name[] = "stdin";

enum { INPUT_LIMIT = 256 << 20 }; // [bytes], as of scene files

// All of standard input, terminated by NUL; NULL if memory runs out or it cannot be read.
static char* read_all(size_t* length) {
    size_t room = 1 << 16;
    char* text = malloc(room);
    *length = 0;
    while (text) {
        *length += fread(text + *length, 1, room - 1 - *length, stdin);
        if (*length < room - 1 || room > INPUT_LIMIT) break;
        char* more = realloc(text, room *= 2);
        if (!more) free(text);
        text = more;
    }
    if (text && ferror(stdin)) {
        free(text);
        return NULL;
    }
    if (text) text[*length] = '\0';
    return text;
}

bool pli_is_result(const char* command, const char* path) {
    struct stat info;
    char shown[1024];
    if (!path)
        return pli_complain("the results folder is missing; for example: pliant %s results/disks",
                            command);
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return true;
    return pli_complain("%s is a file: pliant %s needs a results folder, which pliant run "
                        "SCENE.json writes",
                        pli_printable(path, shown, sizeof shown), command);
}

bool pli_input_read(const pli_command* command, pli_options* options) {
    if (!command->scene || !options->argument || strcmp(options->argument, "-") != 0) return true;
    size_t length;
    char* text = read_all(&length);
    options->argument = pli_input_name;
    options->text = text;
    if (!text) return pli_complain("cannot read standard input");
    if (length > INPUT_LIMIT)
        return pli_complain("standard input has more than %d bytes, the maximum", INPUT_LIMIT);
    return strlen(text) == length ||
           pli_complain("standard input has a NUL byte: this is not a scene");
}

void pli_input_free(pli_options* options) {
    free((void*)(uintptr_t)options->text);
    options->text = NULL;
}

pli_scene_def pli_scene_def_of(const pli_options* options) {
    pli_scene_def def = pli_default_scene_def();
    def.path = options->argument;
    def.text = options->text;
    def.overrides = options->overrides;
    def.override_count = options->override_count;
    def.thread_count = options->threads;
    def.allocator = &options->allocator;
    return def;
}

// ---- pliant run --resume

enum { DIFFERENCES_SHOWN = 20 };

static bool check_options(const pli_options* options) {
    if (options->resume && options->folder)
        return pli_complain("--resume continues in its own folder: omit --output");
    if (options->force && !options->resume)
        return pli_complain("--force is for --resume: add --resume DIR");
    return !(options->overwrite && options->resume) ||
           pli_complain("--resume keeps the results: omit --overwrite");
}

bool pli_resume_open(const pli_options* options, pli_resumed* resumed) {
    *resumed = (pli_resumed){.options = *options};
    if (!check_options(options)) return false;
    if (!options->resume) return true;
    if (!pli_is_result("run --resume", options->resume)) return false;
    pli_error error = {0};
    if (pli_checkpoint_read(options->resume, &options->allocator, &resumed->checkpoint, &error) !=
        PLI_OK)
        return pli_complain("%s%s", error.message,
                            error.status == PLI_E_IO ? "; a run writes it with its first frame"
                                                     : "");
    pli_checkpoint_info info = pli_checkpoint_describe(resumed->checkpoint);
    pli_options* o = &resumed->options;
    int count = info.override_count + options->override_count;
    resumed->overrides = calloc((size_t)count + 1, sizeof *resumed->overrides);
    if (!resumed->overrides) return pli_complain("out of memory");
    for (int i = 0; i < count; ++i)
        resumed->overrides[i] = i < info.override_count
                                    ? info.overrides[i]
                                    : options->overrides[i - info.override_count];
    o->overrides = resumed->overrides;
    o->override_count = count;
    o->folder = options->resume;
    if (o->argument) return true;
    o->argument = info.scene;
    if (strcmp(info.scene, pli_input_name) == 0) o->text = info.text; // it is in no file
    return true;
}

void pli_resume_close(pli_resumed* resumed) {
    pli_checkpoint_destroy(resumed->checkpoint);
    free(resumed->overrides);
}

// Differences that were printed.
typedef struct listing {
    bool quiet;
    int shown;
    const char* folder;
} listing;

static void show_difference(void* context, const char* line) {
    listing* l = context;
    char text[1024];
    if (l->quiet) return;
    if (l->shown == 0)
        pli_complain("the scene has changed since the checkpoint in %s was written:", l->folder);
    if (l->shown++ < DIFFERENCES_SHOWN)
        fprintf(stderr, "  %s\n", pli_printable(line, text, sizeof text));
}

// Whether the scene is the same, or --force accepts it.
static bool accept_scene(const pli_resumed* resumed, pli_scene* scene) {
    const pli_options* o = &resumed->options;
    listing l = {.quiet = o->force && o->quiet, .folder = o->resume};
    pli_error error = {0};
    int count = 0;
    if (pli_checkpoint_compare(resumed->checkpoint, scene, show_difference, &l, &count, &error) !=
        PLI_OK)
        return pli_complain("%s", error.message);
    if (l.shown > DIFFERENCES_SHOWN)
        fprintf(stderr, "  and %d more\n", l.shown - DIFFERENCES_SHOWN);
    if (count == 0 || o->force) return true;
    fprintf(stderr, "  --force continues with the new scene; or start again: pliant run %s\n",
            o->argument);
    return false;
}

bool pli_resume_apply(const pli_resumed* resumed, pli_scene* scene) {
    pli_checkpoint_info info = pli_checkpoint_describe(resumed->checkpoint);
    const pli_options* o = &resumed->options;
    pli_error error = {0};
    char text[64];
    if (!accept_scene(resumed, scene)) return false;
    if (strcmp(info.version, pli_version()) != 0 && !o->quiet)
        fprintf(stderr,
                "the checkpoint was written by pliant %s, this is %s: rounding may differ\n",
                pli_printable(info.version, text, sizeof text), pli_version());
    if (pli_scene_update(scene, info.time, NULL, &error) != PLI_OK ||
        pli_checkpoint_restore(resumed->checkpoint, pli_scene_world(scene), &error) != PLI_OK)
        return pli_complain("%s: checkpoint: %s", o->resume, error.message);
    if (!o->quiet)
        printf("continues from step %d (t = %.6g s), %d %s\n", info.step, info.time,
               info.frame_count, pli_counted(info.frame_count, "frame", "frames"));
    return true;
}
