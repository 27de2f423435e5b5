// SPDX-License-Identifier: MIT
// platform.js - names of the machine and of its signals, as Node writes them.
"use strict";

const { objectKeys } = require("primordials");

const SIGNALS = {
  SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGIOT: 6, SIGBUS: 7,
  SIGFPE: 8, SIGKILL: 9, SIGUSR1: 10, SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14,
  SIGTERM: 15, SIGSTKFLT: 16, SIGCHLD: 17, SIGCONT: 18, SIGSTOP: 19, SIGTSTP: 20, SIGTTIN: 21,
  SIGTTOU: 22, SIGURG: 23, SIGXCPU: 24, SIGXFSZ: 25, SIGVTALRM: 26, SIGPROF: 27, SIGWINCH: 28,
  SIGIO: 29, SIGPOLL: 29, SIGPWR: 30, SIGSYS: 31,
};
const MACHINES = { x86_64: "x64", aarch64: "arm64", i686: "ia32", armv7l: "arm",
                   "__proto__": null };

function arch() {
  const { machine } = native.system.machine();
  return MACHINES[machine] ?? machine;
}

function signalName(number) {
  const names = objectKeys(SIGNALS);
  for (let i = 0; i < names.length; i++) {
    if (SIGNALS[names[i]] === number) {
      return names[i];
    }
  }
  return null;
}

module.exports = { SIGNALS, arch, signalName };
