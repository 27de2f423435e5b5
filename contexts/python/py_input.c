/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_input.h"

#include <errno.h>

#include "base/bounds.h"
#include "contexts/python/py_async.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_text.h"

/* What clients send for "no more input", as a terminal does. */
#define END_OF_INPUT "\x04"

static int ask_once(struct worker *worker, struct slice prompt, bool password,
                    enum input_again again, struct buf *answer, struct err *e)
{
    int failed = 0;
    PyThreadState *released = PyEval_SaveThread();
    failed = worker_input(worker, prompt, password, again, answer, e);
    PyEval_RestoreThread(released);
    py_async_wake(py_engine());
    return failed;
}

static PyObject *raise_refused(PyObject *module, const struct err *e)
{
    if (e->code != ERR_STATE && e->code != ERR_TIMEOUT) {
        PyErr_SetString(PyExc_EOFError, e->text);
        return NULL;
    }
    _cleanup_(drop_py) PyObject *type = PyObject_GetAttrString(module, "StdinNotImplementedError");
    if (type != NULL) {
        PyErr_SetString(
            type, e->code == ERR_TIMEOUT
                      ? e->text
                      : "raw_input was called, but this frontend does not support input requests.");
    }
    return NULL;
}

static PyObject *ask(PyObject *module, struct slice prompt, bool password)
{
    _cleanup_(drop_buf) struct buf answer = BUF_INIT(MSG_JSON_MAX);
    struct err e = ERR_NONE;
    enum input_again again = INPUT_ASK;
    struct worker *worker = py_engine()->worker;
    if (worker == NULL) {
        PyErr_SetString(PyExc_EOFError, "EOF when reading a line");
        return NULL;
    }
    while (ask_once(worker, prompt, password, again, &answer, &e) < 0) {
        if (e.sys != EINTR) {
            return raise_refused(module, &e);
        }
        if (PyErr_CheckSignals() < 0) {
            return NULL;
        }
        again = INPUT_AGAIN;
        e = ERR_NONE;
    }
    if (slice_is(buf_slice(&answer), END_OF_INPUT)) {
        PyErr_SetString(PyExc_EOFError, "EOF when reading a line");
        return NULL;
    }
    return py_text_new(buf_slice(&answer));
}

static PyObject *input(PyObject *module, PyObject *args)
{
    PyObject *prompt = NULL;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(MIB);
    if (!PyArg_UnpackTuple(args, "input", 0, 1, &prompt)) {
        return NULL;
    }
    if (prompt != NULL && py_text_add_str(&text, prompt) < 0) {
        return NULL;
    }
    return ask(module, buf_slice(&text), false);
}

/* getpass(prompt='Password: ', stream=None): the stream is a terminal's affair. */
static PyObject *ask_password(PyObject *module, PyObject *args, PyObject *kwargs)
{
    PyObject *prompt = kwargs ? PyDict_GetItemString(kwargs, "prompt") : NULL; /* borrowed */
    _cleanup_(drop_buf) struct buf text = BUF_INIT(MIB);
    if (PyTuple_Size(args) > 0) {
        prompt = PyTuple_GetItem(args, 0); /* borrowed */
    }
    if (prompt == NULL) {
        buf_add_text(&text, "Password: ");
    } else if (py_text_add_str(&text, prompt) < 0) {
        return NULL;
    }
    return ask(module, buf_slice(&text), true);
}

static PyMethodDef function = {
    "input", input, METH_VARARGS,
    "input(prompt='', /)\n--\n\nAsk the client for a line of text; without its newline."};

static PyMethodDef password_function = {
    "getpass", (PyCFunction)(void (*)(void))ask_password, METH_VARARGS | METH_KEYWORDS,
    "getpass(prompt='Password: ', stream=None)\n\nAsk the client for a secret."};

int py_input_install(PyObject *module, PyObject *builtins)
{
    _cleanup_(drop_py) PyObject *type = PyErr_NewExceptionWithDoc(
        "_pandia.StdinNotImplementedError", "This client does not answer requests for input.",
        PyExc_NotImplementedError, NULL);
    _cleanup_(drop_py) PyObject *name = PyUnicode_FromString("builtins");
    if (type == NULL || name == NULL ||
        PyModule_AddObjectRef(module, "StdinNotImplementedError", type) < 0) {
        return -1;
    }
    _cleanup_(drop_py) PyObject *callee = PyCFunction_NewEx(&function, module, name);
    _cleanup_(drop_py) PyObject *secret = PyCFunction_NewEx(&password_function, module, NULL);
    if (callee == NULL || secret == NULL ||
        PyModule_AddObjectRef(module, password_function.ml_name, secret) < 0) {
        return -1;
    }
    return PyObject_SetAttrString(builtins, "input", callee);
}

int py_input_open(struct py *py)
{
    _cleanup_(drop_py) PyObject *module = PyImport_ImportModule("_pandia");
    _cleanup_(drop_py) PyObject *secret =
        module ? PyObject_GetAttrString(module, password_function.ml_name) : NULL;
    _cleanup_(drop_py) PyObject *waits =
        secret
            ? py_prelude_call(py, PRELUDE_IMPORTS, "replace", "(ssO)", "getpass", "getpass", secret)
            : NULL;
    _cleanup_(drop_py) PyObject *ask_line =
        waits ? PyCFunction_NewEx(&function, module, NULL) : NULL;
    _cleanup_(drop_py) PyObject *done =
        ask_line ? py_prelude_call(py, PRELUDE_STDIN, "install", "(O)", ask_line) : NULL;
    return done == NULL ? -1 : 0;
}
