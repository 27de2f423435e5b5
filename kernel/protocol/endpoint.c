/* SPDX-License-Identifier: MIT */
/* endpoint.c - the addresses of a connection: how ZeroMQ writes them, who can reach them. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>

#include "kernel/protocol/connection.h"

/* The address as a resolver wants it: without the brackets some people write around IPv6. */
static struct slice bare_address(const char *address)
{
    struct slice ip = slice_of(address);
    if (ip.len >= 2 && ip.data[0] == '[' && ip.data[ip.len - 1] == ']') {
        return (struct slice){ip.data + 1, ip.len - 2};
    }
    return ip;
}

bool connection_is_ipv6(const struct connection *c)
{
    return c->transport == TRANSPORT_TCP && strchr(c->ip, ':') != NULL;
}

static void write_endpoint(enum transport transport, const char *ip, int port,
                           char out[ENDPOINT_SIZE])
{
    if (transport == TRANSPORT_IPC) {
        (void)snprintf(out, ENDPOINT_SIZE, "ipc://%s-%d", ip, port);
        return;
    }
    char number[16] = "*";
    if (port != 0) {
        (void)snprintf(number, sizeof number, "%d", port);
    }
    /* libzmq binds to addresses and interfaces, not to names, and this name is in wide use. */
    struct slice bare = bare_address(ip);
    if (slice_is(bare, "localhost")) {
        bare = SLICE_LIT("127.0.0.1");
    }
    bool six = strchr(ip, ':') != NULL;
    (void)snprintf(out, ENDPOINT_SIZE, "tcp://%s%.*s%s:%s", six ? "[" : "", (int)bare.len,
                   bare.data, six ? "]" : "", number);
}

void connection_endpoint(const struct connection *c, enum channel channel, char out[ENDPOINT_SIZE])
{
    write_endpoint(c->transport, c->ip, c->ports[channel], out);
}

void connection_registration_endpoint(const struct connection *c, char out[ENDPOINT_SIZE])
{
    write_endpoint(c->transport, c->registration_ip, c->registration_port, out);
}

bool connection_is_local(const struct connection *c)
{
    if (c->transport == TRANSPORT_IPC || strcmp(c->ip, "localhost") == 0) {
        return true;
    }
    char ip[sizeof c->ip];
    struct slice bare = bare_address(c->ip);
    memcpy(ip, bare.data, bare.len);
    ip[bare.len] = '\0';

    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, ip, &four) == 1) {
        return ntohl(four.s_addr) >> 24 == 127;
    }
    if (inet_pton(AF_INET6, ip, &six) == 1) {
        return IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
    }
    return false;
}
