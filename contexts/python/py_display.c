/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_display.h"

#include "base/bounds.h"
#include "contexts/python/py_async.h"
#include "contexts/python/py_error.h"
#include "contexts/python/py_forms.h"
#include "contexts/python/py_mime.h"
#include "contexts/python/py_plain.h"
#include "contexts/python/py_text.h"
#include "mime/bundle.h"
#include "mime/type.h"

/* Answers to any name, so its answers mean nothing. */
#define CANARY "_ipython_canary_method_should_not_exist_"

/* Their text says it all; looking for methods would cost more than showing them. */
static bool is_plain(PyObject *object)
{
    PyTypeObject *const plain[] = {
        &PyLong_Type,    &PyUnicode_Type, &PyFloat_Type,     &PyBool_Type,  &PyList_Type,
        &PyDict_Type,    &PyTuple_Type,   &PyBytes_Type,     &PySet_Type,   &PyFrozenSet_Type,
        &PyComplex_Type, &PyRange_Type,   &PyByteArray_Type, &PyModule_Type};
    for (size_t i = 0; i < ARRAY_LEN(plain); i++) {
        if (Py_IS_TYPE(object, plain[i])) {
            return true;
        }
    }
    return false;
}

/* Gives the attribute, NULL without an exception when it is absent, NULL with one when the cell
 * must end. */
static PyObject *lookup(PyObject *object, const char *name)
{
    PyObject *found = PyObject_GetAttrString(object, name);
    if (found == NULL && PyErr_ExceptionMatches(PyExc_Exception)) {
        PyErr_Clear(); /* a __getattr__ that raises has no such attribute */
    }
    return found;
}

/* A class has the methods of its instances as plain functions; only class methods are its own. */
static bool is_callable_on(PyObject *object, PyObject *method)
{
    if (!PyCallable_Check(method)) {
        return false;
    }
    if (!PyType_Check(object)) {
        return true;
    }
    _cleanup_(drop_py) PyObject *self = PyObject_GetAttrString(method, "__self__");
    PyErr_Clear(); /* plain functions have none */
    return self == object;
}

static PyObject *find_method(PyObject *object, const char *name)
{
    _cleanup_(drop_py) PyObject *method = lookup(object, name);
    return method != NULL && is_callable_on(object, method) ? take(method) : NULL;
}

/* After a failed call: 0 when the cell goes on without this form. */
static int forgive(struct py *py)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception)) {
        return -1;
    }
    if (PyErr_ExceptionMatches(PyExc_NotImplementedError)) {
        PyErr_Clear();
    } else {
        py_error_print(py);
    }
    return 0;
}

/* 1: it has shown itself; 0: it has no such method, or failed to. */
static int display_itself(struct py *py, PyObject *object)
{
    _cleanup_(drop_py) PyObject *method = find_method(object, "_ipython_display_");
    if (method == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    _cleanup_(drop_py) PyObject *done = PyObject_CallObject(method, NULL);
    return done != NULL ? 1 : forgive(py);
}

/* Data and metadata of a pair, or data alone; both borrowed. */
static void split_pair(PyObject *answer, PyObject **data, PyObject **metadata)
{
    bool pair = PyTuple_Check(answer) && PyTuple_Size(answer) == 2;
    *data = pair ? PyTuple_GetItem(answer, 0) : answer;
    *metadata = pair ? PyTuple_GetItem(answer, 1) : NULL;
}

static int add_bundle(struct py *py, PyObject *object, const struct py_wishes *w,
                      struct bundle *out)
{
    _cleanup_(drop_py) PyObject *method = find_method(object, "_repr_mimebundle_");
    if (method == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    _cleanup_(drop_py) PyObject *none = PyTuple_New(0);
    _cleanup_(drop_py) PyObject *wishes =
        Py_BuildValue("{sOsO}", "include", w->include, "exclude", w->exclude);
    if (none == NULL || wishes == NULL) {
        return -1;
    }
    PyObject *data = NULL;
    PyObject *metadata = NULL;
    _cleanup_(drop_py) PyObject *answer = PyObject_Call(method, none, wishes);
    if (answer == NULL) {
        return forgive(py);
    }
    split_pair(answer, &data, &metadata);
    return py_mime_add_dict(py, out, data, metadata) < 0 ? forgive(py) : 0;
}

/* Whether a method has given what its type consists of. */
static bool is_fitting(const struct mime_info *type, PyObject *data)
{
    switch (type->form) {
    case MIME_TEXT:
        return PyUnicode_Check(data);
    case MIME_BINARY:
        return PyUnicode_Check(data) || PyBytes_Check(data) || PyByteArray_Check(data);
    case MIME_JSON:
        return PyDict_Check(data) || PyList_Check(data) || PyTuple_Check(data) ||
               PyUnicode_Check(data);
    }
    return false;
}

static int warn_of_type(const struct mime_info *type, PyObject *data)
{
    _cleanup_(drop_py) PyObject *holder = NULL;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(1024);
    buf_addf(&text, "%s is left out: %s() returned an object of type %.200s", type->name,
             type->method, py_type_name((PyObject *)Py_TYPE(data), &holder));
    return PyErr_WarnEx(PyExc_UserWarning, buf_text(&text), 1);
}

static int add_form(struct py *py, PyObject *object, const struct mime_info *type,
                    struct bundle *out)
{
    if (bundle_knows(out, type->name)) {
        return 0; /* an image would be encoded once more for nothing */
    }
    _cleanup_(drop_py) PyObject *method = find_method(object, type->method);
    if (method == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    PyObject *data = NULL;
    PyObject *metadata = NULL;
    _cleanup_(drop_py) PyObject *answer = PyObject_CallObject(method, NULL);
    if (answer == NULL) {
        return forgive(py);
    }
    split_pair(answer, &data, &metadata);
    if (data != Py_None && !is_fitting(type, data)) {
        return warn_of_type(type, data) < 0 ? forgive(py) : 0;
    }
    int failed = py_mime_add(py, out, type->name, data);
    if (failed == 0 && metadata != NULL && data != Py_None) {
        failed = py_mime_add_metadata(py, out, type->name, metadata);
    }
    return failed < 0 ? forgive(py) : 0;
}

static int add_forms(struct py *py, PyObject *object, struct bundle *out)
{
    for (int i = 0; i < MIME_TYPES; i++) {
        const struct mime_info *type = mime_type_info((enum mime_type)i);
        if (type->method != NULL && add_form(py, object, type, out) < 0) {
            return -1;
        }
    }
    return 0;
}

/* What the object says of itself, after what is registered for its class. */
static int add_own(struct py *py, PyObject *object, const struct py_wishes *wishes,
                   struct bundle *out)
{
    _cleanup_(drop_py) PyObject *canary = lookup(object, CANARY);
    if (canary != NULL || PyErr_Occurred()) {
        return canary != NULL ? 0 : -1;
    }
    int shown = display_itself(py, object);
    if (shown != 0) {
        return shown;
    }
    if (py_forms_add_registered(py, object, out) < 0 && forgive(py) < 0) {
        return -1;
    }
    /* What the bundle says of a type counts, text included. */
    if (add_bundle(py, object, wishes, out) < 0 ||
        (!out->has_text && py_plain_add(py, out, object) < 0)) {
        return -1;
    }
    return add_forms(py, object, out);
}

/* The same by the shell's formatters. They tell of failures themselves; one of their own is told
 * here, and the text remains. */
static int add_by_shell(struct py *py, PyObject *object, const struct py_wishes *wishes,
                        struct bundle *out)
{
    int shown = py_forms_add_by_shell(py, object, wishes, out);
    return shown < 0 ? forgive(py) : shown;
}

int py_display_fill(struct py *py, PyObject *object, const struct py_wishes *wishes,
                    struct bundle *out)
{
    if (!py->forms.plain_too && is_plain(object)) {
        return py_plain_add(py, out, object);
    }
    const struct py_wishes all = {.include = Py_None, .exclude = Py_None};
    wishes = wishes != NULL ? wishes : &all;
    int shown = py->forms.asked[FORMS_SHELL] != NULL ? add_by_shell(py, object, wishes, out)
                                                     : add_own(py, object, wishes, out);
    if (shown != 0) {
        return shown;
    }
    if (!out->has_text && py_plain_add(py, out, object) < 0) {
        return -1;
    }
    return py_forms_add_extras(py, object, out) < 0 ? forgive(py) : 0;
}

int py_display_result(struct py *py, PyObject *object)
{
    _cleanup_(drop_bundle) struct bundle bundle;
    bundle_init(&bundle, DISPLAY_MAX);
    py->at_result = true;
    int shown = py_display_fill(py, object, NULL, &bundle);
    py->at_result = false;
    if (shown == 0) {
        PyThreadState *released = PyEval_SaveThread();
        worker_result(py->worker, &bundle);
        PyEval_RestoreThread(released);
    }
    return shown < 0 ? -1 : 0;
}

int py_display_data(struct py *py, PyObject *object, enum wire_type type, struct slice transient)
{
    _cleanup_(drop_bundle) struct bundle bundle;
    bundle_init(&bundle, DISPLAY_MAX);
    int shown = py_display_fill(py, object, NULL, &bundle);
    if (shown == 0) {
        uint64_t exec = py_async_speaker(py);
        PyThreadState *released = PyEval_SaveThread();
        worker_display(py->worker, exec, type, &bundle, transient);
        PyEval_RestoreThread(released);
    }
    return shown < 0 ? -1 : 0;
}
