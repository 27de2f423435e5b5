/* SPDX-License-Identifier: MIT */
/* The JEP leaves the form of the two messages open. This is the one of xeus: delimiter, signature,
 * content, signed over the content alone. Ours is an object with the ports as strings, the
 * launcher's is the word ACK; only its signature counts. */
#include "kernel/zmq/registration.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bounds.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "kernel/protocol/codec.h"
#include "kernel/protocol/connection.h"
#include "kernel/zmq/zsock.h"

struct registration {
    registration_fn done; /* NULL once it was called */
    void *arg;
    char endpoint[ENDPOINT_SIZE];
    struct buf content; /* what we sent */
    struct signer *signer;
    struct zcontext *zcontext; /* of its own: gone with the registration */
    struct zsock *socket;
    struct zparts *parts;
    struct loop_fd *waker;
    struct loop_check *check;
    struct loop_timer *timer;
};

/* The last act of every callback: the registration may be gone afterwards. */
static void finish(struct registration *r, const struct err *failure)
{
    registration_fn done = take(r->done);
    loop_timer_cancel(r->timer);
    loop_fd_set_events(r->waker, 0);
    done(r->arg, failure);
}

static int write_content(const struct connection *c, struct buf *out, struct err *e)
{
    (void)jwrite_object(out);
    (void)jwrite_member_text(out, "kernel_id", c->kernel_id);
    for (int i = 0; i < CHANNELS; i++) {
        char port[16]; /* as text: so does xeus */
        (void)snprintf(port, sizeof port, "%d", c->ports[i]);
        (void)jwrite_member_text(out, connection_port_field((enum channel)i), port);
    }
    (void)jwrite_object_end(out);
    return buf_check(out, e);
}

static int send_content(struct registration *r, struct err *e)
{
    struct slice content = buf_slice(&r->content);
    const struct slice signed_frames[SIGN_FRAMES] = {content};
    char signature[SIGN_HEX_SIZE];
    signer_sign(r->signer, signed_frames, signature);
    const struct slice frames[] = {SLICE_LIT(CODEC_DELIMITER), slice_of(signature), content};
    return zsock_send(r->socket, frames, ARRAY_LEN(frames), e);
}

/* Whoever answers with our own message has not shown that he knows the key. */
static int check_answer(struct registration *r, struct err *e)
{
    size_t count = 0;
    const struct slice *frames = zparts_frames(r->parts, &count);
    size_t at = 0;
    while (at < count && !slice_is(frames[at], CODEC_DELIMITER)) {
        at++;
    }
    if (count - at < 3) {
        return err_set(e, ERR_PROTO, "it is not made of delimiter, signature and content");
    }
    if (slice_eq(frames[at + 2], buf_slice(&r->content))) {
        return err_set(e, ERR_AUTH, "it is our own message");
    }
    const struct slice signed_frames[SIGN_FRAMES] = {frames[at + 2]};
    return signer_verify(r->signer, signed_frames, frames[at + 1], e);
}

static enum loop_more on_check(void *arg)
{
    struct registration *r = arg;
    struct err why = ERR_NONE;
    int got = r->done == NULL ? 0 : zsock_receive(r->socket, r->parts, &why);
    if (got == 0) {
        return LOOP_IDLE;
    }
    if (got > 0 && check_answer(r, &why) == 0) {
        finish(r, NULL);
        return LOOP_IDLE;
    }
    struct err failure = ERR_NONE;
    (void)err_set(&failure, ERR_INPUT,
                  "field \"registration_port\": the acknowledgement from %s is refused (%s); the "
                  "launcher must sign it with the key of this file",
                  r->endpoint, why.text);
    finish(r, &failure);
    return LOOP_IDLE;
}

static void on_late(void *arg)
{
    struct registration *r = arg;
    struct err failure = ERR_NONE;
    (void)err_set(&failure, ERR_INPUT,
                  "field \"registration_port\": no acknowledgement from %s within %d s; a launcher "
                  "must listen there",
                  r->endpoint, REGISTRATION_MS / 1000);
    finish(r, &failure);
}

/* The descriptor only wakes the loop; on_check does the work before the next sleep. */
static void on_wake(void *arg, uint32_t events)
{
    (void)arg;
    (void)events;
}

/* NOLINTNEXTLINE(readability-function-size): a callback with its argument, beside the usual ones */
int registration_start(struct loop *loop, const struct connection *connection, registration_fn done,
                       void *arg, struct registration **out, struct err *e)
{
    _cleanup_(drop_registration) struct registration *r = xcalloc(1, sizeof *r);
    r->done = done;
    r->arg = arg;
    r->content = BUF_INIT(MSG_HEADER_MAX);
    r->parts = zparts_new();
    connection_registration_endpoint(connection, r->endpoint);
    if (write_content(connection, &r->content, e) < 0 ||
        signer_new(slice_of(connection->key), &r->signer, e) < 0 ||
        zcontext_new(&r->zcontext, e) < 0) {
        return -1;
    }
    if (zsock_connect(r->zcontext, r->endpoint, &r->socket, e) < 0) {
        (void)err_wrap(e, "field \"registration_ip\" is not an address to connect to");
        e->code = ERR_INPUT;
        return -1;
    }
    if (send_content(r, e) < 0 ||
        loop_add_fd(loop, zsock_fd(r->socket), EPOLLIN, on_wake, NULL, &r->waker, e) < 0) {
        return -1;
    }
    r->check = loop_add_check(loop, on_check, r);
    r->timer = loop_add_timer(loop, on_late, r);
    loop_timer_set(r->timer, REGISTRATION_MS);
    *out = take(r);
    return 0;
}

void registration_free(struct registration *r)
{
    if (r == NULL) {
        return;
    }
    loop_timer_free(r->timer);
    loop_check_free(r->check);
    loop_fd_free(r->waker);
    zparts_free(r->parts);
    zsock_free(r->socket);
    zcontext_free(r->zcontext);
    signer_free(r->signer);
    buf_done(&r->content);
    free(r);
}
