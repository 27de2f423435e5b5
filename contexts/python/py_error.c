/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_error.h"

#include "base/bounds.h"
#include "base/jwrite.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_stream.h"
#include "contexts/python/py_text.h"

#define TRACEBACK_MAX (4UL * MIB)

struct exception {
    PyObject *type;
    PyObject *value;
    PyObject *traceback;
};

static void exception_done(struct exception *x)
{
    Py_CLEAR(x->type);
    Py_CLEAR(x->value);
    Py_CLEAR(x->traceback);
}

DEFINE_DROP_VALUE(exception, struct exception, exception_done)

static void fetch(struct exception *x)
{
    PyErr_Fetch(&x->type, &x->value, &x->traceback);
    PyErr_NormalizeException(&x->type, &x->value, &x->traceback);
    if (x->traceback != NULL && x->value != NULL) {
        PyException_SetTraceback(x->value, x->traceback);
    }
}

void py_error_init(struct py_error *error)
{
    *error = (struct py_error){
        .name = BUF_INIT(64 * KIB), .message = BUF_INIT(MIB), .traceback = BUF_INIT(TRACEBACK_MAX)};
}

void py_error_done(struct py_error *error)
{
    buf_done(&error->name);
    buf_done(&error->message);
    buf_done(&error->traceback);
}

/* For pdb.pm() and the like. */
static void remember(const struct exception *x)
{
    static const char *const names[] = {"last_type", "last_value", "last_traceback", "last_exc"};
    PyObject *const values[] = {x->type, x->value, x->traceback ? x->traceback : Py_None, x->value};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (PySys_SetObject(names[i], values[i]) < 0) {
            PyErr_Clear(); /* a convenience that is not worth a second error */
        }
    }
}

static int add_list(struct buf *out, PyObject *texts)
{
    Py_ssize_t count = PyList_Size(texts);
    jwrite_list(out);
    for (Py_ssize_t i = 0; i < count; i++) {
        struct slice text = SLICE_NONE;
        _cleanup_(drop_py) PyObject *holder = py_text_of(PyList_GetItem(texts, i), &text);
        if (holder == NULL) {
            return -1;
        }
        jwrite_string(out, text);
    }
    jwrite_list_end(out);
    return count < 0 || out->full ? -1 : 0;
}

static int describe(struct py *py, const struct exception *x, struct py_error *out)
{
    PyObject *traceback = x->traceback ? x->traceback : Py_None;
    _cleanup_(drop_py) PyObject *all = py_prelude_call(py, PRELUDE_ERRORS, "describe", "(OOOO)",
                                                       x->value, traceback, py->cells, Py_True);
    if (all == NULL || !PyTuple_Check(all) || PyTuple_Size(all) != 3) {
        return -1;
    }
    if (py_text_add(&out->name, PyTuple_GetItem(all, 0)) < 0 ||
        py_text_add(&out->message, PyTuple_GetItem(all, 1)) < 0) {
        return -1;
    }
    return add_list(&out->traceback, PyTuple_GetItem(all, 2));
}

/* Uses nothing that can fail. */
static void describe_plainly(const struct exception *x, struct py_error *out)
{
    _cleanup_(drop_py) PyObject *holder = NULL;
    PyErr_Clear();
    buf_clear(&out->name);
    buf_clear(&out->message);
    buf_clear(&out->traceback);
    buf_add_text(&out->name, x->type ? py_type_name(x->type, &holder) : "SystemError");
    jwrite_list(&out->traceback);
    jwrite_string(&out->traceback, buf_slice(&out->name));
    jwrite_list_end(&out->traceback);
}

void py_error_take(struct py *py, struct py_error *out)
{
    _cleanup_(drop_exception) struct exception x = {0};
    fetch(&x);
    if (x.value == NULL) { /* somebody returned NULL without an exception */
        describe_plainly(&x, out);
        return;
    }
    remember(&x);
    if (describe(py, &x, out) < 0) {
        describe_plainly(&x, out);
    }
}

void py_error_outcome(struct py *py, struct exec_outcome *out)
{
    _cleanup_(drop_py_error) struct py_error error;
    py_error_init(&error);
    py_error_take(py, &error);
    out->failed = true;
    buf_add_slice(&out->ename, buf_slice(&error.name));
    buf_add_slice(&out->evalue, buf_slice(&error.message));
    buf_add_slice(&out->traceback, buf_slice(&error.traceback));
}

/* The texts of a traceback, line by line. */
static void print_list(const struct py *py, PyObject *texts)
{
    for (Py_ssize_t i = 0; i < PyList_Size(texts); i++) {
        struct slice text = SLICE_NONE;
        _cleanup_(drop_py) PyObject *holder = py_text_of(PyList_GetItem(texts, i), &text);
        if (holder != NULL) {
            py_stream_send(py, STREAM_STDERR, text);
            py_stream_send(py, STREAM_STDERR, SLICE_LIT("\n"));
        }
    }
}

void py_error_print(struct py *py)
{
    _cleanup_(drop_exception) struct exception x = {0};
    fetch(&x);
    _cleanup_(drop_py) PyObject *all =
        x.value == NULL ? NULL
                        : py_prelude_call(py, PRELUDE_ERRORS, "describe", "(OOOO)", x.value,
                                          x.traceback ? x.traceback : Py_None, py->cells, Py_False);
    if (all != NULL && PyTuple_Check(all) && PyTuple_Size(all) == 3) {
        print_list(py, PyTuple_GetItem(all, 2));
    }
    PyErr_Clear(); /* an error about an error has nowhere to go */
}
