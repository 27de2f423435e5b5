/* SPDX-License-Identifier: MIT */
/* py_shape.h - what the text of a cell tells of its last statement without being parsed. A cell
 * whose value is to be shown has to be compiled in two parts, and finding the parts in a syntax
 * tree makes the tree pass through Python objects and back, which costs as much again as compiling.
 * For most cells a look at brackets, quotes and the last line is enough.
 * A shape is no proof that the text is Python: the compiler has the last word on that. Knows
 * nothing of the interpreter. */
#pragma once

#include <stddef.h>

#include "base/buf.h"

enum shape_kind {
    SHAPE_UNSURE,     /* only a parser can tell */
    SHAPE_STATEMENTS, /* if it is Python, it does not end in an expression */
    SHAPE_VALUE       /* if what begins at `tail` is one expression, it is the last statement */
};

struct shape {
    enum shape_kind kind;
    size_t tail; /* offset of the last statement; it begins a line */
    size_t line; /* of that line, from 0 */
};

struct shape shape_of(struct slice code);
