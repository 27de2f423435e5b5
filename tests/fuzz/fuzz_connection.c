/* SPDX-License-Identifier: MIT */
/* fuzz_connection.c - the input is the text of a connection file. What is accepted must come back
 * equal when it is written and read again, and give endpoints. */
#include <assert.h>
#include <string.h>

#include "base/bounds.h"
#include "kernel/protocol/connection.h"
#include "tests/fuzz/fuzz.h"

static void check_endpoints(const struct connection *c)
{
    const char *scheme = c->transport == TRANSPORT_IPC ? "ipc://" : "tcp://";
    for (int channel = 0; channel < CHANNELS; channel++) {
        char endpoint[ENDPOINT_SIZE];
        connection_endpoint(c, (enum channel)channel, endpoint);
        assert(strncmp(endpoint, scheme, strlen(scheme)) == 0);
        assert(strlen(endpoint) < ENDPOINT_SIZE - 1); /* nothing was cut off */
    }
    if (c->registration_port != 0) {
        char endpoint[ENDPOINT_SIZE];
        connection_registration_endpoint(c, endpoint);
        assert(strncmp(endpoint, scheme, strlen(scheme)) == 0);
        assert(strlen(endpoint) < ENDPOINT_SIZE - 1);
        assert(c->kernel_id[0] != '\0');
    }
    assert((c->curve_publickey[0] != '\0') == connection_is_encrypted(c));
    (void)connection_is_local(c); /* either answer is right; it only must not crash */
}

static void check_same(const struct connection *a, const struct connection *b)
{
    assert(a->transport == b->transport);
    assert(memcmp(a->ports, b->ports, sizeof a->ports) == 0);
    assert(strcmp(a->ip, b->ip) == 0);
    assert(strcmp(a->key, b->key) == 0);
    assert(strcmp(a->kernel_name, b->kernel_name) == 0);
    assert(strcmp(a->curve_publickey, b->curve_publickey) == 0);
    assert(strcmp(a->curve_secretkey, b->curve_secretkey) == 0);
    assert(strcmp(a->registration_ip, b->registration_ip) == 0);
    assert(a->registration_port == b->registration_port);
    assert(strcmp(a->kernel_id, b->kernel_id) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = ERR_NONE;
    struct connection first;
    if (connection_parse((struct slice){(const char *)data, size}, &first, &e) < 0) {
        assert(e.code == ERR_INPUT);
        assert(e.text[0] != '\0' && strchr(e.text, '\n') == NULL);
        return 0;
    }
    check_endpoints(&first);

    _cleanup_(drop_buf) struct buf text = BUF_INIT(CONNECTION_FILE_MAX);
    struct connection second;
    int failed = connection_write(&first, &text, &e);
    assert(!failed);
    failed = connection_parse(buf_slice(&text), &second, &e);
    assert(!failed);
    check_same(&first, &second);
    return 0;
}
