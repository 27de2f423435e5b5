// SPDX-License-Identifier: MIT
// fs-streams.js - fs.ReadStream and fs.WriteStream, over the functions of fs with callbacks.
"use strict";

const k = require("node/kit");
const { argumentRange, argumentType, checkFunction } = require("node/node-error");
const { toOptions, toPath } = require("node/fs-arguments");
const { Stream: { Readable, Writable, finished } } = require("node/stream");
const { adopt } = require("node/buffer");
const { join } = require("node/child-launch");
const { validateInteger } = require("readable-stream/internal/validators");

const READ_AHEAD = 64 * 1024;
const FUNCTIONS = ["open", "close", "read", "write"];
const FS = Symbol("kFs");
const HANDLE = Symbol("kHandle"); // the FileHandle that made the stream, and is closed with it

/** What both kinds begin with: the options, and where the file is. */
function prepare(stream, path, given, defaults, fs) {
  const options = { ...toOptions(given, {}) };
  const { fd } = options;
  options.highWaterMark ??= defaults.highWaterMark;
  options.autoDestroy = options.autoClose ?? true;
  stream[FS] = options.fs ?? fs;
  k.arrayForEach(FUNCTIONS, (name) => {
    if (options.fs?.[name] !== undefined) {
      checkFunction(options.fs[name], `options.fs.${name}`);
    }
  });
  stream[HANDLE] = typeof fd === "object" && fd !== null ? fd : null;
  if (fd === undefined || fd === null) {
    stream.fd = null;
    stream.path = toPath(path);
    stream.flags = options.flags ?? defaults.flags;
    stream.mode = options.mode ?? 0o666;
  } else {
    stream.fd = stream[HANDLE] === null ? fd : stream[HANDLE].fd;
    if (typeof stream.fd !== "number") {
      throw argumentType("options.fd", "of type number or an instance of FileHandle", fd);
    }
  }
  checkRange(options);
  stream.start = options.start;
  stream.pos = options.start;
  return options;
}

function checkRange({ start, end }) {
  if (start !== undefined) {
    validateInteger(start, "start", 0);
  }
  if (end !== undefined && end !== Infinity) {
    validateInteger(end, "end", 0);
    if (start > end) {
      throw argumentRange("start", `<= "end" (here: ${end})`, start);
    }
  }
}

/** Opens the file, unless it was given open. Packages put an open() of their own into streams. */
function construct(done) {
  if (typeof this.fd === "number") {
    done();
    return;
  }
  if (this.open !== undefined) {
    openAsTheyDo(this, done);
    return;
  }
  this[FS].open(this.path, this.flags, this.mode, (error, fd) => {
    if (error) {
      done(error);
      return;
    }
    this.fd = fd;
    done();
    this.emit("open", fd);
    this.emit("ready");
  });
}

function openAsTheyDo(stream, done) {
  const { emit } = stream;
  stream.emit = (name, ...args) => {
    if (name === "open" || name === "error") {
      stream.emit = emit;
      done(name === "error" ? args[0] : null);
    }
    return name === "error" ? true : k.apply(emit, stream, k.arrayConcat([name], args));
  };
  stream.open();
}

function destroy(error, done) {
  if (this[HANDLE] !== null) {
    const closed = this[HANDLE].close();
    k.promiseThen(closed, () => done(error), (failure) => done(error ?? failure));
  } else if (typeof this.fd === "number") {
    this[FS].close(this.fd, (failure) => done(error ?? failure));
  } else {
    done(error);
  }
  this.fd = null;
}

function define(type, base, methods) {
  k.setPrototypeOf(type, base);
  type.prototype = k.createObject(base.prototype, {
    constructor: { value: type, writable: true, configurable: true },
    pending: { get() { return this.fd === null; }, configurable: true },
    autoClose: {
      get() { return (this._readableState ?? this._writableState).autoDestroy; },
      set(value) { (this._readableState ?? this._writableState).autoDestroy = value; },
      configurable: true,
    },
  });
  k.assign(type.prototype, { _construct: construct, _destroy: destroy }, methods);
}

/** The two classes, over the module fs. Functions, because packages call them without `new`. */
function makeStreams(fs) {
  function ReadStream(path, given) {
    if (!(this instanceof ReadStream)) {
      return new ReadStream(path, given);
    }
    const options = prepare(this, path, given, { highWaterMark: READ_AHEAD, flags: "r" }, fs);
    this.end = options.end ?? Infinity;
    this.bytesRead = 0;
    if (this.start === undefined && this.end !== Infinity) {
      this.pos = this.start = 0; // only the part that is wanted is counted
    }
    k.apply(Readable, this, [options]);
    if (options.encoding) {
      this.setEncoding(options.encoding);
    }
  }
  define(ReadStream, Readable, { _read: read, close: closeReading });

  function WriteStream(path, given) {
    if (!(this instanceof WriteStream)) {
      return new WriteStream(path, given);
    }
    const options = prepare(this, path, given, { flags: "w" }, fs);
    this.bytesWritten = 0;
    options.decodeStrings = true;
    k.apply(Writable, this, [options]);
    if (options.encoding) {
      this.setDefaultEncoding(options.encoding);
    }
  }
  define(WriteStream, Writable, {
    _write: write, _writev: writeMany, close: closeWriting, destroySoon: Writable.prototype.end,
  });

  return {
    ReadStream, WriteStream,
    createReadStream: (path, options) => new ReadStream(path, options),
    createWriteStream: (path, options) => new WriteStream(path, options),
  };
}

function read(wanted) {
  const left = this.end - (this.pos ?? this.bytesRead) + 1;
  const size = k.min(left, wanted);
  if (size <= 0) {
    this.push(null);
    return;
  }
  this[FS].read(this.fd, adopt(new k.Uint8Array(size)), 0, size, this.pos ?? null,
                (error, count, buffer) => {
    if (error) {
      this.destroy(error);
    } else if (count === 0) {
      this.push(null);
    } else if (!this.destroyed) {
      this.pos = this.pos === undefined ? undefined : this.pos + count;
      this.bytesRead += count;
      this.push(count === buffer.length ? buffer : adopt(k.bytesSubarray(buffer, 0, count)));
    }
  });
}

function closeReading(callback) {
  finished(this, callback ?? (() => {}));
  this.destroy();
}

/** Writes all of the bytes, however many calls that takes. */
function write(bytes, _encoding, done) {
  this[FS].write(this.fd, bytes, 0, bytes.length, this.pos ?? null, (error, count) => {
    if (error) {
      done(error);
      return;
    }
    this.bytesWritten += count;
    this.pos = this.pos === undefined ? undefined : this.pos + count;
    if (count < bytes.length) {
      k.apply(write, this, [adopt(k.bytesSubarray(bytes, count)), undefined, done]);
    } else {
      done();
    }
  });
}

function writeMany(chunks, done) {
  k.apply(write, this, [join(k.arrayMap(chunks, ({ chunk }) => chunk)), undefined, done]);
}

function closeWriting(callback) {
  if (typeof callback === "function") {
    if (this.closed) {
      globalThis.queueMicrotask(callback);
      return;
    }
    this.on("close", callback);
  }
  if (!this.autoClose) {
    this.on("finish", this.destroy);
  }
  this.end();
}

module.exports = { makeStreams };
