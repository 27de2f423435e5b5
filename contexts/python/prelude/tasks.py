# SPDX-License-Identifier: MIT
"""Runs the coroutines of cells on the one event loop of a context. Whatever a cell starts there
speaks for that cell as long as it lives."""

import asyncio
import contextvars
import signal

import _pandia

loop = None
speaker = contextvars.ContextVar("pandia_speaker", default=0)  # the execution that prints


def our_loop():
    """The loop, made on first need; asyncio.run() in a cell unsets it, so it is set each time."""
    global loop
    if loop is None or loop.is_closed():
        loop = asyncio.new_event_loop()
        loop.set_task_factory(new_task)
        loop.set_exception_handler(report)
    asyncio.set_event_loop(loop)
    return loop


def new_task(loop, coroutine, **options):
    """A task that remembers its cell: a report about it may come from anywhere."""
    task = asyncio.Task(coroutine, loop=loop, **options)
    task.pandia_speaker = speaker.get()
    return task


def report(loop, details):
    """Tells, in the name of the cell that started it, of a task or callback that failed unheard."""
    voice = contextvars.copy_context()
    voice.run(speaker.set, started_by(details))
    voice.run(loop.default_exception_handler, details)


def started_by(details):
    """The execution that a failed task or callback belongs to."""
    task = details.get("task") or details.get("future")
    context = getattr(details.get("handle"), "_context", None)
    if isinstance(context, contextvars.Context):
        return context.get(speaker, 0)
    return getattr(task, "pandia_speaker", speaker.get())


def begin(execution):
    """What runs from now on speaks for this execution; 0: for the latest."""
    speaker.set(execution)
    our_loop()


def run(coroutine):
    """Runs a coroutine to its end. An interrupt leaves no task behind: it cancels a task that
    waits, and raises in one that computes. Before and after that, while readers come and go, it is
    only noted: raised in the middle of that, it would leave the selector with half of one."""
    loop = our_loop()
    task, fd, woken = None, -1, False
    interrupted = missed = may_raise = False

    def interrupt(signum, frame):
        nonlocal interrupted, missed
        if not may_raise:
            missed = True
            return
        if interrupted or task.done() or asyncio.current_task(loop) is not None:
            raise KeyboardInterrupt
        interrupted = True
        task.cancel()
        loop.call_soon_threadsafe(int)  # the selector must wake up to notice

    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        if ours:
            signal.signal(signal.SIGINT, interrupt)  # may still raise what came before it
        task = loop.create_task(coroutine)
        woken = ours and let_signals_wake(loop)
        fd = listen()
        may_raise = True
        if missed:
            raise KeyboardInterrupt
        return loop.run_until_complete(task)
    except asyncio.CancelledError as error:
        if not interrupted:
            raise
        raise KeyboardInterrupt().with_traceback(error.__traceback__) from None
    except KeyboardInterrupt:
        missed = False
        end(loop, coroutine, task)
        raise
    finally:
        may_raise = False
        if fd >= 0:
            loop.remove_reader(fd)
        if woken and not loop._signal_handlers:  # else user code wants to be woken as well
            signal.set_wakeup_fd(-1)
        if ours and signal.getsignal(signal.SIGINT) is interrupt:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if missed and not interrupted:
            raise KeyboardInterrupt


def listen():
    """Lets comm messages in while a cell awaits: it may wait for one of them."""
    fd = _pandia.listen()
    if fd >= 0:
        loop.add_reader(fd, serve, fd)
    return fd


def serve(fd):
    if not _pandia.serve_comms():
        loop.remove_reader(fd)


def wake():
    if loop is not None and loop.is_running():
        loop.call_soon_threadsafe(_pandia.serve_comms)


def let_signals_wake(loop):
    """Whether a signal writes to the loop from now on. One that comes just before the selector
    begins to wait finds no Python to run its handler in; the wait must end for it."""
    socket = getattr(loop, "_csock", None)  # as asyncio's own add_signal_handler() does it
    if socket is None or not hasattr(loop, "_signal_handlers"):
        return False
    before = signal.set_wakeup_fd(socket.fileno(), warn_on_full_buffer=False)
    if before != -1:
        signal.set_wakeup_fd(before)  # user code's
    return before == -1


def end(loop, coroutine, task):
    """Ends a task that was left in the middle, or a coroutine that has not become one."""
    if task is None:
        coroutine.close()
    if task is None or task.done():
        return
    task.cancel()
    loop.run_until_complete(asyncio.wait([task], timeout=1))


def run_inside(code, space):
    """Runs the code of a cell that is no coroutine itself but starts tasks."""

    async def cell():
        return eval(code, space)

    return run(cell())


def wait(fd):
    """Lets background tasks, timers and calls from threads go on until `fd` is readable."""
    if loop is None or loop.is_closed():
        return False
    asyncio.set_event_loop(loop)
    loop.add_reader(fd, loop.stop)
    try:
        loop.run_forever()
    finally:
        loop.remove_reader(fd)
    return True
