/* SPDX-License-Identifier: MIT */
#include "contexts/worker/fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "contexts/worker/birth.h"
#include "contexts/worker/fork_server_impl.h"
#include "contexts/worker/preload.h"

/* How long the end may take: killed processes are gone in a moment, unless the system holds them.
 */
enum { END_MS = 2000 };

/* How long nobody must have asked for anything before a spare is made: a fork of that size would
 * only delay the context just made, or the next in a burst. */
enum { SPARE_REST_MS = 20 };

enum { EXIT_USAGE = 2 };

/* Signals are as the broker's spawn left them: all at their defaults, none blocked. */
void fork_server_prepare(void)
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

int server_send(enum wire_type type, uint64_t ticket, const struct buf *content, const int *pidfd)
{
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    struct err e = ERR_NONE;
    struct wire_frame frame = {.type = type, .exec = ticket, .content = buf_slice(content)};
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
    return server_send(WIRE_HELLO, 0, &content, NULL);
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
        n <= 0 ? -1
               : server_order(s, (struct slice){.data = s->inbox, .len = (size_t)n}, fds, count);
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
    uint64_t ticket = 0;
    int kind = 0;
    int result = 0;
    bool any = false;
    read_signal(s);
    while ((kind = children_reap(&s->children, &ticket, &exited)) >= 0) {
        any = true;
        if (kind > 0) {
            _cleanup_(drop_buf) struct buf content = BUF_INIT(KIB);
            bool sent = wire_exited_add(&content, &exited) == 0 &&
                        server_send(WIRE_EXITED, ticket, &content, NULL) == 0;
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
    if (!s->is_loaded) {
        s->is_loaded = !s->engine->preload_step(s->state);
        if (s->is_loaded) {
            holes_fill();
        }
    } else if (lacks_spare(s)) {
        server_make_spare(s);
    }
}

/* Serves what is there; false when the broker has gone. */
static bool serve_once(struct server *s)
{
    struct pollfd fds[] = {{.fd = ZYGOTE_FD_CONTROL, .events = POLLIN},
                           {.fd = s->deaths_fd, .events = POLLIN}};
    int rest_ms = lacks_spare(s) ? SPARE_REST_MS : -1;
    int ready = poll(fds, ARRAY_LEN(fds), s->is_loaded ? rest_ms : 0);
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
    uint64_t ticket = 0;
    children_kill_contexts(&s->children);
    s->children.spare = 0; /* it is a stray like any other now */
    for (;;) {
        while (children_reap(&s->children, &ticket, &exited) >= 0) {
        }
        if (children_kill_strays(&s->children) == 0 && children_count(&s->children) == 0) {
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
    /* From here on the end of the control socket is the order to end, in good order. */
    return s->deaths_fd < 0 ? -1 : prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
}

static int serve(struct server *s)
{
    s->is_loaded = s->engine->preload_step == NULL;
    s->spare = SPARE_NONE;
    (void)snprintf(s->policy, sizeof s->policy, "%s", WIRE_POLICY_OPEN);
    if (s->is_loaded) {
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

int fork_server_run(const struct engine *engine, void *state)
{
    struct server s = {.engine = engine, .state = state};
    return serve(&s);
}

int fork_server_run_with_spare(const struct engine *engine, void *state)
{
    struct server s = {.engine = engine, .state = state, .wants_spare = true};
    return serve(&s);
}
