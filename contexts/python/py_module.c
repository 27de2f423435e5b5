/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_module.h"

#include "contexts/python/py_cell.h"
#include "contexts/python/py_comm.h"
#include "contexts/python/py_complete.h"
#include "contexts/python/py_display.h"
#include "contexts/python/py_figures.h"
#include "contexts/python/py_forms.h"
#include "contexts/python/py_handles.h"
#include "contexts/python/py_input.h"
#include "contexts/python/py_inspect.h"
#include "contexts/python/py_leave.h"
#include "contexts/python/py_png.h"
#include "contexts/python/py_preload.h"
#include "contexts/python/py_shell.h"
#include "contexts/python/py_stream.h"
#include "contexts/python/py_watch.h"
#include "contexts/worker/fork_server.h"

enum { EXIT_PRELOAD_REFUSED = 71 };

/* serve(host, preload=None): loads the comma-separated modules, runs the fork server; returns its
 * exit status when the broker has gone. */
static PyObject *serve(PyObject *module, PyObject *args)
{
    struct py *py = py_engine();
    const char *name = NULL;
    const char *preload = NULL;
    (void)module; /* the interpreter's calling convention */
    if (!PyArg_ParseTuple(args, "s|z", &name, &preload)) {
        return NULL;
    }
    if (strcmp(name, "embedded") != 0) {
        fork_server_prepare(); /* the embedding host did so before there was an interpreter */
    }
    if (py_set_up(py, name) < 0) {
        return NULL;
    }
    if (preload != NULL && py_preload(py, preload) < 0) {
        _exit(EXIT_PRELOAD_REFUSED); /* a foreign thread runs: nothing orderly can be done */
    }
    if (py_set_path() < 0) {
        return NULL;
    }
    if (preload != NULL) {
        /* Exit handlers of foreign libraries could only take time, or crash. */
        _exit(fork_server_run_with_spare(py_engine_table(), py));
    }
    return PyLong_FromLong(fork_server_run(py_engine_table(), py));
}

/* What the interpreter calls for expressions of code compiled in "single" mode. */
static PyObject *displayhook(PyObject *module, PyObject *value)
{
    struct py *py = py_engine();
    (void)module; /* the interpreter's calling convention */
    if (value != Py_None && py->worker != NULL &&
        py_display_data(py, value, WIRE_DISPLAY_DATA, SLICE_NONE) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* display(): the plain case at once, options in prelude/displays.py. */
static PyObject *display(PyObject *module, PyObject *args, PyObject *kwargs)
{
    struct py *py = py_engine();
    (void)module; /* the interpreter's calling convention */
    bool has_options = kwargs != NULL && PyDict_Size(kwargs) > 0;
    bool has_shell = py->forms.asked[FORMS_SHELL] != NULL; /* which may have another publisher */
    if (py->worker != NULL && (has_options || has_shell)) {
        return py_handles_display(py, args, kwargs);
    }
    for (Py_ssize_t i = 0; py->worker != NULL && i < PyTuple_Size(args); i++) {
        if (py_display_data(py, PyTuple_GetItem(args, i), WIRE_DISPLAY_DATA, SLICE_NONE) < 0) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"serve", serve, METH_VARARGS, NULL},
    {"displayhook", displayhook, METH_O, NULL},
    {"display", (PyCFunction)(void (*)(void))display, METH_VARARGS | METH_KEYWORDS,
     "display(*objects, display_id=None, update=False, **options)\n\n"
     "Show objects in their richest form. Gives a handle when there is a display_id."},
    {NULL, NULL, 0, NULL},
};

static int add_builtins(PyObject *module)
{
    static const char *const names[][2] = {
        {"display", "display"}, {"exit", "exit"}, {"quit", "exit"}};
    _cleanup_(drop_py) PyObject *builtins = PyImport_ImportModule("builtins");
    if (builtins == NULL) {
        return -1;
    }
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        _cleanup_(drop_py) PyObject *function = PyObject_GetAttrString(module, names[i][1]);
        if (function == NULL || PyObject_SetAttrString(builtins, names[i][0], function) < 0) {
            return -1;
        }
    }
    return py_input_install(module, builtins);
}

static int replace_displayhook(PyObject *module)
{
    _cleanup_(drop_py) PyObject *hook = PyObject_GetAttrString(module, "displayhook");
    return hook == NULL ? -1 : PySys_SetObject("displayhook", hook);
}

PyMODINIT_FUNC PyInit__pandia(void)
{
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_pandia",
                                            .m_size = -1, .m_methods = methods};
    _cleanup_(drop_py) PyObject *module = PyModule_Create(&definition);
    if (module == NULL || py_stream_install(py_engine(), module) < 0 ||
        py_watch_install(module) < 0 || py_comm_add_function(module) < 0 ||
        py_leave_add_function(module) < 0 || py_shell_install(module) < 0 ||
        py_complete_add_function(module) < 0 || py_inspect_add_function(module) < 0 ||
        py_handles_add_functions(module) < 0 || py_forms_add_functions(module) < 0 ||
        py_figures_add_function(module) < 0 || py_png_add_function(module) < 0 ||
        add_builtins(module) < 0 || replace_displayhook(module) < 0) {
        return NULL;
    }
    return take(module);
}
