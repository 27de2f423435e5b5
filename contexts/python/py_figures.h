/* SPDX-License-Identifier: MIT */
/* py_figures.h - the end of a cell for matplotlib's figures: those it left open are shown and
 * closed. The backend that draws them is prelude/figures.py. */
#pragma once

#include "contexts/python/py.h"

/* Adds at_cell_end(function) to the module: from now on it is called when a cell has run. */
int py_figures_add_function(PyObject *module);

/* Shows the figures of the cell that has run. What is wrong with a figure is printed; an interrupt
 * becomes the outcome of a cell that has not failed yet. */
void py_figures_flush(struct py *py, struct exec_outcome *out);
