"""A limit on the processor time of a computation in this process, for systems and moments without workers."""

import ctypes
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from threading import Thread
from time import process_time
from typing import TypeVar

from pages.framework.rendering.workers.jobs import IN_PROCESS, LimitExceededError

T = TypeVar("T")
_INTERVAL = 0.2  # seconds between two calls of `while_waiting`
_LEAST_WAIT = 0.01  # seconds
_N_ATTEMPTS = 5  # to end a thread: its code may swallow an exception, or be in a compiled function
_raise_in_thread = ctypes.pythonapi.PyThreadState_SetAsyncExc


class _TimeIsUp(SystemExit):
    """Raised in the thread of a computation: no Exception, which its code may handle, and without a traceback."""


def within_time(make: Callable[[], T], seconds: float, while_waiting: Callable[[], object] = lambda: None) -> T:
    """Return what `make` returns; raise LimitExceededError if this process takes more processor time meanwhile.

    It runs in a thread of its own, which is ended when its time is up; a compiled function in it returns first. The
    time is that of all threads of this process, because no system but Linux tells that of one to another.
    `while_waiting` is called now and then in the thread of the caller.
    """
    outcome: Future[T] = Future()
    end = process_time() + seconds
    thread = Thread(target=_run, args=(make, outcome), daemon=True)
    thread.start()
    try:
        while not outcome.done() and (remaining := end - process_time()) > 0:
            wait([outcome], min(max(remaining, _LEAST_WAIT), _INTERVAL))
            while_waiting()
        if outcome.done():
            return outcome.result()
        raise LimitExceededError(IN_PROCESS)
    finally:  # also where Streamlit has interrupted the caller
        if not outcome.done():
            _end(thread)


def _run(make: Callable[[], T], outcome: Future[T]) -> None:
    with suppress(_TimeIsUp):
        try:
            outcome.set_result(make())
        except BaseException as error:  # it is raised where the outcome is awaited
            outcome.set_exception(error)


def _end(thread: Thread) -> None:
    for _ in range(_N_ATTEMPTS):
        if thread.is_alive():
            _raise_in_thread(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_TimeIsUp))
            thread.join(_INTERVAL)
