// Formulas: compiled or refused with a place; the value of a compiled one is a number or NaN.
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "scene/expression.h"

static void evaluate(const pli_expression* expression) {
    static const double points[][PLI_VARIABLE_COUNT] = {
        {0, 0, 0, 0}, {1, -2, 3, 0.5}, {1e300, -1e300, 1e-300, -0.0}};
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        double first = pli_expression_value(expression, points[i]);
        double again = pli_expression_value(expression, points[i]);
        HOLDS(memcmp(&first, &again, sizeof first) == 0 || first != first);
        sum += first;
    }
    (void)sum;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    pli_fuzz_memory counter = {.limit = 4 << 20};
    const pli_allocator allocator = pli_fuzz_allocator(&counter);
    pli_memory memory;
    pli_arena arena;
    pli_expression expression;
    pli_error error = {0};
    char* text = malloc(size);
    HOLDS(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    pli_memory_init(&memory, &allocator);
    pli_arena_init(&arena, &memory);
    pli_status status = pli_expression_compile(&arena, text, data[0] & 15u, NULL, &expression, &error);
    HOLDS(status == PLI_OK || (status == PLI_E_SCENE && error.message[0]));
    if (status == PLI_OK) evaluate(&expression);
    pli_arena_free(&arena);
    free(text);
    HOLDS(counter.bytes == 0);
    return 0;
}
