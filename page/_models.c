/* What the models of classify/ compute from the columns of blocks, in one pass each; the references in NumPy are next to
 * their calls. The rules of _flat.c and _blocks.c apply: exponentials and logarithms are left to NumPy.
 */
#include "_blocks.h"

/* -- the input of a model --------------------------------------------------------------------------------------- */

/* One column: its first value, and the number of values from one row to the next. */
typedef struct {
    const double *at;
    Py_ssize_t step;
} Column;

/* The columns of some parts, and the buffers behind them. */
typedef struct {
    Py_buffer *view;
    Column *column;
    Py_ssize_t views, columns, rows, most;
} Parts;

static void release_parts(Parts *parts)
{
    while (parts->views)
        PyBuffer_Release(&parts->view[--parts->views]);
    free(parts->view);
    free(parts->column);
}

/* Add the columns of an array, float64 (rows,) or (rows, columns); 0 with an exception if it is none. */
static int add_part(Parts *parts, PyObject *object)
{
    Py_buffer *view = &parts->view[parts->views];
    if (PyObject_GetBuffer(object, view, PyBUF_STRIDED_RO) < 0)
        return 0;
    parts->views++;
    Py_ssize_t columns = view->ndim == 2 ? view->shape[1] : 1;
    Py_ssize_t down = view->ndim ? view->strides[0] : 0, across = view->ndim == 2 ? view->strides[1] : 0;
    if (view->itemsize != 8 || view->ndim < 1 || view->ndim > 2 || down % 8 || across % 8 ||
        view->shape[0] != parts->rows || columns > parts->most - parts->columns) {
        PyErr_SetString(PyExc_ValueError, "a part has another type, or other rows or columns");
        return 0;
    }
    for (Py_ssize_t column = 0; column < columns; column++)
        parts->column[parts->columns++] = (Column){(const double *)view->buf + column * (across / 8), down / 8};
    return 1;
}

/* Rows and columns that are scaled at once: a few pages of memory, and whole cache lines of the result. */
enum { TILE_ROWS = 32, TILE_COLUMNS = 8 };

/* Scale some values of a column to mean 0 and deviation 1, clipped; NaN is replaced by 0. */
static void scale_column(const double *at, Py_ssize_t step, Py_ssize_t count, double mean, double deviation,
                         double clip, double (*tile)[TILE_COLUMNS])
{
    double value[TILE_ROWS]; /* compilers make vector instructions of loops of fixed length */
    for (Py_ssize_t row = count; row < TILE_ROWS; row++)
        value[row] = 0.0;
    for (Py_ssize_t row = 0; row < count; row++)
        value[row] = at[row * step];
    for (int row = 0; row < TILE_ROWS; row++) {
        double one = (value[row] - mean) / deviation;
        one = one > clip ? clip : one;
        one = one < -clip ? -clip : one;
        value[row] = one == one ? one : 0.0;
    }
    for (int row = 0; row < TILE_ROWS; row++)
        tile[row][0] = value[row];
}

/* Scale all columns into a matrix whose rows have `width` values. */
static void scale(const Parts *parts, const double *mean, const double *deviation, double clip, double *scaled,
                  Py_ssize_t width)
{
    double tile[TILE_ROWS][TILE_COLUMNS];
    for (Py_ssize_t first = 0; first < parts->rows; first += TILE_ROWS) {
        Py_ssize_t rows = first + TILE_ROWS < parts->rows ? TILE_ROWS : parts->rows - first;
        for (Py_ssize_t column = 0; column < parts->columns; column += TILE_COLUMNS) {
            Py_ssize_t columns = column + TILE_COLUMNS < parts->columns ? TILE_COLUMNS : parts->columns - column;
            for (Py_ssize_t next = column; next < column + columns; next++) {
                const Column from = parts->column[next];
                scale_column(from.at + first * from.step, from.step, rows, mean[next], deviation[next], clip,
                             (double (*)[TILE_COLUMNS])(tile[0] + next - column));
            }
            for (Py_ssize_t row = 0; row < rows; row++)
                memcpy(scaled + (first + row) * width + column, tile[row], (size_t)columns * sizeof(double));
        }
    }
}

const char standardise_doc[] =
    PyDoc_STR("standardise(parts, mean, deviation, clip, scaled, rows, first): write parts next to each other,\n"
              "standardised, from column first on.\n\n"
              "Parts is a list of arrays, float64 (rows,) or (rows, columns); scaled is float64 (rows, any columns).");

PyObject *standardise(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Parts parts = {0};
    Py_ssize_t count, columns, cells, first, width;
    const double *mean, *deviation;
    double *scaled;
    double clip;
    int done;
    (void)module;
    if (!are(given, 7))
        return NULL;
    if (!PyList_Check(args[0]))
        return failed(&taken, "parts must be a list");
    if (!(mean = take(&taken, args[1], 8, -1, 0, &columns)) ||
        !(deviation = take(&taken, args[2], 8, columns, 0, NULL)) ||
        !(scaled = take(&taken, args[4], 8, -1, 1, &cells)))
        return failed(&taken, "");
    clip = PyFloat_AsDouble(args[3]);
    parts.rows = PyLong_AsSsize_t(args[5]);
    first = PyLong_AsSsize_t(args[6]);
    if (PyErr_Occurred())
        return failed(&taken, "");
    if (columns < 1 || parts.rows < 1 || cells % parts.rows)
        return failed(&taken, "the result has other columns");
    width = cells / parts.rows;
    if (first < 0 || first > width || columns > width - first)
        return failed(&taken, "the result has fewer columns");
    parts.most = columns;
    count = PyList_Size(args[0]);
    parts.view = malloc(sizeof(Py_buffer) * ((size_t)count + 1));
    parts.column = malloc(sizeof(Column) * (size_t)columns);
    if (!parts.view || !parts.column) {
        release_parts(&parts);
        release(&taken);
        return PyErr_NoMemory();
    }
    done = 1;
    /* The size is read again: taking a buffer may run Python code, which could change the list. */
    for (Py_ssize_t part = 0; done && part < count; part++)
        done = part < PyList_Size(args[0]) && add_part(&parts, PyList_GetItem(args[0], part));
    if (done && parts.columns == columns)
        scale(&parts, mean, deviation, clip, scaled + first, width);
    else
        done = 0;
    release_parts(&parts);
    if (!done)
        return failed(&taken, "the parts have other columns");
    release(&taken);
    Py_RETURN_NONE;
}

/* -- the second stage ------------------------------------------------------------------------------------------- */

/* Write the scores some steps from each row, and the weighted means over windows around it. */
static double *write_around(const Blocks *blocks, const double *score, const double *mass, const double *size,
                            const int64_t *steps, Py_ssize_t step_count, const int64_t *windows, Py_ssize_t window_count,
                            double clip, double *to)
{
    Py_ssize_t rows = blocks->rows;
    for (Py_ssize_t one = 0; one < step_count; one++, to += rows)
        for (Py_ssize_t row = 0; row < rows; row++) {
            int64_t other = row + steps[one];
            to[row] = other >= 0 && other < rows ? score[other] : -clip;
        }
    for (Py_ssize_t one = 0; one < window_count; one++, to += rows)
        for (Py_ssize_t row = 0; row < rows; row++) {
            int64_t low = row - windows[2 * one], high = row + windows[2 * one + 1] + 1;
            low = low > 0 ? low : 0, high = high < rows ? high : rows;
            double amount = size[high] - size[low];
            to[row] = amount > 1e-9 ? (mass[high] - mass[low]) / at_least(amount, 1e-9) : -clip;
        }
    return to;
}

/* Write the mean and the positive share of each ancestor. */
static double *write_means(const Blocks *blocks, const double *mass, const double *size, const double *positive,
                           double *to)
{
    Py_ssize_t rows = blocks->rows;
    for (int level = 0; level < LEVELS; level++, to += 2 * rows)
        for (Py_ssize_t row = 0; row < rows; row++) {
            int32_t node = blocks->chain[row * LEVELS + level];
            double amount = at_least(WITHIN(size, blocks, node), 1e-9);
            to[row] = WITHIN(mass, blocks, node) / amount;
            to[rows + row] = WITHIN(positive, blocks, node) / amount;
        }
    return to;
}

/* Write the weighted mean of each template, given the number of that of each row. */
static int write_template_means(Taken *taken, const Blocks *blocks, const int64_t *group, const double *weighted,
                                const double *weight, double *to)
{
    double *sums = zeros(taken, 2 * blocks->rows, sizeof(double));
    if (!sums)
        return 0;
    for (Py_ssize_t row = 0; row < blocks->rows; row++) {
        sums[2 * group[row]] += weighted[row];
        sums[2 * group[row] + 1] += weight[row];
    }
    for (Py_ssize_t row = 0; row < blocks->rows; row++)
        to[row] = sums[2 * group[row]] / sums[2 * group[row] + 1];
    return 1;
}

/* Write whether each row is in the stretch with the largest sum, and how many rows it is behind it, negative before; then
 * the same of the element. */
static int write_places(Taken *taken, const Blocks *blocks, const double *score, const double *weight, double level,
                        double *value, double *to)
{
    Py_ssize_t rows = blocks->rows, bounds[2][2], best = 0;
    for (Py_ssize_t row = 0; row < rows; row++)
        value[row] = (score[row] - level) * weight[row];
    const double *sums = sums_of(taken, value, rows);
    if (!sums)
        return 0;
    find_stretch(sums, rows, &bounds[0][0], &bounds[0][1]);
    for (Py_ssize_t node = 1; node < blocks->nodes; node++)
        if (WITHIN(sums, blocks, node) > WITHIN(sums, blocks, best))
            best = node;
    bounds[1][0] = (Py_ssize_t)blocks->first[best], bounds[1][1] = (Py_ssize_t)blocks->last[best];
    for (int one = 0; one < 2; one++, to += 2 * rows)
        for (Py_ssize_t row = 0; row < rows; row++) {
            Py_ssize_t first = bounds[one][0], last = bounds[one][1];
            to[row] = row >= first && row < last;
            to[rows + row] = (double)((row >= last ? row - last + 1 : 0) - (row < first ? first - row : 0));
        }
    return 1;
}

const char surroundings_doc[] =
    "surroundings(*blocks, score, weight, group, steps, windows, levels, clip, result): see\n"
    "classify/model/second_stage.py.";

PyObject *surroundings(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken;
    Blocks blocks;
    const double *score, *weight, *levels, *size, *mass, *positive;
    const int64_t *group, *steps, *windows;
    double *weighted, *positives, *value, *to;
    Py_ssize_t step_count, window_cells, level_count;
    (void)module;
    if (!begin(&taken, &args, given, 8, &blocks))
        return NULL;
    Py_ssize_t rows = blocks.rows;
    double clip = PyFloat_AsDouble(args[6]);
    if (PyErr_Occurred() || rows < 1 || !(score = take(&taken, args[0], 8, rows, 0, NULL)) ||
        !(weight = take(&taken, args[1], 8, rows, 0, NULL)) || !(group = take(&taken, args[2], 8, rows, 0, NULL)) ||
        !(steps = take(&taken, args[3], 8, -1, 0, &step_count)) ||
        !(windows = take(&taken, args[4], 8, -1, 0, &window_cells)) ||
        !(levels = take(&taken, args[5], 8, -1, 0, &level_count)))
        return failed(&taken, "there are no rows");
    for (Py_ssize_t row = 0; row < rows; row++)
        if (group[row] < 0 || group[row] >= rows)
            return failed(&taken, "an index is not within its column");
    for (Py_ssize_t cell = 0; cell < window_cells; cell++)
        if (windows[cell] < -1 || windows[cell] > INT32_MAX)
            return failed(&taken, "a window has another size");
    for (Py_ssize_t one = 0; one < step_count; one++)
        if (steps[one] < -INT32_MAX || steps[one] > INT32_MAX)
            return failed(&taken, "a step is too long");
    Py_ssize_t columns = step_count + window_cells / 2 + 2 * LEVELS + 1 + 4 * level_count;
    if (window_cells % 2 || level_count > 4 || !(to = take(&taken, args[7], 8, columns * rows, 1, NULL)) ||
        !(weighted = zeros(&taken, rows, sizeof(double))) || !(positives = zeros(&taken, rows, sizeof(double))) ||
        !(value = zeros(&taken, rows, sizeof(double))))
        return failed(&taken, "there are other levels or windows");
    for (Py_ssize_t row = 0; row < rows; row++) {
        weighted[row] = score[row] * weight[row];
        positives[row] = score[row] > 0 ? weight[row] : 0.0;
    }
    if (!(mass = sums_of(&taken, weighted, rows)) || !(size = sums_of(&taken, weight, rows)) ||
        !(positive = sums_of(&taken, positives, rows)))
        return failed(&taken, "");
    to = write_around(&blocks, score, mass, size, steps, step_count, windows, window_cells / 2, clip, to);
    to = write_means(&blocks, mass, size, positive, to);
    if (!write_template_means(&taken, &blocks, group, weighted, weight, to))
        return failed(&taken, "");
    to += rows;
    for (Py_ssize_t one = 0; one < level_count; one++, to += 4 * rows)
        if (!write_places(&taken, &blocks, score, weight, levels[one], value, to))
            return failed(&taken, "");
    return done(&taken);
}

/* -- the context of roles --------------------------------------------------------------------------------------- */

const char role_context_doc[] =
    "role_context(*blocks, probability, sums, means, group, steps, levels, first, result): see\n"
    "classify/model/role_model.py.";

PyObject *role_context(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken;
    Blocks blocks;
    const double *probability, *sums, *means;
    const int64_t *group, *steps;
    double *result;
    Py_ssize_t cells, count, step_count, mean_cells;
    (void)module;
    if (!begin(&taken, &args, given, 8, &blocks))
        return NULL;
    Py_ssize_t rows = blocks.rows, levels = PyLong_AsSsize_t(args[5]), start = PyLong_AsSsize_t(args[6]);
    if (PyErr_Occurred() || !(probability = take(&taken, args[0], 8, -1, 0, &cells)))
        return failed(&taken, "");
    Py_ssize_t roles = rows ? cells / rows : 0;
    if (roles < 1 || cells != roles * rows || levels < 0 || levels >= LEVELS)
        return failed(&taken, "there are other rows or levels");
    if (!(sums = take(&taken, args[1], 8, (rows + 1) * roles, 0, NULL)) ||
        !(means = take(&taken, args[2], 8, -1, 0, &mean_cells)) ||
        !(group = take(&taken, args[3], 8, rows, 0, NULL)) || !(steps = take(&taken, args[4], 8, -1, 0, &step_count)) ||
        !(result = take(&taken, args[7], 8, -1, 1, &count)))
        return failed(&taken, "");
    Py_ssize_t width = (2 + step_count + levels) * roles, some = count / width;
    if (step_count > 8 || count != some * width || start < 0 || start > rows || some > rows - start)
        return failed(&taken, "the result has other rows");
    for (Py_ssize_t row = 0; row < rows; row++)
        if (group[row] < 0 || group[row] >= mean_cells / roles)
            return failed(&taken, "an index is not within its column");
    for (Py_ssize_t one = 0; one < step_count; one++)
        if (steps[one] < -INT32_MAX || steps[one] > INT32_MAX)
            return failed(&taken, "a step is too long");
    for (Py_ssize_t row = start; row < start + some; row++) {
        size_t bytes = (size_t)roles * sizeof(double);
        memcpy(result, probability + row * roles, bytes);
        result += roles;
        for (Py_ssize_t one = 0; one < step_count; one++, result += roles) {
            int64_t other = row + steps[one];
            if (other >= 0 && other < rows)
                memcpy(result, probability + other * roles, bytes);
            else
                memset(result, 0, bytes);
        }
        memcpy(result, means + group[row] * roles, bytes);
        result += roles;
        for (Py_ssize_t level = 1; level <= levels; level++) {
            int32_t node = blocks.chain[row * LEVELS + level];
            int64_t first = blocks.first[node], last = blocks.last[node];
            double size = (double)(last - first > 1 ? last - first : 1);
            for (Py_ssize_t role = 0; role < roles; role++)
                *result++ = (sums[last * roles + role] - sums[first * roles + role]) / size;
        }
    }
    return done(&taken);
}

/* -- candidates ------------------------------------------------------------------------------------------------- */

/* Some of the distinct sets of rows that are not empty, and the memory for the next one. */
typedef struct {
    Py_ssize_t rows, count, most;
    uint64_t *digest;
    uint8_t *set;
} Sets;

/* Keep the next set, unless it is empty or one of those before. */
static void keep_set(Sets *sets)
{
    const uint8_t *next = sets->set + sets->count * sets->rows;
    uint64_t digest = 0, some = 0;
    for (Py_ssize_t row = 0; row < sets->rows; row++) {
        some |= next[row];
        digest = (digest ^ next[row]) * 0x100000001b3u + 1;
    }
    for (Py_ssize_t one = 0; some && one < sets->count; one++)
        if (sets->digest[one] == digest && !memcmp(sets->set + one * sets->rows, next, (size_t)sets->rows))
            return;
    if (some && sets->count < sets->most)
        sets->digest[sets->count++] = digest;
}

/* Set the next set to the rows for which an expression holds, and keep it. */
#define KEEP(sets, expression) \
    do { \
        uint8_t *next = (sets)->set + (sets)->count * (sets)->rows; \
        for (Py_ssize_t row = 0; row < (sets)->rows; row++) \
            next[row] = (uint8_t)(expression); \
        keep_set(sets); \
    } while (0)

/* What is known of the rows: whether they end an article, are in it, and are outside of all series, of which the last. */
typedef struct {
    const double *score, *weight;
    const uint8_t *inside, *likely;
    uint8_t *ends, *article, *outside;
    int32_t *last;
    Py_ssize_t rows, series, title;
    double floor, invisible, half;
} Known;

static void keep_spans(Sets *sets, const Known *of, int64_t first, int64_t last)
{
    KEEP(sets, row >= first && row < last);
    KEEP(sets, row >= first && row < last && of->score[row] > of->floor);
}

/* Keep the best stretch and the best element by the scores above a level. */
static int keep_regions(Taken *taken, const Blocks *blocks, Sets *sets, const Known *of, double level)
{
    double *value = zeros(taken, of->rows, sizeof(double)), *sums;
    Py_ssize_t first, last, best = 0;
    for (Py_ssize_t row = 0; value && row < of->rows; row++)
        value[row] = (of->score[row] - level) * at_least(blocks->words[row], 0.5);
    if (!value || !(sums = sums_of(taken, value, of->rows)))
        return 0;
    find_stretch(sums, of->rows, &first, &last);
    keep_spans(sets, of, first, last);
    for (Py_ssize_t node = 1; node < blocks->nodes; node++)
        if (WITHIN(sums, blocks, node) > WITHIN(sums, blocks, best))
            best = node;
    keep_spans(sets, of, blocks->first[best], blocks->last[best]);
    return 1;
}

/* Write whether enough of each series is above a threshold. */
static void write_held(const Known *of, double threshold, uint8_t *held)
{
    for (Py_ssize_t one = 0; one < of->series; one++) {
        double above = 0.0, all = 0.0;
        for (Py_ssize_t row = 0; row < of->rows; row++) {
            above += of->inside[one * of->rows + row] && of->score[row] > threshold ? of->weight[row] : 0.0;
            all += of->likely[one * of->rows + row] ? of->weight[row] : 0.0;
        }
        held[one] = above > of->half * all;
    }
}

/* Keep the sets with each series as a whole or not at all, the series, and each with what leads to it. */
static void keep_series(Sets *sets, const Known *of, const double *thresholds, Py_ssize_t count, uint8_t *held)
{
    Py_ssize_t rows = of->rows;
    for (Py_ssize_t one = 0; one < count; one++) {
        double least = thresholds[one];
        write_held(of, least, held);
        KEEP(sets, of->outside[row] ? of->score[row] > least
                                    : held[of->last[row]] && of->likely[of->last[row] * rows + row]);
        KEEP(sets, of->score[row] > least && of->outside[row]);
    }
    for (Py_ssize_t one = 0; one < of->series; one++) {
        const uint8_t *inside = of->inside + one * rows, *likely = of->likely + one * rows;
        KEEP(sets, inside[row] && of->score[row] > of->invisible);
        KEEP(sets, likely[row]);
        KEEP(sets, likely[row] || (of->score[row] > 0 && of->outside[row]));
    }
    for (Py_ssize_t one = 0; one < of->series; one++) {
        const uint8_t *inside = of->inside + one * rows, *likely = of->likely + one * rows, *begin = memchr(inside, 1, (size_t)rows);
        Py_ssize_t first = begin ? begin - inside : 0;
        if (of->title >= 0 && of->title < first)
            KEEP(sets, likely[row] || (row > of->title && row < first && of->score[row] > of->floor));
    }
}

/* Write what is known of each row by labels, below one and one itself, and by series. */
static void write_known(Known *of, const double *labels, Py_ssize_t families, unsigned long long ends, uint8_t *is_end)
{
    Py_ssize_t rows = of->rows, open = 1;
    for (Py_ssize_t row = 0; row < rows; row++) {
        uint8_t below = 0, label = 0;
        for (Py_ssize_t one = 0; one < families; one++)
            if (ends >> one & 1) {
                below |= labels[one * rows + row] > 0;
                label |= labels[(families + one) * rows + row] > 0;
            }
        is_end[row] = label, of->ends[row] = below | label;
        of->outside[row] = 1, of->last[row] = 0;
        for (Py_ssize_t one = 0; one < of->series; one++)
            if (of->inside[one * rows + row])
                of->outside[row] = 0, of->last[row] = (int32_t)one;
    }
    for (Py_ssize_t row = of->title + 1; row < rows; row++) {
        open &= !is_end[row];
        of->article[row] = (uint8_t)open;
    }
}

const char candidates_doc[] =
    "candidates(*blocks, score, weight, labels, ends, thresholds, levels, completed, limits, inside, likely, title, result)\n"
    "-> int: write the distinct sets, and return their number; see classify/model/readings.py.";

PyObject *candidates(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken;
    Blocks blocks;
    Known of = {0};
    Sets sets = {0};
    Py_ssize_t threshold_count, level_count, completed_count, label_cells, cells;
    const double *labels, *thresholds, *levels, *completed, *limits;
    uint8_t *held, *is_end;
    (void)module;
    if (!begin(&taken, &args, given, 12, &blocks))
        return NULL;
    Py_ssize_t rows = of.rows = sets.rows = blocks.rows;
    of.title = PyLong_AsSsize_t(args[10]);
    unsigned long long ends = PyErr_Occurred() ? 0 : PyLong_AsUnsignedLongLong(args[3]);
    if (PyErr_Occurred() || rows < 1 || of.title < -1 || of.title >= rows)
        return failed(&taken, "there are other rows");
    if (!(of.score = take(&taken, args[0], 8, rows, 0, NULL)) || !(of.weight = take(&taken, args[1], 8, rows, 0, NULL)) ||
        !(labels = take(&taken, args[2], 8, -1, 0, &label_cells)) ||
        !(thresholds = take(&taken, args[4], 8, -1, 0, &threshold_count)) ||
        !(levels = take(&taken, args[5], 8, -1, 0, &level_count)) ||
        !(completed = take(&taken, args[6], 8, -1, 0, &completed_count)) ||
        !(limits = take(&taken, args[7], 8, 3, 0, NULL)) || !(of.inside = take(&taken, args[8], 1, -1, 0, &of.series)) ||
        !(of.likely = take(&taken, args[9], 1, of.series, 0, NULL)) || !(sets.set = take(&taken, args[11], 1, -1, 1, &cells)))
        return failed(&taken, "");
    of.series /= rows, of.floor = limits[0], of.invisible = limits[1], of.half = limits[2];
    sets.most = 3 * (threshold_count + 4 * level_count) + 1 + 2 * completed_count + 4 * of.series;
    Py_ssize_t families = label_cells / rows / 2;
    if (level_count > 4 || cells != (sets.most + 1) * rows /* the last one is memory */ || families > 60 ||
        label_cells != 2 * families * rows || ends >> families)
        return failed(&taken, "there are other levels, labels or sets");
    if (!(of.ends = zeros(&taken, rows, 1)) || !(of.article = zeros(&taken, rows, 1)) ||
        !(of.outside = zeros(&taken, rows, 1)) || !(of.last = zeros(&taken, rows, sizeof(int32_t))) ||
        !(held = zeros(&taken, of.series, 1)) || !(is_end = zeros(&taken, rows, 1)) ||
        !(sets.digest = zeros(&taken, sets.most, sizeof(uint64_t))))
        return failed(&taken, "");
    write_known(&of, labels, families, ends, is_end);
    for (Py_ssize_t one = 0; one < threshold_count; one++)
        KEEP(&sets, of.score[row] > thresholds[one]);
    for (Py_ssize_t one = 0; one < level_count; one++)
        if (!keep_regions(&taken, &blocks, &sets, &of, levels[one]))
            return failed(&taken, "");
    Py_ssize_t base = sets.count;
    KEEP(&sets, of.article[row] && of.score[row] > of.floor);
    for (Py_ssize_t one = 0; one < base; one++) {
        const uint8_t *set = sets.set + one * rows;
        KEEP(&sets, set[row] && of.article[row]);
        KEEP(&sets, set[row] && !of.ends[row]);
    }
    keep_series(&sets, &of, completed, completed_count, held);
    release(&taken);
    return PyLong_FromSsize_t(sets.count);
}

/* -- readings --------------------------------------------------------------------------------------------------- */

/* What is summed over the rows of a reading: these columns, then one for each probability, label, role and series. */
enum {
    WORDS, SEEN, GAIN, SEEN_GAIN, SEEN_LIKELY, LINKED, IN_LONG, LIKELY_LONG, BASE, SEEN_BASE, BEFORE, IN_SERIES,
    LIKELY_IN_SERIES, SUMMED
};

/* A page's rows and what their readings are measured by. */
typedef struct {
    Py_ssize_t rows, probabilities, labels, roles, all_roles, series, title;
    const double *weight, *linked, *longs, *gain, *base, *probable, *label, *role;
    const int32_t *role_of;
    const uint8_t *inside;
} Readings;

static Py_ssize_t summed_columns(const Readings *of)
{
    return SUMMED + of->probabilities + of->labels + of->roles + of->series;
}

/* Write the columns that are summed, those of each row next to each other. */
static void write_summed(const Readings *of, double *to)
{
    for (Py_ssize_t row = 0; row < of->rows; row++) {
        double weight = of->weight[row], seen = weight > 0, likely = of->probable[row];
        double most = 0.0, in_long = weight * (of->longs[row] * seen);
        double *next = to + SUMMED;
        to[WORDS] = weight, to[SEEN] = seen;
        to[GAIN] = weight * of->gain[row], to[SEEN_GAIN] = seen * of->gain[row];
        to[SEEN_LIKELY] = seen * likely, to[LINKED] = of->linked[row] * seen;
        to[IN_LONG] = in_long, to[LIKELY_LONG] = in_long * likely;
        to[BASE] = weight * of->base[row], to[SEEN_BASE] = seen * of->base[row];
        to[BEFORE] = row < of->title ? weight : 0.0;
        for (Py_ssize_t one = 0; one < of->probabilities; one++)
            *next++ = weight * of->probable[one * of->rows + row];
        for (Py_ssize_t one = 0; one < of->labels; one++)
            *next++ = weight * of->label[one * of->rows + row];
        for (Py_ssize_t one = 0; one < of->roles; one++)
            *next++ = weight * of->role[row * of->all_roles + of->role_of[one]];
        for (Py_ssize_t one = 0; one < of->series; one++) {
            *next = of->inside[one * of->rows + row] ? weight : 0.0;
            most = at_least(most, *next++);
        }
        to[IN_SERIES] = most, to[LIKELY_IN_SERIES] = most * likely;
        to = next;
    }
}

/* Sum the columns over the rows of a set, all rows without one, in their order. */
static void sum_rows(const double *summed, Py_ssize_t columns, const uint8_t *set, Py_ssize_t rows, double *sums)
{
    for (Py_ssize_t column = 0; column < columns; column++)
        sums[column] = 0.0;
    for (Py_ssize_t row = 0; row < rows; row++, summed += columns)
        if (!set || set[row])
            for (Py_ssize_t column = 0; column < columns; column++)
                sums[column] += summed[column];
}

/* Write the least and the largest probability of rows, then the runs and what is between the first and the last row. */
static void write_order(const Readings *of, const uint8_t *set, double *lowest, double *highest, double *runs,
                        double *gap, double *span)
{
    Py_ssize_t first = -1;
    double begun = 0.0, before = 0.0, until = 0.0, from = 0.0;
    *lowest = 1.0, *highest = 0.0;
    for (Py_ssize_t row = 0; row < of->rows; row++) {
        double likely = of->probable[row], weight = of->weight[row];
        if (set[row]) {
            begun += !row || !set[row - 1];
            if (first < 0)
                first = row, from = before;
            until = before + weight;
            if (weight >= 3)
                *lowest = at_most(*lowest, likely);
        } else if (weight > 0) {
            *highest = at_least(*highest, likely);
        }
        before += weight;
    }
    *runs = begun;
    *gap = of->title >= 0 && first > of->title ? (double)(first - of->title - 1) : 0.0;
    *span = first < 0 ? 0.0 : until - from;
}

/* Write the measures of one reading; those that are logarithms are left without. */
static void write_reading(const Readings *of, const uint8_t *set, const double *sums, const double *whole,
                          const double *shares, const double *amounts, const double *measures, Py_ssize_t measured,
                          const double *pages, Py_ssize_t page_count, double *to)
{
    double size = at_least(sums[WORDS], 1e-9), count = at_least(sums[SEEN], 1e-9);
    double total = at_least(whole[WORDS], 1e-9), every = at_least(whole[SEEN], 1.0);
    const double *hit = sums + SUMMED, *all_hit = whole + SUMMED, *label = hit + of->probabilities;
    const double *role = label + of->labels, *all_roles = whole + (role - sums), *held = role + of->roles;
    double expected = 0.0, unshifted = 0.0, lowest, highest, runs, gap, span;
#define PUT(value) (*to++ = (value))
    for (Py_ssize_t one = 0; one < of->probabilities; one++) {
        double reached = sums[WORDS] + all_hit[one];
        double f1 = reached > 0 ? 2.0 * hit[one] / at_least(reached, 1e-12) : 0.0;
        if (one)
            expected += shares[one - 1] * f1;
        else
            unshifted = f1;
    }
    write_order(of, set, &lowest, &highest, &runs, &gap, &span);
    PUT(expected), PUT(unshifted);
    PUT((sums[GAIN] + whole[BASE]) / total), PUT((sums[SEEN_GAIN] + whole[SEEN_BASE]) / every);
    PUT(hit[0] / size), PUT(sums[SEEN_LIKELY] / count), PUT(lowest), PUT(highest);
    PUT(size), PUT(count), PUT(size / total), PUT(sums[LINKED] / size), PUT(sums[IN_LONG] / size);
    PUT(sums[LIKELY_LONG] / at_least(whole[LIKELY_LONG], 1.0));
    for (Py_ssize_t one = 0; one < of->roles; one++)
        PUT(role[one] / size);
    for (Py_ssize_t one = 0; one < of->roles; one++)
        PUT(role[one] / at_least(all_roles[one], 10.0));
    for (Py_ssize_t one = 0; one < of->labels; one++)
        PUT(label[one] / size);
    PUT(runs), PUT(sums[BEFORE] / size), PUT(gap), PUT((span - size) / total);
    double broken = 0.0, anywhere = sums[IN_SERIES] / size;
    Py_ssize_t largest = 0;
    for (Py_ssize_t one = 0; one < of->series; one++) {
        broken += at_least(at_most(held[one], amounts[one] - held[one]), 0.0);
        largest = held[one] > held[largest] ? one : largest;
    }
    double share = of->series ? held[largest] / size : 0.0;
    PUT(anywhere), PUT(broken / size), PUT(share);
    PUT(sums[LIKELY_IN_SERIES] / at_least(whole[LIKELY_IN_SERIES], 1.0));
    for (Py_ssize_t one = 0; one < measured; one++)
        PUT(of->series ? measures[largest * measured + one] * share : 0.0);
    for (Py_ssize_t one = 0; one < page_count; one++)
        PUT(anywhere * pages[one]);
    for (Py_ssize_t one = 0; one < page_count; one++)
        PUT(share * pages[one]);
#undef PUT
}

/* Write the words of the likely rows of each series. */
static void write_amounts(const Readings *of, const uint8_t *likely, double *amounts)
{
    for (Py_ssize_t one = 0; one < of->series; one++) {
        double amount = 0.0;
        for (Py_ssize_t row = 0; row < of->rows; row++)
            amount += likely[one * of->rows + row] ? of->weight[row] : 0.0;
        amounts[one] = at_least(amount, 1e-9);
    }
}

const char measure_readings_doc[] =
    "measure_readings(sets, weight, linked, longs, gain, base, probable, shares, labels, roles, role_of, inside,\n"
    "likely, measures, pages, title, result): see classify/model/reading_columns.py.";

PyObject *measure_readings(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Readings of = {0};
    Py_ssize_t cells, shares, page_count, measured, sets, columns;
    const uint8_t *set, *likely;
    const double *share, *measures, *pages;
    double *summed, *sums, *whole, *amounts, *result;
    (void)module;
    if (!are(given, 17))
        return NULL;
    of.title = PyLong_AsSsize_t(args[15]);
    if (PyErr_Occurred() || !(of.weight = take(&taken, args[1], 8, -1, 0, &of.rows)))
        return failed(&taken, "");
    Py_ssize_t rows = of.rows;
    if (rows < 1)
        return failed(&taken, "there are no rows");
    if (!(set = take(&taken, args[0], 1, -1, 0, &sets)) || !(of.linked = take(&taken, args[2], 8, rows, 0, NULL)) ||
        !(of.longs = take(&taken, args[3], 8, rows, 0, NULL)) || !(of.gain = take(&taken, args[4], 8, rows, 0, NULL)) ||
        !(of.base = take(&taken, args[5], 8, rows, 0, NULL)) || !(share = take(&taken, args[7], 8, -1, 0, &shares)) ||
        !(of.probable = take(&taken, args[6], 8, (shares + 1) * rows, 0, NULL)) ||
        !(of.label = take(&taken, args[8], 8, -1, 0, &of.labels)) ||
        !(of.role = take(&taken, args[9], 8, -1, 0, &of.all_roles)) ||
        !take(&taken, args[10], 4, -1, 0, &of.roles) || !(of.inside = take(&taken, args[11], 1, -1, 0, &of.series)))
        return failed(&taken, "");
    if (sets % rows || of.labels % rows || of.all_roles % rows || of.series % rows || of.title < -1 || of.title >= rows)
        return failed(&taken, "there are other rows");
    sets /= rows, of.labels /= rows, of.all_roles /= rows, of.series /= rows, of.probabilities = shares + 1;
    if (!(of.role_of = take_indices(&taken, args[10], of.roles, 0, of.all_roles)) ||
        !(likely = take(&taken, args[12], 1, of.series * rows, 0, NULL)) ||
        !(measures = take(&taken, args[13], 8, -1, 0, &measured)) ||
        !(pages = take(&taken, args[14], 8, -1, 0, &page_count)) || !(result = take(&taken, args[16], 8, -1, 1, &cells)))
        return failed(&taken, "");
    Py_ssize_t others = 22 + 2 * of.roles + of.labels + 2 * page_count;
    Py_ssize_t width = sets ? cells / sets : 0, each = width - others;
    if (cells != width * sets || each < 0 || measured != of.series * each)
        return failed(&taken, "there are other measures");
    columns = summed_columns(&of);
    if (!(summed = zeros(&taken, rows * columns, sizeof(double))) || !(sums = zeros(&taken, columns, sizeof(double))) ||
        !(whole = zeros(&taken, columns, sizeof(double))) || !(amounts = zeros(&taken, of.series, sizeof(double))))
        return failed(&taken, "");
    write_summed(&of, summed);
    write_amounts(&of, likely, amounts);
    sum_rows(summed, columns, NULL, rows, whole);
    for (Py_ssize_t one = 0; one < sets; one++) {
        sum_rows(summed, columns, set + one * rows, rows, sums);
        write_reading(&of, set + one * rows, sums, whole, share, amounts, measures, each, pages, page_count,
                      result + one * width);
    }
    return done(&taken);
}

/* -- groups of records ------------------------------------------------------------------------------------------ */

/* Bits of nodes; the last one is a main heading. */
enum { PICTURE = 1, HEADING = 2, LINK = 4, BUTTON = 8, MAIN_HEADING = 16, KINDS_OF_NODES = 4 };
/* What is counted of each record: leaves by their characters, then leaves and nodes of a kind. */
enum { CHARACTERS, FREE, PROSE, TEXTS, DATES, PRICES, OF_LEAVES };
enum { GROUP_MEASURES = 21 };

/* The exclusive prefix sums over leaves and nodes. */
typedef struct {
    double *leaf[OF_LEAVES];
    int32_t *node[KINDS_OF_NODES];
} Counts;

static int count_all(Taken *taken, const double *characters, const double *prose, const uint8_t *linked,
                     const uint8_t *dates, const uint8_t *prices, Py_ssize_t leaves, const uint8_t *marks,
                     Py_ssize_t nodes, Counts *counts)
{
    for (int one = 0; one < OF_LEAVES; one++)
        if (!(counts->leaf[one] = zeros(taken, leaves + 1, sizeof(double))))
            return 0;
    for (int one = 0; one < KINDS_OF_NODES; one++)
        if (!(counts->node[one] = zeros(taken, nodes + 1, sizeof(int32_t))))
            return 0;
    for (Py_ssize_t leaf = 0; leaf < leaves; leaf++) {
        const double values[OF_LEAVES] = {
            characters[leaf], linked[leaf] ? 0.0 : characters[leaf], prose[leaf], characters[leaf] > 0, dates[leaf],
            prices[leaf],
        };
        for (int one = 0; one < OF_LEAVES; one++)
            counts->leaf[one][leaf + 1] = counts->leaf[one][leaf] + values[one];
    }
    for (Py_ssize_t node = 0; node < nodes; node++)
        for (int one = 0; one < KINDS_OF_NODES; one++)
            counts->node[one][node + 1] = counts->node[one][node] + (marks[node] >> one & 1);
    return 1;
}

/* The largest integer up to which a double is exact. */
#define EXACT 9007199254740992.0

/* Write the measures of one group of records `[begin, end)`; those that are logarithms are left without. */
static void write_group(const Counts *counts, const int32_t *range, Py_ssize_t nodes, Py_ssize_t leaves,
                        const int32_t *begin, const int32_t *end, Py_ssize_t records, double nested, Py_ssize_t heading,
                        int64_t *size, int32_t *place, int32_t *spare, double *to)
{
    double sums[OF_LEAVES] = {0}, held[KINDS_OF_NODES] = {0}, dated = 0.0, priced = 0.0, links = 0.0, largest = 0.0;
    const double *all = counts->leaf[CHARACTERS];
    double count = (double)records, whole = at_least(all[leaves], 1.0), free = at_least(counts->leaf[FREE][leaves], 1.0);
    for (Py_ssize_t one = 0; one < records; one++) {
        int32_t low = range[begin[one]], high = range[nodes + end[one] - 1];
        double part[OF_LEAVES];
        for (int kind = 0; kind < OF_LEAVES; kind++) {
            part[kind] = counts->leaf[kind][high] - counts->leaf[kind][low];
            sums[kind] += part[kind];
        }
        dated += part[DATES] > 0, priced += part[PRICES] > 0;
        largest = at_least(largest, part[CHARACTERS]);
        /* What is no count (NaN, more than a double counts exactly) has no value as an integer: it is none here. */
        size[one] = part[CHARACTERS] >= 0 && part[CHARACTERS] <= EXACT ? (int64_t)part[CHARACTERS] : 0;
        place[one] = (int32_t)one;
        for (int kind = 0; kind < KINDS_OF_NODES; kind++)
            held[kind] += counts->node[kind][end[one]] > counts->node[kind][begin[one]];
        links += counts->node[2][end[one]] - counts->node[2][begin[one]];
    }
    sort_places(size, place, spare, records);
    double median = (double)(size[place[(records - 1) / 2]] + size[place[records / 2]]) / 2;
    double least = at_least(sums[CHARACTERS], 1.0);
    const double values[GROUP_MEASURES] = {
        count, sums[CHARACTERS] / count, sums[FREE] / count, sums[PROSE] / count, 1 - sums[FREE] / least,
        sums[CHARACTERS] / whole, sums[FREE] / free, all[range[begin[0]]] / whole,
        all[range[nodes + end[records - 1] - 1]] / whole, 0.0, dated / count, priced / count, held[0] / count,
        held[1] / count, nested, median / at_least(sums[CHARACTERS] / count, 1.0), heading >= 0 && begin[0] > heading,
        links / count, sums[TEXTS] / count, held[3] / count, largest / least,
    };
    memcpy(to, values, sizeof values);
}

const char measure_groups_doc[] =
    "measure_groups(characters, prose, linked, dates, prices, leaf_range, marks, begin, end, records, nested, result): see\n"
    "document/records/group_features.py.";

PyObject *measure_groups(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Counts counts;
    Py_ssize_t leaves, nodes, all, groups, at = 0, heading = -1;
    const double *characters, *prose, *nested;
    const uint8_t *linked, *dates, *prices, *marks;
    const int32_t *range, *begin, *end;
    const int64_t *records;
    int64_t *size;
    int32_t *place, *spare;
    double *result;
    (void)module;
    if (!are(given, 12))
        return NULL;
    if (!(characters = take(&taken, args[0], 8, -1, 0, &leaves)) ||
        !(prose = take(&taken, args[1], 8, leaves, 0, NULL)) || !(linked = take(&taken, args[2], 1, leaves, 0, NULL)) ||
        !(dates = take(&taken, args[3], 1, leaves, 0, NULL)) || !(prices = take(&taken, args[4], 1, leaves, 0, NULL)) ||
        !(marks = take(&taken, args[6], 1, -1, 0, &nodes)) ||
        !(range = take_indices(&taken, args[5], 2 * nodes, 0, leaves + 1)) ||
        !take(&taken, args[7], 4, -1, 0, &all) || !(begin = take_indices(&taken, args[7], all, 0, nodes)) ||
        !(end = take_indices(&taken, args[8], all, 1, nodes + 1)) ||
        !(records = take(&taken, args[9], 8, -1, 0, &groups)) ||
        !(nested = take(&taken, args[10], 8, groups, 0, NULL)) ||
        !(result = take(&taken, args[11], 8, GROUP_MEASURES * groups, 1, NULL)) ||
        !(size = zeros(&taken, all, sizeof(int64_t))) || !(place = zeros(&taken, all, sizeof(int32_t))) ||
        !(spare = zeros(&taken, all, sizeof(int32_t))) ||
        !count_all(&taken, characters, prose, linked, dates, prices, leaves, marks, nodes, &counts))
        return failed(&taken, "");
    for (Py_ssize_t node = nodes - 1; node >= 0; node--)
        heading = marks[node] & MAIN_HEADING ? node : heading;
    for (Py_ssize_t group = 0; group < groups; at += (Py_ssize_t)records[group++]) {
        if (records[group] < 1 || records[group] > all - at)
            return failed(&taken, "there are other records");
        write_group(&counts, range, nodes, leaves, begin + at, end + at, (Py_ssize_t)records[group], nested[group], heading,
                    size, place, spare, result + group * GROUP_MEASURES);
    }
    return done(&taken);
}
