/* SPDX-License-Identifier: MIT */
/* comm.c - comm messages: between cells, and while a cell awaits (see worker_listen). Handlers of
 * widgets are user code: they print, display, and can be interrupted. */
#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "contexts/worker/content.h"
#include "contexts/worker/request.h"
#include "contexts/worker/state.h"
#include "contexts/worker/worker.h"

/* A comm that nobody here can serve is closed, so that its opener knows. */
static void close_comm(struct worker *w, const struct comm_request *request)
{
    struct slice id = jscan_get(request->content, "comm_id");
    struct slice metadata = SLICE_LIT("{}");
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_JSON_MAX);
    if (strcmp(request->msg_type, "comm_open") != 0 || id.len == 0) {
        return;
    }
    jwrite_object(&content);
    jwrite_member_raw(&content, "data", SLICE_LIT("{}"));
    jwrite_member_raw(&content, "comm_id", id);
    jwrite_object_end(&content);
    worker_publish(w, LATEST_EXEC, WIRE_COMM_CLOSE, buf_slice(&content), &metadata, 1);
}

void worker_serve_comm(struct worker *w, const struct wire_frame *frame)
{
    struct comm_request request;
    struct err e = ERR_NONE;
    if (request_comm(frame, &request, &e) < 0) {
        worker_send_failed(w, &e);
        return;
    }
    output_begin(&w->output, w->exec, OUTPUT_HEARD);
    sigint_arm(&w->sigint);
    if (w->engine->comm != NULL) {
        w->engine->comm(w->state, &request);
    } else {
        close_comm(w, &request);
    }
    if (!w->in_handler) { /* else the cell goes on, and can be interrupted */
        sigint_disarm(&w->sigint);
    }
    output_settle(&w->output, OUTPUT_LOOK);
    worker_end_copy(w, 0);
    _cleanup_(drop_buf) struct buf done = BUF_INIT(KIB);
    content_ok(&done);
    worker_send_done(w, buf_slice(&done));
}

/* Output is the message's while its handler runs, and then the cell's again. */
static void interpose(struct worker *w, const struct wire_frame *frame)
{
    enum output_ear ear = w->output.ear;
    uint64_t exec = w->exec;
    w->in_handler = true;
    w->exec = frame->exec;
    worker_serve_comm(w, frame);
    w->exec = exec;
    w->in_handler = false;
    output_begin(&w->output, exec, ear);
}

int worker_listen(struct worker *w)
{
    if (w->running == NULL || w->engine->comm == NULL || worker_is_copy(w)) {
        return -1;
    }
    struct wire_frame frame = {.type = WIRE_LISTENING, .exec = w->exec, .content = SLICE_LIT("{}")};
    output_send(&w->output, &frame);
    return w->wire_fd;
}

/* What else comes is for a thread that asks, or its turn comes after this cell. */
static enum inbox_verdict sort(const void *arg, const struct wire_frame *frame)
{
    (void)arg; /* every comm message */
    return frame->type == WIRE_COMM ? INBOX_TAKE : INBOX_HOLD;
}

bool worker_serve_comms(struct worker *w)
{
    struct err e = ERR_NONE;
    if (worker_is_copy(w) || w->running == NULL) {
        return false;
    }
    if (w->in_handler) {
        return true; /* one after the other */
    }
    int more = inbox_read(&w->inbox, &e);
    for (;;) {
        struct letter *taken = NULL;
        int got = inbox_take(&w->inbox, sort, NULL, &taken, &e);
        _cleanup_(drop_letter) struct letter *letter = taken;
        if (got <= 0) {
            return got == 0 && more >= 0;
        }
        interpose(w, &letter->frame);
    }
}
