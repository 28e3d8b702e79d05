// pliant export: a result folder as files for other programs.
#include <stdio.h>
#include <string.h>

#include "app/app.h"

static void write_size(int64_t bytes, char text[32]) {
    static const char* const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double size = (double)bytes;
    int unit = 0;
    while (size >= 1000 && unit < 4) size /= 1000, ++unit;
    snprintf(text, 32, unit > 0 && size < 10 ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

typedef struct watch {
    const pli_options* options;
    pli_progress progress;
    bool announced;
} watch;

// Says what will be written before it is, then how far it is.
static bool show(void* context, const pli_export_progress* now) {
    watch* w = context;
    if (!w->announced && !w->options->quiet) {
        char size[32] = "", path[1024];
        if (now->bytes > 0) write_size(now->bytes, size);
        if (now->frame_count > 0)
            printf("%s: %d %s%s%s\n", pli_printable(now->path, path, sizeof path), now->frame_count,
                   now->frame_count == 1 ? "frame" : "frames", *size ? ", about " : "", size);
        fflush(stdout);
    }
    w->announced = true;
    pli_progress_part(&w->progress, now->done);
    return !pli_interrupted();
}

static void print_result(const pli_export_info* info) {
    char size[32], path[1024];
    write_size(info->bytes, size);
    printf("wrote %s: %d %s, %s\n", pli_printable(info->path, path, sizeof path), info->file_count,
           info->file_count == 1 ? "file" : "files", size);
}

static int run_export(const pli_options* options, const pli_export_def* def, watch* w) {
    pli_export_info info = {0};
    pli_error error = {0};
    pli_status status = pli_export(def, &info, &error);
    pli_progress_clear(&w->progress);
    if (status != PLI_OK) {
        pli_complain("%s", error.message);
        return status == PLI_E_ARGUMENT || status == PLI_E_SCENE ? PLI_EXIT_USAGE
                                                                 : PLI_EXIT_STOPPED;
    }
    if (info.cancelled) {
        fflush(stdout);
        fprintf(stderr, "stopped by %s; %d complete %s written\n", pli_interrupt_name(),
                info.file_count, info.file_count == 1 ? "file was" : "files were");
        return PLI_EXIT_STOPPED;
    }
    if (!options->quiet) print_result(&info);
    return PLI_EXIT_DONE;
}

static const char* format_name(int i) { return pli_list_name(PLI_LIST_EXPORT_FORMATS, i); }

static void print_formats(void) {
    fprintf(stderr, "formats of --to:\n");
    for (int i = 0; format_name(i); ++i)
        fprintf(stderr, "  %-6s %s\n", format_name(i), pli_list_help(PLI_LIST_EXPORT_FORMATS, i));
}

int pli_command_export(const pli_options* options) {
    if (!options->argument) {
        pli_complain("which result? For example: pliant export results/disks --to usd");
        return PLI_EXIT_USAGE;
    }
    if (!pli_is_no_file("export", options->argument)) return PLI_EXIT_USAGE;
    if (!options->format) {
        pli_complain("--to is missing: pliant export %s --to usd", options->argument);
        print_formats();
        return PLI_EXIT_USAGE;
    }
    char like[96];
    bool known = false;
    for (int i = 0; format_name(i) && !known; ++i)
        known = strcmp(format_name(i), options->format) == 0;
    if (!known) {
        pli_complain("--to %s: there is no such format%s", options->format,
                     pli_like(options->format, format_name, like));
        print_formats();
        return PLI_EXIT_USAGE;
    }
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
    def.width = options->width;
    def.height = options->height;
    def.progress = show;
    def.context = &w;
    return run_export(options, &def, &w);
}
