/* SPDX-License-Identifier: MIT */
#include "contexts/pool/nursery.h"

#include <string.h>
#include <sys/queue.h>

#include "base/bounds.h"
#include "base/log.h"
#include "base/mem.h"

enum zygote_kind { ZYGOTE_BARE, ZYGOTE_WARM };

struct entry {
    LIST_ENTRY(entry) link;
    struct zygote *zygote;
    size_t language;
    enum zygote_kind kind;
    bool retired; /* it gets no more requests */
};

/* What is known of preloading in one language. */
struct preloading {
    int failures; /* warm zygotes that ended without having been of use, in a row */
    bool left_out[PRELOAD_MAX];
};

struct nursery {
    struct loop *loop;
    struct nursery_options options;
    const struct nursery_sink *sink;
    void *arg;
    LIST_HEAD(, entry) entries;    /* some of them may have ended and wait to be reaped */
    struct preloading *preloading; /* by language */
    bool closing;                  /* no warm one is started any more */
};

static struct entry *entry_of(const struct nursery *n, const struct zygote *zygote)
{
    struct entry *entry = NULL;
    LIST_FOREACH (entry, &n->entries, link) {
        if (entry->zygote == zygote) {
            return entry;
        }
    }
    return NULL;
}

/* Lends the usable one of the kind, NULL when none runs. One that has ended and waits to be reaped
 * does not stand in the way of the next. */
static struct zygote *find(const struct nursery *n, size_t language, enum zygote_kind kind)
{
    struct entry *entry = NULL;
    LIST_FOREACH (entry, &n->entries, link) {
        if (entry->language == language && entry->kind == kind && !entry->retired &&
            zygote_is_usable(entry->zygote)) {
            return entry->zygote;
        }
    }
    return NULL;
}

static void start_warm(struct nursery *n, size_t language);

static void on_ready(void *arg, struct zygote *zygote)
{
    struct nursery *n = arg;
    const struct entry *entry = entry_of(n, zygote);
    if (entry != NULL && entry->kind == ZYGOTE_BARE) {
        start_warm(n, entry->language); /* not sooner: it would only delay this one */
    }
}

static void on_forked(void *arg, uint64_t ticket, pid_t pid, int pidfd)
{
    struct nursery *n = arg;
    n->sink->forked(n->arg, ticket, pid, pidfd);
}

static void on_failed(void *arg, uint64_t ticket, const char *why)
{
    struct nursery *n = arg;
    n->sink->failed(n->arg, ticket, why);
}

static void on_exited(void *arg, uint64_t ticket, const struct wire_exited *exited)
{
    struct nursery *n = arg;
    n->sink->exited(n->arg, ticket, exited);
}

static void leave_out(struct nursery *n, size_t language, const char *module)
{
    const struct pool_language *l = &n->options.languages[language];
    for (size_t i = 0; i < l->preload_count; i++) {
        if (strcmp(l->preload[i], module) == 0) {
            n->preloading[language].left_out[i] = true;
        }
    }
}

static void start_warm_again(struct nursery *n, size_t language, const char *blamed,
                             const char *why)
{
    struct preloading *preloading = &n->preloading[language];
    if (blamed != NULL) {
        leave_out(n, language, blamed);
    }
    if (++preloading->failures > ZYGOTE_RETRY_MAX) {
        log_warn("pool", "preloading given up", "language=%s failures=%d why=\"%s\"",
                 n->options.languages[language].name, preloading->failures, why);
        return;
    }
    start_warm(n, language);
}

static void on_gone(void *arg, struct zygote *zygote, const char *why)
{
    struct nursery *n = arg;
    struct entry *entry = entry_of(n, zygote); /* from its start until here there is one */
    size_t language = entry->language;
    bool was_warm = entry->kind == ZYGOTE_WARM && !entry->retired;
    LIST_REMOVE(entry, link);
    free(entry);
    if (was_warm && !n->closing) {
        start_warm_again(n, language, zygote_blamed(zygote), why);
    }
    n->sink->gone(n->arg, zygote, why);
    zygote_free(zygote);
}

static const struct zygote_sink zygote_events = {.ready = on_ready,
                                                 .forked = on_forked,
                                                 .failed = on_failed,
                                                 .exited = on_exited,
                                                 .gone = on_gone};

static int start(struct nursery *n, size_t language, enum zygote_kind kind, const char *const *argv,
                 struct err *e)
{
    const struct pool_language *l = &n->options.languages[language];
    struct zygote *zygote = NULL;
    struct zygote_options options = {.language = l->name,
                                     .path = l->worker_path,
                                     .argv = argv,
                                     .lifeline_fd = n->options.lifeline_fd,
                                     .descriptor_limit = n->options.descriptor_limit,
                                     .preload_ms = n->options.preload_ms};
    if (zygote_start(n->loop, &options, &zygote_events, n, &zygote, e) < 0) {
        return -1;
    }
    struct entry *entry = xcalloc(1, sizeof *entry);
    entry->zygote = zygote;
    entry->language = language;
    entry->kind = kind;
    LIST_INSERT_HEAD(&n->entries, entry, link);
    return 0;
}

/* Appends the modules that are not left out, comma-separated. */
static void add_modules(const struct nursery *n, size_t language, struct buf *list)
{
    const struct pool_language *l = &n->options.languages[language];
    for (size_t i = 0; i < l->preload_count && i < PRELOAD_MAX; i++) {
        if (!n->preloading[language].left_out[i]) {
            buf_addf(list, "%s%s", list->len > 0 ? "," : "", l->preload[i]);
        }
    }
}

static void start_warm(struct nursery *n, size_t language)
{
    const struct pool_language *l = &n->options.languages[language];
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf list = BUF_INIT(PRELOAD_MAX * (MODULE_NAME_MAX + 1));
    add_modules(n, language, &list);
    if (n->closing || list.len == 0 || find(n, language, ZYGOTE_WARM) != NULL ||
        n->preloading[language].failures > ZYGOTE_RETRY_MAX) {
        return;
    }
    size_t count = 0;
    while (l->argv[count] != NULL) {
        count++;
    }
    _cleanup_(drop_free) const char **argv = xcalloc(count + 3, sizeof *argv);
    memcpy(argv, l->argv, count * sizeof *argv);
    argv[count] = "--preload";
    argv[count + 1] = buf_text(&list);
    if (start(n, language, ZYGOTE_WARM, argv, &e) < 0) {
        n->preloading[language].failures = ZYGOTE_RETRY_MAX + 1;
        log_warn("pool", "preloading given up", "language=%s why=\"%s\"", l->name, e.text);
    }
}

struct nursery *nursery_new(struct loop *loop, const struct nursery_options *options,
                            const struct nursery_sink *sink, void *arg)
{
    struct nursery *n = xcalloc(1, sizeof *n);
    n->loop = loop;
    n->options = *options;
    n->sink = sink;
    n->arg = arg;
    n->preloading = xcalloc(options->language_count + 1, sizeof *n->preloading);
    LIST_INIT(&n->entries);
    return n;
}

void nursery_free(struct nursery *n)
{
    while (!LIST_EMPTY(&n->entries)) {
        struct entry *entry = LIST_FIRST(&n->entries);
        LIST_REMOVE(entry, link);
        zygote_free(entry->zygote);
        free(entry);
    }
    free(n->preloading);
    free(n);
}

/* Index of the language; the number of languages when it is none of them. */
static size_t language_index(const struct nursery *n, const char *language)
{
    size_t i = 0;
    while (i < n->options.language_count && strcmp(n->options.languages[i].name, language) != 0) {
        i++;
    }
    return i;
}

int nursery_check_language(const struct nursery *n, const char *language, struct err *e)
{
    if (language_index(n, language) < n->options.language_count) {
        return 0;
    }
    _cleanup_(drop_buf) struct buf known = BUF_INIT(MSG_FIELD_MAX);
    for (size_t i = 0; i < n->options.language_count; i++) {
        buf_addf(&known, "%s%s", i > 0 ? ", " : "", n->options.languages[i].name);
    }
    return err_set(e, ERR_INPUT, "unknown language '%.60s'; this build has: %s", language,
                   buf_text(&known));
}

/* Lends the warm zygote once it is ready, NULL before. */
static struct zygote *ready_warm(const struct nursery *n, size_t language)
{
    struct zygote *warm = find(n, language, ZYGOTE_WARM);
    return warm != NULL && zygote_hello(warm) != NULL ? warm : NULL;
}

int nursery_pick(struct nursery *n, const char *language, struct zygote **out, struct err *e)
{
    size_t i = language_index(n, language);
    if (nursery_check_language(n, language, e) < 0) {
        return -1;
    }
    struct zygote *zygote = ready_warm(n, i);
    if (zygote != NULL) {
        n->preloading[i].failures = 0;
        *out = zygote;
        return 0;
    }
    if (find(n, i, ZYGOTE_BARE) == NULL &&
        start(n, i, ZYGOTE_BARE, n->options.languages[i].argv, e) < 0) {
        return -1;
    }
    *out = find(n, i, ZYGOTE_BARE);
    return 0;
}

const struct wire_hello *nursery_hello(const struct nursery *n, const char *language)
{
    size_t i = language_index(n, language);
    const struct zygote *zygote = ready_warm(n, i);
    zygote = zygote != NULL ? zygote : find(n, i, ZYGOTE_BARE);
    return zygote != NULL ? zygote_hello(zygote) : NULL;
}

struct zygote *nursery_by_pid(const struct nursery *n, pid_t pid)
{
    struct entry *entry = NULL;
    LIST_FOREACH (entry, &n->entries, link) {
        if (zygote_pid(entry->zygote) == pid) {
            return entry->zygote;
        }
    }
    return NULL;
}

bool nursery_retire(struct nursery *n, const struct zygote *zygote, const char *why)
{
    struct entry *entry = entry_of(n, zygote);
    if (entry == NULL || entry->kind != ZYGOTE_WARM) {
        return false;
    }
    entry->retired = true;
    n->preloading[entry->language].failures = ZYGOTE_RETRY_MAX + 1;
    log_warn("pool", "preloading given up", "language=%s pid=%d why=\"%s\"",
             zygote_language(zygote), (int)zygote_pid(zygote), why);
    return true;
}

void nursery_end_preloading(struct nursery *n)
{
    struct entry *entry = NULL;
    n->closing = true;
    LIST_FOREACH (entry, &n->entries, link) {
        if (entry->kind == ZYGOTE_WARM && zygote_hello(entry->zygote) == NULL) {
            zygote_stop(entry->zygote);
        }
    }
}

void nursery_stop(struct nursery *n)
{
    struct entry *entry = NULL;
    n->closing = true;
    LIST_FOREACH (entry, &n->entries, link) {
        zygote_stop(entry->zygote);
    }
}

bool nursery_is_empty(const struct nursery *n)
{
    return LIST_EMPTY(&n->entries);
}
