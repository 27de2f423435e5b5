/* SPDX-License-Identifier: MIT */
#include "kernel/cli/help.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "kernel/cli/commands.h"

enum {
    COLUMNS = 80,
    LABEL_MAX = 28 /* a longer label gets a line of its own */
};

static const struct option_spec help_option = {
    .name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "Show this text."};

static void spaces(FILE *out, size_t count)
{
    fprintf(out, "%*s", (int)count, "");
}

/* Writes one paragraph, which holds no newline. */
static void wrap_line(FILE *out, struct slice line, size_t at, size_t indent)
{
    size_t i = 0;
    while (i < line.len) {
        const char *word = line.data + i;
        const char *space = memchr(word, ' ', line.len - i);
        size_t len = space != NULL ? (size_t)(space - word) : line.len - i;
        bool first = at <= indent;
        if (!first && at + 1 + len > COLUMNS) {
            fprintf(out, "\n");
            at = 0;
            first = true;
        }
        if (first) {
            spaces(out, indent - at);
            at = indent;
        } else {
            fprintf(out, " ");
            at += 1;
        }
        fprintf(out, "%.*s", (int)len, word);
        at += len;
        i += len + (space != NULL);
    }
}

void help_wrap(FILE *out, const char *text, size_t at, size_t indent)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        if (*text == ' ') {
            spaces(out, indent);
            fprintf(out, "%.*s", (int)len, text);
        } else {
            wrap_line(out, (struct slice){.data = text, .len = len}, at, indent);
        }
        fprintf(out, "\n");
        text += len + (text[len] == '\n');
        at = 0;
    }
}

/* Gives "-f, --connection-file FILE". */
static char *option_label(const struct option_spec *spec)
{
    const char *argument = spec->argument != NULL ? spec->argument : "";
    const char *gap = spec->argument != NULL ? " " : "";
    if (spec->letter != 0) {
        return xasprintf("-%c, --%s%s%s", spec->letter, spec->name, gap, argument);
    }
    return xasprintf("    --%s%s%s", spec->name, gap, argument);
}

static void label_and_text(FILE *out, const char *label, size_t width, const char *text)
{
    fprintf(out, "  %s", label);
    size_t at = 2 + strlen(label);
    size_t indent = 2 + width + 2;
    if (at + 2 > indent) {
        fprintf(out, "\n");
        at = 0;
    } else {
        spaces(out, indent - at);
        at = indent;
    }
    help_wrap(out, text, at, indent);
}

static size_t label_width(const struct option_spec *specs)
{
    size_t width = 0;
    for (const struct option_spec *s = specs; s->name != NULL; s++) {
        _cleanup_(drop_free) char *label = option_label(s);
        size_t len = strlen(label);
        if (len <= LABEL_MAX && len > width) {
            width = len;
        }
    }
    _cleanup_(drop_free) char *help = option_label(&help_option);
    return strlen(help) > width ? strlen(help) : width;
}

static void option_line(FILE *out, const struct option_spec *spec, size_t width)
{
    _cleanup_(drop_free) char *label = option_label(spec);
    label_and_text(out, label, width, spec->help);
}

void help_command(FILE *out, const struct command *command)
{
    fprintf(out, "Usage: pandia %s [options]%s%s\n\n", command->name,
            command->words != NULL ? " " : "", command->words != NULL ? command->words : "");
    help_wrap(out, command->summary, 0, 0);
    fprintf(out, "\nOptions:\n");
    size_t width = label_width(command->options);
    for (const struct option_spec *s = command->options; s->name != NULL; s++) {
        option_line(out, s, width);
    }
    option_line(out, &help_option, width);
    if (command->details != NULL) {
        fprintf(out, "\n");
        help_wrap(out, command->details, 0, 0);
    }
}

void help_overview(FILE *out, const struct command *const *table, size_t count)
{
    fprintf(out,
            "pandia %s - a code interpreter: a Jupyter kernel and a runner of code.\n\n"
            "Usage: pandia COMMAND [options]\n\nCommands:\n",
            PANDIA_VERSION);
    size_t width = 0;
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(table[i]->name);
        width = len > width ? len : width;
    }
    for (size_t i = 0; i < count; i++) {
        label_and_text(out, table[i]->name, width, table[i]->summary);
    }
    fprintf(out,
            "\n'pandia COMMAND --help' shows the options of one command;\n"
            "'pandia --version' the version. Exit codes: 0 done, 1 could not, 2 wrong usage.\n");
}
