/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_text.h"

#include "base/text.h"

PyObject *py_text_of(PyObject *str, struct slice *out)
{
    Py_ssize_t len = 0;
    const char *text = PyUnicode_AsUTF8AndSize(str, &len);
    if (text != NULL) {
        *out = (struct slice){.data = text, .len = (size_t)len};
        Py_INCREF(str);
        return str;
    }
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        return NULL;
    }
    PyErr_Clear();
    _cleanup_(drop_py) PyObject *bytes =
        PyUnicode_AsEncodedString(str, "utf-8", "backslashreplace");
    char *data = NULL;
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &data, &len) < 0) {
        return NULL;
    }
    *out = (struct slice){.data = data, .len = (size_t)len};
    return take(bytes);
}

int py_text_add(struct buf *out, PyObject *str)
{
    struct slice text = SLICE_NONE;
    _cleanup_(drop_py) PyObject *holder = py_text_of(str, &text);
    if (holder == NULL) {
        return -1;
    }
    (void)buf_add_slice(out, text); /* a refusal is remembered in `out` */
    return 0;
}

bool py_clear_error(void)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception)) {
        return false;
    }
    PyErr_Clear();
    return true;
}

const char *py_type_name(PyObject *type, PyObject **holder)
{
    *holder = PyObject_GetAttrString(type, "__name__");
    const char *name = NULL;
    if (*holder != NULL && PyUnicode_Check(*holder)) {
        name = PyUnicode_AsUTF8AndSize(*holder, NULL);
    }
    if (name == NULL) {
        PyErr_Clear(); /* a metaclass may do anything; there is still something to say */
        name = "object";
    }
    return name;
}

int py_text_add_str(struct buf *out, PyObject *object)
{
    _cleanup_(drop_py) PyObject *str = PyObject_Str(object);
    if (str != NULL && py_text_add(out, str) == 0) {
        return 0;
    }
    if (!py_clear_error()) {
        return -1;
    }
    _cleanup_(drop_py) PyObject *holder = NULL;
    buf_addf(out, "<unprintable %s object>", py_type_name((PyObject *)Py_TYPE(object), &holder));
    return 0;
}

PyObject *py_text_new(struct slice text)
{
    return PyUnicode_DecodeUTF8(text.data, (Py_ssize_t)text.len, "surrogatepass");
}

PyObject *py_text_numbered(const char *before, int64_t number, const char *after)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(4096);
    char digits[TEXT_INT_SIZE];
    buf_add_text(&text, before);
    buf_add_slice(&text, text_of_int(number, digits));
    buf_add_text(&text, after);
    return PyUnicode_FromStringAndSize(buf_text(&text), (Py_ssize_t)text.len);
}
