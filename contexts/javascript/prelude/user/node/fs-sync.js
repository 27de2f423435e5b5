// SPDX-License-Identifier: MIT
// fs-sync.js - the synchronous functions of fs. The others stand on them.
"use strict";

const k = require("node/kit");
const { check, callError, argumentType } = require("node/node-error");
const { Stats, Dirent } = require("node/stats");
const { Dir } = require("node/dir");
const args = require("node/fs-arguments");
const encodings = require("node/encodings");
const { adopt } = require("node/buffer");
const path = require("node/paths");

const { toPath, toFlags, toMode, toSeconds, toOptions, toBytes } = args;
const { fs, names } = native;
const { dirname, join, resolve } = path;
const ENOENT = 2, EEXIST = 17, ENOTDIR = 20, EISDIR = 21;

function openSync(file, flags = "r", mode = 0o666) {
  const name = toPath(file);
  return check(fs.open(name, toFlags(flags, "r"), toMode(mode, 0o666)), "open", name);
}

function closeSync(fd) {
  check(fs.close(fd), "close");
}

function readFd(fd) {
  return adopt(check(fs.readAll(fd), "read"));
}

function readFileSync(file, options) {
  const { encoding, flag } = toOptions(options, { flag: "r" });
  const fd = typeof file === "number" ? file : openSync(file, flag);
  try {
    const bytes = readFd(fd);
    return encoding && encoding !== "buffer" ? encodings.decode(bytes, encoding) : bytes;
  } finally {
    if (typeof file !== "number") {
      fs.close(fd);
    }
  }
}

/** Writes all of the bytes. */
function writeAll(fd, bytes) {
  for (let done = 0; done < bytes.length;) {
    done += check(fs.write(fd, bytes, done, bytes.length - done, -1), "write");
  }
}

function writeFileSync(file, data, options) {
  const { encoding, flag, mode } = toOptions(options, { encoding: "utf8", mode: 0o666, flag: "w" });
  const bytes = toBytes(data, encoding);
  const fd = typeof file === "number" ? file : openSync(file, flag, mode);
  try {
    writeAll(fd, bytes);
  } finally {
    if (typeof file !== "number") {
      fs.close(fd);
    }
  }
}

function appendFileSync(file, data, options) {
  writeFileSync(file, data, toOptions(options, { encoding: "utf8", mode: 0o666, flag: "a" }));
}

function existsSync(file) {
  try {
    return fs.access(toPath(file), 0) === 0;
  } catch {
    return false;
  }
}

function accessSync(file, mode = 0) {
  const name = toPath(file);
  check(fs.access(name, mode), "access", name);
}

function stat(file, follow, syscall, options) {
  const name = typeof file === "number" ? file : toPath(file);
  const result = fs.stat(name, follow);
  if (options?.throwIfNoEntry === false && (result === -ENOENT || result === -ENOTDIR)) {
    return undefined;
  }
  check(result, syscall, typeof file === "number" ? undefined : name);
  return new Stats(result, options?.bigint);
}

const statSync = (file, options) => stat(file, true, "stat", options);
const lstatSync = (file, options) => stat(file, false, "lstat", options);

function fstatSync(fd, options) {
  if (typeof fd !== "number") {
    throw argumentType("fd", "of type number", fd);
  }
  return stat(fd, true, "fstat", options);
}

/** {name, type} of everything in a folder, sorted as Node's users see it. */
function list(folder, syscall = "scandir") {
  const found = check(names.readdir(folder), syscall, folder);
  const pairs = [];
  for (let i = 0; i < found.length; i += 2) {
    k.arrayPush(pairs, { name: found[i], type: found[i + 1] });
  }
  return k.arraySort(pairs, (a, b) => (a.name < b.name ? -1 : 1));
}

const FOLDER = 4;

function readdirSync(folder, options) {
  const { withFileTypes, recursive } = toOptions(options, {});
  const top = toPath(folder);
  const out = [];
  const waiting = [""];
  while (waiting.length > 0) {
    const below = k.arrayShift(waiting);
    const where = below === "" ? top : join(top, below);
    const found = list(where);
    for (let i = 0; i < found.length; i++) {
      const { name, type } = found[i];
      const inside = below === "" ? name : join(below, name);
      k.arrayPush(out, withFileTypes ? new Dirent(name, where, type) : inside);
      if (recursive && type === FOLDER) {
        k.arrayPush(waiting, inside);
      }
    }
  }
  return out;
}

function opendirSync(folder, options) {
  const name = toPath(folder);
  list(name, "opendir"); // says what is wrong
  return new Dir(name, readdirSync(name, { recursive: options?.recursive, withFileTypes: true }));
}

/** Makes all folders that are missing; gives the first of them. */
function makeAll(name, mode) {
  const result = fs.mkdir(name, mode);
  if (result === -ENOENT && dirname(name) !== name) {
    const first = makeAll(dirname(name), mode);
    check(fs.mkdir(name, mode), "mkdir", name);
    return first ?? name;
  }
  if (result === -EEXIST && fs.stat(name, true)[1] >> 12 === FOLDER) {
    return undefined;
  }
  check(result, "mkdir", name);
  return name;
}

function mkdirSync(folder, options) {
  const name = toPath(folder);
  const given = typeof options === "object" && options !== null ? options : { mode: options };
  const mode = toMode(given.mode, 0o777);
  if (given.recursive) {
    return makeAll(name, mode);
  }
  check(fs.mkdir(name, mode), "mkdir", name);
  return undefined;
}

function rmdirSync(folder, options) {
  const name = toPath(folder);
  if (options?.recursive) {
    removeTree(name);
  } else {
    check(fs.rmdir(name), "rmdir", name);
  }
}

function unlinkSync(file) {
  const name = toPath(file);
  check(fs.unlink(name), "unlink", name);
}

function removeTree(name) {
  const result = fs.unlink(name);
  if (result !== -EISDIR && result !== -1) {
    check(result, "unlink", name);
    return;
  }
  k.arrayForEach(list(name), (entry) => removeTree(join(name, entry.name)));
  check(fs.rmdir(name), "rmdir", name);
}

function rmSync(file, options) {
  const name = toPath(file);
  const found = fs.stat(name, false);
  if (typeof found === "number") {
    if (!options?.force) {
      throw callError(-found, "lstat", name);
    }
    return;
  }
  if (found[1] >> 12 !== FOLDER) {
    check(fs.unlink(name), "rm", name);
  } else if (options?.recursive) {
    removeTree(name);
  } else {
    const error = new k.Error(`Path is a directory: rm returned EISDIR (is a directory) ${name}`);
    error.name = "SystemError";
    throw k.assign(error, { code: "ERR_FS_EISDIR", errno: EISDIR, syscall: "rm", path: name });
  }
}

/** Functions of two paths, under the names that the system has for them. */
function pairCall(call, syscall) {
  return (from, to) => {
    const first = toPath(from, "oldPath");
    const second = toPath(to, "newPath");
    check(call(first, second), syscall, first, second);
  };
}

const renameSync = pairCall(fs.rename, "rename");
const linkSync = pairCall(fs.link, "link");
const symlinkSync = pairCall(fs.symlink, "symlink");

function copyFileSync(from, to, mode = 0) {
  const first = toPath(from, "src");
  const second = toPath(to, "dest");
  check(names.copyFile(first, second, (mode & 1) !== 0), "copyfile", first, second);
}

function cpSync(from, to, options = {}) {
  const first = toPath(from, "src");
  const second = toPath(to, "dest");
  if (!statSync(first).isDirectory()) {
    makeAll(dirname(resolve(second)), 0o777);
    copyFileSync(first, second, options.force === false && options.errorOnExist ? 1 : 0);
    return;
  }
  if (!options.recursive) {
    const error = new k.Error(`Recursive option not enabled, cannot copy a directory: ${first}`);
    throw k.assign(error, { code: "ERR_FS_EISDIR" });
  }
  makeAll(resolve(second), 0o777);
  k.arrayForEach(list(first), ({ name }) => cpSync(join(first, name), join(second, name), options));
}

function nameCall(call, syscall) {
  return (file) => {
    const name = toPath(file);
    return check(call(name), syscall, name);
  };
}

const readlinkSync = nameCall(names.readlink, "readlink");

function realpathSync(file) {
  const name = toPath(file);
  return check(names.realpath(name), "lstat", resolve(name));
}
realpathSync.native = realpathSync;

function mkdtempSync(prefix) {
  const name = toPath(prefix, "prefix");
  return check(names.mkdtemp(name), "mkdtemp", `${name}XXXXXX`);
}

function chmodSync(file, mode) {
  const name = toPath(file);
  check(fs.chmod(name, toMode(mode)), "chmod", name);
}

function chownSync(file, uid, gid) {
  const name = toPath(file);
  check(fs.chown(name, uid, gid), "chown", name);
}

function utimesSync(file, atime, mtime) {
  const name = toPath(file);
  check(fs.utimes(name, toSeconds(atime), toSeconds(mtime)), "utime", name);
}

function truncateSync(file, length = 0) {
  const name = toPath(file);
  check(fs.truncate(name, length), "truncate", name);
}

function ftruncateSync(fd, length = 0) {
  check(fs.ftruncate(fd, length), "ftruncate");
}

function fsyncSync(fd) {
  check(fs.fsync(fd), "fsync");
}

function readSync(fd, buffer, offset, length, position) {
  const given = typeof offset === "object" && offset !== null ? offset
    : { offset, length, position };
  const bytes = encodings.viewOf(buffer);
  const start = given.offset ?? 0;
  const at = typeof given.position === "number" ? given.position : k.Number(given.position ?? -1);
  return check(fs.read(fd, bytes, start, given.length ?? bytes.length - start, at), "read");
}

function writeSync(fd, data, offset, length, position) {
  if (typeof data === "string") {
    const bytes = encodings.encode(data, length ?? "utf8");
    return check(fs.write(fd, bytes, 0, bytes.length, offset ?? -1), "write");
  }
  const bytes = toBytes(data);
  const start = offset ?? 0;
  return check(fs.write(fd, bytes, start, length ?? bytes.length - start, position ?? -1), "write");
}

module.exports = {
  openSync, closeSync, readFileSync, writeFileSync, appendFileSync, existsSync,
  accessSync, statSync,
  lstatSync, fstatSync, readdirSync, opendirSync, mkdirSync, rmdirSync, unlinkSync, rmSync,
  renameSync, linkSync,
  symlinkSync, copyFileSync, cpSync, readlinkSync, realpathSync, mkdtempSync, chmodSync, chownSync,
  utimesSync, truncateSync, ftruncateSync, fsyncSync, readSync, writeSync,
};
