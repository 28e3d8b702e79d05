// A start that intersects: a file to look at it, and pliant check --separate.
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "base/file.h"

// "a/b/scene.json" -> "FOLDER/scene<ending>". False if it is too long, which is said.
static bool name_file(const char* scene, const char* folder, const char* ending,
                      char path[PLI_FOLDER_SIZE]) {
    const char* slash = strrchr(scene, '/');
    const char* base = slash ? slash + 1 : scene;
    const char* dot = strrchr(base, '.');
    int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    int n = snprintf(path, PLI_FOLDER_SIZE, "%s%s%.*s%s", folder ? folder : "", folder ? "/" : "",
                     length, base, ending);
    bool fits = n > 0 && n < PLI_FOLDER_SIZE;
    if (!fits) pli_complain("the name of the file is too long");
    return fits;
}

void pli_write_start(const pli_options* options, const char* folder, const pli_scene* scene) {
    int count = pli_scene_crossing_count(scene);
    char path[PLI_FOLDER_SIZE], shown[1024];
    pli_error error = {0};
    if (count > 0 && !folder)
        fprintf(stderr, "pliant check -o FOLDER writes the parts that intersect, to look at them; "
                        "pliant check --separate tries to move them apart\n");
    if (count == 0 || !folder || !name_file(options->argument, folder, "-intersections.vtu", path))
        return;
    if (pli_make_folder(folder, &error) != PLI_OK ||
        pli_write_crossings(pli_scene_crossed_world(scene), pli_scene_crossings(scene), count, path,
                            &error) != PLI_OK) {
        pli_complain("%s", error.message);
        return;
    }
    fprintf(
        stderr,
        "the parts that intersect are in %s; pliant check --separate tries to move them apart\n",
        pli_printable(path, shown, sizeof shown));
}

static void print_moves(const pli_separation* separation) {
    for (int i = 0; i < pli_separation_move_count(separation); ++i) {
        pli_body_move move = pli_separation_move(separation, i);
        char name[PLI_SHOWN_SIZE];
        printf("  body \"%s\" moved by (%.6g, %.6g, %.6g) m\n", pli_shown(move.name, name),
               move.way[0], move.way[1], move.way[2]);
    }
}

static int write_separated(const pli_options* options, const pli_separation* separation) {
    char path[PLI_FOLDER_SIZE], shown[1024];
    pli_error error = {0};
    if (*pli_separation_reason(separation)) {
        pli_complain("the bodies could not be moved apart: %s", pli_separation_reason(separation));
        return PLI_EXIT_STOPPED;
    }
    if (options->folder)
        snprintf(path, sizeof path, "%s", options->folder);
    else if (!name_file(options->argument, NULL, "-separated.json", path))
        return PLI_EXIT_USAGE;
    if (!options->quiet) print_moves(separation);
    if (pli_separation_move_count(separation) == 0) {
        if (!options->quiet) printf("all bodies are at least contact.dhat apart: nothing to do\n");
        return PLI_EXIT_DONE;
    }
    if (pli_write_text(path, pli_separation_text(separation), &error) != PLI_OK) {
        pli_complain("%s", error.message);
        return PLI_EXIT_STOPPED;
    }
    if (!options->quiet)
        printf("the corrected scene is %s\n", pli_printable(path, shown, sizeof shown));
    return PLI_EXIT_DONE;
}

int pli_separate(const pli_options* options) {
    pli_scene_def def = pli_scene_def_of(options);
    pli_separation* separation = NULL;
    pli_error error = {0};
    pli_status status = pli_scene_separate(&def, &separation, &error);
    if (status != PLI_OK) {
        pli_complain("%s%s", error.message,
                     status == PLI_E_SCENE ? "; pliant check lists them" : "");
        return PLI_EXIT_USAGE;
    }
    int code = write_separated(options, separation);
    pli_separation_destroy(separation);
    return code;
}
