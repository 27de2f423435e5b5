/* SPDX-License-Identifier: MIT */
#include "kernel/cli/options.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "kernel/cli/nearest.h"

/* Longest piece of the user's input that an error repeats. */
#define SHOWN "%.80s"

struct parser {
    const struct option_spec *specs;
    enum options_mode mode;
    struct args args;
    int at; /* next argument to read */
    char *values;
    struct options_result *out;
};

static const struct option_spec *find_name(const struct option_spec *specs, struct slice name)
{
    for (const struct option_spec *s = specs; s->name != NULL; s++) {
        if (slice_is(name, s->name)) {
            return s;
        }
    }
    return NULL;
}

static const struct option_spec *find_letter(const struct option_spec *specs, char letter)
{
    for (const struct option_spec *s = specs; s->name != NULL; s++) {
        if (s->letter != 0 && s->letter == letter) {
            return s;
        }
    }
    return NULL;
}

static int unknown(const struct parser *p, const char *arg, struct slice name, struct err *e)
{
    if (p->mode == OPTIONS_LENIENT) {
        return 0;
    }
    struct nearest near = NEAREST_INIT(name);
    for (const struct option_spec *s = p->specs; s->name != NULL; s++) {
        nearest_offer(&near, s->name);
    }
    if (near.best != NULL) {
        return err_set(e, ERR_INPUT, "unknown option '" SHOWN "': did you mean '--%s'?", arg,
                       near.best);
    }
    return err_set(e, ERR_INPUT, "unknown option '" SHOWN "': --help lists the options", arg);
}

static int store_int(const struct option_spec *spec, const char *text, int64_t *out, struct err *e)
{
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || (errno != 0 && errno != ERANGE)) {
        return err_set(e, ERR_INPUT,
                       "option '--%s' needs a whole number, not '" SHOWN "': write --%s %" PRId64,
                       spec->name, text, spec->name, spec->max != 0 ? spec->max : INT64_C(10));
    }
    bool bounded = spec->min != 0 || spec->max != 0;
    if (errno == ERANGE || (bounded && (value < spec->min || value > spec->max))) {
        return err_set(
            e, ERR_INPUT, "option '--%s': " SHOWN " is out of range: give %" PRId64 " to %" PRId64,
            spec->name, text, bounded ? spec->min : INT64_MIN, bounded ? spec->max : INT64_MAX);
    }
    *out = value;
    return 0;
}

static int store(const struct parser *p, const struct option_spec *spec, const char *value,
                 struct err *e)
{
    void *member = p->values + spec->offset;
    switch (spec->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        return 0;
    case OPTION_TEXT:
        *(const char **)member = value;
        return 0;
    case OPTION_INT:
        return store_int(spec, value, member, e);
    case OPTION_LIST:
        words_add(member, value);
        return 0;
    }
    return 0;
}

/* Applies a known option; `attached` is the value written in the same argument, or NULL. */
static int apply(struct parser *p, const struct option_spec *spec, const char *attached,
                 struct err *e)
{
    if (spec->kind == OPTION_FLAG && attached != NULL) {
        return err_set(e, ERR_INPUT, "option '--%s' takes no value: leave '" SHOWN "' out",
                       spec->name, attached);
    }
    if (spec->kind == OPTION_FLAG || attached != NULL) {
        return store(p, spec, attached, e);
    }
    if (p->at >= p->args.count) {
        return err_set(e, ERR_INPUT, "option '--%s' needs a value: write --%s %s", spec->name,
                       spec->name, spec->argument);
    }
    return store(p, spec, p->args.items[p->at++], e);
}

static int parse_long(struct parser *p, const char *arg, struct err *e)
{
    const char *equals = strchr(arg, '=');
    struct slice name = slice_of(arg + 2);
    if (equals != NULL) {
        name.len = (size_t)(equals - name.data);
    }
    const struct option_spec *spec = find_name(p->specs, name);
    if (spec != NULL) {
        return apply(p, spec, equals != NULL ? equals + 1 : NULL, e);
    }
    if (slice_is(name, "help")) {
        p->out->help = true;
        return 0;
    }
    return unknown(p, arg, name, e);
}

static int parse_short(struct parser *p, const char *arg, struct err *e)
{
    const struct option_spec *spec = find_letter(p->specs, arg[1]);
    if (spec != NULL) {
        const char *attached = arg[2] != '\0' ? arg + 2 + (arg[2] == '=') : NULL;
        return apply(p, spec, attached, e);
    }
    if (strcmp(arg, "-h") == 0) {
        p->out->help = true;
        return 0;
    }
    return unknown(p, arg, slice_of(arg + 1), e);
}

static void add_word(const struct parser *p, const char *word)
{
    if (p->mode == OPTIONS_STRICT) {
        words_add(&p->out->words, word);
    }
}

int options_parse(const struct option_spec *specs, enum options_mode mode, struct args args,
                  void *values, struct options_result *out, struct err *e)
{
    struct parser p = {.specs = specs, .mode = mode, .args = args, .values = values, .out = out};
    bool only_words = false;
    while (p.at < args.count && !out->help) {
        const char *arg = args.items[p.at++];
        int failed = 0;
        if (only_words || arg[0] != '-' || arg[1] == '\0') {
            add_word(&p, arg);
        } else if (strcmp(arg, "--") == 0) {
            only_words = true;
        } else if (arg[1] == '-') {
            failed = parse_long(&p, arg, e);
        } else {
            failed = parse_short(&p, arg, e);
        }
        if (failed < 0) {
            return -1;
        }
    }
    return 0;
}

void options_done(const struct option_spec *specs, void *values, struct options_result *result)
{
    for (const struct option_spec *s = specs; s->name != NULL; s++) {
        if (s->kind == OPTION_LIST) {
            void *member = (char *)values + s->offset;
            words_done(member);
        }
    }
    words_done(&result->words);
}
