// run.pvd: a VTK collection, one line per file.
#include "result/pvd.h"
#include "base/file.h"

#include <string.h>

const char* pli_frame_name(int frame, char name[PLI_FRAME_NAME_SIZE]) {
    pli_format(name, PLI_FRAME_NAME_SIZE, "frame_%06d.vtu", frame);
    return name;
}

const char* pli_contacts_name(int frame, char name[PLI_FRAME_NAME_SIZE]) {
    pli_format(name, PLI_FRAME_NAME_SIZE, "contacts_%06d.vtu", frame);
    return name;
}

static void add_text(pli_pack* out, const char* text) { pli_pack_bytes(out, text, strlen(text)); }

static void add_part(pli_pack* out, const char* time, int part, const char* name) {
    add_text(out, "<DataSet timestep=\"");
    add_text(out, time);
    add_text(out, part == 0 ? "\" part=\"0\" file=\"" : "\" part=\"1\" file=\"");
    add_text(out, name);
    add_text(out, "\"/>\n");
}

void pli_pvd_init(pli_pvd* pvd, pli_memory* memory) {
    pli_pack_init(&pvd->lines, memory);
    pvd->count = 0;
}

void pli_pvd_free(pli_pvd* pvd) {
    if (pvd->lines.memory) pli_pack_free(&pvd->lines);
    *pvd = (pli_pvd){0};
}

void pli_pvd_forget(pli_pvd* pvd) {
    pvd->count = 0;
    pvd->lines.size = 0;
    pvd->lines.status = PLI_OK;
}

static pli_status add_lines(pli_pvd* pvd, const double* times, int count, const bool* contacts,
                            pli_error* error) {
    for (int i = pvd->count; i < count; ++i) {
        char time[PLI_NUMBER_SIZE], name[PLI_FRAME_NAME_SIZE];
        pli_format_double(times[i], time);
        add_part(&pvd->lines, time, 0, pli_frame_name(i, name));
        if (contacts && contacts[i]) add_part(&pvd->lines, time, 1, pli_contacts_name(i, name));
    }
    pvd->count = count;
    pli_status status = pli_pack_end(&pvd->lines, error);
    if (status != PLI_OK) pli_pvd_forget(pvd);
    return status;
}

pli_status pli_pvd_pack(pli_pvd* pvd, const double* times, int count, const bool* contacts,
                        pli_pack* out, pli_error* error) {
    if (count < pvd->count) pli_pvd_forget(pvd);
    PLI_TRY(add_lines(pvd, times, count, contacts, error));
    out->size = 0;
    out->status = PLI_OK;
    add_text(out, "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
    pli_pack_bytes(out, pvd->lines.bytes, pvd->lines.size);
    add_text(out, "</Collection>\n</VTKFile>\n");
    return pli_pack_end(out, error);
}

pli_status pli_pvd_write(const double* times, int count, const bool* contacts, const char* folder,
                         pli_memory* memory, pli_error* error) {
    pli_pack bytes;
    pli_pvd pvd;
    pli_file file;
    pli_pack_init(&bytes, memory);
    pli_pvd_init(&pvd, memory);
    pli_status status = pli_pvd_pack(&pvd, times, count, contacts, &bytes, error);
    pli_pvd_free(&pvd);
    if (status == PLI_OK) status = pli_file_create(&file, folder, PLI_PVD_NAME, error);
    if (status == PLI_OK) {
        pli_file_write(&file, bytes.bytes, bytes.size);
        status = pli_file_commit(&file, error);
    }
    pli_pack_free(&bytes);
    return status;
}
