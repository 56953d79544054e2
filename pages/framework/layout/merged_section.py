"""One section of several pictures, of which a field chooses one, with its answer, its fields and all that it has."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from itertools import chain
from typing import Any, TypeVar

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.layout.statements import no_statements
from pages.framework.parameters.kinds import Choice

F = TypeVar("F")


def picture_choice(key: str, names: Mapping[str, str], older_default: str = "") -> Choice:
    """Return the parameter that says which picture of a section is open, by the key of the section that it was."""
    return Choice(key, "picture", dict(names), next(iter(names)), older_default=older_default)


def merged_section(
    name: str, choice: Choice, sections: Sequence[Section[F]], chosen: Callable[[F], str], key: str = ""
) -> Section[F]:
    """Return the section that has one of several at a time: the one that the parameter `choice` names by its key.

    Its own key is that of the first, or `key`; links of the others open it at their picture. `chosen` returns the text
    of the parameter at a result: a text that is no key stands for a view of the first section.
    """
    by_key = {section.key: section for section in sections}
    first = sections[0]

    def open_one(result: F) -> Section[F]:
        return by_key.get(chosen(result), first)

    def of(attribute: str) -> Callable[[F], Any]:
        return lambda result: getattr(open_one(result), attribute)(result)

    def controls(result: F) -> Sequence[Any]:
        return *open_one(result).controls(result), Field(choice, "Show")

    @wraps(first.parts)
    def parts(result: F, colours: Colours) -> Iterable[Part]:
        return open_one(result).parts(result, colours)

    def can_state(result: F) -> bool:
        section = open_one(result)
        known = section.has_statements
        return section.statements(result) is not None if known is None else known(result)

    states = any(section.statements is not no_statements for section in sections)
    return Section[F](
        key=key or first.key,
        name=name,
        controls=controls,
        parts=parts,
        more_settings=of("more_settings"),
        answer_text=of("answer_text"),
        explanation=of("explanation"),
        exhibits=tuple(dict.fromkeys(chain.from_iterable(section.exhibits for section in sections))),
        claims=of("claims"),
        snippets=of("snippets"),
        statements=of("statements") if states else no_statements,
        has_statements=can_state if states else None,
        conditions=of("conditions"),
        downloads=of("downloads"),
        aim=first.aim,
        retired={old: sentence for section in sections for old, sentence in section.retired.items()},
        former={old: {choice.key: old} for old in by_key if old != (key or first.key)},
    )
