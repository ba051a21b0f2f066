/* Columns that C files of this folder take from Python: views of buffers, checked before they are read. */
#ifndef BLOCKSIGHT_FLAT_H
#define BLOCKSIGHT_FLAT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 24

/* The buffers and the memory that a function has taken; `release` gives all of them back. */
typedef struct {
    Py_buffer view[MOST_COLUMNS];
    void *memory[MOST_COLUMNS];
    int count, memories;
} Taken;

static inline void release(Taken *taken)
{
    while (taken->count)
        PyBuffer_Release(&taken->view[--taken->count]);
    while (taken->memories)
        free(taken->memory[--taken->memories]);
}

static inline PyObject *failed(Taken *taken, const char *why)
{
    release(taken);
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, why);
    return NULL;
}

static inline PyObject *done(Taken *taken)
{
    release(taken);
    return Py_NewRef(Py_None);
}

/* Take a contiguous column whose values have `size` bytes; NULL with an exception if it is none, or if it has not
 * `length` values (-1: any number, which is written to `found`). */
static inline void *take(Taken *taken, PyObject *object, Py_ssize_t size, Py_ssize_t length, int writable,
                         Py_ssize_t *found)
{
    Py_buffer *view = &taken->view[taken->count];
    if (taken->count == MOST_COLUMNS) {
        PyErr_SetString(PyExc_ValueError, "too many columns");
        return NULL;
    }
    if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0)) < 0)
        return NULL;
    taken->count++;
    if (view->itemsize != size || (length >= 0 && view->len != length * size)) {
        PyErr_SetString(PyExc_ValueError, "a column has another type or length");
        return NULL;
    }
    if (found)
        *found = view->len / size;
    return view->buf;
}

/* Take an int32 column of values from `low` to before `high`; NULL with an exception for others. */
static inline const int32_t *take_indices(Taken *taken, PyObject *object, Py_ssize_t length, Py_ssize_t low,
                                          Py_ssize_t high)
{
    const int32_t *column = take(taken, object, 4, length, 0, &length);
    for (Py_ssize_t row = 0; column && row < length; row++)
        if (column[row] < low || column[row] >= high) {
            PyErr_SetString(PyExc_ValueError, "an index is not within its column");
            return NULL;
        }
    return column;
}

/* Return memory for some values, all 0; NULL with an exception without. */
static inline void *zeros(Taken *taken, Py_ssize_t count, size_t size)
{
    void *memory = taken->memories < MOST_COLUMNS ? calloc((size_t)count + 1, size) : NULL;
    if (!memory)
        return PyErr_NoMemory();
    return taken->memory[taken->memories++] = memory;
}

/* Whether a function got the number of arguments that it needs. */
static inline int are(Py_ssize_t given, Py_ssize_t wanted)
{
    if (given != wanted)
        PyErr_Format(PyExc_TypeError, "%zd arguments are needed, not %zd", wanted, given);
    return given == wanted;
}

#define FUNCTION(name) {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, name##_doc}
#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif
#define DECLARE(name) \
    extern const char name##_doc[]; \
    PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t given)

/* The function of _blocks.c. */
DECLARE(hints);
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
