// The shapes of bodies: mesh, placement, state at t = 0, copies.
#include "scene/shape.h"

#include "base/text.h"
#include "math/vec.h"
#include "scene/contact_rules.h"
#include "scene/mesh_kinds.h"
#include "scene/motion.h"
#include "scene/obstacle_kinds.h"
#include "scene/pattern.h"
#include "scene/strands.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// ---- the state at t = 0

const char* pli_start_key(const pli_body_data* data) {
    if (data->scramble > 0) return "scramble";
    return data->initial.given ? "initial" : "stretch";
}

// x = centre + stretch (x_rest - centre), or the expressions of `initial`.
static void place_at_start(const pli_shape* shape, const double centre[3], int dim) {
    const pli_body_data* d = shape->data;
    for (int v = 0; v < shape->mesh.vertex_count; ++v) {
        const double* rest = &shape->mesh.positions[3 * v];
        double* x = &shape->initial[3 * v];
        for (int c = 0; c < 3; ++c)
            x[c] = d->stretch[c] == 1 ? rest[c] : centre[c] + d->stretch[c] * (rest[c] - centre[c]);
        if (!d->initial.given) continue;
        double given[3];
        pli_formulas_value(&d->initial, 0, rest, given);
        pli_copy(given, x, dim);
    }
}

// Uniform in [-1, 1], a function of the number only [Steele14].
static double random_of(uint64_t number) {
    uint64_t z = (number + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) / 4503599627370496.0 - 1; // 53 bits over 2^52
}

static void mark(const pli_chosen* chosen, bool* marks) {
    for (int i = 0; i < chosen->count; ++i)
        marks[chosen->vertices ? chosen->vertices[i] : i] = true;
}

static pli_status scramble(pli_builder* b, const pli_shape* shape, pli_error* error) {
    const pli_body_data* d = shape->data;
    bool* held;
    PLI_TRY(PLI_TAKE(b->arena, held, shape->mesh.vertex_count, error));
    for (int i = 0; i < d->fix.count; ++i) mark(&shape->fix[i], held);
    for (int i = 0; i < d->prescribe.count; ++i) mark(&shape->prescribe[i], held);
    for (int v = 0; v < shape->mesh.vertex_count; ++v)
        for (int c = 0; !held[v] && c < b->scene->world.dimension; ++c)
            shape->initial[3 * v + c] += d->scramble * random_of(3 * (uint64_t)v + (uint64_t)c);
    return PLI_OK;
}

static void find_centre(int vertex_count, const double* x, double centre[3]) {
    double low[3], high[3];
    pli_bounding_box(vertex_count, x, low, high);
    for (int c = 0; c < 3; ++c) centre[c] = 0.5 * (low[c] + high[c]);
}

// v = velocity(x_rest) + spin x (x - centre), with x at t = 0: with x at rest, a deformed body
// would be sheared instead of rotated.
static void set_velocities(const pli_shape* shape) {
    const pli_body_data* d = shape->data;
    double centre[3];
    find_centre(shape->mesh.vertex_count, shape->initial, centre);
    for (int v = 0; v < shape->mesh.vertex_count; ++v) {
        double r[3], turning[3], given[3];
        pli_sub(&shape->initial[3 * v], centre, r, 3);
        pli_cross3(d->spin, r, turning);
        pli_formulas_value(&d->velocity, 0, &shape->mesh.positions[3 * v], given);
        for (int c = 0; c < 3; ++c) shape->velocities[3 * v + c] = given[c] + turning[c];
    }
}

static pli_status check_keys(pli_builder* b, const pli_shape* shape, const pli_path* at,
                             pli_error* error) {
    const pli_body_data* d = shape->data;
    const pli_chosen all = {shape->mesh.vertex_count, NULL};
    const double* x = shape->mesh.positions;
    pli_path initial = pli_path_key(at, "initial");
    bool stretched = false;
    for (int c = 0; c < 3; ++c) stretched |= d->stretch[c] != 1;
    if (stretched && d->initial.given)
        PLI_TRY(
            PLI_FIND(b->findings, &initial, error, "initial and stretch are both given: omit one"));
    PLI_TRY(pli_formulas_check(b, &d->initial, false, &all, x, &initial, error));
    return pli_formulas_check(b, &d->velocity, false, &all, x, PLI_KEY(at, "velocity"), error);
}

pli_status pli_set_start(pli_builder* b, pli_shape* shape, const pli_path* at, pli_error* error) {
    PLI_TRY(PLI_TAKE(b->arena, shape->initial, 3 * shape->mesh.vertex_count, error));
    PLI_TRY(PLI_TAKE(b->arena, shape->velocities, 3 * shape->mesh.vertex_count, error));
    double centre[3];
    find_centre(shape->mesh.vertex_count, shape->mesh.positions, centre);
    PLI_TRY(check_keys(b, shape, at, error));
    place_at_start(shape, centre, b->scene->world.dimension);
    set_velocities(shape);
    return shape->data->scramble > 0 ? scramble(b, shape, error) : PLI_OK;
}

pli_path pli_body_path(const pli_builder* builder, int i, pli_path* list) {
    const pli_shape* shape = &builder->bodies[i];
    *list = pli_path_key(NULL, shape->obstacle ? "obstacles" : "bodies");
    pli_path path = pli_path_index(list, shape->body);
    path.label = shape->obstacle ? "obstacle" : "body";
    if (shape->data->def.name[0] || shape->data->repeat) path.name = shape->name;
    return path;
}

// ---- placement

void pli_place_positions(const pli_body_data* d, int dim, pli_mesh* mesh) {
    double turn[3];
    for (int c = 0; c < 3; ++c) turn[c] = d->rotate[c] * (3.14159265358979323846 / 180);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        double *x = &mesh->positions[3 * v], y[3];
        if (d->map.given) {
            pli_formulas_value(&d->map, 0, x, y);
            pli_copy(y, x, dim);
        }
        for (int c = 0; c < 3; ++c) y[c] = d->scale[c] * x[c];
        pli_rotate(turn, y, x);
        for (int c = 0; c < 3; ++c) x[c] += d->translate[c];
    }
    if (d->map.given && strcmp(d->map_edges, "straight") == 0) pli_mesh_straighten(mesh);
}

// Whether placement inverts the elements; a valid map inverts all of them or none.
static bool is_mirrored(const pli_body_data* d, int dim, const pli_mesh* mesh) {
    double size = 0;
    for (int k = PLI_TRIANGLE; k < PLI_ELEMENT_KIND_COUNT && d->map.given; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        if (pli_element_dimension(kind) != dim) continue;
        for (int e = 0; e < mesh->element_count[k]; ++e)
            size += pli_element_measure(dim, kind, &mesh->elements[k][e * pli_element_size(kind)],
                                        mesh->positions);
    }
    return size < 0 || (size == 0 && d->scale[0] * d->scale[1] * d->scale[2] < 0);
}

// Elements of a mirrored shape keep their orientation.
static bool place(const pli_body_data* d, int dim, pli_mesh* mesh) {
    pli_place_positions(d, dim, mesh);
    if (!is_mirrored(d, dim, mesh)) return false;
    for (int k = PLI_TRIANGLE; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        for (int e = 0; e < mesh->element_count[k]; ++e)
            pli_element_mirror(kind, &mesh->elements[k][e * pli_element_size(kind)]);
    }
    return true;
}

void pli_bounding_box(int count, const double* x, double low[3], double high[3]) {
    for (int c = 0; c < 3; ++c) low[c] = HUGE_VAL, high[c] = -HUGE_VAL;
    for (int v = 0; v < count; ++v)
        for (int c = 0; c < 3; ++c) {
            low[c] = fmin(low[c], x[3 * v + c]);
            high[c] = fmax(high[c], x[3 * v + c]);
        }
}

// A 2D scene uses x and y only. A constant z is allowed.
static pli_status check_flat(pli_builder* b, const pli_shape* shape, const pli_path* at,
                             pli_error* error) {
    double low[3], high[3], size[3];
    pli_bounding_box(shape->mesh.vertex_count, shape->mesh.positions, low, high);
    pli_sub(high, low, size, 3);
    bool solid = pli_mass_dimension(shape->mesh.element_count) == 3; // an error of its own
    if (b->scene->world.dimension != 2 || solid || !(size[2] > 1e-9 * pli_norm(size, 2)))
        return PLI_OK;
    char reach[80];
    pli_format(reach, sizeof reach, "from z = %.3g to %.3g m", low[2], high[2]);
    return PLI_WARN(b->findings, PLI_KEY(at, "mesh"), error,
                    "the mesh extends %s, which a 2D scene ignores: add \"dimension\": 3 or rotate "
                    "the mesh in its file",
                    reach);
}

static pli_status check_finite(pli_builder* b, const pli_shape* shape, const pli_path* at,
                               pli_error* error) {
    for (int i = 0; i < 3 * shape->mesh.vertex_count; ++i)
        if (!isfinite(shape->mesh.positions[i]) || fabs(shape->initial[i]) > 1e15)
            return PLI_FIND(b->findings, at, error,
                            "vertex %d is not finite or more than 1e15 m from the origin: check "
                            "mesh, map, scale and translate",
                            i / 3);
    return PLI_OK;
}

// ---- selections

// A list of a body whose entries select vertices.
typedef struct selected_list {
    const char* key;
    int count;
    const pli_selection* (*at)(const pli_body_data*, int i); // NULL: the entry could not be read
    pli_chosen** chosen;
} selected_list;

static const pli_selection* fix_selection(const pli_body_data* d, int i) {
    return &((const pli_fix_data*)d->fix.items)[i].selection;
}
static const pli_selection* prescribe_selection(const pli_body_data* d, int i) {
    return &((const pli_prescribe_data*)d->prescribe.items)[i].selection;
}
static const pli_selection* load_selection(const pli_body_data* d, int i) {
    const pli_tagged* load = &((const pli_tagged*)d->loads.items)[i];
    return load->variant >= 0 ? &((const pli_load_data*)load->data)->selection : NULL;
}

static pli_status select_all(pli_builder* b, pli_shape* shape, const pli_path* at,
                             pli_error* error) {
    const pli_body_data* d = shape->data;
    const selected_list lists[] = {
        {"fix", d->fix.count, fix_selection, &shape->fix},
        {"prescribe", d->prescribe.count, prescribe_selection, &shape->prescribe},
        {"loads", d->loads.count, load_selection, &shape->loads},
    };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
        PLI_TRY(PLI_TAKE(b->arena, *lists[k].chosen, lists[k].count, error));
        for (int i = 0; i < lists[k].count; ++i) {
            pli_path entry = shape->obstacle ? pli_path_key(at, "motion")
                                             : pli_path_index(PLI_KEY(at, lists[k].key), i);
            const pli_selection* selection = lists[k].at(d, i);
            if (selection)
                PLI_TRY(pli_select(b, shape, selection, &entry, &(*lists[k].chosen)[i], error));
        }
    }
    return PLI_OK;
}

// ---- all bodies

static pli_status check_scales(pli_builder* b, const pli_body_data* d, const pli_path* at,
                               pli_error* error) {
    for (int c = 0; c < b->scene->world.dimension; ++c) {
        if (d->scale[c] == 0)
            PLI_TRY(PLI_FIND(b->findings, PLI_KEY(at, "scale"), error,
                             "scale along %c = 0, must not be 0", "xyz"[c]));
        if (d->stretch[c] == 0)
            PLI_TRY(PLI_FIND(b->findings, PLI_KEY(at, "stretch"), error,
                             "stretch along %c = 0, must not be 0", "xyz"[c]));
    }
    return pli_check_copies(b, d, at, error);
}

// Whether the keys that place the body were read without errors.
static bool is_placed(const pli_builder* b, const pli_path* at) {
    static const char* const keys[] = {"map",     "scale",   "rotate",  "translate",
                                       "stretch", "initial", "scramble"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        if (pli_findings_error_below(b->findings, PLI_KEY(at, keys[i]))) return false;
    }
    return true;
}

static pli_status read_sequences(pli_builder* b, pli_shape* shape, const pli_path* at,
                                 pli_error* error) {
    int count = shape->data->prescribe.count;
    PLI_TRY(PLI_TAKE(b->arena, shape->sequences, count, error));
    for (int i = 0; i < count; ++i) {
        pli_path list, entry = pli_motion_path(shape, at, i, &list);
        PLI_TRY(pli_sequence_read(b, shape, i, &entry, &shape->sequences[i], error));
    }
    return PLI_OK;
}

// The mesh before placement. *built: it is complete and was read without errors.
static pli_status build_mesh(pli_builder* b, pli_shape* shape, const pli_path* at, bool* built,
                             pli_error* error) {
    const pli_body_data* d = shape->data;
    pli_path key = pli_path_key(at, "mesh");
    int errors = b->findings->error_count;
    *built = false;
    bool whole = !pli_findings_error_below(b->findings, shape->obstacle ? at : &key);
    if (d->mesh.variant >= 0) {
        bool sized = pli_mesh_expected_size(&d->mesh).vertices > 0;
        if (!whole && (shape->obstacle || !sized)) return PLI_OK;
        const pli_strands_data* strands = pli_mesh_strands(&d->mesh);
        PLI_TRY(strands && strands->body && strands->body[0]
                    ? pli_strands_grow(b, strands, &key, &shape->mesh, error)
                    : pli_mesh_build(&d->mesh, b->folder, &key, b->findings, &shape->mesh, error));
    }
    if (!whole || b->findings->error_count > errors) return PLI_OK;
    if (shape->obstacle) {
        const pli_tagged* obstacle = &((const pli_tagged*)b->scene->obstacles.items)[shape->body];
        pli_status status =
            pli_obstacle_mesh(obstacle, b->scene->world.dimension, &shape->mesh, error);
        PLI_TRY(pli_finding_from(b->findings, at, status, error));
    }
    if (b->findings->error_count == errors && shape->mesh.vertex_count == 0)
        PLI_TRY(PLI_FIND(b->findings, &key, error, "the mesh has no vertices"));
    *built = b->findings->error_count == errors;
    return PLI_OK;
}

// Continues after errors where possible, so that all errors are found at once.
static pli_status build_shape(pli_builder* b, pli_shape* shape, const pli_path* at,
                              pli_error* error) {
    const pli_body_data* d = shape->data;
    bool built;
    PLI_TRY(check_scales(b, d, at, error));
    if (d->mesh.variant < 0 && !shape->obstacle) return PLI_OK;
    int errors = b->findings->error_count;
    PLI_TRY(build_mesh(b, shape, at, &built, error));
    if (!built) return PLI_OK;
    PLI_TRY(check_flat(b, shape, at, error));
    double* flat;
    PLI_TRY(pli_pattern_map(b, shape, &flat, error));
    bool mirrored = place(d, b->scene->world.dimension, &shape->mesh);
    PLI_TRY(flat ? pli_pattern_take(b, shape, flat, at, error)
                 : pli_pattern_read(b, shape, mirrored, at, error));
    shape->sound = b->findings->error_count == errors && is_placed(b, at);
    PLI_TRY(select_all(b, shape, at, error));
    errors = b->findings->error_count;
    PLI_TRY(pli_set_start(b, shape, at, error));
    if (b->findings->error_count == errors) PLI_TRY(check_finite(b, shape, at, error));
    if (b->findings->error_count == errors && shape->sound)
        PLI_TRY(read_sequences(b, shape, at, error));
    shape->sound &= b->findings->error_count == errors;
    return PLI_OK;
}

// ---- all bodies of the world

static pli_status name_body(pli_builder* b, int i, pli_error* error) {
    pli_shape* shape = &b->bodies[i];
    const char* given = shape->data->def.name;
    b->names[i] = shape->name = given;
    if (given[0] && !shape->data->repeat) return PLI_OK;
    size_t room = strlen(given) + 32;
    char* name;
    PLI_TRY(PLI_TAKE(b->arena, name, room, error));
    int n = given[0]
                ? snprintf(name, room, "%s", given)
                : snprintf(name, room, shape->obstacle ? "obstacle %d" : "body %d", shape->body);
    if (shape->data->repeat) snprintf(name + n, room - (size_t)n, " %d", shape->copy);
    b->names[i] = shape->name = name;
    return PLI_OK;
}

// The bodies of the scene without copies: its bodies, and obstacles that become bodies.
typedef struct body_list {
    int count;
    pli_body_data* data;
    bool* obstacle;
    int* number; // among the bodies, or obstacles
} body_list;

// The bodies of the scene with their tags. As in the world, a skin has the contact of its cage; it
// appears and vanishes with it.
static pli_status read_bodies(pli_builder* b, pli_body_data** out, pli_error* error) {
    const pli_body_data* given = b->scene->bodies.items;
    int count = b->scene->bodies.count;
    PLI_TRY(PLI_TAKE(b->arena, *out, count, error));
    for (int i = 0; i < count; ++i) {
        pli_body_data* data = &(*out)[i];
        *data = given[i];
        PLI_TRY(pli_add_body_tags(b->arena, i, data, error));
        if (i == 0 || !pli_is_skin(&data->def)) continue;
        data[-1].def.contact_bodies = false;
        data[-1].def.contact_vertices = "none";
        data->appears = data[-1].appears;
        data->vanishes = data[-1].vanishes;
    }
    return PLI_OK;
}

// Bodies that are there from the start, or those that appear later.
static void list_some(const pli_builder* b, const pli_body_data* data, bool late, body_list* out) {
    for (int i = 0; i < b->scene->bodies.count; ++i) {
        if ((data[i].appears > 0) != late) continue;
        out->data[out->count] = data[i];
        out->number[out->count++] = i;
    }
}

static pli_status list_bodies(pli_builder* b, body_list* out, pli_error* error) {
    const pli_tagged* obstacles = b->scene->obstacles.items;
    int room = b->scene->bodies.count + b->scene->obstacles.count;
    pli_body_data* bodies;
    PLI_TRY(PLI_TAKE(b->arena, out->data, room, error));
    PLI_TRY(PLI_TAKE(b->arena, out->obstacle, room, error));
    PLI_TRY(PLI_TAKE(b->arena, out->number, room, error));
    PLI_TRY(read_bodies(b, &bodies, error));
    list_some(b, bodies, false, out);
    for (int i = 0; i < b->scene->obstacles.count; ++i) {
        if (!pli_obstacle_is_body(b->scene, i)) continue;
        PLI_TRY(pli_obstacle_body(&obstacles[i], i, b->arena, &out->data[out->count], error));
        out->obstacle[out->count] = true;
        out->number[out->count++] = i;
    }
    list_some(b, bodies, true, out);
    return PLI_OK;
}

// Counts the bodies of the world; 0 with a finding if there are too many.
static pli_status count_bodies(pli_builder* b, const body_list* all, int* count, pli_error* error) {
    double sum = 0;
    for (int i = 0; i < all->count; ++i) {
        const char* word = all->obstacle[i] ? "obstacles" : "bodies";
        sum += pli_copy_count(&all->data[i]);
        *count = 0;
        if (sum > PLI_MOST_BODIES)
            return PLI_FIND(
                b->findings,
                PLI_KEY(PLI_KEY(PLI_INDEX(PLI_KEY(NULL, word), all->number[i]), "repeat"), "count"),
                error, "%s[%d].repeat makes more than %d bodies: reduce count", word,
                all->number[i], PLI_MOST_BODIES);
    }
    *count = (int)sum;
    return PLI_OK;
}

// Strands that grow on others, and bodies that move with an obstacle.
static pli_status build_dependent(pli_builder* b, pli_error* error) {
    for (int i = 0; i < b->body_count; ++i) {
        pli_shape* shape = &b->bodies[i];
        pli_path list, path = pli_body_path(b, i, &list);
        if (!pli_shape_depends(shape->data)) continue;
        if (shape->copy > 0) {
            shape->data = shape[-shape->copy].data;
            PLI_TRY(pli_shape_copy(b, shape - shape->copy, shape, error));
            continue;
        }
        PLI_TRY(pli_motions_join(b, shape, &path, error));
        PLI_TRY(build_shape(b, shape, &path, error));
    }
    return PLI_OK;
}

pli_status pli_shapes_build(pli_builder* b, pli_error* error) {
    body_list all = {0};
    int count;
    PLI_TRY(list_bodies(b, &all, error));
    PLI_TRY(count_bodies(b, &all, &count, error));
    PLI_TRY(PLI_TAKE(b->arena, b->bodies, count, error));
    PLI_TRY(PLI_TAKE(b->arena, b->names, count, error));
    for (int i = 0, body = 0, copy = 0; i < count; ++i) {
        pli_shape* shape = &b->bodies[i];
        *shape = (pli_shape){.data = &all.data[body],
                             .obstacle = all.obstacle[body],
                             .body = all.number[body],
                             .copy = copy};
        pli_mesh_init(&shape->mesh, b->allocator);
        b->body_count = i + 1;
        if (!pli_is_late(shape)) b->start_count = i + 1;
        pli_shape_set_copy(shape);
        PLI_TRY(name_body(b, i, error));
        pli_path list, path = pli_body_path(b, i, &list);
        if (!pli_shape_depends(shape->data))
            PLI_TRY(copy == 0 ? build_shape(b, shape, &path, error)
                              : pli_shape_copy(b, shape - copy, shape, error));
        bool last = copy + 1 == (int)pli_copy_count(shape->data);
        body += last;
        copy = last ? 0 : copy + 1;
    }
    return build_dependent(b, error);
}

void pli_shapes_free(pli_builder* b) {
    for (int i = 0; i < b->body_count; ++i)
        if (b->bodies[i].copy == 0) pli_mesh_free(&b->bodies[i].mesh);
}
