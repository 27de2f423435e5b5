/* SPDX-License-Identifier: MIT */
/* commands.h - what a subcommand is, and the table of them. One file per subcommand: it defines
 * its `command_x`, main.c lists it. The dispatcher (cli.c) parses the options, answers --help, and
 * turns the result into an exit code. */
#pragma once

#include <stdio.h>

#include "kernel/cli/options.h"

struct place;
struct python_build;

/* What every command returns. */
enum cli_exit {
    CLI_OK = 0,
    CLI_FAILED = 1, /* understood, but could not */
    CLI_USAGE = 2   /* wrong usage or bad input */
};

/* What a command gets from outside, so that nothing is process-wide and tests can set it. */
struct cli {
    FILE *out;                         /* results */
    FILE *err;                         /* one line per failure */
    char *const *env;                  /* as environ */
    const char *binary;                /* where the program lies; NULL: ask the system */
    const struct python_build *python; /* the Python that is embedded */
    const struct command *const *table;
    size_t count;
    const struct command *command; /* the one that runs; NULL before it is known */
};

struct command {
    const char *name;
    const char *summary;               /* one line, a full sentence */
    const char *words;                 /* usage of its words, e.g. "[FILE]"; NULL: takes none */
    const char *details;               /* paragraphs below the options; NULL: none */
    const struct option_spec *options; /* ends with OPTION_END; never NULL */
    size_t values_size;                /* of the struct the options' offsets point into */
    const void *defaults;              /* its values before parsing; NULL: all zero */
    enum options_mode mode;

    /* Borrows all. `values` is the struct of `values_size` bytes. Gives an exit code. */
    int (*run)(struct cli *cli, const void *values, const struct words *words);
};

extern const struct command command_doctor;
extern const struct command command_exec;
extern const struct command command_help;
extern const struct command command_install;
extern const struct command command_kernel;
extern const struct command command_status;
extern const struct command command_uninstall;
extern const struct command command_version;

/* Runs the command that `argv` names with the process's own streams and environment. */
int cli_main(const struct command *const *table, size_t count, int argc, char **argv);

/* The same with the surroundings of `cli`. Gives the exit code. */
int cli_run(struct cli *cli, int argc, char *const *argv);

/* Lends the command of that name; NULL after one line on cli->err that names the nearest. */
const struct command *cli_find(const struct cli *cli, const char *name);

/* Gives the place of this program. */
MUST_CHECK int cli_place(const struct cli *cli, struct place *out, struct err *e);

/* Writes "pandia COMMAND: text" to cli->err; returns `code`. */
int cli_fail(const struct cli *cli, enum cli_exit code, const char *format, ...) PRINTF_LIKE(3, 4);

/* The same with the text of an error: ERR_INPUT is CLI_USAGE, all else CLI_FAILED. */
int cli_fail_err(const struct cli *cli, const struct err *e);

/* Lends the variable's value; NULL when it is not set, or empty (which Jupyter treats alike). */
const char *env_get(char *const *env, const char *name);
