// The only place where the recorder reads a world. Arrays that the world does not have (loose
// vertices, element fields, energies summed by name, supports) are allocated once and refilled.
#include "result/snapshot.h"

#include <string.h>

struct pli_snapshot_store {
    pli_memory* memory;
    const pli_world* world;
    int vertex_count, body_count, half_space_count, part_count, support_count, joint_count;
    int element_count[PLI_ELEMENT_KIND_COUNT]; // of the element arrays; [PLI_VERTEX] stays 0
    uint32_t wanted;                           // fields of elements, bits of pli_frame_field
    int32_t* vertex_body;
    int32_t* loose; // vertex_count entries, the first ones used
    const char** body_names;
    bool* body_obstacle;
    bool* body_cage;
    double* body_thickness;
    double* body_radius;
    pli_element_fields fields[PLI_ELEMENT_KIND_COUNT];
    int scalar_count, node_count;
    double* scalars[PLI_SCALARS_KEPT];
    int32_t* shares; // of scalars, per vertex
    int32_t *node_body, *node_tag, *node_vertices;
    const char** energy_names;
    double* energy_values;
    double* half_spaces;
    int32_t* half_space_carriers;
    const char** half_space_names;
    pli_support_info* supports;
    pli_joint_info* joints;
    int kept_count; // capacity for contacts by bodies: 0 if nothing can touch
    pli_body_contact_info* body_contacts;
};

static bool wants(const struct pli_snapshot_store* s, pli_frame_field field) {
    return s->wanted >> field & 1;
}

// An array of the store.
typedef struct array {
    void* block; // address of the pointer
    size_t element_size, count;
} array;
enum { ARRAYS = 18 + PLI_SCALARS_KEPT + 4 * PLI_ELEMENT_KIND_COUNT };

// Lists all requested arrays; returns their count.
static int list_arrays(struct pli_snapshot_store* s, array out[ARRAYS]) {
#define ARRAY(member, size)                                                                        \
    (array) { &(member), sizeof *(member), (size_t)(size) }
    const array always[] = {ARRAY(s->vertex_body, s->vertex_count),
                            ARRAY(s->loose, s->vertex_count),
                            ARRAY(s->body_names, s->body_count),
                            ARRAY(s->body_obstacle, s->body_count),
                            ARRAY(s->body_cage, s->body_count),
                            ARRAY(s->body_thickness, s->body_count),
                            ARRAY(s->body_radius, s->body_count),
                            ARRAY(s->energy_names, s->part_count),
                            ARRAY(s->energy_values, s->part_count),
                            ARRAY(s->supports, s->support_count),
                            ARRAY(s->joints, s->joint_count),
                            ARRAY(s->body_contacts, s->kept_count),
                            ARRAY(s->shares, s->scalar_count > 0 ? s->vertex_count : 0),
                            ARRAY(s->node_body, s->node_count),
                            ARRAY(s->node_tag, s->node_count),
                            ARRAY(s->node_vertices, PLI_NODE_VERTICES * (size_t)s->node_count),
                            ARRAY(s->half_space_names, s->half_space_count),
                            ARRAY(s->half_space_carriers, s->half_space_count),
                            ARRAY(s->half_spaces, 6 * (size_t)s->half_space_count)};
    bool stress = wants(s, PLI_FRAME_STRESS) || wants(s, PLI_FRAME_VON_MISES);
    bool stretches = wants(s, PLI_FRAME_STRETCHES) || wants(s, PLI_FRAME_STRETCH) ||
                     wants(s, PLI_FRAME_SIZE_RATIO);
    int count = sizeof always / sizeof *always;
    memcpy(out, always, sizeof always);
    for (int i = 0; i < s->scalar_count; ++i) out[count++] = ARRAY(s->scalars[i], s->vertex_count);
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        size_t elements = (size_t)s->element_count[kind];
        pli_element_fields* f = &s->fields[kind];
        if (wants(s, PLI_FRAME_ENERGY)) out[count++] = ARRAY(f->energy, elements);
        if (wants(s, PLI_FRAME_ENERGY_DENSITY)) out[count++] = ARRAY(f->energy_density, elements);
        if (stress) out[count++] = ARRAY(f->stress, 6 * elements);
        if (stretches) out[count++] = ARRAY(f->stretches, 3 * elements);
    }
#undef ARRAY
    return count;
}

static pli_status allocate(struct pli_snapshot_store* s, pli_error* error) {
    array arrays[ARRAYS];
    int count = list_arrays(s, arrays);
    for (int i = 0; i < count; ++i)
        PLI_TRY(pli_resize(s->memory, arrays[i].block, arrays[i].element_size, 0, arrays[i].count,
                           error));
    return PLI_OK;
}

// Bodies, and the vertices that belong to no element.
static void read_topology(pli_snapshot* snapshot, struct pli_snapshot_store* s) {
    const pli_world* world = s->world;
    for (int b = 0; b < s->body_count; ++b) {
        s->body_names[b] = pli_world_body_name(world, b);
        s->body_obstacle[b] = pli_world_body_is_obstacle(world, b);
        s->body_cage[b] = pli_world_body_is_cage(world, b);
        s->body_thickness[b] = pli_world_body_thickness(world, b);
        s->body_radius[b] = pli_world_body_radius(world, b);
        for (int v = pli_world_body_vertex(world, b); v < pli_world_body_vertex(world, b + 1); ++v)
            s->vertex_body[v] = b;
    }
    enum { USED = 1 };
    memset(s->loose, 0, (size_t)s->vertex_count * sizeof *s->loose); // marks first
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        snapshot->element_count[kind] = s->element_count[kind];
        const int32_t* elements = pli_world_elements(world, (pli_element_kind)kind);
        size_t entries =
            (size_t)s->element_count[kind] * (size_t)pli_element_size((pli_element_kind)kind);
        for (size_t i = 0; i < entries; ++i) s->loose[elements[i]] = USED;
    }
    int count = 0;
    for (int v = 0; v < s->vertex_count; ++v)
        if (s->loose[v] != USED) s->loose[count++] = v; // count <= v: no mark is lost
    snapshot->element_count[PLI_VERTEX] = count;
    snapshot->elements[PLI_VERTEX] = s->loose;
}

static void read_nodes(pli_snapshot* snapshot, struct pli_snapshot_store* s) {
    for (int i = 0; i < s->node_count; ++i) {
        pli_node_info node = pli_world_node(s->world, i);
        s->node_body[i] = node.body;
        memcpy(&s->node_tag[i], &node.key.tag, sizeof *s->node_tag);
        for (int k = 0; k < PLI_NODE_VERTICES; ++k)
            s->node_vertices[PLI_NODE_VERTICES * i + k] =
                k < node.key.vertex_count ? node.key.vertices[k] : -1;
    }
    snapshot->node_count = s->node_count;
    snapshot->node_body = s->node_body;
    snapshot->node_tag = s->node_tag;
    snapshot->node_vertices = s->node_vertices;
}

static void read_scalars(pli_snapshot* snapshot, struct pli_snapshot_store* s) {
    for (int i = 0; i < s->scalar_count; ++i)
        pli_world_field_values(s->world, i, s->scalars[i], s->shares);
    snapshot->node_values = pli_world_node_values(s->world);
}

// Residual forces in N are reported relative to the forces that act.
static const char* residual_unit_of(const pli_world* world) {
    const char* unit = pli_world_residual_unit(world);
    return strcmp(unit, "m/s") == 0 ? "m/s" : *unit ? "1" : NULL;
}

pli_status pli_snapshot_init(pli_snapshot* snapshot, pli_memory* memory, const pli_world* world,
                             uint32_t fields, pli_error* error) {
    pli_snapshot fresh = {.dimension = pli_world_dimension(world)};
    PLI_TRY(PLI_ALLOC(memory, fresh.store, 1, error));
    struct pli_snapshot_store* s = fresh.store;
    s->memory = memory;
    s->world = world;
    s->wanted = fields;
    fresh.vertex_count = s->vertex_count = pli_world_vertex_count(world);
    fresh.body_count = s->body_count = pli_world_body_count(world);
    fresh.half_space_count = s->half_space_count = pli_world_half_space_count(world);
    fresh.support_count = s->support_count = pli_world_support_count(world);
    fresh.joint_count = s->joint_count = pli_world_joint_count(world);
    s->part_count = pli_world_energy_count(world);
    s->node_count = pli_world_node_count(world);
    if (wants(s, PLI_FRAME_ENERGY_FIELDS))
        s->scalar_count = pli_min_int(pli_world_field_count(world), PLI_SCALARS_KEPT);
    s->kept_count = pli_world_contact_forces(world) ? PLI_BODY_CONTACTS_KEPT : 0;
    pli_world_gravity(world, fresh.gravity);
    fresh.residual_unit = residual_unit_of(world);
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        s->element_count[kind] = pli_world_element_count(world, (pli_element_kind)kind);
    pli_status status = allocate(s, error);
    if (status != PLI_OK) {
        pli_snapshot_free(&fresh);
        return status;
    }
    read_topology(&fresh, s);
    read_nodes(&fresh, s);
    fresh.scalar_count = s->scalar_count;
    for (int i = 0; i < s->scalar_count; ++i) {
        fresh.scalars[i] = pli_world_field(world, i);
        fresh.scalar_values[i] = s->scalars[i];
    }
    fresh.energy_count = s->part_count;
    for (int i = 0; i < s->part_count; ++i) s->energy_names[i] = pli_world_energy_name(world, i);
    for (int i = 0; i < s->half_space_count; ++i) {
        s->half_space_names[i] = pli_world_half_space_name(world, i);
        s->half_space_carriers[i] = pli_world_half_space_carrier(world, i);
    }
    fresh.vertex_body = s->vertex_body;
    fresh.body_names = s->body_names;
    fresh.body_obstacle = s->body_obstacle;
    fresh.body_cage = s->body_cage;
    fresh.body_thickness = s->body_thickness;
    fresh.body_radius = s->body_radius;
    memcpy(fresh.fields, s->fields, sizeof fresh.fields);
    fresh.energy_names = s->energy_names;
    fresh.energy_values = s->energy_values;
    fresh.half_spaces = s->half_spaces;
    fresh.half_space_names = s->half_space_names;
    fresh.half_space_carriers = s->half_space_carriers;
    fresh.supports = s->supports;
    fresh.joints = s->joints;
    fresh.body_contacts = s->body_contacts;
    pli_snapshot_read_state(&fresh);
    *snapshot = fresh;
    return PLI_OK;
}

void pli_snapshot_free(pli_snapshot* snapshot) {
    struct pli_snapshot_store* s = snapshot->store;
    if (!s) return;
    pli_memory* memory = s->memory;
    array arrays[ARRAYS];
    int count = list_arrays(s, arrays);
    for (int i = 0; i < count; ++i)
        (void)pli_resize(memory, arrays[i].block, arrays[i].element_size, arrays[i].count, 0, NULL);
    PLI_FREE(memory, snapshot->store, 1);
}

void pli_snapshot_read_state(pli_snapshot* snapshot) {
    struct pli_snapshot_store* s = snapshot->store;
    const pli_world* world = s->world;
    snapshot->time = pli_world_time(world);
    snapshot->positions = pli_world_positions(world);
    snapshot->velocities = pli_world_velocities(world);
    snapshot->rest = pli_world_rest_positions(world);
    snapshot->reactions = pli_world_reactions(world);
    snapshot->contact_forces = pli_world_contact_forces(world);
    snapshot->friction_forces = pli_world_friction_forces(world);
    snapshot->masses = pli_world_vertex_masses(world);
    snapshot->contact_count = pli_world_contact_count(world);
    snapshot->contacts = pli_world_contacts(world);
    read_scalars(snapshot, s);
    for (int i = 0; i < s->half_space_count; ++i)
        pli_world_half_space(world, i, s->half_spaces + 6 * i, s->half_spaces + 6 * i + 3);
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        snapshot->elements[kind] = pli_world_elements(world, (pli_element_kind)kind);
        const pli_element_fields* f = &s->fields[kind];
        if (f->energy || f->energy_density || f->stress || f->stretches)
            pli_world_element_fields(world, (pli_element_kind)kind, &s->fields[kind]);
    }
}

void pli_snapshot_read_energies(pli_snapshot* snapshot) {
    struct pli_snapshot_store* s = snapshot->store;
    snapshot->time = pli_world_time(s->world);
    snapshot->total_energy = 0;
    for (int i = 0; i < s->part_count; ++i) {
        s->energy_values[i] = pli_world_energy_value(s->world, i);
        if (pli_world_energy_stored(s->world, i)) snapshot->total_energy += s->energy_values[i];
    }
    for (int i = 0; i < s->support_count; ++i) s->supports[i] = pli_world_support(s->world, i);
    for (int i = 0; i < s->joint_count; ++i) (void)pli_world_joint(s->world, i, &s->joints[i]);
    snapshot->body_contact_count = pli_world_body_contact_count(s->world);
    for (int i = 0; i < pli_min_int(snapshot->body_contact_count, s->kept_count); ++i)
        s->body_contacts[i] = pli_world_body_contact(s->world, i);
}
