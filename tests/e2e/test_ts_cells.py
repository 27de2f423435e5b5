# SPDX-License-Identifier: MIT
"""What a TypeScript cell means. What it shares with JavaScript is in test_js_cells.py."""
import pytest

from support.text import failure

pytestmark = pytest.mark.rows

LANGUAGE = "typescript"


@pytest.mark.parametrize("code, result", [
    ("const x: number = 1; x", "1"), ("1 as number", "1"), ("'a' satisfies string", "'a'"),
    ("let v = null!; v", "null"), ("function f<T>(x: T): T { return x }\nf<number>(3)", "3"),
    ("interface A { a: number }\nconst a: A = {a: 1}; a", "{ a: 1 }"),
    ("type T = string | number\nlet t: T = 'x'\nt", "'x'"), ("{a: 1}", "{ a: 1 }"),
    ("{a: 1 as number, b: [2]}", "{ a: 1, b: [ 2 ] }"), ("({} as any).x ?? 'none'", "'none'"),
    ("enum Color { Red, Green = 5, Blue }\n[Color.Red, Color.Blue, Color[5]]", "[ 0, 6, 'Green' ]"),
    ("const enum K { A = 1 }\nK.A", "1"), ("namespace N { export const x = 4 }\nN.x", "4"),
    ("class P { constructor(public a: number, private b = 2) {} sum() { return this.a + this.b } }\n"
     "new P(1).sum()", "3"), ("abstract class Q { abstract m(): void; n() { return 1 } }\n"
     "class R extends Q { m() {} }\nnew R().n()", "1"),
    ("class S { private x: number = 1; readonly y?: string; declare z: number; get() "
     "{ return this.x } }\nnew S().get()", "1"),
    ("function log(v: any, c: any) { return v }\nclass D { @log m() { return 7 } }\nnew D().m()", "7"),
    ("const g = <T,>(x: T): x is T => true; g(1)", "true"), ("await Promise.resolve(1 as const)", "1"),
    ("let a: number = 1\ntype U = string\n(a as number) + 1", "2"),
    ("function o(x: string): void\nfunction o(x: any) { return 'o' + x }\no('k')", "'ok'"),
    ("const t = [1, 2] as [number, number]; const [p, q]: [number, number] = t; p + q", "3"),
    ("let u!: number; u", None), ("import type { X } from './nothing'; 1", "1"),
    ("export type Y = number; export const y: Y = 2; y", "2"),
    ("const f2 = (this_: unknown, ...r: number[]): number => r.length; f2(0, 1, 2)", "2"),
    ("for (const n of [1, 2] as number[]) { n }", "2"), ("let s = `t${1 as number}`; s", "'t1'"),
    ("try { throw 1 } catch (e: unknown) { e }", "1"), ("class G<T> { v?: T }\nnew G<string>()",
     "G { v: undefined }"), ("declare const ambient: number; 5", "5"), ("(<any>5)", "5"),
    ("using_ = 1", "1"), ("{ using r = { [Symbol.dispose]() { globalThis.gone = true } } as any }\n"
                          "(globalThis as any).gone", "true"),
], ids=repr)
def test_value_of_a_cell(client, code, result):
    run = client.run(code).ok()

    assert run.result == result if result else "execute_result" not in run.types


@pytest.mark.parametrize("code", [
    "interface A { x: number }", "type T = string", "declare function f(): void", "export {}",
    "import type { X } from 'nowhere'", "declare module 'm' { const x: number }", "// only text",
    "interface A { x: number }\n\ntype B = A[]\n", "declare global { var q: number }", ""], ids=repr)
def test_cell_of_types_alone_does_nothing(client, code):
    assert client.run(code).ok().types == ["execute_input"]


@pytest.mark.parametrize("first, second, result", [
    ("let x: number = 1", "x + 1", "2"), ("const x: number = 1", "const x: string = 'b'; x", "'b'"),
    ("enum E { A }", "E.A", "0"), ("namespace N { export let k = 1 }", "N.k", "1"),
    ("class A { m(): number { return 1 } }", "new A().m()", "1"),
    ("interface I { a: number }", "const i: I = {a: 1}; i.a", "1")], ids=repr)
def test_names_stay_and_can_be_declared_again(client, first, second, result):
    client.run(first).ok()
    client.run(first).ok()

    assert client.run(second).ok().result == result


@pytest.mark.parametrize("code, place", [
    ("const a: number = 1;\n  missing()", "In[1]:2:3"),
    ("interface A {\n  x: number\n}\nlet n: A; missing()", "In[1]:4:11"),
    ("function f(x: string): void {\n  throw new Error(x as any)\n}\nf('e')", "f (In[1]:2:"),
    ("enum E { A }\n\nfunction g() {\n    missing()\n}\ng()", "g (In[1]:4:5)"),
    ("enum E { A }\nclass P { constructor(public x: number) {\n  missing() } }\nnew P(1)",
     "P (In[1]:3:3)"),
    ("let s = '\u2028\u2029'; enum E { A }\nmissing()", "In[1]:2:1"),
    ("{a: missing as any}", "In[1]:1:5")], ids=repr)
def test_error_keeps_line_and_column(client, code, place):
    run = client.run(code)

    assert run.status == "error"
    assert place in "\n".join(run.content["traceback"])


def test_frames_of_helpers_are_in_the_users_text(client):
    run = client.run("@((made: any) => { throw new Error('no') }) class A {}")

    frames = [line for line in run.content["traceback"] if line.strip().startswith("at ")]
    assert len(frames) > 2
    assert all("In[1]:1:" in frame for frame in frames), frames


@pytest.mark.parametrize("code, line, column", [
    ("let x: = 1", 1, 8), ("const a: number = 1;\nlet b: string =", 2, 16), ("function f(x: {", 1, 16),
    ("class A { x: }", 1, 14), ("const y = <div/>", 1, 15), ("enum { A }", 1, 6),
    ("{a: 1}) + ({b: 2}", 1, 7)], ids=repr)
def test_syntax_error_names_line_and_column(client, code, line, column):
    kind, text = failure(client, code)

    assert kind == "SyntaxError"
    assert text.startswith(f"In[1]:{line}:{column}\n")


@pytest.mark.parametrize("code, status", [
    ("let x: number = 1", "complete"), ("interface A {", "incomplete"), ("let x: ", "incomplete"),
    ("function f(x: number): {", "incomplete"), ("let x: = 1", "invalid"), ("{a: 1}", "complete"),
    ("enum E { A }", "complete")])
def test_is_complete(client, code, status):
    reply = client.request("shell", "is_complete_request", {"code": code}).reply.content

    assert reply["status"] == status


@pytest.mark.parametrize("line, code, result", [
    ("%%ts", "const a: number = 1; a", "1"), ("%%js", "({a: 1})", "{ a: 1 }"),
    ("%%python", "1 + 1", "2")])
def test_first_line_selects_the_language(start_kernel, line, code, result):
    client = start_kernel(language="python").client()

    run = client.run(f"{line}\n{code}").ok()

    assert run.result == result


def test_first_line_counts_in_places(start_kernel):
    client = start_kernel(language="python").client()

    run = client.run("%%ts\nlet a: number;\n  missing()")

    assert "In[1]:3:3" in "\n".join(run.content["traceback"])
