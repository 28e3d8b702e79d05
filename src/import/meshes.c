// Where the mesh files of a robot are: "package://NAME/REST" is looked for in the folders above the
// robot's file, other paths are relative to it. The scene names them relative to its own folder.
#define _XOPEN_SOURCE 700 // realpath
#include "import/robot.h"
#include "pliant/mesh.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 4096 };

typedef char path_text[ROOM];

// The absolute folder of a file that may not exist yet; "" if there is none.
static void folder_of(const char* path, path_text out) {
    const char* slash = strrchr(path, '/');
    path_text folder;
    pli_format(folder, ROOM, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    char* real = realpath(folder, NULL);
    pli_format(out, ROOM, "%s", real ? real : "");
    free(real);
}

static bool try_path(path_text out, const char* folder, const char* slash, const char* rest) {
    return pli_format(out, ROOM, "%s%s%s", folder, slash, rest) < ROOM && access(out, R_OK) == 0;
}

// FOLDER/NAME/REST, or FOLDER/REST, for each folder from that of the robot up.
static bool find_in_package(const char* start, const char* name, path_text out) {
    const char* rest = strchr(name, '/');
    path_text folder;
    pli_format(folder, ROOM, "%s", start);
    for (char* end; rest && (end = strrchr(folder, '/')); *end = '\0')
        if (try_path(out, folder, "/", name) || try_path(out, folder, "", rest)) return true;
    return false;
}

static bool find_file(const char* folder, const char* path, path_text out) {
    static const char package[] = "package://", file[] = "file://";
    if (strncmp(path, package, sizeof package - 1) == 0)
        return find_in_package(folder, path + sizeof package - 1, out);
    if (strncmp(path, file, sizeof file - 1) == 0) path += sizeof file - 1;
    return try_path(out, path[0] == '/' ? "" : folder, path[0] == '/' ? "" : "/", path);
}

// The path from one absolute folder to a file.
static void make_relative(const char* folder, const char* file, path_text out) {
    size_t common = 0, used = 0;
    for (size_t i = 0;; ++i) {
        bool ends = (folder[i] == '/' || !folder[i]) && file[i] == '/';
        if (ends) common = i;
        if (!folder[i] || folder[i] != file[i]) break;
    }
    out[0] = '\0';
    for (size_t i = common; folder[i] && used + 4 < ROOM; ++i)
        if (folder[i] == '/' && folder[i + 1])
            used += (size_t)pli_format(out + used, ROOM - used, "../");
    pli_format(out + used, ROOM - used, "%s", file + common + 1);
}

// Replaces the path of the shape by one that the scene can use.
static pli_status use_file(pli_robot* robot, pli_robot_shape* shape, const char* found,
                           const char* from, pli_error* error) {
    path_text text;
    char* real = realpath(found, NULL);
    pli_format(text, ROOM, "%s", real ? real : found);
    if (real && robot->def->out) make_relative(from, real, text);
    free(real);
    pli_free_text(robot->memory, &shape->path);
    return pli_copy_text(robot->memory, text, &shape->path, error);
}

static bool has_collision(const pli_robot* robot, int link) {
    for (int i = 0; i < robot->shape_count; ++i)
        if (robot->shapes[i].link == link && !robot->shapes[i].visual) return true;
    return false;
}

pli_status pli_robot_find_meshes(pli_robot* robot, pli_error* error) {
    path_text here, there, found;
    folder_of(robot->def->path, here);
    folder_of(robot->def->out ? robot->def->out : "", there);
    for (int i = 0; i < robot->shape_count; ++i) {
        pli_robot_shape* shape = &robot->shapes[i];
        const char* link = robot->links[shape->link].name;
        if (shape->visual && has_collision(robot, shape->link)) shape->kind = PLI_ROBOT_NOTHING;
        if (shape->kind != PLI_ROBOT_MESH || !shape->path) continue;
        if (!find_file(here, shape->path, found))
            pli_robot_error(robot, shape->line, "link \"%.60s\": the mesh %.300s does not exist",
                            link, shape->path);
        else if (!pli_mesh_is_file(found))
            pli_robot_error(
                robot, shape->line,
                "link \"%.60s\": the mesh %.300s is of a kind that is not read: convert "
                "it to .stl or .obj",
                link, shape->path);
        else
            PLI_TRY(use_file(robot, shape, found, there, error));
    }
    return PLI_OK;
}
