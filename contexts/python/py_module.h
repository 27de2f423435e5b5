/* SPDX-License-Identifier: MIT */
/* py_module.h - the module _pandia: how the interpreter reaches the engine. A builtin of the
 * embedding host; a host that runs another interpreter loads it as an extension. */
#pragma once

#include "contexts/python/py.h"

/* For PyImport_AppendInittab, or found by the import system. */
PyMODINIT_FUNC PyInit__pandia(void);
