// Lists of all words that the library knows, for bindings, editors and menus: energies, schemes,
// solvers, mesh shapes, materials, ... Nothing about them has to be repeated in another program.
//
// Parameters of a def are listed by pli_object_params (param.h), those of an entry by pli_list_param.
#ifndef PLIANT_LIST_H
#define PLIANT_LIST_H

#include "pliant/base.h"
#include "pliant/param.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pli_list_kind {
    PLI_LIST_ENERGIES,        // built-in energies, in the order of pli_energy_type_at
    PLI_LIST_SCHEMES,         // pli_world_def.scheme, in the order of pli_scheme_name
    PLI_LIST_METHODS,         // pli_solver_def.method: minimizers
    PLI_LIST_LINE_SEARCHES,   // pli_solver_def.line_search
    PLI_LIST_LINEAR_SOLVERS,  // pli_solver_def.linear, those in this build
    PLI_LIST_PRECONDITIONERS, // pli_solver_def.preconditioner
    PLI_LIST_BARRIERS,        // pli_contact_def.barrier
    PLI_LIST_MASSES,          // pli_body_def.mass
    PLI_LIST_KINEMATICS,      // pli_body_def.kinematics
    PLI_LIST_LOADS,           // pli_load_def.kind
    PLI_LIST_MESHES,          // "type" of a mesh in a scene
    PLI_LIST_OBSTACLES,       // "type" of an obstacle in a scene
    PLI_LIST_MATERIALS,       // "material" of a body in a scene
    PLI_LIST_FRAME_FIELDS,    // arrays of frames, in the order of pli_frame_field
    PLI_LIST_EXPORT_FORMATS,  // pli_export_def.format
    PLI_LIST_KIND_COUNT,
} pli_list_kind;

// "energies", "schemes", ...; NULL: no such list.
PLI_API const char* pli_list_title(pli_list_kind list);
PLI_API int pli_list_count(pli_list_kind list);
// The i-th word and its meaning, in one phrase. NULL: no such entry.
PLI_API const char* pli_list_name(pli_list_kind list, int i);
PLI_API const char* pli_list_help(pli_list_kind list, int i);
// The parameters of entry i: of an energy, or the scene keys of a mesh or an obstacle. NULL after
// the last; other entries have none. (`offset` is not used here.)
PLI_API const pli_param* pli_list_param(pli_list_kind list, int i, int param);

// The constants of entry i of PLI_LIST_MATERIALS: "density" [kg/m^3] for pli_body_def, "young" [Pa] and
// "poisson" for pli_world_add_energy. Typical values, not data for design. NULL: no such material.
PLI_API const pli_setting* pli_material_settings(int i, int* count);

#ifdef __cplusplus
}
#endif

#endif
