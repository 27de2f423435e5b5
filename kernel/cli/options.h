/* SPDX-License-Identifier: MIT */
/* options.h - command line options, parsed after a table into a struct of the command's own.
 * Forms: --name value, --name=value, -n value, -nvalue, -n=value; `--` ends the options; a lone
 * `-` is a word. `--help` and `-h` are known everywhere.
 * Not here: how the table is shown (help.h), which command is meant (commands.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/cli/words.h"

/* The type of the member at `offset` follows from the kind. */
enum option_kind {
    OPTION_FLAG, /* bool */
    OPTION_TEXT, /* const char *, lent by the arguments; of several the last counts */
    OPTION_INT,  /* int64_t */
    OPTION_LIST  /* struct words; each use adds one */
};

struct option_spec {
    const char *name; /* long form without dashes */
    char letter;      /* short form; 0 when there is none */
    enum option_kind kind;
    const char *argument; /* what help calls the value, e.g. "DIR"; NULL for flags */
    const char *help;
    size_t offset; /* of the member in the command's values */
    int64_t min;   /* bounds of OPTION_INT; both 0: any number */
    int64_t max;
};

/* Ends a table. */
#define OPTION_END                                                                                 \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* OPTIONS_LENIENT skips options it does not know and all words: foreign launchers add their own
 * (`--HistoryManager.hist_file=...`, `--profile-dir X`). */
enum options_mode { OPTIONS_STRICT, OPTIONS_LENIENT };

struct options_result {
    struct words words; /* what is not an option */
    bool help;          /* --help was met; the arguments behind it were not read */
};

/* Arguments with the program's and the command's name already taken off. */
struct args {
    int count;
    char *const *items;
};

/* Parses `args`. Borrows everything; texts in `values` are lent by the arguments. ERR_INPUT names
 * the option and the remedy. The lists in `values` and the words in `out` are to be freed with
 * options_done, also after a failure. */
MUST_CHECK int options_parse(const struct option_spec *specs, enum options_mode mode,
                             struct args args, void *values, struct options_result *out,
                             struct err *e);

/* Frees what options_parse allocated in `values` and `result`. */
void options_done(const struct option_spec *specs, void *values, struct options_result *result);
