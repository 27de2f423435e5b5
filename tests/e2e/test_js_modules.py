# SPDX-License-Identifier: MIT
"""require and import in JavaScript contexts: files, packages, JSON, our own modules, cycles, errors.
Rows print what they print in Node in the same run."""
import json
import textwrap

import pytest

from support.node import differences
from support.text import failure

LANGUAGE = "javascript"

FILES = {
    "plain.js": "exports.x = 1; exports.where = [__filename.split('/').pop(), __dirname === process.cwd()];",
    "fn.js": "module.exports = function add(a, b) { return a + b }; module.exports.extra = 2;",
    "mod.mjs": "export const a = 1; export default function f() { return 'd' }; export let n = 0; export function up() { n++ }",
    "meta.mjs": "export default [import.meta.url.startsWith('file:///'), import.meta.filename.split('/').pop(), import.meta.dirname === process.cwd()]",
    "uses.mjs": "import cjs, { x } from './plain.js'; import { readFileSync } from 'node:fs'; import * as all from './mod.mjs'; export default [cjs.x, x, typeof readFileSync, Object.keys(all)]",
    "tla.mjs": "export const v = await Promise.resolve(5)", "bad.js": "exports.a = 1;\nthrow new Error('while loading')",
    "syntax.js": "let = ;", "data.json": '{"k": [1, 2]}', "broken.json": "{nope}", "cycle-a.js": "exports.early = 1; exports.b = require('./cycle-b').seen; exports.late = 2",
    "cycle-b.js": "exports.seen = Object.keys(require('./cycle-a'))", "dir/index.js": "module.exports = 'index'", "main/package.json": '{"main": "./lib/m"}',
    "main/lib/m.js": "module.exports = 'main'", "counter.js": "globalThis.loads = (globalThis.loads ?? 0) + 1; module.exports = globalThis.loads",
    "bang.js": "#!/usr/bin/env node\nexports.ok = true", "mcycle-a.mjs": "import { b } from './mcycle-b.mjs'; export const a = () => 'a'; export const got = b()",
    "mcycle-b.mjs": "import { a } from './mcycle-a.mjs'; export const b = () => typeof a", "node_modules/old/package.json": '{"name": "old", "version": "1.2.3"}',
    "node_modules/old/index.js": "module.exports = { name: 'old', dep: require('dep') }", "node_modules/dep/index.js": "module.exports = 'outer dep'",
    "node_modules/old/node_modules/dep/index.js": "module.exports = 'inner dep'", "node_modules/dual/package.json": json.dumps({
        "name": "dual", "exports": {".": {"import": "./i.mjs", "require": "./r.cjs"}, "./sub": "./s.cjs", "./feat/*": "./f/*.js",
                                    "./feat/private/*": None, "./package.json": "./package.json"}, "imports": {"#in": "./s.cjs"}}),
    "node_modules/dual/i.mjs": "export default 'by import'; export const kind = 'module'", "node_modules/dual/r.cjs": "module.exports = { kind: 'commonjs', inner: require('#in') }",
    "node_modules/dual/s.cjs": "module.exports = 'sub'", "node_modules/dual/f/x.js": "module.exports = 'feature x'", "node_modules/dual/f/private/y.js": "0",
    "node_modules/esm/package.json": '{"name": "esm", "type": "module", "exports": "./main.js"}', "node_modules/esm/main.js": "export const e = 1; export default class E {}",
    "node_modules/@s/p/package.json": '{"main": "x.js"}', "node_modules/@s/p/x.js": "exports.scoped = true", "node_modules/@s/p/y.js": "exports.deep = true",
    "node_modules/getters/index.js": "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 'd'; exports.named = 'n'",
}


def fill(folder):
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


SAME_AS_NODE = [
    "require('./plain').x", "require('./plain.js').where", "require('./fn')(1, 2)", "require('./dir')", "require('./main')", "require('./data.json')",
    "require('./data')", "require('./counter') === require('./counter.js')", "require('./cycle-a')", "require('./bang').ok", "require('./none')", "require('nothing-such')",
    "require('./bad')", "require('./bad')", "require('')", "require(5)", "require('old')", "require('old/package.json').version", "require('dep')", "require('dual').kind",
    "require('dual').inner", "require('dual/sub')", "require('dual/feat/x')", "require('@s/p').scoped", "require('@s/p/y').deep", "require('node:path') === require('path')",
    "require('node:nope')", "require.resolve('fs')", "require.resolve('node:fs')", "require.resolve('./plain').split('/').pop()", "require.resolve('old').split('/').slice(-2)",
    "typeof require.cache[require.resolve('./plain')]", "require('./plain'); delete require.cache[require.resolve('./plain')]; console.log(require('./plain').x)",
    "require('module').builtinModules.includes('fs')", "require('module').createRequire(process.cwd() + '/dir/x.js')('./index')", "require('module').isBuiltin('node:fs')",
    "(await import('./mod.mjs')).default()", "Object.keys(await import('./mod.mjs'))", "const m = await import('./mod.mjs'); m.up(); console.log(m.n)", "await import('./mod.mjs') === await import('./mod.mjs')",
    "(await import('./meta.mjs')).default", "(await import('./uses.mjs')).default", "(await import('./tla.mjs')).v", "(await import('./plain.js')).default.x", "(await import('./fn.js')).extra",
    "(await import('./data.json', {with: {type: 'json'}})).default", "await import('./data.json')", "(await import('fs')).default === require('fs')", "typeof (await import('node:path')).join",
    "(await import('dual')).default", "(await import('dual')).kind", "Object.keys(await import('esm'))", "(await import('getters')).default.default", "(await import('getters')).named",
    "(await import('file://' + process.cwd() + '/mod.mjs')).a", "await import('node:nope')", "(await import('./mcycle-a.mjs')).got", "(await import('./bad.js'))",
    "import('./mod.mjs') instanceof Promise", "(await import('dual/feat/x')).default",
]


def test_modules_load_as_in_node(client, tmp_path):
    found = differences(client, SAME_AS_NODE, tmp_path, fill)

    assert found == []


def chdir(client, folder):
    fill(folder)
    client.run(f"process.chdir({str(folder)!r})").ok()


@pytest.mark.parametrize("code, result", [
    ("require('./mod.mjs').a", "1"), ("Object.keys(require('esm'))", "[ 'default', 'e' ]"), ("require('./uses.mjs').default[0]", "1"),
    ("require('./mod.mjs') === require('./mod.mjs')", "true"), ("await import('./mod.mjs') === require('./mod.mjs')", "true"),
    ("import { a } from './mod.mjs'; a", "1"), ("import f, { n as m } from './mod.mjs'; [f(), m]", "[ 'd', 0 ]"), ("import * as p from 'path'; p.sep", "'/'"),
    ("import data from './data.json' with { type: 'json' }; data.k", "[ 1, 2 ]"), ("import 'node:fs'; 1", "1"), ("import fs, { readFileSync } from 'fs'; fs.readFileSync === readFileSync", "true"),
    ("typeof __dirname + typeof __filename", "'stringstring'"), ("__dirname === process.cwd()", "true"),
    ("import.meta.dirname === process.cwd()", "true"), ("'import.meta' + import.meta.url.slice(0, 8)", "'import.metafile:///'"),
    ("const f = () => { return import.meta.resolve('./plain.js') }; f().split('/').pop()", "'plain.js'"), ("typeof module.exports", "'object'"),
])
def test_cells_import_and_require(client, tmp_path, code, result):
    chdir(client, tmp_path)

    assert client.run(code).ok().result == result
    assert client.run(code).ok().result == result


@pytest.mark.parametrize("code, kind, words", [
    ("require('left-pad')", "Error", ["Cannot find module 'left-pad'", "node_modules", "npm install left-pad", "MODULE_NOT_FOUND"]),
    ("await import('left-pad')", "Error", ["Cannot find package 'left-pad'", "npm install left-pad", "ERR_MODULE_NOT_FOUND"]),
    ("await import('./plain')", "Error", ["Cannot find module", "Did you mean to import", "plain.js"]), ("await import('./dir')", "Error", ["ERR_UNSUPPORTED_DIR_IMPORT"]),
    ("require('dual/feat/private/y')", "Error", ["ERR_PACKAGE_PATH_NOT_EXPORTED"]), ("require('./tla.mjs')", "Error", ["ERR_REQUIRE_ASYNC_MODULE", "import()"]),
    ("require('./broken.json')", "SyntaxError", ["broken.json"]), ("require('./syntax')", "SyntaxError", ["syntax.js:1"]), ("require('./bad')", "Error", ["while loading", "bad.js:2"]),
    ("import { nope } from 'fs'", "SyntaxError", ["The requested module 'fs' does not provide an export named 'nope'"]),
    ("import d from './uses.mjs'; import x from './tla.mjs'", "SyntaxError", ["an export named 'default'"]),
    ("await import('https://example.com/x.js')", "Error", ["ERR_UNSUPPORTED_ESM_URL_SCHEME"]), ("await import('./mod.mjs', {with: {type: 'json'}})", "TypeError", ["type"]),
])
def test_errors_name_the_thing_and_the_remedy(client, tmp_path, code, kind, words):
    chdir(client, tmp_path)

    name, text = failure(client, code)

    assert name == kind
    assert [word for word in words if word not in text] == [], text


def test_the_first_line_of_a_file_has_its_own_columns(client, tmp_path):
    chdir(client, tmp_path)
    (tmp_path / "one.js").write_text("exports.f = () => { missing() }", "utf-8")

    assert "one.js:1:21" in failure(client, "require('./one').f()")[1]


def test_a_cycle_through_require_of_a_module_is_an_error_not_a_crash(client, tmp_path):
    chdir(client, tmp_path)
    (tmp_path / "x.mjs").write_text("import './y.cjs'; export const x = 1", "utf-8")
    (tmp_path / "y.cjs").write_text("require('./x.mjs')", "utf-8")
    (tmp_path / "z.mjs").write_text("import './x.mjs'; import './y.cjs'", "utf-8")

    for code in ("await import('./x.mjs')", "require('./x.mjs')", "await import('./z.mjs')"):
        assert "ERR_REQUIRE_CYCLE_MODULE" in failure(client, code)[1]
    assert client.run("1 + 1").ok().result == "2"


def test_a_package_that_was_missing_is_found_once_it_is_there(client, tmp_path):
    chdir(client, tmp_path)
    failure(client, "require('late')")
    failure(client, "await import('late')")
    (tmp_path / "node_modules/late").mkdir()
    (tmp_path / "node_modules/late/index.js").write_text("exports.now = 1", "utf-8")

    assert client.run("[require('late').now, (await import('late')).now]").ok().result == "[ 1, 1 ]"


GROWTH = textwrap.dedent("""\
    const fs = require('fs');
    const data = JSON.parse(fs.readFileSync(FILE, 'utf8'));
    const growth = data.map((curr, idx) => {
      if (idx === 0) return { ...curr, growth: 0 };
      const prev = data[idx - 1];
      return { ...curr, growth: ((curr.Sales - prev.Sales) / prev.Sales * 100).toFixed(2) + '%' };
    });
    console.log('Growth Analysis:', growth);
    growth;
    """)


def test_two_languages_share_a_file_twice(start_kernel, tmp_path):
    client = start_kernel(language="python").client()
    path = tmp_path / "sales_data.json"
    rows = [{"Month": month, "Sales": sales} for month, sales in
            zip(("Jan", "Feb", "Mar", "Apr", "May"), (100, 150, 120, 180, 200), strict=True)]
    write = f"import json\njson.dump({rows!r}, open({str(path)!r}, 'w'))"

    for _ in range(2):
        client.run(write).ok()
        run = client.run("%%js\n" + GROWTH.replace("FILE", repr(str(path)))).ok()

        assert run.stdout.startswith("Growth Analysis: [")
        assert "{ Month: 'Feb', Sales: 150, growth: '50.00%' }" in run.result
        assert run.result.count("Month") == 5
