/* SPDX-License-Identifier: MIT */
/* Decoding: what is accepted, and what is refused with which code. Encoding: test_encode.c. */
#include <stdlib.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "kernel/protocol/codec.h"
#include "tests/unit/unit.h"

#define HEADER                                                                                     \
    "{\"msg_id\":\"m1\",\"session\":\"s1\",\"username\":\"u\","                                    \
    "\"date\":\"2026-01-01T00:00:00.000000Z\",\"msg_type\":\"execute_request\","                   \
    "\"version\":\"5.3\"}"

#define FRAME(text)                                                                                \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

/* Places of the frames of the fixture's message. */
enum {
    ID_A,
    ID_B,
    DELIMITER,
    SIGNATURE,
    HEADER_FRAME,
    PARENT_FRAME,
    METADATA_FRAME,
    CONTENT_FRAME,
    BUFFER_A,
    BUFFER_B,
    FRAMES
};

struct fixture {
    struct signer *signer;
    struct codec codec;
    struct slice frames[16];
    size_t count;
    char hex[SIGN_HEX_SIZE];
    struct message msg;
};

static void sign(struct fixture *f)
{
    signer_sign(f->signer, &f->frames[HEADER_FRAME], f->hex);
    f->frames[SIGNATURE] = slice_of(f->hex);
}

static void make(struct fixture *f, struct slice key)
{
    struct err e = ERR_NONE;
    *f = (struct fixture){.count = FRAMES};
    assert_ok(signer_new(key, &f->signer, &e));
    codec_init(&f->codec, f->signer);
    f->frames[ID_A] = SLICE_LIT("\0\x01hop");
    f->frames[ID_B] = SLICE_LIT("client");
    f->frames[DELIMITER] = SLICE_LIT(CODEC_DELIMITER);
    f->frames[HEADER_FRAME] = SLICE_LIT(HEADER);
    f->frames[PARENT_FRAME] = SLICE_LIT("{}");
    f->frames[METADATA_FRAME] = SLICE_LIT("{\"cellId\":\"c\"}");
    f->frames[CONTENT_FRAME] = SLICE_LIT("{\"code\":\"1+1\"}");
    f->frames[BUFFER_A] = SLICE_LIT("\xff\0");
    f->frames[BUFFER_B] = SLICE_NONE;
    sign(f);
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

static int decode(struct fixture *f, struct err *e)
{
    return codec_decode(&f->codec, f->frames, f->count, &f->msg, e);
}

/* Puts `text` into `frame`, signs, and decodes. */
static int decode_with(struct fixture *f, size_t frame, struct slice text, struct err *e)
{
    f->frames[frame] = text;
    sign(f);
    return decode(f, e);
}

/* `depth` opening braces, each the value of a member, and their ends. */
static struct slice nested(size_t depth, struct buf *out)
{
    for (size_t i = 1; i < depth; i++) {
        assert_int_equal(buf_add_text(out, "{\"a\":"), 0);
    }
    assert_int_equal(buf_add_text(out, "{}"), 0);
    for (size_t i = 1; i < depth; i++) {
        assert_int_equal(buf_add_byte(out, '}'), 0);
    }
    return buf_slice(out);
}

static void test_codec_decode_signed_request_gives_its_parts(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_ok(decode(f, &e));

    assert_int_equal(f->msg.identity_count, 2);
    assert_slice_equal(f->msg.identities[1], "client");
    assert_slice_equal(f->msg.header, HEADER);
    assert_slice_equal(f->msg.parent, "{}");
    assert_slice_equal(f->msg.metadata, "{\"cellId\":\"c\"}");
    assert_slice_equal(f->msg.content, "{\"code\":\"1+1\"}");
    assert_int_equal(f->msg.buffer_count, 2);
    assert_int_equal(f->msg.buffers[0].len, 2);
    assert_int_equal(f->msg.type, MSG_EXECUTE_REQUEST);
    assert_slice_equal(f->msg.type_name, "\"execute_request\"");
    assert_slice_equal(f->msg.msg_id, "\"m1\"");
    assert_slice_equal(f->msg.session, "\"s1\"");
}

static void test_codec_decode_without_identities_and_buffers_is_fine(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_ok(codec_decode(&f->codec, f->frames + DELIMITER, BUFFER_A - DELIMITER, &f->msg, &e));

    assert_int_equal(f->msg.identity_count, 0);
    assert_int_equal(f->msg.buffer_count, 0);
}

static void test_codec_decode_no_delimiter_is_proto_error(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    f->frames[DELIMITER] = SLICE_LIT("<IDS|MSG");

    assert_err(decode(f, &e), ERR_PROTO);
    assert_err(codec_decode(&f->codec, f->frames, 0, &f->msg, &e), ERR_PROTO);
}

static void test_codec_decode_delimiter_behind_too_many_identities_is_proto_error(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    enum { HOPS = MSG_IDENTITIES_MAX + 1, REST = BUFFER_A - DELIMITER };
    struct slice frames[HOPS + REST] = {0};
    memcpy(frames + HOPS, f->frames + DELIMITER, REST * sizeof *frames);

    assert_err(codec_decode(&f->codec, frames, HOPS + REST, &f->msg, &e), ERR_PROTO);
    assert_ok(codec_decode(&f->codec, frames + 1, HOPS - 1 + REST, &f->msg, &e));
    assert_int_equal(f->msg.identity_count, MSG_IDENTITIES_MAX);
}

static void test_codec_decode_too_few_frames_is_proto_error(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    for (f->count = DELIMITER + 1; f->count < BUFFER_A; f->count++) {
        assert_err(decode(f, &e), ERR_PROTO);
    }
    assert_ok(decode(f, &e));
}

static void test_codec_decode_bad_signature_is_auth_error_before_json_is_read(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    f->frames[CONTENT_FRAME] = SLICE_LIT("{\"code\":\"1+2\"}");
    assert_err(decode(f, &e), ERR_AUTH);
    f->frames[HEADER_FRAME] = SLICE_LIT("this is not JSON");
    assert_err(decode(f, &e), ERR_AUTH);
    f->frames[SIGNATURE] = SLICE_NONE;
    assert_err(decode(f, &e), ERR_AUTH);
}

static void test_codec_decode_replay_is_auth_error_and_the_next_is_answered(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_ok(decode(f, &e));
    assert_err(decode(f, &e), ERR_AUTH);
    assert_ok(decode_with(f, CONTENT_FRAME, SLICE_LIT("{}"), &e));
}

static void test_codec_decode_buffers_are_not_signed(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    f->frames[BUFFER_A] = SLICE_LIT("other bytes");

    assert_ok(decode(f, &e));
    assert_slice_equal(f->msg.buffers[0], "other bytes");
}

static void test_codec_decode_unsigned_codec_accepts_any_signature(void **state)
{
    (void)state;
    struct fixture f;
    struct err e = ERR_NONE;
    make(&f, SLICE_NONE);

    assert_ok(decode(&f, &e));
    assert_ok(decode(&f, &e));
    f.frames[SIGNATURE] = SLICE_LIT("abc");
    assert_ok(decode(&f, &e));
    signer_free(f.signer);
}

static void test_codec_decode_broken_json_in_any_frame_is_proto_error(void **state)
{
    struct fixture *f = *state;
    static const struct slice broken[] = {
        FRAME("{"),       FRAME("{}{}"),           FRAME("{\"a\":}"),          FRAME("{\"a\":1,}"),
        FRAME("{'a':1}"), FRAME("{\"a\":\"\0\"}"), FRAME("{\"a\":\"\\ud8\"}"), FRAME("{}\0"),
        FRAME("\xff"),
    };

    for (size_t frame = HEADER_FRAME; frame <= CONTENT_FRAME; frame++) {
        struct slice good = f->frames[frame];
        for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
            struct err e = ERR_NONE;
            assert_err(decode_with(f, frame, broken[i], &e), ERR_PROTO);
        }
        f->frames[frame] = good;
    }
}

static void test_codec_decode_other_values_than_objects_are_proto_errors(void **state)
{
    struct fixture *f = *state;
    static const char *const values[] = {"[]", "7", "\"{}\"", "true", "NaN"};

    for (size_t frame = HEADER_FRAME; frame <= CONTENT_FRAME; frame++) {
        struct slice good = f->frames[frame];
        for (size_t i = 0; i < ARRAY_LEN(values); i++) {
            struct err e = ERR_NONE;
            assert_err(decode_with(f, frame, slice_of(values[i]), &e), ERR_PROTO);
        }
        f->frames[frame] = good;
    }
}

static void test_codec_decode_empty_and_null_frames_stand_for_empty_objects(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    f->frames[PARENT_FRAME] = SLICE_NONE;
    f->frames[METADATA_FRAME] = SLICE_LIT(" null ");

    assert_ok(decode_with(f, CONTENT_FRAME, SLICE_LIT(""), &e));

    assert_slice_equal(f->msg.parent, "{}");
    assert_slice_equal(f->msg.metadata, "{}");
    assert_slice_equal(f->msg.content, "{}");
    assert_err(decode_with(f, HEADER_FRAME, SLICE_LIT("null"), &e), ERR_PROTO);
    assert_err(decode_with(f, HEADER_FRAME, SLICE_NONE, &e), ERR_PROTO);
}

static void test_codec_decode_nesting_up_to_the_bound_is_fine_and_above_is_limit(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf deep = BUF_INIT(MIB);

    assert_ok(decode_with(f, CONTENT_FRAME, nested(JSON_DEPTH_MAX, &deep), &e));
    buf_clear(&deep);
    assert_err(decode_with(f, CONTENT_FRAME, nested(JSON_DEPTH_MAX + 1, &deep), &e), ERR_LIMIT);
}

static void test_codec_decode_a_flood_of_brackets_is_refused(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    const size_t len = 8 * MIB;
    _cleanup_(drop_free) char *brackets = xmalloc(len);
    memset(brackets, '[', len);

    assert_err(decode_with(f, METADATA_FRAME, (struct slice){brackets, len}, &e), ERR_LIMIT);
}

static void test_codec_decode_what_python_writes_is_passed_on_unchanged(void **state)
{
    struct fixture *f = *state;
    static const char *const contents[] = {
        "{\"a\":NaN,\"b\":[-Infinity,Infinity]}",
        "{\"code\":\"\\ud800 \\udc80\"}",
        "{\"code\":\"a\\u0000b\"}",
        "{\"code\":\"\xff\xfe \xed\xa0\x80\"}",
        "{\"n\":123456789012345678901234567890}",
        " { \"code\" : \"\" } \n",
    };

    for (size_t i = 0; i < ARRAY_LEN(contents); i++) {
        struct err e = ERR_NONE;
        assert_ok(decode_with(f, CONTENT_FRAME, slice_of(contents[i]), &e));
        assert_slice_equal(f->msg.content, contents[i]);
    }
}

static void test_codec_decode_header_without_id_or_type_is_proto_error(void **state)
{
    struct fixture *f = *state;
    static const char *const headers[] = {
        "{}",
        "{\"msg_id\":\"m\"}",
        "{\"msg_type\":\"execute_request\"}",
        "{\"msg_id\":1,\"msg_type\":\"execute_request\"}",
        "{\"msg_id\":\"m\",\"msg_type\":null}",
        "{\"msg_id\":\"m\",\"header\":{\"msg_type\":\"execute_request\"}}",
    };

    for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
        struct err e = ERR_NONE;
        assert_err(decode_with(f, HEADER_FRAME, slice_of(headers[i]), &e), ERR_PROTO);
    }
}

static void test_codec_decode_spare_and_odd_headers_are_tolerated(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_ok(
        decode_with(f, HEADER_FRAME, SLICE_LIT("{\"msg_id\":\"\",\"msg_type\":\"status\"}"), &e));
    assert_int_equal(f->msg.session.len, 0);
    assert_slice_equal(f->msg.msg_id, "\"\"");

    assert_ok(decode_with(f, HEADER_FRAME,
                          SLICE_LIT("{\"msg_id\":\"m\",\"msg_type\":\"comm_msg\","
                                    "\"session\":7,\"date\":NaN,\"version\":[],"
                                    "\"subshell_id\":null}"),
                          &e));
    assert_int_equal(f->msg.session.len, 0);
    assert_int_equal(f->msg.type, MSG_COMM_MSG);
}

static void test_codec_decode_type_written_with_escapes_is_understood(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_ok(decode_with(
        f, HEADER_FRAME,
        SLICE_LIT("{\"msg_id\":\"m\",\"msg_\\u0074ype\":\"execute\\u005frequest\"}"), &e));
    assert_int_equal(f->msg.type, MSG_EXECUTE_REQUEST);
    assert_slice_equal(f->msg.type_name, "\"execute\\u005frequest\"");
}

static void test_codec_decode_foreign_type_is_unknown_with_its_name(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_ok(decode_with(f, HEADER_FRAME,
                          SLICE_LIT("{\"msg_id\":\"m\",\"msg_type\":\"debug_request\"}"), &e));
    assert_int_equal(f->msg.type, MSG_UNKNOWN);
    assert_slice_equal(f->msg.type_name, "\"debug_request\"");

    assert_ok(decode_with(f, HEADER_FRAME,
                          SLICE_LIT("{\"msg_id\":\"m\",\"msg_type\":\"execute_request\\u0000\"}"),
                          &e));
    assert_int_equal(f->msg.type, MSG_UNKNOWN);
}

static void test_codec_decode_long_header_field_is_limit(void **state)
{
    struct fixture *f = *state;
    static const char *const fields[] = {"msg_id", "msg_type", "session"};
    char text[MSG_FIELD_MAX + 2] = {0};
    memset(text, 'x', sizeof text - 1);

    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        struct err e = ERR_NONE;
        _cleanup_(drop_buf) struct buf header = BUF_INIT(4 * KIB);
        const char *shape = "{\"msg_id\":\"m\",\"msg_type\":\"status\",\"";
        assert_int_equal(buf_addf(&header, "%s%s\":\"%s\"}", shape, fields[i], text), 0);
        assert_err(decode_with(f, HEADER_FRAME, buf_slice(&header), &e), ERR_LIMIT);

        buf_clear(&header);
        assert_int_equal(buf_addf(&header, "%s%s\":\"%s\"}", shape, fields[i], text + 1), 0);
        assert_ok(decode_with(f, HEADER_FRAME, buf_slice(&header), &e));
    }
}

static void test_codec_decode_oversize_frames_are_limits(void **state)
{
    struct fixture *f = *state;
    _cleanup_(drop_free) char *zeros = xcalloc(1, MSG_BUFFERS_MAX + 1);

    static const struct {
        size_t frame;
        size_t len;
    } rows[] = {
        {HEADER_FRAME, MSG_HEADER_MAX + 1}, {PARENT_FRAME, MSG_HEADER_MAX + 1},
        {METADATA_FRAME, MSG_JSON_MAX + 1}, {CONTENT_FRAME, MSG_JSON_MAX},
        {BUFFER_A, MSG_BUFFERS_MAX + 1},
    };

    /* Sizes are looked at before signatures: hashing such a message would already be the harm. */
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct err e = ERR_NONE;
        struct slice good = f->frames[rows[i].frame];
        f->frames[rows[i].frame] = (struct slice){zeros, rows[i].len};
        assert_err(decode(f, &e), ERR_LIMIT);
        f->frames[rows[i].frame] = good;
    }
    struct err e = ERR_NONE;
    f->frames[BUFFER_A] = (struct slice){zeros, MSG_BUFFERS_MAX};
    f->frames[BUFFER_B] = (struct slice){zeros, 1};
    assert_err(decode(f, &e), ERR_LIMIT);
    f->frames[BUFFER_B] = SLICE_NONE;
    assert_ok(decode(f, &e));
}

static void test_codec_decode_too_many_frames_is_limit(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    static struct slice frames[MSG_FRAMES_MAX + 1];
    memcpy(frames, f->frames, FRAMES * sizeof *frames);

    assert_err(codec_decode(&f->codec, frames, MSG_FRAMES_MAX + 1, &f->msg, &e), ERR_LIMIT);
    assert_ok(codec_decode(&f->codec, frames, MSG_FRAMES_MAX, &f->msg, &e));
}

static void test_codec_decode_failure_leaves_out_untouched(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    assert_ok(decode(f, &e));
    struct message before = f->msg;

    assert_err(decode_with(f, HEADER_FRAME, SLICE_LIT("{}"), &e), ERR_PROTO);

    assert_memory_equal(&f->msg, &before, sizeof before);
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_codec_decode_signed_request_gives_its_parts),
        T(test_codec_decode_without_identities_and_buffers_is_fine),
        T(test_codec_decode_no_delimiter_is_proto_error),
        T(test_codec_decode_delimiter_behind_too_many_identities_is_proto_error),
        T(test_codec_decode_too_few_frames_is_proto_error),
        T(test_codec_decode_bad_signature_is_auth_error_before_json_is_read),
        T(test_codec_decode_replay_is_auth_error_and_the_next_is_answered),
        T(test_codec_decode_buffers_are_not_signed),
        T(test_codec_decode_unsigned_codec_accepts_any_signature),
        T(test_codec_decode_broken_json_in_any_frame_is_proto_error),
        T(test_codec_decode_other_values_than_objects_are_proto_errors),
        T(test_codec_decode_empty_and_null_frames_stand_for_empty_objects),
        T(test_codec_decode_nesting_up_to_the_bound_is_fine_and_above_is_limit),
        T(test_codec_decode_a_flood_of_brackets_is_refused),
        T(test_codec_decode_what_python_writes_is_passed_on_unchanged),
        T(test_codec_decode_header_without_id_or_type_is_proto_error),
        T(test_codec_decode_spare_and_odd_headers_are_tolerated),
        T(test_codec_decode_type_written_with_escapes_is_understood),
        T(test_codec_decode_foreign_type_is_unknown_with_its_name),
        T(test_codec_decode_long_header_field_is_limit),
        T(test_codec_decode_oversize_frames_are_limits),
        T(test_codec_decode_too_many_frames_is_limit),
        T(test_codec_decode_failure_leaves_out_untouched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
