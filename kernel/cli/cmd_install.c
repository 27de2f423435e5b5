/* SPDX-License-Identifier: MIT */
/* cmd_install.c - `pandia install`: registers the languages of this build with Jupyter, all or
 * none. It needs no Python. */
#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "kernel/cli/commands.h"
#include "kernel/cli/interpreter.h"
#include "kernel/cli/jupyter_paths.h"
#include "kernel/cli/kernelspec.h"
#include "kernel/cli/paths.h"
#include "kernel/cli/place.h"
#include "kernel/cli/preload.h"
#include "kernel/cli/specdir.h"

enum { LANGUAGES_MAX = 8 };

struct values {
    struct jupyter_where where;
    const char *python;
    const char *name;
    const char *display_name;
    struct words preload;
};

static const struct option_spec options[] = {
    JUPYTER_WHERE_OPTIONS(struct values),
    {.name = "python",
     .kind = OPTION_TEXT,
     .argument = "PATH",
     .help = "Interpreter of the Python kernel, or the folder of its environment. Default: the "
             "active environment ($VIRTUAL_ENV, $CONDA_PREFIX), else the build's own.",
     .offset = offsetof(struct values, python)},
    {.name = "name",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "Name of the kernel; with several languages NAME-python and so on.",
     .offset = offsetof(struct values, name)},
    {.name = "display-name",
     .kind = OPTION_TEXT,
     .argument = "TEXT",
     .help = "Name that Jupyter shows; with several languages TEXT and the language.",
     .offset = offsetof(struct values, display_name)},
    {.name = "preload",
     .kind = OPTION_LIST,
     .argument = "MODULES",
     .help = "Modules that contexts of the Python kernel find imported already, e.g. "
             "numpy,pandas,matplotlib.pyplot. It costs their memory once per running kernel.",
     .offset = offsetof(struct values, preload)},
    OPTION_END,
};

/* One kernel to register. */
struct job {
    const struct language *language;
    char *name;
    char *template_folder;
    char *display_name; /* NULL: the template's */
};

/* All that a run needs to know before it changes anything. */
struct plan {
    char *kernels;
    struct place place;
    struct interpreter python; /* path is NULL when no language needs it */
    struct words preload;
    struct job jobs[LANGUAGES_MAX];
    size_t count;
};

static void plan_done(struct plan *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->jobs[i].name);
        free(p->jobs[i].template_folder);
        free(p->jobs[i].display_name);
    }
    free(p->kernels);
    place_done(&p->place);
    interpreter_done(&p->python);
    words_done(&p->preload);
}

DEFINE_DROP_VALUE(plan, struct plan, plan_done)

static void list_languages(struct plan *p)
{
    for (const struct language *l = languages; l->name != NULL; l++) {
        if (place_has(&p->place, l) && p->count < LANGUAGES_MAX) {
            p->jobs[p->count] =
                (struct job){.language = l, .template_folder = place_template(&p->place, l)};
            p->count += 1;
        }
    }
}

static int name_jobs(struct plan *p, const struct values *v, struct err *e)
{
    _cleanup_(drop_free) char *lower = NULL;
    if (v->name != NULL && jupyter_kernel_name(v->name, &lower, e) < 0) {
        return -1;
    }
    if (v->display_name != NULL && v->display_name[0] == '\0') {
        return err_set(e, ERR_INPUT, "--display-name is empty: give a text, or leave it out");
    }
    bool several = p->count > 1;
    for (size_t i = 0; i < p->count; i++) {
        struct job *job = &p->jobs[i];
        const struct language *l = job->language;
        if (lower == NULL) {
            job->name = xstrdup(l->kernel);
        } else {
            job->name = several ? xasprintf("%s-%s", lower, l->name) : xstrdup(lower);
        }
        if (v->display_name != NULL) {
            job->display_name =
                several ? xasprintf("%s %s", v->display_name, l->title) : xstrdup(v->display_name);
        }
    }
    return 0;
}

/* Refuses an interpreter that the kernel could not run: better now than as a dead kernel. */
static int choose_python(const struct cli *cli, struct plan *p, const struct values *v)
{
    const struct language *python = language_find("python");
    if (python == NULL || !place_has(&p->place, python)) {
        return CLI_OK;
    }
    interpreter_choose(cli->python, v->python, cli->env, &p->python);
    _cleanup_(drop_free) char *problem = interpreter_problem(cli->python, &p->python);
    if (problem == NULL) {
        return CLI_OK;
    }
    return cli_fail(cli, v->python != NULL ? CLI_USAGE : CLI_FAILED, "%s", problem);
}

static int check_owners(const struct cli *cli, const struct plan *p)
{
    for (size_t i = 0; i < p->count; i++) {
        _cleanup_(drop_free) char *folder = path_join(p->kernels, p->jobs[i].name);
        if (kernelspec_read(folder, NULL) == KERNELSPEC_FOREIGN) {
            return cli_fail(cli, CLI_FAILED,
                            "%s is there already and is not pandia's: choose another --name, or "
                            "remove it first",
                            folder);
        }
    }
    return CLI_OK;
}

static int make_plan(const struct cli *cli, struct plan *p, const struct values *v)
{
    struct err e = ERR_NONE;
    if (preload_parse(&v->preload, &p->preload, &e) < 0 ||
        jupyter_kernels_folder(&v->where, cli->env, &p->kernels, &e) < 0 ||
        cli_place(cli, &p->place, &e) < 0) {
        return cli_fail_err(cli, &e);
    }
    list_languages(p);
    if (p->count == 0) {
        return cli_fail(cli, CLI_FAILED, "no worker in %s: build or install pandia whole",
                        p->place.libexec);
    }
    if (name_jobs(p, v, &e) < 0) {
        return cli_fail_err(cli, &e);
    }
    int code = choose_python(cli, p, v);
    return code == CLI_OK ? check_owners(cli, p) : code;
}

/* Lends the interpreter to write into kernel.json: a chosen one, not the build's own, so that
 * such a kernel follows the environment Jupyter runs in. */
static const char *recorded_python(const struct plan *p, const struct job *job)
{
    bool python = strcmp(job->language->name, "python") == 0;
    return python && p->python.origin != INTERPRETER_FROM_BUILD ? p->python.path : NULL;
}

static int carry_out(const struct plan *p, struct err *e)
{
    _cleanup_(drop_free) char *preload = p->preload.count > 0 ? preload_join(&p->preload) : NULL;
    _cleanup_(drop_specdir) struct specdir_change *change = NULL;
    if (specdir_begin(p->kernels, &change, e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < p->count; i++) {
        const struct job *job = &p->jobs[i];
        const struct kernelspec_order order = {
            .template_folder = job->template_folder,
            .program = p->place.binary,
            .language = job->language->name,
            .python = recorded_python(p, job),
            .preload = strcmp(job->language->name, "python") == 0 ? preload : NULL,
            .display_name = job->display_name,
        };
        const char *folder = NULL;
        if (specdir_stage(change, job->name, &folder, e) < 0 ||
            kernelspec_fill(&order, folder, e) < 0) {
            return -1;
        }
    }
    return specdir_commit(change, e);
}

static void report(const struct cli *cli, const struct plan *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct job *job = &p->jobs[i];
        fprintf(cli->out, "Registered %s\n  directory    %s/%s\n  program      %s\n", job->name,
                p->kernels, job->name, p->place.binary);
        if (strcmp(job->language->name, "python") != 0) {
            continue;
        }
        fprintf(cli->out, "  interpreter  %s (Python %s, %s)\n", p->python.path,
                p->python.version != NULL ? p->python.version : "of unknown version",
                interpreter_origin_text(p->python.origin));
        for (size_t k = 0; k < p->preload.count; k++) {
            fprintf(cli->out, "%s%s", k == 0 ? "  preloads     " : ", ", p->preload.items[k]);
        }
        fputs(p->preload.count > 0 ? "\n" : "", cli->out);
    }
    _cleanup_(drop_words) struct words search = {0};
    jupyter_search(cli->env, &search);
    if (!words_has(&search, p->kernels)) {
        _cleanup_(drop_free) char *data = path_parent(p->kernels);
        fprintf(cli->out,
                "Jupyter looks there when it runs from that prefix, or with "
                "JUPYTER_PATH=%s\n",
                data);
    }
    fprintf(cli->out, "Next: jupyter lab, or: jupyter console --kernel %s\n", p->jobs[0].name);
}

static int run(struct cli *cli, const void *values, const struct words *words UNUSED)
{
    const struct values *v = values;
    _cleanup_(drop_plan) struct plan plan = {0};
    int code = make_plan(cli, &plan, v);
    if (code != CLI_OK) {
        return code;
    }
    struct err e = ERR_NONE;
    if (carry_out(&plan, &e) < 0) {
        bool rights = e.sys == EACCES || e.sys == EPERM || e.sys == EROFS;
        return cli_fail(cli, e.code == ERR_INPUT ? CLI_USAGE : CLI_FAILED, "%s%s", e.text,
                        rights ? ": use --user, or a --prefix you may write to" : "");
    }
    report(cli, &plan);
    return CLI_OK;
}

const struct command command_install = {
    .name = "install",
    .summary = "Register the kernels of this build with Jupyter.",
    .details = "A kernel of that name that pandia did not register is never overwritten. Run "
               "inside an activated environment, the Python kernel records its interpreter. Run "
               "outside of one, it follows the environment that Jupyter runs in.",
    .options = options,
    .values_size = sizeof(struct values),
    .run = run,
};
