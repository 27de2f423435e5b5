/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "kernel/protocol/connection.h"
#include "tests/unit/unit.h"

#define PORTS "\"shell_port\":1,\"control_port\":2,\"stdin_port\":3,\"iopub_port\":4,\"hb_port\":5"

static void parse(const char *text, struct connection *out)
{
    struct err e = ERR_NONE;
    assert_ok(connection_parse(slice_of(text), out, &e));
}

static void assert_endpoint(const struct connection *c, enum channel channel, const char *expected)
{
    char endpoint[ENDPOINT_SIZE];
    connection_endpoint(c, channel, endpoint);
    assert_string_equal(endpoint, expected);
}

static void test_connection_endpoint_shapes_are_what_zeromq_takes(void **state)
{
    (void)state;
    struct connection c;

    parse("{" PORTS ",\"hb_port\":0}", &c);
    assert_endpoint(&c, CHANNEL_SHELL, "tcp://127.0.0.1:1");
    assert_endpoint(&c, CHANNEL_HEARTBEAT, "tcp://127.0.0.1:*");
    assert_false(connection_is_ipv6(&c));

    parse("{" PORTS ",\"ip\":\"localhost\"}", &c);
    assert_endpoint(&c, CHANNEL_IOPUB, "tcp://127.0.0.1:4");
    parse("{" PORTS ",\"ip\":\"*\"}", &c);
    assert_endpoint(&c, CHANNEL_IOPUB, "tcp://*:4");

    parse("{" PORTS ",\"ip\":\"::1\"}", &c);
    assert_endpoint(&c, CHANNEL_CONTROL, "tcp://[::1]:2");
    assert_true(connection_is_ipv6(&c));
    parse("{" PORTS ",\"ip\":\"[::1]\"}", &c);
    assert_endpoint(&c, CHANNEL_STDIN, "tcp://[::1]:3");

    parse("{" PORTS ",\"transport\":\"ipc\",\"ip\":\"/run/k\"}", &c);
    assert_endpoint(&c, CHANNEL_SHELL, "ipc:///run/k-1");
    assert_false(connection_is_ipv6(&c));
}

static void test_connection_registration_endpoint_follows_the_transport(void **state)
{
    (void)state;
    char endpoint[ENDPOINT_SIZE];
    struct connection c;

    parse("{\"registration_ip\":\"::1\",\"registration_port\":7,\"kernel_id\":\"k\"}", &c);
    connection_registration_endpoint(&c, endpoint);
    assert_string_equal(endpoint, "tcp://[::1]:7");

    parse("{\"transport\":\"ipc\",\"ip\":\"/run/k\",\"registration_ip\":\"/run/r\","
          "\"registration_port\":7,\"kernel_id\":\"k\"}",
          &c);
    connection_registration_endpoint(&c, endpoint);
    assert_string_equal(endpoint, "ipc:///run/r-7");
}

static void test_connection_is_local_knows_loopback_from_the_rest(void **state)
{
    (void)state;

    static const struct {
        const char *ip;
        bool local;
    } rows[] = {
        {"127.0.0.1", true},
        {"127.255.0.3", true},
        {"localhost", true},
        {"::1", true},
        {"[::1]", true},
        {"::ffff:127.0.0.1", true},
        {"0.0.0.0", false},
        {"*", false},
        {"10.0.0.1", false},
        {"::", false},
        {"fe80::1", false},
        {"::ffff:10.0.0.1", false},
        {"127.0.0.1.example.org", false},
        {"128.0.0.1", false},
    };
    struct connection c = {.transport = TRANSPORT_TCP};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        (void)snprintf(c.ip, sizeof c.ip, "%s", rows[i].ip);
        assert_int_equal(connection_is_local(&c), rows[i].local);
    }
    c.transport = TRANSPORT_IPC;
    assert_true(connection_is_local(&c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connection_endpoint_shapes_are_what_zeromq_takes),
        cmocka_unit_test(test_connection_registration_endpoint_follows_the_transport),
        cmocka_unit_test(test_connection_is_local_knows_loopback_from_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
