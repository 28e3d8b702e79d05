// Fields of a result: averages over cells are computed here, for pictures, exports and replay.
#include "result/result.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "math/vec.h"

static const pli_field_info fields[] = {
    {"velocity", "velocity", "Velocity", "m/s", 3},
    {"displacement", "displacement", "Displacement", "m", 3},
    {"stress", "von_mises", "Stress (von Mises)", "Pa", 1},
    {"energy_density", "energy_density", "Energy density", "J/m^3", 1},
    {"stretch", "stretch", "Largest stretch", "", 1},
    {"size_ratio", "size_ratio", "Length, area or volume relative to rest", "", 1},
    {"contact_force", "contact_force", "Contact force", "N", 3},
    {"friction_force", "friction_force", "Friction force", "N", 3},
    {"reaction", "reaction", "Force of supports", "N", 3},
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

pli_field_info pli_field_at(int i) {
    return i >= 0 && i < FIELD_COUNT ? fields[i] : (pli_field_info){0};
}

_Static_assert(FIELD_COUNT + PLI_SCALARS_KEPT <= PLI_RESULT_SHOWN, "room for all fields");

const pli_field_info* pli_result_shown(const pli_result* result, const char* key) {
    for (int i = 0; i < result->shown_count; ++i)
        if (strcmp(result->shown[i].key, key) == 0) return &result->shown[i];
    return NULL;
}

static void copy_member(const json_t* entry, const char* key, char* to, size_t size) {
    const char* text = json_string_value(json_object_get(entry, key));
    pli_format(to, size, "%s", text ? text : "");
}

// ---- cells

static void free_cells(pli_result_values* v) {
    PLI_FREE(v->memory, v->connectivity, v->connectivity_size);
    PLI_FREE(v->memory, v->ends, v->cell_count);
    v->connectivity_size = 0;
    v->cell_count = 0;
}

void pli_result_values_free(pli_result_values* v) {
    if (!v->memory) return;
    free_cells(v);
    PLI_FREE(v->memory, v->values, v->value_count);
    *v = (pli_result_values){0};
}

static pli_status take_cells(pli_result_values* v, const pli_frame_file* file, pli_error* error) {
    const pli_vtu_array* ends = pli_frame_find(file, PLI_FRAME_CELLS, "offsets");
    const pli_vtu_array* vertices = pli_frame_find(file, PLI_FRAME_CELLS, "connectivity");
    if (!ends || !vertices || file->cell_count == 0)
        return pli_fail(error, PLI_E_SCENE, "%s has no cells", file->path);
    PLI_TRY(PLI_ALLOC(v->memory, v->ends, file->cell_count, error));
    v->cell_count = file->cell_count;
    PLI_TRY(pli_frame_integers(file, ends, v->cell_count, v->ends));
    int32_t end = v->ends[v->cell_count - 1];
    for (int i = 0; i < v->cell_count; ++i)
        if (v->ends[i] < (i > 0 ? v->ends[i - 1] : 0))
            return pli_fail(error, PLI_E_SCENE, "%s: the offsets of its cells decrease",
                            file->path);
    PLI_TRY(PLI_ALLOC(v->memory, v->connectivity, end, error));
    v->connectivity_size = (size_t)end;
    PLI_TRY(pli_frame_integers(file, vertices, end, v->connectivity));
    for (int32_t i = 0; i < end; ++i)
        if (v->connectivity[i] < 0 || v->connectivity[i] >= file->point_count)
            return pli_fail(error, PLI_E_SCENE, "%s: invalid vertex index in a cell", file->path);
    return PLI_OK;
}

static pli_status read_cells(pli_result_values* v, const pli_frame_file* file, pli_error* error) {
    int epoch = 0;
    PLI_TRY(pli_frame_epoch(file, &epoch));
    if (v->ends && v->epoch == epoch) return PLI_OK;
    free_cells(v);
    v->epoch = epoch;
    pli_status status = take_cells(v, file, error);
    if (status != PLI_OK) free_cells(v);
    return status;
}

// Replaces v->values by the mean over the cells at each vertex. `cells` has a value per cell,
// `shares` is scratch per vertex.
static void spread(pli_result_values* v, const double* cells, int32_t* shares) {
    memset(v->values, 0, v->value_count * sizeof *v->values);
    for (int c = 0, i = 0; c < v->cell_count; ++c)
        for (; i < v->ends[c]; ++i) {
            v->values[v->connectivity[i]] += cells[c];
            shares[v->connectivity[i]]++;
        }
    for (size_t i = 0; i < v->value_count; ++i)
        if (shares[i] > 1) v->values[i] /= shares[i];
}

static pli_status read_cell_values(pli_result_values* v, const pli_frame_file* file,
                                   const pli_vtu_array* array, pli_error* error) {
    double* cells = NULL;
    int32_t* shares = NULL;
    int count = file->cell_count;
    pli_status status;
    PLI_TRY(read_cells(v, file, error));
    if (count != v->cell_count || array->components != 1)
        return pli_fail(error, PLI_E_SCENE, "%s: the cells are not those of the first frame",
                        file->path);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(v->memory, cells, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(v->memory, shares, file->point_count, error));
    PLI_TRY_CLEANUP(status, pli_frame_reals(file, array, count, cells));
    spread(v, cells, shares);
cleanup:
    PLI_FREE(v->memory, cells, count);
    PLI_FREE(v->memory, shares, file->point_count);
    return status;
}

// ---- arrays

static const pli_vtu_array* find_array(const pli_frame_file* file, const char* name, bool* points) {
    const pli_vtu_array* array = pli_frame_find(file, PLI_FRAME_POINT_DATA, name);
    *points = array != NULL;
    return array ? array : pli_frame_find(file, PLI_FRAME_CELL_DATA, name);
}

static pli_status make_room(pli_result_values* v, const pli_frame_file* file,
                            const pli_vtu_array* array, pli_error* error) {
    size_t count = (size_t)array->components * (size_t)file->point_count;
    v->components = array->components;
    if (v->values && v->value_count == count) return PLI_OK;
    PLI_FREE(v->memory, v->values, v->value_count);
    v->value_count = 0;
    PLI_TRY(PLI_ALLOC(v->memory, v->values, count, error));
    v->value_count = count;
    return PLI_OK;
}

static pli_status read_values(pli_result_values* v, const pli_result* result,
                              const pli_frame_file* file, const char* name, pli_error* error) {
    bool points;
    const pli_vtu_array* array = find_array(file, name, &points);
    if (!array || file->point_count != result->vertex_count)
        return pli_fail(error, PLI_E_ARGUMENT, "the frames of %.300s have no \"%s\"",
                        result->folder, name);
    PLI_TRY(make_room(v, file, array, error));
    if (points) return pli_frame_reals(file, array, (int64_t)v->value_count, v->values);
    return read_cell_values(v, file, array, error);
}

pli_status pli_result_read_values(pli_result_values* v, const pli_result* result, int i,
                                  const char* array, pli_error* error) {
    pli_frame_file file;
    v->memory = result->memory;
    PLI_TRY(pli_frame_open(&file, result->memory, result->folder, i, error));
    pli_status status = read_values(v, result, &file, array, error);
    pli_frame_close(&file);
    return status;
}

bool pli_result_has_field(const pli_result* result, int i) { return result->fields >> i & 1; }

// The fields that run.json names, each once.
static void add_own_fields(pli_result* result) {
    const json_t* list = json_object_get(result->info, "fields");
    int own = 0;
    for (size_t i = 0; i < json_array_size(list) && own < PLI_SCALARS_KEPT; ++i) {
        const json_t* entry = json_array_get(list, i);
        pli_result_own_field* field = &result->own[own];
        copy_member(entry, "name", field->name, sizeof field->name);
        copy_member(entry, "label", field->label, sizeof field->label);
        copy_member(entry, "unit", field->unit, sizeof field->unit);
        if (!*field->name || pli_result_shown(result, field->name)) continue;
        ++own;
        result->shown[result->shown_count++] = (pli_field_info){
            field->name, field->name, *field->label ? field->label : field->name, field->unit, 1};
    }
}

void pli_result_find_shown(pli_result* result, const pli_frame_file* file) {
    memcpy(result->shown, fields, sizeof fields);
    result->shown_count = FIELD_COUNT;
    result->fields = 0;
    add_own_fields(result);
    for (int i = 0; i < result->shown_count; ++i) {
        bool points;
        const pli_vtu_array* array = find_array(file, result->shown[i].array, &points);
        bool fits = array && array->components == result->shown[i].components;
        result->fields |= (uint32_t)fits << i;
    }
}

double pli_result_size(const pli_result_values* v, int vertex) {
    const double* at = v->values + (size_t)v->components * (size_t)vertex;
    return v->components == 1 ? *at : pli_norm(at, v->components);
}

pli_status pli_result_check_field(const pli_result* result, const char* key, size_t length,
                                  pli_error* error) {
    char list[256] = "";
    for (int i = 0; i < result->shown_count; ++i) {
        const char* known = result->shown[i].key;
        if (!pli_result_has_field(result, i)) continue;
        if (strlen(known) == length && strncmp(known, key, length) == 0) return PLI_OK;
        size_t used = strlen(list);
        pli_format(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", known);
    }
    return pli_fail(error, PLI_E_ARGUMENT,
                    "export: no field \"%.*s\"; this run has %s. For other fields run it with "
                    "--set 'output.fields=[\"all\"]'",
                    length < 40 ? (int)length : 40, key, *list ? list : "none");
}
