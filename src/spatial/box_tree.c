// Items are sorted along a Z curve through the centres of their boxes and split in halves
// recursively.
#include "spatial/box_tree.h"

#include <math.h>
#include <string.h>

#include "base/collections.h"

enum { LEAF_ITEMS = 4, CURVE_BITS = 10 };

static void box_around(int count, const double* boxes, double low[3], double high[3]) {
    for (int k = 0; k < 3; ++k) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], boxes[6 * (size_t)i + (size_t)k]);
            high[k] = fmax(high[k], boxes[6 * (size_t)i + 3 + (size_t)k]);
        }
}

// The bits of three numbers of 10 bits, interleaved, as three numbers of 10 bits.
static void interleave(const int cell[3], int32_t out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int bit = 0; bit < 3 * CURVE_BITS; ++bit) {
        int value = cell[bit % 3] >> (CURVE_BITS - 1 - bit / 3) & 1;
        out[bit / CURVE_BITS] = 2 * out[bit / CURVE_BITS] + value;
    }
}

// items = the item indices in the order of the curve.
static pli_status sort_items(pli_memory* memory, int count, const double* boxes, int32_t* items,
                             pli_error* error) {
    double low[3], high[3];
    int32_t* rows;
    box_around(count, boxes, low, high);
    PLI_TRY(PLI_ALLOC(memory, rows, 4 * (size_t)count, error));
    for (int i = 0; i < count; ++i) {
        int cell[3];
        for (int k = 0; k < 3; ++k) {
            double middle =
                0.5 * (boxes[6 * (size_t)i + (size_t)k] + boxes[6 * (size_t)i + 3 + (size_t)k]);
            double share = high[k] > low[k] ? (middle - low[k]) / (high[k] - low[k]) : 0;
            cell[k] = pli_min_int((int)(share * (1 << CURVE_BITS)), (1 << CURVE_BITS) - 1);
        }
        interleave(cell, rows + 4 * (size_t)i);
        rows[4 * (size_t)i + 3] = i;
    }
    pli_status status = pli_sort_rows(memory, rows, count, 4, 3, 1 << CURVE_BITS, error);
    for (int i = 0; i < count; ++i) items[i] = rows[4 * (size_t)i + 3];
    PLI_FREE(memory, rows, 4 * (size_t)count);
    return status;
}

// Adds the node of items[first .. end - 1] and its subtree; the capacity suffices for all.
static void add_node(pli_tree* tree, const double* boxes, int first, int end) {
    int number = tree->node_count++;
    pli_tree_node* node = &tree->nodes[number];
    node->first = first;
    node->end = end;
    if (end - first <= LEAF_ITEMS) {
        for (int k = 0; k < 3; ++k) node->low[k] = HUGE_VAL, node->high[k] = -HUGE_VAL;
        for (int i = first; i < end; ++i)
            for (int k = 0; k < 3; ++k) {
                const double* box = boxes + 6 * (size_t)tree->items[i];
                node->low[k] = fmin(node->low[k], box[k]);
                node->high[k] = fmax(node->high[k], box[3 + k]);
            }
    } else {
        int middle = first + (end - first) / 2, second;
        add_node(tree, boxes, first, middle);
        second = tree->node_count;
        add_node(tree, boxes, middle, end);
        const pli_tree_node *a = node + 1, *b = &tree->nodes[second];
        for (int k = 0; k < 3; ++k) {
            node->low[k] = fmin(a->low[k], b->low[k]);
            node->high[k] = fmax(a->high[k], b->high[k]);
        }
    }
    node->skip = tree->node_count;
}

pli_status pli_tree_create(pli_memory* memory, int count, const double* boxes, pli_tree* tree,
                           pli_error* error) {
    *tree = (pli_tree){.memory = memory};
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, tree->items, count, error));
    tree->item_count = count;
    PLI_TRY_CLEANUP(status, sort_items(memory, count, boxes, tree->items, error));
    // Splitting leaves at least half a leaf's items in each part, so `count` nodes always suffice.
    PLI_TRY_CLEANUP(status, PLI_GROW(memory, tree->nodes, tree->node_capacity, count + 1, error));
    if (count > 0) add_node(tree, boxes, 0, count);
    return PLI_OK;
cleanup:
    pli_tree_free(tree);
    return status;
}

void pli_tree_free(pli_tree* tree) {
    if (!tree->memory) return;
    PLI_FREE(tree->memory, tree->nodes, tree->node_capacity);
    PLI_FREE(tree->memory, tree->items, tree->item_count);
    *tree = (pli_tree){0};
}

static bool meet(const pli_tree_node* node, const double low[3], const double high[3]) {
    for (int k = 0; k < 3; ++k)
        if (node->low[k] > high[k] || node->high[k] < low[k]) return false;
    return true;
}

void pli_tree_visit(const pli_tree* tree, const double low[3], const double high[3],
                    pli_tree_visit_fn* visit, void* context) {
    for (int i = 0; i < tree->node_count;) {
        const pli_tree_node* node = &tree->nodes[i];
        if (!meet(node, low, high)) {
            i = node->skip;
            continue;
        }
        bool leaf = node->skip == i + 1;
        for (int k = node->first; leaf && k < node->end; ++k)
            if (!visit(context, tree->items[k])) return;
        ++i;
    }
}
