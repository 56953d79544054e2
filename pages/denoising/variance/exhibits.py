"""The section on Experiment 5.1: its picture, its table, and how they follow each other."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.denoising.results import DenoisingResult
from pages.denoising.variance import figures, results, tables, text
from pages.denoising.variance.parameters import VARIANCE_AGAINST, VARIANCE_DELTAS, VARIANCE_EPSILONS
from pages.denoising.variance.text import answer, explanation
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

__all__ = ["ALL", "answer", "explanation", "parts", "strip"]


def strip(result: DenoisingResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    return EPSILON, DELTA, Field(VARIANCE_AGAINST, "Draw against")


def _curves(result: DenoisingResult) -> Field:
    """The δ, or ε, of the curves beside the page's own."""
    if results.against(result) == "epsilon":
        return Field(VARIANCE_DELTAS, "δ of the other curves", "At most four; the δ of the page is always drawn too.")
    return Field(VARIANCE_EPSILONS, "ε of the other curves", "At most four; the ε of the page is always drawn too.")


def parts(result: DenoisingResult, colour: Colours) -> Iterator[Part]:
    """The ratio along ε or δ, what of the paper's claims is true, and the ratios in numbers."""
    yield ratios(result, colour)
    yield Fields((_curves(result),))
    yield text.claims(result)
    yield ratio_table(result, colour)
    yield text.READING


def ratios(result: DenoisingResult, colour: Colours) -> Exhibit:
    """Classical over analytic variance along ε or δ."""
    kept, along = result.pinned, results.against(result)
    own, others = results.own_curve(result), results.other_curves(result)
    figure = figures.removed_figure(
        own,
        others,
        kept and results.own_curve_at(along, kept.setting.epsilon, kept.setting.delta),
        along,
        (result.setting, kept and kept.setting),
        text.subtitle(result),
        colour,
    )
    return Exhibit(
        "variance_ratio",
        figure,
        text.alternative(result),
        lambda: tables.drawn(along, [*([own] if own else []), *others]),
        _header(result),
    )


def ratio_table(result: DenoisingResult, _: Colours) -> Exhibit:
    """The ratios in numbers, each with its verdict."""
    html, said = text.table_html(result), text.alternative(result)
    return Exhibit("variance_ratios", html, said, lambda: tables.table(results.deltas(result)), _header(result))


def _header(result: DenoisingResult) -> dict[str, Any]:
    setting, kept = result.setting, result.pinned
    own = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta)}
    own["units"] = "epsilon in nats; delta a probability; sigma for an l2 sensitivity of 1; ratio of variances"
    pinned = {} if kept is None else {"pinned": f"epsilon {kept.setting.epsilon!r}, delta {kept.setting.delta!r}"}
    return own | pinned


ALL = (ratios, ratio_table)
