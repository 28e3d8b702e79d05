// The model of a world as bytes: a state that was saved after the model had changed brings the
// model with it.
//
// Objects are written as the defs they would be added with, and read by adding them, so that
// whatever the bytes say is checked as any caller's def is. Callbacks cannot be written: an object
// that has one takes it from the object with the same handle in the world that is restored.
#include "dynamics/world.h"

#include "math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- rows of parameters

static void* field_of(const pli_param* row, void* values) { return (char*)values + row->offset; }

static void pack_rows(const pli_params* rows, const void* values, pli_pack* out) {
    for (int i = 0; i < rows->count; ++i) {
        const void* at = (const char*)values + rows->rows[i].offset;
        switch (rows->rows[i].type) {
        case PLI_PARAM_NUMBER:
            pli_pack_number(out, *(const double*)at);
            break;
        case PLI_PARAM_INTEGER:
            pli_pack_int(out, *(const int*)at);
            break;
        case PLI_PARAM_BOOL:
            pli_pack_int(out, *(const bool*)at);
            break;
        case PLI_PARAM_VECTOR:
            pli_pack_numbers(out, at, 3);
            break;
        default:
            pli_pack_text(out, *(const char* const*)at);
        }
    }
}

static void read_word(const pli_param* row, const char** word, pli_unpack* in) {
    size_t length;
    const char* text = pli_unpack_text(in, 64, &length, row->name);
    for (int i = 0; row->choice && row->choice(i) && pli_unpack_good(in); ++i)
        if (strlen(row->choice(i)) == length && memcmp(row->choice(i), text, length) == 0) {
            *word = row->choice(i);
            return;
        }
    if (pli_unpack_good(in)) pli_unpack_fail(in, "%s: a word that is not known", row->name);
}

// Into values that already have all defaults. `end`: the first row that the bytes do not have yet;
// NULL: they have all.
static void read_rows(const pli_params* rows, const char* end, void* values, pli_unpack* in) {
    for (int i = 0; i < rows->count && pli_unpack_good(in); ++i) {
        const pli_param* row = &rows->rows[i];
        if (end && strcmp(row->name, end) == 0) return;
        void* at = field_of(row, values);
        switch (row->type) {
        case PLI_PARAM_NUMBER:
            *(double*)at = pli_unpack_number(in, -HUGE_VAL, HUGE_VAL, row->name);
            break;
        case PLI_PARAM_INTEGER:
            *(int*)at = pli_unpack_int(in, INT32_MIN, INT32_MAX, row->name);
            break;
        case PLI_PARAM_BOOL:
            *(bool*)at = pli_unpack_int(in, 0, 1, row->name);
            break;
        case PLI_PARAM_VECTOR:
            pli_unpack_numbers(in, at, 3, row->name);
            break;
        default:
            read_word(row, at, in);
        }
    }
}

// ---- lists, which are taken from the memory of the world for as long as an object is read

typedef struct reader {
    pli_memory* memory;
    pli_model* model; // gets the objects
    pli_pins* pins;
    const pli_model* own; // the model and prescribed motion that give callbacks
    const pli_pins* own_pins;
    pli_unpack* in;
    int version;
    pli_error* error;
} reader;

// A list of `count` entries; NULL: none. Freed by the caller with PLI_FREE.
static pli_status read_ints(reader* r, int count, int32_t** list) {
    size_t left = (size_t)(r->in->end - r->in->at);
    *list = NULL;
    if (count < 0 || (size_t)count > left / sizeof(int32_t))
        pli_unpack_fail(r->in, "a list of %d numbers is too long", count);
    if (!pli_unpack_good(r->in)) return PLI_OK;
    PLI_TRY(PLI_ALLOC(r->memory, *list, count, r->error));
    pli_unpack_ints(r->in, *list, (size_t)count, INT32_MIN, INT32_MAX, "number");
    return PLI_OK;
}

static pli_status read_numbers(reader* r, size_t count, double** list) {
    size_t left = (size_t)(r->in->end - r->in->at);
    *list = NULL;
    if (count > left / sizeof(double))
        pli_unpack_fail(r->in, "a list of %zu numbers is too long", count);
    if (!pli_unpack_good(r->in)) return PLI_OK;
    PLI_TRY(PLI_ALLOC(r->memory, *list, count, r->error));
    pli_unpack_numbers(r->in, *list, count, "number");
    return PLI_OK;
}

static pli_status read_text(reader* r, char** text) {
    size_t length, most = 1 << 16;
    const char* at = pli_unpack_text(r->in, most, &length, "text");
    *text = NULL;
    if (pli_unpack_good(r->in) && memchr(at, 0, length))
        pli_unpack_fail(r->in, "a text with a zero in it");
    if (!pli_unpack_good(r->in)) return PLI_OK;
    PLI_TRY(PLI_ALLOC(r->memory, *text, length + 1, r->error));
    memcpy(*text, at, length);
    return PLI_OK;
}

// ---- bodies

static void pack_body(const pli_model* model, int b, pli_pack* out) {
    const pli_body* body = &model->bodies[b];
    pli_body_def def = body->def;
    if (pli_body_is_cage(model, b)) {
        def.contact_bodies = body->own_contact_bodies;
        def.contact_vertices = body->own_contact_vertices;
    }
    int first = body->first_vertex, count = pli_body_end_vertex(model, b) - first;
    pli_pack_text(out, body->name);
    pack_rows(&pli_body_params, &def, out);
    pli_pack_int(out, def.obstacle);
    pli_pack_int(out, def.tag_count);
    for (int i = 0; i < def.tag_count; ++i) pli_pack_text(out, def.tags[i]);
    pli_pack_int(out, count);
    pli_pack_numbers(out, model->rest + 3 * (size_t)first, 3 * (size_t)count);
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int elements = pli_body_element_count(model, b, (pli_element_kind)k),
            size = pli_element_size((pli_element_kind)k);
        const int32_t* list = model->elements[k] + (size_t)body->first_element[k] * (size_t)size;
        pli_pack_int(out, elements);
        for (int i = 0; i < elements * size; ++i) pli_pack_int(out, list[i] - first);
    }
    pli_pack_int(out, def.mode_count);
    pli_pack_numbers(out, body->modes, 3 * (size_t)count * (size_t)def.mode_count);
    int triangles = pli_body_element_count(model, b, PLI_TRIANGLE);
    pli_pack_int(out, body->pattern != NULL);
    pli_pack_numbers(out, body->pattern, body->pattern ? 6 * (size_t)triangles : 0);
}

static pli_status read_tags(reader* r, pli_body_def* def, char*** tags) {
    def->tag_count = pli_unpack_int(r->in, 0, 1 << 20, "number of tags");
    if ((size_t)def->tag_count > (size_t)(r->in->end - r->in->at)) def->tag_count = 0;
    PLI_TRY(PLI_ALLOC(r->memory, *tags, def->tag_count, r->error));
    for (int i = 0; i < def->tag_count && pli_unpack_good(r->in); ++i)
        PLI_TRY(read_text(r, &(*tags)[i]));
    def->tags = (const char* const*)*tags;
    return PLI_OK;
}

static pli_status read_mesh(reader* r, pli_mesh* mesh) {
    mesh->vertex_count = pli_unpack_int(r->in, 1, INT32_MAX / 3, "number of vertices");
    PLI_TRY(read_numbers(r, 3 * (size_t)mesh->vertex_count, &mesh->positions));
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT && pli_unpack_good(r->in); ++k) {
        int size = pli_element_size((pli_element_kind)k);
        mesh->element_count[k] = pli_unpack_int(r->in, 0, INT32_MAX / size, "number of elements");
        PLI_TRY(read_ints(r, mesh->element_count[k] * size, &mesh->elements[k]));
    }
    return PLI_OK;
}

static void free_mesh(pli_memory* m, pli_mesh* mesh) {
    if (mesh->positions) PLI_FREE(m, mesh->positions, 3 * (size_t)mesh->vertex_count);
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        if (mesh->elements[k])
            PLI_FREE(m, mesh->elements[k],
                     mesh->element_count[k] * pli_element_size((pli_element_kind)k));
}

// The place of new callbacks: the object with the same handle in the model that was there.
static int own_number(const reader* r, pli_slot_kind kind, int32_t slot) {
    return pli_slots_number(r->own, kind, slot);
}

static pli_status read_body(reader* r, int32_t slot) {
    pli_memory* m = r->memory;
    pli_body_def def = pli_default_body_def();
    pli_mesh mesh = {0};
    char *name = NULL, **tags = NULL;
    double *modes = NULL, *pattern = NULL;
    size_t mode_size = 0, pattern_size = 0;
    pli_status status;
    PLI_TRY_CLEANUP(status, read_text(r, &name));
    read_rows(&pli_body_params, r->version > 3 ? NULL : "total_mass", &def, r->in);
    def.obstacle = pli_unpack_int(r->in, 0, 1, "obstacle");
    PLI_TRY_CLEANUP(status, read_tags(r, &def, &tags));
    PLI_TRY_CLEANUP(status, read_mesh(r, &mesh));
    def.mode_count = pli_unpack_int(r->in, 0, INT32_MAX, "number of modes");
    mode_size = 3 * (size_t)mesh.vertex_count * (size_t)def.mode_count;
    if (mode_size > 0) PLI_TRY_CLEANUP(status, read_numbers(r, mode_size, &modes));
    if (pli_unpack_int(r->in, 0, 1, "pattern"))
        pattern_size = 6 * (size_t)mesh.element_count[PLI_TRIANGLE];
    if (pattern_size > 0) PLI_TRY_CLEANUP(status, read_numbers(r, pattern_size, &pattern));
    if (!pli_unpack_good(r->in)) goto cleanup;
    def.name = name;
    def.mesh = &mesh;
    def.modes = modes;
    def.pattern = pattern;
    int own = own_number(r, PLI_SLOT_BODY, slot);
    if (own >= 0) def.user = r->own->bodies[own].def.user;
    status = pli_model_add_body(r->model, &def, NULL, r->error);
cleanup:
    if (modes) PLI_FREE(m, modes, mode_size);
    if (pattern) PLI_FREE(m, pattern, pattern_size);
    free_mesh(m, &mesh);
    for (int i = 0; tags && i < def.tag_count; ++i) pli_free_text(m, &tags[i]);
    if (tags) PLI_FREE(m, tags, def.tag_count);
    pli_free_text(m, &name);
    return status;
}

// ---- supports

static void pack_motion(const pli_motion* motion, pli_pack* out) {
    pli_prescribe_def def = pli_default_prescribe_def();
    memcpy(def.velocity, motion->velocity, sizeof def.velocity);
    def.travel = motion->travel;
    def.stiffness = motion->given;
    pack_rows(&pli_prescribe_params, &def, out);
    for (int c = 0; c < 3; ++c) pli_pack_int(out, motion->free[c]);
    pli_pack_int(out, motion->width);
    pli_pack_int(out, motion->key_count);
    pli_pack_numbers(out, motion->times, (size_t)motion->key_count);
    pli_pack_numbers(out, motion->offsets, 3 * (size_t)motion->key_count * (size_t)motion->width);
    pli_pack_int(out, motion->field != NULL);
}

static void pack_support(const pli_world* w, int i, pli_pack* out) {
    const pli_support_set* set = &w->model.support_sets[i];
    pli_pack_int(out, set->slot);
    pli_pack_int(out, (int)set->kind);
    pli_pack_int(out, w->model.bodies[set->body].slot);
    for (int c = 0; c < 3; ++c) pli_pack_int(out, set->axes[c]);
    pli_pack_int(out, set->clamped + 2 * set->no_contact); // older states: clamped alone
    pli_pack_numbers(out, set->normal, 3);
    pli_pack_int(out, set->vertex_count);
    for (int k = 0; k < set->vertex_count; ++k)
        pli_pack_int(out, set->vertices[k] - w->model.bodies[set->body].first_vertex);
    if (set->kind == PLI_SUPPORT_PRESCRIBED) {
        const pli_motion* motion = &w->pins.motions[set->motion];
        pack_motion(motion, out);
        for (int k = 0; k < set->vertex_count; ++k)
            pli_pack_numbers(out, w->pins.pins[motion->first + k].start, 3);
    }
}

// Bodies are in the order of their numbers; slots are read last, so until then they are numbers.
static pli_body_id body_at(const reader* r, const int32_t* slots, int32_t slot) {
    int low = 0, high = r->model->body_count; // slots grow
    while (low < high) {
        int middle = (low + high) / 2;
        if (slots[middle] < slot)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < r->model->body_count && slots[low] == slot;
    return (pli_body_id){found ? low : -1, r->model->generation};
}

static pli_status read_motion(reader* r, int32_t slot, pli_prescribe_def* def, double** times,
                              double** offsets) {
    read_rows(&pli_prescribe_params, NULL, def, r->in);
    for (int c = 0; c < 3; ++c) def->free[c] = pli_unpack_int(r->in, 0, 1, "free axis");
    int width = pli_unpack_int(r->in, 0, INT32_MAX, "offsets per key");
    if (width != 1 && width != def->vertex_count)
        pli_unpack_fail(r->in, "prescribed motion with %d offsets per key", width);
    def->key_count = pli_unpack_int(r->in, 0, INT32_MAX, "number of keys");
    PLI_TRY(read_numbers(r, (size_t)def->key_count, times));
    PLI_TRY(read_numbers(r, 3 * (size_t)def->key_count * (size_t)width, offsets));
    def->times = *times;
    def->offsets = *offsets;
    def->per_vertex = width != 1;
    if (!pli_unpack_int(r->in, 0, 1, "field")) return PLI_OK;
    int own = own_number(r, PLI_SLOT_SUPPORT, slot);
    bool prescribed = own >= 0 && r->own->support_sets[own].kind == PLI_SUPPORT_PRESCRIBED;
    const pli_motion* motion =
        prescribed ? &r->own_pins->motions[r->own->support_sets[own].motion] : NULL;
    if (!motion || !motion->field) {
        pli_unpack_fail(r->in,
                        "the motion of support %d is given by a callback, which the world "
                        "that is restored does not have: add it before",
                        (int)slot);
        return PLI_OK;
    }
    def->field = motion->field;
    def->context = motion->context;
    return PLI_OK;
}

// Starts of the pins of the support that was added last.
static void read_starts(reader* r, int count) {
    pli_pins* pins = r->pins;
    for (int i = 0; i < count && pli_unpack_good(r->in); ++i) {
        double start[3] = {0};
        pli_unpack_numbers(r->in, start, 3, "start of a prescribed vertex");
        memcpy(pins->pins[pins->count - count + i].start, start, sizeof start);
    }
}

// `as`: the members that all supports have.
static pli_status read_prescribed(reader* r, pli_body_id body, int32_t slot, const pli_fix_def* as,
                                  int count, const int32_t* vertices) {
    pli_prescribe_def def = pli_default_prescribe_def();
    def.clamped = as->clamped;
    def.no_contact = as->no_contact;
    double *times = NULL, *offsets = NULL;
    def.vertices = vertices;
    def.vertex_count = count;
    pli_status status = read_motion(r, slot, &def, &times, &offsets);
    size_t offset_count = 3 * (size_t)def.key_count * (size_t)(def.per_vertex ? count : 1);
    if (status == PLI_OK && pli_unpack_good(r->in))
        status = pli_pins_add_support(r->pins, r->model, body, &def, r->error);
    if (status == PLI_OK) read_starts(r, count);
    if (times) PLI_FREE(r->memory, times, def.key_count);
    if (offsets) PLI_FREE(r->memory, offsets, offset_count);
    return status;
}

static pli_status read_support(reader* r, const int32_t* slots) {
    pli_fix_def def = pli_default_fix_def();
    double normal[3] = {0};
    int32_t slot = pli_unpack_int(r->in, 0, INT32_MAX, "handle of a support"), *vertices = NULL;
    int kind = pli_unpack_int(r->in, PLI_SUPPORT_AXES, PLI_SUPPORT_PRESCRIBED, "kind of a support");
    pli_body_id body = body_at(r, slots, pli_unpack_int(r->in, 0, INT32_MAX, "body of a support"));
    for (int c = 0; c < 3; ++c) def.axes[c] = pli_unpack_int(r->in, 0, 1, "fixed axis");
    int flags = pli_unpack_int(r->in, 0, 3, "clamped and no contact");
    def.clamped = flags & 1;
    def.no_contact = flags & 2;
    pli_unpack_numbers(r->in, normal, 3, "normal");
    int count = pli_unpack_int(r->in, 0, INT32_MAX, "number of vertices");
    PLI_TRY(read_ints(r, count, &vertices));
    pli_status status = PLI_OK;
    if (!pli_unpack_good(r->in)) {
    } else if (kind == PLI_SUPPORT_PRESCRIBED) {
        status = read_prescribed(r, body, slot, &def, count, vertices);
    } else {
        def.vertices = vertices;
        def.vertex_count = count;
        if (kind == PLI_SUPPORT_INCLINED) memcpy(def.normal, normal, sizeof normal);
        status = pli_model_add_fixed(r->model, body, &def, r->error);
        pli_model* model = r->model;
        if (status == PLI_OK) // to the last bit
            memcpy(model->support_sets[model->support_set_count - 1].normal, normal, sizeof normal);
    }
    if (vertices) PLI_FREE(r->memory, vertices, count);
    return status;
}

// ---- energies and loads

static void pack_energy(const pli_model* model, int i, pli_pack* out) {
    const pli_body_energy* e = &model->energies[i];
    pli_pack_text(out, e->type->name);
    pli_pack_int(out, e->body < 0 ? -1 : model->bodies[e->body].slot);
    for (int p = 0; p < e->type->param_count; ++p) {
        pli_pack_int(out, !isnan(e->params[p]));
        if (!isnan(e->params[p])) pli_pack_number(out, e->params[p]);
    }
    if (e->body >= 0) return;
    pli_pack_int(out, (int)e->kind);
    pli_pack_int(out, e->stencil_count);
    pli_pack_ints(out, e->vertices, (size_t)e->entry_count);
}

static pli_vertex_ref vertex_at(const pli_model* model, int32_t vertex) {
    int b = 0, end = model->body_count;
    while (end - b > 1) {
        int middle = (b + end) / 2;
        if (model->bodies[middle].first_vertex <= vertex)
            b = middle;
        else
            end = middle;
    }
    return (pli_vertex_ref){{b, model->generation}, vertex - model->bodies[b].first_vertex};
}

static pli_status read_stencils(reader* r, pli_stencils_def* def, int width) {
    const pli_model* model = r->model;
    int32_t* vertices = NULL;
    pli_vertex_ref* refs = NULL;
    def->kind = (pli_element_kind)pli_unpack_int(r->in, 0, PLI_STENCIL, "kind of stencils");
    def->count = pli_unpack_int(r->in, 1, INT32_MAX / 16, "number of stencils");
    if (def->kind != PLI_STENCIL) width = pli_element_size(def->kind);
    int total = def->count * width;
    PLI_TRY(read_ints(r, total, &vertices));
    pli_status status = PLI_OK;
    if (pli_unpack_good(r->in)) status = PLI_ALLOC(r->memory, refs, total, r->error);
    for (int i = 0; refs && i < total; ++i) refs[i] = vertex_at(model, vertices[i]);
    def->vertices = refs;
    if (refs) status = pli_model_add_stencils(r->model, def, r->error);
    if (refs) PLI_FREE(r->memory, refs, total);
    if (vertices) PLI_FREE(r->memory, vertices, total);
    return status;
}

static pli_status read_energy(reader* r, const int32_t* slots) {
    pli_model* model = r->model;
    char* name = NULL;
    PLI_TRY(read_text(r, &name));
    const pli_energy_type* type = name ? pli_model_energy_type(model, name) : NULL;
    if (!type && pli_unpack_good(r->in))
        pli_unpack_fail(r->in, "there is no energy type \"%.60s\" in this world", name);
    int body = pli_unpack_int(r->in, -1, INT32_MAX, "body of an energy"), count = 0;
    int room = type ? type->param_count : 0;
    pli_setting* settings = NULL;
    pli_status status = PLI_ALLOC(r->memory, settings, room, r->error);
    for (int p = 0; status == PLI_OK && p < room; ++p)
        if (pli_unpack_int(r->in, 0, 1, "parameter"))
            settings[count++] = (pli_setting){
                type->params[p].name, pli_unpack_number(r->in, -DBL_MAX, DBL_MAX, "parameter")};
    if (status == PLI_OK && pli_unpack_good(r->in)) {
        pli_stencils_def def = pli_default_stencils_def();
        def.energy = name;
        def.settings = settings;
        def.setting_count = count;
        status = body >= 0 ? pli_model_add_energy(model, body_at(r, slots, body), name, settings,
                                                  count, r->error)
                           : read_stencils(r, &def, type->width);
    }
    if (settings) PLI_FREE(r->memory, settings, room);
    pli_free_text(r->memory, &name);
    return status;
}

// The callbacks of the energies with the same handles, of the model that was there.
static void take_fields(const reader* r) {
    for (int i = 0; i < r->model->energy_count; ++i) {
        pli_body_energy* energy = &r->model->energies[i];
        int own = own_number(r, PLI_SLOT_ENERGY, energy->slot);
        if (own < 0 || r->own->energies[own].type != energy->type) continue;
        energy->field = r->own->energies[own].field;
        energy->context = r->own->energies[own].context;
    }
}

static void pack_load(const pli_model* model, int i, pli_pack* out) {
    const pli_body_load* load = &model->loads[i];
    pli_pack_int(out, load->slot);
    pli_pack_int(out, model->bodies[load->body].slot);
    pack_rows(&pli_load_params, &load->def, out);
    pli_pack_int(out, load->def.field != NULL);
    pli_pack_int(out, load->vertex_count);
    for (int k = 0; k < load->vertex_count; ++k)
        pli_pack_int(out, load->vertices[k] - model->bodies[load->body].first_vertex);
}

static pli_status read_load(reader* r, const int32_t* slots) {
    pli_load_def def = pli_default_load_def();
    int32_t slot = pli_unpack_int(r->in, 0, INT32_MAX, "handle of a load"), *vertices = NULL;
    pli_body_id body = body_at(r, slots, pli_unpack_int(r->in, 0, INT32_MAX, "body of a load"));
    read_rows(&pli_load_params, NULL, &def, r->in);
    if (pli_unpack_int(r->in, 0, 1, "field")) {
        int own = own_number(r, PLI_SLOT_LOAD, slot);
        if (own < 0 || !r->own->loads[own].def.field)
            pli_unpack_fail(r->in,
                            "load %d is given by a callback, which the world that is "
                            "restored does not have: add it before",
                            (int)slot);
        else {
            def.field = r->own->loads[own].def.field;
            def.context = r->own->loads[own].def.context;
        }
    }
    def.vertex_count = pli_unpack_int(r->in, 1, INT32_MAX, "number of vertices");
    PLI_TRY(read_ints(r, def.vertex_count, &vertices));
    def.vertices = vertices;
    pli_status status = PLI_OK;
    if (pli_unpack_good(r->in)) status = pli_model_add_load(r->model, body, &def, r->error);
    if (vertices) PLI_FREE(r->memory, vertices, def.vertex_count);
    return status;
}

// ---- half-spaces and rules

static void pack_half_space(const pli_half_space_def* def, pli_pack* out) {
    pli_pack_text(out, def->name);
    pack_rows(&pli_half_space_params, def, out);
    pli_pack_int(out, def->carrier.generation > 0 ? def->carrier.index : -1);
}

static pli_status read_half_space(reader* r, const int32_t* slots) {
    pli_half_space_def def = pli_default_half_space_def();
    pli_model* model = r->model;
    char* name = NULL;
    PLI_TRY(read_text(r, &name));
    def.name = name;
    read_rows(&pli_half_space_params, NULL, &def, r->in);
    int32_t carrier = pli_unpack_int(r->in, -1, INT32_MAX, "carrier");
    if (carrier >= 0) def.carrier = body_at(r, slots, carrier);
    pli_status status = PLI_OK;
    if (pli_unpack_good(r->in)) status = pli_model_add_half_space(model, &def, r->error);
    if (status == PLI_OK && pli_unpack_good(r->in)) {
        pli_half_space_def* added = &model->half_spaces[model->half_space_count - 1];
        memcpy(added->normal, def.normal, sizeof def.normal); // to the last bit
        added->carrier.index = carrier >= 0 ? carrier : 0;    // as a handle
    }
    pli_free_text(r->memory, &name);
    return status;
}

static void pack_rule(const pli_contact_rule_def* def, pli_pack* out) {
    for (int i = 0; i < 2; ++i) pli_pack_text(out, def->between[i]);
    pli_pack_int(out, def->pass | def->allow_initial << 1);
    pli_pack_number(out, def->friction);
    pli_pack_number(out, def->friction_static);
}

static pli_status read_rule(reader* r) {
    pli_contact_rule_def def = pli_default_contact_rule_def();
    char* words[2] = {NULL, NULL};
    pli_status status = read_text(r, &words[0]);
    if (status == PLI_OK) status = read_text(r, &words[1]);
    int flags = pli_unpack_int(r->in, 0, 3, "contact rule");
    def.pass = flags & 1;
    def.allow_initial = flags >> 1;
    def.friction = pli_unpack_number(r->in, -HUGE_VAL, HUGE_VAL, "friction");
    def.friction_static = pli_unpack_number(r->in, -HUGE_VAL, HUGE_VAL, "friction_static");
    for (int i = 0; i < 2; ++i) def.between[i] = words[i];
    if (status == PLI_OK && pli_unpack_good(r->in))
        status = pli_model_add_contact_rule(r->model, &def, r->error);
    for (int i = 0; i < 2; ++i) pli_free_text(r->memory, &words[i]);
    return status;
}

// ---- joints

// Bytes have finite numbers only: no limit is the largest of them.
static void pack_bounds(const double* v, size_t count, pli_pack* out) {
    for (size_t i = 0; i < count; ++i)
        pli_pack_number(out, isinf(v[i]) ? copysign(DBL_MAX, v[i]) : v[i]);
}

static void read_bounds(reader* r, double* v, size_t count) {
    pli_unpack_numbers(r->in, v, count, "value of a joint");
    for (size_t i = 0; i < count && pli_unpack_good(r->in); ++i)
        if (fabs(v[i]) == DBL_MAX) v[i] = copysign(HUGE_VAL, v[i]);
}

static void pack_freedom(const pli_joint_freedom* f, pli_pack* out) {
    pack_bounds((double[12]){f->start, f->low, f->high, f->friction, f->damping, f->stiffness,
                             f->rest, f->target, f->cap, f->delay, f->motor_stiffness,
                             f->motor_damping},
                12, out);
    pli_pack_text(out, f->motor);
    pli_pack_int(out, f->target_of != NULL);
}

// Since version 3: what is not an equation.
static void pack_measures(const pli_model* model, const pli_joint* j, pli_pack* out) {
    const pli_joint_def* d = &j->def;
    pli_pack_numbers(out, d->axis2, 3);
    pli_pack_numbers(out, d->to, 3);
    for (int f = 0; f < PLI_JOINT_VALUE_COUNT; ++f) pack_freedom(&d->freedom[f], out);
    pack_bounds((double[7]){d->pitch, d->ratio, d->slack, d->tolerance, d->angle_tolerance,
                            d->break_force, d->break_torque},
                7, out);
    pli_pack_int(out, j->opened);
    pli_pack_int(out, d->over ? d->over_count : 0);
    if (d->over) pli_pack_numbers(out, d->over, 3 * (size_t)d->over_count);
    for (int i = 0; i < 2; ++i)
        pli_pack_int(out, j->of[i] < 0 ? -1 : pli_slots_number(model, PLI_SLOT_JOINT, j->of[i]));
}

static void pack_joint(const pli_model* model, int i, pli_pack* out) {
    const pli_joint* j = &model->joints[i];
    pli_pack_int(out, j->slot);
    pli_pack_text(out, j->name);
    pli_pack_text(out, j->def.type);
    pli_pack_numbers(out, j->def.at, 3);
    pli_pack_numbers(out, j->def.axis, 3);
    pli_pack_int(out, j->def.motion != NULL);
    pack_measures(model, j, out);
    pli_pack_int(out, j->point_count);
    pli_pack_numbers(out, j->points, 3 * (size_t)j->point_count);
    for (int s = 0; s < 2; ++s) {
        const pli_joint_side* side = &j->side[s];
        pli_pack_int(out, side->body < 0 ? -1 : model->bodies[side->body].slot);
        pli_pack_int(out, side->vertex_count);
        pli_pack_ints(out, side->vertices, (size_t)side->vertex_count);
        pli_pack_numbers(out, side->vertex_count > 0 ? side->weights : side->places,
                         pli_joint_values(side->body, side->vertex_count, j->point_count));
    }
}

static pli_status read_joint_side(reader* r, const int32_t* slots, int s, pli_joint_def* def,
                                  pli_joint_known* known) {
    int body = pli_unpack_int(r->in, -1, INT32_MAX, "body of a joint");
    int32_t* vertices = NULL;
    def->ends[s].vertex_count =
        pli_unpack_int(r->in, 0, PLI_JOINT_VERTICES, "number of vertices of a joint");
    if (def->ends[s].vertex_count > 0) PLI_TRY(read_ints(r, def->ends[s].vertex_count, &vertices));
    def->ends[s].vertices = vertices;
    if (body >= 0) def->ends[s].body = body_at(r, slots, body);
    return read_numbers(r, pli_joint_values(body, def->ends[s].vertex_count, known->point_count),
                        &known->values[s]);
}

// The motion of the joint with the same handle in the world that is restored.
static void read_joint_motion(reader* r, int32_t slot, pli_joint_def* def) {
    int own = own_number(r, PLI_SLOT_JOINT, slot);
    if (own < 0 || !r->own->joints[own].def.motion) {
        pli_unpack_fail(r->in,
                        "joint %d moves by a callback, which the world that is restored does "
                        "not have: add it before",
                        (int)slot);
        return;
    }
    def->motion = r->own->joints[own].def.motion;
    def->context = r->own->joints[own].def.context;
}

static pli_status read_freedom(reader* r, int32_t slot, int i, pli_joint_freedom* f) {
    double v[12] = {0};
    char* motor;
    read_bounds(r, v, 12);
    PLI_TRY(read_text(r, &motor));
    f->start = v[0], f->low = v[1], f->high = v[2], f->friction = v[3], f->damping = v[4];
    f->stiffness = v[5], f->rest = v[6], f->target = v[7], f->cap = v[8], f->delay = v[9];
    f->motor_stiffness = v[10], f->motor_damping = v[11];
    f->motor = "";
    for (int k = 0; motor && pli_joint_motor_name(k); ++k)
        if (strcmp(motor, pli_joint_motor_name(k)) == 0) f->motor = pli_joint_motor_name(k);
    pli_free_text(r->memory, &motor);
    int own = own_number(r, PLI_SLOT_JOINT, slot);
    if (!pli_unpack_int(r->in, 0, 1, "target of a motor")) return PLI_OK;
    f->target_of = own < 0 ? NULL : r->own->joints[own].def.freedom[i].target_of;
    if (own >= 0) f->target_context = r->own->joints[own].def.freedom[i].target_context;
    if (!f->target_of)
        pli_unpack_fail(r->in,
                        "the motor of joint %d has a callback, which the world that is "
                        "restored does not have: add it before",
                        (int)slot);
    return PLI_OK;
}

static pli_status read_measures(reader* r, int32_t slot, pli_joint_def* d, pli_joint_known* known) {
    double v[7] = {0}, *over;
    pli_unpack_numbers(r->in, d->axis2, 3, "axis of a joint");
    pli_unpack_numbers(r->in, d->to, 3, "place of a joint");
    for (int f = 0; f < PLI_JOINT_VALUE_COUNT && pli_unpack_good(r->in); ++f)
        PLI_TRY(read_freedom(r, slot, f, &d->freedom[f]));
    read_bounds(r, v, 7);
    d->pitch = v[0], d->ratio = v[1], d->slack = v[2], d->tolerance = v[3];
    d->angle_tolerance = v[4], d->break_force = v[5], d->break_torque = v[6];
    known->opened = pli_unpack_int(r->in, 0, 1, "broken joint");
    d->over_count = pli_unpack_int(r->in, 0, PLI_JOINT_OVER, "places of a pulley");
    if (d->over_count > 0) {
        PLI_TRY(read_numbers(r, 3 * (size_t)d->over_count, &over));
        d->over = over;
    }
    for (int i = 0; i < 2 && pli_unpack_good(r->in); ++i) {
        int of = pli_unpack_int(r->in, -1, r->model->joint_count - 1, "joint of a gear");
        if (of >= 0) d->of[i] = (pli_joint_id){r->model->joints[of].slot, r->model->generation};
    }
    return PLI_OK;
}

static pli_status read_joint(reader* r, const int32_t* slots) {
    pli_memory* m = r->memory;
    pli_joint_def def = pli_default_joint_def();
    pli_joint_known known = {0};
    char *name = NULL, *type = NULL;
    double axis[3] = {0};
    size_t counts[2] = {0};
    pli_status status;
    int32_t slot = pli_unpack_int(r->in, 0, INT32_MAX, "handle of a joint");
    PLI_TRY_CLEANUP(status, read_text(r, &name));
    PLI_TRY_CLEANUP(status, read_text(r, &type));
    pli_unpack_numbers(r->in, def.at, 3, "place of a joint");
    pli_unpack_numbers(r->in, axis, 3, "axis of a joint");
    if (pli_unpack_int(r->in, 0, 1, "motion of a joint")) read_joint_motion(r, slot, &def);
    known.measures = r->version > 2;
    if (known.measures) PLI_TRY_CLEANUP(status, read_measures(r, slot, &def, &known));
    known.point_count = pli_unpack_int(r->in, 1, PLI_JOINT_VERTICES, "number of points of a joint");
    PLI_TRY_CLEANUP(status, read_numbers(r, 3 * (size_t)known.point_count, &known.points));
    for (int s = 0; s < 2 && pli_unpack_good(r->in); ++s) {
        status = read_joint_side(r, slots, s, &def, &known);
        counts[s] = pli_joint_values(def.ends[s].body.generation > 0 ? 0 : -1,
                                     def.ends[s].vertex_count, known.point_count);
        if (status != PLI_OK) goto cleanup;
    }
    if (!pli_unpack_good(r->in)) goto cleanup;
    def.name = name;
    def.type = type;
    memcpy(def.axis, axis, sizeof axis);
    status = pli_model_add_joint(r->model, &def, &known, r->error);
    if (status == PLI_OK) {
        pli_joint* added = &r->model->joints[r->model->joint_count - 1];
        added->opened = known.opened;
        memcpy(added->def.axis, axis, sizeof axis); // to the last bit
    }
cleanup:
    if (def.over) {
        double* over = (double*)(uintptr_t)def.over;
        PLI_FREE(m, over, 3 * (size_t)def.over_count);
    }
    for (int s = 0; s < 2; ++s) {
        int32_t* vertices = (int32_t*)(uintptr_t)def.ends[s].vertices;
        if (vertices) PLI_FREE(m, vertices, def.ends[s].vertex_count);
        if (known.values[s]) PLI_FREE(m, known.values[s], counts[s]);
    }
    if (known.points) PLI_FREE(m, known.points, 3 * (size_t)known.point_count);
    pli_free_text(m, &type);
    pli_free_text(m, &name);
    return status;
}

// ---- handles

static void pack_slots(const pli_model* model, pli_pack* out) {
    for (int k = 0; k < PLI_SLOT_KIND_COUNT; ++k) {
        pli_pack_int(out, model->slots[k].count);
        pli_pack_ints(out, model->slots[k].number, (size_t)model->slots[k].count);
    }
}

static void set_slot(pli_model* model, pli_slot_kind kind, int number, int32_t slot) {
    if (kind == PLI_SLOT_BODY) model->bodies[number].slot = slot;
    if (kind == PLI_SLOT_SUPPORT) model->support_sets[number].slot = slot;
    if (kind == PLI_SLOT_ENERGY) model->energies[number].slot = slot;
    if (kind == PLI_SLOT_LOAD) model->loads[number].slot = slot;
    if (kind == PLI_SLOT_JOINT) model->joints[number].slot = slot;
}

// bodies: the slots that objects were read with.
static pli_status read_slots(reader* r, const int32_t* bodies) {
    pli_model* model = r->model;
    const int counts[PLI_SLOT_KIND_COUNT] = {
        model->body_count,       model->support_set_count, model->energy_count, model->load_count,
        model->half_space_count, model->rule_count,        model->joint_count};
    int kinds = r->version > 1 ? PLI_SLOT_KIND_COUNT : PLI_SLOT_JOINT;
    for (int k = 0; k < kinds; ++k) {
        pli_slots* slots = &model->slots[k];
        int32_t* list = NULL;
        int count = pli_unpack_int(r->in, counts[k], INT32_MAX, "number of handles"), last = -1;
        PLI_TRY(read_ints(r, count, &list));
        if (!pli_unpack_good(r->in)) return PLI_OK;
        bool right = true; // numbers grow with slots, because objects are added in order
        for (int i = 0; i < count && right; ++i) {
            if (list[i] == -1) continue;
            right = list[i] == ++last &&
                    (k != PLI_SLOT_BODY || (last < counts[k] && bodies[last] == i));
        }
        if (!right || last != counts[k] - 1) {
            PLI_FREE(r->memory, list, count);
            pli_unpack_fail(r->in, "handles that do not go together with the objects");
            return PLI_OK;
        }
        PLI_FREE(r->memory, slots->number, slots->capacity);
        *slots = (pli_slots){.count = count, .capacity = count, .number = list};
        for (int i = 0; i < count; ++i)
            if (list[i] >= 0) set_slot(model, (pli_slot_kind)k, list[i], i);
    }
    pli_model_rename_joints(model);
    return PLI_OK;
}

// ---- all

static const double NOT_GIVEN = -1; // stiffness of contact

void pli_world_pack_model(const pli_world* w, pli_pack* out) {
    const pli_model* model = &w->model;
    pli_pack_int(out, model->def.dimension);
    pli_pack_numbers(out, model->def.gravity, 3);
    pli_pack_number(out, model->def.time_step);
    pli_pack_number(out, model->def.contact.friction);
    pli_pack_number(out, model->def.contact.friction_static);
    double stiffness = model->def.contact.stiffness;
    pli_pack_number(out, isnan(stiffness) ? NOT_GIVEN : stiffness);
    pli_pack_int(out, model->body_count);
    for (int b = 0; b < model->body_count; ++b) pli_pack_int(out, model->bodies[b].slot);
    for (int b = 0; b < model->body_count; ++b) pack_body(model, b, out);
    pli_pack_int(out, model->support_set_count);
    for (int i = 0; i < model->support_set_count; ++i) pack_support(w, i, out);
    pli_pack_int(out, model->energy_count);
    for (int i = 0; i < model->energy_count; ++i) pack_energy(model, i, out);
    pli_pack_int(out, model->load_count);
    for (int i = 0; i < model->load_count; ++i) pack_load(model, i, out);
    pli_pack_int(out, model->half_space_count);
    for (int i = 0; i < model->half_space_count; ++i) pack_half_space(&model->half_spaces[i], out);
    pli_pack_int(out, model->rule_count);
    for (int i = 0; i < model->rule_count; ++i) pack_rule(&model->rule_defs[i], out);
    pli_pack_int(out, model->joint_count);
    for (int i = 0; i < model->joint_count; ++i) pack_joint(model, i, out);
    pack_slots(model, out);
}

static void read_def(reader* r) {
    pli_world_def* def = &r->model->def;
    (void)pli_unpack_int(r->in, def->dimension, def->dimension, "dimension");
    pli_unpack_numbers(r->in, def->gravity, 3, "gravity");
    def->time_step = pli_unpack_number(r->in, 0, DBL_MAX, "time step");
    def->contact.friction = pli_unpack_number(r->in, 0, 100, "friction");
    def->contact.friction_static = pli_unpack_number(r->in, 0, 100, "static friction");
    double stiffness = pli_unpack_number(r->in, NOT_GIVEN, DBL_MAX, "contact stiffness");
    def->contact.stiffness = stiffness < 0 ? (double)NAN : stiffness;
}

static int read_count(reader* r, const char* what) {
    return pli_unpack_int(r->in, 0, 1 << 28, what);
}

static pli_status read_objects(reader* r, int body_count, const int32_t* slots) {
    for (int i = 0; i < body_count && pli_unpack_good(r->in); ++i) PLI_TRY(read_body(r, slots[i]));
    int count = read_count(r, "number of supports");
    for (int i = 0; i < count && pli_unpack_good(r->in); ++i) PLI_TRY(read_support(r, slots));
    count = read_count(r, "number of energies");
    for (int i = 0; i < count && pli_unpack_good(r->in); ++i) PLI_TRY(read_energy(r, slots));
    count = read_count(r, "number of loads");
    for (int i = 0; i < count && pli_unpack_good(r->in); ++i) PLI_TRY(read_load(r, slots));
    count = read_count(r, "number of half-spaces");
    for (int i = 0; i < count && pli_unpack_good(r->in); ++i) PLI_TRY(read_half_space(r, slots));
    count = read_count(r, "number of contact rules");
    for (int i = 0; i < count && pli_unpack_good(r->in); ++i) PLI_TRY(read_rule(r));
    count = r->version > 1 ? read_count(r, "number of joints") : 0; // since version 2
    for (int i = 0; i < count && pli_unpack_good(r->in); ++i) PLI_TRY(read_joint(r, slots));
    if (!pli_unpack_good(r->in)) return PLI_OK;
    pli_model_hold_vertices(r->model);
    PLI_TRY(read_slots(r, slots));
    take_fields(r);
    return PLI_OK;
}

pli_status pli_world_read_model(const pli_world* w, pli_model* model, pli_pins* pins, int version,
                                pli_unpack* in, pli_error* error) {
    reader r = {.memory = model->memory,
                .version = version,
                .model = model,
                .pins = pins,
                .own = &w->model,
                .own_pins = &w->pins,
                .in = in,
                .error = error};
    int32_t* slots = NULL;
    read_def(&r);
    int count = pli_unpack_int(in, 1, 1 << 28, "number of bodies");
    PLI_TRY(read_ints(&r, count, &slots));
    if (!pli_unpack_good(in)) return PLI_OK;
    pli_status status = read_objects(&r, count, slots);
    PLI_FREE(r.memory, slots, count);
    return status;
}
