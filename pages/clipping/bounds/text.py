"""The sentences of the section "A sum or mean"."""

import numpy as np

from pages.clipping.amounts import amount, amount_up, entered_amount
from pages.clipping.bounds.results import BoundsResult
from pages.clipping.parameters import NOISE_NAMES, VALUES_BOX, noise_in_words
from pages.clipping.results import ClippingResult
from pages.framework.parameters.number_format import (
    escape_markdown,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    percent,
    percent_up,
)
from pages.shared.error_text import share

MISSING = (
    "Your own values are missing: the link does not contain them.",
    f"[Upload or paste your values](#{VALUES_BOX}), or choose a distribution.",
)
LEAK = (
    "**⚠ Bounds taken from confidential data leak:** no noise protects what they reveal. Use **public knowledge**, an "
    "**older release**, or a **private quantile**{cost}."
)
_LEAST_BELOW = 0.5
_SHAPE_NAMES = {"lognormal": "lognormal", "normal": "normal"}
_MEASURES = {"root_mean_square": "root mean square error", "mean_absolute": "mean absolute error", "half_width": "±"}
_EQUAL, _MOST_PERCENT = 1.001, 1.1  # ratios below which errors are equal, or differ by a few percent
EXPLANATION = r"""
Values are clipped to [lo, U], so that one person moves their sum by at most
$\Delta=\max(|lo|,U)$ (a person is added or removed) or $U-lo$ (a person is replaced), and noise for Δ is added.

- **Bias** $B=\sum(\mathrm{clip}(x)-x)$. Of a distribution it is the mean, a closed form: for the lognormal distribution
  $E(X-U)_+=e^{m+s^2/2}\,\Phi\!\left(\frac{m+s^2-\ln U}{s}\right)-U\,\Phi\!\left(\frac{m-\ln U}{s}\right)$ with
  $e^m$ the median and $e^{m+1.2816\,s}$ the 90th percentile; of the normal one the 90th percentile is
  $m+1.2816\,s$.
- **Root mean square error** $\sqrt{B^2+\mathrm{Var}}$; with Laplace noise of scale b the **mean absolute error** is
  $|B|+b\,e^{-|B|/b}$. The **±** is the least a such that the error is within ±a in the stated share of releases.
- **The best bound**, above 0 and above lo, is searched for on successively finer grids and rounded to three digits;
  every number of the answer is computed at the rounded bound. With Laplace noise and lo = 0 the number of values above
  it times |B| is $2U/\varepsilon^2$. Where values are cut on both sides, all that is cut counts,
  $\sum|\mathrm{clip}(x)-x|$: that one side makes up for the other is an accident.
- **Rule of thumb**: the bound that about 1/ε values exceed. Its mean absolute error is at most twice the least one
  (compare Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019, *Bounding user contributions: a bias–variance trade-off in
  differential privacy*, ICML). It is proved for lo = 0 and Laplace noise.
- **A private bound** is a quantile by the exponential mechanism (Smith 2011) between 0 and the maximum of your range,
  with a share of ε; the rest of ε, and δ, buy the noise of the sum. Share and quantile are the best of a grid, and the
  error is the root mean square over the exact distribution of the bound. Means of up to 1,000 groups, small ones at the
  top, represent more values. It is not offered for lo ≠ 0, negative values, noise on the whole numbers, or a counted n.
- **A mean** with public n has the errors of the sum divided by n, and one person is replaced. **With n counted**, a
  share s of ε and δ buys noise for the count, the rest noise for the sum of the distances to the middle of the bounds,
  of sensitivity $(U-lo)/2$. Its errors are right to first order in 1/n; ± and the mean absolute error add up both
  noises, and are upper bounds of that.

The public figures: household incomes in the United States in 2012 have a median of 51,017 dollars and a 90th percentile
of 146,000 dollars (U.S. Census Bureau, P60-245, Table A-2); the trips are a sample of 21,589 trips of New York yellow
cabs in January 2013 and January 2015 (NYC Taxi & Limousine Commission, trip records), with 1.76 and 6.0 miles.

The bias of a distribution is a mean: real data differ. The noise scale and the errors are rounded up. Discrete Gaussian
noise is computed for bounds and values up to 100,000, and with a lower bound that you enter; the half-width as the
error that is least, for any other noise and a lower bound that you enter: the search for others takes too long.
"""


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
    assumed = "for your values" if setting.is_own else f"for {_SHAPE_NAMES[setting.shape]} values"
    half_width = f"**±{amount_up(float(bounds.chosen.half_width))}** {unit}"
    where = f"{_interval_or_bound(bounds, bounds.high)} {unit}"
    if bounds.setting.bound is None:
        first = f"Clipping {where} gives the least error of the {query}, {half_width}, {assumed}."
        least = ""
    else:
        first = f"Clipping {where} gives an error of the {query} of {half_width}, {assumed}."
        least = f"; {_least_words(bounds)}."
    n_cut = format_nearest(float(bounds.chosen.n_clipped), 3)
    about = "" if isinstance(bounds.known, np.ndarray) and bounds.chosen.n_clipped < 1000 else "About "
    second = f"{about}{n_cut} of {bounds.n_values:,} values {'is' if n_cut == '1' else 'are'} cut"
    if least:
        return first, f"{second}{least}"
    if not bounds.has_maximum:
        return first, f"{second}."
    maximum = f"at the maximum of your range, {entered_amount(setting.high)}, the {_MEASURES[bounds.setting.error]}"
    return first, f"{second}; {maximum} would be {ratio_text(bounds.ratio(bounds.at_maximum))}."


def _interval_or_bound(bounds: BoundsResult, high: float) -> str:
    """Return the bound in words, or both where the lower one is sought."""
    top = entered_amount(high) if high == bounds.setting.bound else amount(high)
    return f"to **[{amount(bounds.low)}, {top}]**" if bounds.is_low_sought else f"at **{top}**"


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
    old, new = ((amount(part.high), amount_up(float(part.chosen.half_width))) for part in (pinned_bounds, bounds))
    return (
        f"Compared with the pin ({escape_markdown(values_text(pinned))}): clipping at {old[0]} → {new[0]}, "
        f"±{old[1]} → ±{new[1]}."
    )


def values_text(result: ClippingResult) -> str:
    """Return the noise, the guarantee and the values in words."""
    return f"{noise_words(result)}, {shape_words(result)}"


def noise_words(result: ClippingResult) -> str:
    """Return the noise and the guarantee in words."""
    setting = result.setting
    delta = "" if setting.noise in ("laplace", "geometric") else f", δ = {format_input_up(setting.delta)}"
    return f"{NOISE_NAMES[setting.noise]} noise, ε = {format_input_up(setting.epsilon)}{delta}"


def shape_words(result: ClippingResult) -> str:
    """Return the distribution of the values in words; of the user's own nothing but their name."""
    setting = result.setting
    if setting.is_own:
        return "own values"
    median, high = format_input_down(setting.median), format_input_up(setting.p90)
    shape, n = _SHAPE_NAMES[setting.shape], format_input_down(setting.n_records)
    return f"{shape}, median {median}, 90th percentile {high}, n = {n}"


def density_text(bounds: BoundsResult) -> str:
    """Return what the chart of the values shows."""
    n_cut = format_nearest(float(bounds.chosen.n_clipped), 3)
    words = "a bin" if bounds.is_signed else "a decade"
    cut = (
        f"Number of values in {words}. Clipping to [{amount(bounds.low)}, {amount(bounds.high)}] cuts about {n_cut} of "
    )
    if bounds.is_signed:
        return f"{cut}{bounds.n_values:,} values."
    share_of_sum = percent(abs(float(bounds.chosen.bias)) / _total(bounds), 3)
    return f"{cut}{bounds.n_values:,} values, {share_of_sum} of their sum."


def _total(bounds: BoundsResult) -> float:
    mean = float(np.mean(bounds.known)) if isinstance(bounds.known, np.ndarray) else bounds.known.mean
    return max(abs(mean) * bounds.n_values / bounds.unit_count, 1e-300)


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


def leak_text(bounds: BoundsResult) -> str:
    """Return the warning that bounds from confidential data leak, with the cost of a private bound."""
    private = bounds.private
    if private is None:
        return LEAK.format(cost=", whose cost the page shows for values from lo = 0 on and continuous noise")
    ratio = private.error / float(bounds.best.root_mean_square_error)
    return LEAK.format(
        cost=f": with {percent(private.share)} of ε for the {percent(private.quantile)} quantile between 0 and the "
        f"maximum of your range, the root mean square error is {amount_up(private.error)}, "
        f"{format_nearest(ratio, 3)} times that at the best public bound"
    )


def report_text(result: ClippingResult, bounds: BoundsResult) -> str:
    """Return a sentence for the report of a release."""
    setting, chosen = result.setting, bounds.chosen
    unit, query = escape_markdown(setting.unit), query_word(result)
    high = entered_amount(bounds.high) if bounds.setting.bound is not None else amount(bounds.high)
    low = amount(bounds.low) if bounds.is_low_sought else entered_amount(bounds.low)
    clipped = f"“Values were clipped to [{low}, {high}] {unit} before the {query} was computed;"
    counted = f", and a count with {percent(setting.count_share)} of ε," if bounds.count_share is not None else ""
    scale = amount_up(float(chosen.noise_scale))
    noise = f"with {noise_in_words(setting.noise)} noise of scale {scale}{counted} the result is"
    half_width = f"within ±{amount_up(float(chosen.half_width))} {unit} of the unclipped {query}"
    return (
        f"**A sentence for your report:** {clipped} {noise} {half_width} in {share(setting.significance)} of releases.”"
    )
