"""The response to the browser at each run: its head, on the session, and the bodies that the browser requested."""

import json
from collections.abc import Iterator
from time import monotonic
from typing import Any

import segno

from pages.framework import link
from pages.framework.chart import export_scripts
from pages.framework.classroom import demonstrations
from pages.framework.classroom.demonstrations import DEMO
from pages.framework.export import report_item
from pages.framework.layout import markup
from pages.framework.parameters.appearance import PICTURE, PRESENT
from pages.framework.parameters.kinds import Values
from pages.framework.rendering import render, render_jobs
from pages.framework.rendering.workers.limits import REQUEST_LIMITS
from pages.framework.session import own_data, report_data, session_state
from pages.framework.session.page_state import PageState
from pages.framework.site import site

MAX_LINK_LENGTH = 2_500  # characters of a link in a QR code
MAX_PREFETCHED = 6
PREFETCH_TIME = 0.1  # seconds for rendering the neighbouring settings
_ON_DEMAND = {  # by the key of the request: the renderer, and what the body in the response is called and about
    "csv": (render.CSV, "csv", "{}.csv"),
    "light": (render.PICTURE, "light", "{}"),
    "add": (render.REPORT_ITEM, "added", None),
    "offer": (render.PANEL, "offer", "{}"),
}


Body = tuple[str, Any, bytes]
"""The kind of a body, what it is about, such as the name of a file, or None, and its content."""


def build_response(page_state: PageState[Any], request: Values) -> Values:
    """Return the response: its head, which describes the session, and under "bodies" those that the browser needs."""
    readings = page_state.readings
    response: Values = {
        "n": number if isinstance(number := request.get("n"), int) else 0,
        "session": session_state.session_id(),
        "run": session_state.next_run_number(),
        "question": page_state.entry.question,
        "page": page_state.entry.path,
        "section": page_state.section,
        "link": page_state.link,
        "view": page_state.view,
        "dark": page_state.scheme == "dark",
        "demo": _demonstration(page_state),
        "present": page_state.values[PRESENT.key] == "on",
        "picture": page_state.values[PICTURE.key],
        "pinned": page_state.values.get("pinned") is not None if "pinned" in page_state.values else None,
        "entered": {key: [reading.entry, reading.problem] for key, reading in readings.items() if reading.problem},
        "notices": session_state.link_problems(),
        "included": link.data_notice(page_state.all_parameters, readings),
        "problems": session_state.problems(),
        "version": site().version,
        "shortLink": link.short_address(page_state.entry.path, page_state.all_parameters, readings),
        "data": own_data.tokens(),
    }
    bodies: list[Body] = []
    if request.get("have") != page_state.view:
        bodies += _stage(page_state, request, response)
    bodies += _files(page_state, request, response)
    bodies += _data_copies(request.get("keep"))
    bodies += _prefetched_stages(page_state, request.get("ahead"))
    return response | {"bodies": bodies}


def _demonstration(page_state: PageState[Any]) -> Values | None:
    """Return the description of the open step and whether its setting was changed; None without a demonstration."""
    name = page_state.values[DEMO.key]
    if name == DEMO.default:
        return None
    step = link.with_demo_defaults({DEMO.key: [name]}, page_state.entry.path, page_state.all_parameters)
    at_step = page_state.with_edits({key: entry for key, (entry,) in step.items()})
    is_changed = len(step) == 1 or any(
        reading.used != at_step.readings[key].used for key, reading in page_state.readings.items()
    )
    description = demonstrations.step_description(name)
    return description | {"text": markup.html(description["text"]), "moved": is_changed}


def _stage(page_state: PageState[Any], request: Values, head: Values) -> Iterator[Body]:
    """Yield the stage, or the sentences on why it was refused; the progress of its job is put into the head."""
    outcome = page_state.render_stage(request.get("stop") is True)
    if outcome.refusal:
        head["view"] += f"&refused={outcome.refusal}"  # so that the browser does not cache it as the page
        yield "stage", None, page_state.page_view.without_parts(render_jobs.SENTENCES[outcome.refusal])
    elif outcome.content is not None:
        yield "stage", None, outcome.content
    else:
        head["working"] = [round(outcome.seconds, 1), REQUEST_LIMITS.seconds]


def _files(page_state: PageState[Any], request: Values, head: Values) -> Iterator[Body]:
    """Yield the bodies that the browser requested: a CSV file, a chart, a panel, a report item, a file, a QR code."""
    for key, (renderer, kind, about) in _ON_DEMAND.items():
        name = request.get(key)
        if not isinstance(name, str) or (renderer == render.PANEL and name not in page_state.page.answer_buttons):
            continue
        outcome = page_state.render(renderer, name)
        head["notices"] = [*head["notices"], *render_jobs.SENTENCES.get(outcome.refusal, ())[:1]]
        if outcome.content and renderer == render.PICTURE and request.get("script"):
            yield "script", None, export_scripts.script().encode()
            yield "font", None, export_scripts.font()
        if outcome.content:
            content = _item_response(page_state, request, outcome.content) if key == "add" else outcome.content
            yield kind, about and about.format(name), content
    if (file := str(request.get("file"))) in page_state.page.files:
        if request.get("plotly"):
            yield "plotly", None, export_scripts.plotly()
        outcome = page_state.render(render.FILE, file, str(request.get("at", "")))
        head["notices"] = [*head["notices"], *render_jobs.SENTENCES.get(outcome.refusal, ())[:1]]
        if outcome.content is not None:
            yield "file", file, outcome.content
    qr_text = request.get("qr")
    if isinstance(qr_text, str) and qr_text.isascii() and len(qr_text) <= MAX_LINK_LENGTH:
        svg = segno.make(qr_text, micro=False).svg_inline(border=4, light="white", omitsize=True)  # fills its container
        yield "qr", None, svg.encode()


def _item_response(page_state: PageState[Any], request: Values, content: bytes) -> bytes:
    """Return the item that the browser adds to its report, or why it is refused, as JSON.

    An item that no link can hold, or for which the link of the report has no room, is made from data of the session.
    """
    rebuilt, room, tokens = json.loads(content), request.get("room"), request.get("tokens")
    text = rebuilt["item"]
    if rebuilt["is_rebuilt"] and len(text) < (room if isinstance(room, int) else report_item.MAX_TEXT):
        return json.dumps({"item": text}).encode()
    used_tokens = tokens if isinstance(tokens, list) else []
    item = report_data.store_item(report_item.read_item(text), page_state.uploads, used_tokens)
    return json.dumps({"refused": report_data.FULL} if item is None else {"item": item.text()}).encode()


def _data_copies(slots: Any) -> Iterator[Body]:
    """Yield the packed copies of the user's data that the browser does not have yet."""
    for slot in slots[: len(site().data_slots)] if isinstance(slots, list) else ():
        copy = own_data.packed(slot)
        if copy is not None:
            yield "keep", {"slot": slot, "token": copy[0]}, copy[1]


def _prefetched_stages(page_state: PageState[Any], requested: Any) -> Iterator[Body]:
    """Yield the stages of the neighbouring settings that are rendered within the time for them."""
    end = monotonic() + PREFETCH_TIME
    for edits in requested[:MAX_PREFETCHED] if isinstance(requested, list) else ():
        if monotonic() > end or not isinstance(edits, dict):
            return
        texts = {key: str(entry) for key, entry in edits.items() if key in page_state.readings}
        neighbour = page_state.with_edits(texts)
        if any(reading.problem for reading in neighbour.readings.values()):
            continue
        if outcome := render_jobs.prefetch(neighbour.render_request(), session_state.session_id(), end):
            yield "ahead", texts, outcome
