/* SPDX-License-Identifier: MIT */
/* mock_engine.c - a worker program whose language is one command per line, for tests of the broker
 * without an interpreter. What each command does stands in the table at the end; some of them do
 * what a broken or hostile worker would do. */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/bounds.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/text.h"
#include "contexts/worker/engine.h"
#include "contexts/worker/fork_server.h"
#include "contexts/worker/preload.h"
#include "contexts/worker/state.h"
#include "contexts/worker/worker.h"
#include "mime/bundle.h"

struct mock {
    struct worker *worker;
    struct exec_outcome *out; /* of the cell that runs */
    bool runs_to_end;         /* it is a program */
    int64_t count;            /* how often `count` was called */
    bool deaf;                /* reads no more requests */
    struct buf loaded;        /* names of modules */
};

/* Set by the handler of SIGINT, which has no argument. */
static volatile sig_atomic_t interrupted;

static void on_sigint(int signo)
{
    (void)signo; /* only one is handled here */
    interrupted = 1;
}

static void fail(struct mock *m, const char *ename, const char *evalue)
{
    m->out->failed = true;
    buf_add_text(&m->out->ename, ename);
    buf_add_text(&m->out->evalue, evalue);
    buf_addf(&m->out->traceback, "[\"mock traceback\"]");
}

static void say(struct mock *m, enum stream_kind kind, const char *text)
{
    worker_write(m->worker, LATEST_EXEC, kind, slice_of(text));
    worker_write(m->worker, LATEST_EXEC, kind, SLICE_LIT("\n"));
}

static void cmd_print(struct mock *m, const char *text)
{
    say(m, STREAM_STDOUT, text);
}

static void cmd_loaded(struct mock *m, const char *text)
{
    (void)text;
    say(m, STREAM_STDOUT, buf_text(&m->loaded));
}

static void cmd_eprint(struct mock *m, const char *text)
{
    say(m, STREAM_STDERR, text);
}

static void cmd_result(struct mock *m, const char *text)
{
    _cleanup_(drop_bundle) struct bundle b;
    bundle_init(&b, FRAME_CONTENT_MAX / 2);
    (void)bundle_add_text(&b, "text/plain", slice_of(text)); /* fits, or is cut by the bundle */
    worker_result(m->worker, &b);
}

static void cmd_display(struct mock *m, const char *text)
{
    _cleanup_(drop_bundle) struct bundle b;
    bundle_init(&b, FRAME_CONTENT_MAX / 2);
    (void)bundle_add_text(&b, "text/plain", slice_of(text)); /* fits, or is cut by the bundle */
    worker_display(m->worker, LATEST_EXEC, WIRE_DISPLAY_DATA, &b, SLICE_NONE);
}

/* ID TEXT: sends a display that can be updated, or updates it. */
static void publish_named(struct mock *m, enum wire_type type, const char *text)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(FRAME_CONTENT_MAX);
    size_t len = strcspn(text, " ");
    jwrite_object(&content);
    jwrite_key(&content, "data");
    jwrite_object(&content);
    jwrite_member_text(&content, "text/plain", text[len] ? text + len + 1 : "");
    jwrite_object_end(&content);
    jwrite_member_raw(&content, "metadata", SLICE_LIT("{}"));
    jwrite_key(&content, "transient");
    jwrite_object(&content);
    jwrite_member(&content, "display_id", (struct slice){.data = text, .len = len});
    jwrite_object_end(&content);
    jwrite_object_end(&content);
    worker_publish(m->worker, LATEST_EXEC, type, buf_slice(&content), NULL, 0);
}

static void cmd_named(struct mock *m, const char *text)
{
    publish_named(m, WIRE_DISPLAY_DATA, text);
}

static void cmd_update(struct mock *m, const char *text)
{
    publish_named(m, WIRE_UPDATE_DISPLAY_DATA, text);
}

static void cmd_clear(struct mock *m, const char *text)
{
    (void)text; /* takes none */
    worker_publish(m->worker, LATEST_EXEC, WIRE_CLEAR_OUTPUT, SLICE_LIT("{\"wait\": true}"), NULL,
                   0);
}

static void cmd_payload(struct mock *m, const char *text)
{
    struct buf *payload = &m->out->payload;
    jwrite_list(payload);
    jwrite_object(payload);
    jwrite_member_text(payload, "source", "set_next_input");
    jwrite_member_bool(payload, "replace", false);
    jwrite_member_text(payload, "text", text);
    jwrite_object_end(payload);
    jwrite_list_end(payload);
}

static void cmd_error(struct mock *m, const char *text)
{
    size_t len = strcspn(text, " ");
    _cleanup_(drop_free) char *ename = xstrndup(text, len);
    fail(m, ename, text[len] ? text + len + 1 : "");
}

static void cmd_leave(struct mock *m, const char *text)
{
    m->out->exit_code = (int)strtol(text, NULL, 10);
}

static void cmd_manner(struct mock *m, const char *text)
{
    (void)text; /* takes none */
    say(m, STREAM_STDOUT, m->runs_to_end ? "program" : "cell");
}

static void cmd_loop(struct mock *m, const char *text)
{
    (void)text; /* takes none */
    while (!interrupted) {
        (void)poll(NULL, 0, 1000); /* ended by the signal */
    }
    fail(m, "KeyboardInterrupt", "");
}

static void cmd_hang(struct mock *m, const char *text)
{
    (void)m;
    (void)text; /* takes none */
    for (;;) {
        pause();
    }
}

static void cmd_sleep(struct mock *m, const char *text)
{
    if (poll(NULL, 0, (int)strtol(text, NULL, 10)) < 0) {
        fail(m, "KeyboardInterrupt", "");
    }
}

static void cmd_segv(struct mock *m, const char *text)
{
    struct rlimit none = {0};
    (void)m;
    (void)text;                          /* takes none */
    (void)setrlimit(RLIMIT_CORE, &none); /* no core files in the tests' folders */
    (void)signal(SIGSEGV, SIG_DFL);      /* sanitizers have a handler of their own */
    (void)raise(SIGSEGV);
}

static void cmd_abort(struct mock *m, const char *text)
{
    struct rlimit none = {0};
    (void)m;
    (void)text;                          /* takes none */
    (void)setrlimit(RLIMIT_CORE, &none); /* as above */
    (void)signal(SIGABRT, SIG_DFL);
    abort();
}

static void cmd_exit(struct mock *m, const char *text)
{
    (void)m;
    _exit((int)strtol(text, NULL, 10));
}

static void cmd_kill9(struct mock *m, const char *text)
{
    (void)m;
    (void)text; /* takes none */
    (void)kill(getpid(), SIGKILL);
}

static void cmd_flood(struct mock *m, const char *text)
{
    static const char line[] = "0123456789abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQ\n";
    size_t left = strtoul(text, NULL, 10);
    while (left > 0 && !interrupted) {
        size_t len = left < sizeof line - 1 ? left : sizeof line - 1;
        worker_write(m->worker, LATEST_EXEC, STREAM_STDOUT,
                     (struct slice){.data = line, .len = len});
        left -= len;
    }
    if (interrupted) {
        fail(m, "KeyboardInterrupt", "");
    }
}

static void cmd_rawout(struct mock *m, const char *text)
{
    worker_expect_foreign_output(m->worker);
    (void)dprintf(STDOUT_FILENO, "%s\n", text); /* the pipe takes it, or the test fails anyway */
}

/* Writes past the worker room: what no worker of ours would say. */
static void say_raw(struct mock *m, const void *data, size_t len)
{
    worker_flush(m->worker);
    const char *at = data;
    while (len > 0) {
        ssize_t n = write(m->worker->wire_fd, at, len);
        if (n < 0 && errno != EINTR && errno != EAGAIN) {
            return;
        }
        at += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
}

static void cmd_garbage(struct mock *m, const char *text)
{
    uint32_t noise[1024];
    uint32_t seed = 12345;
    (void)text; /* takes none */
    for (size_t i = 0; i < ARRAY_LEN(noise); i++) {
        seed = seed * 1664525U + 1013904223U;
        noise[i] = seed;
    }
    say_raw(m, noise, sizeof noise);
}

static void cmd_hugeframe(struct mock *m, const char *text)
{
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);
    struct wire_frame frame = {.type = WIRE_STREAM, .exec = m->worker->exec};
    struct err e = ERR_NONE;
    (void)text; /* takes none */
    if (wire_encode(&out, &frame, &e) == 0) {
        uint64_t huge = (uint64_t)1 << 40;
        memcpy(out.data + 16, &huge, sizeof huge); /* where frame.h has the length of the content */
        say_raw(m, out.data, out.len);
    }
}

static void say_frame(struct mock *m, enum wire_type type, uint64_t exec, const char *content)
{
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    struct wire_frame frame = {.type = type, .exec = exec, .content = slice_of(content)};
    struct err e = ERR_NONE;
    if (wire_encode(&out, &frame, &e) == 0) {
        say_raw(m, out.data, out.len);
    }
}

#define RESULT_CONTENT                                                                             \
    "{\"execution_count\": 1, \"data\": {\"text/plain\": \"late\"}, \"metadata\": {}}"
#define DONE_CONTENT                                                                               \
    "{\"status\": \"ok\", \"execution_count\": 1, \"payload\": [], \"user_expressions\": {}}"

/* The second DONE is the one that the worker room sends afterwards. */
static void cmd_badstate(struct mock *m, const char *text)
{
    uint64_t exec = m->worker->exec;
    (void)text; /* takes none */
    say_frame(m, WIRE_DONE, exec, DONE_CONTENT);
    say_frame(m, WIRE_EXECUTE_RESULT, exec, RESULT_CONTENT);
    say_frame(m, WIRE_STREAM, exec + 1000, "{\"name\": \"stdout\", \"text\": \"nobody's\"}");
    say_frame(m, WIRE_READY, 0, "{\"pid\": 1}");
    say_frame(m, WIRE_HELLO, 0, "{}");
}

/* An end of the cell with an exit code that no process has. */
static void cmd_badexit(struct mock *m, const char *text)
{
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);
    struct slice done = SLICE_LIT("{\"exit_code\": 256}");
    struct wire_frame frame = {.type = WIRE_DONE,
                               .exec = m->worker->exec,
                               .content = SLICE_LIT(DONE_CONTENT),
                               .buffers = &done,
                               .buffer_count = 1};
    struct err e = ERR_NONE;
    (void)text; /* takes none */
    if (wire_encode(&out, &frame, &e) == 0) {
        say_raw(m, out.data, out.len);
    }
}

static void cmd_badjson(struct mock *m, const char *text)
{
    (void)text; /* takes none */
    say_frame(m, WIRE_STREAM, m->worker->exec, "{\"name\": \"stdout\", \"text\": ");
}

static void cmd_noread(struct mock *m, const char *text)
{
    (void)text; /* takes none */
    m->deaf = true;
}

static _Noreturn void be_daemon(int report_fd)
{
    setsid();
    pid_t pid = fork();
    if (pid == 0) {
        for (;;) {
            pause();
        }
    }
    (void)dprintf(report_fd, "%d\n", (int)pid);
    _exit(0);
}

/* Leaves a process behind that is in no group or session of ours. */
static void cmd_spawn(struct mock *m, const char *text)
{
    int ends[2];
    char line[32] = "";
    (void)text; /* takes none */
    if (pipe(ends) < 0) {
        fail(m, "OSError", "pipe");
        return;
    }
    worker_expect_foreign_output(m->worker);
    if (fork() == 0) {
        be_daemon(ends[1]);
    }
    ssize_t n = read(ends[0], line, sizeof line - 1);
    worker_write(m->worker, LATEST_EXEC, STREAM_STDOUT,
                 (struct slice){.data = line, .len = n > 0 ? (size_t)n : 0});
    close(ends[0]);
    close(ends[1]);
}

static void say_number(struct mock *m, int64_t number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%lld", (long long)number);
    say(m, STREAM_STDOUT, text);
}

static void cmd_count(struct mock *m, const char *text)
{
    (void)text; /* takes none */
    say_number(m, ++m->count);
}

static void cmd_pid(struct mock *m, const char *text)
{
    (void)text; /* takes none */
    say_number(m, getpid());
}

static void cmd_input(struct mock *m, const char *text)
{
    _cleanup_(drop_buf) struct buf answer = BUF_INIT(MIB);
    struct err e = ERR_NONE;
    enum input_again again = INPUT_ASK;
    while (worker_input(m->worker, slice_of(text), false, again, &answer, &e) < 0) {
        if (e.sys != EINTR || interrupted) {
            fail(m, interrupted ? "KeyboardInterrupt" : "StdinNotImplementedError", e.text);
            return;
        }
        again = INPUT_AGAIN;
        e = ERR_NONE;
    }
    say(m, STREAM_STDOUT, buf_text(&answer));
}

static const struct command {
    const char *name;
    void (*run)(struct mock *m, const char *text);
} commands[] = {
    {"print", cmd_print},         /* TEXT */
    {"loaded", cmd_loaded},       /* names of the modules that are loaded */
    {"eprint", cmd_eprint},       /* TEXT, to standard error */
    {"result", cmd_result},       /* TEXT as execute_result */
    {"display", cmd_display},     /* TEXT as display_data */
    {"named", cmd_named},         /* ID TEXT, a display with that id */
    {"update", cmd_update},       /* ID TEXT, updates it */
    {"clear", cmd_clear},         /* clear_output */
    {"payload", cmd_payload},     /* TEXT for the next input */
    {"error", cmd_error},         /* ENAME EVALUE */
    {"leave", cmd_leave},         /* CODE, asks for that exit code */
    {"manner", cmd_manner},       /* prints whether it is a program or a cell */
    {"loop", cmd_loop},           /* until an interrupt */
    {"hang", cmd_hang},           /* whatever comes */
    {"sleep", cmd_sleep},         /* MILLISECONDS, or until an interrupt */
    {"segv", cmd_segv},           /* dies by SIGSEGV */
    {"abort", cmd_abort},         /* dies by SIGABRT */
    {"exit", cmd_exit},           /* STATUS */
    {"kill9", cmd_kill9},         /* dies by SIGKILL */
    {"flood", cmd_flood},         /* BYTES of text */
    {"rawout", cmd_rawout},       /* TEXT, written to descriptor 1 */
    {"garbage", cmd_garbage},     /* no frames at all */
    {"hugeframe", cmd_hugeframe}, /* a header that claims 1 TB */
    {"badstate", cmd_badstate},   /* frames that do not belong where they come */
    {"badjson", cmd_badjson},     /* content that is no JSON */
    {"badexit", cmd_badexit},     /* an exit code that no process has */
    {"noread", cmd_noread},       /* reads no request after this one */
    {"spawn", cmd_spawn},         /* leaves a daemon behind, prints its pid */
    {"count", cmd_count},         /* prints how often it was called in this context */
    {"pid", cmd_pid},             /* prints the pid of the context */
    {"input", cmd_input},         /* PROMPT, prints the answer */
};

static void run_line(struct mock *m, const char *line)
{
    size_t len = strcspn(line, " ");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (strlen(commands[i].name) == len && strncmp(commands[i].name, line, len) == 0) {
            commands[i].run(m, line[len] ? line + len + 1 : "");
            return;
        }
    }
    fail(m, "SyntaxError", line);
}

static void mock_execute(void *state, const struct exec_request *request, struct exec_outcome *out)
{
    struct mock *m = state;
    const char *at = request->code.data;
    m->out = out;
    m->runs_to_end = request->runs_to_end;
    interrupted = 0;
    while (*at != '\0' && !out->failed) {
        size_t len = strcspn(at, "\n");
        _cleanup_(drop_free) char *line = xstrndup(at, len);
        if (line[strspn(line, " \r")] != '\0') { /* one that selected the context is blank by now */
            run_line(m, line);
        }
        at += at[len] ? len + 1 : len;
    }
    m->out = NULL;
}

static void mock_is_complete(void *state, struct slice code, struct buf *reply)
{
    bool more = code.len > 0 && code.data[code.len - 1] == '\\';
    (void)state;
    jwrite_object(reply);
    jwrite_member_text(reply, "status", more ? "incomplete" : "complete");
    jwrite_object_end(reply);
}

/* The word that ends at the cursor, which counts code points; its place does too. */
static struct slice word_at(struct slice code, size_t cursor, size_t *start)
{
    size_t end = text_offset(code, cursor);
    size_t begin = end;
    while (begin > 0 && isalnum((unsigned char)code.data[begin - 1])) {
        begin--;
    }
    *start = cursor - (end - begin); /* the word is ASCII */
    return (struct slice){.data = code.data + begin, .len = end - begin};
}

static void mock_complete(void *state, struct slice code, size_t cursor, struct buf *reply)
{
    size_t start = 0;
    struct slice word = word_at(code, cursor, &start);
    (void)state;
    jwrite_object(reply);
    jwrite_member_text(reply, "status", "ok");
    jwrite_member_raw(reply, "metadata", SLICE_LIT("{}"));
    jwrite_key(reply, "matches");
    jwrite_list(reply);
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (strncmp(commands[i].name, word.data, word.len) == 0) {
            jwrite_text(reply, commands[i].name);
        }
    }
    jwrite_list_end(reply);
    jwrite_member_int(reply, "cursor_start", (int64_t)start);
    jwrite_member_int(reply, "cursor_end", (int64_t)cursor);
    jwrite_object_end(reply);
}

static void mock_inspect(void *state, struct slice code, size_t cursor, int detail,
                         struct buf *reply)
{
    size_t start = 0;
    struct slice word = word_at(code, cursor, &start);
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (word.len > 0 && slice_is(word, commands[i].name)) {
            buf_addf(reply,
                     "{\"status\": \"ok\", \"found\": true, \"metadata\": {}, "
                     "\"data\": {\"text/plain\": \"%s, detail %d\"}}",
                     commands[i].name, detail);
            return;
        }
    }
}

static void mock_describe(void *state, struct wire_hello *hello)
{
    (void)state;
    (void)snprintf(hello->language_version, sizeof hello->language_version, "1.0");
    (void)snprintf(hello->host, sizeof hello->host, "mock");
}

static int mock_open(void *state, struct worker *worker, struct slice options, struct err *e)
{
    struct mock *m = state;
    (void)options;
    (void)e; /* nothing can fail */
    m->worker = worker;
    return 0;
}

static void mock_wait(void *state, int fd)
{
    struct mock *m = state;
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    while (m->deaf) {
        pause();
    }
    (void)poll(&readable, 1, -1); /* early returns are allowed */
}

static void *wait_for_ever(void *unused)
{
    for (;;) {
        pause();
    }
    return unused;
}

/* The modules of this language are named after what loading them does. */
static bool mock_load(void *state, const char *module, struct buf *why)
{
    struct mock *m = state;
    pthread_t thread;
    if (strcmp(module, "prints") == 0) {
        (void)dprintf(STDOUT_FILENO, "loud");
    } else if (strcmp(module, "fails") == 0) {
        buf_add_text(why, "it does not want to");
        return false;
    } else if (strcmp(module, "crashes") == 0) {
        cmd_segv(m, "");
    } else if (strcmp(module, "exits") == 0) {
        _exit(3);
    } else if (strcmp(module, "hangs") == 0) {
        (void)wait_for_ever(NULL);
    } else if (strcmp(module, "threads") == 0) {
        return pthread_create(&thread, NULL, wait_for_ever, NULL) == 0;
    }
    buf_addf(&m->loaded, "%s ", module);
    return true;
}

static void mock_name_threads(void *state, struct buf *names)
{
    (void)state;
    buf_add_text(names, "waiter");
}

int main(int argc, char **argv)
{
    static const struct engine engine = {
        .language = "mock",
        .describe = mock_describe,
        .open = mock_open,
        .execute = mock_execute,
        .is_complete = mock_is_complete,
        .complete = mock_complete,
        .inspect = mock_inspect,
        .wait = mock_wait,
    };
    struct mock mock = {0};
    struct sigaction act = {.sa_handler = on_sigint};
    static const struct preload_loader loader = {.load = mock_load,
                                                 .name_threads = mock_name_threads};
    fork_server_prepare();
    (void)sigaction(SIGINT, &act, NULL); /* cannot fail with these arguments */
    mock.loaded = BUF_INIT(KIB);
    if (argc == 3 && strcmp(argv[1], "--preload") == 0 &&
        preload_run(&loader, &mock, argv[2]) < 0) {
        _exit(1); /* a thread runs */
    }
    return fork_server_run(&engine, &mock);
}
