// Counts how our continuous collision detection answers files of exact queries (see ccdq.h).
//
//   ccd_queries FILE...
//
// One line per file and a total. A contact is missed if the answer is "free", late if it is a time
// after the contact. Exit code 1 if any was missed or late, 2 if a file cannot be read. Without
// files: those of ccd/ in the data folder (environment variable PLIANT_DATA); none is not an error.
#include "ccdq.h"

#include <glob.h>
#include <stdlib.h>

typedef struct counts {
    int queries, contacts, missed, late, answered_free, stopped;
} counts;

static void count(const ccdq* q, double t, counts* sum) {
    sum->queries++;
    sum->contacts += q->label;
    if (q->label) {
        sum->missed += t >= 1;
        sum->late += t > q->toi_hi && t < 1;
    } else {
        sum->answered_free += t >= 1;
        sum->stopped += t < 1;
    }
}

static void print(const char* name, const counts* c) {
    printf("%-44s %8d %8d %6d %5d %10d %8d\n", name, c->queries, c->contacts, c->missed, c->late,
           c->answered_free, c->stopped);
}

static bool run_file(const char* path, counts* total) {
    ccdq_file file;
    if (!ccdq_open(path, &file)) {
        fprintf(stderr, "ccd_queries: %s: not a file of queries\n", path);
        return false;
    }
    counts sum = {0};
    ccdq q;
    while (ccdq_next(&file, &q)) count(&q, ccdq_answer(&file, &q), &sum);
    fclose(file.stream);
    if (file.left > 0) {
        fprintf(stderr, "ccd_queries: %s: query %d cannot be read\n", path, sum.queries + 1);
        return false;
    }
    const char* slash = strrchr(path, '/');
    print(slash ? slash + 1 : path, &sum);
    total->queries += sum.queries;
    total->contacts += sum.contacts;
    total->missed += sum.missed;
    total->late += sum.late;
    total->answered_free += sum.answered_free;
    total->stopped += sum.stopped;
    return true;
}

static int run(size_t file_count, char** files) {
    counts total = {0};
    bool readable = true;
    printf("%-44s %8s %8s %6s %5s %10s %8s\n", "file", "queries", "contacts", "missed", "late",
           "free: free", "stopped");
    for (size_t i = 0; i < file_count; ++i) readable = run_file(files[i], &total) && readable;
    print("total", &total);
    if (!readable) return 2;
    return total.missed > 0 || total.late > 0;
}

int main(int argc, char** argv) {
    if (argc > 1) return run((size_t)argc - 1, argv + 1);
    const char* data = getenv("PLIANT_DATA");
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/ccd/*.ccdq", data ? data : PLIANT_DATA);
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) {
        printf("no files %s: skipped\n", pattern);
        return 0;
    }
    int code = run(found.gl_pathc, found.gl_pathv);
    globfree(&found);
    return code;
}
