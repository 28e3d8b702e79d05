// Expressions of time and position: "0.1 * sin(2 * pi * t)". Compiled once into instructions for a
// stack machine; evaluation allocates nothing and does not depend on the locale.
// Numbers, pi, e; t, x, y, z as far as allowed; + - * / ^ (right associative, before unary minus);
// < <= > >= == != (1 or 0; not in chains); && and, || or, ! not; a ? b : c; the functions of the
// table in expression.c. A condition is true if it is not 0.
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
    PLI_EXPRESSION_SIZE = 10000,                     // maximum number of characters
    PLI_EXPRESSION_DEPTH = 64,                       // maximum nesting of brackets and operators
    PLI_EXPRESSION_STACK = 2 * PLI_EXPRESSION_DEPTH, // maximum number of values on the stack
};

typedef struct pli_instruction {
    void (*apply)(
        double* arguments); // replaces the first argument by the result; NULL: push a value
    int arity;              // of `apply`
    int variable;           // push this variable; -1: push `number`
    double number;
} pli_instruction;

typedef struct pli_expression {
    int count;
    const pli_instruction* code;
    unsigned uses; // bits of the variables in it
} pli_expression;

// Numbers with names: the variables of a scene.
typedef struct pli_constant {
    const char* name;
    double value;
} pli_constant;

typedef struct pli_constants {
    int count;
    const pli_constant* items;
} pli_constants;

// Why a constant cannot have this name: "must be ..."; NULL: it can.
const char* pli_expression_name_problem(const char* name);

// Compiles `text` into memory of the arena. `allowed` are the bits of the variables that may be
// used; constants may be NULL. PLI_E_SCENE: the message has the problem and the character, counted
// from 1: `character 5: unknown name "sni", did you mean "sin"?`.
pli_status pli_expression_compile(pli_arena* arena, const char* text, unsigned allowed,
                                  const pli_constants* constants, pli_expression* out,
                                  pli_error* error);

// The value of an expression without variables of time and place; must be finite.
pli_status pli_expression_number(pli_arena* arena, const char* text, const pli_constants* constants,
                                 double* value, pli_error* error);

// A constant expression.
pli_status pli_expression_of_number(pli_arena* arena, double number, pli_expression* out,
                                    pli_error* error);

// The value; `variables` holds t, x, y, z. May be infinite or NaN. An expression without
// instructions is 0.
double pli_expression_value(const pli_expression* expression,
                            const double variables[PLI_VARIABLE_COUNT]);

// Usage of the i-th function: "clamp(x, lo, hi)"; NULL after the last.
const char* pli_expression_function(int i);

#endif
