// SPDX-License-Identifier: MIT
// process.js - the global process, but for its streams (stdio.js).
"use strict";

const k = require("node/kit");
const { check, coded, argumentType } = require("node/node-error");
const EventEmitter = require("node/events");
const { SIGNALS, arch } = require("node/platform");
const { toPath } = require("node/fs-arguments");
const { system } = native;
const { queueMicrotask, Proxy } = globalThis;

const VERSION = "20.19.0"; // the Node whose behaviour is the model

/** process.env: every access is one to the environment itself, so that child processes see it. */
const env = new Proxy({}, {
  get: (_target, name) => (typeof name === "string" ? system.getEnv(name) : undefined),
  has: (_target, name) => typeof name === "string" && system.getEnv(name) !== undefined,
  ownKeys: () => system.envNames(),
  set(_target, name, value) {
    system.setEnv(name, `${value}`);
    return true;
  },
  deleteProperty(_target, name) {
    if (typeof name === "string") {
      system.setEnv(name, undefined);
    }
    return true;
  },
  defineProperty(_target, name, { value }) {
    system.setEnv(name, `${value}`);
    return true;
  },
  getOwnPropertyDescriptor(_target, name) {
    const value = typeof name === "string" ? system.getEnv(name) : undefined;
    return value === undefined ? undefined
                               : { value, writable: true, enumerable: true, configurable: true };
  },
});

function hrtime(before) {
  const now = system.nanoseconds();
  let seconds = k.floor(now / 1e9);
  let rest = k.floor(now - seconds * 1e9);
  if (before !== undefined) {
    seconds -= before[0];
    rest -= before[1];
    if (rest < 0) {
      seconds--;
      rest += 1e9;
    }
  }
  return [seconds, rest];
}
hrtime.bigint = () => k.BigInt(k.floor(system.nanoseconds()));

function memoryUsage() {
  const { 0: heapUsed, 1: heapTotal } = system.heap();
  return { rss: system.rss(), heapTotal, heapUsed, external: 0, arrayBuffers: 0 };
}
memoryUsage.rss = () => system.rss();

/** A cell cannot end its process: its own end has to do. Node would have ended at an uncaught
 *  error. */
function exit(code) {
  const status = code ?? process.exitCode ?? (native.hasUncaught() ? 1 : 0);
  process.exitCode = status;
  emitExit(status);
  reallyExit(status);
}

let isExiting = false;

/** Calls the handlers of 'exit'; one of them that exits too does not begin anew. */
function emitExit(status) {
  if (isExiting) {
    return;
  }
  isExiting = true;
  try {
    process.emit("exit", status);
  } finally {
    isExiting = false;
  }
}

let lastExit;

/** The same without a word to anybody; Node has it under this name. */
function reallyExit(status) {
  const error =
    new k.Error(`process.exit(${status}) was called: the cell ends here, its context lives on`);
  k.defineProperty(error, "name", { value: "ProcessExit", writable: true, configurable: true });
  error.code = status;
  lastExit = error;
  native.exiting(error, statusByte(status));
  throw error;
}

/** What the system makes of a status: numbers, and texts of numbers, modulo 256. */
function statusByte(status) {
  return k.Number(status) & 255;
}

/** The natural end of a program: the exit code, -1 when nothing has set one. */
function end() {
  process.exitCode ??= native.hasUncaught() ? 1 : undefined;
  emitExit(process.exitCode ?? 0);
  return process.exitCode === undefined ? -1 : statusByte(process.exitCode);
}

let warned = [];

function emitWarning(warning, type = "Warning", code) {
  const given = typeof type === "object" && type !== null ? type : { type, code };
  const name = warning?.name ?? given.type ?? "Warning";
  const text = typeof warning === "string" ? warning : warning?.message;
  if (name === "DeprecationWarning" && given.code !== undefined) {
    if (k.arrayIncludes(warned, given.code)) {
      return;
    }
    warned = k.arrayConcat(warned, [given.code]);
  }
  const mark = given.code === undefined ? "" : `[${given.code}] `;
  native.write(2, `(node:${system.pid()}) ${mark}${name}: ${text}\n`);
}

class Process extends EventEmitter {}

const process = new Process();
const title = { value: "node", writable: true, enumerable: true, configurable: true };

k.assign(process, {
  version: `v${VERSION}`,
  versions: { node: VERSION, quickjs: native.engineVersion, modules: "115" },
  arch: arch(), platform: "linux", release: { name: "node", lts: "Iron" },
  argv: ["/usr/bin/node"], execArgv: [], argv0: "node", execPath: "/usr/bin/node",
  env, exitCode: undefined, config: {}, features: {}, allowedNodeEnvironmentFlags: new Set(),
  hrtime, memoryUsage, exit, reallyExit, emitWarning,
  cwd: () => check(system.cwd(), "uv_cwd"),
  chdir(folder) {
    const name = toPath(folder, "directory");
    check(native.fs.chdir(name), "chdir", `${system.cwd()}' -> '${name}`);
  },
  nextTick(callback, ...args) {
    if (typeof callback !== "function") {
      throw argumentType("callback", "of type function", callback);
    }
    queueMicrotask(() => k.apply(callback, undefined, args));
  },
  uptime: () => native.now() / 1000,
  umask: (mask) => system.umask(
    mask === undefined ? -1 : typeof mask === "string" ? k.Number(`0o${mask}`) : mask),
  kill(pid, signal = "SIGTERM") {
    const number = typeof signal === "number" ? signal : SIGNALS[signal];
    if (number === undefined) {
      throw coded(k.TypeError, "ERR_UNKNOWN_SIGNAL", `Unknown signal: ${signal}`);
    }
    check(system.kill(pid, number), "kill");
    return true;
  },
  getuid: () => system.uid(), getgid: () => system.gid(), geteuid: () => system.euid(),
  getegid: () => system.egid(),
  cpuUsage: () => ({ user: 0, system: 0 }),
  resourceUsage: () => ({ maxRSS: k.floor(system.rss() / 1024) }),
  abort() {
    system.kill(system.pid(), SIGNALS.SIGABRT);
  },
});
for (const name of ["pid", "ppid"]) {
  k.defineProperty(process, name, { get: () => system[name](), enumerable: true,
                                    configurable: true });
}
k.defineProperty(process, "title", title);
k.defineProperty(process, Symbol.toStringTag, { value: "process", configurable: true });

module.exports = { process, end, isExit: (error) => error !== undefined && error === lastExit };
