// SPDX-License-Identifier: MIT
// fetch.js - fetch, Request and Response. Bodies are whole: a Response is there when its
// last byte is, and a stream is read to its end before it is sent.
"use strict";

const k = require("node/kit");
const { coded } = require("node/node-error");
const { encode } = require("node/encodings");
const { Blob, File, blobBytes, bytesOf, join } = require("node/blob");
const { Headers, TOKEN, parseHead } = require("node/headers");
const { FormData, encodeForm, decodeForm } = require("node/form-data");
const { streamOf, wasRead, globals: streams } = require("node/web-stream");
const { DOMException, URL, URLSearchParams } = globalThis;
const { ReadableStream } = streams;

const REDIRECTS = 20;
const FORBIDDEN_METHODS = ["CONNECT", "TRACE", "TRACK"];
const KNOWN_METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"];
const NO_BODY = [101, 103, 204, 205, 304];

/** {bytes, type} of what may be given as a body; {stream} of a stream. */
function readBody(value) {
  if (value === undefined || value === null) {
    return { bytes: null, type: null };
  }
  if (value instanceof ReadableStream) {
    return { bytes: null, type: null, stream: value };
  }
  if (value instanceof Blob) {
    return { bytes: blobBytes(value), type: value.type || null };
  }
  if (value instanceof FormData) {
    return encodeForm(value);
  }
  if (value instanceof URLSearchParams) {
    return { bytes: encode(`${value}`), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  }
  const bytes = bytesOf(value);
  return bytes === undefined || typeof value === "string"
    ? { bytes: bytes ?? encode(`${value}`), type: "text/plain;charset=UTF-8" }
      : { bytes, type: null };
}

let peek;
let take;

/** What Request and Response share. */
class Body {
  #bytes;
  #stream; // given, or made of the bytes when somebody asks for it
  #used = false;

  constructor({ bytes, stream }) {
    if (stream?.locked || (stream !== undefined && wasRead(stream))) {
      throw new k.TypeError("Response body object should not be disturbed or locked");
    }
    this.#bytes = bytes;
    this.#stream = stream;
  }

  static {
    peek = (body) => {
      if (body.bodyUsed) {
        throw new k.TypeError("Body is unusable: Body has already been read");
      }
      return body.#bytes ?? body.#stream ?? null;
    };
    take = (body) => body.#take();
  }

  async #take() {
    const content = peek(this);
    if (this.#stream?.locked) {
      throw new k.TypeError("Body is unusable: Body has already been read");
    }
    this.#used = content !== null;
    if (this.#stream === undefined) {
      return content ?? new k.Uint8Array(0);
    }
    const chunks = [];
    for await (const chunk of this.#stream) {
      if (!(chunk instanceof k.Uint8Array)) {
        throw new k.TypeError("Received non-Uint8Array chunk");
      }
      k.arrayPush(chunks, chunk);
    }
    return join(chunks);
  }

  get body() {
    if (this.#stream === undefined && this.#bytes !== null) {
      this.#stream = streamOf(this.#bytes);
    }
    return this.#stream ?? null;
  }

  get bodyUsed() { return this.#used || (this.#stream !== undefined && wasRead(this.#stream)); }
  async text() { return native.text.fromUtf8(stripMark(await this.#take())); }
  async json() { return k.parseJson(native.text.fromUtf8(stripMark(await this.#take()))); }
  async arrayBuffer() { return new k.Uint8Array(await this.#take()).buffer; }
  async bytes() { return new k.Uint8Array(await this.#take()); }
  async blob() {
    return new Blob([await this.#take()], { type: this.headers.get("content-type") ?? "" });
  }
  async formData() {
    return decodeForm(await this.#take(), this.headers.get("content-type") ?? "");
  }
}

function stripMark(bytes) {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    ? k.bytesSubarray(bytes, 3) : bytes;
}

function methodOf(given) {
  const method = `${given}`;
  const upper = method.toUpperCase();
  if (!k.regExpTest(TOKEN, method) || FORBIDDEN_METHODS.includes(upper)) {
    throw new k.TypeError(`'${method}' is not a valid HTTP method.`);
  }
  return KNOWN_METHODS.includes(upper) ? upper : method;
}

class Request extends Body {
  constructor(input, init = {}) {
    const from = input instanceof Request ? input : {};
    const url = input instanceof Request ? input.url : parseUrl(input);
    const method = methodOf(init.method ?? from.method ?? "GET");
    const given = init.body ?? (from instanceof Request ? peek(from) : null);
    if (given !== null && (method === "GET" || method === "HEAD")) {
      throw new k.TypeError("Request with GET/HEAD method cannot have body.");
    }
    if (init.body instanceof ReadableStream && init.duplex !== "half") {
      throw new k.TypeError("RequestInit: duplex option is required when sending a body.");
    }
    const body = readBody(given);
    const { type } = body;
    super(body);
    const headers = new Headers(init.headers ?? from.headers);
    if (type !== null && !headers.has("content-type")) {
      headers.set("content-type", type);
    }
    const fields = { method, url, headers, redirect: init.redirect ?? from.redirect ?? "follow",
                     signal: init.signal ?? from.signal ?? null };
    for (const name of k.objectKeys(fields)) {
      k.defineProperty(this, name, { value: fields[name], enumerable: true });
    }
  }

  clone() {
    return new Request(this);
  }
}

function parseUrl(input) {
  let url;
  try {
    url = new URL(`${input}`);
  } catch (cause) {
    throw new k.TypeError(`Failed to parse URL from ${input}`, { cause });
  }
  if (url.username || url.password) {
    throw new k.TypeError(
      `Request cannot be constructed from a URL that includes credentials: ${url}`);
  }
  return url.href;
}

class Response extends Body {
  constructor(body = null, init = {}) {
    const content = readBody(body);
    const { type } = content;
    const status = init.status ?? 200;
    if (!(status >= 200 && status <= 599)) {
      throw new k.RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    }
    if (body !== null && body !== undefined && NO_BODY.includes(status)) {
      throw new k.TypeError(`Response constructor: Invalid response status code ${status}`);
    }
    super(content);
    const headers = new Headers(init.headers);
    if (type !== null && !headers.has("content-type")) {
      headers.set("content-type", type);
    }
    fill(this, { status, statusText: init.statusText ?? "", headers, url: "", redirected: false,
                 type: "default" });
  }

  get ok() { return this.status >= 200 && this.status <= 299; }

  clone() {
    const content = peek(this);
    if (content instanceof ReadableStream) {
      throw coded(k.Error, "ERR_METHOD_NOT_IMPLEMENTED",
                  "A Response of a stream cannot be cloned by this JavaScript engine; " +
                  "read it once and keep what it was");
    }
    const copy = new Response(content, { ...this, headers: this.headers });
    return fill(copy, { url: this.url, redirected: this.redirected, type: this.type });
  }

  static json(value, init = {}) {
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) {
      headers.set("content-type", "application/json");
    }
    return new Response(JSON.stringify(value), { ...init, headers });
  }

  static error() {
    return fill(new Response(), { status: 0, type: "error" });
  }

  static redirect(url, status = 302) {
    return new Response(null, { status, headers: { location: new URL(url).href } });
  }
}

function fill(object, fields) {
  for (const name of k.objectKeys(fields)) {
    k.defineProperty(object, name, { value: fields[name], enumerable: true, configurable: true });
  }
  return object;
}

// Numbers of libcurl, and what Node would call the cause.
const CAUSES = {
  6: "ENOTFOUND", 7: "ECONNREFUSED", 28: "UND_ERR_CONNECT_TIMEOUT", 47: "ERR_TOO_MANY_REDIRECTS",
  52: "UND_ERR_SOCKET", 56: "ECONNRESET", 60: "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "__proto__": null,
};

function failed(text, number) {
  const cause = coded(k.Error, CAUSES[number] ?? `CURLE_${number}`, text);
  return new k.TypeError("fetch failed", { cause });
}

function checkAllowed() {
  if (native.policy?.network === false) {
    throw coded(k.TypeError, "ERR_ACCESS_DENIED",
                "The network is not allowed in this context; its policy decides that");
  }
  if (native.http === undefined) {
    throw new k.TypeError("fetch failed", { cause: coded(
      k.Error, "ERR_FEATURE_UNAVAILABLE",
      "This build has no libcurl: install libcurl4-openssl-dev and build again") });
  }
}

function headerLines(request) {
  const lines = ["Expect:"]; // no waiting for permission to send a body
  for (const [name, value] of request.headers) {
    lines.push(value === "" ? `${name};` : `${name}: ${value}`);
  }
  for (const [name, value] of [["accept", "*/*"], ["accept-language", "*"],
                               ["user-agent", "node"]]) {
    if (!request.headers.has(name)) {
      lines.push(`${name}: ${value}`);
    }
  }
  return lines;
}

function respond(request, status, url, redirects, head, body) {
  const { statusText, headers } = parseHead(head);
  const hasBody = request.method !== "HEAD" && !NO_BODY.includes(status);
  const response = new Response(hasBody ? body : null, { statusText });
  return fill(response, { status, headers, url, redirected: redirects > 0, type: "basic" });
}

/** The request itself; gives a function that ends it. */
function send(request, bytes, resolve, reject) {
  const limit = request.redirect === "follow" ? REDIRECTS : 0;
  const id = native.http.request(
    request.url, request.method, headerLines(request), bytes, limit,
    (error, status, url, redirects, head, body) => {
      if (error !== undefined) {
        reject(failed(error, status));
      } else if (request.redirect === "error" && status >= 300 && status < 400) {
        reject(failed("unexpected redirect", 47));
      } else {
        resolve(respond(request, status, url, redirects, head, body));
      }
    });
  return () => native.http.abort(id);
}

async function fetch(input, init) {
  const request = new Request(input, init);
  const { signal, url } = request;
  checkAllowed();
  signal?.throwIfAborted();
  if (!k.regExpTest(/^https?:/, url)) {
    throw new k.TypeError("fetch failed",
                          { cause: new k.Error(`unknown scheme: ${url.split(":")[0]}`) });
  }
  const content = peek(request);
  const bytes = content instanceof ReadableStream ? await take(request) : content ?? undefined;
  return new k.Promise((resolve, reject) => {
    const end = send(request, bytes, resolve, reject);
    signal?.addEventListener("abort", () => {
      end();
      reject(signal.reason ?? new DOMException("This operation was aborted", "AbortError"));
    }, { once: true });
  });
}

module.exports = { globals: { fetch, Headers, Request, Response, Blob, File, FormData,
                              ...streams } };
