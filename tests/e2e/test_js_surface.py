# SPDX-License-Identifier: MIT
"""The Node surface of JavaScript contexts, beside files (test_js_fs.py) and modules
(test_js_modules.py): every row prints what it prints in Node in the same run."""
import http.server
import json
import threading

import pytest

from support.node import differences
from support.text import failure

LANGUAGE = "javascript"

COOKIE = "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT"

SAME_AS_NODE = {
    "buffer": [
        "Buffer.from('héllo')", "Buffer.from('héllo').toString('base64')", "Buffer.from('aGk', 'base64').toString()",
        "Buffer.from('68690g', 'hex')", "Buffer.from('_-8', 'base64url')", "Buffer.from('é', 'latin1')",
        "Buffer.from('é😀', 'utf16le')", "Buffer.from([1, 2, 300])", "Buffer.alloc(3, 'ab')",
        "Buffer.concat([Buffer.from('a'), Buffer.from('b')]).toString()", "Buffer.byteLength('é😀')",
        "Buffer.byteLength('aGk=', 'base64')", "Buffer.isBuffer(Buffer.alloc(1))",
        "Buffer.from('abc').equals(Buffer.from('abc'))", "Buffer.from('abc').slice(1).toString()",
        "Buffer.from('abcabc').indexOf('ca')", "Buffer.from('abc').toJSON()", "JSON.stringify(Buffer.from('a'))",
        "Buffer.from([0xff, 0x41]).toString()", "Buffer.from('a\\ud800b')", "Buffer.from('abc').readUInt16BE(1)",
        "const b = Buffer.alloc(8); b.writeDoubleLE(1.5); console.log(b)", "Buffer.compare(Buffer.from('a'), Buffer.from('b'))",
        "Buffer.from('test').toString('hex', 1, 3)", "Buffer.from(new Uint16Array([1, 256]).buffer)",
        "Buffer.from('x', 'nope')", "Buffer.isEncoding('UTF-8')", "Buffer.from('abc').fill('xy').toString()",
        "const b = Buffer.alloc(4); console.log(b.write('héé'), b)", "[...Buffer.from('ab').entries()]",
        "Buffer.from('abc').subarray(1) instanceof Buffer", "Buffer.from('€').toString('ascii')",
        "Buffer.from('abc').swap16", "new Uint8Array(Buffer.from('ab'))", "Buffer.from('a'.repeat(60))",
        "Buffer.from('ab').includes('b')", "Buffer.from('ab').readInt8(5)", "atob('aGk=') + btoa('hi')",
        "require('buffer').constants.MAX_STRING_LENGTH > 1e6",
    ],
    "text": [
        "new TextEncoder().encode('é😀')", "new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))",
        "new TextDecoder('utf-8', {ignoreBOM: true}).decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])).length",
        "new TextDecoder('utf-8', {fatal: true}).decode(new Uint8Array([0xff]))",
        "new TextDecoder('utf-16le').decode(new Uint8Array([0x61, 0, 0x3d, 0xd8, 0, 0xde]))",
        "new TextDecoder('latin1').decode(new Uint8Array([0xe9, 0x80]))", "new TextDecoder('nope')",
        "const d = new TextDecoder(); console.log(d.decode(new Uint8Array([0xe2, 0x82]), {stream: true}) + '|' + d.decode(new Uint8Array([0xac])))",
        "new TextDecoder().decode(new Uint8Array([0xf0, 0x9f, 0x41, 0xc0, 0x80])).length", "new TextDecoder().encoding",
        "new TextEncoder().encodeInto('aé😀', new Uint8Array(4))", "new TextEncoder().encode('\\ud800')",
        "const {StringDecoder} = require('string_decoder'); const d = new StringDecoder('utf8'); console.log(d.write(Buffer.from([0xe2, 0x82])) + d.write(Buffer.from([0xac])) + d.end())",
        "new (require('string_decoder').StringDecoder)('base64').end(Buffer.from('abcd'))",
    ],
    "path": [
        "require('path').join('/a', '..', 'b', './c')", "require('path').resolve('/a', 'b', '../c')",
        "require('path').basename('/x/y.tar.gz', '.gz')", "require('path').extname('a.b.c')",
        "require('path').parse('/home/u/f.txt')", "require('path').format({dir: '/a', base: 'b'})",
        "require('path').relative('/a/b/c', '/a/d')", "require('path').normalize('a//b/../c/.')",
        "require('path').isAbsolute('a')", "require('path').sep + require('path').delimiter",
        "require('path').dirname('/a/b')", "require('path').posix === require('path')", "require('path').join(1)",
    ],
    "url": [
        "new URL('https://u:p@ex.com:8080/p/a?q=1#h').host", "new URL('../x', 'http://a/b/c/d').href",
        "new URL('http://EXAMPLE.com/%7Efoo/a b').href", "new URL('nope')", "URL.canParse('http://a')",
        "[...new URLSearchParams('a=1&b=2&a=3')]", "new URLSearchParams({x: 'a b', y: 'é'}).toString()",
        "new URLSearchParams('a=1&a=2').getAll('a')", "new URL('http://a/?x=1').searchParams.get('x')",
        "const u = new URL('http://a/b'); u.searchParams.append('k', 'v w'); u.hash = 'z'; console.log(u.href)",
        "new URL('http://münchen.de/').hostname", "require('url').fileURLToPath('file:///a/b%20c')",
        "require('url').pathToFileURL('/a b#c').href", "new URL('file:///x/y').pathname", "JSON.stringify(new URL('http://a'))",
        "require('url').fileURLToPath('http://a')", "new URL('http://1.2.3')+''", "new URL('http://a/b?c=1')",
        "new URLSearchParams('a=1&b=2')", "require('url').format(new URL('http://a/b#c'), {fragment: false})",
        "require('url').resolve('http://a/b/c', '../d')", "const {host, pathname, query} = require('url').parse('http://h:1/p?q=1'); console.log(host, pathname, query)",
        "require('querystring').parse('a=1&b=2&a=3&c=%20x+y')", "require('querystring').stringify({a: [1, 2], b: 'x y', c: true})",
        "require('querystring').parse('a=%zz%41&b=%&c=%E4%BD%A0%ZZ+x&d=%E4&é=é%4&%41%z=1&f=%4g%41')", "require('querystring').unescape('a%20b%zz%4')", "require('querystring').unescapeBuffer('a%41%z')",
        "require('querystring').parse('a=%41&b=%zz%42', null, null, {decodeURIComponent() { throw new Error('no') }})", "require('querystring').parse('a:1;b:2', ';', ':')", "require('querystring').unescape('é%zz')",
    ],
    "cookies": [
        f"const h = new Headers([['set-cookie', '{COOKIE}'], ['Set-Cookie', 'b=2'], ['x', '1'], ['x', '2']]); console.log({what})" for what in (
            "h.getSetCookie(), h.get('set-cookie'), [...h], h", "[...h.keys()], [...h.values()]", "new Headers(h).getSetCookie()", "new Response(null, {headers: h}).headers.getSetCookie()",
            "h.set('set-cookie', 'z=1, y'), h.getSetCookie()", "h.delete('Set-Cookie'), h.getSetCookie(), h.has('set-cookie'), h.get('set-cookie')", "h.append('SET-COOKIE', ''), h.getSetCookie()",
            "h.forEach((value, name) => console.log(name, value))", "new Headers().getSetCookie()", "h.getSetCookie().push('c'), h.getSetCookie().length")
    ],
    "util": [
        "require('util').inspect({a: [1, {b: {c: {}}}]}, {depth: 0})", "require('util').format('%s %d %j', 'a', 1, {b: 2})",
        "await require('util').promisify((a, cb) => cb(null, a * 2))(21)", "require('util').isDeepStrictEqual({a: [1]}, {a: [1]})",
        "require('util').isDeepStrictEqual([1], ['1'])", "require('util').types.isPromise(Promise.resolve())",
        "require('util').types.isRegExp(/a/)", "require('util').types.isDate({})", "require('util').types.isTypedArray(new Uint8Array())",
        "require('util').types.isProxy(new Proxy({}, {}))", "require('util').types.isAsyncFunction(async () => {})",
        "require('util').types.isGeneratorFunction(function* () {})", "require('util').inspect('a\\'b')",
        "const {inherits} = require('util'); function A() {} function B() {} inherits(A, B); console.log(new A() instanceof B, A.super_ === B)",
        "require('util').callbackify(async x => x + 1)(1, (e, v) => console.log(e, v)); await new Promise(r => setTimeout(r, 5))",
        "require('util').stripVTControlCharacters('\\x1b[31mred\\x1b[0m')", "typeof require('util').TextEncoder",
        "require('util').inspect(new Map([[{a: 1}, new Set([1])]]), {compact: false})", "require('util').promisify(1)",
        "require('util').inspect.custom.toString()", "require('util').styleText('red', 'x')", "require('util').types.isMap(new Map())",
        "await require('util').promisify(setTimeout)(1, 'late')", "require('util').types.isBoxedPrimitive(Object(1n))",
    ],
    "crypto": [
        *[f"require('crypto').createHash('{kind}').update('héllo').update(Buffer.from('x')).digest('hex')"
          for kind in ("md5", "sha1", "sha256", "sha384", "sha512", "sha224", "SHA256")],
        "require('crypto').createHmac('sha256', 'key').update('data').digest('base64')",
        "require('crypto').createHmac('sha512', 'k'.repeat(200)).update('data').digest('hex')",
        "require('crypto').createHash('sha256').update('a').digest()", "require('crypto').createHash('nope')",
        "require('crypto').randomBytes(8).length", "crypto.randomUUID().length", "/^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(crypto.randomUUID())",
        "crypto.getRandomValues(new Uint32Array(4)).length", "crypto.getRandomValues(new Float32Array(1))",
        "require('crypto').randomInt(5) < 5", "require('crypto').randomInt(5, 6)",
        "Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('a'))).toString('hex')",
        "require('crypto').timingSafeEqual(Buffer.from('a'), Buffer.from('a'))",
        "const h = require('crypto').createHash('md5').update('a'); const c = h.copy(); console.log(h.digest('hex') === c.digest('hex'))",
        "const h = require('crypto').createHash('md5'); h.digest(); h.digest()", "require('crypto').createHash('md5').update(1)",
        "new Set(Array.from({length: 50}, () => crypto.randomUUID())).size",
    ],
    "events": [
        "const E = require('events'); const e = new E(); e.on('x', (...a) => console.log('got', a)); console.log(e.emit('x', 1, 2), e.emit('y'))",
        "const {EventEmitter} = require('events'); const e = new EventEmitter(); e.once('a', () => console.log(1)); e.emit('a'); console.log(e.emit('a'), e.listenerCount('a'))",
        "const {once, EventEmitter} = require('events'); const e = new EventEmitter(); setTimeout(() => e.emit('z', 7), 1); console.log(await once(e, 'z'))",
        "const {on, EventEmitter} = require('events'); const e = new EventEmitter(); setTimeout(() => { e.emit('v', 1); e.emit('v', 2) }, 1); for await (const [v] of on(e, 'v')) { console.log(v); if (v === 2) break }",
        "new (require('events'))().emit('error', new Error('boom'))", "new (require('events'))().eventNames()",
        "const e = new EventTarget(); e.addEventListener('a', ev => console.log(ev.type, ev.target === e), {once: true}); console.log(e.dispatchEvent(new Event('a')), e.dispatchEvent(new Event('a')))",
        "const e = new EventTarget(); e.addEventListener('a', ev => ev.preventDefault()); console.log(e.dispatchEvent(new Event('a', {cancelable: true})))",
        "const c = new AbortController(); c.signal.addEventListener('abort', () => console.log('aborted')); c.abort(); console.log(c.signal.aborted, c.signal.reason.name)",
        "AbortSignal.abort('why').reason", "AbortSignal.any([AbortSignal.abort(1)]).reason", "new AbortController()",
        "const s = AbortSignal.timeout(1); await new Promise(r => setTimeout(r, 30)); console.log(s.aborted, s.reason.name)",
        "AbortSignal.abort().throwIfAborted()", "new AbortSignal()", "new CustomEvent('x', {detail: 5}).detail",
    ],
    "assert": [
        *[f"require('assert').{call}" for call in (
            "ok(0, 'zero')", "equal(1, '1')", "strictEqual(1, 2)", "strictEqual('a', 'b')", "deepStrictEqual({a: 1}, {a: 1})",
            "deepEqual([1, 2], [1, '2'])", "notStrictEqual(1, 1)", "throws(() => { throw new TypeError('x') }, TypeError)",
            "throws(() => {})", "throws(() => { throw new Error('abc') }, /abc/)", "throws(() => { throw new Error('abc') }, {message: 'abc'})",
            "doesNotThrow(() => {})", "match('abc', /x/)", "fail('no')", "ifError(null)", "equal(1, 2)", "notEqual(1, 1)",
            "strict.equal(1, 1)", "rejects(Promise.reject(new Error('r')))", "deepStrictEqual(new Map([[1, {a: 2}]]), new Map([[1, {a: 2}]]))",
            "deepStrictEqual(new Set([1]), new Set([1]))", "strictEqual(NaN, NaN)")],
        "try { require('assert').deepStrictEqual([1], [2]) } catch (e) { console.log(e.name, e.code, e.operator, e.generatedMessage) }",
        "require('assert/strict').equal === require('assert').strictEqual",
    ],
    "process": [
        "typeof process.pid + typeof process.ppid", "process.platform", "process.cwd()", "process.argv.length > 0",
        "process.env.NOPE", "process.env.X_Y = 1; console.log(process.env.X_Y, 'X_Y' in process.env); delete process.env.X_Y; console.log(process.env.X_Y)",
        "typeof process.hrtime.bigint()", "process.hrtime().length", "process.hrtime([0, 0])[0] > 0", "typeof process.memoryUsage().heapUsed",
        "process.uptime() >= 0", "process.version.split('.')[0]", "typeof process.versions.node", "process.exitCode",
        "process.nextTick((a) => console.log('tick', a), 1); await 0; await 0", "process.nextTick(1)",
        "process.chdir('/nope-dir')", "console.log(process.stdout.write('text\\n'))", "process.umask() === process.umask()",
        "Object.prototype.toString.call(process)", "process.emit('nothing')", "process.kill(process.pid, 0)", "process.kill(1, 'SIGNOPE')",
        "process.stdout.isTTY === true", "process.arch === require('os').arch()", "typeof process.emitWarning", "process.getuid() === require('os').userInfo().uid",
    ],
    "os": [
        "require('os').platform() + require('os').type() + require('os').EOL", "require('os').hostname().length > 0",
        "require('os').cpus().length", "require('os').totalmem()", "require('os').homedir() === process.env.HOME", "require('os').tmpdir()",
        "require('os').endianness()", "require('os').release()", "require('os').userInfo().username", "require('os').constants.signals.SIGKILL",
        "require('os').loadavg().length", "require('os').availableParallelism()", "require('os').machine()", "require('os').uptime() > 0",
    ],
    "timers": [
        "await require('timers/promises').setTimeout(1, 'v')", "await require('timers/promises').setImmediate('i')",
        "require('timers').setTimeout === setTimeout", "let n = 0; for await (const v of require('timers/promises').setInterval(1, 'x')) { if (++n === 3) break } console.log(n)",
        "const c = new AbortController(); c.abort(); await require('timers/promises').setTimeout(1, 1, {signal: c.signal})",
        "await new Promise(r => queueMicrotask(r))", "typeof performance.now()", "performance.mark('a').name",
        "performance.mark('s'); const m = performance.measure('m', 's'); console.log(m.entryType, m.duration >= 0)",
        "Math.abs(performance.timeOrigin - Date.now()) < 60000", "performance.now() < 60000", "require('perf_hooks').performance === performance",
    ],
    "clone": [
        "structuredClone({a: new Date(0), b: new Map([[1, new Set([2])]]), c: [undefined, null, 1n]})",
        "const o = {}; o.self = o; const c = structuredClone(o); console.log(c.self === c, c !== o)", "try { structuredClone(() => 1) } catch (e) { console.log(e.name, e.code) }",
        "structuredClone(new Uint8Array([1, 2]))", "structuredClone(new RangeError('x')).message", "structuredClone(/a/g)",
    ],
    "child_process": [
        "require('child_process').execSync('echo hi').toString()", "require('child_process').execSync('printf x', {encoding: 'utf8'})",
        "require('child_process').execSync('exit 3', {stdio: 'pipe'})", "require('child_process').spawnSync('sh', ['-c', 'echo out; echo err >&2; exit 2'], {encoding: 'utf8'}).status",
        "const r = require('child_process').spawnSync('cat', {input: 'fed'}); console.log(r.stdout.toString(), r.signal)",
        "require('child_process').spawnSync('nope-program').error.code", "require('child_process').execFileSync('echo', ['a', 'b c']).toString()",
        "const {exec} = require('child_process'); console.log(await new Promise(r => exec('echo a; echo b >&2', (e, out, err) => r([e, out, err]))))",
        "const {exec} = require('child_process'); console.log(await new Promise(r => exec('exit 5', e => r([e.code, e.killed, e.cmd]))))",
        "const {stdout} = await require('util').promisify(require('child_process').exec)('echo p'); console.log(stdout)",
        "const p = require('child_process').spawn('sh', ['-c', 'echo 1; exit 4']); let out = ''; p.stdout.on('data', d => out += d); console.log(await new Promise(r => p.on('close', (...a) => r([out, ...a]))))",
        "const p = require('child_process').spawn('cat'); p.stdin.write('a'); p.stdin.end('b'); let out = ''; p.stdout.setEncoding('utf8').on('data', d => out += d); await new Promise(r => p.on('close', r)); console.log(out)",
        "const p = require('child_process').spawn('nope-program'); console.log(await new Promise(r => p.on('error', e => r([e.code, e.message]))))",
        "const p = require('child_process').spawn('sleep', ['60']); p.kill(); console.log(await new Promise(r => p.on('exit', (...a) => r(a))))",
        "require('child_process').spawnSync('sleep', ['60'], {timeout: 20}).error.code", "require('child_process').execSync('echo $X', {env: {X: 'set', PATH: process.env.PATH}}).toString()",
        "require('child_process').execSync('pwd', {cwd: '/'}).toString()", "require('child_process').spawnSync('kill -9 $$', {shell: true}).signal",
        "require('child_process').execSync('head -c 300000 /dev/zero').length", "require('child_process').spawn('')",
    ],
}


@pytest.mark.parametrize("subject", SAME_AS_NODE)
def test_surface_prints_what_node_prints(client, tmp_path, subject):
    assert differences(client, SAME_AS_NODE[subject], tmp_path) == []


def test_output_of_a_child_that_inherits_is_the_cells(client):
    run = client.run("console.log('before'); require('child_process').execSync('echo child; echo bad >&2', "
                     "{stdio: 'inherit'}); console.log('after')").ok()

    assert run.stdout == "before\nchild\nafter\n"
    assert run.stderr == "bad\n"


def test_interrupt_ends_a_child_that_is_waited_for(client):
    request = client.execute("console.log('on'); require('child_process').execSync('sleep 60')")
    client.wait_output(request, "on")

    client.interrupt()

    assert client.finish(request).content["ename"] in ("KeyboardInterrupt", "Error")
    assert client.run("1 + 1").ok().result == "2"


def test_exit_ends_the_cell_and_says_so(client):
    kind, text = failure(client, "process.exit(3); console.log('not reached')")

    assert kind == "ProcessExit"
    assert "process.exit(3) was called" in text
    assert client.run("process.exitCode").ok().result == "3"


@pytest.mark.parametrize("name, hint", [
    ("http", "use fetch()"), ("net", "use fetch()"), ("zlib", "child_process"), ("worker_threads", "docs/JAVASCRIPT.md")])
def test_absent_module_says_what_to_do(client, name, hint):
    kind, text = failure(client, f"require({name!r})")

    assert kind == "Error"
    assert f"The module '{name}' of Node is not part of this JavaScript engine" in text
    assert hint in text


@pytest.mark.parametrize("tamper", [
    "String.prototype.slice = Array.prototype.slice = Array.prototype.map = null",
    "JSON.parse = () => { throw 1 }; Object.keys = () => []; globalThis.Buffer = null",
    "Object.prototype.then = 1; Map.prototype.get = Map.prototype.set = () => 'x'",
    "Array.prototype.push = Array.prototype.join = String.prototype.split = () => { throw 1 }",
    "globalThis.Uint8Array = globalThis.Error = globalThis.Promise = undefined",
    "Array.prototype[Symbol.iterator] = String.prototype[Symbol.iterator] = null",
    "delete globalThis.process; delete globalThis.URL; globalThis.Symbol = null"])
def test_files_and_modules_survive_tampering(client, tmp_path, tamper):
    (tmp_path / "m.js").write_text("exports.x = 5", "utf-8")
    (tmp_path / "d.json").write_text('{"y": 6}', "utf-8")
    client.run(f"process.chdir({str(tmp_path)!r})\n{tamper}").ok()

    run = client.run("const fs = require('fs'); fs.writeFileSync('o', 'text');\n"
                     "console.log(fs.readFileSync('o', 'utf8'), require('./m').x, require('./d.json').y,\n"
                     "fs.readdirSync('.').length, fs.statSync('o').size)")

    assert run.ok().stdout == "text 5 6 4 4\n"


# fetch.


class Answers(http.server.BaseHTTPRequestHandler):
    """Says what it was asked."""

    def do_GET(self):
        if self.path.startswith("/to/"):
            return self.answer(int(self.path[4:7]), b"", Location="/end")
        if self.path == "/cookies":
            return self.answer(200, b"", **{"Set-Cookie": COOKIE, "set-cookie": "b=2"})
        if self.path == "/never":
            self.server.held.wait(20)
        return self.answer(404 if self.path == "/missing" else 200, self.told(), **{"X-Two": "a, b"})

    def do_POST(self):
        self.answer(201, self.told(self.rfile.read(int(self.headers["content-length"]))))

    do_HEAD = do_GET
    do_PUT = do_DELETE = do_POST

    def told(self, body=b""):
        headers = {name: self.headers[name] for name in ("content-type", "x-mine", "user-agent")}
        return json.dumps({"method": self.command, "path": self.path, "body": body.decode(),
                           "headers": headers}).encode()

    def answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        """Nobody reads it."""


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.held = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.held.set()
    server.shutdown()


FETCHES = [
    "const r = await fetch(U + '/cookies'); console.log(r.headers.getSetCookie(), r.headers.get('set-cookie'))",
    "const r = await fetch(U + '/a?b=1'); console.log(r.status, r.ok, r.statusText, r.url === U + '/a?b=1', r.redirected, await r.json())",
    "const r = await fetch(U + '/missing'); console.log(r.status, r.ok, r.headers.get('Content-Type'), r.headers.get('x-two'), r.headers.has('nope'))",
    "const r = await fetch(U, {method: 'POST', body: 'text'}); console.log(r.status, (await r.json()))",
    "const r = await fetch(U, {method: 'POST', body: JSON.stringify({a: 1}), headers: {'content-type': 'application/json', 'X-Mine': 'é'.length}}); console.log(await r.json())",
    "const r = await fetch(U, {method: 'post', body: new URLSearchParams({a: 'b c'})}); console.log(await r.json())",
    "const r = await fetch(U, {method: 'PUT', body: new Uint8Array([97, 98])}); console.log((await r.json()).body)",
    "const r = await fetch(U, {method: 'DELETE', body: 'x'}); console.log(r.status)", "const r = await fetch(U, {method: 'HEAD'}); console.log(r.status, (await r.text()).length)",
    "const r = await fetch(U + '/to/302'); console.log(r.status, r.redirected, r.url.endsWith('/end'), (await r.json()).method)",
    "const r = await fetch(U + '/to/302', {redirect: 'manual'}); console.log(r.status, r.headers.get('location'))",
    "try { await fetch(U + '/to/302', {redirect: 'error'}) } catch (e) { console.log(e.name, e.message) }",
    "try { await fetch('http://127.0.0.1:9/') } catch (e) { console.log(e.name, e.message) }", "try { await fetch('nope') } catch (e) { console.log(e.name, e.message) }",
    "const c = new AbortController(); setTimeout(() => c.abort(), 20); try { await fetch(U + '/never', {signal: c.signal}) } catch (e) { console.log(e.name, e.message) }",
    "try { await fetch(U + '/never', {signal: AbortSignal.timeout(20)}) } catch (e) { console.log(e.name) }",
    "const r = await fetch(U); console.log((await r.arrayBuffer()).byteLength > 10, r.bodyUsed)", "const r = await fetch(U); await r.text(); try { await r.text() } catch (e) { console.log(e.name) }",
    "const r = await fetch(new Request(U + '/q', {headers: [['x-mine', 'v']]})); console.log((await r.json()).headers['x-mine'])", "const b = await (await fetch(U)).blob(); console.log(b.type, b.size > 10)",
    "console.log((await Promise.all([1, 2, 3].map(i => fetch(U + '/' + i).then(r => r.json())))).map(a => a.path))", "try { await fetch(U, {body: 'x'}) } catch (e) { console.log(e.name, e.message) }",
    "console.log([...new Headers({B: '1', a: '2'})], new Headers([['x', '1'], ['X', '2']]).get('x'))", "const r = Response.json({a: 1}, {status: 201}); console.log(r.status, r.headers.get('content-type'), await r.json())",
    "const f = new FormData(); f.append('a', 'x\\ny'); f.append('q\"\\n', '1'); f.append('file', new File(['bytes'], 'n.txt', {type: 'text/plain'})); f.append('b', new Blob(['é'])); const r = await (await fetch(U, {method: 'POST', body: f})).json(); const b = r.headers['content-type'].split('boundary=')[1]; console.log(r.headers['content-type'].replace(b, 'B'), JSON.stringify(r.body.replaceAll(b, 'B')))",
    "try { await fetch(U, {method: 'POST', body: new ReadableStream()}) } catch (e) { console.log(e.name, e.message) }",
    "const r = await fetch(U); let n = 0; for await (const c of r.body) n += c.length; console.log(n > 10, r.bodyUsed, r.body.locked)", "const r = await fetch(U); const rd = r.body.getReader(); const {done, value} = await rd.read(); console.log(done, value instanceof Uint8Array, r.bodyUsed); try { await r.text() } catch (e) { console.log(e.name) }",
    "const r = await fetch(U); await r.body.cancel(); try { await r.text() } catch (e) { console.log(e.name) }", "const r = await fetch(U, {method: 'HEAD'}); console.log(r.body)",
    "const {pipeline} = require('stream/promises'); const fs = require('fs'); const r = await fetch(U); await pipeline(r.body, fs.createWriteStream('got')); console.log(JSON.parse(fs.readFileSync('got')).method)",
    "const {Readable} = require('stream'); const r = await fetch(U); console.log(JSON.parse(await require('stream/consumers').text(Readable.fromWeb(r.body))).path)",
    "console.log(await new Response('body').clone().text(), new Response(null, {status: 204}).ok)", "console.log(await new Blob(['ab', new Uint8Array([99])], {type: 'text/plain'}).text())",
]


FORMS = [
    "const f = new FormData(); f.append('a', 1); f.append('a', 'b'); f.append('c', 'd'); console.log([...f], f.get('a'), f.getAll('a'), f.has('c'), f.get('z')); f.set('a', 'only'); f.delete('c'); console.log([...f.entries()], [...f.keys()], [...f.values()])",
    "const f = new FormData(); f.append('x', new Blob(['ab'], {type: 'text/x'})); const v = f.get('x'); console.log(v instanceof File, v.name, v.size, v.type); f.set('x', v, 'other'); console.log(f.get('x').name); f.forEach((v, n) => console.log(n, v.name))",
    "const f = new FormData(); f.append('a', '1'); f.append('b', '2'); f.append('b', '3'); console.log(f); console.log(Object.prototype.toString.call(f), String(f))", "console.log(new FormData())", "new FormData(5)",
    "const f = new FormData(); f.append('a', 'é'); f.append('f', new File(['data'], 'ü.bin')); const g = await new Response(f).formData(); console.log(g.get('a'), g.get('f').name, g.get('f').type, await g.get('f').text())",
    "console.log([...await new Response(new URLSearchParams('a=1&b=c+d')).formData()])", "try { await new Response('x').formData() } catch (e) { console.log(e.name) }", "try { await new Response('x', {headers: {'content-type': 'multipart/form-data; boundary=q'}}).formData() } catch (e) { console.log(e.name) }",
    "console.log([...await new Request('http://a/', {method: 'POST', body: new URLSearchParams({a: 'b'})}).formData()])",
    "const f = new File(['ab', new Uint8Array([99])], 'n.txt', {type: 'Text/Plain', lastModified: 5}); console.log(f, f.name, f.size, f.type, f.lastModified, f instanceof Blob, await f.text(), await f.slice(1).text())",
    "console.log(require('buffer').Blob === Blob, require('buffer').File.name, Object.prototype.toString.call(new File([], 'x')))", "try { new File([]) } catch (e) { console.log(e.name) }",
    "for await (const c of new Blob(['abc']).stream()) console.log(c)", "const s = new Blob(['x'.repeat(100000)]).stream(); let n = 0; for await (const c of s) n += c.length; console.log(n, s.locked)",
    "const s = new ReadableStream({start(c) { c.enqueue('a'); c.enqueue('b'); c.close() }}); const r = s.getReader(); console.log(s.locked, await r.read(), await r.read(), await r.read(), await r.closed); r.releaseLock(); console.log(s.locked)",
    "let n = 0; const s = new ReadableStream({pull(c) { n++; c.enqueue(n); if (n === 4) c.close() }, cancel() { console.log('cancelled') }}); for await (const v of s) { console.log(v); if (v === 2) break }",
    "const s = new ReadableStream({start(c) { c.error(new Error('bad')) }}); try { for await (const c of s) {} } catch (e) { console.log(e.message) }", "const s = new ReadableStream({async pull(c) { throw new Error('pull') }}); try { await s.getReader().read() } catch (e) { console.log(e.message) }",
    "const s = new ReadableStream({start(c) { setTimeout(() => { c.enqueue(1); c.close() }, 1) }}); const r = s.getReader(); console.log(await Promise.all([r.read(), r.read()]))", "const s = new ReadableStream(); s.getReader(); try { s.getReader() } catch (e) { console.log(e.name, e.code) } try { await s.cancel() } catch (e) { console.log(e.name, e.code) }",
    "const s = new ReadableStream({cancel(r) { console.log('why', r) }}); await s.cancel('no'); console.log(await s.getReader().read())", "const s = new ReadableStream({start(c) { c.enqueue(1); console.log(c.desiredSize); c.close(); try { c.enqueue(2) } catch (e) { console.log(e.name, e.code) } }}, {highWaterMark: 3})",
    "const r = new ReadableStream().getReader(); const p = r.read(); r.releaseLock(); try { await p } catch (e) { console.log(e.name, e.code) } try { await r.read() } catch (e) { console.log(e.name, e.code) }",
    "console.log(new ReadableStream(), Object.prototype.toString.call(new ReadableStream()))", "const out = []; for await (const c of ReadableStream.from(['a', Promise.resolve('b')])) out.push(c); console.log(out)", "new ReadableStream(5)",
    "const {Readable} = require('stream'); const w = Readable.toWeb(Readable.from([Buffer.from('ab'), Buffer.from('c')], {objectMode: false})); const out = []; for await (const c of w) out.push(...c); console.log(out)",
    "const {Readable} = require('stream'); const r = Readable.fromWeb(new ReadableStream({start(c) { c.enqueue('x'); c.close() }}), {encoding: 'utf8'}); for await (const c of r) console.log(c)",
    "console.log(await new Response(new ReadableStream({start(c) { c.enqueue(new Uint8Array([104, 105])); c.close() }})).text())", "try { await new Response(new ReadableStream({start(c) { c.enqueue('text'); c.close() }})).text() } catch (e) { console.log(e.name) }",
    "const r = new Response('abc'); console.log(r.body === r.body, new Response().body, new Response(null).bodyUsed); await r.text(); console.log(r.bodyUsed)",
]


def test_forms_and_streams_of_bodies_are_those_of_node(client, tmp_path):
    assert differences(client, FORMS, tmp_path) == []


@pytest.mark.parametrize("code", [
    "new ReadableStream().tee()", "new ReadableStream().pipeThrough({})", "require('stream').Writable.toWeb()",
    "new Response(new ReadableStream()).clone()", "require('stream/web')"])
def test_rest_of_web_streams_is_refused_clearly(client, code):
    _, text = failure(client, code)

    assert "JavaScript engine" in text


def test_fetch_does_what_it_does_in_node(client, tmp_path, server):
    rows = [f"const U = {server!r}; {row}" for row in FETCHES]

    assert differences(client, rows, tmp_path) == []


def test_stream_is_sent_as_a_body(client, server):
    run = client.run(f"const r = await fetch('{server}', {{method: 'POST', duplex: 'half', body: new ReadableStream({{pull(c) "
                     "{ c.enqueue(new TextEncoder().encode('streamed')); c.close() }})}); (await r.json()).body").ok()

    assert run.result == "'streamed'"


def test_fetch_goes_on_between_cells_and_ends_with_an_interrupt(client, server):
    client.run(f"var got = fetch('{server}/x').then(r => r.json()).then(a => globalThis.path = a.path); 0").ok()
    assert client.run("await got; path").ok().result == "'/x'"
    request = client.execute(f"console.log('on'); await fetch('{server}/never')")
    client.wait_output(request, "on")

    client.interrupt()

    assert client.finish(request).content["ename"] == "KeyboardInterrupt"
    assert client.run("1 + 1").ok().result == "2"
