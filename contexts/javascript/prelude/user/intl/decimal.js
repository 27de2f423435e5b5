// SPDX-License-Identifier: MIT
// decimal.js - numbers as decimal digits, rounded as Intl rounds: on the shortest decimal form of a
// number, so that 1.005 with two digits is 1.01.
"use strict";

const k = require("node/kit");

const ZERO = 48; // "0"
const codeAt = k.uncurry(String.prototype.charCodeAt);
const { isNaN } = Number;
const { is } = Object;

/**
 * {negative, digits, point}: the value is 0.digits * 10^point; digits have no zero at either end,
 * and are "" for 0. `special` is "nan" or "infinity" instead.
 */
function decimalOf(value) {
  if (typeof value === "number" && (isNaN(value) || value === Infinity || value === -Infinity)) {
    return { negative: value < 0, special: isNaN(value) ? "nan" : "infinity" };
  }
  const text = k.String(value);
  const negative = text[0] === "-" || is(value, -0);
  const start = text[0] === "-" ? 1 : 0;
  const e = k.stringIndexOf(text, "e");
  const mantissa = k.stringSlice(text, start, e < 0 ? text.length : e);
  const exponent = e < 0 ? 0 : k.Number(k.stringSlice(text, e + 1));
  const dot = k.stringIndexOf(mantissa, ".");
  const whole = dot < 0 ? mantissa : k.stringSlice(mantissa, 0, dot);
  const fraction = dot < 0 ? "" : k.stringSlice(mantissa, dot + 1);
  return trim({ negative, digits: whole + fraction, point: whole.length + exponent });
}

/** Without zeros at the ends of its digits. */
function trim({ negative, digits, point }) {
  let first = 0;
  let last = digits.length;
  while (first < last && codeAt(digits, first) === ZERO) {
    first++;
  }
  while (last > first && codeAt(digits, last - 1) === ZERO) {
    last--;
  }
  return first === last ? { negative, digits: "", point: 0 }
                        : { negative, digits: k.stringSlice(digits, first, last),
                            point: point - first };
}

/** Whether what is cut off at `cut` makes the digits before it grow. */
function growsAt({ negative, digits }, cut, mode) {
  const next = cut < 0 ? 0 : codeAt(digits, cut) - ZERO;
  const half = next !== 5 || cut + 1 < digits.length ? (next >= 5 ? 1 : -1) : 0;
  const isOdd = cut > 0 && (codeAt(digits, cut - 1) - ZERO) % 2 === 1;
  switch (mode) {
    case "ceil": return !negative;
    case "floor": return negative;
    case "expand": return true;
    case "trunc": return false;
    case "halfCeil": return half > 0 || (half === 0 && !negative);
    case "halfFloor": return half > 0 || (half === 0 && negative);
    case "halfTrunc": return half > 0;
    case "halfEven": return half > 0 || (half === 0 && isOdd);
    default: return half >= 0;
  }
}

/** One more in the last place of some digits; may be a digit longer. */
function increment(digits) {
  let at = digits.length - 1;
  while (at >= 0 && digits[at] === "9") {
    at--;
  }
  const zeros = k.stringRepeat("0", digits.length - 1 - at);
  return at < 0 ? `1${zeros}` : k.stringSlice(digits, 0, at) + (k.Number(digits[at]) + 1) + zeros;
}

/** Keeps `count` of the digits, which may be fewer than none. */
function roundDigits(value, count, mode) {
  if (count >= value.digits.length) {
    return value;
  }
  const { negative, point } = value;
  const kept = k.stringSlice(value.digits, 0, k.max(count, 0));
  if (!growsAt(value, count, mode)) {
    return trim({ negative, digits: kept, point });
  }
  if (count <= 0) {
    return { negative, digits: "1", point: point - count + 1 };
  }
  const grown = increment(kept);
  return trim({ negative, digits: grown, point: point + grown.length - kept.length });
}

function roundFraction(value, places, mode) {
  return value.digits === "" ? value : roundDigits(value, value.point + places, mode);
}

/** [whole, fraction] as texts, with at least so many digits in each. */
function textsOf({ digits, point }, leastWhole, leastFraction) {
  const padded = point > digits.length ? digits +
    k.stringRepeat("0", point - digits.length) : digits;
  const whole = point > 0 ? k.stringSlice(padded, 0, point) : "";
  const fraction = point > 0 ? k.stringSlice(padded, point)
                             : digits === "" ? "" : k.stringRepeat("0", -point) + digits;
  return [k.stringPadStart(whole, leastWhole, "0"),
          fraction + k.stringRepeat("0", k.max(0, leastFraction - fraction.length))];
}

module.exports = { decimalOf, roundDigits, roundFraction, textsOf };
