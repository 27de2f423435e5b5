// SPDX-License-Identifier: MIT
// display.js - the global display(): values, texts and bytes shown at once, replaced, cleared.
"use strict";

const p = require("primordials");
const { TYPES, isObject, dataOf, bundleFrom, addText, present } = require("bundle");
const { inspect } = require("format");
const image = require("image");
const { writtenJson } = require("json");
const { richTable } = require("rich-table");

const { assign } = globalThis.Object;
const { TypeError } = globalThis;
const add = p.arrayPush;

let lastId = 0;
let ownName; // of this context, as part of the ids of its displays

/** A copy that inherits nothing, so that no setter of user code can be in the way. */
function ownOf(...objects) {
  const copy = { __proto__: null };
  for (let i = 0; i < objects.length; i++) {
    assign(copy, objects[i]);
  }
  return copy;
}

/** The JSON of an object that goes into the message beside the data. */
function jsonObject(value, name) {
  const json = writtenJson(value, `the ${name} of display()`);
  if (json === undefined || json[0] !== "{") {
    throw new TypeError(`${name} of display() must be a plain JSON object`);
  }
  return json;
}

/** An id that no other context has made: their displays may be on one page. */
function newId() {
  ownName ??= p.floor(p.random() * 2 ** 52);
  return `pandia-${ownName}-${++lastId}`;
}

function idOf(id) {
  const text = id === undefined ? undefined : id === true ? newId() : p.String(id);
  if (text === "") {
    throw new TypeError("the id of a display is a text that is not empty");
  }
  return text;
}

/** {id, update, raw, metadata, transient} of the last argument of display(). */
function optionsOf(options) {
  const { id, display_id: sameId, update, raw, metadata, transient } = ownOf(options);
  const others = ownOf(transient);
  const known = idOf(id ?? sameId ?? others.display_id);
  if (transient !== undefined && transient !== null) {
    jsonObject(transient, "transient");
  }
  if (update && known === undefined) {
    throw new TypeError("display() with update needs the id of what it updates");
  }
  if (known !== undefined) {
    others.display_id = known;
  }
  return {
    id: known, update: !!update, raw: !!raw, metadata, transient: jsonObject(others, "transient"),
  };
}

function areTypes(names) {
  for (let i = 0; i < names.length; i++) {
    if (native.mimeForm(names[i]) === undefined) {
      return false;
    }
  }
  return true;
}

/**
 * Metadata as [type, JSON, type, JSON...]. In the message they stand under the type they are about;
 * what does not name types is about the first, the richest one. Those of a finished bundle
 * (`raw`) are finished as well.
 */
function metadataOf({ metadata, raw }, first) {
  if (metadata === undefined || metadata === null) {
    return [];
  }
  const json = jsonObject(metadata, "metadata");
  const names = p.objectKeys(metadata);
  if (!raw && !areTypes(names)) {
    return [first, json];
  }
  const rows = [];
  for (let i = 0; i < names.length; i++) {
    add(rows, names[i]);
    add(rows, writtenJson(metadata[names[i]], "the metadata of display()"));
  }
  return rows;
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
  const { id, update, transient } = options;
  native.display(bundle, metadataOf(options, bundle[0]), transient, update);
  return id === undefined || update ? undefined : new DisplayHandle(id);
}

/** display(value, {id, update, raw, metadata, transient}): shows a value in its richest form. */
function display(value, options) {
  const settings = optionsOf(options);
  return send(settings.raw ? addText(bundleFrom(value), value) : present(value), settings);
}

/** Traces alone are a figure too; what draws it wants to find a layout. */
function figureOf(value) {
  const figure = p.isArray(value) ? { __proto__: null, data: value } : ownOf(value);
  if (!p.isArray(figure.data)) {
    throw new TypeError("display.plotly() needs a figure {data, layout}, or an array of traces");
  }
  figure.layout ??= ownOf();
  return figure;
}

/** What is sent for the argument of display.label(). */
function valueFor(label, data) {
  const type = TYPES[label];
  if (native.mimeForm(type) !== "json" || type === TYPES.json) {
    return data;
  }
  if (!isObject(data)) {
    throw new TypeError(`display.${label}() needs an object, not ${inspect(data)}`);
  }
  return type === TYPES.plotly ? figureOf(data) : data;
}

/** What a terminal shows of it: Markdown and LaTeX can be read as they are. */
function textFor(type, data) {
  if (native.mimeForm(type) === "json") {
    return inspect(data);
  }
  return type === TYPES.markdown || type === TYPES.latex ? p.String(data) : `<${type}>`;
}

function displayAs(label) {
  const type = TYPES[label];
  return (data, options) => {
    const bundle = [type, dataOf(type, valueFor(label, data))];
    if (type !== TYPES.text) {
      add(bundle, TYPES.text);
      add(bundle, textFor(type, data));
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
  /** Rows of any kind as a table; `columns` names those to show, and may stand in the options. */
  table(rows, columns, options) {
    const isNamed = isObject(columns) && !p.isArray(columns);
    const settings = ownOf(isNamed ? columns : options);
    const { html, text } = richTable(rows, isNamed ? settings.columns : columns);
    return send([TYPES.html, html, TYPES.text, text], optionsOf(settings));
  },
  /** A finished bundle {type: data}; metadata and transient go into the message as they are. */
  publish(bundle, options) {
    return display(bundle, ownOf(options, { raw: true }));
  },
  update(id, value, options) {
    return display(value, ownOf(options, { id, update: true }));
  },
  clear(options) {
    native.clearOutput(!!ownOf(options).wait);
  },
};

for (const label of p.objectKeys(TYPES)) {
  p.defineProperty(display, label, { value: displayAs(label), enumerable: true });
}
for (const name of p.objectKeys(methods)) {
  p.defineProperty(display, name, { value: methods[name], enumerable: true });
}

module.exports = { display };
