// pliant report: a result folder as one page.
#include <stdio.h>

#include "app/app.h"

int pli_command_report(const pli_options* options) {
    if (!options->argument) {
        pli_complain("which result? For example: pliant report results/disks");
        return PLI_EXIT_USAGE;
    }
    pli_report_def def = pli_default_report_def();
    pli_report_info info = {0};
    pli_error error = {0};
    def.folder = options->argument;
    def.out = options->folder;
    pli_status status = pli_report(&def, &info, &error);
    if (status != PLI_OK) {
        pli_complain("%s", error.message);
        return status == PLI_E_ARGUMENT || status == PLI_E_SCENE ? PLI_EXIT_USAGE
                                                                 : PLI_EXIT_STOPPED;
    }
    char path[1024];
    if (!options->quiet)
        printf("wrote %s: %d %s, %.0f kB\n", pli_printable(info.path, path, sizeof path),
               info.step_count, info.step_count == 1 ? "step" : "steps", (double)info.bytes / 1e3);
    return PLI_EXIT_DONE;
}
