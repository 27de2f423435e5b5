/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_handles.h"

#include "base/bounds.h"
#include "base/jwrite.h"
#include "contexts/python/py_async.h"
#include "contexts/python/py_display.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_text.h"
#include "mime/bundle.h"

#define IPYTHON_MODULE "IPython.core.display_functions"
#define OUR_MODULE     "pandia_display"

static const struct {
    const char *name;
    enum wire_type type;
} types[] = {{"display_data", WIRE_DISPLAY_DATA},
             {"update_display_data", WIRE_UPDATE_DISPLAY_DATA},
             {"clear_output", WIRE_CLEAR_OUTPUT}};

PyObject *py_handles_display(struct py *py, PyObject *args, PyObject *kwargs)
{
    if (py_prelude_load(py, PRELUDE_DISPLAYS) < 0) {
        return NULL;
    }
    PyObject *callee = PyDict_GetItemString(py->preludes[PRELUDE_DISPLAYS], "display");
    return callee == NULL ? NULL : PyObject_Call(callee, args, kwargs);
}

/* bundle_of(object, include=None, exclude=None): JSON text of its bundle; None when the object has
 * displayed itself. */
static PyObject *bundle_of(PyObject *module, PyObject *args)
{
    PyObject *object = NULL;
    struct py_wishes wishes = {.include = Py_None, .exclude = Py_None};
    _cleanup_(drop_bundle) struct bundle bundle;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    (void)module; /* the interpreter's calling convention */
    bundle_init(&bundle, DISPLAY_MAX);
    if (!PyArg_ParseTuple(args, "O|OO", &object, &wishes.include, &wishes.exclude)) {
        return NULL;
    }
    int shown = py_display_fill(py_engine(), object, &wishes, &bundle);
    if (shown != 0) {
        return shown < 0 ? NULL : Py_BuildValue("");
    }
    jwrite_object(&text);
    bundle_write(&bundle, &text);
    jwrite_object_end(&text);
    return py_text_new(buf_slice(&text));
}

/* publish_display(msg_type, content): content is JSON text of an object. */
static PyObject *publish_display(PyObject *module, PyObject *args)
{
    struct py *py = py_engine();
    const char *name = NULL;
    PyObject *content = NULL;
    struct slice text = SLICE_NONE;
    (void)module; /* the interpreter's calling convention */
    if (!PyArg_ParseTuple(args, "sU", &name, &content)) {
        return NULL;
    }
    _cleanup_(drop_py) PyObject *holder = py_text_of(content, &text);
    if (holder == NULL) {
        return NULL;
    }
    if (text.len > DISPLAY_MAX) {
        return PyErr_Format(PyExc_ValueError, "a display of %zu bytes, limit %zu", text.len,
                            (size_t)DISPLAY_MAX);
    }
    for (size_t i = 0; i < ARRAY_LEN(types) && py->worker != NULL; i++) {
        if (strcmp(types[i].name, name) == 0) {
            uint64_t speaker = py_async_speaker(py);
            PyThreadState *released = PyEval_SaveThread();
            worker_publish(py->worker, speaker, types[i].type, text, NULL, 0);
            PyEval_RestoreThread(released);
        }
    }
    Py_RETURN_NONE;
}

/* fill_display(module): gives it the functions of displays.py, which are loaded now. */
static PyObject *fill_display(PyObject *module, PyObject *target)
{
    (void)module; /* the interpreter's calling convention */
    return py_prelude_call(py_engine(), PRELUDE_DISPLAYS, "fill", "(O)", target);
}

static PyMethodDef functions[] = {
    {"bundle_of", bundle_of, METH_VARARGS, NULL},
    {"publish_display", publish_display, METH_VARARGS, NULL},
    {"fill_display", fill_display, METH_O, NULL},
};

int py_handles_add_functions(PyObject *module)
{
    for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
        _cleanup_(drop_py) PyObject *callee = PyCFunction_NewEx(&functions[i], module, NULL);
        if (callee == NULL || PyModule_AddObjectRef(module, functions[i].ml_name, callee) < 0) {
            return -1;
        }
    }
    return PyModule_AddIntConstant(module, "DISPLAY_MAX", DISPLAY_MAX);
}

int py_handles_open(struct py *py)
{
    _cleanup_(drop_py) PyObject *module = PyImport_ImportModule("_pandia");
    _cleanup_(drop_py) PyObject *fill =
        module ? PyObject_GetAttrString(module, "fill_display") : NULL;
    _cleanup_(drop_py) PyObject *waits =
        fill ? py_prelude_call(py, PRELUDE_IMPORTS, "when_imported", "(sO)", IPYTHON_MODULE, fill)
             : NULL;
    _cleanup_(drop_py) PyObject *ours =
        waits ? py_prelude_call(py, PRELUDE_IMPORTS, "provide", "(sO)", OUR_MODULE, fill) : NULL;
    return ours == NULL ? -1 : 0;
}
