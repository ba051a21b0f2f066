/* Columns of blocks in one pass each; the references in NumPy are next to their calls, in features/. The rules of
 * _flat.c apply. Results are the same as theirs, bit for bit: sums are in the same order or exact (words are whole or
 * halves), and logarithms are left to NumPy.
 */
#include "_blocks.h"

#include <math.h>

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

/* -- rows ------------------------------------------------------------------------------------------------------- */

const char block_rows_doc[] =
    "block_rows(parent, leaf_range, leaf_row, node, leaf_words, linked, limits, chain, node_rows, measures): see\n"
    "features/rows.py.";

PyObject *block_rows(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t nodes, rows, leaves;
    (void)module;
    if (!are(given, 10))
        return NULL;
    const int32_t *parent = take(&taken, args[0], 4, -1, 0, &nodes);
    const int32_t *leaf_row = parent ? take(&taken, args[2], 4, -1, 0, &leaves) : NULL;
    const int32_t *node = leaf_row ? take(&taken, args[3], 4, -1, 0, &rows) : NULL;
    const int32_t *range;
    const double *leaf_words, *limits;
    const uint8_t *linked;
    int32_t *chain, *before;
    uint8_t *started;
    int64_t *node_rows;
    double *measures;
    if (!node || !(range = take_indices(&taken, args[1], 2 * nodes, 0, leaves + 1)) ||
        !take_indices(&taken, args[0], nodes, -1, nodes) || !take_indices(&taken, args[2], leaves, -1, rows) ||
        !take_indices(&taken, args[3], rows, 0, nodes) || !(leaf_words = take(&taken, args[4], 8, leaves, 0, NULL)) ||
        !(linked = take(&taken, args[5], 1, leaves, 0, NULL)) || !(limits = take(&taken, args[6], 8, 2, 0, NULL)) ||
        !(chain = take(&taken, args[7], 4, LEVELS * rows, 1, NULL)) ||
        !(node_rows = take(&taken, args[8], 8, 2 * nodes, 1, NULL)) ||
        !(measures = take(&taken, args[9], 8, 4 * rows, 1, NULL)) ||
        !(before = zeros(&taken, leaves + 1, sizeof(int32_t))) || !(started = zeros(&taken, rows, 1)))
        return failed(&taken, "");
    double *words = measures, *links = words + rows, *density = links + rows, *longs = density + rows;
    for (Py_ssize_t row = 0; row < rows; row++) {
        words[row] = links[row] = 0.0;
        for (int32_t level = 0, above = node[row]; level < LEVELS; level++) {
            chain[row * LEVELS + level] = above;
            above = parent[above] > 0 ? parent[above] : 0;
        }
    }
    for (Py_ssize_t leaf = 0; leaf < leaves; leaf++) {
        int32_t row = leaf_row[leaf];
        if (row < 0)
            continue;
        words[row] += leaf_words[leaf];
        links[row] += linked[leaf] ? leaf_words[leaf] : 0.0;
        before[leaf + 1] += !started[row];
        started[row] = 1;
    }
    for (Py_ssize_t leaf = 0; leaf < leaves; leaf++)
        before[leaf + 1] += before[leaf]; /* the rows that start before each leaf */
    for (Py_ssize_t one = 0; one < 2 * nodes; one++)
        node_rows[one] = before[range[one]];
    for (Py_ssize_t row = 0; row < rows; row++) {
        density[row] = links[row] / at_least(words[row], 1e-9);
        longs[row] = words[row] > limits[0] && density[row] < limits[1];
    }
    return done(&taken);
}

/* -- structure -------------------------------------------------------------------------------------------------- */

enum { STAT_LEVELS = 5, TEMPLATE_LEVELS = 4 };

/* Write the measures of blocks below elements with the same template, some rows of results for each level. */
static int write_templates(Taken *taken, const Blocks *blocks, const int32_t *tag, const int32_t *name, int64_t names,
                           double *count, double *size_log, double *others)
{
    Py_ssize_t rows = blocks->rows;
    int64_t *key = zeros(taken, rows, sizeof(int64_t));
    int32_t *place = zeros(taken, rows, sizeof(int32_t)), *spare = zeros(taken, rows, sizeof(int32_t));
    if (!key || !place || !spare)
        return 0;
    for (int level = 0; level < TEMPLATE_LEVELS; level++, count += rows, size_log += rows, others += 3 * rows) {
        for (Py_ssize_t row = 0; row < rows; row++) {
            int32_t node = blocks->chain[row * LEVELS + level], above = blocks->parent[node];
            /* Unsigned, as many names would overflow; NumPy wraps around, too. */
            uint64_t of_names = ((uint64_t)name[node] + 1) * (uint64_t)names + (uint64_t)tag[node];
            key[row] = (int64_t)(of_names * (uint64_t)names + (uint64_t)(above >= 0 ? tag[above] : 0));
            place[row] = (int32_t)row;
        }
        sort_places(key, place, spare, rows);
        for (Py_ssize_t from = 0, to; from < rows; from = to) {
            double words = 0.0, links = 0.0, squares = 0.0, longs = 0.0;
            for (to = from; to < rows && key[place[to]] == key[place[from]]; to++) {
                int32_t row = place[to];
                words += blocks->words[row], links += blocks->links[row], longs += blocks->longs[row];
                squares += blocks->words[row] * blocks->words[row];
            }
            double size = (double)(to - from), mean = words / size, square = mean * mean;
            double spread = sqrt(at_least(squares / size - square, 0.0)) / at_least(mean, 1e-9);
            for (Py_ssize_t one = from; one < to; one++) {
                int32_t row = place[one];
                count[row] = size, size_log[row] = mean;
                others[row] = links / at_least(mean * size, 1e-9);
                others[rows + row] = longs / size;
                others[2 * rows + row] = at_most(spread, 3.0);
            }
        }
    }
    return 1;
}

/* Write the measures of the subtrees of ancestors: four that are logarithms, then three, for each level. */
static int write_ancestors(Taken *taken, const Blocks *blocks, const double *commas, double *logs, double *others)
{
    Py_ssize_t rows = blocks->rows;
    const double *words = sums_of(taken, blocks->words, rows), *links = sums_of(taken, blocks->links, rows);
    const double *longs = sums_of(taken, blocks->longs, rows), *comma = sums_of(taken, commas, rows);
    if (!words || !links || !longs || !comma)
        return 0;
    for (int level = 0; level < STAT_LEVELS; level++, logs += 4 * rows, others += 3 * rows)
        for (Py_ssize_t row = 0; row < rows; row++) {
            int32_t node = blocks->chain[row * LEVELS + level];
            double size = WITHIN(words, blocks, node), amount = at_least(size, 1e-9), in_long = WITHIN(longs, blocks, node);
            double count = at_least((double)(blocks->last[node] - blocks->first[node]), 1.0);
            logs[row] = size;
            logs[rows + row] = in_long;
            logs[2 * rows + row] = size / count;
            logs[3 * rows + row] = 100 * WITHIN(comma, blocks, node) / at_least(amount, 1.0);
            others[row] = WITHIN(links, blocks, node) / amount;
            others[rows + row] = size / at_least(blocks->total, 1.0);
            others[2 * rows + row] = in_long / count;
        }
    return 1;
}

/* Write what depends on the position of a row: two that are logarithms, then nine. */
static void write_positions(const Blocks *blocks, const int32_t *depth, const uint8_t *heading, const double *title,
                            double *logs, double *others)
{
    Py_ssize_t rows = blocks->rows, best = -1;
    double before = 0.0, last = 0.0, ended = 0.0, highest = 0.2;
    for (Py_ssize_t row = 0; row < rows; row++)
        if (title[row] > highest)
            best = row, highest = title[row];
    for (Py_ssize_t row = 0; row < rows; before += blocks->words[row], row++) {
        if (heading[row])
            last = before + blocks->words[row];
        if (row == best)
            ended = before + blocks->words[row];
        logs[row] = best >= 0 && row > best ? at_least(before - ended, 0.0) : 0.0;
        logs[rows + row] = at_least(before - last, 0.0);
        double values[] = {
            heading[row],
            depth[blocks->node[row]] / 10.0,
            (double)row / (double)(rows > 1 ? rows : 1),
            before / at_least(blocks->total, 1.0),
            row < 3,
            row >= rows - 3,
            row == best ? title[row] : 0.0,
            best >= 0 && row > best,
            row < best,
        };
        for (int one = 0; one < 9; one++)
            others[one * rows + row] = values[one];
    }
}

/* Write which of some tags the node of a row has, and which it is inside of. */
static int write_tags(Taken *taken, const Blocks *blocks, const int32_t *tag, const int32_t *own, int owns,
                      const uint64_t *bits, int insides, double *flags)
{
    Py_ssize_t rows = blocks->rows;
    uint64_t *above = zeros(taken, blocks->nodes, sizeof(uint64_t));
    if (!above)
        return 0;
    for (Py_ssize_t node = 0; node < blocks->nodes; node++)
        above[node] = bits[tag[node]] | (blocks->parent[node] >= 0 ? above[blocks->parent[node]] : 0);
    for (Py_ssize_t row = 0; row < rows; row++) {
        int32_t node = blocks->node[row];
        for (int one = 0; one < owns; one++)
            flags[one * rows + row] = own[one] == tag[node];
        for (int one = 0; one < insides; one++)
            flags[(owns + one) * rows + row] = (double)(above[node] >> one & 1);
    }
    return 1;
}

const char structure_doc[] =
    "structure(*blocks, tag, own, bits, class, depth, heading, title, commas, insides, result): see "
    "features/structure.py.";

PyObject *structure(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken;
    Blocks blocks;
    Py_ssize_t owns, names;
    (void)module;
    if (!begin(&taken, &args, given, 10, &blocks))
        return NULL;
    const int32_t *own = take(&taken, args[1], 4, -1, 0, &owns), *tag, *name, *depth;
    const uint64_t *bits = own ? take(&taken, args[2], 8, -1, 0, &names) : NULL;
    const uint8_t *heading;
    const double *title, *commas;
    Py_ssize_t insides = PyLong_AsSsize_t(args[8]), rows = blocks.rows;
    if (!bits || PyErr_Occurred() || insides < 0 || insides > 64 || owns > 64)
        return failed(&taken, "there are other tags");
    Py_ssize_t logs = 2 + 4 * STAT_LEVELS + TEMPLATE_LEVELS, others = 9 + 3 * STAT_LEVELS + 3 * TEMPLATE_LEVELS;
    double *result;
    if (!(tag = take_indices(&taken, args[0], blocks.nodes, 0, names)) ||
        !(name = take_indices(&taken, args[3], blocks.nodes, -1, INT32_MAX)) ||
        !(depth = take(&taken, args[4], 4, blocks.nodes, 0, NULL)) ||
        !(heading = take(&taken, args[5], 1, rows, 0, NULL)) || !(title = take(&taken, args[6], 8, rows, 0, NULL)) ||
        !(commas = take(&taken, args[7], 8, rows, 0, NULL)) ||
        !(result = take(&taken, args[9], 8, (TEMPLATE_LEVELS + logs + others + owns + insides) * rows, 1, NULL)))
        return failed(&taken, "");
    double *log = result + TEMPLATE_LEVELS * rows, *other = log + logs * rows;
    write_positions(&blocks, depth, heading, title, log, other);
    log += 2 * rows, other += 9 * rows;
    if (!write_ancestors(&taken, &blocks, commas, log, other) ||
        !write_templates(&taken, &blocks, tag, name, names, result, log + 4 * STAT_LEVELS * rows,
                         other + 3 * STAT_LEVELS * rows) ||
        !write_tags(&taken, &blocks, tag, own, (int)owns, bits, (int)insides,
                    other + 3 * (STAT_LEVELS + TEMPLATE_LEVELS) * rows))
        return failed(&taken, "");
    return done(&taken);
}

/* -- regions ---------------------------------------------------------------------------------------------------- */

enum { REGIONS = 5 };
/* Limits, stated in features/regions.py: words of a region, weight of its links, cost of a block, words of a vote, words
 * that are another vote, most of these, and levels to the highest score. */
enum { LEAST_WORDS, LINK_WEIGHT, BLOCK_COST, VOTE_WORDS, WORDS_A_VOTE, MOST_VOTES, FURTHEST, LIMITS };

/* Return the scores of nodes after Readability, and write the highest of them. */
static double *readability(Taken *taken, const Blocks *blocks, const double *commas, const double *limit, double *highest)
{
    double *score = zeros(taken, blocks->nodes, sizeof(double)), share = 1.0;
    const double *words = sums_of(taken, blocks->words, blocks->rows);
    const double *links = sums_of(taken, blocks->links, blocks->rows);
    if (!score || !words || !links)
        return NULL;
    for (int level = 1; level <= 2; level++, share = 0.5)
        for (Py_ssize_t row = 0; row < blocks->rows; row++)
            if (blocks->words[row] >= limit[VOTE_WORDS]) {
                double vote = 1 + commas[row] + at_most(blocks->words[row] / limit[WORDS_A_VOTE], limit[MOST_VOTES]);
                score[blocks->chain[row * LEVELS + level]] += vote * share;
            }
    *highest = 0.0;
    for (Py_ssize_t node = 0; node < blocks->nodes; node++) {
        double linked = WITHIN(links, blocks, node) / at_least(WITHIN(words, blocks, node), 1e-9);
        score[node] *= at_most(at_least(1 - linked, 0.0), 1.0);
        *highest = at_least(*highest, score[node]);
    }
    return score;
}

/* Write the levels from each row up to the first ancestor that contains a node. */
static int write_distance(Taken *taken, const Blocks *blocks, Py_ssize_t node, double furthest, double *distance)
{
    uint8_t *holds = zeros(taken, blocks->nodes, 1);
    if (!holds)
        return 0;
    for (Py_ssize_t above = node; above >= 0; above = blocks->parent[above])
        holds[above] = 1;
    for (Py_ssize_t below = node + 1; node >= 0 && below < blocks->nodes; below++) {
        holds[below] |= blocks->parent[below] >= node && holds[blocks->parent[below]];
    }
    for (Py_ssize_t row = 0; row < blocks->rows; row++) {
        int levels = 0;
        for (Py_ssize_t above = blocks->node[row]; levels < furthest && (above < 0 || !holds[above]); levels++)
            above = above < 0 ? above : blocks->parent[above];
        distance[row] = levels;
    }
    return 1;
}

/* Write whether each row is in a region, its share of the page, blocks to it (negative before it), and 1. */
static void write_region(const Blocks *blocks, Py_ssize_t node, double words, double *distance, double *others)
{
    Py_ssize_t rows = blocks->rows;
    for (Py_ssize_t row = 0; row < rows; row++) {
        int64_t first = node < 0 ? row : blocks->first[node], last = node < 0 ? row : blocks->last[node];
        int inside = row >= first && row < last;
        distance[row] = (double)(node < 0 ? 0 : row >= last ? row - last + 1 : row < first ? row - first : 0);
        others[row] = inside;
        others[REGIONS * rows + row] = inside ? words / at_least(blocks->total, 1.0) : 0.0;
        others[2 * REGIONS * rows + row] = node >= 0;
    }
}

const char regions_doc[] = "regions(*blocks, text, marks, commas, limits, result): see features/regions.py.";

PyObject *regions(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken;
    Blocks blocks;
    const int32_t *text;
    const uint8_t *marks;
    const double *commas, *limit, *words, *sums;
    double *result, *quality, *score, highest, dense = 0.0;
    (void)module;
    if (!begin(&taken, &args, given, 5, &blocks))
        return NULL;
    Py_ssize_t rows = blocks.rows, start, end, region[REGIONS] = {-1, -1, -1, -1, -1};
    if (!(text = take(&taken, args[0], 4, blocks.nodes, 0, NULL)) ||
        !(marks = take(&taken, args[1], 1, blocks.nodes, 0, NULL)) ||
        !(commas = take(&taken, args[2], 8, rows, 0, NULL)) ||
        !(limit = take(&taken, args[3], 8, LIMITS, 0, NULL)) ||
        !(result = take(&taken, args[4], 8, (4 * REGIONS + 4) * rows, 1, NULL)) ||
        !(quality = zeros(&taken, rows, sizeof(double))) || !(words = sums_of(&taken, blocks.words, rows)) ||
        !(score = readability(&taken, &blocks, commas, limit, &highest)))
        return failed(&taken, "");
    for (Py_ssize_t row = 0; row < rows; row++)
        quality[row] = blocks.words[row] * (1 - limit[LINK_WEIGHT] * blocks.density[row]) - limit[BLOCK_COST];
    if (!(sums = sums_of(&taken, quality, rows)))
        return failed(&taken, "");
    double best = 0.0, largest[REGIONS] = {0};
    for (Py_ssize_t node = 0; node < blocks.nodes; node++) {
        double size = WITHIN(words, &blocks, node), value = WITHIN(sums, &blocks, node);
        if (score[node] > best)
            best = score[node], region[0] = node;
        if (text[node] < 0 && value > dense)
            dense = value, region[1] = node;
        for (int one = 2; one < REGIONS; one++)
            if (marks[node] >> (one - 2) & 1 && size >= limit[LEAST_WORDS] && size > largest[one])
                largest[one] = size, region[one] = node;
    }
    double *other = result + REGIONS * rows, *rest = other + 3 * REGIONS * rows, held = 0.0;
    for (int one = 0; one < REGIONS; one++)
        write_region(&blocks, region[one], region[one] < 0 ? 0.0 : WITHIN(words, &blocks, region[one]),
                     result + one * rows, other + one * rows);
    find_stretch(sums, rows, &start, &end);
    for (Py_ssize_t row = start; row < end; row++)
        held += blocks.words[row];
    for (Py_ssize_t row = 0; row < rows; row++) {
        rest[row] = row >= start && row < end;
        rest[rows + row] = row >= start && row < end ? held / at_least(blocks.total, 1.0) : 0.0;
        rest[2 * rows + row] = score[blocks.chain[row * LEVELS + 1]] / at_least(highest, 1e-9);
    }
    if (!write_distance(&taken, &blocks, region[0], limit[FURTHEST], rest + 3 * rows))
        return failed(&taken, "");
    return done(&taken);
}

/* -- neighbours ------------------------------------------------------------------------------------------------- */

enum { SHIFTED = 6 };

/* Write the sums over some rows around each: one that is a logarithm, then five. */
static void write_window(const Blocks *blocks, double *const *sums, Py_ssize_t width, double *log, double *others)
{
    Py_ssize_t rows = blocks->rows;
    for (Py_ssize_t row = 0; row < rows; row++) {
        Py_ssize_t low = row > width ? row - width : 0, high = row + width + 1 < rows ? row + width + 1 : rows;
        double part[4], size = (double)(high - low);
        for (int one = 0; one < 4; one++)
            part[one] = sums[one][high] - sums[one][low];
        log[row] = part[0] / size;
        others[row] = part[1] / at_least(part[0], 1e-9);
        others[rows + row] = part[2] / size;
        others[2 * rows + row] = part[3] / at_least(part[0], 1e-9);
        others[3 * rows + row] = (sums[2][row + 1] - sums[2][low] - blocks->longs[row]) / (double)width;
        others[4 * rows + row] = (sums[2][high] - sums[2][row] - blocks->longs[row]) / (double)width;
    }
}

const char neighbours_doc[] = "neighbours(*blocks, tag, class, steps, windows, *shifted, result): see features/neighbours.py.";

PyObject *neighbours(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken;
    Blocks blocks;
    const int32_t *tag, *name;
    const int64_t *steps, *widths;
    Py_ssize_t step_count, windows;
    const double *shifted[SHIFTED];
    double *result, *closed, *sums[4];
    (void)module;
    if (!begin(&taken, &args, given, 5 + SHIFTED, &blocks))
        return NULL;
    Py_ssize_t rows = blocks.rows;
    for (int one = 0; one < SHIFTED; one++)
        if (!(shifted[one] = take(&taken, args[4 + one], 8, rows, 0, NULL)))
            return failed(&taken, "");
    if (!(tag = take(&taken, args[0], 4, blocks.nodes, 0, NULL)) ||
        !(name = take(&taken, args[1], 4, blocks.nodes, 0, NULL)) ||
        !(steps = take(&taken, args[2], 8, -1, 0, &step_count)) ||
        !(widths = take(&taken, args[3], 8, -1, 0, &windows)) ||
        !(result = take(&taken, args[4 + SHIFTED], 8, (windows * 6 + 2 + step_count * SHIFTED) * rows, 1, NULL)) ||
        !(closed = zeros(&taken, rows, sizeof(double))))
        return failed(&taken, "");
    for (Py_ssize_t one = 0; one < windows; one++)
        if (widths[one] < 1 || widths[one] > INT32_MAX)
            return failed(&taken, "a window has another size");
    for (Py_ssize_t one = 0; one < step_count; one++)
        if (steps[one] < -INT32_MAX || steps[one] > INT32_MAX)
            return failed(&taken, "a step is too long");
    for (Py_ssize_t row = 0; row < rows; row++) /* shifted[2]: whether the row ends a sentence */
        closed[row] = shifted[2][row] * (blocks.words[row] - blocks.links[row]);
    const double *summed[] = {blocks.words, blocks.links, blocks.longs, closed};
    for (int one = 0; one < 4; one++)
        if (!(sums[one] = sums_of(&taken, summed[one], rows)))
            return failed(&taken, "");
    for (Py_ssize_t one = 0; one < windows; one++)
        write_window(&blocks, sums, (Py_ssize_t)widths[one], result + one * rows, result + (windows + 5 * one) * rows);
    double *alike = result + windows * 6 * rows, *to = alike + 2 * rows;
    for (Py_ssize_t row = 0; row < rows; row++) {
        int32_t node = blocks.node[row], other = row + 1 < rows ? blocks.node[row + 1] : node;
        int32_t above = blocks.chain[row * LEVELS + 1];
        int same = row + 1 < rows && name[node] == name[other] && tag[node] == tag[other] &&
                   tag[above] == tag[blocks.chain[(row + 1) * LEVELS + 1]];
        alike[rows + row] = same;
        if (row + 1 < rows)
            alike[row + 1] = same;
    }
    if (rows)
        alike[0] = 0.0;
    for (Py_ssize_t step = 0; step < step_count; step++)
        for (int one = 0; one < SHIFTED; one++, to += rows)
            for (Py_ssize_t row = 0; row < rows; row++)
                to[row] = row + steps[step] >= 0 && row + steps[step] < rows ? shifted[one][row + steps[step]] : 0.0;
    return done(&taken);
}

/* -- names ------------------------------------------------------------------------------------------------------ */

const char families_doc[] = "families(*blocks, bits, result): see features/class_names.py.";

PyObject *families(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken;
    Blocks blocks;
    Py_ssize_t cells;
    const uint64_t *bits;
    uint64_t *above;
    double *result;
    (void)module;
    if (!begin(&taken, &args, given, 2, &blocks))
        return NULL;
    Py_ssize_t rows = blocks.rows;
    if (!(bits = take(&taken, args[0], 8, blocks.nodes, 0, NULL)) || !(result = take(&taken, args[1], 8, -1, 1, &cells)) ||
        !(above = zeros(&taken, blocks.nodes, sizeof(uint64_t))))
        return failed(&taken, "");
    Py_ssize_t families = rows ? cells / 3 / rows : 0;
    if (families > 64 || cells != 3 * families * rows)
        return failed(&taken, "the result has other rows");
    for (Py_ssize_t node = 0; node < blocks.nodes; node++)
        above[node] = bits[node] | (blocks.parent[node] >= 0 ? above[blocks.parent[node]] : 0);
    for (Py_ssize_t row = 0; row < rows; row++) {
        const int32_t *chain = blocks.chain + row * LEVELS;
        uint64_t found[3] = {bits[chain[0]] | bits[chain[1]], 0, above[blocks.node[row]]};
        for (int level = 2; level < LEVELS; level++)
            found[1] |= bits[chain[level]];
        for (Py_ssize_t one = 0; one < 3 * families; one++)
            result[one * rows + row] = (double)(found[one / families] >> one % families & 1);
    }
    return done(&taken);
}

/* -- links ------------------------------------------------------------------------------------------------------ */

const char links_doc[] = "links(*blocks, is_link, leaves, leaf_row, result): see features/links.py.";

PyObject *links(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken;
    Blocks blocks;
    Py_ssize_t count;
    const uint8_t *is_link;
    const int32_t *leaves, *leaf_row;
    int32_t *link;
    double *result;
    (void)module;
    if (!begin(&taken, &args, given, 4, &blocks))
        return NULL;
    Py_ssize_t rows = blocks.rows;
    if (!(is_link = take(&taken, args[0], 1, blocks.nodes, 0, NULL)) || !take(&taken, args[1], 4, -1, 0, &count) ||
        !(leaves = take_indices(&taken, args[1], count, 0, blocks.nodes)) ||
        !(leaf_row = take_indices(&taken, args[2], count, -1, rows)) ||
        !(result = take(&taken, args[3], 8, 5 * rows, 1, NULL)) ||
        !(link = zeros(&taken, blocks.nodes, sizeof(int32_t))))
        return failed(&taken, "");
    for (Py_ssize_t node = 0; node < blocks.nodes; node++)
        link[node] = is_link[node] ? (int32_t)node : blocks.parent[node] < 0 ? -1 : link[blocks.parent[node]];
    double *number = result, *free_words = result + rows, *density = result + 2 * rows;
    for (Py_ssize_t row = 0; row < rows; row++)
        number[row] = 0.0;
    for (Py_ssize_t leaf = 0; leaf < count; leaf++)
        if (leaf_row[leaf] >= 0 && link[leaves[leaf]] >= 0)
            number[leaf_row[leaf]] += !leaf || link[leaves[leaf]] != link[leaves[leaf - 1]];
    for (Py_ssize_t row = 0; row < rows; row++) {
        free_words[row] = blocks.words[row] - blocks.links[row];
        density[row] = blocks.density[row];
        density[rows + row] = link[blocks.node[row]] >= 0;
        density[2 * rows + row] = number[row] / at_least(blocks.words[row], 1);
    }
    return done(&taken);
}

/* -- sections --------------------------------------------------------------------------------------------------- */

/* Add 1 at the first row after a label inside the smallest element that contains clearly more than the label, and -1 after
 * the last one: the sums over the rows are the number of labels that each is below. */
static void mark_below(const Blocks *blocks, const double *sums, Py_ssize_t label, const double *limits, double *below)
{
    double own = blocks->words[label], enough = at_least(limits[0] * own, own + limits[1]);
    for (Py_ssize_t node = blocks->node[label]; node >= 0; node = blocks->parent[node]) {
        int64_t first = blocks->first[node], last = blocks->last[node];
        if (sums[last] - sums[first > label ? first : label] > enough) {
            if (label + 1 < last) {
                below[label + 1] += 1.0;
                if (last < blocks->rows)
                    below[last] -= 1.0;
            }
            return;
        }
    }
}

const char sections_doc[] =
    "sections(*blocks, bits, families, limits, has_name, forum, result): see features/sections.py.";

PyObject *sections(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken;
    Blocks blocks;
    const uint64_t *bits;
    const uint8_t *named;
    const double *limits, *sums;
    uint8_t *inside;
    double *result;
    (void)module;
    if (!begin(&taken, &args, given, 6, &blocks))
        return NULL;
    Py_ssize_t rows = blocks.rows, count = PyLong_AsSsize_t(args[1]), comment = PyLong_AsSsize_t(args[4]);
    if (PyErr_Occurred() || count < 1 || count > 60 || comment < 0 || comment > 1)
        return failed(&taken, "there are other families");
    if (!(bits = take(&taken, args[0], 8, rows, 0, NULL)) || !(limits = take(&taken, args[2], 8, 4, 0, NULL)) ||
        !(named = take(&taken, args[3], 1, blocks.nodes, 0, NULL)) ||
        !(result = take(&taken, args[5], 8, (2 * count + 11) * rows, 1, NULL)) ||
        !(sums = sums_of(&taken, blocks.words, rows)) || !(inside = zeros(&taken, blocks.nodes, 1)))
        return failed(&taken, "");
    for (Py_ssize_t node = 0; node < blocks.nodes; node++)
        inside[node] = named[node] || (blocks.parent[node] >= 0 && inside[blocks.parent[node]]);
    double *since = result, *posts = result + rows, *says = result + 2 * rows, *below = says + count * rows;
    double *says_post = below + count * rows, *any = says_post + rows, *rest = any + rows;
    double before = 0.0, last = -1.0, labels = 0.0, in_names = 0.0;
    for (Py_ssize_t row = 0; row < rows; before += blocks.words[row], row++) {
        for (Py_ssize_t one = 0; one < count; one++)
            says[one * rows + row] = (double)(bits[row] >> one & 1), below[one * rows + row] = 0.0;
        says_post[row] = (double)(bits[row] >> count & 1);
        any[row] = 0.0;
        if (bits[row] & (((uint64_t)1 << count) - 1))
            last = before + blocks.words[row];
        since[row] = last >= 0 ? at_least(before - last, 0.0) : 0.0;
        labels += says_post[row];
        in_names += inside[blocks.node[row]] ? blocks.words[row] : 0.0;
    }
    for (Py_ssize_t one = 0; one < count; one++) {
        for (Py_ssize_t row = 0; row < rows; row++)
            if (says[one * rows + row] > 0)
                mark_below(&blocks, sums, row, limits, below + one * rows);
        double labels_above = 0.0;
        for (Py_ssize_t row = 0; row < rows; row++) {
            labels_above += below[one * rows + row];
            below[one * rows + row] = (double)(labels_above > 0);
        }
    }
    double share = in_names / at_least(blocks.total, 1e-9);
    double forum = ((double)comment + (double)(share > limits[2]) + (double)(labels >= limits[3])) / 3;
    for (Py_ssize_t row = 0; row < rows; row++) {
        for (Py_ssize_t one = 0; one < count; one++)
            any[row] = at_least(any[row], below[one * rows + row]);
        posts[row] = labels;
        double values[] = {
            (double)comment, share, forum, forum * blocks.longs[row], forum * (blocks.links[row] == 0), forum * below[row],
            forum * inside[blocks.node[row]],
        };
        for (int one = 0; one < 7; one++)
            rest[one * rows + row] = values[one];
    }
    return done(&taken);
}

/* -- words of dates ---------------------------------------------------------------------------------------------- */

enum { LONGEST_KEY = 16, LETTERS = 26 };

/* Words in ascending order, each filled up with zeros, and which two letters any of them starts with. */
typedef struct {
    const char *word;
    Py_ssize_t count;
    char begins[LETTERS][LETTERS];
} Words;

/* The place of a letter in any case in the alphabet; others are in none. */
static int place_of(char letter)
{
    int place = (letter | 0x20) - 'a';
    return letter > 0 && place >= 0 && place < LETTERS ? place : -1;
}

static int take_words(Taken *taken, PyObject *object, Words *known)
{
    if (!(known->word = take(taken, object, 1, -1, 0, &known->count)))
        return 0;
    known->count /= LONGEST_KEY;
    memset(known->begins, 0, sizeof known->begins);
    for (Py_ssize_t number = 0; number < known->count; number++) {
        int first = place_of(known->word[number * LONGEST_KEY]), second = place_of(known->word[number * LONGEST_KEY + 1]);
        if (first < 0 || second < 0) {
            PyErr_SetString(PyExc_ValueError, "each word must start with two letters");
            return 0;
        }
        known->begins[first][second] = 1;
    }
    return 1;
}

/* Whether an ASCII word has a digit, or is one of the known words in any case, with or without marks behind it. */
static int is_of_dates(const char *word, Py_ssize_t length, const Words *known)
{
    char key[LONGEST_KEY] = {0};
    Py_ssize_t low = 0, high = known->count;
    for (Py_ssize_t letter = 0; letter < length; letter++)
        if (word[letter] >= '0' && word[letter] <= '9')
            return 1;
    while (length && memchr(".,:;", word[length - 1], 4))
        length--;
    int first = length > 1 ? place_of(word[0]) : -1, second = length > 1 ? place_of(word[1]) : -1;
    if (first < 0 || second < 0 || !known->begins[first][second] || length > LONGEST_KEY || memchr(word, 0, (size_t)length))
        return 0;
    for (Py_ssize_t letter = 0; letter < length; letter++)
        key[letter] = word[letter] >= 'A' && word[letter] <= 'Z' ? word[letter] | 0x20 : word[letter];
    while (low < high) {
        Py_ssize_t middle = (low + high) / 2;
        int order = memcmp(key, known->word + middle * LONGEST_KEY, LONGEST_KEY);
        if (!order)
            return 1;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

const char date_words_doc[] =
    "date_words(texts, most, known, others, counts): count the first words of each text, and those of dates.\n\n"
    "Texts is a list of tuples of words; known has 16 bytes a word, in ascending order, and decides about words in\n"
    "ASCII, the function others about the rest; counts is int64 (2, texts).";

PyObject *date_words(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t most, texts;
    Words known;
    int64_t *counts;
    (void)module;
    if (!are(given, 5))
        return NULL;
    most = PyLong_AsSsize_t(args[1]);
    if (PyErr_Occurred() || !PyList_Check(args[0]))
        return failed(&taken, "texts must be a list");
    texts = PyList_Size(args[0]);
    if (!take_words(&taken, args[2], &known) || !(counts = take(&taken, args[4], 8, 2 * texts, 1, NULL)))
        return failed(&taken, "");
    for (Py_ssize_t text = 0; text < texts; text++) {
        /* The function may run any code, which may change the list: the words of a text are held. */
        PyObject *words = PyList_GetItem(args[0], text);
        if (!words || !PyTuple_Check(words))
            return failed(&taken, "a text must be a tuple of words");
        Py_INCREF(words);
        Py_ssize_t number = 0;
        counts[texts + text] = 0;
        for (; number < PyTuple_Size(words) && number < most; number++) {
            PyObject *word = PyTuple_GetItem(words, number);
            Py_ssize_t size;
            const char *written = PyUnicode_Check(word) ? PyUnicode_AsUTF8AndSize(word, &size) : NULL;
            PyErr_Clear();
            long found = -1;
            if (written && size == PyUnicode_GetLength(word)) {
                found = is_of_dates(written, size, &known);
            } else {
                PyObject *answer = PyObject_CallFunctionObjArgs(args[3], word, NULL);
                found = answer ? PyLong_AsLong(answer) : -1;
                Py_XDECREF(answer);
            }
            if (PyErr_Occurred()) {
                Py_DECREF(words);
                return failed(&taken, "");
            }
            counts[texts + text] += found;
        }
        counts[text] = number;
        Py_DECREF(words);
    }
    return done(&taken);
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
