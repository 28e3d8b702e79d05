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

// Where something is: "the first at vertices 1, 2 in triangle 3 (line 9), triangle 4 (line 10)".
// Names elements that have all these vertices.
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

// What is wrong with the surface, and where it begins.
static void warn_of_surface(const report* r, const pli_mesh_summary* s) {
    const struct {
        int count, width;
        const int* vertices;
        const char *what, *meaning;
    } rows[] = {
        {s->crowded_faces, 3, s->first_crowded_face, "faces have three tetrahedra or more",
         "the solid overlaps itself"},
        {s->overlapped_faces, 3, s->first_overlapped_face,
         "faces have two tetrahedra on the same side", "the solid overlaps itself"},
        {s->crowded_edges, 2, s->first_crowded, "edges have three triangles or more",
         "the surface is not manifold"},
        {s->turned_edges, 2, s->first_turned, "edges have triangles that do not agree",
         "which side is outside is not clear"},
        {s->pinched_vertices, 1, &s->first_pinched, "vertices have several fans of triangles",
         "the surface touches itself there"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char where[400];
        if (rows[i].count == 0) continue;
        name_first(r->mesh, rows[i].width, rows[i].vertices, where, sizeof where);
        WARN_COUNT(r, rows[i].count, "%d %s, %s: %s", rows[i].count, rows[i].what, where,
                   rows[i].meaning);
    }
    WARN_COUNT(r, s->closed && s->enclosed < 0, "the triangles of the surface look inward");
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

// "worst 0.3, mean 0.7" and how many are how good.
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
    WARN_COUNT(r, r->other - SHOWN,
               "%d more elements are nearly flat, or vertices at the same place as others",
               r->other - SHOWN);
    show_warnings(r, &s);
    if (!r->quiet) print_report(r, &s);
    if (r->grave > 0) {
        pli_complain("%s has %d bad element%s", r->path, r->grave, r->grave > 1 ? "s" : "");
        return PLI_EXIT_USAGE;
    }
    int flat = pli_mesh_count_flat(r->mesh);
    if (!r->quiet && flat > 0)
        printf("%d bad element%s: nearly flat, quality below %g\n", flat, flat > 1 ? "s" : "",
               PLI_FLAT_QUALITY);
    else if (!r->quiet)
        printf("no element is bad\n");
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
