/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "contexts/javascript/js_memory.h"
#include "tests/unit/unit.h"

/* The exception of code that takes all there is, as text. */
static const char *greedy(JSContext *ctx, const char *code)
{
    static char said[100];
    JSValue value = JS_Eval(ctx, code, strlen(code), "test", JS_EVAL_TYPE_GLOBAL);
    const char *text = JS_ToCString(ctx, value);
    (void)snprintf(said, sizeof said, "%s", text ? text : "");
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, value);
    return said;
}

static void test_memory_refusal_is_an_error_with_a_name(void **state)
{
    static const char *const programs[] = {
        "var k = []; try { for (;;) k.push({a: 1}) } catch (e) { k = 0; `${e}` }",
        "var k = []; try { for (;;) k.push('x' + k.length) } catch (e) { k = 0; `${e}` }",
        "var k = 'x'; try { for (;;) k += k } catch (e) { k = 0; `${e}` }",
        "try { new Uint8Array(1e9) } catch (e) { `${e}` }",
        "var k = {}; try { for (let i = 0;; i++) k['p' + i] = i } catch (e) { k = 0; `${e}` }",
        "var k = new Map(); try { for (let i = 0;; i++) k.set(i, i) } catch (e) { k = 0; `${e}` }",
    };
    struct js_memory memory;
    JSRuntime *rt = js_memory_runtime(&memory);
    JSContext *ctx = JS_NewContext(rt);
    (void)state;
    js_memory_limit(&memory, 16 * MIB);

    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        const char *said = greedy(ctx, programs[i]);
        bool named = strstr(said, "out of memory") != NULL || strstr(said, "too long") != NULL ||
                     strstr(said, "RangeError") != NULL;
        if (!named) {
            fail_msg("program %zu: %s", i, said);
        }
    }

    assert_true(memory.was_full);
    assert_true(memory.used < 24 * MIB);
    assert_string_equal(greedy(ctx, "'still ' + 'usable'"), "still usable");
    JS_FreeContext(ctx);
    JS_FreeRuntime(rt);
    assert_int_equal(memory.used, 0);
}

static void test_memory_without_a_limit_is_only_counted(void **state)
{
    struct js_memory memory;
    JSRuntime *rt = js_memory_runtime(&memory);
    JSContext *ctx = JS_NewContext(rt);
    (void)state;

    assert_string_equal(greedy(ctx, "new Uint8Array(5e7).length"), "50000000");

    assert_false(memory.was_full);
    JS_FreeContext(ctx);
    JS_FreeRuntime(rt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_refusal_is_an_error_with_a_name),
        cmocka_unit_test(test_memory_without_a_limit_is_only_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
