// SPDX-License-Identifier: MIT
// builtins.js - the modules that need no file: what they are called and what makes them.
"use strict";

const k = require("node/kit");
const { coded } = require("node/node-error");

const TABLE = {
  "assert": () => require("node/assert"),
  "assert/strict": () => require("node/assert").strict,
  "buffer": () => require("node/buffer").exports,
  "child_process": () => require("node/child-process"),
  "console": () => require("console").console,
  "constants": () => require("node/fs-arguments").constants,
  "crypto": () => require("node/crypto").exports,
  "events": () => require("node/events"),
  "fs": () => require("node/fs"),
  "fs/promises": () => require("node/fs").promises,
  "module": () => require("node/modules").Module,
  "os": () => require("node/os"),
  "path": () => require("node/path"),
  "path/posix": () => require("node/path"),
  "perf_hooks": () => require("node/performance").exports,
  "process": () => require("node/process").process,
  "querystring": () => require("node/querystring"),
  "readline": () => require("node/readline"),
  "readline/promises": () => require("node/readline").promises,
  "stream": () => require("node/stream").Stream,
  "stream/consumers": () => require("node/stream").consumers,
  "stream/promises": () => require("node/stream").Stream.promises,
  "string_decoder": () => require("node/string-decoder"),
  "timers": () => require("node/timers"),
  "timers/promises": () => require("node/timers").promises,
  "tty": () => require("node/stdio").tty,
  "url": () => require("node/url").exports,
  "util": () => require("node/util"),
  "util/types": () => require("node/util").types,
  "__proto__": null,
};

// Of Node, but not of this engine.
const ABSENT = [
  "async_hooks", "cluster", "dgram", "diagnostics_channel", "dns", "dns/promises", "domain", "http",
  "http2", "https", "inspector", "net", "repl", "stream/web", "test", "tls", "trace_events", "v8",
  "vm", "wasi", "worker_threads", "zlib",
];
const INSTEAD = {
  "http": "use fetch()", "https": "use fetch()", "http2": "use fetch()", "net": "use fetch()",
  "tls": "use fetch()", "dns": "use fetch()",
  "zlib": "run gzip by child_process", "vm": "use eval()",
  "stream/web": "use the global ReadableStream", "__proto__": null,
};

const loaded = new k.SafeMap();
const names = k.objectKeys(TABLE);

/** The plain name of a module of ours; undefined when there is none. */
function find(name) {
  const plain = k.stringStartsWith(name, "node:") ? k.stringSlice(name, 5) : name;
  return TABLE[plain] === undefined ? undefined : plain;
}

function load(name) {
  let exports = loaded.get(name);
  if (exports === undefined) {
    exports = TABLE[name]();
    loaded.set(name, exports);
  }
  return exports;
}

/** Throws for a module that Node has and we have not. */
function refuseUnknown(name) {
  const isNode = k.stringStartsWith(name, "node:");
  const plain = isNode ? k.stringSlice(name, 5) : name;
  if (k.arrayIncludes(ABSENT, plain)) {
    const hint = INSTEAD[plain] === undefined ? "" : `; ${INSTEAD[plain]}`;
    throw coded(k.Error, "ERR_UNKNOWN_BUILTIN_MODULE",
                `The module '${plain}' of Node is not part of this JavaScript engine${hint}. ` +
                "docs/JAVASCRIPT.md lists what is.");
  }
  if (isNode) {
    throw coded(k.Error, "ERR_UNKNOWN_BUILTIN_MODULE", `No such built-in module: ${name}`);
  }
}

module.exports = { find, load, names, refuseUnknown };
