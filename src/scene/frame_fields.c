// Names of the arrays that frames may hold. In a file of its own, because writers and readers of
// frames need them without a world.
#include "pliant/scene.h"

static const char* const names[PLI_FRAME_FIELD_COUNT] = {
    [PLI_FRAME_VELOCITY] = "velocity",
    [PLI_FRAME_DISPLACEMENT] = "displacement",
    [PLI_FRAME_REACTION] = "reaction",
    [PLI_FRAME_CONTACT_FORCE] = "contact_force",
    [PLI_FRAME_FRICTION_FORCE] = "friction_force",
    [PLI_FRAME_MASS] = "mass",
    [PLI_FRAME_ENERGY] = "energy",
    [PLI_FRAME_ENERGY_DENSITY] = "energy_density",
    [PLI_FRAME_STRETCHES] = "principal_stretches",
    [PLI_FRAME_STRESS] = "stress",
    [PLI_FRAME_VON_MISES] = "von_mises",
};

const char* pli_frame_field_name(int i) {
    return i >= 0 && i < PLI_FRAME_FIELD_COUNT ? names[i] : NULL;
}
