/* SPDX-License-Identifier: MIT */
/* zsock.h - the only file that sees libzmq: sockets as bytes in, bytes out, never blocking. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct zcontext;
struct zsock;
struct zparts;

enum zsock_role {
    ZSOCK_ROUTER, /* shell, control, heartbeat: what nobody is there to get is dropped */
    ZSOCK_ASKER,  /* stdin: the same, but sending tells (e->sys EHOSTUNREACH) */
    ZSOCK_XPUB    /* iopub: tells us of every subscription, refuses rather than drops */
};

MUST_CHECK int zcontext_new(struct zcontext **out, struct err *e);

/* Waits until what was sent has left, at most a second per socket; all sockets must be freed. */
void zcontext_free(struct zcontext *z);
DEFINE_DROP(zcontext, struct zcontext, zcontext_free)

/* Makes every socket that is bound from now on a CURVE server: who does not know the public key
 * gets no answer, and nobody can listen in. Borrows the keys, in Z85, for the life of the context.
 * ERR_STATE: this libzmq cannot; ERR_INPUT: the keys do not belong together. */
MUST_CHECK int zcontext_encrypt(struct zcontext *z, const char *public_key, const char *secret_key,
                                struct err *e);

/* Binds a socket. e->sys is EADDRINUSE when somebody else has the place. Gives `*out`. */
MUST_CHECK int zsock_bind(struct zcontext *z, enum zsock_role role, const char *endpoint,
                          struct zsock **out, struct err *e);

/* Connects a DEALER socket, not encrypted. Success says little: libzmq goes on trying. What has not
 * left when it is freed is dropped. Gives `*out`. */
MUST_CHECK int zsock_connect(struct zcontext *z, const char *endpoint, struct zsock **out,
                             struct err *e);

/* Closes it; what was sent still leaves. Removes the file of an ipc socket. */
void zsock_free(struct zsock *s);

/* The port it was bound to; 0 for ipc. */
int zsock_port(const struct zsock *s);

/* Becomes readable when there may be something to receive. The news is spent by any call, sending
 * included: before every sleep, receive until nothing is there, unless zsock_is_settled. */
int zsock_fd(const struct zsock *s);

/* True when nothing has been done with the socket since the last zsock_receive found nothing:
 * whatever has come since shows at the descriptor. Looking costs two system calls, this none. */
bool zsock_is_settled(const struct zsock *s);

/* A received message; reusable. */
struct zparts *zparts_new(void);
void zparts_free(struct zparts *p);

/* Lends the frames; valid until the next receive into `p`. */
const struct slice *zparts_frames(const struct zparts *p, size_t *count);

/* Receives one whole message. 1: in `p`; 0: nothing there; -1: dropped (ERR_LIMIT: too many
 * frames). */
MUST_CHECK int zsock_receive(struct zsock *s, struct zparts *p, struct err *e);

/* Sends one whole message, copying. e->sys EAGAIN: the XPUB socket has a subscriber whose queue
 * is full; nothing was sent to anybody. */
MUST_CHECK int zsock_send(struct zsock *s, const struct slice *frames, size_t count, struct err *e);

/* XPUB: the sender of the message that was received last gets, or does not get any more, what is
 * published under `topic`. */
void zsock_subscribe(struct zsock *s, struct slice topic);
void zsock_unsubscribe(struct zsock *s, struct slice topic);

/* XPUB: whether a full subscriber makes sending fail (the default) or only loses the message
 * itself. */
enum zsock_full { ZSOCK_REFUSE, ZSOCK_LOSE };

void zsock_when_full(struct zsock *s, enum zsock_full what);

const char *zsock_library_version(void);
