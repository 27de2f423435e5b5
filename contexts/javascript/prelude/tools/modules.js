// SPDX-License-Identifier: MIT
// modules.js - what can stand in require("...") and in a path: names of modules and files.
"use strict";

const BUILTIN = [
  "assert", "assert/strict", "buffer", "child_process", "console", "crypto", "events", "fs",
  "fs/promises", "module", "os", "path", "path/posix", "perf_hooks", "process", "querystring",
  "string_decoder", "timers", "timers/promises", "url", "util", "util/types",
];
const FOLDERS_UP = 64;

/** Names in a folder, folders with a slash behind them; none when it cannot be read. */
function list(folder) {
  return native.listFolder(folder);
}

/** Packages of every node_modules from the working directory upwards. */
function packages() {
  const found = new Set();
  let folder = ".";
  for (let i = 0; i < FOLDERS_UP && native.isFolder(folder); i++) {
    for (const name of list(`${folder}/node_modules`)) {
      if (name.startsWith("@")) {
        list(`${folder}/node_modules/${name}`).forEach((inner) => found.add(name + inner));
      } else if (!name.startsWith(".")) {
        found.add(name);
      }
    }
    if (native.isRoot(folder)) {
      break;
    }
    folder = i === 0 ? ".." : `../${folder}`;
  }
  return [...found].map((name) => name.replace(/\/$/, ""));
}

/** Matches of a path; `prefix` as the user wrote it. */
function paths(prefix) {
  const cut = prefix.lastIndexOf("/") + 1;
  const folder = prefix.slice(0, cut);
  const start = prefix.slice(cut);
  const place = folder === "" ? "." : folder.replace(/^~\//, `${native.home()}/`);
  return list(place)
    .filter((name) => name.startsWith(start) && (start !== "" || !name.startsWith(".")))
    .map((name) => ({ text: folder + name, type: "path" }));
}

function modules(prefix) {
  if (/^\.{0,2}\//.test(prefix)) {
    return paths(prefix);
  }
  const builtin = prefix.startsWith("node:") ? BUILTIN.map((name) => `node:${name}`) : BUILTIN;
  return [...new Set([...builtin, ...packages()])].sort()
    .filter((name) => name.startsWith(prefix))
    .map((text) => ({ text, type: "module" }));
}

module.exports = { modules, paths };
