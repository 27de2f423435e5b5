/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_shell.h"

#include <unistd.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "contexts/python/py_async.h"
#include "contexts/python/py_error.h"
#include "contexts/python/py_payload.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_text.h"

/* get_ipython(): the one object, made when it is asked for. A cell that asks wants the whole of it;
 * a library may only want to know where it is. */
static PyObject *get_shell(PyObject *module, PyObject *unused)
{
    struct py *py = py_engine();
    (void)unused;
    PyObject *asker = PyEval_GetGlobals(); /* borrowed */
    _cleanup_(drop_py) PyObject *source = py_prelude_source(PRELUDE_SHELL);
    return source == NULL ? NULL
                          : py_prelude_call(py, PRELUDE_SHELL, "get", "(OOOi)", module, py->space,
                                            source, asker == py->space);
}

/* set_payload(source, json): the last one of a source counts. */
static PyObject *set_payload(PyObject *module, PyObject *args)
{
    struct py *py = py_engine();
    const char *source = NULL;
    PyObject *json = NULL;
    (void)module; /* the interpreter's calling convention */
    if (!PyArg_ParseTuple(args, "sU", &source, &json)) {
        return NULL;
    }
    if (py_payload_set(py, source, json) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* request_header(): the JSON text of the header of the request that runs, or ran last. */
static PyObject *request_header(PyObject *module, PyObject *unused)
{
    (void)module; /* the interpreter's calling convention */
    (void)unused;
    return py_text_new(buf_slice(&py_engine()->header));
}

/* execution(): the name of the execution that is heard. */
static PyObject *execution(PyObject *module, PyObject *unused)
{
    struct worker *worker = py_engine()->worker;
    (void)module; /* the interpreter's calling convention */
    (void)unused;
    return PyLong_FromUnsignedLongLong(worker ? worker_heard(worker) : LATEST_EXEC);
}

/* voice(): the ContextVar that holds the execution for which a thread or task speaks. */
static PyObject *voice(PyObject *module, PyObject *unused)
{
    (void)module; /* the interpreter's calling convention */
    (void)unused;
    return py_async_voice(py_engine());
}

/* show_traceback(): prints the exception that is being handled. */
static PyObject *show_traceback(PyObject *module, PyObject *unused)
{
    PyObject *type = NULL;
    PyObject *value = NULL;
    PyObject *traceback = NULL;
    (void)module; /* the interpreter's calling convention */
    (void)unused;
    PyErr_GetExcInfo(&type, &value, &traceback);
    if (type != NULL && type != Py_None) {
        PyErr_Restore(type, value, traceback);
        py_error_print(py_engine());
    }
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"get_ipython", get_shell, METH_NOARGS,
     "get_ipython()\n--\n\nThe shell of this context, as far as libraries need one."},
    {"set_payload", set_payload, METH_VARARGS, NULL},
    {"request_header", request_header, METH_NOARGS, NULL},
    {"execution", execution, METH_NOARGS, NULL},
    {"voice", voice, METH_NOARGS, NULL},
    {"show_traceback", show_traceback, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* Whether one of the folders from which modules come has IPython's. */
static bool has_ipython(void)
{
    PyObject *path = PySys_GetObject("path"); /* borrowed */
    Py_ssize_t count = path != NULL && PyList_Check(path) ? PyList_Size(path) : 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        struct slice folder = SLICE_NONE;
        PyObject *entry = PyList_GetItem(path, i); /* borrowed */
        _cleanup_(drop_py) PyObject *holder =
            PyUnicode_Check(entry) ? py_text_of(entry, &folder) : NULL;
        _cleanup_(drop_free) char *file =
            holder ? xasprintf("%.*s/IPython/__init__.py", (int)folder.len, folder.data) : NULL;
        PyErr_Clear(); /* a name that nobody can write down */
        if (file != NULL && access(file, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* What IPython's shell leaves there, and many ask for without asking for the shell. A look at the
 * disk costs a zygote some 10 us; one that is installed later puts it there when it is loaded. */
static int add_sign_of_ipython(PyObject *builtins)
{
    return has_ipython() ? PyObject_SetAttrString(builtins, "__IPYTHON__", Py_True) : 0;
}

int py_shell_install(PyObject *module)
{
    if (PyModule_AddFunctions(module, functions) < 0) {
        return -1;
    }
    _cleanup_(drop_py) PyObject *builtins = PyImport_ImportModule("builtins");
    _cleanup_(drop_py) PyObject *function = PyObject_GetAttrString(module, functions[0].ml_name);
    if (builtins == NULL || function == NULL ||
        PyObject_SetAttrString(builtins, functions[0].ml_name, function) < 0) {
        return -1;
    }
    return add_sign_of_ipython(builtins);
}

int py_shell_open(struct py *py)
{
    py->header = BUF_INIT(MSG_PARENT_MAX);
    _cleanup_(drop_py) PyObject *waits =
        py_prelude_call(py, PRELUDE_IMPORTS, "let_interrupts_end_debuggers", "()");
    _cleanup_(drop_py) PyObject *offered =
        waits ? py_prelude_call(py, PRELUDE_IMPORTS, "wait_for_libraries", "()") : NULL;
    return offered == NULL ? -1 : 0;
}

void py_shell_begin(struct py *py, struct slice header)
{
    buf_clear(&py->header);
    buf_add_slice(&py->header, header);
}
