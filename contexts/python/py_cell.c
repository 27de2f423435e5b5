/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_cell.h"

#include "contexts/python/py_async.h"
#include "contexts/python/py_compile.h"
#include "contexts/python/py_display.h"
#include "contexts/python/py_error.h"
#include "contexts/python/py_expressions.h"
#include "contexts/python/py_figures.h"
#include "contexts/python/py_history.h"
#include "contexts/python/py_inspect.h"
#include "contexts/python/py_leave.h"
#include "contexts/python/py_lines.h"
#include "contexts/python/py_payload.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_shell.h"
#include "contexts/python/py_text.h"

int py_cell_show(struct py *py, PyObject *value, int64_t count)
{
    if (value == Py_None || py->silent) {
        return 0;
    }
    if (py_display_result(py, value) < 0) {
        return -1;
    }
    return py_history_output(py, value, count);
}

static int run_code(struct py *py, const struct py_code *code, int64_t count)
{
    if (code->body != NULL) {
        _cleanup_(drop_py) PyObject *done = py_async_eval(py, code->body);
        if (done == NULL) {
            return -1;
        }
    }
    if (code->value == NULL) {
        return 0;
    }
    _cleanup_(drop_py) PyObject *value = py_async_eval(py, code->value);
    if (value == NULL) {
        return -1;
    }
    if (py_leave_by_name(py, value) < 0) {
        return -1;
    }
    return code->quiet ? 0 : py_cell_show(py, value, count);
}

/* Warnings are shown once per place, and each cell is a new place. */
static void forget_warnings(const struct py *py)
{
    PyObject *name = py->names[NAME_REGISTRY];
    if (PyDict_Contains(py->space, name) == 1 && PyDict_DelItem(py->space, name) < 0) {
        PyErr_Clear(); /* a dict that loses it meanwhile has lost it */
    }
}

/* What is no Python may be code that was copied with its indentation, or a magic. 0 when `out`
 * holds what it means; -1 without an exception when it means nothing. */
static int compile_mended(struct py *py, PyObject *text, PyObject *file, struct py_code *out)
{
    struct slice raw = SLICE_NONE;
    _cleanup_(drop_py) PyObject *mended = py_prelude_call(py, PRELUDE_SOURCE, "mend", "(O)", text);
    _cleanup_(drop_py) PyObject *holder =
        mended != NULL && mended != Py_None ? py_text_of(mended, &raw) : NULL;
    int failed = holder == NULL ? -1 : py_compile(py, mended, raw, file, out);
    PyErr_Clear(); /* the cell's own error says more */
    return failed;
}

static int compile_cell(struct py *py, PyObject *text, struct slice raw, PyObject *file,
                        struct py_code *out)
{
    if (py_compile(py, text, raw, file, out) == 0) {
        return 0;
    }
    if (!PyErr_ExceptionMatches(PyExc_SyntaxError)) {
        return -1;
    }
    PyObject *type = NULL;
    PyObject *value = NULL;
    PyObject *traceback = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    if (compile_mended(py, text, file, out) < 0) {
        PyErr_Restore(type, value, traceback);
        return -1;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return 0;
}

static int run(struct py *py, const struct exec_request *request)
{
    _cleanup_(drop_py) PyObject *text = py_text_new(request->code);
    _cleanup_(drop_py) PyObject *file = text ? py_lines_name(py, request->execution_count) : NULL;
    if (file == NULL || py_lines_remember(py, text, request->code, file) < 0) {
        return -1;
    }
    if ((request->store_history ? py_history_input(py, text, request->execution_count)
                                : py_lines_let_pass(py, file)) < 0) {
        return -1;
    }
    forget_warnings(py);
    _cleanup_(drop_py_code) struct py_code code = {0};
    if (compile_cell(py, text, request->code, file, &code) < 0 &&
        py_help_compile(py, text, request->code, file, &code) < 0) {
        return -1;
    }
    return run_code(py, &code, request->store_history ? request->execution_count : 0);
}

/* os.fork() in a cell, and the copy came to the end of the cell: a program would end here. */
static void end_copy(struct py *py, int failed)
{
    int status = failed < 0 ? py_leave_code(LEAVE_QUIETLY) : 0;
    if (status < 0) {
        status = 1;
        py_error_print(py);
    }
    worker_flush(py->worker);
    _exit(status);
}

/* An interrupt that came while the cell was ending belongs to it; later ones to nobody. */
static void settle_interrupts(struct py *py, struct exec_outcome *out)
{
    worker_disarm_interrupt(py->worker);
    if (PyErr_CheckSignals() == 0) {
        return;
    }
    if (out->failed) {
        PyErr_Clear();
    } else {
        py_error_outcome(py, out);
    }
}

/* The exception that is set is what became of the cell. */
static void fail(struct py *py, const struct exec_request *request, struct exec_outcome *out)
{
    if (py_leave_take(py)) {
        out->exit_code = 0;
        return;
    }
    out->exit_code = py_leave_code(request->runs_to_end ? LEAVE_PRINTING : LEAVE_QUIETLY);
    if (request->runs_to_end && out->exit_code >= 0) {
        PyErr_Clear(); /* the program has ended as it wanted to */
        return;
    }
    if (PyErr_ExceptionMatches(PyExc_MemoryError)) {
        worker_out_of_memory(py->worker);
    }
    py_error_outcome(py, out);
}

void py_cell_execute(struct py *py, const struct exec_request *request, struct exec_outcome *out)
{
    py->silent = request->silent;
    py_async_begin(py);
    py_shell_begin(py, request->header);
    int failed = run(py, request);
    if (worker_is_copy(py->worker)) {
        end_copy(py, failed);
    }
    if (failed < 0) {
        fail(py, request, out);
    } else {
        py_expressions(py, request->user_expressions, &out->user_expressions);
    }
    py_figures_flush(py, out);
    settle_interrupts(py, out);
    py_payload_take(py, &out->payload);
    py->silent = false;
}
