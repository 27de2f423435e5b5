/* SPDX-License-Identifier: MIT */
/* cmd_exec.c - `pandia exec`: runs code once in a fresh context and shows what it says. */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "base/jscan.h"
#include "base/loop.h"
#include "kernel/cli/commands.h"
#include "kernel/cli/setup.h"
#include "kernel/core/door.h"
#include "kernel/core/run.h"

struct exec_values {
    const char *code;
    const char *language;
    const char *python;
    const char *log_level;
};

static const struct option_spec options[] = {
    {.name = "code",
     .letter = 'c',
     .kind = OPTION_TEXT,
     .argument = "CODE",
     .help = "Code to run, instead of a file.",
     .offset = offsetof(struct exec_values, code)},
    {.name = "language",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "Language of the code: python, javascript or typescript; by default as FILE is named "
             "(.js, .mjs, .cjs, .ts, .mts, .cts), else python.",
     .offset = offsetof(struct exec_values, language)},
    {.name = "python",
     .kind = OPTION_TEXT,
     .argument = "PATH",
     .help = "Interpreter or virtual environment whose packages the code imports.",
     .offset = offsetof(struct exec_values, python)},
    {.name = "log-level",
     .kind = OPTION_TEXT,
     .argument = "LEVEL",
     .help = "error, warn (the default), info or debug; lines go to standard error.",
     .offset = offsetof(struct exec_values, log_level)},
    OPTION_END,
};

static const struct exec_values defaults = {0};

/* One program, from start to the end of the broker. */
struct program {
    struct cli *cli;
    struct broker *broker;
    struct buf error; /* content of its error, shown when its end says that it is one */
    int exit_code;
};

static void put(FILE *to, struct slice json_string)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    if (jscan_string(json_string, &text) == 0) {
        (void)fwrite(buf_text(&text), 1, text.len, to); /* send_on looks at the stream */
    }
}

/* Output is live; when nobody reads it any more, the code need not go on. */
static void send_on(const struct program *p, FILE *to)
{
    if (fflush(to) != 0 || ferror(to)) {
        broker_shutdown(p->broker);
    }
}

/* Colours are for terminals: leaves out the sequences ESC [ ... letter. */
static void put_uncoloured(FILE *to, struct slice json_string)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    if (jscan_string(json_string, &text) < 0) {
        return;
    }
    const char *at = buf_text(&text);
    const char *end = at + text.len;
    while (at < end) {
        const char *escape = memmem(at, (size_t)(end - at), "\x1b[", 2);
        const char *stop = escape != NULL ? escape : end;
        (void)fwrite(at, 1, (size_t)(stop - at), to); /* send_on looks at the stream */
        for (at = stop < end ? stop + 2 : end; at < end && !(*at >= '@' && *at <= '~'); at++) {
        }
        at += at < end;
    }
}

static void put_line(const struct program *p, struct slice json_string)
{
    if (isatty(fileno(p->cli->err))) {
        put(p->cli->err, json_string);
    } else {
        put_uncoloured(p->cli->err, json_string);
    }
    fputc('\n', p->cli->err);
}

static void put_traceback(const struct program *p, struct slice content)
{
    struct jscan_iter it;
    struct slice key;
    struct slice line;
    bool any = false;
    jscan_iter_init(&it, jscan_get(content, "traceback"));
    while (jscan_next(&it, &key, &line)) {
        put_line(p, line);
        any = true;
    }
    if (!any) {
        put(p->cli->err, jscan_get(content, "ename"));
        fputs(": ", p->cli->err);
        put_line(p, jscan_get(content, "evalue"));
    }
}

static void on_started(void *arg, const struct run_start *start)
{
    (void)arg;
    (void)start;
}

static void on_output(void *arg, const struct run_output *output)
{
    struct program *p = arg;
    struct slice content = output->content;
    if (output->kind == OUTPUT_STREAM) {
        bool to_err = jscan_string_is(jscan_get(content, "name"), "stderr");
        put(to_err ? p->cli->err : p->cli->out, jscan_get(content, "text"));
        send_on(p, to_err ? p->cli->err : p->cli->out);
    } else if (output->kind == OUTPUT_RESULT || output->kind == OUTPUT_DISPLAY) {
        put(p->cli->out, jscan_get(jscan_get(content, "data"), "text/plain"));
        fputc('\n', p->cli->out);
        send_on(p, p->cli->out);
    } else if (output->kind == OUTPUT_ERROR) {
        buf_clear(&p->error);
        (void)buf_add_slice(&p->error, content); /* a frame's content is within this limit */
    }
}

static void on_ended(void *arg, const struct run_end *end)
{
    struct program *p = arg;
    p->exit_code = end->status == RUN_OK ? CLI_OK : CLI_FAILED;
    if (end->exit_code >= 0) {
        p->exit_code = end->exit_code;
    } else if (end->ename != NULL) {
        (void)cli_fail(p->cli, CLI_FAILED, "%s: %s", end->ename, end->reason);
    } else if (p->error.len > 0) {
        put_traceback(p, buf_slice(&p->error));
    }
    broker_shutdown(p->broker);
}

static void on_release(void *arg)
{
    (void)arg; /* lives on the stack of run() */
}

static const struct run_listener program_events = {
    .started = on_started, .output = on_output, .ended = on_ended, .release = on_release};

static const struct door_events door_events = {.close = on_release};

static int run_code(struct program *p, const struct setup *setup, struct slice code, struct err *e)
{
    _cleanup_(drop_loop) struct loop *loop = NULL;
    if (loop_new(&loop, e) < 0) {
        return -1;
    }
    _cleanup_(drop_broker) struct broker *broker = NULL;
    struct door *door = NULL;
    if (broker_new(loop, &setup->broker, &broker, e) < 0 || broker_start(broker, e) < 0 ||
        door_open(broker, &door_events, p, &door, e) < 0) {
        return -1;
    }
    (void)signal(SIGPIPE, SIG_IGN); /* a reader that goes is noticed by the writing */
    p->broker = broker;
    struct request request = {.kind = REQUEST_EXECUTE,
                              .code = code,
                              .options = {.store_history = true, .runs_to_end = true},
                              .listener = &program_events,
                              .arg = p};
    run_submit(door, &request);
    return loop_run(loop, e);
}

/* The code is in -c, in the one file that is named, or on standard input. */
static int read_code(const struct exec_values *v, const struct words *words, struct buf *out,
                     struct err *e)
{
    if (v->code != NULL && words->count > 0) {
        return err_set(e, ERR_INPUT, "both -c and a file are given; use one of them");
    }
    if (words->count > 1) {
        return err_set(e, ERR_INPUT, "one file at a time; '%s' is a second one", words->items[1]);
    }
    if (v->code != NULL) {
        buf_add_text(out, v->code);
        return buf_check(out, e);
    }
    bool is_file = words->count == 1 && strcmp(words->items[0], "-") != 0;
    if (fd_read_file(is_file ? words->items[0] : "/dev/stdin", out, e) < 0) {
        e->code = ERR_INPUT;
        return -1;
    }
    return 0;
}

static const char *choose_language(const struct exec_values *v, const struct words *words)
{
    const struct language *named = words->count > 0 ? language_of_file(words->items[0]) : NULL;
    if (v->language != NULL) {
        return v->language;
    }
    return named != NULL ? named->name : "python";
}

static int run(struct cli *cli, const void *values, const struct words *words)
{
    const struct exec_values *v = values;
    struct err e = ERR_NONE;
    struct program p = {.cli = cli, .error = BUF_INIT(FRAME_CONTENT_MAX), .exit_code = CLI_FAILED};
    _cleanup_(drop_setup) struct setup setup = {0};
    _cleanup_(drop_buf) struct buf code = BUF_INIT(MSG_JSON_MAX / 6);
    int failed = setup_logging(v->log_level, &e) < 0 || read_code(v, words, &code, &e) < 0 ||
                 setup_fill(&setup, cli, choose_language(v, words), v->python, &e) < 0 ||
                 run_code(&p, &setup, buf_slice(&code), &e) < 0;
    buf_done(&p.error);
    return failed ? cli_fail_err(cli, &e) : p.exit_code;
}

const struct command command_exec = {
    .name = "exec",
    .summary = "Run code once, in a fresh context.",
    .words = "[FILE]",
    .details = "The code is CODE, FILE, or standard input. Its output goes to standard output and "
               "error, the value of its last expression too; the exit code is 1 when it fails, "
               "or the one it exits with. JavaScript runs until nothing is left to happen, as in "
               "Node.",
    .options = options,
    .values_size = sizeof(struct exec_values),
    .defaults = &defaults,
    .mode = OPTIONS_STRICT,
    .run = run,
};
