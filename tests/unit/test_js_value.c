/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "contexts/javascript/js_value.h"
#include "tests/unit/js_fixture.h"

static void test_value_text_replaces_lone_surrogates(void **state)
{
    static const struct {
        const char *code;
        const char *text;
    } rows[] = {
        {"'plain'", "plain"},
        {"''", ""},
        {"'\\ud83d\\ude00'", "\xf0\x9f\x98\x80"},
        {"'a\\ud800b'", "a\xef\xbf\xbd"
                        "b"},
        {"'\\udc00\\ud800'", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"'\\ud7ff\\ue000'", "\xed\x9f\xbf\xee\x80\x80"},
    };
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_string_equal(js_fixture_eval(*state, rows[i].code, &out), rows[i].text);
    }
}

static void test_value_text_of_no_string_fails(void **state)
{
    struct js *js = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4);
    _cleanup_(drop_js_ref) struct js_ref text =
        JS_REF(js->user.ctx, JS_NewString(js->user.ctx, "too long"));

    assert_int_equal(js_value_text(js->user.ctx, JS_NewInt32(js->user.ctx, 1), &out), -1);
    assert_int_equal(js_value_text(js->user.ctx, JS_UNDEFINED, &out), -1);
    assert_int_equal(js_value_text(js->user.ctx, text.v, &out), -1);
    assert_int_equal(out.len, 0);
}

static void test_value_int_has_a_default(void **state)
{
    JSContext *ctx = ((struct js *)*state)->user.ctx;
    _cleanup_(drop_js_ref) struct js_ref object = JS_REF(ctx, JS_NewObject(ctx));
    assert_int_equal(JS_SetPropertyStr(ctx, object.v, "there", JS_NewInt32(ctx, 5)), 1);

    assert_int_equal(js_value_int(ctx, object.v, "there", 1), 5);
    assert_int_equal(js_value_int(ctx, object.v, "absent", 1), 1);
}

static void test_value_view_lends_bytes_of_buffers_and_views_only(void **state)
{
    static const struct {
        const char *code;
        const char *bytes; /* NULL: there are none to lend */
    } rows[] = {
        {"new Uint8Array([97, 98, 99])", "abc"},
        {"new Uint8Array([97, 98, 99]).buffer", "abc"},
        {"new Uint8ClampedArray([97, 98, 99, 100]).subarray(1, 3)", "bc"},
        {"new Uint16Array([0x6261])", "ab"},
        {"let b = new ArrayBuffer(2); b.transfer(); b", NULL},
        {"let v = new Uint8Array(2); v.buffer.transfer(); v", NULL},
        {"new Proxy(new Uint8Array(2), {})", NULL},
        {"({length: 2})", NULL},
        {"[97]", NULL},
    };

    JSContext *ctx = ((struct js *)*state)->user.ctx;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct slice bytes = SLICE_NONE;
        _cleanup_(drop_js_ref) struct js_ref value = JS_REF(
            ctx, JS_Eval(ctx, rows[i].code, strlen(rows[i].code), "test", JS_EVAL_TYPE_GLOBAL));

        assert_int_equal(js_value_view(ctx, value.v, &bytes), rows[i].bytes != NULL);

        assert_slice_equal(bytes, rows[i].bytes != NULL ? rows[i].bytes : "");
        assert_false(JS_HasException(ctx));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_text_replaces_lone_surrogates),
        cmocka_unit_test(test_value_text_of_no_string_fails),
        cmocka_unit_test(test_value_int_has_a_default),
        cmocka_unit_test(test_value_view_lends_bytes_of_buffers_and_views_only),
    };
    return cmocka_run_group_tests(tests, js_fixture_new, js_fixture_done);
}
