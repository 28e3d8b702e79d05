// Expressions: values against C's own arithmetic, bits that no locale changes, messages that point
// at the character, and texts of any kind that neither crash nor hang.
#include "scene/expression.h"

#include "oracle/random.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "support.h"

enum { ALL = PLI_OF_TIME | PLI_OF_PLACE };

typedef struct bench {
    pli_memory memory;
    pli_arena arena;
} bench;

static void begin(bench* b) {
    pli_memory_init(&b->memory, NULL);
    pli_arena_init(&b->arena, &b->memory);
}

static void end(bench* b) {
    pli_arena_free(&b->arena);
    assert_int_equal(b->memory.bytes, 0);
}

// At t = 0.3, x = 2, y = -3, z = 0.5.
static const double place[PLI_VARIABLE_COUNT] = {0.3, 2, -3, 0.5};

static double value_of(const char* text) {
    bench b;
    begin(&b);
    pli_expression e = {0};
    pli_error error = {0};
    if (pli_expression_compile(&b.arena, text, ALL, NULL, &e, &error) != PLI_OK)
        fail_msg("%s: %s", text, error.message);
    double value = pli_expression_value(&e, place);
    end(&b);
    return value;
}

static void values(void** state) {
    (void)state;
    const double t = 0.3, x = 2, y = -3, z = 0.5, pi = 3.14159265358979323846;
    const struct {
        const char* text;
        double value;
    } cases[] = {
        {"1", 1},
        {" 1.5e-3 ", 1.5e-3},
        {".5", 0.5},
        {"2 + 3 * 4", 14},
        {"(2 + 3) * 4", 20},
        {"8 - 3 - 2", 3},
        {"8 / 4 / 2", 1},
        {"2 ^ 3 ^ 2", 512},
        {"-2 ^ 2", -4},
        {"2 ^ -2", 0.25},
        {"- -2", 2},
        {"+x - +y", x - y},
        {"-x*y", -x * y},
        {"2*x^2/4", 2},
        {"e", 2.71828182845904523536},
        {"0.1*sin(2*pi*t)", 0.1 * sin(2 * pi * t)},
        {"cos(x) + tan(t)", cos(x) + tan(t)},
        {"asin(t) + acos(t) + atan(y)", asin(t) + acos(t) + atan(y)},
        {"atan2(y, x)", atan2(y, x)},
        {"sinh(t) + cosh(t) * tanh(t)", sinh(t) + cosh(t) * tanh(t)},
        {"exp(y) - log(x)", exp(y) - log(x)},
        {"sqrt(abs(y))", sqrt(-y)},
        {"min(x, y) + 10 * max(x, y)", y + 10 * x},
        {"floor(-0.5) + 10 * ceil(0.5)", 9},
        {"sign(y) + 10 * sign(x) + 100 * sign(0)", 9},
        {"step(1, x) + 10 * step(1, z) + 100 * step(2, x)", 101},
        {"clamp(x, 0, 1) + clamp(y, -1, 0) + clamp(z, 0, 1)", z},
        {"smoothstep(0, 2, z)", 0.0625 * 2.5},
        {"smoothstep(0, 2, 5) + smoothstep(0, 2, -5)", 1},
        {"pow(x, 3) + hypot(3, 4)", 13},
        {"mod(5, 3) + 10 * mod(-1, 3)", 22},
        {"if(x > 1, y, z)", y},
        {"x < 1 ? y : z", z},
        {"x < 1 ? 1 : x < 3 ? 2 : 3", 2},
        {"x > 1 ? y < 0 ? 1 : 2 : 3", 1},
        {"x == 2 && y != 2", 1},
        {"x <= 2 and y >= -3 and not (z > 1)", 1},
        {"1 || 0 && 0", 1},
        {"0 or not 1 == 2", 1},
        {"!x == 0", 1},
        {"!0 + !5", 1},
        {"(x > 0) * 7", 7},
        {"x < 0 ? sqrt(-x) : 4", 4}, // the other branch is NaN and is not seen
        {"y\n*\t2", -6},
        {"1e3", 1000},
        {"2*e", 2 * 2.71828182845904523536},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (value_of(cases[i].text) != cases[i].value)
            fail_msg("%s = %.17g, not %.17g", cases[i].text, value_of(cases[i].text),
                     cases[i].value);
    assert_true(isnan(value_of("sqrt(-1)")));
    assert_true(isnan(value_of("min(sqrt(-1), 1)")));
    assert_true(isnan(value_of("max(1, sqrt(-1))")));
    assert_true(isnan(value_of("clamp(sqrt(-1), 0, 1)")));
    assert_true(value_of("1/0") == HUGE_VAL);
}

static void messages(void** state) {
    (void)state;
    static const struct {
        const char* text;
        unsigned allowed;
        const char* message;
    } cases[] = {
        {"", ALL, "character 1: the expression is empty"},
        {"  ", ALL, "character 3: the expression is empty"},
        {"1 +", ALL, "character 4: expected a value, found the end"},
        {"0.1*sni(t)", ALL, "character 5: unknown function \"sni\", did you mean \"sin\"?"},
        {"sqrt + 1", ALL, "character 6: expected \"(\" after a function, found \"+\""},
        {"sqr + 1", ALL, "character 1: unknown name \"sqr\", did you mean sqrt(...)?"},
        {"x + u", ALL, "character 5: unknown name \"u\"; known: t, x, y, z, pi, e and functions"},
        {"x + t", PLI_OF_PLACE, "character 5: t is not"},
        {"z", PLI_OF_TIME, "character 1: z is not"},
        {"sin(t, x)", ALL, "character 1: sin takes 1 "},
        {"1 + min(t)", ALL, "character 5: min takes 2 "},
        {"sin()", ALL, "character 5: expected a value, found \")\""},
        {"(1 + 2", ALL, "character 7: expected \")\""},
        {"sin(1", ALL, "character 6: expected \")\" at the end of the call, found the end"},
        {"1 2", ALL, "character 3: expected an operator ("},
        {"2 x", ALL, "character 3: expected an operator ("},
        {"1)", ALL, "character 2: expected an operator, found \")\""},
        {"0 < x < 1", ALL, "character 7: comparisons do not chain: write a < b && b < c"},
        {"x = 1", ALL, "character 3: compare with =="},
        {"x ** 2", ALL, "character 4: expected a value, found \"*\""},
        {"x ? 1", ALL, "character 6: expected \":\" between the two values of ? :, found the end"},
        {"1e999", ALL, "character 1: the number is too large"},
        {"0x10", ALL, "character 2: expected an operator"},
        {"x @ 2", ALL, "character 3: expected an operator, found \"@\""},
        {"\xC3\xA4 + 1", ALL, "character 1: expected a value, found \"\xC3\xA4\""},
        {"x\xC3\xA4", ALL, "character 2: expected an operator, found \"\xC3\xA4\""},
        {"nan", ALL, "character 1: unknown name \"nan\""},
        {"inf", ALL, "character 1: unknown name \"inf\""},
    };
    bench b;
    begin(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_expression e = {.count = -7};
        pli_error error = {0};
        pli_status status =
            pli_expression_compile(&b.arena, cases[i].text, cases[i].allowed, NULL, &e, &error);
        if (status != PLI_E_SCENE ||
            strncmp(error.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s: %s\nexpected: %s", cases[i].text, error.message, cases[i].message);
        assert_int_equal(e.count, -7); // untouched
    }
    end(&b);
}

static void bits_of_every_locale(void** state) {
    (void)state;
    const char* text = "1.5 + 0.1 * sin(x * 1.25e-1) ^ 0.3";
    double plain = value_of(text);
    static const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8", "C.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (!setlocale(LC_ALL, names[i])) continue; // not installed here
        double there = value_of(text);
        setlocale(LC_ALL, "C");
        assert_memory_equal(&plain, &there, sizeof plain);
    }
}

// Compiles whatever it is; the value of what is right must be a double without harm.
static bool try_text(const char* text) {
    bench b;
    begin(&b);
    pli_expression e = {0};
    pli_error error = {0};
    bool right = pli_expression_compile(&b.arena, text, ALL, NULL, &e, &error) == PLI_OK;
    if (right)
        (void)pli_expression_value(&e, place);
    else
        assert_true(error.message[0]);
    end(&b);
    return right;
}

static void large_and_deep(void** state) {
    (void)state;
    enum { SIZE = 1000000 };
    char* text = malloc(SIZE + 1);
    static const char fills[] = "(-!+1a.?";
    for (const char* f = fills; *f; ++f)
        for (int size = 1; size <= SIZE; size *= 10) {
            memset(text, *f, (size_t)size);
            text[size] = '\0';
            assert_int_equal(try_text(text), *f == '1' && size <= 100);
        }
    // long is fine, deep is not
    for (int i = 0; i < 2000; ++i) memcpy(text + 2 * i, "x+", 2);
    strcpy(text + 4000, "1");
    assert_true(try_text(text));
    for (int depth = 1; depth < 100; ++depth) {
        memset(text, '(', (size_t)depth);
        text[depth] = 'x';
        memset(text + depth + 1, ')', (size_t)depth);
        text[2 * depth + 1] = '\0';
        assert_int_equal(try_text(text), depth < PLI_EXPRESSION_DEPTH);
    }
    // the last of three values, again and again: the most that can wait on the stack
    for (int depth = 1; depth < 100; ++depth) {
        text[0] = '\0';
        for (int i = 0; i < depth; ++i) strcat(text, "if(1,2,");
        strcat(text, "3");
        for (int i = 0; i < depth; ++i) strcat(text, ")");
        assert_int_equal(try_text(text), depth < PLI_EXPRESSION_DEPTH);
    }
    free(text);
}

static void random_texts(void** state) {
    (void)state;
    static const char* const pieces[] = {
        "x",   "y",  "t",    "1",  "2.5",  "+",  "-",   "*",    "/",  "^", "(",
        ")",   ",",  "<",    "<=", "==",   "&&", "||",  "!",    "?",  ":", "sin(",
        "if(", "pi", "and ", " ",  "not ", "1e", "min", "\xC3", "0x", ".", "e"};
    pli_random random = {99};
    int right = 0;
    for (int round = 0; round < 20000; ++round) {
        char text[256] = "";
        for (int i = pli_random_below(&random, 16); i >= 0; --i)
            strcat(text, pieces[pli_random_below(&random, sizeof pieces / sizeof *pieces)]);
        right += try_text(text);
    }
    assert_true(right > 100); // some of them are expressions
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(messages),
        cmocka_unit_test(bits_of_every_locale),
        cmocka_unit_test(large_and_deep),
        cmocka_unit_test(random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
