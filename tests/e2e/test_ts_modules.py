# SPDX-License-Identifier: MIT
"""TypeScript files as modules, of cells of both languages: what they give, how they are found, where
their errors are. Modules of JavaScript are in test_js_modules.py."""
import time

import pytest

from support.text import failure, plain

FILES = {
    "types.ts": "export interface Point { x: number; y: number }\nexport type Name = string\nexport class Thing { n = 1 }\n",
    "lib.ts": "import type { Name } from './nowhere';\nexport interface A { a: number }\nexport const x: number = 1;\n"
              "export default function f<T>(v: T): T { return v }\nexport const name: Name = 'lib';\n",
    "enum.ts": "export enum Color { Red, Green = 5 }\nexport namespace N { export const k = 4 }\n"
               "export class P { constructor(public a: number, private b = 2) {} sum(): number { return this.a + this.b } }\n",
    # Types that are imported and exported by names without `type`, as tsc allows it.
    "elide.ts": "import { Point, Thing } from './types';\nimport Gone, { Other } from './nowhere';\ninterface Mine { m: Point }\n"
                "const p: Point = { x: 1, y: 2 };\nlet q: Gone | Other | undefined;\nexport { p, Mine };\nexport const t = new Thing();\n",
    "inline.ts": "import { type Name, Thing } from './types.ts';\nexport type { Point } from './types.ts';\nexport const n: Name = `${new Thing().n}`;\n",
    "m.mts": "export const where: string = import.meta.filename.split('/').pop()!;\n", "c.cts": "import path = require('path');\nexport = { sep: path.sep as string };\n",
    "c2.cts": "import { readFileSync } from 'fs';\nimport * as all from './c.cjs';\nexport const kind: string = typeof readFileSync + typeof module + all.sep;\n",
    "plain.ts": "const a: number = 5;\nmodule.exports = { a, dir: __dirname === process.cwd() };\n", "tla.ts": "const v: number = await Promise.resolve(6);\nexport { v };\n",
    "script.ts": "const v: number = await Promise.resolve(7);\nglobalThis.ran = v;\n", "both.js": "exports.from = 'js'", "both.ts": "export const from = 'ts'",
    "data.json": '{"from": "json"}', "data.ts": "export const from = 'ts'", "folder/index.ts": "export { x as inner } from '../lib.js';\n",
    "chain.ts": "import { x } from './lib';\nimport { P } from './enum.js';\nimport value from './helper.js';\nexport const out: number[] = [x, new P(1).sum(), value];\n",
    "helper.js": "export default 9", "uses.mjs": "import { x } from './lib.ts'; import { Color } from './enum'; export const both = [x, Color.Green]",
    "pkg/package.json": '{"type": "commonjs"}', "pkg/a.ts": "import { sep } from 'path';\nexport const s: string = sep + typeof this;\n",
    "esm/package.json": '{"type": "module"}', "esm/a.ts": "export const kind: string = typeof this;\n",
    "node_modules/typed/package.json": '{"name": "typed", "exports": "./src/main.ts"}', "node_modules/typed/src/main.ts": "export const typed: boolean = true;\n",
    "node_modules/old/package.json": '{"main": "index.ts"}', "node_modules/old/index.ts": "export = 'old' as string;\n",
    "bang.ts": "#!/usr/bin/env ts-node\nexport const ok: boolean = true;\n", "bom.ts": "\ufeffexport const ok: boolean = true;\n",
    "deco.ts": "const log = (v: any, c: any) => v;\nexport class D { @log m(): number { return 7 } accessor z = 3 }\n",
    "cycle-a.ts": "import { b } from './cycle-b';\nexport const a = (): string => 'a';\nexport const got: string = b();\n",
    "cycle-b.ts": "import { a } from './cycle-a';\nexport const b = (): string => typeof a;\n",
    "throws.ts": "export function erased(a: number): void {\n  const b: string = 'x'; missing();\n}\nthrows1(); function throws1(): void {}\n",
    "moved.ts": "import { Point } from './types';\nenum E { A, B }\n\nexport function moved(p: Point): void {\n    missing();\n}\n",
    "now.ts": "enum E { A }\n\n  missing();\nexport {}\n", "cjs-throws.ts": "exports.f = (a: number) => { missing() }\n",
    "bad.ts": "export const ok: number = 1;\nexport const x: = 1;\n", "late.ts": "export const ok: number = 1;\nlet a = 1; let a = 2;\n",
    "empty.ts": "export interface Only { types: true }\n", "view.tsx": "export const v = <div/>\n", "noname.ts": "import { nothing } from './lib';\nexport const y = nothing + 1;\n",
}

ROWS = [
    ("import { x } from './lib.ts'; x", "1"), ("import f, { name } from './lib.ts'; [f(2), name]", "[ 2, 'lib' ]"), ("(await import('./lib.ts')).x", "1"),
    ("require('./lib.ts').x", "1"), ("Object.keys(await import('./lib.ts'))", "[ 'default', 'name', 'x' ]"), ("await import('./lib.ts') === require('./lib')", "true"),
    ("require('./lib').x", "1"), ("(await import('./lib')).x", "1"), ("require('./lib.js').x", "1"), ("import { x as viaJs } from './lib.js'; viaJs", "1"),
    ("import { Color, N, P } from './enum.ts'; [Color.Green, Color[5], N.k, new P(1).sum()]", "[ 5, 'Green', 4, 3 ]"),
    ("import * as el from './elide.ts'; [Object.keys(el), el.p, el.t.n]", "[ [ 'p', 't' ], { x: 1, y: 2 }, 1 ]"), ("(await import('./inline.ts')).n", "'1'"),
    ("(await import('./m.mts')).where", "'m.mts'"), ("require('./m').where", "'m.mts'"), ("(await import('./m.mjs')).where", "'m.mts'"), ("require('./c.cts')", "{ sep: '/' }"),
    ("(await import('./c.cts')).default.sep", "'/'"), ("require('./c2.cts').kind", "'functionobject/'"), ("require('./plain.ts')", "{ a: 5, dir: true }"),
    ("(await import('./plain.ts')).default.a", "5"), ("(await import('./tla.ts')).v", "6"), ("await import('./script.ts'); ran", "7"), ("require('./both').from", "'js'"),
    ("require('./both.js').from", "'js'"), ("require('./both.ts').from", "'ts'"), ("require('./data').from", "'json'"), ("require('./folder').inner", "1"),
    ("(await import('./chain.ts')).out", "[ 1, 3, 9 ]"), ("(await import('./uses.mjs')).both", "[ 1, 5 ]"), ("require('./pkg/a').s", "'/object'"),
    ("(await import('./esm/a.ts')).kind", "'undefined'"), ("(await import('typed')).typed", "true"), ("require('typed').typed", "true"), ("require('old')", "'old'"),
    ("require('./bang').ok", "true"), ("require('./bom').ok", "true"), ("const { D } = require('./deco'); [new D().m(), new D().z]", "[ 7, 3 ]"),
    ("(await import('./cycle-a.ts')).got", "'function'"), ("Object.keys(require('./empty'))", "[]"), ("require.resolve('./lib').split('/').pop()", "'lib.ts'"),
    ("import.meta.resolve('./lib.js').split('/').pop()", "'lib.ts'"),
]

ERRORS = [
    ("(await import('./throws.ts')).erased(1)", "ReferenceError", ["missing is not defined", "erased (DIR/throws.ts:2:26)"]),
    ("require('./moved').moved()", "ReferenceError", ["moved (DIR/moved.ts:5:5)"]), ("await import('./now.ts')", "ReferenceError", ["DIR/now.ts:3:3"]),
    ("require('./now')", "ReferenceError", ["DIR/now.ts:3:3"]), ("require('./cjs-throws').f(1)", "ReferenceError", ["DIR/cjs-throws.ts:1:30"]),
    ("await import('./bad.ts')", "SyntaxError", ["DIR/bad.ts:2:17\nexport const x: = 1;\n                ^\nSyntaxError: Type expected.", "at DIR/bad.ts:2:17"]),
    ("require('./bad')", "SyntaxError", ["DIR/bad.ts:2:17\n"]), ("require('./late')", "SyntaxError", ["DIR/late.ts:2:"]),
    ("await import('./view.tsx')", "TypeError", ["JSX is not supported", "DIR/view.tsx", ".ts file without JSX"]), ("require('./view')", "TypeError", ["ERR_UNKNOWN_FILE_EXTENSION"]),
    ("await import('./noname.ts')", "SyntaxError", ["nothing"]), ("require('./no-such')", "Error", ["MODULE_NOT_FOUND", ".ts"]), ("await import('./no-such.ts')", "Error", ["ERR_MODULE_NOT_FOUND"]),
]


def fill(client, folder):
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    client.run(f"process.chdir({str(folder)!r})").ok()


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_files_of_typescript_are_modules(start_kernel, tmp_path, language):
    client = start_kernel(language=language).client()
    fill(client, tmp_path)

    found = [(code, client.run(code).ok().result) for code, _ in ROWS]

    assert found == ROWS


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_errors_name_the_file_the_line_and_the_column(start_kernel, tmp_path, language):
    client = start_kernel(language=language).client()
    fill(client, tmp_path)

    for code, kind, words in ERRORS:
        name, text = failure(client, code)

        assert name == kind, (code, text)
        assert [word for word in words if word.replace("DIR", str(tmp_path)) not in text] == [], (code, text)


@pytest.mark.parametrize("language, found", [("javascript", "Did you mean to import"), ("typescript", None)])
def test_import_without_an_ending_finds_javascript_only_for_typescript(start_kernel, tmp_path, language, found):
    client = start_kernel(language=language).client()
    fill(client, tmp_path)

    run = client.run("(await import('./both')).default.from")

    assert (run.result == "'js'" if found is None else found in plain(run.content["traceback"]))


def test_a_file_that_was_wrong_is_read_again(start_kernel, tmp_path):
    client = start_kernel(language="javascript").client()
    fill(client, tmp_path)
    failure(client, "require('./bad')")

    (tmp_path / "bad.ts").write_text("enum E { A = 3 }\nexport const x: E = E.A;\n", "utf-8")

    assert client.run("require('./bad').x").ok().result == "3"


def test_a_file_that_changed_has_its_new_places(start_kernel, tmp_path):
    client = start_kernel(language="javascript").client()
    fill(client, tmp_path)
    for lines in (1, 4):
        (tmp_path / "turn.cts").write_text("enum E { A }\n" + "\n" * lines + "exports.f = (a: E) => { missing() }\n", "utf-8")

        _, text = failure(client, "delete require.cache[require.resolve('./turn')]; require('./turn').f()")

        assert f"turn.cts:{lines + 2}:25" in text


def large(folder, count):
    text = "".join(f"export enum E{i} {{ A, B = 5 }}\nexport function f{i}(a: number, b: string = 'x'): string {{ return `${{a as number}} ${{b}}`; }}\n"
                   for i in range(count))
    (folder / "large.ts").write_text(text, "utf-8")
    return len(text)


@pytest.mark.parametrize("code", ["await import('./large.ts')", "require('./large.ts')",
                                  "try { require('./large.ts') } catch { globalThis.caught = true } finally { globalThis.after = true }"])
def test_a_large_file_can_be_interrupted(start_kernel, tmp_path, code):
    client = start_kernel(language="javascript").client()
    fill(client, tmp_path)
    client.run("require('./enum')").ok()  # the compiler is there
    large(tmp_path, 7000)
    request = client.execute(f"console.log('go'); {code}; 'whole'")
    client.wait_output(request, "go")

    client.control("interrupt_request")
    start = time.monotonic()
    run = client.finish(request)

    assert run.content["ename"] == "KeyboardInterrupt"
    assert time.monotonic() - start < 10
    assert client.run("[typeof caught, typeof after, require('./lib').x]").ok().result == "[ 'undefined', 'undefined', 1 ]"


def test_a_file_that_is_too_large_is_refused(start_kernel, tmp_path):
    client = start_kernel(language="javascript").client()
    fill(client, tmp_path)
    assert large(tmp_path, 20000) > 1 << 20

    name, text = failure(client, "require('./large')")

    assert name == "RangeError" and "compile" in text


def test_tampered_prototypes_do_not_change_what_a_file_is(start_kernel, tmp_path):
    client = start_kernel(language="javascript").client()
    fill(client, tmp_path)
    client.run("""
        String.prototype.endsWith = () => false; String.prototype.slice = () => 'x';
        Object.defineProperty(Object.prototype, 'format', {get: () => 'commonjs', configurable: true});
        Object.defineProperty(Object.prototype, 'code', {set() { globalThis.stolen = true }, configurable: true});
        """).ok()

    assert client.run("[require('./lib.ts').x, typeof stolen]").ok().result == "[ 1, 'undefined' ]"
    assert "bad.ts:2:17" in failure(client, "require('./bad.ts')")[1]
