/* SPDX-License-Identifier: MIT */
/* cmd_help.c - `pandia help [COMMAND]`. */
#include "kernel/cli/commands.h"
#include "kernel/cli/help.h"

static const struct option_spec options[] = {OPTION_END};

static int run(struct cli *cli, const void *values UNUSED, const struct words *words)
{
    if (words->count > 1) {
        return cli_fail(cli, CLI_USAGE, "one command at a time: leave '%s' out", words->items[1]);
    }
    if (words->count == 0) {
        help_overview(cli->out, cli->table, cli->count);
        return CLI_OK;
    }
    const struct command *command = cli_find(cli, words->items[0]);
    if (command == NULL) {
        return CLI_USAGE;
    }
    help_command(cli->out, command);
    return CLI_OK;
}

const struct command command_help = {
    .name = "help",
    .summary = "Show the commands, or the options of one.",
    .words = "[COMMAND]",
    .options = options,
    .run = run,
};
