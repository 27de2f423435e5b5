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
#include "base/jwrite.h"
#include "base/mem.h"
#include "kernel/cli/commands.h"
#include "kernel/cli/setup.h"

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

static const struct {
    const char *suffix;
    const char *language;
} suffixes[] = {
    {".js", "javascript"}, {".mjs", "javascript"}, {".cjs", "javascript"},
    {".ts", "typescript"}, {".mts", "typescript"}, {".cts", "typescript"},
};

/* A program in these languages lives until nothing is left to happen, or until a callback calls
 * process.exit(). The engine ends an await that nothing can settle just then, so a second cell
 * waits for either. (Python waits for its threads when the interpreter ends.) A third one asks for
 * the exit code; at a natural end it also calls the handlers of 'exit'. */
static const char *const outliving[] = {"javascript", "typescript"};
static const char the_rest[] =
    "void await new Promise((end) => globalThis.process?.on('exit', end))";
static const char rest_error[] = "UnsettledAwaitError";
static const char at_its_end[] = "globalThis.process?.exit()";
static const char at_an_exit[] = "process.reallyExit(process.exitCode)";

/* One run, from start to the end of the broker. */
struct run {
    struct cli *cli;
    struct loop *loop;
    struct broker *broker;
    const char *language;
    int jobs; /* that have not ended */
    int exit_code;
    int asked_code; /* of sys.exit() or process.exit(), -1 when neither was called */
};

static void put(FILE *to, struct slice json_string)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    if (jscan_string(json_string, &text) == 0) {
        (void)fwrite(buf_text(&text), 1, text.len, to); /* send_on looks at the stream */
    }
}

/* Output is live; when nobody reads it any more, the code need not go on. */
static void send_on(const struct run *r, FILE *to)
{
    if (fflush(to) != 0 || ferror(to)) {
        broker_shutdown(r->broker);
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

static void put_line(const struct run *r, struct slice json_string)
{
    if (isatty(fileno(r->cli->err))) {
        put(r->cli->err, json_string);
    } else {
        put_uncoloured(r->cli->err, json_string);
    }
    fputc('\n', r->cli->err);
}

/* A Python program that ends itself: as its own interpreter would have it, a number or nothing is
 * the exit code, anything else is printed and means 1. */
static bool put_exit(struct run *r, struct slice content)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    if (!jscan_string_is(jscan_get(content, "ename"), "SystemExit") ||
        jscan_string(jscan_get(content, "evalue"), &text) < 0) {
        return false;
    }
    const char *value = buf_text(&text);
    char *end = NULL;
    long code = strtol(value, &end, 10);
    r->asked_code = 1;
    if (*end == '\0' || strcmp(value, "None") == 0) {
        r->asked_code = (int)(code & 0xff);
    } else {
        put_line(r, jscan_get(content, "evalue"));
    }
    return true;
}

/* process.exit(3) of a JavaScript program is told by the message of its error. */
static bool take_process_exit(struct run *r, struct slice content)
{
    static const char call[] = "process.exit(";
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    if (!jscan_string_is(jscan_get(content, "ename"), "ProcessExit") ||
        jscan_string(jscan_get(content, "evalue"), &text) < 0 ||
        strncmp(buf_text(&text), call, sizeof call - 1) != 0) {
        return false;
    }
    r->asked_code = (int)(strtol(buf_text(&text) + sizeof call - 1, NULL, 10) & 0xff);
    return true;
}

static void put_traceback(const struct run *r, struct slice content)
{
    struct jscan_iter it;
    struct slice key;
    struct slice line;
    bool any = false;
    jscan_iter_init(&it, jscan_get(content, "traceback"));
    while (jscan_next(&it, &key, &line)) {
        put_line(r, line);
        any = true;
    }
    if (!any) {
        put(r->cli->err, jscan_get(content, "ename"));
        fputs(": ", r->cli->err);
        put_line(r, jscan_get(content, "evalue"));
    }
}

static void on_started(void *arg, int64_t execution_count)
{
    (void)arg;
    (void)execution_count;
}

static void on_output(void *arg, enum wire_type type, struct slice content,
                      const struct slice *buffers, size_t buffer_count)
{
    struct run *r = arg;
    (void)buffers; /* only comms have them */
    (void)buffer_count;
    if (type == WIRE_STREAM) {
        bool to_err = jscan_string_is(jscan_get(content, "name"), "stderr");
        put(to_err ? r->cli->err : r->cli->out, jscan_get(content, "text"));
        send_on(r, to_err ? r->cli->err : r->cli->out);
    } else if (type == WIRE_EXECUTE_RESULT || type == WIRE_DISPLAY_DATA) {
        put(r->cli->out, jscan_get(jscan_get(content, "data"), "text/plain"));
        fputc('\n', r->cli->out);
        send_on(r, r->cli->out);
    } else if (type == WIRE_ERROR && !put_exit(r, content) && !take_process_exit(r, content)) {
        put_traceback(r, content);
    }
}

static void finish(struct run *r)
{
    if (--r->jobs == 0) {
        broker_shutdown(r->broker);
    }
}

static void on_ended(void *arg, const struct job_result *result)
{
    struct run *r = arg;
    r->exit_code = result->failed ? CLI_FAILED : CLI_OK;
    if (r->asked_code >= 0) {
        r->exit_code = r->asked_code;
    }
    if (result->end == JOB_DIED) {
        (void)cli_fail(r->cli, CLI_FAILED, "%s: %s", result->death->ename, result->death->text);
    } else if (result->end == JOB_REFUSED) {
        (void)cli_fail(r->cli, CLI_FAILED, "%s", result->reason->text);
    }
    finish(r);
}

static void on_release(void *arg)
{
    (void)arg; /* lives on the stack of run_code */
}

static const struct job_sink job_events = {
    .started = on_started, .output = on_output, .ended = on_ended, .release = on_release};

static int request_content(struct slice code, struct buf *out, struct err *e)
{
    buf_add_text(out, "{\"code\": ");
    jwrite_string(out, code);
    buf_add_text(out, ", \"silent\": false, \"store_history\": true, \"allow_stdin\": false}");
    return buf_check(out, e);
}

enum on_error { ABORT_THE_REST, GO_ON };

static int submit(struct run *r, struct slice code, const struct job_sink *events,
                  enum on_error on_error, struct err *e)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_JSON_MAX);
    if (request_content(code, &content, e) < 0) {
        return -1;
    }
    struct job_request request = {.type = WIRE_EXECUTE,
                                  .content = buf_slice(&content),
                                  .store_history = true,
                                  .stop_on_error = on_error == ABORT_THE_REST};
    r->jobs++;
    context_submit(broker_default_context(r->broker), job_new(&request, events, r));
    return 0;
}

static void on_rest_output(void *arg, enum wire_type type, struct slice content,
                           const struct slice *buffers, size_t buffer_count)
{
    if (type != WIRE_ERROR || !jscan_string_is(jscan_get(content, "ename"), rest_error)) {
        on_output(arg, type, content, buffers, buffer_count);
    }
}

/* After a failure of the program it has not begun. */
static void on_rest_ended(void *arg, const struct job_result *result)
{
    struct run *r = arg;
    struct err e = ERR_NONE;
    bool is_over = result->end == JOB_REPLIED &&
                   jscan_string_is(jscan_get(result->content, "ename"), rest_error);
    bool has_exited = result->end == JOB_REPLIED && !result->failed;
    if (!is_over && !has_exited && result->end != JOB_ABORTED) {
        on_ended(arg, result);
        return;
    }
    if ((is_over || has_exited) &&
        submit(r, slice_of(is_over ? at_its_end : at_an_exit), &job_events, GO_ON, &e) < 0) {
        r->exit_code = cli_fail_err(r->cli, &e);
    }
    finish(r);
}

static const struct job_sink rest_events = {
    .started = on_started, .output = on_rest_output, .ended = on_rest_ended, .release = on_release};

static void on_drain(void *arg)
{
    (void)arg; /* there are few requests */
}

static void on_died(void *arg, struct context *context, const struct death *death)
{
    (void)arg; /* the job's end has told it */
    (void)context;
    (void)death;
}

static void on_stopped(void *arg)
{
    struct run *r = arg;
    loop_stop(r->loop);
}

static const struct broker_sink broker_events = {
    .drain = on_drain, .died = on_died, .stopped = on_stopped};

static void on_signal(void *arg, int signo)
{
    struct run *r = arg;
    if (signo == SIGCHLD) {
        pool_reap(broker_pool(r->broker));
    } else if (signo == SIGINT) {
        context_interrupt(broker_default_context(r->broker));
    } else {
        broker_shutdown(r->broker);
    }
}

static int submit_rest(struct run *r, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(outliving); i++) {
        if (strcmp(outliving[i], r->language) == 0) {
            return submit(r, slice_of(the_rest), &rest_events, GO_ON, e);
        }
    }
    return 0;
}

static int run_code(struct run *r, const struct setup *setup, struct slice code, struct err *e)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0};
    _cleanup_(drop_loop) struct loop *loop = NULL;
    if (loop_new(&loop, e) < 0) {
        return -1;
    }
    _cleanup_(drop_broker) struct broker *broker = NULL;
    if (loop_add_signals(loop, signals, on_signal, r, e) < 0 ||
        broker_new(loop, &setup->broker, &broker_events, r, &broker, e) < 0) {
        return -1;
    }
    (void)signal(SIGPIPE, SIG_IGN); /* a reader that goes is noticed by the writing */
    r->loop = loop;
    r->broker = broker;
    if (submit(r, code, &job_events, ABORT_THE_REST, e) < 0 || submit_rest(r, e) < 0) {
        return -1;
    }
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
    const char *suffix = words->count > 0 ? strrchr(words->items[0], '.') : NULL;
    for (size_t i = 0; suffix != NULL && v->language == NULL && i < ARRAY_LEN(suffixes); i++) {
        if (strcmp(suffix, suffixes[i].suffix) == 0) {
            return suffixes[i].language;
        }
    }
    return v->language ? v->language : "python";
}

static int run(struct cli *cli, const void *values, const struct words *words)
{
    const struct exec_values *v = values;
    struct err e = ERR_NONE;
    const char *language = choose_language(v, words);
    struct run r = {.cli = cli, .language = language, .exit_code = CLI_FAILED, .asked_code = -1};
    _cleanup_(drop_setup) struct setup setup = {0};
    _cleanup_(drop_buf) struct buf code = BUF_INIT(MSG_JSON_MAX / 6);
    if (setup_logging(v->log_level, &e) < 0 || read_code(v, words, &code, &e) < 0 ||
        setup_fill(&setup, cli, language, v->python, &e) < 0 ||
        run_code(&r, &setup, buf_slice(&code), &e) < 0) {
        return cli_fail_err(cli, &e);
    }
    return r.exit_code;
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
