// Binary messages: a header of 32 bytes and arrays of 4-byte numbers, little endian like the
// machine.
#include "viewer/frame.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are sent as they are in memory");
_Static_assert(sizeof(float) == 4, "f32");

void pli_view_write_header(unsigned char* out, const pli_view_header* h) {
    uint32_t magic = PLI_VIEW_MAGIC;
    memcpy(out, &magic, 4);
    memcpy(out + 4, &h->kind, 2);
    memcpy(out + 6, &h->flags, 2);
    memcpy(out + 8, &h->sequence, 4);
    memcpy(out + 12, &h->step, 4);
    memcpy(out + 16, &h->time, 8);
    memcpy(out + 24, &h->count, 4);
    memcpy(out + 28, &h->extra, 4);
}

static pli_view_header header_of(const pli_view_frame* frame, uint16_t kind, uint32_t count) {
    return (pli_view_header){.kind = kind,
                             .sequence = frame->sequence,
                             .step = frame->step,
                             .time = frame->time,
                             .count = count};
}

// ---- frames

static bool fit_vertices(pli_view_frame* frame, int count) {
    if (frame->positions && frame->vertex_count == count) return true;
    free(frame->positions);
    for (int i = 0; i < PLI_VIEW_FIELDS; ++i) {
        free(frame->fields[i]);
        frame->fields[i] = NULL;
    }
    frame->vertex_count = count;
    frame->positions = malloc((3 * (size_t)count + 1) * sizeof *frame->positions);
    return frame->positions != NULL;
}

bool pli_view_frame_fit(pli_view_frame* frame, const pli_view_model* model, pli_view_want want) {
    if (!fit_vertices(frame, model->vertex_count)) return false;
    for (int i = 0; i < model->field_count; ++i) {
        size_t need = (size_t)model->vertex_count * (size_t)model->fields[i].components;
        if ((want.fields >> i & 1u) && !frame->fields[i])
            frame->fields[i] = malloc((need + 1) * sizeof **frame->fields);
    }
    return true;
}

float* pli_view_frame_contacts(pli_view_frame* frame, int count) {
    if (count > PLI_VIEW_CONTACTS) count = PLI_VIEW_CONTACTS;
    if (count > frame->contact_room || !frame->contacts) {
        float* more =
            realloc(frame->contacts, (PLI_VIEW_CONTACT_NUMBERS * (size_t)count + 1) * sizeof *more);
        if (!more) return NULL;
        frame->contacts = more;
        frame->contact_room = count;
    }
    frame->contact_count = count;
    return frame->contacts;
}

void pli_view_frame_place(pli_view_frame* frame, const double* positions) {
    for (size_t i = 0; i < 3 * (size_t)frame->vertex_count; ++i)
        frame->positions[i] = (float)positions[i];
}

// ---- moved vertices

void pli_view_track_free(pli_view_track* track) {
    free(track->last);
    free(track->changed);
    *track = (pli_view_track){0};
}

static bool fit_track(pli_view_track* track, int count) {
    if (track->last && track->vertex_count == count) return true;
    pli_view_track_free(track);
    track->last = calloc(3 * (size_t)count + 1, sizeof *track->last);
    track->changed = calloc((size_t)count + 1, sizeof *track->changed);
    track->vertex_count = count;
    if (track->last && track->changed) return true;
    pli_view_track_free(track);
    return false;
}

bool pli_view_track_note(pli_view_track* track, const pli_view_frame* frame) {
    if (!fit_track(track, frame->vertex_count)) return false;
    for (size_t v = 0; v < (size_t)frame->vertex_count; ++v)
        if (memcmp(track->last + 3 * v, frame->positions + 3 * v, 3 * sizeof *track->last) != 0)
            track->changed[v] = frame->sequence;
    memcpy(track->last, frame->positions, 3 * (size_t)frame->vertex_count * sizeof *track->last);
    return true;
}

// ---- messages

size_t pli_view_positions_size(const pli_view_frame* frame) {
    return PLI_VIEW_HEADER + 12 * (size_t)frame->vertex_count;
}

size_t pli_view_field_size(const pli_view_frame* frame, int components) {
    return PLI_VIEW_HEADER + 4 * (size_t)components * (size_t)frame->vertex_count;
}

size_t pli_view_contacts_size(const pli_view_frame* frame) {
    return PLI_VIEW_HEADER + 4 * PLI_VIEW_CONTACT_NUMBERS * (size_t)frame->contact_count;
}

// Whether this vertex has moved since the sequence `base`. Sequence numbers wrap around.
static bool is_newer(uint32_t sequence, uint32_t base) { return (int32_t)(sequence - base) > 0; }

size_t pli_view_write_positions(const pli_view_frame* frame, const pli_view_track* track,
                                uint32_t base, unsigned char* out) {
    size_t count = (size_t)frame->vertex_count, moved = 0;
    bool known = base != 0 && track->vertex_count == frame->vertex_count;
    for (size_t v = 0; known && v < count; ++v) moved += is_newer(track->changed[v], base);
    bool partial = known && 2 * moved < count;
    pli_view_header header =
        header_of(frame, PLI_VIEW_POSITIONS, (uint32_t)(partial ? moved : count));
    if (partial) header.flags = PLI_VIEW_PARTIAL;
    pli_view_write_header(out, &header);
    out += PLI_VIEW_HEADER;
    if (!partial) {
        memcpy(out, frame->positions, 12 * count);
        return PLI_VIEW_HEADER + 12 * count;
    }
    unsigned char* places = out + 4 * moved;
    for (uint32_t v = 0; v < count; ++v) {
        if (!is_newer(track->changed[v], base)) continue;
        memcpy(out, &v, 4);
        memcpy(places, frame->positions + 3 * (size_t)v, 12);
        out += 4;
        places += 12;
    }
    return PLI_VIEW_HEADER + 16 * moved;
}

size_t pli_view_write_field(const pli_view_frame* frame, int field, int components,
                            unsigned char* out) {
    pli_view_header header = header_of(frame, PLI_VIEW_FIELD, (uint32_t)frame->vertex_count);
    size_t size = 4 * (size_t)components * (size_t)frame->vertex_count;
    header.extra = (uint32_t)field;
    pli_view_write_header(out, &header);
    memcpy(out + PLI_VIEW_HEADER, frame->fields[field], size);
    return PLI_VIEW_HEADER + size;
}

size_t pli_view_write_contacts(const pli_view_frame* frame, unsigned char* out) {
    pli_view_header header = header_of(frame, PLI_VIEW_CONTACT, (uint32_t)frame->contact_count);
    size_t size = 4 * PLI_VIEW_CONTACT_NUMBERS * (size_t)frame->contact_count;
    pli_view_write_header(out, &header);
    if (size > 0) memcpy(out + PLI_VIEW_HEADER, frame->contacts, size);
    return PLI_VIEW_HEADER + size;
}

size_t pli_view_write_where(const pli_view_where* where, unsigned char* out) {
    size_t size = 4 * (size_t)where->vertex_count;
    pli_view_write_header(
        out, &(pli_view_header){.kind = PLI_VIEW_WHERE, .count = (uint32_t)where->vertex_count});
    memcpy(out + PLI_VIEW_HEADER, where->vertices, size);
    return PLI_VIEW_HEADER + size;
}
