/* SPDX-License-Identifier: MIT */
/* run_events.c - what a job reports of a run, put into the terms of its listener: noted in history
 * and comms on the way, and with the words for what is not the code's own doing. */
#include <stdio.h>

#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/mem.h"
#include "kernel/core/failure.h"
#include "kernel/core/run_impl.h"

static const char *label_of(const struct run *run)
{
    return run->is_detached ? run->label : broker_label(run->door->broker, run->context);
}

static void on_started(void *arg, int64_t execution_count)
{
    struct run *run = arg;
    struct slice code = {.data = run->code, .len = run->code_len};
    struct run_start start = {
        .context_id = label_of(run), .execution_count = execution_count, .code = code};
    run->listener->started(run->arg, &start);
    if (run->keeps_history) {
        run->line = execution_count;
        side_note_input(run->door->broker->side, run->context, run->line, code);
    }
    free(take(run->code));
}

static const struct {
    enum wire_type wire;
    enum output_kind kind;
    bool is_comm;
} outputs[] = {
    {WIRE_STREAM, OUTPUT_STREAM, false},
    {WIRE_DISPLAY_DATA, OUTPUT_DISPLAY, false},
    {WIRE_UPDATE_DISPLAY_DATA, OUTPUT_UPDATE_DISPLAY, false},
    {WIRE_CLEAR_OUTPUT, OUTPUT_CLEAR, false},
    {WIRE_EXECUTE_RESULT, OUTPUT_RESULT, false},
    {WIRE_ERROR, OUTPUT_ERROR, false},
    {WIRE_COMM_OPEN, OUTPUT_COMM_OPEN, true},
    {WIRE_COMM_MSG, OUTPUT_COMM_MSG, true},
    {WIRE_COMM_CLOSE, OUTPUT_COMM_CLOSE, true},
};

/* Comms that a context opens or closes are known from then on, so that answers find it. */
static void note_comm(struct run *run, enum output_kind kind, struct slice content)
{
    struct err e = ERR_NONE;
    struct comms *comms = run->door->broker->comms;
    struct slice id = jscan_get(content, "comm_id");
    const char *context = context_id(run->context);
    if (kind == OUTPUT_COMM_CLOSE) {
        comms_close(comms, id);
    } else if (kind == OUTPUT_COMM_OPEN &&
               comms_open(comms, id, jscan_get(content, "target_name"), context, &e) < 0) {
        log_warn("core", "comm not kept", "ctx=%s why=\"%s\"", context, e.text);
    }
}

static void send_output(struct run *run, const struct run_output *output)
{
    run->listener->output(run->arg, output);
    if (run->door->is_held && run->context != NULL) {
        context_pause(run->context, run->door->number);
    }
}

static void on_output(void *arg, enum wire_type type, struct slice content,
                      const struct slice *buffers, size_t buffer_count)
{
    struct run *run = arg;
    size_t i = 0;
    if (type == WIRE_INPUT_REQUEST) {
        run_ask(run, content);
        return;
    }
    while (i < ARRAY_LEN(outputs) && outputs[i].wire != type) {
        i++;
    }
    if (i == ARRAY_LEN(outputs)) {
        return; /* the pool passes on nothing else */
    }
    struct run_output output = {.kind = outputs[i].kind,
                                .content = content,
                                .buffers = buffers,
                                .buffer_count = buffer_count};
    if (outputs[i].is_comm) { /* the pool has checked that its first buffer is there */
        note_comm(run, output.kind, content);
        output.metadata = buffers[0];
        output.buffers = buffers + 1;
        output.buffer_count = buffer_count - 1;
    } else if (output.kind == OUTPUT_RESULT && run->line > 0) {
        side_note_output(run->door->broker->side, run->context, run->line,
                         jscan_get(jscan_get(content, "data"), "text/plain"));
    }
    send_output(run, &output);
}

void run_fail(struct run *run, const char *ename, const char *reason, const char *evalue,
              int64_t execution_count)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_HEADER_MAX);
    if (run->kind == REQUEST_EXECUTE && !run->silent) {
        failure_write_output(&content, ename, evalue);
        send_output(run,
                    &(struct run_output){.kind = OUTPUT_ERROR, .content = buf_slice(&content)});
        buf_clear(&content);
    }
    if (run->kind == REQUEST_EXECUTE) {
        failure_write_execute_reply(&content, ename, evalue, execution_count);
    } else {
        failure_write_reply(&content, ename, evalue);
    }
    struct run_end end = {.status = RUN_FAILED,
                          .content = buf_slice(&content),
                          .context_id = label_of(run),
                          .ename = ename,
                          .reason = reason,
                          .execution_count = execution_count,
                          .exit_code = -1};
    run->listener->ended(run->arg, &end);
}

/* What a death means for those who want to go on. */
static const char *aftermath(const struct run *run)
{
    if (broker_is_ending(run->door->broker)) {
        return "the kernel is shutting down";
    }
    return context_is_doomed(run->context) ? "it was deleted"
                                           : "its variables are lost, the context starts afresh";
}

static void end_died(struct run *run, const struct job_result *result)
{
    char evalue[sizeof result->death->text + 80];
    (void)snprintf(evalue, sizeof evalue, "%s; %s", result->death->text, aftermath(run));
    run_fail(run, result->death->ename, result->death->text, evalue, result->execution_count);
}

static void end_with(struct run *run, struct run_end end)
{
    end.context_id = label_of(run);
    run->listener->ended(run->arg, &end);
}

static void on_history(void *arg, struct slice history, const struct err *err)
{
    struct run *run = arg;
    run->context = NULL; /* it may be gone by now */
    if (err->code != ERR_OK) {
        run_fail(run, failure_name(err), err->text, err->text, 0);
    } else {
        _cleanup_(drop_buf) struct buf content = BUF_INIT(history.len + MSG_FIELD_MAX);
        jwrite_object(&content);
        jwrite_member_text(&content, "status", "ok");
        jwrite_member_raw(&content, "history", history);
        jwrite_object_end(&content);
        end_with(run, (struct run_end){.content = buf_slice(&content), .exit_code = -1});
    }
    run_free(run);
}

/* The side thread answers; the run outlives its job until then. */
static void ask_history(struct run *run, int64_t execution_count)
{
    struct err e = ERR_NONE;
    if (side_history(run->door->broker->side, run->context, buf_slice(&run->content), on_history,
                     run, &e) < 0) {
        run_fail(run, failure_name(&e), e.text, e.text, execution_count);
        return;
    }
    const char *label = label_of(run);
    run->label = label != NULL ? xstrdup(label) : NULL;
    run->is_detached = true;
}

/* The turn of a request that needs no worker has come. */
static void end_turn(struct run *run, const struct job_result *result)
{
    struct run_end end = {.execution_count = result->execution_count, .exit_code = -1};
    if (run->kind == REQUEST_HISTORY) {
        ask_history(run, result->execution_count);
        return;
    }
    if (run->kind == REQUEST_IS_COMPLETE) {
        end.content = SLICE_LIT("{\"status\": \"incomplete\", \"indent\": \"\"}");
    }
    end_with(run, end);
}

static void end_replied(struct run *run, const struct job_result *result)
{
    bool failed = result->failed && jscan_string_is(jscan_get(result->content, "status"), "error");
    end_with(run, (struct run_end){.status = failed ? RUN_FAILED : RUN_OK,
                                   .content = result->content,
                                   .execution_count = result->execution_count,
                                   .exit_code = result->exit_code});
}

static void on_ended(void *arg, const struct job_result *result)
{
    struct run *run = arg;
    run->question.is_open = false;
    switch (result->end) {
    case JOB_REPLIED:
        end_replied(run, result);
        return;
    case JOB_TURN:
        end_turn(run, result);
        return;
    case JOB_ABORTED: /* no count: a notebook would write it beside a cell that never ran */
        end_with(run, (struct run_end){.status = RUN_ABORTED,
                                       .content = SLICE_LIT("{\"status\": \"aborted\"}"),
                                       .execution_count = result->execution_count,
                                       .exit_code = -1});
        return;
    case JOB_REFUSED:
        run_fail(run, failure_name(result->reason), result->reason->text, result->reason->text,
                 result->execution_count);
        return;
    case JOB_DIED:
        end_died(run, result);
        return;
    }
}

static void on_release(void *arg)
{
    struct run *run = arg;
    if (!run->is_detached) {
        run_free(run);
    }
}

const struct job_sink run_job_events = {
    .started = on_started, .output = on_output, .ended = on_ended, .release = on_release};
