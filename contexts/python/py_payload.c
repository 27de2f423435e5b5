/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_payload.h"

#include "contexts/python/py_text.h"

int py_payload_set(struct py *py, const char *key, PyObject *json)
{
    if (py->payloads == NULL) {
        py->payloads = PyDict_New();
    }
    return py->payloads == NULL ? -1 : PyDict_SetItemString(py->payloads, key, json);
}

static void add_one(struct buf *out, size_t begin, PyObject *json)
{
    size_t start = out->len;
    buf_add_text(out, start == begin ? "[" : ", ");
    int failed = py_text_add(out, json);
    if (failed < 0 || out->full ||
        out->limit - out->len < 2) { /* the end of the array needs room */
        PyErr_Clear();
        buf_truncate(out, start);
        out->full = false;
    }
}

void py_payload_take(struct py *py, struct buf *out)
{
    Py_ssize_t at = 0;
    PyObject *key = NULL;
    PyObject *json = NULL;
    size_t begin = out->len;
    if (py->payloads == NULL) {
        return;
    }
    while (PyDict_Next(py->payloads, &at, &key, &json)) {
        add_one(out, begin, json);
    }
    if (out->len > begin) {
        buf_add_byte(out, ']');
    }
    Py_CLEAR(py->payloads);
}
