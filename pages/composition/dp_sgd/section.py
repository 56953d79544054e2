"""The section "DP-SGD": ε of a training, or the noise, epochs or batch for a target ε."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.composition import code
from pages.composition.accountants.section import CLT_ERROR
from pages.composition.dp_sgd import results, text
from pages.composition.dp_sgd.results import (
    MIN_EXACT_NOISE,
    NOISES,
    RATES,
    RatioMap,
    Training,
    batch_decades,
    epochs_axis_end,
    ratio_map,
)
from pages.composition.dp_sgd.text import has_training_statements, noise_text, training_downloads, training_statements
from pages.composition.figures import accountant_line
from pages.composition.parameters import SOLVE, solved_parameters, training_conditions, training_fields
from pages.composition.results import CompositionResult
from pages.framework.chart.theme import (
    TYPE,
    bands,
    compact,
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_curve,
    pinned_line,
    round_axis_end,
)
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Claim, Field, Fold, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_down,
    plural,
    tex,
)
from pages.framework.parameters.parameter import Parameter
from pages.framework.rendering.uploaded_files import kept
from pages.shared.releases import MAX_COUNT

LEVELS = (1.05, 1.1, 1.2, 1.5, 2.0, 3.0)  # contours of RDP ÷ exact on the map
_NOISE = "noise multiplier"
_EXACT = "exact (to 9 digits)"
CLT_MARGIN = 0.99  # the map is hatched where the interpolated CLT ÷ exact is below it
_STROKES = 70  # strokes of the hatching along the axis
_STROKE_COLUMNS, _STROKE_ROWS = 29, 17  # of the hatching on the map


def epochs_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return ε over the epochs exactly, by RDP and by the CLT, hatched in red where the CLT is too small."""
    training, pinned = result.training, result.pinned and result.pinned.training
    curves, axis_end = results.epoch_curves(training), epochs_axis_end(training)
    highest = max(float(curves["rdp"][-1]), pinned.epsilon if pinned else -math.inf)
    top = round_axis_end(1.04 * highest)
    title = {"text": f"epochs ({plural(format_nearest(1 / training.rate, 4), 'step')} each)"}
    x_axis = {"range": [0, axis_end], "title": title} | hover_head("epochs")
    y_axis = {"range": [0, top], "title": {"text": "ε"}}
    figure = layout(colours, "ε over the epochs", text.subtitle(training, "steps"), x_axis, y_axis)
    traces = []
    if pinned:
        pinned_curves = results.epoch_curves(pinned)
        traces.append(pinned_curve(pinned_curves["epochs"], pinned_curves["exact"], colours))
    if (curves["clt"] < curves["exact"]).any():
        traces.append(_unsafe_strokes(curves, axis_end, colours))
    for key, name in (("rdp", "RDP (upper bound)"), ("exact", _EXACT), ("clt", _clt_name(training, curves))):
        trace = accountant_line(key, curves["epochs"], curves[key], name, colours, hovertemplate="%{y:.4~g}")
        traces.append(trace | {"line": trace["line"] | {"shape": "spline"}})
    traces.append(_training_point(training.epochs, training.epsilon, colours) | {"name": "this training, certified"})
    _draw_target(figure, training, top, colours)
    if pinned:
        pinned_line(figure, colours, pinned.epochs)
    # Where the search ended at the largest number of steps, more epochs may be possible.
    at_limit = training.steps == MAX_COUNT and training.solve == "steps"
    epochs = (format_down if training.solve == "steps" else format_input_up)(training.epochs)
    label = f"epochs: at least {epochs}" if at_limit else f"epochs = {epochs}"
    hairline(figure, colours, training.epochs, label, "" if training.solve == "steps" else "epochs")
    return _exhibit("epsilon_over_epochs", {"data": traces, "layout": figure}, training, pd.DataFrame(curves))


def _clt_name(training: Training, curves: dict[str, Array]) -> str:
    if training.clt < training.exact:
        return f"✗ CLT: here {percent_down(1 - training.clt / training.exact, 2)} too small"
    return "✗ CLT: too small where red" if (curves["clt"] < curves["exact"]).any() else "CLT (no bound)"


def _unsafe_strokes(curves: dict[str, Array], axis_end: float, colours: Colours) -> dict[str, Any]:
    """Return strokes between the CLT and the exact ε where the CLT is below it at both points next to a stroke."""
    x = np.linspace(axis_end / _STROKES, axis_end, _STROKES)
    epochs, clt, exact = (curves[key] for key in ("epochs", "clt", "exact"))
    low, high = (np.interp(x, epochs, epsilons) for epsilons in (clt, exact))
    is_unsafe = (np.interp(x, epochs, np.where(clt < exact, 1.0, 0.0), left=0.0) == 1) & (low < high)
    lean = axis_end / _STROKES / 2
    strokes = np.stack([x - lean, x, np.full(x.size, np.nan)], axis=-1)[is_unsafe].ravel()
    heights = np.stack([low, high, np.full(x.size, np.nan)], axis=-1)[is_unsafe].ravel()
    trace = line(strokes, heights, "", colours["fails"], "solid", hoverinfo="skip", showlegend=False)
    return trace | {"line": {"color": colours["fails"], "width": 2}}


def _training_point(x: float, y: float, colours: Colours) -> dict[str, Any]:
    """Return the training as a point."""
    marker = {"size": 11, "color": colours["text"]}
    return line([x], [y], "this training", colours["text"], "solid", hoverinfo="skip", mode="markers", marker=marker)


def _draw_target(figure: Figure, training: Training, top: float, colours: Colours) -> None:
    """Draw the target ε, where something is solved for it."""
    if training.solve == "epsilon" or training.target > top:
        return
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": training.target, "y1": training.target}
    figure["shapes"].append(span | {"line": {"color": colours["text"], "width": 1, "dash": "dot"}})
    note = {"text": f"target ε = {format_input_up(training.target)}", "showarrow": False, "xref": "x domain", "x": 0.99}
    anchor = "top" if training.target > 0.1 * top else "bottom"  # below the line, where no curve is
    note |= {"y": training.target, "xanchor": "right", "yanchor": anchor, "font": {"size": TYPE}}
    figure["annotations"].append(note)


def batch_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the noise that satisfies the same ε over the batch, exactly and by RDP."""
    training, pinned = result.training, result.pinned and result.pinned.training
    curves = results.batch_curves(training)
    noises = curves["exact"][np.isfinite(curves["exact"])]
    ends = decades(0, 1, training.noise, *noises[:1].tolist(), *noises[-1:].tolist())
    axes = log_axis("expected batch size", *batch_decades(training)) | hover_head("batch"), log_axis(_NOISE, *ends)
    title = "Noise multiplier for the same ε, over the batch size"
    figure, traces = layout(colours, title, text.subtitle(training, "batch"), *axes), []
    if pinned:
        pinned_curves = results.batch_curves(pinned)
        traces.append(pinned_curve(pinned_curves["batch"], pinned_curves["exact"], colours))
        traces[0]["line"]["shape"] = "spline"  # as the curves, which have as few points
    for key, name in (("rdp", "RDP"), ("exact", _EXACT)):
        of_mean = compact(curves[key] / curves["batch"])
        hover = {"hovertemplate": "%{y:.4~g}; on the mean gradient %{customdata:.3~g}"}
        trace = accountant_line(key, curves["batch"], curves[key], name, colours, customdata=of_mean)
        traces.append(trace | hover | {"line": trace["line"] | {"width": 2.5, "shape": "spline"}})
    traces.append(_training_point(training.batch, training.noise, colours))
    if pinned:
        pinned_line(figure, colours, pinned.batch)
    label = f"batch = {(format_input_down if training.solve == 'rate' else format_input_up)(training.batch)}"
    hairline(figure, colours, training.batch, label, "" if training.solve == "rate" else "batch")
    return _exhibit("noise_over_batch", {"data": traces, "layout": figure}, training, pd.DataFrame(curves))


def map_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the ratio of RDP to the exact ε over rate and noise, with strokes where the CLT is 1 % too small."""
    training = result.training
    ratios = kept(ratio_map, training.epochs, training.delta)
    rates = log_axis("sampling rate q = batch ÷ N", round(math.log10(RATES[0])), 0)
    noises = log_axis(_NOISE, 0, 1, marks=(0.4, 0.5, 0.7, 1, 2, 3, 5, 7, 10))
    noises["range"] = [math.log10(NOISES[0] * 0.9), math.log10(NOISES[-1] * 1.1)]
    title = "RDP ÷ exact ε, and where the CLT is too small"
    figure = layout(colours, title, text.map_subtitle(training, ratios), rates, noises)
    figure |= {"hovermode": "closest", "margin": figure["margin"] | {"b": 70}}
    x, y = (float(np.clip(at, *grid[[0, -1]])) for at, grid in ((training.rate, RATES), (training.noise, NOISES)))
    marker = {"symbol": "star", "size": 15, "color": colours["text"], "line": {"width": 1, "color": colours["ghost"]}}
    star = _training_point(x, y, colours) | {"marker": marker, "showlegend": False}
    drawn = {"data": [_ratio_bands(ratios, colours), _map_strokes(ratios, colours), star], "layout": figure}
    rate, noise = (axis.ravel() for axis in np.meshgrid(RATES, NOISES))
    grid = {"rate": rate, "noise_multiplier": noise, "exact": ratios.exact.ravel()}
    numbers = pd.DataFrame(grid | {"rdp_over_exact": ratios.rdp.ravel(), "clt_over_exact": ratios.clt.ravel()})
    return _exhibit("rdp_over_exact", drawn, training, numbers, text.map_alternative_text(ratios))


def _ratio_bands(ratios: RatioMap, colours: Colours) -> dict[str, Any]:
    band = np.interp(np.log(np.maximum(ratios.rdp, 1)), np.log([1, *LEVELS, 10]), np.arange(-1, len(LEVELS) + 1))
    band[np.isnan(ratios.rdp)] = np.nan
    look = bands(LEVELS, _RAMPS[colours["green"]], colours)
    return (
        {"type": "contour", "x": compact(RATES), "y": compact(NOISES)}
        | look
        | {
            "z": compact(band),
            "customdata": compact(np.stack([ratios.rdp, ratios.clt], axis=-1)),
            "hovertemplate": "q = %{x:.3~g}, noise multiplier %{y:.3~g}<br>RDP ÷ exact ≈ %{customdata[0]:.3~f}"
            "<br>CLT ÷ exact ≈ %{customdata[1]:.3~f}<extra></extra>",
        }
    )


def _map_strokes(ratios: RatioMap, colours: Colours) -> dict[str, Any]:
    """Return strokes where the CLT is too small: by about the margin at the edge of their area, and by more within.

    The ratios are known at few places, and interpolated between them: with an edge at a ratio of 1, some strokes would
    stand where the CLT is large enough.
    """
    rates = np.geomspace(RATES[0], RATES[-1], _STROKE_COLUMNS)
    noises = np.geomspace(NOISES[0], NOISES[-1], _STROKE_ROWS)
    columns = np.array([np.interp(np.log(rates), np.log(RATES), row) for row in ratios.clt])
    fine = np.array([np.interp(np.log(noises), np.log(NOISES), column) for column in columns.T]).T
    rows, places = np.nonzero(fine < CLT_MARGIN)
    marker = {"symbol": "line-ne-open", "size": 10, "color": colours["fails"]}
    marker["line"] = {"width": 1.5, "color": colours["fails"]}
    trace = line(rates[places], noises[rows], "", colours["fails"], "solid", mode="markers", marker=marker)
    return trace | {"hoverinfo": "skip", "showlegend": False}


_RAMPS = {  # by the theme's green, the colour of RDP
    "#00755A": ("#F0F8F5", "#DCEFE8", "#BCE0D3", "#8FCBB7", "#57AE93", "#1F8A6C", "#005F49"),
    "#45CFA0": ("#13211C", "#1A3129", "#204639", "#28604C", "#307E63", "#39A27E", "#5FE3B5"),
}


def account_rows(training: Training) -> list[tuple[str, float, str]]:
    """Return for each accountant its name, the ε of the training, and the kind of that value."""
    return [
        ("Certified (the answer)" if training.is_solved else "Certified", training.epsilon, "upper bound"),
        ("Exact, by a contour integral", training.exact, _exact_worth(training)),
        ("RDP, at the best order", training.rdp, "upper bound"),
        ("CLT (Gaussian limit)", training.clt, _clt_worth(training)),
    ]


def _exact_worth(training: Training) -> str:
    if not math.isnan(training.exact):
        return "correct to about 9 digits, not proved"
    too_long = "takes too long for so little noise"
    return f"not available: {too_long if training.noise < MIN_EXACT_NOISE else 'not precise enough here'}"


def _clt_worth(training: Training) -> str:
    if math.isnan(training.clt):
        return "not available for so little noise"
    if training.clt < training.exact:
        return f"not a bound: here {percent_down(1 - training.clt / training.exact, 2)} too small"
    if training.clt < training.best_epsilon:
        return "not a bound; whether it is too small here is not known"
    return "not a bound; here it is not too small"


def table_html(training: Training) -> str:
    """Return ε by each accountant as a table."""
    best = training.best_epsilon or math.nan
    body = [
        [name, _rounded_by_worth(value, worth), _rounded_by_worth(value / best, worth), worth]
        for name, value, worth in account_rows(training)
    ]
    compared = "÷ certified" if math.isnan(training.exact) else "÷ exact"
    heads = ["Accountant", f"ε at δ = {format_input_up(training.delta)}", compared, "Kind of value"]
    return number_format.table_html("ε of this training by each accountant", "accounts", heads, body)


def _rounded_by_worth(value: float, worth: str) -> str:
    return format_up(value) if worth == "upper bound" else format_nearest(value)


def accounts_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε of this training by each accountant."""
    training = result.training
    numbers = pd.DataFrame(account_rows(training), columns=["account", "epsilon", "worth"])
    return _exhibit("accounts", table_html(training), training, numbers)


def _exhibit(
    name: str, picture: Figure | str, training: Training, numbers: pd.DataFrame, alternative: str = ""
) -> Exhibit:
    header = {"records": training.records, "batch": training.batch, "epochs": training.epochs, "steps": training.steps}
    header |= {"noise_multiplier": repr(training.noise), "delta": repr(training.delta)}
    header |= {"target_epsilon": repr(training.target)}
    header |= {"neighbours": "one record added or removed", "sampling": "Poisson"}
    header |= {"units": "epsilon in nats; rdp an upper bound, exact an estimate to 9 digits, clt no bound"}
    return Exhibit(name, picture, alternative or text.alternative_text(training), numbers, header)


_STEP = (
    "**A step.** Each record is drawn independently with probability q = batch ÷ N. The gradients of the drawn records "
    "are clipped to the norm C and summed, and Gaussian noise with σ = zC is added. With and without one record, the "
    "sum divided by C is distributed as\n\n"
    r"$$P=(1-q)\,\mathcal N(0,z^2)+q\,\mathcal N(1,z^2),\qquad Q=\mathcal N(0,z^2)$$"
)
_ACCOUNTS = (
    "**Certified**: the privacy losses of a step are moved to a fine grid by connecting the dots (Doroshenko et al. "
    "2022), which only increases δ, and composed T times by FFT; ε by RDP is used where it is smaller. **Exact**: the "
    "contour integral of the moment generating function. Its error is far below the digits shown, but not proved. "
    "**RDP**: "
    "Mironov, Talwar & Zhang 2019, with the conversion of Canonne, Kamath & Steinke 2020 at the best order. **CLT**: "
    "Bu, Dong, Long & Su 2020, μ = q√(T(e^{1/z²} − 1)), the limit for many steps. "
    f"{CLT_ERROR} It is below the exact ε at most settings, and above it for little noise or rates near 1."
)
_INVERSES = (
    "**Solving for noise, epochs or batch.** A root of the exact ε is computed first. Then the certified ε is computed "
    "at this value, which is moved to the safe side until the certified ε is at most the target."
)


def explanation_text(result: CompositionResult) -> str:
    """Return how the numbers of the section are computed, with the user's numbers."""
    training = result.training
    noise, rate = tex(noise_text(training)), tex(format_up(training.rate))
    steps, delta = tex(format_nearest(training.steps, 7)), tex(format_input_up(training.delta))
    numbers = (
        rf"$$z={noise},\quad q={rate},\quad T={steps},\quad \delta={delta}:\qquad "
        rf"\varepsilon\le{tex(format_up(training.epsilon))}$$"
    )
    return "\n\n".join((_STEP, numbers, _ACCOUNTS, _INVERSES))


_VIEWS = {"steps": epochs_chart, "batch": batch_chart, "map": map_chart}
_WHY_UNPROVED = (
    "It is certified from the privacy losses on a grid, every step rounded up, or by RDP if that is smaller."
)


def controls(result: CompositionResult) -> Sequence[Field | Parameter]:
    """Return the data, the training, what is solved for, and what is known in its place."""
    return Field(SOLVE, "Compute"), *training_fields(result)


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the chosen chart, ε by each accountant, and what would invalidate it."""
    yield _VIEWS[result.values["training_view"]](result, colours)
    yield text.steps_text(result.training)
    yield text.batches_text(result) if result.training.is_solved else None
    yield Fold(lambda: (accounts_table(result, colours),), "ε by each accountant")
    yield Fold((text.traps_text(result.training),), "What would make this ε untrue")


SECTION = Section[CompositionResult](
    controls=controls,
    idle=solved_parameters,
    parts=parts,
    key="training",
    name="DP-SGD",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(epochs_chart, batch_chart, map_chart, accounts_table),
    claims=lambda _: (Claim("The ε of the answer", reason=_WHY_UNPROVED),),
    snippets=code.training_snippets,
    statements=training_statements,
    has_statements=has_training_statements,
    downloads=training_downloads,
    conditions=training_conditions,
)
