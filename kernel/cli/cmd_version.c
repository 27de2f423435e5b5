/* SPDX-License-Identifier: MIT */
/* cmd_version.c - `pandia version`: the same line as `pandia --version`. */
#include "kernel/cli/commands.h"

static const struct option_spec options[] = {OPTION_END};

static int run(struct cli *cli, const void *values UNUSED, const struct words *words UNUSED)
{
    fprintf(cli->out, "pandia %s\n", PANDIA_VERSION);
    return CLI_OK;
}

const struct command command_version = {
    .name = "version",
    .summary = "Show the version.",
    .options = options,
    .run = run,
};
