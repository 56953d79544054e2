"""The section on Liu's Lemma 10: the exponential mechanism within the bounds of a statistic."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian.bounded_comparison import EXPONENTIAL, LEMMA, PUBLISHED, TRUNCATED
from pages.framework.chart.theme import hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.panels import program, unavailable
from pages.framework.layout.section import Claim, Field, Fields, Part, Section, Snippet
from pages.framework.parameters.number_format import (
    format_input_down,
    format_input_up,
    format_up,
    pin_sentence,
    tex,
    without_markdown,
)
from pages.papers.parameters import OVER, SCALE
from pages.papers.results import ExponentialResult, PapersResult, width_decades
from pages.shared.bounded_noise import (
    BOUNDED_LOOKS,
    BOUNDED_NAMES,
    HIGH,
    LOW,
    NO_BOUNDS,
    UNPROVED_TEXT,
    BoundedSetting,
    P,
    bounds_assignment,
    no_answer_text,
    pinned_lines,
    sensitivity_text,
    used_sensitivity_text,
)
from pages.shared.other_libraries import DPCORE
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY


def _scales_figure(
    result: PapersResult, scales: pd.DataFrame, axis: dict[str, Any], title: str, subtitle: str, colours: Colours
) -> Figure:
    """Draw b over the first column, or its ratio to that of exact truncated noise; Lemma 10's are points at whole p."""
    along, quantity = scales.columns[0], result.values["bounded_scale"]
    x, columns = scales[along].to_numpy(), _scale_columns(scales, quantity)
    title = f"{_TITLES[quantity]}, over {title}"
    figure = layout(colours, title, subtitle, axis, _scale_axis(columns, quantity))
    traces = []
    if result.pinned is not None and result.pinned.exponential is not None:
        pinned = result.pinned.exponential.scales_over(along)
        pinned_frame = pd.DataFrame({along: pinned[along], **_scale_columns(pinned, quantity)})
        traces = pinned_lines(pinned_frame, along, [key for key in columns if key in pinned_frame], colours)
    for key, b in columns.items():
        is_known = np.isfinite(b)
        shade, dash = colours[BOUNDED_LOOKS[key][0]], BOUNDED_LOOKS[key][1]
        style = {"hovertemplate": "%{y:.4~g}"}
        if not is_known.all():
            style |= {"mode": "markers", "marker": {"color": shade, "size": 7, "symbol": "diamond"}}
        traces.append(line(x[is_known], b[is_known], BOUNDED_NAMES[key], shade, dash, **style))
    return {"data": traces, "layout": figure}


def _scale_columns(frame: pd.DataFrame, quantity: str) -> dict[str, Array]:
    """Return every mechanism's b, or its ratio to exact truncated noise."""
    unit = frame["truncated"].to_numpy() if quantity == "ratio" else 1.0
    return {key: frame[key].to_numpy() / unit for key in BOUNDED_NAMES if np.isfinite(frame[key].to_numpy()).any()}


def _scale_axis(columns: dict[str, Array], quantity: str) -> dict[str, Any]:
    """Return a log axis that ends at 1, 2 or 5 times a power of ten; ratios of the clipped noise may exceed it."""
    parts = [b for key, b in columns.items() if quantity == "scale" or key != "clipped"]
    low, high = (float(end(np.concatenate(parts))) for end in (np.nanmin, np.nanmax))
    if quantity == "ratio":
        low, high = min(low, 0.2), max(high, 5.0)
    first, last = rounded_axis_end(low, BELOW), rounded_axis_end(high, ABOVE)
    name = "scale b (query units)" if quantity == "scale" else "b ÷ exact truncated b"
    decade = math.floor(math.log10(first))
    marks = [float(f"{mantissa}e{decade + n}") for n in range(5) for mantissa in (1, 2, 5)]
    fitting = tuple(mark for mark in marks if first * 0.99 < mark < last * 1.01)
    ends = [math.log10(first), math.log10(last)]
    axis = log_axis(name, decade, math.ceil(ends[1]), marks=fitting if last / first < 2000 else ())
    return axis | {"range": ends}


def rounded_axis_end(value: float, mantissas: tuple[int, int, int]) -> float:
    """Return 1, 2 or 5 times a power of ten next to a value, below or above it by the mantissas.

    >>> rounded_axis_end(3, BELOW), rounded_axis_end(3, ABOVE), rounded_axis_end(0.2, BELOW), rounded_axis_end(5, ABOVE)
    (2.0, 5.0, 0.2, 5.0)
    """
    decade = math.floor(math.log10(value) + 1e-9)
    size = value / 10.0**decade
    place = 0 if size < 2 - 1e-6 else 1 if size < 5 - 1e-6 else 2
    exact = min(abs(size - step) for step in (1, 2, 5)) < 1e-6
    return float(f"{(BELOW if exact else mantissas)[place]}e{decade}")


BELOW, ABOVE = (1, 2, 5), (2, 5, 10)
_SHAPE_MARKS = (1, 2, 3, 4, 6, 10, 20, 40, 64)
_TITLES = {"ratio": "Scale b relative to exact truncated noise", "scale": "Scale b of each mechanism"}

_LEMMA = (
    "Δᵤ is the largest change of the utility −|x − s|^p between neighbours, and Lemma 10 is the paper’s bound on it. "
    "BIT and clipped noise release other values: compare them by their errors, in “Within bounds” of the page "
    "Generalized Gaussian."
)


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return the scale of the exponential mechanism beside that of truncated noise, and which one to use."""
    exponential, pinned = result.exponential, result.pinned and result.pinned.exponential
    if exponential is None:
        return no_answer_text(result.bounded_setting)
    b = exponential.scale
    key = LEMMA.key if LEMMA.key in b else EXPONENTIAL.key  # Lemma 10 is for whole p alone
    by = "of Lemma 10" if key == LEMMA.key else "with the exact Δᵤ"
    sentences = (
        f"The exponential mechanism {by} has scale b = {format_up(b[key])}; exact truncated noise requires only"
        f" b = {format_up(b[TRUNCATED.key])} (ε = {format_input_up(exponential.setting.epsilon)}).",
        "Both add the same truncated noise and satisfy pure ε-DP; only the proof of b differs, so use the smaller b.",
    )
    if pinned is None:
        return sentences
    keys = (("exact Δᵤ", EXPONENTIAL.key), ("exact truncated", TRUNCATED.key))
    changes = (f"{name} b {format_up(pinned.scale[key])} → {format_up(b[key])}" for name, key in keys)
    return *sentences, pin_sentence(", ".join(changes), setting_text(pinned.setting))


def scales_text(exponential: ExponentialResult) -> str:
    """Return all scales of the truncated noise at the setting."""
    b = exponential.scale
    lemma = f"{format_up(b[LEMMA.key])} by Lemma 10, " if LEMMA.key in b else ""
    return (
        f"**The scale b** of the exponential mechanism is {lemma}{format_up(b[EXPONENTIAL.key])} with the exact Δᵤ. "
        f"For the truncated mechanism Eq. 7–8 of the paper give {format_up(b[PUBLISHED.key])}, and"
        f" {format_up(b[TRUNCATED.key])} is sufficient. All are rounded up."
    )


def lemma_text(exponential: ExponentialResult) -> str:
    """Return what Δᵤ and Lemma 10 are, and on what Lemma 10 depends."""
    setting, b = exponential.setting, exponential.scale
    if LEMMA.key not in b:
        return f"{_LEMMA} Lemma 10 holds for whole p only."
    if setting.p < 3:
        return _LEMMA
    if exponential.centred_lemma >= b[LEMMA.key] * (1 - 1e-3):
        return f"{_LEMMA} From p = 3 on, its b grows with the distance of the bounds from 0."
    return (
        f"{_LEMMA} From p = 3 on, its b grows with the distance of the bounds from 0: with 0 in the middle of the same "
        f"width it is {format_up(exponential.centred_lemma)}."
    )


def recommendation_text(exponential: ExponentialResult) -> str:
    """Return what to take of the paper."""
    b = format_up(exponential.scale[TRUNCATED.key])
    return (
        f"**What to do.** Add truncated noise with b = {b}. Sample it with care: the guarantee holds for real numbers, "
        "and no floating-point-safe sampler of this noise is published."
    )


def alternative_text(result: PapersResult) -> str:
    """Return the text alternative of both pictures."""
    exponential = result.exponential
    scales = [] if exponential is None else [without_markdown(scales_text(exponential))]
    return " ".join((*answer_text(result), *scales))


def setting_text(setting: BoundedSetting) -> str:
    """Return a pinned setting in one line."""
    return f"{subtitle_over_width(setting)}, c₁ = {format_input_up(setting.bound_high)}"


def subtitle_over_width(setting: BoundedSetting) -> str:
    """Return the parameters of the picture over the width."""
    p, low = format_input_up(setting.p), format_input_down(setting.bound_low)
    return f"{_guarantee_text(setting)}, p = {p}, c₀ = {low}"


def _guarantee_text(setting: BoundedSetting) -> str:
    return f"{setting.guarantee_text} (clipped noise), Δ = {used_sensitivity_text(setting)}"


def explanation_text(result: PapersResult) -> str:
    """Return how the scales are computed, with the user's numbers, or that there are none at this ε."""
    exponential, setting = result.exponential, result.bounded_setting
    if exponential is None:
        return " ".join(no_answer_text(setting))
    b = {key: tex(format_up(scale)) for key, scale in exponential.scale.items()}
    lemma = f"Here $b={b[LEMMA.key]}$." if LEMMA.key in b else "It holds for whole p only."
    return _TEMPLATE.format(
        e=tex(format_input_up(setting.epsilon)),
        p=tex(format_input_up(setting.p)),
        w=tex(format_input_down(setting.width)),
        sensitivity=tex(used_sensitivity_text(setting)),
        lemma=lemma,
        exponential=b[EXPONENTIAL.key],
        published=b[PUBLISHED.key],
        truncated=b[TRUNCATED.key],
    )


_TEMPLATE = r"""
**Setting.** One statistic in $[c_0,c_1]$, $W=c_1-c_0={w}$, which changes by at most $\Delta={sensitivity}$ between
neighbours; $\varepsilon={e}$, $p={p}$. Every mechanism here satisfies pure $\varepsilon$-DP.

**Exponential mechanism** (Liu 2019, Eq. 15–16) with utility $u=-|x-s|^p$: truncated noise of density
$\propto e^{{-(|x-s|/b)^p}}$ on $[c_0,c_1]$ with $b=(2\Delta_u/\varepsilon)^{{1/p}}$, where $\Delta_u$ is the largest
change of the utility between neighbours.

**Lemma 10** (Liu 2019): $\Delta_u\le\Delta$ for p = 1, $2\Delta W$ for p = 2, and from p = 3 on
$\sum_j\binom pj\max(|c_0|,|c_1|)^{{p-j}}\Delta^{{(j)}}$, where $\Delta^{{(j)}}$ is the sensitivity of $s^j$. {lemma}

**Exact $\Delta_u$** (own derivation): $\Delta_u=W^p-(W-\Delta)^p$ gives $b={exponential}$.

**Truncated mechanism, published** (Liu 2019, Definition 5, Eq. 7–8):
$b=\left(\tfrac2\varepsilon\left[(W+\Delta)^p-W^p\right]\right)^{{1/p}}={published}$.

**Truncated mechanism, exact** (own derivation): the least b with
$\max_s\,\log f(c_0;s)-\log f(c_0;s+\Delta)=\varepsilon$, the largest log ratio of densities: $b={truncated}$.
""".strip()


def scales_over_p(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the scale of each mechanism over p."""
    exponential = result.exponential
    if exponential is None:
        return None
    setting, scales = exponential.setting, exponential.scales_over("p")
    axis = log_axis("shape p", 0, 2, marks=_SHAPE_MARKS) | {"range": [0, math.log10(64) + 0.02]} | hover_head("p")
    bounds = f"bounds {format_input_down(setting.bound_low)} to {format_input_up(setting.bound_high)}"
    subtitle = f"{_guarantee_text(setting)}, {bounds}"
    figure = _scales_figure(result, scales, axis, "p (Liu 2019, Lemma 10)", subtitle, colours)
    hairline(figure["layout"], colours, setting.p, f"p = {format_input_up(setting.p)}", "p")
    return Exhibit("bounded_shapes", figure, alternative_text(result), scales, csv_header(result), ("p", ""))


def scales_over_width(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the scale of each mechanism over the width of the bounds."""
    exponential = result.exponential
    if exponential is None:
        return None
    setting, scales = exponential.setting, exponential.scales_over("width")
    ends = width_decades(setting.bounded_sensitivity, setting.width)
    axis = log_axis("width of the bounds c₁ − c₀ (query units)", *ends) | hover_head("c₁ − c₀")
    figure = _scales_figure(result, scales, axis, "the width", subtitle_over_width(setting), colours)
    hairline(figure["layout"], colours, setting.width, f"c₁ − c₀ = {format_input_down(setting.width)}")
    return Exhibit("bounded_widths", figure, alternative_text(result), scales, csv_header(result))


def csv_header(result: PapersResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV, with those of the pinned setting."""
    setting = result.bounded_setting
    pinned = {} if result.pinned is None else {"pinned": setting_text(result.pinned.bounded_setting)}
    bounds = setting.texts("p", "bound_low", "bound_high")
    used = {"sensitivity used": repr(setting.bounded_sensitivity)}
    units = {"units": "epsilon in nats; delta a probability; bounds and scales b in query units"}
    return setting.csv_header | pinned | bounds | used | units


_LINES = {
    LEMMA.key: "lemma_exponential_scale(epsilon, p, [sensitivity], [low], [high])",
    EXPONENTIAL.key: "bounded_exponential_scale(epsilon, p, [sensitivity], [high - low])",
    PUBLISHED.key: "truncated_scale(epsilon, p, [sensitivity], [high - low])",
    TRUNCATED.key: "exact_truncated_scale(epsilon, p, high - low, sensitivity)",
}


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return the code of the scales; nothing where there is no answer."""
    exponential = result.exponential
    if exponential is None:
        return ()
    lines = {key: line for key, line in _LINES.items() if key in exponential.scale}
    code = program(
        "from dpcore import generalized_gaussian",
        "",
        bounds_assignment(exponential.setting),
        *(f"print(generalized_gaussian.{line})" for line in lines.values()),
    )
    lemma = "by Lemma 10, " if LEMMA.key in lines else ""
    note = f"The scale b {lemma}with the exact Δᵤ, by Eq. 7–8, and of exact truncated noise."
    return Snippet(DPCORE, code, note, tuple(exponential.scale[key] for key in lines)), *unavailable(NO_BOUNDS)


_EXHIBITS = {"p": scales_over_p, "width": scales_over_width}


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield the scales of the mechanisms over p or over the width of the bounds."""
    yield _EXHIBITS[result.values["over"]](result, colours)
    yield Fields((LOW, HIGH, DELTA))
    yield sensitivity_text(result.bounded_setting)
    if result.exponential is not None:
        yield scales_text(result.exponential)
        yield lemma_text(result.exponential)
        yield recommendation_text(result.exponential)


def claims(result: PapersResult) -> Iterator[Claim]:
    """Yield the claim on noise within bounds, which is not proved here."""
    if result.exponential is not None:
        yield Claim("The pure ε of noise within bounds", reason=UNPROVED_TEXT)


SECTION = Section[PapersResult](
    controls=lambda _: (EPSILON, P, L2_SENSITIVITY, Field(OVER, "Horizontal axis"), Field(SCALE, "Scale")),
    parts=parts,
    key="exponential",
    name="Liu Lemma 10: bounded noise",
    answer_text=answer_text,
    explanation=explanation_text,
    exhibits=tuple(_EXHIBITS.values()),
    claims=claims,
    snippets=snippets,
)
