// Bars drawn with rectangles and text; the widest is as wide as the picture allows.
#include "bars.h"

#include <stdio.h>

enum { LEFT = 130, WIDTH = 560, RIGHT = 70, TOP = 64, BAR = 14, GAP = 10 };

static const char* const colours[BENCH_MAX_PARTS] = {"#4477aa", "#66ccee", "#228833", "#ccbb44",
                                                     "#ee6677", "#aa3377", "#ee8866", "#77aadd",
                                                     "#999933", "#bbbbbb"};

static void legend(FILE* file, const bench_bars* bars) {
    int x = 10;
    for (int p = 0; p < bars->part_count; ++p) {
        fprintf(file, "<rect x=\"%d\" y=\"34\" width=\"10\" height=\"10\" fill=\"%s\"/>", x,
                colours[p]);
        fprintf(file, "<text x=\"%d\" y=\"43\">%s</text>\n", x + 14, bars->parts[p]);
        int length = 0;
        while (bars->parts[p][length]) length++;
        x += 26 + 7 * length;
    }
}

static double row_length(const bench_bars* bars, const bench_bar* row) {
    double sum = 0, most = 0;
    for (int p = 0; p < bars->part_count; ++p) {
        sum += row->values[p];
        if (row->values[p] > most) most = row->values[p];
    }
    return bars->stacked ? sum : most;
}

static void stacked_row(FILE* file, const bench_bars* bars, const bench_bar* row, double scale,
                        int y) {
    double x = LEFT;
    for (int p = 0; p < bars->part_count; ++p) {
        double width = scale * row->values[p];
        fprintf(file, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x,
                y, width, BAR, colours[p]);
        x += width;
    }
    fprintf(file, "<text x=\"%.1f\" y=\"%d\">%.3g %s</text>\n", x + 6, y + BAR - 3,
            row_length(bars, row), bars->unit);
}

static int rows_of(const bench_bars* bars) { return bars->stacked ? 1 : bars->part_count; }

static void split_row(FILE* file, const bench_bars* bars, const bench_bar* row, double scale,
                      int y) {
    for (int p = 0; p < bars->part_count; ++p, y += BAR) {
        double width = scale * row->values[p];
        if (row->values[p] == 0) continue;
        fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>", LEFT, y,
                width, BAR - 2, colours[p]);
        fprintf(file, "<text x=\"%.1f\" y=\"%d\">%.2f %s</text>\n", LEFT + width + 6, y + BAR - 4,
                row->values[p], bars->unit);
    }
}

bool bench_draw_bars(const char* path, const bench_bars* bars, const bench_bar* rows, int count) {
    FILE* file = fopen(path, "w");
    if (!file) return false;
    int step = rows_of(bars) * BAR + GAP, height = TOP + count * step;
    double most = bars->mark;
    for (int i = 0; i < count; ++i)
        if (row_length(bars, &rows[i]) > most) most = row_length(bars, &rows[i]);
    double scale = most > 0 ? WIDTH / most : 0;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"10\" y=\"20\" font-size=\"14\">%s</text>\n",
            LEFT + WIDTH + RIGHT, height, bars->title);
    legend(file, bars);
    for (int i = 0; i < count; ++i) {
        int y = TOP + i * step;
        fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", LEFT - 8,
                y + rows_of(bars) * BAR / 2 + 4, rows[i].name);
        (bars->stacked ? stacked_row : split_row)(file, bars, &rows[i], scale, y);
    }
    if (bars->mark > 0)
        fprintf(file,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#444\" "
                "stroke-dasharray=\"4 3\"/>\n",
                LEFT + scale * bars->mark, TOP - 8, LEFT + scale * bars->mark, height);
    fprintf(file, "</svg>\n");
    return fclose(file) == 0;
}
