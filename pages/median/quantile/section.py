"""The section on one quantile."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from dpcore import verify
from pages.framework.chart.theme import (
    compact,
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    positive_or_nan,
    transparent,
)
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Field, Fold, Part, Section, Snippet
from pages.framework.parameters.number_format import chart_text, exact_text, format_input_up, format_nearest
from pages.framework.parameters.parameter import Parameter
from pages.median.parameters import (
    ACCEPTED,
    ALMOST_NOTHING,
    HIGH,
    LOW,
    MEDIAN,
    N_RECORDS,
    P90,
    QUANTILE,
    STEP,
    UNIT_FIELD,
)
from pages.median.quantile import text
from pages.median.quantile.results import QuantileResult
from pages.median.quantile.text import downloads, statements
from pages.median.results import MedianResult, range_conditions
from pages.shared.counts.table import NEIGHBOURS
from pages.shared.formulas import SAMPLER
from pages.shared.other_libraries import ABOUT_EQUAL, DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.shared_parameters import EPSILON, SIGNIFICANCE
from pages.shared.values.parameters import (
    SHAPE,
    SOURCE_FIELD,
    amount,
    amount_up,
    entered_amount,
    in_unit,
    quantile_name,
)

_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and releases no quantiles.",
    OPACUS: "It trains models, and releases no quantiles.",
}


def snippets(result: MedianResult) -> tuple[Snippet, ...]:
    """Return the program that computes the answer, and those that release a quantile."""
    if result.problem_text:
        return ()
    release = result.quantile
    others = _opendp_snippet(release), _diffprivlib_snippet(release)
    return _own_snippet(result, release), *others, *unavailable(_OTHERS)


def _own_snippet(result: MedianResult, quantile: QuantileResult) -> Snippet:
    setting, release = result.setting, quantile.release
    options = f"{number(setting.significance)}, {setting.neighbours!r}"
    known = f"values, {number(release.quantile)}, {text.epsilon_code(release)}"
    ends = number(release.low), number(release.high)
    lines = [f"outputs = quantiles.Range({', '.join(ends)})"]
    if release.step is not None:
        steps = f"{ends[0]} + {number(release.step)} * np.arange({release.candidates.size})"
        lines = [f"outputs = quantiles.Grid(np.round({steps}, {release.decimals}))"]
    lines.append(f"print(quantiles.half_width({known}, outputs, {options}))")
    if setting.is_own:
        code = program(
            "import numpy as np", "from dpcore import quantiles", "", "values = [12, 15, 30]  # your own", *lines
        )
        note = "The ±. Your own values are in no program: enter them in the place of these three."
        return Snippet(DPCORE, code, note)
    n = f"{quantile.n_values}"
    people = f"clipping.lognormal(np.log(median), np.log(p90 / median) / ndtri(0.9), {n})"
    if setting.shape == "normal":
        people = f"clipping.normal(median, (p90 - median) / ndtri(0.9), {n})"
    sample = f"people.quantile((np.arange({n}) + 0.5) / {n})"
    if release.step is not None:
        step = number(release.step)
        sample = f"np.round({ends[0]} + {step} * np.rint(({sample} - {ends[0]}) / {step}), {release.decimals})"
    code = program(
        "import numpy as np",
        "from dpcore import clipping, quantiles",
        "from scipy.special import ndtri",
        "",
        f"median, p90 = {number(setting.median)}, {number(setting.p90)}",
        f"people = {people}",
        f"values = {sample}",
        *lines,
    )
    note = "The ±, of a typical sample with these public figures."
    return Snippet(DPCORE, code, note, (quantile.error,), 1 - 1e-9, 1 + 1e-9)


def _opendp_snippet(quantile: QuantileResult) -> Snippet:
    """Return the release with OpenDP, which prints the scale of its noise: 2Δ/ε, where the page has it too."""
    release = quantile.release
    if release.step is None:
        return Snippet(OPENDP, "", "It releases quantiles on candidates: enter a step.")
    is_replaced = release.neighbours == "replace"
    size = f", size={quantile.n_values}" if is_replaced else ""
    spaces = f"dp.vector_domain(dp.atom_domain(T=float, nan=False){size}), dp.symmetric_distance(), dp.max_divergence()"
    code = program(
        "import numpy as np",
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        f"spaces = {spaces}",
        f"candidates = {number(release.low)} + {number(release.step)} * np.arange({release.candidates.size})",
        f"noisy = lambda scale: dp.m.make_private_quantile(*spaces, candidates, {number(release.quantile)}, scale)",
        f"print(dp.binary_search_param(noisy, {(2 if is_replaced else 1) * release.n_own}, {number(release.epsilon)}))",
    )
    note = (
        "It prints the scale of its noise on the scores; noisy(scale)(values) draws a release. Where many people have "
        "the same value its score, (1 − q)n_below − q n_above, takes a value next to it for the quantile."
    )
    scale = 2 * (1.0 if is_replaced else max(release.quantile, 1 - release.quantile)) * release.n_own / release.epsilon
    snippet = Snippet(OPENDP, code, note, (scale,), *ABOUT_EQUAL)
    return within(snippet, Limit("ε", release.epsilon, 0.01, 10), Limit("q", release.quantile, 0.01, 0.99))


def _diffprivlib_snippet(quantile: QuantileResult) -> Snippet:
    """Return the release with diffprivlib, which states no error."""
    release = quantile.release
    code = program(
        "from diffprivlib import tools",
        "",
        "values = [12.0, 15.0, 30.0]  # your own",
        f"bounds = {number(release.low)}, {number(release.high)}",
        f"level, epsilon = {number(release.quantile)}, {text.epsilon_code(release)}",
        "print(tools.quantile(values, level, epsilon=epsilon, bounds=bounds))",
    )
    note = (
        "It draws one release, any number of the range, by the exponential mechanism with the noise for a person who "
        "is replaced, and states no error. With many equal values it can fail."
    )
    return Snippet(DIFFPRIVLIB, code, note)


_HEIGHT = 380  # of the two charts beside each other
PEOPLE, RELEASES = "share of the people", "share of the releases"
METHODS = {
    "permute_and_flip": "on the steps: permute-and-flip",
    "exponential": "on the steps: exponential mechanism",
    "binary_search": "on the steps: noisy binary search",
    "any_number": "any number of the range",
}


def release_figure(result: QuantileResult, words: tuple[str, str], subtitle: str, colours: Colours) -> Figure:
    """Draw the shares of the people and of the releases over the whole range; its upper end is a handle."""
    name, unit = words
    release = result.release
    traces, figure = _bars(result.whole, f"The released {name} among all values", subtitle, unit, colours)
    hairline(figure, colours, release.high, f"hi = {entered_amount(release.high)}", "high")
    hairline(figure, colours, release.low, f"lo = {entered_amount(release.low)}")
    return {"data": traces, "layout": figure}


def near_figure(result: QuantileResult, words: tuple[str, str], subtitle: str, colours: Colours) -> Figure:
    """Draw the same about the true quantile, which is marked, with ± to either side."""
    name, unit = words
    traces, figure = _bars(result.near, f"The released {name} about the true one", subtitle, unit, colours)
    ends = result.truth - result.error, result.truth + result.error
    band = {"type": "rect", "x0": ends[0], "x1": ends[1], "y0": 0, "y1": 1, "yref": "y domain", "layer": "below"}
    figure["shapes"].append(band | {"fillcolor": transparent(colours["quiet"]), "line": {"width": 0}})
    hairline(figure, colours, result.truth, f"true {amount(result.truth)} ± {amount_up(result.error)}")
    return {"data": traces, "layout": figure}


def _bars(
    frame: pd.DataFrame, title: str, subtitle: str, unit: str, colours: Colours
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the shares of each bin as bars, those of the people behind those of the releases, and their layout."""
    ends = float(frame["from"].iloc[0]), float(frame["to"].iloc[-1])
    x = {"range": list(ends), "title": {"text": in_unit("value", chart_text(unit))}} | hover_head("value")
    y = {"title": {"text": "share in a bar"}, "rangemode": "tozero", "tickformat": ",~%"}
    figure = layout(colours, title, subtitle, x, y) | {"height": _HEIGHT, "barmode": "overlay", "bargap": 0}
    traces, width = [], compact((frame["to"] - frame["from"]).to_numpy())
    looks = ("people", PEOPLE, "quiet", 0.4), ("releases", RELEASES, "analytic", 0.85)
    for column, name, shade, opacity in looks:
        trace = {"type": "bar", "name": name, "x": compact(frame["middle"]), "y": compact(frame[column])}
        marker = {"color": colours[shade], "opacity": opacity, "line": {"width": 0}}
        traces.append(trace | {"width": width, "marker": marker, "hovertemplate": "%{y:.4~%}"})
    return traces, figure


def epsilon_figure(result: QuantileResult, words: tuple[str, str], subtitle: str, colours: Colours) -> Figure:
    """Draw the ± over ε of the release and of other ways, with the ε at which it may be on the cliff shaded."""
    name, unit = words
    frame, release = result.over_epsilon, result.release
    columns = [column for column in METHODS if column in frame]
    values = frame[columns].to_numpy()
    first, last = decades(99, -99, *values[values > 0])
    y = log_axis(in_unit("±", chart_text(unit)), first, last)
    ends = np.log10(frame["epsilon"].to_numpy()[[0, -1]])
    x = log_axis("ε (nats)", *map(round, ends)) | hover_head("ε")
    figure = layout(colours, f"The error of the {name} over ε", subtitle, x, y)
    edge = result.epsilon_without_cliff
    until = frame["epsilon"].iloc[-1] if edge is None else edge
    if until > frame["epsilon"].iloc[0]:
        cliff = {"type": "rect", "x0": frame["epsilon"].iloc[0], "x1": min(until, frame["epsilon"].iloc[-1])}
        cliff |= {"y0": 0, "y1": 1, "yref": "y domain", "layer": "below", "line": {"width": 0}}
        figure["shapes"].append(cliff | {"fillcolor": transparent(colours["fails"])})
        note = {"text": "cliff", "x": ends[0], "xanchor": "left", "y": 0, "yref": "y domain", "yanchor": "bottom"}
        figure["annotations"].append(note | {"showarrow": False, "font": {"color": colours["fails"]}})
    hairline(figure, colours, release.epsilon, f"ε = {format_nearest(release.epsilon)}", "epsilon")
    looks = {
        "permute_and_flip": ("analytic", "solid"),
        "exponential": ("orange", "dash"),
        "binary_search": ("green", "dashdot"),
        "any_number": ("quiet", "dot"),
    }
    if release.step is None:
        looks["any_number"] = ("analytic", "solid")
    traces = []
    for column in columns:
        shade, dash = looks[column]
        height = positive_or_nan(frame[column])
        trace = line(frame["epsilon"], height, METHODS[column], colours[shade], dash, hovertemplate="±%{y:.4~g}")
        traces.append(trace | {"line": trace["line"] | {"shape": "hv"}})  # between two ε the error of the smaller one
    return {"data": traces, "layout": figure}


_MOST_PROVED = 1_001
_MOST_PEOPLE_PROVED = 10_000
_CONTINUOUS = (
    "The density at any value changes by at most the factor e^ε: that is its theorem. It is enclosed for at most"
)


@dataclass(frozen=True)
class _Picture:
    """A picture of the release: its name, how it is drawn, its text alternative, its numbers, and what a click sets."""

    name: str
    draw: Callable[[QuantileResult, tuple[str, str], str, Colours], Figure]
    alternative: Callable[[QuantileResult], str]
    numbers: Callable[[QuantileResult], pd.DataFrame]
    picks: tuple[str, str] = ("", "")


_RELEASE = _Picture("release", release_figure, text.release_alternative, lambda found: found.whole, ("high", ""))
_NEAR = _Picture("near", near_figure, text.near_alternative, lambda found: found.near)
_OVER_EPSILON = _Picture(
    "over_epsilon", epsilon_figure, text.epsilon_alternative, lambda found: found.over_epsilon, ("epsilon", "")
)


def release_chart(result: MedianResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the release among all values."""
    return _chart(result, colours, _RELEASE)


def near_chart(result: MedianResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the release about the true quantile."""
    return _chart(result, colours, _NEAR)


def epsilon_chart(result: MedianResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the error over ε."""
    return _chart(result, colours, _OVER_EPSILON)


def choices(result: MedianResult, _: Colours) -> Exhibit | None:
    """Return the table of what else the release could be."""
    if result.problem_text:
        return None
    quantile, header, confidential = result.quantile, csv_header(result), result.setting.confidential
    html, alternative = text.choices_html(quantile), text.choices_alternative(quantile)
    return Exhibit("choices", html, alternative, quantile.choices, header, confidential=confidential)


def _chart(result: MedianResult, colours: Colours, picture: _Picture) -> Exhibit | None:
    if result.problem_text:
        return None
    quantile, setting = result.quantile, result.setting
    words = quantile_name(setting.quantile), setting.unit
    figure = picture.draw(quantile, words, chart_text(text.values_text(result)), colours)
    alternative, numbers, header = picture.alternative(quantile), picture.numbers(quantile), csv_header(result)
    return Exhibit(picture.name, figure, alternative, numbers, header, picture.picks, setting.confidential)


def csv_header(result: MedianResult) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    setting = result.setting
    keys = ("epsilon", "significance", "quantile", "low", "high", "step", "accuracy", "neighbours", "per_total", "unit")
    entries = setting.texts(*keys)
    entries |= {"step": "none"} if setting.quantile_release.step is None else {}
    if not setting.is_own:
        entries |= setting.texts("shape", "median", "p90", "n_records")
    return entries | {"units": "values and errors in the unit of the values; epsilon in nats; shares are probabilities"}


def controls(result: MedianResult) -> Sequence[Field | Parameter]:
    """Return the values in public figures and their unit, the range and ε; of own values what is asked of them."""
    if result.has_no_values:
        return (SOURCE_FIELD,)
    limit = result.limit_fields
    unit = () if limit else (UNIT_FIELD,)  # which is then folded: a page has six fields at most
    if result.setting.is_own:
        return SOURCE_FIELD, QUANTILE, *limit, *unit, HIGH, EPSILON, ACCEPTED
    return MEDIAN, P90, *unit, N_RECORDS, *limit, HIGH, EPSILON


def more_settings(result: MedianResult) -> Sequence[Field | Parameter]:
    """Return the parameters that are seldom changed, the error that is wanted before them."""
    if result.has_no_values:
        return ()
    figures = () if result.setting.is_own else (ACCEPTED, QUANTILE, SOURCE_FIELD, Field(SHAPE, "Shape of the values"))
    unit = (UNIT_FIELD,) if result.limit_fields else ()
    return (*unit, *figures, LOW, STEP, Field(NEIGHBOURS, "Neighbours"), SIGNIFICANCE)


def claims(result: MedianResult) -> Iterator[Claim]:
    """Yield the guarantee for one more person, or another value, at either end of the range."""
    if result.problem_text:
        return
    quantile, epsilon = result.quantile, result.setting.epsilon
    subject = f"δ({format_input_up(epsilon)}) of this release"
    numbers = {"epsilon": Decimal(format_input_up(epsilon)), "noise_epsilon": Decimal(exact_text(epsilon))}
    if quantile.release.step is None:
        yield from _claims_of_intervals(quantile, subject, numbers | {"mechanism": "exponential"})
        return
    if quantile.release.candidates.size > _MOST_PROVED:
        yield Claim(subject, reason=f"It is proved for at most {_MOST_PROVED:,} values that can be released.")
        return
    for change, (scores, other, sensitivity) in quantile.neighbouring_scores().items():
        arguments = numbers | {"scores": scores, "other_scores": other, "sensitivity": sensitivity}
        yield Claim(f"{subject}, {change}", ALMOST_NOTHING, verify.choice_delta, arguments)


def _claims_of_intervals(quantile: QuantileResult, subject: str, numbers: dict[str, Any]) -> Iterator[Claim]:
    if quantile.n_values > _MOST_PEOPLE_PROVED:
        yield Claim(subject, reason=f"{_CONTINUOUS} {quantile.release.counted(_MOST_PEOPLE_PROVED)}.")
        return
    edges, changes, sensitivity = quantile.neighbouring_intervals()
    for change, (scores, other) in changes.items():
        arguments = numbers | {"scores": scores, "other_scores": other, "sensitivity": sensitivity, "edges": edges}
        yield Claim(f"{subject}, {change}", ALMOST_NOTHING, verify.choice_delta, arguments)


def parts(result: MedianResult, colours: Colours) -> Iterator[Part]:
    """Yield the release about the true quantile and what to do; the whole range, other ε and releases are folded."""
    if result.problem_text:
        return
    is_continuous = result.quantile.release.step is None
    yield near_chart(result, colours)
    yield text.accepted_text(result)
    yield text.quantile_steps_text(result)
    yield Fold(lambda: (release_chart(result, colours),), "The whole range")
    yield Fold((text.CLIFF,), "Why a maximum cannot be published")
    yield Fold(lambda: (epsilon_chart(result, colours),), "Another ε")
    yield Fold(lambda: (choices(result, colours),), "Compare the releases in numbers")
    yield Fold((SAMPLER if is_continuous else text.GRID_SAMPLER,), "How to draw the release")


SECTION = Section[MedianResult](
    key="quantile",
    name="A quantile",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda _: text.EXPLANATION,
    conditions=range_conditions,
    exhibits=(near_chart, release_chart, epsilon_chart, choices),
    claims=claims,
    snippets=snippets,
    statements=statements,
    has_statements=lambda result: not result.problem_text,
    downloads=downloads,
)
