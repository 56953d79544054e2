"""The section on accountants: each over the number of runs, and all in numbers."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.composition.accountants import figures, results, text
from pages.composition.accountants.text import answer
from pages.composition.parameters import RUNS, TOTALS
from pages.composition.results import EDIT, CompositionResult, header
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Part
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA

__all__ = ["ALL", "answer", "explanation", "parts", "strip"]


def strip(_: CompositionResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    return DELTA, RUNS, Field(TOTALS, "Draw")


def parts(result: CompositionResult, colour: Colours) -> Iterator[Part]:
    """The accountants in a picture and a table, and how to read them."""
    yield over_runs(result, colour)
    yield EDIT
    yield in_numbers(result, colour)
    yield text.READING


def explanation(_: CompositionResult) -> str:
    """How each accountant computes."""
    return text.EXPLANATION


def over_runs(result: CompositionResult, colour: Colours) -> Exhibit:
    """ε by each accountant over the number of runs."""
    kept = result.pinned
    figure = figures.totals_figure(
        results.along(result),
        kept and results.along(kept),
        (result.setting.runs, kept and kept.setting.runs),
        results.last_decade(result),
        result.values["totals"],
        text.subtitle(result),
        colour,
    )
    said = text.alternative(result)
    return Exhibit("accountants", figure, said, lambda: text.drawn_frame(result), _header(result))


def in_numbers(result: CompositionResult, _: Colours) -> Exhibit:
    """ε by each accountant at the page's number of runs."""
    html, said = text.table_html(result), text.alternative(result)
    return Exhibit("accountants_table", html, said, lambda: text.table_frame(result), _header(result))


def _header(result: CompositionResult) -> dict[str, Any]:
    return header(
        result,
        "exact to 9 digits and rounded up, or certified; clt an estimate of either sign; all others upper bounds",
    )


ALL = (over_runs, in_numbers)
