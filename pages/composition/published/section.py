"""The section "Published": published guarantees as printed and by the conversions of today."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.composition.parameters import AT_DELTA
from pages.composition.published import code, figures, results, tables, text
from pages.composition.published.deployments_data import DEPLOYMENTS
from pages.composition.published.details_text import details_text
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Claim, Field, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

_PARAGRAPHS = (
    "**Standard conversion** (Bun & Steinke 2016, Proposition 1.3; Mironov 2017, Proposition 3): "
    "$\\varepsilon=\\rho+2\\sqrt{\\rho\\ln(1/\\delta)}$, and of a Rényi curve "
    "$\\varepsilon=\\min_\\alpha\\,\\tau(\\alpha)+\\frac{\\ln(1/\\delta)}{\\alpha-1}$.",
    "**Tight conversion** (Canonne, Kamath & Steinke 2020, Proposition 12 and Corollary 13): "
    "$\\varepsilon=\\min_\\alpha\\,\\tau(\\alpha)+\\ln(1-1/\\alpha)-\\frac{\\ln(\\alpha\\delta)}{\\alpha-1}$, with "
    "$\\tau(\\alpha)=\\rho\\alpha$ under zCDP.",
    "**Exact.** The least ε at δ of the composed mechanism: for DP-SGD from its privacy losses on a grid, "
    "rounded up; for a single Gaussian release with $\\mu=\\sqrt{2\\rho}$ by "
    "$\\delta=\\Phi(\\tfrac\\mu2-\\tfrac\\varepsilon\\mu)-e^{\\varepsilon}\\Phi(-\\tfrac\\mu2-"
    "\\tfrac\\varepsilon\\mu)$. "
    "ρ alone does not imply a single Gaussian release: for discrete noise, or for several releases, this is an "
    "estimate, and only the tight conversion is proved.",
    "**One year.** ε and δ of a guarantee are multiplied by the number of periods in a year; ρ is multiplied and then "
    "converted at the same δ. This is an upper bound for fresh noise in each period. It is omitted where a device "
    "repeats memoised responses.",
    "**Shuffled batches.** Lower bound: that of Chua et al. (2024) for batches that are shuffled anew in each "
    "epoch (zero-out neighbours), as in the section “Batches”. Upper bound: one Gaussian release for "
    "each epoch, $\\mu=\\sqrt E/\\sigma$, which holds for any order.",
)


def explanation_text(_: CompositionResult) -> str:
    """Return how the numbers of the section are computed."""
    return "\n\n".join((*_PARAGRAPHS, "**How each printed ε follows.**", details_text(DEPLOYMENTS)))


def guarantees_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of the printed ε of every guarantee, and of its ε by each conversion today."""
    pinned = result.pinned
    figure = figures.guarantees_figure(
        results.restatements_at(result),
        result.setting.epsilon,
        pinned and (results.restatements_at(pinned), pinned.setting.epsilon),
        text.subtitle(result),
        colours,
    )
    alternative = text.alternative_text(result)
    return Exhibit(
        "published", figure, alternative, lambda: tables.guarantees_frame(result), _published_csv_header(result)
    )


def guarantees_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of every guarantee with its unit, its period and its ε by each conversion."""
    html, alternative = tables.table_html(result), text.alternative_text(result)
    return Exhibit(
        "promises", html, alternative, lambda: tables.guarantees_frame(result), _published_csv_header(result)
    )


def _published_csv_header(result: CompositionResult) -> dict[str, Any]:
    setting = result.setting
    header = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta), "at_delta": result.values["at_delta"]}
    return header | {"units": "epsilon in nats; delta a probability; a year: basic composition of all its periods"}


_WHY_UNPROVED = (
    "Each published guarantee has its own: by its formula, by RDP, certified, or, for shuffled batches, without "
    "amplification, as the table says."
)


def controls(result: CompositionResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    at = Field(AT_DELTA, "δ of the guarantees")
    return (EPSILON, at) if results.uses_own_deltas(result) else (EPSILON, at, DELTA)


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the guarantees in a chart and a table, and how to read them."""
    yield guarantees_chart(result, colours)
    yield text.uncovered_text(result)
    yield guarantees_table(result, colours)
    yield text.READING_TEXT


SECTION = Section[CompositionResult](
    controls=controls,
    parts=parts,
    key="published",
    name="Published",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(guarantees_chart, guarantees_table),
    claims=lambda _: (Claim("The ε of the answer", reason=_WHY_UNPROVED),),
    snippets=code.snippets,
)
