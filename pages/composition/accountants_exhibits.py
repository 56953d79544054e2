"""The section on accountants: each over the number of runs, and all in numbers."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.composition import accountants, accountants_figures, accountants_words
from pages.composition.accountants_words import answer
from pages.composition.found import EDIT, CompositionResult, header
from pages.composition.parameters import RUNS, TOTALS
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
    yield accountants_words.READING


def explanation(_: CompositionResult) -> str:
    """How each accountant computes."""
    return accountants_words.EXPLANATION


def over_runs(result: CompositionResult, colour: Colours) -> Exhibit:
    """ε by each accountant over the number of runs."""
    kept = result.pinned
    figure = accountants_figures.totals_figure(
        accountants.along(result),
        kept and accountants.along(kept),
        (result.setting.runs, kept and kept.setting.runs),
        accountants.last_decade(result),
        result.values["totals"],
        accountants_words.subtitle(result),
        colour,
    )
    said = accountants_words.alternative(result)
    return Exhibit("accountants", figure, said, lambda: accountants_words.drawn_frame(result), _header(result))


def in_numbers(result: CompositionResult, _: Colours) -> Exhibit:
    """ε by each accountant at the page's number of runs."""
    html, said = accountants_words.table_html(result), accountants_words.alternative(result)
    return Exhibit("accountants_table", html, said, lambda: accountants_words.table_frame(result), _header(result))


def _header(result: CompositionResult) -> dict[str, Any]:
    return header(
        result,
        "exact to 9 digits and rounded up, or certified; clt an estimate of either sign; all others upper bounds",
    )


ALL = (over_runs, in_numbers)
