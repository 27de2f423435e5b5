/* SPDX-License-Identifier: MIT */
#include <zmq.h>

#include "base/bounds.h"
#include "kernel/zmq/iopub.h"
#include "tests/unit/unit.h"

enum { WAIT_MS = 10000, FLOOD = 20000 };

struct fixture {
    struct loop *loop;
    struct zcontext *z;
    struct signer *signer;
    struct codec codec;
    struct iopub *iopub;
    int port;
    int pauses;
    int resumes;
    void *client_context;
    void *subscriber;
};

static void on_flow(void *arg, enum iopub_flow flow)
{
    struct fixture *f = arg;
    if (flow == IOPUB_STALLS) {
        f->pauses++;
    } else {
        f->resumes++;
        loop_stop(f->loop);
    }
}

static int setup(void **state)
{
    struct err e = ERR_NONE;
    struct zsock *socket = NULL;
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL || loop_new(&f->loop, &e) < 0 || zcontext_new(&f->z, &e) < 0 ||
        signer_new(SLICE_NONE, &f->signer, &e) < 0 ||
        zsock_bind(f->z, ZSOCK_XPUB, "tcp://127.0.0.1:*", &socket, &e) < 0) {
        return -1;
    }
    f->port = zsock_port(socket);
    codec_init(&f->codec, f->signer);
    f->iopub = iopub_new(f->loop, &f->codec, socket, on_flow, f);
    f->client_context = zmq_ctx_new();
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    if (f->subscriber != NULL) {
        zmq_close(f->subscriber);
    }
    zmq_ctx_term(f->client_context);
    iopub_free(f->iopub);
    zcontext_free(f->z);
    signer_free(f->signer);
    loop_free(f->loop);
    free(f);
    return 0;
}

static void *subscribe(struct fixture *f, int rcvhwm)
{
    char endpoint[64];
    void *s = zmq_socket(f->client_context, ZMQ_SUB);
    (void)snprintf(endpoint, sizeof endpoint, "tcp://127.0.0.1:%d", f->port);
    zmq_setsockopt(s, ZMQ_RCVHWM, &rcvhwm, sizeof rcvhwm);
    zmq_setsockopt(s, ZMQ_SUBSCRIBE, "", 0);
    assert_int_equal(zmq_connect(s, endpoint), 0);
    return s;
}

/* Receives one message; gives its number of frames and its content frame. */
static int receive(void *s, char *content, size_t size)
{
    int frames = 0;
    int more = 1;
    size_t len = sizeof more;
    zmq_pollitem_t item = {.socket = s, .events = ZMQ_POLLIN};
    assert_int_equal(zmq_poll(&item, 1, WAIT_MS), 1);
    while (more) {
        int n = zmq_recv(s, content, size - 1, 0);
        assert_true(n >= 0);
        content[(size_t)n < size ? (size_t)n : size - 1] = '\0';
        frames++;
        zmq_getsockopt(s, ZMQ_RCVMORE, &more, &len);
    }
    return frames;
}

/* Lets iopub see the subscription: waits on its descriptor until the welcome is out. */
static void greet(struct fixture *f)
{
    char content[256];
    zmq_pollitem_t items[] = {{.fd = iopub_fd(f->iopub), .events = ZMQ_POLLIN},
                              {.socket = f->subscriber, .events = ZMQ_POLLIN}};
    do {
        assert_true(zmq_poll(items, 2, WAIT_MS) > 0);
        (void)iopub_receive(f->iopub, 64); /* how many is of no interest here */
    } while ((items[1].revents & ZMQ_POLLIN) == 0);
    receive(f->subscriber, content, sizeof content);
    assert_non_null(strstr(content, "subscription"));
}

static void publish_number(struct fixture *f, int n)
{
    char content[64];
    (void)snprintf(content, sizeof content, "{\"n\": %d}", n);
    iopub_publish(f->iopub,
                  &(struct publication){.type = MSG_STREAM, .content = slice_of(content)});
}

static void test_iopub_subscriber_is_welcomed_first(void **state)
{
    struct fixture *f = *state;
    f->subscriber = subscribe(f, 0);
    greet(f);
}

/* What the cell of a client brought before its subscription was here. */
static void publish_early(struct fixture *f, struct slice content)
{
    iopub_publish(f->iopub, &(struct publication){.type = MSG_STATUS,
                                                  .parent = SLICE_LIT("{\"msg_id\": \"1\"}"),
                                                  .content = content});
}

static void test_iopub_first_subscriber_gets_what_its_requests_brought_before(void **state)
{
    struct fixture *f = *state;
    char content[256];
    publish_number(f, 0); /* of no request: it is for those who are there */
    publish_early(f, SLICE_LIT("{\"n\": 1}"));
    publish_early(f, SLICE_LIT("{\"n\": 2}"));

    f->subscriber = subscribe(f, 0);
    greet(f);
    publish_number(f, 3);

    for (int n = 1; n <= 3; n++) {
        char wanted[64];
        (void)snprintf(wanted, sizeof wanted, "{\"n\": %d}", n);
        receive(f->subscriber, content, sizeof content);
        assert_string_equal(content, wanted);
    }
    assert_int_equal(f->pauses, 0);
}

static void test_iopub_early_messages_are_bounded(void **state)
{
    struct fixture *f = *state;
    char content[256];
    static char large[IOPUB_EARLY_MAX];
    memset(large, ' ', sizeof large);
    memcpy(large, "{}", 2);
    publish_early(f, SLICE_LIT("{\"n\": 1}"));
    publish_early(f, (struct slice){.data = large, .len = sizeof large});
    publish_early(f, SLICE_LIT("{\"n\": 2}"));

    f->subscriber = subscribe(f, 0);
    greet(f);

    receive(f->subscriber, content, sizeof content);
    assert_string_equal(content, "{\"n\": 2}");
}

static void test_iopub_publish_with_buffers_sends_them(void **state)
{
    struct fixture *f = *state;
    struct slice buffers[20];
    char last[64];
    for (size_t i = 0; i < ARRAY_LEN(buffers); i++) {
        buffers[i] = SLICE_LIT("bytes");
    }
    f->subscriber = subscribe(f, 0);
    greet(f);

    iopub_publish(f->iopub, &(struct publication){.type = MSG_COMM_MSG,
                                                  .content = SLICE_LIT("{}"),
                                                  .buffers = buffers,
                                                  .buffer_count = ARRAY_LEN(buffers)});

    assert_int_equal(receive(f->subscriber, last, sizeof last), 1 + ENCODED_FRAMES + 20);
    assert_string_equal(last, "bytes");
}

/* A turn of the loop reads what the subscriber has, so that retries find room. */
struct reader {
    struct fixture *f;
    struct loop_timer *timer;
    int next;
};

static void on_read(void *arg)
{
    struct reader *r = arg;
    char content[64];
    char wanted[64];
    zmq_pollitem_t item = {.socket = r->f->subscriber, .events = ZMQ_POLLIN};
    while (zmq_poll(&item, 1, 0) == 1) {
        receive(r->f->subscriber, content, sizeof content);
        (void)snprintf(wanted, sizeof wanted, "{\"n\": %d}", r->next++);
        assert_string_equal(content, wanted);
    }
    if (r->next == FLOOD) {
        loop_stop(r->f->loop);
    } else {
        loop_timer_set(r->timer, 1);
    }
}

static void test_iopub_slow_subscriber_pauses_and_loses_nothing(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    f->subscriber = subscribe(f, 10);
    greet(f);
    for (int i = 0; i < FLOOD; i++) {
        publish_number(f, i);
    }
    assert_int_equal(f->pauses, 1);

    struct reader reader = {.f = f};
    reader.timer = loop_add_timer(f->loop, on_read, &reader);
    loop_timer_set(reader.timer, 0);
    while (reader.next < FLOOD) {
        assert_ok(loop_run(f->loop, &e));
    }

    assert_int_equal(f->resumes, 1);
    loop_timer_free(reader.timer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_iopub_subscriber_is_welcomed_first, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_iopub_first_subscriber_gets_what_its_requests_brought_before, setup, teardown),
        cmocka_unit_test_setup_teardown(test_iopub_early_messages_are_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_iopub_publish_with_buffers_sends_them, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_iopub_slow_subscriber_pauses_and_loses_nothing, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
