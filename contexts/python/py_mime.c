/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_mime.h"

#include "base/text.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_text.h"
#include "mime/bundle.h"
#include "mime/type.h"

/* What does not fit is left out and counted by the bundle; the cell goes on. */
static int add_string(struct bundle *bundle, const char *mime, PyObject *value)
{
    struct slice text = SLICE_NONE;
    _cleanup_(drop_py) PyObject *holder = py_text_of(value, &text);
    if (holder == NULL) {
        return -1;
    }
    (void)bundle_add_text(bundle, mime, text); /* see above */
    return 0;
}

/* Bytes are base64, as Jupyter has them, but for the UTF-8 of a type that we know to be text. */
static int add_bytes(struct bundle *bundle, const char *mime, PyObject *value)
{
    _cleanup_(drop_py) PyObject *bytes = PyBytes_FromObject(value);
    char *data = NULL;
    Py_ssize_t len = 0;
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &data, &len) < 0) {
        return -1;
    }
    struct slice raw = {.data = data, .len = (size_t)len};
    const struct mime_info *known = mime_type_find(slice_of(mime));
    bool is_text = known != NULL && known->form == MIME_TEXT && text_is_utf8(raw);
    (void)(is_text ? bundle_add_text(bundle, mime, raw)
                   : bundle_add_binary(bundle, mime, raw)); /* see above */
    return 0;
}

/* Gives a holder of the JSON text. */
static PyObject *json_of(struct py *py, PyObject *value, struct slice *out)
{
    _cleanup_(drop_py) PyObject *json = py_prelude_call(py, PRELUDE_JSON, "to_json", "(O)", value);
    return json == NULL ? NULL : py_text_of(json, out);
}

static int add_json(struct py *py, struct bundle *bundle, const char *mime, PyObject *value)
{
    struct slice raw = SLICE_NONE;
    _cleanup_(drop_py) PyObject *holder = json_of(py, value, &raw);
    if (holder == NULL) {
        return -1;
    }
    (void)bundle_add_json(bundle, mime, raw); /* see above */
    return 0;
}

int py_mime_add(struct py *py, struct bundle *bundle, const char *mime, PyObject *value)
{
    enum mime_form form = mime_form_of(slice_of(mime));
    if (value == Py_None) {
        return 0;
    }
    if (PyUnicode_Check(value) && form != MIME_JSON) {
        return add_string(bundle, mime, value);
    }
    if (PyBytes_Check(value) || PyByteArray_Check(value)) {
        return add_bytes(bundle, mime, value);
    }
    return add_json(py, bundle, mime, value);
}

int py_mime_add_metadata(struct py *py, struct bundle *bundle, const char *mime, PyObject *value)
{
    struct slice raw = SLICE_NONE;
    _cleanup_(drop_py) PyObject *holder = json_of(py, value, &raw);
    if (holder == NULL) {
        return -1;
    }
    (void)bundle_add_metadata(bundle, mime, raw); /* see above */
    return 0;
}

typedef int add_fn(struct py *py, struct bundle *bundle, const char *mime, PyObject *value);

static int add_each(struct py *py, struct bundle *bundle, PyObject *dict, add_fn *add)
{
    /* A copy: making JSON of a value may run code that changes the dict. */
    _cleanup_(drop_py) PyObject *items = PyDict_Items(dict);
    Py_ssize_t count = items == NULL ? -1 : PyList_Size(items);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyList_GetItem(items, i); /* borrowed, a pair */
        PyObject *key = PyTuple_GetItem(item, 0);
        const char *mime = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
        if (mime == NULL || (add == py_mime_add && !mime_name_is_valid(slice_of(mime)))) {
            PyErr_Clear(); /* not a key anybody could show */
            continue;
        }
        if (add(py, bundle, mime, PyTuple_GetItem(item, 1)) < 0) {
            return -1;
        }
    }
    return count < 0 ? -1 : 0;
}

int py_mime_add_dict(struct py *py, struct bundle *bundle, PyObject *data, PyObject *metadata)
{
    if (PyDict_Check(data) && add_each(py, bundle, data, py_mime_add) < 0) {
        return -1;
    }
    if (metadata != NULL && PyDict_Check(metadata)) {
        return add_each(py, bundle, metadata, py_mime_add_metadata);
    }
    return 0;
}
