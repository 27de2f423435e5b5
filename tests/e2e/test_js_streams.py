# SPDX-License-Identifier: MIT
"""Streams of JavaScript contexts, and what is made of them: files, lines, standard streams, children.
Every row prints what it prints in Node in the same run."""
import pytest

from support.build import scaled
from support.node import differences
from support.waiting import Stopwatch

LANGUAGE = "javascript"

# What rows use; each row is a program of its own.
HEAD = "const {Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished, Stream} = require('stream'); " \
       "const sp = require('stream/promises'); const late = (ms = 5) => new Promise(go => setTimeout(go, ms)); " \
       "const sink = (out) => new Writable({write(c, e, cb) { out.push(String(c)); cb() }}); "

STREAMS = {
    "module": [
        "console.log(Object.keys(require('stream')).sort().join())",
        "console.log(typeof Stream, require('stream') === Stream, require('node:stream').promises === sp)",
        "console.log(Object.keys(sp), Object.keys(require('stream/consumers')).sort())",
        "console.log(new Readable() instanceof Stream, new Duplex() instanceof Writable, new PassThrough() instanceof Transform)",
        "console.log(new Readable() instanceof require('events'), Duplex.prototype instanceof Readable)",
        "console.log(Object.getOwnPropertyNames(Readable.prototype).sort().join())",
        "console.log(Object.getOwnPropertyNames(Writable.prototype).sort().join())",
        "console.log(Stream.getDefaultHighWaterMark(false), Stream.getDefaultHighWaterMark(true))",
        "const m = await import('stream'); console.log(typeof m.default, typeof m.Readable, typeof m.pipeline)",
        "console.log(Object.prototype.toString.call(new Readable()), Readable.name, Transform.length)",
    ],
    "readable": [
        "const r = new Readable({read() {}}); r.push('a'); r.push('b'); r.push(null); for await (const c of r) console.log(c)",
        "const r = new Readable({read() { this.push(n++ < 3 ? `${n}` : null) }}); let n = 0; r.setEncoding('utf8'); let s = ''; for await (const c of r) s += c; console.log(s)",
        "for await (const c of Readable.from(['a', Buffer.from('b'), {o: 1}])) console.log(c)",
        "for await (const c of Readable.from((async function* () { yield 1; await late(); yield 2 })())) console.log(c)",
        "const r = Readable.from('text'); for await (const c of r) console.log(c)",
        "const r = new Readable({read() {}}); r.on('data', c => console.log('data', String(c))); r.on('end', () => console.log('end')); r.on('close', () => console.log('close')); r.push('x'); r.push(null); await late()",
        "const r = new Readable({read() {}}); r.on('readable', () => { let c; while ((c = r.read(2)) !== null) console.log(String(c)) }); r.push('abcde'); r.push(null); await late()",
        "const r = new Readable({read() {}, highWaterMark: 3}); console.log(r.push('ab'), r.push('cd'), r.readableLength, r.readableHighWaterMark)",
        "const r = new Readable({objectMode: true, read() {}}); r.push({a: 1}); console.log(r.read(), r.readableObjectMode, r.readableFlowing)",
        "const r = new Readable({read() {}}); r.push(null); r.on('error', e => console.log(e.code, e.message)); r.push('late'); await late()",
        "const r = new Readable(); r.on('error', e => console.log(e.code, e.message)); r.read(); await late()",
        "const r = new Readable({read() {}}); r.destroy(new Error('gone')); try { for await (const c of r) {} } catch (e) { console.log(e.message) } console.log(r.destroyed, r.readable)",
        "const r = Readable.from([1, 2, 3]); for await (const c of r) { if (c === 2) break } console.log(r.destroyed)",
        "const r = new Readable({read() {}}); r.push('abc'); r.unshift('x'); console.log(String(r.read()))",
        "const r = new Readable({read() {}}); r.pause(); console.log(r.isPaused()); r.resume(); console.log(r.isPaused())",
        "const r = new Readable({read() {}, encoding: 'utf8'}); r.push(Buffer.from([0xe2, 0x82])); r.push(Buffer.from([0xac])); console.log(r.read())",
        "const r = new Readable({read() {}}); r.on('error', e => console.log(e.message)); console.log(r.push(5)); await late()",
        "const r = new Readable({read() { setTimeout(() => this.push(null), 1) }}); console.log(await new Promise(go => finished(r.resume(), go)))",
        "console.log(await Readable.from([1, 2, 3, 4]).filter(x => x % 2).map(async x => x * 10).toArray())",
        "console.log(await Readable.from([1, 2, 3]).reduce((a, b) => a + b, 0), await Readable.from([1, 2]).some(x => x > 1))",
        "console.log(await Readable.from([1, 2, 3]).take(2).toArray(), await Readable.from([1, 2, 3]).drop(2).toArray(), await Readable.from([1, 2]).flatMap(x => [x, x]).toArray())",
        "console.log(await Readable.from([1, 2]).find(x => x > 1), await Readable.from([1]).every(x => x > 1)); await Readable.from([1]).forEach(x => console.log(x))",
        "console.log(await Readable.from(['a', 'b']).iterator({destroyOnReturn: false}).next())",
        "class Count extends Readable { n = 0; _read() { this.push(this.n < 3 ? String(this.n++) : null) } } let s = ''; for await (const c of new Count()) s += c; console.log(s)",
        "Readable.from(5)", "Readable.from(null)", "new Readable({highWaterMark: -1})", "new Readable({read: 1}).read",
        "const ac = new AbortController(); const r = new Readable({read() {}, signal: ac.signal}); r.on('error', e => console.log(e.name, e.code, e.message)); ac.abort(); await late()",
        "const r = new Readable({read() {}, construct(cb) { console.log('made'); setTimeout(cb, 1) }, destroy(e, cb) { console.log('unmade', e); cb(e) }}); await late(); r.destroy(); await late()",
        "const r = Readable.from(['ab']); r.once('data', (c) => console.log(c)); await require('events').once(r, 'end'); console.log(r.readableEnded)",
    ],
    "writable": [
        "const w = new Writable({write(c, e, cb) { console.log(c, e); cb() }}); w.write(new Uint16Array([1, 2])); w.write(new DataView(new ArrayBuffer(1))); w.end()",
        "const out = []; const w = sink(out); console.log(w.write('a'), w.write(Buffer.from('b'))); w.end('c'); await require('events').once(w, 'finish'); console.log(out)",
        "const w = new Writable({write(c, e, cb) { console.log(c, e); cb() }, decodeStrings: false}); w.write('a', 'latin1'); w.end()",
        "const w = new Writable({highWaterMark: 2, write(c, e, cb) { setTimeout(cb, 1) }}); console.log(w.write('abc'), w.writableNeedDrain); await require('events').once(w, 'drain'); console.log('drained', w.writableLength)",
        "const w = new Writable({writev(all, cb) { console.log(all.map(({chunk}) => String(chunk))); cb() }}); w.cork(); w.write('a'); w.write('b'); w.uncork(); w.end(); await late()",
        "const w = sink([]); w.on('error', e => console.log(e.code, e.message)); w.end(); w.write('x'); await late()",
        "const w = new Writable({write(c, e, cb) { cb(new Error('full')) }}); w.on('error', e => console.log('error', e.message)); w.on('close', () => console.log('close')); w.write('x', e => console.log('cb', e.message)); await late()",
        "const w = new Writable({write(c, e, cb) { cb() }, final(cb) { console.log('final'); cb() }}); w.on('finish', () => console.log('finish')); w.on('close', () => console.log('close')); w.end(() => console.log('ended')); await late()",
        "const w = new Writable({objectMode: true, write(c, e, cb) { console.log(c); cb() }}); w.write({a: 1}); w.write(5); w.end()",
        "sink([]).write(5)", "sink([]).write(null)", "sink([]).write('x', 'nope')", "const w = sink([]); w.destroy(); w.write('x', e => console.log(e.code, e.message)); w.on('error', () => {}); await late()",
        "const w = sink([]); w.setDefaultEncoding('latin1'); w.setDefaultEncoding('bogus')",
        "const w = sink([]); w.end(); w.end(e => console.log(e && e.code)); await late(); w.end(e => console.log(e.code)); await late(); console.log(w.writableFinished, w.writableEnded, w.closed)",
        "const w = new Writable(); w.on('error', e => console.log(e.code, e.message)); w.write('x'); await late()",
        "class Up extends Writable { _write(c, e, cb) { console.log(String(c).toUpperCase()); cb() } } const w = new Up(); w.write('abc'); w.end(); await sp.finished(w); console.log('done')",
    ],
    "transform": [
        "const t = new Transform({transform(c, e, cb) { cb(null, String(c).toUpperCase()) }, flush(cb) { this.push('!'); cb() }}); t.write('a'); t.end('b'); for await (const c of t) console.log(String(c))",
        "const t = new PassThrough(); t.end('abc'); console.log(await require('stream/consumers').text(t))",
        "const d = new Duplex({read() { this.push('r'); this.push(null) }, write(c, e, cb) { console.log('w', String(c)); cb() }}); d.end('x'); for await (const c of d) console.log(String(c))",
        "const t = new Transform({transform(c, e, cb) { cb(new Error('bad')) }}); t.on('error', e => console.log(e.message)); t.write('x'); await late(); console.log(t.destroyed)",
        "const t = new Transform({readableObjectMode: true, transform(c, e, cb) { cb(null, {c: String(c)}) }}); t.end('x'); for await (const c of t) console.log(c)",
        "const t = new Transform(); t.on('error', e => console.log(e.code, e.message)); t.write('x'); await late()",
        "const d = Duplex.from(async function* (s) { for await (const c of s) yield String(c) + '2' }); d.end('x'); for await (const c of d) console.log(String(c))",
        "const d = Duplex.from(['a', 'b']); for await (const c of d) console.log(c)",
        "const s = Stream.compose(async function* (s) { for await (const c of s) yield String(c).toUpperCase() }, new PassThrough()); s.end('hi'); for await (const c of s) console.log(String(c))",
        "console.log(await require('stream/consumers').json(Readable.from(['{\"a\":', '1}'])), await require('stream/consumers').buffer(Readable.from(['ab', 'c'])))",
        "console.log(await require('stream/consumers').arrayBuffer(Readable.from(['ab'])), (await require('stream/consumers').blob(Readable.from(['abc']))).size)",
    ],
    "pipe": [
        "const [a, b] = Stream.duplexPair(); b.on('data', c => console.log(String(c))); b.on('end', () => console.log('end')); a.on('finish', () => console.log('finish')); console.log(a.constructor.name, a.write('over')); a.end('out'); await late()",
        "const out = []; const w = sink(out); Readable.from(['a', 'b']).pipe(new PassThrough()).pipe(w); await sp.finished(w); console.log(out)",
        "const out = []; await sp.pipeline(Readable.from(['a', 'b']), async function* (s) { for await (const c of s) yield c + '!' }, sink(out)); console.log(out)",
        "pipeline(Readable.from(['a']), new PassThrough(), sink([]), e => console.log('done', e)); await late()",
        "pipeline(new Readable({read() { this.destroy(new Error('src')) }}), sink([]), e => console.log(e.message)); await late()",
        "try { await sp.pipeline(Readable.from(['a']), new Transform({transform(c, e, cb) { cb(new Error('mid')) }}), sink([])) } catch (e) { console.log(e.message) }",
        "const r = new Readable({read() {}}); const w = sink([]); r.pipe(w); w.on('unpipe', () => console.log('unpiped')); r.unpipe(w); console.log(r.readableFlowing)",
        "const ac = new AbortController(); setTimeout(() => ac.abort(), 1); try { await sp.pipeline(new Readable({read() {}}), sink([]), {signal: ac.signal}) } catch (e) { console.log(e.name, e.code, e.message) }",
        "const r = new Readable({read() {}}); setTimeout(() => r.destroy(), 1); try { await sp.finished(r) } catch (e) { console.log(e.code, e.message) }",
        "console.log(await sp.pipeline(Readable.from(['a', 'b']), async s => { let n = 0; for await (const c of s) n++; return n }))",
        "const w = new Writable({highWaterMark: 4, write(c, e, cb) { setImmediate(cb) }}); let n = 0; await sp.pipeline(Readable.from(Array(50).fill('abcdef')), new Transform({transform(c, e, cb) { n += c.length; cb(null, c) }}), w); console.log(n)",
        "pipeline(Readable.from(['a']))", "const w = sink([]); w.on('error', e => console.log(e.code)); w.pipe(sink([])); await late()", "await sp.pipeline(Readable.from(['a']))",
        "const {promisify} = require('util'); console.log(await promisify(pipeline)(Readable.from(['a']), sink([])), await promisify(finished)(Readable.from(['a']).resume()))",
        "const r = Readable.from(['a', 'b', 'c']); const a = [], b = []; r.pipe(sink(a)); r.pipe(sink(b)); await late(20); console.log(a, b)",
        "const s = new Stream(); s.pipe(sink([])); console.log(s.emit('data', 'x')); const l = new Stream(); l.on('x', v => console.log(v)); l.emit('x', 1)",
        "const e = require('events'); const ac = new AbortController(); const d = e.addAbortListener(ac.signal, () => console.log('aborted')); ac.abort(); console.log(typeof d[Symbol.dispose]); e.addAbortListener(1, () => {})",
    ],
}


# late() is longer than in HEAD: files are read and programs started meanwhile.
FILE_HEAD = "const fs = require('fs'); const cp = require('child_process'); const rl = require('readline'); const {once} = require('events'); " \
            "const sp = require('stream/promises'); const {Readable, Writable, PassThrough} = require('stream'); " \
            "const all = async (s) => { const out = []; for await (const c of s) out.push(c); return out; }; " \
            "const late = (ms = 5) => new Promise(go => setTimeout(go, 20 * ms)); "

FILES = {
    "reading": [
        "console.log(await all(fs.createReadStream('text')))", "console.log(await all(fs.createReadStream('text', 'utf8')))",
        "console.log(await all(fs.createReadStream('text', {encoding: 'utf8', start: 4, end: 6})))",
        "console.log(await all(fs.createReadStream('text', {encoding: 'utf8', end: 2})))",
        "console.log((await all(fs.createReadStream('large'))).map(c => c.length))",
        "console.log(await all(fs.createReadStream('text', {highWaterMark: 5, encoding: 'latin1'})))",
        "console.log((await all(fs.createReadStream('accents', {highWaterMark: 3, encoding: 'utf8'}))).join('|'))",
        "const r = fs.createReadStream('text'); for (const n of ['open', 'ready', 'end', 'close']) r.on(n, v => console.log(n, typeof v)); r.resume(); await once(r, 'close'); console.log(r.bytesRead, r.path, r.fd, r.pending, r.closed)",
        "const r = fs.createReadStream('none'); r.on('error', e => console.log(e.code, e.message)); r.on('open', () => console.log('never')); await once(r, 'close'); console.log(r.destroyed)",
        "try { await all(fs.createReadStream('none')) } catch (e) { console.log(e.message) }", "try { await all(fs.createReadStream('.')) } catch (e) { console.log(e.code, e.message) }",
        "fs.createReadStream('text', {start: 5, end: 2})", "fs.createReadStream('text', {start: -1})", "fs.createReadStream('text', {start: 'a'})", "fs.createReadStream(5)",
        "fs.createReadStream('text', {encoding: 'nope'})",
        "const fd = fs.openSync('text'); const r = fs.createReadStream(null, {fd, autoClose: false, encoding: 'utf8'}); console.log(await all(r).catch(e => e.message)); console.log(fs.fstatSync(fd).size); fs.closeSync(fd)",
        "const fd = fs.openSync('text'); const r = fs.createReadStream(null, {fd, encoding: 'utf8', start: 2}); r.on('data', d => console.log(d)); await once(r, 'close'); try { fs.fstatSync(fd) } catch (e) { console.log(e.code) }",
        "const r = fs.createReadStream('large'); r.once('data', () => r.destroy()); await once(r, 'close'); console.log(r.bytesRead, r.readableEnded)",
        "const r = fs.createReadStream('text'); r.close(() => console.log('closed')); await late()",
        "const r = new fs.ReadStream('text'); console.log(r instanceof Readable, fs.ReadStream('text') instanceof fs.ReadStream, r.flags, r.mode, r.autoClose, r.readableHighWaterMark); r.destroy()",
        "const h = await fs.promises.open('text'); console.log(await all(h.createReadStream({encoding: 'utf8', start: 4}))); console.log(h.fd)",
        "const h = await fs.promises.open('lines'); for await (const line of h.readLines()) console.log(line)",
        "console.log(await require('stream/consumers').text(fs.createReadStream('accents')))",
        "function R(p) { return fs.ReadStream.apply(this, arguments), this } R.prototype = Object.create(fs.ReadStream.prototype); R.prototype.open = function () { fs.open(this.path, this.flags, this.mode, (e, fd) => { if (e) this.emit('error', e); else { this.fd = fd; this.emit('open', fd); this.read() } }) }; console.log(String((await all(new R('text')))[0])); try { await all(new R('none')) } catch (e) { console.log(e.code) }",
        "const ac = new AbortController(); const r = fs.createReadStream('large', {signal: ac.signal}); ac.abort(); try { await all(r) } catch (e) { console.log(e.name, e.code) }",
        "const r = fs.createReadStream('text', {fs: {open: (p, f, m, cb) => cb(null, 7), read: (fd, b, o, n, p, cb) => { cb(null, done ? 0 : b.write('mine'), b); done = true }, close: (fd, cb) => { console.log('close', fd); cb() }}}); let done = false; r.setEncoding('utf8').on('data', d => console.log(d)); await once(r, 'close')",
    ],
    "hashing": [
        "const {createHash} = require('crypto'); const h = createHash('sha256'); await sp.pipeline(fs.createReadStream('large'), h); console.log(h.read().toString('hex'))",
        "const {createHash} = require('crypto'); fs.createReadStream('text').pipe(createHash('md5').setEncoding('hex')).on('data', d => console.log(d)); await late(20)",
        "const {createHmac} = require('crypto'); const h = createHmac('sha1', 'k'); h.write('a'); h.end('b'); await late(); console.log(h.read())",
        "const {createHash, Hash} = require('crypto'); const h = createHash('sha1'); console.log(h instanceof Hash, h instanceof Writable, h.update('a').digest('hex'), h.writable)",
        "const {createHash} = require('crypto'); const h = createHash('sha1'); for await (const c of fs.createReadStream('text')) h.update(c); console.log(h.digest('base64'))",
        "console.log(require('tty').isatty(1), process.stdout instanceof require('tty').WriteStream)",
    ],
    "writing": [
        "const w = fs.createWriteStream('w1'); for (const n of ['open', 'ready', 'finish', 'close']) w.on(n, v => console.log(n, typeof v)); w.write('a'); w.end('b'); await once(w, 'close'); console.log(fs.readFileSync('w1', 'utf8'), w.bytesWritten, w.path, w.closed)",
        "fs.writeFileSync('w2', 'abcdef'); const w = fs.createWriteStream('w2', {flags: 'r+', start: 2}); w.end('XY'); await once(w, 'finish'); console.log(fs.readFileSync('w2', 'utf8'))",
        "fs.writeFileSync('w3', 'a'); const w = fs.createWriteStream('w3', {flags: 'a'}); w.write('b'); w.write('c'); w.end(); await sp.finished(w); console.log(fs.readFileSync('w3', 'utf8'))",
        "const w = fs.createWriteStream('w4', 'latin1'); w.end('é'); await once(w, 'close'); console.log(fs.readFileSync('w4'))",
        "const w = fs.createWriteStream('none/w'); w.on('error', e => console.log(e.code, e.message)); await once(w, 'close')",
        "await sp.pipeline(fs.createReadStream('large'), fs.createWriteStream('copy')); console.log(fs.readFileSync('large').equals(fs.readFileSync('copy')))",
        "fs.createReadStream('text').pipe(fs.createWriteStream('w5')).on('finish', () => console.log(fs.readFileSync('w5', 'utf8'))); await late(30)",
        "const w = fs.createWriteStream('w6', {mode: 0o600}); w.end(); await once(w, 'close'); console.log((fs.statSync('w6').mode & 0o777).toString(8))",
        "const w = fs.createWriteStream('w7'); w.cork(); w.write('a'); w.write('b'); w.uncork(); w.close(() => console.log('closed', w.bytesWritten)); await once(w, 'close')",
        "const w = fs.createWriteStream('w8'); console.log(w instanceof Writable, w.write('x'.repeat(20000)), w.flags, w.writableHighWaterMark); await once(w, 'drain'); w.end(); await once(w, 'finish'); console.log(fs.statSync('w8').size)",
        "const h = await fs.promises.open('w9', 'w'); const w = h.createWriteStream(); w.end('by handle'); await once(w, 'close'); console.log(fs.readFileSync('w9', 'utf8'))",
        "const w = fs.createWriteStream('w10'); w.end('x'); await once(w, 'close'); w.on('error', e => console.log(e.code)); w.write('y'); await late()",
        "fs.createWriteStream('w11', {start: 'x'})", "fs.createWriteStream()",
        "await sp.pipeline(Readable.from(['a,b\\n', 'c,d\\n']), async function* (s) { for await (const l of s) yield l.toUpperCase() }, fs.createWriteStream('w12')); console.log(fs.readFileSync('w12', 'utf8'))",
    ],
    "folders": [
        "const d = fs.opendirSync('sub'); console.log(d.path, d.readSync().name, d.readSync()); d.closeSync(); d.readSync()",
        "for await (const e of await fs.promises.opendir('sub')) console.log(e.name, e.isFile())",
        "await new Promise(go => fs.opendir('sub', async (e, d) => { console.log(e, (await d.read()).name, await d.read()); await d.close(); go() }))",
        "try { fs.opendirSync('none') } catch (e) { console.log(e.code, e.syscall) }", "const d = fs.opendirSync('sub'); await d.close(); console.log(d instanceof fs.Dir); d.closeSync()",
    ],
    "lines": [
        "for await (const line of rl.createInterface({input: fs.createReadStream('lines')})) console.log(JSON.stringify(line))",
        "const i = rl.createInterface({input: fs.createReadStream('lines'), crlfDelay: Infinity}); i.on('line', l => console.log('line', l)); i.on('close', () => console.log('close')); await once(i, 'close')",
        "const i = rl.createInterface({input: Readable.from(['a\\nb', 'c\\r', '\\nd\\r\\n', '\\n', 'e'])}); console.log(await all(i))",
        "const i = rl.createInterface({input: Readable.from([])}); console.log(await all(i), i.closed)",
        "const i = rl.createInterface({input: fs.createReadStream('lines')}); for await (const line of i) { console.log(line); break } await late(); console.log(i.closed)",
        "const input = new PassThrough(), output = new PassThrough(); const i = rl.createInterface({input, output}); i.question('Name? ', a => { console.log('got', a); i.close() }); setTimeout(() => input.write('Ada\\nmore\\n'), 1); await once(i, 'close'); console.log(String(output.read()))",
        "const input = new PassThrough(); const i = require('readline/promises').createInterface({input, output: new PassThrough()}); setTimeout(() => input.write('yes\\n'), 1); console.log(await i.question('ok? ')); i.close(); try { await i.question('x') } catch (e) { console.log(e.code, e.message) }",
        "const input = new PassThrough(); const i = rl.createInterface(input); i.on('pause', () => console.log('pause')); i.on('resume', () => console.log('resume')); i.pause(); i.resume(); i.close(); console.log(i.terminal)",
        "const output = new PassThrough(); const i = rl.createInterface({input: new PassThrough(), output, prompt: 'p> '}); i.prompt(); i.setPrompt('q> '); console.log(i.getPrompt(), String(output.read())); i.close()",
        "const i = rl.createInterface({input: new PassThrough()}); i.on('line', l => console.log(l)); i.write('typed\\n'); i.close(); i.close(); i.question('x', () => {})",
        "const input = new PassThrough(); const i = require('readline/promises').createInterface({input}); const ac = new AbortController(); setTimeout(() => ac.abort(), 1); try { await i.question('?', {signal: ac.signal}) } catch (e) { console.log(e.name, e.code) } i.close()",
        "const o = new PassThrough(); rl.cursorTo(o, 3); rl.cursorTo(o, 1, 2); rl.moveCursor(o, -1, 2); rl.clearLine(o, 0); rl.clearScreenDown(o); console.log(JSON.stringify(String(o.read())))",
        "console.log(await require('util').promisify(rl.Interface.prototype.question).call(rl.createInterface({input: Readable.from(['z\\n'])}), 'q'))",
        "const e = new Readable({read() { this.destroy(new Error('src')) }}); const i = rl.createInterface({input: e}); try { for await (const l of i) {} } catch (x) { console.log(x.message) }",
        "const i = rl.createInterface({input: Readable.from(['a\\u2028b\\rc'])}); console.log(await all(i))",
    ],
    "children": [
        "const p = cp.spawn('cat'); p.stdout.pipe(process.stdout); Readable.from(['a\\n', 'b\\n']).pipe(p.stdin); await once(p, 'close')",
        "const p = cp.spawn('sort'); p.stdin.end('b\\na\\n'); let s = ''; for await (const c of p.stdout) s += c; console.log(s)",
        "const p = cp.spawn('printf', ['one\\\\ntwo']); for await (const line of rl.createInterface({input: p.stdout})) console.log(line)",
        "const p = cp.spawn('cat'); await Promise.all([sp.pipeline(fs.createReadStream('large'), p.stdin), sp.pipeline(p.stdout, fs.createWriteStream('catted'))]); console.log(fs.readFileSync('catted').equals(fs.readFileSync('large')))",
        "const p = cp.spawn('head', ['-c', '1000000', '/dev/zero']); let n = 0; p.stdout.on('data', d => { n += d.length; p.stdout.pause(); setTimeout(() => p.stdout.resume(), 1) }); await once(p, 'close'); console.log(n)",
        "const p = cp.spawn('echo', ['unread']); console.log(await once(p, 'close'))", "const p = cp.spawn('true'); p.stdin.on('error', e => console.log(e.code)); await once(p, 'exit'); console.log(p.stdin.destroyed)",
        "const p = cp.spawn('cat'); console.log(p.stdin instanceof Writable, p.stdout instanceof Readable, p.stdio.length, p.stdin.writable, p.stdout.readable); p.stdin.end(); await once(p, 'close'); console.log(p.stdout.readableEnded, p.stdin.writable)",
        "const p = cp.spawn('cat', {stdio: ['pipe', 'pipe', 'ignore']}); console.log(p.stderr); p.stdin.write('x'.repeat(300000)); p.stdin.end(); console.log((await require('stream/consumers').text(p.stdout)).length)",
        "const p = cp.spawn('nope-program'); p.on('error', e => console.log(e.code)); p.stdin.on('error', () => {}); p.stdin.write('x'); await late(20); console.log(typeof p.stdout.on, p.pid)",
        "const {stdout} = cp.exec('echo piped'); console.log(await require('stream/consumers').text(stdout))",
        "const p = cp.spawn('sh', ['-c', 'exec 0<&-; echo ready; exec sleep 60']); await once(p.stdout, 'data'); p.stdin.on('error', e => { console.log(e.code, e.syscall, e.message); p.kill() }); p.stdin.write('x'); await once(p, 'close')",
    ],
    "standard": [
        "Readable.from(['a\\n', Buffer.from('b\\n')]).pipe(process.stdout); await late(); console.log('after')", "fs.createReadStream('text').pipe(process.stdout); await late(20); console.log(process.stdout.writable)",
        "await sp.pipeline(Readable.from(['x', 'y\\n']), process.stdout, {end: false}); console.log('more')",
        "console.log(process.stdout.write('a\\n'), process.stdout.write(Buffer.from('b\\n')), process.stdout.write('YwpkCg==', 'base64'))", "process.stdout.write('x\\n', () => console.log('written')); await late()",
        "process.stdout.write(5)", "console.log(process.stdout instanceof Writable, process.stdout.fd, process.stderr.fd, process.stdin.fd, process.stdin instanceof Readable)",
        "process.stdout.cork(); process.stdout.write('1'); process.stdout.write('2\\n'); process.stdout.uncork(); await late()",
        "for (const b of Buffer.from('é€😀\\n')) process.stdout.write(Buffer.from([b]))",
    ],
}


def fill(folder):
    (folder / "text").write_text("some text\n", "utf-8")
    (folder / "accents").write_text("é€😀" * 5, "utf-8")
    (folder / "large").write_bytes(bytes(range(256)) * 800)
    (folder / "lines").write_bytes(b"one\ntwo\r\n\nfour")
    (folder / "sub").mkdir()
    (folder / "sub/only").write_text("x", "utf-8")


@pytest.mark.parametrize("subject", FILES)
def test_files_and_lines_print_what_they_print_in_node(client, tmp_path, subject):
    assert differences(client, [FILE_HEAD + row for row in FILES[subject]], tmp_path, fill) == []


def test_standard_streams_that_were_ended_begin_anew(client, tmp_path):
    (tmp_path / "text").write_text("of a file\n", "utf-8")

    first = client.run(f"const {{pipeline}} = require('stream/promises'); await pipeline("
                       f"require('fs').createReadStream({str(tmp_path / 'text')!r}), process.stdout)").ok()
    second = client.run("process.stdout.write('later\\n'); process.stderr.destroy(); process.stderr.write('bad\\n')").ok()

    assert first.stdout == "of a file\n"
    assert (second.stdout, second.stderr) == ("later\n", "bad\n")


@pytest.mark.parametrize("subject", STREAMS)
def test_streams_print_what_they_print_in_node(client, tmp_path, subject):
    assert differences(client, [HEAD + row for row in STREAMS[subject]], tmp_path) == []


# Each prints when it is about to run for ever, and counts what it does.
ENDLESS = {
    "iteration": "for await (const c of new Readable({read() { n++; this.push('x') }})) {}",
    "pipeline": "await sp.pipeline(new Readable({read() { n++; this.push('x') }}), sink([]))",
    "timers": "await sp.pipeline(new Readable({read() { n++; this.push('x') }}), "
              "new Writable({write(c, e, cb) { setImmediate(cb) }}))",
    "flowing": "new Readable({read() { n++; this.push('x') }}).on('data', () => {}); await late(1e6)",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_interrupt_ends_a_stream_and_leaves_nothing_behind(client, name):
    request = client.execute(f"var n = 0; {HEAD} console.log('go'); {ENDLESS[name]}")
    client.wait_output(request, "go")

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(request)
    client.run("var before = n; await new Promise(go => setTimeout(go, 30))").ok()

    assert run.content["ename"] == "KeyboardInterrupt"
    assert watch.seconds < scaled(1)
    assert client.run("n === before").ok().result == "true"


def test_stream_that_nothing_can_end_is_told(client):
    run = client.run(HEAD + "for await (const c of new Readable({read() {}})) {}")

    assert run.content["ename"] == "UnsettledAwaitError"


def test_error_that_no_listener_hears_is_told_on_stderr(client):
    run = client.run(HEAD + "new Readable({read() {}}).destroy(new RangeError('unheard')); await late()").ok()

    assert "Uncaught RangeError: unheard" in run.stderr


def test_streams_survive_lost_globals(client):
    """They are loaded before any cell; methods of arrays they use as they find them."""
    client.run("Object.keys = Object.defineProperty = Promise.resolve = () => { throw 1 }; "
               "globalThis.Promise = globalThis.Symbol = undefined; delete globalThis.process").ok()

    run = client.run("const {Readable, Transform} = require('stream'); const t = new Transform({transform(c, e, cb) "
                     "{ cb(null, `${c}`.toUpperCase()) }}); Readable.from(['a']).pipe(t); let s = ''; "
                     "for await (const c of t) s += c; s").ok()

    assert run.result == "'A'"


def test_interrupt_ends_a_read_of_a_child(client):
    request = client.execute("var p = require('child_process').spawn('sleep', ['60']); console.log('go'); "
                             "for await (const c of p.stdout) {}")
    client.wait_output(request, "go")

    client.interrupt()

    assert client.finish(request).content["ename"] == "KeyboardInterrupt"
    assert client.run("p.signalCode ?? (await require('events').once(p, 'exit'))[1]").ok().result == "'SIGINT'"
