/* SPDX-License-Identifier: MIT */
/* cmd_doctor.c - `pandia doctor`: does what is needed hold here, and if not, what to do. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kernel/cli/commands.h"
#include "kernel/cli/interpreter.h"
#include "kernel/cli/jsonout.h"
#include "kernel/cli/jupyter_paths.h"
#include "kernel/cli/paths.h"
#include "kernel/cli/place.h"
#include "kernel/cli/probes.h"
#include "kernel/cli/registry.h"
#include "kernel/cli/report.h"

struct values {
    bool json;
    const char *python;
};

static const struct option_spec options[] = {
    {.name = "python",
     .kind = OPTION_TEXT,
     .argument = "PATH",
     .help = "Look at this interpreter, or environment, instead of the active one.",
     .offset = offsetof(struct values, python)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "Write a JSON object.",
     .offset = offsetof(struct values, json)},
    OPTION_END,
};

/* TypeScript needs parts from npm, and a build does without them. */
static const char *remedy_of(const struct language *l)
{
    return strcmp(l->name, "typescript") == 0 ? "script/get-npm-parts, then configure and build"
                                              : "build or install pandia whole";
}

static void check_language(struct report *r, const struct place *place, const struct language *l)
{
    _cleanup_(drop_free) char *worker = place_worker(place, l);
    _cleanup_(drop_free) char *template = place_template(place, l);
    bool needed = strcmp(l->name, "python") == 0;
    if (!path_is_program(worker)) {
        report_add(r, needed ? FINDING_FAIL : FINDING_WARN, l->name, remedy_of(l),
                   "not in this build (no %s)", worker);
        return;
    }
    if (!path_is_folder(template)) {
        report_add(r, FINDING_FAIL, l->name, "build or install pandia whole",
                   "the kernelspec template %s is missing", template);
        return;
    }
    report_add(r, FINDING_OK, l->name, NULL, "%s", worker);
}

static void check_program(struct report *r, const struct cli *cli)
{
    report_add(r, FINDING_OK, "pandia", NULL, "%s", PANDIA_VERSION);
    _cleanup_(drop_place) struct place place = {0};
    struct err e = ERR_NONE;
    if (cli_place(cli, &place, &e) < 0) {
        report_add(r, FINDING_FAIL, "program", "mount /proc", "%s", e.text);
        return;
    }
    report_add(r, FINDING_OK, "program", NULL, "%s", place.binary);
    for (const struct language *l = languages; l->name != NULL; l++) {
        check_language(r, &place, l);
    }
    report_add(r, FINDING_OK, "jansson", NULL, "%s", JANSSON_VERSION);
}

/* The build's own interpreter is needed; an unfit environment around us is only unused. */
static void check_python(struct report *r, const struct cli *cli, const char *option)
{
    static char *const nothing[] = {NULL};
    _cleanup_(drop_interpreter) struct interpreter own = {0};
    interpreter_choose(cli->python, NULL, nothing, &own);
    _cleanup_(drop_free) char *broken = interpreter_problem(cli->python, &own);
    if (broken != NULL) {
        report_add(r, FINDING_FAIL, "embedded Python", "install it, or build pandia again", "%s",
                   broken);
    } else {
        report_add(r, FINDING_OK, "embedded Python", NULL, "%s at %s", cli->python->version,
                   cli->python->path);
    }
    _cleanup_(drop_interpreter) struct interpreter in = {0};
    interpreter_choose(cli->python, option, cli->env, &in);
    _cleanup_(drop_free) char *problem = interpreter_problem(cli->python, &in);
    if (in.origin == INTERPRETER_FROM_BUILD) {
        return;
    }
    if (problem != NULL) {
        report_add(r, option != NULL ? FINDING_FAIL : FINDING_WARN, "interpreter", NULL, "%s",
                   problem);
        return;
    }
    report_add(r, FINDING_OK, "interpreter", NULL, "%s (Python %s, %s), embedded host", in.path,
               in.version, interpreter_origin_text(in.origin));
}

static void check_kernel(struct report *r, const struct registered *k)
{
    _cleanup_(drop_free) char *what = xasprintf("kernel %s", k->name);
    if (!k->program_ok) {
        report_add(r, FINDING_WARN, what, "pandia install", "%s runs %s, which is gone", k->folder,
                   k->spec.program != NULL ? k->spec.program : "nothing");
    } else if (k->python_problem != NULL) {
        report_add(r, FINDING_WARN, what, "pandia install --python PATH", "%s", k->python_problem);
    } else if (k->shadowed) {
        report_add(r, FINDING_WARN, what, NULL,
                   "%s is hidden by another kernel of that name earlier in the search", k->folder);
    } else {
        report_add(r, FINDING_OK, what, NULL, "%s", k->folder);
    }
}

/* Gives the first program of that name in $PATH; NULL when there is none. */
static char *find_program(char *const *env, const char *name)
{
    const char *at = env_get(env, "PATH");
    while (at != NULL && *at != '\0') {
        size_t len = strcspn(at, ":");
        _cleanup_(drop_free) char *folder = xstrndup(at, len);
        _cleanup_(drop_free) char *program = path_join(folder, name);
        if (len > 0 && path_is_program(program)) {
            return take(program);
        }
        at += len + (at[len] == ':');
    }
    return NULL;
}

static void check_jupyter(struct report *r, const struct cli *cli)
{
    _cleanup_(drop_free) char *jupyter = find_program(cli->env, "jupyter");
    if (jupyter != NULL) {
        report_add(r, FINDING_OK, "jupyter", NULL, "%s", jupyter);
    } else {
        report_add(r, FINDING_WARN, "jupyter", "pip install jupyterlab", "not in $PATH");
    }
    _cleanup_(drop_words) struct words folders = {0};
    jupyter_search(cli->env, &folders);
    for (size_t i = 0; i < folders.count; i++) {
        bool there = path_is_folder(folders.items[i]);
        report_add(r, FINDING_OK, "kernels folder", NULL, "%s%s", folders.items[i],
                   there ? "" : " (not there)");
    }
    _cleanup_(drop_registry) struct registry registry = {0};
    registry_read(cli->python, cli->env, &registry);
    if (registry.count == 0) {
        report_add(r, FINDING_WARN, "kernels", "pandia install", "none is registered");
    }
    for (size_t i = 0; i < registry.count; i++) {
        check_kernel(r, &registry.items[i]);
    }
}

static int run(struct cli *cli, const void *values, const struct words *words UNUSED)
{
    const struct values *v = values;
    _cleanup_(drop_report) struct report report = {0};
    check_program(&report, cli);
    check_python(&report, cli, v->python);
    probe_system(&report);
    probe_namespaces(&report);
    check_jupyter(&report, cli);
    if (v->json) {
        json_auto_t *json = report_json(&report);
        jsonout_write(cli->out, json);
    } else {
        report_print(&report, cli->out);
    }
    return report_worst(&report) == FINDING_FAIL ? CLI_FAILED : CLI_OK;
}

const struct command command_doctor = {
    .name = "doctor",
    .summary = "Check what pandia needs here, and name the remedy where something is missing.",
    .details = "Exit code 0 when all that is needed holds, 1 otherwise; warnings do not count.",
    .options = options,
    .values_size = sizeof(struct values),
    .run = run,
};
