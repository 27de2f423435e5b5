# SPDX-License-Identifier: MIT
"""fs in JavaScript contexts: every row prints what it prints in Node in the same run."""
import os

import pytest

from support.node import differences

LANGUAGE = "javascript"
FS = "const fs = require('fs');"


def fill(folder):
    (folder / "a.txt").write_text("text é\n", "utf-8")
    (folder / "bytes").write_bytes(bytes(range(0, 256, 17)))
    (folder / "dir/sub").mkdir(parents=True)
    (folder / "dir/one.js").write_text("1", "utf-8")
    (folder / "dir/sub/two.js").write_text("2", "utf-8")
    (folder / "link").symlink_to("a.txt")
    (folder / "locked").write_text("x", "utf-8")
    os.chmod(folder / "locked", 0o640)
    os.utime(folder / "a.txt", (1000, 2000.5))


SAME_AS_NODE = {
    "reading": [
        "fs.readFileSync('a.txt', 'utf8')", "fs.readFileSync('a.txt')", "fs.readFileSync('bytes', 'hex')",
        "fs.readFileSync('bytes', {encoding: 'base64'})", "fs.readFileSync('bytes', 'latin1').length", "fs.readFileSync('none')",
        "fs.readFileSync('dir')", "fs.readFileSync('a.txt', 'nope')", "fs.readFileSync(Buffer.from('a.txt'), 'utf8')",
        "fs.readFileSync(new URL('file://' + process.cwd() + '/a.txt'), 'utf8')", "fs.readFileSync('a\\0b')", "fs.readFileSync({})",
        "fs.existsSync('a.txt') + ' ' + fs.existsSync('none') + ' ' + fs.existsSync(5)", "fs.readFileSync('/dev/null')",
        "fs.readFileSync('/proc/self/comm', 'utf8').length > 0", "fs.readFileSync('a.txt', {flag: 'zz'})",
    ],
    "writing": [
        "fs.writeFileSync('w', 'one'); fs.appendFileSync('w', ' two'); console.log(fs.readFileSync('w', 'utf8'))",
        "fs.writeFileSync('w', Buffer.from([1, 2, 3])); console.log(fs.readFileSync('w'))",
        "fs.writeFileSync('w', new Uint16Array([1, 2])); console.log(fs.readFileSync('w'))",
        "fs.writeFileSync('w', 'aGk=', 'base64'); console.log(fs.readFileSync('w', 'utf8'))", "fs.writeFileSync('none/x', 'y')",
        "fs.writeFileSync('w', 5)", "fs.writeFileSync('w', {})", "fs.writeFileSync('w', 'x', {flag: 'wx'})", "fs.writeFileSync('dir', 'x')",
        "fs.writeFileSync('m', 'x', {mode: 0o600}); console.log((fs.statSync('m').mode & 0o777).toString(8))",
        "fs.copyFileSync('a.txt', 'copy'); console.log(fs.readFileSync('copy', 'utf8'))", "fs.copyFileSync('a.txt', 'a.txt'); console.log(fs.readFileSync('a.txt', 'utf8'))",
        "fs.copyFileSync('a.txt', 'bytes', fs.constants.COPYFILE_EXCL)", "fs.copyFileSync('none', 'x')",
        "fs.truncateSync('w', 1); console.log(fs.readFileSync('w').length)",
        "const f = fs.openSync('o', 'w+'); fs.writeSync(f, 'hello'); fs.writeSync(f, Buffer.from('J'), 0, 1, 0); const b = Buffer.alloc(5); console.log(fs.readSync(f, b, 0, 5, 0), b.toString(), fs.fstatSync(f).size); fs.closeSync(f)",
        "fs.openSync('none', 'r')", "fs.closeSync(9999)", "fs.cpSync('dir', 'tree', {recursive: true}); console.log(fs.readdirSync('tree', {recursive: true}).sort())",
    ],
    "folders": [
        "fs.readdirSync('dir')", "fs.readdirSync('dir', {recursive: true}).sort()", "fs.readdirSync('none')", "fs.readdirSync('a.txt')",
        "fs.readdirSync('.', {withFileTypes: true}).filter(d => d.name !== 'rows.cjs').map(d => [d.name, d.isDirectory(), d.isFile(), d.isSymbolicLink()]).sort()",
        "fs.mkdirSync('n/e/w', {recursive: true})", "fs.mkdirSync('n/e/w', {recursive: true})", "fs.mkdirSync('dir')", "fs.mkdirSync('x/y/z')",
        "fs.mkdirSync('a.txt/b', {recursive: true})", "fs.rmdirSync('dir')", "fs.rmSync('dir')", "fs.rmSync('none')",
        "fs.rmSync('none', {force: true})", "fs.rmSync('n', {recursive: true}); console.log(fs.existsSync('n'))", "fs.rmdirSync('none')",
        "const d = fs.mkdtempSync('tmp-'); console.log(d.length, fs.statSync(d).isDirectory()); fs.rmdirSync(d)", "fs.mkdtempSync('none/x')",
    ],
    "names": [
        "fs.renameSync('a.txt', 'b.txt'); console.log(fs.existsSync('a.txt')); fs.renameSync('b.txt', 'a.txt')", "fs.renameSync('none', 'x')",
        "fs.unlinkSync('none')", "fs.unlinkSync('dir')", "fs.readlinkSync('link')", "fs.readlinkSync('a.txt')", "fs.realpathSync('link')",
        "fs.realpathSync('dir/../a.txt')", "fs.symlinkSync('dir', 'l2'); console.log(fs.lstatSync('l2').isSymbolicLink(), fs.statSync('l2').isDirectory()); fs.unlinkSync('l2')",
        "fs.symlinkSync('x', 'link')", "fs.linkSync('a.txt', 'hard'); console.log(fs.statSync('hard').nlink); fs.unlinkSync('hard')",
        "fs.accessSync('a.txt', fs.constants.R_OK)", "fs.accessSync('none')", "fs.realpathSync('none')",
    ],
    "stats": [
        "fs.statSync('a.txt').size", "fs.statSync('a.txt').isFile() + ' ' + fs.statSync('dir').isDirectory()", "fs.statSync('a.txt').mtimeMs",
        "fs.statSync('a.txt').atime", "fs.statSync('none')", "fs.statSync('none', {throwIfNoEntry: false})", "(fs.statSync('locked').mode & 0o777).toString(8)",
        "fs.chmodSync('locked', 0o600); console.log(fs.statSync('locked').mode)", "fs.chmodSync('none', '600')", "fs.lstatSync('link').isSymbolicLink()",
        "fs.utimesSync('bytes', 1, new Date(5000)); console.log(fs.statSync('bytes').mtimeMs, fs.statSync('bytes').atimeMs)", "typeof fs.statSync('a.txt', {bigint: true}).size",
        "Object.keys(fs.statSync('a.txt'))", "fs.lstatSync('none')", "fs.statSync('a.txt/x')",
    ],
    "promises": [
        "await require('fs/promises').readFile('a.txt', 'utf8')", "await fs.promises.readFile('none')", "await fs.promises.readdir('dir')",
        "await fs.promises.writeFile('p', 'x'); await fs.promises.appendFile('p', 'y'); console.log(await fs.promises.readFile('p', 'utf8'))",
        "(await fs.promises.stat('dir')).isDirectory()", "await fs.promises.mkdir('pd/q', {recursive: true}); await fs.promises.rm('pd', {recursive: true}); console.log(fs.existsSync('pd'))",
        "await fs.promises.access('none')", "const h = await fs.promises.open('a.txt'); console.log((await h.readFile('utf8')), (await h.stat()).size); await h.close()",
        "await Promise.all(['a.txt', 'bytes'].map(f => fs.promises.readFile(f).then(b => b.length)))", "await fs.promises.copyFile('a.txt', 'pc'); console.log(fs.existsSync('pc'))",
        "require('node:fs').promises === require('fs/promises')", "await fs.promises.unlink('none')", "await fs.promises.rename('pc', 'pc2')", "typeof (await fs.promises.mkdtemp('t-'))",
    ],
    "callbacks": [
        "await new Promise(r => fs.readFile('a.txt', 'utf8', (e, d) => r(console.log(e, d))))", "await new Promise(r => fs.readFile('none', e => r(console.log(e.code, e.message))))",
        "await new Promise(r => fs.writeFile('cb', 'x', e => r(console.log(e))))", "await new Promise(r => fs.stat('a.txt', (e, s) => r(console.log(s.size))))",
        "await new Promise(r => fs.exists('a.txt', yes => r(console.log(yes))))", "await new Promise(r => fs.readdir('dir', (e, names) => r(console.log(names))))",
        "await new Promise(r => { fs.access('a.txt', e => r(console.log('later', e))); console.log('first') })", "fs.readFile('a.txt')",
        "await new Promise(r => fs.open('a.txt', 'r', (e, fd) => fs.read(fd, Buffer.alloc(4), 0, 4, 0, (e2, n, b) => fs.close(fd, () => r(console.log(n, b.toString()))))))",
        "await require('util').promisify(fs.readFile)('a.txt', 'utf8')",
    ],
}


@pytest.mark.parametrize("subject", SAME_AS_NODE)
def test_files_behave_as_in_node(client, tmp_path, subject):
    rows = [f"{FS} {row if 'console.' in row or '; ' in row else f'console.log({row})'}"
            for row in SAME_AS_NODE[subject]]

    assert differences(client, rows, tmp_path, fill) == []


def test_large_files_are_read_and_written_whole(client, tmp_path):
    path = tmp_path / "large"

    run = client.run(f"{FS} fs.writeFileSync({str(path)!r}, 'é'.repeat(5_000_000));\n"
                     f"fs.readFileSync({str(path)!r}, 'utf8').length", seconds=30)

    assert run.ok().result == "5000000"
    assert path.stat().st_size == 10_000_000


def test_error_of_a_missing_file_is_shown_as_node_shows_it(client):
    run = client.run("require('fs').readFileSync('/none/such')")

    assert run.content["ename"] == "Error"
    assert run.content["evalue"] == "ENOENT: no such file or directory, open '/none/such'"
    assert "errno: -2" in "".join(run.content["traceback"])
