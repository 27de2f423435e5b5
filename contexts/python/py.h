/* SPDX-License-Identifier: MIT */
/* py.h - what the files of this room share: the limited API, the engine's state, references bound
 * to scope. Everything here works on CPython 3.10 and later without being compiled again; only
 * py_host_embedded.c knows the interpreter it is built into.
 *
 * Conventions: functions that return PyObject * give a new reference, or NULL with an exception
 * set; functions that return int give 0, or -1 with an exception set. User code may have replaced
 * or broken any object it can reach, so what the engine needs is kept from before it ran. */
#pragma once

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030a0000
#endif
#include <Python.h>

#include "base/buf.h"
#include "contexts/worker/engine.h"
#include "contexts/worker/worker.h"

static inline void drop_py(PyObject **p)
{
    Py_XDECREF(*p);
}

/* Names that every cell looks up, made once: finding an attribute by a C string would first build
 * and hash a str each time. */
#define PY_NAME_MAP(X)                                                                             \
    X(BODY, "body")                                                                                \
    X(VALUE, "value")                                                                              \
    X(END_LINENO, "end_lineno")                                                                    \
    X(END_COL_OFFSET, "end_col_offset")                                                            \
    X(CO_FLAGS, "co_flags")                                                                        \
    X(CO_NAMES, "co_names")                                                                        \
    X(CO_CONSTS, "co_consts")                                                                      \
    X(CACHE, "cache")                                                                              \
    X(REGISTRY, "__warningregistry__")                                                             \
    X(OUT_1, "_")                                                                                  \
    X(OUT_2, "__")                                                                                 \
    X(OUT_3, "___")                                                                                \
    X(IN_1, "_i")                                                                                  \
    X(IN_2, "_ii")                                                                                 \
    X(IN_3, "_iii")                                                                                \
    X(PRETTY, "IPython.lib.pretty")                                                                \
    X(PRINTERS, "_type_pprinters")                                                                 \
    X(NBYTES, "nbytes")                                                                            \
    X(SIZEOF, "__sizeof__")                                                                        \
    X(MODULE, "__module__")                                                                        \
    X(EXEC_MODE, "exec")                                                                           \
    X(EVAL_MODE, "eval")

enum py_name {

#define X(upper, text) NAME_##upper,
    PY_NAME_MAP(X)
#undef X
        NAMES_KEPT
};

/* In and Out, and the names that stand for them. All of it is owned. */
struct py_history {
    PyObject *inputs;    /* In: list of str */
    PyObject *outputs;   /* Out: dict from count to value */
    PyObject *heavy;     /* dict from count to bytes: those of Out that are worth counting */
    PyObject *recent[3]; /* values we put into _, __, ___ */
    PyObject *typed[4];  /* source of this cell and the three before it */
    size_t heavy_bytes;  /* their sum */
};

/* How values look when nobody has registered anything else. */
enum { PLAIN_TYPES = 9 };

struct py_plain {
    PyObject *printers[PLAIN_TYPES]; /* IPython's own, as they were found there; owned, or NULL */
    bool known;                      /* they were looked for */
};

/* Whom to ask how an object looks, beside the object (py_forms.h). */
enum py_form_source { FORMS_SHELL, FORMS_PRINTERS, FORMS_EXTRAS, FORMS };

struct py_forms {
    PyObject *asked[FORMS]; /* functions; owned, NULL while there is nothing to ask */
    bool plain_too;         /* they have a say in numbers, texts and containers as well */
};

/* Python code of our own, run once on first need. */
#define PY_PRELUDE_MAP(X)                                                                          \
    X(ERRORS, "errors.py")                                                                         \
    X(ASYNC, "tasks.py")                                                                           \
    X(SOURCE, "source.py")                                                                         \
    X(JSON, "plain_json.py")                                                                       \
    X(COMMS, "comms.py")                                                                           \
    X(IMPORTS, "imports.py")                                                                       \
    X(LAYOUT, "layout.py")                                                                         \
    X(PRETTY, "pretty.py")                                                                         \
    X(FORMATTERS, "formatters.py")                                                                 \
    X(PLAIN_SETTINGS, "plain_settings.py")                                                         \
    X(SHELL_FORMS, "shell_forms.py")                                                               \
    X(CAPTURING, "capturing.py")                                                                   \
    X(IPYTHON, "ipython.py")                                                                       \
    X(DISPLAY_OBJECTS, "display_objects.py")                                                       \
    X(DISPLAY_MEDIA, "display_media.py")                                                           \
    X(DISPLAY_CLASSES, "display_classes.py")                                                       \
    X(STAND_IN, "stand_in.py")                                                                     \
    X(MEDIA, "media.py")                                                                           \
    X(LIBRARIES, "libraries.py")                                                                   \
    X(SHELL, "shell.py")                                                                           \
    X(LEXING, "lexing.py")                                                                         \
    X(REACH, "reach.py")                                                                           \
    X(CALLS, "calls.py")                                                                           \
    X(DEADLINE, "deadline.py")                                                                     \
    X(MODULES, "modules.py")                                                                       \
    X(JEDI_NAMES, "jedi_names.py")                                                                 \
    X(COMPLETE, "complete.py")                                                                     \
    X(INSPECTION, "inspection.py")                                                                 \
    X(DISPLAYS, "displays.py")                                                                     \
    X(FIGURES, "figures.py")                                                                       \
    X(PICTURES, "pictures.py")                                                                     \
    X(CHARTS, "charts.py")                                                                         \
    X(CHART_AXES, "chart_axes.py")                                                                 \
    X(CHART_POINTS, "chart_points.py")                                                             \
    X(CHART_BARS, "chart_bars.py")                                                                 \
    X(CHART_SHAPES, "chart_shapes.py")                                                             \
    X(RICH_VALUES, "rich_values.py")                                                               \
    X(STDIN, "stdin.py")

enum py_prelude {

#define X(upper, file) PRELUDE_##upper,
    PY_PRELUDE_MAP(X)
#undef X
        PRELUDES
};

/* The engine. There is one per process, because the interpreter is one per process. */
struct py {
    struct worker *worker; /* borrowed; NULL in the zygote */
    const char *host;      /* "embedded" or "exec" */
    PyObject *names[NAMES_KEPT];

    PyObject *space;              /* __main__.__dict__ */
    PyObject *builtins;           /* copy of builtins.__dict__ as it was before user code */
    PyObject *compile;            /* builtins.compile */
    PyObject *ast_expr;           /* ast.Expr, a statement */
    PyObject *ast_expression;     /* ast.Expression, a tree for eval */
    PyObject *cells;              /* dict: file name of a cell -> its execution count */
    PyObject *passing;            /* list: names of the last cells that are in no history */
    PyObject *linecache;          /* the module, NULL until it is imported */
    PyObject *streams[2];         /* our sys.stdout and sys.stderr, by enum stream_kind */
    PyObject *preludes[PRELUDES]; /* namespaces; NULL until first need */
    PyObject *loop_names;         /* tuple of names that want a running event loop */
    PyObject *loop_getters;       /* tuple of names that want the loop, not running */
    PyObject *speaker;            /* gives the execution that prints; NULL until there is a loop */
    struct py_history history;
    struct py_plain plain;
    struct py_forms forms;
    PyObject *leave;    /* the function exit */
    PyObject *leaving;  /* what it raises: a SystemExit of its own */
    PyObject *cell_end; /* function that shows figures; NULL until there may be some */
    PyObject *payloads; /* dict: source of a payload of this cell -> its JSON text */
    struct buf header;  /* of the request that runs, or ran last; raw JSON, may be empty */

    long future_flags;   /* of `from __future__ import`, kept across cells */
    int64_t cell_number; /* cells run so far; makes file names unique */
    size_t ahead_step;
    const void *forking; /* frame that is about to fork; only compared */
    int restart_tries;   /* to get our thread back after a fork */
    bool frozen;         /* nothing was loaded since the last gc.freeze() */
    bool keep_kernel;    /* of the last exit() */
    bool silent;         /* the running cell shows nothing */
    bool at_result;      /* what is being shown is the result: a form that fails fails the cell */
};

/* Lends the one engine. A global because callbacks of the interpreter (stream, audit hook, builtin
 * functions) carry no pointer of ours. */
struct py *py_engine(void);

/* The functions for the worker room. */
const struct engine *py_engine_table(void);

/* Prepares everything a zygote needs before its hello. */
int py_set_up(struct py *py, const char *host);

/* Puts the current directory in front of sys.path, as an interactive python has it. */
int py_set_path(void);
