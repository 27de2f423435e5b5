// SPDX-License-Identifier: MIT
// child-process.js - the module child_process, with the rights of the context.
"use strict";

const k = require("node/kit");
const { coded, systemError } = require("node/node-error");
const { decode } = require("node/encodings");
const { signalName } = require("node/platform");
const EventEmitter = require("node/events");
const { globals: { setTimeout, clearTimeout, setImmediate } } = require("timers");
const { MAX_BUFFER, launch, stdioOf, normalize, signalNumber, join } = require("node/child-launch");
const { OutputPipe, InputPipe, deadPipes } = require("node/child-pipes");
const { spawnSync, execSync, execFileSync } = require("node/child-sync");
const { child, fs, system } = native;

class ChildProcess extends EventEmitter {
  #open = 1; // what has to end before `close`: the process and its pipes
  pid = undefined;
  stdin = null;
  stdout = null;
  stderr = null;
  killed = false;
  exitCode = null;
  signalCode = null;

  constructor(file, args, options) {
    super();
    k.assign(this, { spawnfile: file, spawnargs: [file, ...args] });
    const started = launch(file, args, options, stdioOf(options.stdio, ["pipe", "pipe", "pipe"]));
    if (started.errno !== undefined) {
      this.#fail(started.errno, file, args);
      return;
    }
    this.pid = started.pid;
    this.#connect(started.ours);
    const pidfd = child.pidfd(this.pid);
    const watch = native.watch(pidfd, false, () => {
      const status = child.reap(this.pid);
      if (status !== undefined) {
        native.unwatch(watch);
        fs.close(pidfd);
        this.#exit(status);
      }
    });
    setImmediate(() => this.emit("spawn"));
  }

  #fail(errno, file, args) {
    const [code] = systemError(errno);
    const error = new k.Error(`spawn ${file} ${code}`);
    k.assign(error, { errno: -errno, code, syscall: `spawn ${file}`, path: file, spawnargs: args });
    this.#name(deadPipes());
    setImmediate(() => this.emit("error", error));
  }

  #connect(ours) {
    const pipeOf = (fd, i) => (i === 0 ? new InputPipe(fd) : new OutputPipe(fd));
    this.#name(ours.map((fd, i) => (fd === null ? null : pipeOf(fd, i))));
    for (const output of [this.stdout, this.stderr]) {
      if (output !== null) {
        this.#open++;
        output.on("close", () => this.#ended());
      }
    }
  }

  #name(stdio) {
    this.stdio = stdio;
    [this.stdin, this.stdout, this.stderr] = stdio;
  }

  #exit([code, signal]) {
    this.exitCode = signal ? null : code;
    this.signalCode = signal ? signalName(signal) : null;
    this.stdin?.destroy();
    this.emit("exit", this.exitCode, this.signalCode);
    // What nobody reads would never end.
    this.stdout?.resume();
    this.stderr?.resume();
    this.#ended();
  }

  #ended() {
    if (--this.#open === 0) {
      this.emit("close", this.exitCode, this.signalCode);
    }
  }

  kill(signal = "SIGTERM") {
    if (this.pid === undefined || this.exitCode !== null || this.signalCode !== null) {
      return false;
    }
    this.killed = system.kill(this.pid, signalNumber(signal)) === 0;
    return this.killed;
  }

  ref() {}
  unref() {}
}

function spawn(...given) {
  const { file, args, options } = normalize(...given);
  const process = new ChildProcess(file, args, options);
  const stop = () => process.kill(options.killSignal);
  if (options.timeout > 0) {
    const timer = setTimeout(stop, options.timeout);
    process.on("exit", () => clearTimeout(timer));
  }
  options.signal?.addEventListener("abort", () => {
    stop();
    const error = new globalThis.DOMException("The operation was aborted", "AbortError");
    process.emit("error", k.assign(error, {}));
  }, { once: true });
  return process;
}

/** Collects a stream of a process, up to a limit. */
function collect(process, name, encoding, limit, late) {
  const chunks = [];
  let size = 0;
  process[name]?.on("data", (chunk) => {
    size += chunk.length;
    if (size > limit) {
      late(name);
    } else {
      chunks.push(chunk);
    }
  });
  return () => {
    const all = join(chunks);
    return encoding === "buffer" || encoding === null ? all : decode(all, encoding ?? "utf8");
  };
}

function execFile(...given) {
  const callback = typeof given[given.length - 1] === "function" ? given.pop() : () => {};
  const { file, args, options } = normalize(...given);
  const command = options.shell ? given[0] : [file, ...args].join(" ");
  const process = spawn(file, args, { ...options, shell: false, stdio: undefined });
  let overflow;
  const late = (name) => {
    overflow ??= coded(k.RangeError, "ERR_CHILD_PROCESS_STDIO_MAXBUFFER",
                       `${name} maxBuffer length exceeded`);
    process.kill(options.killSignal);
  };
  const limit = options.maxBuffer ?? MAX_BUFFER;
  const out = collect(process, "stdout", options.encoding, limit, late);
  const err = collect(process, "stderr", options.encoding, limit, late);
  process.on("error", (error) => callback(k.assign(error, { cmd: command }), "", ""));
  process.on("close", (code, signal) => {
    const [stdout, stderr] = [out(), err()];
    if (code === 0 && overflow === undefined) {
      callback(null, stdout, stderr);
      return;
    }
    const error = overflow ?? new k.Error(`Command failed: ${command}\n${stderr}`);
    const facts = { code: overflow?.code ?? code, killed: process.killed, signal, cmd: command };
    callback(k.assign(error, facts), stdout, stderr);
  });
  return process;
}

function exec(command, options, callback) {
  const given = typeof options === "object" && options !== null ? options : {};
  return execFile(command, { ...given, shell: given.shell ?? true },
                  typeof options === "function" ? options : callback);
}

// util.promisify(exec) gives both streams.
for (const call of [exec, execFile]) {
  k.defineProperty(call, Symbol.for("nodejs.util.promisify.custom"), {
    configurable: true,
    value: (...args) => new k.Promise((resolve, reject) => {
      call(...args, (error, stdout, stderr) =>
        (error ? reject(k.assign(error, { stdout, stderr })) : resolve({ stdout, stderr })));
    }),
  });
}

module.exports = { spawn, spawnSync, exec, execSync, execFile, execFileSync, ChildProcess };
