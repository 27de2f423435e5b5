/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_shape.h"

#include <stdbool.h>

/* Where the walk over the text is. A logical line is what Python takes for one line: brackets and
 * backslashes join several. */
struct walk {
    const char *first;
    const char *at;
    const char *end;
    size_t line;
    size_t depth; /* of brackets */

    const char *start; /* of the last logical line that is not empty; NULL: none yet */
    size_t start_line;
    bool indented;
    bool has_colon; /* outside of brackets, like the next two */
    bool has_semicolon;
    bool assigns;
};

static char peek(const struct walk *w, size_t ahead)
{
    return (size_t)(w->end - w->at) > ahead ? w->at[ahead] : '\0';
}

static bool is_one_of(char byte, const char *set)
{
    return byte != '\0' && strchr(set, byte) != NULL;
}

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || (unsigned char)byte >= 0x80;
}

/* A logical line may begin here; an empty one, or one of comment only, does not. */
static void begin_line(struct walk *w)
{
    const char *start = w->at;
    while (peek(w, 0) == ' ' || peek(w, 0) == '\t') {
        w->at++;
    }
    if (w->at == w->end || *w->at == '\n' || *w->at == '#') {
        return;
    }
    w->start = start;
    w->start_line = w->line;
    w->indented = w->at > start;
    w->has_colon = w->has_semicolon = w->assigns = false;
}

static void skip_comment(struct walk *w)
{
    const char *newline = memchr(w->at, '\n', (size_t)(w->end - w->at));
    w->at = newline != NULL ? newline : w->end;
}

/* Since 3.12 a string inside the braces of another may use the same quotes. */
static bool has_fields(const struct walk *w)
{
    char before = w->at > w->first ? w->at[-1] : '\0';
    char second = w->at - w->first > 1 ? w->at[-2] : '\0';
    return is_one_of(before, "fFtT") || (is_one_of(before, "rR") && is_one_of(second, "fFtT"));
}

/* One byte inside a string with fields; false when it may be more than that. */
static bool note_field(char byte, size_t *fields)
{
    if (byte == '{') {
        ++*fields;
    } else if (byte == '}') {
        *fields -= *fields > 0;
    }
    return *fields == 0 || !is_one_of(byte, "'\"\\");
}

/* `w->at` is on the opening quote. False: the string does not end, or only a parser knows where. */
static bool skip_string(struct walk *w)
{
    char quote = peek(w, 0);
    bool fielded = has_fields(w);
    bool triple = peek(w, 1) == quote && peek(w, 2) == quote;
    size_t fields = 0;
    for (w->at += triple ? 3 : 1; w->at < w->end; w->at++) {
        char byte = *w->at;
        if (fielded && !note_field(byte, &fields)) {
            return false;
        }
        if (byte == quote && (!triple || (peek(w, 1) == quote && peek(w, 2) == quote))) {
            w->at += triple ? 3 : 1;
            return true;
        }
        w->line += byte == '\n';
        if (byte == '\n' && !triple) {
            return false;
        }
        if (byte == '\\' && !is_one_of(peek(w, 1), "{}")) {
            w->at++;
            w->line += peek(w, 0) == '\n';
        }
    }
    return false;
}

/* `w->at` is on an equals sign outside of brackets. Comparisons end in one, too. */
static void note_equals(struct walk *w)
{
    char before = w->at > w->first ? w->at[-1] : '\0';
    char second = w->at - w->first > 1 ? w->at[-2] : '\0';
    if (peek(w, 1) == '=') {
        w->at++;
    } else if (before != '!' && (!is_one_of(before, "<>") || second == before)) {
        w->assigns = true;
    }
}

/* Looks at one byte outside of strings and passes it; false: only a parser can go on. */
static bool step(struct walk *w)
{
    char byte = *w->at;
    if (is_one_of(byte, "([{")) {
        w->depth++;
    } else if (is_one_of(byte, ")]}")) {
        if (w->depth == 0) {
            return false;
        }
        w->depth--;
    } else if (w->depth == 0 && byte == '=') {
        note_equals(w);
    } else if (w->depth == 0) {
        w->has_colon |= byte == ':';
        w->has_semicolon |= byte == ';';
    }
    w->at++;
    return true;
}

/* The ends of lines, and backslashes before them. */
static bool step_line(struct walk *w)
{
    bool joined = *w->at == '\\';
    if (joined && peek(w, 1) != '\n') {
        return false;
    }
    w->at += joined ? 2 : 1;
    w->line++;
    if (!joined && w->depth == 0) {
        begin_line(w);
    }
    return true;
}

static bool walk_on(struct walk *w)
{
    char byte = *w->at;
    if (is_name_byte(byte) || byte == ' ') { /* nearly all bytes */
        w->at++;
        return true;
    }
    if (is_one_of(byte, "'\"")) {
        return skip_string(w);
    }
    if (byte == '#') {
        skip_comment(w);
        return true;
    }
    if (byte == '\n' || byte == '\\') {
        return step_line(w);
    }
    /* Not Python outside of strings, or a white space that Python has its own mind about. */
    bool odd = is_one_of(byte, "\r\f\v$?`") || byte == '\0' || (byte == '!' && peek(w, 1) != '=');
    return !odd && step(w);
}

/* Words at the beginning of a line that make it something else than an expression. */
static bool begins_statement(const struct walk *w)
{
    static const char *const words[] = {"assert", "async",  "break", "class",  "continue", "def",
                                        "del",    "elif",   "else",  "except", "finally",  "for",
                                        "from",   "global", "if",    "import", "nonlocal", "pass",
                                        "raise",  "return", "try",   "while",  "with"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        size_t len = strlen(words[i]);
        if ((size_t)(w->end - w->start) >= len && memcmp(w->start, words[i], len) == 0 &&
            (w->start + len == w->end || !is_name_byte(w->start[len]))) {
            return true;
        }
    }
    return false;
}

static enum shape_kind kind_of(const struct walk *w)
{
    if (w->start == NULL || w->depth > 0 || w->has_semicolon) {
        return SHAPE_UNSURE;
    }
    if (w->indented || begins_statement(w)) { /* the end of a block, or no expression at all */
        return SHAPE_STATEMENTS;
    }
    if (w->has_colon) { /* a lambda, or an annotation */
        return SHAPE_UNSURE;
    }
    if (w->assigns) {
        return SHAPE_STATEMENTS;
    }
    bool usual = is_name_byte(*w->start) || is_one_of(*w->start, "'\"([{+-~.");
    return usual ? SHAPE_VALUE : SHAPE_UNSURE;
}

struct shape shape_of(struct slice code)
{
    struct walk w = {.first = code.data, .at = code.data, .end = code.data + code.len};
    begin_line(&w);
    while (w.at < w.end) {
        if (!walk_on(&w)) {
            return (struct shape){.kind = SHAPE_UNSURE};
        }
    }
    size_t tail = w.start != NULL ? (size_t)(w.start - w.first) : 0;
    return (struct shape){.kind = kind_of(&w), .tail = tail, .line = w.start_line};
}
