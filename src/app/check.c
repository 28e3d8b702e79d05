// pliant check: findings and what will be simulated; of a mesh file what pli_report_mesh says.
#include <stdio.h>

#include "app/app.h"

pli_scene* pli_read_scene(const pli_options* options) {
    if (!options->argument) {
        pli_complain("which scene? For example: pliant run scenes/tutorial/1_mass_spring.json");
        return NULL;
    }
    pli_scene_def def = pli_scene_def_of(options);
    pli_scene* scene = NULL;
    pli_error error = {0};
    pli_status status = pli_scene_create(&def, &scene, &error);
    if (status != PLI_OK) {
        pli_complain("%s", error.message);
        pli_explain_memory(options, status);
        return NULL;
    }
    int errors = pli_scene_error_count(scene);
    for (int i = 0; i < pli_scene_finding_count(scene); ++i) {
        char text[1024];
        bool shown = pli_scene_finding(scene, i)->severity == PLI_ERROR || !options->quiet;
        if (shown) fprintf(stderr, "%s\n", pli_scene_finding_text(scene, i, text, sizeof text));
    }
    if (errors > 0)
        pli_complain("%s has %d error%s", options->argument, errors, errors > 1 ? "s" : "");
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

static void print_summary(pli_scene* scene) {
    const pli_scene_summary* s = pli_scene_summarize(scene);
    const pli_run_def* run = pli_scene_run(scene);
    const pli_world* world = pli_scene_world(scene);
    char name[PLI_SHOWN_SIZE];
    printf("%s\n", pli_shown(run->name, name));
    print_bodies(scene);
    printf("  obstacles     %d\n", s->obstacle_count);
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
    printf("%s\n", m->contact ? "; contact comes on top" : "");
}

int pli_command_check(const pli_options* options) {
    if (options->argument && !options->text && pli_mesh_is_file(options->argument))
        return pli_report_mesh(options->argument, options->quiet);
    if (options->argument && options->separate) return pli_separate(options);
    pli_scene* scene = pli_read_scene(options);
    if (!scene) return PLI_EXIT_USAGE;
    pli_write_start(options, options->folder, scene);
    bool good = pli_scene_error_count(scene) == 0;
    pli_run_memory memory;
    if (good && !options->quiet) print_summary(scene);
    good = good && pli_predict_run(options, scene, &memory);
    if (good && !options->quiet) print_memory(&memory);
    good = good && pli_memory_suffices(options, &memory);
    if (good && !options->quiet) {
        char path[1024];
        printf("nothing is wrong with %s\n", pli_printable(options->argument, path, sizeof path));
    }
    pli_scene_destroy(scene);
    return good ? PLI_EXIT_DONE : PLI_EXIT_USAGE;
}
