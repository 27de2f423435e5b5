/* SPDX-License-Identifier: MIT */
/* publish.c - what engines send: text, results, displays. See worker.h. */
#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "contexts/worker/content.h"
#include "contexts/worker/state.h"
#include "contexts/worker/worker.h"
#include "mime/bundle.h"

uint64_t worker_heard(const struct worker *w)
{
    return w->output.ear == OUTPUT_HEARD ? w->output.exec : LATEST_EXEC;
}

bool worker_try_write(struct worker *w, uint64_t exec, enum stream_kind kind, struct slice text)
{
    flusher_ensure(&w->flusher);
    return output_try_text(&w->output, exec, kind, text);
}

void worker_write(struct worker *w, uint64_t exec, enum stream_kind kind, struct slice text)
{
    output_text(&w->output, exec, kind, text);
}

void worker_flush(struct worker *w)
{
    output_flush(&w->output);
}

void worker_hint_flush(struct worker *w)
{
    output_hint(&w->output);
}

void worker_expect_foreign_output(struct worker *w)
{
    flusher_ensure(&w->flusher);
    output_expect(&w->output, OTHERS_FOR_NOW);
}

void worker_expect_native_output(struct worker *w)
{
    flusher_ensure(&w->flusher);
    output_expect(&w->output, OTHERS_ALWAYS);
}

/* A fork made by user code sends no frames, but descriptor 1 is there: what it shows is printed. */
static void print_display(struct worker *w, enum wire_type type, struct slice content)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    bool shows = type == WIRE_DISPLAY_DATA || type == WIRE_UPDATE_DISPLAY_DATA;
    struct slice plain = jscan_get(jscan_get(content, "data"), "text/plain");
    if (shows && jscan_string(plain, &text) == 0 && buf_add_byte(&text, '\n') == 0) {
        worker_write(w, 0, STREAM_STDOUT, buf_slice(&text));
    }
}

/* Users give JSON that holds half a surrogate pair; JupyterLab could not save the notebook. */
void worker_publish(struct worker *w, uint64_t exec, enum wire_type type, struct slice content,
                    const struct slice *buffers, size_t buffer_count)
{
    _cleanup_(drop_buf) struct buf copy = BUF_INIT(FRAME_CONTENT_MAX);
    if (worker_is_copy(w)) {
        print_display(w, type, content);
        return;
    }
    struct wire_frame frame = {.type = type,
                               .exec = exec,
                               .content = jwrite_mended(content, &copy),
                               .buffers = buffers,
                               .buffer_count = buffer_count};
    output_frame(&w->output, &frame, OUTPUT_NOW);
}

void worker_result(struct worker *w, const struct bundle *bundle)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(FRAME_CONTENT_MAX);
    _cleanup_(drop_buf) struct buf copy = BUF_INIT(FRAME_CONTENT_MAX);
    if (w->running == NULL || w->running->silent) {
        return;
    }
    content_result(&content, bundle, w->running->execution_count);
    if (!content.full) {
        struct wire_frame frame = {.type = WIRE_EXECUTE_RESULT,
                                   .content = jwrite_mended(buf_slice(&content), &copy)};
        output_frame(&w->output, &frame, OUTPUT_WITH_REPLY);
    }
}

void worker_display(struct worker *w, uint64_t exec, enum wire_type type,
                    const struct bundle *bundle, struct slice transient)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(FRAME_CONTENT_MAX);
    content_display(&content, bundle, transient);
    if (!content.full) {
        worker_publish(w, exec, type, buf_slice(&content), NULL, 0);
    }
}

void worker_arm_interrupt(struct worker *w)
{
    sigint_arm(&w->sigint);
}

void worker_disarm_interrupt(struct worker *w)
{
    sigint_disarm(&w->sigint);
}

void worker_out_of_memory(struct worker *w)
{
    reserve_spend(&w->reserve);
}

bool worker_is_copy(const struct worker *w)
{
    return w->output.copy;
}
