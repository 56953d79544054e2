"""What each trace of the page on medians must show: see `tests.pages.figure_checks`."""

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.special import ndtri

from dpcore import clipping, quantiles, selection
from pages.framework.chart.theme import round_axis_end
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, linear, log

OWN = {"source": "own", "own": "1;2;2.5;3;3;4;5;8;9;50;400", "high": "500", "neighbours": "replace", "low": "-2"}
LARGEST = {"section": "largest"}
CHOICES = (
    LARGEST,
    LARGEST | {"counts": "40, 7, 7, 30, 29, 0", "neighbours": "replace", "epsilon": "0.2"},
    LARGEST | {"counts": "5,5,4", "chosen": "2", "epsilon": "2"},
)
SEVERAL = {"section": "several"}
SETTINGS = {
    "quantiles": (
        SEVERAL,
        SEVERAL | {"quantiles": "0.9,0.1", "neighbours": "replace", "unit": "minutes"},
        SEVERAL | {"source": "own", "own": "1;2;3;3;4;9;30", "epsilon": "3"},
    ),
    "over_lead": CHOICES,
    "choice_over_epsilon": CHOICES,
    "": (
        {},
        {"quantile": "0.9", "epsilon": "0.05", "high": "2000", "step": "5", "neighbours": "replace"},
        {"step": "none", "shape": "normal", "median": "5", "p90": "20", "low": "-100", "high": "100", "epsilon": "0.2"},
        {"quantile": "1", "n_records": "3000", "step": "0.5", "unit": "minutes"},
        {"median": "40000", "high": "200000", "n_records": "10000"},
        OWN,
        OWN | {"step": "none", "quantile": "0.25"},
    ),
}


def with_unit(name: str, setting: Setting) -> str:
    """Return the title of an axis, with the unit that was entered."""
    return f"{name} ({setting.unit})" if setting.unit else name


def recorded(setting: Setting, values: Numbers) -> Numbers:
    """Return values to the next step."""
    if math.isnan(setting.step):
        return values
    return setting.low + setting.step * np.rint((values - setting.low) / setting.step)


@cache
def values(setting: Setting) -> Numbers:
    """Return the values of a setting, of public figures a typical sample."""
    if setting.source == "own":
        return np.sort(setting.own)
    n = int(setting.n_records)
    if setting.shape == "normal":
        people = clipping.normal(setting.median, (setting.p90 - setting.median) / float(ndtri(0.9)), n)
    else:
        spread = math.log(setting.p90 / setting.median) / float(ndtri(0.9))
        people = clipping.lognormal(math.log(setting.median), spread, n)
    return recorded(setting, people.quantile((np.arange(n) + 0.5) / n))


def candidates(setting: Setting) -> Numbers:
    """Return the values that can be released."""
    return setting.low + setting.step * np.arange(int((setting.high - setting.low) / setting.step + 1e-9) + 1)


def outputs(setting: Setting) -> quantiles.Range | quantiles.Grid:
    """Return what can be released: any number of the range, or the values on the steps."""
    is_any_number = math.isnan(setting.step)
    return quantiles.Range(setting.low, setting.high) if is_any_number else quantiles.Grid(candidates(setting))


def released_below(setting: Setting, edges: Numbers) -> Numbers:
    """Return the probability of a release below each edge."""
    known = values(setting), setting.quantile, setting.epsilon, outputs(setting)
    points, chance = quantiles.released_distribution(*known, setting.neighbours)
    if math.isnan(setting.step):
        return np.interp(edges, points, np.append(0, np.cumsum(chance)))
    return np.array([chance[points < edge].sum() for edge in np.asarray(edges)])


def half_width(setting: Setting, epsilon: Numbers, mechanism: str = "permute_and_flip") -> Numbers:
    """Return the ± over ε: on the steps by a mechanism, or of any number of the range."""
    is_any_number = mechanism == "any_number"
    of = quantiles.Range(setting.low, setting.high) if is_any_number else quantiles.Grid(candidates(setting), mechanism)
    known = values(setting), setting.quantile, epsilon, of
    return quantiles.half_width(*known, setting.significance, setting.neighbours)


def room(setting: Setting) -> tuple[float, float]:
    """Return the ends of the chart about the true quantile."""
    truth = float(np.quantile(values(setting), setting.quantile))
    mechanism = "any_number" if math.isnan(setting.step) else "permute_and_flip"
    step = 0.0 if math.isnan(setting.step) else setting.step
    reach = round_axis_end(3 * max(float(half_width(setting, np.asarray(setting.epsilon), mechanism)), step))
    return max(truth - reach, setting.low), min(truth + reach, setting.high)


def bin_ends(setting: Setting, first: float, last: float) -> tuple[float, float]:
    """Return where the first bar begins, and the width of each."""
    if math.isnan(setting.step):
        return first, (last - first) / 60
    start, stop = (round((end - setting.low) / setting.step) for end in (first, last))
    return setting.low + setting.step * (start - 0.5), setting.step * math.ceil((stop - start + 1) / 60)


def bars(setting: Setting, *, near: bool) -> Chart:
    """Return the shares of the people and of the releases."""
    first, last = room(setting) if near else (setting.low, setting.high)
    start, width = bin_ends(setting, first, last)

    def ends(middle: Numbers) -> tuple[Numbers, Numbers]:
        place = np.floor((np.asarray(middle, np.float64) - start) / width)
        return start + place * width, start + (place + 1) * width

    def people(setting: Setting, middle: Numbers) -> Numbers:
        inside = np.clip(values(setting), setting.low, setting.high)
        low, high = ends(middle)
        upper = np.where(np.isclose(high, setting.high) & math.isnan(setting.step), np.inf, high)
        return np.array([np.mean((a <= inside) & (inside < b)) for a, b in zip(low, upper, strict=True)])

    def releases(setting: Setting, middle: Numbers) -> Numbers:
        low, high = ends(middle)
        return released_below(setting, high) - released_below(setting, low)

    traces = {
        "share of the people": Trace(people, "people", rtol=1e-6, atol=1e-12),
        "share of the releases": Trace(releases, "releases", rtol=1e-6, atol=1e-9),
    }
    return Chart(linear(with_unit("value", setting)), linear("share in a bar"), traces, "middle")


def over_epsilon(setting: Setting) -> Chart:
    """Return the ± over ε."""
    names = {"any_number": "any number of the range"}
    if not math.isnan(setting.step):
        names |= {
            "permute_and_flip": "on the steps: permute-and-flip",
            "exponential": "on the steps: exponential mechanism",
            "binary_search": "on the steps: noisy binary search",
        }

    def at(mechanism: str) -> Truth:
        return lambda setting, epsilon: half_width(setting, epsilon, mechanism)

    traces = {
        name: Trace(at(column), column, visible=lambda rows, column=column: rows[column] > 0, rtol=1e-7)
        for column, name in names.items()
    }
    return Chart(log("ε (nats)"), log(with_unit("±", setting)), traces, "epsilon")


def right(setting: Setting, scores: Numbers, epsilon: float, mechanism: str) -> float:
    """Return the probability that the right ones are published."""
    options = epsilon, 1.0, mechanism, setting.neighbours == "add_remove"
    if setting.chosen == 1:
        return float(selection.winner_probability(scores, *options))
    return selection.top_probability(scores, int(setting.chosen), *options)


def ordered_counts(setting: Setting) -> Numbers:
    """Return the counts, the largest first."""
    return np.array(sorted(setting.counts, reverse=True))


def over_lead(setting: Setting) -> Chart:
    """Return the probability over the lead of the largest."""

    def at(mechanism: str) -> Truth:
        def truth(setting: Setting, leads: Numbers) -> Numbers:
            counts, m = ordered_counts(setting), int(setting.chosen)
            moved = [np.append(counts[:m] - counts[m - 1] + counts[m] + lead, counts[m:]) for lead in leads]
            return np.array([right(setting, scores, setting.epsilon, mechanism) for scores in moved])

        return truth

    return Chart(linear("lead over the next (people)"), linear("probability"), choice_traces(at), "lead")


def choice_over_epsilon(setting: Setting) -> Chart:
    """Return the probability over ε."""

    def at(mechanism: str) -> Truth:
        return lambda setting, losses: np.array(
            [right(setting, ordered_counts(setting), float(epsilon), mechanism) for epsilon in losses]
        )

    return Chart(log("ε (nats)"), linear("probability"), choice_traces(at), "epsilon")


def choice_traces(at: Callable[[str], Truth]) -> dict[str, Trace]:
    """Return the lines of the three mechanisms."""
    names = {
        "permute_and_flip": "permute-and-flip",
        "exponential": "exponential mechanism",
        "report_noisy_max": "largest noisy count",
    }
    return {name: Trace(at(key), key, rtol=1e-6) for key, name in names.items()}


def several(setting: Setting) -> Chart:
    """Return the ± of several quantiles by method."""
    unrounded = Setting(**(vars(setting) | {"step": math.nan}))
    known, of = values(unrounded), quantiles.Range(setting.low, setting.high)
    levels = sorted(setting.quantiles)

    def recursive(_: Setting, places: Numbers) -> Numbers:
        rng = np.random.default_rng(1)
        draws = quantiles.sample_recursive(rng, known, levels, setting.epsilon, of, 400)
        errors = quantiles.drawn_half_widths(draws, known, levels, of, setting.significance)
        return errors[np.searchsorted(levels, np.asarray(places) - 1e-6)]

    def from_histogram(parts: int, seed: int) -> Numbers:
        options = parts, 0.0, setting.neighbours, 400
        draws = quantiles.sample_histogram(np.random.default_rng(seed), known, levels, setting.epsilon, of, *options)
        return quantiles.drawn_half_widths(draws, known, levels, of, setting.significance)

    def histogram(_: Setting, places: Numbers) -> Numbers:
        parts = min((16, 32, 64, 128), key=lambda parts: from_histogram(parts, 2).max())
        return from_histogram(parts, 1)[np.searchsorted(levels, np.asarray(places) - 1e-6)]

    def alone(epsilon: float) -> Truth:
        return lambda _, level: quantiles.half_width(
            known, np.clip(level, 0, 1), epsilon, of, setting.significance, setting.neighbours
        )

    traces = {
        "each by itself": Trace(alone(setting.epsilon / len(levels)), "single", rtol=1e-6),
        "from a noisy histogram": Trace(histogram, "histogram", rtol=1e-6),
        "one alone": Trace(alone(setting.epsilon), "alone", rtol=1e-6),
    }
    if setting.neighbours == "add_remove":
        traces["one after the other"] = Trace(recursive, "recursive", rtol=1e-6)
    return Chart(linear("quantile"), log(with_unit("±", setting)), traces, "quantile")


CHARTS = {
    "quantiles": several,
    "over_lead": over_lead,
    "choice_over_epsilon": choice_over_epsilon,
    "release": lambda setting: bars(setting, near=False),
    "near": lambda setting: bars(setting, near=True),
    "over_epsilon": over_epsilon,
}
