// pli_import_robot: the steps one after the other. See robot.h.
#include "base/def.h"
#include "base/file.h"
#include "import/robot.h"

#include <math.h>

enum { FILE_LIMIT = 64 << 20 }; // [bytes]

void pli_import_def_init(pli_import_def* out) {
    const pli_import_def def = {0};
    PLI_GIVE_DEF(def, out);
}

static pli_status check_errors(const pli_robot* robot, pli_error* error) {
    int count = robot->info.error_count;
    if (count == 0) return PLI_OK;
    return pli_fail(error, PLI_E_SCENE, "%.300s has %d error%s", robot->def->path, count,
                    count == 1 ? "" : "s");
}

static pli_status import(pli_robot* robot, const char* text, size_t size, char** scene,
                         pli_error* error) {
    PLI_TRY(pli_urdf_read(robot, text, size, error));
    PLI_TRY(pli_robot_check(robot, error));
    PLI_TRY(pli_robot_find_meshes(robot, error));
    PLI_TRY(check_errors(robot, error));
    char* written = NULL;
    PLI_TRY(pli_robot_write(robot, &written, error));
    pli_status status = check_errors(robot, error);
    if (status == PLI_OK)
        *scene = written;
    else
        pli_free_text(robot->memory, &written);
    return status;
}

pli_status pli_import_robot(const pli_import_def* given, char** scene, pli_import_info* info,
                            pli_error* error) {
    pli_import_def def;
    PLI_TRY(PLI_TAKE_DEF(import, given, &def, error));
    if (!def.path || !scene)
        return pli_fail(error, PLI_E_ARGUMENT, "%s is NULL", scene ? "path" : "scene");
    for (int i = 0; i < def.pose_count; ++i)
        if (!def.poses || !def.poses[i].joint || !isfinite(def.poses[i].value))
            return pli_fail(error, PLI_E_ARGUMENT, "pose %d: a joint and a finite value are needed",
                            i);
    pli_memory memory;
    pli_memory_init(&memory, def.allocator);
    pli_robot robot = {.memory = &memory, .def = &def};
    char* text;
    size_t size;
    PLI_TRY(pli_read_file(&memory, def.path, FILE_LIMIT, &text, &size, error));
    pli_status status = import(&robot, text, size - 1, scene, error);
    robot.info.link_count = robot.link_count;
    robot.info.joint_count = robot.joint_count;
    if (info) *info = robot.info;
    pli_robot_free(&robot);
    PLI_FREE(&memory, text, size);
    return status;
}

void pli_import_free(char* scene, const pli_allocator* allocator) {
    pli_memory memory;
    pli_memory_init(&memory, allocator);
    pli_free_text(&memory, &scene);
}
