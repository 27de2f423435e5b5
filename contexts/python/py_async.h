/* SPDX-License-Identifier: MIT */
/* py_async.h - top-level await: one event loop per context, made on first need. */
#pragma once

#include "contexts/python/py.h"

/* Runs the code of a cell, on the loop where it needs one. */
PyObject *py_async_eval(struct py *py, PyObject *code);

/* Call before user code runs: tasks and timers that it starts speak for this execution. */
void py_async_begin(struct py *py);

/* Whose words the caller's are: the execution that started the task it runs in, or LATEST_EXEC. */
uint64_t py_async_speaker(const struct py *py);

/* Gives the ContextVar that says so, for those who speak for another execution. */
PyObject *py_async_voice(struct py *py);

/* Lets the loop look for comm messages that a thread has read while it waited for its input. */
void py_async_wake(struct py *py);

/* Waits until `fd` is readable; threads and tasks of the user go on meanwhile. */
void py_async_wait(struct py *py, int fd);

/* Names at the top level of a cell that only make sense inside a running loop. */
int py_async_set_up(struct py *py);
