/* SPDX-License-Identifier: MIT */
/* The whole loop of a context, with a tiny language: one word per cell. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "base/proc.h"
#include "contexts/worker/engine.h"
#include "contexts/worker/worker.h"
#include "mime/bundle.h"
#include "tests/unit/peer.h"

/* The engine of the child process. */
static struct worker *worker;
static volatile sig_atomic_t interrupted;

static void on_sigint(int signo)
{
    (void)signo;
    interrupted = 1;
}

static void say(const char *text)
{
    worker_write(worker, LATEST_EXEC, STREAM_STDOUT, slice_of(text));
}

static void fail_with(struct exec_outcome *out, const char *ename)
{
    out->failed = true;
    buf_add_text(&out->ename, ename);
}

static void do_result(struct exec_outcome *out)
{
    _cleanup_(drop_bundle) struct bundle bundle;
    (void)out;
    bundle_init(&bundle, KIB);
    (void)bundle_add_text(&bundle, "text/plain", SLICE_LIT("value"));
    worker_result(worker, &bundle);
}

static void do_say(struct exec_outcome *out)
{
    (void)out;
    say("said");
}

static void do_raw(struct exec_outcome *out)
{
    (void)out;
    (void)fputs("stdio ", stdout);
}

static void do_fail(struct exec_outcome *out)
{
    say("before");
    fail_with(out, "Failure");
}

/* A fork of user code that prints a lot while the cell waits for it, then comes to the end of the
 * cell itself. */
static void do_fork(struct exec_outcome *out)
{
    enum { LINES = 20000 };

    int status = 0;
    say("parent ");
    pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < LINES; i++) {
            say("chatty\n");
        }
        return;
    }
    if (proc_thread_count() != 1) {
        fail_with(out, "ThreadAfterFork");
        return;
    }
    worker_expect_foreign_output(worker);
    if (waitpid(pid, &status, 0) != pid || status != 0) {
        fail_with(out, "BadStatus");
    }
    say("end");
}

static void do_crash(struct exec_outcome *out)
{
    (void)out;
    say("last words");
    (void)raise(SIGSEGV);
}

static void do_wait(struct exec_outcome *out)
{
    say("waiting");
    worker_flush(worker);
    while (!interrupted) {
        (void)poll(NULL, 0, 1000);
    }
    fail_with(out, "Interrupted");
}

static void do_seen(struct exec_outcome *out)
{
    (void)out;
    say(interrupted ? "interrupted" : "quiet");
}

static void do_ask(struct exec_outcome *out)
{
    _cleanup_(drop_buf) struct buf answer = BUF_INIT(KIB);
    struct err e = ERR_NONE;
    enum input_again again = INPUT_ASK;
    while (worker_input(worker, SLICE_LIT("name?"), false, again, &answer, &e) < 0) {
        if (e.sys != EINTR) {
            fail_with(out, e.code == ERR_STATE ? "NotAllowed" : "Other");
            return;
        }
        again = INPUT_AGAIN;
        e = ERR_NONE;
    }
    say(buf_text(&answer));
}

/* A thread that has asked, and goes on waiting when the cell has ended. */
static int has_asked[2];

static void *ask_on(void *unused)
{
    _cleanup_(drop_buf) struct buf answer = BUF_INIT(KIB);
    struct err e = ERR_NONE;
    enum input_again again = INPUT_ASK;
    while (worker_input(worker, SLICE_LIT("?"), false, again, &answer, &e) < 0 && e.sys == EINTR) {
        (void)!write(has_asked[1], "", 1); /* the cell waits for the first */
        again = INPUT_AGAIN;
        e = ERR_NONE;
    }
    say(e.code == ERR_STATE ? "refused" : "answered");
    return unused;
}

static void do_leave_asking(struct exec_outcome *out)
{
    pthread_t thread;
    char byte = 0;
    if (pipe(has_asked) < 0 || pthread_create(&thread, NULL, ask_on, NULL) != 0 ||
        read(has_asked[0], &byte, 1) != 1) {
        fail_with(out, "NoThread");
    }
}

/* Handler of comm messages: says which one it is, and that it may not ask. */
static int comms;

static void engine_comm(void *state, const struct comm_request *request)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(KIB);
    _cleanup_(drop_buf) struct buf answer = BUF_INIT(KIB);
    struct err e = ERR_NONE;
    (void)state;
    comms++;
    buf_add_slice(&text, request->content);
    if (worker_input(worker, SLICE_LIT("?"), false, INPUT_ASK, &answer, &e) < 0) {
        buf_addf(&text, " %s", e.text);
    }
    say(buf_text(&text));
}

/* Takes two comm messages while it awaits. */
static void do_listen(struct exec_outcome *out)
{
    struct pollfd readable = {.fd = worker_listen(worker), .events = POLLIN};
    comms = 0;
    while (worker_serve_comms(worker) && comms < 2) {
        (void)poll(&readable, 1, PEER_DEADLINE_MS);
    }
    say(comms == 2 ? "both" : "missed");
    (void)out;
}

static void do_ask_and_listen(struct exec_outcome *out)
{
    do_ask(out);
    do_listen(out);
}

static void *print_later(void *go)
{
    char byte = 0;
    ssize_t n = read(*(int *)go, &byte, 1);
    say(n == 0 ? "late" : "too early");
    return NULL;
}

/* The thread prints when the test closes its end of the wire's twin: after the reply. */
static int later[2];

static void do_late(struct exec_outcome *out)
{
    pthread_t thread;
    close(later[1]);
    if (pthread_create(&thread, NULL, print_later, &later[0]) != 0) {
        fail_with(out, "NoThread");
    }
}

static const struct word {
    const char *word;
    void (*run)(struct exec_outcome *out);
} words[] = {
    {"result", do_result},
    {"say", do_say},
    {"raw", do_raw},
    {"fail", do_fail},
    {"fork", do_fork},
    {"crash", do_crash},
    {"wait", do_wait},
    {"seen", do_seen},
    {"ask", do_ask},
    {"late", do_late},
    {"leave asking", do_leave_asking},
    {"listen", do_listen},
    {"ask and listen", do_ask_and_listen},
};

static int engine_open(void *state, struct worker *w, struct slice options, struct err *e)
{
    struct sigaction act = {.sa_handler = on_sigint};
    (void)state;
    if (memmem(options.data, options.len, "refuse", 6) != NULL) {
        return err_set(e, ERR_ENGINE, "asked to refuse");
    }
    worker = w;
    (void)sigaction(SIGUSR1, &act, NULL);
    return 0;
}

static void engine_execute(void *state, const struct exec_request *request,
                           struct exec_outcome *out)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (slice_is(request->code, words[i].word)) {
            words[i].run(out);
        }
    }
}

static void engine_close(void *state)
{
    (void)state;
    say("goodbye");
}

static _Noreturn void be_context(const int fds[FORK_FDS])
{
    static const struct engine engine = {.language = "words",
                                         .open = engine_open,
                                         .execute = engine_execute,
                                         .comm = engine_comm,
                                         .close = engine_close};
    struct sigaction act = {.sa_handler = on_sigint};
    struct worker_fds own = {.wire = fds[FORK_FD_WIRE],
                             .out_read = fds[FORK_FD_OUT_R],
                             .err_read = fds[FORK_FD_ERR_R],
                             .will = mmap(NULL, sizeof(struct will), PROT_READ | PROT_WRITE,
                                          MAP_SHARED, fds[FORK_FD_WILL], 0)};
    dup2(fds[FORK_FD_OUT_W], STDOUT_FILENO);
    dup2(fds[FORK_FD_ERR_W], STDERR_FILENO);
    close(fds[FORK_FD_OUT_W]);
    close(fds[FORK_FD_ERR_W]);
    setsid();
    (void)signal(SIGSEGV, SIG_DFL); /* sanitizers have a handler of their own */
    (void)sigaction(SIGINT, &act, NULL);
    worker_serve(&engine, NULL, own);
}

static int start(struct peer *p, const char *options)
{
    int fds[FORK_FDS];
    struct err e = ERR_NONE;
    peer_init(p, fds);
    assert_ok(fd_pipe(later, &e));
    (void)fflush(NULL); /* else the child would print what cmocka has said so far */
    p->pid = fork();
    if (p->pid == 0) {
        close(p->wire);
        be_context(fds);
    }
    peer_close_theirs(fds);
    close(later[0]);
    peer_send_text(p, WIRE_START, options);
    return 0;
}

static int set_up(void **state)
{
    static struct peer p;
    *state = &p;
    start(&p, "{\"context\": \"test\"}");
    peer_expect_part(&p, WIRE_READY, "\"pid\": ");
    return 0;
}

static int tear_down(void **state)
{
    struct peer *p = *state;
    drop_fd(&later[1]);
    peer_done(p);
    if (p->pid > 0) {
        (void)peer_wait(p);
    }
    return 0;
}

#define OUT(text) "{\"name\": \"stdout\", \"text\": \"" text "\"}"

static void test_worker_result_and_text_come_before_the_reply(void **state)
{
    struct peer *p = *state;

    peer_execute(p, "result");

    peer_expect(
        p, WIRE_EXECUTE_RESULT,
        "{\"execution_count\": 1, \"data\": {\"text/plain\": \"value\"}, \"metadata\": {}}");
    assert_int_equal(p->frame.exec, p->exec);
    peer_expect(p, WIRE_DONE,
                "{\"status\": \"ok\", \"execution_count\": 1, \"payload\": [], "
                "\"user_expressions\": {}}");
}

static void test_worker_stdio_is_flushed_at_the_end_of_the_cell(void **state)
{
    struct peer *p = *state;

    peer_execute(p, "raw");

    peer_expect(p, WIRE_STREAM, OUT("stdio "));
    peer_expect_done(p);
}

static void test_worker_error_comes_after_output_and_in_the_reply(void **state)
{
    struct peer *p = *state;

    peer_execute(p, "fail");

    peer_expect(p, WIRE_STREAM, OUT("before"));
    peer_expect(p, WIRE_ERROR, "{\"ename\": \"Failure\", \"evalue\": \"\", \"traceback\": []}");
    peer_expect_part(p, WIRE_DONE, "\"status\": \"error\", \"ename\": \"Failure\"");
}

static void test_worker_silent_sends_only_the_reply(void **state)
{
    struct peer *p = *state;

    peer_execute_with(p, "fail", ", \"silent\": true");
    peer_expect_part(p, WIRE_DONE, "\"status\": \"error\"");
    peer_execute_with(p, "result", ", \"silent\": true");

    peer_expect_done(p);
}

static void test_worker_malformed_request_is_answered(void **state)
{
    struct peer *p = *state;
    p->exec = 5;

    peer_send_text(p, WIRE_EXECUTE, "{\"code\": 1}");

    peer_expect_part(p, WIRE_DONE, "\"status\": \"error\"");
    assert_int_equal(p->frame.exec, 5);
    peer_execute(p, "say");
    peer_expect(p, WIRE_STREAM, OUT("said"));
    peer_expect_done(p);
}

static void test_worker_language_without_introspection_answers_honestly(void **state)
{
    struct peer *p = *state;

    peer_send_text(p, WIRE_IS_COMPLETE, "{\"code\": \"x\"}");
    peer_expect(p, WIRE_DONE, "{\"status\": \"unknown\"}");
    peer_send_text(p, WIRE_COMPLETE, "{\"code\": \"xy\", \"cursor_pos\": 1}");
    peer_expect(p, WIRE_DONE,
                "{\"status\": \"ok\", \"matches\": [], \"cursor_start\": 1, \"cursor_end\": 1, "
                "\"metadata\": {}}");
    peer_send_text(p, WIRE_INSPECT, "{\"code\": \"xy\", \"cursor_pos\": 1}");
    peer_expect_part(p, WIRE_DONE, "\"found\": false");
}

static void test_worker_fork_in_a_cell_sends_no_frame_and_blocks_nobody(void **state)
{
    enum { CHATTY = 20000 * 7 };

    struct peer *p = *state;
    size_t newlines = 0;
    peer_execute(p, "fork");

    for (;;) {
        assert_true(peer_read(p));
        if (p->frame.type != WIRE_STREAM) {
            break;
        }
        for (size_t i = 0; i + 1 < p->frame.content.len; i++) {
            newlines += memcmp(p->frame.content.data + i, "\\n", 2) == 0;
        }
    }

    assert_int_equal(p->frame.type, WIRE_DONE);
    assert_non_null(memmem(p->frame.content.data, p->frame.content.len, "\"ok\"", 4));
    assert_int_equal(newlines, CHATTY / 7);
    peer_execute(p, "say"); /* the copy did not read our requests */
    peer_expect(p, WIRE_STREAM, OUT("said"));
    peer_expect_done(p);
}

static void test_worker_crash_leaves_last_words_in_its_will(void **state)
{
    struct peer *p = *state;
    _cleanup_(drop_buf) struct buf words_left = BUF_INIT(MIB);

    peer_execute(p, "crash");

    peer_last_words(p, &words_left);
    int status = peer_wait(p);
    p->pid = 0;
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    assert_non_null(strstr(buf_text(&words_left), "last words"));
}

static void test_worker_interrupt_reaches_the_running_cell(void **state)
{
    struct peer *p = *state;
    peer_execute(p, "wait");
    peer_expect(p, WIRE_STREAM, OUT("waiting"));

    assert_int_equal(kill(-p->pid, SIGINT), 0);

    peer_expect_part(p, WIRE_ERROR, "Interrupted");
    peer_expect_part(p, WIRE_DONE, "\"status\": \"error\"");
}

static void test_worker_interrupt_while_idle_does_not_reach_the_next_cell(void **state)
{
    struct peer *p = *state;
    assert_int_equal(kill(-p->pid, SIGINT), 0);

    peer_execute(p, "seen");

    peer_expect(p, WIRE_STREAM, OUT("quiet"));
    peer_expect_done(p);
}

static void test_worker_input_is_asked_and_other_requests_wait(void **state)
{
    struct peer *p = *state;
    peer_execute_with(p, "ask", ", \"allow_stdin\": true");
    peer_expect(p, WIRE_INPUT_REQUEST, "{\"prompt\": \"name?\", \"password\": false}");
    assert_int_equal(p->frame.exec, p->exec);

    p->exec += 100; /* a question of nobody, then a request out of turn */
    peer_send_text(p, WIRE_INPUT_REPLY, "{\"value\": \"stale\"}");
    peer_send_text(p, WIRE_IS_COMPLETE, "{\"code\": \"\"}");
    p->exec -= 100;
    peer_send_text(p, WIRE_INPUT_REPLY, "{\"value\": \"Io\"}");

    peer_expect(p, WIRE_STREAM, OUT("Io"));
    peer_expect_done(p);
    peer_expect(p, WIRE_DONE, "{\"status\": \"unknown\"}");
    assert_int_equal(p->frame.exec, p->exec + 100);
}

static void test_worker_input_not_allowed_fails_at_once(void **state)
{
    struct peer *p = *state;

    peer_execute(p, "ask");

    peer_expect_part(p, WIRE_ERROR, "\"ename\": \"NotAllowed\"");
    peer_expect_part(p, WIRE_DONE, "\"status\": \"error\"");
}

static void test_worker_stop_ends_the_wait_for_input_and_then_the_context(void **state)
{
    struct peer *p = *state;
    peer_execute_with(p, "ask", ", \"allow_stdin\": true");
    peer_expect_part(p, WIRE_INPUT_REQUEST, "name?");

    peer_send_text(p, WIRE_IS_COMPLETE, "{\"code\": \"\"}"); /* is not served any more */
    peer_send_text(p, WIRE_STOP, "");

    peer_expect_part(p, WIRE_ERROR, "\"ename\": \"Other\"");
    peer_expect_part(p, WIRE_DONE, "\"status\": \"error\"");
    peer_expect(p, WIRE_STREAM, OUT("goodbye"));
    assert_false(peer_read(p));
    assert_int_equal(peer_wait(p), 0);
    p->pid = 0;
}

static void test_worker_thread_that_asks_after_its_cell_is_refused_and_takes_nothing(void **state)
{
    struct peer *p = *state;
    peer_execute_with(p, "leave asking", ", \"allow_stdin\": true");
    peer_expect_part(p, WIRE_INPUT_REQUEST, "?");

    peer_send_text(p, WIRE_IS_COMPLETE, "{\"code\": \"\"}");

    int replies = 0;
    bool refused = false;
    while (replies < 2 || !refused) { /* the thread notices the end of the cell at any time */
        assert_true(peer_read(p));
        replies += p->frame.type == WIRE_DONE;
        if (p->frame.type == WIRE_STREAM) {
            assert_slice_equal(p->frame.content, OUT("refused"));
            refused = true;
        }
    }
}

static void send_comm(struct peer *p, uint64_t exec, const char *content)
{
    struct slice head = SLICE_LIT("{\"msg_type\": \"comm_msg\", \"metadata\": {}}");
    struct wire_frame frame = {.type = WIRE_COMM,
                               .exec = exec,
                               .content = slice_of(content),
                               .buffers = &head,
                               .buffer_count = 1};
    peer_send(p, &frame);
}

static void expect_comm(struct peer *p, uint64_t exec, const char *said)
{
    peer_expect_part(p, WIRE_STREAM, said);
    assert_int_equal(p->frame.exec, exec);
    peer_expect(p, WIRE_DONE, "{\"status\": \"ok\"}");
    assert_int_equal(p->frame.exec, exec);
}

static void test_worker_comm_messages_are_served_while_a_cell_listens(void **state)
{
    struct peer *p = *state;
    peer_execute_with(p, "listen", ", \"allow_stdin\": true");
    peer_expect(p, WIRE_LISTENING, "{}");

    send_comm(p, 50, "{}");
    expect_comm(p, 50, "a handler of comm messages cannot ask for input");
    send_comm(p, 51, "{}");
    expect_comm(p, 51, "cannot ask");

    peer_expect(p, WIRE_STREAM, OUT("both"));
    assert_int_equal(p->frame.exec, p->exec);
    peer_expect_done(p);
}

static void test_worker_comm_messages_held_during_a_question_come_in_order(void **state)
{
    struct peer *p = *state;
    peer_execute_with(p, "ask and listen", ", \"allow_stdin\": true");
    peer_expect_part(p, WIRE_INPUT_REQUEST, "name?");

    send_comm(p, 50, "{1}"); /* no JSON object, and answered as such */
    send_comm(p, 51, "{\"n\": 2}");
    send_comm(p, 52, "{\"n\": 3}");
    peer_send_text(p, WIRE_INPUT_REPLY, "{\"value\": \"Io\"}");

    peer_expect(p, WIRE_STREAM, OUT("Io"));
    peer_expect(p, WIRE_LISTENING, "{}");
    peer_expect_part(p, WIRE_DONE, "BadRequest");
    assert_int_equal(p->frame.exec, 50);
    expect_comm(p, 51, "2");
    expect_comm(p, 52, "3");
    peer_expect(p, WIRE_STREAM, OUT("both"));
    peer_expect_done(p);
}

static void test_worker_text_after_the_cell_belongs_to_it(void **state)
{
    struct peer *p = *state;
    peer_execute(p, "late");
    peer_expect_done(p);

    close(take_fd(&later[1]));

    peer_expect(p, WIRE_STREAM, OUT("late"));
    assert_int_equal(p->frame.exec, p->exec);
}

static void test_worker_stop_closes_the_language_and_ends_well(void **state)
{
    struct peer *p = *state;
    peer_execute(p, "say");
    peer_expect(p, WIRE_STREAM, OUT("said"));
    peer_expect_done(p);

    peer_send_text(p, WIRE_STOP, "");

    peer_expect(p, WIRE_STREAM, OUT("goodbye"));
    assert_false(peer_read(p));
    assert_int_equal(peer_wait(p), 0);
    p->pid = 0;
}

static void test_worker_refused_start_says_why_on_descriptor_2(void **state)
{
    static struct peer p;
    _cleanup_(drop_buf) struct buf reason = BUF_INIT(KIB);
    *state = &p;

    start(&p, "{\"context\": \"refuse\"}");

    assert_false(peer_read(&p));
    assert_true(WEXITSTATUS(peer_wait(&p)) != 0);
    p.pid = 0;
    peer_read_pipe(&p, 1, &reason);
    assert_non_null(strstr(buf_text(&reason), "asked to refuse"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_worker_result_and_text_come_before_the_reply),
        TEST(test_worker_stdio_is_flushed_at_the_end_of_the_cell),
        TEST(test_worker_error_comes_after_output_and_in_the_reply),
        TEST(test_worker_silent_sends_only_the_reply),
        TEST(test_worker_malformed_request_is_answered),
        TEST(test_worker_language_without_introspection_answers_honestly),
        TEST(test_worker_fork_in_a_cell_sends_no_frame_and_blocks_nobody),
        TEST(test_worker_crash_leaves_last_words_in_its_will),
        TEST(test_worker_interrupt_reaches_the_running_cell),
        TEST(test_worker_interrupt_while_idle_does_not_reach_the_next_cell),
        TEST(test_worker_input_is_asked_and_other_requests_wait),
        TEST(test_worker_input_not_allowed_fails_at_once),
        TEST(test_worker_stop_ends_the_wait_for_input_and_then_the_context),
        TEST(test_worker_thread_that_asks_after_its_cell_is_refused_and_takes_nothing),
        TEST(test_worker_comm_messages_are_served_while_a_cell_listens),
        TEST(test_worker_comm_messages_held_during_a_question_come_in_order),
        TEST(test_worker_text_after_the_cell_belongs_to_it),
        TEST(test_worker_stop_closes_the_language_and_ends_well),
        cmocka_unit_test_teardown(test_worker_refused_start_says_why_on_descriptor_2, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
