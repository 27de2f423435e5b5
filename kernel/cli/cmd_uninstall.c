/* SPDX-License-Identifier: MIT */
/* cmd_uninstall.c - `pandia uninstall`: takes our kernelspecs out, and nobody else's. */
#include "base/mem.h"
#include "kernel/cli/commands.h"
#include "kernel/cli/jupyter_paths.h"
#include "kernel/cli/kernelspec.h"
#include "kernel/cli/paths.h"
#include "kernel/cli/place.h"
#include "kernel/cli/specdir.h"

struct values {
    struct jupyter_where where;
    const char *name;
};

static const struct option_spec options[] = {
    JUPYTER_WHERE_OPTIONS(struct values),
    {.name = "name",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "The name given to 'pandia install --name'.",
     .offset = offsetof(struct values, name)},
    OPTION_END,
};

/* The names that `install` may have used: all languages, also those this build lacks. */
static int candidates(const char *name, struct words *out, struct err *e)
{
    _cleanup_(drop_free) char *lower = NULL;
    if (name != NULL) {
        if (jupyter_kernel_name(name, &lower, e) < 0) {
            return -1;
        }
        words_add(out, lower);
    }
    for (const struct language *l = languages; l->name != NULL; l++) {
        if (lower == NULL) {
            words_add(out, l->kernel);
        } else {
            _cleanup_(drop_free) char *one = xasprintf("%s-%s", lower, l->name);
            words_add(out, one);
        }
    }
    return 0;
}

/* What became of the candidates. */
struct tally {
    size_t removed;
    size_t foreign;
};

static int remove_own(const struct cli *cli, const char *kernels, const struct words *names,
                      struct tally *tally, struct err *e)
{
    for (size_t i = 0; i < names->count; i++) {
        _cleanup_(drop_free) char *folder = path_join(kernels, names->items[i]);
        switch (kernelspec_read(folder, NULL)) {
        case KERNELSPEC_ABSENT:
            break;
        case KERNELSPEC_FOREIGN:
            cli_fail(cli, CLI_FAILED, "%s is not pandia's: left as it is", folder);
            tally->foreign += 1;
            break;
        case KERNELSPEC_OURS:
            if (specdir_remove(kernels, names->items[i], e) < 0) {
                return -1;
            }
            fprintf(cli->out, "Removed %s (%s)\n", names->items[i], folder);
            tally->removed += 1;
            break;
        }
    }
    return 0;
}

static int run(struct cli *cli, const void *values, const struct words *words UNUSED)
{
    const struct values *v = values;
    struct err e = ERR_NONE;
    _cleanup_(drop_free) char *kernels = NULL;
    _cleanup_(drop_words) struct words names = {0};
    struct tally tally = {0};
    if (jupyter_kernels_folder(&v->where, cli->env, &kernels, &e) < 0 ||
        candidates(v->name, &names, &e) < 0 || remove_own(cli, kernels, &names, &tally, &e) < 0) {
        return cli_fail_err(cli, &e);
    }
    if (tally.foreign > 0) {
        return CLI_FAILED;
    }
    if (tally.removed == 0) {
        return cli_fail(cli, CLI_FAILED,
                        "no kernel %s in %s: 'pandia status' lists what is registered",
                        v->name != NULL ? v->name : "of pandia's", kernels);
    }
    return CLI_OK;
}

const struct command command_uninstall = {
    .name = "uninstall",
    .summary = "Take the kernels of 'pandia install' out of Jupyter.",
    .options = options,
    .values_size = sizeof(struct values),
    .run = run,
};
