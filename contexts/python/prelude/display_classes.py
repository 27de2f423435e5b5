# SPDX-License-Identifier: MIT
"""IPython.display where IPython is not installed: HTML, Markdown, Code, IFrame and their kin, so
that notebooks and libraries that show things by them do so here too (stand_in.py). Pictures, sound
and film are in display_media.py."""

from html import escape

displays = use("displays")  # noqa: F821
objects = use("display_objects")  # noqa: F821
use("display_media")  # noqa: F821  # its classes are public, too
core, lib, public = objects.core, objects.lib, objects.public
DisplayObject, TextDisplayObject = objects.DisplayObject, objects.TextDisplayObject


def text_class(name, method, form=DisplayObject.form):
    """A class whose data are of one type."""
    core(type(name, (TextDisplayObject,), {method: form, "__doc__": f"Data shown as {name}."}))


text_class("HTML", "_repr_html_")
public["HTML"].__html__ = public["HTML"]._repr_html_  # by which templates know that it is HTML
text_class("Markdown", "_repr_markdown_")
text_class("Latex", "_repr_latex_")
text_class("Pretty", "_repr_pretty_", lambda self, printer, cycle: printer.text(self.data))


@core
class SVG(DisplayObject):
    """A drawing: the first <svg> of its text, without what stands before and after it."""

    is_text = False

    @property
    def data(self):
        return self._data

    @data.setter
    def data(self, value):
        if value is not None:
            from xml.dom import minidom
            found = minidom.parseString(value).getElementsByTagName("svg")
            value = found[0].toxml() if found else value
        self._data = value.decode("utf-8", "replace") if isinstance(value, bytes) else value

    _repr_svg_ = DisplayObject.form


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

    @property
    def data(self):
        return self._data

    @data.setter
    def data(self, value):
        if isinstance(value, (str, bytes)):
            import json
            value = json.loads(value)
        self._data = value

    def check(self):
        if self.data is not None and not isinstance(self.data, (dict, list)):
            raise TypeError(f"{type(self).__name__} takes a dict or a list, not {self.data!r}")

    def _repr_json_(self):
        return self.data, self.metadata


@core
class GeoJSON(JSON):
    """A map."""

    def _ipython_display_(self):
        text = f"<IPython.display.{type(self).__name__} object>"
        displays.display({"application/geo+json": self.data, "text/plain": text},
                         metadata={"application/geo+json": self.metadata}, raw=True)


@core
class ProgressBar:
    """How far something is; also an iterator that shows it."""

    def __init__(self, total):
        self.total, self._progress = total, 0
        self.html_width, self.text_width = "60ex", 60
        self._display_id = displays.new_id()

    def __repr__(self):
        fraction = self._progress / self.total if self.total else 0
        bar = "=" * int(fraction * self.text_width)
        return f"[{bar:{self.text_width}}] {self._progress}/{self.total}"

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
                f'src="{escape(str(self.src) + query)}" frameborder="0" allowfullscreen '
                f'referrerpolicy="strict-origin-when-cross-origin" '
                f'{" ".join(self.extras)}></iframe>')


def framed(name, address):
    """A class for a film of a site, by its id."""
    def init(self, id, width=400, height=300, **options):
        IFrame.__init__(self, address.format(id), width, height, **options)
    lib(type(name, (IFrame,), {"__init__": init, "__doc__": f"{name}(id)."}))


@lib
class YouTubeVideo(IFrame):
    """A film of YouTube, by its id."""

    def __init__(self, id, width=400, height=300, allow_autoplay=False, **options):
        self.id = id
        if allow_autoplay:  # both the player and the browser must be told
            options["autoplay"] = 1
            options["extras"] = [*options.get("extras", ()), 'allow="autoplay"']
        super().__init__(f"https://www.youtube.com/embed/{id}", width, height, **options)


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
class FileLinks(FileLink):
    """Links to the files in a folder, and in those below it."""

    def __init__(self, path, url_prefix="", included_suffixes=None, result_html_prefix="",
                 result_html_suffix="<br>", recursive=True):
        super().__init__(path, url_prefix, result_html_prefix, result_html_suffix)
        self.suffixes, self.recursive = included_suffixes, recursive

    def folders(self):
        """Names of folders, each with those of its files."""
        import os
        for folder, _, names in sorted(os.walk(self.path)):
            files = [name for name in sorted(names)
                     if self.suffixes is None or os.path.splitext(name)[1] in self.suffixes]
            if files:
                yield folder, files
            if not self.recursive:
                return

    def _repr_html_(self):
        import os
        if not os.path.exists(self.path):
            return super()._repr_html_()
        lines = []
        for folder, files in self.folders():
            lines.append(f"{escape(folder)}/")
            place = escape(f"{self.url_prefix}{folder}/")
            lines += [f"&nbsp;&nbsp;<a href='{place}{name}' target='_blank'>{name}</a>"
                      for name in map(escape, files)]
        return "\n".join(self.before + line + self.after for line in lines)

    def __repr__(self):
        return "\n".join(line for folder, files in self.folders()
                         for line in (f"{folder}/", *(f"  {name}" for name in files)))


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
