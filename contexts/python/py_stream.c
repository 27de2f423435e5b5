/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_stream.h"

#include <structmember.h>

#include "base/fd.h"
#include "contexts/python/py_async.h"
#include "contexts/python/py_text.h"

/* Both the text stream and its `buffer`, which takes bytes. */
struct stream {
    PyObject_HEAD /* no semicolon: a macro */
        enum stream_kind kind;
    PyObject *buffer; /* of the text stream; owned */
    PyObject *errors; /* how the text stream writes what UTF-8 cannot; owned */
    PyObject *dict;   /* programs hang attributes on sys.stdout; owned */
    PyObject *weak;
};

static int fd_of(enum stream_kind kind)
{
    return kind == STREAM_STDOUT ? STDOUT_FILENO : STDERR_FILENO;
}

void py_stream_send(const struct py *py, enum stream_kind kind, struct slice text)
{
    if (py->worker == NULL) {
        struct err e = ERR_NONE;
        int ignored = fd_write_all(fd_of(kind), text.data, text.len, &e);
        (void)ignored; /* nobody to tell */
        return;
    }
    uint64_t exec = py_async_speaker(py);
    if (worker_try_write(py->worker, exec, kind, text)) {
        return;
    }
    PyThreadState *released = PyEval_SaveThread();
    worker_write(py->worker, exec, kind, text);
    PyEval_RestoreThread(released);
}

static enum stream_kind kind_of(PyObject *self)
{
    return ((struct stream *)self)->kind;
}

/* Lends the bytes of `text` as long as what it gives is held. */
static PyObject *encode(const struct stream *s, PyObject *text, struct slice *out)
{
    const char *errors = s->errors ? PyUnicode_AsUTF8AndSize(s->errors, NULL) : NULL;
    if (errors == NULL) {
        return py_text_of(text, out);
    }
    char *data = NULL;
    Py_ssize_t len = 0;
    _cleanup_(drop_py) PyObject *bytes = PyUnicode_AsEncodedString(text, "utf-8", errors);
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &data, &len) < 0) {
        return NULL;
    }
    *out = (struct slice){.data = data, .len = (size_t)len};
    return take(bytes);
}

static PyObject *write_text(PyObject *self, PyObject *text)
{
    struct slice raw = SLICE_NONE;
    if (!PyUnicode_Check(text)) {
        _cleanup_(drop_py) PyObject *holder = NULL;
        return PyErr_Format(PyExc_TypeError, "write() argument must be str, not %s",
                            py_type_name((PyObject *)Py_TYPE(text), &holder));
    }
    _cleanup_(drop_py) PyObject *holder = encode((struct stream *)self, text, &raw);
    if (holder == NULL) {
        return NULL;
    }
    py_stream_send(py_engine(), kind_of(self), raw);
    return PyLong_FromSsize_t(PyUnicode_GetLength(text));
}

static PyObject *write_bytes(PyObject *self, PyObject *data)
{
    char *raw = NULL;
    Py_ssize_t len = 0;
    if (PyUnicode_Check(data)) {
        PyErr_SetString(PyExc_TypeError, "a bytes-like object is required, not 'str'");
        return NULL;
    }
    _cleanup_(drop_py) PyObject *bytes = PyBytes_FromObject(data);
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &raw, &len) < 0) {
        return NULL;
    }
    py_stream_send(py_engine(), kind_of(self), (struct slice){.data = raw, .len = (size_t)len});
    return PyLong_FromSsize_t(len);
}

static PyObject *write_lines(PyObject *self, PyObject *lines)
{
    _cleanup_(drop_py) PyObject *each = PyObject_GetIter(lines);
    if (each == NULL) {
        return NULL;
    }
    for (;;) {
        _cleanup_(drop_py) PyObject *line = PyIter_Next(each);
        if (line == NULL) {
            break;
        }
        _cleanup_(drop_py) PyObject *written = PyObject_CallMethod(self, "write", "O", line);
        if (written == NULL) {
            return NULL;
        }
    }
    if (PyErr_Occurred() != NULL) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *flush(PyObject *self, PyObject *none)
{
    struct worker *worker = py_engine()->worker;
    (void)self;
    (void)none; /* the interpreter's calling convention */
    if (worker != NULL) {
        PyThreadState *released = PyEval_SaveThread();
        worker_hint_flush(worker);
        PyEval_RestoreThread(released);
    }
    Py_RETURN_NONE;
}

/* Whoever asks for the number means to write there past us: from now on the pipes are looked at
 * before each text, or the two would come out of order. */
static PyObject *get_fileno(PyObject *self, PyObject *none)
{
    struct worker *worker = py_engine()->worker;
    (void)none; /* the interpreter's calling convention */
    if (worker != NULL) {
        PyThreadState *released = PyEval_SaveThread();
        worker_expect_native_output(worker);
        PyEval_RestoreThread(released);
    }
    return PyLong_FromLong(fd_of(kind_of(self)));
}

static PyObject *say_false(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none; /* the interpreter's calling convention */
    Py_RETURN_FALSE;
}

static PyObject *say_true(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none; /* the interpreter's calling convention */
    Py_RETURN_TRUE;
}

/* Encoding and buffering are what they are: clients get UTF-8, and lines when they are due. What to
 * do with characters that UTF-8 has no bytes for can be chosen. */
static PyObject *reconfigure(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const keywords[] = {"encoding",       "errors",        "newline",
                                           "line_buffering", "write_through", NULL};
    struct stream *s = (struct stream *)self;
    PyObject *errors = NULL;
    PyObject *ignored = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOOO:reconfigure",
                                     (char **)(uintptr_t)keywords, &ignored, &errors, &ignored,
                                     &ignored, &ignored)) {
        return NULL;
    }
    if (errors != NULL && errors != Py_None) {
        if (!PyUnicode_Check(errors)) {
            PyErr_SetString(PyExc_TypeError, "reconfigure() argument 'errors' must be str or None");
            return NULL;
        }
        Py_CLEAR(s->errors);
        Py_INCREF(errors);
        s->errors = errors;
    }
    return flush(self, NULL);
}

/* Programs take the buffer to wrap it anew; there is nothing that could be taken away. */
static PyObject *detach(PyObject *self, PyObject *none)
{
    PyObject *buffer = ((struct stream *)self)->buffer;
    (void)none; /* the interpreter's calling convention */
    Py_XINCREF(buffer);
    return buffer;
}

/* What a stream of this kind cannot do. */
static PyObject *refuse(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args; /* whatever is asked for */
    _cleanup_(drop_py) PyObject *io = PyImport_ImportModule("io");
    _cleanup_(drop_py) PyObject *type =
        io ? PyObject_GetAttrString(io, "UnsupportedOperation") : NULL;
    if (type != NULL) {
        PyErr_SetString(type, "the stream can only be written to");
    }
    return NULL;
}

static PyObject *enter(PyObject *self, PyObject *none)
{
    (void)none; /* the interpreter's calling convention */
    Py_INCREF(self);
    return self;
}

/* The streams of a context cannot be closed: there would be nothing to print to afterwards. */
static PyObject *leave(PyObject *self, PyObject *args)
{
    (void)args; /* the exception, if any, is not ours */
    return flush(self, NULL);
}

static PyObject *represent(PyObject *self)
{
    return PyUnicode_FromFormat("<pandia stream %s encoding='utf-8'>",
                                kind_of(self) == STREAM_STDOUT ? "<stdout>" : "<stderr>");
}

static PyObject *get_name(PyObject *self, void *unused)
{
    (void)unused; /* the interpreter's calling convention */
    return PyUnicode_FromString(kind_of(self) == STREAM_STDOUT ? "<stdout>" : "<stderr>");
}

static PyObject *get_errors(PyObject *self, void *unused)
{
    PyObject *errors = ((struct stream *)self)->errors;
    (void)unused; /* the interpreter's calling convention */
    if (errors == NULL) {
        return PyUnicode_FromString("backslashreplace");
    }
    Py_INCREF(errors);
    return errors;
}

/* There is no layer below the buffer: it is its own raw stream. */
static PyObject *get_self(PyObject *self, void *unused)
{
    (void)unused; /* the interpreter's calling convention */
    Py_INCREF(self);
    return self;
}

static PyObject *get_constant(PyObject *self, void *text)
{
    (void)self; /* the same for both streams */
    return PyUnicode_FromString(text);
}

static PyObject *get_false(PyObject *self, void *unused)
{
    (void)self;
    (void)unused; /* the interpreter's calling convention */
    Py_RETURN_FALSE;
}

static PyObject *get_true(PyObject *self, void *unused)
{
    (void)self;
    (void)unused; /* the interpreter's calling convention */
    Py_RETURN_TRUE;
}

static PyObject *get_none(PyObject *self, void *unused)
{
    (void)self;
    (void)unused; /* the interpreter's calling convention */
    Py_RETURN_NONE;
}

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    struct stream *s = (struct stream *)self;
    Py_VISIT(s->buffer);
    Py_VISIT(s->errors);
    Py_VISIT(s->dict);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static int clear(PyObject *self)
{
    struct stream *s = (struct stream *)self;
    Py_CLEAR(s->buffer);
    Py_CLEAR(s->errors);
    Py_CLEAR(s->dict);
    return 0;
}

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (((struct stream *)self)->weak != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    (void)clear(self);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

/* Asked by programs that fork, by ipykernel's name for it. */
static PyObject *is_ours(PyObject *self, PyObject *unused)
{
    struct worker *worker = py_engine()->worker;
    (void)self; /* the same for all streams */
    (void)unused;
    return PyBool_FromLong(worker == NULL || !worker_is_copy(worker));
}

#define COMMON_METHODS                                                                             \
    {"writelines", write_lines, METH_O, NULL}, {"flush", flush, METH_NOARGS, NULL},                \
        {"close", leave, METH_NOARGS, NULL}, {"fileno", get_fileno, METH_NOARGS, NULL},            \
        {"isatty", say_false, METH_NOARGS, NULL}, {"readable", say_false, METH_NOARGS, NULL},      \
        {"seekable", say_false, METH_NOARGS, NULL}, {"writable", say_true, METH_NOARGS, NULL},     \
        {"read", refuse, METH_VARARGS, NULL}, {"readline", refuse, METH_VARARGS, NULL},            \
        {"seek", refuse, METH_VARARGS, NULL}, {"tell", refuse, METH_VARARGS, NULL},                \
        {"truncate", refuse, METH_VARARGS, NULL}, {"__enter__", enter, METH_NOARGS, NULL},         \
        {"_is_master_process", is_ours, METH_NOARGS, NULL},                                        \
    {                                                                                              \
        "__exit__", leave, METH_VARARGS, NULL                                                      \
    }

static PyMethodDef text_methods[] = {
    {"write", write_text, METH_O, NULL},
    {"reconfigure", (PyCFunction)(void (*)(void))reconfigure, METH_VARARGS | METH_KEYWORDS, NULL},
    {"detach", detach, METH_NOARGS, NULL},
    COMMON_METHODS,
    {NULL, NULL, 0, NULL},
};

static PyMethodDef bytes_methods[] = {
    {"write", write_bytes, METH_O, NULL},
    COMMON_METHODS,
    {NULL, NULL, 0, NULL},
};

/* The API wants pointers without const; nobody writes through them. */
static char utf_8[] = "utf-8";
static char mode_w[] = "w";
static char mode_wb[] = "wb";

static PyGetSetDef text_attributes[] = {
    {"name", get_name, NULL, NULL, NULL},
    {"encoding", get_constant, NULL, NULL, utf_8},
    {"errors", get_errors, NULL, NULL, NULL},
    {"mode", get_constant, NULL, NULL, mode_w},
    {"closed", get_false, NULL, NULL, NULL},
    {"line_buffering", get_true, NULL, NULL, NULL},
    {"write_through", get_false, NULL, NULL, NULL},
    {"newlines", get_none, NULL, NULL, NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef bytes_attributes[] = {
    {"name", get_name, NULL, NULL, NULL}, {"mode", get_constant, NULL, NULL, mode_wb},
    {"raw", get_self, NULL, NULL, NULL},  {"closed", get_false, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef text_members[] = {
    {"buffer", T_OBJECT, offsetof(struct stream, buffer), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(struct stream, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(struct stream, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* Slots hold functions as void pointers, which ISO C does not promise and POSIX does. */
static PyType_Slot text_slots[] = {
    {Py_tp_methods, text_methods},
    {Py_tp_getset, text_attributes},
    {Py_tp_members, text_members},
    {Py_tp_repr, (void *)(intptr_t)represent},
    {Py_tp_traverse, (void *)(intptr_t)traverse},
    {Py_tp_clear, (void *)(intptr_t)clear},
    {Py_tp_dealloc, (void *)(intptr_t)dealloc},
    {0, NULL},
};

static PyType_Slot bytes_slots[] = {
    {Py_tp_methods, bytes_methods},
    {Py_tp_getset, bytes_attributes},
    {Py_tp_traverse, (void *)(intptr_t)traverse},
    {Py_tp_clear, (void *)(intptr_t)clear},
    {Py_tp_dealloc, (void *)(intptr_t)dealloc},
    {0, NULL},
};

static PyType_Spec text_spec = {
    .name = "_pandia.Stream",
    .basicsize = sizeof(struct stream),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = text_slots,
};

static PyType_Spec bytes_spec = {
    .name = "_pandia.StreamBuffer",
    .basicsize = sizeof(struct stream),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = bytes_slots,
};

/* io's abstract class takes our type for one of its own, so isinstance() holds. */
static int register_with(const char *base, PyObject *type)
{
    _cleanup_(drop_py) PyObject *io = PyImport_ImportModule("io");
    _cleanup_(drop_py) PyObject *abc = io ? PyObject_GetAttrString(io, base) : NULL;
    _cleanup_(drop_py) PyObject *done =
        abc ? PyObject_CallMethod(abc, "register", "O", type) : NULL;
    return done == NULL ? -1 : 0;
}

static PyObject *new_stream(PyObject *type, enum stream_kind kind, PyObject *buffer)
{
    PyObject *self = PyType_GenericAlloc((PyTypeObject *)type, 0);
    if (self != NULL) {
        struct stream *s = (struct stream *)self;
        s->kind = kind;
        s->buffer = buffer;
        Py_XINCREF(buffer);
    }
    return self;
}

static int install_one(struct py *py, PyObject *text_type, PyObject *bytes_type,
                       enum stream_kind kind)
{
    static const char *const names[][2] = {{"stdout", "__stdout__"}, {"stderr", "__stderr__"}};
    _cleanup_(drop_py) PyObject *buffer = new_stream(bytes_type, kind, NULL);
    py->streams[kind] = buffer ? new_stream(text_type, kind, buffer) : NULL;
    if (py->streams[kind] == NULL) {
        return -1;
    }
    return PySys_SetObject(names[kind][0], py->streams[kind]) |
           PySys_SetObject(names[kind][1], py->streams[kind]);
}

int py_stream_install(struct py *py, PyObject *module)
{
    _cleanup_(drop_py) PyObject *text_type = PyType_FromSpec(&text_spec);
    _cleanup_(drop_py) PyObject *bytes_type = PyType_FromSpec(&bytes_spec);
    if (text_type == NULL || bytes_type == NULL ||
        PyModule_AddObjectRef(module, "Stream", text_type) < 0 ||
        PyModule_AddObjectRef(module, "StreamBuffer", bytes_type) < 0 ||
        register_with("TextIOBase", text_type) < 0 ||
        register_with("BufferedIOBase", bytes_type) < 0) {
        return -1;
    }
    return install_one(py, text_type, bytes_type, STREAM_STDOUT) |
           install_one(py, text_type, bytes_type, STREAM_STDERR);
}
