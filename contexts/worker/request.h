/* SPDX-License-Identifier: MIT */
/* request.h - takes the contents of requests apart. They come from clients as they wrote them:
 * wrong types are reported to the client, never trusted. */
#pragma once

#include "base/buf.h"
#include "contexts/wire/frame.h"
#include "contexts/worker/engine.h"

/* What a request borrows must outlive the frame: a cell that waits for input reads more frames. */
struct request_room {
    struct buf code;
    struct buf expressions;
    struct buf env;
    struct buf header;
};

void request_room_init(struct request_room *room);
void request_room_done(struct request_room *room);
DEFINE_DROP_VALUE(request_room, struct request_room, request_room_done)

/* Decodes an EXECUTE frame into `room`; `*out` borrows from it. */
MUST_CHECK int request_execute(const struct wire_frame *frame, struct request_room *room,
                               struct exec_request *out, struct err *e);

/* What COMPLETE, INSPECT and IS_COMPLETE have in common. */
struct code_request {
    struct slice code;
    size_t cursor; /* code points; at most the length of the code */
    int detail;    /* 0 or 1 */
};

/* Decodes a COMM frame; `*out` lends from it. */
MUST_CHECK int request_comm(const struct wire_frame *frame, struct comm_request *out,
                            struct err *e);

MUST_CHECK int request_code(const struct wire_frame *frame, struct request_room *room,
                            struct code_request *out, struct err *e);
