/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_inspect.h"

#include <stdio.h>

#include "base/bounds.h"
#include "base/jwrite.h"
#include "contexts/python/py_complete.h"
#include "contexts/python/py_payload.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_text.h"

/* Adds the member "data", with a text and nothing else. */
static void add_plain_data(struct buf *out, struct slice text)
{
    jwrite_key(out, "data");
    jwrite_object(out);
    jwrite_member(out, "text/plain", text);
    jwrite_object_end(out);
}

static int add_found(struct buf *out, PyObject *text)
{
    struct slice raw = SLICE_NONE;
    _cleanup_(drop_py) PyObject *holder = py_text_of(text, &raw);
    if (holder == NULL) {
        return -1;
    }
    jwrite_object(out);
    jwrite_member_text(out, "status", "ok");
    jwrite_member_bool(out, "found", true);
    add_plain_data(out, raw);
    jwrite_member_raw(out, "metadata", SLICE_LIT("{}"));
    jwrite_object_end(out);
    return 0;
}

void py_inspect(struct py *py, struct slice code, size_t cursor, int detail, struct buf *reply)
{
    _cleanup_(drop_py) PyObject *text = py_text_new(code);
    _cleanup_(drop_py) PyObject *answer =
        text ? py_prelude_call(py, PRELUDE_INSPECTION, "look", "(OniOO)", text, (Py_ssize_t)cursor,
                               detail, py->space, py->cells)
             : NULL;
    if (answer != NULL && PyUnicode_Check(answer) && add_found(reply, answer) < 0) {
        buf_clear(reply);
    }
    py_question_end(py);
}

/* Gives the source with calls for help, or NULL; an exception is set only when that failed. */
static PyObject *rewrite(struct py *py, PyObject *text)
{
    _cleanup_(drop_py) PyObject *changed =
        py_prelude_call(py, PRELUDE_INSPECTION, "rewrite", "(O)", text);
    return changed == NULL || changed == Py_None ? NULL : take(changed);
}

int py_help_compile(struct py *py, PyObject *text, struct slice raw, PyObject *file,
                    struct py_code *out)
{
    if (memchr(raw.data, '?', raw.len) == NULL || !PyErr_ExceptionMatches(PyExc_SyntaxError)) {
        return -1;
    }
    PyObject *type = NULL;
    PyObject *value = NULL;
    PyObject *traceback = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    struct slice changed_raw = SLICE_NONE;
    _cleanup_(drop_py) PyObject *changed = rewrite(py, text);
    _cleanup_(drop_py) PyObject *holder = changed ? py_text_of(changed, &changed_raw) : NULL;
    if (holder == NULL || py_compile(py, changed, changed_raw, file, out) < 0) {
        PyErr_Restore(type, value, traceback); /* the user's own text is what the error is about */
        return -1;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return 0;
}

/* Keeps a page for the reply. */
static int set_page(struct py *py, PyObject *text)
{
    struct slice raw = SLICE_NONE;
    _cleanup_(drop_buf) struct buf json = BUF_INIT(16UL * MIB);
    _cleanup_(drop_py) PyObject *holder = py_text_of(text, &raw);
    if (holder == NULL) {
        return -1;
    }
    jwrite_object(&json);
    jwrite_member_text(&json, "source", "page");
    add_plain_data(&json, raw);
    jwrite_member_int(&json, "start", 0);
    jwrite_object_end(&json);
    _cleanup_(drop_py) PyObject *page = json.full ? NULL : py_text_new(buf_slice(&json));
    if (page == NULL) {
        return json.full ? 0 : -1; /* a page that long is left out */
    }
    /* A cell may ask about several things. */
    char key[32];
    (void)snprintf(key, sizeof key, "page %zd", py->payloads ? PyDict_Size(py->payloads) : 0);
    return py_payload_set(py, key, page);
}

/* page(expression, detail): shows help on it; says so when there is no such thing. */
static PyObject *page(PyObject *module, PyObject *args)
{
    struct py *py = py_engine();
    PyObject *expression = NULL;
    int detail = 0;
    (void)module; /* the interpreter's calling convention */
    if (!PyArg_ParseTuple(args, "Ui", &expression, &detail)) {
        return NULL;
    }
    _cleanup_(drop_py) PyObject *text = py_prelude_call(py, PRELUDE_INSPECTION, "page", "(OiOO)",
                                                        expression, detail, py->space, py->cells);
    if (text == NULL) {
        return NULL;
    }
    if (!PyUnicode_Check(text)) {
        PySys_FormatStdout("Object `%U` not found.\n", expression);
    } else if (set_page(py, text) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef function = {"page", page, METH_VARARGS, NULL};

int py_inspect_add_function(PyObject *module)
{
    _cleanup_(drop_py) PyObject *callee = PyCFunction_NewEx(&function, module, NULL);
    return callee == NULL ? -1 : PyModule_AddObjectRef(module, function.ml_name, callee);
}
