/* SPDX-License-Identifier: MIT */
/* fuzz_worker.c - a worker that says whatever it likes, in whatever state. The input is a list of
 * acts, each three bytes and a length of content: what the broker does meanwhile, the type of the
 * frame, its execution, its content; or raw bytes. What must hold: the broker lives, every request
 * ends exactly once, silent ones say nothing, and what it passes on is a JSON object. */
#include <assert.h>
#include <signal.h>
#include <sys/socket.h>

#include "base/fd.h"
#include "base/jscan.h"
#include "base/log.h"
#include "contexts/pool/context_impl.h"
#include "contexts/pool/pool.h"
#include "tests/fuzz/fuzz.h"

/* What an act's first byte asks for. */
enum act { ACT_FRAME, ACT_RAW, ACT_EXECUTE, ACT_SILENT, ACT_COMM, ACT_PAUSE, ACT_RESUME, ACTS };

struct owner {
    bool silent;
    int started;
    int ended;
};

static void on_started(void *arg, int64_t execution_count)
{
    struct owner *o = arg;
    assert(execution_count >= 0 && o->ended == 0);
    o->started++;
}

static void on_output(void *arg, enum wire_type type, struct slice content,
                      const struct slice *buffers, size_t count)
{
    struct owner *o = arg;
    struct err e = ERR_NONE;
    int bad = jscan_check(content, JSCAN_STRICT, JSON_DEPTH_MAX, &e);
    assert(bad == 0 && jscan_kind(content) == JSCAN_OBJECT);
    assert(wire_type_route(type) == WORKER_TO_BROKER && type != WIRE_DONE && type != WIRE_READY);
    assert(!o->silent || type == WIRE_COMM_OPEN || type == WIRE_COMM_MSG ||
           type == WIRE_COMM_CLOSE);
    (void)buffers;
    (void)count;
}

static void on_ended(void *arg, const struct job_result *result)
{
    struct owner *o = arg;
    assert(o->ended == 0);
    assert(result->end != JOB_REPLIED || jscan_kind(result->content) == JSCAN_OBJECT);
    o->ended++;
}

static void on_release(void *arg)
{
    struct owner *o = arg;
    assert(o->ended == 1);
    free(o);
}

static const struct job_sink job_sink = {
    .started = on_started, .output = on_output, .ended = on_ended, .release = on_release};

static void on_drain(void *arg)
{
    (void)arg;
}

static void on_died(void *arg, struct context *context, const struct death *death)
{
    (void)arg;
    (void)context;
    (void)death;
}

static void on_stopped(void *arg)
{
    (void)arg;
}

static const struct pool_sink pool_sink = {
    .drain = on_drain, .died = on_died, .stopped = on_stopped};
static const char *const no_argv[] = {"none", NULL};
static const struct pool_language language = {
    .name = "none", .worker_path = "/no/such/worker", .argv = no_argv};

/* A context that believes it has a process: we hold the other end of its socket. */
static int pretend(struct pool *pool, struct loop *loop, struct context **out)
{
    struct err e = ERR_NONE;
    int pair[2];
    struct context_options options = {.id = "x", .language = "none", .start = SLICE_LIT("{}")};
    int failed = pool_add_context(pool, &options, out, &e) < 0 ||
                 fd_socketpair(SOCK_STREAM, pair, &e) < 0 || fd_set_nonblocking(pair[0], &e) < 0 ||
                 fd_set_nonblocking(pair[1], &e) < 0;
    assert(!failed);
    struct life *l = life_new(*out);
    l->wire_fd = pair[0];
    l->state = CTX_IDLE;
    l->is_ready = true;
    failed = loop_add_fd(loop, pair[0], EPOLLIN, context_on_wire, l, &l->wire, &e);
    assert(!failed);
    return pair[1];
}

static void submit(struct context *c, enum wire_type type, bool silent)
{
    struct owner *o = calloc(1, sizeof *o);
    assert(o != NULL);
    o->silent = silent;
    struct slice head = SLICE_LIT("{\"msg_type\": \"comm_msg\", \"metadata\": {}}");
    struct job_request request = {.type = type,
                                  .content = SLICE_LIT("{}"),
                                  .silent = silent,
                                  .store_history = !silent,
                                  .stop_on_error = true,
                                  .output_bytes = 50,
                                  .buffers = &head,
                                  .buffer_count = type == WIRE_COMM ? 1 : 0};
    context_submit(c, job_new(&request, &job_sink, o));
}

static void say(int fd, const struct wire_frame *frame, struct slice raw)
{
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf bytes = BUF_INIT(2 * MIB);
    if (frame == NULL) {
        buf_add_slice(&bytes, raw);
    } else if (wire_encode(&bytes, frame, &e) < 0) {
        return;
    }
    ssize_t n = send(fd, bytes.data, bytes.len, MSG_NOSIGNAL);
    (void)n; /* a full or closed socket is fine */
}

/* Performs one act; gives the bytes it took. */
static size_t act(struct context *c, int fd, const uint8_t *data, size_t size)
{
    size_t len = data[3] < size - 4 ? data[3] : size - 4;
    struct slice content = {.data = (const char *)data + 4, .len = len};
    struct slice buffers[] = {SLICE_LIT("{}"), content};
    struct wire_frame frame = {.type = (enum wire_type)(data[1] % WIRE_TYPES),
                               .exec = data[2],
                               .content = content,
                               .buffers = buffers,
                               .buffer_count = data[0] / ACTS % 3};
    switch ((enum act)(data[0] % ACTS)) {
    case ACT_FRAME:
        say(fd, &frame, SLICE_NONE);
        break;
    case ACT_RAW:
        say(fd, NULL, content);
        break;
    case ACT_EXECUTE:
        submit(c, WIRE_EXECUTE, false);
        break;
    case ACT_SILENT:
        submit(c, WIRE_EXECUTE, true);
        break;
    case ACT_COMM:
        submit(c, WIRE_COMM, false);
        break;
    case ACT_PAUSE:
        context_pause(c, 0);
        break;
    case ACT_RESUME:
        pool_resume(c->pool, 0);
        break;
    case ACTS:
        break;
    }
    return 4 + len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = ERR_NONE;
    struct loop *loop = NULL;
    struct pool *pool = NULL;
    struct context *c = NULL;
    struct pool_options options = {.languages = &language, .language_count = 1};
    log_set_level(LOG_LEVEL_ERROR);
    int failed =
        loop_new(&loop, &e) < 0 || pool_new(loop, &options, &pool_sink, NULL, &pool, &e) < 0;
    assert(!failed);
    int fd = pretend(pool, loop, &c);
    for (size_t at = 0; at + 4 <= size;) {
        at += act(c, fd, data + at, size - at);
        if (c->life != NULL) {
            context_on_wire(c->life, EPOLLIN);
        }
    }
    close(fd);
    pool_free(pool);
    loop_free(loop);
    return 0;
}
