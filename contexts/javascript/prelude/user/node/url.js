// SPDX-License-Identifier: MIT
// url.js - URL and URLSearchParams of core-js, and the module url.
"use strict";

const k = require("node/kit");

// core-js puts things into our copy of the globals, but some of its files look at the real ones.
const real = (0, eval)("this");
for (const [name, made] of [
  ["url-search-params", "URLSearchParams"], ["url-search-params.size"], ["url-search-params.has"],
  ["url-search-params.delete"], ["url", "URL"], ["url.can-parse"], ["url.parse"], ["url.to-json"],
]) {
  require(`core-js/modules/web.${name}`);
  if (made !== undefined) {
    k.defineProperty(real, made, {
      value: globalThis[made], writable: true, configurable: true, enumerable: false,
    });
  }
}
const { URL, URLSearchParams, Symbol } = globalThis;
const { fileURLToPath, pathToHref } = require("node/file-url");

const CUSTOM = Symbol.for("nodejs.util.inspect.custom");
const PARTS = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port",
               "pathname", "search", "searchParams", "hash"];

/** How Node shows a URL: its parts. */
function showUrl(depth, options, inspect) {
  if (depth < 0) {
    return `[${this.constructor.name}]`;
  }
  const shown = {};
  for (const name of PARTS) {
    shown[name] = this[name];
  }
  return `URL ${inspect(shown, options)}`;
}

function showParams(depth, options, inspect) {
  const pairs = [...this].map(([name, value]) => `${inspect(name)} => ${inspect(value)}`);
  return pairs.length === 0 ? "URLSearchParams {}" : `URLSearchParams { ${pairs.join(", ")} }`;
}

function hide(target, name, value) {
  k.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}

hide(URL.prototype, CUSTOM, showUrl);
hide(URLSearchParams.prototype, CUSTOM, showParams);

function pathToFileURL(path) {
  return new URL(pathToHref(path));
}

/** url.format: of a URL, or of the parts that url.parse gives. */
function format(value, options = {}) {
  if (typeof value === "string") {
    return new URL(value).href;
  }
  if (value instanceof URL) {
    const copy = new URL(value.href);
    if (options.fragment === false) {
      copy.hash = "";
    }
    if (options.search === false) {
      copy.search = "";
    }
    if (options.auth === false) {
      copy.username = copy.password = "";
    }
    return copy.href;
  }
  const { protocol = "", auth, host, hostname = "", port, pathname = "", hash = "" } = value;
  const search = value.search ?? (value.query ? `?${new URLSearchParams(value.query)}` : "");
  const scheme = protocol && !protocol.endsWith(":") ? `${protocol}:` : protocol ?? "";
  const place = host ?? (hostname ? hostname + (port ? `:${port}` : "") : "");
  const slashes = value.slashes || place || /^(https?|ftp|file|wss?):$/.test(scheme) ? "//" : "";
  return `${scheme}${slashes}${auth ? `${auth}@` : ""}${place}${pathname}${search}${hash}`;
}

/** url.parse, the old one: what it gives for whole URLs and for paths. */
function parse(text, parseQuery = false) {
  let url;
  let isWhole = true;
  try {
    url = new URL(text);
  } catch {
    isWhole = false;
    url = new URL(text, "http://x");
  }
  const search = url.search || null;
  const query = search === null ? null : search.slice(1);
  const auth = url.username ? url.username + (url.password ? `:${url.password}` : "") : null;
  return {
    protocol: isWhole ? url.protocol : null, slashes: isWhole && text.includes("//") ? true : null,
    auth, host: isWhole ? url.host : null, port: url.port || null,
    hostname: isWhole ? url.hostname : null, hash: url.hash || null, search,
    query: parseQuery ? Object.fromEntries(new URLSearchParams(query ?? "")) : query,
    pathname: url.pathname, path: url.pathname + (search ?? ""), href: isWhole ? url.href : text,
  };
}

function resolve(from, to) {
  const url = new URL(to, new URL(from, "resolve://"));
  return url.protocol === "resolve:" ? url.pathname + url.search + url.hash : url.href;
}

function urlToHttpOptions(url) {
  return { protocol: url.protocol, hostname: url.hostname, hash: url.hash, search: url.search,
           pathname: url.pathname, path: url.pathname + url.search, href: url.href,
           port: url.port };
}

module.exports = {
  globals: { URL, URLSearchParams },
  exports: { URL, URLSearchParams, fileURLToPath, pathToFileURL, format, parse, resolve,
             urlToHttpOptions },
};
