/* SPDX-License-Identifier: MIT */
/* js_bytecode.c - build tool: compiles JavaScript files with the very QuickJS that will run them
 * and writes them as one pack (js_pack.h reads it).
 *
 *   js_bytecode OUTPUT NAME=FILE[+PATCH]...
 *
 * Each file becomes the body of a function (exports, require, module, native, globalThis), as a
 * CommonJS module is. Files that it requires by a relative name (core-js is hundreds of them) are
 * compiled too, under the name they have beside it. PATCH is a JSON array of [text, replacement];
 * each text must occur exactly once, so that another version of the file cannot slip through. */
#include <stdio.h>

#include <quickjs.h>

#include "base/buf.h"
#include "base/mem.h"

static const char head[] = "(function (exports, require, module, native, globalThis) {";
static const char tail[] = "\n})";

enum { SOURCE_MAX = 64 << 20 };

static _Noreturn void die(const char *what, const char *name)
{
    (void)fprintf(stderr, "js_bytecode: %s: %s\n", name, what);
    exit(1);
}

static _Noreturn void die_of_exception(JSContext *ctx, const char *name)
{
    JSValue error = JS_GetException(ctx);
    const char *text = JS_ToCString(ctx, error);
    JSValue stack = JS_GetPropertyStr(ctx, error, "stack");
    const char *where = JS_ToCString(ctx, stack);
    (void)fprintf(stderr, "%s\n", where != NULL ? where : "");
    die(text != NULL ? text : "exception", name);
}

static void read_file(const char *path, struct buf *out)
{
    char block[65536];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        die("cannot be read", path);
    }
    for (size_t n = 1; n > 0;) {
        n = fread(block, 1, sizeof block, file);
        buf_add(out, block, n);
    }
    (void)fclose(file); /* only read */
    if (out->full) {
        die("is too large", path);
    }
}

static const char *find(const struct buf *text, size_t from, const char *what)
{
    return memmem(text->data + from, text->len - from, what, strlen(what));
}

static void replace_once(struct buf *text, const char *what, const char *with, const char *path)
{
    struct buf out = BUF_INIT(SOURCE_MAX);
    const char *at = find(text, 0, what);
    if (at == NULL) {
        die(what, path);
    }
    size_t before = (size_t)(at - text->data);
    size_t after = before + strlen(what);
    if (find(text, after, what) != NULL) {
        die("a text of the patch occurs twice", path);
    }
    buf_add(&out, text->data, before);
    buf_add_text(&out, with);
    buf_add(&out, text->data + after, text->len - after);
    buf_done(text);
    *text = out;
}

static char *pair_text(JSContext *ctx, JSValueConst pair, uint32_t index, const char *path)
{
    JSValue value = JS_GetPropertyUint32(ctx, pair, index);
    const char *text = JS_ToCString(ctx, value);
    if (text == NULL || !JS_IsString(value)) {
        die("a patch is an array of [text, replacement]", path);
    }
    char *copy = xstrdup(text);
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, value);
    return copy;
}

static void patch(JSContext *ctx, struct buf *text, const char *path)
{
    struct buf json = BUF_INIT(SOURCE_MAX);
    int64_t count = 0;
    read_file(path, &json);
    JSValue pairs = JS_ParseJSON(ctx, buf_text(&json), json.len, path);
    if (JS_IsException(pairs) || JS_GetLength(ctx, pairs, &count) < 0) {
        die_of_exception(ctx, path);
    }
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        JSValue pair = JS_GetPropertyUint32(ctx, pairs, i);
        char *what = pair_text(ctx, pair, 0, path);
        char *with = pair_text(ctx, pair, 1, path);
        replace_once(text, what, with, path);
        free(what);
        free(with);
        JS_FreeValue(ctx, pair);
    }
    JS_FreeValue(ctx, pairs);
    buf_done(&json);
}

static void write_entry(FILE *out, const char *name, const uint8_t *code, size_t len)
{
    uint32_t lengths[2] = {(uint32_t)strlen(name), (uint32_t)len};
    if (fwrite(lengths, sizeof lengths, 1, out) != 1 || fwrite(name, lengths[0], 1, out) != 1 ||
        fwrite(code, len, 1, out) != 1) {
        die("cannot be written", name);
    }
}

/* File and line of our own code stay, to keep its frames out of the stacks that users see; large
 * parts that users never meet lose them. */
static int write_flags(const char *name)
{
    bool bare = strcmp(name, "npm/typescript") == 0 || strcmp(name, "npm/acorn") == 0;
    return JS_WRITE_OBJ_BYTECODE | JS_WRITE_OBJ_STRIP_SOURCE |
           (bare ? JS_WRITE_OBJ_STRIP_DEBUG : 0);
}

static void compile(JSContext *ctx, FILE *out, const char *name, const char *path,
                    const char *patch_path);

/* Names already written; a build compiles some two hundred. */
struct names {
    char *items[1024];
    size_t count;
};

static bool is_new(struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0) {
            return false;
        }
    }
    if (names->count == ARRAY_LEN(names->items)) {
        die("too many modules", name);
    }
    names->items[names->count++] = xstrdup(name);
    return true;
}

/* "a/b/c" and "../d/e" give "a/d/e". */
static char *beside(const char *base, struct slice relative)
{
    struct buf out = BUF_INIT(SOURCE_MAX);
    size_t len = strlen(base);
    for (int levels = 0; levels < 2 && len > 0; levels++) {
        do {
            len--;
        } while (len > 0 && base[len] != '/');
    }
    buf_add(&out, base, len);
    buf_add(&out, relative.data + 2, relative.len - 2); /* behind the dots */
    return out.data;
}

static void compile_required(JSContext *ctx, FILE *out, const char *name, const char *path,
                             const struct buf *text)
{
    static const char call[] = "require('";
    static struct names names;
    (void)is_new(&names, name);
    for (const char *at = find(text, 0, call); at != NULL;
         at = find(text, (size_t)(at - text->data) + 1, call)) {
        const char *begin = at + strlen(call);
        struct slice relative = {.data = begin, .len = strcspn(begin, "'")};
        if (strncmp(begin, "../", 3) != 0) {
            continue;
        }
        char *other = beside(name, relative);
        char *file = beside(path, relative);
        char with_suffix[4096];
        (void)snprintf(with_suffix, sizeof with_suffix, "%s.js", file);
        if (is_new(&names, other)) {
            compile(ctx, out, other, with_suffix, NULL);
        }
        free(other);
        free(file);
    }
}

static void compile(JSContext *ctx, FILE *out, const char *name, const char *path,
                    const char *patch_path)
{
    struct buf text = BUF_INIT(SOURCE_MAX);
    struct buf source = BUF_INIT(SOURCE_MAX);
    char label[256];
    size_t len = 0;
    read_file(path, &text);
    if (patch_path != NULL) {
        patch(ctx, &text, patch_path);
    }
    if (strncmp(name, "npm/core-js/", 12) == 0) {
        compile_required(ctx, out, name, path, &text);
    }
    buf_add_text(&source, head);
    buf_add_slice(&source, buf_slice(&text));
    buf_add_text(&source, tail);
    (void)snprintf(label, sizeof label, "pandia:%s", name);
    JSValue code = JS_Eval(ctx, buf_text(&source), source.len, label,
                           JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_COMPILE_ONLY);
    if (JS_IsException(code)) {
        die_of_exception(ctx, name);
    }
    uint8_t *bytes = JS_WriteObject(ctx, &len, code, write_flags(name));
    if (bytes == NULL) {
        die_of_exception(ctx, name);
    }
    write_entry(out, name, bytes, len);
    js_free(ctx, bytes);
    JS_FreeValue(ctx, code);
    buf_done(&text);
    buf_done(&source);
}

/* NAME=FILE[+PATCH] */
static void compile_argument(JSContext *ctx, FILE *out, const char *argument)
{
    char *name = xstrdup(argument);
    char *path = strchr(name, '=');
    if (path == NULL) {
        die("is not NAME=FILE", argument);
    }
    *path++ = '\0';
    char *patch_path = strchr(path, '+');
    if (patch_path != NULL) {
        *patch_path++ = '\0';
    }
    compile(ctx, out, name, path, patch_path);
    free(name);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        die("usage: js_bytecode OUTPUT NAME=FILE[+PATCH]...", "arguments");
    }
    FILE *out = fopen(argv[1], "wb");
    JSRuntime *rt = JS_NewRuntime();
    JSContext *ctx = rt ? JS_NewContext(rt) : NULL;
    if (out == NULL || ctx == NULL) {
        die("cannot be made", argv[1]);
    }
    for (int i = 2; i < argc; i++) {
        compile_argument(ctx, out, argv[i]);
    }
    if (fclose(out) != 0) {
        die("cannot be written", argv[1]);
    }
    JS_FreeContext(ctx);
    JS_FreeRuntime(rt);
    return 0;
}
