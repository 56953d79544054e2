"""The section on published promises: its picture, its table, and what single rows need said."""

from typing import Any

from pages.composition.published import figures, results, text
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours, Exhibit


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
