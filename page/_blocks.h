/* What functions over columns of blocks share: the tree, the rows, and sums over them. */
#ifndef BLOCKSIGHT_BLOCKS_H
#define BLOCKSIGHT_BLOCKS_H

#include "_flat.h"

#define LEVELS 6 /* of ancestors: the node of a row, its parent, and so on */

static inline double at_least(double value, double bound) { return value > bound ? value : bound; }
static inline double at_most(double value, double bound) { return value < bound ? value : bound; }

/* What all functions need: the tree, the rows, the rows in the subtree of each node, and measures of the rows. */
typedef struct {
    Py_ssize_t nodes, rows;
    const int32_t *parent, *node, *chain;
    const int64_t *first, *last;
    const double *words, *links, *density, *longs;
    double total; /* words of the page */
} Blocks;

enum { BLOCK_ARGUMENTS = 5 };

static inline int take_blocks(Taken *taken, PyObject *const *args, Blocks *blocks)
{
    if (!(blocks->parent = take(taken, args[0], 4, -1, 0, &blocks->nodes)))
        return 0;
    for (Py_ssize_t node = 0; node < blocks->nodes; node++)
        if (blocks->parent[node] < -1 || blocks->parent[node] >= node) {
            PyErr_SetString(PyExc_ValueError, "a parent is not before its child");
            return 0;
        }
    const int32_t *node = take(taken, args[1], 4, -1, 0, &blocks->rows);
    if (!node || !(blocks->node = take_indices(taken, args[1], blocks->rows, 0, blocks->nodes)) ||
        !(blocks->chain = take_indices(taken, args[2], LEVELS * blocks->rows, 0, blocks->nodes)) ||
        !(blocks->first = take(taken, args[3], 8, 2 * blocks->nodes, 0, NULL)) ||
        !(blocks->words = take(taken, args[4], 8, 4 * blocks->rows, 0, NULL)))
        return 0;
    blocks->last = blocks->first + blocks->nodes;
    for (Py_ssize_t node = 0; node < 2 * blocks->nodes; node++)
        if (blocks->first[node] < 0 || blocks->first[node] > blocks->rows) {
            PyErr_SetString(PyExc_ValueError, "a span ends behind the rows");
            return 0;
        }
    blocks->links = blocks->words + blocks->rows;
    blocks->density = blocks->links + blocks->rows;
    blocks->longs = blocks->density + blocks->rows;
    blocks->total = 0.0;
    for (Py_ssize_t row = 0; row < blocks->rows; row++)
        blocks->total += blocks->words[row];
    return 1;
}

/* Take what all functions need from the first arguments, and move on to the others: 0 with an exception if there are not so
 * many of them. */
static inline int begin(Taken *taken, PyObject *const **args, Py_ssize_t given, Py_ssize_t others, Blocks *blocks)
{
    taken->count = taken->memories = 0;
    if (!are(given, BLOCK_ARGUMENTS + others))
        return 0;
    if (!take_blocks(taken, *args, blocks)) {
        failed(taken, "");
        return 0;
    }
    *args += BLOCK_ARGUMENTS;
    return 1;
}

/* Return the exclusive prefix sums of some values. */
static inline double *sums_of(Taken *taken, const double *values, Py_ssize_t count)
{
    double *sums = zeros(taken, count + 1, sizeof(double));
    for (Py_ssize_t row = 0; sums && row < count; row++)
        sums[row + 1] = row ? sums[row] + values[row] : values[row];
    return sums;
}

#define WITHIN(sums, blocks, node) ((sums)[(blocks)->last[node]] - (sums)[(blocks)->first[node]])

/* Sort places by their keys in linearithmic time, whatever they are; `spare` is as long. */
static inline void sort_places(const int64_t *key, int32_t *place, int32_t *spare, Py_ssize_t count)
{
    for (Py_ssize_t width = 1; width < count; width *= 2) {
        for (Py_ssize_t low = 0; low + width < count; low += 2 * width) {
            Py_ssize_t middle = low + width, high = middle + width < count ? middle + width : count;
            if (key[place[middle - 1]] <= key[place[middle]])
                continue;
            memcpy(spare, place + low, (size_t)width * sizeof(int32_t));
            for (Py_ssize_t left = 0, right = middle, to = low; left < width; to++)
                place[to] = right < high && key[place[right]] < key[spare[left]] ? place[right++] : spare[left++];
        }
    }
}

#endif
