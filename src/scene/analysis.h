// The key "analysis": what static and quasi-static runs mean for time.
#ifndef PLI_SCENE_ANALYSIS_H
#define PLI_SCENE_ANALYSIS_H

#include <jansson.h>

#include "scene/findings.h"
#include "scene/tables.h"

// Words of the key, the first is the default, and what they mean.
const char* pli_analysis_name(int i);
const char* pli_analysis_help(int i);

// Sets scheme, steps and step size of a scene that was read from `root`; keys of time that
// contradict become findings. Fails only without memory.
pli_status pli_apply_analysis(const json_t* root, pli_scene_data* data, pli_findings* findings,
                              pli_error* error);

#endif
