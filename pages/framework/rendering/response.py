"""What the browser is told at a run: a head about its session, and the bytes that it needs."""

from collections.abc import Iterator
from time import monotonic
from typing import Any

import segno

import dpcore
from pages.framework import link
from pages.framework.chart import export_scripts
from pages.framework.parameters.kinds import Values
from pages.framework.rendering import render, render_jobs
from pages.framework.rendering import stage as stages
from pages.framework.rendering.workers.limits import OF_A_LINK
from pages.framework.session import own_data, session_state
from pages.framework.session.page_state import Opened
from pages.shared.classroom import demonstrations
from pages.shared.classroom.demonstrations import DEMO
from pages.shared.shared_parameters import PICTURE, PRESENT

MOST_LINK = 2_500  # characters of a link in a QR code
MOST_AHEAD = 6
AHEAD_TIME = 0.1  # seconds for the settings next to the current one
_ON_DEMAND = {  # by what is asked, with what the browser gets it as
    "csv": (render.NUMBERS, ("csv", "{}.csv")),
    "light": (render.PICTURE, ("light", "{}")),
    "add": (render.ADDED, ("added",)),
    "offer": (render.OFFER, ("offer", "{}")),
}


def answer(opened: Opened[Any], asked: Values) -> tuple[Values, list[bytes]]:
    """What the browser is told: of this session in the head, and the bytes that it needs."""
    readings = opened.readings
    head = {
        "n": asked.get("n", 0),
        "session": session_state.told(),
        "run": session_state.counted(),
        "question": opened.page.question,
        "page": opened.page.path,
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
        "included": link.data_notice(opened.every, readings),
        "wrong": session_state.problems(),
        "offers": {key: each.name for key, each in opened.topic.offers.items()},
        "version": dpcore.__version__,
        "data": own_data.tokens(),
        "bodies": [],
    }
    bodies: list[bytes] = []
    if asked.get("have") != opened.view:
        _stage_of(opened, asked, head, bodies)
    _files(opened, asked, head, bodies)
    _copies_of_own_data(asked.get("keep"), head, bodies)
    for edits, near in _ahead(opened, asked.get("ahead")):
        head["bodies"].append(["ahead", edits])
        bodies.append(near)
    return head, bodies


def _demonstration(opened: Opened[Any]) -> Values | None:
    """What is told of the step that is open, and whether somebody has moved on from its setting; None without one."""
    name = opened.values[DEMO.key]
    if name == DEMO.default:
        return None
    step = link.completed({DEMO.key: [name]}, opened.page.path, opened.every)
    at_step = opened.at({key: entry for key, (entry,) in step.items()})
    moved = len(step) == 1 or any(each.used != at_step.readings[key].used for key, each in opened.readings.items())
    told = demonstrations.told(name)
    return told | {"said": stages.html(told["said"]), "moved": moved}


def _stage_of(opened: Opened[Any], asked: Values, head: Values, bodies: list[bytes]) -> None:
    """Add what is drawn, or how far it is, or a sentence in the place of what would take too much."""
    found = opened.stage(asked.get("stop") is True)
    if found.made is None:
        head["offers"] = {}  # nothing is said yet that they could be about
    if found.refused:
        head["view"] += f"&refused={found.refused}"  # so that the browser does not take it for the page
        bodies.append(opened.shown.without_parts(render_jobs.SENTENCES[found.refused]))
    elif found.made is not None:
        bodies.append(found.made)
    else:
        head["working"] = [round(found.seconds, 1), OF_A_LINK.seconds]
        return
    head["bodies"].append(["stage"])


def _files(opened: Opened[Any], asked: Values, head: Values, bodies: list[bytes]) -> None:
    """Add what is made on demand: the numbers of an exhibit, a chart in the colours of paper, a QR code, an offer."""
    for key, (wanted, body) in _ON_DEMAND.items():
        name = asked.get(key)
        if not isinstance(name, str) or (wanted == render.OFFER and name not in opened.topic.offers):
            continue
        found = opened.made(wanted, name)
        head["notices"] = [*head["notices"], *render_jobs.SENTENCES.get(found.refused, ())[:1]]
        if found.made and wanted == render.PICTURE and asked.get("script"):
            head["bodies"] += [["script"], ["font"]]
            bodies += [export_scripts.script().encode(), export_scripts.font()]
        if found.made:
            head["bodies"].append([each.format(name) for each in body])
            bodies.append(found.made)
    if (file := str(asked.get("file"))) in opened.topic.files:
        if asked.get("plotly"):
            head["bodies"].append(["plotly"])
            bodies.append(export_scripts.plotly())
        found = opened.made(render.FILE, file, str(asked.get("at", "")))
        head["notices"] = [*head["notices"], *render_jobs.SENTENCES.get(found.refused, ())[:1]]
        if found.made is not None:
            head["bodies"].append(["file", file])
            bodies.append(found.made)
    code = asked.get("qr")
    if isinstance(code, str) and code.isascii() and len(code) <= MOST_LINK:
        head["bodies"].append(["qr"])
        drawn = segno.make(code, micro=False).svg_inline(
            border=4, light="white", omitsize=True
        )  # as large as its place
        bodies.append(drawn.encode())


def _copies_of_own_data(slots: Any, head: Values, bodies: list[bytes]) -> None:
    """Add the packed copies of the user's own data that the browser does not have yet."""
    for slot in slots[: len(session_state.OWN_DATA_SLOTS)] if isinstance(slots, list) else ():
        copy = own_data.packed(slot)
        if copy is not None:
            head["bodies"].append(["keep", {"slot": slot, "token": copy[0]}])
            bodies.append(copy[1])


def _ahead(opened: Opened[Any], wanted: Any) -> Iterator[tuple[dict[str, str], bytes]]:
    """What stands at the settings next to this one, as far as it is made in a moment."""
    end = monotonic() + AHEAD_TIME
    for edits in wanted[:MOST_AHEAD] if isinstance(wanted, list) else ():
        if monotonic() > end or not isinstance(edits, dict):
            return
        near = opened.at({key: str(entry) for key, entry in edits.items() if key in opened.readings})
        if any(each.problem for each in near.readings.values()):
            continue
        if found := render_jobs.soon(near.wish(), session_state.told(), end):
            yield edits, found
