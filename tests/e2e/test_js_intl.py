# SPDX-License-Identifier: MIT
"""Intl and the methods that follow it, in American English: rows print what they print in Node in the
same run. Node has all locales, we have one; what the others become is asserted apart."""
import pytest

from support.node import differences

pytestmark = pytest.mark.rows

LANGUAGE = "javascript"

D = "new Date(Date.UTC(2024, 0, 2, 15, 4, 5, 678))"
NIGHT = "new Date(Date.UTC(2023, 10, 25, 0, 7, 9))"


def dates(*options, moment=D):
    return [f"JSON.stringify(new Intl.DateTimeFormat('en-US', {{timeZone: 'UTC', {text}}}).format({moment}))" for text in options]


def numbers(options, *values):
    return [f"JSON.stringify(new Intl.NumberFormat('en-US', {{{options}}}).format({value}))" for value in values]


def in_zones(*moments):
    """Beyond the tables of zone files (2037) their last line holds; before them, the mean time of the place."""
    return [f"new Date({moment}).toLocaleString('en-US', {{timeZone: '{zone}', timeZoneName: 'shortOffset'}})" for moment in moments
            for zone in ("America/New_York", "Europe/Dublin", "Australia/Sydney", "Asia/Tokyo", "America/Sao_Paulo", "Etc/GMT+5")]


SAME_AS_NODE = {
    "zones": [*in_zones("Date.UTC(2450, 0, 15)", "Date.UTC(2450, 6, 15)", "Date.UTC(1800, 0, 1)", "Date.UTC(1950, 6, 1)", "Date.UTC(2040, 2, 11, 7)", "Date.UTC(2040, 2, 11, 6, 59, 59)"),
              *[f"try {{ new Intl.DateTimeFormat('en', {{timeZone: '{name}'}}); console.log('there') }} catch (e) {{ console.log(e.name, e.message) }}"
                for name in ("America", "../zoneinfo/UTC", "leapseconds", "Asia/Tokyo/", "/etc/localtime", "")]],
    "decimal": [
        "(1234567.891).toLocaleString()", "(1234.5).toLocaleString('en-US')", "(0).toLocaleString()", "(-0).toLocaleString()", "NaN.toLocaleString()",
        "(-Infinity).toLocaleString()", "(1e21).toLocaleString()", "(1.5e-7).toLocaleString()", "(123456789012345678901234567890n).toLocaleString()",
        "[1234.5, 6789n, 'x', null].toLocaleString()", "(999.9996).toLocaleString()", "(0.1 + 0.2).toLocaleString()", "new Number(1e6).toLocaleString()",
        "(1234.5).toLocaleString(undefined, {minimumFractionDigits: 2})", "(1234.5678).toLocaleString('en-US', {maximumFractionDigits: 2})",
        *numbers("maximumFractionDigits: 2", "1.005", "1.015", "2.675", "0.125", "-1.005", "1e-5", "99999.999"), *numbers("minimumFractionDigits: 5", "1", "1.23456789"),
        *numbers("maximumFractionDigits: 0", "0.5", "1.5", "2.5", "-0.4"), *numbers("maximumSignificantDigits: 3", "123456", "0.00123456", "1", "99999", "0"),
        *numbers("minimumSignificantDigits: 4", "1", "12345.6", "0", "0.00012"), *numbers("minimumIntegerDigits: 3", "5", "1234"), *numbers("useGrouping: false", "1234567"),
        *numbers("useGrouping: 'min2'", "1234", "12345"), *numbers("signDisplay: 'always'", "5", "-5", "0", "NaN"), *numbers("signDisplay: 'exceptZero'", "5", "0", "-0.0001"),
        *numbers("signDisplay: 'never'", "-5"), *numbers("signDisplay: 'negative'", "-5", "-0"), *numbers("roundingMode: 'ceil', maximumFractionDigits: 1", "1.11", "-1.19"),
        *numbers("roundingMode: 'halfEven', maximumFractionDigits: 0", "0.5", "1.5", "2.5", "3.5"), *numbers("roundingMode: 'trunc', maximumFractionDigits: 0", "1.9", "-1.9"),
        *numbers("trailingZeroDisplay: 'stripIfInteger', minimumFractionDigits: 2", "5", "5.5"), *numbers("", "'12345678901234567890.5'", "'x'", "null", "undefined", "true", "'0x10'"),
        "new Intl.NumberFormat().resolvedOptions()", "new Intl.NumberFormat('en', {maximumSignificantDigits: 3}).resolvedOptions()",
        "new Intl.NumberFormat('en-US').formatToParts(-1234567.89)", "Intl.NumberFormat('en-US').format(5)", "[1, 2000].map(new Intl.NumberFormat().format)",
        "new Intl.NumberFormat('en', {maximumFractionDigits: 101})", "(5).toFixed(2) + (1).toLocaleString('en', {minimumFractionDigits: 3, maximumFractionDigits: 2})",
        "try { new Intl.NumberFormat('en', {style: 'nope'}) } catch (e) { console.log(e.name) }", "try { Number.prototype.toLocaleString.call('x') } catch (e) { console.log(e.name) }", "Object.prototype.toString.call(new Intl.NumberFormat()) + String(Intl)",
        "Object.getOwnPropertyDescriptor(Number.prototype, 'toLocaleString').enumerable", "new Uint16Array([1000, 2]).toLocaleString()",
    ],
    "percent": [*numbers("style: 'percent'", "0.256", "1", "12.345", "-0.5", "0.005"), *numbers("style: 'percent', minimumFractionDigits: 1", "0.256", "1"),
                *numbers("style: 'percent', maximumFractionDigits: 2", "0.123456")],
    "currency": [
        *numbers("style: 'currency', currency: 'USD'", "1234.5", "-1234.5", "0", "0.005", "NaN", "1e9"), *numbers("style: 'currency', currency: 'eur'", "1234.5"),
        *[row for code in ("GBP", "JPY", "INR", "CNY", "KRW", "BRL", "CAD", "AUD", "MXN", "CHF", "SEK", "PLN", "KWD", "BTC", "XOF", "HUF")
          for row in numbers(f"style: 'currency', currency: '{code}'", "1234.5")], *numbers("style: 'currency', currency: 'USD', currencyDisplay: 'code'", "1", "-1"),
        *numbers("style: 'currency', currency: 'USD', currencyDisplay: 'name'", "1", "2", "-3"), *numbers("style: 'currency', currency: 'JPY', currencyDisplay: 'name'", "1"),
        *numbers("style: 'currency', currency: 'CAD', currencyDisplay: 'narrowSymbol'", "1"), *numbers("style: 'currency', currency: 'SEK', currencyDisplay: 'narrowSymbol'", "1"),
        *numbers("style: 'currency', currency: 'USD', maximumFractionDigits: 0", "1234.5"), *numbers("style: 'currency', currency: 'USD', minimumFractionDigits: 0", "1234.5", "1234"),
        *numbers("style: 'currency', currency: 'USD', currencySign: 'accounting'", "-5", "5"), *numbers("style: 'currency', currency: 'USD', notation: 'compact'", "1234567", "999"),
        *numbers("style: 'currency', currency: 'USD', signDisplay: 'always'", "5"), "new Intl.NumberFormat('en', {style: 'currency'})", "new Intl.NumberFormat('en', {style: 'currency', currency: 'dollar'})",
        "new Intl.NumberFormat('en-US', {style: 'currency', currency: 'USD'}).resolvedOptions()", "new Intl.NumberFormat('en-US', {style: 'currency', currency: 'USD'}).formatToParts(-1234.5)",
    ],
    "notation": [
        *numbers("notation: 'compact'", "999", "1234", "12345", "999999", "1500000", "1234567890", "1e15", "0", "-1234", "0.5", "1.234", "1e13"), *numbers("notation: 'compact', compactDisplay: 'long'", "1234", "2e6", "5"),
        *numbers("notation: 'compact', maximumFractionDigits: 1", "1234", "1250", "15"), *numbers("notation: 'scientific'", "123456", "0.00012", "0"), *numbers("notation: 'engineering'", "123456", "0.00012"),
        *numbers("notation: 'compact', maximumSignificantDigits: 3", "123456"), "new Intl.NumberFormat('en', {notation: 'compact'}).resolvedOptions()",
    ],
    "unit": [
        *[row for unit in ("kilometer", "celsius", "percent", "byte", "day", "foot", "kilometer-per-hour", "mile-per-gallon", "megabyte-per-second", "hour", "liter", "month", "gigabyte", "mile-per-hour")
          for display in ("short", "narrow", "long") for row in numbers(f"style: 'unit', unit: '{unit}', unitDisplay: '{display}'", "1", "1234.5")],
        "new Intl.NumberFormat('en', {style: 'unit'})", "new Intl.NumberFormat('en', {style: 'unit', unit: 'parsec'})",
    ],
    "date": [
        *dates("", "dateStyle: 'full'", "dateStyle: 'long'", "dateStyle: 'medium'", "dateStyle: 'short'", "timeStyle: 'full'", "timeStyle: 'long'", "timeStyle: 'medium'", "timeStyle: 'short'",
               "dateStyle: 'full', timeStyle: 'short'", "dateStyle: 'long', timeStyle: 'long'", "dateStyle: 'medium', timeStyle: 'medium'", "dateStyle: 'short', timeStyle: 'short'",
               "year: 'numeric', month: 'long', day: 'numeric'", "weekday: 'long', year: 'numeric', month: 'long', day: 'numeric'", "year: 'numeric', month: 'short', day: '2-digit'",
               "month: 'short', day: 'numeric'", "year: 'numeric', month: '2-digit', day: '2-digit'", "year: '2-digit', month: '2-digit', day: '2-digit'", "month: 'long'", "month: 'narrow'",
               "weekday: 'long'", "weekday: 'short'", "weekday: 'narrow'", "year: 'numeric'", "day: 'numeric'", "day: '2-digit'", "month: '2-digit'", "month: 'long', year: 'numeric'",
               "month: 'numeric', year: 'numeric'", "month: 'numeric', day: 'numeric'", "weekday: 'short', month: 'short', day: 'numeric'", "weekday: 'short', year: 'numeric', month: 'numeric', day: 'numeric'",
               "hour: 'numeric'", "hour: '2-digit', minute: '2-digit'", "hour: 'numeric', minute: 'numeric', second: 'numeric'", "hour: 'numeric', minute: '2-digit', hour12: false",
               "hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false", "hour: 'numeric', hourCycle: 'h23', minute: 'numeric'", "minute: '2-digit', second: '2-digit'", "minute: '2-digit'", "second: 'numeric'",
               "hour: 'numeric', minute: 'numeric', second: 'numeric', fractionalSecondDigits: 3", "minute: 'numeric', second: 'numeric', fractionalSecondDigits: 1", "timeZoneName: 'short'",
               "hour: 'numeric', timeZoneName: 'long'", "hour: 'numeric', timeZoneName: 'shortOffset'", "year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit'",
               "month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short'", "weekday: 'long', hour: 'numeric'", "weekday: 'short', day: 'numeric'", "year: 'numeric', day: 'numeric'",
               "year: 'numeric', month: 'short', weekday: 'long'", "year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric', hour12: false", "era: 'short', year: 'numeric'"),
        *dates("hour: 'numeric', minute: 'numeric'", "hour: '2-digit', minute: '2-digit', hour12: false", "hour: 'numeric', minute: 'numeric', hourCycle: 'h23'", "timeStyle: 'short', hour12: false",
               "timeStyle: 'medium', hourCycle: 'h23'", "timeZone: 'America/New_York', dateStyle: 'full', timeStyle: 'full'", "timeZone: 'Asia/Tokyo', dateStyle: 'short', timeStyle: 'long'",
               "timeZone: 'Europe/Berlin', timeZoneName: 'short', hour: 'numeric'", "timeZone: 'Asia/Kolkata', timeZoneName: 'longOffset', hour: 'numeric'", "timeZone: 'america/los_angeles', timeStyle: 'long'",
               "timeZone: 'Asia/Shanghai', timeStyle: 'long'", "timeZone: 'Asia/Jerusalem', timeStyle: 'long'", "timeZone: 'America/Havana', timeStyle: 'long'", "timeZone: 'Europe/Dublin', timeStyle: 'full'", moment=NIGHT),
        f"JSON.stringify(({D}).toLocaleString('en-US', {{timeZone: 'UTC'}}))", f"JSON.stringify(({D}).toLocaleDateString('en-US', {{timeZone: 'UTC'}}))", f"JSON.stringify(({D}).toLocaleTimeString('en-US', {{timeZone: 'UTC'}}))",
        f"JSON.stringify([({D}).toLocaleString(), ({D}).toLocaleDateString(), ({D}).toLocaleTimeString()])", f"({D}).toLocaleDateString(undefined, {{weekday: 'long', month: 'long', day: 'numeric'}})",
        f"JSON.stringify(({D}).toLocaleTimeString([], {{hour: '2-digit', minute: '2-digit'}}))", f"JSON.stringify(({D}).toLocaleTimeString('en-US', {{weekday: 'short'}}))", f"JSON.stringify(({D}).toLocaleDateString('en-US', {{hour: 'numeric'}}))",
        f"({D}).toLocaleDateString('en-US', {{dateStyle: 'medium'}})", f"({D}).toLocaleDateString('en-US', {{timeStyle: 'short'}})", "new Date(NaN).toLocaleString()", "new Intl.DateTimeFormat().format(NaN)",
        f"new Intl.DateTimeFormat('en-US', {{dateStyle: 'short', year: 'numeric'}})", "new Intl.DateTimeFormat('en-US', {timeZone: 'Mars/Olympus'})", "try { new Intl.DateTimeFormat('en-US', {month: 'huge'}) } catch (e) { console.log(e.name) }",
        "Intl.DateTimeFormat().resolvedOptions().timeZone", "new Intl.DateTimeFormat('en-US').resolvedOptions()", "new Intl.DateTimeFormat('en-US', {dateStyle: 'short', timeStyle: 'short'}).resolvedOptions()",
        "new Intl.DateTimeFormat('en-US', {hour: 'numeric', minute: 'numeric', hour12: true}).resolvedOptions()", "new Intl.DateTimeFormat('en-US', {timeZone: 'etc/utc'}).resolvedOptions().timeZone",
        f"JSON.stringify(new Intl.DateTimeFormat('en-US', {{timeZone: 'UTC', dateStyle: 'full', timeStyle: 'long'}}).formatToParts({D}))",
        f"new Intl.DateTimeFormat('en-CA'.slice(0, 2), {{year: 'numeric', month: '2-digit', day: '2-digit', timeZone: 'UTC'}}).formatToParts({D}).map(p => p.type).join()",
        "new Date(Date.UTC(-5, 0, 1)).toLocaleDateString('en-US', {timeZone: 'UTC'}) + new Date(0).toLocaleDateString('en-US', {timeZone: 'America/New_York'})",
    ],
    "words": [
        *[f"new Intl.PluralRules('en').select({n})" for n in ("0", "1", "1.5", "2", "-1", "NaN")], *[f"new Intl.PluralRules('en', {{type: 'ordinal'}}).select({n})" for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111)],
        "new Intl.PluralRules('en', {minimumFractionDigits: 1}).select(1)", "new Intl.PluralRules('en').resolvedOptions()", "Intl.PluralRules('en')",
        *[f"new Intl.ListFormat('en', {{type: '{kind}', style: '{style}'}}).format(['A', 'B', 'C', 'D'].slice(0, {n}))" for kind in ("conjunction", "disjunction", "unit") for style in ("long", "short", "narrow") for n in (0, 1, 2, 4)],
        "new Intl.ListFormat('en').format(new Set(['x', 'y']))", "new Intl.ListFormat('en').format([1])", "new Intl.ListFormat('en').formatToParts(['a', 'b'])",
        *[f"new Intl.RelativeTimeFormat('en', {{style: '{style}', numeric: '{numeric}'}}).format({n}, '{unit}')" for style in ("long", "short", "narrow") for numeric in ("always", "auto")
          for n, unit in ((1, "day"), (-1, "day"), (0, "day"), (3, "hours"), (-2, "month"), (1, "year"), (-1, "week"), (0, "second"), (-1000, "minutes"), (2, "quarter"))],
        "new Intl.RelativeTimeFormat('en').format(1, 'eon')", "new Intl.RelativeTimeFormat('en').format(-0, 'day')", "new Intl.RelativeTimeFormat('en').resolvedOptions()",
    ],
    "collation": [
        "'a'.localeCompare('b')", "'b'.localeCompare('a')", "'a'.localeCompare('a')", "'a'.localeCompare('B')", "'a'.localeCompare('A')", "'résumé'.localeCompare('resume')", "'a'.localeCompare('á', 'en', {sensitivity: 'base'})",
        "'a'.localeCompare('A', undefined, {sensitivity: 'accent'})", "'item 10'.localeCompare('item 9')", "'item 10'.localeCompare('item 9', undefined, {numeric: true})", "'a b'.localeCompare('ab')",
        "['b', 'A', 'a', 'B', 'ä', 'z', 'Z', '10', '9', '_', '-', ' ', 'é', 'e', 'f', '', 'ab', 'Ab', 'aB', '$'].sort((a, b) => a.localeCompare(b))",
        "['z', 'a', 'Z', 'ä', 'A'].sort(new Intl.Collator('en').compare)", "['a10', 'a9', 'a1', 'b'].sort(new Intl.Collator('en', {numeric: true}).compare)", "['a', 'A', 'b'].sort(new Intl.Collator('en', {caseFirst: 'upper'}).compare)",
        "new Intl.Collator().resolvedOptions()", "'co-op'.localeCompare('coop', 'en', {ignorePunctuation: true})", "'résumé'.localeCompare('Resume')", "['résumé', 'resume', 'Résumé', 'Resume', 'resumes'].sort((x, y) => x.localeCompare(y))",
        "'a'.localeCompare()", "String.prototype.localeCompare.call(null, 'a')", "'日本'.localeCompare('日本')", "['Ω', 'я', 'a', '中'].sort((a, b) => a.localeCompare(b))",
    ],
    "locales": [
        "Intl.getCanonicalLocales('EN-us')", "new Intl.NumberFormat('en_US')", "new Intl.NumberFormat(['en', 'de']).resolvedOptions().locale", "new Intl.NumberFormat('')", "Intl.NumberFormat.supportedLocalesOf(['en-US'])",
        "(5).toLocaleString(5)", "new Intl.DateTimeFormat('en', null)", "typeof Intl + Object.prototype.toString.call(Intl)",
    ],
}


@pytest.mark.parametrize("part", SAME_AS_NODE)
def test_american_english_is_as_in_node(client, tmp_path, part):
    assert differences(client, SAME_AS_NODE[part], tmp_path) == []


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin", "Asia/Kathmandu"])
def test_the_zone_of_the_machine_is_followed(start_kernel, zone):
    client = start_kernel(language="javascript", env={"TZ": zone}).client()
    same = ("const d = new Date(2024, 6, 4, 15, 30); [Intl.DateTimeFormat().resolvedOptions().timeZone, d.toLocaleString(),"
            f" d.toLocaleString('en-US', {{timeZone: '{zone}'}}) === d.toLocaleString(), d.getHours()].join('|')")

    assert client.run(same).ok().result == f"'{zone}|7/4/2024, 3:30:00 PM|true|15'"


def test_a_zone_without_a_name_is_followed(start_kernel):
    client = start_kernel(language="javascript", env={"TZ": "<+03>-3"}).client()

    assert client.run("new Date(Date.UTC(2024, 0, 2, 3)).toLocaleTimeString('en-US', {timeStyle: 'long'})").ok().result == "'6:00:00 AM GMT+3'"


@pytest.mark.parametrize("code, result", [
    ("Intl.NumberFormat('de-DE').format(1234.5)", "'1,234.5'"), ("new Intl.NumberFormat('de-DE').resolvedOptions().locale", "'en-US'"), ("Intl.DateTimeFormat.supportedLocalesOf(['de', 'en', 'en-US', 'fr-FR'])", "[ 'en', 'en-US' ]"),
    ("(1234.5).toLocaleString('fr-FR', {style: 'currency', currency: 'EUR'})", "'€1,234.50'"), ("new Date(0).toLocaleDateString('de-DE', {timeZone: 'UTC'})", "'1/1/1970'")])
def test_other_locales_are_american_english_and_say_so(client, code, result):
    assert client.run(code).ok().result == result


def test_tampering_stays_with_the_one_who_tampers(client):
    client.run("""
        for (const name of ['format', 'resolvedOptions', 'formatToParts'])
          Object.defineProperty(Intl.NumberFormat.prototype, name, {value() { throw new Error('mine') }});
        Number.prototype.toLocaleString = Date.prototype.toLocaleString = String.prototype.localeCompare = () => { throw new Error('mine') };
        Array.prototype.join = Array.prototype.push = String.prototype.padStart = RegExp.prototype.exec = () => { throw new Error('mine') };
        Object.defineProperty(Object.prototype, 'style', {get() { throw new Error('mine') }, configurable: true});
        WeakMap.prototype.get = Array.prototype[Symbol.iterator] = () => { throw new Error('mine') };
        """).ok()

    assert client.run("console.log(1234.5, new Date(0)); ({a: 1234.5, d: new Date(0)})").ok().result == "{ a: 1234.5, d: 1970-01-01T00:00:00.000Z }"
    assert client.run("delete Object.prototype.style; new Intl.DateTimeFormat('en-US', {timeZone: 'UTC', dateStyle: 'full'}).format(0)").ok().result == "'Thursday, January 1, 1970'"
