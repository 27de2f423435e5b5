/* SPDX-License-Identifier: MIT */
/* py_comm.h - comm messages between the client and Python's package `comm`. */
#pragma once

#include "contexts/python/py.h"

/* Adds _pandia.publish_comm to the module, for prelude/comms.py. */
int py_comm_add_function(PyObject *module);

/* Makes the package `comm` ours when user code imports it. In the context, once. */
int py_comm_open(struct py *py);

/* Hands a message of the client to whoever registered for it. Errors of user code go to standard
 * error. */
void py_comm_handle(struct py *py, const struct comm_request *request);
