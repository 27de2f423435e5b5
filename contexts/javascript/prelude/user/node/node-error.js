// SPDX-License-Identifier: MIT
// node-error.js - errors with Node's codes and texts.
"use strict";

const k = require("node/kit");

// Numbers of Linux, and the texts that libuv has for them.
const SYSTEM = {
  1: ["EPERM", "operation not permitted"], 2: ["ENOENT", "no such file or directory"],
  3: ["ESRCH", "no such process"], 4: ["EINTR", "interrupted system call"],
  5: ["EIO", "i/o error"], 6: ["ENXIO", "no such device or address"],
  7: ["E2BIG", "argument list too long"], 9: ["EBADF", "bad file descriptor"],
  10: ["ECHILD", "no child processes"], 11: ["EAGAIN", "resource temporarily unavailable"],
  12: ["ENOMEM", "not enough memory"], 13: ["EACCES", "permission denied"],
  14: ["EFAULT", "bad address in system call argument"], 16: ["EBUSY", "resource busy or locked"],
  17: ["EEXIST", "file already exists"], 18: ["EXDEV", "cross-device link not permitted"],
  19: ["ENODEV", "no such device"], 20: ["ENOTDIR", "not a directory"],
  21: ["EISDIR", "illegal operation on a directory"], 22: ["EINVAL", "invalid argument"],
  23: ["ENFILE", "file table overflow"], 24: ["EMFILE", "too many open files"],
  26: ["ETXTBSY", "text file is busy"], 27: ["EFBIG", "file too large"],
  28: ["ENOSPC", "no space left on device"], 29: ["ESPIPE", "invalid seek"],
  30: ["EROFS", "read-only file system"], 31: ["EMLINK", "too many links"],
  32: ["EPIPE", "broken pipe"], 36: ["ENAMETOOLONG", "name too long"],
  38: ["ENOSYS", "function not implemented"], 39: ["ENOTEMPTY", "directory not empty"],
  40: ["ELOOP", "too many symbolic links encountered"],
  95: ["ENOTSUP", "operation not supported on socket"],
  110: ["ETIMEDOUT", "connection timed out"], 111: ["ECONNREFUSED", "connection refused"],
  122: ["EDQUOT", "disk quota exceeded"],
};

/** [code, text] of a number of the system. */
function systemError(errno) {
  return SYSTEM[errno] ?? [`E${errno}`, "unknown error"];
}

/** The error of a failed call of the system, as Node builds it. */
function callError(errno, syscall, path, dest) {
  const { 0: code, 1: text } = systemError(errno);
  const second = dest === undefined ? "" : ` -> '${dest}'`;
  const where = path === undefined ? "" : ` '${path}'${second}`;
  const error = new k.Error(`${code}: ${text}, ${syscall}${where}`);
  error.errno = -errno;
  error.code = code;
  error.syscall = syscall;
  if (path !== undefined) {
    error.path = path;
  }
  if (dest !== undefined) {
    error.dest = dest;
  }
  return error;
}

/** Throws when a native call gave minus errno; else gives its result. */
function check(result, syscall, path, dest) {
  if (typeof result === "number" && result < 0) {
    throw callError(-result, syscall, path, dest);
  }
  return result;
}

/** An error whose stack shows its code behind its name, as Node's own errors do. */
function coded(Base, code, message) {
  const error = new Base(message);
  const { stack } = error;
  if (typeof stack === "string") {
    const name = error.name;
    k.defineProperty(error, "stack", {
      value: `${name} [${code}]${k.stringSlice(stack, name.length)}`,
      writable: true, configurable: true, enumerable: false,
    });
  }
  error.code = code;
  return error;
}

function typeName(value) {
  if (value === null || value === undefined) {
    return ` Received ${value}`;
  }
  if (typeof value === "function") {
    return ` Received function ${value.name}`;
  }
  if (typeof value === "object") {
    const name = value.constructor?.name;
    return name ? ` Received an instance of ${name}` : " Received an object";
  }
  const text = typeof value === "string" ? `'${k.stringSlice(value, 0, 25)}'` : k.String(value);
  return ` Received type ${typeof value} (${text})`;
}

function argumentType(name, expected, value) {
  const what = k.stringIncludes(name, ".") ? "property" : "argument";
  return coded(k.TypeError, "ERR_INVALID_ARG_TYPE",
               `The "${name}" ${what} must be ${expected}.${typeName(value)}`);
}

function argumentRange(name, range, value) {
  return coded(k.RangeError, "ERR_OUT_OF_RANGE",
               `The value of "${name}" is out of range. It must be ${range}. ` +
               `Received ${k.String(value)}`);
}

function checkFunction(value, name) {
  if (typeof value !== "function") {
    throw argumentType(name, "of type function", value);
  }
}

function invalidUrl(input) {
  const error = coded(k.TypeError, "ERR_INVALID_URL", "Invalid URL");
  error.input = input;
  return error;
}

/** Of `ext` bytes at `offset` of a buffer: throws when they are not all inside. */
function checkOffset(offset, ext, length) {
  if (typeof offset !== "number") {
    throw argumentType("offset", "of type number", offset);
  }
  if (length < ext) {
    throw coded(k.RangeError, "ERR_BUFFER_OUT_OF_BOUNDS",
                "Attempt to access memory outside buffer bounds");
  }
  if (!k.isInteger(offset)) {
    throw argumentRange("offset", "an integer", offset);
  }
  if (offset < 0 || offset + ext > length) {
    throw argumentRange("offset", `>= 0 and <= ${length - ext}`, offset);
  }
}

module.exports = {
  invalidUrl, checkOffset,
  SYSTEM, systemError, callError, check, coded, argumentType, argumentRange, checkFunction,
};
