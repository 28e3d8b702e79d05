// Force balance of each body. This convergence test complements the one for speed: a correction far
// below the speed tolerance may still be far larger than the gap of a contact, whose force it would
// then change by orders of magnitude.
//
// At a minimum dE/dq is 0: forces, friction and M a of the scheme cancel at every unknown. The
// remainder summed over a body is a net force and, about the centre of its bounding box, a net
// torque. They are compared with the largest single force on it (times the longest lever arm).
// Nodes have neither force nor torque to sum: each is tested by itself, J/unit converted to newtons
// by its scale, against the largest force on its body or its nodes.
#include "dynamics/world.h"

#include "math/vec.h"

#include <float.h>

// Rounding unit of a position relative to its magnitude; forces are exact up to a few roundings.
static const double RESOLUTION = 16 * DBL_EPSILON, ROUNDING = 4 * DBL_EPSILON;

typedef struct net_force {
    double force[3], torque[3];
    double largest;  // single force [N]
    double rounding; // square of the effect of position rounding on inertia and elasticity [N^2]
    double lost;     // same, with the contact stiffness [N^2]
} net_force;

// The largest force at each vertex, including inertia: w->load. For nodes also per body:
// w->body_forces.
static void find_largest(pli_world* w) {
    const pli_kinematics* k = &w->kinematics;
    pli_assembly_largest(&w->assembly, w->load);
    for (int v = 0; v < k->point_count; ++v) {
        int group = k->vertices[v].identity_group;
        if (group < 0) continue;
        w->load[v] = fmax(w->load[v], pli_norm(w->force + k->group_offset[group], k->dim));
    }
    pli_world_scale_loads(w);
    for (int b = 0; b < w->model.body_count && w->nodes.count > 0; ++b) w->body_forces[b] = 0;
    for (int i = 0; i < w->nodes.count; ++i) {
        int unknown = pli_world_node_unknown(w, i);
        double* load = &w->load[w->nodes.first + i];
        double* largest = &w->body_forces[w->nodes.list[i].body];
        if (unknown >= 0) *load = fmax(*load, fabs(w->force[unknown]));
        *largest = fmax(*largest, *load);
    }
}

static void box_of(const pli_world* w, int body, double centre[3], double* arm) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int v = w->model.bodies[body].first_vertex; v < pli_body_end_vertex(&w->model, body); ++v)
        for (int c = 0; c < 3; ++c) {
            low[c] = fmin(low[c], w->x[3 * v + c]);
            high[c] = fmax(high[c], w->x[3 * v + c]);
        }
    for (int c = 0; c < 3; ++c) centre[c] = 0.5 * (low[c] + high[c]);
    double half[3];
    pli_sub(high, centre, half, 3);
    *arm = pli_norm(half, 3);
}

// For sliding vertices: inertia only [N/m].
static double stiffness_of(const pli_world* w, int v) {
    bool moves = w->kinematics.vertices[v].identity_group >= 0;
    return moves ? pli_assembly_vertex_stiffness(&w->assembly, v)
                 : w->aim.inertia * w->model.masses[v];
}

// True if the vertex has a dynamic (contact) stencil.
static bool touches(const pli_world* w, int v) {
    const int32_t* start = w->assembly.vertex_gather[1].start;
    return start[v + 1] > start[v];
}

// Without contact: the mean over the vertices of a body without contact.
static double plain_stiffness(const pli_world* w, int body) {
    double sum = 0;
    int count = 0;
    for (int v = w->model.bodies[body].first_vertex; v < pli_body_end_vertex(&w->model, body);
         ++v) {
        if (touches(w, v) || w->kinematics.vertices[v].identity_group < 0) continue;
        sum += stiffness_of(w, v);
        count++;
    }
    return count > 0 ? sum / count : 0;
}

// Vertex v, free or sliding: w->dx is the remainder there. `plain`: stiffness without contact.
static void add_vertex(const pli_world* w, int v, const double centre[3], double plain,
                       net_force* sum) {
    double arm[3], moment[3];
    pli_sub(w->x + 3 * v, centre, arm, 3);
    pli_cross3(arm, w->dx + 3 * v, moment);
    pli_axpy(1, w->dx + 3 * v, sum->force, 3);
    pli_axpy(1, moment, sum->torque, 3);
    double place = RESOLUTION * pli_norm(w->x + 3 * v, 3);
    double sums = ROUNDING * w->load[v], inertia = w->aim.inertia * w->model.masses[v];
    double all = place * stiffness_of(w, v) + sums;
    double least = touches(w, v) ? place * fmax(inertia, plain) + sums : all;
    sum->largest = fmax(sum->largest, w->load[v]);
    sum->rounding += least * least;
    sum->lost += fmax(least * least, all * all);
}

// The remainder of a sum of forces relative to the largest one, minus what rounding explains.
static double share_of(double left, double largest, double rounding) {
    double beyond = left - rounding;
    return beyond > 0 ? beyond / largest : 0;
}

static double worst_share(const net_force* sum, double arm, double rounding) {
    double force = share_of(pli_norm(sum->force, 3), sum->largest, rounding);
    double torque = share_of(pli_norm(sum->torque, 3), sum->largest * arm, rounding * arm);
    return fmax(force, torque);
}

// Control v of an affine body, with the part `inertia` of its mass / (c h^2).
static void add_control(const pli_world* w, int v, const double centre[3], double inertia,
                        net_force* sum) {
    double arm[3], moment[3];
    pli_sub(w->x + 3 * (size_t)v, centre, arm, 3);
    pli_cross3(arm, w->dx + 3 * (size_t)v, moment);
    pli_axpy(1, w->dx + 3 * (size_t)v, sum->force, 3);
    pli_axpy(1, moment, sum->torque, 3);
    bool moves = w->kinematics.vertices[v].identity_group >= 0;
    double place = RESOLUTION * pli_norm(w->x + 3 * (size_t)v, 3),
           all = moves ? place * pli_assembly_vertex_stiffness(&w->assembly, v) : 0,
           least = place * inertia;
    sum->rounding += least * least;
    sum->lost += fmax(least * least, all * all);
}

// All that acts on an affine body acts on its controls.
static void add_frame(const pli_world* w, const pli_body_frame* frame, const double centre[3],
                      net_force* sum) {
    const pli_kinematics* k = &w->kinematics;
    double mass = 0, loads = 0;
    for (int v = frame->first_vertex; v < frame->end_vertex; ++v) {
        sum->largest = fmax(sum->largest, w->load[v]);
        loads += w->load[v] * w->load[v];
        mass += w->model.masses[v];
    }
    for (int i = 0; i <= k->dim; ++i) {
        sum->largest = fmax(sum->largest, w->load[frame->first + i]);
        loads += w->load[frame->first + i] * w->load[frame->first + i];
        add_control(w, frame->control[i], centre, w->aim.inertia * mass, sum);
    }
    sum->rounding += ROUNDING * ROUNDING * loads;
    sum->lost += ROUNDING * ROUNDING * loads;
}

// For a body whose vertices have unknowns of their own, or controls that have.
static pli_unbalanced body_share(pli_world* w, int body) {
    const pli_kinematics* k = &w->kinematics;
    const pli_body_frame* frame = pli_world_frame(w, body);
    double centre[3], arm, plain = frame ? 0 : plain_stiffness(w, body);
    net_force sum = {0};
    box_of(w, body, centre, &arm);
    if (frame) add_frame(w, frame, centre, &sum);
    for (int v = w->model.bodies[body].first_vertex; v < pli_body_end_vertex(&w->model, body); ++v)
        if (!frame && (k->vertices[v].identity_group >= 0 || k->vertices[v].slides))
            add_vertex(w, v, centre, plain, &sum);
    if (w->nodes.count > 0) w->body_forces[body] = fmax(w->body_forces[body], sum.largest);
    return (pli_unbalanced){.share = worst_share(&sum, arm, sqrt(sum.rounding)),
                            .resolved = worst_share(&sum, arm, sqrt(sum.lost))};
}

// The diagonal matrix entry of unknown c of a group [N/m].
static double diagonal(const pli_world* w, int group, int c) {
    const pli_pattern* pattern = &w->assembly.pattern;
    int at = pattern->block_value[pattern->block_start[group]];
    return w->assembly.values[at + c * (pattern->column_height[group] + 1)];
}

// For node i, after those of all bodies. Rounding of its value and, through its scale, of the
// points of its key affects its force.
static double node_share(const pli_world* w, int i, const double* g) {
    const pli_kinematics* k = &w->kinematics;
    const pli_node* node = &w->nodes.list[i];
    int v = w->nodes.first + i, unknown = pli_world_node_unknown(w, i);
    if (unknown < 0) return 0;
    double size = node->def.scale * fabs(w->x[3 * (size_t)v]), far = 0;
    for (int j = 0; j < node->key.vertex_count; ++j)
        far = fmax(far, pli_norm(w->x + 3 * (size_t)node->key.vertices[j], 3));
    double stiffness = diagonal(w, k->entries[k->vertices[v].entry_start].group, 0);
    return share_of(fabs(g[unknown]), w->body_forces[node->body],
                    ROUNDING * w->load[v] + RESOLUTION * (size + far) * stiffness);
}

// For a group that drives several vertices: each unknown c has its own force. Positions of
// magnitude x have the rounding unit x / weight of the unknown; times its matrix entry this is a
// force.
static double unknown_share(const pli_world* w, int group, int c, double left) {
    const pli_kinematics* k = &w->kinematics;
    double largest = fabs(w->force[k->group_offset[group] + c]), sum = largest, size = 0, most = 0;
    double stiffness = diagonal(w, group, c);
    for (int i = k->driven_start[group]; i < k->driven_start[group + 1]; ++i) {
        const pli_driven* driven = &k->driven[i];
        double weight = 0;
        for (int r = 0; r < k->dim; ++r)
            weight += fabs(pli_entry_weight(k, &k->entries[driven->entry], r, c));
        if (!(weight > 0)) continue;
        largest = fmax(largest, weight * w->load[driven->vertex]);
        sum += weight * w->load[driven->vertex];
        size = fmax(size, pli_norm(w->x + 3 * driven->vertex, 3));
        most = fmax(most, weight);
    }
    double place = most > 0 ? size / most : 0;
    return share_of(left, largest, ROUNDING * sum + RESOLUTION * place * stiffness);
}

static double group_share(const pli_world* w, int group, const double* g) {
    const pli_kinematics* k = &w->kinematics;
    double worst = 0;
    for (int c = 0; c < pli_group_width(k, group); ++c) {
        double left = fabs(g[k->group_offset[group] + c]);
        worst = fmax(worst, unknown_share(w, group, c, left));
    }
    return worst;
}

// Groups of free and sliding vertices, of nodes and of controls are tested with their bodies.
static bool is_shared(const pli_kinematics* k, int group) {
    int first = k->driven_start[group], end = k->driven_start[group + 1];
    if (first == end || k->driven[first].vertex >= k->point_count) return false;
    for (int i = first; i < end; ++i)
        if (k->driven[i].entry < 0 || k->vertices[k->driven[i].vertex].slides) return false;
    return true;
}

pli_unbalanced pli_world_unbalanced(pli_world* w, const double* g) {
    const pli_kinematics* k = &w->kinematics;
    pli_unbalanced worst = {0};
    find_largest(w);
    pli_kinematics_directions(k, w->pool, g, w->dx);
    for (int b = 0; b < w->model.body_count; ++b) {
        if (w->model.bodies[b].def.obstacle) continue;
        pli_unbalanced body = body_share(w, b);
        worst.share = fmax(worst.share, body.share);
        worst.resolved = fmax(worst.resolved, body.resolved);
    }
    for (int group = 0; group < k->group_count; ++group) {
        if (!is_shared(k, group)) continue;
        double share = group_share(w, group, g);
        worst.share = fmax(worst.share, share);
        worst.resolved = fmax(worst.resolved, share);
    }
    for (int i = 0; i < w->nodes.count; ++i) {
        double share = node_share(w, i, g);
        worst.share = fmax(worst.share, share);
        worst.resolved = fmax(worst.resolved, share);
    }
    return worst;
}

void pli_world_part_shares(pli_world* w, const double* g, double* shares) {
    const pli_kinematics* k = &w->kinematics;
    const pli_islands* at = &w->islands;
    for (int i = 0; i < at->part_count; ++i) shares[i] = 0;
    find_largest(w);
    pli_kinematics_directions(k, w->pool, g, w->dx);
    for (int b = 0; b < w->model.body_count; ++b) {
        int part = -1;
        for (int v = w->model.bodies[b].first_vertex;
             v < pli_body_end_vertex(&w->model, b) && part < 0; ++v)
            part = at->vertex_part[v];
        if (part < 0 || w->model.bodies[b].def.obstacle) continue;
        shares[part] = fmax(shares[part], body_share(w, b).share);
    }
    for (int group = 0; group < k->group_count; ++group) {
        if (!is_shared(k, group)) continue;
        double* share = &shares[at->unknown_part[k->group_offset[group]]];
        *share = fmax(*share, group_share(w, group, g));
    }
    for (int i = 0; i < w->nodes.count; ++i) {
        int part = at->vertex_part[w->nodes.first + i];
        if (part >= 0) shares[part] = fmax(shares[part], node_share(w, i, g));
    }
}
