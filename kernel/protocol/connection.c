/* SPDX-License-Identifier: MIT */
/* Read with jscan and not as a tree, so that no key is ever copied into memory nobody wipes. */
#include "kernel/protocol/connection.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/un.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/text.h"
#include "kernel/protocol/field.h"
#include "kernel/protocol/sign.h"

enum { PORT_MAX = 65535, SHOWN_MAX = 60 };

static const char scheme_name[] = "hmac-sha256";
static const char *const transport_names[] = {[TRANSPORT_TCP] = "tcp", [TRANSPORT_IPC] = "ipc"};

const char *connection_port_field(enum channel channel)
{
    static const char *const names[CHANNELS] = {
        [CHANNEL_SHELL] = "shell_port",  [CHANNEL_CONTROL] = "control_port",
        [CHANNEL_STDIN] = "stdin_port",  [CHANNEL_IOPUB] = "iopub_port",
        [CHANNEL_HEARTBEAT] = "hb_port",
    };
    return names[channel];
}

void connection_done(struct connection *c)
{
    if (c != NULL) {
        sign_wipe(c->key, sizeof c->key);
        sign_wipe(c->curve_secretkey, sizeof c->curve_secretkey);
    }
}

/* Copies the text of the optional field `name` into `out`, which keeps its default when the field
 * is absent. */
static int read_text(struct slice file, const char *name, char *out, size_t size, struct err *e)
{
    struct slice value = jscan_get(file, name);
    if (field_check(name, value, FIELD_TEXT, FIELD_OPTIONAL, e) < 0) {
        return -1;
    }
    if (jscan_kind(value) != JSCAN_STRING) {
        return 0;
    }
    /* The whole room at once: growing would leave pieces of the key behind. */
    _cleanup_(drop_buf) struct buf text = BUF_INIT(size - 1);
    char *room = buf_reserve(&text, size - 1);
    assert(room != NULL);
    buf_commit(&text, 0); /* ends it with a NUL, also when nothing follows */
    int status = jscan_string(value, &text);
    if (status < 0) {
        (void)err_set(e, ERR_INPUT, "field \"%s\" is too long, at most %zu bytes fit", name,
                      size - 1);
    } else if (memchr(buf_text(&text), '\0', text.len) != NULL || !text_is_utf8(buf_slice(&text))) {
        status = err_set(e, ERR_INPUT,
                         "field \"%s\" holds a NUL or half a surrogate pair; remove it", name);
    } else {
        memcpy(out, buf_text(&text), text.len + 1);
    }
    sign_wipe(room, size - 1);
    return status;
}

static int read_transport(struct slice file, struct connection *c, struct err *e)
{
    struct slice value = jscan_get(file, "transport");
    if (field_check("transport", value, FIELD_TEXT, FIELD_OPTIONAL, e) < 0) {
        return -1;
    }
    if (jscan_kind(value) != JSCAN_STRING) {
        c->transport = TRANSPORT_TCP;
        return 0;
    }
    for (size_t i = 0; i < ARRAY_LEN(transport_names); i++) {
        if (jscan_string_is(value, transport_names[i])) {
            c->transport = (enum transport)i;
            return 0;
        }
    }
    struct slice shown = text_cut(value, SHOWN_MAX);
    return err_set(e, ERR_INPUT,
                   "field \"transport\" is %.*s, which is not supported; use \"tcp\" or \"ipc\"",
                   (int)shown.len, shown.data);
}

/* Length that an ipc prefix may have, so that prefix-65535 still is a socket's path. */
enum { PREFIX_MAX = sizeof((struct sockaddr_un *)0)->sun_path - sizeof "-65535" };

static int check_prefix(const char *name, const char *prefix, struct err *e)
{
    if (prefix[0] == '\0') {
        return err_set(e, ERR_INPUT,
                       "field \"%s\" is missing; with transport ipc it is the path that the "
                       "sockets' names begin with",
                       name);
    }
    if (strlen(prefix) > PREFIX_MAX) {
        return err_set(e, ERR_INPUT,
                       "field \"%s\" is a path of %zu bytes, and a socket's path holds %d; use a "
                       "shorter folder",
                       name, strlen(prefix), PREFIX_MAX);
    }
    return 0;
}

static int check_address(const char *name, const char *address, struct err *e)
{
    for (const char *at = address; *at != '\0'; at++) {
        if (*at <= ' ' || *at > '~' || strchr("/;,", *at) != NULL) {
            return err_set(e, ERR_INPUT,
                           "field \"%s\" is not an address; use for example 127.0.0.1", name);
        }
    }
    return 0;
}

enum { IP_SIZE = sizeof((struct connection *)0)->ip };

_Static_assert(sizeof((struct connection *)0)->registration_ip == IP_SIZE, "both are read alike");

/* Reads the field `name`, an address or a path prefix as the transport has it. */
static int read_ip(struct slice file, const char *name, enum transport transport, char out[IP_SIZE],
                   struct err *e)
{
    if (read_text(file, name, out, IP_SIZE, e) < 0) {
        return -1;
    }
    if (transport == TRANSPORT_IPC) {
        return check_prefix(name, out, e);
    }
    if (out[0] == '\0') {
        (void)snprintf(out, IP_SIZE, "127.0.0.1");
    }
    return check_address(name, out, e);
}

static bool is_given(struct slice value)
{
    return jscan_kind(value) != JSCAN_NONE && jscan_kind(value) != JSCAN_NULL;
}

static int read_port(struct slice file, const char *name, int *out, struct err *e)
{
    struct slice value = jscan_get(file, name);
    struct err why = ERR_NONE;
    if (field_check(name, value, FIELD_INT, FIELD_REQUIRED, &why) < 0) {
        return err_set(e, ERR_INPUT, "%s: a port from 0 to %d (0: any free one)", why.text,
                       PORT_MAX);
    }
    int64_t port = -1;
    if (!jscan_int(value, &port) || port < 0 || port > PORT_MAX) {
        return err_set(e, ERR_INPUT, "field \"%s\" is %lld, must be from 0 to %d (0: any free one)",
                       name, (long long)port, PORT_MAX);
    }
    *out = (int)port;
    return 0;
}

static int read_ports(struct slice file, struct connection *c, struct err *e)
{
    for (int i = 0; i < CHANNELS; i++) {
        const char *name = connection_port_field((enum channel)i);
        if (read_port(file, name, &c->ports[i], e) < 0) {
            return -1;
        }
        for (int j = 0; j < i; j++) {
            if (c->ports[i] != 0 && c->ports[i] == c->ports[j]) {
                return err_set(e, ERR_INPUT,
                               "fields \"%s\" and \"%s\" are both %d; give each its own port",
                               connection_port_field((enum channel)j), name, c->ports[i]);
            }
        }
    }
    return 0;
}

/* A number, or a string with its digits: xeus, the one library with the launcher's half of this,
 * writes the string. */
static int read_registration_port(struct slice file, int *out, struct err *e)
{
    struct slice value = jscan_get(file, "registration_port");
    if (jscan_kind(value) == JSCAN_STRING) {
        value = (struct slice){value.data + 1, value.len - 2}; /* without the quotes */
    }
    int64_t port = 0;
    if (!jscan_int(value, &port) || port < 1 || port > PORT_MAX) {
        return err_set(e, ERR_INPUT,
                       "field \"registration_port\" is no port; must be from 1 to %d, where the "
                       "launcher listens",
                       PORT_MAX);
    }
    *out = (int)port;
    return 0;
}

static int read_registration(struct slice file, struct connection *c, struct err *e)
{
    if (read_registration_port(file, &c->registration_port, e) < 0 ||
        read_ip(file, "registration_ip", c->transport, c->registration_ip, e) < 0 ||
        read_text(file, "kernel_id", c->kernel_id, sizeof c->kernel_id, e) < 0) {
        return -1;
    }
    if (c->kernel_id[0] == '\0') {
        return err_set(
            e, ERR_INPUT,
            "field \"kernel_id\" is missing; beside \"registration_port\" it is the name "
            "by which the launcher knows this kernel");
    }
    return 0;
}

/* The launcher either has chosen the ports, or names the socket where it wants to be told. */
static int read_places(struct slice file, struct connection *c, struct err *e)
{
    if (is_given(jscan_get(file, "registration_port"))) {
        return read_registration(file, c, e);
    }
    return read_ports(file, c, e);
}

/* Groups of five digits in base 85, each of them a number of 32 bits (ZeroMQ's RFC 32). */
static bool is_z85(const char *text)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
    uint64_t group = 0;
    for (size_t i = 0; text[i] != '\0'; i++) {
        const char *digit = strchr(digits, text[i]);
        if (digit == NULL) {
            return false;
        }
        group = (i % 5 == 0 ? 0 : group * 85) + (uint64_t)(digit - digits);
        if (group > UINT32_MAX) {
            return false;
        }
    }
    return true;
}

static int read_curve_key(struct slice file, const char *name, char out[CURVE_KEY_SIZE],
                          struct err *e)
{
    if (!is_given(jscan_get(file, name))) {
        return 0;
    }
    struct err why = ERR_NONE;
    if (read_text(file, name, out, CURVE_KEY_SIZE, &why) < 0 || strlen(out) != CURVE_KEY_SIZE - 1 ||
        !is_z85(out)) {
        return err_set(e, ERR_INPUT,
                       "field \"%s\" is no CURVE key; must be a string of %d characters in Z85, as "
                       "zmq_curve_keypair makes it",
                       name, CURVE_KEY_SIZE - 1);
    }
    return 0;
}

static int read_curve(struct slice file, struct connection *c, struct err *e)
{
    static const char public_name[] = "curve_publickey";
    static const char secret_name[] = "curve_secretkey";
    if (read_curve_key(file, public_name, c->curve_publickey, e) < 0 ||
        read_curve_key(file, secret_name, c->curve_secretkey, e) < 0) {
        return -1;
    }
    bool has_public = c->curve_publickey[0] != '\0';
    bool has_secret = c->curve_secretkey[0] != '\0';
    if (has_public != has_secret) {
        return err_set(e, ERR_INPUT, "field \"%s\" is missing beside \"%s\"; give both or neither",
                       has_public ? secret_name : public_name,
                       has_public ? public_name : secret_name);
    }
    return 0;
}

bool connection_is_encrypted(const struct connection *c)
{
    return c->curve_secretkey[0] != '\0';
}

/* An unsigned connection may leave the scheme empty, as jupyter_client does for an empty key. */
static int check_scheme(struct slice file, const struct connection *c, struct err *e)
{
    struct slice value = jscan_get(file, "signature_scheme");
    if (field_check("signature_scheme", value, FIELD_TEXT, FIELD_OPTIONAL, e) < 0) {
        return -1;
    }
    bool absent = jscan_kind(value) != JSCAN_STRING;
    bool empty_and_unsigned = c->key[0] == '\0' && jscan_string_is(value, "");
    if (absent || empty_and_unsigned || jscan_string_is(value, scheme_name)) {
        return 0;
    }
    struct slice shown = text_cut(value, SHOWN_MAX);
    return err_set(e, ERR_INPUT,
                   "field \"signature_scheme\" is %.*s, which is not supported; use \"%s\"",
                   (int)shown.len, shown.data, scheme_name);
}

int connection_parse(struct slice text, struct connection *out, struct err *e)
{
    if (text.len > CONNECTION_FILE_MAX) {
        return err_set(e, ERR_INPUT, "%zu bytes are no connection file, limit %lu", text.len,
                       CONNECTION_FILE_MAX);
    }
    struct err why = ERR_NONE;
    if (jscan_check(text, JSCAN_STRICT, JSON_DEPTH_MAX, &why) < 0) {
        return err_set(e, ERR_INPUT, "not JSON (%s); write the file anew", why.text);
    }
    if (jscan_kind(text) != JSCAN_OBJECT) {
        return err_set(e, ERR_INPUT, "%s, must be a JSON object with the fields of a connection",
                       field_found(jscan_kind(text)));
    }
    _cleanup_(drop_connection) struct connection c = {.transport = TRANSPORT_TCP};
    if (read_transport(text, &c, e) < 0 || read_ip(text, "ip", c.transport, c.ip, e) < 0 ||
        read_places(text, &c, e) < 0 || read_text(text, "key", c.key, sizeof c.key, e) < 0 ||
        check_scheme(text, &c, e) < 0 || read_curve(text, &c, e) < 0 ||
        read_text(text, "kernel_name", c.kernel_name, sizeof c.kernel_name, e) < 0) {
        return -1;
    }
    *out = c;
    return 0;
}

/* One member a line: people read this file. */
static void add_name(struct buf *out, const char *name)
{
    bool is_first = out->data != NULL && out->data[out->len - 1] == '{';
    (void)buf_add_text(out, is_first ? "\n  " : ",\n  ");
    (void)jwrite_key(out, name);
}

static void add_text(struct buf *out, const char *name, const char *value)
{
    add_name(out, name);
    (void)jwrite_string(out, slice_of(value));
}

static void add_int(struct buf *out, const char *name, int value)
{
    add_name(out, name);
    (void)jwrite_int(out, value);
}

int connection_write(const struct connection *c, struct buf *out, struct err *e)
{
    (void)jwrite_object(out);
    add_text(out, "transport", transport_names[c->transport]);
    add_text(out, "ip", c->ip);
    for (int i = 0; i < CHANNELS; i++) {
        add_int(out, connection_port_field((enum channel)i), c->ports[i]);
    }
    add_text(out, "key", c->key);
    add_text(out, "signature_scheme", scheme_name);
    add_text(out, "kernel_name", c->kernel_name);
    if (connection_is_encrypted(c)) {
        add_text(out, "curve_publickey", c->curve_publickey);
        add_text(out, "curve_secretkey", c->curve_secretkey);
    }
    if (c->registration_port != 0) {
        add_text(out, "registration_ip", c->registration_ip);
        add_int(out, "registration_port", c->registration_port);
        add_text(out, "kernel_id", c->kernel_id);
    }
    (void)buf_add_text(out, "\n}\n");
    return buf_check(out, e); /* asked once for all additions above */
}
