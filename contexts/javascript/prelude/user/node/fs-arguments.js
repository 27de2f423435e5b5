// SPDX-License-Identifier: MIT
// fs-arguments.js - paths, flags, modes, times and data as the functions of fs take them.
"use strict";

const k = require("node/kit");
const { coded, argumentType } = require("node/node-error");
const encodings = require("node/encodings");
const { fileURLToPath } = require("node/file-url");

const constants = {
  F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4, COPYFILE_EXCL: 1, COPYFILE_FICLONE: 2,
  COPYFILE_FICLONE_FORCE: 4, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 0o100, O_EXCL: 0o200,
  O_NOCTTY: 0o400, O_TRUNC: 0o1000, O_APPEND: 0o2000, O_NONBLOCK: 0o4000, O_DSYNC: 0o10000,
  O_DIRECTORY: 0o200000, O_NOFOLLOW: 0o400000, O_SYNC: 0o4010000, S_IFMT: 0o170000,
  S_IFREG: 0o100000, S_IFDIR: 0o040000, S_IFCHR: 0o020000, S_IFBLK: 0o060000, S_IFIFO: 0o010000,
  S_IFLNK: 0o120000, S_IFSOCK: 0o140000, S_IRWXU: 0o700, S_IRUSR: 0o400, S_IWUSR: 0o200,
  S_IXUSR: 0o100, S_IRWXG: 0o70, S_IRGRP: 0o40, S_IWGRP: 0o20, S_IXGRP: 0o10, S_IRWXO: 7,
  S_IROTH: 4, S_IWOTH: 2, S_IXOTH: 1,
};
const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_SYNC } = constants;

const FLAGS = {
  "r": O_RDONLY, "rs": O_RDONLY | O_SYNC, "sr": O_RDONLY | O_SYNC, "r+": O_RDWR,
  "rs+": O_RDWR | O_SYNC, "sr+": O_RDWR | O_SYNC, "w": O_TRUNC | O_CREAT | O_WRONLY,
  "wx": O_TRUNC | O_CREAT | O_WRONLY | O_EXCL, "xw": O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  "w+": O_TRUNC | O_CREAT | O_RDWR, "wx+": O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  "xw+": O_TRUNC | O_CREAT | O_RDWR | O_EXCL, "a": O_APPEND | O_CREAT | O_WRONLY,
  "ax": O_APPEND | O_CREAT | O_WRONLY | O_EXCL, "xa": O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  "as": O_APPEND | O_CREAT | O_WRONLY | O_SYNC, "a+": O_APPEND | O_CREAT | O_RDWR,
  "ax+": O_APPEND | O_CREAT | O_RDWR | O_EXCL, "as+": O_APPEND | O_CREAT | O_RDWR | O_SYNC,
  "__proto__": null,
};

/** A path as a string. */
function toPath(value, name = "path") {
  let path = value;
  if (typeof value === "object" && value !== null) {
    path = k.isView(value) ? encodings.decode(value)
         : typeof value.href === "string" ? fileURLToPath(value) : value;
  }
  if (typeof path !== "string") {
    throw argumentType(name, "of type string or an instance of Buffer or URL", value);
  }
  if (k.stringIncludes(path, "\0")) {
    throw coded(k.TypeError, "ERR_INVALID_ARG_VALUE",
                `The argument '${name}' must be a string, Uint8Array, or URL without null bytes.` +
                ` Received '${k.stringReplaceAll(path, "\0", "\\x00")}'`);
  }
  return path;
}

function toFlags(value, otherwise) {
  const flags = value ?? otherwise;
  const number = typeof flags === "number" ? flags : FLAGS[flags];
  if (number === undefined) {
    throw coded(k.TypeError, "ERR_INVALID_ARG_VALUE",
                `The argument 'flags' is invalid. Received '${k.String(flags)}'`);
  }
  return number;
}

function toMode(value, otherwise) {
  if (typeof value !== "string") {
    return value ?? otherwise;
  }
  const mode = k.Number(`0o${value}`);
  if (mode !== mode) {
    throw coded(k.TypeError, "ERR_INVALID_ARG_VALUE",
                "The argument 'mode' must be a 32-bit unsigned integer or an octal string. " +
                `Received '${value}'`);
  }
  return mode;
}

/** Seconds of a number, a text of one, or a Date. */
function toSeconds(value) {
  return value instanceof k.Date ? k.dateGetTime(value) / 1000 : k.Number(value);
}

/** Options that may be only an encoding. */
function toOptions(value, defaults) {
  if (value === undefined || value === null || typeof value === "function") {
    return defaults;
  }
  const options = typeof value === "string" ? { ...defaults, encoding: value }
                                            : { ...defaults, ...value };
  if (options.encoding && options.encoding !== "buffer") {
    if (encodings.normalize(options.encoding) === undefined) {
      throw coded(k.TypeError, "ERR_INVALID_ARG_VALUE",
                  "The argument 'encoding' is invalid encoding. " +
                  `Received '${k.String(options.encoding)}'`);
    }
  }
  return options;
}

/** What is to be written, as bytes. */
function toBytes(data, encoding) {
  if (typeof data === "string") {
    return encodings.encode(data, encoding || "utf8");
  }
  if (k.isView(data)) {
    return encodings.viewOf(data);
  }
  throw argumentType("data", "of type string or an instance of Buffer, TypedArray, or DataView",
                     data);
}

module.exports = { constants, toPath, toFlags, toMode, toSeconds, toOptions, toBytes };
