/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_prelude.h"

#include <stdarg.h>

static const char *const names[PRELUDES] = {

#define X(upper, file) [PRELUDE_##upper] = (file),
    PY_PRELUDE_MAP(X)
#undef X
};

static const struct py_prelude_file *find(const char *name)
{
    for (size_t i = 0; i < py_prelude_file_count; i++) {
        if (strcmp(py_prelude_files[i].name, name) == 0) {
            return &py_prelude_files[i];
        }
    }
    return NULL;
}

static PyObject *compile_file(const struct py *py, const struct py_prelude_file *file)
{
    _cleanup_(drop_py) PyObject *label = PyUnicode_FromFormat("<pandia %s>", file->name);
    _cleanup_(drop_py) PyObject *text =
        PyUnicode_DecodeUTF8(file->text, (Py_ssize_t)file->len, "strict");
    if (label == NULL || text == NULL) {
        return NULL;
    }
    return PyObject_CallFunction(py->compile, "OOsii", text, label, "exec", 0, 1);
}

/* Gives another file of ours as a module; its functions keep their own namespace. */
static PyObject *as_module(struct py *py, enum py_prelude which, PyObject *name)
{
    if (py_prelude_load(py, which) < 0) {
        return NULL;
    }
    _cleanup_(drop_py) PyObject *module = PyModule_NewObject(name);
    if (module == NULL || PyDict_Update(PyModule_GetDict(module), py->preludes[which]) < 0) {
        return NULL;
    }
    return take(module);
}

/* use(name): how our files import each other. */
static PyObject *use(PyObject *self, PyObject *name)
{
    (void)self; /* the interpreter's calling convention */
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        _cleanup_(drop_py) PyObject *stem =
            PyUnicode_FromStringAndSize(names[i], (Py_ssize_t)strcspn(names[i], "."));
        if (stem == NULL) {
            return NULL;
        }
        if (PyUnicode_Compare(stem, name) == 0) {
            return as_module(py_engine(), (enum py_prelude)i, name);
        }
    }
    return PyErr_Format(PyExc_ImportError, "no prelude %R", name);
}

static PyMethodDef use_function = {"use", use, METH_O, NULL};

PyObject *py_prelude_source(enum py_prelude which)
{
    const struct py_prelude_file *file = find(names[which]);
    return file == NULL ? PyUnicode_FromString("")
                        : PyUnicode_DecodeUTF8(file->text, (Py_ssize_t)file->len, "strict");
}

static PyObject *new_space(const struct py *py, const char *name)
{
    _cleanup_(drop_py) PyObject *space = PyDict_New();
    _cleanup_(drop_py) PyObject *module = PyUnicode_FromFormat("_pandia.%s", name);
    _cleanup_(drop_py) PyObject *user = PyCFunction_NewEx(&use_function, NULL, NULL);
    if (space == NULL || module == NULL || user == NULL ||
        PyDict_SetItemString(space, "use", user) < 0 ||
        PyDict_SetItemString(space, "__builtins__", py->builtins) < 0 ||
        PyDict_SetItemString(space, "__name__", module) < 0) {
        return NULL;
    }
    return take(space);
}

int py_prelude_load(struct py *py, enum py_prelude which)
{
    if (py->preludes[which] != NULL) {
        return 0;
    }
    const struct py_prelude_file *file = find(names[which]);
    if (file == NULL) {
        PyErr_Format(PyExc_SystemError, "%s is not part of this build", names[which]);
        return -1;
    }
    _cleanup_(drop_py) PyObject *space = new_space(py, names[which]);
    _cleanup_(drop_py) PyObject *code = space ? compile_file(py, file) : NULL;
    _cleanup_(drop_py) PyObject *done = code ? PyEval_EvalCode(code, space, space) : NULL;
    if (done == NULL) {
        return -1;
    }
    /* Another thread may have been first; then what is kept there counts. */
    if (py->preludes[which] == NULL) {
        py->preludes[which] = take(space);
    }
    return 0;
}

PyObject *py_prelude_call(struct py *py, enum py_prelude which, const char *function,
                          const char *format, ...)
{
    if (py_prelude_load(py, which) < 0) {
        return NULL;
    }
    PyObject *callee = PyDict_GetItemString(py->preludes[which], function); /* borrowed */
    if (callee == NULL) {
        PyErr_Format(PyExc_SystemError, "%s has no %s", names[which], function);
        return NULL;
    }
    va_list values;
    va_start(values, format);
    _cleanup_(drop_py) PyObject *args = Py_VaBuildValue(format, values);
    va_end(values);
    return args == NULL ? NULL : PyObject_Call(callee, args, NULL);
}
