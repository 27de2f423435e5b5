/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_comm.h"

#include "base/bounds.h"
#include "base/mem.h"
#include "contexts/python/py_async.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_text.h"

static const struct {
    const char *name;
    enum wire_type type;
} types[] = {
    {"comm_open", WIRE_COMM_OPEN}, {"comm_msg", WIRE_COMM_MSG}, {"comm_close", WIRE_COMM_CLOSE}};

/* The frame's buffers: the metadata, then the message's own, which lie in bytes objects. */
static struct slice *gather(PyObject *list, struct slice metadata, size_t *count)
{
    Py_ssize_t len = PyList_Size(list);
    if (len < 0 || (size_t)len + 1 > FRAME_BUFFER_COUNT_MAX) {
        PyErr_Format(PyExc_ValueError, "a comm message carries at most %lu buffers",
                     FRAME_BUFFER_COUNT_MAX - 1);
        return NULL;
    }
    _cleanup_(drop_free) struct slice *slices = xcalloc((size_t)len + 1, sizeof *slices);
    slices[0] = metadata;
    for (Py_ssize_t i = 0; i < len; i++) {
        char *data = NULL;
        Py_ssize_t size = 0;
        if (PyBytes_AsStringAndSize(PyList_GetItem(list, i), &data, &size) < 0) {
            return NULL;
        }
        slices[i + 1] = (struct slice){.data = data, .len = (size_t)size};
    }
    *count = (size_t)len + 1;
    return take(slices);
}

/* publish_comm(msg_type, content, metadata, buffers): JSON texts, and a list of bytes. */
static PyObject *publish_comm(PyObject *module, PyObject *args)
{
    struct py *py = py_engine();
    const char *name = NULL;
    PyObject *content = NULL;
    PyObject *metadata = NULL;
    PyObject *buffers = NULL;
    struct slice content_text = SLICE_NONE;
    struct slice metadata_text = SLICE_NONE;
    size_t count = 0;
    (void)module; /* the interpreter's calling convention */
    if (!PyArg_ParseTuple(args, "sUUO!", &name, &content, &metadata, &PyList_Type, &buffers)) {
        return NULL;
    }
    _cleanup_(drop_py) PyObject *content_holder = py_text_of(content, &content_text);
    _cleanup_(drop_py) PyObject *metadata_holder = py_text_of(metadata, &metadata_text);
    if (content_holder == NULL || metadata_holder == NULL) {
        return NULL;
    }
    _cleanup_(drop_free) struct slice *slices = gather(buffers, metadata_text, &count);
    if (slices == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < ARRAY_LEN(types) && py->worker != NULL; i++) {
        if (strcmp(types[i].name, name) == 0) {
            worker_publish(py->worker, py_async_speaker(py), types[i].type, content_text, slices,
                           count);
        }
    }
    Py_RETURN_NONE;
}

/* listen(): see worker_listen. */
static PyObject *listen_to_comms(PyObject *module, PyObject *unused)
{
    struct worker *worker = py_engine()->worker;
    int fd = -1;
    (void)module; /* the interpreter's calling convention */
    (void)unused;
    PyThreadState *released = PyEval_SaveThread();
    fd = worker ? worker_listen(worker) : -1;
    PyEval_RestoreThread(released);
    return PyLong_FromLong(fd);
}

/* serve_comms(): see worker_serve_comms. */
static PyObject *serve_comms(PyObject *module, PyObject *unused)
{
    (void)module; /* the interpreter's calling convention */
    (void)unused;
    return PyBool_FromLong(worker_serve_comms(py_engine()->worker));
}

static PyMethodDef functions[] = {
    {"publish_comm", publish_comm, METH_VARARGS, NULL},
    {"listen", listen_to_comms, METH_NOARGS, NULL},
    {"serve_comms", serve_comms, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

int py_comm_add_function(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}

int py_comm_open(struct py *py)
{
    _cleanup_(drop_py) PyObject *module = PyImport_ImportModule("_pandia");
    _cleanup_(drop_py) PyObject *callee =
        module ? PyObject_GetAttrString(module, functions[0].ml_name) : NULL;
    _cleanup_(drop_py) PyObject *done =
        callee ? py_prelude_call(py, PRELUDE_COMMS, "install", "(O)", callee) : NULL;
    if (done == NULL) {
        return -1;
    }
    PyObject *connect = PyDict_GetItemString(py->preludes[PRELUDE_COMMS], "connect"); /* borrowed */
    _cleanup_(drop_py) PyObject *waits =
        connect ? py_prelude_call(py, PRELUDE_IMPORTS, "when_imported", "(sO)", "comm", connect)
                : NULL;
    return waits == NULL ? -1 : 0;
}

/* Gives a list of bytes objects. */
static PyObject *buffer_list(const struct comm_request *request)
{
    _cleanup_(drop_py) PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < request->buffer_count; i++) {
        struct slice s = request->buffers[i];
        _cleanup_(drop_py) PyObject *bytes = PyBytes_FromStringAndSize(s.data, (Py_ssize_t)s.len);
        if (bytes == NULL || PyList_Append(list, bytes) < 0) {
            return NULL;
        }
    }
    return take(list);
}

void py_comm_handle(struct py *py, const struct comm_request *request)
{
    _cleanup_(drop_py) PyObject *content = py_text_new(request->content);
    _cleanup_(drop_py) PyObject *metadata = py_text_new(request->metadata);
    _cleanup_(drop_py) PyObject *buffers = buffer_list(request);
    _cleanup_(drop_py) PyObject *done = NULL;
    py_async_begin(py);
    if (content != NULL && metadata != NULL && buffers != NULL) {
        done = py_prelude_call(py, PRELUDE_COMMS, "handle", "(sOOO)", request->msg_type, content,
                               metadata, buffers);
    }
    if (done == NULL) {
        PyErr_Print(); /* as any callback: told, and the context goes on */
    }
}
