"""How the section on Experiment 5.1 is computed."""

from dpcore.calibrations import UNDEFINED
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, tex
from pages.papers.balle_variance.results import setting_ratio, sigmas
from pages.papers.results import PapersResult
from pages.shared.looks import LOOKS


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
