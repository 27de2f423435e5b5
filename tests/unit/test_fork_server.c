/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "base/jscan.h"
#include "contexts/worker/engine.h"
#include "contexts/worker/worker.h"
#include "tests/unit/zygote_peer.h"

static struct worker *worker; /* in the context */

static void describe(void *state, struct wire_hello *hello)
{
    (void)state;
    (void)snprintf(hello->language_version, sizeof hello->language_version, "9");
}

static int open_context(void *state, struct worker *w, struct slice options, struct err *e)
{
    (void)state;
    (void)options;
    (void)e;
    worker = w;
    return 0;
}

/* Says which descriptors are open, or does what the code's first letter asks for. */
static void execute(void *state, const struct exec_request *request, struct exec_outcome *out)
{
    (void)state;
    (void)out;
    if (request->code.data[0] == 'x') {
        _exit(42);
    }
    if (request->code.data[0] == 'h') {
        for (;;) {
            pause();
        }
    }
    if (request->code.data[0] == 'd') { /* a daemon: its own session, its parent gone */
        pid_t child = fork();
        if (child == 0) {
            setsid();
            pid_t daemon = fork();
            if (daemon == 0) {
                for (;;) {
                    pause();
                }
            }
            (void)dprintf(STDOUT_FILENO, "%d", (int)daemon);
            _exit(0);
        }
        (void)waitpid(child, NULL, 0);
        return;
    }
    for (int fd = 0; fd < 256; fd++) {
        char number[16];
        if (fcntl(fd, F_GETFD) >= 0) {
            (void)snprintf(number, sizeof number, "%d ", fd);
            worker_write(worker, LATEST_EXEC, STREAM_STDOUT, slice_of(number));
        }
    }
}

static const struct engine engine = {
    .language = "letters", .describe = describe, .open = open_context, .execute = execute};

static int serve(void *arg)
{
    (void)arg;
    fork_server_prepare();
    return fork_server_run(&engine, NULL);
}

static int serve_with_spare(void *arg)
{
    (void)arg;
    fork_server_prepare();
    return fork_server_run_with_spare(&engine, NULL);
}

static void *wait_for_ever(void *unused)
{
    for (;;) {
        pause();
    }
    return unused;
}

static int serve_with_thread(void *arg)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_ever, NULL) != 0) {
        return 1;
    }
    return serve(arg);
}

static int set_up(void **state)
{
    static struct zygote_peer z;
    zygote_peer_start(&z, serve, NULL);
    zygote_peer_expect(&z, WIRE_HELLO);
    *state = &z;
    return 0;
}

static bool is_alive(pid_t pid)
{
    return kill(pid, 0) == 0;
}

static void test_fork_server_hello_says_what_it_runs(void **state)
{
    struct zygote_peer *z = *state;
    struct wire_hello hello;
    struct err e = ERR_NONE;

    assert_ok(wire_hello_read(z->frame.content, &hello, &e));

    assert_int_equal(hello.version, WIRE_VERSION);
    assert_string_equal(hello.language, "letters");
    assert_string_equal(hello.language_version, "9");
    assert_int_equal(zygote_peer_stop(z), 0);
}

static void test_fork_server_context_holds_only_its_own_descriptors(void **state)
{
    struct zygote_peer *z = *state;
    struct peer p;
    zygote_peer_fork(z, &p);

    peer_execute(&p, "open?");

    /* Streams, then wire, two pipes, lifeline and the flusher's timer: out of the user's way. */
    peer_expect(&p, WIRE_STREAM, "{\"name\": \"stdout\", \"text\": \"0 1 2 3 200 201 202 203 \"}");
    peer_expect_done(&p);
    peer_done(&p);
    assert_int_equal(zygote_peer_exited(z, p.pid), 0);
    assert_int_equal(zygote_peer_stop(z), 0);
}

static void test_fork_server_death_is_reported_as_it_was(void **state)
{
    struct zygote_peer *z = *state;
    struct peer p;
    zygote_peer_fork(z, &p);

    peer_execute(&p, "x");

    assert_int_equal(WEXITSTATUS(zygote_peer_exited(z, p.pid)), 42);
    assert_false(peer_read(&p)); /* nobody else holds its end of the wire */
    peer_done(&p);
    assert_int_equal(zygote_peer_stop(z), 0);
}

static void test_fork_server_daemon_of_a_dead_context_is_killed(void **state)
{
    struct zygote_peer *z = *state;
    struct peer p;
    zygote_peer_fork(z, &p);
    peer_execute(&p, "d");
    assert_true(peer_read(&p));
    _cleanup_(drop_buf) struct buf text = BUF_INIT(KIB);
    assert_int_equal(jscan_string(jscan_get(p.frame.content, "text"), &text), 0);
    pid_t daemon = (pid_t)strtol(buf_text(&text), NULL, 10);
    assert_true(daemon > 0 && is_alive(daemon));
    peer_expect_done(&p);

    peer_done(&p);

    assert_int_equal(zygote_peer_exited(z, p.pid), 0);
    assert_int_equal(zygote_peer_stop(z), 0);
    assert_false(is_alive(daemon));
}

static void test_fork_server_end_of_control_ends_all_contexts(void **state)
{
    struct zygote_peer *z = *state;
    struct peer p;
    zygote_peer_fork(z, &p);
    peer_execute(&p, "h");

    assert_int_equal(zygote_peer_stop(z), 0);

    assert_false(peer_read(&p));
    assert_false(is_alive(p.pid));
    peer_done(&p);
}

/* Expects that order 5 is refused for a reason that contains `part`. */
static void expect_refusal(struct zygote_peer *z, const char *part)
{
    struct err e = ERR_NONE;
    struct wire_failed failed;
    zygote_peer_expect(z, WIRE_FAILED);
    assert_int_equal(z->frame.exec, 5);
    assert_ok(wire_failed_read(z->frame.content, &failed, &e));
    if (strstr(failed.error, part) == NULL) {
        fail_msg("'%s' is not in: %s", part, failed.error);
    }
}

static void test_fork_server_wrong_descriptors_fail_and_it_goes_on(void **state)
{
    struct zygote_peer *z = *state;
    struct peer p;
    int one = STDIN_FILENO;

    zygote_peer_order(z, 5, "{\"policy\": \"open\", \"descriptors\": [\"wire\"]}", &one, 1);
    expect_refusal(z, "'stdout_read' is missing");
    zygote_peer_order(z, 5, "{\"policy\": \"open\", \"descriptors\": []}", &one, 1);
    expect_refusal(z, "1 descriptors came, 0 are named");

    zygote_peer_fork(z, &p);
    peer_done(&p);
    assert_int_equal(zygote_peer_stop(z), 0);
}

static void test_fork_server_unknown_or_missing_policy_fails_and_it_goes_on(void **state)
{
    struct zygote_peer *z = *state;
    struct peer p;
    int fds[FORK_FDS];
    peer_init(&p, fds);

    zygote_peer_ask(z, 5, "strict", fds);
    expect_refusal(z, "no policy 'strict'");
    zygote_peer_order(z, 5, "{\"descriptors\": []}", NULL, 0);
    expect_refusal(z, "'policy' is missing");

    peer_close_theirs(fds);
    peer_done(&p);
    zygote_peer_fork(z, &p);
    peer_done(&p);
    assert_int_equal(zygote_peer_stop(z), 0);
}

static bool has_other_child(pid_t zygote, pid_t known, pid_t *out)
{
    char path[64];
    char text[256] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)zygote, (int)zygote);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    for (char *at = text, *end = NULL; (*out = (pid_t)strtol(at, &end, 10)) > 0; at = end) {
        if (*out != known) {
            return true;
        }
    }
    return false;
}

/* The spare is made after a rest: nothing reports it but the system. */
static pid_t wait_spare(const struct zygote_peer *z, pid_t known)
{
    enum { LOOK_MS = 5 };

    pid_t spare = 0;
    for (int waited = 0; !has_other_child(z->pid, known, &spare); waited += LOOK_MS) {
        assert_true(waited < PEER_DEADLINE_MS);
        (void)poll(NULL, 0, LOOK_MS);
    }
    return spare;
}

static void test_fork_server_spare_becomes_the_next_context_of_its_policy(void **state)
{
    struct zygote_peer z;
    struct peer p;
    int fds[FORK_FDS];
    (void)state;
    zygote_peer_start(&z, serve_with_spare, NULL);
    zygote_peer_expect(&z, WIRE_HELLO);
    pid_t spare = wait_spare(&z, 0);

    peer_init(&p, fds);
    zygote_peer_ask(&z, 5, "strict", fds); /* leaves the spare alone */
    expect_refusal(&z, "strict");
    peer_close_theirs(fds);
    peer_done(&p);
    zygote_peer_fork(&z, &p);

    assert_int_equal(p.pid, spare);
    assert_true(wait_spare(&z, p.pid) > 0); /* and there is a next one */
    peer_done(&p);
    assert_int_equal(zygote_peer_exited(&z, p.pid), 0);
    assert_int_equal(zygote_peer_stop(&z), 0);
}

static void test_fork_server_second_thread_forbids_forks(void **state)
{
    struct zygote_peer z;
    struct peer p;
    int fds[FORK_FDS];
    (void)state;
    zygote_peer_start(&z, serve_with_thread, NULL);
    zygote_peer_expect(&z, WIRE_HELLO);
    peer_init(&p, fds);

    zygote_peer_ask(&z, 6, WIRE_POLICY_OPEN, fds);

    zygote_peer_expect(&z, WIRE_FAILED);
    assert_non_null(memmem(z.frame.content.data, z.frame.content.len, "2 threads", 9));
    peer_close_theirs(fds);
    assert_false(peer_read(&p)); /* it has closed what it was sent */
    peer_done(&p);
    assert_int_equal(zygote_peer_stop(&z), 0);
}

static void test_fork_server_garbage_on_control_ends_it(void **state)
{
    struct zygote_peer *z = *state;
    struct err e = ERR_NONE;

    assert_ok(fd_send(z->control, SLICE_LIT("no frame"), NULL, 0, &e));

    assert_false(zygote_peer_read(z));
    assert_int_equal(zygote_peer_stop(z), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_fork_server_hello_says_what_it_runs, set_up),
        cmocka_unit_test_setup(test_fork_server_context_holds_only_its_own_descriptors, set_up),
        cmocka_unit_test_setup(test_fork_server_death_is_reported_as_it_was, set_up),
        cmocka_unit_test_setup(test_fork_server_daemon_of_a_dead_context_is_killed, set_up),
        cmocka_unit_test_setup(test_fork_server_end_of_control_ends_all_contexts, set_up),
        cmocka_unit_test_setup(test_fork_server_wrong_descriptors_fail_and_it_goes_on, set_up),
        cmocka_unit_test_setup(test_fork_server_unknown_or_missing_policy_fails_and_it_goes_on,
                               set_up),
        cmocka_unit_test(test_fork_server_spare_becomes_the_next_context_of_its_policy),
        cmocka_unit_test(test_fork_server_second_thread_forbids_forks),
        cmocka_unit_test_setup(test_fork_server_garbage_on_control_ends_it, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
