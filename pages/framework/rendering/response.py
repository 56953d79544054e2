"""What the browser is told at a run: a head about its session, and the bytes that it needs."""

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
from pages.framework.rendering.workers.limits import OF_A_LINK
from pages.framework.session import own_data, session_state
from pages.framework.session.page_state import PageState
from pages.framework.site import site

MAX_LINK_LENGTH = 2_500  # characters of a link in a QR code
MAX_PREFETCHED = 6
PREFETCH_TIME = 0.1  # seconds for the settings next to the current one
_ON_DEMAND = {  # by what is asked, with what the browser gets it as
    "csv": (render.CSV, ("csv", "{}.csv")),
    "light": (render.PICTURE, ("light", "{}")),
    "add": (render.REPORT_ITEM, ("added",)),
    "offer": (render.PANEL, ("offer", "{}")),
}


def build_response(opened: PageState[Any], asked: Values) -> tuple[Values, list[bytes]]:
    """What the browser is told: of this session in the head, and the bytes that it needs."""
    readings = opened.readings
    head = {
        "n": asked.get("n", 0),
        "session": session_state.session_id(),
        "run": session_state.next_run_number(),
        "question": opened.entry.question,
        "page": opened.entry.path,
        "section": opened.section,
        "link": opened.link,
        "view": opened.view,
        "dark": opened.scheme == "dark",
        "demo": _demonstration(opened),
        "present": opened.values[PRESENT.key] == "on",
        "picture": opened.values[PICTURE.key],
        "pinned": opened.values.get("pinned") is not None if "pinned" in opened.values else None,
        "entered": {key: [each.entry, each.problem] for key, each in readings.items() if each.problem},
        "notices": session_state.link_problems(),
        "included": link.data_notice(opened.all_parameters, readings),
        "wrong": session_state.problems(),
        "offers": {key: each.name for key, each in opened.page.answer_buttons.items()},
        "version": site().version,
        "data": own_data.tokens(),
        "bodies": [],
    }
    bodies: list[bytes] = []
    if asked.get("have") != opened.view:
        _add_stage(opened, asked, head, bodies)
    _add_files(opened, asked, head, bodies)
    _add_data_copies(asked.get("keep"), head, bodies)
    for edits, near in _prefetched(opened, asked.get("ahead")):
        head["bodies"].append(["ahead", edits])
        bodies.append(near)
    return head, bodies


def _demonstration(opened: PageState[Any]) -> Values | None:
    """What is told of the step that is open, and whether somebody has moved on from its setting; None without one."""
    name = opened.values[DEMO.key]
    if name == DEMO.default:
        return None
    step = link.with_demo_defaults({DEMO.key: [name]}, opened.entry.path, opened.all_parameters)
    at_step = opened.with_edits({key: entry for key, (entry,) in step.items()})
    moved = len(step) == 1 or any(each.used != at_step.readings[key].used for key, each in opened.readings.items())
    told = demonstrations.step_description(name)
    return told | {"said": markup.html(told["said"]), "moved": moved}


def _add_stage(opened: PageState[Any], asked: Values, head: Values, bodies: list[bytes]) -> None:
    """Add what is drawn, or how far it is, or a sentence in the place of what would take too much."""
    found = opened.render_stage(asked.get("stop") is True)
    if found.content is None:
        head["offers"] = {}  # nothing is said yet that they could be about
    if found.refusal:
        head["view"] += f"&refused={found.refusal}"  # so that the browser does not take it for the page
        bodies.append(opened.page_view.without_parts(render_jobs.SENTENCES[found.refusal]))
    elif found.content is not None:
        bodies.append(found.content)
    else:
        head["working"] = [round(found.seconds, 1), OF_A_LINK.seconds]
        return
    head["bodies"].append(["stage"])


def _add_files(opened: PageState[Any], asked: Values, head: Values, bodies: list[bytes]) -> None:
    """Add what is made on demand: the numbers of an exhibit, a chart in the colours of paper, a QR code, an offer."""
    for key, (wanted, body) in _ON_DEMAND.items():
        name = asked.get(key)
        if not isinstance(name, str) or (wanted == render.PANEL and name not in opened.page.answer_buttons):
            continue
        found = opened.render(wanted, name)
        head["notices"] = [*head["notices"], *render_jobs.SENTENCES.get(found.refusal, ())[:1]]
        if found.content and wanted == render.PICTURE and asked.get("script"):
            head["bodies"] += [["script"], ["font"]]
            bodies += [export_scripts.script().encode(), export_scripts.font()]
        if found.content:
            head["bodies"].append([each.format(name) for each in body])
            bodies.append(found.content)
    if (file := str(asked.get("file"))) in opened.page.files:
        if asked.get("plotly"):
            head["bodies"].append(["plotly"])
            bodies.append(export_scripts.plotly())
        found = opened.render(render.FILE, file, str(asked.get("at", "")))
        head["notices"] = [*head["notices"], *render_jobs.SENTENCES.get(found.refusal, ())[:1]]
        if found.content is not None:
            head["bodies"].append(["file", file])
            bodies.append(found.content)
    code = asked.get("qr")
    if isinstance(code, str) and code.isascii() and len(code) <= MAX_LINK_LENGTH:
        head["bodies"].append(["qr"])
        drawn = segno.make(code, micro=False).svg_inline(
            border=4, light="white", omitsize=True
        )  # as large as its place
        bodies.append(drawn.encode())


def _add_data_copies(slots: Any, head: Values, bodies: list[bytes]) -> None:
    """Add the packed copies of the user's own data that the browser does not have yet."""
    for slot in slots[: len(site().data_slots)] if isinstance(slots, list) else ():
        copy = own_data.packed(slot)
        if copy is not None:
            head["bodies"].append(["keep", {"slot": slot, "token": copy[0]}])
            bodies.append(copy[1])


def _prefetched(opened: PageState[Any], wanted: Any) -> Iterator[tuple[dict[str, str], bytes]]:
    """What stands at the settings next to this one, as far as it is made in a moment."""
    end = monotonic() + PREFETCH_TIME
    for edits in wanted[:MAX_PREFETCHED] if isinstance(wanted, list) else ():
        if monotonic() > end or not isinstance(edits, dict):
            return
        near = opened.with_edits({key: str(entry) for key, entry in edits.items() if key in opened.readings})
        if any(each.problem for each in near.readings.values()):
            continue
        if found := render_jobs.prefetch(near.render_request(), session_state.session_id(), end):
            yield edits, found
