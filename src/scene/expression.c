// A parser by precedence and a stack machine. All operators and functions are rows of tables; none
// has a side effect, so both branches of a condition are computed and one is taken.
// Nesting is bounded (PLI_EXPRESSION_DEPTH), so neither parsing nor values can exhaust a stack.
#include "scene/expression.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/elementary.h"
#include "scene/findings.h"

// ---- operators and functions

// fmin and fmax would hide NaN.
static double smaller_of(double a, double b) { return a < b || isnan(a) ? a : b; }
static double larger_of(double a, double b) { return a > b || isnan(a) ? a : b; }

#define APPLY(name, value)                                                                         \
    static void name(double* a) { a[0] = (value); }

APPLY(negate, -a[0])
APPLY(invert, a[0] == 0)
APPLY(add, a[0] + a[1])
APPLY(subtract, a[0] - a[1])
APPLY(multiply, a[0] * a[1])
APPLY(divide, a[0] / a[1])
APPLY(power, pli_pow(a[0], a[1]))
APPLY(less, a[0] < a[1])
APPLY(less_equal, a[0] <= a[1])
APPLY(greater, a[0] > a[1])
APPLY(greater_equal, a[0] >= a[1])
APPLY(equal, a[0] == a[1])
APPLY(differs, a[0] != a[1])
APPLY(both, a[0] != 0 && a[1] != 0)
APPLY(either, a[0] != 0 || a[1] != 0)
APPLY(choose, a[0] != 0 ? a[1] : a[2])

APPLY(sine, pli_sin(a[0]))
APPLY(cosine, pli_cos(a[0]))
APPLY(tangent, pli_tan(a[0]))
APPLY(arc_sine, pli_asin(a[0]))
APPLY(arc_cosine, pli_acos(a[0]))
APPLY(arc_tangent, pli_atan(a[0]))
APPLY(arc_tangent2, pli_atan2(a[0], a[1]))
APPLY(hyperbolic_sine, pli_sinh(a[0]))
APPLY(hyperbolic_cosine, pli_cosh(a[0]))
APPLY(hyperbolic_tangent, pli_tanh(a[0]))
APPLY(exponential, pli_exp(a[0]))
APPLY(logarithm, pli_log(a[0]))
APPLY(root, sqrt(a[0]))
APPLY(magnitude, fabs(a[0]))
APPLY(smaller, smaller_of(a[0], a[1]))
APPLY(larger, larger_of(a[0], a[1]))
APPLY(round_down, floor(a[0]))
APPLY(round_up, ceil(a[0]))
APPLY(sign, (a[0] > 0) - (a[0] < 0))
APPLY(step, a[1] >= a[0])
APPLY(clamp, smaller_of(larger_of(a[0], a[1]), a[2]))
APPLY(hypotenuse, pli_hypot(a[0], a[1]))
APPLY(modulo, a[0] - a[1] * floor(a[0] / a[1])) // has the sign of the second

// s^2 (3 - 2 s) with s from 0 at a to 1 at b
static void smoothstep(double* a) {
    double s = fmin(fmax((a[2] - a[0]) / (a[1] - a[0]), 0), 1);
    a[0] = s * s * (3 - 2 * s);
}

typedef struct function {
    const char* name;
    int arity;
    void (*apply)(double*);
    const char* usage;
} function;

static const function functions[] = {
    {"sin", 1, sine, "sin(a)"},
    {"cos", 1, cosine, "cos(a)"},
    {"tan", 1, tangent, "tan(a)"},
    {"asin", 1, arc_sine, "asin(a)"},
    {"acos", 1, arc_cosine, "acos(a)"},
    {"atan", 1, arc_tangent, "atan(a)"},
    {"atan2", 2, arc_tangent2, "atan2(y, x)"},
    {"sinh", 1, hyperbolic_sine, "sinh(a)"},
    {"cosh", 1, hyperbolic_cosine, "cosh(a)"},
    {"tanh", 1, hyperbolic_tangent, "tanh(a)"},
    {"exp", 1, exponential, "exp(a)"},
    {"log", 1, logarithm, "log(a), natural"},
    {"sqrt", 1, root, "sqrt(a)"},
    {"pow", 2, power, "pow(a, b)"},
    {"hypot", 2, hypotenuse, "hypot(a, b)"},
    {"abs", 1, magnitude, "abs(a)"},
    {"sign", 1, sign, "sign(a): -1, 0 or 1"},
    {"floor", 1, round_down, "floor(a)"},
    {"ceil", 1, round_up, "ceil(a)"},
    {"mod", 2, modulo, "mod(a, b), with the sign of b"},
    {"min", 2, smaller, "min(a, b)"},
    {"max", 2, larger, "max(a, b)"},
    {"clamp", 3, clamp, "clamp(a, lowest, highest)"},
    {"step", 2, step, "step(edge, a): 0 if a < edge, else 1"},
    {"smoothstep", 3, smoothstep, "smoothstep(from, to, a): 0 to 1 without kinks"},
    {"if", 3, choose, "if(condition, a, b)"},
};

const char* pli_expression_function(int i) {
    return i >= 0 && (size_t)i < sizeof functions / sizeof *functions ? functions[i].usage : NULL;
}

// Binary operators by precedence. Longer ones come before their prefixes.
enum {
    RANK_CONDITION = 1,
    RANK_OR,
    RANK_AND,
    RANK_NOT,
    RANK_COMPARE,
    RANK_SUM,
    RANK_PRODUCT,
    RANK_SIGN,
    RANK_POWER
};

static const struct operation {
    const char* sign;
    int rank;
    void (*apply)(double*);
} operations[] = {
    {"||", RANK_OR, either},
    {"or", RANK_OR, either},
    {"&&", RANK_AND, both},
    {"and", RANK_AND, both},
    {"<=", RANK_COMPARE, less_equal},
    {">=", RANK_COMPARE, greater_equal},
    {"==", RANK_COMPARE, equal},
    {"!=", RANK_COMPARE, differs},
    {"<", RANK_COMPARE, less},
    {">", RANK_COMPARE, greater},
    {"+", RANK_SUM, add},
    {"-", RANK_SUM, subtract},
    {"*", RANK_PRODUCT, multiply},
    {"/", RANK_PRODUCT, divide},
    {"^", RANK_POWER, power},
};

static const struct constant {
    const char* name;
    double value;
} constants[] = {{"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}};

static const char* const variable_names[PLI_VARIABLE_COUNT] = {"t", "x", "y", "z"};

// ---- the parser

typedef struct parser {
    const char *text, *at;
    unsigned allowed, uses;
    const pli_constants* named; // of the scene; NULL: none
    int depth;
    int count;  // instructions
    int height; // of the stack after them
    pli_instruction* code;
    pli_error* error;
} parser;

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_space(parser* p) { p->at += strspn(p->at, " \t\r\n"); }

static size_t word_length(const char* at) {
    size_t n = 0;
    while (is_letter(at[n]) || (n > 0 && is_digit(at[n]))) ++n;
    return n;
}

// Consumes the operator or word if it is next.
static bool take(parser* p, const char* sign) {
    skip_space(p);
    size_t n = strlen(sign);
    if (strncmp(p->at, sign, n) != 0) return false;
    if (is_letter(sign[0]) && word_length(p->at) != n) return false;
    p->at += n;
    return true;
}

static pli_status fail_at(const parser* p, const char* at, const char* message) {
    int character = 1;
    for (const char* c = p->text; c < at; ++c)
        character += ((unsigned char)*c & 0xC0u) != 0x80u; // tails of UTF-8 do not count
    return pli_fail(p->error, PLI_E_SCENE, "character %d: %s", character, message);
}

// The token at `at`, for a message: `"foo"`, `"@"`, `the end`.
static const char* shown(const char* at, char buffer[64]) {
    size_t word = word_length(at);
    int n = word > 0 ? pli_min_int((int)word, 40) : pli_max_int(1, pli_utf8_length(at));
    if (!*at) return "the end";
    snprintf(buffer, 64, "\"%.*s\"", n, at);
    return buffer;
}

// Each instruction takes at least one character, and a level of nesting leaves at most two values
// on the stack, so there is room for all.
static pli_status emit(parser* p, pli_instruction instruction) {
    p->height += instruction.apply ? 1 - instruction.arity : 1;
    PLI_ASSERT(p->height <= PLI_EXPRESSION_STACK);
    p->code[p->count++] = instruction;
    return PLI_OK;
}

static pli_status emit_apply(parser* p, void (*apply)(double*), int arity) {
    return emit(p, (pli_instruction){.apply = apply, .arity = arity});
}

static pli_status parse(parser* p, int lowest);

static pli_status expect(parser* p, const char* sign, const char* why) {
    char message[160], next[64];
    if (take(p, sign)) return PLI_OK;
    snprintf(message, sizeof message, "expected \"%s\" %s, found %s", sign, why,
             shown(p->at, next));
    return fail_at(p, p->at, message);
}

static pli_status parse_call(parser* p, const function* f, const char* start) {
    char message[160];
    for (int i = 0; i < f->arity; ++i) {
        if (i > 0 && !take(p, ",")) {
            snprintf(message, sizeof message, "%s takes %d arguments, not %d: %s", f->name,
                     f->arity, i, f->usage);
            return fail_at(p, start, message);
        }
        PLI_TRY(parse(p, RANK_CONDITION));
    }
    skip_space(p);
    if (*p->at == ',') {
        snprintf(message, sizeof message, "%s takes %d argument%s, not more: %s", f->name, f->arity,
                 f->arity > 1 ? "s" : "", f->usage);
        return fail_at(p, start, message);
    }
    PLI_TRY(expect(p, ")", "at the end of the call"));
    return emit_apply(p, f->apply, f->arity);
}

static int named_count(const parser* p) { return p->named ? p->named->count : 0; }

// "t, x, y, z, pi, e", as far as allowed.
static const char* known_names(const parser* p, char text[40]) {
    text[0] = '\0';
    for (int i = 0; i < PLI_VARIABLE_COUNT; ++i)
        if (p->allowed >> i & 1) strcat(strcat(text, variable_names[i]), ", ");
    return strcat(text, "pi, e");
}

static pli_status unknown_function(const parser* p, const char* start, const char* name) {
    char message[220], hint[PLI_HINT_SIZE];
    pli_nearest nearest = {.word = name};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        pli_nearest_try(&nearest, functions[i].name);
    snprintf(message, sizeof message, "unknown function \"%.40s\"%s", name,
             pli_nearest_hint(&nearest, hint));
    return fail_at(p, start, message);
}

static pli_status unknown_name(const parser* p, const char* start, const char* name) {
    char message[220], known[40];
    pli_nearest nearest = {.word = name};
    bool elsewhere = false;
    for (int i = 0; i < PLI_VARIABLE_COUNT; ++i) elsewhere |= strcmp(name, variable_names[i]) == 0;
    for (int i = 0; i < named_count(p); ++i) pli_nearest_try(&nearest, p->named->items[i].name);
    const char* variable = nearest.best;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        pli_nearest_try(&nearest, functions[i].name);
    if (!elsewhere && variable && nearest.best == variable)
        snprintf(message, sizeof message,
                 "unknown name \"%.40s\", did you mean the variable %.60s?", name, variable);
    else if (elsewhere)
        snprintf(message, sizeof message, "%s is not available here, only %s", name,
                 known_names(p, known));
    else if (nearest.best)
        snprintf(message, sizeof message, "unknown name \"%.40s\", did you mean %s(...)?", name,
                 nearest.best);
    else
        snprintf(message, sizeof message, "unknown name \"%.40s\"; known: %s and functions", name,
                 known_names(p, known));
    return fail_at(p, start, message);
}

static pli_status parse_name(parser* p) {
    const char* start = p->at;
    size_t length = word_length(start);
    char name[41];
    snprintf(name, sizeof name, "%.*s", (int)(length < 40 ? length : 40), start);
    p->at += length;
    skip_space(p);
    if (*p->at == '(') {
        ++p->at;
        for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
            if (strcmp(name, functions[i].name) == 0) return parse_call(p, &functions[i], start);
        return unknown_function(p, start, name);
    }
    for (int i = 0; i < PLI_VARIABLE_COUNT; ++i)
        if (strcmp(name, variable_names[i]) == 0 && p->allowed >> i & 1) {
            p->uses |= 1u << i;
            return emit(p, (pli_instruction){.variable = i});
        }
    for (int i = 0; i < named_count(p); ++i)
        if (strlen(p->named->items[i].name) == length &&
            strncmp(start, p->named->items[i].name, length) == 0)
            return emit(p, (pli_instruction){.variable = -1, .number = p->named->items[i].value});
    for (size_t i = 0; i < sizeof constants / sizeof *constants; ++i)
        if (strcmp(name, constants[i].name) == 0)
            return emit(p, (pli_instruction){.variable = -1, .number = constants[i].value});
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(name, functions[i].name) == 0) return expect(p, "(", "after a function");
    return unknown_name(p, start, name);
}

static pli_status parse_number(parser* p) {
    const char* end;
    double value = pli_parse_double(p->at, &end);
    if (p->at[0] == '0' && (p->at[1] == 'x' || p->at[1] == 'X'))
        end = p->at + 1, value = 0; // no hex
    if (!isfinite(value)) return fail_at(p, p->at, "the number is too large");
    p->at = end;
    return emit(p, (pli_instruction){.variable = -1, .number = value});
}

// A value with its unary operators.
static pli_status parse_first(parser* p) {
    char message[120], next[64];
    if (take(p, "-")) {
        PLI_TRY(parse(p, RANK_SIGN));
        return emit_apply(p, negate, 1);
    }
    if (take(p, "+")) return parse(p, RANK_SIGN);
    if (take(p, "!")) {
        PLI_TRY(parse(p, RANK_SIGN));
        return emit_apply(p, invert, 1);
    }
    if (take(p, "not")) {
        PLI_TRY(parse(p, RANK_NOT));
        return emit_apply(p, invert, 1);
    }
    if (take(p, "(")) {
        PLI_TRY(parse(p, RANK_CONDITION));
        return expect(p, ")", "to close the bracket");
    }
    if (is_letter(*p->at)) return parse_name(p);
    if (is_digit(*p->at) || (*p->at == '.' && is_digit(p->at[1]))) return parse_number(p);
    snprintf(message, sizeof message, "expected a value, found %s", shown(p->at, next));
    return fail_at(p, p->at, message);
}

// Consumes the next operator if its precedence is high enough.
static const struct operation* next_operation(parser* p, int lowest) {
    for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
        const char* before = p->at;
        if (!take(p, operations[i].sign)) continue;
        if (operations[i].rank >= lowest) return &operations[i];
        p->at = before;
        return NULL;
    }
    return NULL;
}

// Everything of at least this precedence.
static pli_status parse_operations(parser* p, int lowest) {
    PLI_TRY(parse_first(p));
    for (bool compared = false;;) {
        skip_space(p);
        const char* sign = p->at;
        const struct operation* o = next_operation(p, lowest);
        if (!o) break;
        if (o->rank == RANK_COMPARE && compared)
            return fail_at(p, sign, "comparisons do not chain: write a < b && b < c");
        compared = o->rank == RANK_COMPARE;
        PLI_TRY(parse(p, o->rank == RANK_POWER ? RANK_SIGN : o->rank + 1)); // 2 ^ -1, a ^ (b ^ c)
        PLI_TRY(emit_apply(p, o->apply, 2));
    }
    if (lowest > RANK_CONDITION || !take(p, "?")) return PLI_OK;
    PLI_TRY(parse(p, RANK_CONDITION));
    PLI_TRY(expect(p, ":", "between the two values of ? :"));
    PLI_TRY(parse(p, RANK_CONDITION));
    return emit_apply(p, choose, 3);
}

static pli_status parse(parser* p, int lowest) {
    skip_space(p);
    if (++p->depth > PLI_EXPRESSION_DEPTH) return fail_at(p, p->at, "nested too deeply");
    PLI_TRY(parse_operations(p, lowest));
    --p->depth;
    return PLI_OK;
}

// A whole expression and nothing after it.
static pli_status parse_all(parser* p) {
    char message[160], next[64];
    skip_space(p);
    if (!*p->at) return fail_at(p, p->at, "the expression is empty");
    PLI_TRY(parse(p, RANK_CONDITION));
    skip_space(p);
    if (!*p->at) return PLI_OK;
    bool value = is_letter(*p->at) || is_digit(*p->at) || *p->at == '(';
    if (*p->at == '=')
        snprintf(message, sizeof message, "compare with ==");
    else
        snprintf(message, sizeof message, "expected an operator%s, found %s",
                 value ? " (write products with *)" : "", shown(p->at, next));
    return fail_at(p, p->at, message);
}

const char* pli_expression_name_problem(const char* name) {
    if (word_length(name) == 0 || name[word_length(name)])
        return "must be made of letters, digits and _, and begin with a letter";
    for (int i = 0; i < PLI_VARIABLE_COUNT; ++i)
        if (strcmp(name, variable_names[i]) == 0) return "must not be t, x, y or z: time and place";
    for (size_t i = 0; i < sizeof constants / sizeof *constants; ++i)
        if (strcmp(name, constants[i].name) == 0) return "must not be pi or e";
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(name, functions[i].name) == 0) return "must not be the name of a function";
    for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i)
        if (strcmp(name, operations[i].sign) == 0) return "must not be an operator";
    return strcmp(name, "not") == 0 ? "must not be an operator" : NULL;
}

pli_status pli_expression_compile(pli_arena* arena, const char* text, unsigned allowed,
                                  const pli_constants* named, pli_expression* out,
                                  pli_error* error) {
    size_t length = strlen(text);
    if (length > PLI_EXPRESSION_SIZE)
        return pli_fail(error, PLI_E_SCENE, "%zu characters, must be at most %d", length,
                        PLI_EXPRESSION_SIZE);
    parser p = {.text = text, .at = text, .allowed = allowed, .named = named, .error = error};
    PLI_TRY(PLI_TAKE(arena, p.code, length + 1, error));
    PLI_TRY(parse_all(&p));
    *out = (pli_expression){p.count, p.code, p.uses};
    return PLI_OK;
}

pli_status pli_expression_number(pli_arena* arena, const char* text, const pli_constants* named,
                                 double* value, pli_error* error) {
    static const double nowhere[PLI_VARIABLE_COUNT] = {0};
    pli_expression expression;
    PLI_TRY(pli_expression_compile(arena, text, 0, named, &expression, error));
    double result = pli_expression_value(&expression, nowhere);
    if (!isfinite(result)) return pli_fail(error, PLI_E_SCENE, "the value is not a finite number");
    *value = result;
    return PLI_OK;
}

pli_status pli_expression_of_number(pli_arena* arena, double number, pli_expression* out,
                                    pli_error* error) {
    pli_instruction* code;
    PLI_TRY(PLI_TAKE(arena, code, 1, error));
    *code = (pli_instruction){.variable = -1, .number = number};
    *out = (pli_expression){.count = 1, .code = code};
    return PLI_OK;
}

double pli_expression_value(const pli_expression* expression,
                            const double variables[PLI_VARIABLE_COUNT]) {
    double stack[PLI_EXPRESSION_STACK];
    double* top = stack; // after the last value
    stack[0] = 0;
    for (int i = 0; i < expression->count; ++i) {
        const pli_instruction* in = &expression->code[i];
        if (in->apply) {
            top -= in->arity;
            in->apply(top);
        } else {
            *top = in->variable >= 0 ? variables[in->variable] : in->number;
        }
        ++top;
    }
    return stack[0];
}
