// Imports: scenes from the formats of other programs.
#ifndef PLIANT_IMPORT_H
#define PLIANT_IMPORT_H

#include "pliant/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// What was found while reading: an error, or something that the scene does not have.
typedef struct pli_import_note {
    bool error;
    int line;            // in the file, from 1; 0: none
    const char* message; // names the object, what is wrong and what to do
} pli_import_note;
typedef void pli_import_note_fn(void* context, const pli_import_note* note);

// A joint that does not begin at 0.
typedef struct pli_import_pose {
    const char* joint;
    double value; // [rad] or [m]
} pli_import_pose;

typedef struct pli_import_def {
    size_t size;      // set by pli_default_import_def()
    const char* path; // the robot, a URDF file
    const char* out;  // the scene that will be written: meshes are named relative to its folder;
                      // NULL: by absolute paths. Nothing is written there
    bool fixed;       // the base is fixed to the world
    bool limp;        // no motors: joints move freely
    const pli_import_pose* poses;
    int pose_count;
    pli_import_note_fn* note; // NULL: none
    void* context;
    const pli_allocator* allocator; // NULL: malloc
} pli_import_def;

typedef struct pli_import_info {
    int link_count, joint_count; // of the file
    int body_count;              // of the scene: links joined by fixed joints are one body
    int error_count, note_count; // that were reported
} pli_import_info;

PLI_API void pli_import_def_init(pli_import_def* def);
PLI_DEFAULT_DEF(import)

// Reads a robot and returns the text of a scene, JSON, to be freed by pli_import_free. All errors
// of the file are reported before it fails with PLI_E_SCENE. `info` may be NULL.
PLI_API pli_status pli_import_robot(const pli_import_def* def, char** scene, pli_import_info* info,
                                    pli_error* error);
PLI_API void pli_import_free(char* scene, const pli_allocator* allocator); // that of the def

#ifdef __cplusplus
}
#endif

#endif
