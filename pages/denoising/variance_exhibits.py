"""The section on Experiment 5.1: its picture, its table, and how they follow each other."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.denoising import variance, variance_figures, variance_tables, variance_words
from pages.denoising.found import Found
from pages.denoising.variance_parameters import VARIANCE_AGAINST, VARIANCE_DELTAS, VARIANCE_EPSILONS
from pages.denoising.variance_words import answer, explanation
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

__all__ = ["ALL", "answer", "explanation", "parts", "strip"]


def strip(found: Found) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    return EPSILON, DELTA, Field(VARIANCE_AGAINST, "Draw against")


def _curves(found: Found) -> Field:
    """The δ, or ε, of the curves beside the page's own."""
    if variance.against(found) == "epsilon":
        return Field(VARIANCE_DELTAS, "δ of the other curves", "At most four; the δ of the page is always drawn too.")
    return Field(VARIANCE_EPSILONS, "ε of the other curves", "At most four; the ε of the page is always drawn too.")


def parts(found: Found, colour: Colours) -> Iterator[Part]:
    """The ratio along ε or δ, what of the paper's claims is true, and the ratios in numbers."""
    yield ratios(found, colour)
    yield Fields((_curves(found),))
    yield variance_words.claims(found)
    yield ratio_table(found, colour)
    yield variance_words.READING


def ratios(found: Found, colour: Colours) -> Exhibit:
    """Classical over analytic variance along ε or δ."""
    kept, along = found.pinned, variance.against(found)
    own, others = variance.own_curve(found), variance.other_curves(found)
    figure = variance_figures.removed_figure(
        own,
        others,
        kept and variance.own_curve_at(along, kept.setting.epsilon, kept.setting.delta),
        along,
        (found.setting, kept and kept.setting),
        variance_words.subtitle(found),
        colour,
    )
    return Exhibit(
        "variance_ratio",
        figure,
        variance_words.alternative(found),
        lambda: variance_tables.drawn(along, [*([own] if own else []), *others]),
        _header(found),
    )


def ratio_table(found: Found, _: Colours) -> Exhibit:
    """The ratios in numbers, each with its verdict."""
    html, said = variance_words.table_html(found), variance_words.alternative(found)
    return Exhibit("variance_ratios", html, said, lambda: variance_tables.table(variance.deltas(found)), _header(found))


def _header(found: Found) -> dict[str, Any]:
    now, kept = found.setting, found.pinned
    own = {"epsilon": repr(now.epsilon), "delta": repr(now.delta)}
    own["units"] = "epsilon in nats; delta a probability; sigma for an l2 sensitivity of 1; ratio of variances"
    pinned = {} if kept is None else {"pinned": f"epsilon {kept.setting.epsilon!r}, delta {kept.setting.delta!r}"}
    return own | pinned


ALL = (ratios, ratio_table)
