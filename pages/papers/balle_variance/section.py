"""The section on Experiment 5.1."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from dpcore import gaussian
from dpcore.calibrations import UNDEFINED
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Field, Fields, Part, Section, Snippet
from pages.framework.parameters.number_format import exact_text, format_input_up, format_nearest, format_up, tex
from pages.papers.balle_variance import figures, results, tables, text
from pages.papers.balle_variance.parameters import VARIANCE_AGAINST, VARIANCE_DELTAS, VARIANCE_EPSILONS
from pages.papers.balle_variance.results import setting_ratio, sigmas
from pages.papers.results import PapersResult
from pages.shared import guarantee_claims
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.looks import LOOKS
from pages.shared.shared_parameters import DELTA, EPSILON


def explanation_text(result: PapersResult) -> str:
    """Return how the ratio is computed, in Markdown with TeX and the user's numbers."""
    ratio = setting_ratio(result)
    epsilon, delta = tex(format_input_up(ratio.epsilon)), tex(format_input_up(ratio.delta))
    numbers = ""
    if ratio.status != UNDEFINED:
        classical, analytic = (tex(format_up(sigma)) for sigma in sigmas(ratio.epsilon, ratio.delta))
        numbers = (
            rf"$$\varepsilon={epsilon},\ \delta={delta}:\quad "
            rf"\frac{{\sigma_{{\text{{classical}}}}^2}}{{\sigma_{{\text{{analytic}}}}^2}}="
            rf"\left(\frac{{{classical}\,\Delta_2}}{{{analytic}\,\Delta_2}}\right)^2={tex(format_nearest(ratio.ratio))}$$"
        )
    return "\n\n".join((_CLASSICAL, _ANALYTIC, numbers, _STATUS, _COST))


_CLASSICAL = (
    "**Classical Gaussian** (Dwork & Roth 2014, Theorem A.1), proved for 0 < ε < 1:\n\n"
    rf"$${LOOKS['classical'].equation}$$"
)
_ANALYTIC = (
    "**Analytic Gaussian** (Balle & Wang 2018, Theorem 8), exact for every ε ≥ 0: the least σ with\n\n"
    rf"$${LOOKS['analytic'].equation}$$"
)
_STATUS = (
    "Both σ are proportional to Δ₂, so their ratio does not depend on the query. The classical theorem "
    "does not cover ε ≥ 1; whether its σ is sufficient there follows from its exact δ (Theorem 8). Where it is, the "
    "ratio is at least 1. A ratio below 1 is not a saving: the classical σ violates the guarantee."
)
_COST = (
    "**Sensitivity.** Δ₂ may be that of either neighbouring relation, add or remove or replace, if the guarantee is "
    "stated for the same one."
)


def ratios(result: PapersResult, colours: Colours) -> Exhibit:
    """Return the picture of the classical variance over the analytic one, along ε or δ."""
    pinned, along = result.pinned, results.curve_axis(result)
    own, other_curves = results.own_curve(result), results.other_curves(result)
    pinned_curve = pinned and results.own_curve_at(along, pinned.setting.epsilon, pinned.setting.delta)
    curves, settings = (own, other_curves, pinned_curve), (result.setting, pinned and pinned.setting)
    figure = figures.removed_figure(*curves, along, *settings, text.subtitle(result), colours)
    alternative, all_curves = text.alternative_text(result), [*([own] if own else []), *other_curves]
    numbers = partial(tables.curves_frame, along, all_curves)
    return Exhibit("variance_ratio", figure, alternative, numbers, csv_header(result))


def ratio_table(result: PapersResult, _: Colours) -> Exhibit:
    """Return the table of the ratios, each with its status."""
    html, alternative = tables.table_html(result), text.alternative_text(result)
    numbers = partial(tables.ratio_frame, results.table_deltas(result))
    return Exhibit("variance_ratios", html, alternative, numbers, csv_header(result))


def csv_header(result: PapersResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV."""
    setting, pinned = result.setting, result.pinned
    own = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta)}
    own["units"] = "epsilon in nats; delta a probability; sigma for an l2 sensitivity of 1; ratio of variances"
    if pinned is not None:
        own["pinned"] = f"epsilon {pinned.setting.epsilon!r}, delta {pinned.setting.delta!r}"
    return own


_NO_CLASSICAL = {
    OPENDP: "It has neither the classical σ nor the analytic one, but one by ρ-zCDP.",
    DP_ACCOUNTING: "It has the analytic σ and not the classical one.",
    OPACUS: "It has noise multipliers by its accountants, and neither of the two.",
}


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return the ratio of the variances, and the share that is removed."""
    ratio = results.setting_ratio(result)
    if ratio.status == UNDEFINED:
        return ()
    code = program(
        "from dpcore import denoise",
        "",
        f"epsilon, delta = {number(ratio.epsilon)}, {number(ratio.delta)}",
        "ratio = denoise.variance_ratio(epsilon, delta)",
        "print(ratio)",
        "print(1 - 1 / ratio)",
    )
    note = "Classical over analytic variance, and the share removed."
    own = Snippet(DPCORE, code, note, (ratio.ratio, ratio.removed))
    if ratio.epsilon > 1:
        reason = "Its classical Gaussian takes ε up to 1 only."
        return own, *unavailable(_NO_CLASSICAL | {DIFFPRIVLIB: reason})
    other = program(
        "from diffprivlib.mechanisms import Gaussian, GaussianAnalytic",
        "",
        f"guarantee = dict(epsilon={number(ratio.epsilon)}, delta={number(ratio.delta)}, sensitivity=1.0)",
        "print(Gaussian(**guarantee).variance(0.0) / GaussianAnalytic(**guarantee).variance(0.0))",
    )
    return own, *unavailable(_NO_CLASSICAL), _diffprivlib_snippet(other, ratio)


def _diffprivlib_snippet(code: str, ratio: results.VarianceRatio) -> Snippet:
    note = "Classical over analytic variance."
    limits = Limit("ε", ratio.epsilon, 0.01, 1), Limit("δ", ratio.delta, 1e-10, 0.1)
    return within(Snippet(DIFFPRIVLIB, code, note, (ratio.ratio,), 1 - 1e-4, 1 + 1e-4), *limits)


def claims(result: PapersResult) -> Iterator[Claim]:
    """Yield that the analytic σ satisfies the guarantee, as shown and as computed."""
    epsilon, delta = result.setting.epsilon, result.setting.delta
    analytic = float(gaussian.analytic_sigma(epsilon, delta))
    yield guarantee_claims.gaussian(guarantee_claims.displayed_target(epsilon, delta, 1.0), format_up(analytic))
    yield guarantee_claims.gaussian(guarantee_claims.computed_target(epsilon, delta, 1.0), exact_text(analytic))
    yield Claim("The ratio of the variances", reason="It is the ratio of two computed numbers, and no guarantee.")


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield the ratio along ε or δ, what of the paper's claims is true, and the ratios in numbers."""
    yield ratios(result, colours)
    yield Fields((_other_curves(result),))
    yield text.paper_claims_text(result)
    yield ratio_table(result, colours)
    yield text.READING_TEXT


def _other_curves(result: PapersResult) -> Field:
    """Return the field of the δ, or ε, of the curves beside the page's own."""
    if results.curve_axis(result) == "epsilon":
        return Field(VARIANCE_DELTAS, "δ of the other curves", "At most four; the δ of the page is always drawn too.")
    return Field(VARIANCE_EPSILONS, "ε of the other curves", "At most four; the ε of the page is always drawn too.")


SECTION = Section[PapersResult](
    controls=lambda _: (EPSILON, DELTA, Field(VARIANCE_AGAINST, "Horizontal axis")),
    parts=parts,
    key="variance",
    name="Balle & Wang 5.1: variance",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(ratios, ratio_table),
    claims=claims,
    snippets=snippets,
)
