/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_async.h"

#include <errno.h>
#include <poll.h>

#include "contexts/python/py_compile.h"
#include "contexts/python/py_error.h"
#include "contexts/python/py_prelude.h"

static PyObject *tuple_of(const char *const *names, size_t count)
{
    _cleanup_(drop_py) PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *name = PyUnicode_InternFromString(names[i]);
        if (name == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, name) < 0) {
            return NULL;
        }
    }
    return take(tuple);
}

int py_async_set_up(struct py *py)
{
    static const char *const names[] = {"create_task",  "get_running_loop", "ensure_future",
                                        "current_task", "gather",           "TaskGroup"};
    static const char *const getters[] = {"get_event_loop"};
    py->loop_names = tuple_of(names, ARRAY_LEN(names));
    py->loop_getters = tuple_of(getters, ARRAY_LEN(getters));
    return py->loop_names == NULL || py->loop_getters == NULL ? -1 : 0;
}

PyObject *py_async_voice(struct py *py)
{
    if (py_prelude_load(py, PRELUDE_ASYNC) < 0) {
        return NULL;
    }
    PyObject *variable = /* borrowed */
        PyDict_GetItemString(py->preludes[PRELUDE_ASYNC], "speaker");
    Py_XINCREF(variable);
    if (py->speaker == NULL) {
        py->speaker = variable ? PyObject_GetAttrString(variable, "get") : NULL;
    }
    return variable;
}

/* Makes the loop, and lets the running cell speak there. */
static int begin(struct py *py)
{
    unsigned long long exec = worker_heard(py->worker);
    _cleanup_(drop_py) PyObject *done = py_prelude_call(py, PRELUDE_ASYNC, "begin", "(K)", exec);
    if (done == NULL) {
        return -1;
    }
    _cleanup_(drop_py) PyObject *variable = py_async_voice(py);
    return variable == NULL ? -1 : 0;
}

void py_async_begin(struct py *py)
{
    if (py->speaker != NULL && begin(py) < 0) {
        PyErr_Clear(); /* user code broke asyncio; a cell that does without still works */
    }
}

uint64_t py_async_speaker(const struct py *py)
{
    if (py->speaker == NULL) {
        return LATEST_EXEC;
    }
    _cleanup_(drop_py) PyObject *exec = PyObject_CallNoArgs(py->speaker);
    if (exec == NULL || !PyLong_Check(exec)) {
        PyErr_Clear(); /* no memory for a number: words are worth more than their place */
        return LATEST_EXEC;
    }
    return PyLong_AsUnsignedLongLong(exec);
}

void py_async_wake(struct py *py)
{
    PyObject *type = NULL;
    PyObject *value = NULL;
    PyObject *traceback = NULL;
    if (py->speaker == NULL) {
        return;
    }
    PyErr_Fetch(&type, &value, &traceback);
    Py_XDECREF(py_prelude_call(py, PRELUDE_ASYNC, "wake", "()"));
    PyErr_Restore(type, value, traceback); /* a loop that cannot be woken is the user's own */
}

/* Both tuples hold interned names, so the pointers tell. */
static bool have_common(PyObject *a, PyObject *b)
{
    Py_ssize_t count_a = PyTuple_Size(a);
    Py_ssize_t count_b = PyTuple_Size(b);
    for (Py_ssize_t i = 0; i < count_a; i++) {
        for (Py_ssize_t k = 0; k < count_b; k++) {
            if (PyTuple_GetItem(a, i) == PyTuple_GetItem(b, k)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the code, or a function in it, uses one of the names. */
static bool mentions(const struct py *py, PyObject *code, PyObject *wanted, int depth)
{
    enum { DEPTH_MAX = 20 }; /* functions in functions; deeper ones are of no account */

    _cleanup_(drop_py) PyObject *names = PyObject_GetAttr(code, py->names[NAME_CO_NAMES]);
    _cleanup_(drop_py) PyObject *inner = PyObject_GetAttr(code, py->names[NAME_CO_CONSTS]);
    if (names == NULL || inner == NULL || !PyTuple_Check(names) || !PyTuple_Check(inner)) {
        PyErr_Clear();
        return false;
    }
    bool found = have_common(names, wanted);
    for (Py_ssize_t i = 0; !found && depth < DEPTH_MAX && i < PyTuple_Size(inner); i++) {
        PyObject *each = PyTuple_GetItem(inner, i); /* borrowed */
        found = Py_TYPE(each) == Py_TYPE(code) && mentions(py, each, wanted, depth + 1);
    }
    return found;
}

enum want { WANT_FAILED = -1, WANT_NOTHING, WANT_LOOP, WANT_INSIDE };

/* A cell that starts tasks without awaiting them wants a running loop; any other must not be in
 * one, or asyncio.run() would refuse to work. One that asks for the loop must get ours: another
 * would stand still between cells. */
static enum want wants(const struct py *py, PyObject *code)
{
    _cleanup_(drop_py) PyObject *names = PyObject_GetAttr(code, py->names[NAME_CO_NAMES]);
    if (names == NULL || !PyTuple_Check(names)) {
        return WANT_FAILED;
    }
    if (have_common(names, py->loop_names)) {
        return WANT_INSIDE;
    }
    return mentions(py, code, py->loop_getters, 0) ? WANT_LOOP : WANT_NOTHING;
}

PyObject *py_async_eval(struct py *py, PyObject *code)
{
    int coroutine = py_code_is_coroutine(py, code);
    enum want want = coroutine == 0 ? wants(py, code) : WANT_LOOP;
    if (coroutine < 0 || want == WANT_FAILED || (want != WANT_NOTHING && begin(py) < 0)) {
        return NULL;
    }
    if (want == WANT_INSIDE) {
        return py_prelude_call(py, PRELUDE_ASYNC, "run_inside", "(OO)", code, py->space);
    }
    _cleanup_(drop_py) PyObject *value = PyEval_EvalCode(code, py->space, py->space);
    if (coroutine == 0 || value == NULL) {
        return take(value);
    }
    return py_prelude_call(py, PRELUDE_ASYNC, "run", "(O)", value);
}

static void poll_quietly(int fd)
{
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    int ready = 0;
    PyThreadState *released = PyEval_SaveThread();
    ready = poll(&readable, 1, -1);
    PyEval_RestoreThread(released);
    /* Handlers that user code has set for other signals run between cells too. */
    if (ready < 0 && PyErr_CheckSignals() < 0) {
        PyErr_WriteUnraisable(NULL);
    }
}

void py_async_wait(struct py *py, int fd)
{
    if (py->speaker != NULL) {
        _cleanup_(drop_py) PyObject *waited = py_prelude_call(py, PRELUDE_ASYNC, "wait", "(i)", fd);
        if (waited == NULL) {
            py_error_print(
                py); /* a task ended with what no loop catches: SystemExit and the like */
        }
        if (waited == Py_True) {
            return;
        }
    }
    poll_quietly(fd);
}
