"""Run the app as on Windows: without what only Linux, or only Unix, has. A test starts this in a process of its own."""

import asyncio
import ctypes
import multiprocessing.connection
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from types import ModuleType

import numpy as np
import pandas as pd
from playwright import sync_api
from scipy import optimize, stats
from streamlit.testing import v1

LOADED = asyncio, ctypes, multiprocessing, subprocess, tempfile, np, pd, sync_api, optimize, stats, v1
"""What on Linux uses some of it itself, at its import."""
MODULES = "resource", "fcntl", "pwd", "grp", "termios", "syslog", "posix", "_posixsubprocess", "_posixshmem"
NAMES: dict[ModuleType, tuple[str, ...]] = {
    os: (
        *("fork", "forkpty", "register_at_fork", "posix_spawn", "nice", "getpriority", "setpriority", "sysconf"),
        *(
            "uname",
            "sched_getaffinity",
            "sched_setaffinity",
            "getuid",
            "geteuid",
            "getgid",
            "getpgid",
            "killpg",
            "setsid",
        ),
        *("WNOHANG", "getloadavg", "O_ASYNC", "PRIO_PROCESS"),
    ),
    signal: ("SIGKILL", "SIGPROF", "SIGALRM", "SIGIO", "SIGCHLD", "setitimer", "ITIMER_PROF", "alarm", "pthread_kill"),
    socket: ("send_fds", "recv_fds", "SOCK_SEQPACKET", "MSG_DONTWAIT"),
    select: ("poll", "epoll"),
    time: ("pthread_getcpuclockid", "clock_gettime", "tzset"),
}
PLACES = "/proc", "/sys", "/dev/shm"
STARTS = "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "subprocess.Popen"


def take_away() -> None:
    """Make every use of what other systems do not have fail, at an import and later."""
    for name in MODULES:
        sys.modules[name] = None  # pyright: ignore[reportArgumentType]; an import of it then fails
    for module, names in NAMES.items():
        for name in names:
            delattr(module, name)
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event in STARTS or (event == "open" and str(arguments[0]).startswith(PLACES)):
        raise OSError(f"{event} of {arguments[0]} on another system")


def main() -> None:
    """Open every page, and print the name of each that has drawn itself."""
    take_away()
    from dp_explorer.__main__ import dashboard_folder
    from pages.export.__main__ import find_browser
    from pages.framework.rendering import render_jobs
    from pages.shared import site_map
    from tests.pages.conftest import open_page, stage_of

    assert not render_jobs.WORKERS.ready
    assert dashboard_folder().is_dir()
    assert callable(find_browser)
    for entry in site_map.PAGES:
        assert stage_of(open_page(entry.script))["parts"]
        print(entry.name)


if __name__ == "__main__":
    main()
