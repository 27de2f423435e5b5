/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_cell.h"
#include "contexts/javascript/js_introspect.h"
#include "contexts/worker/content.h"
#include "tests/unit/js_fixture.h"

static void define(struct js *js, const char *code)
{
    _cleanup_(drop_buf) struct buf shown = BUF_INIT(4096);
    (void)js_fixture_eval(js, code, &shown); /* the text of it does not matter */
}

static void test_js_introspect_complete_offers_names_with_their_types(void **state)
{
    struct js *js = *state;
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(65536);
    define(js, "var shelf = {book: 1, browse() {}}");

    js_introspect_complete(js, SLICE_LIT("shelf.b"), 7, &reply);

    assert_string_equal(buf_text(&reply),
                        "{\"status\":\"ok\",\"matches\":[\"book\",\"browse\"],\"cursor_start\":6,"
                        "\"cursor_end\":7,\"metadata\":{\"_jupyter_types_experimental\":["
                        "{\"start\":6,\"end\":7,\"text\":\"book\",\"type\":\"instance\"},"
                        "{\"start\":6,\"end\":7,\"text\":\"browse\",\"type\":\"function\"}]}}");
}

static void test_js_introspect_runs_no_code_of_the_user(void **state)
{
    struct js *js = *state;
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(1 << 20);
    _cleanup_(drop_buf) struct buf count = BUF_INIT(64);
    define(js,
           "var ran = 0; var trap = new Proxy({get a() { ran++ }}, new Proxy({}, {get() { ran++ "
           "}})); var got = {get a() { ran++ }, get b() { ran++ }}");

    js_introspect_complete(js, SLICE_LIT("trap.a."), 7, &reply);
    js_introspect_complete(js, SLICE_LIT("trap."), 5, &reply);
    js_introspect_complete(js, SLICE_LIT("got."), 4, &reply);
    js_introspect_inspect(js, SLICE_LIT("got.a"), 5, 1, &reply);
    js_introspect_inspect(js, SLICE_LIT("trap"), 4, 1, &reply);

    assert_string_equal(js_fixture_eval(js, "ran", &count), "0");
}

static void test_js_introspect_inspect_tells_signature_and_comment(void **state)
{
    struct js *js = *state;
    static const char code[] = "/** Twice of it. */\nfunction twice(x) { return 2 * x }";
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(65536);
    define(js, code);
    js_introspect_remember(js, slice_of(code));

    js_introspect_inspect(js, SLICE_LIT("twice(3)"), 6, 0, &reply);

    assert_string_equal(buf_text(&reply),
                        "{\"status\":\"ok\",\"found\":true,\"data\":{\"text/plain\":\"Signature: "
                        "twice(x)\\nType: function\\nDocumentation: Twice of it.\"},"
                        "\"metadata\":{}}");
}

static void test_js_introspect_help_leaves_other_cells_alone(void **state)
{
    struct js *js = *state;
    static const char *const others[] = {"a ? b : c", "x?.y", "f('?')", "// what?", "`?`", ""};
    _cleanup_(drop_outcome) struct exec_outcome out;
    outcome_init(&out);

    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        assert_false(js_introspect_help(js, slice_of(others[i]), &out));
    }
    assert_true(js_introspect_help(js, SLICE_LIT("Math.max?"), &out));
    assert_non_null(strstr(buf_text(&out.payload), "\"source\":\"page\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_js_introspect_complete_offers_names_with_their_types),
        cmocka_unit_test(test_js_introspect_runs_no_code_of_the_user),
        cmocka_unit_test(test_js_introspect_inspect_tells_signature_and_comment),
        cmocka_unit_test(test_js_introspect_help_leaves_other_cells_alone),
    };
    return cmocka_run_group_tests(tests, js_fixture_new, js_fixture_done);
}
