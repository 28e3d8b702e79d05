// USD as text [openusd.org, "UsdGeom"]: an Xform per body with a Mesh, BasisCurves or Points in it,
// whose points have a sample per frame; bodies that never move have one value. A time code is the
// median of the times between frames. Frames that are not evenly spaced have fractional time codes,
// so that the time is always right. Consecutive segments are joined to one curve.
#include "export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    pli_export_job* job;
    pli_spool spool;
    pli_file* file;
    double* codes;   // of the frames
    double rate;     // time codes per second
    double fineness; // width of parts without thickness [m]
    int* places;     // per point of the current part: its vertex in the body
    int place_count, place_capacity;
    int64_t done, total; // points
} writer;

// ---- time

static int by_size(const void* a, const void* b) {
    double p = *(const double*)a, q = *(const double*)b;
    return (p > q) - (p < q);
}

// code = (t - t_0) / median; rounded to integers where the difference is rounding.
static void find_codes(writer* w) {
    int count = w->job->frame_count;
    const double* times = w->spool.times;
    for (int i = 1; i < count; ++i) w->codes[i - 1] = times[i] - times[i - 1];
    if (count > 2) qsort(w->codes, (size_t)count - 1, sizeof *w->codes, by_size);
    double step = count > 1 ? w->codes[(count - 1) / 2] : 0;
    bool usable = isfinite(step) && step > 0;
    w->rate = usable ? 1 / step : 24;
    if (usable && fabs(w->rate - nearbyint(w->rate)) < 1e-9 * w->rate) w->rate = nearbyint(w->rate);
    for (int i = 0; i < count; ++i) {
        double code = usable ? (times[i] - times[0]) / step : i, whole = nearbyint(code);
        w->codes[i] = fabs(code - whole) < 1e-6 ? whole : code;
    }
}

// ---- values

static void write_point(pli_file* file, const float p[3]) {
    pli_file_text(file, "(");
    for (int k = 0; k < 3; ++k) {
        if (k > 0) pli_file_text(file, ", ");
        pli_file_float(file, p[k]);
    }
    pli_file_text(file, ")");
}

static const float* point_at(const writer* w, int i) {
    return w->spool.block + 3 * (size_t)w->places[i];
}

static void write_points(writer* w) {
    for (int i = 0; i < w->place_count; ++i) {
        if (i > 0) pli_file_text(w->file, ", ");
        write_point(w->file, point_at(w, i));
    }
}

// The bounding box of the part, enlarged by `margin`.
static void write_extent(writer* w, double margin) {
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) low[k] = HUGE_VALF, high[k] = -HUGE_VALF;
    for (int i = 0; i < w->place_count; ++i)
        for (int k = 0; k < 3; ++k) {
            low[k] = fminf(low[k], point_at(w, i)[k]);
            high[k] = fmaxf(high[k], point_at(w, i)[k]);
        }
    for (int k = 0; k < 3; ++k) {
        low[k] -= (float)margin;
        high[k] += (float)margin;
    }
    write_point(w->file, low);
    pli_file_text(w->file, ", ");
    write_point(w->file, high);
}

// An attribute with a sample per frame, or one value if the body never moves. margin < 0: the
// points, otherwise the extent.
static pli_status write_samples(writer* w, int body, const char* name, double margin,
                                pli_error* error) {
    bool moves = w->spool.moves[body];
    PLI_FILE_PRINT(w->file, "            %s%s", name, moves ? ".timeSamples = {\n" : " = [");
    for (int i = 0; i < (moves ? w->job->frame_count : 1); ++i) {
        PLI_TRY(pli_spool_read(&w->spool, body, i, error));
        if (moves) {
            pli_file_text(w->file, "                ");
            pli_file_number(w->file, w->codes[i]);
            pli_file_text(w->file, ": [");
        }
        margin < 0 ? write_points(w) : write_extent(w, margin);
        pli_file_text(w->file, moves ? "],\n" : "]\n");
        w->done += w->place_count;
        if (!pli_export_go_on(w->job, 0.4 + 0.6 * (double)w->done / (double)w->total))
            return PLI_OK;
    }
    if (moves) pli_file_text(w->file, "            }\n");
    return PLI_OK;
}

static void write_list(pli_file* file, const char* name, int count, const int32_t* list) {
    PLI_FILE_PRINT(file, "            int[] %s = [", name);
    for (int i = 0; i < count; ++i) PLI_FILE_PRINT(file, i > 0 ? ", %d" : "%d", list[i]);
    pli_file_text(file, "]\n");
}

static void write_repeated(pli_file* file, const char* name, int count, int value) {
    PLI_FILE_PRINT(file, "            int[] %s = [", name);
    for (int i = 0; i < count; ++i) PLI_FILE_PRINT(file, i > 0 ? ", %d" : "%d", value);
    pli_file_text(file, "]\n");
}

static void write_colour(pli_file* file, const pli_result_body* body) {
    double rgb[3];
    pli_export_colour(body, rgb);
    pli_file_text(file, "            color3f[] primvars:displayColor = [");
    write_point(file, (const float[3]){(float)rgb[0], (float)rgb[1], (float)rgb[2]});
    pli_file_text(file, "] (\n                interpolation = \"constant\"\n            )\n");
}

static void write_width(pli_file* file, double width) {
    pli_file_text(file, "            float[] widths = [");
    pli_file_float(file, (float)width);
    pli_file_text(file, "] (\n                interpolation = \"constant\"\n            )\n");
}

// ---- parts

static pli_status add_place(writer* w, int vertex, pli_error* error) {
    PLI_TRY(PLI_GROW(w->job->memory, w->places, w->place_capacity, w->place_count + 1, error));
    w->places[w->place_count++] = vertex;
    return PLI_OK;
}

static pli_status write_mesh(writer* w, int b, pli_error* error) {
    const pli_result_body* body = &w->job->result->bodies[b];
    pli_file_text(w->file, "        def Mesh \"surface\"\n        {\n"
                           "            uniform bool doubleSided = 1\n"
                           "            uniform token subdivisionScheme = \"none\"\n");
    w->place_count = 0;
    for (int i = 0; i < body->vertex_count; ++i) PLI_TRY(add_place(w, i, error));
    write_repeated(w->file, "faceVertexCounts", body->triangle_count, 3);
    write_list(w->file, "faceVertexIndices", 3 * body->triangle_count, body->triangles);
    write_colour(w->file, body);
    PLI_TRY(write_samples(w, b, "float3[] extent", 0, error));
    PLI_TRY(write_samples(w, b, "point3f[] points", -1, error));
    pli_file_text(w->file, "        }\n");
    return PLI_OK;
}

// Joins consecutive segments to curves, and writes the number of points of each.
static pli_status write_curve_counts(writer* w, const pli_result_body* body, pli_error* error) {
    int length = 0;
    w->place_count = 0;
    pli_file_text(w->file, "            int[] curveVertexCounts = [");
    for (int i = 0; i < body->segment_count; ++i) {
        const int32_t* ends = body->segments + 2 * (size_t)i;
        bool goes_on = length > 0 && w->places[w->place_count - 1] == ends[0];
        if (length > 0 && !goes_on) PLI_FILE_PRINT(w->file, "%d, ", length);
        if (!goes_on) {
            length = 1;
            PLI_TRY(add_place(w, ends[0], error));
        }
        PLI_TRY(add_place(w, ends[1], error));
        ++length;
    }
    PLI_FILE_PRINT(w->file, "%d]\n", length);
    return PLI_OK;
}

static double width_of(const writer* w, const pli_result_body* body) {
    return body->radius > 0 ? 2 * body->radius : w->fineness;
}

static pli_status write_curves(writer* w, int b, pli_error* error) {
    const pli_result_body* body = &w->job->result->bodies[b];
    double width = width_of(w, body);
    pli_file_text(w->file, "        def BasisCurves \"segments\"\n        {\n"
                           "            uniform token type = \"linear\"\n"
                           "            uniform token wrap = \"nonperiodic\"\n");
    PLI_TRY(write_curve_counts(w, body, error));
    write_width(w->file, width);
    write_colour(w->file, body);
    PLI_TRY(write_samples(w, b, "float3[] extent", 0.5 * width, error));
    PLI_TRY(write_samples(w, b, "point3f[] points", -1, error));
    pli_file_text(w->file, "        }\n");
    return PLI_OK;
}

static pli_status write_cloud(writer* w, int b, pli_error* error) {
    const pli_result_body* body = &w->job->result->bodies[b];
    double width = width_of(w, body);
    pli_file_text(w->file, "        def Points \"points\"\n        {\n");
    w->place_count = 0;
    for (int i = 0; i < body->point_count; ++i) PLI_TRY(add_place(w, body->points[i], error));
    write_width(w->file, width);
    write_colour(w->file, body);
    PLI_TRY(write_samples(w, b, "float3[] extent", 0.5 * width, error));
    PLI_TRY(write_samples(w, b, "point3f[] points", -1, error));
    pli_file_text(w->file, "        }\n");
    return PLI_OK;
}

// ---- the file

static void write_head(const writer* w) {
    pli_file_text(w->file,
                  "#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = \"Written by pliant ");
    pli_file_text(w->file, pli_version());
    pli_file_text(w->file, "\"\n    endTimeCode = ");
    pli_file_number(w->file, w->codes[w->job->frame_count - 1]);
    pli_file_text(w->file, "\n    framesPerSecond = ");
    pli_file_number(w->file, w->rate);
    pli_file_text(w->file, "\n    metersPerUnit = 1\n    startTimeCode = 0\n"
                           "    timeCodesPerSecond = ");
    pli_file_number(w->file, w->rate);
    pli_file_text(w->file, "\n    upAxis = \"Y\"\n)\n\ndef Xform \"run\"\n{\n");
}

static pli_status write_body(writer* w, int b, pli_error* error) {
    const pli_result_body* body = &w->job->result->bodies[b];
    PLI_FILE_PRINT(w->file, "    def Xform \"%s\"\n    {\n", body->word);
    pli_file_text(w->file, "        custom string userProperties:name = ");
    pli_file_json(w->file, body->name);
    pli_file_text(w->file, "\n");
    if (body->triangle_count > 0) PLI_TRY(write_mesh(w, b, error));
    if (body->segment_count > 0) PLI_TRY(write_curves(w, b, error));
    if (body->point_count > 0) PLI_TRY(write_cloud(w, b, error));
    pli_file_text(w->file, "    }\n");
    return PLI_OK;
}

// Estimates the output, and sets the default width: 1/200 of the extent of the first frame.
static pli_status survey(writer* w, pli_error* error) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int b = 0; b < w->job->result->body_count; ++b) {
        const pli_result_body* body = &w->job->result->bodies[b];
        int64_t samples = w->spool.moves[b] ? w->job->frame_count : 1;
        int64_t mesh = body->triangle_count > 0 ? body->vertex_count : 0;
        w->total += 2 * samples * (mesh + 2 * body->segment_count + body->point_count);
        PLI_TRY(pli_spool_read(&w->spool, b, 0, error));
        for (int i = 0; i < 3 * body->vertex_count && !body->ground; ++i) {
            low[i % 3] = fmin(low[i % 3], (double)w->spool.block[i]);
            high[i % 3] = fmax(high[i % 3], (double)w->spool.block[i]);
        }
    }
    double side = 0;
    for (int k = 0; k < 3; ++k) side = fmax(side, high[k] - low[k]);
    w->fineness = side > 0 ? side / 200 : 0.01;
    return PLI_OK;
}

static pli_status write_all(writer* w, pli_error* error) {
    find_codes(w);
    PLI_TRY(survey(w, error));
    write_head(w);
    for (int b = 0; b < w->job->result->body_count && !w->job->info->cancelled; ++b)
        PLI_TRY(write_body(w, b, error));
    pli_file_text(w->file, "}\n");
    return PLI_OK;
}

int64_t pli_export_usd_size(const pli_export_job* job) {
    pli_export_counts n = pli_export_count(job);
    int64_t points = n.triangles > 0 ? n.vertices : 2 * n.segments + n.points;
    return 33 * job->frame_count * points + 24 * n.triangles;
}

pli_status pli_export_usd(pli_export_job* job, pli_error* error) {
    writer w = {.job = job};
    pli_file file;
    pli_status status;
    PLI_TRY(pli_spool_create(&w.spool, job, 0.4, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(job->memory, w.codes, job->frame_count, error));
    if (job->info->cancelled) goto cleanup;
    PLI_TRY_CLEANUP(status, pli_file_create(&file, "", job->info->path, error));
    w.file = &file;
    status = pli_export_commit(job, &file, write_all(&w, error), error);
cleanup:
    PLI_FREE(job->memory, w.places, w.place_capacity);
    PLI_FREE(job->memory, w.codes, job->frame_count);
    pli_spool_destroy(&w.spool);
    return status;
}
