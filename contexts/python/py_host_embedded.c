/* SPDX-License-Identifier: MIT */
/* py_host_embedded.c - the program pandia-python: the interpreter found at build time, with the
 * engine as a builtin module. The only file that is bound to that interpreter. */
#define PY_SSIZE_T_CLEAN
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include <Python.h>

#include "base/mem.h"
#include "contexts/python/py_venv.h"
#include "contexts/worker/fork_server.h"

/* Not py_module.h: that would ask for the limited API. */
PyMODINIT_FUNC PyInit__pandia(void);

enum { EXIT_USAGE = 2 };

static const struct py_build build = {.executable = PANDIA_PYTHON_EXECUTABLE,
                                      .version = PANDIA_PYTHON_VERSION};

static int fail(const char *what)
{
    (void)fprintf(stderr, "pandia-python: %s\n", what);
    return EXIT_USAGE;
}

/* Gives the absolute path without resolving links: pyvenv.cfg lies beside the link. */
static char *absolute(const char *path)
{
    char here[PATH_MAX];
    if (path[0] == '/' || getcwd(here, sizeof here) == NULL) {
        return xstrdup(path);
    }
    return xasprintf("%s/%s", here, path);
}

/* The interpreter is told the path of a real python, never ours: user code finds its packages and
 * starts other interpreters by it. */
static PyStatus initialize(const char *interpreter)
{
    static const char *const arguments[] = {""};
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    config.parse_argv = 0;
    config.install_signal_handlers = 1;
    PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, interpreter);
    if (!PyStatus_Exception(status)) {
        /* The API takes pointers without const and copies what they point to. */
        status = PyConfig_SetBytesArgv(&config, 1, (char *const *)(uintptr_t)arguments);
    }
    if (!PyStatus_Exception(status)) {
        status = Py_InitializeFromConfig(&config);
    }
    PyConfig_Clear(&config);
    return status;
}

static int serve(const char *preload)
{
    PyObject *module = PyImport_ImportModule("_pandia");
    PyObject *status =
        module ? PyObject_CallMethod(module, "serve", "sz", "embedded", preload) : NULL;
    if (status == NULL) {
        PyErr_Print();
        return 1;
    }
    return (int)PyLong_AsLong(status); /* the process ends: nothing is worth freeing */
}

int main(int argc, char **argv)
{
    struct err e = ERR_NONE;
    const char *wanted = build.executable;
    const char *preload = NULL;
    for (int i = 1; i < argc; i += 2) {
        bool is_python = strcmp(argv[i], "--python") == 0;
        if (i + 1 == argc || (!is_python && strcmp(argv[i], "--preload") != 0)) {
            return fail("usage: pandia-python [--python PATH] [--preload MODULE,...]; started by "
                        "pandia, not by hand");
        }
        *(is_python ? &wanted : &preload) = argv[i + 1];
    }
    _cleanup_(drop_free) char *interpreter = absolute(wanted);
    if (py_venv_check(&build, interpreter, &e) < 0) {
        return fail(e.text);
    }
    fork_server_prepare();
    if (PyImport_AppendInittab("_pandia", PyInit__pandia) < 0) {
        return fail("no memory for a module");
    }
    PyStatus status = initialize(interpreter);
    if (PyStatus_Exception(status)) {
        return fail(status.err_msg ? status.err_msg : "the interpreter does not start");
    }
    return serve(preload);
}
