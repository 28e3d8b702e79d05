// run.pvd: a VTK collection, one line per file.
#include "io/pvd.h"
#include "io/file.h"

const char* pli_frame_name(int frame, char name[PLI_FRAME_NAME_SIZE]) {
    pli_format(name, PLI_FRAME_NAME_SIZE, "frame_%06d.vtu", frame);
    return name;
}

const char* pli_contacts_name(int frame, char name[PLI_FRAME_NAME_SIZE]) {
    pli_format(name, PLI_FRAME_NAME_SIZE, "contacts_%06d.vtu", frame);
    return name;
}

static void write_part(pli_file* file, double time, int part, const char* name) {
    pli_file_text(file, "<DataSet timestep=\"");
    pli_file_number(file, time);
    PLI_FILE_PRINT(file, "\" part=\"%d\" file=\"%s\"/>\n", part, name);
}

pli_status pli_pvd_write(const double* times, int count, const bool* contacts, const char* folder,
                         pli_error* error) {
    pli_file file;
    PLI_TRY(pli_file_create(&file, folder, "run.pvd", error));
    pli_file_text(&file, "<?xml version=\"1.0\"?>\n"
                         "<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
    for (int i = 0; i < count; ++i) {
        char name[PLI_FRAME_NAME_SIZE];
        write_part(&file, times[i], 0, pli_frame_name(i, name));
        if (contacts && contacts[i]) write_part(&file, times[i], 1, pli_contacts_name(i, name));
    }
    pli_file_text(&file, "</Collection>\n</VTKFile>\n");
    return pli_file_commit(&file, error);
}
