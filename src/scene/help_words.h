// Words that people look for, and the topics of `pliant help` that answer them.
#ifndef PLI_SCENE_HELP_WORDS_H
#define PLI_SCENE_HELP_WORDS_H

typedef struct pli_help_word {
    const char* words;  // separated by spaces: the same question
    const char* answer; // one or two sentences
    const char* topics; // to read on, separated by spaces: each is one that help knows
} pli_help_word;

// The i-th row, NULL after the last.
const pli_help_word* pli_help_word_at(int i);
// The row with this word; NULL: none.
const pli_help_word* pli_help_word_find(const char* word);

#endif
