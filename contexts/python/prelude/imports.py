# SPDX-License-Identifier: MIT
"""Changes modules when user code imports them, and not before: a context imports nothing for us."""

import sys
from _thread import _local

waiting = {}  # module name -> functions that want it, each time that it is run
provided = {}  # module name -> function that fills it: modules that exist nowhere else
changed_ahead = set()  # module names: what we do to them, the zygote has done


class AfterImport:
    """Finds a module as everybody else does, and calls who waits for it when it has run."""

    def __init__(self):
        self.here = _local()  # what this thread is looking for

    def find_spec(self, name, path=None, target=None):
        if name in provided:
            from importlib.util import spec_from_loader
            return spec_from_loader(name, Provider(), origin="built-in")
        if name not in waiting or getattr(self.here, "name", None) == name:
            return None
        before = getattr(self.here, "name", None)
        self.here.name = name
        try:
            spec = self.ask_others(name, path, target)
        finally:
            self.here.name = before
        if hasattr(getattr(spec, "loader", None), "exec_module"):
            spec.loader = Loader(spec.loader)
        return spec

    def ask_others(self, name, path, target):
        """The spec by the other finders. importlib.util.find_spec() would give a module that is
        being reloaded its old one."""
        for finder in list(sys.meta_path):
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec = None if find is None else find(name, path, target)
            if spec is not None:
                return spec
        return None


class Loader:
    """The module's own loader, and then us."""

    def __init__(self, loader):
        self.loader = loader

    def __getattr__(self, name):
        if name == "loader":  # a copy that is being made has none yet
            raise AttributeError(name)
        return getattr(self.loader, name)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.loader  # nobody need ever know of us
        self.loader.exec_module(module)
        for function in tuple(waiting.get(module.__name__, ())):
            call(function, module)


def call(function, module):
    """Changes a module, if it is what we take it for, and says whether it was. The user's own of
    the same name, or another version of the library, stays as it is: no import fails because of
    us."""
    try:
        function(module)
    except Exception:
        return False
    return True


class Provider:
    """Makes a module of ours."""

    def create_module(self, spec):
        return None  # an ordinary one

    def exec_module(self, module):
        provided[module.__name__](module)


def when_imported(name, function):
    """Calls a function with a module, now or when it is imported; and again when that is done anew,
    or it is reloaded. So what the function does can be done twice."""
    on_import(name, function)
    if name in sys.modules:
        call(function, sys.modules[name])


def on_import(name, function):
    """The same for a module to which it was done already, if it is there."""
    watch()
    functions = waiting.setdefault(name, [])
    if function not in functions:
        functions.append(function)


def let_interrupts_end_debuggers():
    """An interrupt at the prompt of pdb would only bring the next prompt. Here it leaves the
    debugger, as in IPython; the program goes on, and the next interrupt is for it."""

    def ask_until_told(self):
        self.allow_kbdint = True
        try:
            self.cmdloop()
        except KeyboardInterrupt:
            self.message("KeyboardInterrupt")
            self.set_continue()
        self.allow_kbdint = False

    when_imported("pdb", lambda pdb: setattr(pdb.Pdb, "_cmdloop", ask_until_told))


def provide(name, fill):
    """Makes a module importable that a function fills."""
    watch()
    provided[name] = fill


class LastResort:
    """Finds our stand-in for parts of IPython that nobody else has (stand_in.py)."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] != "IPython" or name not in use("stand_in").MODULES:
            return None
        from importlib.util import spec_from_loader
        spec = spec_from_loader(name, StandIn(), origin="built-in", is_package=True)
        spec.submodule_search_locations = []
        return spec


class StandIn(Provider):
    """Makes a module of the stand-in."""

    def exec_module(self, module):
        use("stand_in").fill(module)


# What is done to the libraries that show things when user code imports them: module, file of ours,
# function. The files are loaded then, not before.
CHANGED = (
    ("IPython.core.interactiveshell", "ipython", "wait_for"),
    ("IPython.core.pylabtools", "libraries", "keep_name_for_matplotlib"),
    ("matplotlib", "figures", "choose"),
    ("PIL.Image", "pictures", "print_images"),
    ("plotly.io._renderers", "libraries", "let_plotly_show"),
)
REPLACED = (
    ("matplotlib_inline", "figures", "fill_package"),
    ("matplotlib_inline.backend_inline", "figures", "fill"),
)


def later(file, function):
    """A function of another file of ours, which is loaded when it is called."""
    return lambda module: getattr(use(file), function)(module)


def change_ahead():
    """In a zygote, once: changes the libraries that it has imported, so that contexts need not."""
    for name, file, function in CHANGED:
        if name in sys.modules and call(later(file, function), sys.modules[name]):
            changed_ahead.add(name)  # else contexts try it: they have more to import from


def wait_for_libraries():
    """Lets libraries show things here. In the context, once."""
    for name, file, function in CHANGED:
        wait = on_import if name in changed_ahead else when_imported
        wait(name, later(file, function))
    for name, file, function in REPLACED:
        provide(name, later(file, function))
        if name in sys.modules:  # imported ahead, by whoever wrote it
            call(provided[name], sys.modules[name])
    sys.meta_path.append(LastResort())


def watch():
    if not waiting and not provided:
        sys.meta_path.insert(0, AfterImport())


def replace(name, attribute, value):
    """Gives a module another attribute when it is imported."""
    when_imported(name, lambda module: setattr(module, attribute, value))
