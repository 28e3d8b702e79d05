// The bytes of a mesh file and a position in them, shared by all readers. Text and binary files are
// read by the same calls; errors name the file and the line and column, or the byte.
#ifndef PLI_MESH_SCAN_H
#define PLI_MESH_SCAN_H

#include "base/memory.h"

// ---- numbers in bytes

typedef struct pli_number_type {
    char kind; // 'i' signed, 'u' unsigned, 'f' real
    int size;  // bytes: 1, 2, 4, 8; 'f' only 4 and 8
} pli_number_type;

#define PLI_INT32 ((pli_number_type){'i', 4})
#define PLI_FLOAT32 ((pli_number_type){'f', 4})
#define PLI_FLOAT64 ((pli_number_type){'f', 8})

// From its name in VTK or PLY files ("Float64", "unsigned_char", "uchar" ...). False: no such name.
bool pli_number_named(const char* name, pli_number_type* type);

// Whether this machine is little-endian.
bool pli_little_endian(void);

double pli_number_real(pli_number_type type, bool swap, const void* bytes);
// False: not an integer, or it does not fit.
bool pli_number_integer(pli_number_type type, bool swap, const void* bytes, int64_t* value);

// ---- scanning

typedef struct pli_scan {
    const char* path;       // for messages
    const char* inside;     // name of the part of the file that `text` is; NULL: all of it
    const char* text;       // the bytes, followed by a NUL
    size_t size;            // without that NUL
    const char* at;         // current byte
    const char* line_start; // of the current line
    int line;               // from 1
    char comment;           // text from here to the end of the line is skipped; 0: none
    char stop;              // ends a word like a blank; 0: none
    bool one_line;          // numbers are searched in the current line only
    bool continued;         // a backslash at its end continues a line
    bool bytes;             // places are bytes, not lines
    bool binary;            // numbers are bytes
    bool swap;              // the byte order is not that of this machine
    pli_error* error;
} pli_scan;

// The whole file, freed by pli_scan_close. The scan begins after the byte order mark of UTF-8,
// if there is one.
pli_status pli_scan_open(pli_scan* scan, pli_memory* memory, const char* path, pli_error* error);
void pli_scan_close(pli_scan* scan, pli_memory* memory);
// Replaces line ends of \r alone by \n. For text files, before anything is read.
void pli_scan_unify_lines(pli_scan* scan);

// Fails at the current place: "cube.obj:9:7: ..." or "torus.stl: byte 84: ...".
#define PLI_SCAN_FAIL(scan, ...)                                                                   \
    (pli_error_fill((scan)->error, PLI_E_SCENE, __VA_ARGS__), pli_scan_place_error(scan),          \
     (pli_status)PLI_E_SCENE)
void pli_scan_place_error(const pli_scan* scan);

// The current position as one number: the line, or -1 - byte in a binary file.
int32_t pli_scan_place(const pli_scan* scan);

size_t pli_scan_left(const pli_scan* scan); // bytes from here to the end
bool pli_scan_ended(const pli_scan* scan);
bool pli_scan_line_ended(const pli_scan* scan); // at a newline or at the end

void pli_scan_skip_blanks(pli_scan* scan); // up to the end of the line
void pli_scan_skip_line(pli_scan* scan);   // past its newline
void pli_scan_skip_space(pli_scan* scan);  // blanks, newlines, comments; none of the last two if
                                           // one_line
void pli_scan_move(pli_scan* scan, const char* to); // forward, counting lines

// The word at the current place, truncated for messages and comparisons. It ends at a blank.
typedef struct pli_word {
    char text[64];
} pli_word;
pli_word pli_scan_peek(const pli_scan* scan);

// The next word, over spaces; fails at the end. `what` is for the message.
pli_status pli_scan_word(pli_scan* scan, const char* what, pli_word* word);
// Whether the next word is this one, ignoring case. Moves past it if so.
bool pli_scan_take(pli_scan* scan, const char* word);
// The same, or fails.
pli_status pli_scan_expect(pli_scan* scan, const char* word);
bool pli_same_word(const char* a, const char* b); // ignoring case

// Digits with an optional sign at *at; a value too large becomes INT64_MAX. False: no number.
bool pli_parse_integer(const char** at, int64_t* value);

// The next number; `what` names it in messages ("coordinate"). In a text file the type is
// ignored. A real number must be finite.
pli_status pli_scan_real(pli_scan* scan, pli_number_type type, const char* what, double* value);
pli_status pli_scan_integer(pli_scan* scan, pli_number_type type, const char* what, int64_t* value);

// Fails unless 0 <= count and the rest of the file can hold that many items of `bytes` each:
// counts in a file are not trusted before memory is allocated.
pli_status pli_scan_check_count(const pli_scan* scan, const char* what, int64_t count,
                                size_t bytes_each);
// The next number as a count that passes this check.
pli_status pli_scan_count(pli_scan* scan, pli_number_type type, const char* what, size_t bytes_each,
                          int* count);

// Skips `count` bytes; fails if there are fewer.
pli_status pli_scan_skip_bytes(pli_scan* scan, size_t count, const char* what);

#endif
