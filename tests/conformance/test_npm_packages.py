# SPDX-License-Identifier: MIT
"""Ten packages that people use, from npm as they are: the same calls print the same as in Node."""
import pytest

from support.node import differences, link_packages

LANGUAGE = "javascript"

CALLS = {
    "lodash": [
        "m.chunk([1, 2, 3, 4, 5], 2)", "m.groupBy(['one', 'two', 'three'], 'length')",
        "m.camelCase('Foo Bar-baz')", "m.sortBy([{a: 2}, {a: 1}], 'a')", "m.get({a: [{b: 3}]}, 'a[0].b')",
        "m.template('hi <%= name %>')({name: 'x'})", "m.merge({a: {b: 1}}, {a: {c: 2}})", "m.VERSION",
        "m([1, 2, 3]).map(x => x * 2).filter(x => x > 2).value()", "m.isEqual(new Map([[1, 2]]), new Map([[1, 2]]))",
    ],
    "dayjs": [
        "m('2024-02-29').add(1, 'year').format('YYYY-MM-DD')", "m('2024-01-31').endOf('month').date()",
        "m('2024-03-10').diff(m('2024-01-01'), 'day')", "m('2020-01-01T10:00:00Z').toISOString()",
        "m('nope').isValid()", "m('2024-05-05').isBefore('2024-05-06')", "m('2024-05-05').day()",
    ],
    "zod": [
        "m.z.string().safeParse(1).success", "m.z.object({a: m.z.number()}).parse({a: 1, b: 2})",
        "m.z.array(m.z.string().email()).safeParse(['a@b.cc', 'x']).error.issues.map(i => i.path)",
        "m.z.union([m.z.string(), m.z.number()]).parse(5)", "m.z.coerce.number().parse('42')",
        "m.z.object({a: m.z.string()}).parse({a: 1})", "m.z.string().transform(s => s.length).parse('four')",
    ],
    "papaparse": [
        "m.parse('a,b\\n1,2', {header: true}).data", "m.unparse([{a: 1, b: 'x,y'}])",
        "m.parse('1;2\\n3;4', {dynamicTyping: true}).data", "m.parse('\"a\"\"b\",c').data",
        "m.parse('a,b\\n1', {header: true}).errors", "m.parse('a\\tb').meta.delimiter",
        "await require('stream').Readable.from(['a,b\\n1,', '2\\n3,4']).pipe(m.parse(m.NODE_STREAM_INPUT, {header: true})).toArray()",
    ],
    "ramda": [
        "m.pipe(m.map(m.inc), m.sum)([1, 2, 3])", "m.groupBy(x => x % 2 ? 'odd' : 'even', [1, 2, 3])",
        "m.path(['a', 0, 'b'], {a: [{b: 1}]})", "m.curry((a, b, c) => a + b + c)(1)(2)(3)",
        "m.assocPath(['a', 'b'], 1, {})", "m.zip([1, 2], ['a', 'b'])", "m.sortWith([m.descend(m.prop('a'))], [{a: 1}, {a: 2}])",
    ],
    "date-fns": [
        "m.format(new Date(2024, 1, 29), 'yyyy-MM-dd EEEE')", "m.addMonths(new Date(2024, 0, 31), 1).getDate()",
        "m.differenceInDays(new Date(2024, 2, 1), new Date(2024, 1, 1))", "m.isWeekend(new Date(2024, 4, 5))",
        "m.formatDistance(new Date(2024, 0, 1), new Date(2024, 0, 4))", "m.parse('05/2024', 'MM/yyyy', new Date(0)).getMonth()",
        "m.eachDayOfInterval({start: new Date(2024, 0, 1), end: new Date(2024, 0, 3)}).length",
    ],
    "mathjs": [
        "m.evaluate('2 + 3 * sqrt(16)')", "m.det([[1, 2], [3, 4]])", "m.format(m.fraction(1, 3))",
        "m.derivative('x^2 + x', 'x').toString()", "m.complex(2, 3).toString()", "m.unit('5 cm').to('inch').toString()",
        "m.inv([[1, 2], [3, 4]])", "m.simplify('2x + 3x').toString()",
    ],
    "simple-statistics": [
        "m.mean([1, 2, 3, 4])", "m.median([5, 1, 9])", "m.standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])",
        "m.linearRegression([[0, 0], [1, 2], [2, 4]])", "m.quantile([1, 2, 3, 4, 5, 6], 0.25)",
        "m.sampleCorrelation([1, 2, 3], [2, 4, 7])",
    ],
    "uuid": [
        "m.v5('hello', m.v5.URL)", "m.validate('not one')", "m.version(m.v4())", "m.v4().length",
        "m.NIL", "m.v3('hello', m.v3.DNS)", "m.stringify(m.parse('6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'))",
        "m.v4({random: new Uint8Array(16)})",
    ],
    "marked": [
        "m.parse('# Title\\n\\n*a* **b**')", "m.parse('- one\\n- two')", "m.parseInline('`x` & <b>')",
        "m.parse('|a|b|\\n|-|-|\\n|1|2|')", "m.lexer('text').map(t => t.type)", "m.parse('```js\\n1\\n```')",
        "await m.marked.parse('x', {async: true})",
    ],
}
# Node 20 refuses to require what is only an ES module; there it is imported.
MODULES_ONLY = {"uuid", "marked"}


@pytest.mark.parametrize("package", CALLS)
def test_calls_print_what_they_print_in_node(client, tmp_path, package):
    load = f"const m = await import({package!r});" if package in MODULES_ONLY \
        else f"const m = require({package!r});"
    rows = [f"{load} console.log({call});" for call in CALLS[package]]
    assert len(rows) >= 5

    assert differences(client, rows, tmp_path, link_packages) == []


@pytest.mark.parametrize("package", CALLS)
def test_package_loads_by_import_and_by_require(client, tmp_path, package):
    link_packages(tmp_path)
    client.run(f"process.chdir({str(tmp_path)!r})").ok()

    run = client.run(f"const a = await import({package!r}), b = require({package!r});\n"
                     "[Object.keys(a).length > 1, Object.keys(b).length > 1]", seconds=60)

    assert run.ok().result == "[ true, true ]"
