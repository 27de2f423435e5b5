/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/mem.h"
#include "kernel/cli/commands.h"
#include "kernel/cli/help.h"
#include "kernel/cli/interpreter.h"
#include "kernel/cli/nearest.h"
#include "kernel/cli/place.h"

const char *env_get(char *const *env, const char *name)
{
    size_t len = strlen(name);
    for (; *env != NULL; env++) {
        if (strncmp(*env, name, len) == 0 && (*env)[len] == '=') {
            return (*env)[len + 1] != '\0' ? *env + len + 1 : NULL;
        }
    }
    return NULL;
}

int cli_fail(const struct cli *cli, enum cli_exit code, const char *format, ...)
{
    (void)fflush(cli->out); /* what was said before stays before; its failure shows at the end */
    fprintf(cli->err, "pandia");
    if (cli->command != NULL) {
        fprintf(cli->err, " %s", cli->command->name);
    }
    fprintf(cli->err, ": ");
    va_list args;
    va_start(args, format);
    vfprintf(cli->err, format, args);
    va_end(args);
    fprintf(cli->err, "\n");
    return (int)code;
}

int cli_fail_err(const struct cli *cli, const struct err *e)
{
    return cli_fail(cli, e->code == ERR_INPUT ? CLI_USAGE : CLI_FAILED, "%s", e->text);
}

int cli_place(const struct cli *cli, struct place *out, struct err *e)
{
    if (cli->binary != NULL) {
        place_of(cli->binary, out);
        return 0;
    }
    return place_find(out, e);
}

const struct command *cli_find(const struct cli *cli, const char *name)
{
    struct nearest near = NEAREST_INIT(slice_of(name));
    for (size_t i = 0; i < cli->count; i++) {
        if (strcmp(cli->table[i]->name, name) == 0) {
            return cli->table[i];
        }
        nearest_offer(&near, cli->table[i]->name);
    }
    if (near.best != NULL) {
        cli_fail(cli, CLI_USAGE, "unknown command '%s': did you mean '%s'?", name, near.best);
    } else {
        cli_fail(cli, CLI_USAGE, "unknown command '%s': 'pandia help' lists the commands", name);
    }
    return NULL;
}

static int run_parsed(struct cli *cli, const void *values, const struct options_result *parsed)
{
    const struct command *command = cli->command;
    if (parsed->help) {
        help_command(cli->out, command);
        return CLI_OK;
    }
    if (command->words == NULL && parsed->words.count > 0) {
        return cli_fail(cli, CLI_USAGE, "unexpected word '%s': see 'pandia %s --help'",
                        parsed->words.items[0], command->name);
    }
    return command->run(cli, values, &parsed->words);
}

static int run_command(struct cli *cli, struct args args)
{
    const struct command *command = cli->command;
    /* One byte more, so that a command without options has a block as well. */
    _cleanup_(drop_free) void *values = xcalloc(1, command->values_size + 1);
    if (command->defaults != NULL) {
        memcpy(values, command->defaults, command->values_size);
    }
    struct options_result parsed = {.help = false};
    struct err e = ERR_NONE;
    int code = CLI_OK;
    if (options_parse(command->options, command->mode, args, values, &parsed, &e) < 0) {
        code = cli_fail_err(cli, &e);
    } else {
        code = run_parsed(cli, values, &parsed);
    }
    options_done(command->options, values, &parsed);
    return code;
}

/* The options that stand where a command's name should. */
static int run_global(struct cli *cli, const char *option)
{
    if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
        help_overview(cli->out, cli->table, cli->count);
        return CLI_OK;
    }
    if (strcmp(option, "--version") == 0 || strcmp(option, "-V") == 0) {
        fprintf(cli->out, "pandia %s\n", PANDIA_VERSION);
        return CLI_OK;
    }
    return cli_fail(cli, CLI_USAGE, "unknown option '%s': 'pandia --help' shows the usage", option);
}

int cli_run(struct cli *cli, int argc, char *const *argv)
{
    int code = CLI_OK;
    if (argc < 2) {
        help_overview(cli->out, cli->table, cli->count);
    } else if (argv[1][0] == '-') {
        code = run_global(cli, argv[1]);
    } else {
        const struct command *command = cli_find(cli, argv[1]);
        cli->command = command;
        code = command != NULL
                   ? run_command(cli, (struct args){.count = argc - 2, .items = argv + 2})
                   : CLI_USAGE;
    }
    /* A full disk shows only when the last bytes leave. */
    if (fflush(cli->out) != 0 || ferror(cli->out)) {
        return cli_fail(cli, CLI_FAILED, "standard output: %s", strerror(errno));
    }
    return code;
}

int cli_main(const struct command *const *table, size_t count, int argc, char **argv)
{
    struct cli cli = {.out = stdout,
                      .err = stderr,
                      .env = environ,
                      .python = &python_of_build,
                      .table = table,
                      .count = count};
    return cli_run(&cli, argc, argv);
}
