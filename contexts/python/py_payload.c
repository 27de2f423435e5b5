/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_payload.h"

#include "base/jwrite.h"
#include "contexts/python/py_text.h"

int py_payload_set(struct py *py, const char *key, PyObject *json)
{
    if (py->payloads == NULL) {
        py->payloads = PyDict_New();
    }
    return py->payloads == NULL ? -1 : PyDict_SetItemString(py->payloads, key, json);
}

/* One that does not fit, with the end of the list behind it, is left out. */
static void add_one(struct buf *out, PyObject *json)
{
    size_t start = out->len;
    struct slice raw = SLICE_NONE;
    _cleanup_(drop_py) PyObject *holder = py_text_of(json, &raw);
    if (holder == NULL || jwrite_raw(out, raw) < 0 || out->len == out->limit) {
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
    if (py->payloads == NULL) {
        return;
    }
    jwrite_list(out);
    while (PyDict_Next(py->payloads, &at, &key, &json)) {
        add_one(out, json);
    }
    jwrite_list_end(out);
    Py_CLEAR(py->payloads);
}
