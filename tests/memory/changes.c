// A world that changes between steps in every way, for the rows of features.c.
#include "memory/features.h"

#include <string.h>

// The first failure counts; later calls are not made.
#define THEN(status, call)                                                                         \
    do {                                                                                           \
        if ((status) == PLI_OK) (status) = (call);                                                 \
    } while (0)

typedef struct saved {
    size_t size;
    char bytes[1 << 18];
} saved;

static bool keep(void* context, const void* bytes, size_t size) {
    saved* state = context;
    if (state->size + size > sizeof state->bytes) return false;
    memcpy(state->bytes + state->size, bytes, size);
    state->size += size;
    return true;
}

static pli_status add_block(pli_world* world, const pli_allocator* allocator, double y,
                            bool obstacle, pli_body_id* id, pli_error* error) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, allocator);
    pli_status status = pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, PLI_TRIANGLES, error);
    for (int v = 0; v < mesh.vertex_count && status == PLI_OK; ++v) mesh.positions[3 * v + 1] += y;
    pli_body_def body = pli_default_body_def();
    const char* tags[1] = {"block"};
    body.mesh = &mesh;
    body.tags = tags;
    body.tag_count = 1;
    body.obstacle = obstacle;
    pli_setting young = {"young", 1e5};
    THEN(status, pli_world_add_body(world, &body, id, error));
    if (!obstacle) THEN(status, pli_world_add_energy(world, *id, "neo-hookean", &young, 1, NULL, error));
    pli_mesh_free(&mesh);
    return status;
}

static pli_status make(const pli_allocator* allocator, pli_world** world, pli_error* error) {
    pli_world_def def = pli_default_world_def();
    def.allocator = allocator;
    def.dimension = 2;
    def.thread_count = 1;
    def.time_step = 0.01;
    def.gravity[1] = -9.81;
    def.scheme = "bdf2";
    pli_half_space_def ground = pli_default_half_space_def();
    ground.point[1] = -0.501;
    pli_body_id id;
    pli_status status = pli_world_create(&def, world, error);
    THEN(status, pli_world_add_half_space(*world, &ground, NULL, error));
    THEN(status, add_block(*world, allocator, 0, false, &id, error));
    return status;
}

// A block with supports, a motion, a load and a slider to the first block.
static pli_status grow(pli_world* world, const pli_allocator* allocator, pli_body_id* id,
                       pli_error* error) {
    static const int32_t bottom[2] = {0, 1}, top[1] = {8}, side[1] = {5};
    pli_status status = add_block(world, allocator, 1.2, false, id, error);
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = side;
    fix.vertex_count = 1;
    fix.normal[0] = 1;
    pli_prescribe_def motion = pli_default_prescribe_def();
    const double times[2] = {0, 1}, offsets[6] = {0, 0, 0, 0.1, 0, 0};
    motion.vertices = top;
    motion.vertex_count = 1;
    motion.times = times;
    motion.offsets = offsets;
    motion.key_count = 2;
    pli_load_def load = pli_default_load_def();
    load.kind = "pressure";
    load.value[0] = 10;
    pli_setting settings[2] = {{"stiffness", 100}, {"yield", 0.1}};
    pli_vertex_ref ends[2] = {{pli_world_body_id(world, 0), 8}, {*id, bottom[0]}};
    pli_stencils_def link = pli_default_stencils_def();
    link.energy = "slider";
    link.settings = settings;
    link.setting_count = 2;
    link.count = 1;
    link.vertices = ends;
    pli_contact_rule_def rule = pli_default_contact_rule_def();
    rule.between[0] = "block";
    rule.friction = 0.1;
    THEN(status, pli_world_fix(world, *id, &fix, NULL, error));
    THEN(status, pli_world_prescribe(world, *id, &motion, NULL, error));
    THEN(status, pli_world_add_load(world, *id, &load, NULL, error));
    THEN(status, pli_world_add_stencils(world, &link, NULL, error));
    THEN(status, pli_world_add_contact_rule(world, &rule, NULL, error));
    return status;
}

// The same mesh without its last triangle, by a map of its vertices.
static pli_status edit(pli_world* world, pli_body_id id, pli_error* error) {
    enum { N = 9 };
    int body = pli_world_body_number(world, id), first = pli_world_body_vertex(world, body),
        begin = pli_world_body_element(world, body, PLI_TRIANGLE);
    double rest[3 * N], weight[N];
    int32_t triangles[3 * 8], start[N + 1] = {0}, from[N];
    memcpy(rest, pli_world_rest_positions(world) + 3 * first, sizeof rest);
    for (int i = 0; i < 3 * 8; ++i)
        triangles[i] = pli_world_elements(world, PLI_TRIANGLE)[3 * begin + i] - first;
    for (int v = 0; v < N; ++v) from[v] = v, weight[v] = 1, start[v + 1] = v + 1;
    pli_mesh mesh = {.vertex_count = N, .positions = rest};
    mesh.element_count[PLI_TRIANGLE] = 8;
    mesh.elements[PLI_TRIANGLE] = triangles;
    pli_transfer transfer = {.start = start, .from = from, .weight = weight};
    return pli_world_edit(world, id, &mesh, &transfer, NULL, error);
}

static pli_status set_all(pli_world* world, pli_body_id id, pli_error* error) {
    const double offset[3] = {0.01, 0, 0}, gravity[3] = {0, -5, 0}, speed[3] = {0.1, 0, 0};
    pli_setting young = {"young", 2e5};
    pli_status status = pli_world_set_gravity(world, gravity, error);
    THEN(status, pli_world_set_energy(world, pli_world_energy_id(world, 0), &young, 1, error));
    THEN(status, pli_world_set_load(world, pli_world_load_id(world, 0), offset, error));
    THEN(status, pli_world_set_target(world, pli_world_support_id(world, 1), offset, error));
    THEN(status, pli_world_set_velocities(world, id, speed, false, error));
    THEN(status, pli_world_set_time_step(world, 0.005, error));
    THEN(status, pli_world_set_friction(world, 0.3, 0, error));
    THEN(status, pli_world_set_half_space_friction(world, pli_world_half_space_id(world, 0), 0.3, 0,
                                                   error));
    THEN(status, pli_world_step(world, NULL, error));
    return status;
}

static pli_status copy(pli_world* world, const pli_allocator* allocator, pli_error* error) {
    static saved state;
    pli_world *clone = NULL, *other = NULL;
    state.size = 0;
    pli_status status = pli_world_clone(world, &clone, error);
    THEN(status, pli_world_step(clone, NULL, error));
    THEN(status, pli_world_save(world, keep, &state, error));
    THEN(status, make(allocator, &other, error));
    THEN(status, pli_world_restore(other, state.bytes, state.size, error));
    THEN(status, pli_world_step(other, NULL, error));
    pli_world_destroy(clone);
    pli_world_destroy(other);
    return status;
}

pli_status run_changes(const feature* self, const pli_allocator* allocator, pli_error* error) {
    (void)self;
    pli_world* world = NULL;
    pli_body_id id = {0}, wall = {0};
    pli_status status = make(allocator, &world, error);
    THEN(status, pli_world_step(world, NULL, error));
    THEN(status, grow(world, allocator, &id, error));
    THEN(status, add_block(world, allocator, 4, true, &wall, error));
    THEN(status, pli_world_step(world, NULL, error));
    THEN(status, set_all(world, id, error));
    THEN(status, edit(world, id, error));
    THEN(status, pli_world_step(world, NULL, error));
    THEN(status, copy(world, allocator, error));
    THEN(status, pli_world_remove_support(world, pli_world_support_id(world, 0), error));
    THEN(status, pli_world_step(world, NULL, error));
    THEN(status, pli_world_remove_body(world, id, error));
    // after a failure too: it goes on, or says that it cannot
    pli_error last;
    pli_status after = world ? pli_world_step(world, NULL, &last) : PLI_OK;
    if (status == PLI_OK && after != PLI_OK) {
        status = after;
        *error = last;
    }
    pli_world_destroy(world);
    return status;
}
