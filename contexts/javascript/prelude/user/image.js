// SPDX-License-Identifier: MIT
// image.js - pixels as PNG: which values are images, and the global ImageData. Nothing here runs a
// getter of a value to find out what it is.
"use strict";

const p = require("primordials");
const { inspect } = require("format");

const { DOMException, RangeError, TypeError, Uint8ClampedArray } = globalThis;
const { isInteger } = globalThis.Number;
const INSPECT = globalThis.Symbol.for("nodejs.util.inspect.custom");
const RGBA = 4;
const CLAMPED = ["Uint8ClampedArray"];

let insidesOf;

/** What browsers have: RGBA, by size or around bytes that are there. */
class ImageData {
  #data;
  #width;
  #height;

  constructor(dataOrWidth, widthOrHeight, heightOrSettings = undefined, settings = undefined) {
    if (arguments.length < 2) {
      throw new TypeError("ImageData needs width and height, or data and width");
    }
    const hasData = typeof dataOrWidth === "object" && dataOrWidth !== null;
    checkSettings(hasData ? settings : heightOrSettings);
    this.#width = (hasData ? widthOrHeight : dataOrWidth) >>> 0;
    this.#height = hasData ? heightOf(dataOrWidth, this.#width, heightOrSettings)
      : widthOrHeight >>> 0;
    if (this.#width === 0 || this.#height === 0) {
      throw new DOMException("width and height of ImageData must not be 0", "IndexSizeError");
    }
    this.#data = hasData ? dataOrWidth : new Uint8ClampedArray(this.#width * this.#height * RGBA);
  }

  static {
    insidesOf = (value) => (#data in value
      ? { data: value.#data, width: value.#width, height: value.#height, channels: RGBA }
        : undefined);
  }

  get data() { return this.#data; }
  get width() { return this.#width; }
  get height() { return this.#height; }
  get colorSpace() { return "srgb"; }

  [INSPECT](_depth, options) {
    const parts = insidesOf(this);
    if (parts === undefined) {
      return "ImageData {}"; // of Object.create()
    }
    const { data, width, height } = parts;
    return `ImageData ${inspect({ data, width, height, colorSpace: "srgb" }, options)}`;
  }
}
p.defineProperty(ImageData.prototype, INSPECT, { enumerable: false });
p.defineProperty(ImageData.prototype, globalThis.Symbol.toStringTag, {
  value: "ImageData", configurable: true,
});
for (const name of ["data", "width", "height", "colorSpace"]) {
  p.defineProperty(ImageData.prototype, name, { enumerable: true });
}

function checkSettings(settings) {
  const space = settings?.colorSpace;
  if (space !== undefined && space !== "srgb") {
    throw new TypeError(`colorSpace of ImageData can only be 'srgb' here, not ${inspect(space)}`);
  }
}

/** The height that the data have; what was asked for must be the same. */
function heightOf(data, width, wanted) {
  if (!native.isKind(data, CLAMPED)) {
    throw new TypeError("data of ImageData must be a Uint8ClampedArray");
  }
  const count = native.sampleCount(data);
  if (count === 0 || count % RGBA !== 0) {
    throw new DOMException(`${count} bytes are not pixels of ${RGBA} bytes`, "InvalidStateError");
  }
  const height = count / RGBA / width;
  if (!isInteger(height) || (wanted !== undefined && wanted >>> 0 !== height)) {
    const size = wanted === undefined ? `rows of ${width}` : `${width} x ${wanted >>> 0}`;
    throw new DOMException(`${count / RGBA} pixels do not fill ${size}`, "IndexSizeError");
  }
  return height;
}

function isObject(value) {
  return typeof value === "object" && value !== null &&
    native.proxyDetails(value, false) === undefined;
}

/** {data, width, height, channels} of an object as far as it has them. */
function partsOf(object) {
  return insidesOf(object) ?? {
    data: p.own(object, "data"), width: p.own(object, "width"), height: p.own(object, "height"),
    channels: p.own(object, "channels"),
  };
}

function isCount(value) {
  return isInteger(value) && value > 0;
}

/** How many samples a pixel has; undefined when the parts do not fit together. */
function channelsOf({ data, width, height, channels }) {
  const implied = native.sampleCount(data) / (width * height);
  return isCount(implied) && implied <= RGBA && (channels === undefined || channels === implied)
    ? implied : undefined;
}

/**
 * The parts of a value that is an image, undefined for any other. RGBA in a Uint8ClampedArray is
 * what nothing else has; numbers beside a width and a height may be anything, and pass for an image
 * only where `isLiberal`.
 */
function recognise(value, isLiberal) {
  if (!isObject(value)) {
    return undefined;
  }
  const parts = partsOf(value);
  if (!isCount(parts.width) || !isCount(parts.height) ||
      native.sampleCount(parts.data) === undefined) {
    return undefined;
  }
  const channels = channelsOf(parts);
  const isSure = channels === RGBA && native.isKind(parts.data, CLAMPED);
  parts.channels = channels;
  return isSure || (isLiberal && channels !== undefined) ? parts : undefined;
}

function checkSize({ width, height, channels }) {
  if (width === undefined || height === undefined) {
    throw new TypeError("display.image() needs the width and the height of the pixels");
  }
  if (!isCount(width) || !isCount(height)) {
    throw new RangeError("width and height of an image are whole numbers above 0, not " +
                         `${inspect(width)} and ${inspect(height)}`);
  }
  if (channels !== undefined && !(isCount(channels) && channels <= RGBA)) {
    throw new RangeError(
      "channels of an image are 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA), " +
                         `not ${inspect(channels)}`);
  }
}

/** The parts of what the caller says is an image. */
function demand(pixels, options) {
  const isBytes = native.sampleCount(pixels) !== undefined;
  const parts = isBytes ? { data: pixels, width: undefined, height: undefined, channels: undefined }
    : isObject(pixels) ? partsOf(pixels) : { data: undefined };
  const count = native.sampleCount(parts.data);
  if (count === undefined) {
    throw new TypeError(
      "display.image() needs a Uint8ClampedArray, a Uint8Array, a Uint16Array or an ArrayBuffer, " +
                        "or an object {data, width, height} with one");
  }
  if (isObject(options)) {
    parts.width = p.own(options, "width") ?? parts.width;
    parts.height = p.own(options, "height") ?? parts.height;
    parts.channels = p.own(options, "channels") ?? parts.channels;
  }
  checkSize(parts);
  const { width, height, channels } = parts;
  const fitting = channelsOf(parts);
  if (fitting === undefined) {
    const all = width * height;
    const expected = channels === undefined ? `${all}, ${2 * all}, ${3 * all} or ${4 * all}`
                                            : `${channels * all}`;
    const form = channels === undefined ? ""
      : ` with ${channels} channel${channels > 1 ? "s" : ""}`;
    const unit = native.isKind(parts.data, ["Uint16Array"]) ? "numbers" : "bytes";
    throw new RangeError(`an image of ${width} x ${height}${form} has ${expected} ${unit}, ` +
                         `but the data have ${count}`);
  }
  parts.channels = fitting;
  return parts;
}

/** The PNG of such parts; a RangeError says what is too much. */
function encode({ data, width, height, channels }) {
  return native.encodePng(data, width, height, channels);
}

module.exports = { ImageData, recognise, demand, encode };
