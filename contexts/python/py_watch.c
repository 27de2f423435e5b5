/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_watch.h"

#include <pthread.h>

/* Events after which descriptors 1 and 2 have another writer. */
static const char *const events[] = {"subprocess.Popen", "os.system",  "os.posix_spawn",
                                     "os.fork",          "os.forkpty", "os.exec"};

static bool is_start(PyObject *event)
{
    Py_ssize_t len = 0;
    const char *name = PyUnicode_AsUTF8AndSize(event, &len);
    if (name == NULL) {
        PyErr_Clear(); /* user code may raise events of any name */
        return false;
    }
    if (name[0] != 's' && name[0] != 'o') {
        return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        if (strcmp(events[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* ctypes calls functions that print without telling anybody. */
static bool is_native(PyObject *event)
{
    return PyUnicode_CompareWithASCIIString(event, "ctypes.dlopen") == 0;
}

static void expect_output(struct worker *worker, void (*expect)(struct worker *))
{
    PyThreadState *released = PyEval_SaveThread();
    expect(worker);
    PyEval_RestoreThread(released);
}

static PyObject *on_event(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    struct worker *worker = py_engine()->worker;
    (void)module; /* the interpreter's calling convention */
    if (worker == NULL || count == 0 || !PyUnicode_Check(args[0])) {
        Py_RETURN_NONE;
    }
    if (is_start(args[0])) {
        py_engine()->forking = PyEval_GetFrame();
        expect_output(worker, worker_expect_foreign_output);
    } else if (is_native(args[0])) {
        expect_output(worker, worker_expect_native_output);
    }
    Py_RETURN_NONE;
}

static PyMethodDef hook = {"audit", (PyCFunction)(void (*)(void))on_event, METH_FASTCALL, NULL};

int py_watch_install(PyObject *module)
{
    PyObject *add = PySys_GetObject("addaudithook"); /* borrowed */
    _cleanup_(drop_py) PyObject *function = PyCFunction_New(&hook, module);
    if (add == NULL || function == NULL) {
        return -1;
    }
    _cleanup_(drop_py) PyObject *done = PyObject_CallFunctionObjArgs(add, function, NULL);
    return done == NULL ? -1 : 0;
}

/* Our thread was away during the fork. Python 3.12 and later count threads before the call that
 * forked returns, but after hooks have run that may be Python code themselves: so it comes back
 * only when the frame that forked goes on. */
static int restart(void *unused)
{
    enum { TRIES_MAX = 2000 }; /* a fork we did not see coming has no frame to wait for */

    struct py *py = py_engine();
    bool too_early = (const void *)PyEval_GetFrame() != py->forking;
    if (too_early && ++py->restart_tries < TRIES_MAX && Py_AddPendingCall(restart, unused) == 0) {
        return 0;
    }
    expect_output(py->worker, worker_expect_foreign_output);
    return 0;
}

static void after_fork(void)
{
    py_engine()->restart_tries = 0;
    (void)Py_AddPendingCall(restart, NULL); /* a full queue: the next text starts it too */
}

void py_watch_forks(void)
{
    (void)pthread_atfork(NULL, after_fork, NULL); /* fails only without memory */
}
