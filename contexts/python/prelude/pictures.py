# SPDX-License-Identifier: MIT
"""Figures and images as files. A PNG is encoded by us from the pixels of one drawing; matplotlib
would draw twice to save the tight box of a figure, and Pillow would compress for longer."""

from contextlib import contextmanager

import _pandia

formatters = use("formatters")  # noqa: F821
settings = use("figures").settings  # noqa: F821

# What print_figure can be asked for that one drawing can give, and what another drawing can.
CUT = {"bbox_inches", "pad_inches", "bbox_extra_artists", "dpi"}
DRAWN = CUT | {"facecolor", "edgecolor"}
PIXELS = _pandia.IMAGE_PIXELS_MAX
EDGE = 0.5  # pixels by which what is drawn may leave the canvas
WHOLE = 1e-8  # of a pixel: what is missing to it comes of rounding


# Which forms


def as_png(figure):
    """The file; with the size it is meant to have when that is not the size in pixels."""
    formats = settings.refresh().formats
    double = "retina" in formats or "png2x" in formats
    if is_empty(figure) or not (double or "png" in formats):
        return None
    data = to_png(figure, 2 if double else 1)
    return (data, half_size(data)) if double else data


def as_file(*names):
    """Gives the printer of a format by any of its names."""

    def printer(figure):
        if is_empty(figure) or settings.refresh().formats.isdisjoint(names):
            return None
        return to_file(figure, names[0])

    return printer


def as_svg(figure):
    data = as_file("svg")(figure)
    return None if data is None else data.decode()


def is_empty(figure):
    return not figure.axes and not figure.lines


PRINTERS = {"image/png": as_png, "image/jpeg": as_file("jpg", "jpeg"), "image/svg+xml": as_svg,
            "application/pdf": as_file("pdf")}


def half_size(png):
    return {"width": int.from_bytes(png[16:20], "big") // 2,
            "height": int.from_bytes(png[20:24], "big") // 2}


# How


def options_of(figure, scale):
    """For print_figure: what a figure is shown as is what it looks like."""
    return {"facecolor": figure.get_facecolor(), "edgecolor": figure.get_edgecolor(),
            "dpi": figure.dpi * scale, "bbox_inches": "tight", **settings.options}


def to_file(figure, form, scale=1):
    """The bytes of a file as matplotlib writes it."""
    from io import BytesIO
    file = BytesIO()
    canvas_of(figure).print_figure(file, format=form, **options_of(figure, scale))
    return file.getvalue()


def canvas_of(figure):
    if figure.canvas is None:
        from matplotlib.backend_bases import FigureCanvasBase
        FigureCanvasBase(figure)
    return figure.canvas


def check_size(figure, scale):
    """Refuses what could not be encoded before it is drawn, which may take minutes."""
    width, height = figure.get_size_inches() * figure.dpi * scale
    if width * height > PIXELS:
        raise ValueError(f"a figure of {width:.0f} x {height:.0f} pixels is not shown, the limit "
                         f"being {PIXELS}; lower its figsize or dpi, or use savefig()")


def to_png(figure, scale):
    check_size(figure, scale)
    asked = set(settings.options)
    if not asked <= DRAWN:
        return to_file(figure, "png", scale)
    pixels = None
    if asked <= CUT and is_cuttable(figure):
        pixels = cut(figure, options_of(figure, scale))
    if pixels is None:
        pixels = printed_pixels(figure, scale)
    return _pandia.encode_png(pixels)


def printed_pixels(figure, scale):
    """What matplotlib would write into the file."""
    from io import BytesIO

    import numpy

    class Pixels(BytesIO):
        def write(self, data):
            self.pixels = numpy.asarray(data)

    file = Pixels()
    canvas_of(figure).print_figure(file, format="rgba", **options_of(figure, scale))
    return file.pixels


# One drawing


def is_cuttable(figure):
    """Whether a piece of the drawing is what a drawing of that piece would be: a frame would go
    round the piece, and a pattern begin at its corner."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    patch = figure.patch
    return (type(figure.canvas) is FigureCanvasAgg and patch.get_linewidth() == 0
            and not patch.get_hatch())


def cut(figure, options):
    """The pixels of the figure inside its box; None when the box is of another kind, or something
    lies outside the canvas."""
    import matplotlib
    params = matplotlib.rcParams
    box = options["bbox_inches"] or params["savefig.bbox"]
    pad = options.get("pad_inches")
    pad = params["savefig.pad_inches"] if pad is None else pad
    if box not in (None, "tight") or not all(
            isinstance(each, (int, float)) for each in (pad, options["dpi"])):
        return None
    with drawing(figure, options["dpi"]) as pixels:
        if box is None:
            return pixels
        with settled_ticks(figure):
            inches = figure.get_tightbbox(figure.canvas.get_renderer(),
                                          bbox_extra_artists=options.get("bbox_extra_artists"))
        return inside(figure, pixels, inches, pad)


@contextmanager
def drawing(figure, dpi):
    """The pixels of the figure, drawn as it would be saved; so long it has that resolution."""
    import numpy
    canvas = figure.canvas
    before = figure.dpi, canvas._is_saving
    try:
        if figure.dpi != dpi:
            figure.dpi = dpi
        canvas._is_saving = True
        canvas.draw()
        yield numpy.asarray(canvas.buffer_rgba())
    finally:
        dpi, canvas._is_saving = before
        if figure.dpi != dpi:
            figure.dpi = dpi


@contextmanager
def settled_ticks(figure):
    """Every part of an axis that is asked for its box finds out anew where the ticks are. In a
    figure that has just been drawn they are where they were: 12 ms instead of 18."""
    maps = [getattr(axes, "_axis_map", {}) for axes in figure.axes]
    settled = [axis for each in maps for axis in each.values()
               if hasattr(axis, "_update_ticks") and "_update_ticks" not in vars(axis)]
    try:
        for axis in settled:
            axis._update_ticks = lambda ticks=axis._update_ticks(): ticks
        yield
    finally:
        for axis in settled:
            vars(axis).pop("_update_ticks", None)


def inside(figure, pixels, inches, pad):
    """The pixels in a box and some way round it. Only that way may lie outside the canvas."""
    rows, columns = pixels.shape[:2]
    x0, y0, x1, y1 = inches.extents * figure.dpi
    if min(x0, y0) < -EDGE or x1 > columns + EDGE or y1 > rows + EDGE:
        return None
    padded = inches.padded(pad)
    width, height = (int(size * figure.dpi + WHOLE) for size in padded.size)
    left = round(padded.x0 * figure.dpi)
    top = rows - round(padded.y0 * figure.dpi) - height
    if width <= 0 or height <= 0:
        return None
    if left >= 0 and top >= 0 and left + width <= columns and top + height <= rows:
        return pixels[top:top + height, left:left + width]
    return on_ground(figure, pixels, (left, top, width, height))


def on_ground(figure, pixels, place):
    """A piece that leaves the canvas: beyond it there is only the colour of the figure."""
    import numpy
    from matplotlib.colors import to_rgba
    left, top, width, height = place
    rows, columns = pixels.shape[:2]
    ground = to_rgba(figure.get_facecolor()) if figure.patch.get_visible() else (1, 1, 1, 0)
    piece = numpy.empty((height, width, 4), numpy.uint8)
    piece[:] = [round(255 * each) for each in ground]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + width, columns), min(top + height, rows)
    piece[y0 - top:y1 - top, x0 - left:x1 - left] = pixels[y0:y1, x0:x1]
    return piece


def background(figure):
    """What a viewer should know of a figure that one can see through: whether its labels are for a
    light or a dark page."""
    from matplotlib.colors import to_rgba
    if to_rgba(figure.get_facecolor())[3] >= 0.5:
        return {}
    labels = [label for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)
              for label in axis.get_ticklabels()]
    light = {is_light(to_rgba(label.get_color())) for label in labels}
    return {"needs_background": "dark" if light.pop() else "light"} if len(light) == 1 else {}


def is_light(colour):
    """By the luma of ITU-R BT.601."""
    red, green, blue = colour[:3]
    return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5


# Registration


def print_figures(figure_class):
    """Shows figures in the forms that are configured."""
    for mime, printer in PRINTERS.items():
        formatters.register(figure_class, mime, printer)


def print_images(module):
    """Shows Pillow's images by our encoder; a class derived from them may have its own way."""
    ways = module.Image._repr_png_, module.Image.save

    def printer(image):
        cls = type(image)
        return png_of_image(image) if (cls._repr_png_, cls.save) == ways else image._repr_png_()

    formatters.register(module.Image, "image/png", printer)


# Pillow's modes whose pixels we can encode, by what they become first.
MODES = {"L": None, "LA": None, "RGB": None, "RGBA": None, "1": "L", "PA": "RGBA"}
MORE = ("icc_profile", "exif", "transparency")  # what a file says of its pixels


def mode_of(image):
    """The mode in which we can encode an image, None for its own; KeyError when there is none."""
    if not image.info.keys().isdisjoint(MORE):
        raise KeyError("says more than its pixels do")
    if image.mode != "P":
        return MODES[image.mode]
    palette = image.palette
    if palette is None or palette.mode != "RGB" or \
            len(palette.palette) <= 3 * image.getextrema()[1]:
        raise KeyError("some colours are transparent, or not there")
    return "RGB"


def png_of_image(image):
    """The file of one of Pillow's images. What says more than its pixels, Pillow writes."""
    try:
        mode = mode_of(image)
        return _pandia.encode_png(image if mode is None else image.convert(mode))
    except (KeyError, ValueError):
        return image._repr_png_()  # that, or too large for us
