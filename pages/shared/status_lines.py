"""A curve in the looks of its verdicts: plain where proved, dotted outside its theorem, red crosses where it fails.

Every mark of a verdict stands where that verdict is true: the limits between two verdicts are points of the curve.
More parts that pictures share stand below: the axes of ε, δ and the distance, and 100 people in a square.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.calibrations import FAILS, PROVED, WITHIN, Calibration
from dpcore.checks import Array
from pages.framework.chart.theme import decades, hairline, hover_head, line, log_axis, transparent
from pages.framework.export.exhibit import Colours
from pages.framework.parameters import number_format

LABELS = ((PROVED, ""), (WITHIN, ": unproved"), (FAILS, ": FAILS"))
"""What follows the name of a curve, for each verdict."""

_SECTIONS = 64  # into which a search divides an interval at once, as calls cost more than points


def status_limits(grid: Array, status_at: Callable[[Array], NDArray[Any]]) -> tuple[float, ...]:
    """Return for each change of a status along a grid the last number before it and the first one after it.

    Both are numbers of single precision, in which traces travel to the browser, with none of that precision between
    them: what is drawn of a status begins where the status is true, without a gap. `grid` is increasing, from 0 on.

    >>> status_limits(np.array([1.0, 2.0, 4.0]), lambda x: x >= 3)
    (2.999999761581421, 3.0)
    """
    steps = np.asarray(grid, np.float32).view(np.int32)  # floats from 0 on have the order of their bits
    limits = []
    for place in np.flatnonzero(np.diff(_codes(status_at(_numbers(steps))))):
        low, high = int(steps[place]), int(steps[place + 1])
        while high - low > 1:
            inner = np.unique(np.linspace(low, high, _SECTIONS + 1).astype(np.int64))
            change = int(np.flatnonzero(np.diff(_codes(status_at(_numbers(inner)))))[0])
            low, high = int(inner[change]), int(inner[change + 1])
        limits += _numbers(np.array([low, high])).tolist()
    return tuple(limits)


_MOST_OFF = 0.008  # by what share of its value a line may miss a point that stands between two others
_NARROWEST = 5e-5  # a segment of this share of the axis is narrower than a tenth of a pixel


def refined(
    grid: Array,
    values_at: Callable[[Array], Array],
    *,
    is_log: bool = True,
    is_whole: bool = False,
    height: float | None = None,
) -> tuple[float, ...]:
    """Return more places beside `grid`, between which straight lines are near the curves.

    Parameters
    ----------
    grid : increasing places.
    values_at : a row for each curve, or one curve, at such places; what is not above 0 on a logarithmic axis is not
        drawn, and ends the line.
    is_log : whether the places stand on a logarithmic axis.
    is_whole : whether a place must be a whole number, such as of people.
    height : that of a linear axis of the values; None for a logarithmic one.

    A segment is halved where the line through the points beside one of its ends misses that end by .8 %.
    Where a curve jumps, segments are halved until what remains is drawn as a vertical stroke.

    >>> places = refined(np.array([1.0, 2.0, 4.0, 8.0]), lambda x: np.where(x < 3, 1.0, 2.0))
    >>> bool(2.99 < max(place for place in places if place < 3))
    True
    >>> refined(np.array([1.0, 2.0, 4.0, 8.0]), lambda x: x + 2, is_whole=True)
    (3.0, 5.0, 6.0, 7.0)
    >>> refined(np.array([1.0, 2.0, 4.0, 8.0]), np.sqrt)
    ()
    """
    x = start = np.log(grid) if is_log else np.asarray(grid, np.float64)
    heights = _heights(values_at(grid), height)
    while True:
        share = np.diff(x)[:-1] / (x[2:] - x[:-2])
        drawn = heights[:, :-2] + (heights[:, 2:] - heights[:, :-2]) * share
        is_bent = np.pad((np.abs(heights[:, 1:-1] - drawn) > _MOST_OFF).any(axis=0), 1)
        is_wide = np.diff(x) > _NARROWEST * (x[-1] - x[0])
        halved = np.flatnonzero((is_bent[:-1] | is_bent[1:]) & is_wide)
        middles = (x[halved] + x[halved + 1]) / 2
        if is_whole:
            whole = np.rint(np.exp(middles) if is_log else middles)
            middles = np.log(whole) if is_log else whole
            is_new = ~np.isin(middles, x)
            halved, middles = halved[is_new], middles[is_new]
        if not halved.size:
            added = np.setdiff1d(x, start)
            places = np.exp(added) if is_log else added
            return tuple((np.rint(places) if is_whole else places).tolist())
        places = np.exp(middles) if is_log else middles
        more = _heights(values_at(np.rint(places) if is_whole else places), height)
        heights = np.insert(heights, halved + 1, more, axis=1)
        x = np.insert(x, halved + 1, middles)


def _heights(values: Array, height: float | None) -> Array:
    """Return where curves stand on their axis: as logarithms, or as shares of its height."""
    if height is not None:
        return np.atleast_2d(values) / height
    with np.errstate(divide="ignore", invalid="ignore"):
        heights = np.log(np.atleast_2d(values))
    return np.where(np.isfinite(heights), heights, _ENDED)


_ENDED = -1e3  # stands for the logarithm of what is not drawn


def _numbers(steps: NDArray[np.integer]) -> Array:
    """Return the numbers of single precision with these bits."""
    return steps.astype(np.int32).view(np.float32).astype(np.float64)


def _codes(status: NDArray[Any]) -> NDArray[np.intp]:
    """Return a whole number for each different status."""
    return np.unique(status, return_inverse=True)[1]


def limits_over_epsilon(calibrations: Sequence[Calibration], grid: Array, delta: float) -> tuple[float, ...]:
    """Return the `status_limits` of the verdicts of calibrations over ε."""
    return tuple(
        limit
        for calibration in calibrations
        for limit in status_limits(grid, lambda epsilon, rule=calibration: rule.verdict(epsilon, delta).status)
    )


def first_failures(calibration: Calibration, delta: Array, ends: tuple[float, float]) -> Array:
    """Return for each δ the first ε between the ends at which a calibration fails, NaN where it does not fail at all.

    It is a number of single precision, as in `status_limits`. The calibration fails from there on, not at the low end.

    >>> from dpcore.calibrations import CLASSICAL
    >>> first_failures(CLASSICAL, np.array([1e-5]), (1.0, 100.0)).round(4).tolist()
    [8.4198]
    """
    low, high = (np.full(delta.shape, np.float32(end).view(np.int32), np.int64) for end in ends)
    is_failing = calibration.verdict(_numbers(high), delta).status == FAILS
    while (high - low).max() > 1:
        inner = low + (high - low) * np.arange(_SECTIONS + 1)[:, None] // _SECTIONS
        change = np.argmax(calibration.verdict(_numbers(inner), delta).status == FAILS, axis=0)
        low, high = (np.take_along_axis(inner, (change + place)[None], 0)[0] for place in (-1, 0))
    return np.where(is_failing, _numbers(high), np.nan)


def status_lines(
    x: Array,
    y: Array,
    status: NDArray[np.str_],
    name: str,
    style: dict[str, Any],
    colours: Colours,
    labels: Sequence[tuple[str, str]] = LABELS,
    **attributes: Any,
) -> list[dict[str, Any]]:
    """Return a line for each verdict that a curve has, the first in the legend, from the `style` of the proved one."""
    traces = []
    for word, label in labels:
        part = status == word
        if not part.any():
            continue
        look = style | ({} if word == PROVED else {"dash": "dot"})
        more = attributes | {"showlegend": not traces}
        if word == FAILS:
            look |= {"color": colours["fails"]}
            marker = {"symbol": "x", "size": 7, "maxdisplayed": 8, "color": colours["fails"]}
            more |= {"mode": "lines+markers", "marker": marker}
        values = np.where(part, y, np.nan)
        traces.append(line(x, values, f"{name}{label}", look["color"], look["dash"], **more, line=look))
    return traces


def guarantee_axis(along: str, value: float) -> dict[str, Any]:
    """Return a log axis of ε or δ, "epsilon" or "delta", on which a value fits."""
    if along == "epsilon":
        return log_axis("privacy loss parameter ε (nats)", *decades(-3, 2, value)) | hover_head("ε")
    return log_axis("excess probability δ", *decades(-12, 0, value)) | hover_head("δ")


def distance_axis(end: float) -> dict[str, Any]:
    """Return the axis of the distance from the truth, from 0 to `end`."""
    return {
        "range": [0, end],
        "title": {"text": "distance |t| from the truth (query units)"},
        "unifiedhovertitle": {"text": "|t| = %{x:.4~g}"},
    }


def mark_distance(figure: dict[str, Any], colours: Colours, t: float) -> None:
    """Mark the distance t on an axis that reaches it, as a handle."""
    if t <= figure["xaxis"]["range"][1]:
        hairline(figure, colours, t, f"t = {number_format.format_input_up(t)}", "t")


N_PEOPLE, SIDE = 100, 10


def people_square(number: int, name: str, colours: Colours, *, left: int = 0, size: int = 8) -> dict[str, Any]:
    """Return the trace of 100 people, row by row from above, of whom the first `number` are filled."""
    order = np.arange(N_PEOPLE)
    shades = np.where(order < number, colours["analytic"], transparent(colours["quiet"], 0.3))
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": left + order % SIDE,
        "y": SIDE - 1 - order // SIDE,
        "marker": {"color": shades.tolist(), "size": size},
        "customdata": (order < number).astype(int),
    }
