// SPDX-License-Identifier: MIT
// os.js - the module os.
"use strict";

const k = require("node/kit");
const { SIGNALS, arch } = require("node/platform");
const { readFileSync } = require("node/fs-sync");
const { SYSTEM } = require("node/node-error");
const { system } = native;

function homedir() {
  return system.getEnv("HOME") ?? system.machine().home ?? "/";
}

function tmpdir() {
  const path = system.getEnv("TMPDIR") ?? system.getEnv("TMP") ?? system.getEnv("TEMP") ?? "/tmp";
  return path.length > 1 && k.stringEndsWith(path, "/") ? k.stringSlice(path, 0, -1) : path;
}

/** One entry per processor; the times are not told. */
function cpus() {
  const text = readFileSync("/proc/cpuinfo", "utf8");
  const model = k.regExpExec(/^model name\s*:\s*(.*)$/m, text)?.[1] ?? "unknown";
  const speed = k.round(+(k.regExpExec(/^cpu MHz\s*:\s*([\d.]+)$/m, text)?.[1] ?? 0));
  const all = [];
  for (let i = system.cpus(); i > 0; i--) {
    k.arrayPush(all, { model, speed, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } });
  }
  return all;
}

function userInfo() {
  const { user, home, shell } = system.machine();
  return { uid: system.uid(), gid: system.gid(), username: user ?? `${system.uid()}`,
           homedir: home ?? "/", shell: shell ?? null };
}

const errno = {};
for (const number of k.objectKeys(SYSTEM)) {
  errno[SYSTEM[number][0]] = +number;
}

module.exports = {
  EOL: "\n", devNull: "/dev/null", constants: { signals: SIGNALS, errno },
  arch: () => arch(), platform: () => "linux", type: () => "Linux", endianness: () => "LE",
  release: () => system.machine().release, version: () => system.machine().version,
  machine: () => system.machine().machine, hostname: () => system.machine().hostname,
  uptime: () => system.machine().uptime, loadavg: () => system.machine().loads,
  totalmem: () => system.machine().total, freemem: () => system.machine().free,
  availableParallelism: () => system.cpus(), networkInterfaces: () => ({}),
  homedir, tmpdir, cpus, userInfo,
};
