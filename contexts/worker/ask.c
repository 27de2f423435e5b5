/* SPDX-License-Identifier: MIT */
/* ask.c - a cell asks the client for a line of input and waits for it. See worker_input. */
#include <errno.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "contexts/worker/state.h"
#include "contexts/worker/worker.h"

/* A signal that comes just before the wait is seen this much later at most. */
enum { LOOK_AGAIN_MS = 100 };

static void send_request(struct worker *w, uint64_t exec, struct slice prompt, bool password)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(FRAME_CONTENT_MAX);
    jwrite_object(&content);
    if (jwrite_member(&content, "prompt", prompt) < 0) {
        jwrite_member_text(&content, "prompt", ""); /* nobody reads a prompt of this size */
    }
    jwrite_member_bool(&content, "password", password);
    jwrite_object_end(&content);
    struct wire_frame frame = {
        .type = WIRE_INPUT_REQUEST, .exec = exec, .content = buf_slice(&content)};
    output_flush(&w->output);
    output_send(&w->output, &frame); /* also of a silent cell: it would wait for ever */
}

static int read_answer(struct slice content, struct buf *answer, struct err *e)
{
    if (jscan_check(content, JSCAN_LENIENT, JSON_DEPTH_MAX, e) < 0) {
        return -1;
    }
    if (jscan_string(jscan_get(content, "value"), answer) == 0) {
        return 0;
    }
    if (jscan_string(jscan_get(content, "error"), answer) == 0) { /* the broker gives up */
        return err_set(e, ERR_TIMEOUT, "%s", buf_text(answer));
    }
    return err_set(e, ERR_PROTO, "input_reply without a value");
}

static enum inbox_verdict sort(const void *arg, const struct wire_frame *frame)
{
    const uint64_t *exec = arg;
    if (frame->type != WIRE_INPUT_REPLY) {
        return INBOX_HOLD;
    }
    return frame->exec == *exec ? INBOX_TAKE
                                : INBOX_DROP; /* answers a question of an earlier cell */
}

static int wait_for_answer(struct worker *w, uint64_t exec, struct buf *answer, struct err *e)
{
    struct letter *taken = NULL;
    int got = inbox_wait(&w->inbox, sort, &exec, LOOK_AGAIN_MS, &taken, e);
    _cleanup_(drop_letter) struct letter *letter = taken;
    if (got == 0) {
        errno = EINTR;
        return err_sys(e, "waiting for input");
    }
    return got < 0 ? -1 : read_answer(letter->frame.content, answer, e);
}

int worker_input(struct worker *w, struct slice prompt, bool password, enum input_again again,
                 struct buf *answer, struct err *e)
{
    uint64_t exec = atomic_load(&w->asker);
    if (exec == 0 || worker_is_copy(w)) {
        return err_set(e, ERR_STATE, "this client does not answer requests for input");
    }
    if (pthread_equal(pthread_self(), w->main_thread) && w->in_handler) {
        return err_set(e, ERR_STATE, "a handler of comm messages cannot ask for input");
    }
    if (again == INPUT_ASK) {
        send_request(w, exec, prompt, password);
    }
    return wait_for_answer(w, exec, answer, e);
}
