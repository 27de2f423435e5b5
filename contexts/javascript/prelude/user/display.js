// SPDX-License-Identifier: MIT
// display.js - values in several MIME types: what a result becomes, and the global display(). A
// bundle is an array of type, data, type, data...; data is a text or bytes.
"use strict";

const p = require("primordials");
const { inspect } = require("format");
const image = require("image");
const { toJson } = require("json");
const { richTable } = require("rich-table");

const { assign } = globalThis.Object;
const DISPLAY = globalThis.Symbol.for("Jupyter.display");
const add = p.arrayPush;
const TypeError = globalThis.TypeError;
const stringEndsWith = p.uncurry(globalThis.String.prototype.endsWith);
const JSON_TYPE = "application/json";
const TYPES = {
  __proto__: null,
  text: "text/plain", html: "text/html", markdown: "text/markdown", latex: "text/latex",
  svg: "image/svg+xml", png: "image/png", jpeg: "image/jpeg", gif: "image/gif",
  pdf: "application/pdf", javascript: "application/javascript", json: JSON_TYPE,
};

let isRich = false;
let lastId = 0;

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function isJsonType(type) {
  return type === JSON_TYPE || stringEndsWith(type, "+json");
}

/** Types whose data a terminal can show as it is. */
function isTextType(type) {
  return type === TYPES.markdown || type === TYPES.latex;
}

/** The data of one type as it is sent. */
function dataOf(type, value) {
  if (isJsonType(type)) {
    const json = toJson(value);
    if (json === undefined) {
      throw new TypeError(`the value for ${type} is not plain JSON data`);
    }
    return json;
  }
  return p.isView(value) || native.isKind(value, ["ArrayBuffer"]) ? value : p.String(value);
}

/** A bundle from an object {type: data}. */
function bundleFrom(object) {
  const bundle = [];
  const types = p.objectKeys(object);
  for (let i = 0; i < types.length; i++) {
    if (object[types[i]] !== undefined && object[types[i]] !== null) {
      add(bundle, types[i]);
      add(bundle, dataOf(types[i], object[types[i]]));
    }
  }
  return bundle;
}

/** What an object says of itself by Symbol.for("Jupyter.display"); undefined when it does not. */
function ownBundle(value) {
  if (!isObject(value) || native.proxyDetails(value, false) !== undefined) {
    return undefined;
  }
  const method = value[DISPLAY];
  const told = typeof method === "function" ? p.apply(method, value, []) : undefined;
  return typeof told === "object" && told !== null ? bundleFrom(told) : undefined;
}

function hasType(bundle, type) {
  for (let i = 0; i < bundle.length; i += 2) {
    if (bundle[i] === type) {
      return true;
    }
  }
  return false;
}

function addText(bundle, value) {
  if (!hasType(bundle, TYPES.text)) {
    add(bundle, TYPES.text);
    add(bundle, inspect(value));
  }
  return bundle;
}

/** The PNG of a value that is an image; undefined when it is none. One too large is told of. */
function imageBundle(value) {
  const parts = image.recognise(value, isRich);
  try {
    return parts === undefined ? undefined : [TYPES.png, image.encode(parts)];
  } catch (error) {
    native.write(2, `There is no PNG of this value: ${error.message}\n`);
    return undefined;
  }
}

/** The bundle of any value. A failing method of the value is told on stderr, as in Python. */
function present(value) {
  let bundle;
  try {
    bundle = ownBundle(value) ?? imageBundle(value);
  } catch (error) {
    native.write(2, `Jupyter.display of this value failed: ${inspect(error)}\n`);
  }
  bundle = addText(bundle ?? [], value);
  const json = isRich && !hasType(bundle, JSON_TYPE) ? toJson(value) : undefined;
  if (json !== undefined) {
    add(bundle, JSON_TYPE);
    add(bundle, json);
  }
  return bundle;
}

/** A copy that inherits nothing, so that no setter of user code can be in the way. */
function ownOf(...objects) {
  const copy = { __proto__: null };
  for (let i = 0; i < objects.length; i++) {
    assign(copy, objects[i]);
  }
  return copy;
}

/** {id, update, metadata} of the last argument of display(); not what all objects have. */
function optionsOf(options) {
  const { id, update, raw, metadata } = ownOf(options);
  const meta = metadata === undefined ? "{}" : toJson(metadata);
  if (meta === undefined || meta[0] !== "{") {
    throw new TypeError("metadata of display() must be a plain JSON object");
  }
  if (update && id === undefined) {
    throw new TypeError("display() with update needs the id of what it updates");
  }
  return { id: id === true ? `pandia-${++lastId}` : id, update: !!update, raw: !!raw, meta };
}

/** A display that can be replaced later. */
class DisplayHandle {
  constructor(id) {
    this.id = id;
  }

  update(value, options) {
    display(value, ownOf(options, { id: this.id, update: true }));
  }
}

function send(bundle, options) {
  const { id, update, meta } = options;
  native.display(bundle, meta, id === undefined ? "" : p.String(id), update);
  return id === undefined || update ? undefined : new DisplayHandle(p.String(id));
}

/** display(value, {id, update, raw, metadata}): shows a value at once, in its richest form. */
function display(value, options) {
  const settings = optionsOf(options);
  return send(settings.raw ? addText(bundleFrom(value), value) : present(value), settings);
}

function displayAs(type) {
  return (data, options) => {
    const bundle = [type, dataOf(type, data)];
    if (type !== TYPES.text) {
      add(bundle, TYPES.text);
      add(bundle, isJsonType(type) ? inspect(data) : isTextType(type) ? p.String(data)
          : `<${type}>`);
    }
    return send(bundle, optionsOf(options));
  };
}

/** Not the names of types: what is sent is made here. */
const methods = {
  /** Pixels as a PNG: bytes with {width, height, channels}, or an object that has them all. */
  image(pixels, options) {
    const parts = image.demand(pixels, options);
    const text = `<${TYPES.png} ${parts.width} x ${parts.height}>`;
    return send([TYPES.png, image.encode(parts), TYPES.text, text], optionsOf(options));
  },
  /** Rows of any kind as a table; `columns` names those to show. */
  table(rows, columns, options) {
    const { html, text } = richTable(rows, columns);
    return send([TYPES.html, html, TYPES.text, text], optionsOf(options));
  },
  update(id, value, options) {
    return display(value, ownOf(options, { id, update: true }));
  },
  clear(options) {
    native.clearOutput(!!(options && options.wait));
  },
};

for (const name of p.objectKeys(TYPES)) {
  p.defineProperty(display, name, { value: displayAs(TYPES[name]), enumerable: true });
}
for (const name of p.objectKeys(methods)) {
  p.defineProperty(display, name, { value: methods[name], enumerable: true });
}

module.exports = {
  display,
  present,
  enrich() {
    isRich = true;
  },
};
