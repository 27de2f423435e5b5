# SPDX-License-Identifier: MIT
"""What get_ipython() returns in a cell. It begins as little more than a name, enough for the many
libraries that ask who they run under (pandas does at every frame it shows). When a cell asks for
it, or a library for more of it, it becomes IPython's own shell on the same namespace, and stays the
same object (ipython.py); or, where IPython is not installed, the bare shell below."""

import linecache
import os
from _thread import RLock

shell = None
pandia = None  # the module _pandia: the functions of the engine
IPYTHON = "IPython.core.interactiveshell"
lock = RLock()  # whoever makes the shell has it; who comes then waits, and finds it made
NO_LOOPS = (None, "inline", "agg", "asyncio", "nbagg", "notebook", "webagg", "ipympl", "widget")


def after_fork():
    """In the child of a cell's fork the thread that was making the shell is gone, unless it is the
    one that forked."""
    if not lock._is_owned():
        lock._at_fork_reinit()


os.register_at_fork(after_in_child=after_fork)


def get(module, space, source, is_cell):
    """The one shell; made on first need, with its source where people look for it."""
    global shell, pandia
    if shell is None:
        pandia = module
        with lock:
            if shell is None:
                shell = ZMQInteractiveShell(space)
        name = Services.get_parent.__code__.co_filename
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    if type(shell) is ZMQInteractiveShell and (is_cell or is_loaded(IPYTHON)):
        become(shell)
    return shell


def is_loaded(name):
    import sys
    return name in sys.modules


def has_stand_in():
    """Whether user code has imported our stand-in for IPython; an IPython that is installed after
    that comes with the next restart."""
    import sys
    return getattr(sys.modules.get("IPython"), "version_info", ())[3:] == ("pandia",)


def is_installed(name):
    from importlib.machinery import PathFinder
    return PathFinder.find_spec(name) is not None


def become(early):
    """Makes the early shell what it can be here."""
    wants_ipython = is_loaded(IPYTHON) or (is_installed("IPython") and not has_stand_in())
    if wants_ipython:
        use("ipython").load()  # before we have the lock: imports have locks of their own
    with lock:
        if type(early) is not ZMQInteractiveShell:
            return  # another thread was first
        if wants_ipython:
            use("ipython").attach(early, early.user_ns, Services)
            return
        bare = BareShell(early.user_ns, early.kernel)
        vars(early).update(vars(bare))
        early.__class__ = BareShell  # last: an interrupt leaves the early shell


class Parent(dict):
    """The request that a cell came with, and the execution that speaks for it (py_async.c)."""

    speaker = 0


class Kernel:
    """get_ipython().kernel."""

    def __init__(self, shell):
        self.shell = shell

    def get_parent(self, channel=None):
        return self.shell.get_parent()

    @property
    def comm_manager(self):
        import comm
        return comm.get_comm_manager()


class Services:
    """What every form of the shell does by itself."""

    @property
    def execution_count(self):
        return len(self.user_ns["_ih"]) - 1

    @execution_count.setter
    def execution_count(self, _count):
        """Cells are counted by the kernel; IPython sets it to where it is."""

    def get_parent(self):
        """The request that runs, as a dict."""
        import json
        header = json.loads(pandia.request_header() or "{}")
        parent = Parent(header=header, msg_id=header.get("msg_id"), parent_header={}, metadata={},
                        msg_type=header.get("msg_type"), content={})
        parent.speaker = pandia.execution()
        return parent

    def set_thread_parent(self, parent):
        """Lets what the calling thread prints and shows go to a cell: what get_parent() gave there.
        Returns a token for reset_thread_parent()."""
        return pandia.voice().set(getattr(parent, "speaker", 0))

    def reset_thread_parent(self, token):
        pandia.voice().reset(token)

    def enable_gui(self, gui=None):
        """Notebooks that show figures ask for no loop; one of a toolkit with windows cannot run."""
        if gui not in NO_LOOPS:
            raise ValueError(f"the event loop of {gui!r} cannot run here: there are no windows")

    set_parent = set_thread_parent  # one cell runs at a time: there is no wider sense here

    def set_next_input(self, s, replace=False):
        """Asks the client for a new cell with this text, or to replace the present one's."""
        import json
        payload = {"source": "set_next_input", "text": str(s), "replace": bool(replace)}
        pandia.set_payload("set_next_input", json.dumps(payload))

    def showtraceback(self, *args, **kwargs):
        """Shows the exception that is being handled; the cell goes on."""
        pandia.show_traceback()


class ZMQInteractiveShell(Services):
    """The early shell, by the name and configuration that tell libraries of a notebook."""

    def __init__(self, space):
        self.user_ns = self.user_global_ns = space
        self.config = {"IPKernelApp": {}}
        self.kernel = Kernel(self)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)  # methods that displays look for, and the like
        become(self)
        return getattr(self, name)


class Events:
    """get_ipython().events: functions for the moments of a cell."""

    def __init__(self):
        self.callbacks = {name: [] for name in
                          ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell")}

    def register(self, event, function):
        if function not in self.callbacks[event]:
            self.callbacks[event].append(function)

    def unregister(self, event, function):
        self.callbacks[event].remove(function)


class BareShell(Services):
    """The shell where there is no IPython."""

    colors = "Neutral"

    def __init__(self, space, kernel):
        self.user_ns = self.user_global_ns = space
        self.config = {"IPKernelApp": {}}
        self.kernel = kernel
        self.events = Events()
        self.display_formatter = use("formatters").DisplayFormatter()

    @property
    def display_pub(self):
        return use("displays").Publisher

    def object_inspect(self, oname, detail_level=0):
        """What a name stands for, as a dict."""
        try:
            found = eval(oname, self.user_ns)
        except Exception:
            return {"name": oname, "found": False}
        return {"name": oname, "found": True, "type_name": type(found).__name__,
                "docstring": getattr(found, "__doc__", None)}

    def run_line_magic(self, magic_name, line, _stack_depth=1):
        """Runs a magic."""
        magic = getattr(self, "magic_" + magic_name, None)
        if magic is None:
            raise ValueError(f"Line magic function `%{magic_name}` not found.")
        return magic(line)

    def magic_autoawait(self, line):
        """%autoawait asyncio: says what is the case anyway."""
        if line.strip().lower() not in ("", "asyncio", "true", "on", "1"):
            raise ValueError(f"%autoawait {line}: cells are awaited by asyncio here, always")

    def magic_hist(self, line):
        """%hist [-f FILE]: what was run so far."""
        import shlex
        words = shlex.split(line)
        text = "\n".join(self.user_ns["_ih"][1:]) + "\n"
        if not words:
            print(text, end="")
        elif words[0] == "-f" and len(words) == 2:
            with open(words[1], "w", encoding="utf-8") as file:
                file.write(text)
        else:
            raise ValueError("%hist takes no argument, or -f and the name of a file")

    magic_history = magic_hist

    def magic_matplotlib(self, line):
        """%matplotlib [inline]: figures are shown anyway, unless another backend was chosen."""
        gui = line.strip() or None
        _, backend = self.enable_matplotlib(gui)
        if gui is None:
            print("Using matplotlib backend:", backend)

    def enable_matplotlib(self, gui=None):
        """Gives the loop that figures need, and their backend."""
        self.enable_gui(gui)
        import matplotlib
        if gui is not None:
            matplotlib.use(use("figures").BACKEND if gui == "inline" else gui)
            matplotlib.interactive(True)
        return None, matplotlib.get_backend()


def name_as_known(cls):
    """Many ask for the class by its name, and some for the module too."""
    cls.__name__ = cls.__qualname__ = "ZMQInteractiveShell"
    cls.__module__ = "ipykernel.zmqshell"


name_as_known(ZMQInteractiveShell)
name_as_known(BareShell)
