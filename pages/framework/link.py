"""The link of a page, which holds its whole state: parsing, correcting and writing the parameters in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, urlencode

import segno

from pages.framework.classroom.sequence import OwnSequence, SequenceText, own_step, step_names
from pages.framework.parameters import kinds
from pages.framework.parameters.kinds import Choice
from pages.framework.parameters.parameter import (
    Correct,
    Correction,
    Parameter,
    PartlyUsableError,
    Reading,
    Values,
    excerpt,
)
from pages.framework.site import Step, site

PICTURE = Choice("picture", "picture format", {"svg": "SVG", "png": "PNG", "pdf": "PDF"}, "svg")
PRESENT = Choice("present", "presentation", {"off": "Off", "on": "On"}, "off")


def steps_by_name() -> dict[str, Step]:
    """Return every step by its name, such as classical-3."""
    return {
        f"{demonstration.key}-{number}": step
        for demonstration in site().demonstrations
        for number, step in enumerate(demonstration.steps, 1)
    }


@dataclass(frozen=True)
class Demo(Parameter):
    """The parameter that holds the open step of a demonstration, "none" if none is open."""

    key: str = "demo"
    symbol: str = "demonstration"
    default: str = "none"

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        return "none or the step of a demonstration, such as classical-3"

    def read(self, entry: str) -> str:
        """Return the name of a step or "none"; raise ValueError if there is no such step."""
        if entry != self.default and entry not in steps_by_name() and entry not in step_names():
            raise ValueError(entry)
        return entry


DEMO = Demo()
ASIDE = Choice("aside", "shown aside", {"off": "Off", "on": "On"}, "off")
"""Whether a link shows one part of another page alone: the settings from before come back when that is left."""
SEQUENCE = SequenceText("sequence", "own sequence", site().pages)
APPEARANCE_KEYS = (PICTURE.key, PRESENT.key, DEMO.key, ASIDE.key, SEQUENCE.key)
"""The keys of the parameters that change nothing of what a page shows, but for the classroom and its sequence."""
SITE_PARAMETERS: tuple[Parameter, ...] = (*site().parameters, PICTURE, PRESENT)
"""The parameters that the address of every page contains."""
_PASSING = (DEMO, ASIDE)
COMMON_PARAMETERS: tuple[Parameter, ...] = (*SITE_PARAMETERS, *_PASSING, SEQUENCE)
"""The parameters that every page reads; an address has a step and a sequence only while one is open or written."""
VERSION_KEY = "version"
"""The key of the version in the address of a citation: that of the defaults which the address leaves out."""
SECTION_KEY = "section"
"""The key of the open section in the address of a page that has several."""
MAX_QR_LENGTH = 2_500  # characters of a link in a QR code


def parse_link(link: Mapping[str, list[str]], parameters: tuple[Parameter, ...]) -> tuple[dict[str, str], list[str]]:
    """Return the usable text of each parameter in a link, and the sentences on what of the link cannot be used."""
    link = with_present_keys(link, parameters)
    for parameter in parameters:
        if parameter.key in link:
            texts = parameter.former.get(link[parameter.key][-1].strip(), {})
            link = dict(link) | {key: [text] for key, text in texts.items()}
    parameter_by_key = {parameter.key: parameter for parameter in parameters}
    retired = {key for parameter in parameters for key in parameter.retired_keys}
    entered, problems = {}, []
    for key, entries in link.items():
        if key in retired or key == VERSION_KEY:
            continue
        parameter = parameter_by_key.get(key)
        if parameter is None:
            name = excerpt(key) or "without a name"
            if key != SECTION_KEY:  # a page with one section has no parameter for it
                problems.append(f"This page has no parameter {name}; the link’s value for it is left out.")
            continue
        if len(entries) > 1:
            last = f"only the last is read, {excerpt(entries[-1])}"
            problems.append(f"The link gives {parameter.symbol} {len(entries)} times; {last}.")
        entry, entry_problems = _usable_text(parameter, entries[-1])
        problems += entry_problems
        if entry is not None:
            entered[key] = entry
    return entered, problems


def without_defaults(parameters: Iterable[Parameter], used: Mapping[str, str]) -> dict[str, str]:
    """Return the texts without those that are the default, except where the default once was another one."""
    return {
        parameter.key: used[parameter.key]
        for parameter in parameters
        if used[parameter.key] != parameter.default or parameter.older_default
    }


def with_present_keys(link: Mapping[str, list[str]], parameters: Iterable[Parameter]) -> Mapping[str, list[str]]:
    """Return a link in which each parameter has its present key, with the text that now stands for that of the link."""
    for parameter in parameters:
        if parameter.former_key and parameter.former_key in link:
            former = [parameter.from_former(entry) for entry in link[parameter.former_key]]
            others = {key: entries for key, entries in link.items() if key != parameter.former_key}
            link = {parameter.key: former} | others
    return link


def with_older_defaults(link: Mapping[str, list[str]], parameters: Iterable[Parameter]) -> dict[str, list[str]]:
    """Return a link that leaves out defaults with those which the defaults were when such links left them out."""
    older = {parameter.key: [parameter.older_default] for parameter in parameters if parameter.older_default}
    return older | dict(link)


def sequence_of(text: str) -> OwnSequence:
    """Return the own sequence that a text of a link writes down; an empty one if it cannot be used."""
    try:
        return SEQUENCE.read(text)
    except ValueError:
        return OwnSequence()


def _step_texts(name: str, sequence: str, path: str, parameters: tuple[Parameter, ...]) -> dict[str, str]:
    """Return the texts of a page's parameters at a step; none if there is no such step, or it is of another page."""
    defaults = {parameter.key: parameter.default for parameter in parameters if parameter.key not in APPEARANCE_KEYS}
    own = own_step(name, sequence_of(sequence)) if name in step_names() else None
    if own is not None and own.page.path == path:
        entries = with_present_keys(own.entries, parameters)
        older = with_older_defaults(entries, parameters) if VERSION_KEY in entries else entries
        return defaults | {key: texts[-1] for key, texts in older.items() if key in defaults}
    step = steps_by_name().get(name)
    return {} if step is None or step.page.path != path else defaults | dict(step.entries)


def with_demo_defaults(
    link: Mapping[str, list[str]], path: str, parameters: tuple[Parameter, ...]
) -> dict[str, list[str]]:
    """Return a link with the texts of the demonstration step that it names, for the parameters that it leaves out.

    A citation, which has a version, has the defaults of its time for the other ones.
    """
    link = with_older_defaults(link, parameters) if VERSION_KEY in link else link
    name, sequence = (link.get(item.key, [item.default])[-1] for item in (DEMO, SEQUENCE))
    step = _step_texts(name, sequence, path, parameters)
    return {item.key: [item.default] for item in _PASSING} | {key: [entry] for key, entry in step.items()} | dict(link)


def leaves_no_settings(texts: Mapping[str, str]) -> bool:
    """Return whether the settings from before come back when these are left: those of a demonstration, or aside."""
    return any(texts.get(parameter.key, parameter.default) != parameter.default for parameter in _PASSING)


def _usable_text(parameter: Parameter, entry: str) -> tuple[str | None, list[str]]:
    """Return the usable part of a parameter's text, None if there is none, and the sentences on what cannot be used."""
    try:
        parameter.read(entry)
    except PartlyUsableError as error:
        return error.entry, error.problems
    except ValueError:
        return None, [f"{kinds.problem(parameter, entry)} {kinds.replacement(parameter.default)}"]
    return entry.strip(), []


def read_parameters(
    parameters: tuple[Parameter, ...], entered: Mapping[str, str], used: Mapping[str, str], correct: Correct
) -> dict[str, Reading]:
    """Return the reading of every parameter of a page, by key, corrected by the rules of the site and of the page.

    `entered` are the texts of the user, and `used` the last usable ones, which replace those that cannot be used.
    """
    readings = {
        parameter.key: kinds.read_text(
            parameter, entered.get(parameter.key, parameter.default), used.get(parameter.key, parameter.default)
        )
        for parameter in parameters
    }
    for correction in (_correct_own_step, site().correct, correct):
        readings = _with_corrections(readings, parameters, correction(values(readings)))
    return readings


def _correct_own_step(values: Values) -> list[Correction]:
    """Return the correction of a step that the own sequence does not have."""
    name, sequence = values.get(DEMO.key, DEMO.default), values.get(SEQUENCE.key, OwnSequence())
    if name not in step_names() or own_step(name, sequence) is not None:
        return []
    sentence = f"the link must have the own sequence with its step {name}; a sequence of {len(sequence.steps)} steps"
    return [Correction(DEMO.key, DEMO.default, f"{DEMO.symbol}: {sentence} was given. none is used instead.")]


def _with_corrections(
    readings: dict[str, Reading], parameters: tuple[Parameter, ...], corrections: list[Correction]
) -> dict[str, Reading]:
    """Return the readings with the corrections of those that cannot be used together."""
    parameter_by_key = {parameter.key: parameter for parameter in parameters}
    return readings | {
        correction.key: replace(
            readings[correction.key],
            entry=correction.used if correction.of_entry else readings[correction.key].entry,
            used=correction.used,
            value=parameter_by_key[correction.key].read(correction.used),
            problem=correction.problem,
        )
        for correction in corrections
    }


def values(readings: Mapping[str, Reading]) -> Values:
    """Return the value of every parameter, by key."""
    return {key: reading.value for key, reading in readings.items()}


def keys_with_data(parameters: tuple[Parameter, ...], texts: Mapping[str, str]) -> list[str]:
    """Return the keys of those parameters whose texts have the user's own data."""
    entries = [(parameter, texts.get(parameter.key, "")) for parameter in parameters]
    return [parameter.key for parameter, text in entries if text and parameter.data_in(text)]


def texts_with_data(parameters: tuple[Parameter, ...], texts: Mapping[str, str]) -> list[str]:
    """Return those texts of parameters that have the user's own data."""
    return [texts[key] for key in keys_with_data(parameters, texts)]


def data_notice(parameters: tuple[Parameter, ...], readings: Mapping[str, Reading]) -> str:
    """Return the sentence that the link of a page contains the user's own data; an empty text if it does not."""
    names = (parameter.data_in(readings[parameter.key].used) for parameter in parameters)
    data = " and ".join(dict.fromkeys(filter(None, names)))
    warning = "Whoever has the link, or a file or citation that is made here, can read it."
    return f"The link of this page contains data: {data}. {warning}" if data else ""


def address(path: str, readings: Mapping[str, Reading]) -> str:
    """Return the address of a page with every parameter, for the browser, a file or a report."""
    used = {key: reading.used for key, reading in readings.items()}
    for parameter in _PASSING:
        if used.get(parameter.key) == parameter.default:
            del used[parameter.key]
    if not _has_sequence(path, used):
        used.pop(SEQUENCE.key, None)
    return f"/{quote(path)}?{urlencode(used, quote_via=quote)}"


def _has_sequence(path: str, used: Mapping[str, str]) -> bool:
    """Return whether a page has the own sequence in its address: the classroom, and the steps of the sequence."""
    is_classroom = path == "" and site().classroom == f"?section={used.get('section')}"
    return bool(used.get(SEQUENCE.key)) and (is_classroom or used.get(DEMO.key) in step_names())


def short_address(path: str, parameters: tuple[Parameter, ...], readings: Mapping[str, Reading]) -> str:
    """Return the address of a page in a citation, with the version whose defaults hold for what it leaves out."""
    used = {key: reading.used for key, reading in readings.items()}
    left_out = {PICTURE.key, PRESENT.key, ASIDE.key} | (set() if _has_sequence(path, used) else {SEQUENCE.key})
    entries = {key: entry for key, entry in without_defaults(parameters, used).items() if key not in left_out}
    return f"/{quote(path)}?{urlencode(entries | {VERSION_KEY: site().version}, quote_via=quote)}"


def qr_code(address: object) -> str:
    """Return the QR code of an address as SVG that fills its container; an empty text if no code can hold it."""
    if not isinstance(address, str) or not address.isascii() or not 0 < len(address) <= MAX_QR_LENGTH:
        return ""
    return segno.make(address, micro=False).svg_inline(border=4, light="white", omitsize=True)
