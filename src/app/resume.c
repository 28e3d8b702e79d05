// pliant run --resume DIR: the scene and the state that an earlier run left.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"

enum { DIFFERENCES_SHOWN = 20 };

static bool check_options(const pli_options* options) {
    if (options->resume && options->folder)
        pli_complain("--resume goes on in its own folder: leave --output out");
    else if (options->force && !options->resume)
        pli_complain("--force belongs to --resume");
    else if (options->overwrite && options->resume)
        pli_complain("--resume keeps what is there: leave --overwrite out");
    else
        return true;
    return false;
}

bool pli_resume_open(const pli_options* options, pli_resumed* resumed) {
    *resumed = (pli_resumed){.options = *options};
    if (!check_options(options)) return false;
    if (!options->resume) return true;
    if (!pli_is_no_file("run --resume", options->resume)) return false;
    pli_error error = {0};
    if (pli_checkpoint_read(options->resume, &options->allocator, &resumed->checkpoint, &error) !=
        PLI_OK) {
        pli_complain("%s%s", error.message,
                     error.status == PLI_E_IO ? "; a run writes it with its first frame" : "");
        return false;
    }
    pli_checkpoint_info info = pli_checkpoint_describe(resumed->checkpoint);
    pli_options* o = &resumed->options;
    int count = info.override_count + options->override_count;
    resumed->overrides = calloc((size_t)count + 1, sizeof *resumed->overrides);
    if (!resumed->overrides) {
        pli_complain("out of memory");
        return false;
    }
    for (int i = 0; i < count; ++i)
        resumed->overrides[i] = i < info.override_count
                                    ? info.overrides[i]
                                    : options->overrides[i - info.override_count];
    o->overrides = resumed->overrides;
    o->override_count = count;
    o->folder = options->resume;
    if (o->argument) return true;
    o->argument = info.scene;
    if (strcmp(info.scene, pli_input_name) == 0) o->text = info.text; // no file has it
    return true;
}

void pli_resume_close(pli_resumed* resumed) {
    pli_checkpoint_destroy(resumed->checkpoint);
    free(resumed->overrides);
}

// Lines of differences, the first of them shown.
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

// Whether the scene is the same, or it is to be used nevertheless.
static bool accept_scene(const pli_resumed* resumed, pli_scene* scene) {
    const pli_options* o = &resumed->options;
    listing l = {.quiet = o->force && o->quiet, .folder = o->resume};
    pli_error error = {0};
    int count = 0;
    if (pli_checkpoint_compare(resumed->checkpoint, scene, show_difference, &l, &count, &error) !=
        PLI_OK) {
        pli_complain("%s", error.message);
        return false;
    }
    if (l.shown > DIFFERENCES_SHOWN)
        fprintf(stderr, "  and %d more\n", l.shown - DIFFERENCES_SHOWN);
    if (count == 0 || o->force) return true;
    fprintf(stderr, "  --force goes on with the new one; else start again: pliant run %s\n",
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
        fprintf(stderr, "the checkpoint is of pliant %s, this is %s: rounding may differ\n",
                pli_printable(info.version, text, sizeof text), pli_version());
    if (pli_checkpoint_restore(resumed->checkpoint, pli_scene_world(scene), &error) != PLI_OK) {
        pli_complain("%s: the checkpoint: %s", o->resume, error.message);
        return false;
    }
    if (!o->quiet)
        printf("goes on from step %d (t = %.6g s), %d %s\n", info.step, info.time, info.frame_count,
               pli_counted(info.frame_count, "frame", "frames"));
    return true;
}
