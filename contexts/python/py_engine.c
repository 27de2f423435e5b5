/* SPDX-License-Identifier: MIT */
/* py_engine.c - struct engine, filled in for Python: the life of zygote and context. */
#include <stdio.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "contexts/python/py.h"
#include "contexts/python/py_ahead.h"
#include "contexts/python/py_async.h"
#include "contexts/python/py_cell.h"
#include "contexts/python/py_comm.h"
#include "contexts/python/py_complete.h"
#include "contexts/python/py_env.h"
#include "contexts/python/py_handles.h"
#include "contexts/python/py_history.h"
#include "contexts/python/py_input.h"
#include "contexts/python/py_inspect.h"
#include "contexts/python/py_preload.h"
#include "contexts/python/py_prelude.h"
#include "contexts/python/py_shell.h"
#include "contexts/python/py_text.h"
#include "contexts/python/py_watch.h"
#include "contexts/wire/msg.h"

struct py *py_engine(void)
{
    static struct py engine; /* why it is a global: py.h */
    return &engine;
}

static int keep_names(struct py *py)
{
    static const char *const texts[NAMES_KEPT] = {

#define X(upper, text) [NAME_##upper] = (text),
        PY_NAME_MAP(X)
#undef X
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        py->names[i] = PyUnicode_InternFromString(texts[i]);
        if (py->names[i] == NULL) {
            return -1;
        }
    }
    return 0;
}

static int keep_compiler(struct py *py)
{
    _cleanup_(drop_py) PyObject *builtins = PyImport_ImportModule("builtins");
    _cleanup_(drop_py) PyObject *ast = PyImport_ImportModule("_ast");
    if (builtins == NULL || ast == NULL) {
        return -1;
    }
    py->builtins = PyDict_Copy(PyModule_GetDict(builtins));
    py->compile = PyObject_GetAttrString(builtins, "compile");
    py->ast_expr = PyObject_GetAttrString(ast, "Expr");
    py->ast_expression = PyObject_GetAttrString(ast, "Expression");
    bool all = py->builtins != NULL && py->compile != NULL && py->ast_expr != NULL &&
               py->ast_expression != NULL;
    return all ? 0 : -1;
}

static int keep_space(struct py *py)
{
    PyObject *main = PyImport_AddModule("__main__"); /* borrowed */
    if (main == NULL) {
        return -1;
    }
    py->space = PyModule_GetDict(main);
    Py_INCREF(py->space);
    py->cells = PyDict_New();
    py->passing = PyList_New(0);
    return py->cells == NULL || py->passing == NULL ? -1 : 0;
}

/* A crash in C code leaves the Python stack on descriptor 2, where the broker finds it. */
static int report_crashes(void)
{
    _cleanup_(drop_py) PyObject *faulthandler = PyImport_ImportModule("faulthandler");
    _cleanup_(drop_py) PyObject *done =
        faulthandler ? PyObject_CallMethod(faulthandler, "enable", "i", STDERR_FILENO) : NULL;
    return done == NULL ? -1 : 0;
}

int py_set_path(void)
{
    PyObject *path = PySys_GetObject("path");   /* borrowed */
    PyObject *flags = PySys_GetObject("flags"); /* borrowed */
    _cleanup_(drop_py) PyObject *safe = flags ? PyObject_GetAttrString(flags, "safe_path") : NULL;
    PyErr_Clear(); /* 3.10 has no such flag */
    if (path == NULL || !PyList_Check(path) || (safe != NULL && PyObject_IsTrue(safe) == 1)) {
        return 0;
    }
    _cleanup_(drop_py) PyObject *here = PyUnicode_FromString("");
    if (here == NULL) {
        return -1;
    }
    return PySequence_Contains(path, here) == 1 ? 0 : PyList_Insert(path, 0, here);
}

int py_set_up(struct py *py, const char *host)
{
    py->host = strcmp(host, "embedded") == 0 ? "embedded" : "exec";
    PyGC_Disable(); /* contexts switch it on again; here it would only unshare pages */
    if (keep_names(py) < 0 || keep_compiler(py) < 0 || keep_space(py) < 0 ||
        py_async_set_up(py) < 0 || report_crashes() < 0) {
        return -1;
    }
    return 0;
}

static void describe(void *state, struct wire_hello *hello)
{
    struct py *py = state;
    struct slice path = SLICE_NONE;
    PyObject *executable = PySys_GetObject("executable"); /* borrowed */
    const char *version = Py_GetVersion();
    (void)snprintf(hello->language_version, sizeof hello->language_version, "%.*s",
                   (int)strcspn(version, " "), version);
    (void)snprintf(hello->host, sizeof hello->host, "%s", py->host);
    if (executable != NULL && PyUnicode_Check(executable)) {
        _cleanup_(drop_py) PyObject *holder = py_text_of(executable, &path);
        if (holder != NULL) {
            (void)snprintf(hello->interpreter, sizeof hello->interpreter, "%.*s", (int)path.len,
                           path.data);
        }
        PyErr_Clear(); /* a path nobody can write down stays empty */
    }
}

static bool preload_step(void *state)
{
    return py_ahead_step(state);
}

static void before_fork(void *state)
{
    py_ahead_freeze(state);
    PyOS_BeforeFork();
}

static void after_fork_parent(void *state)
{
    (void)state;
    PyOS_AfterFork_Parent();
}

static void after_fork_child(void *state)
{
    (void)state;
    PyOS_AfterFork_Child();
    PyGC_Enable();
    py_preload_reseed();
}

/* The option `rich`: results carry more than Jupyter's types. */
static int enrich(struct py *py, struct slice options)
{
    bool is_rich = false;
    (void)jscan_bool(jscan_get(options, "rich"), &is_rich); /* absent: it is not */
    if (!is_rich) {
        return 0;
    }
    _cleanup_(drop_py) PyObject *done = py_prelude_call(py, PRELUDE_FORMATTERS, "enrich", "()");
    return done == NULL ? -1 : 0;
}

static int open_context(void *state, struct worker *worker, struct slice options, struct err *e)
{
    struct py *py = state;
    /* The worker has set the variables for the process; os.environ is a copy from the zygote. */
    if (py_env_set(jscan_get(options, "env")) < 0 || py_env_enter_venv() < 0 ||
        py_history_open(py) < 0 || py_comm_open(py) < 0 || py_input_open(py) < 0 ||
        py_shell_open(py) < 0 || py_handles_open(py) < 0) {
        PyErr_Print(); /* goes to the pipe, where the broker looks for the reason */
        return err_set(e, ERR_ENGINE, "the interpreter cannot start a context");
    }
    if (enrich(py, options) < 0) {
        PyErr_Print(); /* likewise */
        return err_set(e, ERR_ENGINE, "the context cannot be made rich");
    }
    py_preload_adopt_env(jscan_get(options, "env"));
    py->worker = worker;
    py_watch_forks();
    return 0;
}

static void execute(void *state, const struct exec_request *request, struct exec_outcome *out)
{
    _cleanup_(drop_py) PyObject *before = NULL;
    if (request->env.len > 0) {
        before = py_env_borrow(request->env);
    }
    py_cell_execute(state, request, out);
    if (before != NULL) {
        py_env_restore(before);
    }
}

static void is_complete(void *state, struct slice code, struct buf *reply)
{
    struct py *py = state;
    _cleanup_(drop_py) PyObject *text = py_text_new(code);
    _cleanup_(drop_py) PyObject *answer =
        text ? py_prelude_call(py, PRELUDE_SOURCE, "check", "(O)", text) : NULL;
    const char *status = NULL;
    const char *indent = NULL;
    if (answer == NULL || !PyArg_ParseTuple(answer, "ss", &status, &indent)) {
        PyErr_Clear(); /* the worker answers "unknown" */
        return;
    }
    jwrite_object(reply);
    jwrite_member_text(reply, "status", status);
    if (strcmp(status, "incomplete") == 0) {
        jwrite_member_text(reply, "indent", indent);
    }
    jwrite_object_end(reply);
}

static void complete(void *state, struct slice code, size_t cursor, struct buf *reply)
{
    py_complete(state, code, cursor, reply);
}

static void inspect(void *state, struct slice code, size_t cursor, int detail, struct buf *reply)
{
    py_inspect(state, code, cursor, detail, reply);
}

static void comm(void *state, const struct comm_request *request)
{
    py_comm_handle(state, request);
}

static void wait_for(void *state, int fd)
{
    py_async_wait(state, fd);
}

static void call_if_loaded(const char *module_name, const char *function)
{
    _cleanup_(drop_py) PyObject *name = PyUnicode_FromString(module_name);
    _cleanup_(drop_py) PyObject *module = name ? PyImport_GetModule(name) : NULL;
    _cleanup_(drop_py) PyObject *done = module ? PyObject_CallMethod(module, function, NULL) : NULL;
    if (done == NULL && PyErr_Occurred() != NULL) {
        PyErr_WriteUnraisable(NULL);
    }
}

/* As a program ends: threads that are not daemons first, then exit handlers. The interpreter
 * itself is not taken down: the process is about to end, and nothing would be gained. */
static void close_context(void *state)
{
    (void)state;
    call_if_loaded("threading", "_shutdown");
    call_if_loaded("atexit", "_run_exitfuncs");
}

const struct engine *py_engine_table(void)
{
    static const struct engine table = {
        .language = "python",
        .describe = describe,
        .preload_step = preload_step,
        .before_fork = before_fork,
        .after_fork_parent = after_fork_parent,
        .after_fork_child = after_fork_child,
        .open = open_context,
        .execute = execute,
        .is_complete = is_complete,
        .complete = complete,
        .inspect = inspect,
        .comm = comm,
        .wait = wait_for,
        .close = close_context,
    };
    return &table;
}
