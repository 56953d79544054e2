"""Formulas with the numbers of a setting, truncated noise as text, and verdicts, errors and variances in words."""

import math
from decimal import Decimal

import numpy as np

from dpcore import calibrations, recommendation, staircase, truncated_geometric, truncated_laplace
from dpcore.calibrations import FAILS, FLOOR, PROVED, SILENT, UNDEFINED, WITHIN, Calibration
from dpcore.mechanism import Mechanism
from dpcore.rounding import round_down
from pages.framework.parameters.number_format import (
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_down,
    percent_up,
    tex,
    uncapitalized,
)
from pages.shared.guarantee_claims import number
from pages.shared.looks import LOOKS
from pages.shared.shared_parameters import SharedSetting, glossary_link

CERTAINTY = "proves that the person is in the data, or is not"
"""What a release of truncated noise does with probability δ."""
TRUNCATED_LAPLACE_TEXT = (
    r"**Truncated Laplace noise** (Geng, Ding, Guo & Kumar 2020, Theorem 1): density $\propto "
    r"e^{-\varepsilon|x|/\Delta}$ on $[-A,A]$, $A=(\Delta/\varepsilon)\ln(1+(e^{\varepsilon}-1)/(2\delta))$. "
    rf"With probability δ the release lies where the other data set cannot lead, and {CERTAINTY}."
)
TRUNCATED_GEOMETRIC_TEXT = (
    r"**Truncated geometric noise** (own derivation from the definition): $\Pr(k)\propto e^{-\varepsilon|k|/\Delta}$ "
    r"for $|k|\le N$, with the least N at which $\Pr(k>N-\Delta)\le\delta$. Of r numbers that a person moves, each "
    r"takes ε/r and $1-(1-\delta)^{1/r}$: together they lose ε at most, except with a probability of at most δ, with "
    f"which one of them {CERTAINTY}; so this composition is exact."
)
LEAST_NOISE_TEXT = (
    r"**The least noise of any shape** (own derivation; Geng & Viswanath 2016 on whole numbers): on a lattice of D "
    r"cells to each Δ minimise $\sum_k c_k p_k$ subject to $\sum_k\max(p_k-e^{\varepsilon}p_{k+s},0)\le\delta$ for "
    r"$s=1,\dots,D$ and $\sum_k p_k=1$, a linear program that SciPy’s HiGHS solves. Its dual solution, made "
    r"feasible for every k and rounded down, proves a lower bound. With $V$ the least $\sum k^2p_k$ and "
    r"$w=\Delta/D$, the variance of noise on real numbers is at least $w^2(V-\tfrac14)$, since random rounding "
    r"to the lattice is post-processing that adds at most $w^2/4$; the optimal noise, spread over its cells, "
    r"reaches $w^2(V+\tfrac1{12})$, and its δ is computed from its own probabilities. A truncated staircase often "
    r"costs less: its density falls by $e^{-\varepsilon}$ at $(k+\gamma)\Delta$, k = 0, 1, …, and ends where the last "
    r"Δ before the end holds the probability δ, which makes it (ε, δ)-DP; γ is that of the least cost. Up to δ = 0.001 "
    "no noise is known that costs 0.01 % less, and no program is solved to draw it. Where ε is large, the "
    "conditions near 0 alone, on much smaller cells, prove the bound, and staircase noise that is replaced by a value "
    "near 0 with probability δ reaches it within a few percent."
)
LEAST_HALF_WIDTH_TEXT = (
    r"**The least error of any noise for one number** (own derivation): with $T(x)=\Pr(\text{noise}\ge x)$ a move by "
    r"Δ gives $T(x-\Delta)\le e^{\varepsilon}T(x)+\delta$. From $T(x)\le\alpha/2$ follows $T(x-n\Delta)\le U_n="
    r"e^{n\varepsilon}\alpha/2+\delta(e^{n\varepsilon}-1)/(e^{\varepsilon}-1)$, and where $2x\le(m+n)\Delta$, "
    r"$U_m+U_n\ge1$ is necessary. So no half-width is below $j\Delta/2$, with the largest j for which "
    r"$U_{\lfloor j/2\rfloor}+U_{\lceil j/2\rceil}<1$. It is a lower bound: on whole numbers with Δ = 1 it is reached."
)


_TOLERANCE = format_nearest(100 * (recommendation.AS_GOOD - 1), 3)
AS_GOOD = f"within {_TOLERANCE} % or to the nearest whole"
NO_SAMPLER = "no published floating-point-safe sampler"
SAMPLER = (
    "**Sampler.** The guarantee assumes exact real-valued noise. In a release, use a floating-point-safe sampler or "
    "discrete noise: the last digits of ordinary floating-point noise can reveal the data "
    f"({glossary_link('exact_samplers', 'floating point and exact samplers')})."
)
BASIS = (
    "**What the guarantee rests on.** One person changes the result by no more than the sensitivity, whatever that "
    "person adds to it. The sensitivity, and the bounds or categories behind it, were fixed without looking at the "
    "data. A trusted office holds the data and adds the noise. Everything else that is released about the same people "
    "counts as well. Where one of these is not so, the guarantee does not hold as stated."
)
"""The conditions in words, for pages that compare noise in theory: those that recommend it have them as controls."""
THEORY = (
    "This page compares noise in theory; [One number](./Accuracy) and [A table](./Tables) recommend one for a release."
)
"""What such a page is for, below its answer."""
WHOLE_SAMPLER = (
    "**Sampler.** The guarantee assumes that the whole-number noise is drawn exactly, as OpenDP does: rounding a "
    "floating-point draw is not enough "
    f"({glossary_link('exact_samplers', 'floating point and exact samplers')})."
)


def in_words(mechanism: Mechanism) -> str:
    """Return the name of a mechanism inside a sentence.

    >>> from dpcore.sensitivity import table_sensitivity
    >>> from dpcore.tables import mechanisms
    >>> keys = "laplace", "geometric", "analytic"
    >>> [in_words(mechanism) for mechanism in mechanisms(1, 1e-6, table_sensitivity(1), keys=keys)]
    ['Laplace', 'geometric', 'analytic Gaussian']
    """
    name = mechanism.name
    return name if name.startswith(("Laplace", "pDP")) else uncapitalized(name)


def short_name(calibration: Calibration) -> str:
    """Return the name of a calibration among Gaussians only."""
    return calibration.name.replace(" Gaussian", "")


def sigma(calibration: Calibration, setting: SharedSetting, outcome: str) -> str:
    """Return the formula of the σ of a Gaussian with the user's numbers, as TeX."""
    e, d = (tex(format_input_up(value)) for value in (setting.epsilon, setting.delta))
    s = tex(format_input_down(setting.l2_sensitivity))
    return LOOKS[calibration.key].scale.format(e=e, d=d, s=s, value=tex(outcome))


def half_width(calibration: Calibration, setting: SharedSetting, sensitivity: str, outcome: float) -> str:
    """Return the formula of a half-width with the numbers of a setting and the text of a sensitivity, as TeX."""
    e, d, level = (tex(format_input_up(value)) for value in (setting.epsilon, setting.delta, setting.significance))
    numbers = {"e": e, "d": d, "s": tex(sensitivity), "l": level, "value": tex(format_up(outcome))}
    if calibration.family == "staircase":
        numbers["g"] = tex(step_share(calibration, setting.epsilon))
    return LOOKS[calibration.key].half_width.format(**numbers)


def step_share(calibration: Calibration, epsilon: float) -> str:
    """Return the text of γ of staircase noise at ε: the part of the first step, over Δ₁, with the highest density."""
    gamma = staircase.mean_error_gamma if calibration is calibrations.STAIRCASE_MEAN else staircase.variance_gamma
    return format_nearest(float(gamma(max(epsilon, calibration.least_epsilon))), 6)


def verdict(calibration: Calibration, status: str, true_delta: float, setting: SharedSetting) -> str:
    """Return in words, with a mark, whether this noise satisfies the guarantee, and how that is established."""
    is_probabilistic = calibration.guarantee == calibrations.PROBABILISTIC_DP
    return {
        PROVED: f"✓ proved{', for probabilistic DP, which implies DP' if is_probabilistic else ''}",
        WITHIN: f"! outside its theorem; true δ here {format_up(true_delta)}, within target",
        FAILS: f"✗ FAILS: true δ {format_up(true_delta)} for a target of {format_input_up(setting.delta)}",
        FLOOR: "a lower bound: no Gaussian with less noise satisfies the guarantee",
        SILENT: "gives no bound at a δ as large as this",
        UNDEFINED: f"not defined at ε = {format_input_up(setting.epsilon)}",
    }[status]


def truncated_laplace_texts(epsilon: float, delta: float, sensitivity: float, digits: int = 4) -> tuple[str, str]:
    """Return A and b: b rounded up, and the A of (ε, δ)-DP for that b, rounded up. A larger b alone would raise δ.

    >>> truncated_laplace_texts(0.3, 0.01, 1)
    ('9.726', '3.334')
    """
    scale = float(truncated_laplace.scale_from_epsilon(epsilon, sensitivity))
    text = format_up(scale, digits)
    own_epsilon = epsilon if math.isinf(scale) else min(sensitivity / float(number(text)) * (1 - 1e-15), epsilon)
    return format_up(float(truncated_laplace.bound_from_epsilon(own_epsilon, delta, sensitivity)), digits), text


def truncated_geometric_texts(
    bound: float, scale: float, delta: float, moved: float, n_moved: int, digits: int = 4
) -> tuple[str, str]:
    """Return N and s of noise in each of `n_moved` numbers that move by `moved`: s rounded up, N with its δ for that s.

    >>> truncated_geometric_texts(11, 1 / 0.3, 0.0061, 1, 1)
    ('11', '3.334')
    """
    text, own_delta = format_up(scale, digits), round_down(-np.expm1(np.log1p(-delta) / n_moved), 8)
    own_scale = scale if math.isinf(scale) else float(number(text))
    bounds = np.minimum(bound + np.arange(1000.0), 1e6)
    deltas = truncated_geometric.delta_from_bound(min(moved / scale, 1e6), bounds, own_scale, moved)
    return format_up(float(bounds[np.argmax(deltas <= own_delta)])), text


LARGE_EPSILON = 10.0
"""The ε above which a guarantee is said to limit little: a probability may change by more than the factor 22,026."""
LITTLE = f"guarantees little at an ε above {LARGE_EPSILON:.0f}"


def share(significance: float) -> str:
    """Return the text of the share of releases that fall within the accuracy, never too large.

    >>> share(0.05), share(1 / 3), share(0.9999), share(1e-300)
    ('95 %', '66.66 %', '0.01 %', 'all but 1e-298 %')
    """
    return f"all but {percent_up(significance)}" if significance < 0.001 else _coverage(significance)


def _coverage(significance: float) -> str:
    """Return 1 − α of the decimal number that was entered: of floats, 1 − 0.9999 is below 0.0001."""
    return percent_down(float(1 - Decimal(repr(float(significance)))))


def within(significance: float) -> str:
    """Return how many releases fall within the accuracy, never too many: in whole numbers if they are short, else in %.

    >>> within(0.05), within(0.5), within(0.999)
    ('95 of 100 releases fall', '50 of 100 releases fall', '1 of 1,000 releases falls')
    >>> within(1e-6), within(1e-300)
    ('all but 1 of 1,000,000 releases fall', 'all but 1 of 1e300 releases fall')
    >>> within(1 / 3), within(1.23456e-300)
    ('at least 66.66 % of releases fall', 'all but 1.235e-298 % of releases fall')
    """
    counted = fraction_in_words(significance)
    if counted is not None:
        misses, total = counted
        return _count_text(total - misses, total, "fall")
    if significance < 0.001:
        return f"all but {percent_up(significance)} of releases fall"
    return f"at least {_coverage(significance)} of releases fall"


def beyond(significance: float) -> str:
    """Return how many releases miss by more than the accuracy, never too few.

    >>> beyond(0.05), beyond(0.999)
    ('5 of 100 releases miss', '999 of 1,000 releases miss')
    >>> beyond(1e-12), beyond(1 / 3)
    ('1 of 1e12 releases misses', 'at most 33.34 % of releases miss')
    """
    counted = fraction_in_words(significance)
    return f"at most {percent_up(significance)} of releases miss" if counted is None else _count_text(*counted, "miss")


def fraction_in_words(significance: float) -> tuple[int, int] | None:
    """Return the misses and the number of releases, one of them of at most four digits; None if both have more."""
    decimal = Decimal(repr(significance)).normalize()
    places = max(2, -int(decimal.as_tuple().exponent))
    total = 10**places
    misses = int(decimal.scaleb(places))
    return (misses, total) if min(misses, total - misses) < 10**4 else None


def _count_text(part: int, total: int, verb: str) -> str:
    count = f"{total:,}" if total <= 10**9 else f"1e{len(str(total)) - 1}"
    if total <= 10**4 or part < 10**4:
        plural = {"fall": "falls", "miss": "misses"}[verb] if part == 1 else verb
        return f"{part:,} of {count} releases {plural}"
    return f"all but {total - part:,} of {count} releases {verb}"


def variance_comparison(ratio: float) -> str:
    """Return the text of a ratio of variances as the effect of an alternative.

    >>> variance_comparison(1.573), variance_comparison(0.94), variance_comparison(40.2)
    ('have 57 % more variance', 'have 6 % less variance', 'have 40 times the variance')
    >>> variance_comparison(1.0001)
    'have about the same variance'
    """
    if ratio >= 10:
        return f"have {format_nearest(ratio, 2)} times the variance"
    change = round(100 * (ratio - 1))
    if not change:
        return "have about the same variance"
    return f"have {change} % more variance" if change > 0 else f"have {-change} % less variance"
