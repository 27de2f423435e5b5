// SPDX-License-Identifier: MIT
// number-data.js - currencies and units in American English.
"use strict";

// code: [symbol, narrow symbol, name of one, name of many]; without a symbol the code is it.
const CURRENCIES = {
  USD: ["$", "$", "US dollar", "US dollars"], EUR: ["€", "€", "euro", "euros"],
  GBP: ["£", "£", "British pound", "British pounds"],
  JPY: ["¥", "¥", "Japanese yen", "Japanese yen"],
  INR: ["₹", "₹", "Indian rupee", "Indian rupees"],
  CNY: ["CN¥", "¥", "Chinese yuan", "Chinese yuan"],
  KRW: ["₩", "₩", "South Korean won", "South Korean won"],
  BRL: ["R$", "R$", "Brazilian real", "Brazilian reals"],
  CAD: ["CA$", "$", "Canadian dollar", "Canadian dollars"],
  AUD: ["A$", "$", "Australian dollar", "Australian dollars"],
  MXN: ["MX$", "$", "Mexican peso", "Mexican pesos"],
  NZD: ["NZ$", "$", "New Zealand dollar", "New Zealand dollars"],
  HKD: ["HK$", "$", "Hong Kong dollar", "Hong Kong dollars"],
  ILS: ["₪", "₪", "Israeli new shekel", "Israeli new shekels"],
  VND: ["₫", "₫", "Vietnamese dong", "Vietnamese dong"],
  TWD: ["NT$", "$", "New Taiwan dollar", "New Taiwan dollars"],
  XAF: ["FCFA", "FCFA", "Central African CFA franc", "Central African CFA francs"],
  XOF: ["F\u202fCFA", "F\u202fCFA", "West African CFA franc", "West African CFA francs"],
  PHP: ["₱", "₱", "Philippine peso", "Philippine pesos"],
  CHF: ["", "", "Swiss franc", "Swiss francs"], SEK: ["", "kr", "Swedish krona", "Swedish kronor"],
  NOK: ["", "kr", "Norwegian krone", "Norwegian kroner"],
  DKK: ["", "kr", "Danish krone", "Danish kroner"],
  PLN: ["", "zł", "Polish zloty", "Polish zlotys"],
  CZK: ["", "Kč", "Czech koruna", "Czech korunas"],
  HUF: ["", "Ft", "Hungarian forint", "Hungarian forints"],
  RUB: ["", "₽", "Russian ruble", "Russian rubles"], TRY: ["", "₺", "Turkish lira", "Turkish Lira"],
  ZAR: ["", "R", "South African rand", "South African rand"],
  SGD: ["", "$", "Singapore dollar", "Singapore dollars"], THB: ["", "฿", "Thai baht", "Thai baht"],
  IDR: ["", "Rp", "Indonesian rupiah", "Indonesian rupiahs"],
  MYR: ["", "RM", "Malaysian ringgit", "Malaysian ringgits"],
  AED: ["", "", "UAE dirham", "UAE dirhams"], SAR: ["", "", "Saudi riyal", "Saudi riyals"],
  EGP: ["", "E£", "Egyptian pound", "Egyptian pounds"],
  NGN: ["", "₦", "Nigerian naira", "Nigerian nairas"],
  UAH: ["", "₴", "Ukrainian hryvnia", "Ukrainian hryvnias"],
  ARS: ["", "$", "Argentine peso", "Argentine pesos"],
  CLP: ["", "$", "Chilean peso", "Chilean pesos"],
  COP: ["", "$", "Colombian peso", "Colombian pesos"],
  PEN: ["", "", "Peruvian sol", "Peruvian soles"],
  KWD: ["", "", "Kuwaiti dinar", "Kuwaiti dinars"],
  BHD: ["", "", "Bahraini dinar", "Bahraini dinars"],
};

// Digits behind the point, where they are not 2; as Intl counts them when it resolves options.
const DIGITS = {
  JPY: 0, KRW: 0, VND: 0, XAF: 0, XOF: 0, CLP: 0, ISK: 0, PYG: 0, UGX: 0, XPF: 0, RWF: 0, DJF: 0,
  GNF: 0, KMF: 0, BIF: 0, VUV: 0, BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3,
  HUF: 0, IDR: 0, COP: 0,
};

// name: [short, narrow, plural of the long name, plural of the short one]; "" means: as usual.
const UNITS = {
  acre: ["ac"], bit: ["bit"], byte: ["byte", "B"], celsius: ["°C", "°C", "degrees Celsius"],
  centimeter: ["cm"], day: ["day", "d", "", "days"], degree: ["deg", "°"],
  fahrenheit: ["°F", "°", "degrees Fahrenheit"], "fluid-ounce": ["fl oz", "", "fluid ounces"],
  foot: ["ft", "′", "feet"], gallon: ["gal"], gigabit: ["Gb"], gigabyte: ["GB"], gram: ["g"],
  hectare: ["ha"], hour: ["hr", "h"], inch: ["in", "″", "inches"], kilobit: ["kb"],
  kilobyte: ["kB"],
  kilogram: ["kg"], kilometer: ["km"], liter: ["L"], megabit: ["Mb"], megabyte: ["MB"],
  meter: ["m"],
  microsecond: ["μs"], mile: ["mi"], "mile-scandinavian": ["smi", "", "miles-scandinavian"],
  milliliter: ["mL"], millimeter: ["mm"], millisecond: ["ms"], minute: ["min", "m"],
  month: ["mth", "m", "", "mths"], nanosecond: ["ns"], ounce: ["oz"],
  percent: ["%", "%", "percent"],
  petabyte: ["PB"], pound: ["lb", "#"], second: ["sec", "s"], stone: ["st"], terabit: ["Tb"],
  terabyte: ["TB"], week: ["wk", "w", "", "wks"], yard: ["yd"], year: ["yr", "y", "", "yrs"],
};
const ONES = {
  celsius: "degree Celsius", fahrenheit: "degree Fahrenheit", "fluid-ounce": "fluid ounce",
};
// What stands behind the stroke of "km/h".
const PER = { hour: "h", second: "s", minute: "min", day: "d", gallon: "gal", week: "w", month: "m",
              year: "y" };

module.exports = { CURRENCIES, DIGITS, UNITS, ONES, PER };
