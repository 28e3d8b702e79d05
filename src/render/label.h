// Text in raster pictures: printable ASCII drawn as strokes of any size.
#ifndef PLI_RENDER_LABEL_H
#define PLI_RENDER_LABEL_H

// 8-bit red, green, blue, row by row from the top.
typedef struct pli_image {
    unsigned char* rgb;
    int width, height; // [px]
} pli_image;

typedef struct pli_label {
    double size;   // height of capitals [px]
    float ink[3];  // 0 to 255
    float halo[3]; // around the strokes, so that the text is read over anything
} pli_label;

double pli_label_width(const pli_label* label, const char* text); // [px]
// The first letter begins at x, the line stands on y. What is outside of the picture is left out;
// letters of other alphabets are small boxes.
void pli_label_draw(const pli_label* label, const pli_image* image, double x, double y,
                    const char* text);

#endif
