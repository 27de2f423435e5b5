/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_plain.h"

#include <stdio.h>

#include "contexts/python/py_error.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_text.h"
#include "mime/bundle.h"

enum {
    LINE_MAX_CHARS = 79,               /* as in prelude/pretty.py */
    ITEMS_MAX = LINE_MAX_CHARS / 3 + 1 /* no more fit into a line, with a comma and a space each */
};

/* Types of the short way: what is a scalar comes first. */
static PyTypeObject *plain_type(size_t i)
{
    PyTypeObject *const types[PLAIN_TYPES] = {&PyLong_Type, &PyUnicode_Type, &PyFloat_Type,
                                              &PyBool_Type, &PyBytes_Type,   &PyComplex_Type,
                                              &PyList_Type, &PyTuple_Type,   &PyDict_Type};
    return types[i];
}

enum { SCALARS = 6 };

static bool is_scalar(PyObject *value)
{
    for (size_t i = 0; i < SCALARS; i++) {
        if (Py_IS_TYPE(value, plain_type(i))) {
            return true;
        }
    }
    return value == Py_None;
}

/* A scalar that has a chance to fit into a line with others. */
static bool is_short(PyObject *value)
{
    if (PyUnicode_CheckExact(value)) {
        return PyUnicode_GetLength(value) < LINE_MAX_CHARS;
    }
    if (PyBytes_CheckExact(value)) {
        return PyBytes_Size(value) < LINE_MAX_CHARS;
    }
    return is_scalar(value);
}

static bool is_short_list(PyObject *value)
{
    bool list = PyList_CheckExact(value);
    Py_ssize_t count = list ? PyList_Size(value) : PyTuple_Size(value);
    for (Py_ssize_t i = 0; i < count && count <= ITEMS_MAX; i++) {
        if (!is_short(list ? PyList_GetItem(value, i) : PyTuple_GetItem(value, i))) {
            return false;
        }
    }
    return count <= ITEMS_MAX;
}

static bool is_short_dict(PyObject *value)
{
    Py_ssize_t at = 0;
    PyObject *key = NULL;
    PyObject *member = NULL;
    bool few = PyDict_Size(value) <= ITEMS_MAX;
    while (few && PyDict_Next(value, &at, &key, &member)) {
        if (!is_short(key) || !is_short(member)) {
            return false;
        }
    }
    return few;
}

/* True for one of IPython's own printers, or none: they do as we do. */
static bool is_default_printer(const struct py *py, PyObject *printer)
{
    if (printer == NULL) {
        return true;
    }
    _cleanup_(drop_py) PyObject *module = PyObject_GetAttr(printer, py->names[NAME_MODULE]);
    if (module == NULL || !PyUnicode_Check(module)) {
        PyErr_Clear(); /* whatever it is, it is not IPython's */
        return false;
    }
    return PyUnicode_Compare(module, py->names[NAME_PRETTY]) == 0;
}

/* True when IPython is loaded and somebody has told it how one of our types is to look. */
static bool has_registrations(struct py *py)
{
    _cleanup_(drop_py) PyObject *module = PyImport_GetModule(py->names[NAME_PRETTY]);
    _cleanup_(drop_py) PyObject *table =
        module ? PyObject_GetAttr(module, py->names[NAME_PRINTERS]) : NULL;
    PyErr_Clear();
    if (table == NULL || !PyDict_Check(table)) {
        return module != NULL;
    }
    for (size_t i = 0; i < PLAIN_TYPES; i++) {
        PyObject *printer = PyDict_GetItemWithError(table, (PyObject *)plain_type(i));
        if (py->plain.known && printer == py->plain.printers[i]) {
            continue;
        }
        if (!is_default_printer(py, printer)) {
            return true;
        }
        Py_XINCREF(printer);
        Py_XDECREF(py->plain.printers[i]);
        py->plain.printers[i] = printer;
    }
    py->plain.known = true;
    return false;
}

/* The short way, for values whose text is their repr: NULL without an exception when this is not
 * one of them. */
static PyObject *short_text(struct py *py, PyObject *value)
{
    bool alone = is_scalar(value);
    bool list = PyList_CheckExact(value) || PyTuple_CheckExact(value);
    if (!alone && !(list && is_short_list(value)) &&
        !(PyDict_CheckExact(value) && is_short_dict(value))) {
        return NULL;
    }
    if (py->forms.plain_too || has_registrations(py)) {
        return NULL;
    }
    _cleanup_(drop_py) PyObject *text = PyObject_Repr(value);
    if (text != NULL && !alone && PyUnicode_GetLength(text) > LINE_MAX_CHARS) {
        return NULL; /* to be broken */
    }
    return take(text);
}

/* The one place that decides how values look as text. */
static PyObject *text_of(struct py *py, PyObject *value)
{
    PyObject *text = short_text(py, value);
    if (text != NULL || PyErr_Occurred() != NULL) {
        return text;
    }
    if (py_prelude_load(py, PRELUDE_PRETTY) < 0 && PyErr_ExceptionMatches(PyExc_Exception)) {
        PyErr_Clear(); /* user code broke a module that the printer needs; repr needs none */
        return PyObject_Repr(value);
    }
    text = py_prelude_call(py, PRELUDE_PRETTY, "pretty", "(O)", value);
    if (text != NULL && !PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "the text of a value is not a str");
        Py_CLEAR(text);
    }
    return text;
}

static void add_placeholder(struct bundle *bundle, PyObject *value)
{
    _cleanup_(drop_py) PyObject *holder = NULL;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(4096);
    buf_addf(&text, "<unprintable %.200s object>",
             py_type_name((PyObject *)Py_TYPE(value), &holder));
    (void)bundle_add_text(bundle, "text/plain", buf_slice(&text)); /* text is never refused */
}

int py_plain_add(struct py *py, struct bundle *bundle, PyObject *value)
{
    struct slice raw = SLICE_NONE;
    _cleanup_(drop_py) PyObject *text = text_of(py, value);
    _cleanup_(drop_py) PyObject *holder = text ? py_text_of(text, &raw) : NULL;
    if (holder != NULL) {
        (void)bundle_add_text(bundle, "text/plain", raw); /* cut if need be, never refused */
        return 0;
    }
    if (py->at_result || !PyErr_ExceptionMatches(PyExc_Exception)) {
        return -1;
    }
    py_error_print(py);
    add_placeholder(bundle, value);
    return 0;
}
