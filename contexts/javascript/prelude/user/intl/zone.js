// SPDX-License-Identifier: MIT
// zone.js - time zones: their names, their offset at a moment, how they are called.
"use strict";

const k = require("node/kit");
const o = require("intl/options");

const { now } = Date;
const UTC = ["utc", "etc/utc", "gmt", "etc/gmt", "etc/uct", "uct", "zulu", "etc/zulu",
             "etc/greenwich"];
const HOUR = 3600000;
const LOCAL = ""; // the zone of the process, when it has no name
// Names in American English, by what the system calls a zone; its hours tell it from others with
// these letters: CST is China's too. A short name is shown only for zones of North America.
const AMERICAN = {
  EST: [-5, "Eastern Standard Time"], EDT: [-4, "Eastern Daylight Time"],
  CST: [-6, "Central Standard Time"], CDT: [-5, "Central Daylight Time"],
  MST: [-7, "Mountain Standard Time"], MDT: [-6, "Mountain Daylight Time"],
  PST: [-8, "Pacific Standard Time"], PDT: [-7, "Pacific Daylight Time"],
  AKST: [-9, "Alaska Standard Time"], AKDT: [-8, "Alaska Daylight Time"],
  HST: [-10, "Hawaii-Aleutian Standard Time"],
  AST: [-4, "Atlantic Standard Time"], ADT: [-3, "Atlantic Daylight Time"],
};
const OTHERS = {
  GMT: [0, "Greenwich Mean Time"], CET: [1, "Central European Standard Time"],
  CEST: [2, "Central European Summer Time"], BST: [1, "British Summer Time"],
  IST: [5.5, "India Standard Time"], JST: [9, "Japan Standard Time"],
  EET: [2, "Eastern European Standard Time"], EEST: [3, "Eastern European Summer Time"],
};

/** The long name that a table has for a zone; undefined when it is not in it. */
function nameIn(table, abbreviation, offset) {
  const found = k.hasOwn(table, abbreviation) ? table[abbreviation] : undefined;
  return found !== undefined && found[0] * HOUR === offset ? found[1] : undefined;
}

/** "america/new_york" as the data writes it. */
function usualCase(name) {
  const parts = k.stringSplit(k.stringToLowerCase(name), "/");
  return k.arrayJoin(k.arrayMap(parts, (part) =>
    k.arrayJoin(k.arrayMap(k.stringSplit(part, "_"), (word) =>
      (word === "" || word === "of" ? word
       : o.stringToUpperCase(word[0]) + k.stringSlice(word, 1))), "_")), "/");
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
  const name = native.zoneName() ?? LOCAL;
  return k.arrayIncludes(UTC, k.stringToLowerCase(name)) ? "UTC" : name;
}

/** {offset (in milliseconds), abbreviation} at a moment. */
function lookUp(zone, time) {
  if (zone === "UTC") {
    return { offset: 0, abbreviation: "UTC" };
  }
  const isLocal = zone === LOCAL || zone === native.zoneName(); // it is at hand
  const name = isLocal ? undefined : zone;
  const { 0: seconds, 1: abbreviation } = native.zone(name, k.floor(time / 1000)) ?? [0, "UTC"];
  return { offset: seconds * 1000, abbreviation };
}

function two(number) {
  return k.stringPadStart(k.String(number), 2, "0");
}

function offsetName(offset, isLong) {
  const total = k.floor((offset < 0 ? -offset : offset) / 1000);
  const sign = offset < 0 ? "-" : "+";
  const hours = k.floor(total / 3600);
  const minutes = k.floor(total / 60) % 60;
  const seconds = total % 60 === 0 ? "" : `:${two(total % 60)}`; // mean times of old
  if (isLong) {
    return `GMT${sign}${two(hours)}:${two(minutes)}${seconds}`;
  }
  const rest = minutes === 0 && seconds === "" ? "" : `:${two(minutes)}${seconds}`;
  return `GMT${sign}${hours}${rest}`;
}

/** What timeZoneName shows. */
function zoneName(zone, time, style) {
  const { offset, abbreviation } = lookUp(zone, time);
  const isLong = style === "long" || style === "longGeneric";
  if (style === "shortOffset" || style === "longOffset") {
    return offsetName(offset, style === "longOffset");
  }
  if (abbreviation === "UTC") {
    return isLong ? "Coordinated Universal Time" : "UTC";
  }
  const american = nameIn(AMERICAN, abbreviation, offset);
  if (isLong) {
    return american ?? nameIn(OTHERS, abbreviation, offset) ?? offsetName(offset, isLong);
  }
  return american !== undefined ? abbreviation : offset === 0 ? "GMT" : offsetName(offset, isLong);
}

module.exports = { checkZone, localZone, lookUp, zoneName, now };
