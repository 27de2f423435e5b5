/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_expressions.h"

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "contexts/python/py_async.h"
#include "contexts/python/py_display.h"
#include "contexts/python/py_error.h"
#include "contexts/python/py_text.h"
#include "mime/bundle.h"

#define ANSWER_BUDGET (2UL * MIB)

static PyObject *evaluate(struct py *py, struct slice question)
{
    _cleanup_(drop_buf) struct buf source = BUF_INIT(MSG_JSON_MAX);
    if (jscan_string(question, &source) < 0) {
        PyErr_SetString(PyExc_TypeError, "an expression must be a string");
        return NULL;
    }
    _cleanup_(drop_py) PyObject *text = py_text_new(buf_slice(&source));
    _cleanup_(drop_py) PyObject *code =
        text ? PyObject_CallFunction(py->compile, "Ossii", text, "<expression>", "eval", 0, 1)
             : NULL;
    return code == NULL ? NULL : PyEval_EvalCode(code, py->space, py->space);
}

static void add_error(struct py *py, struct buf *out)
{
    _cleanup_(drop_py_error) struct py_error error;
    py_error_init(&error);
    py_error_take(py, &error);
    buf_add_text(out, "{\"status\": \"error\", \"ename\": ");
    jwrite_string(out, buf_slice(&error.name));
    buf_add_text(out, ", \"evalue\": ");
    jwrite_string(out, buf_slice(&error.message));
    buf_add_text(out, ", \"traceback\": ");
    buf_add_slice(out, buf_slice(&error.traceback));
    buf_add_byte(out, '}');
}

static void add_answer(struct py *py, struct slice question, struct buf *out)
{
    _cleanup_(drop_bundle) struct bundle bundle;
    bundle_init(&bundle, ANSWER_BUDGET);
    _cleanup_(drop_py) PyObject *value = evaluate(py, question);
    if (value == NULL || py_display_fill(py, value, &bundle) < 0) {
        add_error(py, out);
        return;
    }
    buf_add_text(out, "{\"status\": \"ok\", ");
    bundle_write(&bundle, out);
    buf_add_byte(out, '}');
}

/* Keys come from the client and may be anything a JSON string can be. */
static void add_key(struct slice key, struct buf *out)
{
    _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_JSON_MAX);
    (void)!jscan_string(key, &name); /* a key is a string, or jscan would not have given it */
    jwrite_string(out, buf_slice(&name));
    buf_add_text(out, ": ");
}

void py_expressions(struct py *py, struct slice questions, struct buf *out)
{
    struct jscan_iter it;
    struct slice key;
    struct slice question;
    if (questions.len == 0) {
        return;
    }
    buf_add_byte(out, '{');
    jscan_iter_init(&it, questions);
    for (bool first = true; jscan_next(&it, &key, &question); first = false) {
        size_t start = out->len;
        worker_flush(py->worker); /* these may take their time; the result need not wait */
        buf_add_text(out, first ? "" : ", ");
        add_key(key, out);
        add_answer(py, question, out);
        if (out->full) {
            buf_truncate(out, start); /* the rest does not fit; what is there stays well-formed */
            out->full = false;
            break;
        }
    }
    buf_add_byte(out, '}');
}
