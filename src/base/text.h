// Numbers as text, the same in every locale; characters.
#ifndef PLI_BASE_TEXT_H
#define PLI_BASE_TEXT_H

#include "base/base.h"

// Reads a number at the start of `text`; *end is the first unread character (== text if there is
// none).
double pli_parse_double(const char* text, const char** end);

// Shortest text that reads back as the same double. Not finite: "null" (as in JSON).
#define PLI_NUMBER_SIZE 32
const char* pli_format_double(double value, char buffer[PLI_NUMBER_SIZE]);

// snprintf in the C locale.
int pli_format(char* buffer, size_t size, const char* format, ...) PLI_PRINTF(3, 4);

// Length in bytes of the UTF-8 character at `text` (1 to 4), 0 if there is none.
int pli_utf8_length(const char* text);

// Number of edits (insert, delete, replace, swap of neighbours) from a to b, for "did you mean".
int pli_edit_distance(const char* a, const char* b);

// Finds the candidate most similar to a word: start with {.word = word}, then try each.
typedef struct pli_nearest {
    const char* word;
    const char* best; // NULL: none is similar enough to be a typing error
    int distance;
} pli_nearest;

void pli_nearest_try(pli_nearest* nearest, const char* candidate);
// The candidate most similar to `word`, NULL if none is similar enough. candidate(i) is NULL after
// the last.
const char* pli_nearest_word(const char* word, const char* (*candidate)(int i));

// Copies `text` so that a terminal can show it on one line: control characters and bytes that are
// not UTF-8 are replaced by '?'. Text that does not fit is truncated between characters. `buffer`
// may be `text`. Returns `buffer`, unchanged if size is 0.
const char* pli_printable(const char* text, char* buffer, size_t size);

// "812 MB", "3.4 GB": three digits, units of 10^3, 10^6, ... bytes. Returns `buffer`.
const char* pli_bytes_text(double bytes, char* buffer, size_t size);

// The output of printf with %.15g, %.16g or %.17g, the first of them that reads back as `value`.
// Returns false, with undefined `out` (32 bytes), where that needs exact arithmetic. Finite numbers
// only.
bool pli_shortest_decimal(double value, char* out);

#endif
