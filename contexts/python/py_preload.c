/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_preload.h"

#include <poll.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "contexts/python/py_ahead.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_text.h"
#include "contexts/worker/preload.h"

static PyObject *loaded_module(const char *module_name)
{
    _cleanup_(drop_py) PyObject *name = PyUnicode_FromString(module_name);
    PyObject *module = name ? PyImport_GetModule(name) : NULL;
    PyErr_Clear(); /* not loaded is as good an answer */
    return module;
}

static void add_text(struct buf *out, PyObject *object)
{
    if (object == NULL || py_text_add_str(out, object) < 0) {
        PyErr_Clear(); /* a reason that cannot be shown is left out */
    }
}

/* "ValueError: why", of the exception that is set; it is cleared. */
static void describe_exception(struct buf *out)
{
    PyObject *type = NULL;
    PyObject *value = NULL;
    PyObject *traceback = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    _cleanup_(drop_py) PyObject *name = type ? PyObject_GetAttrString(type, "__name__") : NULL;
    add_text(out, name);
    buf_add_text(out, ": ");
    add_text(out, value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

static bool load(void *state, const char *module_name, struct buf *why)
{
    (void)state; /* the interpreter is one per process */
    _cleanup_(drop_py) PyObject *module = PyImport_ImportModule(module_name);
    if (module == NULL) {
        describe_exception(why);
    }
    return module != NULL;
}

/* Without the interpreter's lock, so that others can go on. */
static void rest(void *state, int ms)
{
    (void)state; /* likewise */
    PyThreadState *released = PyEval_SaveThread();
    (void)poll(NULL, 0, ms); /* a signal only makes it shorter */
    PyEval_RestoreThread(released);
}

/* The main thread is no news. */
static void name_threads(void *state, struct buf *names)
{
    (void)state; /* likewise */
    _cleanup_(drop_py) PyObject *threading = loaded_module("threading");
    _cleanup_(drop_py) PyObject *all =
        threading ? PyObject_CallMethod(threading, "enumerate", NULL) : NULL;
    for (Py_ssize_t i = 1; all != NULL && i < PyList_Size(all); i++) {
        _cleanup_(drop_py) PyObject *name = PyObject_GetAttrString(PyList_GetItem(all, i), "name");
        buf_add_text(names, i > 1 ? ", " : "");
        add_text(names, name);
    }
    PyErr_Clear();
}

/* Calls a method that may fail: the object, NULL if there is none, may not be what it seems. */
static void try_method(PyObject *object, const char *name, const char *argument)
{
    if (object != NULL) {
        Py_XDECREF(PyObject_CallMethod(object, name, argument ? "s" : NULL, argument));
    }
    PyErr_Clear();
}

/* What lies in the current directory is not meant: contexts may have another one. */
static void leave_here(void)
{
    try_method(PySys_GetObject("path"), "remove", "");
}

/* Figures that a module has drawn would be shown by every context. */
static void close_figures(void)
{
    _cleanup_(drop_py) PyObject *pyplot = loaded_module("matplotlib.pyplot");
    try_method(pyplot, "close", "all");
}

/* What we do to the libraries that are there now, each context would have to do at birth. */
static void change_ahead(struct py *py)
{
    _cleanup_(drop_py) PyObject *done = py_prelude_call(py, PRELUDE_IMPORTS, "change_ahead", "()");
    if (done == NULL) {
        PyErr_Clear(); /* the first context will do it, and say what is wrong */
    }
}

int py_preload(struct py *py, const char *list)
{
    static const struct preload_loader loader = {
        .load = load, .rest = rest, .name_threads = name_threads};
    while (py_ahead_step(py)) {
    }
    leave_here();
    if (preload_run(&loader, py, list) < 0) {
        return -1;
    }
    close_figures();
    change_ahead(py);
    py_ahead_settle(py);
    return 0;
}

/* The interpreter reseeds `random` itself; numpy's old global generator it does not know. */
void py_preload_reseed(void)
{
    _cleanup_(drop_py) PyObject *module = loaded_module("numpy.random");
    try_method(module, "seed", NULL);
}

/* matplotlib looks at the variable only once. */
void py_preload_adopt_env(struct slice env)
{
    struct slice value = jscan_get(env, "MPLBACKEND");
    _cleanup_(drop_buf) struct buf text = BUF_INIT(MSG_FIELD_MAX);
    _cleanup_(drop_py) PyObject *matplotlib =
        jscan_string(value, &text) == 0 && text.len > 0 ? loaded_module("matplotlib") : NULL;
    _cleanup_(drop_py) PyObject *settings =
        matplotlib ? PyObject_GetAttrString(matplotlib, "rcParams") : NULL;
    _cleanup_(drop_py) PyObject *key = settings ? PyUnicode_FromString("backend") : NULL;
    _cleanup_(drop_py) PyObject *backend = key ? py_text_new(buf_slice(&text)) : NULL;
    if (backend == NULL || PyObject_SetItem(settings, key, backend) < 0) {
        PyErr_Clear(); /* not loaded, or no such backend: the first figure will say so */
    }
}
