/* SPDX-License-Identifier: MIT */
#include "kernel/zmq/zsock.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include <zmq.h>

#include "base/bounds.h"
#include "base/mem.h"

#define IPC_SCHEME "ipc://"

enum { LINGER_MS = 1000 }; /* the last reply must leave before the process does */

enum { CURVE_TEXT_SIZE = 41 }; /* a key in Z85 and its NUL */

struct zcontext {
    void *handle;
    const char *public_key; /* borrowed; NULL: sockets are not encrypted */
    const char *secret_key;
};

struct zsock {
    void *handle;
    int port;
    int fd;
    bool settled; /* see zsock_is_settled */
    char *path;   /* of an ipc socket, NULL for tcp */
    dev_t device;
    ino_t inode; /* of the file that we made at `path` */
};

struct zparts {
    zmq_msg_t *messages;
    struct slice *frames;
    size_t count;
    size_t cap;
};

static int err_zmq(struct err *e, const char *what)
{
    int code = zmq_errno();
    (void)err_set(e, ERR_SYS, "%s: %s", what, zmq_strerror(code));
    e->sys = code;
    return -1;
}

int zcontext_new(struct zcontext **out, struct err *e)
{
    void *handle = zmq_ctx_new();
    if (handle == NULL) {
        return err_zmq(e, "zmq_ctx_new");
    }
    struct zcontext *z = xcalloc(1, sizeof *z);
    z->handle = handle;
    *out = z;
    return 0;
}

void zcontext_free(struct zcontext *z)
{
    if (z == NULL) {
        return;
    }
    while (zmq_ctx_term(z->handle) < 0 && zmq_errno() == EINTR) {
    }
    free(z);
}

int zcontext_encrypt(struct zcontext *z, const char *public_key, const char *secret_key,
                     struct err *e)
{
    char derived[CURVE_TEXT_SIZE];
    if (!zmq_has("curve")) {
        return err_set(
            e, ERR_STATE,
            "this libzmq (%s) was built without CURVE and cannot encrypt; install another, "
            "or give no \"curve_publickey\" and \"curve_secretkey\"",
            zsock_library_version());
    }
    if (zmq_curve_public(derived, secret_key) < 0) {
        return err_zmq(e, "zmq_curve_public");
    }
    if (strcmp(derived, public_key) != 0) {
        return err_set(
            e, ERR_INPUT,
            "field \"curve_publickey\" does not belong to \"curve_secretkey\"; give both "
            "keys of one pair");
    }
    z->public_key = public_key;
    z->secret_key = secret_key;
    return 0;
}

static void set_int(void *handle, int option, int value)
{
    (void)zmq_setsockopt(handle, option, &value, sizeof value); /* known options, valid values */
}

static void set_options(void *handle, enum zsock_role role)
{
    set_int(handle, ZMQ_LINGER, LINGER_MS);
    set_int(handle, ZMQ_IPV6, 1);
    int64_t frame_max = MSG_FRAME_MAX;
    (void)zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, &frame_max, sizeof frame_max); /* as above */
    if (role != ZSOCK_XPUB) {
        /* A client that reconnects under its old identity must be heard. */
        set_int(handle, ZMQ_ROUTER_HANDOVER, 1);
        set_int(handle, ZMQ_SNDHWM, SHELL_SNDHWM);
        set_int(handle, ZMQ_ROUTER_MANDATORY, role == ZSOCK_ASKER);
    } else {
        /* A subscription counts from zsock_subscribe on, and not from the moment that libzmq sees
         * it: else whatever is published in between would overtake the welcome. */
        set_int(handle, ZMQ_XPUB_MANUAL, 1);
        set_int(handle, ZMQ_XPUB_VERBOSE, 1);
        set_int(handle, ZMQ_XPUB_NODROP, 1);
        set_int(handle, ZMQ_SNDHWM, IOPUB_SNDHWM);
    }
}

static int bound_port(void *handle)
{
    char endpoint[512];
    size_t size = sizeof endpoint;
    if (zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, endpoint, &size) < 0 ||
        strncmp(endpoint, "tcp://", 6) != 0) {
        return 0;
    }
    const char *colon = strrchr(endpoint, ':');
    return colon ? (int)strtol(colon + 1, NULL, 10) : 0;
}

/* Remembers which file an ipc socket is, by number: a kernel that takes our place makes a new one
 * under the same name. */
static void note_file(struct zsock *s, const char *endpoint)
{
    struct stat st;
    if (strncmp(endpoint, IPC_SCHEME, strlen(IPC_SCHEME)) == 0 &&
        lstat(endpoint + strlen(IPC_SCHEME), &st) == 0) {
        s->path = xstrdup(endpoint + strlen(IPC_SCHEME));
        s->device = st.st_dev;
        s->inode = st.st_ino;
    }
}

/* libzmq leaves the file where it is. */
static void remove_file(const struct zsock *s)
{
    struct stat st;
    if (s->path != NULL && lstat(s->path, &st) == 0 && st.st_dev == s->device &&
        st.st_ino == s->inode) {
        (void)unlink(s->path); /* a folder that has become read-only keeps it */
    }
}

/* Must come before the bind: later connections would not heed it. */
static int set_curve(const struct zcontext *z, void *handle, struct err *e)
{
    if (z->secret_key == NULL) {
        return 0;
    }
    set_int(handle, ZMQ_CURVE_SERVER, 1);
    if (zmq_setsockopt(handle, ZMQ_CURVE_SECRETKEY, z->secret_key, CURVE_TEXT_SIZE) < 0 ||
        zmq_setsockopt(handle, ZMQ_CURVE_PUBLICKEY, z->public_key, CURVE_TEXT_SIZE) < 0) {
        return err_zmq(e, "CURVE keys");
    }
    return 0;
}

/* Takes the handle. */
static struct zsock *zsock_new(void *handle)
{
    struct zsock *s = xcalloc(1, sizeof *s);
    size_t size = sizeof s->fd;
    s->handle = handle;
    (void)zmq_getsockopt(handle, ZMQ_FD, &s->fd, &size); /* every socket has one */
    return s;
}

int zsock_bind(struct zcontext *z, enum zsock_role role, const char *endpoint, struct zsock **out,
               struct err *e)
{
    void *handle = zmq_socket(z->handle, role == ZSOCK_XPUB ? ZMQ_XPUB : ZMQ_ROUTER);
    if (handle == NULL) {
        return err_zmq(e, "zmq_socket");
    }
    set_options(handle, role);
    if (set_curve(z, handle, e) < 0) {
        zmq_close(handle);
        return -1;
    }
    if (zmq_bind(handle, endpoint) < 0) {
        (void)err_zmq(e, endpoint);
        zmq_close(handle);
        return -1;
    }
    struct zsock *s = zsock_new(handle);
    s->port = bound_port(handle);
    note_file(s, endpoint);
    *out = s;
    return 0;
}

int zsock_connect(struct zcontext *z, const char *endpoint, struct zsock **out, struct err *e)
{
    void *handle = zmq_socket(z->handle, ZMQ_DEALER);
    if (handle == NULL) {
        return err_zmq(e, "zmq_socket");
    }
    int64_t frame_max = MSG_HEADER_MAX; /* answers are short */
    (void)zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, &frame_max, sizeof frame_max); /* is valid */
    set_int(handle, ZMQ_LINGER, 0);
    set_int(handle, ZMQ_IPV6, 1);
    if (zmq_connect(handle, endpoint) < 0) {
        (void)err_zmq(e, endpoint);
        zmq_close(handle);
        return -1;
    }
    *out = zsock_new(handle);
    return 0;
}

void zsock_free(struct zsock *s)
{
    if (s == NULL) {
        return;
    }
    remove_file(s);
    zmq_close(s->handle);
    free(s->path);
    free(s);
}

int zsock_port(const struct zsock *s)
{
    return s->port;
}

int zsock_fd(const struct zsock *s)
{
    return s->fd;
}

bool zsock_is_settled(const struct zsock *s)
{
    return s->settled;
}

struct zparts *zparts_new(void)
{
    return xcalloc(1, sizeof(struct zparts));
}

static void clear(struct zparts *p)
{
    for (size_t i = 0; i < p->count; i++) {
        zmq_msg_close(&p->messages[i]);
    }
    p->count = 0;
}

void zparts_free(struct zparts *p)
{
    if (p == NULL) {
        return;
    }
    clear(p);
    free(p->messages);
    free(p->frames);
    free(p);
}

const struct slice *zparts_frames(const struct zparts *p, size_t *count)
{
    *count = p->count;
    return p->frames;
}

/* A zmq_msg_t must not be moved by memory: the array grows only between messages, to the size
 * that the largest message so far has needed; frames beyond it are taken by zmq_msg_move. */
static void grow(struct zparts *p)
{
    size_t cap = p->cap ? p->cap * 2 : 16;
    zmq_msg_t *messages = xcalloc(cap, sizeof *messages);
    for (size_t i = 0; i < p->count; i++) {
        zmq_msg_init(&messages[i]);
        (void)zmq_msg_move(&messages[i], &p->messages[i]); /* both are valid */
        zmq_msg_close(&p->messages[i]);
    }
    free(p->messages);
    p->messages = messages;
    p->frames = xrealloc(p->frames, cap, sizeof *p->frames);
    p->cap = cap;
}

static int receive_frame(struct zsock *s, zmq_msg_t *message)
{
    int n = 0;
    do {
        n = zmq_msg_recv(message, s->handle, ZMQ_DONTWAIT);
    } while (n < 0 && zmq_errno() == EINTR);
    return n;
}

/* Skips the rest of a message that has too many frames. */
static void skip_rest(struct zsock *s, int more)
{
    while (more) {
        zmq_msg_t message;
        zmq_msg_init(&message);
        more = receive_frame(s, &message) >= 0 && zmq_msg_more(&message);
        zmq_msg_close(&message);
    }
}

int zsock_receive(struct zsock *s, struct zparts *p, struct err *e)
{
    int more = 1;
    clear(p);
    s->settled = false;
    while (more) {
        if (p->count == MSG_FRAMES_MAX) {
            skip_rest(s, more);
            return err_set(e, ERR_LIMIT, "more than %lu frames", MSG_FRAMES_MAX);
        }
        if (p->count == p->cap) {
            grow(p);
        }
        zmq_msg_t *message = &p->messages[p->count];
        zmq_msg_init(message);
        if (receive_frame(s, message) < 0) {
            s->settled = zmq_errno() == EAGAIN;
            zmq_msg_close(message);
            return 0; /* messages arrive whole: this is the first frame */
        }
        p->count++;
        more = zmq_msg_more(message);
    }
    for (size_t i = 0; i < p->count; i++) {
        p->frames[i].data = zmq_msg_data(&p->messages[i]);
        p->frames[i].len = zmq_msg_size(&p->messages[i]);
    }
    return 1;
}

int zsock_send(struct zsock *s, const struct slice *frames, size_t count, struct err *e)
{
    s->settled = false;
    for (size_t i = 0; i < count; i++) {
        int flags = ZMQ_DONTWAIT | (i + 1 < count ? ZMQ_SNDMORE : 0);
        int n = 0;
        do {
            n = zmq_send(s->handle, frames[i].data ? frames[i].data : "", frames[i].len, flags);
            /* Only the first frame may be refused; after it the message must be finished. */
        } while (n < 0 && (zmq_errno() == EINTR || (i > 0 && zmq_errno() == EAGAIN)));
        if (n < 0) {
            return err_zmq(e, "zmq_send");
        }
    }
    return 0;
}

void zsock_subscribe(struct zsock *s, struct slice topic)
{
    s->settled = false;
    (void)zmq_setsockopt(s->handle, ZMQ_SUBSCRIBE, topic.data, topic.len); /* cannot fail */
}

void zsock_unsubscribe(struct zsock *s, struct slice topic)
{
    s->settled = false;
    (void)zmq_setsockopt(s->handle, ZMQ_UNSUBSCRIBE, topic.data, topic.len); /* as above */
}

void zsock_when_full(struct zsock *s, enum zsock_full what)
{
    s->settled = false;
    set_int(s->handle, ZMQ_XPUB_NODROP, what == ZSOCK_REFUSE);
}

const char *zsock_library_version(void)
{
    static char text[32]; /* constant once written */
    int major = 0;
    int minor = 0;
    int patch = 0;
    zmq_version(&major, &minor, &patch);
    (void)snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
    return text;
}
