/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_forms.h"

#include "contexts/python/py_display.h"
#include "contexts/python/py_mime.h"
#include "mime/type.h"

static const char *const names[FORMS] = {
    [FORMS_SHELL] = "shell", [FORMS_PRINTERS] = "printers", [FORMS_EXTRAS] = "extras"};

/* Adds what an answer (data, metadata) holds; None holds nothing. */
static int add_answer(struct py *py, PyObject *answer, struct bundle *out)
{
    if (answer == Py_None) {
        return 0;
    }
    if (!PyTuple_Check(answer) || PyTuple_Size(answer) != 2) {
        PyErr_SetString(PyExc_SystemError, "formatters.py answers with (data, metadata) or None");
        return -1;
    }
    return py_mime_add_dict(py, out, PyTuple_GetItem(answer, 0), PyTuple_GetItem(answer, 1));
}

/* Asks with a reference: what is asked may put another function in its place. */
static PyObject *ask(struct py *py, enum py_form_source source, PyObject *args)
{
    _cleanup_(drop_py) PyObject *asked = py->forms.asked[source];
    Py_INCREF(asked);
    return args == NULL ? NULL : PyObject_Call(asked, args, NULL);
}

int py_forms_add_by_shell(struct py *py, PyObject *object, const struct py_wishes *wishes,
                          struct bundle *out)
{
    _cleanup_(drop_py) PyObject *args =
        Py_BuildValue("(OOO)", object, wishes->include, wishes->exclude);
    _cleanup_(drop_py) PyObject *answer = ask(py, FORMS_SHELL, args);
    if (answer == NULL) {
        return -1;
    }
    return answer == Py_None ? 1 : add_answer(py, answer, out);
}

static int add_by(struct py *py, enum py_form_source source, PyObject *object, struct bundle *out)
{
    if (py->forms.asked[source] == NULL) {
        return 0;
    }
    _cleanup_(drop_py) PyObject *args = Py_BuildValue("(O)", object);
    _cleanup_(drop_py) PyObject *answer = ask(py, source, args);
    return answer == NULL ? -1 : add_answer(py, answer, out);
}

int py_forms_add_registered(struct py *py, PyObject *object, struct bundle *out)
{
    return add_by(py, FORMS_PRINTERS, object, out);
}

int py_forms_add_extras(struct py *py, PyObject *object, struct bundle *out)
{
    return add_by(py, FORMS_EXTRAS, object, out);
}

/* set_forms(source, function): whom to ask from now on. */
static PyObject *set_forms(PyObject *module, PyObject *args)
{
    struct py *py = py_engine();
    const char *source = NULL;
    PyObject *function = NULL;
    (void)module; /* the interpreter's calling convention */
    if (!PyArg_ParseTuple(args, "sO", &source, &function)) {
        return NULL;
    }
    for (size_t i = 0; i < FORMS; i++) {
        if (strcmp(names[i], source) == 0) {
            PyObject *before = py->forms.asked[i];
            Py_INCREF(function);
            py->forms.asked[i] = function;
            Py_XDECREF(before);
        }
    }
    Py_RETURN_NONE;
}

/* ask_for_plain(): from now on also for numbers, texts and containers. */
static PyObject *ask_for_plain(PyObject *module, PyObject *unused)
{
    (void)module; /* the interpreter's calling convention */
    (void)unused;
    py_engine()->forms.plain_too = true;
    Py_RETURN_NONE;
}

/* repr_types(): pairs of a MIME type and the method that objects have for it. */
static PyObject *repr_types(PyObject *module, PyObject *unused)
{
    _cleanup_(drop_py) PyObject *list = PyList_New(0);
    (void)module; /* the interpreter's calling convention */
    (void)unused;
    for (int i = 0; list != NULL && i < MIME_TYPES; i++) {
        const struct mime_info *type = mime_type_info((enum mime_type)i);
        if (type->method == NULL) {
            continue;
        }
        _cleanup_(drop_py) PyObject *pair = Py_BuildValue("(ss)", type->name, type->method);
        if (pair == NULL || PyList_Append(list, pair) < 0) {
            return NULL;
        }
    }
    return take(list);
}

int py_forms_add_functions(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"set_forms", set_forms, METH_VARARGS, NULL},
        {"ask_for_plain", ask_for_plain, METH_NOARGS, NULL},
        {"repr_types", repr_types, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    return PyModule_AddFunctions(module, functions);
}
