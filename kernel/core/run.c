/* SPDX-License-Identifier: MIT */
/* run.c - the way in: from a request to a job in the queue of a context. */
#include "kernel/core/run.h"

#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "kernel/core/failure.h"
#include "kernel/core/options.h"
#include "kernel/core/run_impl.h"
#include "kernel/core/selector.h"

/* One request on its way into a queue; borrows from the request. */
struct entry {
    const struct request *request;
    struct run_options options;
    struct selection selection;
    struct job_request job;
    struct buf content; /* of an execution that came as code */
    struct buf head;    /* of a comm message: its type and metadata, as the first buffer */
    struct slice buffers[FRAME_BUFFER_COUNT_MAX];
};

static int select_context(struct run *run, struct entry *entry, struct err *e)
{
    struct broker *b = run->door->broker;
    if (selector_read(entry->options.context, entry->job.content, &entry->selection, e) < 0) {
        return -1;
    }
    return contexts_select(b->pool, &b->contexts, &entry->selection, &run->context, e);
}

/* Waits its turn and is answered here, without a worker. */
static void become_turn(struct run *run, struct entry *entry)
{
    (void)buf_add_slice(&run->content, entry->job.content); /* within a message's own ceiling */
    entry->job.is_turn = true;
    entry->job.content = SLICE_NONE;
    entry->selection.line_len = 0;
}

static int prepare_turn(struct run *run, struct entry *entry, struct err *e)
{
    (void)e; /* cannot fail */
    run->context = run->door->broker->context;
    become_turn(run, entry);
    return 0;
}

/* Of the context it is asked for, in turn with what runs there. */
static int prepare_history(struct run *run, struct entry *entry, struct err *e)
{
    if (select_context(run, entry, e) < 0) {
        return -1;
    }
    become_turn(run, entry);
    return 0;
}

/* A line that selects and nothing else waits for its code, as cell magics do in IPython: a console
 * would run it otherwise, and take the next line for a cell of the default context. */
static int prepare_is_complete(struct run *run, struct entry *entry, struct err *e)
{
    if (select_context(run, entry, e) < 0) {
        return -1;
    }
    if (entry->selection.is_bare) {
        become_turn(run, entry);
    }
    return 0;
}

static int write_content(struct entry *entry, struct err *e)
{
    const struct run_options *o = &entry->options;
    jwrite_object(&entry->content);
    jwrite_member(&entry->content, "code", entry->request->code);
    jwrite_member_bool(&entry->content, "silent", o->silent);
    jwrite_member_bool(&entry->content, "store_history", o->store_history);
    jwrite_member_bool(&entry->content, "allow_stdin", o->allow_stdin);
    jwrite_object_end(&entry->content);
    entry->job.content = buf_slice(&entry->content);
    return buf_check(&entry->content, e);
}

static int prepare_execute(struct run *run, struct entry *entry, struct err *e)
{
    const struct run_options *o = &entry->options;
    if (entry->job.content.len == 0 && write_content(entry, e) < 0) {
        return -1;
    }
    entry->job.silent = o->silent;
    entry->job.store_history = o->store_history;
    entry->job.stop_on_error = o->stop_on_error;
    entry->job.allow_stdin = o->allow_stdin;
    entry->job.runs_to_end = o->runs_to_end;
    entry->job.cell_sent_ms = o->cell_sent_ms;
    entry->job.header = o->header;
    entry->job.timeout_ms = o->timeout_ms;
    entry->job.queue_timeout_ms = o->queue_timeout_ms;
    entry->job.output_bytes = (size_t)o->output_bytes;
    entry->job.env = o->env;
    run->keeps_history = o->store_history && !o->silent && run->door->broker->keeps_history;
    if (!o->silent) {
        struct slice code = jscan_get(entry->job.content, "code");
        run->code = xstrndup(code.data ? code.data : "", code.len);
        run->code_len = code.len;
    }
    return select_context(run, entry, e);
}

static int prepare_code(struct run *run, struct entry *entry, struct err *e)
{
    return select_context(run, entry, e);
}

/* Finds the context of a comm message; a new comm goes where its opener says. */
static int find_comm(struct run *run, struct entry *entry, struct err *e)
{
    struct broker *b = run->door->broker;
    struct slice content = entry->job.content;
    struct slice id = jscan_get(content, "comm_id");
    if (run->kind == REQUEST_COMM_OPEN) {
        if (select_context(run, entry, e) < 0) {
            return -1;
        }
        return comms_open(b->comms, id, jscan_get(content, "target_name"), context_id(run->context),
                          e);
    }
    const char *context = comms_context(b->comms, id);
    run->context = context ? pool_find(b->pool, context) : NULL;
    if (run->context == NULL) {
        return err_set(e, ERR_INPUT, "no such comm");
    }
    if (run->kind == REQUEST_COMM_CLOSE) {
        comms_close(b->comms, id);
    }
    return 0;
}

/* The worker reads the type and metadata of the message in the first buffer; the client's own
 * buffers follow. */
static int prepare_comm(struct run *run, struct entry *entry, struct err *e)
{
    static const char *const names[REQUEST_KINDS] = {[REQUEST_COMM_OPEN] = "comm_open",
                                                     [REQUEST_COMM_MSG] = "comm_msg",
                                                     [REQUEST_COMM_CLOSE] = "comm_close"};
    const struct request *request = entry->request;
    if (request->buffer_count + 1 > FRAME_BUFFER_COUNT_MAX) {
        return err_set(e, ERR_LIMIT, "%zu buffers", request->buffer_count);
    }
    if (find_comm(run, entry, e) < 0) {
        return -1;
    }
    jwrite_object(&entry->head);
    jwrite_member_text(&entry->head, "msg_type", names[run->kind]);
    jwrite_member_raw(&entry->head, "metadata",
                      request->metadata.len > 0 ? request->metadata : SLICE_LIT("{}"));
    jwrite_object_end(&entry->head);
    entry->buffers[0] = buf_slice(&entry->head);
    for (size_t i = 0; i < request->buffer_count; i++) {
        entry->buffers[i + 1] = request->buffers[i];
    }
    entry->job.buffers = entry->buffers;
    entry->job.buffer_count = request->buffer_count + 1;
    entry->job.overtakes = run->kind == REQUEST_COMM_MSG; /* others may depend on what waits */
    return buf_check(&entry->head, e);
}

static const struct {
    enum wire_type wire; /* of the frame to the worker; unused where the turn is all */
    int (*prepare)(struct run *run, struct entry *entry, struct err *e);
} kinds[REQUEST_KINDS] = {
    [REQUEST_EXECUTE] = {WIRE_EXECUTE, prepare_execute},
    [REQUEST_COMPLETE] = {WIRE_COMPLETE, prepare_code},
    [REQUEST_INSPECT] = {WIRE_INSPECT, prepare_code},
    [REQUEST_IS_COMPLETE] = {WIRE_IS_COMPLETE, prepare_is_complete},
    [REQUEST_COMM_OPEN] = {WIRE_COMM, prepare_comm},
    [REQUEST_COMM_MSG] = {WIRE_COMM, prepare_comm},
    [REQUEST_COMM_CLOSE] = {WIRE_COMM, prepare_comm},
    [REQUEST_HISTORY] = {WIRE_EXECUTE, prepare_history},
    [REQUEST_TURN] = {WIRE_EXECUTE, prepare_turn},
};

static int prepare(struct run *run, struct entry *entry, struct err *e)
{
    struct slice metadata = entry->request->metadata;
    entry->job.type = kinds[run->kind].wire;
    entry->job.content = entry->request->content;
    entry->job.reader = run->door->number;
    if (metadata.len > 0 && options_read_run(metadata, &entry->options, e) < 0) {
        return -1;
    }
    return kinds[run->kind].prepare(run, entry, e);
}

static void drop_entry(struct entry *entry)
{
    buf_done(&entry->content);
    buf_done(&entry->head);
}

static struct run *run_new(struct door *d, const struct request *request)
{
    struct run *run = xcalloc(1, sizeof *run);
    *run = (struct run){.door = d,
                        .kind = request->kind,
                        .listener = request->listener,
                        .arg = request->arg,
                        .handle = request->handle,
                        .silent = request->options.silent,
                        .content = BUF_INIT(MSG_JSON_MAX),
                        .question = {.content = BUF_INIT(FRAME_CONTENT_MAX)}};
    if (run->handle != NULL) {
        *run->handle = run;
    }
    return run;
}

void run_free(struct run *run)
{
    if (run->handle != NULL) {
        *run->handle = NULL;
    }
    question_done(&run->question);
    buf_done(&run->content);
    free(run->code);
    free(run->label);
    run->listener->release(run->arg);
    free(run);
}

static void refuse(struct run *run, const struct err *reason)
{
    run_fail(run, failure_name(reason), reason->text, reason->text,
             context_execution_count(run->door->broker->context));
    run_free(run);
}

void run_refuse(struct door *d, const struct request *request, const struct err *reason)
{
    refuse(run_new(d, request), reason);
}

void run_submit(struct door *d, const struct request *request)
{
    struct err e = ERR_NONE;
    struct run *run = run_new(d, request);
    _cleanup_(drop_entry) struct entry entry = {.request = request,
                                                .options = request->options,
                                                .content = BUF_INIT(MSG_JSON_MAX),
                                                .head = BUF_INIT(MSG_JSON_MAX)};
    if (prepare(run, &entry, &e) < 0) {
        refuse(run, &e);
        return;
    }
    struct job *job = job_new(&entry.job, &run_job_events, run);
    selector_blank(&entry.selection, job_content(job));
    context_submit(run->context, job);
}

bool run_cancel(struct run *run)
{
    return run->kind == REQUEST_EXECUTE && run->context != NULL &&
           context_cancel(run->context, run);
}
