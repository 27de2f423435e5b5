/* SPDX-License-Identifier: MIT */
#include "kernel/cli/setup.h"

#include <ctype.h>
#include <string.h>

#include "base/bounds.h"
#include "base/log.h"
#include "base/mem.h"
#include "kernel/cli/paths.h"

/* A language is a word: it becomes part of a path. */
static bool is_word(const char *text)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len; i++) {
        if (!islower((unsigned char)text[i])) {
            return false;
        }
    }
    return len > 0 && len <= 32;
}

static char *worker_path(const struct setup *s, const char *language)
{
    const struct language *l = language_find(language);
    _cleanup_(drop_free) char *name = xasprintf("pandia-%s", language);
    return l ? place_worker(&s->place, l) : path_join(s->place.libexec, name);
}

/* Notes the worker of `language`; false when this build has none. */
static bool add_worker(struct setup *s, const char *language)
{
    struct setup_program *program = &s->programs[s->count];
    _cleanup_(drop_free) char *path = worker_path(s, language);
    if (s->count == SETUP_LANGUAGES || access(path, X_OK) < 0) {
        return false;
    }
    program->path = take(path);
    program->argv[0] = program->path;
    struct broker_worker *added = &s->workers[s->count++];
    *added =
        (struct broker_worker){.language = language, .path = program->path, .argv = program->argv};
    if ((language_describe(language).abilities & LANGUAGE_HAS_INTERPRETER) != 0) {
        program->argv[1] = "--python";
        program->argv[2] = s->interpreter.path;
        added->preload = (const char *const *)s->preload.items;
        added->preload_count = s->preload.count;
    }
    return true;
}

static int add_default(struct setup *s, const char *language, struct err *e)
{
    if (language_find(language) == NULL && !is_word(language)) {
        _cleanup_(drop_buf) struct buf names = BUF_INIT(MSG_FIELD_MAX);
        language_names(0, "or", &names);
        return err_set(e, ERR_INPUT, "--language: '%s' is not a language; use %s", language,
                       buf_text(&names));
    }
    if (!add_worker(s, language)) {
        _cleanup_(drop_free) char *path = worker_path(s, language);
        return err_set(e, ERR_INPUT,
                       "--language: this build has no '%s' (no worker at %s); see 'pandia doctor'",
                       language, path);
    }
    return 0;
}

/* What is unfit is an error only when Python is the language that was asked for. */
static int choose_python(struct setup *s, struct cli *cli, const char *language, const char *python,
                         struct err *e)
{
    _cleanup_(drop_free) char *warning = NULL;
    interpreter_choose_lenient(&python_of_build, python, cli->env, &s->interpreter, &warning);
    if (warning != NULL) {
        fprintf(cli->err, "pandia: %s\n", warning);
    }
    _cleanup_(drop_free) char *problem = interpreter_problem(&python_of_build, &s->interpreter);
    if (problem != NULL && (python != NULL || strcmp(language, "python") == 0)) {
        return err_set(e, ERR_INPUT, "%s", problem);
    }
    return 0;
}

int setup_fill(struct setup *s, struct cli *cli, const char *language, const char *python,
               struct err *e)
{
    if (place_find(&s->place, e) < 0 || choose_python(s, cli, language, python, e) < 0 ||
        add_default(s, language, e) < 0) {
        return -1;
    }
    for (const struct language *l = languages; l->name != NULL; l++) {
        if (strcmp(l->name, language) != 0) {
            (void)add_worker(s, l->name); /* a language that is not built is not offered */
        }
    }
    s->broker = (struct broker_options){
        .workers = s->workers, .worker_count = s->count, .language = language};
    return 0;
}

void setup_done(struct setup *s)
{
    place_done(&s->place);
    interpreter_done(&s->interpreter);
    words_done(&s->preload);
    for (size_t i = 0; i < s->count; i++) {
        free(s->programs[i].path);
    }
}

int setup_logging(const char *level, struct err *e)
{
    enum log_level parsed = LOG_LEVEL_WARN;
    if (level != NULL && log_level_parse(level, &parsed) < 0) {
        return err_set(e, ERR_INPUT, "--log-level: '%s' is none of error, warn, info, debug",
                       level);
    }
    log_set_level(parsed);
    return 0;
}
