/* SPDX-License-Identifier: MIT */
#include "kernel/cli/registry.h"

#include <dirent.h>
#include <string.h>

#include "base/mem.h"
#include "kernel/cli/jsonout.h"
#include "kernel/cli/jupyter_paths.h"
#include "kernel/cli/paths.h"

/* Kernels of every owner shadow one another, so all names count. */
static bool seen_before(struct words *seen, const char *name)
{
    if (words_has(seen, name)) {
        return true;
    }
    words_add(seen, name);
    return false;
}

static void add(struct registry *r, const struct python_build *build, struct registered found)
{
    found.program_ok = found.spec.program != NULL && path_is_program(found.spec.program);
    if (found.spec.python != NULL) {
        _cleanup_(drop_interpreter) struct interpreter in = {0};
        interpreter_inspect(build, found.spec.python, &in);
        found.python_problem = interpreter_problem(build, &in);
    }
    r->items = xrealloc(r->items, r->count + 1, sizeof *r->items);
    r->items[r->count] = found;
    r->count += 1;
}

static bool is_kernel(const char *folder)
{
    _cleanup_(drop_free) char *file = path_join(folder, "kernel.json");
    return access(file, F_OK) == 0;
}

static void read_folder(struct registry *r, const struct python_build *build, const char *kernels,
                        struct words *seen)
{
    struct dirent **entries = NULL;
    int count = scandir(kernels, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        _cleanup_(drop_free) struct dirent *entry = entries[i];
        _cleanup_(drop_free) char *folder = path_join(kernels, entry->d_name);
        if (entry->d_name[0] == '.' || !is_kernel(folder)) {
            continue;
        }
        bool shadowed = seen_before(seen, entry->d_name);
        struct kernelspec spec = {0};
        if (kernelspec_read(folder, &spec) != KERNELSPEC_OURS) {
            continue;
        }
        add(r, build,
            (struct registered){.name = xstrdup(entry->d_name),
                                .folder = take(folder),
                                .spec = spec,
                                .shadowed = shadowed});
    }
    free(entries);
}

void registry_read(const struct python_build *build, char *const *env, struct registry *out)
{
    *out = (struct registry){0};
    _cleanup_(drop_words) struct words folders = {0};
    _cleanup_(drop_words) struct words seen = {0};
    jupyter_search(env, &folders);
    for (size_t i = 0; i < folders.count; i++) {
        read_folder(out, build, folders.items[i], &seen);
    }
}

void registry_done(struct registry *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->items[i].name);
        free(r->items[i].folder);
        free(r->items[i].python_problem);
        kernelspec_done(&r->items[i].spec);
    }
    free(r->items);
    *r = (struct registry){0};
}

json_t *registry_json(const struct registry *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->count; i++) {
        const struct registered *k = &r->items[i];
        json_t *item = json_pack(
            "{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:b, s:b}", /* steals */
            "name", jsonout_text(k->name), "display_name", jsonout_text(k->spec.display_name),
            "directory", jsonout_text(k->folder), "language", jsonout_text(k->spec.language),
            "version", jsonout_text(k->spec.version), "program", jsonout_text(k->spec.program),
            "program_ok", k->program_ok, "python", jsonout_text(k->spec.python), "python_ok",
            k->python_problem == NULL, "shadowed", k->shadowed);
        json_array_append_new(list, item);
    }
    return list;
}
