# SPDX-License-Identifier: MIT
"""IPython's own shell, on the namespace of the cells: made when a library or a cell asks for it,
never before. Cells go on running natively; what they show goes by the shell's formatters from then
on, and displays by its publisher, so that registrations and captures work."""

import sys
from _thread import get_ident

import _pandia

displays = use("displays")  # noqa: F821
formatters = use("formatters")  # noqa: F821
NAMES = ("_", "__", "___", "_i", "_ii", "_iii")  # which the parts of the shell would set to ''
lock, name_as_known = use("shell").lock, use("shell").name_as_known  # noqa: F821


def publisher_class():
    from IPython.core.displaypub import DisplayPublisher

    class ZMQDisplayPublisher(DisplayPublisher):
        """Displays of the shell, on their way to the client."""

        def publish(self, data, metadata=None, source=None, *, transient=None, update=False,
                    **options):
            self._validate_data(data, metadata)
            displays.send(data, metadata, transient, update)

        def clear_output(self, wait=False):
            displays.send_clear(wait)

        def set_parent(self, _parent):
            """Displays go to the cell that runs."""

    return ZMQDisplayPublisher


def hook_class():
    from IPython.core.displayhook import DisplayHook

    class ZMQShellDisplayHook(DisplayHook):
        """Results of code that the shell itself runs."""

        def write_output_prompt(self):
            """The client has its own."""

        def write_format_data(self, format_dict, md_dict=None):
            displays.publish_display_data(format_dict, md_dict)

        def set_parent(self, _parent):
            """Results go to the cell that runs."""

    return ZMQShellDisplayHook


def shell_class(services):
    """The class of the shell. Its name and its configuration are what libraries look for."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets import Any, Type

    class ZMQInteractiveShell(services, InteractiveShell):
        kernel = Any()
        execution_count = services.execution_count
        display_pub_class = Type(publisher_class())
        displayhook_class = Type(hook_class())
        system = InteractiveShell.system_raw  # its output comes by descriptors 1 and 2, in order

        def init_history(self):
            super().init_history()
            history = self.history_manager
            history.input_hist_parsed = history.input_hist_raw = self.user_ns["_ih"]
            history.output_hist = self.user_ns["_oh"]

        def init_user_ns(self):
            """Everything is there already but the list of folders, and none of it is the user's."""
            self.user_ns.setdefault("_dh", self.history_manager.dir_hist)
            for name in ("_ih", "_oh", "_dh", "In", "Out", "_", "__", "___", "_i", "_ii", "_iii"):
                self.user_ns_hidden[name] = self.user_ns.get(name)

        def init_sys_modules(self):
            """The module of the cells is __main__ already."""

        def init_virtualenv(self):
            """The context is in its environment already."""

        def atexit_operations(self):
            """There is no history of the shell's own to write."""

        def enable_matplotlib(self, gui=None):
            """A toolkit whose loop cannot run here is refused before figures are left to it."""
            from IPython.core.pylabtools import find_gui_and_backend
            self.enable_gui(find_gui_and_backend(gui, self.pylab_gui_select)[0])
            return super().enable_matplotlib(gui)

        def ask_exit(self):
            exit()

    name_as_known(ZMQInteractiveShell)
    return ZMQInteractiveShell


def load():
    """Imports what the shell is made of."""
    from importlib import import_module
    for name in ("core.displayhook", "core.displaypub", "core.interactiveshell"):
        import_module("IPython." + name)


def attach(early, space, services):
    """Makes `early`, the object that get_ipython() has given so far, IPython's shell. It takes its
    class last; if anything fails or interrupts before that, the next who asks tries again."""
    cls, kind, state = shell_class(services), type(early), vars(early)
    before, kernel, hook = dict(state), early.kernel, sys.excepthook
    names = {name: space[name] for name in NAMES if name in space}

    def undo():
        register(cls, None)
        displays.attached.clear()
        formatters.attached.clear()
        state.clear()
        state.update(before)
        early.__class__ = kind

    try:
        early.__class__ = unfinished(cls, undo)
        state.clear()
        initialize(early, space)
        early.kernel = kernel
        register(cls, early)
        displays.attached.append(early)
        formatters.attach(early.display_formatter)
        early.__class__ = cls
    except BaseException:
        undo()
        raise
    finally:
        sys.excepthook = hook
        space.update(names)
    settle(early)


def initialize(shell, space):
    from traitlets.config import Config
    config = Config({"IPKernelApp": {}, "HistoryManager": {"enabled": False}})
    shell.setup_instance()
    shell.__init__(user_module=sys.modules["__main__"], user_ns=space, config=config)


def register(cls, shell):
    """Lets InteractiveShell.instance() give the shell."""
    for each in cls._walk_mro():
        each._instance = shell


def settle(shell):
    """What can also be done later, or left."""
    from IPython.core.interactiveshell import InteractiveShell
    stop_waiting(InteractiveShell)
    backend = sys.modules.get("matplotlib_inline.backend_inline")
    if backend is not None:
        backend.configure_inline_support(shell, None)


def unfinished(cls, undo):
    """The class of the shell while it is made. Other threads that have it wait until it is."""
    maker = get_ident()

    class Unfinished(cls):
        def __getattribute__(self, name):
            if get_ident() == maker:
                return super().__getattribute__(name)
            with lock:
                if type(self) is Unfinished:
                    undo()  # in a fork of the process, without the thread that was making it
            return getattr(self, name)

    name_as_known(Unfinished)
    return Unfinished


def wait_for(module):
    """InteractiveShell was imported: whoever asks it for the shell gets ours."""
    for name in ("initialized", "instance"):
        setattr(module.InteractiveShell, name, classmethod(first_call(name)))


def first_call(name):
    def ask(cls, *args, **kwargs):
        shell = _pandia.get_ipython()
        with lock:  # while another thread makes it, nobody makes a second one
            found = getattr(cls, name)
        if getattr(found, "__func__", None) is not ask:
            return found(*args, **kwargs)
        # Its own making asks; or IPython was imported anew, and the shell is still that of before.
        return shell if name == "instance" else bool(displays.attached)
    return ask


def stop_waiting(shell):
    for name in ("initialized", "instance"):
        if name in vars(shell):
            delattr(shell, name)
