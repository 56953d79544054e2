"""The best bound and the noise of the clipped sum, as programs with dpcore and with OpenDP."""

from pages.clipping.bounds.results import BoundsResult
from pages.clipping.results import ClippingResult
from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP

_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and clips no values.",
    DIFFPRIVLIB: "Its tools.sum takes bounds, and does not choose them or state an error.",
    OPACUS: "It clips gradients, at a norm that the user chooses.",
}
_NO_OPENDP = "Its clamp and sum have this form for whole bounds, a sum, and one person added or removed."
_EQUAL = 1 - 1e-6, 1 + 1e-6


def snippets(result: ClippingResult) -> tuple[Snippet, ...]:
    """Return the programs that compute the best bound and its noise."""
    bounds = result.bounds
    if bounds is None:
        return ()
    return _best_bound_snippet(result, bounds), _opendp_snippet(result, bounds), *unavailable(_OTHERS)


def _best_bound_snippet(result: ClippingResult, bounds: BoundsResult) -> Snippet:
    setting = result.setting
    if setting.is_own:
        return _own_snippet(result, bounds)
    m, s = setting.distribution.parameters
    values = f"clipping.lognormal({number(m)}, {number(s)}, {bounds.n_values})"
    code = program(
        "from dpcore import clipping",
        "",
        f"values, epsilon, delta = {values}, {number(setting.epsilon)}, {number(setting.delta)}",
        f"low, noise, neighbours = {number(setting.low)}, {setting.noise!r}, {setting.bounds.neighbours!r}",
        f"best = clipping.best_bounds(values, epsilon, low, None, noise, neighbours, {setting.error!r}, delta)",
        f"options = epsilon, noise, neighbours, delta, {number(setting.significance)}",
        f"error = clipping.{setting.query}_error(values, low, {number(bounds.best_high)}, *options)",
        *(f"print({_rounded(bounds)})", "print(error.noise_scale)", "print(error.half_width)"),
    )
    printed = bounds.best_high, float(bounds.best.noise_scale), float(bounds.best.half_width)
    return Snippet(DPCORE, code, "The best bound, its noise scale and ±.", printed)


def _rounded(bounds: BoundsResult) -> str:
    """Return the expression of the best bound, to three digits where the page rounds it so."""
    if bounds.best_high == bounds.exact_best_high:
        return "best.high"
    return "round(float(f'{best.high:.3g}'))" if bounds.setting.is_whole else "float(f'{best.high:.3g}')"


def _own_snippet(result: ClippingResult, bounds: BoundsResult) -> Snippet:
    """Return the program of the noise at the user's bound, which needs no values."""
    setting = result.setting
    options = f"{number(setting.epsilon)}, {setting.noise!r}, {setting.bounds.neighbours!r}, {number(setting.delta)}"
    code = program(
        "from dpcore import clipping",
        "",
        "values = [0.0]  # your own values, one for each person, in the place of this one",
        f"error = clipping.sum_error(values, {number(setting.low)}, {number(setting.high)}, {options})",
        "print(error.high)",
        "print(error.noise_scale)",
    )
    printed = setting.high, float(bounds.yours.noise_scale) * bounds.unit_count
    return Snippet(DPCORE, code, "The noise of the sum at your bound, which does not depend on the values.", printed)


def _opendp_snippet(result: ClippingResult, bounds: BoundsResult) -> Snippet:
    setting = result.setting
    high = setting.high if setting.is_own else bounds.best_high
    whole = float(setting.low).is_integer() and float(high).is_integer() and max(abs(setting.low), high) < 2**31
    if not (whole and setting.query == "sum" and setting.neighbours == "add_remove"):
        return Snippet(OPENDP, "", _NO_OPENDP)
    low, top = int(setting.low), int(high)
    code = program(
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        "space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()",
        f"clipped_sum = space >> dp.t.then_clamp(({low}, {top})) >> dp.t.then_sum()",
        "print(clipped_sum.map(1))",
        f"print(dp.binary_search_param(lambda b: clipped_sum >> dp.m.then_laplace(b), 1, {number(setting.epsilon)}))",
    )
    note = "It clamps and sums whole values; it prints the sensitivity, and the scale of its discrete Laplace noise."
    if setting.is_own or setting.noise not in ("laplace", "geometric"):
        return Snippet(OPENDP, code, note)
    printed = float(bounds.best.sensitivity), float(bounds.best.noise_scale)
    return within(Snippet(OPENDP, code, note, printed, *_EQUAL), Limit("ε", setting.epsilon, 0.01, 10))
