/* SPDX-License-Identifier: MIT */
/* main.c - the table of subcommands, in the order help shows them. All else is in the room. */
#include "base/cleanup.h"
#include "kernel/cli/commands.h"

int main(int argc, char **argv)
{
    static const struct command *const table[] = {
        &command_kernel, &command_exec,   &command_install, &command_uninstall,
        &command_status, &command_doctor, &command_version, &command_help,
    };
    return cli_main(table, ARRAY_LEN(table), argc, argv);
}
