"""The sentences of the section "A sum or mean"."""

import numpy as np

from pages.clipping.bounds.results import BoundsResult
from pages.clipping.parameters import NOISE_NAMES
from pages.clipping.results import ClippingResult
from pages.framework.parameters.number_format import (
    escape_markdown,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    percent,
    percent_up,
    pin_sentence,
)
from pages.shared.formulas import share
from pages.shared.shared_parameters import and_delta, guarantee_words
from pages.shared.values.parameters import VALUES_BOX, amount, amount_up, entered_amount, unit_after

MISSING = (
    "Your own values are missing: the link does not contain them.",
    f"[Upload or paste your values](#{VALUES_BOX}), or choose a distribution.",
)
WHOLE_VALUES = "It also requires values that are whole numbers: round each value before it is clipped."
OWN_BOUND = (
    "⚠ This bound comes from your own values and reveals something about them: clip at one that was chosen without "
    "them."
)
_LEAST_BELOW, _LEAST_CUT = 0.5, 0.001
_MEASURES = {"root_mean_square": "root mean square error", "mean_absolute": "mean absolute error", "half_width": "±"}
_EQUAL, _MOST_PERCENT = 1.001, 1.1  # ratios below which errors are equal, or differ by a few percent


def answer_text(result: ClippingResult) -> tuple[str, ...]:
    """Return the best bound, its error, what is cut, and the error at the user's bound; or what is missing."""
    bounds = result.bounds
    if bounds is None:
        problem = result.problem or result.range_problem
        return (escape_markdown(problem), MISSING[1]) if problem else MISSING
    sentences = answer_sentences(result, bounds)
    pinned = None if result.pinned is None else result.pinned.bounds
    if result.pinned is None or pinned is None:
        return sentences
    return *sentences, comparison_sentence(result.pinned, pinned, bounds)


def query_word(result: ClippingResult) -> str:
    """Return the query in a word."""
    return "sum" if result.setting.query == "sum" else "mean"


def answer_sentences(result: ClippingResult, bounds: BoundsResult) -> tuple[str, ...]:
    """Return the two sentences of the answer."""
    setting = result.setting
    unit, query = escape_markdown(setting.unit), query_word(result)
    half_width = amount_up(float(bounds.chosen.half_width))
    within = f"within **±{half_width}** {unit_after(half_width, unit)} in {share(setting.significance)} of releases"
    within += guarantee_words(setting.epsilon, setting.noise_delta)
    where = _clipped_where(bounds, unit)
    if bounds.setting.bound is None:
        first = f"Clipping {where} is best: the {query} is {within}."
        least = ""
    else:
        first = f"Clipping {where} keeps the {query} {within}."
        least = f"; {_least_words(bounds)}."
    if setting.is_own and bounds.setting.is_sought:
        return first, OWN_BOUND
    second = _cut_words(result, bounds)
    if least:
        return first, f"{second}{least}"
    if not bounds.has_maximum:
        return first, f"{second}."
    maximum = f"at the maximum of your range, {entered_amount(setting.high)}, the {_MEASURES[bounds.setting.error]}"
    return first, f"{second}; {maximum} would be {ratio_text(bounds.ratio(bounds.at_maximum))}."


def _clipped_where(bounds: BoundsResult, unit: str) -> str:
    """Return the bound in words, or both where the lower one is sought, with the unit."""
    high = bounds.high
    top = entered_amount(high) if high == bounds.setting.bound else amount(high)
    if bounds.is_low_sought:
        return f"to **[{amount(bounds.low)}, {top}]** {unit}"
    return f"at **{top}** {unit_after(top, unit)}"


def _cut_words(result: ClippingResult, bounds: BoundsResult) -> str:
    """Return how many values are cut: exactly for known values, on average for a distribution."""
    is_known = isinstance(bounds.known, np.ndarray)
    if is_known and bounds.n_values == 1:
        return f"Your one value is {'cut' if bounds.chosen.n_clipped else 'not cut'}"
    n = f"{bounds.n_values:,}"
    values = f"your {n} values" if result.setting.is_own else f"{n} {result.setting.shape} values"
    if bounds.chosen.n_clipped < _LEAST_CUT:
        return f"{'None' if is_known else 'Practically none'} of {values} is cut"
    n_cut = format_nearest(float(bounds.chosen.n_clipped), 3)
    about = "" if is_known and bounds.chosen.n_clipped < 1000 else "About "
    return f"{about}{n_cut} of {values} {'is' if n_cut == '1' else 'are'} cut"


def _least_words(bounds: BoundsResult) -> str:
    """Return how the error at the user's bound compares with the least one."""
    ratio = bounds.ratio(bounds.chosen)
    if ratio < _EQUAL:
        return "no bound has a smaller error"
    larger = f"{percent_up(ratio - 1, 3)} above" if ratio < _MOST_PERCENT else f"{format_up(ratio)} times"
    return f"the {_MEASURES[bounds.setting.error]} is {larger} the least, which is at {amount(bounds.best_high)}"


def ratio_text(ratio: float) -> str:
    """Return how large an error is, as a multiple of the least.

    >>> ratio_text(3.14159), ratio_text(1.0001), ratio_text(1.0301)
    ('3.142 times as large', 'equally large', '3.01 % larger')
    """
    if ratio < _EQUAL:
        return "equally large"
    return f"{percent_up(ratio - 1, 3)} larger" if ratio < _MOST_PERCENT else f"{format_up(ratio)} times as large"


def comparison_sentence(pinned: ClippingResult, pinned_bounds: BoundsResult, bounds: BoundsResult) -> str:
    """Return how the chosen bound and its error differ from those of the pinned setting."""
    old, new = ((amount(part.high), f"±{amount_up(float(part.chosen.half_width))}") for part in (pinned_bounds, bounds))
    both = zip(old, new, strict=True)
    high, half_width = (before if before == after else f"{before} → {after}" for before, after in both)
    values = escape_markdown(f"{noise_words(pinned)}, {shape_words(pinned)}")
    return pin_sentence(f"clipping at {high}, {half_width}", values)


def noise_words(result: ClippingResult) -> str:
    """Return the noise and the guarantee in words."""
    setting = result.setting
    guarantee = f"ε = {format_input_up(setting.epsilon)}{and_delta(setting.noise_delta)}"
    return f"{NOISE_NAMES[setting.noise]} noise, {guarantee}"


def shape_words(result: ClippingResult) -> str:
    """Return the distribution of the values in words; of the user's own nothing but their name."""
    setting = result.setting
    if setting.is_own:
        return "own values"
    median, high = format_input_down(setting.median), format_input_up(setting.p90)
    n = format_input_down(setting.n_records)
    return f"{setting.shape}, median {median}, 90th percentile {high}, n = {n}"


def density_text(bounds: BoundsResult) -> str:
    """Return what the chart of the values shows."""
    n_cut = format_nearest(float(bounds.chosen.n_clipped), 3)
    words = "a bin" if bounds.is_signed else "a decade"
    ends = f"[{amount(bounds.low)}, {amount(bounds.high)}]"
    cut = f"Number of values in {words}. Clipping to {ends} cuts about {n_cut} of "
    if bounds.is_signed:
        return f"{cut}{bounds.n_values:,} values."
    mean = float(np.mean(bounds.known)) if isinstance(bounds.known, np.ndarray) else bounds.known.mean
    total = max(abs(mean) * bounds.n_values / bounds.unit_count, 1e-300)
    share_of_sum = percent(abs(float(bounds.chosen.bias)) / total, 3)
    return f"{cut}{bounds.n_values:,} values, {share_of_sum} of their sum."


def bound_text(bounds: BoundsResult) -> str:
    """Return what the chart of the best bound over ε shows."""
    first, last = (bounds.over_epsilon.iloc[place] for place in (0, -1))
    return (
        f"The best upper bound over ε: {amount(first['best'])} at ε = {format_nearest(first['epsilon'])} and "
        f"{amount(last['best'])} at ε = {format_nearest(last['epsilon'])}. A smaller ε means a lower bound."
    )


def error_text(bounds: BoundsResult) -> str:
    """Return what the chart of the errors over ε shows."""
    if not bounds.has_maximum:
        return "The least error over ε."
    ratios = (bounds.over_epsilon["maximum"] / bounds.over_epsilon["error"]).to_numpy()
    return (
        f"The least error over ε, and that at the maximum of your range, {entered_amount(bounds.setting.high)}, which "
        f"is {format_nearest(float(ratios.min()))} to {format_nearest(float(ratios.max()))} times as large."
    )


def table_text(bounds: BoundsResult) -> str:
    """Return what the table of bounds shows."""
    return (
        "Possible upper bounds, with the values that each cuts, its bias, noise and errors; the least error "
        f"is at {amount(bounds.best_high)}."
    )


def below_text(bounds: BoundsResult) -> str:
    """Return what to do where the user's lower bound cuts values; empty where it cuts none."""
    if bounds.is_low_sought or bounds.n_below < _LEAST_BELOW:
        return ""
    return (
        f"About {format_nearest(bounds.n_below, 3)} of {bounds.n_values:,} values are below lo = "
        f"{entered_amount(bounds.low)} and raised to it. Where that is not meant, enter best at lo: both bounds are "
        "sought then."
    )


def bound_words(bounds: BoundsResult) -> tuple[str, str]:
    """Return both bounds in words: those that were entered as they were entered, those that were sought rounded."""
    high = entered_amount(bounds.high) if bounds.setting.bound is not None else amount(bounds.high)
    return amount(bounds.low) if bounds.is_low_sought else entered_amount(bounds.low), high
