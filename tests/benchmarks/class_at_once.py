"""A class at once: what a move costs the server, and how long people wait who move at the same time.

    python -m tests.benchmarks.class_at_once [--before 8104bfe] [--page Gaussian_bounds] [--people 10 30 60 100]
    python -m tests.benchmarks.class_at_once --before 70edd65 --page Composition --asked "section=training&solve=noise"

People without browsers open a page of this tree, the same page of an older commit, and bare pages of one and of six
charts of that page. One moves ε along the steps of its slider where nobody was (new), a second one follows (seen), and
all pages take turns of a few moves, so that whatever else the machine does slows all. After that more and more people
move every two seconds, in turns too; each waits for the answer before the next move. All move among the same steps, or
each at a δ of one's own (apart), where nobody has been. A time runs from sending a move to the message that the script
has ended. After every move the new pages' browsers ask for the settings beside it: --ahead has that asked here too.
Linux only; no time is asserted.
"""

import argparse
import asyncio
import random
import time
from collections import defaultdict
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field

import numpy as np

from pages.shared.common import EPSILON
from tests.benchmarks.servers import ROOT, Server, bare, checkout, machine, running
from tests.benchmarks.sessions import Person, Run, visiting

STEPS = EPSILON.scale
TURN, EVERY = 5, 2.0  # moves; seconds between two moves of a person
DELTA = "1e-6"


@dataclass
class Taken:
    """What moves took: seconds and bytes of each, and ms of processor of all."""

    runs: list[Run] = field(default_factory=list)
    processor: float = 0.0

    def __str__(self) -> str:
        middle, late = np.percentile([1000 * run.seconds for run in self.runs], (50, 95))
        kilobytes = np.mean([run.bytes for run in self.runs]) / 1000
        return f"{self.processor / len(self.runs):9.1f} {middle:9.0f} {late:6.0f} {kilobytes:9.1f} {len(self.runs):7}"


HEAD = f"{'ms; kB':24} processor       p50    p95  kB/move   moves"


async def alone(servers: dict[str, Server], page: str, more: str, moves: int, ahead: bool) -> None:
    """Print what moves of one person cost where nobody was, and then of another person at the same steps."""
    taken: dict[tuple[str, str], Taken] = defaultdict(Taken)
    async with AsyncExitStack() as stack:
        people = {
            (name, who): await stack.enter_async_context(
                visiting(server.address, page, f"delta={DELTA}&epsilon=0.1&{more}")
            )
            for who in ("new", "seen")
            for name, server in servers.items()
        }
        steps = STEPS[STEPS.index("0.1") + 1 :][:moves]
        for start in range(0, len(steps), TURN):
            for (name, who), person in people.items():
                before = servers[name].processor_time
                for step in steps[start : start + TURN]:
                    taken[name, who].runs.append(await person.move(step, ahead))
                taken[name, who].processor += servers[name].processor_time - before
    for (name, who), each in taken.items():
        print(f"{name + ', ' + who:24}{each}", flush=True)


async def crowd(name: str, server: Server, people: list[Person], seconds: float, ahead: bool) -> None:
    """Print how long people wait who move all the time, each every two seconds."""
    taken, end = Taken(), time.perf_counter() + seconds
    before = server.processor_time

    async def one(place: int, person: Person) -> None:
        chance = random.Random(place)
        await asyncio.sleep(EVERY * place / len(people))
        at = chance.randrange(len(STEPS))
        while (start := time.perf_counter()) < end:
            at = min(max(at + chance.choice((-1, 1)), 0), len(STEPS) - 1)
            taken.runs.append(await person.move(STEPS[at], ahead))
            await asyncio.sleep(start + EVERY - time.perf_counter())

    await asyncio.gather(*(one(place, person) for place, person in enumerate(people)))
    taken.processor = server.processor_time - before
    print(f"{name:24}{taken}", flush=True)


async def together(
    servers: dict[str, Server], page: str, more: str, sizes: list[int], seconds: float, ahead: bool
) -> None:
    """Let more and more people move, on one page after the other: among the same settings, and each apart."""
    for manner in ("together", "apart"):
        print(f"{manner}\n{HEAD}")
        async with AsyncExitStack() as stack:
            people: dict[str, list[Person]] = defaultdict(list)
            for n in sizes:
                for name, server in servers.items():
                    for place in range(len(people[name]), n):
                        delta = DELTA if manner == "together" else f"{1.01**place * 1e-6:.5g}"
                        opened = visiting(server.address, page, f"delta={delta}&epsilon=0.1&{more}")
                        people[name].append(await stack.enter_async_context(opened))
                    await crowd(f"{name}, {n} people", server, people[name], seconds, ahead)


def measure(asked: argparse.Namespace) -> None:
    with ExitStack() as stack:
        tree = stack.enter_context(checkout(asked.before))
        link = f"{asked.page}?{asked.asked}&delta={DELTA}&epsilon="
        folders = {"before": tree, "after": ROOT}
        folders |= {f"bare, {n} charts": stack.enter_context(bare(tree, link, STEPS, "text", n)) for n in asked.bare}
        servers = {name: stack.enter_context(running(folder)) for name, folder in folders.items()}
        print(f"{asked.page}, before = {asked.before}; {machine()}\n{HEAD}", flush=True)
        asyncio.run(alone(servers, asked.page, asked.asked, asked.moves, asked.ahead))
        asyncio.run(together(servers, asked.page, asked.asked, asked.people, asked.seconds, asked.ahead))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default="8104bfe", metavar="COMMIT", help="the commit to compare with")
    parser.add_argument("--page", default="Gaussian_bounds", help="the address of the page")
    parser.add_argument("--asked", default="", metavar="LINK", help="what else of its link is not as it begins")
    parser.add_argument("--bare", type=int, nargs="*", default=[1, 6], help="how many charts the bare pages have")
    parser.add_argument("--people", type=int, nargs="*", default=[10, 30, 60, 100], help="people who move at once")
    parser.add_argument("--moves", type=int, default=40, help="moves of one person alone (at most 70)")
    parser.add_argument("--seconds", type=float, default=20, help="for how long people move")
    parser.add_argument("--ahead", action="store_true", help="ask for the settings beside each, as the browser does")
    measure(parser.parse_args())
