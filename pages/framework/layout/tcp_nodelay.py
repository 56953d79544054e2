"""Small messages leave the server at once."""

import os
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path
from stat import S_ISSOCK

_OPEN_FILES = Path("/dev/fd")  # of this process; Windows has none


@cache
def send_promptly() -> None:
    """Switch off Nagle's algorithm on the sockets of this process, once.

    Streamlit 1.67 makes its listening socket so that asyncio leaves the algorithm on: all but the first of a run's
    small messages then wait for the browser's delayed acknowledgement, 40 ms. What is accepted later inherits it.
    """
    for file in os.listdir(_OPEN_FILES) if _OPEN_FILES.exists() else ():
        with suppress(OSError):  # the listing's own file is closed by now
            if S_ISSOCK(os.fstat(int(file)).st_mode):
                with socket.socket(fileno=os.dup(int(file))) as connection:
                    if connection.family in (socket.AF_INET, socket.AF_INET6) and connection.type == socket.SOCK_STREAM:
                        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
