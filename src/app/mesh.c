// pliant mesh, and pliant check of mesh files. A closed surface is filled with tetrahedra by one of
// the engines in the table below: our own, or the program pliant-mesh, a separate process because
// it uses a library under another licence.
#define _POSIX_C_SOURCE 200809L // posix_spawn, readlink
#include "app/app.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- reports

const char* const pli_element_names[PLI_ELEMENT_KIND_COUNT] = {
    "vertices", "segments", "triangles", "tetrahedra", "6-node tri.", "10-node tets"};
static const char* const one_names[PLI_ELEMENT_KIND_COUNT] = {
    "vertex", "segment", "triangle", "tetrahedron", "6-node triangle", "10-node tetrahedron"};

typedef struct report {
    const char* path;
    const pli_mesh* mesh;
    bool quiet;
    int grave, other; // defects
} report;

// A warning, printed like the findings of scenes.
static void print_line(const report* r, const char* severity, const char* message) {
    char text[1200], line[1200];
    snprintf(text, sizeof text, "%s: %s%s", r->path, severity, message);
    fprintf(stderr, "%s\n", pli_printable(text, line, sizeof line));
}

static void warn(const report* r, const char* message) {
    if (!r->quiet) print_line(r, "warning: ", message);
}

enum { SHOWN = 20 }; // defects of each severity

static void show_defect(void* context, bool grave, const char* message) {
    report* r = context;
    int* count = grave ? &r->grave : &r->other;
    if (++*count > SHOWN) return;
    if (grave)
        print_line(r, "", message);
    else
        warn(r, message);
}

#define WARN_COUNT(r, count, ...)                                                                  \
    do {                                                                                           \
        char warn_text[600];                                                                       \
        snprintf(warn_text, sizeof warn_text, __VA_ARGS__);                                        \
        if ((count) > 0) warn((r), warn_text);                                                     \
    } while (0)

// "triangle 7 (line 30)"
static int name_element(const pli_mesh* mesh, int kind, int element, char* out, size_t size) {
    char place[32];
    pli_mesh_place(mesh, (pli_element_kind)kind, element, place, sizeof place);
    return snprintf(out, size, "%s %d%s%s%s", one_names[kind], element, place[0] ? " (" : "", place,
                    place[0] ? ")" : "");
}

static bool has_all(const int32_t* element, int width, int count, const int* vertices) {
    for (int i = 0; i < count; ++i) {
        bool found = false;
        for (int k = 0; k < width; ++k) found |= element[k] == vertices[i];
        if (!found) return false;
    }
    return true;
}

// "the first at vertices 1, 2 in triangle 3 (line 9), triangle 4 (line 10)": the elements that
// contain all these vertices.
static const char* name_first(const pli_mesh* mesh, int count, const int* vertices, char* out,
                              size_t size) {
    int used = 0, named = 0;
    for (int i = 0; i < count; ++i)
        used += snprintf(out + used, size - (size_t)used, "%s%d",
                         i           ? ", "
                         : count > 1 ? "the first at vertices "
                                     : "the first at vertex ",
                         vertices[i]);
    for (int kind = PLI_ELEMENT_KIND_COUNT - 1; kind >= PLI_SEGMENT; --kind) {
        int width = pli_element_size((pli_element_kind)kind);
        for (int e = 0; e < mesh->element_count[kind] && named < 4; ++e) {
            char name[100];
            if (!has_all(mesh->elements[kind] + (size_t)width * (size_t)e, width, count, vertices))
                continue;
            name_element(mesh, kind, e, name, sizeof name);
            used +=
                snprintf(out + used, size - (size_t)used, "%s%s", named++ ? ", " : " in ", name);
        }
    }
    return out;
}

// Defects of the surface, with the first of each.
static void warn_of_surface(const report* r, const pli_mesh_summary* s) {
    const struct {
        int count, width;
        const int* vertices;
        const char *what, *meaning;
    } rows[] = {
        {s->crowded_faces, 3, s->first_crowded_face, "faces have more than two tetrahedra",
         "the solid overlaps itself"},
        {s->overlapped_faces, 3, s->first_overlapped_face,
         "faces have two tetrahedra on the same side", "the solid overlaps itself"},
        {s->crowded_edges, 2, s->first_crowded, "edges have more than two triangles",
         "the surface is not manifold"},
        {s->turned_edges, 2, s->first_turned, "edges have triangles of opposite orientation",
         "it is not clear which side is outside"},
        {s->pinched_vertices, 1, &s->first_pinched, "vertices have several fans of triangles",
         "the surface touches itself"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char where[400];
        if (rows[i].count == 0) continue;
        name_first(r->mesh, rows[i].width, rows[i].vertices, where, sizeof where);
        WARN_COUNT(r, rows[i].count, "%d %s, %s: %s", rows[i].count, rows[i].what, where,
                   rows[i].meaning);
    }
    WARN_COUNT(r, s->closed && s->enclosed < 0, "the triangles of the surface point inward");
}

static void show_warnings(const report* r, const pli_mesh_summary* s) {
    bool cloud = s->unreferenced_count == r->mesh->vertex_count;
    char name[100] = "";
    for (int i = 0; i < pli_mesh_note_count(r->mesh); ++i) warn(r, pli_mesh_note(r->mesh, i));
    if (s->unreferenced_count > 0)
        name_element(r->mesh, PLI_VERTEX, s->first_unreferenced, name, sizeof name);
    WARN_COUNT(r, cloud ? 0 : s->unreferenced_count,
               "%d vertices belong to no element, the first is %s", s->unreferenced_count, name);
    warn_of_surface(r, s);
}

static void print_surface(const pli_mesh_summary* s) {
    if (s->surface_triangles == 0) return;
    printf("  surface       %d triangles, %d edges, %d vertices, ", s->surface_triangles,
           s->surface_edges, s->surface_vertices);
    if (s->surface_components > 1) printf("%d parts, ", s->surface_components);
    if (s->closed)
        printf("closed, encloses %.6g m^3\n", s->enclosed);
    else if (s->open_edges > 0)
        printf("open: %d edges have one triangle\n", s->open_edges);
    else
        printf("not manifold\n");
    int handles = (2 * s->surface_components - s->euler) / 2;
    if (s->closed && s->pinched_vertices == 0)
        printf("  topology      Euler characteristic %d: %d handle%s\n", s->euler, handles,
               handles == 1 ? "" : "s");
    else
        printf("  topology      Euler characteristic %d\n", s->euler);
}

static void print_groups(const pli_mesh* mesh) {
    static const char* const made_of[] = {"vertices", "curves", "surfaces", "volumes"};
    for (int i = 0; i < mesh->group_count && i < SHOWN; ++i) {
        const pli_mesh_group* g = &mesh->groups[i];
        char name[PLI_SHOWN_SIZE];
        printf("  %-13s %s: %d %s, of %s", i ? "" : "groups", pli_shown(g->name, name),
               g->vertex_count, g->vertex_count == 1 ? "vertex" : "vertices", made_of[g->dim]);
        if (g->tag) printf(", tag %d", (int)g->tag);
        printf("\n");
    }
    if (mesh->group_count > SHOWN)
        printf("                and %d more groups\n", mesh->group_count - SHOWN);
}

// "worst 0.3, mean 0.7" and a histogram.
static void print_quality(const pli_mesh* mesh, const pli_mesh_summary* s) {
    char name[100];
    if (s->worst_count == 0) return;
    printf("  quality       worst %.3g, mean %.3g (1: equilateral, 0: flat)\n", s->worst_quality,
           s->mean_quality);
    for (int i = 0; i < PLI_QUALITY_BINS; ++i)
        if (s->quality_bins[i] > 0)
            printf("                %.1f to %.1f: %d\n", 0.1 * i, 0.1 * (i + 1),
                   s->quality_bins[i]);
    printf("  worst         ");
    for (int i = 0; i < s->worst_count; ++i) {
        name_element(mesh, (int)s->quality_kind, s->worst[i], name, sizeof name);
        printf("%s%s: %.3g", i ? ", " : "", name, s->worst_qualities[i]);
    }
    name_element(mesh, (int)s->quality_kind, s->smallest_angle_element, name, sizeof name);
    printf("\n  angles        %.4g degrees in %s", s->smallest_angle, name);
    name_element(mesh, (int)s->quality_kind, s->largest_angle_element, name, sizeof name);
    printf(" to %.4g in %s\n", s->largest_angle, name);
}

static void print_report(const report* r, const pli_mesh_summary* s) {
    char path[1024];
    printf("%s\n  %-13s %d\n", pli_printable(r->path, path, sizeof path),
           pli_element_names[PLI_VERTEX], r->mesh->vertex_count);
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        if (r->mesh->element_count[kind] > 0)
            printf("  %-13s %d\n", pli_element_names[kind], r->mesh->element_count[kind]);
    printf("  extent        x %.6g .. %.6g m, y %.6g .. %.6g m, z %.6g .. %.6g m\n", s->low[0],
           s->high[0], s->low[1], s->high[1], s->low[2], s->high[2]);
    if (s->length > 0) printf("  length        %.6g m\n", s->length);
    if (s->area > 0) printf("  area          %.6g m^2\n", s->area);
    if (s->volume != 0) printf("  volume        %.6g m^3\n", s->volume);
    if (s->longest_edge > 0)
        printf("  edges         %.4g m (vertices %d, %d) to %.4g m, mean %.4g m\n",
               s->shortest_edge, s->shortest_ends[0], s->shortest_ends[1], s->longest_edge,
               s->mean_edge);
    printf("  parts         %d\n", s->component_count);
    print_groups(r->mesh);
    print_surface(s);
    print_quality(r->mesh, s);
}

static int report_on(report* r) {
    pli_error error = {0};
    pli_mesh_summary s;
    if (pli_mesh_find_defects(r->mesh, 3, show_defect, r, &error) != PLI_OK ||
        pli_mesh_summarize(r->mesh, &s, &error) != PLI_OK) {
        pli_complain("%s", error.message);
        return PLI_EXIT_STOPPED;
    }
    if (r->grave > SHOWN) fprintf(stderr, "... and %d more bad elements\n", r->grave - SHOWN);
    WARN_COUNT(r, r->other - SHOWN, "%d more elements are nearly flat, or vertices coincide",
               r->other - SHOWN);
    show_warnings(r, &s);
    if (!r->quiet) print_report(r, &s);
    if (r->grave > 0) {
        pli_complain("%s has %d bad %s", r->path, r->grave,
                     pli_counted(r->grave, "element", "elements"));
        return PLI_EXIT_USAGE;
    }
    int flat = pli_mesh_count_flat(r->mesh);
    if (!r->quiet && flat > 0)
        printf("%d bad %s: nearly flat, quality below %g\n", flat,
               pli_counted(flat, "element", "elements"), PLI_FLAT_QUALITY);
    else if (!r->quiet)
        printf("no bad elements\n");
    return PLI_EXIT_DONE;
}

int pli_report_mesh(const char* path, bool quiet) {
    pli_mesh mesh;
    pli_error error = {0};
    int code = PLI_EXIT_USAGE;
    pli_mesh_init(&mesh, NULL);
    if (pli_mesh_read(&mesh, path, &error) == PLI_OK)
        code = report_on(&(report){.path = path, .mesh = &mesh, .quiet = quiet});
    else
        pli_complain("%s", error.message);
    pli_mesh_free(&mesh);
    return code;
}

// ---- conversion

extern char** environ;

static const char mesher[] = "pliant-mesh";

// The mesher next to this program, or its name, to be found in PATH.
static const char* find_mesher(char path[4096]) {
    ssize_t n = readlink("/proc/self/exe", path, 4096 - sizeof mesher);
    while (n > 0 && path[n - 1] != '/') --n;
    if (n > 0) {
        memcpy(path + n, mesher, sizeof mesher);
        if (access(path, X_OK) == 0) return path;
    }
    return mesher;
}

static int run_mesher(const pli_options* options, const pli_mesh* surface) {
    (void)surface; // the program reads the file itself
    char path[4096], size[40], self[24];
    snprintf(size, sizeof size, "%.17g", options->size);
    snprintf(self, sizeof self, "%ld", (long)getpid()); // the mesher exits with this process
    const char* arguments[] = {mesher, options->argument, options->target, size, self, NULL};
    pid_t child;
    signal(SIGCHLD, SIG_DFL); // if ignored, the exit status of a child is lost
    int failure = posix_spawnp(&child, find_mesher(path), NULL, NULL, (char**)arguments, environ);
    if (failure == ENOENT || failure == EACCES) {
        pli_complain(
            "--engine gmsh needs the program %s, which is neither next to pliant nor in PATH: "
            "install libgmsh-dev and build with -DPLIANT_GMSH=ON, or fill %s without --engine",
            mesher, options->argument);
        return PLI_EXIT_STOPPED;
    }
    int status = 0;
    while (failure == 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR) failure = errno;
    if (failure == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return PLI_EXIT_DONE;
    if (failure)
        pli_complain("cannot start %s: %s", mesher, strerror(failure));
    else
        pli_complain("%s failed to fill %s", mesher, options->argument);
    return PLI_EXIT_STOPPED;
}

// Prints what was filled, and the fraction of the volume.
static void tell_filling(const pli_options* options, const pli_mesh* solid, double size,
                         const pli_mesh* surface) {
    pli_mesh_summary inner, outer;
    if (options->quiet || pli_mesh_summarize(solid, &inner, NULL) != PLI_OK ||
        pli_mesh_summarize(surface, &outer, NULL) != PLI_OK)
        return;
    printf("filled with tetrahedra of size %.4g m", size);
    double share = outer.enclosed != 0 ? inner.volume / fabs(outer.enclosed) : 1;
    if (outer.closed) printf(", %.4g %% of the enclosed volume", 100 * share);
    printf("; angles from %.4g to %.4g degrees\n", inner.smallest_angle, inner.largest_angle);
    if (outer.closed && share < 0.9)
        pli_complain("%s: %.3g %% of the volume is lost: sharp edges and parts thinner than the "
                     "tetrahedra are cut off; use a smaller --size",
                     options->argument, 100 * (1 - share));
}

static int run_stuffing(const pli_options* options, const pli_mesh* surface) {
    pli_mesh solid;
    pli_error error = {0};
    double size;
    pli_mesh_init(&solid, NULL);
    pli_status status = pli_mesh_fill(&solid, surface, options->size, &size, &error);
    if (status == PLI_OK) {
        status = pli_mesh_write(&solid, options->target, &error);
        if (status == PLI_OK)
            tell_filling(options, &solid, size, surface);
        else
            pli_complain("%s", error.message);
    } else {
        pli_complain("%s: %s", options->argument, error.message);
    }
    pli_mesh_free(&solid);
    return pli_exit_code(status);
}

typedef struct engine {
    const char* name;
    int (*fill)(const pli_options* options, const pli_mesh* surface); // an exit code
} engine;

static const engine engines[] = {{"stuffing", run_stuffing}, {"gmsh", run_mesher}};
enum { ENGINE_COUNT = sizeof engines / sizeof *engines };

static const char* engine_name(int i) { return i < ENGINE_COUNT ? engines[i].name : NULL; }

// The first if `name` is NULL; NULL with a message if there is no such engine.
static const engine* find_engine(const char* name) {
    char like[96];
    if (!name) return &engines[0];
    for (int i = 0; i < ENGINE_COUNT; ++i)
        if (strcmp(engines[i].name, name) == 0) return &engines[i];
    pli_complain("unknown engine \"%s\"%s; use stuffing or gmsh", name,
                 pli_like(name, engine_name, like));
    return NULL;
}

static bool is_obj(const char* path) {
    const char* dot = strrchr(path, '.');
    return dot && strcmp(dot, ".obj") == 0;
}

// Should the surface be filled? If it is closed, or --size is given, and the target format can hold
// tetrahedra.
static bool wants_filling(const pli_options* options, const pli_mesh* mesh) {
    pli_mesh_summary s;
    int solid = mesh->element_count[PLI_TETRAHEDRON] + mesh->element_count[PLI_TETRAHEDRON10];
    int surface = mesh->element_count[PLI_TRIANGLE] + mesh->element_count[PLI_TRIANGLE6];
    if (solid > 0 || surface == 0 || options->surface || is_obj(options->target)) return false;
    bool closed = pli_mesh_summarize(mesh, &s, NULL) == PLI_OK && s.closed;
    if (!closed && options->size == 0 && !options->quiet)
        pli_complain("%s: the surface is not closed, so it is not filled; --size fills it if the "
                     "gaps are small",
                     options->argument);
    return closed || options->size > 0;
}

static int convert(const pli_options* options, const pli_mesh* mesh) {
    pli_error error = {0};
    const engine* filler = find_engine(options->engine);
    if (!filler) return PLI_EXIT_USAGE;
    for (int i = 0; i < pli_mesh_note_count(mesh) && !options->quiet; ++i)
        pli_complain("%s: %s", options->argument, pli_mesh_note(mesh, i));
    if (wants_filling(options, mesh)) return filler->fill(options, mesh);
    if (options->size > 0) {
        pli_complain(
            "--size applies only to surfaces that are filled: %s stays a surface, is not one, or "
            "already has tetrahedra",
            options->argument);
        return PLI_EXIT_USAGE;
    }
    if (is_obj(options->target) && mesh->group_count > 0 && !options->quiet)
        pli_complain("%s: its %d groups are dropped: .obj files cannot hold them",
                     options->argument, mesh->group_count);
    pli_status status = pli_mesh_write(mesh, options->target, &error);
    if (status != PLI_OK) pli_complain("%s", error.message);
    return pli_exit_code(status);
}

int pli_command_mesh(const pli_options* given) {
    pli_options copy = *given, *options = &copy;
    if (options->folder && options->target) {
        pli_complain("two output files: %s and --output %s; omit one", options->target,
                     options->folder);
        return PLI_EXIT_USAGE;
    }
    if (options->folder) options->target = options->folder;
    if (!options->argument || !options->target) {
        pli_complain("input or output file is missing; for example: pliant mesh part.obj part.msh "
                     "--size 0.01");
        return PLI_EXIT_USAGE;
    }
    pli_mesh mesh;
    pli_error error = {0};
    int code = PLI_EXIT_USAGE;
    pli_mesh_init(&mesh, NULL);
    if (pli_mesh_read(&mesh, options->argument, &error) == PLI_OK)
        code = convert(options, &mesh);
    else
        pli_complain("%s", error.message);
    pli_mesh_free(&mesh);
    if (code != PLI_EXIT_DONE) return code;
    // Defects are printed, but the conversion succeeded.
    return pli_report_mesh(options->target, options->quiet) == PLI_EXIT_STOPPED ? PLI_EXIT_STOPPED
                                                                                : PLI_EXIT_DONE;
}
