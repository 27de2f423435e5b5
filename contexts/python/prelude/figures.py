# SPDX-License-Identifier: MIT
"""matplotlib's figures, shown where they are made. User code imports matplotlib and, unless it
chooses a backend, finds ours there, by the name that notebooks know:
matplotlib_inline.backend_inline. Figures that a cell leaves open are shown and closed at its end
(py_figures.c)."""

import sys

import _pandia

PACKAGE = "matplotlib_inline"
MODULE = PACKAGE + ".backend_inline"
BACKEND = "module://" + MODULE
OUR_NAMES = (BACKEND, "inline")
on_import = use("imports").on_import  # noqa: F821


def pictures(name):
    """A function of pictures.py, which is loaded when there is a picture."""
    return lambda *args: getattr(use("pictures"), name)(*args)  # noqa: F821


# Choosing a backend


def choose(matplotlib):
    """Makes our backend the default. The variable MPLBACKEND would do so too, but subprocesses
    would inherit it."""
    registry = sys.modules.get("matplotlib.backends.registry")
    if registry is not None:
        introduce(registry.backend_registry)
    if not is_chosen(matplotlib):
        matplotlib.rcParams["backend"] = BACKEND
    activate.done = False  # its parameters are new


def introduce(registry):
    """Makes the name `inline` known from matplotlib 3.9 on, which otherwise reads the metadata of
    everything that is installed to find it, or not."""
    try:
        if "_read_entry_points" in registry.__dict__:
            return  # done: matplotlib was reloaded
        read = registry._read_entry_points
        registry._name_to_module["inline"] = BACKEND
        registry._backend_to_gui_framework["inline"] = "headless"
        registry._read_entry_points = lambda: [each for each in read() if each[0] != "inline"]
    except AttributeError:
        pass  # another version: it finds what is installed


def is_chosen(matplotlib):
    """Whether a user has chosen a backend: by variable, by file, or by a call before we came. The
    file that matplotlib was installed with is no user's."""
    import os
    params = matplotlib.rcParams
    if dict.__getitem__(params, "backend") is matplotlib.rcsetup._auto_backend_sentinel:
        return False
    if os.environ.get("MPLBACKEND") or not params["backend_fallback"]:
        return True
    file = matplotlib.matplotlib_fname()
    return not file.startswith((matplotlib.get_data_path(), "/etc/"))


def is_current():
    import matplotlib
    return dict.get(matplotlib.rcParams, "backend") in OUR_NAMES


# The modules


def fill_package(module):
    """The package in which the backend lies. Its own __init__ would load traitlets for settings
    that few change; it has its parts when they are asked for."""
    from importlib.machinery import PathFinder
    spec = PathFinder.find_spec(PACKAGE)
    found = spec and spec.submodule_search_locations
    module.__path__ = module.__spec__.submodule_search_locations = list(found or ())
    if spec is not None and spec.has_location:
        module.__file__ = spec.origin

    def version():
        from importlib import metadata
        try:
            return metadata.version(PACKAGE)
        except metadata.PackageNotFoundError:
            raise AttributeError("matplotlib_inline is not installed") from None

    module.__getattr__ = lazily(PACKAGE, {
        "config": part("config"), "backend_inline": part("backend_inline"), "__version__": version,
        "version_info": lambda: tuple(map(int, version().split(".")[:3]))})


def lazily(name, makers):
    """The __getattr__ of a module, whose attributes are made when they are asked for."""

    def get(attribute):
        if attribute not in makers:
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        return makers[attribute]()

    return get


def part(name):
    """Imports a module of the package."""
    def load():
        from importlib import import_module
        return import_module(f"{PACKAGE}.{name}")
    return load


def file_of_backend():
    """Where the backend lies that ours stands for, if it is installed."""
    from importlib.machinery import PathFinder
    package = sys.modules.get(PACKAGE)
    spec = PathFinder.find_spec(MODULE, getattr(package, "__path__", ()))
    if spec is None or not spec.has_location:
        raise AttributeError(f"module {MODULE!r} has no attribute '__file__'")
    return spec.origin


def fill(module):
    """The backend, as matplotlib and others use it."""
    from matplotlib import figure
    from matplotlib.backends import backend_agg
    for function in PUBLIC:
        function.__module__ = MODULE
        setattr(module, function.__name__, function)
    module.__getattr__ = lazily(MODULE, {
        "__file__": file_of_backend, "InlineBackend": lambda: part("config")().InlineBackend})
    for changed, change in ((figure, print_figures), (backend_agg, draw_by)):
        change(changed)
        on_import(changed.__name__, change)
    for shell in use("displays").attached:  # noqa: F821
        configure_inline_support(shell, None)
    _enable_matplotlib_integration()
    _pandia.at_cell_end(flush_figures)


def print_figures(module):
    """For matplotlib.figure, which may be imported anew."""
    pictures("print_figures")(module.Figure)


def draw_by(module):
    """For matplotlib.backends.backend_agg: its canvas is ours."""
    backend = sys.modules[MODULE]
    backend.FigureCanvas = backend.FigureCanvasAgg = module.FigureCanvasAgg


def activate():
    """Figures are shown without being asked for."""
    import matplotlib
    activate.done = True
    matplotlib.interactive(True)
    config = settings.config()
    if config is not None:
        matplotlib.rcParams.update(config.rc)


activate.done = False


# Settings


class Settings:
    """What may be configured, by our functions or by the traits of matplotlib_inline.config."""

    formats = {"png"}
    options = {"bbox_inches": "tight"}  # of print_figure
    close = True
    seen = (formats, options)  # of the traits, when they were last looked at

    def config(self):
        """The object with the traits, if anybody made it."""
        module = sys.modules.get(PACKAGE + ".config")
        backend = getattr(module, "InlineBackend", None)
        return backend.instance() if backend is not None and backend.initialized() else None

    def refresh(self):
        """Adopts traits that have changed."""
        config = self.config()
        if config is None:
            return self
        now = (set(config.figure_formats), dict(config.print_figure_kwargs))
        if now != self.seen:
            self.seen = now
            self.formats, self.options = now
        self.close = config.close_figures
        return self


settings = Settings()
FORMATS = {"png", "png2x", "retina", "jpg", "jpeg", "svg", "pdf"}


def set_matplotlib_formats(*formats, **kwargs):
    """Chooses the forms in which figures are shown: png, retina, jpeg, svg, pdf. Keywords are for
    figure.canvas.print_figure, as in set_matplotlib_formats('jpeg', pil_kwargs={'quality': 90})."""
    wrong = sorted(set(formats) - FORMATS)
    if wrong:
        raise ValueError(f"figures are shown as {', '.join(sorted(FORMATS))}, not {wrong}")
    settings.refresh()
    settings.options = {**settings.seen[1], **kwargs}
    settings.formats = set(formats)


def set_matplotlib_close(close=True):
    """Whether all figures are closed at the end of a cell."""
    config = settings.config()
    if config is not None:
        config.close_figures = close
    settings.close = close


def configure_inline_support(shell, backend):
    """For IPython's %matplotlib and %config: lets the shell configure our settings."""
    try:
        from matplotlib_inline.config import InlineBackend
    except ImportError:
        return
    config = InlineBackend.instance(parent=shell)
    if config not in shell.configurables:
        shell.configurables.append(config)
    if backend in OUR_NAMES:
        activate()


# The backend


def new_figure_manager(num, *args, FigureClass=None, **kwargs):
    """Makes a figure; part of what matplotlib wants of a backend."""
    if FigureClass is None:
        from matplotlib.figure import Figure as FigureClass
    return new_figure_manager_given_figure(num, FigureClass(*args, **kwargs))


def new_figure_manager_given_figure(num, figure):
    """Makes the manager of a figure; part of what matplotlib wants of a backend."""
    import matplotlib
    from matplotlib.backends import backend_agg
    if not activate.done:
        activate()
    manager = backend_agg.new_figure_manager_given_figure(num, figure)
    if matplotlib.is_interactive():  # else the user shows it
        show._to_draw = [each for each in show._to_draw if each is not figure] + [figure]
        show._draw_called = True
    return manager


def managers():
    from matplotlib._pylab_helpers import Gcf
    return Gcf.get_all_fig_managers()


def show(close=None, **options):
    """Shows all open figures, and closes them unless that is configured otherwise. `block` and
    other options are for backends with windows."""
    if close is None:
        close = settings.refresh().close
    try:
        for manager in managers():
            show_figure(manager.canvas.figure)
    finally:
        show._to_draw = []
        if close and managers():
            from matplotlib import pyplot
            pyplot.close("all")


show._draw_called = False  # a figure was made since the last flush
show._to_draw = []  # figures that were


def _fetch_figure_metadata(figure):
    """What a viewer should know of a figure, or None."""
    return pictures("background")(figure) or None


def _enable_matplotlib_integration():
    """Makes this the backend in use, if it was chosen."""
    if is_current():
        activate()


def show_figure(figure):
    metadata = _fetch_figure_metadata(figure)
    _pandia.display(figure, **({"metadata": metadata} if metadata else {}))


def flush_figures():
    """Shows what a cell has made; called at its end."""
    if not show._draw_called:
        return
    try:
        if settings.refresh().close:
            show(True)
            return
        still_open = [manager.canvas.figure for manager in managers()]
        for figure in [each for each in show._to_draw if each in still_open]:
            show_figure(figure)
    except Exception:
        _pandia.show_traceback()
    finally:
        show._to_draw = []
        show._draw_called = False


PUBLIC = (new_figure_manager, new_figure_manager_given_figure, show, flush_figures,
          configure_inline_support, set_matplotlib_formats, set_matplotlib_close,
          _fetch_figure_metadata, _enable_matplotlib_integration)
