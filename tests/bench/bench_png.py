# SPDX-License-Identifier: MIT
"""Pixels to PNG beside Pillow's default save, in one run: a plot, a gradient and a photograph of
1920 x 1080 RGBA. CPU time, the fastest of some rounds in turn; the sizes of the files are printed."""

import io
import os
import subprocess
import sys
import time

import numpy
import report
from PIL import Image, ImageDraw

WIDTH, HEIGHT = 1920, 1080
AT_MOST = 1  # of Pillow's time


def plot():
    """Lines, bars and ticks on white with smooth edges: drawn at twice the size and shrunk."""
    image = Image.new("RGBA", (2 * WIDTH, 2 * HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    for at in range(0, 2 * WIDTH, 160):
        draw.line((at, 0, at, 2 * HEIGHT), (220, 220, 220, 255), 2)
        draw.text((at + 20, 2 * HEIGHT - 40), f"tick {at}", (0, 0, 0, 255))
        draw.rectangle((at, 1800 - at // 4, at + 60, 2080), (31, 119, 180, 255))
    x = numpy.arange(2 * WIDTH)
    for k, colour in enumerate([(31, 119, 180, 255), (255, 127, 14, 255), (44, 160, 44, 255)]):
        y = HEIGHT + 900 * numpy.sin(x / (200 + 60 * k) + k) * numpy.cos(x / 500)
        draw.line(list(zip(x.tolist(), y.tolist())), colour, 6)
    return numpy.asarray(image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS))


def gradient():
    pixels = numpy.full((HEIGHT, WIDTH, 4), (0, 0, 128, 255), numpy.uint8)
    pixels[..., 0] = numpy.linspace(0, 255, WIDTH)
    pixels[..., 1] = numpy.linspace(0, 255, HEIGHT)[:, None]
    return pixels


def photograph():
    """Smooth shapes with the noise of a camera."""
    random = numpy.random.default_rng(1)
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    pixels = numpy.full((HEIGHT, WIDTH, 4), 255, numpy.uint8)
    for c in range(3):
        smooth = 128 + 60 * numpy.sin(x / (90 + 20 * c) + c) * numpy.cos(y / (70 + 10 * c))
        smooth += 40 * numpy.sin((x + y) / 300) + random.normal(0, 4, (HEIGHT, WIDTH))
        pixels[..., c] = smooth.clip(0, 255)
    return pixels


def ours(build, pixels, rounds):
    """(milliseconds, bytes)"""
    program = os.path.join(build, "tests/bench/png_bare")
    done = subprocess.run([program, str(WIDTH), str(HEIGHT), str(rounds)], check=True,
                          input=pixels.tobytes(), stdout=subprocess.PIPE)
    ms, size = done.stdout.split()
    return float(ms), int(size)


def pillow(pixels):
    """The same of Pillow."""
    start = time.process_time()
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return (time.process_time() - start) * 1000, len(out.getvalue())


def main():
    args = report.arguments(__doc__.splitlines()[0])
    rounds = max(2, round(5 * args.scale))
    rows, sizes = [], []
    for make in (plot, gradient, photograph):
        pixels = make()
        pairs = [(ours(args.build, pixels, 2), pillow(pixels)) for _ in range(rounds)]
        mine, theirs = (min(side) for side in zip(*pairs))
        rows.append(report.Row(make.__name__, mine[0], theirs[0], mine[0] / theirs[0],
                               at_most=AT_MOST))
        sizes.append(f"{make.__name__} {mine[1] // 1024} and {theirs[1] // 1024}")
    missed = report.show("PNG of 1920x1080 RGBA (ms)", ("pandia", "Pillow"), rows, args.json)
    print("KB: " + ", ".join(sizes))
    sys.exit(missed)


if __name__ == "__main__":
    main()
