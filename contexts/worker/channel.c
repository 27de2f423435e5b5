/* SPDX-License-Identifier: MIT */
#include "contexts/worker/channel.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/bounds.h"
#include "contexts/wire/will.h"

/* Copying a frame of this size costs about as much as the system call it saves. */
#define WAIT_FRAME_MAX (96UL * KIB)
#define WAIT_TOTAL_MAX (1UL * MIB)

void channel_init(struct channel *c, int fd, struct will *will)
{
    *c = (struct channel){.fd = fd, .waiting = BUF_INIT(WAIT_TOTAL_MAX), .will = will};
}

/* Copies what was added behind `from`; more than fits is too much to wait for long anyway. */
static void bequeath(struct channel *c, size_t from)
{
    if (c->will != NULL && c->waiting.len <= WILL_FRAMES_MAX && c->will->frames_len == from) {
        memcpy(c->will->frames + from, c->waiting.data + from, c->waiting.len - from);
        c->will->frames_len = (uint32_t)c->waiting.len;
    }
}

void channel_close(struct channel *c)
{
    drop_fd(&c->fd);
    c->fd = -1;
    c->broken = true;
    c->will = NULL; /* a copy of the process must not write into it */
    buf_done(&c->waiting);
}

/* After a failed send: waits until it is worth trying again. */
static void recover(struct channel *c)
{
    struct pollfd writable = {.fd = c->fd, .events = POLLOUT};
    if (errno == EAGAIN) {
        (void)poll(&writable, 1, -1); /* a signal only makes us try once too often */
    } else if (errno != EINTR) {
        c->broken = true; /* the lifeline ends this process in a moment */
    }
}

/* Returns how much has left: all of it, unless the channel is broken. */
static size_t send_all(struct channel *c)
{
    size_t sent = 0;
    while (sent < c->waiting.len && !c->broken) {
        ssize_t n = send(c->fd, c->waiting.data + sent, c->waiting.len - sent, MSG_NOSIGNAL);
        if (n >= 0) {
            sent += (size_t)n;
        } else {
            recover(c);
        }
    }
    return sent;
}

void channel_push(struct channel *c)
{
    if (c->waiting.len == 0) {
        return;
    }
    uint32_t left = 0;
    if (c->will != NULL) {
        left = c->will->frames_len;
        c->will->frames_len = 0; /* on their way */
    }
    if (send_all(c) == 0 && c->will != NULL) {
        c->will->frames_len =
            left; /* user code closed the socket: whoever survives us sends them */
    }
    buf_clear(&c->waiting);
}

/* Lets a small frame wait; false when it is too large for that. */
static bool enqueue(struct channel *c, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    size_t before = c->waiting.len;
    if (frame->content.len >= WAIT_FRAME_MAX || frame->buffer_count > 0 ||
        wire_encode(&c->waiting, frame, &e) < 0) {
        return false;
    }
    bequeath(c, before);
    return true;
}

void channel_add(struct channel *c, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    if (c->waiting.len > WAIT_TOTAL_MAX / 2) {
        channel_push(c);
    }
    if (c->broken || enqueue(c, frame)) {
        return;
    }
    channel_push(c);
    if (wire_write(c->fd, frame, &e) < 0 && e.code != ERR_LIMIT) {
        c->broken = true;
    }
}
