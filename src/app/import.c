// pliant import: a robot as a scene.
#include "app/app.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(void* context, const pli_import_note* note) {
    const pli_options* options = context;
    char path[1024], message[1024];
    if (options->quiet && !note->error) return;
    pli_printable(options->argument, path, sizeof path);
    pli_printable(note->message, message, sizeof message);
    if (note->line > 0)
        fprintf(stderr, "%s:%d: %s%s\n", path, note->line, note->error ? "" : "note: ", message);
    else
        fprintf(stderr, "%s: %s%s\n", path, note->error ? "" : "note: ", message);
}

// Poses of --joint NAME=VALUE; the names stay in the options, ended where the "=" was.
static bool read_poses(const pli_options* options, pli_import_pose* poses, char* names) {
    for (int i = 0; i < options->override_count; ++i) {
        const char* text = options->overrides[i];
        const char* equals = strrchr(text, '=');
        char* end = NULL;
        poses[i].value = equals ? strtod(equals + 1, &end) : 0;
        if (!equals || end == equals + 1 || *end)
            return pli_complain("--joint %s: must be NAME=VALUE, in rad or m", text);
        size_t length = (size_t)(equals - text);
        memcpy(names, text, length);
        names[length] = '\0';
        poses[i].joint = names;
        names += length + 1;
    }
    return true;
}

static int import_to(const pli_options* options, const pli_import_def* def) {
    char *scene = NULL, path[1024];
    pli_import_info info;
    pli_error error = {0};
    pli_status status = pli_import_robot(def, &scene, &info, &error);
    if (status == PLI_OK) status = pli_write_text(def->out, scene, &error);
    pli_import_free(scene, def->allocator);
    if (status != PLI_OK) {
        pli_complain_of(options, &error);
        return pli_exit_code(status);
    }
    if (!options->quiet)
        printf("wrote %s: %d links and %d joints became %d %s; pliant check %s\n",
               pli_printable(def->out, path, sizeof path), info.link_count, info.joint_count,
               info.body_count, pli_counted(info.body_count, "body", "bodies"), path);
    return PLI_EXIT_DONE;
}

static int import(const pli_options* options, pli_import_pose* poses, char* names) {
    char out[PLI_PATH_SIZE];
    if (!read_poses(options, poses, names)) return PLI_EXIT_USAGE;
    if (!options->folder && !pli_name_path("", options->argument, ".json", out))
        return PLI_EXIT_USAGE;
    if (!options->folder && pli_file_is_there(".", out)) {
        pli_complain("%s is there already: choose a file by --output", out);
        return PLI_EXIT_USAGE;
    }
    pli_import_def def = pli_default_import_def();
    def.path = options->argument;
    def.out = options->folder ? options->folder : out;
    def.fixed = options->fixed;
    def.limp = options->limp;
    def.poses = poses;
    def.pose_count = options->override_count;
    def.note = show;
    def.context = (void*)(uintptr_t)options;
    def.allocator = &options->allocator;
    return import_to(options, &def);
}

int pli_command_import(const pli_options* options) {
    if (!options->argument) {
        pli_complain("the robot is missing; for example: pliant import robot.urdf -o robot.json");
        return PLI_EXIT_USAGE;
    }
    size_t room = 1;
    for (int i = 0; i < options->override_count; ++i) room += strlen(options->overrides[i]) + 1;
    pli_import_pose* poses = calloc((size_t)options->override_count + 1, sizeof *poses);
    char* names = calloc(room, 1);
    int code = PLI_EXIT_STOPPED;
    if (poses && names)
        code = import(options, poses, names);
    else
        pli_complain("out of memory");
    free(poses);
    free(names);
    return code;
}
