/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_figures.h"

#include "contexts/python/py_error.h"

static PyObject *at_cell_end(PyObject *module, PyObject *function)
{
    struct py *py = py_engine();
    (void)module; /* the interpreter's calling convention */
    PyObject *before = py->cell_end;
    Py_INCREF(function);
    py->cell_end = function;
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"at_cell_end", at_cell_end, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

int py_figures_add_function(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}

void py_figures_flush(struct py *py, struct exec_outcome *out)
{
    if (py->cell_end == NULL) {
        return; /* no cell has loaded the backend */
    }
    _cleanup_(drop_py) PyObject *called = py->cell_end;
    Py_INCREF(called);
    _cleanup_(drop_py) PyObject *done = PyObject_CallObject(called, NULL);
    if (done != NULL) {
        return;
    }
    if (out->failed) {
        PyErr_Clear(); /* the cell has its error */
    } else if (PyErr_ExceptionMatches(PyExc_Exception)) {
        py_error_print(py);
    } else {
        py_error_outcome(py, out);
    }
}
