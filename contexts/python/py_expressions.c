/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_expressions.h"

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "contexts/python/py_async.h"
#include "contexts/python/py_display.h"
#include "contexts/python/py_error.h"
#include "contexts/python/py_text.h"
#include "contexts/worker/expressions.h"
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
    expressions_add_error(out, buf_slice(&error.name), buf_slice(&error.message),
                          buf_slice(&error.traceback));
}

static void add_answer(void *state, struct slice question, struct buf *out)
{
    struct py *py = state;
    _cleanup_(drop_bundle) struct bundle bundle;
    worker_flush(py->worker); /* this may take its time; the result need not wait */
    bundle_init(&bundle, ANSWER_BUDGET);
    _cleanup_(drop_py) PyObject *value = evaluate(py, question);
    if (value == NULL || py_display_fill(py, value, NULL, &bundle) < 0) {
        add_error(py, out);
        return;
    }
    jwrite_object(out);
    jwrite_member_text(out, "status", "ok");
    bundle_write(&bundle, out);
    jwrite_object_end(out);
}

void py_expressions(struct py *py, struct slice questions, struct buf *out)
{
    expressions_answer(questions, add_answer, py, out);
}
