// SPDX-License-Identifier: MIT
// zone.js - time zones: their names, their offset at a moment, how they are called.
"use strict";

const k = require("node/kit");
const o = require("intl/options");

const { now } = Date;
const UTC = ["utc", "etc/utc", "gmt", "etc/gmt", "etc/uct", "uct", "zulu", "etc/zulu", "etc/greenwich"];
// Zones with names of their own in American English, by what the system calls them.
const NAMES = {
  EST: "Eastern Standard Time", EDT: "Eastern Daylight Time", CST: "Central Standard Time",
  CDT: "Central Daylight Time", MST: "Mountain Standard Time", MDT: "Mountain Daylight Time",
  PST: "Pacific Standard Time", PDT: "Pacific Daylight Time", AKST: "Alaska Standard Time",
  AKDT: "Alaska Daylight Time", HST: "Hawaii-Aleutian Standard Time", GMT: "Greenwich Mean Time",
  CET: "Central European Standard Time", CEST: "Central European Summer Time",
  BST: "British Summer Time", IST: "India Standard Time", JST: "Japan Standard Time",
  EET: "Eastern European Standard Time", EEST: "Eastern European Summer Time",
};
const AMERICAN = ["EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "AKST", "AKDT", "HST"];

/** "america/new_york" as the data writes it. */
function usualCase(name) {
  const parts = k.stringSplit(k.stringToLowerCase(name), "/");
  return k.arrayJoin(k.arrayMap(parts, (part) =>
    k.arrayJoin(k.arrayMap(k.stringSplit(part, "_"), (word) =>
      (word === "" || word === "of" ? word : o.stringToUpperCase(word[0]) + k.stringSlice(word, 1))), "_")), "/");
}

function exists(name) {
  return native.zone(name, 0) !== undefined;
}

/** The name of a zone as resolvedOptions() gives it; throws when there is none. */
function checkZone(given) {
  const name = k.String(given);
  if (k.arrayIncludes(UTC, k.stringToLowerCase(name))) {
    return "UTC";
  }
  const usual = usualCase(name);
  const found = exists(name) && o.matches(/[a-z]/, name) && name[0] === usual[0] ? name
    : exists(usual) ? usual : undefined;
  if (found === undefined) {
    throw new k.RangeError(`Invalid time zone specified: ${name}`);
  }
  return found;
}

/** The zone of the process. */
function localZone() {
  const name = native.zoneName();
  if (name === undefined || k.arrayIncludes(UTC, k.stringToLowerCase(name))) {
    return "UTC";
  }
  return name;
}

/** {offset (in milliseconds), abbreviation} at a moment. */
function lookUp(zone, time) {
  if (zone === "UTC") {
    return { offset: 0, abbreviation: "UTC" };
  }
  const name = zone === native.zoneName() ? undefined : zone; // that of the process is at hand
  const { 0: seconds, 1: abbreviation } = native.zone(name, k.floor(time / 1000)) ?? [0, "UTC"];
  return { offset: seconds * 1000, abbreviation };
}

function two(number) {
  return k.stringPadStart(k.String(number), 2, "0");
}

function offsetName(offset, isLong) {
  const minutes = k.floor((offset < 0 ? -offset : offset) / 60000);
  const sign = offset < 0 ? "-" : "+";
  const hours = k.floor(minutes / 60);
  const rest = minutes % 60;
  return isLong ? `GMT${sign}${two(hours)}:${two(rest)}`
                : `GMT${sign}${hours}${rest === 0 ? "" : `:${two(rest)}`}`;
}

/** What timeZoneName shows. */
function zoneName(zone, time, style) {
  const { offset, abbreviation } = lookUp(zone, time);
  const isLong = style === "long" || style === "longGeneric";
  if (style === "shortOffset" || style === "longOffset") {
    return offsetName(offset, style === "longOffset");
  }
  if (zone === "UTC") {
    return isLong ? "Coordinated Universal Time" : "UTC";
  }
  if (isLong && k.hasOwn(NAMES, abbreviation)) {
    return NAMES[abbreviation];
  }
  if (!isLong && offset < 0 && k.arrayIncludes(AMERICAN, abbreviation)) {
    return abbreviation;
  }
  return offset === 0 && !isLong ? "GMT" : offsetName(offset, isLong);
}

module.exports = { checkZone, localZone, lookUp, zoneName, now };
