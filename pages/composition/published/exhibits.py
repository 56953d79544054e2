"""The section on published promises: its picture, its table, and what single rows need said."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.composition.parameters import AT_DELTA
from pages.composition.published import figures, results, text
from pages.composition.published.text import answer
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Part
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

__all__ = ["ALL", "answer", "explanation", "parts", "strip"]


def strip(result: CompositionResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    at = Field(AT_DELTA, "δ of the promises")
    return (EPSILON, at) if results.at_own(result) else (EPSILON, at, DELTA)


def parts(result: CompositionResult, colour: Colours) -> Iterator[Part]:
    """The promises in a picture and a table, how to read them, and what single ones need said."""
    yield strip_chart(result, colour)
    yield promises(result, colour)
    yield text.READING
    yield text.notes(result)


def explanation(_: CompositionResult) -> str:
    """How each ε is computed."""
    return text.EXPLANATION


def strip_chart(result: CompositionResult, colour: Colours) -> Exhibit:
    """The printed ε of every promise, and what each conversion gives today."""
    kept = result.pinned
    figure = figures.strip_figure(
        results.restated(result),
        result.setting.epsilon,
        kept and (results.restated(kept), kept.setting.epsilon),
        text.subtitle(result),
        colour,
    )
    said = text.alternative(result)
    return Exhibit("published", figure, said, lambda: text.frame(result), _header(result))


def promises(result: CompositionResult, _: Colours) -> Exhibit:
    """Every promise with its unit, its period and its ε by each conversion."""
    html, said = text.table_html(result), text.alternative(result)
    return Exhibit("promises", html, said, lambda: text.frame(result), _header(result))


def _header(result: CompositionResult) -> dict[str, Any]:
    setting = result.setting
    own = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta), "at_delta": result.values["at_delta"]}
    return own | {"units": "epsilon in nats; delta a probability; a year: basic composition of all its periods"}


ALL = (strip_chart, promises)
