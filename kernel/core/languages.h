/* SPDX-License-Identifier: MIT */
/* languages.h - the table of languages: all that is known of one before its worker runs. A new
 * language is a row here, an engine (contexts/worker/engine.h) and a kernelspec folder. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { LANGUAGE_SUFFIXES = 4 };

/* What its engine can do beyond what every engine does. */
enum language_ability {
    LANGUAGE_CAN_FORBID = 1 << 0, /* code generation, network, processes and memory are limited */
    LANGUAGE_HAS_INTERPRETER = 1 << 1 /* one is chosen for it, and can import modules ahead */
};

struct language {
    const char *name;       /* as in options and messages: "python" */
    const char *title;      /* as people write it: "Python" */
    const char *worker;     /* file name of its worker program */
    const char *kernel;     /* name of its Jupyter kernel and of that one's template */
    const char *first_line; /* of a cell that is in this language; NULL: none */
    const char *suffixes[LANGUAGE_SUFFIXES + 1]; /* of program files, ended by NULL */
    unsigned abilities;                          /* enum language_ability */

    /* How it presents itself to notebooks. */
    const char *version;
    const char *mimetype;
    const char *file_extension;
    const char *pygments_lexer;
    const char *codemirror_mode;
    int codemirror_version; /* 0: none */
    const char *nbconvert_exporter;
    const char *banner;
};

/* All languages, ended by a row without name. */
extern const struct language languages[];

/* Lends the language of that name; NULL when there is none. */
const struct language *language_find(const char *name);

/* Lends the language whose program files end like `path`; NULL when none does. */
const struct language *language_of_file(const char *path);

/* Lends the language of a cell that begins with `line`; NULL when it selects none. */
const struct language *language_of_line(struct slice line);

/* Appends the names of the languages that have all `abilities`, with a word before the last
 * one: "a, b and c". */
void language_names(unsigned abilities, const char *last_word, struct buf *out);

/* The row of `name`; one that is not listed (a mock in tests) has no more than its name. */
struct language language_describe(const char *name);

/* The version of Pandia, e.g. "0.1.0". */
extern const char language_host_version[];
