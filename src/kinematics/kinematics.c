// x = x0 + W q and the mass on q. Building appends; finish sorts the mass and builds the transpose.
#include "kinematics/kinematics.h"

#include "base/pack.h"
#include "kinematics/frame.h"
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

enum { VERTEX_GRAIN = 1024, GROUP_GRAIN = 512 };

void pli_kinematics_init(pli_kinematics* k, pli_memory* memory, int dim) {
    *k = (pli_kinematics){.memory = memory, .dim = dim};
}

void pli_kinematics_free(pli_kinematics* k) {
    pli_memory* m = k->memory;
    if (!m) return;
    PLI_FREE(m, k->vertices, k->vertex_capacity);
    PLI_FREE(m, k->group_offset, k->group_capacity);
    PLI_FREE(m, k->entries, k->entry_capacity);
    PLI_FREE(m, k->weights, k->weight_capacity);
    PLI_FREE(m, k->pairs, k->pair_capacity);
    PLI_FREE(m, k->mass, k->mass_capacity);
    PLI_FREE(m, k->mass_values, k->mass_value_capacity);
    PLI_FREE(m, k->driven, k->driven_count);
    PLI_FREE(m, k->driven_start, k->group_count + 1);
    PLI_FREE(m, k->frames, k->frame_capacity);
    *k = (pli_kinematics){0};
}

pli_status pli_kinematics_add_vertices(pli_kinematics* k, int count, const double* x,
                                       pli_error* error) {
    PLI_ASSERT(k->point_count == k->vertex_count);
    PLI_TRY(PLI_GROW(k->memory, k->vertices, k->vertex_capacity, (int64_t)k->vertex_count + count,
                     error));
    for (int i = 0; i < count; ++i) {
        pli_vertex_map* vertex = &k->vertices[k->vertex_count + i];
        *vertex = (pli_vertex_map){.identity_group = -1};
        memcpy(vertex->x0, x + 3 * (size_t)i, sizeof vertex->x0);
    }
    k->vertex_count += count;
    k->point_count = k->mesh_point_count = k->vertex_count;
    return PLI_OK;
}

pli_status pli_kinematics_add_group(pli_kinematics* k, int width, int32_t* group,
                                    pli_error* error) {
    PLI_ASSERT(width > 0);
    if (width > INT32_MAX - k->unknown_count)
        return pli_fail(error, PLI_E_MEMORY, "more than %d unknowns", INT32_MAX);
    PLI_TRY(PLI_GROW(k->memory, k->group_offset, k->group_capacity, k->group_count + 2, error));
    *group = k->group_count++;
    k->unknown_count += width;
    k->group_offset[k->group_count] = k->unknown_count;
    return PLI_OK;
}

pli_status pli_kinematics_set_free(pli_kinematics* k, int vertex, pli_error* error) {
    int32_t group;
    PLI_TRY(pli_kinematics_add_group(k, k->dim, &group, error));
    pli_vertex_map* map = &k->vertices[vertex];
    map->identity_group = group;
    map->entry_start = map->entry_end = 0;
    map->slides = false;
    for (int c = 0; c < k->dim; ++c) map->x0[c] = 0; // z of a plane problem stays fixed
    return PLI_OK;
}

pli_status pli_kinematics_set_blend(pli_kinematics* k, int vertex, const double* x0, int count,
                                    const pli_blend* blends, pli_error* error) {
    int first = k->entry_count;
    PLI_TRY(PLI_GROW(k->memory, k->entries, k->entry_capacity, (int64_t)first + count, error));
    for (int i = 0; i < count; ++i) {
        int64_t size =
            blends[i].scalar ? 1 : (int64_t)k->dim * pli_group_width(k, blends[i].group);
        PLI_TRY(PLI_GROW(k->memory, k->weights, k->weight_capacity, k->weight_count + size, error));
        memcpy(k->weights + k->weight_count, blends[i].weights, sizeof(double) * (size_t)size);
        k->entries[first + i] = (pli_map_entry){
            .group = blends[i].group, .weights = k->weight_count, .scalar = blends[i].scalar};
        k->weight_count += (int)size;
    }
    k->entry_count += count;
    pli_vertex_map* map = &k->vertices[vertex];
    map->identity_group = -1;
    map->entry_start = first;
    map->entry_end = first + count;
    map->slides = false;
    memcpy(map->x0, x0, sizeof map->x0);
    return PLI_OK;
}

pli_status pli_kinematics_set_directions(pli_kinematics* k, int vertex, int count,
                                         const double* directions, pli_error* error) {
    PLI_ASSERT(count >= 1 && count <= 3);
    double weights[9];
    for (int c = 0; c < k->dim; ++c)
        for (int d = 0; d < count; ++d) weights[c * count + d] = directions[3 * d + c];
    pli_blend blend = {.weights = weights};
    PLI_TRY(pli_kinematics_add_group(k, count, &blend.group, error));
    double x0[3];
    memcpy(x0, k->vertices[vertex].x0, sizeof x0);
    PLI_TRY(pli_kinematics_set_blend(k, vertex, x0, 1, &blend, error));
    k->vertices[vertex].slides = true;
    return PLI_OK;
}

// Adds a block of the mass on q, row >= column; column-major (row width x column width).
static pli_status add_block(pli_kinematics* k, int row, int column, const double* block,
                            pli_error* error) {
    PLI_ASSERT(row >= column);
    int64_t size = (int64_t)pli_group_width(k, row) * pli_group_width(k, column);
    const pli_mass_block* last = k->mass_count ? &k->mass[k->mass_count - 1] : NULL;
    if (!last || last->row != row || last->column != column) {
        PLI_TRY(PLI_GROW(k->memory, k->mass, k->mass_capacity, (int64_t)k->mass_count + 1, error));
        PLI_TRY(PLI_GROW(k->memory, k->mass_values, k->mass_value_capacity,
                         k->mass_value_count + size, error));
        last = &k->mass[k->mass_count];
        k->mass[k->mass_count++] =
            (pli_mass_block){.row = row, .column = column, .value = k->mass_value_count};
        k->mass_value_count += (int)size;
    }
    for (int64_t i = 0; i < size; ++i) k->mass_values[last->value + i] += block[i];
    return PLI_OK;
}

// A summand of a vertex, identity or not: the weight of unknown c in coordinate d is weights[d *
// width + c], or `scale` where c = d if there are no weights.
typedef struct summand {
    int group, width;
    const double* weights;
    double scale;
} summand;

static int summand_count(const pli_vertex_map* map) {
    return map->identity_group >= 0 ? 1 : map->entry_end - map->entry_start;
}

static summand summand_at(const pli_kinematics* k, const pli_vertex_map* map, int i) {
    if (map->identity_group >= 0) return (summand){map->identity_group, k->dim, NULL, 1};
    const pli_map_entry* entry = &k->entries[map->entry_start + i];
    const double* weights = k->weights + entry->weights;
    if (entry->scalar) return (summand){entry->group, k->dim, NULL, *weights};
    return (summand){entry->group, pli_group_width(k, entry->group), weights, 1};
}

static double weight(const summand* s, int d, int c) {
    if (s->weights) return s->weights[d * s->width + c];
    return c == d ? s->scale : 0;
}

// m W_a^T W_b, and also its transpose if both are the same group of different vertices.
static pli_status add_product(pli_kinematics* k, const summand* a, const summand* b, double mass,
                              bool twice, pli_error* error) {
    double small[9] = {0}, *block = small;
    size_t size = (size_t)a->width * (size_t)b->width;
    if (size > 9) PLI_TRY(PLI_ALLOC(k->memory, block, size, error));
    for (int c = 0; c < b->width; ++c)
        for (int r = 0; r < a->width; ++r) {
            double sum = 0;
            for (int d = 0; d < k->dim; ++d) {
                sum += weight(a, d, r) * weight(b, d, c);
                if (twice) sum += weight(b, d, r) * weight(a, d, c);
            }
            block[(size_t)c * (size_t)a->width + (size_t)r] = mass * sum;
        }
    pli_status status = add_block(k, a->group, b->group, block, error);
    if (size > 9) PLI_FREE(k->memory, block, size);
    return status;
}

pli_status pli_kinematics_add_mass(pli_kinematics* k, int i, int j, double mass, pli_error* error) {
    PLI_TRY(PLI_GROW(k->memory, k->pairs, k->pair_capacity, (int64_t)k->pair_count + 1, error));
    k->pairs[k->pair_count++] =
        (pli_mass_pair){.row = i > j ? i : j, .column = i > j ? j : i, .mass = mass};
    const pli_vertex_map *p = &k->vertices[i], *q = &k->vertices[j];
    for (int s = 0; s < summand_count(p); ++s)
        for (int t = 0; t < summand_count(q); ++t) {
            summand a = summand_at(k, p, s), b = summand_at(k, q, t);
            if (i == j && a.group < b.group) continue; // covered by the reversed pair
            bool twice = i != j && a.group == b.group;
            PLI_TRY(a.group >= b.group ? add_product(k, &a, &b, mass, twice, error)
                                       : add_product(k, &b, &a, mass, twice, error));
        }
    return PLI_OK;
}

// The mass is added to the unknown only: a node has neither weight nor momentum.
pli_status pli_kinematics_add_node(pli_kinematics* k, const pli_node_map* node, pli_error* error) {
    PLI_ASSERT(node->scale > 0 && node->mass >= 0);
    int vertex = k->vertex_count;
    PLI_TRY(PLI_GROW(k->memory, k->vertices, k->vertex_capacity, vertex + 1, error));
    k->vertices[k->vertex_count++] = (pli_vertex_map){.x0 = {node->value}, .identity_group = -1};
    if (node->fixed) return PLI_OK;
    const double rate = 1 / node->scale, x0[3] = {node->value}, weights[3] = {rate}; // dim x 1
    const double mass = node->mass * rate * rate;
    pli_blend blend = {.weights = weights};
    PLI_TRY(pli_kinematics_add_group(k, 1, &blend.group, error));
    PLI_TRY(pli_kinematics_set_blend(k, vertex, x0, 1, &blend, error));
    return add_block(k, blend.group, blend.group, &mass, error);
}

int pli_kinematics_node_unknown(const pli_kinematics* k, int vertex) {
    const pli_vertex_map* map = &k->vertices[vertex];
    PLI_ASSERT(vertex >= k->point_count);
    return map->entry_end > map->entry_start ? k->group_offset[k->entries[map->entry_start].group]
                                             : -1;
}

// Values are numbered in the order of adding, so they break ties: the sort is stable.
static int compare_mass(const void* a, const void* b) {
    const pli_mass_block *x = a, *y = b;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static void merge_mass(pli_kinematics* k) {
    if (k->mass_count == 0) return;
    qsort(k->mass, (size_t)k->mass_count, sizeof *k->mass, compare_mass);
    int kept = 0;
    for (int i = 1; i < k->mass_count; ++i) {
        pli_mass_block *block = &k->mass[i], *last = &k->mass[kept];
        if (block->row != last->row || block->column != last->column) {
            k->mass[++kept] = *block;
            continue;
        }
        int size = pli_group_width(k, block->row) * pli_group_width(k, block->column);
        for (int j = 0; j < size; ++j)
            k->mass_values[last->value + j] += k->mass_values[block->value + j];
    }
    k->mass_count = kept + 1;
}

pli_status pli_kinematics_finish(pli_kinematics* k, pli_error* error) {
    PLI_TRY(PLI_GROW(k->memory, k->group_offset, k->group_capacity, k->group_count + 1, error));
    merge_mass(k);
    int count = 0;
    for (int v = 0; v < k->vertex_count; ++v) {
        const pli_vertex_map* map = &k->vertices[v];
        count += summand_count(map);
    }
    PLI_TRY(PLI_ALLOC(k->memory, k->driven_start, k->group_count + 1, error));
    PLI_TRY(PLI_ALLOC(k->memory, k->driven, count, error));
    k->driven_count = count;
    int32_t* start = k->driven_start; // counts, then starts shifted by one, then starts
    for (int pass = 0; pass < 2; ++pass) {
        for (int v = 0; v < k->vertex_count; ++v) {
            const pli_vertex_map* map = &k->vertices[v];
            if (map->identity_group >= 0) {
                int32_t at = start[map->identity_group]++;
                if (pass) k->driven[at] = (pli_driven){.vertex = v, .entry = -1};
            }
            for (int e = map->entry_start; e < map->entry_end; ++e) {
                int32_t at = start[k->entries[e].group]++;
                if (pass) k->driven[at] = (pli_driven){.vertex = v, .entry = e};
            }
        }
        int32_t sum = 0;
        for (int g = 0; g <= k->group_count && !pass; ++g) {
            int32_t n = start[g];
            start[g] = sum;
            sum += n;
        }
    }
    for (int g = k->group_count; g > 0; --g) start[g] = start[g - 1];
    start[0] = 0;
    return PLI_OK;
}

uint64_t pli_kinematics_hash(const pli_kinematics* k) {
    uint64_t hash = PLI_HASH_START;
    for (int v = 0; v < k->vertex_count; ++v) {
        const pli_vertex_map* map = &k->vertices[v];
        hash = pli_hash(hash, (int32_t[2]){map->identity_group, map->entry_end - map->entry_start},
                        2 * sizeof(int32_t));
        for (int e = map->entry_start; e < map->entry_end; ++e)
            hash = pli_hash(hash, &k->entries[e].group, sizeof k->entries[e].group);
        if (v < k->point_count) continue;
        hash = pli_hash(hash, map->x0, sizeof map->x0);
        for (int e = map->entry_start; e < map->entry_end; ++e)
            hash = pli_hash(hash, k->weights + k->entries[e].weights, sizeof *k->weights);
    }
    return pli_hash(hash, k->group_offset, ((size_t)k->group_count + 1) * sizeof *k->group_offset);
}

typedef struct map_task {
    const pli_kinematics* k;
    const double* in;
    double* out;
    bool with_x0;
} map_task;

static void map_range(void* context, int first, int end) {
    const map_task* task = context;
    const pli_kinematics* k = task->k;
    for (int v = first; v < end; ++v) {
        const pli_vertex_map* map = &k->vertices[v];
        if (k->dim == 3 && map->identity_group >= 0 && map->entry_start == map->entry_end) {
            memcpy(task->out + 3 * (size_t)v, task->in + k->group_offset[map->identity_group],
                   3 * sizeof(double));
            continue;
        }
        double x[3] = {0, 0, 0};
        if (task->with_x0) memcpy(x, map->x0, sizeof x);
        if (map->identity_group >= 0) {
            const double* q = task->in + k->group_offset[map->identity_group];
            for (int c = 0; c < k->dim; ++c) x[c] = q[c];
        }
        for (int e = map->entry_start; e < map->entry_end; ++e) {
            const pli_map_entry* entry = &k->entries[e];
            int width = pli_group_width(k, entry->group);
            const double *w = k->weights + entry->weights,
                         *q = task->in + k->group_offset[entry->group];
            if (entry->scalar) {
                for (int c = 0; c < k->dim; ++c) x[c] += *w * q[c];
                continue;
            }
            for (int c = 0; c < k->dim; ++c)
                for (int i = 0; i < width; ++i) x[c] += w[c * width + i] * q[i];
        }
        memcpy(task->out + 3 * (size_t)v, x, sizeof x);
    }
}

void pli_kinematics_positions(const pli_kinematics* k, pli_pool* pool, const double* q, double* x) {
    map_task task = {.k = k, .in = q, .out = x, .with_x0 = true};
    pli_parallel_for(pool, k->vertex_count, VERTEX_GRAIN, map_range, &task);
}

void pli_kinematics_directions(const pli_kinematics* k, pli_pool* pool, const double* p,
                               double* dx) {
    map_task task = {.k = k, .in = p, .out = dx, .with_x0 = false};
    pli_parallel_for(pool, k->vertex_count, VERTEX_GRAIN, map_range, &task);
}

static void pull_range(void* context, int first, int end) {
    const map_task* task = context;
    const pli_kinematics* k = task->k;
    for (int g = first; g < end; ++g) {
        int width = pli_group_width(k, g);
        double* out = task->out + k->group_offset[g];
        for (int i = 0; i < width; ++i) out[i] = 0;
        for (int d = k->driven_start[g]; d < k->driven_start[g + 1]; ++d) {
            const double* gx = task->in + 3 * (size_t)k->driven[d].vertex;
            if (k->driven[d].entry < 0) {
                for (int c = 0; c < k->dim; ++c) out[c] += gx[c];
                continue;
            }
            const pli_map_entry* entry = &k->entries[k->driven[d].entry];
            const double* w = k->weights + entry->weights;
            if (entry->scalar) {
                for (int c = 0; c < k->dim; ++c) out[c] += *w * gx[c];
                continue;
            }
            for (int c = 0; c < k->dim; ++c)
                for (int i = 0; i < width; ++i) out[i] += w[c * width + i] * gx[c];
        }
    }
}

void pli_kinematics_pull(const pli_kinematics* k, pli_pool* pool, const double* gx, double* gq) {
    map_task task = {.k = k, .in = gx, .out = gq};
    pli_parallel_for(pool, k->group_count, GROUP_GRAIN, pull_range, &task);
}

void pli_vertex_mass_multiply(const pli_kinematics* k, const double* x, double* y) {
    for (int i = 0; i < 3 * k->point_count; ++i) y[i] = 0;
    for (int p = 0; p < k->pair_count; ++p) {
        const pli_mass_pair* pair = &k->pairs[p];
        size_t row = 3 * (size_t)pair->row, column = 3 * (size_t)pair->column;
        pli_axpy(pair->mass, x + column, y + row, k->dim);
        if (row != column) pli_axpy(pair->mass, x + row, y + column, k->dim);
    }
}

void pli_vertex_weights(const pli_kinematics* k, double* weights) {
    for (int v = 0; v < k->point_count; ++v) weights[v] = 0;
    for (int p = 0; p < k->pair_count; ++p) {
        const pli_mass_pair* pair = &k->pairs[p];
        weights[pair->row] += pair->mass;
        if (pair->row != pair->column) weights[pair->column] += pair->mass;
    }
}

// y += m x, column by column.
static inline void add_times(int rows, int columns, const double* restrict m,
                             const double* restrict x, double* restrict y) {
    for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i) y[i] += m[j * rows + i] * x[j];
}

// y += m^T x
static inline void add_transposed(int rows, int columns, const double* restrict m,
                                  const double* restrict x, double* restrict y) {
    for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i) y[j] += m[j * rows + i] * x[i];
}

void pli_mass_multiply(const pli_kinematics* k, const double* x, double* y) {
    for (int i = 0; i < k->unknown_count; ++i) y[i] = 0;
    for (int b = 0; b < k->mass_count; ++b) {
        const pli_mass_block* block = &k->mass[b];
        int rows = pli_group_width(k, block->row), columns = pli_group_width(k, block->column);
        int i0 = k->group_offset[block->row], j0 = k->group_offset[block->column];
        const double* m = k->mass_values + block->value;
        if (rows == 3 && columns == 3)
            add_times(3, 3, m, x + j0, y + i0);
        else
            add_times(rows, columns, m, x + j0, y + i0);
        if (block->row != block->column) add_transposed(rows, columns, m, x + i0, y + j0);
    }
}
