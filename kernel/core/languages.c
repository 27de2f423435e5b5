/* SPDX-License-Identifier: MIT */
#include "kernel/core/languages.h"

#include <string.h>

const char language_host_version[] = PANDIA_VERSION;

const struct language languages[] = {
    {.name = "python",
     .title = "Python",
     .worker = "pandia-python",
     .kernel = "pandia-python",
     .first_line = "%%python",
     .suffixes = {".py"},
     .abilities = LANGUAGE_HAS_INTERPRETER,
     .version = PANDIA_PYTHON_VERSION,
     .mimetype = "text/x-python",
     .file_extension = ".py",
     .pygments_lexer = "ipython3",
     .codemirror_mode = "ipython",
     .codemirror_version = 3,
     .nbconvert_exporter = "python",
     .banner = "Pandia " PANDIA_VERSION " (Python " PANDIA_PYTHON_VERSION ")"},
    {.name = "javascript",
     .title = "JavaScript",
     .worker = "pandia-javascript",
     .kernel = "pandia-javascript",
     .first_line = "%%js",
     .suffixes = {".js", ".mjs", ".cjs"},
     .abilities = LANGUAGE_CAN_FORBID,
     .version = "ES2025",
     .mimetype = "text/javascript",
     .file_extension = ".js",
     .pygments_lexer = "javascript",
     .codemirror_mode = "javascript",
     .nbconvert_exporter = "script",
     .banner = "Pandia " PANDIA_VERSION " (JavaScript)"},
    {.name = "typescript",
     .title = "TypeScript",
     .worker = "pandia-typescript",
     .kernel = "pandia-typescript",
     .first_line = "%%ts",
     .suffixes = {".ts", ".mts", ".cts"},
     .abilities = LANGUAGE_CAN_FORBID,
     .version = "5.9",
     .mimetype = "text/typescript",
     .file_extension = ".ts",
     .pygments_lexer = "typescript",
     .codemirror_mode = "typescript",
     .nbconvert_exporter = "script",
     .banner = "Pandia " PANDIA_VERSION " (TypeScript)"},
    {.name = NULL},
};

static const struct language unlisted = {
    .version = PANDIA_VERSION,
    .mimetype = "text/plain",
    .file_extension = ".txt",
    .pygments_lexer = "text",
    .codemirror_mode = "null",
    .nbconvert_exporter = "script",
    .banner = "Pandia " PANDIA_VERSION,
};

const struct language *language_find(const char *name)
{
    for (const struct language *l = languages; l->name != NULL; l++) {
        if (strcmp(l->name, name) == 0) {
            return l;
        }
    }
    return NULL;
}

static bool has_suffix(const struct language *l, const char *suffix)
{
    for (const char *const *known = l->suffixes; *known != NULL; known++) {
        if (strcmp(*known, suffix) == 0) {
            return true;
        }
    }
    return false;
}

const struct language *language_of_file(const char *path)
{
    const char *suffix = strrchr(path, '.');
    for (const struct language *l = languages; suffix != NULL && l->name != NULL; l++) {
        if (has_suffix(l, suffix)) {
            return l;
        }
    }
    return NULL;
}

const struct language *language_of_line(struct slice line)
{
    for (const struct language *l = languages; line.len > 0 && l->name != NULL; l++) {
        if (l->first_line != NULL && slice_is(line, l->first_line)) {
            return l;
        }
    }
    return NULL;
}

void language_names(unsigned abilities, const char *last_word, struct buf *out)
{
    const struct language *held = NULL; /* it may be the last one */
    bool any = false;
    for (const struct language *l = languages; l->name != NULL; l++) {
        if ((l->abilities & abilities) != abilities) {
            continue;
        }
        if (held != NULL) {
            buf_addf(out, "%s%s", any ? ", " : "", held->name);
            any = true;
        }
        held = l;
    }
    if (any) {
        buf_addf(out, " %s ", last_word);
    }
    buf_add_text(out, held != NULL ? held->name : "");
}

struct language language_describe(const char *name)
{
    const struct language *known = language_find(name);
    struct language described = known != NULL ? *known : unlisted;
    described.name = name;
    return described;
}
