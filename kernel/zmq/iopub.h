/* SPDX-License-Identifier: MIT */
/* iopub.h - what all clients see: published in order, and not lost because one of them is slow.
 * While a subscriber's queue is full, messages wait here and `flow` is told, so that contexts
 * pause; a subscriber that stays full loses messages, the others do not. */
#pragma once

#include "base/loop.h"
#include "kernel/protocol/codec.h"
#include "kernel/zmq/zsock.h"

struct iopub;

/* Called when a subscriber is full, and when all take messages again. */
enum iopub_flow { IOPUB_FLOWS, IOPUB_STALLS };

typedef void (*iopub_flow_fn)(void *arg, enum iopub_flow flow);

/* Takes `socket`; borrows the rest for life. */
struct iopub *iopub_new(struct loop *loop, struct codec *codec, struct zsock *socket,
                        iopub_flow_fn flow, void *arg);
void iopub_free(struct iopub *p);

/* Publishes a message. `topic` may be empty: then it is the type's name. Borrows all. */
struct publication {
    enum msg_type type;
    struct slice topic;
    struct slice parent;
    struct slice metadata;
    struct slice content;
    const struct slice *buffers;
    size_t buffer_count;
};

void iopub_publish(struct iopub *p, const struct publication *publication);

void iopub_publish_status(struct iopub *p, const char *state, struct slice parent);

/* Answers subscriptions with a welcome, up to `most` of them; returns how many messages it read.
 * Call before every sleep, until there are fewer than that. */
int iopub_receive(struct iopub *p, int most);

/* See zsock_is_settled. */
bool iopub_is_settled(const struct iopub *p);

/* Sends what still waits, losing what full subscribers cannot take. */
void iopub_finish(struct iopub *p);

int iopub_fd(const struct iopub *p);
