"""The part of the generalized Gaussian's page on statistics with bounds: its parameters, words, charts and table."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dpcore.generalized_gaussian import bounded_comparison as comparison
from dpcore.generalized_gaussian.bounded_comparison import BIT, CLIPPED, EXPONENTIAL, LEMMA, PUBLISHED, TRUNCATED
from dpcore.generalized_gaussian.exponential import lemma_exponential_scale
from dpcore.queries import BOUND_RANGE
from pages.shared import export, inputs, text
from pages.shared.figures import bounded as figures
from pages.shared.inputs import Choice, Quantity
from pages.shared.text import nearest, tex, up

LOW = Quantity(
    "bound_low",
    "c₀",
    "Lower bound c₀ of the statistic, in query units",
    "Known before anybody looks at the data. It is public.",
    BOUND_RANGE,
    "0",
    "",
    (),
)
HIGH = Quantity(
    "bound_high",
    "c₁",
    "Upper bound c₁ of the statistic, in query units",
    "Known before anybody looks at the data. It is public.",
    BOUND_RANGE,
    "10",
    "",
    (),
)
VALUE = Quantity(
    "true_value",
    "s",
    "True value s of the statistic, between the bounds",
    "Errors depend on it: near a bound noise can only push inwards. It has no effect on privacy.",
    BOUND_RANGE,
    "2",
    "",
    (),
)
MEASURE = Choice("bounded_error", "error", {"rmse": "Root mean squared error", "bias": "Bias"}, "rmse")
SCALE = Choice("bounded_scale", "scale shown", figures.SCALES, "ratio")
OWN = (LOW, HIGH, VALUE, MEASURE, SCALE)
LEAST_EPSILON = 1e-30


@dataclass(frozen=True)
class Setting:
    """The statistic and its promise: bounds, true value s, Δ as given and as it can be within the bounds, ε, δ, p."""

    epsilon: float
    delta: float
    p: float
    low: float
    high: float
    value: float
    sensitivity: float
    moved: float

    @property
    def width(self) -> float:
        """c₁ − c₀."""
        return self.high - self.low


@dataclass(frozen=True)
class Found:
    """What the true value does not change: b and pure ε of each mechanism, errors, b over p and the width."""

    scale: dict[str, float]
    kept: dict[str, float]
    clipping_width: float
    errors: pd.DataFrame
    along_shape: pd.DataFrame
    along_width: pd.DataFrame


def setting_of(values: dict[str, Any]) -> tuple[Setting, list[str]]:
    """The setting that the parameters describe, and a sentence for each of them that is replaced by another."""
    said = []
    low, high, value = values["bound_low"], values["bound_high"], values["true_value"]
    if not high - low >= 1e-100:
        said.append(
            f"c₀ (bound_low) must be below c₁ (bound_high); {nearest(low, 17)} and {nearest(high, 17)} were given. "
            f"{LOW.default} and {HIGH.default} are used instead."
        )
        low, high = float(LOW.default), float(HIGH.default)
    if not low <= value <= high:
        used = min(max(value, low), high)
        said.append(
            f"s (true_value) must be from c₀ to c₁; {nearest(value, 17)} was given. {nearest(used, 17)} is used "
            "instead."
        )
        value = used
    given = values["l2_sensitivity"]
    moved = float(comparison.bounded_sensitivity(given, low, high))
    return Setting(values["epsilon"], values["delta"], values["p"], low, high, value, given, moved), said


@st.cache_resource(max_entries=64)  # shared and never changed
def found_for(epsilon: float, delta: float, p: float, low: float, high: float, sensitivity: float) -> Found:
    """Everything that the true value does not change."""
    width, moved = high - low, float(comparison.bounded_sensitivity(sensitivity, low, high))
    shapes, tops = np.union1d(figures.SHAPES, p), low + figures.width_grid(moved, width)
    tops = tops[tops - low > 0]  # far from 0 the narrowest bounds are one number
    of_shapes = np.append(shapes, np.full(tops.size, p))  # one call for both curves: a solver's steps are shared
    of_tops = np.append(np.full(shapes.size, high), tops)
    solved = comparison.scales(epsilon, delta, of_shapes, low, of_tops, sensitivity)
    along_shape, along_width = solved.iloc[: shapes.size].copy(), solved.iloc[shapes.size :].copy()
    scale = along_shape.iloc[np.searchsorted(shapes, p)].dropna().to_dict()
    along_shape.insert(0, "p", shapes)
    along_width.insert(0, "width", tops - low)
    kept = comparison.kept_epsilon(scale, p, width, moved)
    wide = comparison.clipping_width(epsilon, scale[CLIPPED.key], p, moved)
    errors = comparison.errors(scale, p, low, high, np.linspace(low, high, 101))
    return Found(scale, kept, wide, errors, along_shape, along_width)


def section(values: dict[str, Any], colour: dict[str, str], picture: str) -> None:
    """Draw the part on bounds and that on the exponential mechanism."""
    setting, said = setting_of(values)
    possible = setting.epsilon >= LEAST_EPSILON
    st.header("When the statistic has bounds")
    found = here = None
    if possible:
        numbers = (setting.epsilon, setting.delta, setting.p, setting.low, setting.high, setting.sensitivity)
        found = found_for(*numbers)
        here = comparison.errors(found.scale, setting.p, setting.low, setting.high, setting.value).iloc[0].to_dict()
        st.markdown(answer(setting, found, here))
    else:
        st.markdown(no_answer(setting))
    with st.container(border=True):
        for column, quantity in zip(st.columns(3), (LOW, HIGH, VALUE), strict=True):
            with column:
                inputs.quantity_field(quantity)
        if said:
            with st.container(key="problem_bounds"):
                for sentence in said:
                    st.text(sentence)
        st.text(sensitivity_words(setting))
    if found is None or here is None:
        return
    header, common = csv_header(setting), subtitle(setting)
    inputs.choice_field(MEASURE, "Error over the true value")
    left, right = st.columns(2)
    shown = {each.key: found.scale[each.key] for each in (TRUNCATED, BIT, CLIPPED)}
    between = (setting.p, setting.low, setting.high)
    with right:
        places = figures.place_grid(shown, setting.value, setting.low, setting.high)
        frame = comparison.densities(shown, setting.value, *between, places)
        masses = {
            key: (float(ends[0]), float(ends[1]))
            for key, ends in comparison.end_masses(shown, setting.value, *between).items()
        }
        figure = figures.density_figure(frame, masses, setting.value, common, colour)
        ends = {f"mass of {key} at c₀ and c₁": f"{a!r}, {b!r}" for key, (a, b) in masses.items()}
        export.chart("bounded_densities", figure, density_words(setting, masses), picture, frame, header | ends)
    with left:
        figure = figures.error_figure(found.errors, values["bounded_error"], setting.value, common, colour)
        alt = error_words(setting, found)
        export.chart("bounded_errors", figure, text.unmarked(alt), picture, found.errors, header)
    st.markdown(f"{alt} {CLIPPING}")
    st.header("Against the exponential mechanism")
    words = exponential_words(setting, found)
    st.markdown(words)
    inputs.choice_field(SCALE, "Show")
    drawn = values["bounded_scale"]
    left, right = st.columns(2)
    with left:
        figure = figures.shape_figure(found.along_shape, setting.p, drawn, subtitle(setting, shape=False), colour)
        export.chart("bounded_shapes", figure, text.unmarked(words), picture, found.along_shape, header)
    with right:
        where = f"{subtitle(setting, bounds=False)}, c₀ = {nearest(setting.low)}"
        figure = figures.width_figure(found.along_width, setting.moved, setting.width, drawn, where, colour)
        export.chart("bounded_widths", figure, text.unmarked(words), picture, found.along_width, header)
    st.html(table_html(setting, found, here))
    st.markdown(ROUNDING)


CLIPPING = (
    "Clipping what leaves the bounds is post-processing, so it keeps the promise of the noise; drawing again until the "
    "release is inside is not: that is the truncated mechanism, and it needs its own b."
)
ROUNDING = (
    "b and ε are rounded up to four digits, errors to the nearest. *Pure ε kept* is the least ε of pure DP that the "
    "noise gives within these bounds, whatever it was made for; the largest error is over 101 true values."
)


def no_answer(setting: Setting) -> str:
    """What is said where ε is too small for noise of pure DP."""
    return (
        f"At ε = {nearest(setting.epsilon, 17)} pure DP within bounds has no answer: the release may hardly depend on "
        f"the data, so b would be infinite, or nearly so. Choose an ε of at least {nearest(LEAST_EPSILON)}."
    )


def answer(setting: Setting, found: Found, here: dict[str, float]) -> str:
    """The scales that pure ε needs within the bounds, what the published one wastes, and what clipping costs."""
    b, kept = found.scale, found.kept
    excess = (here["published_rmse"] / here["truncated_rmse"]) ** 2 - 1
    wider = (b[PUBLISHED.key] / b[TRUNCATED.key]) ** 2 - 1
    rival = "less than BIT's, for a weaker promise"
    if b[CLIPPED.key] >= b[BIT.key]:
        rival = "more than BIT's, for a weaker promise"
        if np.isfinite(found.clipping_width):
            rival += f"; between bounds wider than {nearest(found.clipping_width)} it would be less"
    return (
        f"**Between {_signed(setting.low)} and {_signed(setting.high)}, p = {nearest(setting.p, 17)} keeps pure "
        f"ε = {nearest(setting.epsilon, 17)}: truncated noise with b = {up(b[TRUNCATED.key])}, noise clipped to the "
        f"bounds (BIT) with b = {up(b[BIT.key])}.** The published truncated b = {up(b[PUBLISHED.key])} (Liu's Eq. 7–8) "
        f"means {_more(wider)} variance before truncation and {_more(excess)} squared error at "
        f"s = {nearest(setting.value, 17)} than needed, and really keeps ε = {up(kept[PUBLISHED.key])}. Clipped noise "
        f"of (ε, δ)-DP has b = {up(b[CLIPPED.key])}: {rival}."
    )


def _more(share: float) -> str:
    percent = f"{nearest(100 * max(share, 0), 2)} % more"
    return percent if share < 9 else f"{nearest(1 + share, 2)} times the"


def sensitivity_words(setting: Setting) -> str:
    """Which Δ is used, and why where it is not the one at the side."""
    given, width = nearest(setting.sensitivity, 17), nearest(setting.width, 6)
    if setting.sensitivity > setting.width:
        return (
            f"The sensitivity at the side, {given}, is more than c₁ − c₀ = {width}: between the bounds the statistic "
            f"can't move further than that, so Δ = {width} here."
        )
    if setting.sensitivity < setting.moved:
        return (
            f"The sensitivity at the side, {given}, is less than 1e-9 of c₁ − c₀ = {width}: Δ = {up(setting.moved)} is "
            "used here, which is more noise than is needed."
        )
    return f"Δ = {given}, the ℓ₂ sensitivity at the side: for one statistic it is the same in every norm."


def density_words(setting: Setting, masses: dict[str, tuple[float, float]]) -> str:
    """What the picture of densities shows."""
    low, high = masses[BIT.key]
    return (
        f"Densities of the release at the true value {nearest(setting.value)}: the truncated noise has no mass at the "
        f"bounds; BIT releases the lower one with probability {text.percent(low, 3)} and the upper one with "
        f"{text.percent(high, 3)}."
    )


def error_words(setting: Setting, found: Found) -> str:
    """Which mechanism of pure DP errs least at the middle, at a bound and at its worst."""
    middle, end = len(found.errors) // 2, 0
    rows = {each.key: found.errors[f"{each.key}_rmse"].to_numpy() for each in (TRUNCATED, BIT)}
    named = {TRUNCATED.key: "truncated noise", BIT.key: "BIT"}

    def least(errors: dict[str, float]) -> str:
        first, second = sorted(errors, key=errors.__getitem__)
        return f"{named[first]} ({nearest(errors[first])} against {nearest(errors[second])})"

    return (
        f"Of the two exact mechanisms of pure DP the least error in the middle of the bounds is that of "
        f"{least({key: float(row[middle]) for key, row in rows.items()})}, at a bound that of "
        f"{least({key: float(row[end]) for key, row in rows.items()})}; the least largest error is that of "
        f"**{least({key: float(row.max()) for key, row in rows.items()})}**."
    )


def exponential_words(setting: Setting, found: Found) -> str:
    """The scales of the exponential mechanism beside the truncated mechanism's."""
    b = found.scale
    place = f"At ε = {nearest(setting.epsilon, 17)}, p = {nearest(setting.p, 17)} and width {nearest(setting.width)}"
    exact = (
        f"b = {up(b[EXPONENTIAL.key])} with the exact Δᵤ, {up(b[PUBLISHED.key])} by the truncated mechanism's Eq. 7–8, "
        f"and {up(b[TRUNCATED.key])} is enough"
    )
    same = (
        "All are the same truncated noise and keep pure ε; only what is proved of b differs. BIT and clipped noise are "
        "another release: compare them by their errors above."
    )
    if LEMMA.key not in b:
        return f"**{place} the exponential mechanism has {exact}.** {same} Lemma 10 speaks of whole p only."
    said = f"**{place} the exponential mechanism has b = {up(b[LEMMA.key])} by Lemma 10, {exact}.** {same}"
    if setting.p < 3:
        return said
    half = setting.width / 2
    centred = float(lemma_exponential_scale(setting.epsilon, setting.p, [setting.moved], [-half], [half]))
    if centred >= b[LEMMA.key] * (1 - 1e-3):
        return f"{said} From p = 3 on Lemma 10 depends on where 0 lies: away from it the same width has a larger b."
    return (
        f"{said} From p = 3 on Lemma 10 depends on where 0 lies: with 0 in the middle of the same width it is "
        f"{up(centred)}."
    )


def table_html(setting: Setting, found: Found, here: dict[str, float]) -> str:
    """Every mechanism in numbers, as an accessible HTML table."""
    at = f"<span>at s = {nearest(setting.value)}</span>"
    heads = ["Mechanism", "b, query units", "Promise", "Pure ε kept", f"Bias {at}", f"RMS error {at}", "Largest error"]
    rows = []
    for each in comparison.MECHANISMS:
        if each.key in found.scale:
            promise = f"(ε, δ)-DP, δ = {nearest(setting.delta, 17)}" if each is CLIPPED else "pure ε-DP"
            errors = (
                here[f"{each.key}_bias"],
                here[f"{each.key}_rmse"],
                found.errors[f"{each.key}_rmse"].to_numpy().max(),
            )
            kept = up(found.kept[each.key])
            rows.append([each.name, up(found.scale[each.key]), promise, kept, *(nearest(error) for error in errors)])
    return text.table_html("Mechanisms within bounds in numbers", "readings", heads, rows)


def csv_header(setting: Setting) -> dict[str, object]:
    """The parameters and units for the top of a CSV."""
    return {
        "epsilon": repr(setting.epsilon),
        "delta": repr(setting.delta),
        "p": repr(setting.p),
        "bound_low": repr(setting.low),
        "bound_high": repr(setting.high),
        "true_value": repr(setting.value),
        "sensitivity": repr(setting.moved),
        "units": "epsilon in nats; delta a probability; bounds, scales b and errors in query units",
    }


def subtitle(setting: Setting, *, shape: bool = True, bounds: bool = True) -> str:
    """The parameters of a picture, in lines that fit a phone."""
    first = f"ε = {nearest(setting.epsilon)}, δ = {nearest(setting.delta)}, Δ = {nearest(setting.moved)}"
    second = [f"p = {nearest(setting.p)}"] if shape else []
    if bounds:
        second.append(f"bounds {_signed(setting.low)} to {_signed(setting.high)}")
    return f"{first}<br>{', '.join(second)}"


def explanation(values: dict[str, Any]) -> str:
    """How the numbers within bounds are computed: formulas with the user's numbers, sources, notion and range."""
    setting, _ = setting_of(values)
    if setting.epsilon < LEAST_EPSILON:
        return no_answer(setting)
    found = found_for(setting.epsilon, setting.delta, setting.p, setting.low, setting.high, setting.sensitivity)
    e, p, w, moved = (tex(nearest(each, 17)) for each in (setting.epsilon, setting.p, setting.width, setting.moved))
    b = {key: tex(up(scale)) for key, scale in found.scale.items()}
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
{up(found.kept[CLIPPED.key])}. Drawing again until the release is inside, which section 2.6 also calls post-processing,
is none: how often it draws depends on the truth.

**Exponential mechanism** (Liu 2019, Eq. 15–16), utility $-|x-s|^p$: the same truncated noise with
$b=(2\\Delta_u/\\varepsilon)^{{1/p}}$. Exact (own): $\\Delta_u=W^p-(W-\\Delta)^p$, $b={b[EXPONENTIAL.key]}$; so the
bracket of Eq. 7–8 can be tightened to it as well. Lemma 10: {lemma}

**Errors** at the true value s are integrals of the release's density, in closed form by incomplete gamma functions."""


def _signed(value: float) -> str:
    return nearest(value, 6)
