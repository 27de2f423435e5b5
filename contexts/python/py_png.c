/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_png.h"

#include "base/bounds.h"
#include "mime/png.h"

/* The members of an array interface (version 3) that say where the samples lie. */
struct layout {
    Py_ssize_t shape[3]; /* rows, columns, samples */
    Py_ssize_t strides[3];
};

static int refuse(const char *why)
{
    PyErr_Format(PyExc_ValueError, "encode_png: %s", why);
    return -1;
}

/* Two or three sizes of a tuple, into `out`. How many, or -1. */
static Py_ssize_t read_sizes(PyObject *sizes, Py_ssize_t out[3])
{
    Py_ssize_t count = sizes != NULL && PyTuple_Check(sizes) ? PyTuple_Size(sizes) : 0;
    if (count != 2 && count != 3) {
        return refuse("pixels lie in rows and columns");
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        out[i] = PyNumber_AsSsize_t(PyTuple_GetItem(sizes, i), PyExc_ValueError);
        if (out[i] == -1 && PyErr_Occurred()) {
            return -1;
        }
    }
    return count;
}

static int read_layout(PyObject *interface, struct layout *out)
{
    PyObject *strides = PyDict_GetItemString(interface, "strides"); /* borrowed, as all below */
    struct layout l = {.shape = {0, 0, 1}, .strides = {0, 0, 1}};
    Py_ssize_t count = read_sizes(PyDict_GetItemString(interface, "shape"), l.shape);
    if (count < 0) {
        return -1;
    }
    if (l.shape[0] <= 0 || l.shape[1] <= 0 || (size_t)l.shape[0] > IMAGE_SIDE_MAX ||
        (size_t)l.shape[1] > IMAGE_SIDE_MAX || l.shape[2] < PIXEL_GREY || l.shape[2] > PIXEL_RGBA) {
        return refuse("no pixels, too many, or none of 1 to 4 samples");
    }
    l.strides[1] = l.shape[2];
    l.strides[0] = l.shape[1] * l.strides[1];
    Py_ssize_t row = l.strides[0];
    if (strides != NULL && strides != Py_None && read_sizes(strides, l.strides) != count) {
        return PyErr_Occurred() ? -1 : refuse("shape and strides differ");
    }
    if (l.strides[2] != 1 || l.strides[1] != l.shape[2] || l.strides[0] < row) {
        return refuse("the samples of a row do not lie side by side");
    }
    *out = l;
    return 0;
}

/* Samples of one byte; the letters say unsigned and that their order does not matter. */
static int check_samples(PyObject *interface)
{
    PyObject *type = PyDict_GetItemString(interface, "typestr");
    if (type == NULL || !PyUnicode_Check(type) ||
        PyUnicode_CompareWithASCIIString(type, "|u1") != 0) {
        return refuse("samples must be of 8 bits, unsigned");
    }
    return 0;
}

/* Where the samples are: an address, as numpy says it, or bytes, as Pillow does. Lent by the
 * interface or by the object it is of. */
static int find_samples(PyObject *interface, const struct layout *l, struct pixels *px)
{
    PyObject *data = PyDict_GetItemString(interface, "data");
    px->len = (size_t)(l->shape[0] - 1) * (size_t)l->strides[0] + px->width * (size_t)px->form;
    if (data != NULL && PyBytes_Check(data)) {
        px->data = (const unsigned char *)PyBytes_AsString(data);
        px->len = (size_t)PyBytes_Size(data);
        return 0;
    }
    if (data == NULL || !PyTuple_Check(data) || PyTuple_Size(data) != 2) {
        return refuse("no samples");
    }
    px->data = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
    if (px->data == NULL) {
        return PyErr_Occurred() ? -1 : refuse("no samples");
    }
    return 0;
}

static int read_pixels(PyObject *interface, struct pixels *out)
{
    struct layout l;
    if (!PyDict_Check(interface)) {
        return refuse("no array interface");
    }
    if (check_samples(interface) < 0 || read_layout(interface, &l) < 0) {
        return -1;
    }
    struct pixels px = {.width = (size_t)l.shape[1],
                        .height = (size_t)l.shape[0],
                        .stride = (size_t)l.strides[0],
                        .form = (enum pixel_form)l.shape[2]};
    if (find_samples(interface, &l, &px) < 0) {
        return -1;
    }
    *out = px;
    return 0;
}

static PyObject *encode_png(PyObject *module, PyObject *object)
{
    struct pixels px;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf png = BUF_INIT(IMAGE_PNG_MAX);
    (void)module; /* the interpreter's calling convention */
    /* Both keep the samples where they are while other threads run. */
    _cleanup_(drop_py) PyObject *interface = PyObject_GetAttrString(object, "__array_interface__");
    if (interface == NULL || read_pixels(interface, &px) < 0) {
        return NULL;
    }
    PyThreadState *released = PyEval_SaveThread();
    int failed = pixels_to_png(&px, &png, &e);
    PyEval_RestoreThread(released);
    if (failed < 0) {
        return PyErr_Format(PyExc_ValueError, "encode_png: %s", e.text);
    }
    return PyBytes_FromStringAndSize(png.data, (Py_ssize_t)png.len);
}

static PyMethodDef functions[] = {
    {"encode_png", encode_png, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

int py_png_add_function(PyObject *module)
{
    if (PyModule_AddIntMacro(module, IMAGE_SIDE_MAX) < 0 ||
        PyModule_AddIntMacro(module, IMAGE_PIXELS_MAX) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, functions);
}
