# SPDX-License-Identifier: MIT
"""console, as Node 20 has it."""
import re

import pytest

pytestmark = pytest.mark.rows

LANGUAGE = "javascript"


@pytest.mark.parametrize("code, out, err", [
    ("console.log('a', 1, [2])", "a 1 [ 2 ]\n", ""), ("console.log()", "\n", ""),
    ("console.info('i'); console.debug('d')", "i\nd\n", ""),
    ("console.warn('w'); console.error('e')", "", "w\ne\n"),
    ("console.log('%s is %d years and %i, %f, %j %o %O %%', 'Bob', 42.5, 42.9, '1.5', {a: 1}, [1], "
     "{b: 2})", "Bob is 42.5 years and 42, 1.5, {\"a\":1} [ 1, [length]: 1 ] { b: 2 } %\n", ""),
    ("console.log('%c styled', 'color: red')", " styled\n", ""), ("console.log('a\\nb')", "a\nb\n", ""),
    ("console.group('g'); console.log('in\\nside'); console.group(); console.error('deep'); "
     "console.groupEnd(); console.groupEnd(); console.log('out')",
     "g\n  in\n  side\nout\n", "    deep\n"),
    ("console.groupEnd(); console.log('flat')", "flat\n", ""),
    ("console.count(); console.count('x'); console.count(); console.countReset(); console.count()",
     "default: 1\nx: 1\ndefault: 2\ndefault: 1\n", ""),
    ("console.countReset('none')", "", "Warning: Count for 'none' does not exist\n"),
    ("console.assert(true, 'no'); console.assert(false, 'yes %s', 1); console.assert(false); "
     "console.assert(0, {a: 1})", "",
     "Assertion failed: yes 1\nAssertion failed\nAssertion failed: { a: 1 }\n"),
    ("console.dir({a: {b: {c: {d: 1}}}}, {depth: 0})", "{ a: [Object] }\n", ""),
    ("console.dirxml({a: 1}, 2)", "{ a: 1 } 2\n", ""),
    ("console.timeEnd('never')", "", "Warning: No such label 'never' for console.timeEnd()\n"),
    ("console.time('t'); console.time('t')", "",
     "Warning: Label 't' already exists for console.time()\n"),
    ("console.table(5)", "5\n", ""), ("console.log(-0, 1n, null, undefined, Symbol('s'))",
     "-0 1n null undefined Symbol(s)\n", ""), ("const {log} = console; log('free')", "free\n", ""),
    ("console.log('é😀\\ud800')", "é😀\ufffd\n", ""), ("console.log('\\0')", "\0\n", ""),
    ("console.log({toString() { return 'custom' }} + '')", "custom\n", ""),
    ("[1, 2].forEach(console.log)", "1 0 [ 1, 2 ]\n2 1 [ 1, 2 ]\n", ""),
], ids=repr)
def test_console_writes(client, code, out, err):
    run = client.run(code).ok()

    assert (run.stdout, run.stderr) == (out, err)


@pytest.mark.parametrize("data, table", [
    ("[{a: 1, b: 'x'}, {a: 2}]", """\
┌─────────┬───┬─────┐
│ (index) │ a │ b   │
├─────────┼───┼─────┤
│ 0       │ 1 │ 'x' │
│ 1       │ 2 │     │
└─────────┴───┴─────┘
"""), ("[1, 'two']", """\
┌─────────┬────────┐
│ (index) │ Values │
├─────────┼────────┤
│ 0       │ 1      │
│ 1       │ 'two'  │
└─────────┴────────┘
"""), ("{r: {c: 1}, s: 5}", """\
┌─────────┬───┬────────┐
│ (index) │ c │ Values │
├─────────┼───┼────────┤
│ r       │ 1 │        │
│ s       │   │ 5      │
└─────────┴───┴────────┘
"""), ("new Map([['k', 1]])", """\
┌───────────────────┬─────┬────────┐
│ (iteration index) │ Key │ Values │
├───────────────────┼─────┼────────┤
│ 0                 │ 'k' │ 1      │
└───────────────────┴─────┴────────┘
"""), ("new Set(['v'])", """\
┌───────────────────┬────────┐
│ (iteration index) │ Values │
├───────────────────┼────────┤
│ 0                 │ 'v'    │
└───────────────────┴────────┘
"""), ("[{a: 1, b: 2}], ['b']", """\
┌─────────┬───┐
│ (index) │ b │
├─────────┼───┤
│ 0       │ 2 │
└─────────┴───┘
""")], ids=repr)
def test_table_is_drawn_as_in_node(client, data, table):
    assert client.run(f"console.table({data})").ok().stdout == table


def test_times_are_told_with_their_labels(client):
    run = client.run("console.time('t'); console.timeLog('t', 'more'); console.timeEnd('t')").ok()

    assert re.fullmatch(r"t: [\d.]+ms more\nt: [\d.]+ms\n", run.stdout)


def test_trace_names_the_place(client):
    run = client.run("function here() {\n  console.trace('why %d', 1)\n}\nhere()").ok()

    assert run.stderr.startswith("Trace: why 1\n    at here (In[1]:2:")


def test_order_of_both_streams_and_the_result_is_kept(client):
    run = client.run("console.log(1); console.error(2); console.log(3); 'r'").ok()

    assert run.types == ["execute_input", "stream", "stream", "stream", "execute_result"]
