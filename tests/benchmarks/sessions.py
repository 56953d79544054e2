"""Clients of a Streamlit server without browsers, which speak its protocol over a websocket."""

import json
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from pages.framework.parameters.kinds import Quantity
from pages.framework.rendering import stage
from pages.shared.shared_parameters import EPSILON

KEPT_RUNS = 2  # for how many runs a browser keeps a large message since its last use, so that it is not sent again

FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@dataclass(frozen=True)
class Run:
    """A run: its time from the request to the last message, its bytes, and what it drew."""

    seconds: float
    bytes: int
    deltas: tuple[Delta, ...]


@dataclass
class Person:
    """A client of one page, which changes a parameter in a text field or on the stage."""

    connection: ClientConnection
    page_name: str
    query: str
    quantity: Quantity = EPSILON
    page_hash: str = ""
    recent_hashes: list[set[str]] = field(default_factory=list)
    widget: str = ""  # the id of what is moved
    fragment: str = ""  # the part of the page that a move runs again, empty if that is all of it
    on_stage: bool = False
    n: int = 0  # questions asked of the stage
    buttons: dict[str, str] = field(default_factory=dict)  # the ids of what it drew below, by their names
    refused: bool = False  # whether the last answer was that it takes too much

    async def move(self, step: str, ahead: bool = False) -> Run:
        """Set the quantity; with `ahead`, ask then for the settings beside it, whose time does not count."""
        if not self.on_stage:
            return await self.run([WidgetState(id=self.widget, string_value=step)])
        run = await self.answered({"set": {self.quantity.key: step}, "held": False})
        scale = self.quantity.scale
        at = scale.index(step)
        beside = [scale[at + by] for by in (1, -1, 2) if 0 <= at + by < len(scale)]
        if ahead:
            await self.run([self._ask({"prefetch": [{self.quantity.key: text} for text in beside]})])
        return run

    async def answered(self, question: dict[str, object]) -> Run:
        """Ask the stage something, and again as long as what it draws is being made."""
        run = await self.run([self._ask(question)])
        while "working" in (head := head_of(run)):
            more = await self.run([self._ask({})])
            run = Run(run.seconds + more.seconds, run.bytes + more.bytes, more.deltas)
        self.refused = "&refused=" in head.get("view", "")
        return run

    async def press(self, name: str) -> Run:
        """Press a button below the stage."""
        return await self.run([WidgetState(id=self.buttons[name], trigger_value=True)])

    def _ask(self, question: dict[str, object]) -> WidgetState:
        self.n += 1
        events = [{"event": "request", "value": {"n": self.n, **question}}]
        return WidgetState(id=self.widget, json_trigger_value=json.dumps(events))

    async def open(self) -> None:
        """Open the page and find what moves the quantity there."""
        first_run = await self.run()
        self.buttons = buttons_of(first_run)
        for delta in first_run.deltas:
            component, text_input_id = delta.new_element.bidi_component, delta.new_element.text_input.id
            self.on_stage = component.component_name == "stage"
            if self.on_stage or text_input_id.endswith(f"-{self.quantity.key}_text"):
                self.widget = f"$$STREAMLIT_INTERNAL_KEY_{component.id}__events" if self.on_stage else text_input_id
                self.fragment = delta.fragment_id
                return
        raise RuntimeError(f"nothing on {self.page_name} sets {self.quantity.key}")

    async def run(self, widgets: Iterable[WidgetState] = ()) -> Run:
        """Ask for a run, with what widgets say, and wait until the script has ended."""
        back_message = BackMsg()
        rerun = back_message.rerun_script
        rerun.query_string, rerun.page_name, rerun.page_script_hash = self.query, self.page_name, self.page_hash
        rerun.fragment_id = self.fragment
        rerun.widget_states.widgets.extend(widgets)
        rerun.cached_message_hashes.extend(set().union(*self.recent_hashes))
        rerun.context_info.color_scheme = "light"
        start, received, messages = time.perf_counter(), 0, []
        await self.connection.send(back_message.SerializeToString())
        async for data in self.connection:
            assert isinstance(data, bytes)
            received += len(data)
            messages.append(message := ForwardMsg.FromString(data))
            kind = message.WhichOneof("type")
            if kind == "navigation":
                self.page_hash = message.navigation.page_script_hash
            elif kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind == "script_finished" and message.script_finished in FINISHED:
                break
        seconds = time.perf_counter() - start
        cached = {message.hash for message in messages if message.metadata.cacheable} | {
            message.ref_hash for message in messages
        } - {""}
        self.recent_hashes = [*self.recent_hashes[1 - KEPT_RUNS :], cached]
        return Run(seconds, received, tuple(message.delta for message in messages if message.HasField("delta")))


def buttons_of(run: Run) -> dict[str, str]:
    """Return the identifiers of the buttons that are drawn in a run, by their labels."""
    buttons = (delta.new_element.button for delta in run.deltas if delta.new_element.HasField("button"))
    return {button.label: button.id for button in buttons}


def message_of(run: Run) -> bytes:
    """Return the message to the stage in a run; b"" if there is none."""
    components = [delta.new_element.bidi_component for delta in run.deltas]
    return next((component.bytes for component in components if component.component_name == "stage"), b"")


def head_of(run: Run) -> dict[str, Any]:
    """Return the head of the message to the stage."""
    stage_message = message_of(run)
    return stage.unpack(stage_message) if stage_message else {}


@asynccontextmanager
async def visiting(address: str, page_name: str, query: str, quantity: Quantity = EPSILON) -> AsyncIterator[Person]:
    """Yield a person who has opened a page of a server."""
    stream = f"ws://{urlsplit(address).netloc}/_stcore/stream"
    async with connect(stream, max_size=None, compression=None) as connection:  # browsers are refused compression
        person = Person(connection, page_name, query, quantity)
        await person.open()
        yield person
