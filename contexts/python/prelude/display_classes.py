# SPDX-License-Identifier: MIT
"""IPython.display where IPython is not installed: HTML, Markdown, Image, Audio and their kin, so
that notebooks and libraries that show things by them do so here too (stand_in.py)."""

from html import escape

displays = use("displays")  # noqa: F821

SIGNATURES = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8", "jpeg"), (b"GIF8", "gif"),
              (b"RIFF", "webp"))  # the first bytes of a picture, and its format
public = {}  # what the module IPython.display holds


def shown_as(module):
    """Makes a class one of the module's, by the name that its text shows."""
    def publish(cls):
        cls.__module__ = module
        public[cls.__name__] = cls
        return cls
    return publish


core = shown_as("IPython.core.display")
lib = shown_as("IPython.lib.display")


def base64_of(data):
    from base64 import b64encode
    return b64encode(data).decode("ascii")


def fetch(url):
    from urllib.request import urlopen
    with urlopen(url) as answer:
        return answer.read()


@core
class DisplayObject:
    """Something to look at: data that are given, in a file, or at an address."""

    is_text = True

    def __init__(self, data=None, url=None, filename=None, metadata=None):
        if isinstance(data, str) and url is None and filename is None and is_address(data):
            data, url = None, data
        self.data, self.url, self.filename = data, url, filename
        self.metadata = metadata or {}
        self.reload()

    def reload(self):
        """Reads the data anew."""
        if self.filename is not None:
            mode, encoding = ("r", "utf-8") if self.is_text else ("rb", None)
            with open(self.filename, mode, encoding=encoding) as file:
                self.data = file.read()
        elif self.url is not None:
            raw = fetch(self.url)
            self.data = raw.decode("utf-8", "replace") if self.is_text else raw

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__name__} object>"

    def form(self):
        """The data, with their metadata where there are any."""
        return (self.data, self.metadata) if self.metadata else self.data


def is_address(text):
    return text.startswith(("http://", "https://"))


@core
class TextDisplayObject(DisplayObject):
    """A DisplayObject of text."""


def text_class(name, method, form=DisplayObject.form):
    """A class whose data are of one type."""
    core(type(name, (TextDisplayObject,), {method: form, "__doc__": f"Data shown as {name}."}))


text_class("HTML", "_repr_html_")
text_class("Markdown", "_repr_markdown_")
text_class("Latex", "_repr_latex_")
text_class("SVG", "_repr_svg_")
text_class("Pretty", "_repr_pretty_", lambda self, printer, cycle: printer.text(self.data))


@core
class Math(TextDisplayObject):
    """A formula."""

    def _repr_latex_(self):
        formula = f"$\\displaystyle {self.data.strip('$')}$"
        return (formula, self.metadata) if self.metadata else formula


@core
class Javascript(TextDisplayObject):
    """Code for the page, after the scripts and styles that it needs."""

    def __init__(self, data=None, url=None, filename=None, lib=None, css=None):
        self.lib = [lib] if isinstance(lib, str) else list(lib or ())
        self.css = [css] if isinstance(css, str) else list(css or ())
        super().__init__(data, url, filename)

    def _repr_javascript_(self):
        import json
        styles = "".join(
            "document.head.appendChild(Object.assign(document.createElement('link'), "
            f"{{rel: 'stylesheet', type: 'text/css', href: {json.dumps(each)}}}));\n"
            for each in self.css)
        loads = "".join(
            "await new Promise((resolve, reject) => document.head.appendChild(Object.assign("
            f"document.createElement('script'), {{src: {json.dumps(each)}, onload: resolve, "
            "onerror: reject})));\n" for each in self.lib)
        code = f"(async () => {{\n{loads}{self.data}\n}})();" if loads else self.data
        return styles + code


@core
class JSON(DisplayObject):
    """Data as a tree that can be opened."""

    def __init__(self, data=None, url=None, filename=None, expanded=False, metadata=None,
                 root="root", **options):
        super().__init__(data, url, filename,
                         {"expanded": expanded, "root": root, **(metadata or {}), **options})
        if isinstance(self.data, str):
            import json
            self.data = json.loads(self.data)

    def _repr_json_(self):
        return self.data, self.metadata


@core
class GeoJSON(JSON):
    """A map."""

    def _ipython_display_(self):
        displays.display({"application/geo+json": self.data, "text/plain": repr(self)},
                         metadata={"application/geo+json": self.metadata}, raw=True)


@core
class ProgressBar:
    """How far something is; also an iterator that shows it."""

    def __init__(self, total):
        self.total, self._progress = total, 0
        self.html_width, self.text_width = "60ex", 60
        self._display_id = displays.new_id()

    def __repr__(self):
        full = round(self._progress / self.total * self.text_width) if self.total else 0
        return "[{}{}] {}/{}".format("=" * full, " " * (self.text_width - full), self._progress,
                                     self.total)

    def _repr_html_(self):
        return (f"<progress style='width:{self.html_width}' max='{self.total}' "
                f"value='{self._progress}'></progress>")

    def display(self):
        displays.display(self, display_id=self._display_id)

    def update(self):
        displays.update_display(self, display_id=self._display_id)

    @property
    def progress(self):
        return self._progress

    @progress.setter
    def progress(self, value):
        self._progress = value
        self.update()

    def __iter__(self):
        self.display()
        self._progress = -1
        return self

    def __next__(self):
        self.progress += 1
        if self.progress < self.total:
            return self.progress
        raise StopIteration


def size_attributes(width, height):
    return "".join(f' {name}="{value}"' for name, value in (("width", width), ("height", height))
                   if value)


@core
class Image(DisplayObject):
    """A picture: bytes, a file, or an address."""

    is_text = False

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None,
                 height=None, retina=False, unconfined=False, metadata=None, alt=None):
        if isinstance(data, str) and url is None and filename is None:
            data, url, filename = (None, data, None) if is_address(data) else (None, None, data)
        self.embed = embed if embed is not None else url is None
        self.format, self.width, self.height, self.alt = format, width, height, alt
        self.unconfined = unconfined
        super().__init__(data, url, filename, metadata)
        if self.embed and self.data is None:
            raise ValueError("Image needs data, a filename or a url")
        self.format = (format or self.told_format()).lower().replace("jpg", "jpeg")
        if retina and self.data is not None:
            self.width, self.height = half_size(self.data)

    def reload(self):
        if self.embed:
            super().reload()

    def told_format(self):
        """The format that the data, or the ending of their name, tell."""
        data = self.data if isinstance(self.data, bytes) else b""
        for start, name in SIGNATURES:
            if data.startswith(start):
                return name
        from posixpath import splitext
        return splitext(self.filename or self.url or "")[1].strip(".") or "png"

    def _repr_mimebundle_(self, **_wishes):
        if not self.embed:
            classes = ' class="unconfined"' if self.unconfined else ""
            alt = f' alt="{escape(self.alt)}"' if self.alt else ""
            return {"text/html": f'<img src="{escape(self.url)}"'
                                 f"{size_attributes(self.width, self.height)}{classes}{alt}/>"}
        mime = "image/svg+xml" if self.format == "svg" else f"image/{self.format}"
        wishes = {"width": self.width, "height": self.height, "alt": self.alt,
                  "unconfined": self.unconfined}
        metadata = {**{key: value for key, value in wishes.items() if value}, **self.metadata}
        data = self.data.decode() if self.format == "svg" and isinstance(self.data, bytes) \
            else self.data
        return {mime: data}, ({mime: metadata} if metadata else {})


def half_size(data):
    """Width and height of a PNG, halved: its pixels are half as large as others."""
    if not data.startswith(SIGNATURES[0][0]):
        return None, None
    return (int.from_bytes(data[16:20], "big") // 2, int.from_bytes(data[20:24], "big") // 2)


class Media(DisplayObject):
    """Sound or film: embedded, or by address."""

    is_text = False
    tag = mime = None

    def __init__(self, data, url, filename, embed, mimetype):
        if isinstance(data, str) and url is None and filename is None:
            data, url, filename = (None, data, None) if is_address(data) else (None, None, data)
        self.embed = embed
        self.mimetype = mimetype or self.guess(filename or url)
        super().__init__(data, url, filename)

    def guess(self, name):
        from mimetypes import guess_type
        return (guess_type(name)[0] if name else None) or self.mime

    def reload(self):
        if self.embed:
            super().reload()

    def source(self):
        if self.data is None:
            return escape(self.url or self.filename)
        return f"data:{self.mimetype};base64,{base64_of(self.data)}"


@lib
class Audio(Media):
    """Sound: a file, bytes, or samples with their rate."""

    mime = "audio/wav"

    def __init__(self, data=None, filename=None, url=None, embed=None, rate=None, autoplay=False,
                 normalize=True, *, element_id=None):
        if data is None and filename is None and url is None:
            raise ValueError("Audio needs data, a filename or a url")
        self.autoplay, self.element_id = autoplay, element_id
        super().__init__(data, url, filename, url is None if embed is None else embed, None)
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
        if isinstance(data, bytes) and not embed:
            raise ValueError("a Video of bytes needs embed=True")
        super().__init__(data, url, filename, embed, mimetype)

    def _repr_html_(self):
        return (f'<video src="{self.source()}" {self.html_attributes}'
                f"{size_attributes(self.width, self.height)}>"
                "Your browser does not support the video element.</video>")


@lib
class IFrame:
    """A page within the page."""

    def __init__(self, src, width, height, extras=None, **options):
        self.src, self.width, self.height = src, width, height
        self.extras, self.params = list(extras or ()), options

    def _repr_html_(self):
        from urllib.parse import urlencode
        query = "?" + urlencode(self.params) if self.params else ""
        return (f'<iframe width="{self.width}" height="{self.height}" '
                f'src="{escape(self.src + query)}" frameborder="0" allowfullscreen '
                f'{" ".join(self.extras)}></iframe>')


def framed(name, address):
    """A class for a film of a site, by its id."""
    def init(self, id, width=400, height=300, **options):
        IFrame.__init__(self, address.format(id), width, height, **options)
    lib(type(name, (IFrame,), {"__init__": init, "__doc__": f"{name}(id)."}))


framed("YouTubeVideo", "https://www.youtube.com/embed/{}")
framed("VimeoVideo", "https://player.vimeo.com/video/{}")
framed("ScribdDocument", "https://www.scribd.com/embeds/{}/content")


@lib
class FileLink:
    """A link to a file."""

    def __init__(self, path, url_prefix="", result_html_prefix="", result_html_suffix="<br>"):
        self.path, self.url_prefix = str(path), url_prefix
        self.before, self.after = result_html_prefix, result_html_suffix

    def _repr_html_(self):
        import os
        if not os.path.exists(self.path):
            return f"Path (<tt>{escape(self.path)}</tt>) doesn't exist."
        name = escape(self.path)
        link = f"<a href='{escape(self.url_prefix)}{name}' target='_blank'>{name}</a>"
        return self.before + link + self.after

    def __repr__(self):
        import os
        return os.path.abspath(self.path)


@lib
class Code(TextDisplayObject):
    """Source text; in colours where pygments is installed."""

    def __init__(self, data=None, url=None, filename=None, language=None):
        self.language = language
        super().__init__(data, url, filename)

    def __repr__(self):
        return self.data

    def _repr_html_(self):
        return use("media").html_of(self.data, self.language, self.filename)  # noqa: F821

    def _repr_latex_(self):
        return use("media").latex_of(self.data, self.language, self.filename)  # noqa: F821
