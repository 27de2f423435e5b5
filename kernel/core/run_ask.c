/* SPDX-License-Identifier: MIT */
/* run_ask.c - a cell asks its client for input. The client may connect the channel for it later
 * than the others: until then the question waits, for a while; then the cell learns that nobody can
 * answer. */
#include <stdio.h>

#include "base/clock.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/loop.h"
#include "base/mem.h"
#include "kernel/core/run_impl.h"

static void give_up(struct run *run)
{
    struct err e = ERR_NONE;
    char why[200];
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_FIELD_MAX);
    (void)snprintf(why, sizeof why,
                   "the client has not connected its stdin channel within %d s, so nobody can be "
                   "asked for input; connect it, or send the cell with allow_stdin false",
                   STDIN_CONNECT_MS / 1000);
    jwrite_object(&content);
    jwrite_member_text(&content, "error", why);
    jwrite_object_end(&content);
    if (run_answer(run, buf_slice(&content), &e) < 0) {
        log_debug("core", "question not given up", "why=\"%s\"", e.text); /* answered otherwise */
    }
}

static void try_ask(struct run *run)
{
    struct err e = ERR_NONE;
    struct question *q = &run->question;
    if (run->listener->ask(run->arg, buf_slice(&q->content), &e) == 0) {
        return;
    }
    if (clock_ms() < q->until_ms) {
        loop_timer_set(q->timer, STDIN_RETRY_MS);
        return;
    }
    log_warn("core", "message not sent", "type=input_request why=\"%s\"", e.text);
    give_up(run);
}

static void on_retry(void *arg)
{
    struct run *run = arg;
    if (run->question.is_open) {
        try_ask(run);
    }
}

void run_ask(struct run *run, struct slice content)
{
    struct question *q = &run->question;
    if (q->timer == NULL) {
        q->timer = loop_add_timer(run->door->broker->loop, on_retry, run);
    }
    q->is_open = true;
    q->until_ms = clock_ms() + STDIN_CONNECT_MS;
    buf_clear(&q->content);
    (void)buf_add_slice(&q->content, content); /* a frame's content is within this limit */
    try_ask(run);
}

int run_answer(struct run *run, struct slice content, struct err *e)
{
    if (!run->question.is_open) {
        return err_set(e, ERR_STATE, "the run waits for no input");
    }
    run->question.is_open = false;
    return context_input_reply(run->context, content, e);
}

void question_done(struct question *q)
{
    loop_timer_free(take(q->timer));
    buf_done(&q->content);
}
