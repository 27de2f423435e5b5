/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include <zmq.h>

#include "base/jscan.h"
#include "kernel/protocol/codec.h"
#include "kernel/protocol/connection.h"
#include "kernel/zmq/registration.h"
#include "tests/unit/unit.h"

enum { IDENTITY, DELIMITER, SIGNATURE, CONTENT, FRAMES };

/* The launcher: a socket of libzmq's own, and what it has received. */
struct fixture {
    struct loop *loop;
    struct connection connection;
    struct signer *signer;
    void *context;
    void *launcher;
    char frames[FRAMES][512];
    size_t sizes[FRAMES];

    struct registration *registration;
    int calls;
    struct err failure;
};

static int setup(void **state)
{
    struct err e = ERR_NONE;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (f == NULL || loop_new(&f->loop, &e) < 0 ||
        signer_new(SLICE_LIT("secret"), &f->signer, &e) < 0) {
        return -1;
    }
    f->context = zmq_ctx_new();
    f->launcher = zmq_socket(f->context, ZMQ_ROUTER);
    int none = 0;
    int wait_ms = 10000;
    zmq_setsockopt(f->launcher, ZMQ_LINGER, &none, sizeof none);
    zmq_setsockopt(f->launcher, ZMQ_RCVTIMEO, &wait_ms, sizeof wait_ms);
    char endpoint[64];
    size_t size = sizeof endpoint;
    if (zmq_bind(f->launcher, "tcp://127.0.0.1:*") < 0 ||
        zmq_getsockopt(f->launcher, ZMQ_LAST_ENDPOINT, endpoint, &size) < 0) {
        return -1;
    }
    f->connection = (struct connection){.key = "secret",
                                        .kernel_id = "k \"1\"",
                                        .ip = "127.0.0.1",
                                        .registration_ip = "127.0.0.1",
                                        .ports = {[CHANNEL_SHELL] = 1, 2, 3, 4, 65535}};
    f->connection.registration_port = (int)strtol(strrchr(endpoint, ':') + 1, NULL, 10);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    registration_free(f->registration);
    loop_free(f->loop);
    signer_free(f->signer);
    zmq_close(f->launcher);
    zmq_ctx_term(f->context);
    free(f);
    return 0;
}

static void on_done(void *arg, const struct err *failure)
{
    struct fixture *f = arg;
    f->calls++;
    f->failure = failure ? *failure : ERR_NONE;
    registration_free(take(f->registration));
    loop_stop(f->loop);
}

/* Starts a registration; gives back when the launcher has its message. */
static void start(struct fixture *f)
{
    struct err e = ERR_NONE;
    assert_ok(registration_start(f->loop, &f->connection, on_done, f, &f->registration, &e));
    for (int i = 0; i < FRAMES; i++) {
        int n = zmq_recv(f->launcher, f->frames[i], sizeof f->frames[i], 0);
        assert_in_range(n, 1, sizeof f->frames[i]);
        f->sizes[i] = (size_t)n;
    }
}

static struct slice frame(const struct fixture *f, int i)
{
    return (struct slice){f->frames[i], f->sizes[i]};
}

static void sign(const struct fixture *f, struct slice content, char signature[SIGN_HEX_SIZE])
{
    const struct slice frames[SIGN_FRAMES] = {content};
    signer_sign(f->signer, frames, signature);
}

/* Answers with `signature` and `content`, and runs the loop until the kernel has judged it. */
static void answer(struct fixture *f, struct slice signature, struct slice content)
{
    struct err e = ERR_NONE;
    zmq_send(f->launcher, f->frames[IDENTITY], f->sizes[IDENTITY], ZMQ_SNDMORE);
    zmq_send(f->launcher, CODEC_DELIMITER, strlen(CODEC_DELIMITER), ZMQ_SNDMORE);
    zmq_send(f->launcher, signature.data, signature.len, ZMQ_SNDMORE);
    zmq_send(f->launcher, content.data, content.len, 0);
    assert_ok(loop_run(f->loop, &e));
    assert_int_equal(f->calls, 1);
}

static void assert_refused(const struct fixture *f, const char *why)
{
    assert_int_equal(f->failure.code, ERR_INPUT);
    assert_non_null(strstr(f->failure.text, "registration_port"));
    assert_non_null(strstr(f->failure.text, why));
}

static void test_registration_start_tells_the_ports_signed(void **state)
{
    struct fixture *f = *state;
    char signature[SIGN_HEX_SIZE];

    start(f);

    struct err e = ERR_NONE;
    struct slice content = frame(f, CONTENT);
    assert_slice_equal(frame(f, DELIMITER), CODEC_DELIMITER);
    sign(f, content, signature);
    assert_slice_equal(frame(f, SIGNATURE), signature);
    assert_ok(jscan_check(content, JSCAN_STRICT, 1, &e));
    assert_true(jscan_string_is(jscan_get(content, "kernel_id"), "k \"1\""));
    assert_true(jscan_string_is(jscan_get(content, "shell_port"), "1"));
    assert_true(jscan_string_is(jscan_get(content, "control_port"), "2"));
    assert_true(jscan_string_is(jscan_get(content, "stdin_port"), "3"));
    assert_true(jscan_string_is(jscan_get(content, "iopub_port"), "4"));
    assert_true(jscan_string_is(jscan_get(content, "hb_port"), "65535"));
}

static void test_registration_signed_acknowledgement_is_success(void **state)
{
    struct fixture *f = *state;
    char signature[SIGN_HEX_SIZE];
    start(f);

    sign(f, SLICE_LIT("ACK"), signature);
    answer(f, slice_of(signature), SLICE_LIT("ACK"));

    assert_int_equal(f->failure.code, ERR_OK);
}

static void test_registration_unsigned_acknowledgement_is_refused(void **state)
{
    struct fixture *f = *state;
    start(f);

    answer(f, SLICE_LIT(""), SLICE_LIT("ACK"));

    assert_refused(f, "not signed");
}

static void test_registration_wrong_signature_is_refused(void **state)
{
    struct fixture *f = *state;
    char signature[SIGN_HEX_SIZE];
    start(f);

    sign(f, SLICE_LIT("ACK"), signature);
    signature[0] = signature[0] == '0' ? '1' : '0';
    answer(f, slice_of(signature), SLICE_LIT("ACK"));

    assert_refused(f, "wrong signature");
}

static void test_registration_own_message_is_refused(void **state)
{
    struct fixture *f = *state;
    start(f);

    answer(f, frame(f, SIGNATURE), frame(f, CONTENT));

    assert_refused(f, "our own message");
}

static void test_registration_answer_without_form_is_refused(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    start(f);

    zmq_send(f->launcher, f->frames[IDENTITY], f->sizes[IDENTITY], ZMQ_SNDMORE);
    zmq_send(f->launcher, "ACK", 3, 0);
    assert_ok(loop_run(f->loop, &e));

    assert_int_equal(f->calls, 1);
    assert_refused(f, "delimiter, signature and content");
}

static void test_registration_unsigned_file_takes_any_acknowledgement(void **state)
{
    struct fixture *f = *state;
    f->connection.key[0] = '\0';
    struct err e = ERR_NONE;
    assert_ok(registration_start(f->loop, &f->connection, on_done, f, &f->registration, &e));
    f->sizes[IDENTITY] = (size_t)zmq_recv(f->launcher, f->frames[IDENTITY], 512, 0);

    answer(f, SLICE_LIT(""), SLICE_LIT("ACK"));

    assert_int_equal(f->failure.code, ERR_OK);
}

static void test_registration_start_bad_address_names_the_field(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    (void)snprintf(f->connection.registration_ip, sizeof f->connection.registration_ip, "*");

    assert_err(registration_start(f->loop, &f->connection, on_done, f, &f->registration, &e),
               ERR_INPUT);

    assert_non_null(strstr(e.text, "registration_ip"));
    assert_null(f->registration);
    assert_int_equal(f->calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_registration_start_tells_the_ports_signed, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_registration_signed_acknowledgement_is_success, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_registration_unsigned_acknowledgement_is_refused,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_registration_wrong_signature_is_refused, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_registration_own_message_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_registration_answer_without_form_is_refused, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_registration_unsigned_file_takes_any_acknowledgement,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_registration_start_bad_address_names_the_field, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
