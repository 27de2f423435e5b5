/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "base/jscan.h"
#include "kernel/core/contexts.h"
#include "tests/unit/pool_fixture.h"

static const struct contexts_options options = {.language = "mock"};

static void test_contexts_create_takes_what_is_asked(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct context *c = NULL;

    assert_ok(contexts_create(f->pool, &options,
                              SLICE_LIT("{\"context_id\": \"mine\", \"cwd\": \"/tmp\", "
                                        "\"env\": {\"A\": \"quote \\\" $(x)\"}}"),
                              &c, &e));

    struct slice start = context_start_options(c);
    assert_string_equal(context_id(c), "mine");
    assert_string_equal(context_language(c), "mock");
    assert_ok(jscan_check(start, JSCAN_STRICT, JSON_DEPTH_MAX, &e));
    assert_true(jscan_string_is(jscan_get(start, "cwd"), "/tmp"));
    assert_true(jscan_string_is(jscan_get(jscan_get(start, "env"), "A"), "quote \" $(x)"));
}

static void test_contexts_create_without_id_draws_one(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct context *first = NULL;
    struct context *second = NULL;

    assert_ok(contexts_create(f->pool, &options, SLICE_LIT("{}"), &first, &e));
    assert_ok(contexts_create(f->pool, &options, SLICE_LIT("{}"), &second, &e));

    assert_string_not_equal(context_id(first), context_id(second));
}

static void test_contexts_create_bad_wishes_are_named(void **state)
{
    struct fixture *f = *state;

    static const struct {
        const char *content;
        const char *named;
    } cases[] = {
        {"{\"context_id\": \"default\"}", "exists already"},
        {"{\"context_id\": \"a/b\"}", "a/b"},
        {"{\"language\": \"cobol\"}", "cobol"},
        {"{\"cwd\": \"/no/such/place\"}", "/no/such/place"},
        {"{\"env\": {\"A\": 5}}", "'A'"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_NONE;
        struct context *c = NULL;
        assert_int_equal(contexts_create(f->pool, &options, slice_of(cases[i].content), &c, &e),
                         -1);
        assert_non_null(strstr(e.text, cases[i].named));
        assert_null(c);
    }
}

static void test_contexts_select_language_makes_it_once(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct context *first = NULL;
    struct context *second = NULL;
    struct context *own = NULL;
    struct selection other = {.by = SELECT_LANGUAGE, .line_len = 8, .name = "broken"};
    struct selection same = {.by = SELECT_LANGUAGE, .line_len = 8, .name = "mock"};

    assert_ok(contexts_select(f->pool, &options, &other, &first, &e));
    assert_ok(contexts_select(f->pool, &options, &other, &second, &e));
    assert_ok(contexts_select(f->pool, &options, &same, &own, &e));

    assert_ptr_equal(first, second);
    assert_string_equal(context_language(first), "broken");
    assert_ptr_equal(own, f->context);
}

static void test_contexts_select_unknown_id_names_the_remedy(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct context *c = NULL;
    struct selection selection = {.by = SELECT_ID, .name = "nope"};

    assert_err(contexts_select(f->pool, &options, &selection, &c, &e), ERR_INPUT);

    assert_non_null(strstr(e.text, "nope"));
    assert_non_null(strstr(e.text, "create_context_request"));
}

static void test_contexts_describe_all_is_json(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(CONTROL_REPLY_MAX);
    fixture_context(f, "second", "mock");

    contexts_describe_all(f->pool, &out);

    assert_ok(jscan_check(buf_slice(&out), JSCAN_STRICT, JSON_DEPTH_MAX, &e));
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    size_t count = 0;
    jscan_iter_init(&it, buf_slice(&out));
    while (jscan_next(&it, &key, &value)) {
        assert_true(jscan_string_is(jscan_get(value, "state"), "stopped"));
        count++;
    }
    assert_int_equal(count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pool_test(test_contexts_create_takes_what_is_asked),
        pool_test(test_contexts_create_without_id_draws_one),
        pool_test(test_contexts_create_bad_wishes_are_named),
        pool_test(test_contexts_select_language_makes_it_once),
        pool_test(test_contexts_select_unknown_id_names_the_remedy),
        pool_test(test_contexts_describe_all_is_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
