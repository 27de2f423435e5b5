/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_compile.h"

#include "base/bounds.h"
#include "contexts/python/py_shape.h"
#include "contexts/python/py_source.h"
#include "contexts/python/py_text.h"

/* Values of the interpreter's compile flags; part of its documented behaviour since 3.8. */
enum {
    FLAG_ONLY_AST = 0x400,
    FLAG_TOP_LEVEL_AWAIT = 0x2000,
    FUTURE_FLAGS = 0x1fe0000,
    CODE_IS_COROUTINE = 0x80
};

void py_code_done(struct py_code *code)
{
    Py_CLEAR(code->body);
    Py_CLEAR(code->value);
}

static PyObject *call_compile(const struct py *py, PyObject *source, PyObject *file, PyObject *mode,
                              long flags)
{
    _cleanup_(drop_py) PyObject *bits =
        PyLong_FromLong(flags | FLAG_TOP_LEVEL_AWAIT | py->future_flags);
    return bits == NULL
               ? NULL
               : PyObject_CallFunctionObjArgs(py->compile, source, file, mode, bits, Py_True, NULL);
}

static long attr_long(PyObject *object, PyObject *name)
{
    _cleanup_(drop_py) PyObject *number = PyObject_GetAttr(object, name);
    return number == NULL ? -1 : PyLong_AsLong(number);
}

/* Takes the last statement off when it is an expression. Gives it, or None; NULL on failure. */
static PyObject *pop_expression(const struct py *py, PyObject *tree)
{
    _cleanup_(drop_py) PyObject *body = PyObject_GetAttr(tree, py->names[NAME_BODY]);
    Py_ssize_t count = body == NULL ? -1 : PyList_Size(body);
    if (count < 0) {
        return NULL;
    }
    PyObject *last = count > 0 ? PyList_GetItem(body, count - 1) : Py_None; /* borrowed */
    int is_expression = count > 0 ? PyObject_IsInstance(last, py->ast_expr) : 0;
    if (is_expression < 0) {
        return NULL;
    }
    if (!is_expression) {
        last = Py_None;
    }
    Py_INCREF(last);
    if (is_expression && PyList_SetSlice(body, count - 1, count, NULL) < 0) {
        Py_CLEAR(last);
    }
    return last;
}

static int compile_value(const struct py *py, PyObject *statement, struct slice raw, PyObject *file,
                         struct py_code *out)
{
    long line = attr_long(statement, py->names[NAME_END_LINENO]);
    long column = attr_long(statement, py->names[NAME_END_COL_OFFSET]);
    if (line < 0 || column < 0) {
        return -1;
    }
    _cleanup_(drop_py) PyObject *value = PyObject_GetAttr(statement, py->names[NAME_VALUE]);
    _cleanup_(drop_py) PyObject *tree =
        value ? PyObject_CallFunctionObjArgs(py->ast_expression, value, NULL) : NULL;
    if (tree == NULL) {
        return -1;
    }
    out->quiet = source_is_quiet(raw, (size_t)line, (size_t)column);
    out->value = call_compile(py, tree, file, py->names[NAME_EVAL_MODE], 0);
    return out->value == NULL ? -1 : 0;
}

/* -1, 0 or 1. */
static int has_statements(const struct py *py, PyObject *tree)
{
    _cleanup_(drop_py) PyObject *body = PyObject_GetAttr(tree, py->names[NAME_BODY]);
    return body == NULL ? -1 : PyList_Size(body) > 0;
}

static int keep_future_flags(struct py *py, PyObject *code)
{
    long flags = attr_long(code, py->names[NAME_CO_FLAGS]);
    if (flags < 0) {
        return -1;
    }
    py->future_flags |= flags & FUTURE_FLAGS;
    return 0;
}

/* `source` is a text or a tree. */
static int compile_body(struct py *py, PyObject *source, PyObject *file, struct py_code *out)
{
    out->body = call_compile(py, source, file, py->names[NAME_EXEC_MODE], 0);
    return out->body == NULL ? -1 : keep_future_flags(py, out->body);
}

static int compile_parts(struct py *py, PyObject *tree, struct slice raw, PyObject *file,
                         struct py_code *out)
{
    _cleanup_(drop_py) PyObject *statement = pop_expression(py, tree);
    int statements = statement == NULL ? -1 : has_statements(py, tree);
    if (statements < 0) {
        return -1;
    }
    if (statements > 0) {
        if (compile_body(py, tree, file, out) < 0) {
            return -1;
        }
    }
    return statement == Py_None ? 0 : compile_value(py, statement, raw, file, out);
}

/* The sure way: through a tree. */
static int compile_tree(struct py *py, PyObject *text, struct slice raw, PyObject *file,
                        struct py_code *out)
{
    _cleanup_(drop_py) PyObject *tree =
        call_compile(py, text, file, py->names[NAME_EXEC_MODE], FLAG_ONLY_AST);
    return tree == NULL ? -1 : compile_parts(py, tree, raw, file, out);
}

/* Gives what begins at `shape->tail`, behind as many empty lines as stand before it in the cell, so
 * that its own are numbered right. */
static PyObject *tail_text(struct slice raw, const struct shape *shape)
{
    _cleanup_(drop_buf) struct buf tail = BUF_INIT(MSG_JSON_MAX);
    char *lines = buf_reserve(&tail, shape->line);
    if (lines == NULL) {
        return PyErr_NoMemory(); /* cannot be: they are lines of a cell within that limit */
    }
    memset(lines, '\n', shape->line);
    buf_commit(&tail, shape->line);
    (void)buf_add(&tail, raw.data + shape->tail, raw.len - shape->tail); /* a part of the cell */
    return py_text_new(buf_slice(&tail));
}

static int compile_halves(struct py *py, struct slice raw, const struct shape *shape,
                          PyObject *file, struct py_code *out)
{
    if (shape->tail > 0) {
        _cleanup_(drop_py) PyObject *head =
            py_text_new((struct slice){.data = raw.data, .len = shape->tail});
        if (head == NULL || compile_body(py, head, file, out) < 0) {
            return -1;
        }
    }
    _cleanup_(drop_py) PyObject *tail = tail_text(raw, shape);
    out->value = tail ? call_compile(py, tail, file, py->names[NAME_EVAL_MODE], 0) : NULL;
    return out->value == NULL ? -1 : 0;
}

/* Straight from the text where its shape allows it. When the halves do not compile, the whole is
 * tried: it may be right after all, and if not, its errors are the ones to show. */
static int compile_text(struct py *py, PyObject *text, struct slice raw, PyObject *file,
                        struct py_code *out)
{
    struct shape shape = shape_of(raw);
    if (shape.kind == SHAPE_STATEMENTS) {
        return compile_body(py, text, file, out);
    }
    if (shape.kind == SHAPE_VALUE) {
        long future_flags = py->future_flags;
        if (compile_halves(py, raw, &shape, file, out) == 0) {
            return 0;
        }
        if (!PyErr_ExceptionMatches(PyExc_SyntaxError)) {
            return -1;
        }
        PyErr_Clear();
        py_code_done(out);
        py->future_flags = future_flags;
    }
    return compile_tree(py, text, raw, file, out);
}

int py_compile(struct py *py, PyObject *text, struct slice raw, PyObject *file, struct py_code *out)
{
    _cleanup_(drop_py_code) struct py_code code = {0};
    /* Many small objects and no garbage: a collection in the middle finds nothing. */
    int collecting = PyGC_Disable();
    int failed = compile_text(py, text, raw, file, &code);
    if (collecting) {
        PyGC_Enable();
    }
    if (failed < 0) {
        return -1;
    }
    *out = code;
    code = (struct py_code){0};
    return 0;
}

int py_code_is_coroutine(const struct py *py, PyObject *code)
{
    long flags = attr_long(code, py->names[NAME_CO_FLAGS]);
    return flags < 0 ? -1 : (flags & CODE_IS_COROUTINE) != 0;
}
