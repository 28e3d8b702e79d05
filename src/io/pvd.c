// run.pvd: a VTK collection, one line per file.
#include "io/pvd.h"
#include "io/file.h"

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

static void add_part(pli_pack* out, double time, int part, const char* name) {
    char number[PLI_NUMBER_SIZE], line[PLI_NUMBER_SIZE + PLI_FRAME_NAME_SIZE + 64];
    pli_format(line, sizeof line, "<DataSet timestep=\"%s\" part=\"%d\" file=\"%s\"/>\n",
               pli_format_double(time, number), part, name);
    add_text(out, line);
}

pli_status pli_pvd_pack(const double* times, int count, const bool* contacts, pli_pack* out,
                        pli_error* error) {
    out->size = 0;
    out->status = PLI_OK;
    add_text(out, "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
    for (int i = 0; i < count; ++i) {
        char name[PLI_FRAME_NAME_SIZE];
        add_part(out, times[i], 0, pli_frame_name(i, name));
        if (contacts && contacts[i]) add_part(out, times[i], 1, pli_contacts_name(i, name));
    }
    add_text(out, "</Collection>\n</VTKFile>\n");
    return pli_pack_end(out, error);
}

pli_status pli_pvd_write(const double* times, int count, const bool* contacts, const char* folder,
                         pli_memory* memory, pli_error* error) {
    pli_pack bytes;
    pli_file file;
    pli_pack_init(&bytes, memory);
    pli_status status = pli_pvd_pack(times, count, contacts, &bytes, error);
    if (status == PLI_OK) status = pli_file_create(&file, folder, PLI_PVD_NAME, error);
    if (status == PLI_OK) {
        pli_file_write(&file, bytes.bytes, bytes.size);
        status = pli_file_commit(&file, error);
    }
    pli_pack_free(&bytes);
    return status;
}
