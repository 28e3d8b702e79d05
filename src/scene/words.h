// Words in messages: "did you mean", lists of allowed words, values as people wrote them.
#ifndef PLI_SCENE_WORDS_H
#define PLI_SCENE_WORDS_H

#include "base/text.h"

#include <jansson.h>

// `, did you mean "density"?` or "".
#define PLI_HINT_SIZE 128
const char* pli_nearest_hint(const pli_nearest* nearest, char hint[PLI_HINT_SIZE]);

// Appends `"word"` with a comma before it if it is not the first; a list that does not fit ends in
// `...`.
void pli_append_word(char* buffer, size_t size, const char* word);

// A JSON value for a message: -5, "text" (cut), true, null, a list of 3, an object.
#define PLI_VALUE_SIZE 64
const char* pli_value_text(const json_t* value, char text[PLI_VALUE_SIZE]);

#endif
