"""The response to the browser at each run: a JSON head about the session, and the bodies that the browser requested."""

from collections.abc import Iterator
from time import monotonic
from typing import Any

import segno

from pages.framework import link
from pages.framework.chart import export_scripts
from pages.framework.classroom import demonstrations
from pages.framework.classroom.demonstrations import DEMO
from pages.framework.layout import markup
from pages.framework.parameters.appearance import PICTURE, PRESENT
from pages.framework.parameters.kinds import Values
from pages.framework.rendering import render, render_jobs
from pages.framework.rendering.workers.limits import REQUEST_LIMITS
from pages.framework.session import own_data, session_state
from pages.framework.session.page_state import PageState
from pages.framework.site import site

MAX_LINK_LENGTH = 2_500  # characters of a link in a QR code
MAX_PREFETCHED = 6
PREFETCH_TIME = 0.1  # seconds for rendering the neighbouring settings
_ON_DEMAND = {  # by the key of the request: the renderer, and the name of the body in the response
    "csv": (render.CSV, ("csv", "{}.csv")),
    "light": (render.PICTURE, ("light", "{}")),
    "add": (render.REPORT_ITEM, ("added",)),
    "offer": (render.PANEL, ("offer", "{}")),
}


def build_response(page_state: PageState[Any], request: Values) -> tuple[Values, list[bytes]]:
    """Return the head of the response, which describes the session, and the bodies that the browser needs."""
    readings = page_state.readings
    head = {
        "n": request.get("n", 0),
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
        "wrong": session_state.problems(),
        "offers": {key: reading.name for key, reading in page_state.page.answer_buttons.items()},
        "version": site().version,
        "data": own_data.tokens(),
        "bodies": [],
    }
    bodies: list[bytes] = []
    if request.get("have") != page_state.view:
        _add_stage(page_state, request, head, bodies)
    _add_files(page_state, request, head, bodies)
    _add_data_copies(request.get("keep"), head, bodies)
    for edits, neighbour_stage in _prefetched_stages(page_state, request.get("ahead")):
        head["bodies"].append(["ahead", edits])
        bodies.append(neighbour_stage)
    return head, bodies


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
    return description | {"said": markup.html(description["said"]), "moved": is_changed}


def _add_stage(page_state: PageState[Any], request: Values, head: Values, bodies: list[bytes]) -> None:
    """Add the stage to the response, or the progress of its job, or the sentences on why it was refused."""
    outcome = page_state.render_stage(request.get("stop") is True)
    if outcome.content is None:
        head["offers"] = {}  # there is no answer yet to which the buttons belong
    if outcome.refusal:
        head["view"] += f"&refused={outcome.refusal}"  # so that the browser does not cache it as the page
        bodies.append(page_state.page_view.without_parts(render_jobs.SENTENCES[outcome.refusal]))
    elif outcome.content is not None:
        bodies.append(outcome.content)
    else:
        head["working"] = [round(outcome.seconds, 1), REQUEST_LIMITS.seconds]
        return
    head["bodies"].append(["stage"])


def _add_files(page_state: PageState[Any], request: Values, head: Values, bodies: list[bytes]) -> None:
    """Add the bodies that the browser requested: a CSV file, a chart, a panel, a report item, a file, a QR code."""
    for key, (renderer, body) in _ON_DEMAND.items():
        name = request.get(key)
        if not isinstance(name, str) or (renderer == render.PANEL and name not in page_state.page.answer_buttons):
            continue
        outcome = page_state.render(renderer, name)
        head["notices"] = [*head["notices"], *render_jobs.SENTENCES.get(outcome.refusal, ())[:1]]
        if outcome.content and renderer == render.PICTURE and request.get("script"):
            head["bodies"] += [["script"], ["font"]]
            bodies += [export_scripts.script().encode(), export_scripts.font()]
        if outcome.content:
            head["bodies"].append([template.format(name) for template in body])
            bodies.append(outcome.content)
    if (file := str(request.get("file"))) in page_state.page.files:
        if request.get("plotly"):
            head["bodies"].append(["plotly"])
            bodies.append(export_scripts.plotly())
        outcome = page_state.render(render.FILE, file, str(request.get("at", "")))
        head["notices"] = [*head["notices"], *render_jobs.SENTENCES.get(outcome.refusal, ())[:1]]
        if outcome.content is not None:
            head["bodies"].append(["file", file])
            bodies.append(outcome.content)
    qr_text = request.get("qr")
    if isinstance(qr_text, str) and qr_text.isascii() and len(qr_text) <= MAX_LINK_LENGTH:
        head["bodies"].append(["qr"])
        svg = segno.make(qr_text, micro=False).svg_inline(border=4, light="white", omitsize=True)  # fills its container
        bodies.append(svg.encode())


def _add_data_copies(slots: Any, head: Values, bodies: list[bytes]) -> None:
    """Add the packed copies of the user's data that the browser does not have yet."""
    for slot in slots[: len(site().data_slots)] if isinstance(slots, list) else ():
        copy = own_data.packed(slot)
        if copy is not None:
            head["bodies"].append(["keep", {"slot": slot, "token": copy[0]}])
            bodies.append(copy[1])


def _prefetched_stages(page_state: PageState[Any], requested: Any) -> Iterator[tuple[dict[str, str], bytes]]:
    """Yield the stages of the neighbouring settings that are rendered within the time for them."""
    end = monotonic() + PREFETCH_TIME
    for edits in requested[:MAX_PREFETCHED] if isinstance(requested, list) else ():
        if monotonic() > end or not isinstance(edits, dict):
            return
        neighbour = page_state.with_edits(
            {key: str(entry) for key, entry in edits.items() if key in page_state.readings}
        )
        if any(reading.problem for reading in neighbour.readings.values()):
            continue
        if outcome := render_jobs.prefetch(neighbour.render_request(), session_state.session_id(), end):
            yield edits, outcome
