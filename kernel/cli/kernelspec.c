/* SPDX-License-Identifier: MIT */
#include "kernel/cli/kernelspec.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/mem.h"
#include "kernel/cli/paths.h"

static const char kernel_json[] = "kernel.json";

static int load(const char *folder, json_t **out, struct err *e)
{
    _cleanup_(drop_free) char *file = path_join(folder, kernel_json);
    _cleanup_(drop_buf) struct buf text = BUF_INIT(CONFIG_FILE_MAX);
    if (fd_read_file(file, &text, e) < 0) {
        return -1;
    }
    if (json_parse(buf_slice(&text), out, e) < 0) {
        return err_wrap(e, "%s", file);
    }
    return 0;
}

/* Jansson takes only UTF-8, and so does Jupyter; a path need not be any. */
static int append_text(json_t *array, const char *text, struct err *e)
{
    if (json_array_append_new(array, json_string(text)) < 0) {
        return err_set(e, ERR_INPUT, "'%s' is not UTF-8, which kernel.json needs: rename it", text);
    }
    return 0;
}

/* Nothing for a value of NULL. */
static int append_option(json_t *array, const char *name, const char *value, struct err *e)
{
    if (value == NULL) {
        return 0;
    }
    return append_text(array, name, e) < 0 || append_text(array, value, e) < 0 ? -1 : 0;
}

static int tailor_argv(json_t *spec, const struct kernelspec_order *order, struct err *e)
{
    json_t *argv = json_object_get(spec, "argv"); /* borrowed */
    if (json_array_size(argv) == 0) {
        return err_set(e, ERR_STATE, "%s/%s has no argv: reinstall pandia", order->template_folder,
                       kernel_json);
    }
    if (json_array_set_new(argv, 0, json_string(order->program)) < 0) {
        return err_set(e, ERR_INPUT, "'%s' is not UTF-8, which kernel.json needs: move pandia",
                       order->program);
    }
    return append_option(argv, "--python", order->python, e) < 0 ||
                   append_option(argv, "--preload", order->preload, e) < 0
               ? -1
               : 0;
}

static int tailor(json_t *spec, const struct kernelspec_order *order, struct err *e)
{
    if (tailor_argv(spec, order, e) < 0) {
        return -1;
    }
    if (order->display_name != NULL &&
        json_object_set_new(spec, "display_name", json_string(order->display_name)) < 0) {
        return err_set(e, ERR_INPUT, "--display-name is not UTF-8: write it in UTF-8");
    }
    json_t *metadata = json_object_get(spec, "metadata"); /* borrowed */
    if (!json_is_object(metadata)) {
        metadata = json_object();
        json_object_set_new(spec, "metadata", metadata);
    }
    json_t *mark = json_pack("{s:s, s:s, s:s?}", "version", PANDIA_VERSION, "language",
                             order->language, "python", order->python);
    if (mark == NULL || json_object_set_new(metadata, "pandia", mark) < 0) {
        return err_set(e, ERR_STATE, "kernel.json cannot be written");
    }
    return 0;
}

static int write_spec(const json_t *spec, const char *folder, struct err *e)
{
    _cleanup_(drop_free) char *file = path_join(folder, kernel_json);
    _cleanup_(drop_free) char *text = json_dumps(spec, JSON_INDENT(2));
    if (text == NULL) {
        return err_set(e, ERR_STATE, "kernel.json cannot be written");
    }
    _cleanup_(drop_free) char *line = xasprintf("%s\n", text);
    return fd_write_file(file, slice_of(line), 0644, e);
}

static int copy_file(const char *from_folder, const char *name, const char *to_folder,
                     struct err *e)
{
    _cleanup_(drop_free) char *from = path_join(from_folder, name);
    _cleanup_(drop_free) char *to = path_join(to_folder, name);
    struct stat st;
    if (stat(from, &st) < 0 || !S_ISREG(st.st_mode)) {
        return 0;
    }
    _cleanup_(drop_buf) struct buf bytes = BUF_INIT(CONFIG_FILE_MAX);
    if (fd_read_file(from, &bytes, e) < 0) {
        return -1;
    }
    return fd_write_file(to, buf_slice(&bytes), 0644, e);
}

static void drop_dir(DIR **dir)
{
    if (*dir != NULL) {
        closedir(*dir);
    }
}

/* Logos and whatever else lies beside kernel.json. */
static int copy_others(const char *from, const char *to, struct err *e)
{
    _cleanup_(drop_dir) DIR *dir = opendir(from);
    if (dir == NULL) {
        return err_sys(e, "%s", from);
    }
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, kernel_json) == 0) {
            continue;
        }
        if (copy_file(from, entry->d_name, to, e) < 0) {
            return -1;
        }
    }
    return 0;
}

int kernelspec_fill(const struct kernelspec_order *order, const char *folder, struct err *e)
{
    json_auto_t *spec = NULL;
    if (load(order->template_folder, &spec, e) < 0) {
        return err_wrap(e, "template (reinstall pandia)");
    }
    if (tailor(spec, order, e) < 0 || copy_others(order->template_folder, folder, e) < 0) {
        return -1;
    }
    return write_spec(spec, folder, e);
}

/* Gives a copy of a text member; NULL when it is absent or no text. */
static char *copy_member(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? xstrdup(text) : NULL;
}

enum kernelspec_owner kernelspec_read(const char *folder, struct kernelspec *out)
{
    struct stat st;
    if (lstat(folder, &st) < 0) {
        return errno == ENOENT || errno == ENOTDIR ? KERNELSPEC_ABSENT : KERNELSPEC_FOREIGN;
    }
    json_auto_t *spec = NULL;
    /* We make folders; a link was made by somebody else, whatever it leads to. */
    if (!S_ISDIR(st.st_mode) || load(folder, &spec, NULL) < 0) {
        return KERNELSPEC_FOREIGN;
    }
    const json_t *mark = json_object_get(json_object_get(spec, "metadata"), "pandia");
    if (!json_is_object(mark)) {
        return KERNELSPEC_FOREIGN;
    }
    if (out != NULL) {
        const char *program = json_string_value(json_array_get(json_object_get(spec, "argv"), 0));
        *out = (struct kernelspec){
            .display_name = copy_member(spec, "display_name"),
            .program = program != NULL ? xstrdup(program) : NULL,
            .language = copy_member(mark, "language"),
            .version = copy_member(mark, "version"),
            .python = copy_member(mark, "python"),
        };
    }
    return KERNELSPEC_OURS;
}

void kernelspec_done(struct kernelspec *k)
{
    free(k->display_name);
    free(k->program);
    free(k->language);
    free(k->version);
    free(k->python);
    *k = (struct kernelspec){0};
}
