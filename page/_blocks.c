/* Hints of blocks in one pass; the reference in NumPy is next to its call, in features/hints.py. The rules of _flat.c
 * apply. Results are the same, bit for bit: sums are in the same order or exact (words are whole or halves), and
 * logarithms are left to NumPy.
 */
#include "_flat.h"

#define LEVELS 6 /* of ancestors: the node of a row, its parent, and so on */

static double at_least(double value, double bound) { return value > bound ? value : bound; }
static double at_most(double value, double bound) { return value < bound ? value : bound; }

/* What the columns need: the tree, the rows, the rows in the subtree of each node, and measures of the rows. */
typedef struct {
    Py_ssize_t nodes, rows;
    const int32_t *parent, *node, *chain;
    const int64_t *first, *last;
    const double *words, *links, *density, *longs;
} Blocks;

enum { BLOCK_ARGUMENTS = 5 };

static int take_blocks(Taken *taken, PyObject *const *args, Blocks *blocks)
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
    return 1;
}

/* Take what the columns need from the first arguments, and move on to the others: 0 with an exception if there are not so
 * many of them. */
static int begin(Taken *taken, PyObject *const **args, Py_ssize_t given, Py_ssize_t others, Blocks *blocks)
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
static double *sums_of(Taken *taken, const double *values, Py_ssize_t count)
{
    double *sums = zeros(taken, count + 1, sizeof(double));
    for (Py_ssize_t row = 0; sums && row < count; row++)
        sums[row + 1] = row ? sums[row] + values[row] : values[row];
    return sums;
}

#define WITHIN(sums, blocks, node) ((sums)[(blocks)->last[node]] - (sums)[(blocks)->first[node]])

/* Sort places by their keys in linearithmic time, whatever they are; `spare` is as long. */
static void sort_places(const int64_t *key, int32_t *place, int32_t *spare, Py_ssize_t count)
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

/* Return the ends of subtrees. */
static Py_ssize_t *ends_of(Taken *taken, const Blocks *blocks)
{
    Py_ssize_t *end = zeros(taken, blocks->nodes, sizeof(Py_ssize_t));
    for (Py_ssize_t node = blocks->nodes - 1; end && node >= 0; node--) {
        Py_ssize_t above = blocks->parent[node];
        end[node] = end[node] > node ? end[node] : node + 1;
        if (above >= 0 && end[above] < end[node])
            end[above] = end[node];
    }
    return end;
}

/* -- hints ------------------------------------------------------------------------------------------------------ */

enum { EMPHASES = 4, PICTURE = 1 << EMPHASES };

/* Write the share of words inside of each kind of emphasis, for the first whether there are any leaves. */
static int write_emphasis(Taken *taken, const Blocks *blocks, const uint8_t *marks, const int32_t *leaves,
                          const int32_t *leaf_row, const double *leaf_words, Py_ssize_t count, double *result)
{
    Py_ssize_t rows = blocks->rows;
    uint8_t *above = zeros(taken, blocks->nodes, 1);
    if (!above)
        return 0;
    for (Py_ssize_t node = 0; node < blocks->nodes; node++)
        above[node] = marks[node] | (blocks->parent[node] >= 0 ? above[blocks->parent[node]] : 0);
    for (Py_ssize_t cell = 0; cell < EMPHASES * rows; cell++)
        result[cell] = 0.0;
    for (Py_ssize_t leaf = 0; leaf < count; leaf++)
        for (int one = 0; leaf_row[leaf] >= 0 && one < EMPHASES; one++)
            if (above[leaves[leaf]] >> one & 1)
                result[one * rows + leaf_row[leaf]] += one ? leaf_words[leaf] : 1.0;
    for (Py_ssize_t row = 0; row < rows; row++) {
        result[row] = result[row] > 0;
        for (int one = 1; one < EMPHASES; one++)
            result[one * rows + row] = at_most(result[one * rows + row] / at_least(blocks->words[row], 1e-9), 1.0);
    }
    return 1;
}

/* Write the words next to the nearest picture, whether one is before and behind a row, and its level. */
static int write_pictures(const Blocks *blocks, const Py_ssize_t *end, const Py_ssize_t *before, const double *words,
                          const int32_t *leaves, const int32_t *first_leaf, double *log, double *result)
{
    Py_ssize_t rows = blocks->rows, last = 0;
    for (Py_ssize_t row = 0; row < rows; row++) {
        const int32_t *chain = blocks->chain + row * LEVELS;
        Py_ssize_t here = before[leaves[first_leaf[row]]], level = 0;
        Py_ssize_t next = row + 1 < rows ? before[leaves[first_leaf[row + 1]]] : before[blocks->nodes];
        while (level < LEVELS && before[end[chain[level]]] <= before[chain[level]])
            level++;
        result[row] = here > last;
        result[rows + row] = next > here;
        result[2 * rows + row] = (double)level;
        log[row] = WITHIN(words, blocks, chain[level < LEVELS ? level : LEVELS - 1]);
        last = here;
    }
    return 1;
}

/* Write the rows to the title and to long paragraphs, and whether a row follows a heading. */
static void write_places(const Blocks *blocks, Py_ssize_t best, Py_ssize_t furthest, const uint8_t *heading, double *log,
                         double *after)
{
    Py_ssize_t rows = blocks->rows, last = -furthest - 1, longs = 0;
    for (Py_ssize_t row = 0; row < rows; row++) {
        Py_ssize_t far = best >= 0 ? row - best : 0;
        last = blocks->longs[row] > 0 ? row : last;
        log[row] = (double)(far > furthest ? furthest : far > 0 ? far : 0);
        log[rows + row] = (double)(far < -furthest ? furthest : far < 0 ? -far : 0);
        log[2 * rows + row] = (double)(row - last < furthest ? row - last : furthest);
        log[4 * rows + row] = (double)longs;
        longs += blocks->longs[row] > 0;
        after[row] = row && heading[row - 1] && !heading[row];
    }
    last = rows + furthest;
    for (Py_ssize_t row = rows - 1; row >= 0; row--) {
        last = blocks->longs[row] > 0 ? row : last;
        log[3 * rows + row] = (double)(last - row < furthest ? last - row : furthest);
    }
}

/* The elements with the same parent, tag and class. */
typedef struct {
    double count, words, links, pictures;
} Cards;

/* Write the measures of the largest group of elements with the same parent, tag and class as one above each row. */
static int write_cards(Taken *taken, const Blocks *blocks, const int32_t *text, const int32_t *tag, const int32_t *name,
                       int64_t tags, int64_t strings, const Py_ssize_t *end, const Py_ssize_t *before,
                       const double *words, const double *links, double *log, double *others)
{
    Py_ssize_t rows = blocks->rows, some = 0, groups = -1;
    int64_t *key = zeros(taken, blocks->nodes, sizeof(int64_t));
    int32_t *place = zeros(taken, blocks->nodes, sizeof(int32_t)), *group = zeros(taken, blocks->nodes, sizeof(int32_t));
    uint8_t *needed = zeros(taken, blocks->nodes, 1);
    if (!key || !place || !group || !needed)
        return 0;
    for (Py_ssize_t one = 0; one < LEVELS * rows; one++)
        needed[blocks->chain[one]] = 1;
    for (Py_ssize_t node = 0; node < blocks->nodes; node++)
        if (needed[node] || (text[node] < 0 && WITHIN(words, blocks, node) > 0)) {
            /* Without a sign, too large numbers have no undefined behaviour. */
            uint64_t of_parent = ((uint64_t)blocks->parent[node] + 1) * (uint64_t)tags + (uint64_t)tag[node];
            key[node] = (int64_t)(of_parent * (uint64_t)strings + (uint64_t)((int64_t)name[node] + 1));
            place[some++] = (int32_t)node;
        }
    sort_places(key, place, group, some);
    Cards *cards = zeros(taken, some, sizeof(Cards));
    if (!cards)
        return 0;
    for (Py_ssize_t one = 0; one < some; one++) {
        int32_t node = place[one];
        double size = WITHIN(words, blocks, node);
        groups += !one || key[node] != key[place[one - 1]];
        group[node] = (int32_t)groups;
        if (text[node] >= 0 || size <= 0)
            continue;
        cards[groups].count++;
        cards[groups].words += size;
        cards[groups].links += WITHIN(links, blocks, node);
        cards[groups].pictures += before[end[node]] > before[node];
    }
    for (Py_ssize_t row = 0; row < rows; row++) {
        const Cards *chosen = &cards[group[blocks->chain[row * LEVELS + LEVELS - 1]]];
        for (int level = LEVELS - 2; level >= 0; level--) {
            const Cards *other = &cards[group[blocks->chain[row * LEVELS + level]]];
            chosen = other->count > chosen->count ? other : chosen;
        }
        double least = at_least(chosen->count, 1.0);
        log[row] = at_least(chosen->count - 1, 0);
        log[rows + row] = chosen->words / least;
        others[row] = at_most(chosen->links / at_least(chosen->words, 1e-9), 1.0);
        others[rows + row] = chosen->pictures / least;
    }
    return 1;
}

const char hints_doc[] =
    "hints(*blocks, text, tag, class, sizes, marks, leaves, leaf_row, leaf_words, first_leaf, heading, title, furthest, result): "
    "see features/hints.py.";

PyObject *hints(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken;
    Blocks blocks;
    Py_ssize_t count;
    (void)module;
    if (!begin(&taken, &args, given, 13, &blocks))
        return NULL;
    Py_ssize_t nodes = blocks.nodes, rows = blocks.rows, best = PyLong_AsSsize_t(args[10]), *end, *before;
    Py_ssize_t furthest = PyErr_Occurred() ? -1 : PyLong_AsSsize_t(args[11]);
    const int32_t *text, *tag, *name, *leaves, *leaf_row, *first_leaf;
    const int64_t *sizes;
    const uint8_t *marks, *heading;
    const double *leaf_words, *words, *links;
    double *result;
    if (PyErr_Occurred() || furthest < 0 || furthest > INT32_MAX || !(sizes = take(&taken, args[3], 8, 2, 0, NULL)) || sizes[0] < 1 || sizes[0] > INT32_MAX ||
        sizes[1] < 1 || sizes[1] > INT32_MAX || !(text = take(&taken, args[0], 4, nodes, 0, NULL)) ||
        !(tag = take_indices(&taken, args[1], nodes, 0, sizes[0])) ||
        !(name = take_indices(&taken, args[2], nodes, -1, sizes[1])) ||
        !(marks = take(&taken, args[4], 1, nodes, 0, NULL)) || !take(&taken, args[5], 4, -1, 0, &count) ||
        !(leaves = take_indices(&taken, args[5], count, 0, nodes)) ||
        !(leaf_row = take_indices(&taken, args[6], count, -1, rows)) ||
        !(leaf_words = take(&taken, args[7], 8, count, 0, NULL)) ||
        !(first_leaf = take_indices(&taken, args[8], rows, 0, count)) ||
        !(heading = take(&taken, args[9], 1, rows, 0, NULL)) ||
        !(result = take(&taken, args[12], 8, 18 * rows, 1, NULL)) || !(end = ends_of(&taken, &blocks)) ||
        !(before = zeros(&taken, nodes + 1, sizeof(Py_ssize_t))) || !(words = sums_of(&taken, blocks.words, rows)) ||
        !(links = sums_of(&taken, blocks.links, rows)))
        return failed(&taken, "the page has other sizes");
    for (Py_ssize_t node = 0; node < nodes; node++)
        before[node + 1] = before[node] + (marks[node] & PICTURE ? 1 : 0);
    double *others = result + 8 * rows;
    write_pictures(&blocks, end, before, words, leaves, first_leaf, result, others);
    write_places(&blocks, best, furthest, heading, result + rows, others + 3 * rows);
    if (!write_cards(&taken, &blocks, text, tag, name, sizes[0], sizes[1], end, before, words, links, result + 6 * rows,
                     others + 4 * rows) ||
        !write_emphasis(&taken, &blocks, marks, leaves, leaf_row, leaf_words, count, others + 6 * rows))
        return failed(&taken, "");
    return done(&taken);
}
