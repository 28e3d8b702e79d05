// pli_export: checks the def, opens the result, chooses the output name and calls the writer of the
// format.
#define _XOPEN_SOURCE 700 // access, realpath
#include "export/export.h"
#include "base/def.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesh/scan.h"
#include "render/svg.h"
#include "result/result.h"

static const int64_t gigabyte = 1000 * 1000 * 1000;

// clang-format off
static const pli_export_format formats[] = {
    {.name = "usd", .ending = ".usda", .frames = true, .grounds = true,
     .help = "one animated USD file: a mesh per body, curves, points",
     .size = pli_export_usd_size, .write = pli_export_usd},
    {.name = "gltf", .ending = ".glb", .frames = true, .grounds = true,
     .help = "one animated glTF 2.0 file: a mesh per body with a morph target per frame",
     .size = pli_export_gltf_size, .limit = 2 * gigabyte, .write = pli_export_gltf},
    {.name = "obj", .ending = "_obj", .folder = true, .frames = true, .grounds = true, .epochs = true,
     .help = "a folder with a Wavefront OBJ file per frame",
     .size = pli_export_obj_size, .write = pli_export_obj},
    {.name = "ply", .ending = "_ply", .folder = true, .frames = true, .grounds = true, .epochs = true,
     .help = "a folder with a binary PLY file per frame, with velocities",
     .size = pli_export_ply_size, .write = pli_export_ply},
    {.name = "vtk", .ending = "_vtk", .folder = true, .frames = true, .grounds = true, .epochs = true,
     .help = "a folder with run.pvd and the surface of each frame as .vtu",
     .size = pli_export_vtk_size, .write = pli_export_vtk},
    {.name = "pc2", .ending = "_pc2", .folder = true, .frames = true, .grounds = true,
     .help = "a folder with a point cache per body and its first frame as OBJ",
     .size = pli_export_cache_size, .write = pli_export_pc2},
    {.name = "mdd", .ending = "_mdd", .folder = true, .frames = true, .grounds = true,
     .help = "the same with Lightwave's point cache",
     .size = pli_export_cache_size, .write = pli_export_mdd},
    {.name = "html", .ending = ".html", .frames = true,
     .help = "one page that replays the run in any browser, without a network",
     .size = pli_export_html_size, .limit = gigabyte / 2, .check = pli_export_html_check,
     .write = pli_export_html},
    {.name = "png", .ending = "_png", .folder = true, .frames = true, .pictures = true, .epochs = true,
     .help = "a folder with a picture per frame",
     .size = pli_export_png_size, .check = pli_export_png_check, .write = pli_export_png},
    {.name = "mp4", .ending = ".mp4", .frames = true, .pictures = true, .epochs = true,
     .help = "a film of these pictures; needs the program ffmpeg",
     .size = pli_export_mp4_size, .check = pli_export_mp4_check, .write = pli_export_mp4},
    {.name = "csv", .ending = ".csv", .epochs = true,
     .help = "the statistics as a table; with vertices also their tracks", .write = pli_export_csv},
};
// clang-format on
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

const char* pli_export_format_name(int i) {
    return i >= 0 && i < FORMAT_COUNT ? formats[i].name : NULL;
}
const char* pli_export_format_help(int i) {
    return i >= 0 && i < FORMAT_COUNT ? formats[i].help : NULL;
}

void pli_export_def_init(pli_export_def* out) {
    const pli_export_def def = {.every = 1};
    PLI_GIVE_DEF(def, out);
}

// ---- functions for exporters

bool pli_export_go_on(pli_export_job* job, double done) {
    const pli_export_def* def = job->def;
    pli_export_progress progress = {done, job->frame_count, job->bytes, job->info->path};
    if (!job->info->cancelled && def->progress)
        job->info->cancelled = !def->progress(def->context, &progress);
    return !job->info->cancelled;
}

pli_status pli_export_frame(const pli_export_job* job, int i, pli_result_detail detail,
                            pli_result_frame* frame, pli_error* error) {
    return pli_result_read(job->result, i * job->def->every, detail, frame, error);
}

pli_export_counts pli_export_count(const pli_export_job* job) {
    pli_export_counts sum = {0};
    for (int b = 0; b < job->result->body_count; ++b) {
        const pli_result_body* body = &job->result->bodies[b];
        sum.vertices += body->vertex_count;
        sum.triangles += body->triangle_count;
        sum.segments += body->segment_count;
        sum.points += body->point_count;
    }
    return sum;
}

pli_status pli_export_commit(pli_export_job* job, pli_file* file, pli_status status,
                             pli_error* error) {
    if (status != PLI_OK || job->info->cancelled) {
        pli_file_abandon(file);
        return status;
    }
    PLI_TRY(pli_file_commit(file, error));
    job->info->file_count++;
    job->info->bytes += file->size;
    return PLI_OK;
}

// ---- the name of the output

// "results/bar/" and ".usda" give "results/bar.usda"; folders without a name ("." and the like) are
// resolved.
static pli_status default_path(const char* folder, const char* ending,
                               char path[PLI_EXPORT_PATH_SIZE], pli_error* error) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') --length;
    size_t base = length;
    while (base > 0 && folder[base - 1] != '/') --base;
    size_t name = length - base;
    bool dots = name <= 2 && strncmp(folder + base, "..", name) == 0;
    char* real = dots || folder[base] == '/' ? realpath(folder, NULL) : NULL;
    int n = real ? pli_format(path, PLI_EXPORT_PATH_SIZE, "%s%s", real, ending)
                 : pli_format(path, PLI_EXPORT_PATH_SIZE, "%.*s%s", (int)length, folder, ending);
    free(real);
    if (n >= 0 && n < PLI_EXPORT_PATH_SIZE) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "export: the name of the folder is too long");
}

// Creates the folder, or the one that contains the file. Files of a run are never overwritten.
static pli_status make_room(const pli_export_format* format, const char* path, pli_error* error) {
    char folder[PLI_EXPORT_PATH_SIZE + 16];
    pli_format(folder, sizeof folder, "%s/stats.jsonl", path);
    if (format->folder && access(folder, F_OK) == 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "export: %.300s is the folder of a run: choose another output with -o",
                        path);
    if (format->folder) return pli_make_folder(path, error);
    const char* slash = strrchr(path, '/');
    if (!slash || slash == path) return PLI_OK;
    pli_format(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    return pli_make_folder(folder, error);
}

// ---- checks

static pli_status find_format(const char* name, const pli_export_format** format,
                              pli_error* error) {
    for (int i = 0; name && i < FORMAT_COUNT; ++i)
        if (strcmp(formats[i].name, name) == 0) {
            *format = &formats[i];
            return PLI_OK;
        }
    char list[256] = "";
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        size_t used = strlen(list);
        pli_format(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", formats[i].name);
    }
    return pli_fail(error, PLI_E_ARGUMENT, "export: format \"%.40s\", must be one of %s",
                    name ? name : "", list);
}

// The format must support everything that is requested.
static pli_status check_wishes(const pli_export_def* def, const pli_export_format* format,
                               pli_error* error) {
    bool camera =
        def->view || def->zoom > 0 || def->at || def->no_text || def->title || def->camera;
    if (def->vertices && format->frames)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "export: vertices: tracks need format csv, the format is %s", format->name);
    if (def->fields && !format->check)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "export: fields need format png, mp4 or html, the format is %s",
                        format->name);
    if ((camera || def->range[0] < def->range[1]) && !format->pictures)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "export: view, camera, zoom, range, title and text need format png or mp4, "
                        "the format is %s",
                        format->name);
    return PLI_OK;
}

static pli_status check_def(const pli_export_def* def, pli_error* error) {
    if (!def->folder || !*def->folder)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "export: folder is missing: name the folder of a run");
    if (def->every < 1)
        return pli_fail(error, PLI_E_ARGUMENT, "export: every = %d, must be >= 1", def->every);
    if (def->width < 0 || def->height < 0)
        return pli_fail(error, PLI_E_ARGUMENT, "export: pictures of %d x %d pixels, must be >= 0",
                        def->width, def->height);
    if (!(def->zoom >= 0 && def->zoom < 1e6))
        return pli_fail(error, PLI_E_ARGUMENT, "export: zoom = %g, must be > 0", def->zoom);
    if (def->body_count < 0 || (def->body_count > 0 && !def->bodies))
        return pli_fail(error, PLI_E_ARGUMENT, "export: body_count = %d, but bodies is NULL",
                        def->body_count);
    for (int i = 0; i < def->body_count; ++i)
        if (!def->bodies[i]) return pli_fail(error, PLI_E_ARGUMENT, "export: body %d is NULL", i);
    bool finite = isfinite(def->range[0]) && isfinite(def->range[1]);
    for (int c = 0; def->at && c < 3; ++c) finite = finite && isfinite(def->at[c]);
    for (int c = 0; def->camera && c < 7; ++c) finite = finite && isfinite(def->camera[c]);
    if (!finite)
        return pli_fail(error, PLI_E_ARGUMENT, "export: at, camera or range is not finite");
    if (def->camera && !(def->camera[6] >= 1 && def->camera[6] <= 150))
        return pli_fail(error, PLI_E_ARGUMENT, "export: angle of view = %g, must be 1 to 150",
                        def->camera[6]);
    return PLI_OK;
}

// The smallest `every` for which the file is small enough.
static int find_every(const pli_export_job* job, const pli_export_format* format) {
    pli_export_job trial = *job;
    int every = job->def->every;
    while (trial.frame_count > 1 && format->size(&trial) > format->limit) {
        ++every;
        trial.frame_count = (job->result->frame_count - 1) / every + 1;
    }
    return every;
}

static pli_status check_size(pli_export_job* job, const pli_export_format* format,
                             pli_error* error) {
    if (!format->size) return PLI_OK;
    job->bytes = format->size(job);
    if (format->limit == 0 || job->bytes <= format->limit) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "%s of %d frames would need %.1f GB, must be at most %.2g GB: use every = %d, "
                    "fewer bodies, or format usd",
                    format->name, job->frame_count, (double)job->bytes / (double)gigabyte,
                    (double)format->limit / (double)gigabyte, find_every(job, format));
}

// Formats with one set of bodies per file cannot hold a run that changes them.
static pli_status check_epochs(const pli_export_job* job, const pli_export_format* format,
                               pli_error* error) {
    int change = pli_result_next_change(job->result, 0);
    if (change < 0) return PLI_OK;
    char list[128] = "";
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        size_t used = strlen(list);
        if (formats[i].epochs && formats[i].frames)
            pli_format(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                       formats[i].name);
    }
    return pli_fail(error, PLI_E_ARGUMENT,
                    "export: the bodies of %.300s change at frame %d, but a %s file holds one set "
                    "of bodies: choose one of %s",
                    job->def->folder, change, format->name, list);
}

// ---- the export

static pli_status run(pli_export_job* job, const pli_export_format* format, pli_error* error) {
    const pli_export_def* def = job->def;
    if (job->result) {
        PLI_TRY(pli_result_open(job->result, job->memory, def->folder, error));
        const pli_result_choice choice = {.names = def->bodies,
                                          .name_count = def->body_count,
                                          .no_cages = !def->bodies && format->frames,
                                          .grounds = format->grounds};
        PLI_TRY(pli_result_choose(job->result, &choice, error));
        if (!format->epochs) PLI_TRY(check_epochs(job, format, error));
        job->frame_count = (job->result->frame_count - 1) / def->every + 1;
        job->info->frame_count = job->frame_count;
        PLI_TRY(check_size(job, format, error));
    }
    if (format->check) PLI_TRY(format->check(job, error));
    PLI_TRY(make_room(format, job->info->path, error));
    if (!pli_export_go_on(job, 0)) return PLI_OK;
    return format->write(job, error);
}

pli_status pli_export(const pli_export_def* given, pli_export_info* info, pli_error* error) {
    const pli_export_format* format = NULL;
    pli_export_info own = {0};
    pli_memory memory;
    pli_result result = {0};
    pli_export_def taken;
    PLI_TRY(PLI_TAKE_DEF(export, given, &taken, error));
    const pli_export_def* def = &taken;
    PLI_TRY(check_def(def, error));
    PLI_TRY(find_format(def->format, &format, error));
    PLI_TRY(check_wishes(def, format, error));
    if (!def->out)
        PLI_TRY(default_path(def->folder, format->ending, own.path, error));
    else if (!*def->out || strlen(def->out) >= sizeof own.path)
        return pli_fail(error, PLI_E_ARGUMENT, "export: out is %s",
                        *def->out ? "too long" : "empty, must be a path");
    else
        strcpy(own.path, def->out);
    pli_memory_init(&memory, def->allocator);
    pli_export_job job = {.def = def, .memory = &memory, .info = &own};
    if (format->frames || def->vertices) job.result = &result;
    pli_status status = run(&job, format, error);
    pli_result_close(&result);
    if (status == PLI_OK && info) *info = own;
    return status;
}

// ---- numbers and colours in files

// Number and colour formats of exported files.

// `value` = digits / 10^places as text, without a decimal point if places is 0.
static const char* write_decimal(bool negative, int64_t digits, int places,
                                 char buffer[PLI_NUMBER_SIZE]) {
    char* at = buffer + PLI_NUMBER_SIZE - 1;
    *at = 0;
    for (; places > 0 && digits % 10 == 0; --places) digits /= 10;
    for (int i = 0; digits > 0 || i <= places; ++i) {
        if (i == places && places > 0) *--at = '.';
        *--at = (char)('0' + digits % 10);
        digits /= 10;
    }
    if (negative) *--at = '-';
    return memmove(buffer, at, (size_t)(buffer + PLI_NUMBER_SIZE - at));
}

// Numbers of usual size are n / 10^places with the fewest places for which that is the float: n and
// the power are exact, so a reader gets the same quotient from the text. Nine digits always suffice
// for a float.
const char* pli_format_float(float value, char buffer[PLI_NUMBER_SIZE]) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
    double size = fabs((double)value);
    if (size == 0) return strcpy(buffer, "0");
    if (size >= 1e-3 && size < 1e6) {
        int whole = 0; // digits before the decimal point; negative: zeros after it
        while (size >= powers[whole]) ++whole;
        for (int k = 1; whole == 0 && size * powers[k] < 1; ++k) --whole;
        for (int places = pli_max_int(0, 6 - whole); places <= 9 - whole && places < 12; ++places) {
            double digits = nearbyint(size * powers[places]);
            if ((float)(digits / powers[places]) == (float)size)
                return write_decimal(value < 0, (int64_t)digits, places, buffer);
        }
    }
    for (int digits = 6; digits <= 9; ++digits) {
        pli_format(buffer, PLI_NUMBER_SIZE, "%.*g", digits, (double)value);
        if ((float)pli_parse_double(buffer, NULL) == value) break;
    }
    return buffer;
}

void pli_file_float(pli_file* file, float value) {
    char buffer[PLI_NUMBER_SIZE];
    pli_file_text(file, pli_format_float(value, buffer));
}

void pli_file_words(pli_file* file, const void* words, size_t count, bool big) {
    if (big != pli_little_endian()) {
        pli_file_write(file, words, 4 * count);
        return;
    }
    const unsigned char* from = words;
    for (size_t i = 0; i < count; ++i, from += 4) {
        const unsigned char swapped[4] = {from[3], from[2], from[1], from[0]};
        pli_file_write(file, swapped, sizeof swapped);
    }
}

void pli_export_points(const pli_result_body* body, const double* positions, float* out) {
    for (int i = 0; i < body->vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            *out++ = (float)positions[3 * (size_t)body->vertices[i] + (size_t)k];
}

// sRGB to linear [IEC 61966-2-1].
void pli_export_colour(const pli_result_body* body, double rgb[3]) {
    const pli_colour* colour = body->obstacle ? pli_colour_plain() : pli_colour_of(body->number);
    // Large grounds are light, as in pictures.
    long bits = strtol((body->ground ? colour->fill : colour->line) + 1, NULL, 16);
    for (int k = 0; k < 3; ++k) {
        double s = (double)(bits >> (16 - 8 * k) & 255) / 255;
        double linear = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
        rgb[k] = nearbyint(1e4 * linear) / 1e4;
    }
}
