"""The link is the state: what it says is read, corrected before it is written, and written in full."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote, urlencode

from pages.framework.classroom.demonstrations import DEMO, step_texts
from pages.framework.parameters import kinds
from pages.framework.parameters.appearance import PICTURE, PRESENT
from pages.framework.parameters.kinds import (
    Correct,
    Correction,
    HoldsData,
    Parameter,
    PartlyUsableError,
    Reading,
    Values,
)
from pages.framework.parameters.pin import Pin
from pages.framework.site import site

SITE_PARAMETERS: tuple[Parameter, ...] = (*site().parameters, PICTURE, PRESENT)
"""What the address of every page holds."""
COMMON_PARAMETERS: tuple[Parameter, ...] = (*SITE_PARAMETERS, DEMO)
"""What every page reads; the step of a demonstration stands in an address only while one is shown."""


def parse_link(link: Mapping[str, list[str]], every: tuple[Parameter, ...]) -> tuple[dict[str, str], list[str]]:
    """The text of each parameter that a link gives and that can be used, and the sentences on the rest of the link."""
    known = {parameter.key: parameter for parameter in every}
    retired = {key for each in every if isinstance(each, Pin) for key in each.retired}
    entered, problems = {}, []
    for key, entries in link.items():
        if key in retired:
            continue
        if key not in known:
            name = kinds.shown(key) or "without a name"
            problems.append(f"This page has no parameter {name}; the link's value for it is left out.")
            continue
        if len(entries) > 1:
            problems.append(
                f"The link gives {known[key].symbol} ({key}) {len(entries)} times; only the last is read, "
                f"{kinds.shown(entries[-1])}."
            )
        entry, wrong = _usable(known[key], entries[-1])
        problems += wrong
        if entry is not None:
            entered[key] = entry
    return entered, problems


def with_demo_defaults(link: Mapping[str, list[str]], path: str, every: tuple[Parameter, ...]) -> dict[str, list[str]]:
    """A link with what the step of a demonstration that it names says of parameters which it leaves out."""
    defaults = {each.key: each.default for each in every if each not in (PICTURE, PRESENT, DEMO)}
    step = step_texts(link.get(DEMO.key, [DEMO.default])[-1], path, defaults)
    return {DEMO.key: [DEMO.default]} | {key: [entry] for key, entry in step.items()} | dict(link)


def _usable(parameter: Parameter, entry: str) -> tuple[str | None, list[str]]:
    """What of a text in a link can be used, None if nothing, and the sentences on the rest."""
    try:
        parameter.read(entry)
    except PartlyUsableError as mended:
        return mended.entry, mended.problems
    except ValueError:
        return None, [f"{kinds.problem(parameter, entry)} {parameter.default} is used instead."]
    return entry.strip(), []


def read_parameters(
    every: tuple[Parameter, ...], entered: Mapping[str, str], used: Mapping[str, str], correct: Correct
) -> dict[str, Reading]:
    """Every parameter of a page, by key: what is entered, and what can be used of it, alone and with the rest.

    `used` has the last good texts, which stand in for those that can't be used.
    """
    found = {
        each.key: kinds.read_text(each, entered.get(each.key, each.default), used.get(each.key, each.default))
        for each in every
    }
    for correction in (site().correct, correct):
        found = _corrected(found, every, correction(values(found)))
    return found


def _corrected(found: dict[str, Reading], every: tuple[Parameter, ...], wrong: list[Correction]) -> dict[str, Reading]:
    """The readings, with other texts in the place of those that can't be used together."""
    known = {parameter.key: parameter for parameter in every}
    return found | {
        each.key: replace(found[each.key], used=each.used, value=known[each.key].read(each.used), problem=each.problem)
        for each in wrong
    }


def values(found: Mapping[str, Reading]) -> Values:
    """The value of every parameter, by key."""
    return {key: each.value for key, each in found.items()}


def data_in(every: tuple[Parameter, ...], found: Mapping[str, Reading]) -> list[str]:
    """What data of the user's own the address of a page holds, in words."""
    texts = [each.data_in(found[each.key].used) for each in every if isinstance(each, HoldsData)]
    return list(dict.fromkeys(filter(None, texts)))


def data_notice(every: tuple[Parameter, ...], found: Mapping[str, Reading]) -> str:
    """The sentence that the link of a page holds data of the user's own, empty where it does not."""
    data = " and ".join(data_in(every, found))
    more = "Whoever has the link, or a file or citation that is made here, can read it."
    return f"The link of this page contains data: {data}. {more}" if data else ""


def address(path: str, found: Mapping[str, Reading]) -> str:
    """The address of a page with every parameter, as a file or a report may carry it."""
    used = {key: each.used for key, each in found.items() if key != DEMO.key or each.used != DEMO.default}
    return f"/{quote(path)}?{urlencode(used, quote_via=quote)}"
