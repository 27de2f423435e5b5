/* SPDX-License-Identifier: MIT */
/* stdin.c - answers to input_request. Only the client that was asked may answer, and once. */
#include "kernel/protocol/schema.h"
#include "kernel/zmq/door_impl.h"

int stdin_handle(struct door *d, const struct message *msg, struct err *e)
{
    if (schema_check(msg->type, msg->content, e) < 0) {
        return -1;
    }
    struct exchange *x = exchange_find_asking(&d->exchanges, msg);
    struct context *c = x ? pool_find(broker_pool(d->broker), exchange_context_id(x)) : NULL;
    if (c == NULL) {
        return err_set(e, ERR_STATE, "nobody asked this client for input");
    }
    return context_input_reply(c, msg->content, e);
}
