/* SPDX-License-Identifier: MIT */
/* connection.h - the connection file: where the five sockets are, or whom to tell where they are,
 * and the keys. Works on bytes; who reads the file is the caller. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "kernel/protocol/types.h"

enum transport { TRANSPORT_TCP, TRANSPORT_IPC };

/* A CURVE key in Z85 and its NUL. */
enum { CURVE_KEY_SIZE = 41 };

struct connection {
    enum transport transport;
    char ip[256];          /* address, or path prefix for ipc */
    int ports[CHANNELS];   /* 0: choose one by binding */
    char key[256];         /* wiped by connection_done */
    char kernel_name[128]; /* "" when not given */

    /* Both, or both "": then the sockets are not encrypted. */
    char curve_publickey[CURVE_KEY_SIZE];
    char curve_secretkey[CURVE_KEY_SIZE]; /* wiped by connection_done */

    /* The launcher's socket that wants to be told the ports (JEP 66); port 0: there is none. */
    char registration_ip[256]; /* address, or path prefix for ipc */
    int registration_port;
    char kernel_id[128]; /* what the launcher calls us there */
};

/* Parses the text of a connection file. ERR_INPUT names the field, what is wrong with it, and the
 * remedy; unknown fields are ignored. Either the five ports are required, or registration_port and
 * kernel_id: then the ports are 0 whatever the file says, so that a launcher may start the next
 * kernel with the file that we wrote the ports into. The rest has defaults: tcp, 127.0.0.1 (ipc
 * must name its path prefix), no key, no encryption. On failure `*out` is untouched. */
MUST_CHECK int connection_parse(struct slice text, struct connection *out, struct err *e);

/* Appends the file's text with the ports as they are now. It holds the keys: sign_wipe() it. */
MUST_CHECK int connection_write(const struct connection *c, struct buf *out, struct err *e);

/* Name of the port's field for `channel`, e.g. "shell_port". */
const char *connection_port_field(enum channel channel);

/* Writes the ZeroMQ endpoint of `channel`: tcp://ip:port (IPv6 addresses in brackets) or
 * ipc://ip-port. Port 0 becomes `*` for tcp, and the socket then knows its number; ipc has no such
 * wish, there the caller puts a number whose path is free into `ports` first. */
enum { ENDPOINT_SIZE = 320 };

void connection_endpoint(const struct connection *c, enum channel channel, char out[ENDPOINT_SIZE]);

/* The same for the launcher's registration socket. */
void connection_registration_endpoint(const struct connection *c, char out[ENDPOINT_SIZE]);

/* True when the sockets are to be encrypted. */
bool connection_is_encrypted(const struct connection *c);

/* True when only this machine can reach the sockets: ipc, or a loopback address. */
bool connection_is_local(const struct connection *c);

/* True for a tcp address of IPv6: its sockets need ZMQ_IPV6. */
bool connection_is_ipv6(const struct connection *c);

/* Wipes the keys. */
void connection_done(struct connection *c);
DEFINE_DROP_VALUE(connection, struct connection, connection_done)
