/* SPDX-License-Identifier: MIT */
/* fork_server.c - the loop of a zygote. See zygote.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/jwrite.h"
#include "base/proc.h"
#include "contexts/wire/frame.h"
#include "contexts/worker/birth.h"
#include "contexts/worker/children.h"
#include "contexts/worker/engine.h"
#include "contexts/worker/holes.h"
#include "contexts/worker/lifeline.h"
#include "contexts/worker/spare.h"
#include "contexts/worker/worker.h"
#include "contexts/worker/zygote.h"

/* How long the end may take: killed processes are gone in a moment, unless the system holds them.
 */
enum { END_MS = 2000 };

/* How long nobody must have asked for anything before a spare is made: a fork of that size would
 * only delay the context just made, or the next in a burst. */
enum { SPARE_REST_MS = 20 };

enum { EXIT_USAGE = 2, EXIT_BIRTH_FAILED = 70 };

struct server {
    const struct engine *engine;
    void *state;
    int deaths_fd; /* signalfd of SIGCHLD */
    struct children children;
    struct sigaction sigint_before; /* what the language had set up; contexts get it back */
    sigset_t mask_before;
    bool warm; /* no step of warming is left */
    bool wants_spare;
    struct spare spare;
    /* Here and not in the frame of a call: that much of the stack would be written anew at every
     * request, and each context would keep the pages of the one before it to itself. */
    char inbox[ZYGOTE_FRAME_MAX];
};

/* Signals are as the broker's spawn left them: all at their defaults, none blocked. */
void zygote_prepare(void)
{
    if (fcntl(ZYGOTE_FD_CONTROL, F_GETFD) < 0 || fcntl(ZYGOTE_FD_LIFELINE, F_GETFD) < 0) {
        (void)dprintf(STDERR_FILENO, "pandia: this program is started by pandia, not by hand\n");
        _exit(EXIT_USAGE);
    }
    (void)close_range(ZYGOTE_FD_LIFELINE + 1, ~0U, 0); /* what is missing cannot be leaked */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (lifeline_is_cut(ZYGOTE_FD_LIFELINE)) { /* it died before the line above */
        _exit(0);
    }
}

static int send_frame(enum wire_type type, uint64_t exec, const struct buf *content,
                      const int *pidfd)
{
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    struct err e = ERR_NONE;
    struct wire_frame frame = {.type = type, .exec = exec, .content = buf_slice(content)};
    if (wire_encode(&out, &frame, &e) < 0) {
        return -1;
    }
    return fd_send(ZYGOTE_FD_CONTROL, buf_slice(&out), pidfd, pidfd ? 1 : 0, &e);
}

static int send_hello(const struct server *s)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(ZYGOTE_FRAME_MAX / 2);
    struct wire_hello hello = {.version = WIRE_VERSION};
    (void)snprintf(hello.language, sizeof hello.language, "%s", s->engine->language);
    if (s->engine->describe != NULL) {
        s->engine->describe(s->state, &hello);
    }
    if (wire_hello_add(&content, &hello) < 0) {
        return -1;
    }
    return send_frame(WIRE_HELLO, 0, &content, NULL);
}

static int send_failed(uint64_t exec, const struct err *why)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(ZYGOTE_FRAME_MAX / 2);
    buf_add_byte(&content, '{');
    jwrite_key(&content, "error");
    jwrite_string(&content, slice_of(why->text));
    buf_add_byte(&content, '}');
    return send_frame(WIRE_FAILED, exec, &content, NULL);
}

static _Noreturn void be_context(const struct server *s, const int fds[FORK_FDS])
{
    struct worker_fds own;
    struct err e = ERR_NONE;
    (void)sigaction(SIGINT, &s->sigint_before, NULL); /* cannot fail with these arguments */
    (void)sigprocmask(SIG_SETMASK, &s->mask_before, NULL);
    if (birth_settle(fds, &own, &e) < 0) {
        (void)dprintf(STDERR_FILENO, "pandia: context not started: %s\n", e.text); /* last words */
        _exit(EXIT_BIRTH_FAILED);
    }
    worker_serve(s->engine, s->state, own);
}

static _Noreturn void be_spare(const struct server *s, int fd)
{
    int fds[FORK_FDS];
    (void)close(ZYGOTE_FD_CONTROL); /* the zygote's alone */
    (void)close(s->spare.fd);       /* so that its end shows us the end of the zygote */
    if (spare_wait(fd, fds) < 0) {
        _exit(0);
    }
    be_context(s, fds);
}

/* A fork copies one thread only; locks of the others would stay taken for ever. */
static int check_single(struct err *e)
{
    size_t threads = proc_thread_count();
    if (threads != 1) {
        return err_set(e, ERR_STATE,
                       threads == 0 ? "/proc is not readable: threads cannot be counted"
                                    : "%zu threads run in the zygote, a fork would not be safe",
                       threads);
    }
    return 0;
}

/* What the child has to begin with: the descriptors of a context, or where they will come from. */
struct birth {
    const int *fds; /* NULL: it is a spare */
    int spare_fd;
};

/* Gives the child, or -1. The child itself does not return. */
static pid_t fork_child(const struct server *s, const struct birth *birth, struct err *e)
{
    if (check_single(e) < 0) {
        return -1;
    }
    if (s->engine->before_fork != NULL) {
        s->engine->before_fork(s->state);
    }
    pid_t pid = fork();
    int failed = errno;
    if (pid == 0) {
        if (s->engine->after_fork_child != NULL) {
            s->engine->after_fork_child(s->state);
        }
        if (birth->fds == NULL) {
            be_spare(s, birth->spare_fd);
        }
        be_context(s, birth->fds);
    }
    if (s->engine->after_fork_parent != NULL) {
        s->engine->after_fork_parent(s->state);
    }
    errno = failed;
    return pid < 0 ? err_sys(e, "fork") : pid;
}

/* One that cannot be made is no loss: whoever asks for a context will hear why. */
static void make_spare(struct server *s)
{
    struct err e = ERR_NONE;
    struct birth birth = {.spare_fd = -1};
    if (spare_open(&s->spare, &birth.spare_fd, &e) < 0) {
        s->wants_spare = false;
        return;
    }
    pid_t pid = fork_child(s, &birth, &e);
    drop_fd(&birth.spare_fd);
    if (pid < 0) {
        spare_close(&s->spare);
        s->wants_spare = false;
        return;
    }
    s->spare.pid = s->children.spare = pid;
}

/* Gives the pid of the spare, which is a context now, or 0. */
static pid_t use_spare(struct server *s, const int fds[FORK_FDS])
{
    struct err e = ERR_NONE;
    pid_t pid = s->spare.pid;
    if (pid == 0 || s->children.spare != pid) { /* none, or it has died */
        spare_close(&s->spare);
        return 0;
    }
    s->children.spare = 0;
    return spare_send(&s->spare, fds, &e) < 0 ? 0 : pid; /* then it is a stray, and ends */
}

static int make_context(struct server *s, uint64_t exec, const int fds[FORK_FDS])
{
    struct err e = ERR_NONE;
    pid_t pid = use_spare(s, fds);
    if (pid == 0) {
        pid = fork_child(s, &(struct birth){.fds = fds, .spare_fd = -1}, &e);
    }
    if (pid < 0) {
        return send_failed(exec, &e);
    }
    children_add(&s->children, pid);
    _cleanup_(drop_fd) int pidfd = proc_pidfd_open(pid, &e);
    if (pidfd < 0) {
        (void)kill(pid, SIGKILL); /* nobody could watch it */
        return send_failed(exec, &e);
    }
    _cleanup_(drop_buf) struct buf content = BUF_INIT(KIB);
    return wire_forked_add(&content, pid) < 0 ? -1
                                              : send_frame(WIRE_FORKED, exec, &content, &pidfd);
}

static int on_request(struct server *s, struct slice data, const int *fds, size_t count)
{
    struct err e = ERR_NONE;
    struct wire_reader reader;
    struct wire_frame frame;
    wire_reader_init(&reader);
    int failed = wire_reader_feed(&reader, data, &e);
    failed = failed < 0 || wire_reader_next(&reader, &frame, &e) != 1;
    bool is_fork = !failed && frame.type == WIRE_FORK;
    uint64_t exec = failed ? 0 : frame.exec;
    wire_reader_done(&reader);
    if (!is_fork) {
        return -1; /* not our broker, or not our version */
    }
    if (count != FORK_FDS) {
        (void)err_set(&e, ERR_PROTO, "%zu descriptors came with the request", count);
        return send_failed(exec, &e);
    }
    return make_context(s, exec, fds);
}

/* -1 at the end of the control socket, or when it cannot be used any more. */
static int read_control(struct server *s)
{
    int fds[FD_PASS_MAX];
    size_t count = 0;
    struct err e = ERR_NONE;
    ssize_t n = fd_receive(ZYGOTE_FD_CONTROL, s->inbox, sizeof s->inbox, fds, &count, &e);
    if (n < 0 && e.sys == EAGAIN) {
        return 0;
    }
    int result =
        n <= 0 ? -1 : on_request(s, (struct slice){.data = s->inbox, .len = (size_t)n}, fds, count);
    for (size_t i = 0; i < count; i++) {
        close(fds[i]); /* an end forgotten here would keep a dead context's stream open */
    }
    return result;
}

/* Takes the pending signal off; one stands for any number of deaths. */
static void read_signal(const struct server *s)
{
    struct signalfd_siginfo info;
    ssize_t n = read(s->deaths_fd, &info, sizeof info);
    (void)n; /* nothing there is as good as something */
}

static int report_deaths(struct server *s)
{
    struct wire_exited exited;
    int kind = 0;
    int result = 0;
    bool any = false;
    read_signal(s);
    while ((kind = children_reap(&s->children, &exited)) >= 0) {
        any = true;
        if (kind > 0) {
            _cleanup_(drop_buf) struct buf content = BUF_INIT(KIB);
            bool sent = wire_exited_add(&content, &exited) == 0 &&
                        send_frame(WIRE_EXITED, 0, &content, NULL) == 0;
            result = sent ? result : -1;
        }
    }
    if (any) {
        (void)children_kill_strays(&s->children); /* their deaths are signals of their own */
    }
    return result;
}

static bool lacks_spare(const struct server *s)
{
    return s->wants_spare && s->children.spare == 0;
}

static void use_idle_time(struct server *s)
{
    if (!s->warm) {
        s->warm = !s->engine->warm(s->state);
        if (s->warm) {
            holes_fill();
        }
    } else if (lacks_spare(s)) {
        spare_close(&s->spare);
        make_spare(s);
    }
}

/* Serves what is there; false when the broker has gone. */
static bool serve_once(struct server *s)
{
    struct pollfd fds[] = {{.fd = ZYGOTE_FD_CONTROL, .events = POLLIN},
                           {.fd = s->deaths_fd, .events = POLLIN}};
    int rest_ms = lacks_spare(s) ? SPARE_REST_MS : -1;
    int ready = poll(fds, ARRAY_LEN(fds), s->warm ? rest_ms : 0);
    if (ready == 0) {
        use_idle_time(s);
        return true;
    }
    if (ready < 0) {
        return errno == EINTR;
    }
    if (fds[1].revents != 0 && report_deaths(s) < 0) {
        return false;
    }
    return fds[0].revents == 0 || read_control(s) == 0;
}

/* Nothing may be left behind: contexts first, then whatever their deaths bring to light. */
static void end_children(struct server *s)
{
    int64_t deadline_ms = clock_ms() + END_MS;
    struct wire_exited exited;
    children_kill_contexts(&s->children);
    s->children.spare = 0; /* it is a stray like any other now */
    for (;;) {
        while (children_reap(&s->children, &exited) >= 0) {
        }
        if (children_kill_strays(&s->children) == 0 && s->children.count == 0) {
            return;
        }
        int64_t left_ms = deadline_ms - clock_ms();
        struct pollfd deaths = {.fd = s->deaths_fd, .events = POLLIN};
        if (left_ms <= 0 || (poll(&deaths, 1, (int)left_ms) < 0 && errno != EINTR)) {
            return;
        }
        read_signal(s);
    }
}

static int set_up(struct server *s)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigset_t deaths;
    sigemptyset(&deaths);
    sigaddset(&deaths, SIGCHLD);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ||
        sigprocmask(SIG_BLOCK, &deaths, &s->mask_before) < 0 ||
        sigaction(SIGINT, &ignore, &s->sigint_before) < 0) {
        return -1;
    }
    s->deaths_fd = signalfd(-1, &deaths, SFD_CLOEXEC | SFD_NONBLOCK);
    /* From here on the end of the control socket tells us, and we end in good order. */
    return s->deaths_fd < 0 ? -1 : prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
}

static int serve(struct server *s)
{
    s->warm = s->engine->warm == NULL;
    s->spare.fd = -1;
    if (s->warm) {
        holes_fill();
    }
    if (set_up(s) < 0 || send_hello(s) < 0) {
        return 1;
    }
    while (serve_once(s)) {
    }
    end_children(s);
    spare_close(&s->spare);
    children_done(&s->children);
    return 0;
}

int zygote_serve(const struct engine *engine, void *state)
{
    struct server s = {.engine = engine, .state = state};
    return serve(&s);
}

int zygote_serve_with_spare(const struct engine *engine, void *state)
{
    struct server s = {.engine = engine, .state = state, .wants_spare = true};
    return serve(&s);
}
