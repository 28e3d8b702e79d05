// The reference of all scene keys, written from the tables.
#include "base/text.h"
#include "pliant/scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scene/findings.h"
#include "scene/help_words.h"
#include "scene/section.h"
#include "scene/tables.h"

typedef struct printer {
    pli_write_fn* write;
    void* context;
    const char* topic;
    bool found;
    bool inside;         // a tagged section matched: its variants are part of the topic
    bool by_word;        // keys that take the topic as a word
    pli_nearest nearest; // to the topic
} printer;

static void print(printer* p, const char* format, ...) PLI_PRINTF(2, 3);

static void print(printer* p, const char* format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    p->write(p->context, text);
}

// ---- one key

// " > 0 and <= 1 [m/s]"
static void write_range(const pli_param* row, char* text, size_t size) {
    char low[32] = "", high[32] = "";
    bool ranged = row->type == PLI_PARAM_NUMBER || row->type == PLI_PARAM_INTEGER ||
                  row->type == PLI_PARAM_VECTOR;
    if (ranged && row->min > -HUGE_VAL)
        pli_format(low, sizeof low, " %s %g",
                   row->flags & PLI_PARAM_ABOVE_MIN ? ">" : ">=", row->min);
    if (ranged && row->max < HUGE_VAL)
        pli_format(high, sizeof high, "%s %s %g", *low ? " and" : "",
                   row->flags & PLI_PARAM_BELOW_MAX ? "<" : "<=", row->max);
    const char* unit = row->unit ? row->unit : "";
    snprintf(text, size, "%s%s%s%s%s", low, high, *unit ? " [" : "", unit, *unit ? "]" : "");
}

static void write_words(const pli_param* row, char* text, size_t size) {
    text[0] = '\0';
    for (int i = 0; row->choice(i); ++i) pli_append_word(text, size, row->choice(i));
}

static void write_type(const pli_param* row, char* text, size_t size) {
    static const char* const words[] = {
        [PLI_PARAM_NUMBER] = "number",      [PLI_PARAM_INTEGER] = "integer",
        [PLI_PARAM_BOOL] = "true or false", [PLI_PARAM_CHOICE] = "",
        [PLI_PARAM_TEXT] = "text",          [PLI_PARAM_VECTOR] = "[x, y], each",
    };
    char range[128];
    if (row->type == PLI_PARAM_CHOICE) {
        write_words(row, text, size);
        return;
    }
    write_range(row, range, sizeof range);
    snprintf(text, size, "%s%s%s", words[row->type], range,
             row->flags & PLI_PARAM_AUTO ? ", or \"auto\"" : "");
}

static void write_default(const pli_param* row, const void* field, char* text, size_t size) {
    const double* v = field;
    text[0] = '\0';
    if (row->flags & PLI_PARAM_REQUIRED) {
        snprintf(text, size, "required");
        return;
    }
    switch (row->type) {
    case PLI_PARAM_NUMBER:
        if (*v == 0 && row->flags & PLI_PARAM_AUTO)
            snprintf(text, size, "default \"auto\"");
        else
            pli_format(text, size, *v < HUGE_VAL ? "default %.10g" : "default: none", *v);
        break;
    case PLI_PARAM_INTEGER:
        snprintf(text, size, "default %d", *(const int*)field);
        break;
    case PLI_PARAM_BOOL:
        snprintf(text, size, "default %s", *(const bool*)field ? "true" : "false");
        break;
    case PLI_PARAM_CHOICE:
        snprintf(text, size, "default \"%s\"", *(const char* const*)field);
        break;
    case PLI_PARAM_TEXT:
        snprintf(text, size, "default \"\"");
        break;
    case PLI_PARAM_VECTOR:
        pli_format(text, size, isnan(*v) ? "default: none" : "default [%.10g, %.10g]", v[0], v[1]);
        break;
    }
}

static void print_row(printer* p, const pli_param* row, const void* field) {
    char type[512], value[128];
    write_type(row, type, sizeof type);
    write_default(row, field, value, sizeof value);
    print(p, "  %s: %s; %s\n      %s\n", row->name, type, value, row->help);
    if (!row->choice_help) return;
    int width = 0;
    for (int i = 0; row->choice(i); ++i) width = pli_max_int(width, (int)strlen(row->choice(i)));
    for (int i = 0; row->choice(i); ++i)
        print(p, "        %-*s  %s\n", width, row->choice(i), row->choice_help(i));
}

// "number or expression of t, x, y, z [m]"
static void write_formula(const pli_part* part, char* text, size_t size) {
    bool time = part->variables & PLI_OF_TIME, space = part->variables & PLI_OF_PLACE;
    const char* unit = part->row.unit;
    snprintf(text, size, "number or expression of %s%s%s%s%s%s", time ? "t" : "",
             time && space ? ", " : "", space ? "x, y, z" : "", *unit ? " [" : "", unit,
             *unit ? "]" : "");
}

static void print_part(printer* p, const pli_part* part) {
    char item[256], text[400], range[128];
    const pli_param* row = &part->row;
    write_range(row, range, sizeof range);
    const char* each = *range ? ", each" : "";
    const char* needed = row->flags & PLI_PARAM_REQUIRED ? "; required" : "";
    const char* values = row->type == PLI_PARAM_INTEGER ? "integers"
                         : row->type == PLI_PARAM_TEXT  ? "texts"
                                                        : "numbers";
    switch (part->form) {
    case PLI_OBJECT:
    case PLI_OPTIONAL:
        snprintf(text, sizeof text, "{...}, see %s", part->section->name);
        break;
    case PLI_OBJECTS:
        snprintf(text, sizeof text, "[{...}, ...], see %s", part->section->name);
        break;
    case PLI_VALUES:
        if (part->width > 0)
            snprintf(text, sizeof text, "list of %d %s%s%s", part->width, values, each, range);
        else
            snprintf(text, sizeof text, "[x, y], %s%s%s", values, each, range);
        break;
    case PLI_COUNTS:
        snprintf(text, sizeof text, "integer or [x, y], integers%s%s", each, range);
        break;
    case PLI_TUPLES:
        if (row->type == PLI_PARAM_CHOICE)
            write_words(row, item, sizeof item);
        else if (part->width > 1)
            snprintf(item, sizeof item, "lists of %d %s", part->width, values);
        else
            snprintf(item, sizeof item, "%s", row->type == PLI_PARAM_VECTOR ? "[x, y]" : values);
        snprintf(text, sizeof text, "list of %s%s%s", item, each, range);
        break;
    case PLI_AXES:
        write_words(row, item, sizeof item);
        snprintf(text, sizeof text, "list of words of %s", item);
        break;
    case PLI_FORMULA:
        write_formula(part, text, sizeof text);
        break;
    case PLI_FORMULAS:
        write_formula(part, item, sizeof item);
        snprintf(text, sizeof text, "[x, y], each a %s", item);
        break;
    case PLI_INCLUDES:
        snprintf(text, sizeof text, "a file, or a list of files");
        break;
    case PLI_CONSTANTS:
        snprintf(text, sizeof text, "{\"name\": number or expression, ...}");
        break;
    case PLI_TURN:
        snprintf(text, sizeof text, "number (about z), in 3D also [x, y, z], each%s", range);
        break;
    }
    print(p, "  %s: %s%s\n      %s\n", row->name, text, needed, row->help);
}

// ---- topics

static const char* word_for_where(const pli_topic* topic) {
    return topic->variant ? "\"type\" of " : "";
}

static void print_topic(printer* p, const pli_topic* topic) {
    const pli_section* section = topic->section;
    print(p, "%s%s", p->found ? "\n" : "", section->name);
    if (topic->where[0]) print(p, "  (%s%s)", word_for_where(topic), topic->where);
    print(p, "\n  %s\n", section->help);
    if (section->variant) print(p, "  The key \"type\" selects one of the following.\n");
    const pli_param* row;
    size_t offset;
    for (int i = 0; (row = pli_section_row(section, i, &offset)); ++i)
        print_row(p, row, (const char*)topic->defaults + offset);
    const pli_part* part;
    for (int i = 0; (part = pli_section_part(section, i)); ++i) print_part(p, part);
    p->found = true;
}

// Whether `topic` is asked for by its name or by the key that holds it: "bodies" for bodies[].
static bool is_asked(const char* asked, const pli_topic* topic) {
    if (strcmp(asked, topic->section->name) == 0) return true;
    const char* dot = strrchr(topic->where, '.');
    const char* key = dot ? dot + 1 : topic->where;
    size_t length = strcspn(key, "[");
    return !topic->variant && strlen(asked) == length && strncmp(asked, key, length) == 0;
}

static void visit_asked(void* context, const pli_topic* topic) {
    printer* p = context;
    pli_nearest_try(&p->nearest, topic->section->name);
    if (!topic->variant) p->inside = false;
    bool asked = is_asked(p->topic, topic);
    if (asked && topic->section->variant) p->inside = true;
    if (asked || p->inside) print_topic(p, topic);
}

static void visit_any(void* context, const pli_topic* topic) { print_topic(context, topic); }

// Whether the row was asked for, by its name or by one of its words.
static bool is_asked_row(printer* p, const pli_param* row) {
    pli_nearest_try(&p->nearest, row->name);
    if (!p->by_word) return strcmp(row->name, p->topic) == 0;
    for (int i = 0; row->type == PLI_PARAM_CHOICE && row->choice(i); ++i)
        if (strcmp(row->choice(i), p->topic) == 0) return true;
    return false;
}

// All keys that were asked for.
static void visit_keys(void* context, const pli_topic* topic) {
    printer* p = context;
    const pli_section* section = topic->section;
    const pli_param* row;
    size_t offset;
    for (int i = 0; (row = pli_section_row(section, i, &offset)); ++i) {
        if (!is_asked_row(p, row)) continue;
        print(p, "in %s", section->name);
        if (topic->where[0]) print(p, "  (%s%s)", word_for_where(topic), topic->where);
        print(p, "\n");
        print_row(p, row, (const char*)topic->defaults + offset);
        p->found = true;
    }
    const pli_part* part;
    for (int i = 0; (part = pli_section_part(section, i)); ++i) {
        if (!is_asked_row(p, &part->row)) continue;
        print(p, "in %s\n", section->name);
        print_part(p, part);
        p->found = true;
    }
}

static void visit_list(void* context, const pli_topic* topic) {
    print(context, "  %s%-*s  %s\n", topic->variant ? "  " : "", topic->variant ? 13 : 15,
          topic->section->name, topic->section->help);
}

// ---- other topics

static void print_expressions(printer* p) {
    print(
        p,
        "expressions\n"
        "  Texts in place of numbers: \"0.1 * sin(2*pi*t)\", \"x > 0.5 ? 1 : 0\", \"2*radius\". "
        "Each\n"
        "  key lists what it knows of t [s], x, y, z [m] (2D has no z); all other numbers may be\n"
        "  expressions without them. The scene's \"variables\" can be used everywhere.\n"
        "  operators, highest precedence first:  ^  - !  * /  + -  < <= > >= == !=  not  && and\n"
        "      || or  ? :   (a ^ b ^ c is a ^ (b ^ c), -a ^ 2 is -(a ^ 2); true is 1, false 0)\n"
        "  constants:  pi  e, and the \"variables\" of the scene\n"
        "  functions:\n");
    int column = 0;
    for (int i = 0; pli_expression_function(i); ++i) {
        const char* usage = pli_expression_function(i);
        bool fits = column > 0 && column + (int)strlen(usage) < 80;
        print(p, "%s%s", fits ? "; " : column > 0 ? "\n      " : "      ", usage);
        column = (fits ? column + 2 : 6) + (int)strlen(usage);
    }
    print(p, "\n");
}

static void print_materials(printer* p) {
    print(p,
          "materials  (bodies[].material)\n"
          "  Typical values at room temperature; keys of sources as in docs/references.bib.\n"
          "  %-10s %14s %10s %8s  %-18s %s\n",
          "name", "density", "young", "poisson", "range of young", "what it is, source");
    print(p, "  %-10s %14s %10s %8s  %-18s\n", "", "[kg/m^3]", "[Pa]", "", "[Pa]");
    const pli_material* m;
    for (int k = 0; (m = pli_material_at(k)); ++k) {
        char numbers[3][PLI_NUMBER_SIZE], range[2 * PLI_NUMBER_SIZE];
        for (int i = 0; i < PLI_MATERIAL_VALUES; ++i)
            pli_format(numbers[i], sizeof numbers[i], "%.4g", m->values[i].value);
        pli_format(range, sizeof range, "%.3g to %.3g", m->young_low, m->young_high);
        print(p, "  %-10s %14s %10s %8s  %-18s %s [%s]\n", m->name, numbers[PLI_MATERIAL_DENSITY],
              numbers[PLI_MATERIAL_YOUNG], numbers[PLI_MATERIAL_POISSON], range, m->what,
              m->source);
    }
}

// A row of sheets: the constants of a shell, or of warp and weft.
static void print_sheet(printer* p, const pli_sheet_material* m) {
    char numbers[PLI_SHEET_VALUES][PLI_NUMBER_SIZE], moduli[4 * PLI_NUMBER_SIZE];
    for (int i = 0; i < PLI_SHEET_VALUES; ++i) {
        double value = m->values[i].value * (i == PLI_SHEET_THICKNESS ? 1e3 : 1);
        pli_format(numbers[i], sizeof numbers[i], isnan(value) ? "-" : "%.4g", value);
    }
    bool woven = !isnan(m->values[PLI_SHEET_C11].value);
    pli_format(moduli, sizeof moduli, "%s  %s  %s  %s", numbers[PLI_SHEET_C11],
               numbers[PLI_SHEET_C11 + 1], numbers[PLI_SHEET_C11 + 2], numbers[PLI_SHEET_C33]);
    print(p, "  %-14s %8s %9s %10s %7s %6s  %s%s%s [%s]\n", m->name, numbers[PLI_SHEET_DENSITY],
          numbers[PLI_SHEET_THICKNESS], numbers[PLI_SHEET_YOUNG], numbers[PLI_SHEET_POISSON],
          numbers[PLI_SHEET_LIMIT], m->what, woven ? "; c11 c12 c22 c33 [Pa]: " : "",
          woven ? moduli : "", m->source);
}

static void print_sheets(printer* p) {
    print(
        p,
        "  Sheets, for bodies of triangles in space. Without energies: shell, or orthotropic and\n"
        "  bending by young and poisson, and with a limit strain-limit. Numbers of cloth vary\n"
        "  widely with weave, finish, moisture and age: measure yours if results matter.\n"
        "  %-14s %8s %9s %10s %7s %6s  %s\n"
        "  %-14s %8s %9s %10s\n",
        "name", "density", "thickness", "young", "poisson", "limit", "what it is, source", "",
        "[kg/m^3]", "[mm]", "[Pa]");
    const pli_sheet_material* m;
    for (int k = 0; (m = pli_sheet_material_at(k)); ++k) print_sheet(p, m);
}

static void print_all_materials(printer* p) {
    print_materials(p);
    print_sheets(p);
}

static void list_kind(void* context, const pli_topic* topic) {
    printer* p = context;
    if (!topic->variant) p->inside = strcmp(topic->section->name, "mesh") == 0;
    if (topic->variant && p->inside)
        print(p, "  %-10s  %s\n", topic->section->name, topic->section->help);
}

static void print_meshes(printer* p) {
    const pli_catalog catalog = {0};
    print(p, "meshes  (\"type\" of bodies[].mesh, and of obstacles of type \"mesh\")\n");
    pli_walk_sections(&catalog, list_kind, p);
    print(p, "  The keys of all: pliant help mesh; of one: pliant help tube.\n");
}

static const struct extra {
    const char* topic;
    const char* help;
    void (*print)(printer*);
} extras[] = {
    {"expressions", "formulas of t, x, y, z in place of numbers", print_expressions},
    {"meshes", "shapes of bodies, in a list", print_meshes},
    {"materials", "materials by name, with numbers and sources", print_all_materials},
    {NULL, NULL, NULL},
};

// An everyday word: its answer and where to read on.
static bool print_word(printer* p) {
    const pli_help_word* w = pli_help_word_find(p->topic);
    if (!w) return false;
    print(p, "%s\n  %s\n  Read on with pliant help TOPIC: %s\n", p->topic, w->answer, w->topics);
    return true;
}

pli_status pli_scene_help(const char* topic, pli_write_fn* write, void* context, pli_error* error) {
    pli_catalog catalog = {0};
    printer p = {.write = write, .context = context, .topic = topic};
    if (!write) return pli_fail(error, PLI_E_ARGUMENT, "help: write is NULL");
    if (!topic) {
        pli_walk_sections(&catalog, visit_list, &p);
        for (const struct extra* e = extras; e->topic; ++e)
            print(&p, "  %-15s  %s\n", e->topic, e->help);
        return PLI_OK;
    }
    if (strcmp(topic, "all") == 0) {
        pli_walk_sections(&catalog, visit_any, &p);
        for (const struct extra* e = extras; e->topic; ++e) {
            print(&p, "\n");
            e->print(&p);
        }
        return PLI_OK;
    }
    for (const struct extra* e = extras; e->topic; ++e) {
        if (strcmp(e->topic, topic) != 0) continue;
        e->print(&p);
        return PLI_OK;
    }
    p.nearest.word = topic;
    for (const struct extra* e = extras; e->topic; ++e) pli_nearest_try(&p.nearest, e->topic);
    pli_walk_sections(&catalog, visit_asked, &p);
    if (!p.found) pli_walk_sections(&catalog, visit_keys, &p);
    p.by_word = true;
    if (!p.found) pli_walk_sections(&catalog, visit_keys, &p);
    if (p.found || print_word(&p)) return PLI_OK;
    char hint[PLI_HINT_SIZE];
    return pli_fail(error, PLI_E_ARGUMENT, "unknown topic or key \"%.60s\"%s", topic,
                    pli_nearest_hint(&p.nearest, hint));
}
