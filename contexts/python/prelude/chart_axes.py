# SPDX-License-Identifier: MIT
"""What the charts of a figure share: bounds, texts, the numbers of an axis as they are meant
(dates, categories, ticks), and the names that a legend gives to colours."""

import math
import re
import sys

import numpy as np
from matplotlib import colors, dates
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter

ELEMENT_POINTS = 5000  # of one line, scatter or histogram; bars of one series
FIGURE_POINTS = 20000  # of all of them
CELLS = 10000  # of one heatmap
TICKS = 200
TEXT_CHARS = 500

UNIT = re.compile(r"\s\((.*?)\)|\[(.*?)\]")
MATH = re.compile(r"\$\\mathdefault\{(.*)\}\$")
EXPONENT = re.compile(r"\^\{(.*?)\}")

DATE_CONVERTERS = {"DateConverter", "ConciseDateConverter", "_SwitchableDateConverter",
                   "DatetimeConverter"}
DATE_FORMATTERS = (dates.DateFormatter, dates.AutoDateFormatter, dates.ConciseDateFormatter)
DAY_US = 86400e6
FAR_DAYS = 70 * 365  # from the epoch; a float of days does not tell microseconds apart beyond


def text_of(text):
    """A text of the figure, bounded; None when there is none."""
    text = str(text or "").strip()
    return text[:TEXT_CHARS] or None


def tick_text(text):
    """A label without the markup that matplotlib itself adds to powers."""
    return EXPONENT.sub(r"^\1", MATH.sub(r"\1", str(text)))[:TEXT_CHARS]


def unit_of(label):
    found = UNIT.search(label or "")
    return (found.group(1) or found.group(2)) if found else None


def number(value):
    """One number for JSON."""
    value = getattr(value, "item", lambda: value)()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        value = float(value)
    return value if math.isfinite(value) else None


def floats(numbers):
    """An array of floats, with NaN for what is masked."""
    if isinstance(numbers, np.ma.MaskedArray):
        return numbers.astype(float).filled(np.nan)
    return np.asarray(numbers, dtype=float)


def plain(numbers):
    """A list for JSON, with None for what is no number."""
    array = floats(numbers)
    if np.isfinite(array).all():
        return array.tolist()
    return [value if math.isfinite(value) else None for value in array.tolist()]


def thinned(total, limit):
    """Which of `total` points are told: all as a slice, or `limit` evenly spread ones."""
    if total <= limit:
        return slice(None)
    return np.linspace(0, total - 1, limit).round().astype(int)


def iso_dates(days, zone):
    """ISO texts of matplotlib's days since its epoch."""
    days = floats(days)
    known = np.isfinite(days)
    grain = 20.0 if np.abs(days[known]).max(initial=0) > FAR_DAYS else 1.0
    micros = np.round(np.where(known, days, 0) * (DAY_US / grain)) * grain
    times = np.datetime64(dates.get_epoch(), "us") + micros.astype("timedelta64[us]")
    if zone is not None:
        from datetime import timezone
        moments = [time.replace(tzinfo=timezone.utc).astimezone(zone) for time in times.tolist()]
    else:
        moments = times.tolist()
    return [moment.isoformat() if is_known else None
            for moment, is_known in zip(moments, known.tolist())]


def iso_periods(ordinals, freq):
    """ISO texts of the starts of pandas' periods. Bars of several columns stand beside theirs."""
    pandas = sys.modules["pandas"]
    ordinals = floats(ordinals)
    known = np.isfinite(ordinals)
    nearest = np.floor(np.where(known, ordinals, 0) + 0.5 + 1e-9).astype(int).tolist()
    return [pandas.Period(ordinal=ordinal, freq=freq).start_time.isoformat() if is_known
            else None for ordinal, is_known in zip(nearest, known.tolist())]


def pitch_of(places):
    """How far the nearest two of some places are from each other."""
    gaps = np.diff(np.unique(places))
    return float(gaps.min()) if gaps.size else math.inf


def nearest_names(places, ticks, pitch):
    """For each place the name of the nearest of some (place, name), sorted, when it is no farther
    than half a pitch, else the place itself. Between two, the first is meant."""
    marks, firsts = np.unique([float(mark) for mark, _ in ticks], return_index=True)
    if not len(marks):
        return [format(place, ".10g") for place in places.tolist()]
    after = np.searchsorted(marks, places).clip(max=len(marks) - 1)
    before = (after - 1).clip(min=0)
    far = np.abs(marks[after] - places), np.abs(marks[before] - places)
    near = np.where(np.round(far[1], 9) <= np.round(far[0], 9), before, after)
    is_near = np.abs(marks[near] - places) <= pitch * 0.500001
    return [ticks[first][1] if is_its else format(place, ".10g") for place, first, is_its
            in zip(places.tolist(), firsts[near].tolist(), is_near.tolist())]


class Axis:
    """One axis of an Axes, and what its numbers stand for."""

    def __init__(self, axis, prefix):
        self.axis = axis
        self.prefix = prefix
        self.units = self.find_units()
        self.freq = getattr(axis.axes, "freq", None) or getattr(axis, "freq", None)  # of pandas
        self.kind = self.find_kind()
        self.zone = axis.get_units() if self.kind == "datetime" else None
        if not hasattr(self.zone, "utcoffset"):
            self.zone = None
        self.categories = {}
        if self.kind == "categorical":
            self.categories = {place: name for name, place in self.units._mapping.items()}
        self.fixed = None  # list of (place, text), on first need

    def find_units(self):
        """The units of the axis; seaborn tells its categories to one of those that share it."""
        ax = self.axis.axes
        shared = getattr(ax, f"get_shared_{self.prefix}_axes", None)
        for other in (ax, *(shared().get_siblings(ax) if shared is not None else ())):
            units = getattr(other, f"{self.prefix}axis").units
            if hasattr(units, "_mapping"):
                return units
        return self.axis.units

    def find_kind(self):
        get = getattr(self.axis, "get_converter", None)  # matplotlib 3.10
        converter = get() if get is not None else getattr(self.axis, "converter", None)
        name = type(converter).__name__
        if hasattr(self.units, "_mapping"):
            return "categorical"
        if name == "PeriodConverter" and self.freq is not None:
            return "period"
        if name in DATE_CONVERTERS or isinstance(self.axis.get_major_formatter(), DATE_FORMATTERS):
            return "datetime"
        return None

    def scale(self):
        if self.kind is None:
            return self.axis.get_scale()
        return "datetime" if self.kind == "period" else self.kind

    def values(self, numbers, spread=False):
        """Numbers of this axis for JSON: dates as ISO texts, categories as their names, with
        `spread` also those of what stands beside them, as the points of a swarm do."""
        if self.kind == "datetime":
            return iso_dates(numbers, self.zone)
        if self.kind == "period":
            return iso_periods(numbers, self.freq)
        if self.kind == "categorical":
            return [self.category(value, spread) for value in plain(numbers)]
        return plain(numbers)

    def category(self, value, spread):
        """The name at a place, else the place itself."""
        if not spread or value is None:
            return self.categories.get(value, value)
        nearest = round(value)
        return self.categories.get(nearest, value) if abs(nearest - value) < 0.5 else value

    def is_shifted(self, numbers):
        """Whether all stand equally far from categories, as lines that are drawn side by side."""
        if self.kind != "categorical":
            return False
        beside = floats(numbers) - np.round(floats(numbers))
        beside = beside[np.isfinite(beside)]
        return bool(beside.size) and bool(np.ptp(beside) < 1e-9)

    def ends(self, numbers):
        """Numbers of this axis that need not be categories: where error bars and bars end."""
        return plain(numbers) if self.kind == "categorical" else self.values(numbers)

    def label(self):
        """The text beside the axis; a twin has the one of the axes whose axis it shares."""
        text = text_of(self.axis.get_label_text())
        twins = getattr(self.axis.axes, "_twinned_axes", None)
        if text or twins is None:
            return text
        shared = getattr(self.axis.axes, f"get_shared_{self.prefix}_axes")()
        for other in twins.get_siblings(self.axis.axes):
            if shared.joined(other, self.axis.axes):
                text = text or text_of(getattr(other, f"{self.prefix}axis").get_label_text())
        return text

    def fields(self, with_ticks):
        """The fields of a chart that speak of this axis."""
        label = self.label()
        found = {"label": label, "unit": unit_of(label), "scale": self.scale()}
        if with_ticks:
            places, labels = self.ticks()
            found.update(ticks=self.values(places), tick_labels=labels)
        return {f"{self.prefix}_{name}": value for name, value in found.items()}

    def ticks(self):
        """Places and labels of the ticks that can be seen."""
        places = floats(self.axis.get_majorticklocs())
        labels = self.tick_labels(places)
        low, high = sorted(self.axis.get_view_interval())
        slack = (high - low) * 1e-9
        seen = [i for i, place in enumerate(places[:TICKS])
                if low - slack <= place <= high + slack]
        return places[seen], [tick_text(labels[i]) for i in seen]

    def tick_labels(self, places):
        """What ticks say: as drawn, if they were. A formatter of the user's may count or print."""
        if not self.axis.stale:
            ticks = self.axis.majorTicks[:len(places)]
            if [tick.get_loc() for tick in ticks] == places.tolist():
                return [tick.label1.get_text() for tick in ticks]
        return self.axis.get_major_formatter().format_ticks(places)

    def named_places(self):
        """(place, text) of ticks that somebody has named."""
        if self.fixed is None:
            formatter = self.axis.get_major_formatter()
            self.fixed = []
            if isinstance(formatter, (FixedFormatter, FuncFormatter)) and isinstance(
                    self.axis.get_major_locator(), FixedLocator):
                places = floats(self.axis.get_majorticklocs())
                texts = map(tick_text, self.tick_labels(places))  # seaborn's may be numbers
                self.fixed = sorted((place, text)
                                    for place, text in zip(places.tolist(), texts) if text)
        return self.fixed

    def is_named(self):
        return self.kind == "categorical" or bool(self.named_places())

    def all_names(self):
        """(place, name), sorted."""
        return sorted(self.categories.items()) if self.categories else self.named_places()

    def names_all(self, places):
        """Whether all places have a name."""
        if self.kind in ("datetime", "period"):
            return True
        marks = [(mark, None) for mark, _ in self.all_names()]
        return set(nearest_names(floats(places), marks, pitch_of(places))) == {None}

    def names(self, places):
        """The names of what stands at places of this axis: bars, boxes, rows of a heatmap."""
        places = floats(places)
        if self.kind in ("datetime", "period"):
            return self.values(places)
        ticks, pitch = self.all_names(), pitch_of(places)
        if len(ticks) == len(places) > 1 and all(
                abs(tick[0] - place) < pitch for tick, place in zip(ticks, np.sort(places))):
            # As many names as bars: the order decides, so that no offset of a group is too far.
            ranks = np.argsort(np.argsort(places, kind="stable"))
            return [ticks[rank][1] for rank in ranks.tolist()]
        return nearest_names(places, ticks, pitch)


class View:
    """One Axes while its chart is made."""

    def __init__(self, ax, limit):
        self.ax = ax
        self.limit = limit
        self.x = Axis(ax.xaxis, "x")
        self.y = Axis(ax.yaxis, "y")
        self.legend = legend_of(ax)
        self.labels = {}  # id of an artist -> its name, where another artist bears it

    def across(self, upright):
        """The axis on which bars and boxes stand."""
        return self.x if upright else self.y

    def name(self, artist, fallback):
        """The label of an artist, or what the legend says about its colour."""
        label = self.labels.get(id(artist)) or str(artist.get_label() or "")
        if label and not label.startswith("_"):
            return label[:TEXT_CHARS]
        return self.legend.get(color_of(artist)) or fallback

    def points(self, x, y, keep, spread):
        pairs = zip(*(axis.values(floats(places)[keep], spread or axis.is_shifted(places))
                      for axis, places in ((self.x, x), (self.y, y))))
        return [list(pair) for pair in pairs]


def value_label(artist):
    """The field for what the values of an artist are, by its colorbar if it has one."""
    bar = getattr(artist, "colorbar", None)
    if bar is None:
        return {}
    return {"value_label": text_of(bar.ax.get_ylabel() or bar.ax.get_xlabel())}


def color_of(artist):
    """The colour by which a reader knows an artist; None when it has none, or several."""
    if hasattr(artist, "get_facecolors"):
        found = artist.get_facecolors()
        found = found if len(found) else artist.get_edgecolors()
        is_one = len(found) and (found[:, :3] == found[0, :3]).all()
        return color_key(found[0]) if is_one and artist.get_array() is None else None
    if hasattr(artist, "get_markerfacecolor"):
        return color_key(artist.get_color())
    if hasattr(artist, "get_facecolor"):
        face = artist.get_facecolor()
        return color_key(face if colors.to_rgba(face)[3] else artist.get_edgecolor())
    return None


def color_key(color):
    return tuple(round(part, 3) for part in colors.to_rgb(color))


def legend_of(ax):
    """Colours and what they mean, where the legend is clear about it."""
    legend = ax.get_legend()
    legends = [legend] if legend is not None else list(ax.figure.legends)
    meant = {}
    for legend in legends:
        handles = getattr(legend, "legend_handles", None)
        if handles is None:
            handles = getattr(legend, "legendHandles", ())  # before matplotlib 3.7
        for handle, text in zip(handles, legend.get_texts()):
            said = text.get_text()
            said = tick_text(said) if MATH.search(said) else said[:TEXT_CHARS]
            meant.setdefault(color_of(handle), set()).add(said)
    return {color: min(texts) for color, texts in meant.items()
            if color is not None and len(texts) == 1}
