/* SPDX-License-Identifier: MIT */
/* setup.h - from options and place to what a broker needs: the worker programs with their
 * arguments. Shared by `kernel` and `exec`. */
#pragma once

#include "kernel/cli/commands.h"
#include "kernel/cli/interpreter.h"
#include "kernel/cli/place.h"
#include "kernel/core/broker.h"

enum { SETUP_LANGUAGES = 8 };

/* One worker program and its arguments. */
struct setup_program {
    char *path;
    const char *argv[4]; /* lend from `path` and the interpreter */
};

struct setup {
    struct place place;
    struct interpreter interpreter;
    struct words preload; /* modules for the warm Python; set before setup_fill */
    struct setup_program programs[SETUP_LANGUAGES];
    struct broker_worker workers[SETUP_LANGUAGES]; /* lend from the programs */
    size_t count;
    struct broker_options broker;
};

/* Fills in `s` for the default `language` and every other that this build has, with the interpreter
 * `python` (NULL: by the environment). A warning about the choice goes to cli->err. ERR_INPUT names
 * what is missing and the remedy. `s` must not move afterwards. */
MUST_CHECK int setup_fill(struct setup *s, struct cli *cli, const char *language,
                          const char *python, struct err *e);
void setup_done(struct setup *s);
DEFINE_DROP_VALUE(setup, struct setup, setup_done)

/* Parses --log-level and sets it. */
MUST_CHECK int setup_logging(const char *level, struct err *e);
