/* SPDX-License-Identifier: MIT */
/* cmd_status.c - `pandia status`: which pandia kernels Jupyter can see from here. */
#include <string.h>

#include "kernel/cli/commands.h"
#include "kernel/cli/interpreter.h"
#include "kernel/cli/jsonout.h"
#include "kernel/cli/registry.h"

struct values {
    bool json;
};

static const struct option_spec options[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "Write a JSON array.",
     .offset = offsetof(struct values, json)},
    OPTION_END,
};

static const char *or_unknown(const char *text)
{
    return text != NULL ? text : "unknown";
}

static void show_python(const struct cli *cli, const struct registered *k)
{
    if (k->spec.python != NULL) {
        fprintf(cli->out, "  interpreter  %s\n", k->spec.python);
    } else {
        fprintf(cli->out, "  interpreter  the environment Jupyter runs in, else %s\n",
                cli->python->path);
    }
    if (k->python_problem != NULL) {
        fprintf(cli->out, "  problem      %s\n", k->python_problem);
    }
}

static void show(const struct cli *cli, const struct registered *k)
{
    fprintf(cli->out, "%s (%s)\n", k->name, or_unknown(k->spec.display_name));
    fprintf(cli->out, "  directory    %s\n", k->folder);
    fprintf(cli->out, "  program      %s (pandia %s)\n", or_unknown(k->spec.program),
            or_unknown(k->spec.version));
    if (!k->program_ok) {
        fprintf(cli->out, "  problem      the program is gone: run 'pandia install' again\n");
    }
    if (k->spec.language != NULL && strcmp(k->spec.language, "python") == 0) {
        show_python(cli, k);
    }
    if (k->shadowed) {
        fprintf(cli->out,
                "  problem      hidden by another kernel of that name earlier in the search\n");
    }
}

static int run(struct cli *cli, const void *values, const struct words *words UNUSED)
{
    const struct values *v = values;
    _cleanup_(drop_registry) struct registry registry = {0};
    registry_read(cli->python, cli->env, &registry);
    if (v->json) {
        json_auto_t *list = registry_json(&registry);
        jsonout_write(cli->out, list);
        return CLI_OK;
    }
    if (registry.count == 0) {
        fprintf(cli->out, "No pandia kernel is registered; 'pandia install' registers them.\n");
    }
    for (size_t i = 0; i < registry.count; i++) {
        show(cli, &registry.items[i]);
    }
    return CLI_OK;
}

const struct command command_status = {
    .name = "status",
    .summary = "List the pandia kernels that Jupyter can see from here.",
    .options = options,
    .values_size = sizeof(struct values),
    .run = run,
};
