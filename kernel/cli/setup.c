/* SPDX-License-Identifier: MIT */
#include "kernel/cli/setup.h"

#include <ctype.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "kernel/cli/paths.h"

/* How each language presents itself to notebooks. A worker that is not listed (a mock in tests)
 * gets the last row. */
static const struct language_info known[] = {
    {.name = "python",
     .version = PANDIA_PYTHON_VERSION,
     .mimetype = "text/x-python",
     .file_extension = ".py",
     .pygments_lexer = "ipython3",
     .codemirror_mode = "ipython",
     .codemirror_version = 3,
     .nbconvert_exporter = "python",
     .banner = "Pandia " PANDIA_VERSION " (Python " PANDIA_PYTHON_VERSION ")",
     .implementation_version = PANDIA_VERSION},
    {.name = "javascript",
     .version = "ES2025",
     .mimetype = "text/javascript",
     .file_extension = ".js",
     .pygments_lexer = "javascript",
     .codemirror_mode = "javascript",
     .nbconvert_exporter = "script",
     .banner = "Pandia " PANDIA_VERSION " (JavaScript)",
     .implementation_version = PANDIA_VERSION},
    {.name = "typescript",
     .version = "5.9",
     .mimetype = "text/typescript",
     .file_extension = ".ts",
     .pygments_lexer = "typescript",
     .codemirror_mode = "typescript",
     .nbconvert_exporter = "script",
     .banner = "Pandia " PANDIA_VERSION " (TypeScript)",
     .implementation_version = PANDIA_VERSION},
    {.name = NULL,
     .version = PANDIA_VERSION,
     .mimetype = "text/plain",
     .file_extension = ".txt",
     .pygments_lexer = "text",
     .codemirror_mode = "null",
     .nbconvert_exporter = "script",
     .banner = "Pandia " PANDIA_VERSION,
     .implementation_version = PANDIA_VERSION},
};

static struct language_info info_of(const char *language)
{
    size_t i = 0;
    while (known[i].name != NULL && strcmp(known[i].name, language) != 0) {
        i++;
    }
    struct language_info info = known[i];
    info.name = language;
    return info;
}

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
    struct setup_worker *worker = &s->workers[s->count];
    _cleanup_(drop_free) char *path = worker_path(s, language);
    if (s->count == SETUP_LANGUAGES || access(path, X_OK) < 0) {
        return false;
    }
    worker->path = take(path);
    worker->argv[0] = worker->path;
    struct pool_language *added = &s->languages[s->count++];
    *added =
        (struct pool_language){.name = language, .worker_path = worker->path, .argv = worker->argv};
    if (strcmp(language, "python") == 0) {
        worker->argv[1] = "--python";
        worker->argv[2] = s->interpreter.path;
        added->preload = (const char *const *)s->preload.items;
        added->preload_count = s->preload.count;
    }
    return true;
}

static int add_default(struct setup *s, const char *language, struct err *e)
{
    if (language_find(language) == NULL && !is_word(language)) {
        return err_set(e, ERR_INPUT,
                       "--language: '%s' is not a language; use python, javascript or typescript",
                       language);
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
    s->broker =
        (struct broker_options){.pool = {.languages = s->languages, .language_count = s->count},
                                .contexts = {.language = language}};
    s->info = info_of(language);
    return 0;
}

void setup_done(struct setup *s)
{
    place_done(&s->place);
    interpreter_done(&s->interpreter);
    words_done(&s->preload);
    for (size_t i = 0; i < s->count; i++) {
        free(s->workers[i].path);
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
