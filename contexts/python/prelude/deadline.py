# SPDX-License-Identifier: MIT
"""Code of others, run for an answer that is worth only so much waiting."""

from _thread import allocate_lock, start_new_thread

import _pandia

stop_thread = _pandia.stop_thread  # user code may change the module; not what we hold


def within(seconds, function, *args, stop=True):
    """Calls a function on a thread of its own. Returns (True, its result), or (False, None) when it
    fails or is late; a late one is told to end, and what it gives is dropped."""
    answers = []
    done = allocate_lock()
    done.acquire()

    def work():
        try:
            answers.append(function(*args))
        except BaseException:
            pass  # a question that fails has no answer
        finally:
            done.release()

    try:
        ident = start_new_thread(work, ())
    except RuntimeError:
        return False, None  # user code has taken all threads there are
    in_time = False
    try:
        in_time = done.acquire(timeout=seconds)
    finally:  # also when we are interrupted
        if not in_time and stop:
            stop_thread(ident)
    return (True, answers[0]) if in_time and answers else (False, None)
