"""The words on statistics with bounds: what noise within them needs, how it errs, how that is computed."""

from typing import Any

import numpy as np

from dpcore.checks import EPSILON_RANGE, ends
from dpcore.generalized_gaussian.bounded_comparison import (
    BIT,
    CLIPPED,
    EXPONENTIAL,
    LEMMA,
    MECHANISMS,
    PUBLISHED,
    TRUNCATED,
)
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_nearest, format_up, tex
from pages.generalized_gaussian.bounded_results import Bounded
from pages.generalized_gaussian.parameters import LEAST_BOUNDED, GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult

CLIPPING = (
    "Clipping what leaves the bounds is post-processing, so it keeps the promise of the noise; drawing again until the "
    "release is inside is not: that is the truncated mechanism, and it needs its own b."
)
ROUNDING = (
    "b and ε are rounded up to four digits, errors to the nearest. *Pure ε kept* is the least ε of pure DP that the "
    "noise gives within these bounds, whatever it was made for; the largest error is over 101 true values."
)
_MOST_EPSILON = ends(EPSILON_RANGE)[1]


def no_answer(setting: GeneralizedGaussianSetting) -> tuple[str, str]:
    """What is said where ε is too small for noise of pure DP."""
    return (
        f"At ε = {format_input_up(setting.epsilon)} pure DP within bounds has no answer.",
        "The release may hardly depend on the data, so b would be infinite, or nearly so. Choose an ε of at least "
        f"{format_nearest(LEAST_BOUNDED)}.",
    )


def answer(result: GeneralizedGaussianResult) -> tuple[str, ...] | None:
    """What noise within the bounds needs, which errs least, and what a kept setting had; None without an answer."""
    here, before = result.bounded, result.pinned and result.pinned.bounded
    if here is None:
        return None
    sentence = (
        f"{_where(here.setting)} keeps pure ε = {format_input_up(here.setting.epsilon)}: truncated noise with b ="
        f" {format_up(here.scale[TRUNCATED.key])}, noise clipped to the bounds (BIT) with b ="
        f" {format_up(here.scale[BIT.key])}."
    )
    changes = (
        f"{name} b {format_up(before.scale[key])} → {format_up(here.scale[key])}, root mean squared error at s "
        f"{format_nearest(before.error(key))} → {format_nearest(here.error(key))}"
        for name, key in (("truncated", TRUNCATED.key), ("BIT", BIT.key))
        if before is not None
    )
    compared = () if before is None else (f"Pinned ({_kept(before.setting)}) → now: {'; '.join(changes)}.",)
    return sentence, error_words(here), *compared


def _where(setting: GeneralizedGaussianSetting) -> str:
    return (
        f"Between {format_input_down(setting.bound_low)} and {format_input_up(setting.bound_high)}, p ="
        f" {format_input_up(setting.p)}"
    )


def _kept(setting: GeneralizedGaussianSetting) -> str:
    """What tells a kept setting from others."""
    return (
        f"ε = {format_input_up(setting.epsilon)}, p = {format_input_up(setting.p)}, Δ = {moved_text(setting)}, bounds"
        f" {format_input_down(setting.bound_low)} to {format_input_up(setting.bound_high)}, s ="
        f" {format_input_up(setting.true_value)}"
    )


def scales_words(result: Bounded) -> str:
    """What the published scale wastes, and what clipping noise of (ε, δ)-DP costs."""
    setting, b = result.setting, result.scale
    excess = float(np.square(np.float64(result.error(PUBLISHED.key)) / result.error(TRUNCATED.key))) - 1
    wider = (b[PUBLISHED.key] / b[TRUNCATED.key]) ** 2 - 1
    return (
        f"The published truncated b = {format_up(b[PUBLISHED.key])} (Liu's Eq. 7–8) means {_more(wider)} variance"
        f" before truncation and {_more(excess)} squared error at s = {format_input_up(setting.true_value)} than"
        f" needed, and really keeps ε = {kept(result, PUBLISHED.key)}. Clipped noise of (ε, δ)-DP has b ="
        f" {format_up(b[CLIPPED.key])}: {_clipped_words(result)}."
    )


def _clipped_words(result: Bounded) -> str:
    """Clipped noise of (ε, δ)-DP beside BIT noise of pure ε."""
    clipped, bit, width = result.scale[CLIPPED.key], result.scale[BIT.key], result.solved.clipping_width
    if np.isclose(clipped, bit, rtol=1e-9, atol=0):
        return "as much as BIT's, for a weaker promise"
    if clipped < bit:
        return "less than BIT's, for a weaker promise"
    wider = f"; between bounds wider than {format_up(width)} it would be less" if np.isfinite(width) else ""
    return f"more than BIT's, for a weaker promise{wider}"


def _more(part: float) -> str:
    percent = f"{format_nearest(100 * max(part, 0), 2)} % more"
    return percent if part < 9 else f"{format_nearest(1 + part, 2)} times the"


def kept(result: Bounded, key: str) -> str:
    """The pure ε that a mechanism keeps; beyond the ε that anybody asks for it is not told apart."""
    epsilon = result.solved.kept[key]
    return f"above {format_nearest(_MOST_EPSILON)}" if epsilon > _MOST_EPSILON else format_up(epsilon)


def sensitivity_words(setting: GeneralizedGaussianSetting) -> str:
    """Which Δ is used, and why where it is not the one that was given."""
    given, width = format_input_down(setting.l2_sensitivity), format_input_down(setting.width)
    if setting.l2_sensitivity > setting.width:
        return (
            f"The sensitivity Δ₂ = {given} is more than c₁ − c₀ = {width}: between the bounds the statistic "
            f"can't move further than that, so Δ = {width} here."
        )
    if setting.l2_sensitivity < setting.moved:
        return (
            f"The sensitivity Δ₂ = {given} is less than 1e-9 of c₁ − c₀ = {width}: Δ = {moved_text(setting)} is "
            "used here, which is more noise than is needed."
        )
    return f"Δ = {given}, the sensitivity Δ₂: for one statistic it is the same in every norm."


def moved_text(setting: GeneralizedGaussianSetting) -> str:
    """Δ within the bounds: as it was given, or rounded up where it was raised."""
    return format_up(setting.moved) if setting.l2_sensitivity < setting.moved else format_input_down(setting.moved)


def density_words(result: Bounded) -> str:
    """What the picture of densities shows."""
    low, high = result.masses[BIT.key]
    return (
        f"Densities of the release at the true value {format_input_up(result.setting.true_value)}: the truncated noise"
        f" has no mass at the bounds; BIT releases the lower one with probability {number_format.percent(low, 3)} and"
        f" the upper one with {number_format.percent(high, 3)}."
    )


def error_words(result: Bounded) -> str:
    """Which mechanism of pure DP errs least at the middle, at a bound and at its worst."""
    truncated, bit = result.errors(TRUNCATED.key), result.errors(BIT.key)
    middle, end = len(bit) // 2, 0
    return (
        "Of the two exact mechanisms of pure DP the least root mean squared error in the middle of the bounds is that "
        f"of {_least(truncated[middle], bit[middle])}, at a bound that of {_least(truncated[end], bit[end])}; the "
        f"least largest error is that of **{_least(truncated.max(), bit.max())}**."
    )


def _least(truncated: float, bit: float) -> str:
    """The mechanism of the smaller of two errors, with both."""
    if format_nearest(truncated) == format_nearest(bit):
        return f"either ({format_nearest(bit)})"
    (least, name), (most, _) = sorted([(truncated, "truncated noise"), (bit, "BIT")])
    return f"{name} ({format_nearest(least)} against {format_nearest(most)})"


def exponential_answer(result: GeneralizedGaussianResult) -> tuple[str, ...] | None:
    """The scales of the exponential mechanism beside the truncated mechanism's; None without an answer."""
    here, before = result.bounded, result.pinned and result.pinned.bounded
    if here is None:
        return None
    setting, b = here.setting, here.scale
    lemma = f"b = {format_up(b[LEMMA.key])} by Lemma 10, " if LEMMA.key in b else ""
    sentence = (
        f"At ε = {format_input_up(setting.epsilon)}, p = {format_input_up(setting.p)} and width"
        f" {format_input_down(setting.width)} the exponential mechanism has {lemma}b = {format_up(b[EXPONENTIAL.key])}"
        f" with the exact Δᵤ, {format_up(b[PUBLISHED.key])} by the truncated mechanism's Eq. 7–8, and"
        f" {format_up(b[TRUNCATED.key])} is enough."
    )
    same = "All are the same truncated noise and keep pure ε; only what is proved of b differs: use the least."
    if before is None:
        return sentence, same
    keys = (("exact Δᵤ", EXPONENTIAL.key), ("enough", TRUNCATED.key))
    changes = (f"{name} b {format_up(before.scale[key])} → {format_up(b[key])}" for name, key in keys)
    return sentence, same, f"Pinned ({_kept(before.setting)}) → now: {', '.join(changes)}."


def exponential_words(result: Bounded) -> str:
    """What Δᵤ and Lemma 10 are, and on what the latter depends."""
    setting, b = result.setting, result.scale
    said = (
        "Δᵤ is how far one record moves the utility −|x − s|^p; Lemma 10 is the paper's bound on it. BIT and clipped "
        "noise are another release: compare them by their errors within the bounds."
    )
    if LEMMA.key not in b:
        return f"{said} Lemma 10 speaks of whole p only."
    if setting.p < 3:
        return said
    if result.centred_lemma >= b[LEMMA.key] * (1 - 1e-3):
        return f"{said} From p = 3 on Lemma 10 depends on where 0 lies: away from it the same width has a larger b."
    return (
        f"{said} From p = 3 on Lemma 10 depends on where 0 lies: with 0 in the middle of the same width it is "
        f"{format_up(result.centred_lemma)}."
    )


def table_html(result: Bounded, before: Bounded | None = None) -> str:
    """Every mechanism in numbers, as an accessible HTML table; with a kept setting, its b over that one's."""
    setting = result.setting
    at = f"<span>at s = {format_input_up(setting.true_value)}</span>"
    heads = ["Mechanism", "b, query units", "Promise", "Pure ε kept", f"Bias {at}", f"RMS error {at}", "Largest error"]
    heads += [] if before is None else ["b ÷ pinned b"]
    rows = []
    for each in MECHANISMS:
        if each.key in result.scale:
            promise = f"(ε, δ)-DP, δ = {format_input_up(setting.delta)}" if each is CLIPPED else "pure ε-DP"
            errors = result.bias(each.key), result.error(each.key), float(result.errors(each.key).max())
            cells = [
                format_up(result.scale[each.key]),
                promise,
                kept(result, each.key),
                *(format_nearest(error) for error in errors),
            ]
            if before is not None:
                was = before.scale.get(each.key)
                cells.append("–" if was is None else format_nearest(result.scale[each.key] / was))
            rows.append([each.name, *cells])
    return number_format.table_html("Mechanisms within bounds in numbers", "readings", heads, rows)


def csv_header(result: GeneralizedGaussianResult) -> dict[str, Any]:
    """The parameters and units for the top of a CSV, with the kept setting's, if there is one."""
    setting = result.setting
    pinned = {} if result.pinned is None else {"pinned": _kept(result.pinned.setting)}
    return (
        setting.header
        | pinned
        | {
            "p": repr(setting.p),
            "bound_low": repr(setting.bound_low),
            "bound_high": repr(setting.bound_high),
            "true_value": repr(setting.true_value),
            "sensitivity used": repr(setting.moved),
            "units": "epsilon in nats; delta a probability; bounds, scales b and errors in query units",
        }
    )


def subtitle(setting: GeneralizedGaussianSetting, *, shape: bool = True, bounds: bool = True) -> str:
    """The parameters of a picture."""
    parts = [f"ε = {format_input_up(setting.epsilon)}, δ = {format_input_up(setting.delta)}, Δ = {moved_text(setting)}"]
    parts += [f"p = {format_input_up(setting.p)}"] if shape else []
    parts += (
        [f"bounds {format_input_down(setting.bound_low)} to {format_input_up(setting.bound_high)}"] if bounds else []
    )
    return ", ".join(parts)


def explanation(result: GeneralizedGaussianResult) -> str:
    """How the numbers within bounds are computed, or that there are none at this ε."""
    return " ".join(no_answer(result.setting)) if result.bounded is None else _formulas(result.bounded)


def _formulas(result: Bounded) -> str:
    """Formulas with the user's numbers, sources, notion and range."""
    setting = result.setting
    e, p, w, moved = (
        tex(each)
        for each in (
            format_input_up(setting.epsilon),
            format_input_up(setting.p),
            format_input_down(setting.width),
            moved_text(setting),
        )
    )
    b = {key: tex(format_up(scale)) for key, scale in result.scale.items()}
    lemma = (
        "$\\Delta_u\\le\\Delta$ for p = 1, $2\\Delta W$ for p = 2, and from p = 3 on "
        "$\\sum_j\\binom pj\\max(|c_0|,|c_1|)^{p-j}\\Delta^{(j)}$, where $\\Delta^{(j)}$ is the sensitivity of $s^j$"
    )
    lemma += f": $b={b[LEMMA.key]}$." if LEMMA.key in b else "; it speaks of whole p only."
    return f"""**Within bounds.** One statistic in $[c_0,c_1]$, $W=c_1-c_0={w}$, that neighbours move by at most
$\\Delta={moved}$; pure $\\varepsilon$-DP unless said otherwise; every real p from 1 on (the paper: whole p).

**Truncated, published** (Liu 2019, Definition 5, Eq. 7–8): density $\\propto e^{{-(|x-s|/b)^p}}$ on $[c_0,c_1]$ with
$b=\\left(\\tfrac2\\varepsilon\\left[(W+\\Delta)^p-W^p\\right]\\right)^{{1/p}}={b[PUBLISHED.key]}$ at $p={p}$,
$\\varepsilon={e}$. The bracket is the paper's sum $\\sum_{{j=1}}^p\\binom pj W^{{p-j}}\\Delta^j$.

**Truncated, exact** (own): the least b with
$\\max_s\\,\\log f(c_0;s)-\\log f(c_0;s+\\Delta)=\\varepsilon$, the largest log ratio of densities there is:
$b={b[TRUNCATED.key]}$.

**BIT, exact** (Liu 2019, Definition 7, whose Eq. 9 lacks a minus sign and which leaves b unsolved; own): what falls
outside is moved to the nearer bound. The worst outcome is the bound farthest from the truth:
$\\log\\frac{{\\Pr(e>W-\\Delta)}}{{\\Pr(e>W)}}=\\varepsilon$ gives $b={b[BIT.key]}$.

**$(\\varepsilon,\\delta)$ noise, clipped**: $b={b[CLIPPED.key]}$ is the tight b of $(\\varepsilon,\\delta)$-DP without
bounds; clipping is post-processing. At the same b it is the BIT mechanism, so it keeps a pure $\\varepsilon$ too:
{kept(result, CLIPPED.key)}. Drawing again until the release is inside, which section 2.6 also calls post-processing,
is none: how often it draws depends on the truth.

**Exponential mechanism** (Liu 2019, Eq. 15–16), utility $-|x-s|^p$: the same truncated noise with
$b=(2\\Delta_u/\\varepsilon)^{{1/p}}$. Exact (own): $\\Delta_u=W^p-(W-\\Delta)^p$, $b={b[EXPONENTIAL.key]}$; so the
bracket of Eq. 7–8 can be tightened to it as well. Lemma 10: {lemma}

**Errors** at the true value s are integrals of the release's density, in closed form by incomplete gamma functions."""
