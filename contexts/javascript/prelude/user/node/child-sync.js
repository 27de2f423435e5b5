// SPDX-License-Identifier: MIT
// child-sync.js - the synchronous half of child_process.
"use strict";

const k = require("node/kit");
const { systemError } = require("node/node-error");
const { encode, decode, viewOf } = require("node/encodings");
const { signalName } = require("node/platform");
const {
  MAX_BUFFER, launch, stdioOf, normalize, signalNumber, closeAll, join, readSome, writeSome,
} =
  require("node/child-launch");
const { child, fs, system } = native;

const ENOBUFS = 105, ETIMEDOUT = 110;

/** Feeds and drains a process until it and its pipes are at their end. */
class Conversation {
  constructor(pid, ours, input, maxBuffer) {
    this.pid = pid;
    this.pidfd = child.pidfd(pid);
    this.input = ours[0];
    this.left = input;
    this.outputs = [1, 2].map((i) => ({ fd: ours[i], chunks: [], size: 0 }));
    this.maxBuffer = maxBuffer;
    this.status = undefined;
    this.error = undefined; // number of the system
    this.feed();
  }

  feed() {
    if (this.input === null) {
      return;
    }
    this.left = this.left.length > 0 ? writeSome(this.input, this.left) : this.left;
    if (this.left === null || this.left.length === 0) {
      fs.close(this.input);
      this.input = null;
    }
  }

  drain(output) {
    const bytes = readSome(output.fd);
    if (bytes === null) {
      fs.close(output.fd);
      output.fd = null;
    } else if (bytes !== undefined) {
      output.chunks.push(bytes);
      output.size += bytes.length;
      if (output.size > this.maxBuffer) {
        this.error = ENOBUFS;
        this.kill("SIGTERM");
        this.maxBuffer = Infinity;
      }
    }
  }

  kill(signal) {
    if (this.status === undefined) {
      system.kill(this.pid, signalNumber(signal));
    }
  }

  isOver() {
    return this.status !== undefined && this.outputs.every(({ fd }) => fd === null);
  }

  /** Waits once; false when the time is over or an interrupt came. */
  step(ms) {
    const sources = [];
    if (this.status === undefined) {
      sources.push([this.pidfd, false, () => {
        this.status = child.reap(this.pid);
      }]);
    }
    if (this.input !== null) {
      sources.push([this.input, true, () => this.feed()]);
    }
    for (const output of this.outputs.filter(({ fd }) => fd !== null)) {
      sources.push([output.fd, false, () => this.drain(output)]);
    }
    const ready = native.poll(sources.map(([fd]) => fd), sources.map(([, writing]) => writing), ms);
    if (ready === false || !ready.includes(true)) {
      return false;
    }
    sources.forEach(([, , act], i) => ready[i] && act());
    return true;
  }

  close() {
    const all = [this.pidfd, this.input, ...this.outputs.map(({ fd }) => fd)];
    closeAll(all.filter((fd) => fd !== null));
  }
}

function converse(pid, ours, options) {
  const input = options.input === undefined || options.input === null ? new k.Uint8Array(0)
              : typeof options.input === "string" ? encode(options.input) : viewOf(options.input);
  const talk = new Conversation(pid, ours, input, options.maxBuffer ?? MAX_BUFFER);
  const deadline = options.timeout > 0 ? native.now() + options.timeout : Infinity;
  while (!talk.isOver()) {
    const left = deadline === Infinity ? -1 : k.max(0, deadline - native.now());
    if (!talk.step(left) && native.now() >= deadline && talk.error === undefined) {
      talk.error = ETIMEDOUT;
      talk.kill(options.killSignal);
    }
  }
  talk.close();
  return talk;
}

function syncError(errno, file, args) {
  const code = errno === ENOBUFS ? "ENOBUFS" : systemError(errno)[0];
  const error = new k.Error(`spawnSync ${file} ${code}`);
  return k.assign(error, { errno: -errno, code, syscall: `spawnSync ${file}`, path: file,
                           spawnargs: args });
}

function spawnSync(...given) {
  const { file, args, options } = normalize(...given);
  const stdio = stdioOf(options.stdio, ["pipe", "pipe", "pipe"]);
  const started = launch(file, args, options, stdio);
  if (started.errno !== undefined) {
    return { error: syncError(started.errno, file, args), status: null, signal: null, output: null,
             pid: 0, stdout: null, stderr: null };
  }
  const talk = converse(started.pid, started.ours, options);
  const { encoding } = options;
  const [stdout, stderr] = talk.outputs.map(({ chunks }, i) => {
    if (started.ours[i + 1] === null) {
      return null;
    }
    const all = join(chunks);
    return encoding && encoding !== "buffer" ? decode(all, encoding) : all;
  });
  const [code, signal] = talk.status;
  const result = { pid: started.pid, output: [null, stdout, stderr], stdout, stderr,
                   status: signal ? null : code, signal: signal ? signalName(signal) : null };
  return talk.error === undefined ? result
    : { error: syncError(talk.error, file, args), ...result };
}

/** The output of a process that has to succeed. */
function outputOf(result, command, options) {
  if (result.stderr?.length > 0 && options.stdio === undefined) {
    native.write(2, typeof result.stderr === "string" ? result.stderr : decode(result.stderr));
  }
  if (result.error !== undefined) {
    throw k.assign(result.error, result);
  }
  if (result.status !== 0) {
    const text = result.stderr?.length > 0 ? `\n${result.stderr}` : "";
    throw k.assign(new k.Error(`Command failed: ${command}${text}`), result);
  }
  return result.stdout;
}

function execSync(command, options = {}) {
  return outputOf(spawnSync(command, { ...options, shell: options.shell ?? true }),
                  command, options);
}

function execFileSync(...given) {
  const { options } = normalize(...given);
  const words = [given[0], ...(k.isArray(given[1]) ? given[1] : [])];
  return outputOf(spawnSync(...given), words.join(" "), options);
}

module.exports = { spawnSync, execSync, execFileSync };
