# SPDX-License-Identifier: MIT
"""IPython.utils.capture and IPython.core.displaypub where IPython is not installed: what a block of
code prints and shows, caught instead of sent (stand_in.py)."""

import sys
from io import StringIO

import _pandia

displays = use("displays")  # noqa: F821


class DisplayPublisher:
    """Sends bundles of MIME types to the client."""

    def __init__(self, shell=None, *args, **kwargs):
        self.shell = shell

    def publish(self, data, metadata=None, source=None, *, transient=None, update=False,
                **options):
        displays.send(data, metadata, transient, update)

    def clear_output(self, wait=False):
        displays.send_clear(wait)


class CapturingDisplayPublisher(DisplayPublisher):
    """Keeps them."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.outputs = []

    def publish(self, data, metadata=None, source=None, *, transient=None, update=False,
                **options):
        self.outputs.append({"data": data, "metadata": metadata, "transient": transient,
                             "update": update})

    def clear_output(self, *args, **kwargs):
        self.outputs.clear()


class Shell:
    """The shell while displays are caught: with another publisher."""

    def __init__(self, publisher):
        self.display_pub = publisher

    def __getattr__(self, name):
        return getattr(_pandia.get_ipython(), name)


class RichOutput:
    """Something that was caught, to be shown after all."""

    def __init__(self, data=None, metadata=None, transient=None, update=False):
        self.data, self.metadata = data or {}, metadata or {}
        self.transient, self.update = transient or {}, update

    def display(self):
        displays.publish_display_data(self.data, self.metadata, transient=self.transient,
                                      update=self.update)

    def _repr_mimebundle_(self, **_wishes):
        return self.data, self.metadata


def form_of(mime):
    """The method that gives one type of what was caught."""
    def form(self):
        data, metadata = self.data.get(mime), self.metadata.get(mime)
        return data if data is None or metadata is None else (data, metadata)
    return form


for mime, method in _pandia.repr_types():
    setattr(RichOutput, method, form_of(mime))


class CapturedIO:
    """What was caught: texts, and displays."""

    def __init__(self, stdout, stderr, outputs=None):
        self._stdout, self._stderr = stdout, stderr
        self._outputs = [] if outputs is None else outputs

    stdout = property(lambda self: self._stdout.getvalue() if self._stdout else "")
    stderr = property(lambda self: self._stderr.getvalue() if self._stderr else "")
    outputs = property(lambda self: [RichOutput(**each) for each in self._outputs])

    def __str__(self):
        return self.stdout

    def show(self):
        """Prints and shows it all."""
        for stream, text in ((sys.stdout, self.stdout), (sys.stderr, self.stderr)):
            stream.write(text)
            stream.flush()
        for output in self.outputs:
            output.display()

    __call__ = show


class capture_output:
    """Catches what a with block prints and shows."""

    def __init__(self, stdout=True, stderr=True, display=True):
        self.stdout, self.stderr, self.display = stdout, stderr, display

    def __enter__(self):
        self.before = sys.stdout, sys.stderr, sys.displayhook
        stdout, stderr = StringIO() if self.stdout else None, StringIO() if self.stderr else None
        publisher = CapturingDisplayPublisher()
        formatter = _pandia.get_ipython().display_formatter  # without it, displays pass us by
        self.shell = Shell(publisher)

        def hook(obj):
            if obj is not None:
                data, metadata = formatter.format(obj)
                publisher.publish(data, metadata)

        if self.display:
            displays.attached.insert(0, self.shell)
            sys.displayhook = hook
        sys.stdout, sys.stderr = stdout or sys.stdout, stderr or sys.stderr
        return CapturedIO(stdout, stderr, publisher.outputs)

    def __exit__(self, *args):
        sys.stdout, sys.stderr, sys.displayhook = self.before
        if self.shell in displays.attached:
            displays.attached.remove(self.shell)


PUBLISHERS = (DisplayPublisher, CapturingDisplayPublisher)
CAPTURES = (RichOutput, CapturedIO, capture_output)
for cls in PUBLISHERS:
    cls.__module__ = "IPython.core.displaypub"
for cls in CAPTURES:
    cls.__module__ = "IPython.utils.capture"
