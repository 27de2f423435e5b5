/* SPDX-License-Identifier: MIT */
/* postmortem.c - what a dead process has not sent: its will, then what lies in the pipes of its
 * descriptors 1 and 2. All of it is as untrusted as it was alive. */
#include <stddef.h>

#include "base/jwrite.h"
#include "base/log.h"
#include "contexts/pool/context_impl.h"
#include "contexts/wire/will.h"

/* Reads a part of the will; what is not there any more (somebody cut the file) is just short. */
static bool read_part(const struct life *l, size_t offset, size_t len, struct buf *out)
{
    char *room = buf_reserve(out, len);
    ssize_t n = room ? pread(l->will_fd, room, len, (off_t)offset) : -1;
    if (n != (ssize_t)len) {
        return false;
    }
    buf_commit(out, len);
    return true;
}

static void send_text(struct job *job, uint32_t stream, struct slice text)
{
    if (job == NULL || job->request.silent || text.len == 0) {
        return;
    }
    /* Escapes make a byte six at most. */
    _cleanup_(drop_buf) struct buf content = BUF_INIT(text.len * 6 + 64);
    jwrite_object(&content);
    jwrite_member_text(&content, "name", stream == 0 ? "stdout" : "stderr");
    jwrite_member(&content, "text", text);
    jwrite_object_end(&content);
    job_output(job, WIRE_STREAM, buf_slice(&content), NULL, 0);
}

static struct job *last_execution(const struct context *c)
{
    if (c->current != NULL) {
        return c->current;
    }
    return context_last_job(c);
}

/* What was on its way from a pipe into the text: all up to the zeros behind it. */
static void read_taken(struct life *l, uint32_t stream, struct buf *bytes)
{
    if (!read_part(l, offsetof(struct will, taken), WILL_CAPTURED_MAX, bytes)) {
        return;
    }
    send_text(last_execution(l->context), stream,
              (struct slice){.data = bytes->data, .len = strnlen(bytes->data, bytes->len)});
}

void postmortem_read_will(struct life *l)
{
    struct will head;
    _cleanup_(drop_buf) struct buf frames = BUF_INIT(WILL_FRAMES_MAX);
    _cleanup_(drop_buf) struct buf text = BUF_INIT(WILL_TEXT_MAX);
    size_t head_len = offsetof(struct will, text);
    if (l->will_fd < 0 || pread(l->will_fd, &head, head_len, 0) != (ssize_t)head_len ||
        head.frames_len > WILL_FRAMES_MAX || will_text_len(head.held) > WILL_TEXT_MAX) {
        return;
    }
    l->farewell = head.farewell == WILL_WIRE_CLOSED ? WILL_WIRE_CLOSED : WILL_SAYS_NOTHING;
    if (head.frames_len > 0 &&
        read_part(l, offsetof(struct will, frames), head.frames_len, &frames)) {
        context_feed(l, buf_slice(&frames));
    }
    uint32_t text_len = will_text_len(head.held);
    uint32_t captured = will_captured(head.held);
    if (text_len > 0 && read_part(l, offsetof(struct will, text), text_len, &text)) {
        send_text(context_job_of(l->context, head.exec), head.stream, buf_slice(&text));
    }
    if (captured == 1 || captured == 2) {
        buf_clear(&text);
        read_taken(l, captured - 1, &text);
    }
}

static void read_pipe(const struct life *l, struct job *job, int stream)
{
    _cleanup_(drop_buf) struct buf raw = BUF_INIT(POSTMORTEM_BYTES_MAX);
    char chunk[4096];
    ssize_t n = 0;
    while ((n = read(l->pipe_fds[stream], chunk, sizeof chunk)) > 0) {
        if (buf_add(&raw, chunk, (size_t)n) < 0) {
            break; /* the rest is lost, the beginning matters more */
        }
    }
    send_text(job, (uint32_t)stream, buf_slice(&raw));
}

void postmortem_read_pipes(struct life *l)
{
    for (int stream = 0; stream < 2; stream++) {
        if (l->pipe_fds[stream] >= 0) {
            read_pipe(l, last_execution(l->context), stream);
        }
    }
}
