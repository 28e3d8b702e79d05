// pliant report: a result folder as one page.
#include <stdio.h>

#include "app/app.h"

static bool show(void* context, const pli_export_progress* now) {
    pli_progress_part(context, now->done);
    return !pli_interrupted();
}

int pli_command_report(const pli_options* options) {
    if (!options->argument) {
        pli_complain("which result? For example: pliant report results/disks");
        return PLI_EXIT_USAGE;
    }
    if (!pli_is_no_file("report", options->argument)) return PLI_EXIT_USAGE;
    pli_report_def def = pli_default_report_def();
    pli_report_info info = {0};
    pli_error error = {0};
    def.folder = options->argument;
    def.out = options->folder;
    pli_progress progress = pli_progress_start(100, 0, options->quiet);
    pli_watch_interrupts();
    def.progress = show;
    def.context = &progress;
    pli_status status = pli_report(&def, &info, &error);
    pli_progress_clear(&progress);
    if (status != PLI_OK) {
        pli_complain("%s", error.message);
        return status == PLI_E_ARGUMENT || status == PLI_E_SCENE ? PLI_EXIT_USAGE
                                                                 : PLI_EXIT_STOPPED;
    }
    if (info.cancelled) {
        fprintf(stderr, "stopped by %s; no page was written\n", pli_interrupt_name());
        return PLI_EXIT_STOPPED;
    }
    char path[1024];
    if (!options->quiet)
        printf("wrote %s: %d %s, %.0f kB\n", pli_printable(info.path, path, sizeof path),
               info.step_count, info.step_count == 1 ? "step" : "steps", (double)info.bytes / 1e3);
    return PLI_EXIT_DONE;
}
