// What pliant says about a mesh file.
#include <stdio.h>

#include "app/app.h"

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

// A word of warning, in the way of findings about scenes.
static void warn(const report* r, const char* message) {
    char text[1200], line[1200];
    if (r->quiet) return;
    snprintf(text, sizeof text, "%s: warning: %s", r->path, message);
    fprintf(stderr, "%s\n", pli_printable(text, line, sizeof line));
}

enum { SHOWN = 20 }; // defects of each sort

static void show_defect(void* context, bool grave, const char* message) {
    report* r = context;
    int* count = grave ? &r->grave : &r->other;
    if (++*count > SHOWN) return;
    if (!grave) {
        warn(r, message);
        return;
    }
    char text[1200], line[1200];
    snprintf(text, sizeof text, "%s: %s", r->path, message);
    fprintf(stderr, "%s\n", pli_printable(text, line, sizeof line));
}

#define WARN_COUNT(r, count, ...)                                                                  \
    do {                                                                                           \
        char warn_text[300];                                                                       \
        snprintf(warn_text, sizeof warn_text, __VA_ARGS__);                                        \
        if ((count) > 0) warn((r), warn_text);                                                     \
    } while (0)

static void show_warnings(const report* r, const pli_mesh_summary* s) {
    bool cloud = s->unreferenced_count == r->mesh->vertex_count;
    for (int i = 0; i < pli_mesh_note_count(r->mesh); ++i) warn(r, pli_mesh_note(r->mesh, i));
    WARN_COUNT(r, cloud ? 0 : s->unreferenced_count,
               "%d vertices belong to no element, the first is vertex %d", s->unreferenced_count,
               s->first_unreferenced);
    WARN_COUNT(r, s->crowded_faces,
               "%d faces have three tetrahedra or more: the solid overlaps itself",
               s->crowded_faces);
    WARN_COUNT(r, s->crowded_edges,
               "%d edges have three triangles or more: the surface is not manifold",
               s->crowded_edges);
    WARN_COUNT(r, s->turned_edges, "at %d edges the triangles do not agree which side is outside",
               s->turned_edges);
    WARN_COUNT(r, s->pinched_vertices, "the surface touches itself in %d vertices",
               s->pinched_vertices);
    WARN_COUNT(r, s->closed && s->enclosed < 0, "the triangles of the surface look inward");
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
}

// "worst 0.3, mean 0.7" and how many are how good.
static void print_quality(const pli_mesh* mesh, const pli_mesh_summary* s) {
    if (s->worst_count == 0) return;
    printf("  quality       worst %.3g, mean %.3g (1: equilateral, 0: flat)\n", s->worst_quality,
           s->mean_quality);
    for (int i = 0; i < PLI_QUALITY_BINS; ++i)
        if (s->quality_bins[i] > 0)
            printf("                %.1f to %.1f: %d\n", 0.1 * i, 0.1 * (i + 1),
                   s->quality_bins[i]);
    printf("  worst         ");
    for (int i = 0; i < s->worst_count; ++i) {
        char place[32];
        pli_mesh_place(mesh, s->quality_kind, s->worst[i], place, sizeof place);
        printf("%s%s %d%s%s%s: %.3g", i ? ", " : "", one_names[s->quality_kind], s->worst[i],
               place[0] ? " (" : "", place, place[0] ? ")" : "", s->worst_qualities[i]);
    }
    printf("\n");
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
    printf("  parts         %d\n", s->component_count);
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
    WARN_COUNT(r, r->other - SHOWN, "%d more vertices are at the same place as others",
               r->other - SHOWN);
    show_warnings(r, &s);
    if (!r->quiet) print_report(r, &s);
    if (r->grave > 0) {
        pli_complain("%s has %d bad element%s", r->path, r->grave, r->grave > 1 ? "s" : "");
        return PLI_EXIT_USAGE;
    }
    if (!r->quiet) printf("no element is bad\n");
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
