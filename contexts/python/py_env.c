/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_env.h"

#include "base/bounds.h"
#include "base/jscan.h"
#include "contexts/python/py_text.h"

static PyObject *environ_object(void)
{
    _cleanup_(drop_py) PyObject *os = PyImport_ImportModule("os");
    return os ? PyObject_GetAttrString(os, "environ") : NULL;
}

/* Sets, or removes when `value` is None. What is not there need not be removed. */
static int set_or_remove(PyObject *variables, PyObject *key, PyObject *value)
{
    if (value != Py_None) {
        return PyObject_SetItem(variables, key, value);
    }
    if (PyObject_DelItem(variables, key) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_KeyError)) {
            return -1;
        }
        PyErr_Clear();
    }
    return 0;
}

/* Gives the value of a JSON string, None for anything else. */
static PyObject *text_or_none(struct slice value)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(START_OPTIONS_MAX);
    if (jscan_string(value, &text) < 0) {
        return Py_BuildValue("");
    }
    return py_text_new(buf_slice(&text));
}

/* Remembers in `before` what `key` was, None if it was not. */
static int remember(PyObject *variables, PyObject *key, PyObject *before)
{
    if (before == NULL || PyDict_Contains(before, key) == 1) {
        return 0;
    }
    _cleanup_(drop_py) PyObject *value = PyObject_CallMethod(variables, "get", "O", key);
    return value == NULL ? -1 : PyDict_SetItem(before, key, value);
}

static int apply(struct slice env, PyObject *before)
{
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    if (jscan_kind(env) != JSCAN_OBJECT) {
        return 0;
    }
    _cleanup_(drop_py) PyObject *variables = environ_object();
    if (variables == NULL) {
        return -1;
    }
    jscan_iter_init(&it, env);
    while (jscan_next(&it, &key, &value)) {
        _cleanup_(drop_py) PyObject *name = text_or_none(key);
        _cleanup_(drop_py) PyObject *text = name ? text_or_none(value) : NULL;
        if (text == NULL || remember(variables, name, before) < 0 ||
            set_or_remove(variables, name, text) < 0) {
            return -1;
        }
    }
    return 0;
}

int py_env_set(struct slice env)
{
    return apply(env, NULL);
}

/* Gives prefix/bin, and PATH behind it; a PATH that begins so already stays as it is. */
static PyObject *venv_path(PyObject *variables, PyObject *prefix)
{
    _cleanup_(drop_py) PyObject *before = PyObject_CallMethod(variables, "get", "ss", "PATH", "");
    _cleanup_(drop_py) PyObject *bin = PyUnicode_FromFormat("%U/bin", prefix);
    if (before == NULL || bin == NULL || !PyUnicode_Check(before)) {
        return NULL;
    }
    if (PyUnicode_GetLength(before) == 0) {
        return take(bin);
    }
    _cleanup_(drop_py) PyObject *path = PyUnicode_FromFormat("%U:%U", bin, before);
    Py_ssize_t there = path ? PyUnicode_Tailmatch(before, bin, 0, PY_SSIZE_T_MAX, -1) : -1;
    if (there < 0) {
        return NULL;
    }
    return there == 1 ? take(before) : take(path);
}

int py_env_enter_venv(void)
{
    PyObject *prefix = PySys_GetObject("prefix");    /* borrowed */
    PyObject *base = PySys_GetObject("base_prefix"); /* borrowed */
    if (prefix == NULL || base == NULL || PyObject_RichCompareBool(prefix, base, Py_EQ) != 0) {
        return 0;
    }
    _cleanup_(drop_py) PyObject *variables = environ_object();
    _cleanup_(drop_py) PyObject *path = variables ? venv_path(variables, prefix) : NULL;
    _cleanup_(drop_py) PyObject *path_name = PyUnicode_FromString("PATH");
    _cleanup_(drop_py) PyObject *venv_name = PyUnicode_FromString("VIRTUAL_ENV");
    bool done = path != NULL && path_name != NULL && venv_name != NULL &&
                PyObject_SetItem(variables, path_name, path) == 0 &&
                PyObject_SetItem(variables, venv_name, prefix) == 0;
    return done ? 0 : -1;
}

PyObject *py_env_borrow(struct slice env)
{
    _cleanup_(drop_py) PyObject *before = PyDict_New();
    if (before == NULL) {
        return NULL;
    }
    if (apply(env, before) < 0) {
        PyErr_Print(); /* a variable the system cannot hold: told, and the cell runs without it */
    }
    return take(before);
}

void py_env_restore(PyObject *before)
{
    PyObject *key = NULL;   /* borrowed */
    PyObject *value = NULL; /* borrowed */
    Py_ssize_t at = 0;
    _cleanup_(drop_py) PyObject *variables = environ_object();
    while (variables != NULL && PyDict_Next(before, &at, &key, &value)) {
        if (set_or_remove(variables, key, value) < 0) {
            PyErr_Clear(); /* user code broke os.environ; the next variable may still go */
        }
    }
    PyErr_Clear();
}
