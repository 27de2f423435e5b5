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


def lexer_of(text, language, filename):
    """What reads source text of its kind; None where pygments is not installed."""
    try:
        from pygments import lexers
    except ImportError:
        return None
    if language is not None:
        return lexers.get_lexer_by_name(language)
    return lexers.guess_lexer(text) if filename is None else lexers.get_lexer_for_filename(filename)


def html_of(text, language, filename):
    """Source text as HTML, in colours if there may be some."""
    lexer = lexer_of(text, language, filename)
    if lexer is None:
        return f"<pre>{escape(text)}</pre>"
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    form = HtmlFormatter(cssclass="output_html")
    style = f"<style>{form.get_style_defs('.output_html')}</style>"
    return style + highlight(text, lexer, form)


def latex_of(text, language, filename):
    """Source text as LaTeX; None where there are no colours."""
    lexer = lexer_of(text, language, filename)
    if lexer is None:
        return None
    from pygments import highlight
    from pygments.formatters import LatexFormatter
    return highlight(text, lexer, LatexFormatter())
