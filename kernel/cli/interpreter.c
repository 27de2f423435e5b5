/* SPDX-License-Identifier: MIT */
#include "kernel/cli/interpreter.h"

#include <ctype.h>
#include <string.h>

#include "base/bounds.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/mem.h"
#include "kernel/cli/commands.h"
#include "kernel/cli/paths.h"

const struct python_build python_of_build = {.path = PANDIA_PYTHON,
                                             .version = PANDIA_PYTHON_VERSION};

/* What a pyvenv.cfg says; members are NULL where it does not. */
struct venv {
    char *home;    /* folder of the interpreter it was made with */
    char *version; /* "3.11.2" (venv) or "3.11.2.final.0" (virtualenv) */
};

static void venv_done(struct venv *v)
{
    free(v->home);
    free(v->version);
}

DEFINE_DROP_VALUE(venv, struct venv, venv_done)

static struct slice trim(struct slice s)
{
    while (s.len > 0 && isspace((unsigned char)s.data[0])) {
        s.data += 1;
        s.len -= 1;
    }
    while (s.len > 0 && isspace((unsigned char)s.data[s.len - 1])) {
        s.len -= 1;
    }
    return s;
}

/* Digits and dots only, at most three numbers: "3.11.2.final.0" becomes "3.11.2". */
static char *short_version(struct slice s)
{
    size_t len = 0;
    int dots = 0;
    while (len < s.len && (isdigit((unsigned char)s.data[len]) || s.data[len] == '.')) {
        dots += s.data[len] == '.';
        if (dots == 3) {
            break;
        }
        len += 1;
    }
    while (len > 0 && s.data[len - 1] == '.') {
        len -= 1;
    }
    return len > 0 ? xstrndup(s.data, len) : NULL;
}

static bool key_is(struct slice key, const char *name)
{
    return key.len == strlen(name) && strncasecmp(key.data, name, key.len) == 0;
}

static void read_line(struct venv *v, struct slice line)
{
    const char *equals = memchr(line.data, '=', line.len);
    if (equals == NULL) {
        return;
    }
    size_t at = (size_t)(equals - line.data);
    struct slice key = trim((struct slice){.data = line.data, .len = at});
    struct slice value = trim((struct slice){.data = equals + 1, .len = line.len - at - 1});
    if (key_is(key, "home") && v->home == NULL) {
        v->home = xstrndup(value.data, value.len);
    }
    if ((key_is(key, "version") || key_is(key, "version_info")) && v->version == NULL) {
        v->version = short_version(value);
    }
}

/* CPython looks for the file in the interpreter's folder, then in the one above it. Gives the
 * folder that has it, with `*v` filled; NULL when this is no virtual environment. */
static char *venv_find(const char *interpreter, struct venv *v)
{
    _cleanup_(drop_free) char *bin = path_parent(interpreter);
    _cleanup_(drop_free) char *above = path_parent(bin);
    char **folders[] = {&bin, &above};
    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        _cleanup_(drop_free) char *file = path_join(*folders[i], "pyvenv.cfg");
        _cleanup_(drop_buf) struct buf text = BUF_INIT(CONFIG_FILE_MAX);
        if (fd_read_file(file, &text, NULL) < 0) {
            continue;
        }
        const char *at = buf_text(&text);
        while (*at != '\0') {
            size_t len = strcspn(at, "\n");
            read_line(v, (struct slice){.data = at, .len = len});
            at += len + (at[len] == '\n');
        }
        return take(*folders[i]);
    }
    return NULL;
}

/* Length of "3.11" in "3.11.2". */
static size_t minor_len(const char *version)
{
    const char *dot = strchr(version, '.');
    return dot == NULL ? strlen(version) : (size_t)(dot - version) + 1 + strcspn(dot + 1, ".");
}

static bool same_minor(const char *a, const char *b)
{
    size_t len = minor_len(a);
    return len == minor_len(b) && strncmp(a, b, len) == 0;
}

/* True when the folder `home` holds the build's own interpreter under one of its usual names.
 * It is the file that counts: "/usr/bin" and "/bin" are one folder on merged systems. */
static bool home_is_of(const struct python_build *build, const char *home)
{
    _cleanup_(drop_free) char *real = path_real(build->path);
    if (real == NULL) {
        return false;
    }
    const char *names[] = {path_name(real), path_name(build->path), "python3", "python"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        _cleanup_(drop_free) char *candidate = path_join(home, names[i]);
        if (path_same(candidate, real)) {
            return true;
        }
    }
    return false;
}

/* An environment is of the build when its home holds the build's interpreter, the minor version
 * is the same, and its own interpreter leads there: as a link, or as a copy in the environment. */
static bool venv_is_of(const struct python_build *build, const char *interpreter,
                       const struct venv *v)
{
    if (v->home == NULL || !home_is_of(build, v->home)) {
        return false;
    }
    if (v->version != NULL && !same_minor(v->version, build->version)) {
        return false;
    }
    if (path_same(interpreter, build->path)) {
        return true;
    }
    _cleanup_(drop_free) char *real = path_real(interpreter);
    _cleanup_(drop_free) char *real_folder = real != NULL ? path_parent(real) : NULL;
    _cleanup_(drop_free) char *folder = path_parent(interpreter);
    bool copied = real_folder != NULL && path_same(real_folder, folder);
    return copied && v->version != NULL;
}

/* The version in a file name such as "python3.12", for builds that have no pyvenv.cfg. */
static char *version_of_name(const char *interpreter)
{
    _cleanup_(drop_free) char *real = path_real(interpreter);
    static const char stem[] = "python";
    const char *name = real != NULL ? path_name(real) : "";
    if (strncmp(name, stem, sizeof stem - 1) != 0 || strchr(name, '.') == NULL) {
        return NULL;
    }
    return short_version(slice_of(name + sizeof stem - 1));
}

/* Takes `path`. */
static void look_at(const struct python_build *build, char *path, enum interpreter_origin origin,
                    struct interpreter *out)
{
    *out = (struct interpreter){.origin = origin, .state = INTERPRETER_MISSING, .path = path};
    if (!path_is_program(path)) {
        return;
    }
    _cleanup_(drop_venv) struct venv v = {0};
    out->prefix = venv_find(path, &v);
    bool same_file = path_same(path, build->path);
    bool own = out->prefix != NULL ? venv_is_of(build, path, &v) : same_file;
    out->state = own ? INTERPRETER_SERVED : INTERPRETER_FOREIGN;
    if (v.version != NULL) {
        out->version = take(v.version);
    } else {
        out->version = own ? xstrdup(build->version) : version_of_name(path);
    }
}

/* Gives the interpreter in an environment's folder, or the file itself. */
static char *interpreter_in(const char *path)
{
    _cleanup_(drop_free) char *absolute = path_absolute(path);
    if (!path_is_folder(absolute)) {
        return take(absolute);
    }
    _cleanup_(drop_free) char *python3 = path_join(absolute, "bin/python3");
    _cleanup_(drop_free) char *python = path_join(absolute, "bin/python");
    return path_is_program(python) && !path_is_program(python3) ? take(python) : take(python3);
}

void interpreter_choose(const struct python_build *build, const char *option, char *const *env,
                        struct interpreter *out)
{
    const struct {
        const char *path;
        enum interpreter_origin origin;
    } sources[] = {
        {option, INTERPRETER_FROM_OPTION},
        {env_get(env, "VIRTUAL_ENV"), INTERPRETER_FROM_VIRTUAL_ENV},
        {env_get(env, "CONDA_PREFIX"), INTERPRETER_FROM_CONDA},
    };

    for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
        if (sources[i].path != NULL) {
            look_at(build, interpreter_in(sources[i].path), sources[i].origin, out);
            return;
        }
    }
    look_at(build, xstrdup(build->path), INTERPRETER_FROM_BUILD, out);
}

void interpreter_inspect(const struct python_build *build, const char *path,
                         struct interpreter *out)
{
    look_at(build, interpreter_in(path), INTERPRETER_FROM_OPTION, out);
}

void interpreter_choose_lenient(const struct python_build *build, const char *option,
                                char *const *env, struct interpreter *out, char **warning)
{
    *warning = NULL;
    interpreter_choose(build, option, env, out);
    bool around =
        out->origin == INTERPRETER_FROM_VIRTUAL_ENV || out->origin == INTERPRETER_FROM_CONDA;
    if (!around || out->state == INTERPRETER_SERVED) {
        return;
    }
    _cleanup_(drop_free) char *problem = interpreter_problem(build, out);
    *warning = xasprintf("%s; %s runs instead", problem, build->path);
    interpreter_done(out);
    look_at(build, xstrdup(build->path), INTERPRETER_FROM_BUILD, out);
}

char *interpreter_problem(const struct python_build *build, const struct interpreter *in)
{
    const char *origin = interpreter_origin_text(in->origin);
    switch (in->state) {
    case INTERPRETER_SERVED:
        return NULL;
    case INTERPRETER_MISSING:
        if (in->origin == INTERPRETER_FROM_BUILD) {
            return xasprintf("no Python at %s, which this build embeds: install it again",
                             in->path);
        }
        return xasprintf("no Python at %s (%s): give --python the path of an interpreter or of "
                         "an environment, for example --python %s",
                         in->path, origin, build->path);
    case INTERPRETER_FOREIGN:
        return xasprintf("%s (%s) is another build of Python%s%s, not served yet: use --python "
                         "%s, or an environment made by '%s -m venv DIR'",
                         in->path, origin, in->version != NULL ? ", " : "",
                         in->version != NULL ? in->version : "", build->path, build->path);
    }
    return NULL;
}

const char *interpreter_origin_text(enum interpreter_origin origin)
{
    switch (origin) {
#define X(upper, text)                                                                             \
    case INTERPRETER_FROM_##upper:                                                                 \
        return text;
        INTERPRETER_ORIGIN_MAP(X)
#undef X
    }
    return "";
}

void interpreter_done(struct interpreter *in)
{
    free(in->path);
    free(in->prefix);
    free(in->version);
    *in = (struct interpreter){0};
}
