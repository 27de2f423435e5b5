/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_complete.h"

#include "base/bounds.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_text.h"

void py_question_end(struct py *py)
{
    worker_disarm_interrupt(py->worker);
    PyErr_Clear();
    if (PyErr_CheckSignals() < 0) {
        PyErr_Clear();
    }
}

void py_complete(struct py *py, struct slice code, size_t cursor, struct buf *reply)
{
    _cleanup_(drop_py) PyObject *text = py_text_new(code);
    _cleanup_(drop_py) PyObject *answer =
        text
            ? py_prelude_call(py, PRELUDE_COMPLETE, "complete", "(OnOkk)", text, (Py_ssize_t)cursor,
                              py->space, COMPLETE_MATCHES_MAX, COMPLETE_BYTES_MAX)
            : NULL;
    if (answer != NULL && PyUnicode_Check(answer) && py_text_add(reply, answer) < 0) {
        buf_clear(reply);
    }
    py_question_end(py);
}

/* stop_thread(ident): has SystemExit raised in a thread, as soon as it runs Python code. */
static PyObject *stop_thread(PyObject *module, PyObject *ident)
{
    unsigned long id = PyLong_AsUnsignedLong(ident);
    (void)module; /* the interpreter's calling convention */
    if (PyErr_Occurred() != NULL) {
        return NULL;
    }
    return PyLong_FromLong(PyThreadState_SetAsyncExc(id, PyExc_SystemExit));
}

static PyMethodDef function = {"stop_thread", stop_thread, METH_O, NULL};

int py_complete_add_function(PyObject *module)
{
    _cleanup_(drop_py) PyObject *callee = PyCFunction_NewEx(&function, module, NULL);
    return callee == NULL ? -1 : PyModule_AddObjectRef(module, function.ml_name, callee);
}
