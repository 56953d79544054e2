"""The section on published promises: its picture, its table, and what single rows need said."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.composition import published, published_figures, published_words
from pages.composition.found import CompositionResult
from pages.composition.parameters import AT_DELTA
from pages.composition.published_words import answer
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Part
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

__all__ = ["ALL", "answer", "explanation", "parts", "strip"]


def strip(result: CompositionResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    at = Field(AT_DELTA, "δ of the promises")
    return (EPSILON, at) if published.at_own(result) else (EPSILON, at, DELTA)


def parts(result: CompositionResult, colour: Colours) -> Iterator[Part]:
    """The promises in a picture and a table, how to read them, and what single ones need said."""
    yield strip_chart(result, colour)
    yield promises(result, colour)
    yield published_words.READING
    yield published_words.notes(result)


def explanation(_: CompositionResult) -> str:
    """How each ε is computed."""
    return published_words.EXPLANATION


def strip_chart(result: CompositionResult, colour: Colours) -> Exhibit:
    """The printed ε of every promise, and what each conversion gives today."""
    kept = result.pinned
    figure = published_figures.strip_figure(
        published.restated(result),
        result.setting.epsilon,
        kept and (published.restated(kept), kept.setting.epsilon),
        published_words.subtitle(result),
        colour,
    )
    said = published_words.alternative(result)
    return Exhibit("published", figure, said, lambda: published_words.frame(result), _header(result))


def promises(result: CompositionResult, _: Colours) -> Exhibit:
    """Every promise with its unit, its period and its ε by each conversion."""
    html, said = published_words.table_html(result), published_words.alternative(result)
    return Exhibit("promises", html, said, lambda: published_words.frame(result), _header(result))


def _header(result: CompositionResult) -> dict[str, Any]:
    setting = result.setting
    own = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta), "at_delta": result.values["at_delta"]}
    return own | {"units": "epsilon in nats; delta a probability; a year: basic composition of all its periods"}


ALL = (strip_chart, promises)
