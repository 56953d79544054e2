"""Measure a class that answers live: 150 phones by their protocol, the lecturer's screen, and another user beside them.

    python -m tests.benchmarks.live_class [--phones 150] [--seconds 5]

Each phone waits a random time of at most so many seconds, loads its page, the script and the question, waits as long
again, draws its report as `randomize.js` does, and sends it. The lecturer's screen looks each half second, as its
browser does, and requests the page when there are more reports. Printed are the delay of a report, from the moment at
which it is sent until the screen has it; the wait of a user who moves ε on Gaussian bounds ten times a second, before
and meanwhile; the memory of the server; and what went over the wire. Of that, everything but the cookie and the digit
of the report must be the same for every phone, whatever its answer: then no true answer is on the wire.
"""

import argparse
import asyncio
import json
import random
import re
import secrets
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np

from tests.benchmarks.servers import ROOT, Server, machine, running
from tests.benchmarks.sessions import Person, message_of, visiting

_LINK = re.compile(rb"class/[a-z0-9-]{16,}")
_COUNT = re.compile(rb'"state":\s*\[(\d+),\s*\w+,\s*(\d+)\]')


@dataclass
class Phone:
    """A phone: the answer of its owner, what it sent, when it sent the report, and when it used its connection last."""

    answer: int
    sent: bytes = b""
    received: int = 0
    cookie: str = ""
    report: int = -1
    status: int = 0
    time: float = 0.0
    used: float = 0.0

    connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, host: str, path: str, body: bytes | None = None) -> bytes:
        """Send a request over the phone's connection, and return the content.

        A server closes a connection after five seconds of silence, and a browser then opens another one: so does this.
        """
        if self.connection is None or time.perf_counter() > self.used + 4:
            self.connection = await asyncio.open_connection(*host.split(":"))
        self.used = time.perf_counter()
        method = "GET" if body is None else "POST"
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Origin: http://{host}"]
        lines += [f"Cookie: {self.cookie}"] if self.cookie else []
        lines += [f"Content-Length: {len(body)}"] if body is not None else []
        message = "\r\n".join((*lines, "", "")).encode() + (body or b"")
        reader, writer = self.connection
        writer.write(message)
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        content = await reader.readexactly(int(length[1]) if length else 0)
        self.sent += message
        self.received += len(head) + len(content)
        self.status = int(head.split()[1])
        if cookie := re.search(rb"set-cookie: (dp_phone=[^;]+)", head):
            self.cookie = cookie[1].decode()
        return content

    async def answer_question(self, host: str, path: str, seconds: float) -> None:
        """Load everything, wait, draw, and report."""
        await asyncio.sleep(random.random() * seconds)
        await self.request(host, path)
        await self.request(host, "/class/phone.js")
        question = json.loads(await self.request(host, f"{path}/question"))
        await asyncio.sleep(random.random() * seconds)
        drawn, weight, d = secrets.randbits(53), question["weight"], len(question["options"])
        steps = drawn // weight + 1
        self.report = (self.answer + steps) % d if steps < d else self.answer
        self.time = time.perf_counter()
        await self.request(host, f"{path}/report", f"{question['round']} {self.report}".encode())

    @property
    def traffic(self) -> bytes:
        """What it sent without its cookie and the digit of its report."""
        return re.sub(rb"dp_phone=[\w-]+", b"dp_phone=", self.sent)[:-1]


async def screen(lecturer: Person, host: str, path: str, n: int) -> list[tuple[float, int]]:
    """Follow the reports as the lecturer's browser does; return when the screen had how many."""
    looker, seen = Phone(0), [(time.perf_counter(), 0)]
    while seen[-1][1] < n:
        await asyncio.sleep(0.5)
        told = json.loads(await looker.request(host, f"{path}/question"))
        if told["reports"] != seen[-1][1]:
            run = await lecturer.answered({})
            counts = _COUNT.findall(message_of(run))
            seen.append((time.perf_counter(), int(counts[-1][1])))
    return seen


async def neighbour(server: Server, seconds: float) -> list[float]:
    """Return the waits in ms of a user who moves ε ten times a second."""
    waits, end = [], time.perf_counter() + seconds
    async with visiting(server.address, "Gaussian_bounds", "") as person:
        while time.perf_counter() < end:
            run = await person.move(random.choice(person.quantity.scale))
            waits.append(1000 * run.seconds)
            await asyncio.sleep(max(0.0, 0.1 - run.seconds))
    return waits


async def measure(n: int, seconds: float) -> None:
    """Print the figures of one class."""
    with running(ROOT) as server:
        host = urlsplit(server.address).netloc
        await neighbour(server, 5)
        before, memory = await neighbour(server, seconds), server.memory
        async with visiting(server.address, "Ask_the_class", "epsilon=1") as lecturer:
            run = await lecturer.answered({"act": "ask"})
            (link,) = set(_LINK.findall(message_of(run)))
            path, phones = f"/{link.decode()}", [Phone(int(random.random() > 0.3)) for _ in range(n)]
            start = server.processor_time
            answering = [phone.answer_question(host, path, seconds) for phone in phones]
            phoning = asyncio.gather(*answering)
            watching = screen(lecturer, host, path, n), neighbour(server, 2 * seconds)
            seen, beside, _ = await asyncio.gather(*watching, phoning)
            cost = server.processor_time - start
            print_figures(phones, seen, before, beside)
            print(f"  memory of the server: {memory:.0f} MB before, {server.memory:.0f} MB after")
            print(f"  processor time of the server meanwhile: {cost / n:.1f} ms a phone")


def print_figures(phones: list[Phone], seen: list[tuple[float, int]], before: list[float], beside: list[float]) -> None:
    """Print the delays, the waits of another user, and what was on the wire; fail if it depends on an answer."""
    order = sorted(phone.time for phone in phones)
    delays = [next(moment for moment, count in seen if count > place) - sent for place, sent in enumerate(order)]
    middle, late, last = np.percentile(delays, (50, 95, 100))
    print(f"  a report is on the screen after {middle:.2f} s (p50), {late:.2f} s (p95), {last:.2f} s (max)")
    waits = ", ".join(
        f"{name} {np.percentile(times, 50):.0f} ms (p50), {np.percentile(times, 95):.0f} ms (p95)"
        for name, times in (("before", before), ("meanwhile", beside))
    )
    print(f"  another user waits {waits}")
    assert {phone.status for phone in phones} == {204}
    assert len({phone.traffic for phone in phones}) == 1, "what phones send depends on more than the report"
    lies = sum(phone.report != phone.answer for phone in phones)
    sent, received = (np.mean([len(phone.sent) for phone in phones]), np.mean([phone.received for phone in phones]))
    print(f"  {lies} of {len(phones)} phones sent another answer than their owner's; the rest of the bytes is the same")
    print(f"  a phone sends {sent:.0f} bytes and receives {received:.0f}")


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--phones", type=int, default=150)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    print(f"{options.phones} phones that load the page within {options.seconds:g} s; {machine()}")
    asyncio.run(measure(options.phones, options.seconds))


if __name__ == "__main__":
    main()
