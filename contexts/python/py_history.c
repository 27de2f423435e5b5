/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_history.h"

#include "base/bounds.h"
#include "contexts/python/py_text.h"
#include "contexts/python/py_weight.h"

enum {
    OUTPUTS_MAX = 1000, /* values kept in Out; then the oldest fifth goes */
    PAD_MAX = 10000     /* inputs that other clients ran and this process never saw */
};

/* Values at least so large are counted; Out keeps so much of them, and the last one in any case. */
#define HEAVY_MIN (64 * KIB)
#define HEAVY_MAX (64 * MIB)

enum { NAMES = 3 };

static PyObject *value_name(const struct py *py, size_t i)
{
    PyObject *const names[NAMES] = {py->names[NAME_OUT_1], py->names[NAME_OUT_2],
                                    py->names[NAME_OUT_3]};
    return names[i];
}

static PyObject *input_name(const struct py *py, size_t i)
{
    PyObject *const names[NAMES] = {py->names[NAME_IN_1], py->names[NAME_IN_2],
                                    py->names[NAME_IN_3]};
    return names[i];
}

static int put(struct py *py, const char *name, PyObject *value)
{
    return PyDict_SetItemString(py->space, name, value);
}

int py_history_open(struct py *py)
{
    struct py_history *h = &py->history;
    h->inputs = Py_BuildValue("[s]", "");
    h->outputs = PyDict_New();
    h->heavy = PyDict_New();
    PyObject *empty = PyUnicode_FromString("");
    if (h->inputs == NULL || h->outputs == NULL || h->heavy == NULL || empty == NULL) {
        Py_XDECREF(empty);
        return -1;
    }
    int failed = 0;
    for (size_t i = 0; i < ARRAY_LEN(h->typed); i++) {
        Py_INCREF(empty);
        h->typed[i] = empty;
    }
    for (size_t i = 0; i < NAMES; i++) {
        Py_INCREF(empty);
        h->recent[i] = empty;
        failed |= PyDict_SetItem(py->space, value_name(py, i), empty);
        failed |= PyDict_SetItem(py->space, input_name(py, i), empty);
    }
    Py_DECREF(empty);
    failed |= put(py, "In", h->inputs) | put(py, "_ih", h->inputs);
    failed |= put(py, "Out", h->outputs) | put(py, "_oh", h->outputs);
    return failed;
}

static int list_input(struct py_history *h, PyObject *source, int64_t count)
{
    Py_ssize_t len = PyList_Size(h->inputs);
    for (int padded = 0; len >= 0 && len < count && padded < PAD_MAX; padded++, len++) {
        _cleanup_(drop_py) PyObject *unknown = PyUnicode_FromString("");
        if (unknown == NULL || PyList_Append(h->inputs, unknown) < 0) {
            return -1;
        }
    }
    if (len == count) {
        return PyList_Append(h->inputs, source);
    }
    if (len > count && count > 0) { /* the user shortened or lengthened the list */
        Py_INCREF(source);
        return PyList_SetItem(h->inputs, (Py_ssize_t)count, source);
    }
    return len < 0 ? -1 : 0;
}

int py_history_input(struct py *py, PyObject *source, int64_t count)
{
    struct py_history *h = &py->history;
    Py_XDECREF(h->typed[3]);
    h->typed[3] = h->typed[2];
    h->typed[2] = h->typed[1];
    h->typed[1] = h->typed[0];
    h->typed[0] = source;
    Py_INCREF(source);
    for (size_t i = 0; i < NAMES; i++) {
        if (PyDict_SetItem(py->space, input_name(py, i), h->typed[i + 1]) < 0) {
            return -1;
        }
    }
    _cleanup_(drop_py) PyObject *name = py_text_numbered("_i", count, "");
    if (name == NULL || PyDict_SetItem(py->space, name, source) < 0) {
        return -1;
    }
    return list_input(h, source, count);
}

/* True while none of _, __, ___ was taken by the user, nor _ by gettext. */
static bool are_ours(const struct py *py)
{
    for (size_t i = 0; i < NAMES; i++) {
        PyObject *there = PyDict_GetItemWithError(py->space, value_name(py, i)); /* borrowed */
        if (there != NULL && there != py->history.recent[i]) {
            return false;
        }
    }
    PyObject *real = PyEval_GetBuiltins(); /* borrowed; the copy would not show gettext's _ */
    return real == NULL || PyDict_GetItemWithError(real, py->names[NAME_OUT_1]) == NULL;
}

static int shift_recent(struct py *py, PyObject *value)
{
    struct py_history *h = &py->history;
    bool ours = are_ours(py);
    Py_XDECREF(h->recent[2]);
    h->recent[2] = h->recent[1];
    h->recent[1] = h->recent[0];
    h->recent[0] = value;
    Py_INCREF(value);
    int failed = 0;
    for (size_t i = 0; ours && i < NAMES; i++) {
        failed |= PyDict_SetItem(py->space, value_name(py, i), h->recent[i]);
    }
    return failed;
}

/* A value that leaves Out leaves __ and ___ too. */
static int forget_recent(struct py *py, PyObject *value)
{
    for (size_t i = 1; i < NAMES; i++) {
        if (py->history.recent[i] != value) {
            continue;
        }
        PyObject *empty = PyUnicode_FromString("");
        if (empty == NULL) {
            return -1;
        }
        PyObject *there = PyDict_GetItemWithError(py->space, value_name(py, i)); /* borrowed */
        int failed = there == value ? PyDict_SetItem(py->space, value_name(py, i), empty) : 0;
        py->history.recent[i] = empty;
        Py_DECREF(value);
        if (failed < 0) {
            return -1;
        }
    }
    return 0;
}

/* No longer counts it. */
static void unweigh(struct py_history *h, PyObject *count)
{
    PyObject *bytes = PyDict_GetItemWithError(h->heavy, count); /* borrowed */
    if (bytes == NULL) {
        PyErr_Clear(); /* it was never heavy */
        return;
    }
    h->heavy_bytes -= PyLong_AsSize_t(bytes);
    if (PyDict_DelItem(h->heavy, count) < 0) {
        PyErr_Clear(); /* there was no memory to find it again; only ours has this dict */
    }
}

/* Drops one entry of Out and its _N. */
static int forget(struct py *py, PyObject *count)
{
    _cleanup_(drop_py) PyObject *name = PyUnicode_FromFormat("_%S", count);
    _cleanup_(drop_py) PyObject *value = PyDict_GetItemWithError(py->history.outputs, count);
    Py_XINCREF(value);
    unweigh(&py->history, count);
    if (name == NULL || value == NULL) {
        return -1;
    }
    PyObject *there = PyDict_GetItemWithError(py->space, name); /* borrowed */
    if (there == value && PyDict_DelItem(py->space, name) < 0) {
        return -1;
    }
    return PyDict_DelItem(py->history.outputs, count);
}

static int forget_oldest(struct py *py)
{
    _cleanup_(drop_py) PyObject *counts = PyDict_Keys(py->history.outputs);
    if (counts == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < OUTPUTS_MAX / 5 && i < PyList_Size(counts); i++) {
        if (forget(py, PyList_GetItem(counts, i)) < 0) {
            PyErr_Clear(); /* the user put something of his own into Out; leave it there */
        }
    }
    return 0;
}

/* Counts a value that is about to be kept, and drops older ones of weight when they are too much.
 */
static int weigh(struct py *py, PyObject *value, PyObject *count)
{
    struct py_history *h = &py->history;
    size_t bytes = py_weight(py, value);
    if (bytes < HEAVY_MIN) {
        return 0;
    }
    _cleanup_(drop_py) PyObject *older = PyDict_Keys(h->heavy);
    _cleanup_(drop_py) PyObject *number = PyLong_FromSize_t(bytes);
    if (older == NULL || number == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; h->heavy_bytes + bytes > HEAVY_MAX && i < PyList_Size(older); i++) {
        PyObject *oldest = PyList_GetItem(older, i);                  /* borrowed */
        PyObject *gone = PyDict_GetItemWithError(h->outputs, oldest); /* borrowed */
        if ((gone != NULL && gone != value && forget_recent(py, gone) < 0) ||
            forget(py, oldest) < 0) {
            PyErr_Clear(); /* the user has taken it out of Out himself */
        }
    }
    if (PyDict_SetItem(h->heavy, count, number) < 0) {
        return -1;
    }
    h->heavy_bytes += bytes;
    return 0;
}

int py_history_output(struct py *py, PyObject *value, int64_t count)
{
    struct py_history *h = &py->history;
    if (value == h->outputs) { /* Out in Out would never be freed */
        return 0;
    }
    if (shift_recent(py, value) < 0) {
        return -1;
    }
    if (count == 0) {
        return 0;
    }
    if (PyDict_Size(h->outputs) >= OUTPUTS_MAX && forget_oldest(py) < 0) {
        return -1;
    }
    _cleanup_(drop_py) PyObject *name = py_text_numbered("_", count, "");
    _cleanup_(drop_py) PyObject *key = PyLong_FromLongLong(count);
    if (name == NULL || key == NULL || weigh(py, value, key) < 0 ||
        PyDict_SetItem(py->space, name, value) < 0) {
        return -1;
    }
    return PyDict_SetItem(h->outputs, key, value);
}
