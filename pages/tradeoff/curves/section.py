"""The chart and the table of the curves, and the sentences below them."""

import math
from collections.abc import Iterator, Sequence
from decimal import ROUND_FLOOR, Context
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore import tradeoff
from dpcore.checks import Array
from pages.framework.chart.theme import compact, line, markers, transparent
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_up,
    odds,
    percent_down,
    percent_up,
    plural,
)
from pages.shared.formulas import BASIS, CERTAINTY
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON, PRIOR
from pages.tradeoff import code
from pages.tradeoff.answer_text import answer_text, explanation_text
from pages.tradeoff.figures import (
    LOWEST_DECADE,
    CurveTrace,
    coordinates,
    curve_line,
    curve_traces,
    guessing_line,
    pinned_lines,
    plane,
    point_note,
    positive,
)
from pages.tradeoff.results import VIEW, CurveRow, TradeoffResult
from pages.tradeoff.text import csv_header, odds_down, posterior_text, power_text, rate_text, share_of, subtitle_text

_N_HOVER_POINTS = 90
_TWELVE_DOWN = Context(prec=12, rounding=ROUND_FLOOR)
_HOVER_TEMPLATE = (
    "%{fullData.name}<br>false positive rate α ≈ %{x:.4~g}<br>"
    "false negative rate β ≈ %{customdata[0]:.4~g}<br>true positive rate ≈ %{customdata[1]:.4~g}<br>"
    "this point implies ε ≥ %{customdata[2]:.4~g}, μ ≥ %{customdata[3]:.4~g}<extra></extra>"
)


PICKS = ("alpha", "")


def curves(result: TradeoffResult, colours: Colours) -> Exhibit:
    """Return the chart of β or power against α, with guessing as a dashed line, and the chosen α.

    The gain of the chosen curve over guessing is shaded.
    """
    alpha, view, lines = result.setting.alpha, result.setting.view, curve_traces(result, colours)
    outcome = "False negative rate" if view == "errors" else "True positive rate"
    subtitle = subtitle_text(result, f"α = {format_input_down(alpha)}")
    figure = plane(colours, alpha, f"{outcome} against false positive rate", subtitle, view)
    traces = [_gain_area(lines[result.chosen_position], view), guessing_line(view, colours)]
    traces += pinned_lines(result, colours)
    traces += [curve_line(curve, view) for curve in lines]
    traces += [_hover_points(curve, view) for curve in lines]
    for curve in lines:  # its point at α is hidden with it
        height = positive(np.array([curve.beta if view == "errors" else curve.power]), view)
        dot = markers(np.array([alpha]), height, "", {"color": curve.colour, "size": 9}, legendgroup=curve.name)
        traces.append(dot | {"cliponaxis": False, "showlegend": False, "hoverinfo": "skip"})
    if len(lines) == 1:  # among several the numbers would lie on each other
        figure["annotations"].append(_reading_note(result, view, colours))
    drawn, numbers = {"data": traces, "layout": figure}, partial(curves_frame, lines)
    header = csv_header(result, **_readings_at(result))
    return Exhibit("curves", drawn, alternative_text(result), numbers, header, PICKS, result.confidential)


def _reading_note(result: TradeoffResult, view: str, colours: Colours) -> dict[str, Any]:
    """Return the chosen curve's errors at α as a note beside its point, in the words of the table."""
    row = result.chosen_row
    missed = (percent_up if row.is_reached else percent_down)(row.beta)
    return point_note(row.alpha, row.beta, missed if view == "errors" else power_text(row), view, colours)


def _gain_area(curve: CurveTrace, view: str) -> dict[str, Any]:
    """Return the area between a curve and guessing."""
    x, y = coordinates(curve, view)
    inside = np.isfinite(x) & np.isfinite(y) & (x >= (10.0**LOWEST_DECADE if view == "log" else 0))
    along, height = x[inside], y[inside]
    guessing = 1 - along if view == "errors" else along
    x, y = np.concatenate([along, along[::-1]]), np.concatenate([height, guessing[::-1]])
    area = {"fill": "toself", "fillcolor": transparent(curve.colour), "line": {"width": 0}, "hoverinfo": "skip"}
    return line(x, y, "advantage over guessing", "", "solid", **area)


def _hover_points(curve: CurveTrace, view: str) -> dict[str, Any]:
    """Return invisible points along a curve, evenly spaced on the screen, for hovering: Plotly selects no lines."""
    x, y = coordinates(curve, view)
    span = -LOWEST_DECADE if view == "log" else 1
    inside = np.flatnonzero(np.isfinite(y) & (x > 10.0**LOWEST_DECADE) if view == "log" else np.isfinite(y))
    across, along = (np.log10(part[inside]) if view == "log" else part[inside] for part in (x, y))
    path = np.append(0, np.cumsum(abs(np.diff(across)) + abs(np.diff(along)))) / span
    chosen = inside[
        np.unique(np.searchsorted(path, np.linspace(0, path[-1], _N_HOVER_POINTS)).clip(max=inside.size - 1))
    ]
    values = [curve.points[name][chosen] for name in ("beta", "power")]
    values += [_four_digits_down(curve.points[name][chosen]) for name in ("epsilon", "mu")]
    name, marker = number_format.chart_text(curve.name), {"opacity": 0, "size": 12, "color": curve.colour}
    more = {"customdata": compact(np.column_stack(values)), "hovertemplate": _HOVER_TEMPLATE}
    return markers(x[chosen], y[chosen], name, marker, legendgroup=curve.name, showlegend=False, **more)


def _four_digits_down(values: Array) -> Array:
    """Return numbers to four digits, rounded down, at most 1e30."""
    values = np.minimum(values, 1e30)
    unit = 10.0 ** (np.floor(np.log10(np.where(values > 0, values, 1.0))) - 3)
    return np.floor(values / unit * (1 + 1e-14)) * unit


def table_html(result: TradeoffResult) -> str:
    """Return every curve at the chosen α, prior and δ as an accessible HTML table, beside those of a pinned setting."""
    setting, pinned_rows = result.setting, result.pinned_rows
    heads = [
        "Curve",
        f"True positive rate at <span>α = {format_input_down(setting.alpha)}</span>",
        *([] if pinned_rows is None else ["True positive rate, <span>pinned</span>"]),
        f"Posterior and odds, <span>prior {share_of(setting.prior)}</span>",
        f"ε at <span>δ = {format_input_up(setting.delta)}</span>",
        "Smallest μ",
        "Advantage",
        "Bayes accuracy",
        "Bayes error",
        "Posterior ÷ prior",
    ]
    body = []
    for position, row in enumerate(result.rows):
        number, share, error = (
            (format_down, percent_down, percent_up) if row.is_reached else (format_up, percent_up, percent_down)
        )
        odds_text = (odds_down if row.is_reached else odds)(row.odds) if row.power > 0 else odds(row.odds)
        readings = _readings(row)
        cells = [power_text(row)]
        if pinned_rows is not None:
            pinned_row = pinned_rows[position]
            cells.append("–" if pinned_row is None else power_text(pinned_row))
        cells.append(f"{share(row.posterior)}, {odds_text}")
        cells += ["none" if math.isinf(value) else number(value) for value in (readings["epsilon"], readings["mu"])]
        cells += [share(readings["advantage"]), share(readings["bayes_accuracy"]), error(readings["bayes_error"])]
        cells.append(f"{number(readings['risk'])} ×")
        body.append([row.display_name, *cells])
    return number_format.table_html("The curves in numbers", "readings", heads, body)


def _readings(row: CurveRow) -> dict[str, float]:
    """Return the numbers of a curve in the table."""
    curve, prior = row.curve, row.prior
    readings = {
        "power": row.power,
        "posterior": row.posterior,
        "odds": row.odds,
        "epsilon": tradeoff.smallest_epsilon(curve, row.delta),
        "mu": tradeoff.smallest_mu(curve).mu,
        "advantage": tradeoff.advantage(curve),
        "bayes_accuracy": tradeoff.bayes_accuracy(curve, prior),
        "bayes_error": tradeoff.bayes_error(curve, prior),
        "risk": tradeoff.relative_risk(row.alpha, row.power, prior),
    }
    return {name: float(value) for name, value in readings.items()}


def readings_frame(rows: Sequence[CurveRow]) -> pd.DataFrame:
    """Return the numbers of the table."""
    return pd.DataFrame([{"curve": row.display_name, **_readings(row)} for row in rows])


def curves_frame(curves: Sequence[CurveTrace]) -> pd.DataFrame:
    """Return the points of all curves, one curve below the other, under their names."""
    frames = {curve.name: pd.DataFrame(curve.points) for curve in curves}
    for frame in frames.values():  # of what is implied the last digits are of the computation
        for name in ("epsilon", "mu"):
            frame[name] = [float(_TWELVE_DOWN.create_decimal_from_float(value)) for value in frame[name].tolist()]
    return pd.concat(frames, names=["curve"]).reset_index(level=0)


def readings(result: TradeoffResult, _: Colours) -> Exhibit:
    """Return the table of every curve in numbers."""
    html, numbers = table_html(result), partial(readings_frame, result.rows)
    header = csv_header(result, **_readings_at(result))
    return Exhibit("readings", html, alternative_text(result), numbers, header, confidential=result.confidential)


def _readings_at(result: TradeoffResult) -> dict[str, float]:
    setting = result.setting
    return {"epsilon": setting.epsilon, "delta": setting.delta, "alpha": setting.alpha, "prior": setting.prior}


GLOSSARY = (
    "**True positive rate** (power): the share of members that the best attack finds. **Posterior**: the probability "
    "of membership after a positive test. **Odds**: that probability to the probability of the opposite, so that a "
    "posterior of 20 % is 1 to 4. **Smallest μ**: the least μ for which the two data sets are at "
    "least as hard to distinguish as N(0, 1) and N(μ, 1). **Advantage**: the largest difference between the true and "
    "the false positive rate. **Bayes accuracy and error**: the share of right and wrong decisions of the best test "
    "with this prior. **Posterior ÷ prior**: how many times more probable membership is after a positive test."
)
FOLLOWED = (
    "These curves follow ε and δ of the page: **(ε, δ)-DP** is the guarantee alone, **Gaussian at (ε, δ)** the least "
    "Gaussian noise that satisfies it, and **Laplace at ε** the least Laplace noise that satisfies pure ε-DP. Under "
    "(ε, δ)-DP, probabilities may exceed the e^ε bound by up to δ. δ is not a failure probability, except under "
    "probabilistic DP, where the privacy loss exceeds ε with probability at most δ."
)


def rounding_text(rows: Sequence[CurveRow]) -> str:
    """Return how the numbers of the table are rounded, and what they mean."""
    text = (
        "Numbers are rounded up to four digits, so that no attack on these releases exceeds them; the Bayes error is "
        "rounded down."
    )
    if any(row.is_reached for row in rows):
        text += " Points that an attack reached are rounded in the other direction, and another attack may exceed them."
    if any(row.is_claimed for row in rows):
        text += " A claimed curve holds only if the claim does, including the straight lines between its points."
    return text


def outcome_text(row: CurveRow) -> str:
    """Return the bound on the posterior after the worst single outcome, which only pure ε-DP has."""
    if row.is_reached:
        return ""
    pure = row.curve.pure_epsilon
    if pure is not None:
        worst = percent_up(float(tradeoff.pure_posterior(pure, row.prior)))
        return f"No single outcome raises this prior above {worst}: the guarantee is pure, ε = {format_up(pure)}."
    if row.item.kind in ("truncated", "truncated_geometric") and row.power_at_zero > 0:
        share = format_up(row.power_at_zero)
        return f"With probability up to {share} an outcome {CERTAINTY}: no posterior bounds every outcome."
    if row.item.kind == "approx" and row.power_at_zero > 0:  # a numerical composition has some of its own
        share = format_up(row.power_at_zero)
        return f"With probability up to {share} an outcome can remove all doubt: no posterior bounds every outcome."
    return "Rarer outcomes can raise the posterior further; only pure ε-DP bounds it for every outcome."


def advice_text(row: CurveRow) -> str:
    """Return the advice that follows from what the attacker learns."""
    if row.is_reached:
        return (
            "**What to do.** Points that an attack reached are not a guarantee. Choose a guaranteed curve, and compare "
            "the attack’s scores or counts with it in “An attack’s results”."
        )
    if row.power == 0:
        return "**What to do.** Choose a larger α: without false positives no attack on this curve accuses anybody."
    return (
        f"**What to do.** Decide whether a posterior of {posterior_text(row)} is acceptable for the person concerned. "
        "If it is not, choose a smaller ε, δ or μ, or release less often. State the mechanism, or report its curve or "
        "its μ beside (ε, δ); otherwise readers must assume the curve of (ε, δ)-DP."
    )


def alternative_text(result: TradeoffResult) -> str:
    """Return what the picture of the curves shows, in a sentence for those who can't see it."""
    parts = []
    for row in result.rows:
        if row.is_reached:
            parts.append(f"{row.name} reached a true positive rate of {percent_down(row.power)}")
        else:
            power, beta = percent_up(row.power), percent_down(row.beta)
            parts.append(f"{row.display_name} allows at most {power} true positives, at least {beta} false negatives")
    axes = {
        "errors": "False negative rate against false positive rate",
        "power": "True positive rate against false positive rate",
        "log": "True positive rate against false positive rate on log axes down to 1e-10",
    }[result.setting.view]
    curves = plural(len(result.rows), "curve")
    return f"{axes} for {curves}. At {rate_text(result.setting.alpha)}, {'; '.join(parts)}."


def controls(result: TradeoffResult) -> Sequence[Field | Quantity]:
    """Return the parameters that change the chart, ε where a curve depends on it."""
    return *((EPSILON,) if result.follows_page else ()), DELTA, ALPHA, PRIOR, Field(VIEW, "Show as")


def parts(result: TradeoffResult, colours: Colours) -> Iterator[Part]:
    """Yield the chart, the table, a glossary and advice."""
    yield curves(result, colours)
    notes = " ".join(filter(None, (outcome_text(result.chosen_row), rounding_text(result.rows))))
    yield f"{notes}\n\n{BASIS}"
    yield readings(result, colours)
    yield f"{GLOSSARY}\n\n{FOLLOWED}" if result.follows_page else GLOSSARY
    yield advice_text(result.chosen_row)


SECTION = Section[TradeoffResult](
    key="curves",
    name="Curves",
    controls=controls,
    parts=parts,
    answer_text=answer_text,
    explanation=explanation_text,
    exhibits=(curves, readings),
    claims=code.claims,
    snippets=code.snippets,
)
