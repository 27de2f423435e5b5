# SPDX-License-Identifier: MIT
"""Samples as a sound file and source text in colours, for display_classes.py."""

import io
from html import escape


def wav_of(samples, rate, normalize):
    """A WAV file of 16 bit: one sequence of numbers, or several, one for each channel."""
    import wave
    channels = channels_of(samples)
    peak = max((abs(value) for channel in channels for value in channel), default=0) or 1
    if not normalize and peak > 1:
        raise ValueError("samples must lie between -1 and 1 when they are not normalized")
    scale = 32767 / (peak if normalize else 1)
    frames = bytearray()
    for frame in zip(*channels):
        for value in frame:
            frames += int(value * scale).to_bytes(2, "little", signed=True)
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(len(channels))
        out.setsampwidth(2)
        out.setframerate(int(rate))
        out.writeframes(bytes(frames))
    return file.getvalue()


def channels_of(samples):
    """Lists of numbers, one for each channel."""
    samples = samples.tolist() if hasattr(samples, "tolist") else list(samples)
    nested = bool(samples) and hasattr(samples[0], "__len__")
    return [list(channel) for channel in samples] if nested else [samples]


def coloured(text, language, filename):
    """HTML of source text; without colours where pygments is not installed."""
    try:
        from pygments import highlight, lexers
        from pygments.formatters import HtmlFormatter
    except ImportError:
        return f"<pre>{escape(text)}</pre>"
    if language is not None:
        lexer = lexers.get_lexer_by_name(language)
    elif filename is not None:
        lexer = lexers.get_lexer_for_filename(filename)
    else:
        lexer = lexers.guess_lexer(text)
    form = HtmlFormatter(cssclass="output_html")
    style = f"<style>{form.get_style_defs('.output_html')}</style>"
    return style + highlight(text, lexer, form)
