"""Measure how long one user's moves take while ten clients open expensive links.

    python -m tests.benchmarks.heavy_clients [--before COMMIT] [--clients 10] [--seconds 20] [--turns 2] [--stay]

One user moves ε on Gaussian bounds every tenth of a second at settings where nobody has been, so that each answer is
computed. Ten clients open links of `hard_links`, each with a δ of its own, so that no answer is shared or cached; a
client opens the next link when the last one is answered, in a new session, or with `--stay` in the same one. The
clients run in a process of their own with the least priority (nice 19), and what processor time they take is printed,
because on a machine of two cores they take it from the server.

With `--before`, a server of an older commit and one of this tree are measured in turns, so that whatever else the
machine does slows both alike; it must be c036438 or later, since an older server sends another format. Linux only; no
time is asserted.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from itertools import count
from typing import Any
from urllib.parse import urlencode

import numpy as np

from pages.shared.shared_parameters import EPSILON
from tests.benchmarks.hard_links import LISTS
from tests.benchmarks.servers import ROOT, Server, checkout, machine, processor_time, running
from tests.benchmarks.sessions import Person, visiting

EVERY = 0.1  # seconds between an answer and the next move
QUIET_SECONDS = 5.0  # for which the user moves alone
_ONE_FORMAT = "c036438"  # the commit since which responses, stages and figures have one format
_ATTACK = "--attack"  # the option by which this module starts the process of the clients


def heavy_links(client: int) -> Iterator[dict[str, str]]:
    """Yield expensive links of one client, each with a δ that no other link has."""
    listed = [*LISTS.values()]
    for turn in count():
        for place in range(len(listed)):
            section = ("together", "accountants", "profile")[(place + client + turn) % 3]
            delta = f"{1 + 1e-3 * client + 1e-5 * turn:.5f}e-6"
            yield {"section": section, "releases": listed[(place + 2 * client) % len(listed)], "delta": delta}


async def attack(address: str, n_clients: int, seconds: float, stay: bool) -> None:
    """Have clients open heavy links for some time; print how many were answered and how many of these refused."""
    end, answered, refused = time.monotonic() + seconds, 0, 0

    async def client(number: int) -> None:
        nonlocal answered, refused
        links = heavy_links(number)
        while True:
            first = next(links)
            async with visiting(address, "Composition", urlencode(first)) as person:
                await person.answered({})
                while stay:
                    answered, refused = answered + 1, refused + person.refused
                    await person.answered({"set": next(links), "held": False})
                answered, refused = answered + 1, refused + person.refused

    clients = [asyncio.create_task(client(number)) for number in range(n_clients)]
    await asyncio.wait(clients, timeout=end - time.monotonic(), return_when=asyncio.FIRST_EXCEPTION)
    for task in clients:
        task.cancel()
    failures = [
        ended for ended in await asyncio.gather(*clients, return_exceptions=True) if isinstance(ended, Exception)
    ]
    print(f"{answered} {refused} {len(failures)} {1000 * time.process_time():.0f}")


async def moves(person: Person, steps: Iterator[dict[str, str]], until: "asyncio.Future[Any]") -> list[float]:
    """Return how many ms each move takes while something lasts."""
    times = []
    while not until.done():
        times.append(1000 * (await person.answered({"set": next(steps), "held": False})).seconds)
        await asyncio.sleep(EVERY)
    return times


def new_steps() -> Iterator[dict[str, str]]:
    """Yield settings of Gaussian bounds without repetition."""
    for turn in count():
        for step in EPSILON.scale:
            yield {"epsilon": step, "delta": f"{2 + 1e-5 * turn:.5f}e-6"}


@asynccontextmanager
async def light_user(server: Server) -> AsyncIterator[tuple[Person, Iterator[dict[str, str]]]]:
    """Somebody who has moved on a server until its workers are there."""
    steps = new_steps()
    async with visiting(server.address, "Gaussian_bounds", "epsilon=1") as person:
        for _ in range(60):
            await person.answered({"set": next(steps), "held": False})
            if server.workers:
                break
            await asyncio.sleep(0.5)
        yield person, steps


async def measure(name: str, server: Server, arguments: argparse.Namespace) -> None:
    """Print how long a user's moves take, alone and beside the clients."""
    async with light_user(server) as (person, steps):
        alone = await moves(person, steps, asyncio.ensure_future(asyncio.sleep(QUIET_SECONDS)))
        options = [_ATTACK, server.address, "--clients", str(arguments.clients), "--seconds", str(arguments.seconds)]
        command = [sys.executable, "-m", "tests.benchmarks.heavy_clients", *options, *["--stay"] * arguments.stay]
        before, own = server.processor_time, processor_time(os.getpid())
        clients = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, stdout=subprocess.PIPE, preexec_fn=lambda: os.nice(19)
        )
        output = asyncio.ensure_future(clients.communicate())
        beside = await moves(person, steps, output)
    answered, refused, failed, theirs = output.result()[0].decode().split()
    seconds = arguments.seconds * 1000
    shares = [server.processor_time - before, float(theirs), processor_time(os.getpid()) - own]
    percent = ", ".join(f"{100 * share / seconds:.0f} %" for share in shares)
    for kind, times in (("alone", alone), ("beside", beside)):
        middle, late, last = np.percentile(times, (50, 95, 100))
        print(f"  {name:7} {kind:7} {middle:6.0f} {late:6.0f} {last:6.0f} {len(times):6}", end="")
        print(
            "" if kind == "alone" else f"  {answered} answered, {refused} refused, {failed} failed; {percent}",
            flush=True,
        )


def has_one_format(commit: str) -> bool:
    """Return whether the server of a commit sends responses in the format that these clients read."""
    command = ["git", "-C", str(ROOT), "merge-base", "--is-ancestor", _ONE_FORMAT, commit]
    return subprocess.run(command, check=False).returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", help="a commit that is measured in turns with this tree")
    parser.add_argument("--clients", type=int, default=10, help="how many open heavy links")
    parser.add_argument("--seconds", type=float, default=20, help="for how long they do")
    parser.add_argument("--turns", type=int, default=2, help="how often each server is measured")
    parser.add_argument("--stay", action="store_true", help="each client keeps its session")
    parser.add_argument(_ATTACK, metavar="ADDRESS", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.attack:
        return asyncio.run(attack(arguments.attack, arguments.clients, arguments.seconds, arguments.stay))
    if arguments.before and not has_one_format(arguments.before):
        parser.error(f"--before must be {_ONE_FORMAT} or a later commit: an older server sends another binary format")
    print(machine())
    print("  ms               p50    p95   most  moves  clients; a core's time: server, clients, user", flush=True)
    with ExitStack() as stack:
        trees = {"before": stack.enter_context(checkout(arguments.before))} if arguments.before else {}
        for _ in range(arguments.turns):
            for name, tree in (trees | {"now": ROOT}).items():
                with running(tree) as server:
                    asyncio.run(measure(name, server, arguments))
    return None


if __name__ == "__main__":
    main()
