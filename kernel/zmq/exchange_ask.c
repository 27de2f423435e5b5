/* SPDX-License-Identifier: MIT */
/* exchange_ask.c - the input_request of a cell. It goes to the stdin socket of the client that sent
 * the cell; clients connect that socket on its own, and may do so later than the others. Until then
 * the question waits, for a while; then the cell is told that nobody can answer. */
#include <errno.h>

#include "base/clock.h"
#include "base/log.h"
#include "kernel/zmq/door_impl.h"
#include "kernel/zmq/exchange_impl.h"

static void give_up(struct exchange *x)
{
    struct err e = ERR_NONE;
    struct context *c = pool_find(broker_pool(x->door->broker), x->context_id);
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_FIELD_MAX);
    x->asking = false;
    buf_addf(&content,
             "{\"error\": \"the client has not connected its stdin channel within %d s, so nobody "
             "can be asked for input; connect it, or send the cell with allow_stdin false\"}",
             STDIN_CONNECT_MS / 1000);
    if (c != NULL && context_input_reply(c, buf_slice(&content), &e) < 0) {
        log_debug("zmq", "question not given up", "why=\"%s\"", e.text); /* answered otherwise */
    }
}

static void try_ask(struct exchange *x)
{
    struct err e = ERR_NONE;
    struct outgoing msg = {.type = MSG_INPUT_REQUEST,
                           .parent = exchange_parent(x),
                           .metadata = buf_slice(&x->metadata),
                           .content = buf_slice(&x->question)};
    if (exchange_send(x, CHANNEL_STDIN, &msg, &e) == 0) {
        x->asked = x->door->codec.sent;
    } else if (clock_ms() < x->ask_until_ms) {
        loop_timer_set(x->ask_timer, STDIN_RETRY_MS);
    } else {
        log_warn("zmq", "message not sent", "type=input_request why=\"%s\"", e.text);
        give_up(x);
    }
}

static void on_retry(void *arg)
{
    struct exchange *x = arg;
    if (x->asking) {
        try_ask(x);
    }
}

void exchange_ask(struct exchange *x, struct slice content)
{
    x->asking = true;
    x->ask_until_ms = clock_ms() + STDIN_CONNECT_MS;
    if (x->ask_timer == NULL) {
        x->ask_timer = loop_add_timer(x->door->loop, on_retry, x);
        x->question = BUF_INIT(FRAME_CONTENT_MAX);
    }
    buf_clear(&x->question);
    (void)buf_add_slice(&x->question, content); /* a frame's content is within this limit */
    try_ask(x);
}

void exchange_ask_done(struct exchange *x)
{
    loop_timer_free(take(x->ask_timer));
    buf_done(&x->question);
}
