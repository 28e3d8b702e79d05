// pliant check: findings, a summary of the scene, and initial intersections.
#include "app/app.h"

#include "base/file.h"

#include <stdio.h>

pli_scene* pli_read_scene(const pli_options* options) {
    if (!options->argument) {
        pli_complain(
            "the scene is missing; for example: pliant run scenes/tutorial/1_mass_spring.json");
        return NULL;
    }
    pli_scene_def def = pli_scene_def_of(options);
    pli_scene* scene = NULL;
    pli_error error = {0};
    if (pli_scene_create(&def, &scene, &error) != PLI_OK) {
        pli_complain_of(options, &error);
        return NULL;
    }
    int errors = pli_scene_error_count(scene);
    for (int i = 0; i < pli_scene_finding_count(scene); ++i) {
        char text[1024];
        bool shown = pli_scene_finding(scene, i)->severity == PLI_ERROR || !options->quiet;
        if (shown) fprintf(stderr, "%s\n", pli_scene_finding_text(scene, i, text, sizeof text));
    }
    if (errors > 0)
        pli_complain("%s has %d %s", options->argument, errors,
                     pli_counted(errors, "error", "errors"));
    return scene;
}

static double body_mass(const pli_world* world, int body) {
    double sum = 0;
    for (int v = pli_world_body_vertex(world, body); v < pli_world_body_vertex(world, body + 1);
         ++v)
        sum += pli_world_vertex_masses(world)[v];
    return sum;
}

static int element_count(const pli_world* world, int body, int kind) {
    pli_element_kind k = (pli_element_kind)kind;
    return pli_world_body_element(world, body + 1, k) - pli_world_body_element(world, body, k);
}

static int vertex_count(const pli_world* world, int body) {
    return pli_world_body_vertex(world, body + 1) - pli_world_body_vertex(world, body);
}

// Columns for the kinds of elements that the world has.
static void print_row(const pli_world* world, int first, int copies) {
    char name[PLI_SHOWN_SIZE], shown[PLI_SHOWN_SIZE + 16];
    pli_shown(pli_world_body_name(world, first), name);
    snprintf(shown, sizeof shown, copies > 1 ? "%s .. %d" : "%s", name, copies - 1);
    printf("  %-20s %6d %10d", shown, copies, vertex_count(world, first));
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        if (pli_world_element_count(world, (pli_element_kind)k) > 0)
            printf(" %12d", element_count(world, first, k));
    printf(" %14.6g\n", body_mass(world, first));
}

// All bodies, copies by `repeat` as one line; numbers are those of one of them.
static void print_bodies(pli_scene* scene) {
    const pli_world* world = pli_scene_world(scene);
    int count = pli_world_body_count(world);
    printf("  %-20s %6s %10s", "body", "copies", pli_element_names[PLI_VERTEX]);
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        if (pli_world_element_count(world, (pli_element_kind)k) > 0)
            printf(" %12s", pli_element_names[k]);
    printf(" %14s\n", "mass [kg]");
    for (int b = 0, end; b < count; b = end) {
        for (end = b + 1; end < count && pli_scene_first_copy(scene, end) == b;) ++end;
        print_row(world, b, end - b);
    }
}

// Bodies that appear or vanish; the rows above are those at the start.
static void print_events(const pli_scene* scene) {
    int count = pli_scene_event_count(scene);
    if (count == 0) return;
    pli_scene_event first = pli_scene_event_at(scene, 0);
    char name[PLI_SHOWN_SIZE];
    printf("  changes       %d: body \"%s\" %s at t = %.6g s%s\n", count,
           pli_shown(first.body, name), first.appears ? "appears" : "vanishes", first.time,
           count > 1 ? ", and others" : "");
}

// Equations that follow from others are not an error: forces are shared in one of many ways.
static void print_joints(const pli_world* world) {
    int count = pli_world_joint_count(world), equations = 0, dropped = 0;
    const char* first = NULL;
    pli_joint_info joint;
    for (int i = 0; i < count && pli_world_joint(world, i, &joint); ++i) {
        equations += joint.row_count;
        dropped += joint.dropped;
        if (!first && joint.dropped > 0) first = joint.name;
    }
    if (count == 0) return;
    printf("  joints        %d, %d equations", count, equations);
    char name[PLI_SHOWN_SIZE];
    if (first)
        printf("; %d of them %s from others, the first in joint \"%s\"", dropped,
               pli_counted(dropped, "follows", "follow"), pli_shown(first, name));
    printf("\n");
}

static void print_summary(pli_scene* scene) {
    const pli_scene_summary* s = pli_scene_summarize(scene);
    const pli_run_def* run = pli_scene_run(scene);
    const pli_world* world = pli_scene_world(scene);
    char name[PLI_SHOWN_SIZE];
    printf("%s\n", pli_shown(run->name, name));
    print_bodies(scene);
    printf("  obstacles     %d\n", s->obstacle_count);
    print_joints(world);
    printf("  vertices      %d, unknowns %d\n", s->vertex_count, s->unknown_count);
    printf("  mass          %.6g kg\n", s->mass);
    printf("  extent        x %.6g .. %.6g m, y %.6g .. %.6g m", s->low[0], s->high[0], s->low[1],
           s->high[1]);
    if (pli_world_dimension(world) == 3) printf(", z %.6g .. %.6g m", s->low[2], s->high[2]);
    if (run->duration > 0)
        printf("\n  duration      %.6g s, a frame every %d %s\n", run->duration, run->frame_every,
               pli_counted(run->frame_every, "step", "steps"));
    else
        printf("\n  steps         %d, a frame every %d\n", run->steps, run->frame_every);
    print_events(scene);
}

static void print_memory(const pli_run_memory* m) {
    const struct {
        const char* of;
        double bytes;
    } parts[] = {{"the program", m->program},
                 {"the world", m->world},
                 {"its linear solver", m->solver},
                 {"frames", m->frames}};
    char text[24];
    printf("  memory        %s %.4g MB:", m->contact ? "at least" : "about", m->peak / 1e6);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        printf("%s %s of %s", i > 0 ? "," : "", pli_bytes_text(parts[i].bytes, text, sizeof text),
               parts[i].of);
    printf("%s\n", m->contact ? "; contact needs more" : "");
}

// ---- bodies that intersect at t = 0

void pli_write_crossed(const pli_options* options, const char* folder, const pli_scene* scene) {
    int count = pli_scene_crossing_count(scene);
    char path[PLI_PATH_SIZE], shown[1024];
    pli_error error = {0};
    if (count > 0 && !folder)
        fprintf(stderr, "pliant check -o FOLDER writes the intersecting parts to a file; "
                        "pliant check --separate tries to move the bodies apart\n");
    if (count == 0 || !folder ||
        !pli_name_path(folder, options->argument, "-intersections.vtu", path))
        return;
    if (pli_make_folder(folder, &error) != PLI_OK ||
        pli_write_crossings(pli_scene_crossed_world(scene), pli_scene_crossings(scene), count, path,
                            &error) != PLI_OK) {
        pli_complain("%s", error.message);
        return;
    }
    fprintf(stderr,
            "the intersecting parts are in %s; pliant check --separate tries to move the bodies "
            "apart\n",
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
    char path[PLI_PATH_SIZE], shown[1024];
    pli_error error = {0};
    if (*pli_separation_reason(separation)) {
        pli_complain("cannot move the bodies apart: %s", pli_separation_reason(separation));
        return PLI_EXIT_STOPPED;
    }
    if (options->folder)
        snprintf(path, sizeof path, "%s", options->folder);
    else if (!pli_name_path("", options->argument, "-separated.json", path))
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

static int separate(const pli_options* options) {
    pli_scene_def def = pli_scene_def_of(options);
    pli_separation* separation = NULL;
    pli_error error = {0};
    if (pli_scene_separate(&def, &separation, &error) != PLI_OK) {
        pli_complain("%s%s", error.message,
                     error.status == PLI_E_SCENE ? "; pliant check lists them" : "");
        return PLI_EXIT_USAGE;
    }
    int code = write_separated(options, separation);
    pli_separation_destroy(separation);
    return code;
}

int pli_command_check(const pli_options* options) {
    if (options->argument && !options->text && pli_mesh_is_file(options->argument))
        return pli_report_mesh(options->argument, options->quiet);
    if (options->argument && options->separate) return separate(options);
    pli_scene* scene = pli_read_scene(options);
    if (!scene) return PLI_EXIT_USAGE;
    pli_write_crossed(options, options->folder, scene);
    bool good = pli_scene_error_count(scene) == 0;
    pli_run_memory memory;
    if (good && !options->quiet) print_summary(scene);
    good = good && pli_predict_run(options, scene, &memory);
    if (good && !options->quiet) print_memory(&memory);
    good = good && pli_memory_suffices(options, &memory);
    if (good && !options->quiet) {
        char path[1024];
        printf("no errors in %s\n", pli_printable(options->argument, path, sizeof path));
    }
    pli_scene_destroy(scene);
    return good ? PLI_EXIT_DONE : PLI_EXIT_USAGE;
}
