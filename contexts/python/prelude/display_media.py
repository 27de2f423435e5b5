# SPDX-License-Identifier: MIT
"""Image, Audio and Video of IPython.display where IPython is not installed."""

from html import escape
from os import fspath

objects = use("display_objects")  # noqa: F821
core, lib, DisplayObject = objects.core, objects.lib, objects.DisplayObject


def base64_of(data):
    from base64 import b64encode
    return b64encode(data).decode("ascii")


def size_attributes(width, height):
    return "".join(f' {name}="{value}"' for name, value in (("width", width), ("height", height))
                   if value)


# Pictures: how their formats are told, and where they say their size


def size_of_png(data):
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def size_of_gif(data):
    return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")


def size_of_jpeg(data):
    """From the first frame header; segments before it are skipped by their lengths."""
    at = 2
    while at + 9 <= len(data):
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return (int.from_bytes(data[at + 7:at + 9], "big"),
                    int.from_bytes(data[at + 5:at + 7], "big"))
        at += 2 + int.from_bytes(data[at + 2:at + 4], "big")
    raise ValueError("the JPEG does not say its size")


def size_of_webp(data):
    kind = data[12:16]
    if kind == b"VP8X":
        return (int.from_bytes(data[24:27], "little") + 1,
                int.from_bytes(data[27:30], "little") + 1)
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return (int.from_bytes(data[26:28], "little") & 0x3FFF,
            int.from_bytes(data[28:30], "little") & 0x3FFF)


FORMATS = {"png": size_of_png, "jpeg": size_of_jpeg, "gif": size_of_gif, "webp": size_of_webp}
SIGNATURES = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8", "jpeg"), (b"GIF87a", "gif"),
              (b"GIF89a", "gif"))  # the first bytes of a picture, and its format


def format_of_data(data):
    """What the first bytes tell, or None."""
    if not isinstance(data, (bytes, bytearray)):
        return None
    if data[:4] == b"RIFF":  # films and sounds begin so, too
        return "webp" if data[8:12] == b"WEBP" else None
    return next((name for start, name in SIGNATURES if data.startswith(start)), None)


def format_of_name(name):
    """What the ending of a file or an address tells, or None."""
    from posixpath import splitext
    if objects.is_address(name):
        name = name.partition("?")[0].partition("#")[0]
        name = name.partition("://")[2].partition("/")[2]
    return splitext(name)[1].strip(".").lower() or None


@core
class Image(DisplayObject):
    """A picture: bytes, a file, or an address."""

    is_text = False

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None,
                 height=None, retina=False, unconfined=False, metadata=None, alt=None):
        if data is None and url is None and filename is None:
            raise ValueError("Image needs data, a filename or a url")
        self.embed = embed if embed is not None else url is None
        self.format, self.retina, self.unconfined = format, False, unconfined
        super().__init__(data, url, filename, metadata)
        self.format = (format or self.told_format()).lower().replace("jpg", "jpeg")
        if self.embed and self.format not in FORMATS:
            raise ValueError(f"Image embeds {', '.join(FORMATS)}, not {self.format}")
        told = self.metadata.get
        self.width = told("width") if width is None else width
        self.height = told("height") if height is None else height
        self.alt = told("alt") if alt is None else alt
        self.retina = retina
        self.halve()

    def told_format(self):
        """The format that the name, or the data, tell."""
        name = self.filename if self.filename is not None else self.url
        return (name and format_of_name(fspath(name))) or format_of_data(self.data) or "png"

    def reload(self):
        if self.embed:
            super().reload()
            self.halve()

    def halve(self):
        """Pixels for a retina screen are half as large as others."""
        if self.retina and self.embed:
            width, height = FORMATS[self.format](self.data)
            self.width, self.height = width // 2, height // 2

    def form(self):
        """(data, metadata), the data as base64."""
        if not isinstance(self.data, (bytes, bytearray, memoryview)):
            raise FileNotFoundError(f"no such picture: {self.data!r}")
        wishes = {"width": self.width, "height": self.height, "unconfined": self.unconfined,
                  "alt": self.alt}
        wishes = {name: value for name, value in wishes.items() if value}
        return base64_of(self.data), {**self.metadata, **wishes}

    def form_of(self, name):
        """The data and what is to be said of them, if they are of this format."""
        if not self.embed or self.format != name:
            return None
        data, metadata = self.form()
        return (data, metadata) if metadata else data

    def _repr_mimebundle_(self, **_wishes):
        if not self.embed:
            return {"text/html": self._repr_html_()}
        data, metadata = self.form()
        mime = f"image/{self.format}"
        return {mime: data}, ({mime: metadata} if metadata else {})

    def _repr_png_(self):
        return self.form_of("png")

    def _repr_jpeg_(self):
        return self.form_of("jpeg")

    def _repr_html_(self):
        if self.embed:
            return None
        source = self.url if self.url is not None else self.filename
        classes = ' class="unconfined"' if self.unconfined else ""
        alt = f' alt="{escape(self.alt)}"' if self.alt else ""
        return (f'<img src="{escape(fspath(source or ""))}"'
                f"{size_attributes(self.width, self.height)}{classes}{alt}/>")


# Sound and film


class Media(DisplayObject):
    """Sound or film: embedded, or by address."""

    is_text = False
    mime = None

    def __init__(self, data, url, filename, embed, mimetype=None):
        self.embed = embed
        super().__init__(data, url, filename)
        self.mimetype = mimetype or self.guess(self.filename or self.url)

    def guess(self, name):
        from mimetypes import guess_type
        return (guess_type(name)[0] if name else None) or self.mime

    def reload(self):
        if self.embed:
            super().reload()

    def source(self):
        if self.data is None:
            return escape(fspath(self.url or self.filename))
        text = self.data if isinstance(self.data, str) else base64_of(self.data)
        return f"data:{self.mimetype};base64,{text}"


@lib
class Audio(Media):
    """Sound: a file, bytes, or samples with their rate."""

    mime = "audio/wav"

    def __init__(self, data=None, filename=None, url=None, embed=None, rate=None, autoplay=False,
                 normalize=True, *, element_id=None):
        if data is None and filename is None and url is None:
            raise ValueError("Audio needs data, a filename or a url")
        if embed is False and url is None:
            raise ValueError("Audio that is not embedded needs a url")
        self.autoplay, self.element_id = autoplay, element_id
        super().__init__(data, url, filename, url is None or embed is True)
        if isinstance(self.data, str):
            raise ValueError(f"no such sound: {self.data!r}")
        if self.data is not None and not isinstance(self.data, bytes):
            if rate is None:
                raise ValueError("Audio needs the rate of its samples")
            self.data = use("media").wav_of(self.data, rate, normalize)  # noqa: F821

    def _repr_html_(self):
        name = f' id="{escape(self.element_id)}"' if self.element_id else ""
        play = ' autoplay="autoplay"' if self.autoplay else ""
        return (f'<audio{name} controls="controls"{play}><source src="{self.source()}" '
                f'type="{self.mimetype}" />Your browser does not support the audio element.'
                "</audio>")


@core
class Video(Media):
    """A film."""

    mime = "video/mp4"

    def __init__(self, data=None, url=None, filename=None, embed=False, mimetype=None, width=None,
                 height=None, html_attributes="controls"):
        self.width, self.height, self.html_attributes = width, height, html_attributes
        super().__init__(data, url, filename, embed, mimetype)
        if self.data is not None and not embed:
            raise ValueError("a Video of data, not of a file or a url, needs embed=True")

    def _repr_html_(self):
        return (f'<video src="{self.source()}" {self.html_attributes}'
                f"{size_attributes(self.width, self.height)}>"
                "Your browser does not support the video element.</video>")
