"""The process that workers are forked from: it has imported all that they need, and made each page once.

It is told over a socket: a byte with the socket of a new worker, or the number of a worker that shall end. It ends
with the server, and so do its workers.
"""

import gc
import os
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection

from pages.shared import contents
from pages.shared.made import Wish
from pages.shared.workers.forks import NUMBER, READY
from pages.shared.workers.serving import serve

_NICE = 5  # the server, which speaks with all, comes first


def main(control: socket.socket) -> None:
    """Fork a worker or end one whenever that is asked for."""
    for page in contents.PAGES:
        Wish(page.script, (), "light")()  # the first time takes three times as long
    with suppress(ImportError):
        import_module("dpcore.verify")  # which takes a library of its own
    gc.collect()
    gc.freeze()  # so that workers share what is imported
    os.nice(_NICE)
    control.send(READY)
    there: set[int] = set()
    while True:
        said, files, *_ = socket.recv_fds(control, NUMBER.size, 1)
        if not said:
            return
        there -= _ended(there)
        if files:
            there.add(_forked(control, files[0]))
        elif (worker := NUMBER.unpack(said)[0]) in there:
            os.kill(worker, signal.SIGKILL)


def _forked(control: socket.socket, file: int) -> int:
    worker = os.fork()
    if not worker:
        control.close()
        with suppress(EOFError, OSError):  # nobody is there any more
            serve(Connection(file))
        os._exit(0)
    os.close(file)
    return worker


def _ended(there: set[int]) -> set[int]:
    """The workers that have ended; until it is asked for here, the number of one is nobody else's."""
    return {each for each in there if os.waitpid(each, os.WNOHANG)[0]}


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as asked, suppress(ConnectionError):  # the server has ended
        main(asked)
