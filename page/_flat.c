/* Hot loops over flat columns of nodes; those over columns of blocks are in _blocks.c. Each function has a reference in
 * Python or NumPy next to its call that returns the same values, bit for bit; tests/page/test_compiled.py compares them.
 *
 * Rules of this file: only the limited API of Python 3.11, so that one wheel serves all versions. No function trusts the
 * content of a column: whatever is used as an index is checked first, since columns come from strangers' pages and
 * from saved files. Wrong sizes of values and lengths are errors of the caller and raise ValueError.
 */
#include "_flat.h"

static const char BAD_PARENT[] = "a parent is not before its child";

/* Whether each parent is -1 or before its child: then all loops over ancestors end, inside the column. */
static int are_parents(const int32_t *parent, Py_ssize_t count)
{
    for (Py_ssize_t row = 0; row < count; row++)
        if (parent[row] < -1 || parent[row] >= row)
            return 0;
    return 1;
}

/* -- the tree --------------------------------------------------------------------------------------------------- */

/* Whether each row comes right after its parent or after a subtree of a sibling: the rows of a subtree are contiguous. */
static int is_preorder(const int32_t *parent, Py_ssize_t count)
{
    for (Py_ssize_t row = 1; row < count; row++) {
        Py_ssize_t open = row - 1;
        /* No more steps up in all rows than there are steps down, one a row. */
        while (open >= 0 && open != parent[row])
            open = parent[open];
        if (open != parent[row])
            return 0;
    }
    return 1;
}

PyDoc_STRVAR(ends_doc, "ends(parent, end): write one past the last row of each subtree; False if one has gaps.");

static PyObject *ends(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t count;
    const int32_t *parent;
    int32_t *end;
    (void)module;
    if (!are(given, 2))
        return NULL;
    if (!(parent = take(&taken, args[0], 4, -1, 0, &count)) || !(end = take(&taken, args[1], 4, count, 1, NULL)))
        return failed(&taken, "");
    if (count > INT32_MAX - 1 || !are_parents(parent, count))
        return failed(&taken, BAD_PARENT);
    if (!is_preorder(parent, count)) {
        release(&taken);
        Py_RETURN_FALSE;
    }
    for (Py_ssize_t row = 0; row < count; row++)
        end[row] = (int32_t)row + 1;
    /* From the last row on: the subtree of each row is complete before it is added to that of its parent. */
    for (Py_ssize_t row = count - 1; row >= 0; row--)
        if (parent[row] >= 0 && end[parent[row]] < end[row])
            end[parent[row]] = end[row];
    release(&taken);
    Py_RETURN_TRUE;
}

PyDoc_STRVAR(nearest_doc, "nearest(parent, marked, nearest): write the nearest marked row, itself or above; else -1.");

static PyObject *nearest(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t count;
    const int32_t *parent;
    const uint8_t *marked;
    int32_t *result;
    (void)module;
    if (!are(given, 3))
        return NULL;
    if (!(parent = take(&taken, args[0], 4, -1, 0, &count)) || !(marked = take(&taken, args[1], 1, count, 0, NULL)) ||
        !(result = take(&taken, args[2], 4, count, 1, NULL)))
        return failed(&taken, "");
    if (count > INT32_MAX - 1 || !are_parents(parent, count))
        return failed(&taken, BAD_PARENT);
    for (Py_ssize_t row = 0; row < count; row++)
        result[row] = marked[row] ? (int32_t)row : parent[row] < 0 ? -1 : result[parent[row]];
    release(&taken);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(below_doc, "below(parent, marked, below): mark the rows that are marked, or below one that is.");

static PyObject *below(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t count;
    const int32_t *parent;
    const uint8_t *marked;
    uint8_t *result;
    (void)module;
    if (!are(given, 3))
        return NULL;
    if (!(parent = take(&taken, args[0], 4, -1, 0, &count)) || !(marked = take(&taken, args[1], 1, count, 0, NULL)) ||
        !(result = take(&taken, args[2], 1, count, 1, NULL)))
        return failed(&taken, "");
    if (!are_parents(parent, count))
        return failed(&taken, BAD_PARENT);
    for (Py_ssize_t row = 0; row < count; row++)
        result[row] = marked[row] || (parent[row] >= 0 && result[parent[row]]);
    return done(&taken);
}

PyDoc_STRVAR(inherited_doc, "inherited(parent, bits): set in each row of bits those of all rows above.");

static PyObject *inherited(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t count;
    const int32_t *parent;
    uint64_t *bits;
    (void)module;
    if (!are(given, 2))
        return NULL;
    if (!(parent = take(&taken, args[0], 4, -1, 0, &count)) || !(bits = take(&taken, args[1], 8, count, 1, NULL)))
        return failed(&taken, "");
    if (!are_parents(parent, count))
        return failed(&taken, BAD_PARENT);
    for (Py_ssize_t row = 0; row < count; row++)
        if (parent[row] >= 0)
            bits[row] |= bits[parent[row]];
    release(&taken);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(among_doc, "among(column, numbers, marked): mark the rows with one of some numbers, a list of int.");

/* Few numbers are compared one by one, more of them are looked up. */
enum { FEW_NUMBERS = 4, MOST_NUMBER = 1 << 16 };

static PyObject *among(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t count;
    const int32_t *column;
    uint8_t *result, *known = NULL;
    (void)module;
    if (!are(given, 3))
        return NULL;
    if (!PyList_Check(args[1]))
        return failed(&taken, "numbers must be a list");
    Py_ssize_t numbers = PyList_Size(args[1]);
    if (!(column = take(&taken, args[0], 4, -1, 0, &count)) || !(result = take(&taken, args[2], 1, count, 1, NULL)) ||
        (numbers > FEW_NUMBERS && !(known = zeros(&taken, MOST_NUMBER / 8, 1))))
        return failed(&taken, "");
    memset(result, 0, (size_t)count);
    for (Py_ssize_t one = 0; one < PyList_Size(args[1]); one++) {
        long number = PyLong_AsLong(PyList_GetItem(args[1], one));
        if (PyErr_Occurred() || number < 0 || number >= MOST_NUMBER)
            return failed(&taken, "a number is not within the table");
        if (known)
            known[number / 8] |= (uint8_t)(1 << number % 8);
        else
            for (Py_ssize_t row = 0; row < count; row++)
                result[row] |= column[row] == number;
    }
    for (Py_ssize_t row = 0; known && row < count; row++)
        result[row] = column[row] >= 0 && column[row] < MOST_NUMBER && known[column[row] / 8] >> column[row] % 8 & 1;
    return done(&taken);
}

PyDoc_STRVAR(attribute_doc,
             "attribute(nodes, names, values, name, result): write the value of an attribute of each node, -1 without; of\n"
             "several the last one.");

static PyObject *attribute(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t count, nodes;
    const int32_t *node, *name, *value;
    int32_t *result;
    (void)module;
    if (!are(given, 5))
        return NULL;
    long wanted = PyLong_AsLong(args[3]);
    if (PyErr_Occurred() || !(result = take(&taken, args[4], 4, -1, 1, &nodes)) ||
        !(node = take(&taken, args[0], 4, -1, 0, &count)) || !(name = take(&taken, args[1], 4, count, 0, NULL)) ||
        !(value = take(&taken, args[2], 4, count, 0, NULL)))
        return failed(&taken, "");
    for (Py_ssize_t row = 0; row < nodes; row++)
        result[row] = -1;
    for (Py_ssize_t one = 0; one < count; one++) {
        if (name[one] != wanted)
            continue;
        if (node[one] < 0 || node[one] >= nodes)
            return failed(&taken, "an index is not within its column");
        result[node[one]] = value[one];
    }
    return done(&taken);
}

PyDoc_STRVAR(runs_doc,
             "runs(parent, block_level, is_break, leaves, in_row, rows, runs): write the number of the run of text of each\n"
             "of some rows, from 0. A run ends at a block-level element, and at so many breaks in a row.");

static PyObject *runs(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t count, leaves, some, before = 0, last = -1, texts = -1;
    const int32_t *parent, *leaf, *row;
    const uint8_t *block_level, *is_break;
    int32_t *result, *owner, *number, ends = 0, run = 0;
    (void)module;
    if (!are(given, 7))
        return NULL;
    if (!(parent = take(&taken, args[0], 4, -1, 0, &count)) || !(block_level = take(&taken, args[1], 1, count, 0, NULL)) ||
        !(is_break = take(&taken, args[2], 1, count, 0, NULL)) || !(leaf = take(&taken, args[3], 4, -1, 0, &leaves)) ||
        !(result = take(&taken, args[6], 4, -1, 1, &some)) ||
        !(row = take_indices(&taken, args[5], some, 0, count)) || !(owner = zeros(&taken, count, sizeof(int32_t))) ||
        !(number = zeros(&taken, count, sizeof(int32_t))))
        return failed(&taken, "");
    long in_row = PyLong_AsLong(args[4]);
    if (PyErr_Occurred() || count > INT32_MAX / 2 || !are_parents(parent, count))
        return failed(&taken, BAD_PARENT);
    for (Py_ssize_t node = 0; node < count; node++) {
        owner[node] = block_level[node] ? (int32_t)node : parent[node] < 0 ? -1 : owner[parent[node]];
        ends += block_level[node] && !is_break[node];
        if (is_break[node]) {
            while (before < leaves && leaf[before] < node)
                before++;
            ends += in_row == 1 || (last >= 0 && before == texts && parent[last] == parent[node]);
            last = node, texts = before;
        }
        number[node] = ends;
    }
    for (Py_ssize_t one = 0; one < some; one++) {
        run += one && (owner[row[one]] != owner[row[one - 1]] || number[row[one]] != number[row[one - 1]]);
        result[one] = run;
    }
    return done(&taken);
}

/* -- sums ------------------------------------------------------------------------------------------------------- */

/* Types of values: each has sums of its own type, truth values have sums of integers. */
enum { TRUTH, REAL, INTEGER };

/* Take values of a type, and write their exclusive prefix sums: one more than there are values. */
static int add_up(Taken *taken, PyObject *object, long type, Py_ssize_t count, void *sums)
{
    const void *values = take(taken, object, type == TRUTH ? 1 : 8, count, 0, NULL);
    if (!values)
        return 0;
    if (type == REAL) {
        const double *from = values;
        double sum = count ? from[0] : 0.0, *to = sums;
        *to = 0.0;
        for (Py_ssize_t row = 1; row < count; row++) {
            to[row] = sum;
            sum += from[row];
        }
        to[count] = sum;
        return 1;
    }
    uint64_t sum = 0, *to = sums; /* without a sign, too large sums have no undefined behaviour */
    for (Py_ssize_t row = 0; row < count; row++) {
        to[row] = sum;
        sum += type == TRUTH ? ((const uint8_t *)values)[row] : ((const uint64_t *)values)[row];
    }
    to[count] = sum;
    return 1;
}

PyDoc_STRVAR(prefix_doc, "prefix(values, type, sums): write the exclusive prefix sums, one more than the values.");

static PyObject *prefix(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t count;
    void *sums;
    long type;
    (void)module;
    if (!are(given, 3))
        return NULL;
    type = PyLong_AsLong(args[1]);
    if (PyErr_Occurred() || !(sums = take(&taken, args[2], 8, -1, 1, &count)))
        return failed(&taken, "");
    if (type < TRUTH || type > INTEGER || count < 1)
        return failed(&taken, "no such type, or no place for sums");
    if (!add_up(&taken, args[0], type, count - 1, sums))
        return failed(&taken, "");
    release(&taken);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(spans_doc,
             "spans(values, type, first, last, sums, result): write the sums of the spans [first, last) of values.\n\n"
             "first and last are int32 or int64; without first (None) each span starts at its own row. sums is memory\n"
             "for the prefix sums.");

/* The value of a column of indices, int32 or int64. */
static int64_t index_at(const void *column, Py_ssize_t size, Py_ssize_t row)
{
    return size == 4 ? ((const int32_t *)column)[row] : ((const int64_t *)column)[row];
}

static PyObject *spans(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t values, count, size = 8;
    const void *first = NULL, *last;
    void *sums, *result;
    long type;
    (void)module;
    if (!are(given, 6))
        return NULL;
    type = PyLong_AsLong(args[1]);
    if (PyErr_Occurred() || !(sums = take(&taken, args[4], 8, -1, 1, &values)) ||
        !(result = take(&taken, args[5], 8, -1, 1, &count)))
        return failed(&taken, "");
    if (type < TRUTH || type > INTEGER || values < 1)
        return failed(&taken, "no such type, or no place for sums");
    if (!(last = take(&taken, args[3], 8, count, 0, NULL))) {
        PyErr_Clear();
        /* A buffer of another type stays taken until all are released. */
        if (!(last = take(&taken, args[3], size = 4, count, 0, NULL)))
            return failed(&taken, "");
    }
    if ((args[2] != Py_None && !(first = take(&taken, args[2], size, count, 0, NULL))) ||
        !add_up(&taken, args[0], type, values - 1, sums))
        return failed(&taken, "");
    for (Py_ssize_t row = 0; row < count; row++) {
        int64_t low = first ? index_at(first, size, row) : row, high = index_at(last, size, row);
        if (low < 0 || low >= values || high < 0 || high >= values)
            return failed(&taken, "a span ends behind the values");
        if (type == REAL)
            ((double *)result)[row] = ((double *)sums)[high] - ((double *)sums)[low];
        else
            ((uint64_t *)result)[row] = ((uint64_t *)sums)[high] - ((uint64_t *)sums)[low];
    }
    release(&taken);
    Py_RETURN_NONE;
}

/* -- characters ------------------------------------------------------------------------------------------------- */

/* Kinds of characters; features/strings/characters.py has the same bits, in this order. */
enum { KNOWN = 1, LETTER = 2, UNSPACED = 4, CAPITAL = 32, SPACE = 256, END = 1024, BEHIND_END = 2048, FULL_STOP = 4096 };
enum { KINDS = 13, CHARACTERS = 0x110000, CAPITALISED_WORDS = 60 };
/* Rows of the result: one for each kind by its bit number, then these. */
enum { WORDS = KINDS, SENTENCES, CAPITALISED, MEASURES };

/* Count the characters of one text: `codes` is followed by at least one more character, the line break after it. */
static void count_text(const uint16_t *table, const uint32_t *codes, Py_ssize_t length, double *counts)
{
    Py_ssize_t number[MEASURES] = {0};
    Py_ssize_t spaced = 0;
    unsigned before = SPACE;
    for (Py_ssize_t at = 0; at < length; at++) {
        unsigned kind = table[codes[at]];
        if (kind == (KNOWN | LETTER) && before == kind) { /* most characters */
            number[1]++;
            continue;
        }
        for (unsigned bit = 1; bit < KINDS; bit++)
            number[bit] += kind >> bit & 1;
        number[WORDS] += (kind & LETTER) && !(before & LETTER);
        number[SENTENCES] += (kind & FULL_STOP) && !(before & FULL_STOP);
        if (kind & END) { /* Of a run of end marks the last counts, if a character follows that may. */
            unsigned next = table[codes[at + 1]];
            number[SENTENCES] += !(next & END) && (next & BEHIND_END);
        }
        if (!(kind & SPACE) && (before & SPACE)) {
            spaced++;
            number[CAPITALISED] += spaced <= CAPITALISED_WORDS && (kind & CAPITAL);
        }
        before = kind;
    }
    number[WORDS] += number[2];
    for (int measure = 0; measure < MEASURES; measure++)
        counts[measure] = (double)number[measure];
}

PyDoc_STRVAR(count_characters_doc,
             "count_characters(table, codes, lengths, counts): count the kinds of the characters of each text, float64\n"
             "(texts, measures). A line break follows each text. False if a character is not in the table yet.");

static PyObject *count_characters(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t all, texts, at = 0;
    const uint16_t *table;
    const uint32_t *codes;
    const int32_t *lengths;
    double *counts;
    (void)module;
    if (!are(given, 4))
        return NULL;
    if (!(table = take(&taken, args[0], 2, CHARACTERS, 0, NULL)) || !(codes = take(&taken, args[1], 4, -1, 0, &all)) ||
        !(lengths = take(&taken, args[2], 4, -1, 0, &texts)) ||
        !(counts = take(&taken, args[3], 8, texts * MEASURES, 1, NULL)))
        return failed(&taken, "");
    for (Py_ssize_t one = 0; one < all; one++) {
        if (codes[one] >= CHARACTERS)
            return failed(&taken, "a code is not that of a character");
        if (!table[codes[one]]) {
            release(&taken);
            Py_RETURN_FALSE;
        }
    }
    for (Py_ssize_t text = 0; text < texts; text++) {
        if (lengths[text] < 0 || lengths[text] >= all - at)
            return failed(&taken, "a text is longer than all characters");
        count_text(table, codes + at, lengths[text], counts + text * MEASURES);
        at += lengths[text] + 1;
    }
    release(&taken);
    Py_RETURN_TRUE;
}

PyDoc_STRVAR(visible_doc,
             "visible(strings, texts, result): mark the texts that start with a visible ASCII character.\n\n"
             "Strings is a tuple of str, texts are indices into it.");

static PyObject *visible(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t count, strings;
    const int32_t *texts;
    uint8_t *result;
    (void)module;
    if (!are(given, 3))
        return NULL;
    if (!PyTuple_Check(args[0]))
        return failed(&taken, "strings must be a tuple");
    if (!(texts = take(&taken, args[1], 4, -1, 0, &count)) || !(result = take(&taken, args[2], 1, count, 1, NULL)))
        return failed(&taken, "");
    strings = PyTuple_Size(args[0]);
    for (Py_ssize_t row = 0; row < count; row++) {
        PyObject *text = texts[row] >= 0 && texts[row] < strings ? PyTuple_GetItem(args[0], texts[row]) : NULL;
        if (!text || !PyUnicode_Check(text))
            return failed(&taken, "there is no such string");
        Py_UCS4 first = PyUnicode_GetLength(text) > 0 ? PyUnicode_ReadChar(text, 0) : 0;
        result[row] = first >= '!' && first <= '~';
    }
    release(&taken);
    Py_RETURN_NONE;
}

/* -- siblings --------------------------------------------------------------------------------------------------- */

/* Whether each set of numbers, `[start[n], start[n + 1])`, lies within the column of all of them. */
static int are_sets(const int64_t *start, Py_ssize_t starts, Py_ssize_t length)
{
    for (Py_ssize_t set = 0; set < starts; set++)
        if (start[set] < (set ? start[set - 1] : 0) || start[set] > length)
            return 0;
    return 1;
}

#define SIZE(start, set) ((start)[(set) + 1] - (start)[set])

/* Whether two sets in ascending order share at least so much of all their numbers. */
static int alike(const int64_t *start, const int64_t *at, int64_t one, int64_t other, double least)
{
    int64_t shared = 0, left = start[one], right = start[other], size = SIZE(start, one), all = SIZE(start, other);
    /* Small sets are never compared with all of a large one. */
    if (size < least * all || all < least * size)
        return 0;
    for (all += size; left < start[one + 1] && right < start[other + 1];) {
        int before = at[left] <= at[right], behind = at[left] >= at[right];
        shared += before && behind, left += before, right += behind;
    }
    return shared >= least * (all - shared);
}

PyDoc_STRVAR(kinds_doc, "kinds(siblings, path_start, paths, name_start, names, limits, firsts, kind): see shape.py.");

static PyObject *kinds(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t n, shapes, paths, called, names;
    const int64_t *above, *path_start, *path, *name_start, *name;
    const double *limits;
    int64_t *kind, *firsts, total = 0, found;
    (void)module;
    if (!are(given, 8))
        return NULL;
    if (!(kind = take(&taken, args[7], 8, -1, 1, &n)) || !(above = take(&taken, args[0], 8, 4 * n, 0, NULL)) ||
        !(path_start = take(&taken, args[1], 8, -1, 0, &shapes)) || !(path = take(&taken, args[2], 8, -1, 0, &paths)) ||
        !(name_start = take(&taken, args[3], 8, -1, 0, &called)) || !(name = take(&taken, args[4], 8, -1, 0, &names)) ||
        !(limits = take(&taken, args[5], 8, 4, 0, NULL)) || !(firsts = take(&taken, args[6], 8, n, 1, NULL)))
        return failed(&taken, "");
    const int64_t *shape = above + n, *of = above + 2 * n, *tag = above + 3 * n;
    int valid = are_sets(path_start, shapes, paths) && are_sets(name_start, called, names);
    for (Py_ssize_t at = 0; valid && at < n; at++)
        valid = shape[at] >= 0 && shape[at] + 1 < shapes && of[at] >= 0 && of[at] + 1 < called;
    for (Py_ssize_t at = 0; valid && at < n; at++) {
        total = at && above[at] == above[at - 1] ? total : 0;
        for (found = total > limits[3] ? total - (int64_t)limits[3] : 0; found < total; found++) {
            int64_t one = firsts[found], first = SIZE(name_start, of[one]), second = SIZE(name_start, of[at]);
            int named = tag[at] >= 0 && (first || second), which = named && !(first && second) ? 2 : 1;
            if (tag[one] == tag[at] && ((named && alike(name_start, name, of[one], of[at], limits[0])) ||
                                        alike(path_start, path, shape[one], shape[at], limits[which])))
                break;
        }
        if (found == total)
            firsts[total++] = at;
        kind[at] = found;
    }
    return valid ? (release(&taken), Py_NewRef(Py_None)) : failed(&taken, "a set is not within its column");
}

/* -- tags of a document ------------------------------------------------------------------------------------------ */

/* Whether a tag name ends before a byte. Of other bytes than ASCII some are white space: they count as such. */
static int ends_name(unsigned char next)
{
    return next == ' ' || next == '/' || next == '>' || (next >= '\t' && next <= '\r') ||
           (next >= 0x1c && next <= 0x1f) || next >= 0x80;
}

/* Whether two names are the same, `name` in lower case. */
static int is_called(const char *written, const char *name, Py_ssize_t length)
{
    Py_ssize_t letter = 0;
    while (letter < length && (written[letter] | 0x20) == name[letter])
        letter++;
    return letter == length;
}

enum { MOST_NAMES = 32 };

PyDoc_STRVAR(count_tags_doc,
             "count_tags(html, names, kinds, counts): count \"<\", and the start tags with names of each kind.\n\n"
             "Html is bytes; names are in lower case, a space behind each; kinds, int32 (names,), are from 1 on. Counts,\n"
             "int64 (1 + kinds,), may be too high where other characters than ASCII follow a name.");

static PyObject *count_tags(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    Taken taken = {.count = 0};
    Py_ssize_t size, length, most, names = 0, start[MOST_NAMES + 1] = {0};
    const char *html, *name;
    const int32_t *kind;
    int64_t *counts;
    (void)module;
    if (!are(given, 4))
        return NULL;
    if (!(html = take(&taken, args[0], 1, -1, 0, &size)) || !(name = take(&taken, args[1], 1, -1, 0, &length)) ||
        !(counts = take(&taken, args[3], 8, -1, 1, &most)))
        return failed(&taken, "");
    for (Py_ssize_t letter = 0; letter < length; letter++)
        if (name[letter] == ' ' && names < MOST_NAMES)
            start[++names] = letter + 1;
    if (start[names] != length)
        return failed(&taken, "there are too many names, or no space is behind the last one");
    if (!(kind = take_indices(&taken, args[2], names, 1, most)))
        return failed(&taken, "");
    memset(counts, 0, (size_t)most * sizeof(int64_t));
    const char *end = html + size;
    for (const char *at = html; at < end && (at = memchr(at, '<', (size_t)(end - at))); ) {
        const char *written = ++at;
        counts[0]++;
        while (at < end && (*at | 0x20) >= 'a' && (*at | 0x20) <= 'z')
            at++;
        if (at == written || at == end || !ends_name((unsigned char)*at))
            continue;
        for (Py_ssize_t number = 0; number < names; number++)
            if (start[number + 1] - start[number] - 1 == at - written &&
                is_called(written, name + start[number], at - written))
                counts[kind[number]]++;
    }
    return done(&taken);
}

/* -- the tree that a parser reports ------------------------------------------------------------------------------ */

typedef struct {
    int32_t *at;
    Py_ssize_t count, room;
} Numbers;

/* What the callbacks of one parse share. They are functions bound to a capsule around it. */
typedef struct {
    PyObject *codes;   /* dict of str: the index of each name; a new one calls its __missing__, -1 is no name */
    PyObject *strings; /* dict of str: the index of each text and value */
    PyObject *empty;   /* "" */
    Numbers parent;    /* of each node */
    Numbers node;      /* of a text its index, of an element -1 less its name */
    Numbers attribute; /* node, name and value of each */
    Py_ssize_t open;   /* the innermost open element, -1 for none */
} Builder;

static const char CAPSULE[] = "blocksight.builder";

static int add(Numbers *numbers, Py_ssize_t value)
{
    if (numbers->count == numbers->room) {
        Py_ssize_t room = numbers->room ? 2 * numbers->room : 1024;
        int32_t *at = room > INT32_MAX / 2 ? NULL : realloc(numbers->at, (size_t)room * sizeof(int32_t));
        if (!at) {
            PyErr_NoMemory();
            return 0;
        }
        numbers->at = at;
        numbers->room = room;
    }
    numbers->at[numbers->count++] = (int32_t)value;
    return 1;
}

/* The number of a name or string; -2 with an exception. */
static Py_ssize_t as_index(PyObject *number)
{
    Py_ssize_t index = PyLong_AsSsize_t(number);
    if (index == -1 && PyErr_Occurred())
        return -2;
    if (index < -1 || index > INT32_MAX - 1) {
        PyErr_SetString(PyExc_ValueError, "an index is out of range");
        return -2;
    }
    return index;
}

static Py_ssize_t code_of(Builder *builder, PyObject *name)
{
    PyObject *known = PyDict_GetItemWithError(builder->codes, name);
    if (known)
        return as_index(known);
    if (PyErr_Occurred() || !(known = PyObject_GetItem(builder->codes, name)))
        return -2;
    Py_ssize_t index = as_index(known);
    Py_DECREF(known);
    return index;
}

static Py_ssize_t index_of(Builder *builder, PyObject *string)
{
    PyObject *known = PyDict_GetItemWithError(builder->strings, string);
    if (known)
        return as_index(known);
    Py_ssize_t index = PyDict_Size(builder->strings);
    if (PyErr_Occurred() || !(known = PyLong_FromSsize_t(index)))
        return -2;
    int failed = PyDict_SetItem(builder->strings, string, known) < 0;
    Py_DECREF(known);
    return failed ? -2 : index;
}

/* Add one attribute of an element, a tuple of name and value; a value may be missing. */
static int add_attribute(Builder *builder, Py_ssize_t row, PyObject *pair)
{
    if (!PyTuple_Check(pair) || PyTuple_Size(pair) != 2) {
        PyErr_SetString(PyExc_ValueError, "an attribute is a pair");
        return 0;
    }
    PyObject *value = PyTuple_GetItem(pair, 1);
    Py_ssize_t code = code_of(builder, PyTuple_GetItem(pair, 0));
    if (code < 0)
        return code == -1; /* an attribute that is dropped */
    Py_ssize_t index = index_of(builder, value == Py_None ? builder->empty : value);
    return index >= 0 && add(&builder->attribute, row) && add(&builder->attribute, code) &&
           add(&builder->attribute, index);
}

static PyObject *start_element(PyObject *capsule, PyObject *const *args, Py_ssize_t given)
{
    Builder *builder = PyCapsule_GetPointer(capsule, CAPSULE);
    if (!builder || !are(given, 2))
        return NULL;
    if (!PyTuple_Check(args[1])) {
        PyErr_SetString(PyExc_ValueError, "attributes are a tuple");
        return NULL;
    }
    Py_ssize_t row = builder->node.count, code = code_of(builder, args[0]);
    if (code < -1 || !add(&builder->parent, builder->open) || !add(&builder->node, -1 - code))
        return NULL;
    builder->open = row;
    Py_ssize_t count = PyTuple_Size(args[1]);
    for (Py_ssize_t number = 0; number < count; number++)
        if (!add_attribute(builder, row, PyTuple_GetItem(args[1], number)))
            return NULL;
    Py_RETURN_NONE;
}

static PyObject *end_element(PyObject *capsule, PyObject *tag)
{
    Builder *builder = PyCapsule_GetPointer(capsule, CAPSULE);
    (void)tag;
    if (!builder)
        return NULL;
    if (builder->open >= 0)
        builder->open = builder->parent.at[builder->open];
    Py_RETURN_NONE;
}

static PyObject *characters(PyObject *capsule, PyObject *text)
{
    Builder *builder = PyCapsule_GetPointer(capsule, CAPSULE);
    if (!builder)
        return NULL;
    Py_ssize_t index = index_of(builder, text);
    if (index < 0 || !add(&builder->parent, builder->open) || !add(&builder->node, index))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *as_bytes(const Numbers *numbers)
{
    return PyBytes_FromStringAndSize((const char *)numbers->at, numbers->count * (Py_ssize_t)sizeof(int32_t));
}

static PyObject *finish(PyObject *capsule, PyObject *ignored)
{
    Builder *builder = PyCapsule_GetPointer(capsule, CAPSULE);
    (void)ignored;
    if (!builder)
        return NULL;
    return Py_BuildValue("NNN", as_bytes(&builder->parent), as_bytes(&builder->node), as_bytes(&builder->attribute));
}

static void free_builder(PyObject *capsule)
{
    Builder *builder = PyCapsule_GetPointer(capsule, CAPSULE);
    Py_XDECREF(builder->codes);
    Py_XDECREF(builder->strings);
    Py_XDECREF(builder->empty);
    free(builder->parent.at);
    free(builder->node.at);
    free(builder->attribute.at);
    free(builder);
}

static PyMethodDef builder_functions[] = {
    {"start_element", (PyCFunction)(void (*)(void))start_element, METH_FASTCALL, "Add an element."},
    {"end_element", end_element, METH_O, "Close the innermost element."},
    {"characters", characters, METH_O, "Add a text."},
    {"finish", finish, METH_NOARGS, "Return parents, nodes and attributes as bytes of int32."},
};

PyDoc_STRVAR(callbacks_doc,
             "callbacks(codes, strings): return the callbacks of a parser for the start of an element, its end and a\n"
             "text, and a function that returns what they have built. Both are dicts, which they fill.");

static PyObject *callbacks(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    if (!are(given, 2))
        return NULL;
    if (!PyDict_Check(args[0]) || !PyDict_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "names and strings are dicts");
        return NULL;
    }
    Builder *builder = calloc(1, sizeof(Builder));
    if (!builder)
        return PyErr_NoMemory();
    PyObject *capsule = PyCapsule_New(builder, CAPSULE, free_builder);
    if (!capsule) {
        free(builder);
        return NULL;
    }
    builder->codes = Py_NewRef(args[0]);
    builder->strings = Py_NewRef(args[1]);
    builder->open = -1;
    builder->empty = PyUnicode_FromString("");
    PyObject *result = builder->empty ? PyTuple_New(4) : NULL;
    for (int number = 0; result && number < 4; number++) {
        PyObject *function = PyCFunction_NewEx(&builder_functions[number], capsule, NULL);
        if (!function || PyTuple_SetItem(result, number, function) < 0)
            Py_CLEAR(result);
    }
    Py_DECREF(capsule);
    return result;
}

/* -- the module ------------------------------------------------------------------------------------------------- */

static PyMethodDef functions[] = {
    FUNCTION(callbacks), FUNCTION(ends), FUNCTION(nearest), FUNCTION(below), FUNCTION(inherited), FUNCTION(among),
    FUNCTION(attribute), FUNCTION(runs),
    FUNCTION(prefix), FUNCTION(spans),
    FUNCTION(count_characters), FUNCTION(visible), FUNCTION(kinds), FUNCTION(count_tags),
    FUNCTION(hints),
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_flat",
    .m_doc = "Hot loops over flat columns; see page/arrays.py.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__flat(void)
{
    return PyModuleDef_Init(&definition);
}
