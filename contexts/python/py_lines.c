/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_lines.h"

#include "contexts/python/py_prelude.h"
#include "contexts/python/py_text.h"

PyObject *py_lines_name(struct py *py, int64_t count)
{
    _cleanup_(drop_py) PyObject *name = py_text_numbered("<cell ", count, ">");
    _cleanup_(drop_py) PyObject *number = PyLong_FromLongLong(count);
    if (name == NULL || number == NULL) {
        return NULL;
    }
    py->cell_number++;
    int known = PyDict_Contains(py->cells, name);
    if (known > 0) { /* silent, or run without history: the count did not move */
        Py_DECREF(name);
        name =
            PyUnicode_FromFormat("<cell %lld-%lld>", (long long)count, (long long)py->cell_number);
    }
    if (known < 0 || name == NULL || PyDict_SetItem(py->cells, name, number) < 0) {
        return NULL;
    }
    return take(name);
}

/* str.splitlines() knows more ends of lines than Python's source has. */
static bool has_odd_bytes(struct slice raw)
{
    static const unsigned char odd[] = {'\v', '\f', '\r', 0x1c, 0x1d, 0x1e, 0xc2, 0xe2};
    for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
        if (memchr(raw.data, odd[i], raw.len) != NULL) {
            return true;
        }
    }
    return false;
}

static PyObject *split(struct py *py, PyObject *text, struct slice raw)
{
    if (has_odd_bytes(raw)) {
        return py_prelude_call(py, PRELUDE_SOURCE, "lines", "(O)", text);
    }
    if (raw.len > 0 && raw.data[raw.len - 1] == '\n') {
        return PyUnicode_Splitlines(text, 1);
    }
    _cleanup_(drop_py) PyObject *ended = PyUnicode_FromFormat("%U\n", text);
    return ended == NULL ? NULL : PyUnicode_Splitlines(ended, 1);
}

/* Gives linecache.cache as it is now; NULL without an exception when user code broke it. */
static PyObject *line_cache(struct py *py)
{
    if (py->linecache == NULL) {
        py->linecache = PyImport_ImportModule("linecache");
    }
    PyObject *cache = py->linecache ? PyObject_GetAttr(py->linecache, py->names[NAME_CACHE]) : NULL;
    if (cache == NULL || !PyDict_Check(cache)) {
        PyErr_Clear();
        Py_CLEAR(cache);
    }
    return cache;
}

int py_lines_remember(struct py *py, PyObject *text, struct slice raw, PyObject *file)
{
    _cleanup_(drop_py) PyObject *cache = line_cache(py);
    if (cache == NULL) {
        return 0;
    }
    _cleanup_(drop_py) PyObject *lines = split(py, text, raw);
    if (lines == NULL) {
        return -1;
    }
    _cleanup_(drop_py) PyObject *entry =
        Py_BuildValue("(nOOO)", PyUnicode_GetLength(text), Py_None, lines, file);
    return entry == NULL ? -1 : PyDict_SetItem(cache, file, entry);
}

/* What is not there any more need not be taken away. */
static void forget(PyObject *dict, PyObject *key)
{
    if (dict != NULL && PyDict_DelItem(dict, key) < 0) {
        PyErr_Clear();
    }
}

int py_lines_let_pass(struct py *py, PyObject *file)
{
    enum { PASSING_MAX = 100 };

    if (PyList_Append(py->passing, file) < 0) {
        return -1;
    }
    if (PyList_Size(py->passing) <= PASSING_MAX) {
        return 0;
    }
    _cleanup_(drop_py) PyObject *cache = line_cache(py);
    PyObject *oldest = PyList_GetItem(py->passing, 0); /* borrowed from the list */
    forget(py->cells, oldest);
    forget(cache, oldest);
    return PyList_SetSlice(py->passing, 0, 1, NULL);
}
