"""The section on Experiment 5.1: its picture, its table, and how they follow each other."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.denoising import variance, variance_figures, variance_tables, variance_words
from pages.denoising.found import DenoisingResult
from pages.denoising.variance_parameters import VARIANCE_AGAINST, VARIANCE_DELTAS, VARIANCE_EPSILONS
from pages.denoising.variance_words import answer, explanation
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
    if variance.against(result) == "epsilon":
        return Field(VARIANCE_DELTAS, "δ of the other curves", "At most four; the δ of the page is always drawn too.")
    return Field(VARIANCE_EPSILONS, "ε of the other curves", "At most four; the ε of the page is always drawn too.")


def parts(result: DenoisingResult, colour: Colours) -> Iterator[Part]:
    """The ratio along ε or δ, what of the paper's claims is true, and the ratios in numbers."""
    yield ratios(result, colour)
    yield Fields((_curves(result),))
    yield variance_words.claims(result)
    yield ratio_table(result, colour)
    yield variance_words.READING


def ratios(result: DenoisingResult, colour: Colours) -> Exhibit:
    """Classical over analytic variance along ε or δ."""
    kept, along = result.pinned, variance.against(result)
    own, others = variance.own_curve(result), variance.other_curves(result)
    figure = variance_figures.removed_figure(
        own,
        others,
        kept and variance.own_curve_at(along, kept.setting.epsilon, kept.setting.delta),
        along,
        (result.setting, kept and kept.setting),
        variance_words.subtitle(result),
        colour,
    )
    return Exhibit(
        "variance_ratio",
        figure,
        variance_words.alternative(result),
        lambda: variance_tables.drawn(along, [*([own] if own else []), *others]),
        _header(result),
    )


def ratio_table(result: DenoisingResult, _: Colours) -> Exhibit:
    """The ratios in numbers, each with its verdict."""
    html, said = variance_words.table_html(result), variance_words.alternative(result)
    return Exhibit(
        "variance_ratios", html, said, lambda: variance_tables.table(variance.deltas(result)), _header(result)
    )


def _header(result: DenoisingResult) -> dict[str, Any]:
    setting, kept = result.setting, result.pinned
    own = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta)}
    own["units"] = "epsilon in nats; delta a probability; sigma for an l2 sensitivity of 1; ratio of variances"
    pinned = {} if kept is None else {"pinned": f"epsilon {kept.setting.epsilon!r}, delta {kept.setting.delta!r}"}
    return own | pinned


ALL = (ratios, ratio_table)
