"""The sentences on noise within bounds, and how its numbers are computed."""

from typing import Any

import numpy as np

from dpcore.checks import EPSILON_RANGE, interval_bounds
from dpcore.generalized_gaussian.bounded_comparison import BIT, CLIPPED, EXPONENTIAL, LEMMA, PUBLISHED, TRUNCATED
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
    tex,
)
from pages.generalized_gaussian.cached_results import BoundedResult
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.shared.bounded_noise import no_answer_text, used_sensitivity_text

CLIPPING = (
    "Clipping what leaves the bounds is post-processing, so it preserves the guarantee; drawing again until the "
    "release is inside is not: that is the truncated mechanism, and it needs its own b. No "
    "floating-point-safe sampler of this noise is published."
)
ROUNDING = (
    "b and ε are rounded up to four digits, errors to the nearest. *Pure ε satisfied* is the least pure-DP ε that the "
    "noise gives within these bounds; the largest error is over 101 true values."
)
_MOST_EPSILON = interval_bounds(EPSILON_RANGE)[1]


def answer_text(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """Return which noise the bounds require, which mechanism has the least error, and what has changed since a pin."""
    bounded, pinned = result.bounded, result.pinned and result.pinned.bounded
    if bounded is None:
        return no_answer_text(result.setting)
    setting = bounded.setting
    largest = _smaller_error_text(*(bounded.errors(key).max() for key in (TRUNCATED.key, BIT.key)))
    answer = (
        f"At p = {format_input_up(setting.p)} between {format_input_down(setting.bound_low)} and"
        f" {format_input_up(setting.bound_high)}, pure ε = {format_input_up(setting.epsilon)} requires b ="
        f" {format_up(bounded.scale[TRUNCATED.key])} (truncated noise) or"
        f" {format_up(bounded.scale[BIT.key])} (clipped, BIT).",
        f"By the largest root mean squared error between the bounds, use **{largest}**.",
    )
    if pinned is None:
        return answer
    changes = (
        f"{name} b {format_up(pinned.scale[key])} → {format_up(bounded.scale[key])}, RMSE at s "
        f"{format_nearest(pinned.error(key))} → {format_nearest(bounded.error(key))}"
        for name, key in (("truncated", TRUNCATED.key), ("BIT", BIT.key))
    )
    return *answer, pin_sentence(f"{'; '.join(changes)}", setting_text(pinned.setting))


def setting_text(setting: GeneralizedGaussianSetting) -> str:
    """Return a pinned setting in one line."""
    return (
        f"ε = {format_input_up(setting.epsilon)}, p = {format_input_up(setting.p)}, Δ ="
        f" {used_sensitivity_text(setting)}, bounds {format_input_down(setting.bound_low)} to"
        f" {format_input_up(setting.bound_high)}, s = {format_input_up(setting.true_value)}"
    )


def scales_text(result: BoundedResult) -> str:
    """Return how much the published scale exceeds the exact one, and what clipping noise of (ε, δ)-DP costs."""
    setting, b = result.setting, result.scale
    excess = float(np.square(np.float64(result.error(PUBLISHED.key)) / result.error(TRUNCATED.key))) - 1
    wider = (b[PUBLISHED.key] / b[TRUNCATED.key]) ** 2 - 1
    return (
        f"The published truncated b = {format_up(b[PUBLISHED.key])} (Liu’s Eq. 7–8) means {_increase_text(wider)}"
        f" variance before truncation and {_increase_text(excess)} squared error at s ="
        f" {format_input_up(setting.true_value)} than needed, and actually satisfies ε ="
        f" {pure_epsilon_text(result, PUBLISHED.key)}. Clipped noise of (ε, δ)-DP has b = {format_up(b[CLIPPED.key])}:"
        f" {_clipped_scale_text(result)}."
    )


def _clipped_scale_text(result: BoundedResult) -> str:
    """Return how clipped noise of (ε, δ)-DP compares with BIT noise of pure ε."""
    clipped, bit, width = result.scale[CLIPPED.key], result.scale[BIT.key], result.certified.clipping_width
    if np.isclose(clipped, bit, rtol=1e-9, atol=0):
        return "as much as BIT’s, for a weaker guarantee"
    if clipped < bit:
        return "less than BIT’s, for a weaker guarantee"
    wider = f"; between bounds wider than {format_up(width)} it would be less" if np.isfinite(width) else ""
    return f"more than BIT’s, for a weaker guarantee{wider}"


def _increase_text(part: float) -> str:
    percent = f"{format_nearest(100 * max(part, 0), 2)} % more"
    return percent if part < 9 else f"{format_nearest(1 + part, 2)} times the"


def pure_epsilon_text(result: BoundedResult, key: str) -> str:
    """Return the pure ε that a mechanism satisfies; above the largest ε that a page accepts it is not distinguished."""
    epsilon = result.certified.pure_epsilon[key]
    return f"above {format_nearest(_MOST_EPSILON)}" if epsilon > _MOST_EPSILON else format_up(epsilon)


def densities_text(result: BoundedResult) -> str:
    """Return the text alternative of the picture of densities."""
    low, high = result.masses[BIT.key]
    return (
        f"Densities of the release at the true value {format_input_up(result.setting.true_value)}: the truncated noise"
        f" has no mass at the bounds; BIT releases the lower one with probability {number_format.percent(low, 3)} and"
        f" the upper one with {number_format.percent(high, 3)}."
    )


def errors_text(result: BoundedResult) -> str:
    """Return which mechanism of pure DP has the smaller error in the middle and at a bound."""
    truncated, bit = result.errors(TRUNCATED.key), result.errors(BIT.key)
    middle, end = len(bit) // 2, 0
    return (
        "Of the two exact mechanisms of pure DP, the smaller root mean squared error in the middle of the bounds is"
        f" that of {_smaller_error_text(truncated[middle], bit[middle])}, and at a bound that of"
        f" {_smaller_error_text(truncated[end], bit[end])}. BIT, the boundary-inflated truncated mechanism, moves what"
        " falls outside to the nearer bound."
    )


def _smaller_error_text(truncated: float, bit: float) -> str:
    """Return the mechanism with the smaller of two errors, and both errors."""
    if format_nearest(truncated) == format_nearest(bit):
        return f"either ({format_nearest(bit)})"
    (least, name), (most, _) = sorted([(truncated, "truncated noise"), (bit, "BIT")])
    return f"{name} ({format_nearest(least)} against {format_nearest(most)})"


def csv_header(result: GeneralizedGaussianResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV, with the kept setting's, if there is one."""
    setting = result.setting
    pinned = {} if result.pinned is None else {"pinned": setting_text(result.pinned.setting)}
    units = "epsilon in nats; delta a probability; bounds, scales b and errors in query units"
    own = setting.texts("p", "bound_low", "bound_high", "true_value")
    return setting.csv_header | pinned | own | {"sensitivity used": repr(setting.bounded_sensitivity), "units": units}


def subtitle(setting: GeneralizedGaussianSetting) -> str:
    """Return the parameters of a picture."""
    bounds = f"bounds {format_input_down(setting.bound_low)} to {format_input_up(setting.bound_high)}"
    sensitivity, p = used_sensitivity_text(setting), format_input_up(setting.p)
    return f"{setting.guarantee_text}, Δ = {sensitivity}, p = {p}, {bounds}"


def explanation_text(result: GeneralizedGaussianResult) -> str:
    """Return how the numbers within bounds are computed, or that there are none at this ε."""
    return " ".join(no_answer_text(result.setting)) if result.bounded is None else _formulas_text(result.bounded)


def _formulas_text(result: BoundedResult) -> str:
    """Return the formulas with the user's numbers, sources, notion and range."""
    setting = result.setting
    e, p, w, sensitivity = (
        tex(parameter)
        for parameter in (
            format_input_up(setting.epsilon),
            format_input_up(setting.p),
            format_input_down(setting.width),
            used_sensitivity_text(setting),
        )
    )
    clipped_epsilon = pure_epsilon_text(result, CLIPPED.key)
    b = {key: tex(format_up(scale)) for key, scale in result.scale.items()}
    lemma = (
        "$\\Delta_u\\le\\Delta$ for p = 1, $2\\Delta W$ for p = 2, and from p = 3 on "
        "$\\sum_j\\binom pj\\max(|c_0|,|c_1|)^{p-j}\\Delta^{(j)}$, where $\\Delta^{(j)}$ is the sensitivity of $s^j$"
    )
    lemma += f": $b={b[LEMMA.key]}$." if LEMMA.key in b else "; it covers whole p only."
    return f"""**Within bounds.** One statistic in $[c_0,c_1]$, $W=c_1-c_0={w}$, that changes by at most
$\\Delta={sensitivity}$ between neighbours; pure $\\varepsilon$-DP unless stated otherwise; every real p from 1 on
(the paper: whole p).

**Truncated, published** (Liu 2019, Definition 5, Eq. 7–8): density $\\propto e^{{-(|x-s|/b)^p}}$ on $[c_0,c_1]$ with
$b=\\left(\\tfrac2\\varepsilon\\left[(W+\\Delta)^p-W^p\\right]\\right)^{{1/p}}={b[PUBLISHED.key]}$ at $p={p}$,
$\\varepsilon={e}$. The bracket is the paper’s sum $\\sum_{{j=1}}^p\\binom pj W^{{p-j}}\\Delta^j$.

**Truncated, exact** (own derivation): the least b with
$\\max_s\\,\\log f(c_0;s)-\\log f(c_0;s+\\Delta)=\\varepsilon$, the largest log ratio of densities:
$b={b[TRUNCATED.key]}$.

**BIT, exact** (Liu 2019, Definition 7, whose Eq. 9 lacks a minus sign and which leaves b unsolved; own derivation):
what falls
outside is moved to the nearer bound. The worst outcome is the bound farthest from the truth:
$\\log\\frac{{\\Pr(e>W-\\Delta)}}{{\\Pr(e>W)}}=\\varepsilon$ gives $b={b[BIT.key]}$.

**$(\\varepsilon,\\delta)$ noise, clipped**: $b={b[CLIPPED.key]}$ is the tight b of $(\\varepsilon,\\delta)$-DP without
bounds; clipping is post-processing. At the same b it is the BIT mechanism, so it also satisfies pure DP with
$\\varepsilon=$ {clipped_epsilon}. Drawing again until the release is inside, which the paper’s section 2.6 also calls
post-processing, is not post-processing: the number of draws depends on the true value.

**Exponential mechanism** (Liu 2019, Eq. 15–16), utility $-|x-s|^p$: the same truncated noise with
$b=(2\\Delta_u/\\varepsilon)^{{1/p}}$. Exact (own derivation): $\\Delta_u=W^p-(W-\\Delta)^p$,
$b={b[EXPONENTIAL.key]}$; so the
bracket of Eq. 7–8 can be tightened to it as well. Lemma 10: {lemma}

**Errors** at the true value s are integrals of the release’s density, in closed form by incomplete gamma functions."""
