// Reading frames: VTK's XML with the arrays of src/mesh/vtu_array.c. They are listed first and
// decoded on request.
#include "result/result_frame.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "pliant/record.h"
#include "result/pvd.h"
#include "result/result.h"

static const char* const part_names[PLI_FRAME_PARTS] = {"FieldData", "Points", "Cells", "PointData",
                                                        "CellData"};

// ---- the file

static pli_status read_count(const pli_scan* scan, const pli_tag* tag, const char* name,
                             int* count) {
    char text[32];
    int64_t value = -1;
    const char* at = pli_xml_attribute(tag, name, text, sizeof text);
    if (!pli_parse_integer(&at, &value) || *at || value < 0 || value > INT32_MAX / 16)
        return PLI_SCAN_FAIL(scan, "%s=\"%s\", must be a whole number from 0 to %d", name, text,
                             INT32_MAX / 16);
    *count = (int)value;
    return PLI_OK;
}

static pli_status note_array(pli_frame_file* f, pli_frame_part part, const pli_tag* tag) {
    if (f->array_count == PLI_FRAME_ARRAYS)
        return PLI_SCAN_FAIL(&f->scan, "more than %d arrays in a frame", PLI_FRAME_ARRAYS);
    pli_frame_array* next = &f->arrays[f->array_count];
    next->part = part;
    PLI_TRY(pli_vtu_array_init(&next->array, tag, &f->scan));
    ++f->array_count;
    return PLI_OK;
}

static pli_status list_arrays(pli_frame_file* f) {
    int part = PLI_FRAME_PARTS, pieces = 0;
    pli_tag tag;
    PLI_TRY(pli_vtu_layout_read(&f->layout, &f->scan));
    for (;;) {
        PLI_TRY(pli_xml_next(&f->scan, &tag));
        if (!tag.name[0]) return PLI_SCAN_FAIL(&f->scan, "the file ends without </VTKFile>");
        if (strcmp(tag.name, "VTKFile") == 0 || strcmp(tag.name, "AppendedData") == 0) break;
        for (int i = 0; i < PLI_FRAME_PARTS; ++i)
            if (strcmp(tag.name, part_names[i]) == 0)
                part = tag.opens && !tag.closes ? i : PLI_FRAME_PARTS;
        if (strcmp(tag.name, "Piece") == 0 && tag.opens) {
            if (++pieces > 1)
                return PLI_SCAN_FAIL(&f->scan, "a second <Piece>: not a frame of a run");
            PLI_TRY(read_count(&f->scan, &tag, "NumberOfPoints", &f->point_count));
            PLI_TRY(read_count(&f->scan, &tag, "NumberOfCells", &f->cell_count));
        }
        if (strcmp(tag.name, "DataArray") == 0 && tag.opens && part < PLI_FRAME_PARTS)
            PLI_TRY(note_array(f, (pli_frame_part)part, &tag));
    }
    if (pieces == 0) return PLI_SCAN_FAIL(&f->scan, "no <Piece> in the file");
    return PLI_OK;
}

pli_status pli_frame_open_file(pli_frame_file* file, pli_memory* memory, const char* folder,
                               const char* name, pli_error* error) {
    char path[4200];
    *file = (pli_frame_file){.memory = memory};
    pli_format(path, sizeof path, "%s/%s", folder, name);
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_copy_text(memory, path, &file->path, error));
    PLI_TRY_CLEANUP(status, pli_scan_open(&file->scan, memory, file->path, error));
    PLI_TRY_CLEANUP(status, list_arrays(file));
    return PLI_OK;
cleanup:
    pli_frame_close(file);
    return status;
}

pli_status pli_frame_open(pli_frame_file* file, pli_memory* memory, const char* folder, int i,
                          pli_error* error) {
    char name[PLI_FRAME_NAME_SIZE];
    return pli_frame_open_file(file, memory, folder, pli_frame_name(i, name), error);
}

void pli_frame_close(pli_frame_file* file) {
    if (!file->memory) return;
    pli_scan_close(&file->scan, file->memory);
    if (file->path) pli_free_text(file->memory, &file->path);
    file->memory = NULL;
}

const pli_vtu_array* pli_frame_find(const pli_frame_file* file, pli_frame_part part,
                                    const char* name) {
    for (int i = 0; i < file->array_count; ++i)
        if (file->arrays[i].part == part && strcmp(file->arrays[i].array.name, name) == 0)
            return &file->arrays[i].array;
    return NULL;
}

// ---- numbers

pli_status pli_frame_reals(const pli_frame_file* file, const pli_vtu_array* array, int64_t count,
                           double* out) {
    pli_vtu_numbers n;
    pli_number_type type = array->type;
    PLI_TRY(pli_vtu_array_open(array, &file->layout, count, file->memory, &n));
    pli_status status = PLI_OK;
    if (n.data && type.kind == 'f' && type.size == 8 && !file->layout.swap)
        memcpy(out, n.data, n.bytes);
    else if (n.data) // non-finite numbers are accepted here
        for (int64_t i = 0; i < count; ++i)
            out[i] = pli_number_real(type, file->layout.swap, n.data + i * type.size);
    else
        for (int64_t i = 0; i < count && status == PLI_OK; ++i)
            status = pli_scan_real(&n.scan, type, "number", &out[i]);
    pli_vtu_array_close(&n);
    return status;
}

pli_status pli_frame_integers(const pli_frame_file* file, const pli_vtu_array* array, int64_t count,
                              int32_t* out) {
    pli_vtu_numbers n;
    PLI_TRY(pli_vtu_array_open(array, &file->layout, count, file->memory, &n));
    pli_status status = PLI_OK;
    for (int64_t i = 0; i < count && status == PLI_OK; ++i) {
        int64_t value = 0;
        status = pli_scan_integer(&n.scan, array->type, "number", &value);
        if (status == PLI_OK && (value < INT32_MIN || value > INT32_MAX))
            status = PLI_SCAN_FAIL(&n.scan, "%lld does not fit 32 bits", (long long)value);
        out[i] = (int32_t)value;
    }
    pli_vtu_array_close(&n);
    return status;
}

// ---- frames of a result

void pli_result_frame_free(pli_result_frame* frame) {
    if (!frame->memory) return;
    size_t count = (size_t)frame->vertex_count;
    PLI_FREE(frame->memory, frame->positions, 3 * count);
    for (int i = 0; i < frame->field_count; ++i)
        PLI_FREE(frame->memory, frame->fields[i].values,
                 (size_t)frame->fields[i].components * count);
    *frame = (pli_result_frame){0};
}

const pli_result_field* pli_result_find_field(const pli_result_frame* frame, const char* name) {
    for (int i = 0; i < frame->field_count; ++i)
        if (strcmp(frame->fields[i].name, name) == 0) return &frame->fields[i];
    return NULL;
}

static bool is_wanted(const pli_frame_array* a, pli_result_detail detail) {
    if (a->part != PLI_FRAME_POINT_DATA || a->array.components > 9) return false;
    return detail == PLI_ALL_FIELDS ||
           (detail == PLI_VELOCITIES && strcmp(a->array.name, "velocity") == 0);
}

// Frees the fields from `count` on, which belong to the previous frame.
static void drop_fields(pli_result_frame* frame, int count) {
    for (int i = count; i < frame->field_count; ++i)
        PLI_FREE(frame->memory, frame->fields[i].values,
                 (size_t)frame->fields[i].components * (size_t)frame->vertex_count);
    if (count < frame->field_count) frame->field_count = count;
}

// A slot for one more field; reused if the previous frame had the same.
static pli_status place_field(pli_result_frame* frame, int at, const pli_vtu_array* array,
                              pli_error* error) {
    pli_result_field* field = &frame->fields[at];
    if (at < frame->field_count && field->components == array->components &&
        strcmp(field->name, array->name) == 0)
        return PLI_OK;
    drop_fields(frame, at);
    PLI_TRY(PLI_ALLOC(frame->memory, field->values,
                      (size_t)array->components * (size_t)frame->vertex_count, error));
    memcpy(field->name, array->name, sizeof field->name);
    field->components = array->components;
    frame->field_count = at + 1;
    return PLI_OK;
}

// Frames without a format are of an earlier version.
static pli_status check_format(const pli_frame_file* file) {
    const pli_vtu_array* array = pli_frame_find(file, PLI_FRAME_FIELDS, "PliantFormat");
    int32_t format = 0;
    if (array) PLI_TRY(pli_frame_integers(file, array, 1, &format));
    if (format <= PLI_RESULT_FORMAT) return PLI_OK;
    return PLI_SCAN_FAIL(&file->scan,
                         "a frame of format %d, pliant %s reads up to %d: use a newer one",
                         (int)format, pli_version(), PLI_RESULT_FORMAT);
}

pli_status pli_frame_epoch(const pli_frame_file* file, int* epoch) {
    const pli_vtu_array* array = pli_frame_find(file, PLI_FRAME_FIELDS, "PliantEpoch");
    int32_t number = 0;
    PLI_TRY(check_format(file));
    if (array) PLI_TRY(pli_frame_integers(file, array, 1, &number));
    if (number < 0) return PLI_SCAN_FAIL(&file->scan, "epoch %d, must be >= 0", (int)number);
    *epoch = number;
    return PLI_OK;
}

pli_status pli_frame_positions(const pli_frame_file* file, double* out) {
    const pli_vtu_array* points = pli_frame_find(file, PLI_FRAME_POINTS, "Points");
    int64_t count = 3 * (int64_t)file->point_count;
    if (!points || points->components != 3)
        return PLI_SCAN_FAIL(&file->scan, "the array \"Points\" is missing: not a frame of a run");
    PLI_TRY(pli_frame_reals(file, points, count, out));
    for (int64_t i = 0; i < count; ++i)
        if (!(fabs(out[i]) <= (double)FLT_MAX))
            return PLI_SCAN_FAIL(&file->scan,
                                 "position of vertex %lld is not finite in single precision",
                                 (long long)(i / 3));
    return PLI_OK;
}

static pli_status fill_frame(const pli_frame_file* file, pli_result_detail detail,
                             pli_result_frame* frame, pli_error* error) {
    const pli_vtu_array* time = pli_frame_find(file, PLI_FRAME_FIELDS, "TimeValue");
    if (!time)
        return PLI_SCAN_FAIL(&file->scan, "the time of the frame is missing: not a frame of a run");
    PLI_TRY(pli_frame_reals(file, time, 1, &frame->time));
    PLI_TRY(pli_frame_positions(file, frame->positions));
    int fields = 0;
    for (int i = 0; i < file->array_count && fields < PLI_RESULT_FIELDS; ++i) {
        if (!is_wanted(&file->arrays[i], detail)) continue;
        const pli_vtu_array* array = &file->arrays[i].array;
        PLI_TRY(place_field(frame, fields, array, error));
        PLI_TRY(pli_frame_reals(file, array, (int64_t)file->point_count * array->components,
                                frame->fields[fields].values));
        ++fields;
    }
    drop_fields(frame, fields);
    return PLI_OK;
}

// Allocates for the vertices of the result; reuses the previous frame if the count is the same.
static pli_status fit_frame(pli_result_frame* frame, const pli_result* result, pli_error* error) {
    int count = result->vertex_count + result->added_count;
    if (frame->memory && frame->vertex_count == count) return PLI_OK;
    pli_result_frame_free(frame);
    PLI_TRY(PLI_ALLOC(result->memory, frame->positions, 3 * (size_t)count, error));
    frame->memory = result->memory;
    frame->vertex_count = count;
    return PLI_OK;
}

static pli_status read_frame(const pli_result* result, const pli_frame_file* file,
                             pli_result_detail detail, pli_result_frame* frame, pli_error* error) {
    if (file->point_count != result->vertex_count)
        return PLI_SCAN_FAIL(&file->scan, "%d points, but the first frame of its epoch has %d",
                             file->point_count, result->vertex_count);
    PLI_TRY(fit_frame(frame, result, error));
    PLI_TRY(fill_frame(file, detail, frame, error));
    if (result->added_count > 0)
        memcpy(frame->positions + 3 * (size_t)result->vertex_count, result->added,
               3 * (size_t)result->added_count * sizeof *result->added);
    pli_result_move_grounds(result, frame);
    return PLI_OK;
}

pli_status pli_result_read(pli_result* result, int i, pli_result_detail detail,
                           pli_result_frame* frame, pli_error* error) {
    pli_frame_file file;
    pli_status status;
    int epoch = 0;
    PLI_TRY(pli_frame_open(&file, result->memory, result->folder, i, error));
    PLI_TRY_CLEANUP(status, pli_frame_epoch(&file, &epoch));
    if (epoch == result->epoch) {
        status = read_frame(result, &file, detail, frame, error);
        goto cleanup;
    }
    if (epoch >= pli_run_info_epoch_count(result->info)) // a run in progress
        PLI_TRY_CLEANUP(status, pli_run_info_read(result, error));
    pli_result next = *result;
    next.epoch = epoch;
    PLI_TRY_CLEANUP(status, pli_result_load(&next, &file, error));
    status = read_frame(&next, &file, detail, frame, error);
    pli_result_free_bodies(status == PLI_OK ? result : &next);
    if (status == PLI_OK) *result = next;
cleanup:
    pli_frame_close(&file);
    return status;
}
