"""The sentences and statements of the section "Several quantiles", and the names of the methods."""

from dpcore import linear_queries
from pages.framework.layout.statements import Statements
from pages.framework.parameters.number_format import (
    escape_markdown,
    exact_text,
    format_down,
    format_input_up,
    format_up,
    plural,
    table_html,
)
from pages.median.conditions import conditions_of_range
from pages.median.quantile.text import MISSING, WIDER, values_text
from pages.median.results import MedianResult
from pages.median.several.results import MOST_DRAWN, N_DRAWS, SeveralResult
from pages.shared import release_steps
from pages.shared.error_text import share
from pages.shared.statements import Release, in_full, off_by, release_statements
from pages.shared.values.amounts import amount, amount_up, entered_amount, quantile_name, unit_after

NAMES = {
    "single": "each by itself",
    "recursive": "one after the other",
    "histogram": "from a noisy histogram",
    "alone": "one alone",
}
_NOISY_SUMS = {"per_period": "each count", "tree": "each sum of a binary tree over the counts"}
EXPLANATION = r"""
**Each by itself.** Each of m quantiles is released by the exponential mechanism on the range with ε/m, so that all
together satisfy ε-DP. Its ± is exact.

**One after the other** (Kaplan, Schnapp & Stemmer 2022): the middle quantile is released, the values are split there,
and both halves go on in the same way. A person is in one part of a level, so that $\lfloor\log_2 m\rfloor+1$ levels
share ε. If one person is replaced, it may be in two parts, which costs twice as much: the page does not offer it then.


**From a noisy histogram.** The people in each of 16, 32, 64 or 128 equal parts of the range are counted, and their
running totals get Laplace noise by the best strategy of a series. Each quantile is read off where the totals, made to
rise, reach its share of the last one, so that more quantiles cost nothing. The number of parts is that with the least ±
of the farthest quantile.

The ± of both is estimated from 400 draws, not too small with 99 % confidence.

**One alone** has all of ε. Each ± holds for its quantile alone in the stated share of releases, not for all of them at
once. Public figures stand for a typical sample, of values that are not rounded: equal values would be bad for a release
of any number of the range.
"""
_FEW = (
    f"The method that releases one after the other is tried for at most {MOST_DRAWN:,} people of whom one is added or "
    "removed."
)
_PROOFS = {
    "single": "the exponential mechanism (McSherry & Talwar 2007; Smith 2011) for each, whose ε add up",
    "recursive": "Kaplan, Schnapp & Stemmer 2022",
    "histogram": "the Laplace mechanism (Dwork et al. 2006); all that is read off the noisy sums costs nothing",
}
_CHOSEN = "The method was chosen from the values, and ε does not cover that choice."
_CHOSEN_FROM_DATA = "Your values chose this method, and ε does not cover that choice: choose it with public figures."


def answer_text(result: MedianResult) -> tuple[str, ...]:
    """Return how far off the farthest of several quantiles is, by the better method, and which that is."""
    if problem := several_problem(result):
        return escape_markdown(problem), MISSING if result.has_no_values else WIDER
    several, setting = result.several, result.setting
    error = amount_up(several.largest_errors[several.best_method])
    people = plural(several.ordered.size, "person", "people")
    n, best = len(several.levels), several.best_method
    first = (
        f"Each of {n} quantiles is within **±{error}** {unit_after(error, escape_markdown(setting.unit))} of the true "
        f"one in {share(setting.significance)} of releases (ε = {format_input_up(setting.epsilon)}, {people})."
    )
    worst = several.levels[int(several.frame[several.best_method].to_numpy().argmax())]
    others = [f"{NAMES[name]}: ±{amount_up(error)}" for name, error in several.largest_errors.items() if name != best]
    released = f"Released {NAMES[best]}"
    old = result.compared
    pinned = "" if old is None or several_problem(old) else pinned_text(old, result)
    return (*filter(None, (first, f"{'; '.join((released, f'worst: {quantile_name(worst)}', *others))}.", pinned)),)


def pinned_text(pinned: MedianResult, result: MedianResult) -> str:
    """Return the largest ± of the pinned setting and of this one."""
    errors = (part.several.largest_errors[part.several.best_method] for part in (pinned, result))
    units = (escape_markdown(part.setting.unit) for part in (pinned, result))
    old, new = (f"±{amount_up(error)} {unit}" for error, unit in zip(errors, units, strict=True))
    return f"Compared with the pin: {old} → {new}."


def several_problem(result: MedianResult) -> str:
    """Return the sentence on why there is no answer; empty where there is one."""
    if result.values_problem:
        return result.values_problem
    setting, several = result.setting, result.several
    truths = zip(several.levels, several.truths.tolist(), strict=True)
    return next((found for level, truth in truths if (found := setting.range_problem(level, truth))), "")


def several_steps_text(result: MedianResult) -> str:
    """Return what to do in three steps; the ± is not among what is published, as it depends on the values."""
    several, release = result.several, result.several.release
    if several.best_method == "histogram":
        scale = format_up(linear_queries.noise_scale(several.strategy, release.epsilon))
        drawn = (
            f"**Count the people in {several.n_parts} equal parts of the range**, add Laplace noise, b = {scale} to "
            f"{_NOISY_SUMS[several.strategy.strategy]}, and read the quantiles off the running totals."
        )
    else:
        shared = "for each" if several.best_method == "single" else "for each level of halves"
        drawn = (
            f"**Draw the quantiles {NAMES[several.best_method]}**, once, by the exponential mechanism on the range, "
            f"with ε = {format_down(several.epsilon_each, 6)} {shared}."
        )
    return release_steps.steps_text(
        "Make sure that each person has one value, and choose the range and the quantiles without the data.",
        drawn,
        f"Publish them with ε = {format_input_up(release.epsilon)} for all together, the range and the conditions.",
    )


def several_statements(result: MedianResult) -> Statements | None:
    """Return the statements on the quantiles; None without an answer."""
    if several_problem(result):
        return None
    several, setting, chosen = result.several, result.setting, result.several.best_method
    n, low, high = len(several.levels), *(in_full(entered_amount(end)) for end in (setting.low, setting.high))
    noise = f"The {n} published quantiles are drawn at random from {low} to {high}, more probably near the exact ones"
    mechanism = f"the exponential mechanism on the range, ε = {format_down(several.epsilon_each, 6)} for each quantile"
    if chosen == "recursive":
        mechanism = f"{mechanism.removesuffix('quantile')}level of halves"
    elif chosen == "histogram":
        noise = (
            f"The people in {several.n_parts} equal parts from {low} to {high} are counted, and random noise is added"
        )
        noise += f" to sums of these counts, off which {n} quantiles are read"
        scale = format_up(linear_queries.noise_scale(several.strategy, setting.epsilon))
        mechanism = (
            f"Laplace noise, b = {scale}, on {_NOISY_SUMS[several.strategy.strategy]} in {several.n_parts} parts"
        )
    levels = ", ".join(map(exact_text, several.levels))
    off = (
        "for values as assumed, each published quantile taken alone",
        several.largest_errors[chosen],
        setting.significance,
    )
    public, numbers = ("", "") if setting.is_own else off_by(*off, setting.unit, is_at_least=True)
    estimated = "" if chosen == "single" else f"; estimated from {N_DRAWS} draws"
    assumed = f" (assumed: {values_text(result).partition(', ')[2]}{estimated})" if numbers else ""
    release = Release(
        noise=noise,
        error=(public, f"{numbers}{assumed}"),
        mechanism=f"{mechanism}; quantiles {levels}",
        proof=_PROOFS[chosen],
        epsilon=format_input_up(setting.epsilon),
        neighbours=setting.neighbours,
        caution=_CHOSEN if setting.is_own and len(several.largest_errors) > 1 else "",
    )
    return release_statements(release, conditions_of_range(result))


def method_note(result: MedianResult) -> str:
    """Return that the user's own values chose the method, and why one is not shown; else empty."""
    several = result.several
    if not several.has_draws:
        return "The ± of other methods is estimated from draws, of which the page has too few for so rare errors."
    chosen = _CHOSEN_FROM_DATA if result.setting.is_own else ""
    tried = "" if several.is_recursive_drawn else _FEW
    return " ".join(filter(None, (chosen, tried)))


def quantiles_html(several: SeveralResult) -> str:
    """Return the table of the quantiles, as HTML."""
    methods = [name for name in NAMES if name in several.frame]
    heads = ["Quantile", "True value", *(f"{NAMES[name][0].upper()}{NAMES[name][1:]}" for name in methods)]
    errors = [several.frame[name].tolist() for name in methods]
    rows = [
        [quantile_name(level), amount(truth), *(f"±{amount_up(error)}" for error in row)]
        for level, truth, *row in zip(several.levels, several.truths.tolist(), *errors, strict=True)
    ]
    return table_html("The errors of several quantiles", "readings", heads, rows)


def quantiles_alternative(several: SeveralResult) -> str:
    """Return what the chart and the table show."""
    errors = "; ".join(f"{NAMES[name]}: at most ±{amount_up(error)}" for name, error in several.largest_errors.items())
    return f"The ± of each of {len(several.levels)} quantiles within one ε. {errors[0].upper()}{errors[1:]}."
