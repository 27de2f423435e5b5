/* SPDX-License-Identifier: MIT */
/* cmd_kernel.c - `pandia kernel -f FILE`: what Jupyter starts. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/proc.h"
#include "kernel/cli/commands.h"
#include "kernel/cli/preload.h"
#include "kernel/cli/setup.h"
#include "kernel/core/history.h"
#include "kernel/protocol/connection.h"
#include "kernel/protocol/sign.h"
#include "kernel/zmq/registration.h"
#include "kernel/zmq/zdoor.h"

struct kernel_values {
    const char *connection_file;
    const char *language;
    const char *python;
    const char *log_level;
    const char *history_file;
    struct words preload;
    int64_t preload_timeout_s;
    bool exit_on_context_death;
};

static const struct option_spec options[] = {
    {.name = "connection-file",
     .letter = 'f',
     .kind = OPTION_TEXT,
     .argument = "FILE",
     .help = "Connection file that says where to listen, and the key.",
     .offset = offsetof(struct kernel_values, connection_file)},
    {.name = "language",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "Language of the default context: python, javascript or typescript (python).",
     .offset = offsetof(struct kernel_values, language)},
    {.name = "python",
     .kind = OPTION_TEXT,
     .argument = "PATH",
     .help = "Interpreter or virtual environment whose packages cells import.",
     .offset = offsetof(struct kernel_values, python)},
    {.name = "preload",
     .kind = OPTION_LIST,
     .argument = "MODULES",
     .help = "Modules that new Python contexts find imported already, e.g. numpy,pandas. A second "
             "interpreter loads them in the background.",
     .offset = offsetof(struct kernel_values, preload)},
    {.name = "preload-timeout",
     .kind = OPTION_INT,
     .argument = "SECONDS",
     .help = "How long one of them may take to import before it is left out (60).",
     .offset = offsetof(struct kernel_values, preload_timeout_s),
     .min = 1,
     .max = 3600},
    {.name = "log-level",
     .kind = OPTION_TEXT,
     .argument = "LEVEL",
     .help = "error, warn (the default), info or debug; lines go to standard error.",
     .offset = offsetof(struct kernel_values, log_level)},
    {.name = "history-file",
     .kind = OPTION_TEXT,
     .argument = "FILE",
     .help = "Where to keep the history of inputs; ':memory:' keeps none. By default "
             "pandia/history.sqlite in the user's data folder.",
     .offset = offsetof(struct kernel_values, history_file)},
    {.name = "exit-on-context-death",
     .kind = OPTION_FLAG,
     .help =
         "End with exit code 1 when a context dies by itself, for tools that watch the process.",
     .offset = offsetof(struct kernel_values, exit_on_context_death)},
    OPTION_END,
};

static const struct kernel_values defaults = {.language = "python"};

/* The text of a connection file, which holds the keys: wiped when it goes. */
static void drop_secret(struct buf *text)
{
    if (text->data != NULL) {
        sign_wipe(text->data, text->cap);
    }
    buf_done(text);
}

static int read_connection(const char *path, struct connection *out, struct err *e)
{
    _cleanup_(drop_secret) struct buf text = BUF_INIT(CONNECTION_FILE_MAX);
    if (path == NULL) {
        return err_set(e, ERR_INPUT, "no connection file: give one with -f FILE");
    }
    if (fd_read_file(path, &text, e) < 0) {
        int failed = err_wrap(e, "connection file cannot be read");
        e->code = ERR_INPUT;
        return failed;
    }
    if (connection_parse(buf_slice(&text), out, e) < 0) {
        return err_wrap(e, "%s", path);
    }
    return 0;
}

static int check_key(const struct connection *c, const char *path, struct err *e)
{
    if (c->key[0] != '\0') {
        return 0;
    }
    if (!connection_is_local(c)) {
        return err_set(e, ERR_INPUT,
                       "%s: field 'key' is empty and '%s' can be reached from other machines: "
                       "anybody could run code; set a key, or listen on 127.0.0.1 or ipc",
                       path, c->ip);
    }
    log_warn("kernel", "the key is empty: every process of this machine can run code here", "ip=%s",
             c->ip);
    return 0;
}

static bool has_open_port(const struct connection *c)
{
    for (int i = 0; i < CHANNELS; i++) {
        if (c->ports[i] == 0) {
            return true;
        }
    }
    return false;
}

static int write_back(const struct connection *c, const char *path, struct err *e)
{
    _cleanup_(drop_secret) struct buf text = BUF_INIT(CONNECTION_FILE_MAX);
    if (connection_write(c, &text, e) < 0 || fd_write_file(path, buf_slice(&text), 0600, e) < 0) {
        return err_wrap(e, "chosen ports cannot be written back");
    }
    return 0;
}

/* What the callbacks of a running kernel share. */
struct server {
    struct loop *loop;
    struct broker *broker;
    int parent_pidfd;
    struct loop_fd *parent;
    struct registration *registration; /* while the launcher has not acknowledged our ports */
    struct err failure;                /* why the loop ended before its time */
};

static void on_parent_gone(void *arg, uint32_t events)
{
    struct server *s = arg;
    (void)events; /* a pidfd becomes readable once */
    log_info("kernel", "the launcher is gone", "pidfd=%d", s->parent_pidfd);
    broker_shutdown(s->broker);
}

/* Ends with the process that started us. A parent of 1 means that nobody waits for us. */
static int watch_parent(struct server *s, const char *text, struct err *e)
{
    long parent = text ? strtol(text, NULL, 10) : 0;
    if (parent <= 1) {
        return 0;
    }
    s->parent_pidfd = proc_pidfd_open((pid_t)parent, e);
    if (s->parent_pidfd < 0 && e->sys == ESRCH && getppid() == 1) {
        return err_set(e, ERR_GONE, "the launcher, process %ld, has already ended", parent);
    }
    if (s->parent_pidfd < 0) {
        log_warn("kernel", "launcher not watched", "why=\"%s\"", e->text);
        return 0;
    }
    return loop_add_fd(s->loop, s->parent_pidfd, EPOLLIN, on_parent_gone, s, &s->parent, e);
}

static void on_registered(void *arg, const struct err *failure)
{
    struct server *s = arg;
    registration_free(take(s->registration));
    if (failure != NULL) {
        s->failure = *failure;
        broker_shutdown(s->broker);
    }
}

/* Tells the launcher the ports, where it did not choose them itself. */
static int register_ports(struct server *s, const struct connection *c, struct err *e)
{
    if (c->registration_port == 0) {
        return 0;
    }
    return registration_start(s->loop, c, on_registered, s, &s->registration, e);
}

static void server_done(struct server *s)
{
    registration_free(s->registration);
    broker_free(s->broker);
    loop_fd_free(s->parent);
    drop_fd(&s->parent_pidfd);
    loop_free(s->loop);
}

DEFINE_DROP_VALUE(server, struct server, server_done)

/* Gives the file of the history, or the word for none. */
static char *history_path(const struct kernel_values *v)
{
    char *path = v->history_file != NULL ? xstrdup(v->history_file) : history_default_path();
    return path != NULL ? path : xstrdup(":memory:"); /* there is no home */
}

static int serve(struct cli *cli, const struct kernel_values *v, const struct setup *setup,
                 struct connection *connection, struct err *e)
{
    const char *path = v->connection_file;
    _cleanup_(drop_free) char *history = history_path(v);
    struct broker_options broker = setup->broker;
    broker.history_path = history;
    broker.descriptor_limit = fd_raise_limit();
    broker.preload_ms = v->preload_timeout_s * 1000;
    broker.exit_on_death = v->exit_on_context_death;
    _cleanup_(drop_server) struct server s = {.parent_pidfd = -1};
    bool open_ports = has_open_port(connection);
    struct zdoor_options door = {.connection = connection, .language = broker.language};

    /* The broker first, which takes the signals: libzmq's threads must inherit their block. */
    if (loop_new(&s.loop, e) < 0 || broker_new(s.loop, &broker, &s.broker, e) < 0) {
        return -1;
    }
    if (zdoor_open(s.loop, s.broker, &door, e) < 0) {
        return err_wrap(e, "%s", path);
    }
    /* The file first: whoever the launcher tells that we are there may read it at once. */
    if ((open_ports && write_back(connection, path, e) < 0) ||
        watch_parent(&s, env_get(cli->env, "JPY_PARENT_PID"), e) < 0 ||
        register_ports(&s, connection, e) < 0 || broker_start(s.broker, e) < 0 ||
        loop_run(s.loop, e) < 0) {
        return -1;
    }
    if (s.failure.code != ERR_OK) {
        *e = s.failure;
        return err_wrap(e, "%s", path);
    }
    if (broker_context_died(s.broker)) {
        return err_set(e, ERR_GONE, "a context died, and --exit-on-context-death is set");
    }
    return 0;
}

static int run(struct cli *cli, const void *values, const struct words *words)
{
    const struct kernel_values *v = values;
    struct err e = ERR_NONE;
    (void)words; /* foreign launchers may add some */
    _cleanup_(drop_setup) struct setup setup = {0};
    struct connection connection = {0};

    int failed = setup_logging(v->log_level, &e) < 0 ||
                 read_connection(v->connection_file, &connection, &e) < 0 ||
                 check_key(&connection, v->connection_file, &e) < 0 ||
                 preload_parse(&v->preload, &setup.preload, &e) < 0 ||
                 setup_fill(&setup, cli, v->language, v->python, &e) < 0 ||
                 serve(cli, v, &setup, &connection, &e) < 0;
    connection_done(&connection);
    return failed ? cli_fail_err(cli, &e) : CLI_OK;
}

const struct command command_kernel = {
    .name = "kernel",
    .summary = "Serve a Jupyter client on the sockets of a connection file.",
    .words = "...",
    .details = "Options it does not know are ignored: launchers add some of their own.",
    .options = options,
    .values_size = sizeof(struct kernel_values),
    .defaults = &defaults,
    .mode = OPTIONS_LENIENT,
    .run = run,
};
