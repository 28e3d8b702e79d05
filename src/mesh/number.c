// Numbers in bytes of either order.
#include "mesh/number.h"

#include <math.h>
#include <string.h>

#include "mesh/scan.h"

bool pli_number_named(const char* name, pli_number_type* type) {
    static const struct {
        const char* name;
        pli_number_type type;
    } names[] = {
        {"int8", {'i', 1}},           {"char", {'i', 1}},          {"uint8", {'u', 1}},
        {"uchar", {'u', 1}},          {"unsigned_char", {'u', 1}}, {"int16", {'i', 2}},
        {"short", {'i', 2}},          {"uint16", {'u', 2}},        {"ushort", {'u', 2}},
        {"unsigned_short", {'u', 2}}, {"int32", {'i', 4}},         {"int", {'i', 4}},
        {"vtkidtype", {'i', 4}},      {"uint32", {'u', 4}},        {"uint", {'u', 4}},
        {"unsigned_int", {'u', 4}},   {"int64", {'i', 8}},         {"long", {'i', 8}},
        {"vtktypeint64", {'i', 8}},   {"vtktypeint32", {'i', 4}},  {"uint64", {'u', 8}},
        {"unsigned_long", {'u', 8}},  {"float32", {'f', 4}},       {"float", {'f', 4}},
        {"float64", {'f', 8}},        {"double", {'f', 8}},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (pli_same_word(names[i].name, name)) {
            *type = names[i].type;
            return true;
        }
    return false;
}

bool pli_little_endian(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

// The bits of the number, lowest byte in the lowest place.
static uint64_t gather(int size, bool swap, const unsigned char* bytes) {
    uint64_t bits = 0;
    bool lowest_first = pli_little_endian() != swap;
    for (int i = 0; i < size; ++i)
        bits |= (uint64_t)bytes[lowest_first ? i : size - 1 - i] << (8 * i);
    return bits;
}

double pli_number_real(pli_number_type type, bool swap, const void* bytes) {
    uint64_t bits = gather(type.size, swap, bytes);
    if (type.kind == 'f' && type.size == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (type.kind == 'f') {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    if (type.kind == 'u') return (double)bits;
    int64_t value = 0;
    pli_number_integer(type, swap, bytes, &value);
    return (double)value;
}

bool pli_number_integer(pli_number_type type, bool swap, const void* bytes, int64_t* value) {
    if (type.kind == 'f') {
        double real = pli_number_real(type, swap, bytes);
        if (!(fabs(real) <= 9e15) || real != floor(real)) return false;
        *value = (int64_t)real;
        return true;
    }
    uint64_t bits = gather(type.size, swap, bytes), sign = (uint64_t)1 << (8 * type.size - 1);
    if (type.kind == 'u') {
        *value = (int64_t)bits;
        return bits <= INT64_MAX;
    }
    // Two's complement: a set sign bit stands for -2^(bits - 1).
    *value = bits & sign ? (int64_t)(bits ^ sign) - (int64_t)(sign - 1) - 1 : (int64_t)bits;
    return true;
}
