"""The charts and the table of clipped sums, with their words and numbers, and the answer as programs."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.families import FAMILIES
from dpcore.mechanism import NoiseDistribution
from pages.clipping import figures
from pages.clipping.bounds import text
from pages.clipping.bounds.results import BoundsResult
from pages.clipping.results import ClippingResult
from pages.clipping.text import bound_conditions
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import chart_text, without_markdown
from pages.shared.other_libraries import ABOUT_EQUAL, DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.release_program.program import SAMPLED, Statistic, level_text, noise_facts, release_downloads
from pages.shared.values.parameters import amount, amount_up, quantile_name

BINS_A_DECADE = 10
_N_BINS = 60


def density_frame(result: BoundsResult) -> pd.DataFrame:
    """Return how many values a decade or, where some are negative, a bin has; bins are split at the chosen bounds."""
    edges, size = _edges(result)
    is_low_visible = result.is_signed or result.low >= 10.0 ** result.axis_decades[0]
    edges = np.unique(np.append(edges, [result.high, *((result.low,) if is_low_visible else ())]))
    edges = edges[np.append(True, np.diff(edges) > 1e-9 * np.abs(edges[1:]))]
    above = result.n_above(edges)
    n_values = above[:-1] - above[1:]
    low, high = edges[:-1], edges[1:]
    middle = (low + high) / 2 if result.is_signed else np.sqrt(low * high)
    frame = {"from": low, "to": high, "middle": middle, "n_values": n_values}
    frame |= {
        "per_bin": n_values * (size / (high - low) if result.is_signed else 1 / np.log10(high / low)),
        "is_cut": low >= result.high * (1 - 1e-9),
        "is_raised": high <= result.low + 1e-9 * abs(result.low),
    }
    return pd.DataFrame(frame)


def _edges(result: BoundsResult) -> tuple[Array, float]:
    """Return the edges of the bins, and the width of one where some values are negative."""
    if result.is_signed:
        ends = min(result.extremes[0], result.low), max(result.extremes[1], result.high)
        return np.linspace(*ends, _N_BINS + 1), (ends[1] - ends[0]) / _N_BINS
    first, last = result.axis_decades
    return 10.0 ** np.linspace(first, last, BINS_A_DECADE * (last - first) + 1), np.nan


_NAMES = {
    "best": "Least error",
    "thumb": "Rule of thumb: 1/ε values above",
    "yours": "Your bound",
    "maximum": "Maximum of your range",
}


def bounds_frame(result: BoundsResult) -> pd.DataFrame:
    """Return the bounds that one may choose, and the errors at each."""
    errors, columns = result.choice_errors, ("n_clipped", "bias", "noise_scale")
    frame = {"choice": list(result.choices), "bound": errors.high} | {name: getattr(errors, name) for name in columns}
    frame |= {
        "root_mean_square": errors.root_mean_square_error,
        "mean_absolute": errors.mean_absolute_error,
        "half_width": errors.half_width,
    }
    if result.private is not None:
        own = {"choice": "private", "root_mean_square": result.private.error}
        frame = {name: [*values, own.get(name, np.nan)] for name, values in frame.items()}
    return pd.DataFrame(frame)


def table_html(result: BoundsResult) -> str:
    """Return the bounds as an accessible HTML table."""
    heads = ["Upper bound", "U", "Values cut", "Bias", "Noise scale", "Root mean square", "Mean absolute", "±"]
    private = result.private
    names = dict(_NAMES)
    if private is not None:
        names["private"] = f"Private: {quantile_name(private.quantile)}, by {number_format.percent(private.share)} of ε"
    frame = bounds_frame(result)
    forms = {"bound": amount, "n_clipped": amount, "bias": amount}
    forms |= dict.fromkeys(("noise_scale", "root_mean_square", "mean_absolute", "half_width"), amount_up)
    columns = [
        ["–" if np.isnan(value) else form(value) for value in frame[name].to_list()] for name, form in forms.items()
    ]
    rows = [[names[choice], *cells] for choice, *cells in zip(frame["choice"], *columns, strict=True)]
    return number_format.table_html("Upper bounds and what each costs", "readings", heads, rows)


def _exhibit(
    result: ClippingResult,
    name: str,
    picture: Figure | str,
    alternative: str,
    numbers: pd.DataFrame | Callable[[], pd.DataFrame],
    handle: str = "",
) -> Exhibit:
    """Return an exhibit with the parameters of the section; a drag along its x sets the parameter `handle`."""
    return Exhibit(name, picture, alternative, numbers, _header(result), (handle, ""), result.setting.confidential)


def error_curve(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the error over the upper bound."""
    bounds = result.bounds
    if bounds is None:
        return None
    pinned = None if result.pinned is None else result.pinned.bounds
    figure = figures.error_figure(bounds, pinned, _words(result), chart_text(text.noise_words(result)), colours)
    alternative = without_markdown(" ".join(text.answer_sentences(result, bounds)[:2]))
    return _exhibit(result, "error_curve", figure, alternative, bounds.curve, "bound")


def values_chart(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the values, with what is cut."""
    bounds = result.bounds
    if bounds is None:
        return None
    frame, subtitle = density_frame(bounds), chart_text(text.shape_words(result))
    figure = figures.density_figure(bounds, frame, result.setting.unit, subtitle, colours)
    return _exhibit(result, "values", figure, text.density_text(bounds), frame, "bound")


def bound_over_epsilon(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the best bound over ε."""
    bounds = result.bounds
    if bounds is None:
        return None
    figure = figures.bound_figure(bounds, result.setting.unit, _subtitle(result), colours)
    return _exhibit(result, "best_bound", figure, text.bound_text(bounds), bounds.over_epsilon, "epsilon")


def error_over_epsilon(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the errors over ε."""
    bounds = result.bounds
    if bounds is None:
        return None
    figure = figures.epsilon_figure(bounds, _words(result), _subtitle(result), colours)
    return _exhibit(result, "best_error", figure, text.error_text(bounds), bounds.over_epsilon, "epsilon")


def choices(result: ClippingResult, _: Colours) -> Exhibit | None:
    """Return the table of the bounds that one may choose."""
    bounds = result.bounds
    if bounds is None:
        return None
    return _exhibit(result, "choices", table_html(bounds), text.table_text(bounds), partial(bounds_frame, bounds))


def _words(result: ClippingResult) -> tuple[str, str]:
    return text.query_word(result), result.setting.unit


def _subtitle(result: ClippingResult) -> str:
    """Return the parameters of a chart over ε; of the user's own values nothing but their name."""
    return chart_text(f"{''.join(text.noise_and_delta(result))}, {text.shape_words(result)}")


def _header(result: ClippingResult) -> dict[str, str]:
    setting = result.setting
    keys = ("epsilon", "delta", "significance", "query", "low", "bound", "high", "neighbours", "noise", "error", "unit")
    entries = setting.texts(*keys)
    entries |= {key: "best" for key in ("low", "bound") if getattr(setting.bounds, key) is None}
    entries |= {"count_share": str(setting.count_share)} if setting.query == "counted_mean" else {}
    if not setting.is_own:
        entries |= setting.texts("shape", "median", "p90", "n_records")
    return entries | {"units": "bounds, values, biases and errors in the unit of the values; epsilon in nats"}


_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and clips no values.",
    DIFFPRIVLIB: "Its tools.sum takes bounds, and does not choose them or state an error.",
    OPACUS: "It clips gradients, at a norm that the user chooses.",
}
_NO_OPENDP = "Its clamp and sum have this form for whole bounds, a sum, and one person added or removed."
_NO_OWN = "Enter lo and U: the best ones of your own values are in no program."


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
        *(f"print({_bound_expression(bounds)})", "print(error.noise_scale)", "print(error.half_width)"),
    )
    printed = bounds.best_high, float(bounds.chosen.noise_scale), float(bounds.chosen.half_width)
    return Snippet(DPCORE, code, "The best bound, and the noise scale and ± at the chosen one.", printed)


def _noise_options(bounds: BoundsResult) -> str:
    setting = bounds.setting
    delta = "" if setting.delta is None else f", delta={number(setting.delta)}"
    return f"noise={setting.noise!r}, neighbours={setting.neighbours!r}{delta}"


def _bound_expression(bounds: BoundsResult) -> str:
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
    return within(Snippet(OPENDP, code, note, printed, *ABOUT_EQUAL), Limit("ε", setting.epsilon, 0.01, 10))


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
