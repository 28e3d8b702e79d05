// Obstacles: half-space, sphere, capsule, box, mesh. To add one: its rows and functions here, and
// an entry in `kinds`.
#include "scene/obstacle_kinds.h"

#include "base/text.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

#include "scene/contact_rules.h"
#include "scene/mesh_kinds.h"
#include "scene/section.h"

typedef struct obstacle_kind {
    pli_section section;
    // Findings beyond what the rows say. NULL: none.
    pli_status (*check)(pli_builder* b, const void* data, const pli_path* at, pli_error* error);
    // Makes the mesh. NULL: a half-space.
    pli_status (*mesh)(const void* data, int dim, pli_mesh* mesh, pli_error* error);
} obstacle_kind;

static const obstacle_kind* kind_at(int i);

static const pli_tagged* obstacle_at(const pli_scene_data* scene, int i) {
    return &((const pli_tagged*)scene->obstacles.items)[i];
}

// ---- half-spaces

static const pli_param carrier_rows[] = {
    PLI_TEXT(pli_half_space_data, def.name, "name", 0, "name in messages and results"),
    PLI_TEXT(pli_half_space_data, carrier, "carrier", 0,
             "name of a body: the surface passes through its first vertex and moves with it; point "
             "is ignored"),
};

static void half_space_init(void* data) {
    ((pli_half_space_data*)data)->def = pli_default_half_space_def();
}

const pli_half_space_data* pli_half_space_at(const pli_scene_data* scene, int i) {
    const pli_tagged* obstacle = obstacle_at(scene, i);
    const obstacle_kind* kind = kind_at(obstacle->variant);
    return kind && !kind->mesh ? obstacle->data : NULL;
}

int pli_half_space_carrier(const pli_half_space_data* half_space, const pli_builder* b) {
    for (int i = 0; half_space->carrier[0] && i < b->body_count; ++i)
        if (strcmp(b->names[i], half_space->carrier) == 0) return i;
    return -1;
}

static pli_status check_half_space(pli_builder* b, const void* data, const pli_path* at,
                                   pli_error* error) {
    const pli_half_space_data* d = data;
    char path[160];
    if (pli_norm(d->def.normal, 3) == 0) {
        pli_path key = pli_path_key(at, "normal");
        pli_path_text(&key, NULL, path, sizeof path);
        PLI_TRY(PLI_FIND(b->findings, &key, error, "%s is zero, must have a direction", path));
    }
    if (d->carrier[0] && pli_half_space_carrier(d, b) < 0) {
        pli_path key = pli_path_key(at, "carrier");
        char hint[PLI_HINT_SIZE];
        pli_nearest nearest = {.word = d->carrier};
        for (int i = 0; i < b->body_count; ++i) pli_nearest_try(&nearest, b->names[i]);
        pli_path_text(&key, NULL, path, sizeof path);
        PLI_TRY(PLI_FIND(b->findings, &key, error, "%s = \"%.60s\": there is no such body%s", path,
                         d->carrier, pli_nearest_hint(&nearest, hint)));
    }
    return PLI_OK;
}

// (x - point) . normal / |normal|
double pli_half_space_distance(const pli_half_space_data* d, const double* origin,
                               const double* x) {
    double r[3];
    pli_sub(x, origin ? origin : d->def.point, r, 3);
    return pli_dot(r, d->def.normal, 3) / pli_norm(d->def.normal, 3);
}

// ---- obstacles that become bodies

// One struct for all of them; each kind has rows for the fields that it uses.
typedef struct solid_data {
    const char *name, *contact_group;
    double friction, friction_static; // NaN: that of `contact`
    double center[3], from[3], to[3]; // [m]
    double radius;                    // [m]
    double size[3];                   // [m]
    pli_tagged mesh;                  // variant -1: it has none
    const char* contact;
    double thickness; // [m]
    pli_formulas map; // of x, y, z [m]
    const char* map_edges;
    double scale[3];
    double rotate[3];                 // axis times angle [degrees]
    double translate[3];              // [m]
    const pli_repeat_data* repeat;    // NULL: once
    const pli_prescribe_data* motion; // NULL: at rest
} solid_data;

static void solid_init(void* data) {
    solid_data* d = data;
    for (int c = 0; c < 3; ++c) d->scale[c] = 1;
    d->mesh.variant = -1;
}

static const pli_param solid_rows[] = {
    PLI_TEXT(solid_data, name, "name", 0, "name in messages and results"),
    PLI_TEXT(solid_data, contact_group, "contact_group", 0, "another name for contact rules"),
    PLI_NUMBER(solid_data, friction, "friction", "", 0, 100, NAN, 0,
               "kinetic friction coefficient; not given: contact.friction"),
    PLI_NUMBER(solid_data, friction_static, "friction_static", "", 0, 100, NAN, 0,
               "static friction coefficient; 0: the kinetic one; not given: "
               "contact.friction_static, or the kinetic one if friction is given"),
};

#define SOLID_PARTS                                                                                \
    PLI_MAYBE_OBJECT(solid_data, repeat, "repeat", &pli_repeat_section, "an array of copies"),     \
        PLI_MAYBE_OBJECT(solid_data, motion, "motion", &pli_motion_section,                        \
                         "motion; not given: at rest")

#define RADIUS_ROW                                                                                 \
    PLI_NUMBER(solid_data, radius, "radius", "m", 0, 1e9, 0,                                       \
               PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN, "radius")

static const pli_param sphere_rows[] = {
    PLI_VECTOR(solid_data, center, "center", "m", PLI_PARAM_REQUIRED, "centre"),
    RADIUS_ROW,
};

static const pli_param capsule_rows[] = {
    PLI_VECTOR(solid_data, from, "from", "m", PLI_PARAM_REQUIRED, "centre of one end"),
    PLI_VECTOR(solid_data, to, "to", "m", PLI_PARAM_REQUIRED, "centre of the other end"),
    RADIUS_ROW,
};

static const pli_param box_rows[] = {
    PLI_VECTOR(solid_data, center, "center", "m", PLI_PARAM_REQUIRED, "centre"),
};

#define ROTATE_PART                                                                                \
    PLI_ONE_TURN(solid_data, rotate, "rotate", "degrees",                                          \
                 "rotation, counter-clockwise; [x, y, z]: about this axis, by its length")

static const pli_part round_parts[] = {SOLID_PARTS};

static const pli_part box_parts[] = {
    PLI_PART(PLI_NUMBER(solid_data, size, "size", "m", 0, 1e9, 0,
                        PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN, "length along each axis"),
             PLI_VALUES, 0, 0, 0, NULL),
    ROTATE_PART,
    SOLID_PARTS,
};

PLI_CHOICE(contact_name, "surface", "edges", "points")
static const char* contact_help(int i) {
    static const char* const texts[] = {"the whole surface", "edges only", "vertices only"};
    return contact_name(i) ? texts[i] : NULL;
}

static const pli_param mesh_rows[] = {
    {.name = "contact",
     .type = PLI_PARAM_CHOICE,
     .offset = offsetof(solid_data, contact),
     .unit = "",
     .choice = contact_name,
     .choice_help = contact_help,
     .help = "part that bodies touch"},
    PLI_NUMBER(solid_data, thickness, "thickness", "m", 0, 1e9, 0, 0,
               "distance of its surface from its points, segments and triangles"),
    PLI_MAP_EDGES(solid_data),
    PLI_VECTOR_OF(solid_data, scale, "scale", "", -1e6, 1e6, 1,
                  "scale factors of the shape, not 0"),
    PLI_VECTOR(solid_data, translate, "translate", "m", 0, "translation after scale and rotate"),
};

static const pli_part mesh_parts[] = {
    PLI_ONE_OBJECT(solid_data, mesh, "mesh", &pli_mesh_section, PLI_PARAM_REQUIRED,
                   "shape; open surfaces, segments and points are allowed"),
    PLI_VECTOR_OF_FORMULAS(solid_data, map, "map", "m", PLI_OF_PLACE, 0, PLI_MAP_HELP),
    ROTATE_PART,
    SOLID_PARTS,
};

// ---- their meshes

static pli_status make_sphere(const void* data, int dim, pli_mesh* mesh, pli_error* error) {
    (void)dim;
    return pli_mesh_add_vertices(mesh, 1, ((const solid_data*)data)->center, NULL, error);
}

static pli_status make_capsule(const void* data, int dim, pli_mesh* mesh, pli_error* error) {
    const solid_data* d = data;
    (void)dim;
    return pli_mesh_add_line(mesh, d->from, d->to, 1, error);
}

static pli_status check_capsule(pli_builder* b, const void* data, const pli_path* at,
                                pli_error* error) {
    const solid_data* d = data;
    double r[3];
    pli_sub(d->from, d->to, r, 3);
    if (pli_norm(r, 3) > 0) return PLI_OK;
    return PLI_FIND(b->findings, PLI_KEY(at, "to"), error, "to is the same as from: use a sphere");
}

// One cell: 8 corners and 12 triangles, in 2D 4 sides.
static pli_status make_box(const void* data, int dim, pli_mesh* mesh, pli_error* error) {
    const solid_data* d = data;
    static const int cells[3] = {1, 1, 1};
    if (dim == 2)
        return pli_mesh_add_rectangle(mesh, d->size[0], d->size[1], 1, 1, PLI_TRIANGLES, error);
    return pli_mesh_add_box(mesh, d->size, cells, error);
}

static pli_status make_mesh(const void* data, int dim, pli_mesh* mesh, pli_error* error) {
    const char* contact = ((const solid_data*)data)->contact;
    (void)dim;
    if (strcmp(contact, "edges") == 0) return pli_mesh_keep_edges(mesh, error);
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT && strcmp(contact, "points") == 0; ++k)
        mesh->element_count[k] = 0;
    return PLI_OK;
}

// ---- as bodies

pli_status pli_obstacle_body(const pli_tagged* obstacle, int number, pli_arena* arena,
                             pli_body_data* body, pli_error* error) {
    const solid_data* d = obstacle->data;
    pli_section_init(&pli_body_section, body);
    body->def.name = d->name;
    body->def.obstacle = true;
    // Inner vertices of a solid have no elements left.
    if (d->contact && strcmp(d->contact, "edges") == 0) body->def.contact_vertices = "none";
    body->def.contact_thickness = d->radius > 0 ? d->radius : d->thickness;
    body->mesh = d->mesh;
    body->map = d->map;
    if (d->map_edges) body->map_edges = d->map_edges;
    body->repeat = d->repeat;
    memcpy(body->scale, d->scale, sizeof body->scale);
    memcpy(body->rotate, d->rotate, sizeof body->rotate);
    bool centered = d->size[0] > 0; // a box is placed by its centre
    memcpy(body->translate, centered ? d->center : d->translate, sizeof body->translate);
    char* tag;
    const char** tags;
    PLI_TRY(PLI_TAKE(arena, tag, 40, error));
    PLI_TRY(PLI_TAKE(arena, tags, 1, error));
    pli_format(tag, 40, "obstacles[%d]", number);
    tags[0] = tag;
    body->def.tags = tags;
    body->def.tag_count = 1;
    body->contact_group = d->contact_group;
    PLI_TRY(pli_add_body_tags(arena, number, body, error));
    if (!d->motion) return PLI_OK;
    pli_prescribe_data* motion;
    PLI_TRY(PLI_TAKE(arena, motion, 1, error));
    *motion = *d->motion;
    body->prescribe = (pli_list){1, motion};
    return PLI_OK;
}

double pli_obstacle_vertices(const pli_scene_data* scene, int i) {
    if (!pli_obstacle_is_body(scene, i)) return 0;
    const solid_data* d = obstacle_at(scene, i)->data;
    double copies = pli_copy_count(&(pli_body_data){.repeat = d->repeat});
    return copies * (d->mesh.variant >= 0 ? pli_mesh_expected_size(&d->mesh).vertices : 8);
}

bool pli_obstacle_rule(const pli_tagged* obstacle, const pli_body_data* body,
                       pli_contact_rule_def* rule) {
    const solid_data* d = obstacle->data;
    *rule = pli_default_contact_rule_def();
    rule->between[0] = body->def.tags[0];
    rule->between[1] = "";
    if (!isnan(d->friction)) rule->friction = d->friction;
    if (!isnan(d->friction_static)) rule->friction_static = d->friction_static;
    if (!isnan(d->friction) && isnan(d->friction_static)) rule->friction_static = 0;
    return !isnan(d->friction) || !isnan(d->friction_static);
}

// ---- the table

#define SOLID(name_, help_, rows, parts_)                                                          \
    .section = {.name = (name_),                                                                   \
                .help = (help_),                                                                   \
                .size = sizeof(solid_data),                                                        \
                PLI_SETS(PLI_OWN(solid_rows), PLI_OWN(rows)),                                      \
                PLI_PARTS(parts_),                                                                 \
                .init = solid_init}

static const obstacle_kind kinds[] = {
    {.section = {.name = "half-space",
                 .help = "a plane (2D: line); points x with (x - point) . normal >= 0 are free",
                 .size = sizeof(pli_half_space_data),
                 PLI_SETS(PLI_DEF(PLI_OBJECT_HALF_SPACE, offsetof(pli_half_space_data, def)),
                          PLI_OWN(carrier_rows)),
                 .init = half_space_init},
     .check = check_half_space},
    {SOLID("sphere", "a ball, in 2D a disk", sphere_rows, round_parts), .mesh = make_sphere},
    {SOLID("capsule", "all points within radius of a segment", capsule_rows, round_parts),
     .check = check_capsule, .mesh = make_capsule},
    {SOLID("box", "a box, in 2D a rectangle", box_rows, box_parts), .mesh = make_box},
    {SOLID("mesh", "a mesh that does not deform: closed or open, or segments, or points", mesh_rows,
           mesh_parts),
     .mesh = make_mesh},
};

static const obstacle_kind* kind_at(int i) {
    return i >= 0 && i < PLI_COUNT(kinds) ? &kinds[i] : NULL;
}

bool pli_obstacle_variant(const pli_catalog* catalog, int i, pli_section* out) {
    (void)catalog;
    if (kind_at(i)) *out = kinds[i].section;
    return kind_at(i) != NULL;
}

const char* pli_obstacle_type(const pli_tagged* obstacle) {
    return kinds[obstacle->variant].section.name;
}

bool pli_obstacle_is_body(const pli_scene_data* scene, int i) {
    const obstacle_kind* kind = kind_at(obstacle_at(scene, i)->variant);
    return kind && kind->mesh;
}

pli_status pli_obstacle_mesh(const pli_tagged* obstacle, int dim, pli_mesh* mesh,
                             pli_error* error) {
    return kinds[obstacle->variant].mesh(obstacle->data, dim, mesh, error);
}

pli_status pli_check_obstacle(pli_builder* b, int i, const pli_path* at, pli_error* error) {
    const pli_tagged* obstacle = obstacle_at(b->scene, i);
    const obstacle_kind* kind = kind_at(obstacle->variant);
    return kind && kind->check ? kind->check(b, obstacle->data, at, error) : PLI_OK;
}
