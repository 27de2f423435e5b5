/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "tests/unit/unit.h"

static void test_err_set_returns_minus_one_and_fills(void **state)
{
    (void)state;
    struct err e = {.sys = 5};

    assert_int_equal(err_set(&e, ERR_LIMIT, "%d of %d", 3, 2), -1);

    assert_int_equal(e.code, ERR_LIMIT);
    assert_int_equal(e.sys, 0);
    assert_string_equal(e.text, "3 of 2");
}

static void test_err_setters_null_are_silent(void **state)
{
    (void)state;

    assert_int_equal(err_set(NULL, ERR_LIMIT, "x"), -1);
    assert_int_equal(err_sys(NULL, "x"), -1);
    assert_int_equal(err_wrap(NULL, "x"), -1);
}

static void test_err_set_long_text_is_cut_and_terminated(void **state)
{
    (void)state;
    struct err e = ERR_NONE;

    (void)err_set(&e, ERR_PROTO, "%0900d", 1);

    assert_int_equal(strlen(e.text), sizeof e.text - 1);
}

static void test_err_sys_names_the_call_and_keeps_errno(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    errno = ENOENT;

    assert_int_equal(err_sys(&e, "open '%s'", "x"), -1);

    assert_int_equal(e.code, ERR_SYS);
    assert_int_equal(e.sys, ENOENT);
    assert_int_equal(errno, ENOENT);
    assert_string_equal(e.text, "open 'x': No such file or directory");
}

static void test_err_wrap_puts_context_in_front_and_keeps_code(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    (void)err_set(&e, ERR_GONE, "inner");

    assert_int_equal(err_wrap(&e, "context %d", 7), -1);

    assert_int_equal(e.code, ERR_GONE);
    assert_string_equal(e.text, "context 7: inner");
}

static void test_err_wrap_full_text_stays_terminated(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    (void)err_set(&e, ERR_GONE, "%0300d", 0);

    (void)err_wrap(&e, "%0300d", 1);

    assert_int_equal(strlen(e.text), sizeof e.text - 1);
}

static void test_err_code_name_every_code_has_its_own(void **state)
{
    (void)state;

    const enum err_code codes[] = {ERR_OK,

#define X(upper, text) ERR_##upper,
                                   ERR_CODE_MAP(X)
#undef X
    };
    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(err_code_name(codes[i]), err_code_name(codes[j]));
        }
    }
    assert_string_equal(err_code_name((enum err_code)99), "unknown error");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_err_set_returns_minus_one_and_fills),
        cmocka_unit_test(test_err_setters_null_are_silent),
        cmocka_unit_test(test_err_set_long_text_is_cut_and_terminated),
        cmocka_unit_test(test_err_sys_names_the_call_and_keeps_errno),
        cmocka_unit_test(test_err_wrap_puts_context_in_front_and_keeps_code),
        cmocka_unit_test(test_err_wrap_full_text_stays_terminated),
        cmocka_unit_test(test_err_code_name_every_code_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
