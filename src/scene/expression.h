// Formulas of time and place, as scenes write them: "0.1 * sin(2 * pi * t)". Compiled once into a
// list of instructions for a stack; the value is then found without memory of its own, the same in
// every locale.
//
// Numbers, pi, e; t, x, y, z as far as they are allowed; + - * / ^ (right associative, binds more
// than the minus before it); < <= > >= == != (1 or 0; not in chains); && and, || or, ! not; a ? b :
// c; the functions of the table in expression.c. A condition is true if it is not 0.
#ifndef PLI_SCENE_EXPRESSION_H
#define PLI_SCENE_EXPRESSION_H

#include "scene/arena.h"

// Variables in the order of the array that pli_expression_value takes, and their bits.
enum { PLI_VARIABLE_T, PLI_VARIABLE_X, PLI_VARIABLE_Y, PLI_VARIABLE_Z, PLI_VARIABLE_COUNT };
enum {
    PLI_OF_TIME = 1u << PLI_VARIABLE_T,
    PLI_OF_PLACE = 1u << PLI_VARIABLE_X | 1u << PLI_VARIABLE_Y | 1u << PLI_VARIABLE_Z,
};

enum {
    PLI_EXPRESSION_SIZE = 10000, // most characters
    PLI_EXPRESSION_DEPTH = 64,   // most brackets and operators within each other
    PLI_EXPRESSION_STACK = 2 * PLI_EXPRESSION_DEPTH, // most values that wait for an operator
};

typedef struct pli_instruction {
    void (*apply)(double* arguments); // the result takes the place of the first; NULL: put a value
    int arity;                        // of `apply`
    int variable;                     // put this variable; -1: put `number`
    double number;
} pli_instruction;

typedef struct pli_expression {
    int count;
    const pli_instruction* code;
    unsigned uses; // bits of the variables in it
} pli_expression;

// Compiles `text` into memory of the arena. `allowed` are the bits of the variables that mean
// something here. PLI_E_SCENE: the message says what is wrong and at which character, counted from
// 1: `character 5: unknown name "sni", did you mean "sin"?`.
pli_status pli_expression_compile(pli_arena* arena, const char* text, unsigned allowed,
                                  pli_expression* out, pli_error* error);

// An expression that is a number.
pli_status pli_expression_of_number(pli_arena* arena, double number, pli_expression* out,
                                    pli_error* error);

// The value; `variables` holds t, x, y, z. May be infinite or NaN. An expression of no instructions
// is 0.
double pli_expression_value(const pli_expression* expression,
                            const double variables[PLI_VARIABLE_COUNT]);

// The i-th function as people write it: "clamp(x, lo, hi)"; NULL after the last.
const char* pli_expression_function(int i);

#endif
