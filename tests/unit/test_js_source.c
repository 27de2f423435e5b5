/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "contexts/javascript/js_source.h"
#include "contexts/worker/content.h"
#include "tests/unit/js_fixture.h"

static void test_source_is_plain_when_no_rule_can_apply(void **state)
{
    static const struct {
        const char *code;
        bool plain;
    } rows[] = {
        {"1 + 1", true},       {"", true},
        {"x = {}", true},      {"await f()", true},
        {"let x = 1", false},  {"const x = 1", false},
        {"class A {}", false}, {"import('m')", false},
        {"export {}", false},  {"{a: 1}", false},
        {" \n{a: 1}", false},  {"outlet", false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_int_equal(js_source_is_plain(slice_of(rows[i].code)), rows[i].plain);
    }
}

static void test_source_prepare_keeps_lines_and_makes_names_persistent(void **state)
{
    static const struct {
        const char *code;
        const char *prepared;
    } rows[] = {
        {"1 + 1", "1 + 1"},
        {"let x = 1", "var x = 1"},
        {"const x = 1", "var   x = 1"},
        {"let x, y = 2", "var x=void 0, y = 2"},
        {"class A {}", "var A=class A {};"},
        {"{ let x }", "{ let x }"},
        {"for (let i of x) {}", "for (let i of x) {}"},
        {"{a: 1}", "({a: 1}\n)"},
        {"{a: 1}) + ({b: 2}", "{a: 1}) + ({b: 2}"},
        {"import a, {b as c} from 'm'\nc",
         "var {default:a,b:c}=__checkImports(await import('m'),'m',[\"default\",\"b\"]);\nc"},
        {"import {\n  a\n} from 'm'; a",
         "var {a:a}=__checkImports(await import('m'),'m',[\"a\"]);\n\n a"},
        {"import * as n from 'm'", "var n=await import('m');"},
        {"import d, * as n from 'm'",
         "var n=__checkImports(await import('m'),'m',[\"default\"]),{default:d}=n;"},
        {"import 'm'", "var {}=await import('m');"},
        {"import j from 'j' with {type: 'json'}",
         "var {default:j}=__checkImports(await "
         "import('j',{with:{type:'json'}}),'j',[\"default\"]);"},
        {"import 'j' with {\n  type:\n  'json'\n}\nx",
         "var {}=await import('j',{with:{type:'json'}});\n\n\n\nx"},
        {"import {'a\\\nb' as c} from 'm\\\nn'\nc",
         "var {\"ab\":c}=__checkImports(await import(\"mn\"),\"mn\",[\"ab\"]);\n\n\nc"},
        {"export const e = 1", "       var   e = 1"},
        {"export default 5", ";            ( 5);"},
        {"export default\n5", ";            (\n5);"},
        {"export default (5);\nx", ";            ( (5));\nx"},
        {"export // a\ndefault [5]", ";          \n      ( [5]);"},
        {"export {x} from 'm'", "var {}=await import('m');"},
        {"export * from 'm'", "var {}=await import('m');"},
        {"'let x'; /let/; `class`", "'let x'; /let/; `class`"},
    };
    struct js *js = *state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
        _cleanup_(drop_outcome) struct exec_outcome outcome;
        outcome_init(&outcome);

        assert_true(js_source_prepare(js, "In[1]", slice_of(rows[i].code), &out, &outcome));

        assert_string_equal(buf_text(&out), rows[i].prepared);
    }
}

static void test_source_locate_leads_back_to_the_users_text(void **state)
{
    struct js *js = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    _cleanup_(drop_outcome) struct exec_outcome outcome;
    int32_t line = 1;
    int32_t column = 20; /* of `boom` in the code that runs */
    outcome_init(&outcome);
    assert_true(js_source_prepare(js, "In[7]", SLICE_LIT("let a; let b; boom"), &out, &outcome));
    assert_string_equal(buf_text(&out), "var a=void 0; var b=void 0; boom");

    column = 29;
    js_source_locate(js, "In[7]", &line, &column);

    assert_int_equal(line, 1);
    assert_int_equal(column, 15);
    js_source_locate(js, "In[8]", &line, &column); /* nobody moved that one */
    assert_int_equal(column, 15);
}

static void test_source_explain_tells_what_is_wrong_where(void **state)
{
    struct js *js = *state;
    _cleanup_(drop_outcome) struct exec_outcome outcome;
    outcome_init(&outcome);

    assert_true(js_source_explain(js, "In[1]", SLICE_LIT("1 +\n)"), &outcome));

    assert_true(outcome.failed);
    assert_string_equal(buf_text(&outcome.ename), "SyntaxError");
    assert_string_equal(buf_text(&outcome.evalue), "Unexpected token (2:1)");
    assert_false(js_source_explain(js, "In[1]", SLICE_LIT("1"), &outcome));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_is_plain_when_no_rule_can_apply),
        cmocka_unit_test(test_source_prepare_keeps_lines_and_makes_names_persistent),
        cmocka_unit_test(test_source_locate_leads_back_to_the_users_text),
        cmocka_unit_test(test_source_explain_tells_what_is_wrong_where),
    };
    return cmocka_run_group_tests(tests, js_fixture_new, js_fixture_done);
}
