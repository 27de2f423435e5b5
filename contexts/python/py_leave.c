/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_leave.h"

#include "base/bounds.h"
#include "base/jwrite.h"
#include "contexts/python/py_payload.h"
#include "contexts/python/py_text.h"

/* exit(code=None, keep_kernel=False). A code that tells of a failure makes it one; True as the
 * only argument means the second one, as in ipykernel. */
static PyObject *leave(PyObject *module, PyObject *args, PyObject *kwargs)
{
    struct py *py = py_engine();
    static char code_name[] = "code";
    static char keep_name[] = "keep_kernel";
    static char *names[] = {code_name, keep_name, NULL};
    PyObject *code = Py_None;
    int keep = 0;
    (void)module; /* the interpreter's calling convention */
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|Op", names, &code, &keep)) {
        return NULL;
    }
    if (code == Py_True) {
        keep = 1;
        code = Py_None;
    }
    bool good = code == Py_None || (PyLong_Check(code) && PyObject_IsTrue(code) == 0);
    py->keep_kernel = keep != 0;
    PyErr_SetObject(good ? py->leaving : PyExc_SystemExit, code);
    return NULL;
}

int py_leave_add_function(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"exit", (PyCFunction)(void (*)(void))leave, METH_VARARGS | METH_KEYWORDS,
         "exit(code=None, keep_kernel=False)\n\nEnd the cell and ask the client to leave."},
        {NULL, NULL, 0, NULL},
    };
    struct py *py = py_engine();
    py->leaving = PyErr_NewException("_pandia.Leaving", PyExc_SystemExit, NULL);
    if (py->leaving == NULL || PyModule_AddFunctions(module, functions) < 0) {
        return -1;
    }
    py->leave = PyObject_GetAttrString(module, "exit");
    return py->leave == NULL ? -1 : 0;
}

int py_leave_by_name(struct py *py, PyObject *value)
{
    if (value != py->leave) {
        return 0;
    }
    py->keep_kernel = false;
    PyErr_SetNone(py->leaving);
    return -1;
}

bool py_leave_take(struct py *py)
{
    if (!PyErr_ExceptionMatches(py->leaving)) {
        return false;
    }
    PyErr_Clear();
    _cleanup_(drop_buf) struct buf payload = BUF_INIT(KIB);
    jwrite_object(&payload);
    jwrite_member_text(&payload, "source", "ask_exit");
    jwrite_member_bool(&payload, "keepkernel", py->keep_kernel);
    jwrite_object_end(&payload);
    _cleanup_(drop_py) PyObject *json = py_text_new(buf_slice(&payload));
    if (json == NULL || py_payload_set(py, "ask_exit", json) < 0) {
        PyErr_Clear(); /* the client stays, and the cell has ended all the same */
    }
    return true;
}

static void print_words(PyObject *words)
{
    PyObject *err = PySys_GetObject("stderr"); /* borrowed */
    if (err != NULL && err != Py_None && PyFile_WriteObject(words, err, Py_PRINT_RAW) == 0) {
        (void)PyFile_WriteString("\n", err);
    }
}

/* What the code of a SystemExit means. An exception of reading or printing it is cleared. */
static int read_code(PyObject *exception, enum py_leave_manner manner)
{
    _cleanup_(drop_py) PyObject *code =
        exception ? PyObject_GetAttrString(exception, "code") : NULL;
    long status = 1;
    if (code == Py_None) {
        status = 0;
    } else if (code != NULL && PyLong_Check(code)) {
        status = PyLong_AsLong(code);
    } else if (code != NULL && manner == LEAVE_PRINTING) {
        print_words(code);
    }
    PyErr_Clear();
    return (int)(status & 0xff);
}

int py_leave_code(enum py_leave_manner manner)
{
    PyObject *type = NULL;
    PyObject *value = NULL;
    PyObject *traceback = NULL;
    if (!PyErr_ExceptionMatches(PyExc_SystemExit)) {
        return -1;
    }
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    int code = read_code(value, manner);
    PyErr_Restore(type, value, traceback);
    return code;
}
