/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "contexts/javascript/js_realm.h"
#include "tests/unit/js_fixture.h"

static void test_realm_require_of_nothing_names_it(void **state)
{
    struct js *js = *state;
    struct err e = ERR_NONE;

    assert_true(JS_IsException(js_realm_require(&js->user, "nothing")));

    assert_int_equal(js_realm_fail(&js->user, &e), -1);
    assert_non_null(strstr(e.text, "nothing is not part of this build"));
}

static void test_realm_loads_a_module_once(void **state)
{
    struct js *js = *state;
    JSContext *ctx = js->user.ctx;
    _cleanup_(drop_js_ref) struct js_ref first = JS_REF(ctx, js_realm_require(&js->user, "timers"));
    _cleanup_(drop_js_ref) struct js_ref again = JS_REF(ctx, js_realm_require(&js->user, "timers"));

    assert_true(JS_IsObject(first.v));
    assert_true(JS_IsStrictEqual(ctx, first.v, again.v));
}

static void test_realm_module_of_a_package_finds_those_beside_it(void **state)
{
    struct js *js = *state;
    JSContext *ctx = js->user.ctx;
    _cleanup_(drop_js_ref) struct js_ref stream =
        JS_REF(ctx, js_realm_require(&js->user, "readable-stream/stream"));
    _cleanup_(drop_js_ref) struct js_ref writable =
        JS_REF(ctx, js_realm_require(&js->user, "readable-stream/internal/streams/writable"));
    _cleanup_(drop_js_ref) struct js_ref found =
        JS_REF(ctx, JS_GetPropertyStr(ctx, stream.v, "Writable"));

    assert_true(JS_IsFunction(ctx, writable.v));
    assert_true(JS_IsStrictEqual(ctx, writable.v, found.v));
}

static void test_realms_find_only_their_own_modules(void **state)
{
    struct js *js = *state;

    assert_true(JS_IsException(js_realm_require(&js->user, "cell")));
    js_value_clear(js->user.ctx);
    assert_true(JS_IsException(js_realm_require(&js->tools, "console")));
    js_value_clear(js->tools.ctx);
}

static void test_realm_of_the_user_has_globals_and_nothing_of_ours(void **state)
{
    struct js *js = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);

    assert_string_equal(js_fixture_eval(js, "typeof console.log + typeof setTimeout", &out),
                        "functionfunction");
    assert_string_equal(js_fixture_eval(js, "typeof native + typeof acorn + typeof tools", &out),
                        "undefinedundefinedundefined");
    assert_string_equal(js_fixture_eval(js, "Object.keys(globalThis).join()", &out), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_realm_require_of_nothing_names_it),
        cmocka_unit_test(test_realm_loads_a_module_once),
        cmocka_unit_test(test_realm_module_of_a_package_finds_those_beside_it),
        cmocka_unit_test(test_realms_find_only_their_own_modules),
        cmocka_unit_test(test_realm_of_the_user_has_globals_and_nothing_of_ours),
    };
    return cmocka_run_group_tests(tests, js_fixture_new, js_fixture_done);
}
