/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_weight.h"

/* Takes a number of bytes. */
static size_t as_bytes(PyObject *number)
{
    size_t bytes = number != NULL && PyLong_Check(number) ? PyLong_AsSize_t(number) : 0;
    if (PyErr_Occurred() != NULL) {
        PyErr_Clear(); /* negative, or absurd: then it tells nothing */
        bytes = 0;
    }
    Py_XDECREF(number);
    return bytes;
}

static bool is_sized(PyObject *value)
{
    PyTypeObject *const types[] = {&PyUnicode_Type, &PyBytes_Type,    &PyByteArray_Type,
                                   &PyList_Type,    &PyTuple_Type,    &PyDict_Type,
                                   &PySet_Type,     &PyFrozenSet_Type};
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (Py_IS_TYPE(value, types[i])) {
            return true;
        }
    }
    return false;
}

size_t py_weight(struct py *py, PyObject *value)
{
    if (PyLong_CheckExact(value) || PyFloat_CheckExact(value) || PyBool_Check(value)) {
        return 0;
    }
    if (is_sized(value)) {
        return as_bytes(PyObject_CallMethodObjArgs(value, py->names[NAME_SIZEOF], NULL));
    }
    /* Asked of the class first: an object may answer to any name, or work hard to. */
    if (!PyObject_HasAttr((PyObject *)Py_TYPE(value), py->names[NAME_NBYTES])) {
        return 0;
    }
    return as_bytes(PyObject_GetAttr(value, py->names[NAME_NBYTES]));
}
