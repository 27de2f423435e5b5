/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include <zmq.h>

#include "base/bounds.h"
#include "kernel/zmq/zsock.h"
#include "tests/unit/unit.h"

enum { WAIT_MS = 10000, KEY_SIZE = 41 };

struct fixture {
    struct zcontext *z;
    struct zsock *router;
    struct zparts *parts;
    void *client_context;
    void *client;
    void *monitor;             /* of the client's connection; NULL without one */
    char public_key[KEY_SIZE]; /* of the encrypted fixture */
    char secret_key[KEY_SIZE];
};

/* What could not be sent must not hold up the end of a test. */
static void set_linger(void *socket)
{
    int none = 0;
    zmq_setsockopt(socket, ZMQ_LINGER, &none, sizeof none);
}

static int open_fixture(struct fixture *f, struct err *e)
{
    if (zsock_bind(f->z, ZSOCK_ROUTER, "tcp://127.0.0.1:*", &f->router, e) < 0) {
        return -1;
    }
    f->parts = zparts_new();
    f->client_context = zmq_ctx_new();
    f->client = zmq_socket(f->client_context, ZMQ_DEALER);
    return zmq_setsockopt(f->client, ZMQ_IDENTITY, "me", 2);
}

static int connect_client(struct fixture *f)
{
    char endpoint[64];
    (void)snprintf(endpoint, sizeof endpoint, "tcp://127.0.0.1:%d", zsock_port(f->router));
    return zmq_connect(f->client, endpoint);
}

static int setup(void **state)
{
    struct err e = ERR_NONE;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (f == NULL || zcontext_new(&f->z, &e) < 0 || open_fixture(f, &e) < 0) {
        return -1;
    }
    return connect_client(f);
}

/* The client is not connected: each test gives it other keys. */
static int setup_encrypted(void **state)
{
    struct err e = ERR_NONE;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (f == NULL || zcontext_new(&f->z, &e) < 0 ||
        zmq_curve_keypair(f->public_key, f->secret_key) < 0 ||
        zcontext_encrypt(f->z, f->public_key, f->secret_key, &e) < 0) {
        return -1;
    }
    return open_fixture(f, &e);
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    set_linger(f->client);
    if (f->monitor != NULL) {
        zmq_socket_monitor(f->client, NULL, 0);
        zmq_close(f->monitor);
    }
    zmq_close(f->client);
    zmq_ctx_term(f->client_context);
    zsock_free(f->router);
    zparts_free(f->parts);
    zcontext_free(f->z);
    free(f);
    return 0;
}

/* Waits on the socket's descriptor until a message is there. */
static int receive(struct fixture *f, struct err *e)
{
    int got = 0;
    while ((got = zsock_receive(f->router, f->parts, e)) == 0) {
        zmq_pollitem_t item = {.fd = zsock_fd(f->router), .events = ZMQ_POLLIN};
        assert_int_equal(zmq_poll(&item, 1, WAIT_MS), 1);
    }
    return got;
}

static void test_zsock_bind_port_zero_gives_a_port(void **state)
{
    struct fixture *f = *state;
    assert_in_range(zsock_port(f->router), 1, 65535);
}

static void test_zsock_send_asker_to_an_absent_peer_is_unreachable(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct zsock *asker = NULL;
    struct slice frames[] = {SLICE_LIT("nobody"), SLICE_LIT("question")};
    assert_ok(zsock_bind(f->z, ZSOCK_ASKER, "tcp://127.0.0.1:*", &asker, &e));

    assert_err(zsock_send(asker, frames, ARRAY_LEN(frames), &e), ERR_SYS);
    assert_int_equal(e.sys, EHOSTUNREACH);

    assert_ok(zsock_send(f->router, frames, ARRAY_LEN(frames), &e)); /* the others just drop it */
    zsock_free(asker);
}

static void test_zsock_bind_taken_port_is_addrinuse(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct zsock *second = NULL;
    char endpoint[64];
    (void)snprintf(endpoint, sizeof endpoint, "tcp://127.0.0.1:%d", zsock_port(f->router));

    assert_err(zsock_bind(f->z, ZSOCK_ROUTER, endpoint, &second, &e), ERR_SYS);

    assert_int_equal(e.sys, EADDRINUSE);
    assert_null(second);
}

static void test_zsock_receive_nothing_is_zero(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    assert_int_equal(zsock_receive(f->router, f->parts, &e), 0);
}

static void test_zsock_is_settled_only_when_nothing_was_there_last(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    assert_false(zsock_is_settled(f->router));

    assert_int_equal(zsock_receive(f->router, f->parts, &e), 0);
    assert_true(zsock_is_settled(f->router));

    zmq_send(f->client, "one", 3, 0);
    assert_int_equal(receive(f, &e), 1);
    assert_false(zsock_is_settled(f->router)); /* there may be another */

    assert_int_equal(zsock_receive(f->router, f->parts, &e), 0);
    const struct slice message[] = {SLICE_LIT("stranger"), SLICE_LIT("hello")};
    assert_ok(zsock_send(f->router, message, 2, &e));
    assert_false(zsock_is_settled(f->router)); /* sending spends the descriptor's news */
}

static void test_zsock_round_trip_keeps_frames(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    char answer[8];
    zmq_send(f->client, "one", 3, ZMQ_SNDMORE);
    zmq_send(f->client, "", 0, 0);

    assert_int_equal(receive(f, &e), 1);

    size_t count = 0;
    const struct slice *frames = zparts_frames(f->parts, &count);
    assert_int_equal(count, 3);
    assert_slice_equal(frames[0], "me");
    assert_slice_equal(frames[1], "one");
    assert_int_equal(frames[2].len, 0);
    const struct slice reply[] = {frames[0], SLICE_LIT("two")};
    assert_ok(zsock_send(f->router, reply, 2, &e));
    assert_int_equal(zmq_recv(f->client, answer, sizeof answer, 0), 3);
    assert_memory_equal(answer, "two", 3);
}

static void test_zsock_receive_too_many_frames_is_dropped_whole(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    for (size_t i = 0; i < MSG_FRAMES_MAX + 10; i++) {
        zmq_send(f->client, "x", 1, ZMQ_SNDMORE);
    }
    zmq_send(f->client, "end", 3, 0);
    zmq_send(f->client, "next", 4, 0);

    assert_err(receive(f, &e), ERR_LIMIT);
    assert_int_equal(receive(f, &e), 1);

    size_t count = 0;
    const struct slice *frames = zparts_frames(f->parts, &count);
    assert_int_equal(count, 2);
    assert_slice_equal(frames[1], "next");
}

static void test_zsock_send_to_nobody_is_no_error(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    const struct slice message[] = {SLICE_LIT("stranger"), SLICE_LIT("hello")};

    assert_ok(zsock_send(f->router, message, 2, &e));
}

/* Gives the client a pair of its own, and the public key that it expects the server to have. */
static void set_client_keys(struct fixture *f, const char *server_key)
{
    char public_key[KEY_SIZE];
    char secret_key[KEY_SIZE];
    assert_int_equal(zmq_curve_keypair(public_key, secret_key), 0);
    assert_int_equal(zmq_setsockopt(f->client, ZMQ_CURVE_SERVERKEY, server_key, KEY_SIZE), 0);
    assert_int_equal(zmq_setsockopt(f->client, ZMQ_CURVE_PUBLICKEY, public_key, KEY_SIZE), 0);
    assert_int_equal(zmq_setsockopt(f->client, ZMQ_CURVE_SECRETKEY, secret_key, KEY_SIZE), 0);
}

/* Connects the client, sends "one", and waits until libzmq tells one of the `wanted` events. */
static void connect_and_expect(struct fixture *f, int wanted)
{
    uint16_t event = 0;
    zmq_socket_monitor(f->client, "inproc://monitor", wanted);
    f->monitor = zmq_socket(f->client_context, ZMQ_PAIR);
    set_linger(f->monitor);
    int wait_ms = WAIT_MS;
    zmq_setsockopt(f->monitor, ZMQ_RCVTIMEO, &wait_ms, sizeof wait_ms);
    assert_int_equal(zmq_connect(f->monitor, "inproc://monitor"), 0);
    assert_int_equal(connect_client(f), 0);
    assert_int_equal(zmq_send(f->client, "one", 3, 0), 3);

    char frame[256];
    assert_true(zmq_recv(f->monitor, frame, sizeof frame, 0) >= (int)sizeof event);
    memcpy(&event, frame, sizeof event);
    assert_true((event & wanted) != 0);
}

static void test_zsock_bind_encrypted_knows_clients_with_its_key(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    set_client_keys(f, f->public_key);

    connect_and_expect(f, ZMQ_EVENT_HANDSHAKE_SUCCEEDED);

    assert_int_equal(receive(f, &e), 1);
    size_t count = 0;
    assert_slice_equal(zparts_frames(f->parts, &count)[1], "one");
}

static void test_zsock_bind_encrypted_is_deaf_to_clients_without_keys(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    connect_and_expect(f, ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |
                              ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_DISCONNECTED);

    assert_int_equal(zsock_receive(f->router, f->parts, &e), 0);
}

static void test_zsock_bind_encrypted_is_deaf_to_clients_of_another_server(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    char public_key[KEY_SIZE];
    char secret_key[KEY_SIZE];
    assert_int_equal(zmq_curve_keypair(public_key, secret_key), 0);
    set_client_keys(f, public_key);

    connect_and_expect(f, ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |
                              ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_DISCONNECTED);

    assert_int_equal(zsock_receive(f->router, f->parts, &e), 0);
}

static void test_zcontext_encrypt_keys_of_two_pairs_are_refused(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    char public_key[KEY_SIZE];
    char secret_key[KEY_SIZE];
    assert_int_equal(zmq_curve_keypair(public_key, secret_key), 0);

    assert_err(zcontext_encrypt(f->z, f->public_key, secret_key, &e), ERR_INPUT);

    assert_non_null(strstr(e.text, "\"curve_publickey\" does not belong to"));
    assert_null(strstr(e.text, secret_key));
}

static void test_zsock_connect_talks_to_a_bound_socket(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct zsock *dealer = NULL;
    char endpoint[64];
    (void)snprintf(endpoint, sizeof endpoint, "tcp://127.0.0.1:%d", zsock_port(f->router));
    assert_ok(zsock_connect(f->z, endpoint, &dealer, &e));
    const struct slice message[] = {SLICE_LIT("one"), SLICE_LIT("two")};

    assert_ok(zsock_send(dealer, message, 2, &e));

    assert_int_equal(receive(f, &e), 1);
    size_t count = 0;
    const struct slice *frames = zparts_frames(f->parts, &count);
    assert_int_equal(count, 3);
    assert_slice_equal(frames[1], "one");
    assert_slice_equal(frames[2], "two");
    zsock_free(dealer);
}

static void test_zsock_connect_bad_endpoint_is_refused(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct zsock *dealer = NULL;

    assert_err(zsock_connect(f->z, "tcp://*:5", &dealer, &e), ERR_SYS);

    assert_null(dealer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_zsock_bind_port_zero_gives_a_port, setup, teardown),
        cmocka_unit_test_setup_teardown(test_zsock_send_asker_to_an_absent_peer_is_unreachable,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_zsock_bind_taken_port_is_addrinuse, setup, teardown),
        cmocka_unit_test_setup_teardown(test_zsock_receive_nothing_is_zero, setup, teardown),
        cmocka_unit_test_setup_teardown(test_zsock_is_settled_only_when_nothing_was_there_last,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_zsock_round_trip_keeps_frames, setup, teardown),
        cmocka_unit_test_setup_teardown(test_zsock_receive_too_many_frames_is_dropped_whole, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_zsock_send_to_nobody_is_no_error, setup, teardown),
        cmocka_unit_test_setup_teardown(test_zsock_bind_encrypted_knows_clients_with_its_key,
                                        setup_encrypted, teardown),
        cmocka_unit_test_setup_teardown(test_zsock_bind_encrypted_is_deaf_to_clients_without_keys,
                                        setup_encrypted, teardown),
        cmocka_unit_test_setup_teardown(
            test_zsock_bind_encrypted_is_deaf_to_clients_of_another_server, setup_encrypted,
            teardown),
        cmocka_unit_test_setup_teardown(test_zcontext_encrypt_keys_of_two_pairs_are_refused,
                                        setup_encrypted, teardown),
        cmocka_unit_test_setup_teardown(test_zsock_connect_talks_to_a_bound_socket, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_zsock_connect_bad_endpoint_is_refused, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
