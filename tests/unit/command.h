/* SPDX-License-Identifier: MIT */
/* command.h - runs one subcommand in a made-up installation: a program with a Python worker and
 * its template, an embedded Python, an empty home. What it writes is caught. */
#pragma once

#include <stdio.h>

#include "kernel/cli/commands.h"
#include "kernel/cli/interpreter.h"
#include "tests/unit/tree.h"

enum { STAGE_ENV_MAX = 8 };

struct stage {
    struct tree *tree;
    struct python_build python;
    struct cli cli;
    char *env[STAGE_ENV_MAX]; /* owned; HOME comes first */
    size_t env_count;
    char *out; /* of the last run */
    char *err;
};

/* Sets a variable for the next run; `value` is a path in the tree. */
static inline void stage_env(struct stage *s, const char *name, const char *value)
{
    assert_true(s->env_count < STAGE_ENV_MAX - 1);
    s->env[s->env_count++] = xasprintf("%s=%s/%s", name, s->tree->root, value);
}

static inline int stage_setup(void **state)
{
    struct stage *s = xcalloc(1, sizeof *s);
    s->tree = tree_new();
    s->python = (struct python_build){.path = tree_program(s->tree, "usr/bin/python3.11"),
                                      .version = "3.11.2"};
    s->cli = (struct cli){
        .env = s->env, .binary = tree_program(s->tree, "bin/pandia"), .python = &s->python};
    tree_program(s->tree, "libexec/pandia/pandia-python");
    tree_file(s->tree, "share/pandia/kernelspec/pandia-python/kernel.json",
              "{\"argv\": [\"pandia\", \"kernel\", \"-f\", \"{connection_file}\"],"
              " \"display_name\": \"Pandia Python\", \"language\": \"python\","
              " \"metadata\": {\"debugger\": false}}",
              0644);
    tree_file(s->tree, "share/pandia/kernelspec/pandia-python/logo-64x64.png", "PNG", 0644);
    stage_env(s, "HOME", "home");
    *state = s;
    return 0;
}

static inline int stage_teardown(void **state)
{
    struct stage *s = *state;
    for (size_t i = 0; i < s->env_count; i++) {
        free(s->env[i]);
    }
    free(s->out);
    free(s->err);
    tree_free(s->tree);
    free(s);
    return 0;
}

/* Makes a virtual environment of the embedded Python. */
static inline void stage_venv(struct stage *s, const char *name)
{
    _cleanup_(drop_free) char *python = xasprintf("%s/bin/python3", name);
    _cleanup_(drop_free) char *config = xasprintf("%s/pyvenv.cfg", name);
    _cleanup_(drop_free) char *text =
        xasprintf("home = %s/usr/bin\nversion = 3.11.2\n", s->tree->root);
    tree_link(s->tree, python, s->python.path);
    tree_file(s->tree, config, text, 0644);
}

/* Runs `command` with the words of `line`, parted by single spaces. Returns the exit code. */
static inline int stage_run(struct stage *s, const struct command *command, const char *line)
{
    _cleanup_(drop_free) char *text =
        xasprintf("pandia %s%s%s", command->name, line[0] != '\0' ? " " : "", line);
    char *argv[16] = {NULL};
    int argc = 0;
    char *rest = text;
    while (rest != NULL && argc < 15) {
        argv[argc++] = strsep(&rest, " ");
    }
    free(s->out);
    free(s->err);
    s->out = NULL;
    s->err = NULL;
    size_t out_len = 0;
    size_t err_len = 0;
    s->cli.out = open_memstream(&s->out, &out_len);
    s->cli.err = open_memstream(&s->err, &err_len);
    s->cli.table = &command;
    s->cli.count = 1;
    s->cli.command = NULL;
    int code = cli_run(&s->cli, argc, argv);
    assert_int_equal(fclose(s->cli.out), 0);
    assert_int_equal(fclose(s->cli.err), 0);
    return code;
}

#define assert_has(text, part)                                                                     \
    do {                                                                                           \
        if (strstr((text), (part)) == NULL) {                                                      \
            fail_msg("no '%s' in:\n%s", (part), (text));                                           \
        }                                                                                          \
    } while (0)

/* A failure is one line. */
#define assert_one_line(text)                                                                      \
    do {                                                                                           \
        assert_true(strlen(text) > 0);                                                             \
        assert_ptr_equal(strchr((text), '\n'), (text) + strlen(text) - 1);                         \
    } while (0)
