// SPDX-License-Identifier: MIT
// child-launch.js - starts processes: arguments in Node's loose order, pipes, environment.
"use strict";

const k = require("node/kit");
const { coded, argumentType } = require("node/node-error");
const { adopt } = require("node/buffer");
const { SIGNALS } = require("node/platform");
const { toPath } = require("node/fs-arguments");
const { child, fs, system } = native;

const NULL = -1;
const BLOCK = 65536;
const EAGAIN = 11;
const MAX_BUFFER = 1024 * 1024;

/** One clear error where the policy of the context forbids processes. */
function checkPolicy() {
  if (native.policy?.processes === false) {
    throw coded(k.Error, "ERR_ACCESS_DENIED",
                "Child processes are not allowed in this context; its policy decides that");
  }
}

/** NAME=value of an object, or of the process itself. */
function environmentOf(env) {
  const pairs = [];
  if (env === undefined || env === null) {
    for (const name of system.envNames()) {
      k.arrayPush(pairs, `${name}=${system.getEnv(name)}`);
    }
    return pairs;
  }
  for (const name of k.objectKeys(env)) {
    if (env[name] !== undefined) {
      k.arrayPush(pairs, `${name}=${env[name]}`);
    }
  }
  return pairs;
}

/** "pipe", "ignore", "inherit" or a number, for each of the three. */
function stdioOf(given, otherwise) {
  const all = typeof given === "string" ? [given, given, given] : given ?? [];
  return [0, 1, 2].map((i) => {
    const one = all[i] ?? otherwise[i];
    return typeof one === "object" && typeof one?.fd === "number" ? one.fd : one;
  });
}

function closeAll(fds) {
  for (const fd of fds) {
    fs.close(fd);
  }
}

/** Starts a process. Gives {pid, ours} or {errno}; `ours` are our ends of its pipes. */
function launch(file, args, options, stdio) {
  checkPolicy();
  const theirs = [];
  const ours = [null, null, null];
  const toClose = [];
  stdio.forEach((kind, i) => {
    if (kind === "pipe" || kind === "overlapped") {
      const [reading, writing] = child.pipe();
      const [mine, its] = i === 0 ? [writing, reading] : [reading, writing];
      fs.nonblock(mine);
      ours[i] = mine;
      toClose.push(its);
      theirs.push(its);
    } else {
      theirs.push(kind === "ignore" ? NULL : kind === "inherit" ? i : kind);
    }
  });
  const cwd = options.cwd === undefined || options.cwd === null ? undefined
    : toPath(options.cwd, "options.cwd");
  const argv = [options.argv0 ?? file, ...args];
  const pid = child.spawn(file, argv, environmentOf(options.env), theirs, cwd, !!options.detached);
  closeAll(toClose);
  if (pid < 0) {
    closeAll(ours.filter((fd) => fd !== null));
    return { errno: -pid };
  }
  return { pid, ours };
}

/** The program and arguments that run a command in a shell. */
function shellOf(options) {
  return typeof options.shell === "string" ? options.shell : "/bin/sh";
}

/** (file, args?, options?) in Node's loose order. */
function normalize(file, args, options) {
  if (typeof file !== "string") {
    throw argumentType("file", "of type string", file);
  }
  if (file === "") {
    throw coded(k.TypeError, "ERR_INVALID_ARG_VALUE",
                "The argument 'file' cannot be empty. Received ''");
  }
  const list = k.isArray(args) ? args.map((arg) => `${arg}`) : [];
  const given = (k.isArray(args) || args === undefined || args === null ? options : args) ?? {};
  if (given.shell) {
    return { file: shellOf(given), args: ["-c", [file, ...list].join(" ")], options: given };
  }
  return { file, args: list, options: given };
}

function signalNumber(signal) {
  const number = typeof signal === "number" ? signal : SIGNALS[signal ?? "SIGTERM"];
  if (number === undefined) {
    throw coded(k.TypeError, "ERR_UNKNOWN_SIGNAL", `Unknown signal: ${signal}`);
  }
  return number;
}

function join(chunks) {
  let size = 0;
  for (const chunk of chunks) {
    size += chunk.length;
  }
  const all = new k.Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    k.bytesSet(all, chunk, at);
    at += chunk.length;
  }
  return adopt(all);
}

/** Reads what is there: bytes, null at the end, undefined when there is nothing yet. */
function readSome(fd) {
  const bytes = new k.Uint8Array(BLOCK);
  const count = fs.read(fd, bytes, 0, BLOCK, -1);
  if (count === -EAGAIN) {
    return undefined;
  }
  return count <= 0 ? null : k.bytesSubarray(bytes, 0, count);
}

/** Writes as much as goes: what is left, or null when the other end is closed. */
function writeSome(fd, bytes) {
  const count = fs.write(fd, bytes, 0, bytes.length, -1);
  return count >= 0 ? k.bytesSubarray(bytes, count) : count === -EAGAIN ? bytes : null;
}

module.exports = {
  MAX_BUFFER, launch, stdioOf, normalize, signalNumber, closeAll, join, readSome, writeSome,
};
