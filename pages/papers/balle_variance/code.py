"""The ratio of the variances of Experiment 5.1 in lines of code, with dpcore and with other libraries."""

from dpcore.calibrations import UNDEFINED
from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.papers.balle_variance import results
from pages.papers.results import PapersResult
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP

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
