/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/bounds.h"
#include "kernel/protocol/sign.h"
#include "tests/unit/unit.h"

#define KEY SLICE_LIT("a0436f6c-1916-498b-8eb9-e81ab9368e84")

#define FRAME(text)                                                                                \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

static const struct slice MESSAGE[SIGN_FRAMES] = {
    FRAME("{\"msg_id\":\"m1\",\"session\":\"s1\",\"username\":\"u\","
          "\"date\":\"2026-01-01T00:00:00.000000Z\",\"msg_type\":\"execute_request\","
          "\"version\":\"5.3\"}"),
    FRAME("{}"),
    FRAME("{}"),
    FRAME("{\"code\":\"1+1\"}"),
};

/* What Python's hmac module says about MESSAGE under KEY. */
#define MESSAGE_HEX "ebb5ec124ff3bf963b1c814b9b950a37977fac2660a5e29bed2f5dc47f23acbf"

static struct signer *make_signer(struct slice key)
{
    struct err e = ERR_NONE;
    struct signer *s = NULL;
    assert_ok(signer_new(key, &s, &e));
    return s;
}

/* Signs `data` cut into the four frames at odd places, which must not matter. */
static void assert_hmac(struct slice key, struct slice data, const char *expected)
{
    _cleanup_(drop_signer) struct signer *s = make_signer(key);
    size_t cut = data.len / 3;
    struct slice frames[SIGN_FRAMES] = {{data.data, cut},
                                        SLICE_NONE,
                                        {data.data + cut, 1},
                                        {data.data + cut + 1, data.len - cut - 1}};
    char hex[SIGN_HEX_SIZE];

    signer_sign(s, frames, hex);

    assert_string_equal(hex, expected);
}

/* Message number `i`, signed and verified by the same signer. */
static int verify_number(struct signer *s, unsigned i, struct err *e)
{
    char content[32];
    char hex[SIGN_HEX_SIZE];
    int len = snprintf(content, sizeof content, "{\"code\":\"%u\"}", i);
    struct slice frames[SIGN_FRAMES] = {MESSAGE[0], MESSAGE[1], MESSAGE[2], {content, (size_t)len}};
    signer_sign(s, frames, hex);
    return signer_verify(s, frames, slice_of(hex), e);
}

static void test_signer_sign_rfc4231_vectors_match(void **state)
{
    (void)state;
    char key1[20];
    char key6[131];
    memset(key1, 0x0b, sizeof key1);
    memset(key6, 0xaa, sizeof key6);

    assert_hmac((struct slice){key1, sizeof key1}, SLICE_LIT("Hi There"),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    assert_hmac(SLICE_LIT("Jefe"), SLICE_LIT("what do ya want for nothing?"),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    assert_hmac((struct slice){key6, sizeof key6},
                SLICE_LIT("Test Using Larger Than Block-Size Key - Hash Key First"),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void test_signer_sign_twice_is_equal_to_python(void **state)
{
    (void)state;
    _cleanup_(drop_signer) struct signer *s = make_signer(KEY);
    char hex[SIGN_HEX_SIZE];

    /* The kept state of the key must not be used up by the first message. */
    for (int i = 0; i < 2; i++) {
        signer_sign(s, MESSAGE, hex);
        assert_string_equal(hex, MESSAGE_HEX);
    }
}

static void test_signer_verify_good_signature_is_accepted_once(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_signer) struct signer *s = make_signer(KEY);

    assert_true(signer_is_keyed(s));
    assert_ok(signer_verify(s, MESSAGE, SLICE_LIT(MESSAGE_HEX), &e));
    assert_err(signer_verify(s, MESSAGE, SLICE_LIT(MESSAGE_HEX), &e), ERR_AUTH);
    assert_non_null(strstr(e.text, "replay"));
}

static void test_signer_verify_wrong_signatures_are_auth_errors(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "00",
        "ebb5ec124ff3bf963b1c814b9b950a37977fac2660a5e29bed2f5dc47f23acbe",
        "EBB5EC124FF3BF963B1C814B9B950A37977FAC2660A5E29BED2F5DC47F23ACBF",
        MESSAGE_HEX "00",
    };
    struct err e = ERR_NONE;
    _cleanup_(drop_signer) struct signer *s = make_signer(KEY);

    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_err(signer_verify(s, MESSAGE, slice_of(wrong[i]), &e), ERR_AUTH);
    }

    /* A failed try is not remembered as the message itself. */
    assert_ok(signer_verify(s, MESSAGE, SLICE_LIT(MESSAGE_HEX), &e));
}

static void test_signer_verify_any_changed_frame_is_auth_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_signer) struct signer *s = make_signer(KEY);

    for (size_t i = 0; i < SIGN_FRAMES; i++) {
        struct slice frames[SIGN_FRAMES];
        memcpy(frames, MESSAGE, sizeof frames);
        frames[i] = SLICE_LIT("{ }");
        assert_err(signer_verify(s, frames, SLICE_LIT(MESSAGE_HEX), &e), ERR_AUTH);
    }
}

static void test_signer_verify_other_key_is_auth_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_signer) struct signer *s = make_signer(SLICE_LIT("another key"));

    assert_err(signer_verify(s, MESSAGE, SLICE_LIT(MESSAGE_HEX), &e), ERR_AUTH);
}

static void test_signer_verify_replay_is_forgotten_after_as_many_as_promised(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_signer) struct signer *s = make_signer(KEY);

    /* Given a full memory whose oldest entry is message 0, */
    for (unsigned i = 0; i < REPLAY_REMEMBERED; i++) {
        assert_ok(verify_number(s, i, &e));
    }
    assert_err(verify_number(s, 0, &e), ERR_AUTH);

    /* when one more message comes, */
    assert_ok(verify_number(s, REPLAY_REMEMBERED, &e));

    /* then message 0 is as new, and message 2 is still known. */
    assert_ok(verify_number(s, 0, &e));
    assert_err(verify_number(s, 2, &e), ERR_AUTH);
}

static void test_signer_empty_key_accepts_all_and_signs_nothing(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    char hex[SIGN_HEX_SIZE] = "x";
    _cleanup_(drop_signer) struct signer *s = make_signer(SLICE_NONE);

    signer_sign(s, MESSAGE, hex);

    assert_false(signer_is_keyed(s));
    assert_string_equal(hex, "");
    assert_ok(signer_verify(s, MESSAGE, SLICE_NONE, &e));
    assert_ok(signer_verify(s, MESSAGE, SLICE_NONE, &e));
    assert_ok(signer_verify(s, MESSAGE, SLICE_LIT("anything"), &e));
}

static void test_sign_wipe_leaves_zeros(void **state)
{
    (void)state;
    char secret[] = "secret";
    static const char zeros[sizeof secret];

    sign_wipe(secret, sizeof secret);

    assert_memory_equal(secret, zeros, sizeof secret);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signer_sign_rfc4231_vectors_match),
        cmocka_unit_test(test_signer_sign_twice_is_equal_to_python),
        cmocka_unit_test(test_signer_verify_good_signature_is_accepted_once),
        cmocka_unit_test(test_signer_verify_wrong_signatures_are_auth_errors),
        cmocka_unit_test(test_signer_verify_any_changed_frame_is_auth_error),
        cmocka_unit_test(test_signer_verify_other_key_is_auth_error),
        cmocka_unit_test(test_signer_verify_replay_is_forgotten_after_as_many_as_promised),
        cmocka_unit_test(test_signer_empty_key_accepts_all_and_signs_nothing),
        cmocka_unit_test(test_sign_wipe_leaves_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
