/* SPDX-License-Identifier: MIT */
/* Encoding, and the headers of requests on their way back as parent headers. */
#include <stdlib.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/mem.h"
#include "kernel/protocol/codec.h"
#include "tests/unit/unit.h"

#define HEADER "{\"msg_id\":\"m1\",\"session\":\"s1\",\"msg_type\":\"execute_request\"}"

struct fixture {
    struct signer *signer;
    struct codec codec;
    struct message msg;
};

static void make(struct fixture *f, struct slice key)
{
    struct err e = ERR_NONE;
    *f = (struct fixture){.signer = NULL};
    assert_ok(signer_new(key, &f->signer, &e));
    codec_init(&f->codec, f->signer);
}

static int set_up(void **state)
{
    struct fixture *f = xmalloc(sizeof *f);
    make(f, SLICE_LIT("the key"));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    signer_free(f->signer);
    free(f);
    return 0;
}

static void test_codec_encode_message_is_signed_and_comes_back(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct encoded out;
    struct outgoing msg = {.type = MSG_STATUS,
                           .parent = SLICE_LIT(HEADER),
                           .content = SLICE_LIT("{\"execution_state\":\"busy\"}")};

    codec_encode(&f->codec, &msg, &out);

    assert_ok(codec_decode(&f->codec, out.frames, ENCODED_FRAMES, &f->msg, &e));
    assert_int_equal(f->msg.type, MSG_STATUS);
    assert_slice_equal(f->msg.parent, HEADER);
    assert_slice_equal(f->msg.metadata, "{}");
    assert_slice_equal(f->msg.content, "{\"execution_state\":\"busy\"}");
    assert_int_equal(f->msg.buffer_count, 0);
}

static void test_codec_encode_header_has_the_protocols_fields(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct encoded out;

    codec_encode(&f->codec, &(struct outgoing){.type = MSG_KERNEL_INFO_REPLY}, &out);

    struct slice header = out.frames[ENCODED_HEADER];
    assert_ok(jscan_check(header, JSCAN_STRICT, 1, &e));
    assert_true(jscan_string_is(jscan_get(header, "session"), f->codec.session));
    assert_true(jscan_string_is(jscan_get(header, "msg_type"), "kernel_info_reply"));
    assert_true(jscan_string_is(jscan_get(header, "version"), PROTOCOL_VERSION));
    assert_true(jscan_string_is(jscan_get(header, "username"), "pandia"));
    struct slice date = jscan_get(header, "date");
    assert_int_equal(date.len, sizeof "\"2026-01-31T12:00:00.123456Z\"" - 1);
    assert_int_equal(date.data[date.len - 2], 'Z');
}

static void test_codec_encode_ids_are_unique_and_the_session_is_one(void **state)
{
    struct fixture *f = *state;
    struct encoded a;
    struct encoded b;

    codec_encode(&f->codec, &(struct outgoing){.type = MSG_STATUS}, &a);
    codec_encode(&f->codec, &(struct outgoing){.type = MSG_STATUS}, &b);

    struct slice first = jscan_get(a.frames[ENCODED_HEADER], "msg_id");
    struct slice second = jscan_get(b.frames[ENCODED_HEADER], "msg_id");
    assert_int_equal(jscan_kind(first), JSCAN_STRING);
    assert_false(slice_eq(first, second));
    assert_true(slice_eq(jscan_get(a.frames[ENCODED_HEADER], "session"),
                         jscan_get(b.frames[ENCODED_HEADER], "session")));
    assert_string_not_equal(a.signature, b.signature);

    struct codec other;
    codec_init(&other, f->signer);
    assert_string_not_equal(other.session, f->codec.session);
}

static void test_codec_encode_longest_header_fits(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct encoded out;
    f->codec.sent = UINT64_MAX - 1;
    memset(f->codec.username, '"', sizeof f->codec.username - 1);

    /* A name that would need escapes goes out in plain characters of the same number. */
    for (int type = MSG_UNKNOWN + 1; type < MSG_TYPES; type++) {
        codec_encode(&f->codec, &(struct outgoing){.type = (enum msg_type)type}, &out);
        f->codec.sent = UINT64_MAX - 1;
        struct slice header = out.frames[ENCODED_HEADER];
        assert_ok(jscan_check(header, JSCAN_STRICT, 1, &e));
        assert_int_equal(jscan_get(header, "username").len, sizeof f->codec.username + 1);
    }
}

static void test_codec_encode_without_key_has_an_empty_signature(void **state)
{
    (void)state;
    struct fixture f;
    struct encoded out;
    make(&f, SLICE_NONE);

    codec_encode(&f.codec, &(struct outgoing){.type = MSG_STATUS}, &out);

    assert_int_equal(out.frames[ENCODED_SIGNATURE].len, 0);
    assert_slice_equal(out.frames[ENCODED_DELIMITER], CODEC_DELIMITER);
    signer_free(f.signer);
}

/* Decodes a signed message with `header`. */
static void receive(struct fixture *f, struct slice header)
{
    struct err e = ERR_NONE;
    char hex[SIGN_HEX_SIZE];
    const struct slice none = SLICE_LIT("{}");
    struct slice frames[] = {SLICE_LIT(CODEC_DELIMITER), SLICE_NONE, header, none, none, none};
    signer_sign(f->signer, &frames[ENCODED_HEADER], hex);
    frames[ENCODED_SIGNATURE] = slice_of(hex);
    assert_ok(codec_decode(&f->codec, frames, ARRAY_LEN(frames), &f->msg, &e));
}

/* What goes back as parent header for `header`; it must be strict JSON whatever came. */
static void parent_of(struct fixture *f, struct slice header, struct buf *out)
{
    struct err e = ERR_NONE;
    receive(f, header);
    assert_ok(codec_parent(&f->msg, out, &e));
    assert_ok(jscan_check(buf_slice(out), JSCAN_STRICT, JSON_DEPTH_MAX, &e));
}

static void test_codec_parent_good_header_is_the_very_bytes(void **state)
{
    struct fixture *f = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);
    static const char header[] = " {\"msg_id\" : \"\\ud800\xc3\xa9\", \"msg_type\":\"x\","
                                 "\"n\":123456789012345678901234567890 }\n";

    parent_of(f, slice_of(header), &out);

    assert_string_equal(buf_text(&out), header);
}

static void test_codec_parent_header_that_is_not_utf8_is_repaired(void **state)
{
    struct fixture *f = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

    parent_of(f, SLICE_LIT("{\"msg_id\":\"m\",\"msg_type\":\"x\",\"username\":\"a\xff\xe2\"}"),
              &out);

    assert_string_equal(buf_text(&out), "{\"msg_id\":\"m\",\"msg_type\":\"x\","
                                        "\"username\":\"a\xef\xbf\xbd\xef\xbf\xbd\"}");
}

static void test_codec_parent_members_with_nan_are_left_out(void **state)
{
    struct fixture *f = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

    parent_of(f,
              SLICE_LIT("{\"a\":NaN,\"msg_id\":\"m\xff\",\"b\":[{\"c\":Infinity}],"
                        "\"msg_type\":\"x\",\"d\":[1]}"),
              &out);

    assert_string_equal(buf_text(&out), "{\"msg_id\":\"m\xef\xbf\xbd\","
                                        "\"msg_type\":\"x\",\"d\":[1]}");
}

static void test_codec_parent_small_ceiling_is_limit(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(16);
    receive(f, SLICE_LIT(HEADER));

    assert_err(codec_parent(&f->msg, &out, &e), ERR_LIMIT);
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_codec_encode_message_is_signed_and_comes_back),
        T(test_codec_encode_header_has_the_protocols_fields),
        T(test_codec_encode_ids_are_unique_and_the_session_is_one),
        T(test_codec_encode_longest_header_fits),
        T(test_codec_encode_without_key_has_an_empty_signature),
        T(test_codec_parent_good_header_is_the_very_bytes),
        T(test_codec_parent_header_that_is_not_utf8_is_repaired),
        T(test_codec_parent_members_with_nan_are_left_out),
        T(test_codec_parent_small_ceiling_is_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
