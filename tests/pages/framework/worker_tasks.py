"""What the tests have workers make: a worker finds these by their names."""

import gc
import os
import time
from pathlib import Path

import numpy as np

from pages.framework.rendering.workers.jobs import Progress


def prepare() -> None:
    """Prepare nothing: what these tests have workers do needs no page, and all pages take five seconds."""


def process(_: object) -> int:
    return os.getpid()


def spin(seconds: float, _: object) -> int:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return os.getpid()


def spin_until(seconds: float, file: Path, _: object) -> int:
    spin(seconds, _)
    while not file.exists():
        time.sleep(0.01)
    return os.getpid()


def wait(seconds: float, started: Path, go: Path, _: object) -> int:
    """Take some processor time, leave a file with the number of the process, and wait for another file."""
    spin(seconds, _)
    started.write_text(str(os.getpid()))
    while not go.exists():
        time.sleep(0.01)
    return os.getpid()


def tell_and_wait(seconds: float, go: Path, report: Progress) -> int:
    report.report(0.5)
    return spin_until(seconds, go, report)


def fill(megabytes: int, _: object) -> int:
    return np.ones(megabytes * 125_000).size // 125_000


def fail(_: object) -> None:
    raise KeyError("nobody knows this")


def n_traces(reversed_texts: tuple[str, ...], next_number: float, next_size: int, _: object = None) -> int:
    """Return how many objects of this process hold a text, a number, or an array of a size; none is named as it is."""
    gc.unfreeze()  # what was there when the process was forked holds the caches
    count = 0
    for container in gc.get_objects():
        for content in gc.get_referents(container):
            if isinstance(content, str | bytes):
                text = content if isinstance(content, str) else content.decode(errors="replace")
                count += any(part in text[::-1] for part in reversed_texts)
            elif isinstance(content, float):
                count += content + 1 == next_number
            elif isinstance(content, np.ndarray):
                count += next_size - 1 in content.shape
                count += content.dtype == np.float64 and bool(np.any(content + 1 == next_number))
    return count


def vanish(_: object) -> None:
    os._exit(1)


def vanish_once(file: Path, _: object) -> int:
    """End without an answer the first time."""
    if not file.exists():
        file.touch()
        os._exit(1)
    return os.getpid()


def vanish_always(file: Path, _: object) -> None:
    """End without an answer each time, and leave a line in a file."""
    with file.open("a") as log:
        log.write("asked\n")
    os._exit(1)


def vanish_after_a_piece(file: Path, report: Progress) -> None:
    report.add_piece("a piece")
    vanish_always(file, report)


def counted(seconds: float, report: Progress) -> int:
    report.report(0.5)
    return spin(seconds, report)


def refuse(_: object) -> None:
    raise ValueError("no room")


def count(last: int, report: Progress) -> None:
    for place in range(1, last + 1):
        report.add_piece(place)
        report.report(place / last)


def endless(seconds: float, report: Progress) -> None:
    while True:
        time.sleep(seconds)
        report.report(0.5)
