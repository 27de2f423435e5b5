// SPDX-License-Identifier: MIT
// date.js - Intl.DateTimeFormat in American English: settings, then a moment as parts.
"use strict";

const k = require("node/kit");
const o = require("intl/options");
const { checkZone, localZone, lookUp, zoneName, now } = require("intl/zone");

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
                "September",
                "October", "November", "December"];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const NUMBERS = ["2-digit", "numeric"];
const TEXTS = ["narrow", "short", "long"];
const DATE_FIELDS = { weekday: TEXTS, era: TEXTS, year: NUMBERS,
                      month: ["2-digit", "numeric", "narrow", "short", "long"],
                      day: NUMBERS };
const TIME_FIELDS = { dayPeriod: TEXTS, hour: NUMBERS, minute: NUMBERS, second: NUMBERS };
const ZONE_STYLES = ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"];
const STYLES = ["full", "long", "medium", "short"];
const DATE_STYLES = {
  full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
  long: { year: "numeric", month: "long", day: "numeric" },
  medium: { year: "numeric", month: "short", day: "numeric" },
  short: { year: "2-digit", month: "numeric", day: "numeric" },
};
const HMS = { hour: "numeric", minute: "2-digit", second: "2-digit" };
const TIME_STYLES = {
  full: { ...HMS, timeZoneName: "long" }, long: { ...HMS, timeZoneName: "short" }, medium: HMS,
  short: { hour: "numeric", minute: "2-digit" },
};
const LAST_TIME = 8.64e15;
const NARROW = "\u202f"; // before AM, but only in parts: V8 makes a plain space of it in texts

const slots = new k.WeakMap();
const slotGet = k.uncurry(k.WeakMap.prototype.get);
const slotSet = k.uncurry(k.WeakMap.prototype.set);
const getTime = k.uncurry(Date.prototype.getTime);
// Before user code.
const utc = (() => {
  const methods = {};
  const names = ["Day", "FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"];
  for (const name of names) {
    methods[name] = k.uncurry(Date.prototype[`getUTC${name}`]);
  }
  return methods;
})();

// Settings.

function readFields(options, table, fields) {
  const names = k.objectKeys(table);
  for (let i = 0; i < names.length; i++) {
    const value = o.textOption(options, names[i], table[names[i]]);
    if (value !== undefined) {
      fields[names[i]] = value;
    }
  }
}

function hasAny(fields, table) {
  const isGiven = (name) => name !== "era" && fields[name] !== undefined;
  return k.arrayFilter(k.objectKeys(table), isGiven).length > 0;
}

function componentSettings(options, required, defaults) {
  const fields = k.createObject(null);
  readFields(options, DATE_FIELDS, fields);
  readFields(options, TIME_FIELDS, fields);
  const fraction = o.numberOption(options, "fractionalSecondDigits", 1, 3);
  if (fraction !== undefined) {
    fields.fractionalSecondDigits = fraction;
    if (fields.second === undefined && fields.minute !== undefined) {
      fields.second = "2-digit";
    }
  }
  const zone = o.textOption(options, "timeZoneName", ZONE_STYLES);
  const hasDate = hasAny(fields, DATE_FIELDS);
  const hasTime = hasAny(fields, TIME_FIELDS) || fraction !== undefined;
  const isEnough = (required !== "time" && hasDate) || (required !== "date" && hasTime);
  if (!isEnough && defaults !== "time") {
    k.assign(fields, { year: "numeric", month: "numeric", day: "numeric" });
  }
  if (!isEnough && defaults !== "date") {
    k.assign(fields, { hour: "numeric", minute: "2-digit", second: "2-digit" });
  }
  if (zone !== undefined) {
    fields.timeZoneName = zone;
  }
  return fields;
}

function checkStyles(options, { dateStyle, timeStyle }, required) {
  const names = ["weekday", "era", "year", "month", "day", "dayPeriod", "hour", "minute", "second",
                 "fractionalSecondDigits", "timeZoneName"];
  for (let i = 0; i < names.length; i++) {
    if (options[names[i]] !== undefined) {
      const style = dateStyle === undefined ? "timeStyle" : "dateStyle";
      throw new k.TypeError(`Can't set option ${names[i]} when ${style} is used`);
    }
  }
  if ((required === "date" && timeStyle !== undefined) ||
      (required === "time" && dateStyle !== undefined)) {
    throw new k.TypeError(`Invalid option : ${required === "date" ? "timeStyle" : "dateStyle"}`);
  }
}

function hourCycleOf(options, hour12) {
  const cycle = o.textOption(options, "hourCycle", ["h11", "h12", "h23", "h24"]);
  if (hour12 !== undefined) {
    return hour12 ? "h12" : "h24"; // so V8: midnight is 24:00, unless hourCycle is asked for
  }
  return cycle ?? "h12";
}

function resolve(locales, given, required, defaults) {
  const locale = o.resolveLocale(locales);
  const options = o.optionsObject(given);
  const hour12 = o.flagOption(options, "hour12");
  const timeZone = options.timeZone === undefined ? localZone() : checkZone(options.timeZone);
  const dateStyle = o.textOption(options, "dateStyle", STYLES);
  const timeStyle = o.textOption(options, "timeStyle", STYLES);
  const hasStyle = dateStyle !== undefined || timeStyle !== undefined;
  if (hasStyle) {
    checkStyles(options, { dateStyle, timeStyle }, required);
  }
  const fields = hasStyle
    ? { ...(dateStyle && DATE_STYLES[dateStyle]), ...(timeStyle && TIME_STYLES[timeStyle]) }
    : componentSettings(options, required, defaults);
  return { locale, timeZone, hourCycle: hourCycleOf(options, hour12),
           fields, dateStyle, timeStyle };
}

// A moment.

/** The fields of a moment in a zone. */
function momentOf(time, zone) {
  const date = new k.Date(time + lookUp(zone, time).offset);
  return {
    weekday: utc.Day(date), year: utc.FullYear(date), month: utc.Month(date), day: utc.Date(date),
    hour: utc.Hours(date), minute: utc.Minutes(date), second: utc.Seconds(date),
    millisecond: utc.Milliseconds(date),
  };
}

function two(number) {
  return k.stringPadStart(k.String(number), 2, "0");
}

function inStyle(number, style) {
  return style === "2-digit" ? two(number) : k.String(number);
}

function nameIn(name, style) {
  return style === "long" ? name : k.stringSlice(name, 0, style === "short" ? 3 : 1);
}

function isText(month) {
  return month === "long" || month === "short" || month === "narrow";
}

function part(type, value) {
  return { type, value };
}

/** Joins lists of parts with literals between them; lists may be empty. */
function joined(lists, glue) {
  let all = [];
  for (let i = 0; i < lists.length; i++) {
    if (lists[i].length > 0) {
      const before = all.length > 0 ? k.arrayConcat(all, [part("literal", glue)]) : all;
      all = k.arrayConcat(before, lists[i]);
    }
  }
  return all;
}

/** Lists of parts, empty for fields that are not shown. */
function datePieces(moment, f) {
  const year = moment.year <= 0 ? 1 - moment.year : moment.year;
  const month = isText(f.month) ? nameIn(MONTHS[moment.month], f.month)
    : inStyle(moment.month + 1, f.month);
  const era = f.era === undefined && moment.year > 0 ? []
    : [part("era", moment.year > 0 ? "AD" : "BC")];
  const short = f.year === "2-digit" ? two(year % 100) : k.String(year);
  return {
    weekday: f.weekday === undefined ? []
      : [part("weekday", nameIn(DAYS[moment.weekday], f.weekday))],
    month: f.month === undefined ? [] : [part("month", month)],
    day: f.day === undefined ? [] : [part("day", inStyle(moment.day, f.day))],
    year: f.year === undefined ? [] : f.era === undefined ? [part("year", short)]
                                                           : joined(
                                                             [[part("year", short)], era], " "),
  };
}

function dateParts(moment, f) {
  const { weekday, month, day, year } = datePieces(moment, f);
  const hasMonth = month.length > 0;
  const hasDay = day.length > 0;
  if (!hasMonth && hasDay && year.length > 0) { // so ICU puts what it has no pattern for
    const odd = k.arrayConcat(k.arrayConcat(year, [part("literal", " (day: ")]), day);
    return joined([k.arrayConcat(odd, [part("literal", ")")]), weekday], " ");
  }
  if (!isText(f.month)) {
    const numbers = joined([month, day, year], "/");
    return hasMonth && hasDay ? joined([weekday, numbers], ", ") : joined([numbers, weekday], " ");
  }
  const monthDay = joined([month, day], " ");
  return hasDay ? joined([weekday, monthDay, year], ", ") : joined([monthDay, year, weekday], " ");
}

function hourText(moment, f, cycle) {
  switch (cycle) {
    case "h23": return two(moment.hour);
    case "h24": return two(moment.hour === 0 ? 24 : moment.hour);
    case "h11": return inStyle(moment.hour % 12, f.hour);
    default: return inStyle(moment.hour % 12 || 12, f.hour);
  }
}

function timeParts(moment, f, cycle) {
  const hasMinute = f.minute !== undefined;
  const hasHour = f.hour !== undefined;
  const digits = f.fractionalSecondDigits;
  const hour = hasHour ? [part("hour", hourText(moment, f, cycle))] : [];
  const isSmall = hasHour || f.second !== undefined;
  const minute = hasMinute
    ? [part("minute", isSmall ? two(moment.minute) : k.String(moment.minute))] : [];
  let second = f.second === undefined ? []
    : [part("second", hasMinute ? two(moment.second) : k.String(moment.second))];
  if (digits !== undefined) {
    const text = k.stringPadStart(k.String(moment.millisecond), 3, "0");
    second = joined([second, [part("fractionalSecond", k.stringSlice(text, 0, digits))]], ".");
  }
  const clock = joined([hour, minute, second], ":");
  const hasPeriod = hasHour && (cycle === "h12" || cycle === "h11");
  const period = hasPeriod ? [part("dayPeriod", moment.hour < 12 ? "AM" : "PM")] : [];
  return joined([clock, period], NARROW);
}

/** What stands between a date and a time. */
function glueOf({ fields: f, dateStyle, timeStyle }) {
  if (timeStyle !== undefined) {
    return dateStyle === "full" || dateStyle === "long" ? " at " : ", ";
  }
  const isOnlyDay = f.weekday !== undefined && f.month === undefined && f.day === undefined &&
    f.year === undefined;
  return isOnlyDay ? " " : f.month === "long" ? " at " : ", ";
}

function partsOf(time, set) {
  const { fields, timeZone, hourCycle } = set;
  const moment = momentOf(time, timeZone);
  const date = dateParts(moment, fields);
  const clock = timeParts(moment, fields, hourCycle);
  const zone = fields.timeZoneName === undefined
    ? [] : [part("timeZoneName", zoneName(timeZone, time, fields.timeZoneName))];
  if (clock.length === 0) {
    return joined([date, zone], ", ");
  }
  return joined([date, joined([clock, zone], " ")], glueOf(set));
}

function join(parts) {
  let text = "";
  for (let i = 0; i < parts.length; i++) {
    text += parts[i].value === NARROW ? " " : parts[i].value;
  }
  return text;
}

function timeOf(value) {
  const time = value === undefined ? now() : k.Number(value);
  if (!(time >= -LAST_TIME && time <= LAST_TIME)) {
    throw new k.RangeError("Invalid time value");
  }
  return time < 0 ? k.ceil(time) : k.floor(time);
}

function settingsOf(formatter, method) {
  const set = slotGet(slots, formatter);
  if (set === undefined) {
    throw new k.TypeError(
      `Method Intl.DateTimeFormat.prototype.${method} called on incompatible receiver ` +
                          k.String(formatter));
  }
  return set;
}

/** Fields as resolvedOptions() shows them: with the digits that the pattern has. */
function shownFields({ fields: f, hourCycle, dateStyle, timeStyle }) {
  if (dateStyle !== undefined || timeStyle !== undefined) {
    return {};
  }
  const shown = { ...f };
  const isLong = hourCycle === "h23" || hourCycle === "h24";
  if (f.hour !== undefined) {
    shown.hour = isLong ? "2-digit" : f.hour;
  }
  if (f.minute !== undefined) {
    shown.minute = f.hour !== undefined || f.second !== undefined ? "2-digit" : "numeric";
  }
  if (f.second !== undefined) {
    shown.second = f.minute !== undefined ? "2-digit" : "numeric";
  }
  return shown;
}

class DateTimeFormat {
  constructor(locales, options) {
    slotSet(slots, this, resolve(locales, options, "any", "date"));
  }

  get format() {
    const set = settingsOf(this, "format");
    return (value) => join(partsOf(timeOf(value), set));
  }

  formatToParts(value) {
    return partsOf(timeOf(value), settingsOf(this, "formatToParts"));
  }

  resolvedOptions() {
    const set = settingsOf(this, "resolvedOptions");
    const { locale, timeZone, fields, hourCycle, dateStyle, timeStyle } = set;
    return {
      locale, calendar: "gregory", numberingSystem: "latn", timeZone: timeZone || "UTC",
      ...(fields.hour === undefined
        ? {} : { hourCycle, hour12: hourCycle === "h12" || hourCycle === "h11" }),
      ...shownFields(set),
      ...(dateStyle && { dateStyle }), ...(timeStyle && { timeStyle }),
    };
  }
}

/** The three methods of dates; `required` and `defaults` as in the standard. */
function formatDate(date, locales, options, { required, defaults }) {
  const time = getTime(date);
  if (time !== time) {
    return "Invalid Date";
  }
  return join(partsOf(time, resolve(locales, options, required, defaults)));
}

module.exports = { DateTimeFormat: o.expose(DateTimeFormat, o.CALL.makes), formatDate };
