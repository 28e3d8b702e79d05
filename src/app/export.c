// pliant export and pliant report: a result folder as files for other programs, or as one page.
#include "app/app.h"

#include <stdio.h>
#include <string.h>

typedef struct watch {
    const pli_options* options;
    pli_progress progress;
    bool announced;
} watch;

// Prints what will be written, then the progress.
static bool show(void* context, const pli_export_progress* now) {
    watch* w = context;
    if (!w->announced && !w->options->quiet) {
        char size[24] = "", path[1024];
        if (now->bytes > 0) pli_bytes_text((double)now->bytes, size, sizeof size);
        if (now->frame_count > 0)
            printf("%s: %d %s%s%s\n", pli_printable(now->path, path, sizeof path), now->frame_count,
                   pli_counted(now->frame_count, "frame", "frames"), *size ? ", about " : "", size);
        fflush(stdout);
    }
    w->announced = true;
    pli_progress_part(&w->progress, now->done);
    return !pli_interrupted();
}

static void print_result(const pli_export_info* info) {
    char size[24], path[1024];
    printf("wrote %s: %d %s, %s\n", pli_printable(info->path, path, sizeof path), info->file_count,
           pli_counted(info->file_count, "file", "files"),
           pli_bytes_text((double)info->bytes, size, sizeof size));
}

static int run_export(const pli_options* options, const pli_export_def* def, watch* w) {
    pli_export_info info = {0};
    pli_error error = {0};
    pli_status status = pli_export(def, &info, &error);
    pli_progress_clear(&w->progress);
    if (status != PLI_OK) {
        pli_complain("%s", error.message);
        return pli_exit_code(status);
    }
    if (info.cancelled) {
        fflush(stdout);
        fprintf(stderr, "stopped by %s; %d complete %s written\n", pli_interrupt_name(),
                info.file_count, pli_counted(info.file_count, "file was", "files were"));
        return PLI_EXIT_STOPPED;
    }
    if (!options->quiet) print_result(&info);
    return PLI_EXIT_DONE;
}

static const char* format_name(int i) { return pli_list_name(PLI_LIST_EXPORT_FORMATS, i); }

static bool check_format(const pli_options* options) {
    char like[96];
    for (int i = 0; options->format && format_name(i); ++i)
        if (strcmp(format_name(i), options->format) == 0) return true;
    if (options->format)
        pli_complain("--to %s: unknown format%s", options->format,
                     pli_like(options->format, format_name, like));
    else
        pli_complain("--to is missing: pliant export %s --to usd", options->argument);
    fprintf(stderr, "formats of --to:\n");
    for (int i = 0; format_name(i); ++i)
        fprintf(stderr, "  %-6s %s\n", format_name(i), pli_list_help(PLI_LIST_EXPORT_FORMATS, i));
    return false;
}

int pli_command_export(const pli_options* options) {
    if (!pli_is_result("export", options->argument) || !check_format(options))
        return PLI_EXIT_USAGE;
    watch w = {.options = options};
    w.progress = pli_progress_start(100, 0, options->quiet);
    pli_watch_interrupts();
    pli_export_def def = pli_default_export_def();
    def.folder = options->argument;
    def.format = options->format;
    def.out = options->folder;
    def.every = options->every > 0 ? options->every : 1;
    def.bodies = options->override_count > 0 ? options->overrides : NULL;
    def.body_count = options->override_count;
    def.vertices = options->vertices;
    def.fields = options->fields;
    def.range[0] = options->range[0];
    def.range[1] = options->range[1];
    def.view = options->view;
    def.zoom = options->zoom;
    def.at = options->has_at ? options->at : NULL;
    def.no_text = options->no_text;
    def.title = options->title;
    def.camera = options->has_camera ? options->camera : NULL;
    def.width = options->width;
    def.height = options->height;
    def.progress = show;
    def.context = &w;
    return run_export(options, &def, &w);
}

static bool show_part(void* context, const pli_export_progress* now) {
    pli_progress_part(context, now->done);
    return !pli_interrupted();
}

int pli_command_report(const pli_options* options) {
    if (!pli_is_result("report", options->argument)) return PLI_EXIT_USAGE;
    pli_report_def def = pli_default_report_def();
    pli_report_info info = {0};
    pli_error error = {0};
    def.folder = options->argument;
    def.out = options->folder;
    pli_progress progress = pli_progress_start(100, 0, options->quiet);
    pli_watch_interrupts();
    def.progress = show_part;
    def.context = &progress;
    pli_status status = pli_report(&def, &info, &error);
    pli_progress_clear(&progress);
    if (status != PLI_OK) {
        pli_complain("%s", error.message);
        return pli_exit_code(status);
    }
    if (info.cancelled) {
        fprintf(stderr, "stopped by %s; no page was written\n", pli_interrupt_name());
        return PLI_EXIT_STOPPED;
    }
    char path[1024];
    if (!options->quiet)
        printf("wrote %s: %d %s, %.0f kB\n", pli_printable(info.path, path, sizeof path),
               info.step_count, pli_counted(info.step_count, "step", "steps"),
               (double)info.bytes / 1e3);
    return PLI_EXIT_DONE;
}
