// Names of the arrays that frames may hold. In a file of its own, because writers and readers of
// frames need them without a world.
#include "scene/frame_fields.h"

static const struct {
    const char *name, *help;
} fields[PLI_FRAME_FIELD_COUNT] = {
    [PLI_FRAME_VELOCITY] = {"velocity", "of each vertex [m/s]"},
    [PLI_FRAME_DISPLACEMENT] = {"displacement", "of each vertex from its rest position [m]"},
    [PLI_FRAME_REACTION] = {"reaction", "force of supports on each vertex [N]"},
    [PLI_FRAME_CONTACT_FORCE] = {"contact_force", "on each vertex, without friction [N]"},
    [PLI_FRAME_FRICTION_FORCE] = {"friction_force", "on each vertex [N]"},
    [PLI_FRAME_MASS] = {"mass", "of each vertex [kg]"},
    [PLI_FRAME_ENERGY] = {"energy", "of each element [J]"},
    [PLI_FRAME_ENERGY_DENSITY] = {"energy_density", "of each element, per rest volume [J/m^3]"},
    [PLI_FRAME_STRETCHES] = {"principal_stretches", "of each element, the largest first"},
    [PLI_FRAME_STRESS] = {"stress", "Cauchy stress of each element: xx yy zz yz zx xy [Pa]"},
    [PLI_FRAME_VON_MISES] = {"von_mises", "von Mises stress of each element [Pa]"},
    [PLI_FRAME_STRETCH] = {"stretch", "largest principal stretch of each element"},
    [PLI_FRAME_SIZE_RATIO] = {"size_ratio",
                              "length, area or volume of each element relative to rest"},
    [PLI_FRAME_ENERGY_FIELDS] = {"energy_fields",
                                 "all that the energies show, at each vertex: angle of folds ..."},
};

const char* pli_frame_field_name(int i) {
    return i >= 0 && i < PLI_FRAME_FIELD_COUNT ? fields[i].name : NULL;
}

const char* pli_frame_field_help(int i) {
    return i >= 0 && i < PLI_FRAME_FIELD_COUNT ? fields[i].help : NULL;
}
