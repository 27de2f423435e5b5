/* SPDX-License-Identifier: MIT */
/* local.c - replies that need no worker: what the broker knows by itself. */
#include "base/bounds.h"
#include "base/jscan.h"
#include "kernel/zmq/door_impl.h"

static void kernel_info(struct door *d, const struct exchange *x, struct buf *out)
{
    (void)x; /* the same for everybody */
    buf_add_slice(out, buf_slice(&d->kernel_info));
}

static void connect_info(struct door *d, const struct exchange *x, struct buf *out)
{
    static const struct {
        const char *key;
        enum channel channel;
    } ports[] = {{"shell_port", CHANNEL_SHELL},
                 {"iopub_port", CHANNEL_IOPUB},
                 {"stdin_port", CHANNEL_STDIN},
                 {"control_port", CHANNEL_CONTROL},
                 {"hb_port", CHANNEL_HEARTBEAT}};

    (void)x; /* the same for everybody */
    buf_add_text(out, "{\"status\": \"ok\"");
    for (size_t i = 0; i < ARRAY_LEN(ports); i++) {
        buf_addf(out, ", \"%s\": %d", ports[i].key,
                 d->options->connection->ports[ports[i].channel]);
    }
    buf_add_text(out, "}");
}

static void comm_info(struct door *d, const struct exchange *x, struct buf *out)
{
    comms_write_info(broker_comms(d->broker), jscan_get(exchange_content(x), "target_name"), out);
}

/* Only asked here when the code is a line that selects a context. */
static void code_is_awaited(struct door *d, const struct exchange *x, struct buf *out)
{
    (void)d;
    (void)x; /* the same for everybody */
    buf_add_text(out, "{\"status\": \"incomplete\", \"indent\": \"\"}");
}

/* create and restart: the context is ready now. */
static void context_info(struct door *d, const struct exchange *x, struct buf *out)
{
    const struct context *c = pool_find(broker_pool(d->broker), exchange_context_id(x));
    buf_add_text(out, "{\"status\": \"ok\", \"context\": ");
    contexts_describe(c, out);
    buf_add_text(out, "}");
}

static void context_list(struct door *d, const struct exchange *x, struct buf *out)
{
    (void)x; /* it has no content */
    buf_add_text(out, "{\"status\": \"ok\", \"contexts\": ");
    contexts_describe_all(broker_pool(d->broker), out);
    buf_add_text(out, "}");
}

static const struct {
    enum msg_type type;
    void (*answer)(struct door *d, const struct exchange *x, struct buf *out);
} answers[] = {
    {MSG_KERNEL_INFO_REQUEST, kernel_info},      {MSG_CONNECT_REQUEST, connect_info},
    {MSG_COMM_INFO_REQUEST, comm_info},          {MSG_CREATE_CONTEXT_REQUEST, context_info},
    {MSG_RESTART_CONTEXT_REQUEST, context_info}, {MSG_LIST_CONTEXT_REQUEST, context_list},
    {MSG_IS_COMPLETE_REQUEST, code_is_awaited},
};

void local_answer(struct door *d, const struct exchange *x, struct buf *out)
{
    for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
        if (answers[i].type == exchange_type(x)) {
            answers[i].answer(d, x, out);
            return;
        }
    }
}
