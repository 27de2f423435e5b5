/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_ahead.h"

#include "contexts/python/py_prelude.h"

/* In the order in which contexts miss them most; each is one step of a few milliseconds, with
 * what it imports in turn already there. */
static const char *const modules[] = {
    "enum",      "re",     "tokenize",    "linecache",          "signal",    "json",
    "traceback", "ast",    "inspect",     "threading",          "selectors", "subprocess",
    "logging",   "socket", "contextvars", "concurrent.futures", "asyncio",   "pkgutil",
};

static const enum py_prelude preludes[] = {
    PRELUDE_STDIN,    PRELUDE_ERRORS,   PRELUDE_SOURCE,     PRELUDE_JSON,
    PRELUDE_COMMS,    PRELUDE_IMPORTS,  PRELUDE_PRETTY,     PRELUDE_ASYNC,
    PRELUDE_LEXING,   PRELUDE_REACH,    PRELUDE_CALLS,      PRELUDE_MODULES,
    PRELUDE_DEADLINE, PRELUDE_COMPLETE, PRELUDE_INSPECTION, PRELUDE_DISPLAYS};

/* A module that does not import here is the user's to find missing. */
static void import_quietly(const char *name)
{
    _cleanup_(drop_py) PyObject *module = PyImport_ImportModule(name);
    if (module == NULL) {
        PyErr_Clear();
    }
}

static void call_gc(const char *function)
{
    _cleanup_(drop_py) PyObject *gc = PyImport_ImportModule("gc");
    _cleanup_(drop_py) PyObject *done = gc ? PyObject_CallMethod(gc, function, NULL) : NULL;
    if (done == NULL) {
        PyErr_Clear(); /* it only saves memory */
    }
}

bool py_ahead_step(struct py *py)
{
    size_t step = py->ahead_step;
    if (step > ARRAY_LEN(modules) + ARRAY_LEN(preludes)) {
        return false;
    }
    py->ahead_step++;
    py->frozen = false;
    if (step < ARRAY_LEN(modules)) {
        import_quietly(modules[step]);
        return true;
    }
    step -= ARRAY_LEN(modules);
    if (step < ARRAY_LEN(preludes)) {
        if (py_prelude_load(py, preludes[step]) < 0) {
            PyErr_Clear(); /* the first context that needs it will say what is wrong */
        }
        return true;
    }
    py_ahead_settle(py);
    return false;
}

void py_ahead_settle(struct py *py)
{
    py->frozen = false;
    call_gc("collect");
    py_ahead_freeze(py);
}

void py_ahead_freeze(struct py *py)
{
    if (!py->frozen) {
        call_gc("freeze");
        py->frozen = true;
    }
}
