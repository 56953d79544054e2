"""The sentences of the section "A sum or mean"."""

import numpy as np

from pages.clipping.amounts import amount, amount_up, entered_amount
from pages.clipping.bounds.results import BoundsResult
from pages.clipping.parameters import NOISE_NAMES, VALUES_BOX, noise_in_words
from pages.clipping.results import ClippingResult
from pages.framework.parameters.number_format import (
    escape_markdown,
    exact_text,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    percent,
    percent_up,
)
from pages.shared.error_text import share
from pages.shared.page_links import Link, shared_entries
from pages.shared.site_map import ACCURACY, CLIPPING, PLAN, TABLES

MISSING = (
    "Your own values are missing: the link does not contain them.",
    f"[Upload or paste your values](#{VALUES_BOX}), or choose a median and a 90th percentile.",
)
LEAK = (
    "**⚠ Bounds taken from confidential data leak:** no noise protects what they reveal. Decide the bound from "
    "**public knowledge** (statistics, a law, the range of a form), from an **older release**, or release a **private "
    "quantile**, which costs a part of ε{cost}."
)
PRESETS = (
    (
        "Household incomes",
        {"median": "51017", "p90": "146000", "unit": "dollars", "high": "1000000", "n_records": "10000"},
        "United States 2012, median $51,017 and 90th percentile $146,000 (U.S. Census Bureau, P60-245, Table A-2)",
    ),
    (
        "Trip lengths",
        {"median": "1.76", "p90": "6", "unit": "miles", "high": "100", "n_records": "10000"},
        "New York yellow cabs, median 1.76 and 90th percentile 6.0 miles in a sample of 21,589 trips of January 2013 "
        "and January 2015 (NYC Taxi & Limousine Commission, trip records)",
    ),
)
EXPLANATION = r"""
Values are clipped to [lo, hi], so that one person moves their sum by at most
$\Delta=\max(|lo|,|hi|)$ (a person is added or removed) or $hi-lo$ (a person is replaced), and noise for Δ is added.

- **Bias** $B=\sum(\mathrm{clip}(x)-x)$. Of a distribution it is the mean, a closed form: for the lognormal distribution
  $E(X-U)_+=e^{m+s^2/2}\,\Phi\!\left(\frac{m+s^2-\ln U}{s}\right)-U\,\Phi\!\left(\frac{m-\ln U}{s}\right)$ with
  $e^m$ the median and $e^{m+1.2816\,s}$ the 90th percentile.
- **Root mean square error** $\sqrt{B^2+\mathrm{Var}}$; with Laplace noise of scale b the **mean absolute error** is
  $|B|+b\,e^{-|B|/b}$. The **±** is the least a such that the error is within ±a in the stated share of releases.
- **The best bound**, above 0 and above lo, is searched for on successively finer grids and rounded to three digits;
  every number of the answer is computed at the rounded bound. With Laplace noise and lo = 0 the number of values above
  it times |B| is $2U/\varepsilon^2$.
- **Rule of thumb**: the bound that about 1/ε values exceed. Its mean absolute error is at most twice the least one
  (compare Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019, *Bounding user contributions: a bias–variance trade-off in
  differential privacy*, ICML). It is proved for lo = 0, Laplace noise and a person added or removed.
- **A private bound** is a quantile by the exponential mechanism (Smith 2011) between 0 and your bound, with a share of
  ε; the rest of ε buys the noise of the sum. Share and quantile are the best of a grid, and the error is the root mean
  square over the exact distribution of the bound. If there are more than 1,000 values, 1,000 of them represent all.
- **A mean** with public n has the errors of the sum divided by n, and one person is replaced.

The bias of a distribution is a mean: real data differ. The noise scale and the errors are rounded up.
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


def answer_sentences(result: ClippingResult, bounds: BoundsResult) -> tuple[str, ...]:
    """Return the two sentences of the answer."""
    unit, query = escape_markdown(result.setting.unit), result.setting.query
    assumed = "for your values" if result.setting.is_own else "for lognormal values"
    first = (
        f"Clipping at **{amount(bounds.best_high)}** {unit} gives the least error of the {query}, "
        f"**±{amount_up(float(bounds.best.half_width))}** {unit}, {assumed}."
    )
    n_cut = format_nearest(float(bounds.best.n_clipped), 3)
    second = f"About {n_cut} of {bounds.n_values:,} values are cut; at your bound of "
    return first, f"{second}{entered_amount(result.setting.high)} the error would be {ratio_text(bounds.ratio)}."


def ratio_text(ratio: float) -> str:
    """Return how large an error is, as a multiple of the least.

    >>> ratio_text(3.14159), ratio_text(1.0001), ratio_text(1.0301)
    ('3.142 times as large', 'equally large', '3.01 % larger')
    """
    if ratio < 1.001:
        return "equally large"
    return f"{percent_up(ratio - 1, 3)} larger" if ratio < 1.1 else f"{format_up(ratio)} times as large"


def comparison_sentence(pinned: ClippingResult, pinned_bounds: BoundsResult, bounds: BoundsResult) -> str:
    """Return how the best bound and its error differ from those of the pinned setting."""
    old, new = ((amount(part.best_high), amount_up(float(part.best.half_width))) for part in (pinned_bounds, bounds))
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
    return f"lognormal, median {median}, 90th percentile {high}, n = {format_input_down(setting.n_records)}"


def density_text(bounds: BoundsResult) -> str:
    """Return what the chart of the values shows."""
    return (
        f"Number of values in a decade. The bound {amount(bounds.best_high)} cuts about "
        f"{format_nearest(float(bounds.best.n_clipped), 3)} of {bounds.n_values:,} values, "
        f"{percent(abs(float(bounds.best.bias)) / _total(bounds), 3)} of their sum."
    )


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
    ratios = (bounds.over_epsilon["yours"] / bounds.over_epsilon["error"]).to_numpy()
    return (
        f"The least error over ε, and that at your bound of {entered_amount(bounds.setting.high)}, which is "
        f"{format_nearest(float(ratios.min()))} to {format_nearest(float(ratios.max()))} times as large."
    )


def table_text(bounds: BoundsResult) -> str:
    """Return what the table of bounds shows."""
    return (
        "Possible upper bounds, with the values that each cuts, its bias, noise and errors; the least error "
        f"is at {amount(bounds.best_high)}."
    )


def leak_text(bounds: BoundsResult) -> str:
    """Return the warning that bounds from confidential data leak, with the cost of a private bound."""
    private = bounds.private
    if private is None:
        return LEAK.format(cost="; the page shows its cost for Laplace noise, lo = 0 and a person added or removed")
    ratio = private.error / float(bounds.best.root_mean_square_error)
    return LEAK.format(
        cost=f": with {percent(private.share)} of ε for the {percent(private.quantile)} quantile between 0 and your "
        f"bound, the root mean square error is {amount_up(private.error)}, "
        f"{format_nearest(ratio, 3)} times that at the best public bound"
    )


def report_text(result: ClippingResult, bounds: BoundsResult) -> str:
    """Return a sentence for the report of a release."""
    setting, best = result.setting, bounds.best
    unit = escape_markdown(setting.unit)
    low, high = entered_amount(setting.low), amount(bounds.best_high)
    clipped = f"“Values were clipped to [{low}, {high}] {unit} before the {setting.query} was computed;"
    noise = f"with {noise_in_words(setting.noise)} noise of scale {amount_up(float(best.noise_scale))} the result is"
    half_width = f"within ±{amount_up(float(best.half_width))} {unit} of the unclipped {setting.query}"
    return (
        f"**A sentence for your report:** {clipped} {noise} {half_width} in {share(setting.significance)} of releases.”"
    )


def links_text(result: ClippingResult, bounds: BoundsResult) -> str:
    """Return the links that take the sensitivity along: of the best bound, or of the user's for own values.

    Of own values the links have nothing that is computed from them, and not their number.
    """
    setting = result.setting
    high = setting.high if setting.is_own else bounds.best_high
    low, top = exact_text(setting.low), exact_text(high)
    shared = shared_entries(setting) | {"neighbours": setting.bounds.neighbours}
    accuracy = shared | {"low": low, "high": top, "unit": setting.unit, "query": setting.query, "known": "epsilon"}
    if setting.is_own:
        links = [Link(ACCURACY, "Accuracy", accuracy)]
    else:
        numbers = f"{exact_text(float(bounds.best.half_width))},{low},{top}"
        numbers += f",{bounds.n_values}" if setting.query == "mean" else ""
        plan = shared | {"queries": f"!{setting.query}:{numbers}=Clipped {setting.query}"}
        links = [
            Link(ACCURACY, "Accuracy", accuracy | {"n_records": str(bounds.n_values)}),
            Link(PLAN, "Plan", plan),
        ]
    most = max(abs(setting.low), high)
    if 1e-9 <= most <= 1e9 and setting.query == "sum":
        links.append(Link(TABLES, "Tables", shared | {"per_person": "1", "per_cell": exact_text(most)}))
    name = "your bound" if setting.is_own else "this bound"
    note = " The best bound of your own values is in no link: set hi to the bound that you decide." * setting.is_own
    pages = " or ".join(filter(None, (", ".join(link.markdown for link in links[:-1]), links[-1].markdown)))
    return f"**Go on with {name}**, {amount(high)}: open {pages} with its sensitivity.{note}"


def presets_text(result: ClippingResult) -> str:
    """Return links to settings from public figures."""
    shared = shared_entries(result.setting)
    items = (
        f"{Link(CLIPPING, name, shared | entries | {'section': 'sum', 'source': 'shape'}).markdown}: {source}"
        for name, entries, source in PRESETS
    )
    return f"**Start from public figures.** {'. '.join(items)}."
