"""The steps of the demonstrations, and of a lecturer's own sequence, as the browser gets them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import quote, urlencode

from pages.framework import link
from pages.framework.classroom.sequence import OWN, OwnStep, own_step, sequence_text, step_names
from pages.framework.layout.page import load_page
from pages.framework.link import APPEARANCE_KEYS, DEMO, PRESENT, SEQUENCE, VERSION_KEY, sequence_of, steps_by_name
from pages.framework.parameters import kinds
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.parameter import Correction, Values, excerpt
from pages.framework.rendering.uploaded_files import kept
from pages.framework.site import PageEntry, site


def address(name: str) -> str:
    """Return the relative link of a step, which leaves out the parameters that the step sets."""
    return f"./{steps_by_name()[name].page.path}?{DEMO.key}={name}"


_CLASSROOM = f"./{site().classroom}&{DEMO.key}={DEMO.default}&{PRESENT.key}={PRESENT.default}"


def step_description(name: str) -> dict[str, Any]:
    """Return a step as JSON for the browser: its number, its sentence, its quiz, and the links of all steps."""
    key = name.rpartition("-")[0]
    demonstration = next(item for item in site().demonstrations if item.key == key)
    step = steps_by_name()[name]
    sentence, quiz = step.told()
    return _description(name, demonstration.title, step.page, step.sweep, step.entries) | {
        "links": [address(f"{key}-{item}") for item in range(1, len(demonstration.steps) + 1)],
        "text": sentence,
        "quiz": quiz and _quiz_record(quiz.question, [words for words, _, _ in quiz.choices], quiz.right),
        "hidden": list(step.hidden),
        "picture": step.picture,
        "axes": dict(step.axes()),
    }


def _description(
    name: str, title: str, page: PageEntry, sweep: tuple[str, ...], entries: Mapping[str, str]
) -> dict[str, Any]:
    """Return what the browser gets of every step, without what not all steps have."""
    place, moved = int(name.rpartition("-")[2]), _sweep_record(page, sweep, entries)
    shown = {"code": "", "hidden": [], "picture": "", "axes": {}}
    return shown | {"key": name, "title": title, "place": place, "classroom": _CLASSROOM, "sweep": moved}


def _sweep_record(page: PageEntry, sweep: tuple[str, ...], entries: Mapping[str, str]) -> dict[str, str] | None:
    """Return the number with a slider that the browser can move to a step, and between which texts; None without."""
    parameters = {item.key: item for item in load_page(page).all_parameters}
    parameter = parameters.get(sweep[0]) if sweep else None
    if not isinstance(parameter, Quantity) or not parameter.scale or kinds.problem(parameter, sweep[1]):
        return None
    return {"key": parameter.key, "start": sweep[1], "end": entries.get(parameter.key, parameter.default)}


def _quiz_record(question: str, choices: Sequence[str], right: int | None) -> dict[str, Any]:
    room = site().room_link(question, choices) if choices else ""
    return {"question": question, "choices": list(choices), "right": right, "room": room}


def own_address(place: int, sequence: str) -> str:
    """Return the relative link of a step of an own sequence, which holds the whole sequence.

    >>> own_address(1, "/Gaussian_bounds?epsilon=3")
    './Gaussian_bounds?demo=own-1&sequence=%2FGaussian_bounds%3Fepsilon%3D3'
    """
    path = sequence_of(sequence).steps[place - 1].page.path
    return f"./{quote(path)}?{urlencode({DEMO.key: f'{OWN}-{place}', SEQUENCE.key: sequence}, quote_via=quote)}"


def own_description(name: str, sequence: str) -> dict[str, Any] | None:
    """Return a step of an own sequence as JSON for the browser, its words as HTML; None for a step of another name.

    What the lecturer wrote is shown as text: its HTML is escaped. The QR code has the setting without the answers.
    """
    own = sequence_of(sequence)
    step = own_step(name, own) if name in step_names() else None
    if step is None:
        return None
    entries = {key: texts[-1] for key, texts in step.entries.items()}
    return _description(name, own.title or "Your own sequence", step.page, step.sweep, entries) | {
        "links": [own_address(place, sequence) for place in range(1, len(own.steps) + 1)],
        "code": step.address,
        "text": f"<p>{escape(step.words)}</p>" if step.words else "",
        "quiz": _quiz_record(step.question, step.answers, step.right) if step.question else None,
    }


def shorten_sequence(values: Values) -> list[Correction]:
    """Return the correction of an own sequence whose links are as long as the browser's, or have the user's own data.

    Each link then has what differs from the defaults, and the version whose defaults they are.
    """
    steps = values[SEQUENCE.key].steps
    shorter = [kept(_short_step, step) for step in steps]
    problems = [f"link {place}: {problem}" for place, (_, problem) in enumerate(shorter, 1) if problem]
    if steps == tuple(step for step, _ in shorter):
        return []
    short = replace(values[SEQUENCE.key], steps=tuple(step for step, _ in shorter))
    return [Correction(SEQUENCE.key, sequence_text(short), f"{SEQUENCE.symbol}: {problems[0]}" if problems else "")]


def _short_step(step: OwnStep) -> tuple[OwnStep, str]:
    """Return a step with the shortest link, without own data, and the sentence on what of its link cannot be used."""
    page = load_page(step.page)
    parameters = page.all_parameters
    query = {key: texts for key, texts in step.entries.items() if key not in APPEARANCE_KEYS}
    older = link.with_older_defaults(query, parameters) if VERSION_KEY in query else query
    entered, problems = link.parse_link(older, parameters)
    data = link.keys_with_data(parameters, entered)
    problems += ["it contains data of your own, which a sequence leaves out."] if data else []
    known = {key: text for key, text in entered.items() if key not in data}
    readings = page.readings(known)
    problems += [reading.problem for reading in readings.values() if reading.problem]
    if step.sweep and _sweep_record(step.page, step.sweep, known) is None:
        problems.append(f"no slider of its page moves from {excerpt(' '.join(step.sweep))}, which is left out.")
        step = replace(step, sweep=())
    address = link.short_address(step.page.path, parameters, readings)
    return replace(step, query=address.partition("?")[2]), problems[0] if problems else ""
