"""What the tests have workers make: a worker finds these by their names."""

import os
import time
from pathlib import Path

import numpy as np

from pages.shared.workers.limits import Report


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


def fill(megabytes: int, _: object) -> int:
    return np.ones(megabytes * 125_000).size // 125_000


def fail(_: object) -> None:
    raise KeyError("nobody knows this")


def vanish(_: object) -> None:
    os._exit(1)


def counted(seconds: float, report: Report) -> int:
    report.report(0.5)
    return spin(seconds, report)


def refuse(_: object) -> None:
    raise ValueError("no room")


def count(last: int, report: Report) -> None:
    for place in range(1, last + 1):
        report.add(place)
        report.report(place / last)


def endless(seconds: float, report: Report) -> None:
    while True:
        time.sleep(seconds)
        report.report(0.5)
