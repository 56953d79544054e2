"""The best bound and the noise of the clipped sum, as programs with dpcore and with OpenDP."""

from collections.abc import Callable

from dpcore.families import FAMILIES
from dpcore.mechanism import NoiseDistribution
from pages.clipping.bounds.results import BoundsResult
from pages.clipping.conditions import bound_conditions
from pages.clipping.results import ClippingResult
from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.downloads import Downloads
from pages.framework.layout.section import Snippet
from pages.framework.layout.statements import Statements
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.release_program.program import (
    SAMPLED,
    Statistic,
    level_text,
    noise_facts,
    release_downloads,
)

_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and clips no values.",
    DIFFPRIVLIB: "Its tools.sum takes bounds, and does not choose them or state an error.",
    OPACUS: "It clips gradients, at a norm that the user chooses.",
}
_NO_OPENDP = "Its clamp and sum have this form for whole bounds, a sum, and one person added or removed."
_NO_OWN = "Enter lo and U: the best ones of your own values are in no program."
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
    name, (first, second) = setting.distribution.name, setting.distribution.parameters
    values = f"clipping.{name}({number(first)}, {number(second)}, {bounds.n_values})"
    low = "None" if bounds.is_low_sought else number(bounds.low)
    function = "sum_error" if setting.query == "sum" else "mean_error"
    options = _noise_options(bounds)
    options += "" if bounds.count_share is None else f", count_share={number(bounds.count_share)}"
    alpha = f", significance={number(setting.significance)}"
    measure = f"error={setting.error!r}{alpha if setting.error == 'half_width' else ''}"
    code = program(
        "from dpcore import clipping",
        "",
        f"values, epsilon = {values}, {number(setting.epsilon)}",
        f"options = dict({options})",
        f"best = clipping.best_bounds(values, epsilon, {low}, {measure}, **options)",
        f"ends = {number(bounds.low)}, {number(bounds.high)}",
        f"error = clipping.{function}(values, *ends, epsilon{alpha}, bias='gross', **options)",
        *(f"print({_rounded(bounds)})", "print(error.noise_scale)", "print(error.half_width)"),
    )
    printed = bounds.best_high, float(bounds.chosen.noise_scale), float(bounds.chosen.half_width)
    return Snippet(DPCORE, code, "The best bound, and the noise scale and ± at the chosen one.", printed)


def _noise_options(bounds: BoundsResult) -> str:
    setting = bounds.setting
    delta = "" if setting.delta is None else f", delta={number(setting.delta)}"
    return f"noise={setting.noise!r}, neighbours={setting.neighbours!r}{delta}"


def _rounded(bounds: BoundsResult) -> str:
    """Return the expression of the best bound, to three digits where the page rounds it so."""
    if bounds.best_high == bounds.exact_best_high:
        return "best.high"
    return "round(float(f'{best.high:.3g}'))" if bounds.setting.is_whole else "float(f'{best.high:.3g}')"


def _own_snippet(result: ClippingResult, bounds: BoundsResult) -> Snippet:
    """Return the program of the noise at the user's bound, which needs no values."""
    setting = result.setting
    high = setting.high if bounds.setting.bound is None else bounds.setting.bound
    if bounds.setting.low is None or bounds.count_share is not None or not high > bounds.low:
        return Snippet(DPCORE, "", _NO_OWN)
    options = f"{number(setting.epsilon)}, {_noise_options(bounds)}"
    code = program(
        "from dpcore import clipping",
        "",
        "values = [0.0]  # your own values, one for each person, in the place of this one",
        f"error = clipping.sum_error(values, {number(bounds.low)}, {number(high)}, {options})",
        "print(error.high)",
        "print(error.noise_scale)",
    )
    printed = high, float(bounds.error_at(high).noise_scale) * bounds.unit_count
    note = "The noise of the sum at your bound, or at the maximum of your range, which does not depend on the values."
    return Snippet(DPCORE, code, note, printed)


def _opendp_snippet(result: ClippingResult, bounds: BoundsResult) -> Snippet:
    setting = result.setting
    high = setting.high if setting.is_own and bounds.setting.bound is None else bounds.high
    whole = float(bounds.low).is_integer() and float(high).is_integer() and max(abs(bounds.low), high) < 2**31
    if setting.is_own and bounds.setting.low is None:
        return Snippet(OPENDP, "", _NO_OWN)
    if not (whole and setting.query == "sum" and setting.neighbours == "add_remove"):
        return Snippet(OPENDP, "", _NO_OPENDP)
    low, top = int(bounds.low), int(high)
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
    if setting.is_own or not FAMILIES[setting.noise].pure:
        return Snippet(OPENDP, code, note)
    printed = float(bounds.chosen.sensitivity), float(bounds.chosen.noise_scale)
    return within(Snippet(OPENDP, code, note, printed, *_EQUAL), Limit("ε", setting.epsilon, 0.01, 10))


def downloads(result: ClippingResult, state: Callable[[ClippingResult], Statements | None]) -> Downloads | None:
    """Return the program that releases the clipped sum; `state` makes the statements on it.

    There is none for a mean, which is released with the public number of records, or values added up for each person.
    """
    bounds, setting = result.bounds, result.setting
    is_added_up = result.values is not None and bool(result.values.person)
    if bounds is None or setting.query != "sum" or is_added_up:
        return None
    chosen = bounds.chosen
    scale, sensitivity = float(chosen.noise_scale), float(chosen.sensitivity)
    noise = NoiseDistribution(setting.noise, (scale,), scale)
    if noise.family not in SAMPLED:
        return None
    statistic = Statistic(
        name="Sum",
        kind="sum",
        **noise_facts(noise),
        l1=sensitivity,
        l2=sensitivity,
        half_width=noise.half_width(setting.significance),
        level=level_text(setting.significance),
        unit=setting.unit,
        low=float(chosen.low),
        high=float(chosen.high),
    )
    guarantee = setting.epsilon, setting.noise_delta or 0.0
    return release_downloads(
        (statistic,), guarantee, bounds.setting.neighbours, bound_conditions(result), lambda: state(result)
    )
