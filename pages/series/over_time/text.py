"""The sentences of the section on a series over time, of its trial, of what to do, and of how it is computed."""

from math import ceil

import numpy as np
import pandas as pd

from dpcore.families import FAMILIES
from dpcore.linear_queries import Errors
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_down,
    format_input_up,
    format_up,
    percent_up,
    pin_sentence,
    uncapitalized,
)
from pages.series.methods import CLOSE, EQUAL, Guaranteed, errors_of, person_text
from pages.series.over_time.results import ALONE, OverTime
from pages.series.parameters import PERIODS_PER_YEAR
from pages.series.ranges.results import AllRanges
from pages.series.results import SeriesResult, SeriesSetting, limit_text
from pages.shared import statements
from pages.shared.formulas import share
from pages.shared.shared_parameters import and_delta, glossary_link

LINE_NAMES = {
    ALONE: "noise in each period",
    "per_number": "noise in each total",
    "tree": "binary tree",
    "binary_tree": "plain binary tree",
    "square_root": "square root",
    "normalized_square_root": "normalised square root",
    "banded": "square root, 8 diagonals",
    "optimum": "numerical optimum for k = 1",
}
"""The methods in legends and tables."""
_SHORT_NAMES = {
    "per_number": "noisy totals",
    "tree": "a binary tree",
    "binary_tree": "a plain tree",
    "square_root": "square root",
    "normalized_square_root": "normalised square root",
    "banded": "a banded root",
}
_NUMBERS = {
    "running_totals": "running total",
    "year_to_date": "total since the start of a year",
    "window": "total of the last {w}",
    "each": "number",
}
_SUBJECTS = {
    "running_totals": ("running total", "running totals"),
    "year_to_date": ("year-to-date total", "year-to-date totals"),
    "window": ("{w}-{} total", "{w}-{} totals"),
    "each": ("{}’s number", "{}s"),
}


def short_name(setting: SeriesSetting, method: str) -> str:
    """Return a method in an answer."""
    return f"noisy {setting.period_words}" if method == ALONE else _SHORT_NAMES[method]


def number_words(setting: SeriesSetting) -> str:
    """Return what is published, in the singular."""
    return _NUMBERS[setting.totals].format(w=setting.periods(setting.window))


def setting_words(setting: SeriesSetting) -> str:
    """Return the guarantee, the series and the person in a line."""
    series = setting.series
    person = person_text(series, f"{series.contributions:,}")  # of these periods
    return f"{setting.noise.name} noise, {setting.terms_text}, {setting.periods(series.n)}, {person}"


def answer_text(result: SeriesResult) -> tuple[str, ...]:
    """Return the error of the chosen method beside noise in each period, and what is better where something is."""
    setting, found = result.setting, result.over_time
    one, several = (word.format(setting.period, w=int(setting.window)) for word in _SUBJECTS[setting.totals])
    subject = f"All {setting.n_periods:,} {several} are" if found.is_joint else f"Each {one} is"
    chosen, rival = (short_name(setting, method) for method in (found.answer_errors.strategy, found.rival))
    other = found.largest(found.rival)
    beside = f"; {rival}: ±{format_up(other)}" if other > found.half_width * EQUAL else ""
    size = format_up(found.half_width)
    if setting.wanted is None:
        within = within_text(setting, subject, f"**±{size}**")
        terms = f"ε = {format_input_up(setting.epsilon)}{and_delta(setting.noise_delta)}"
        first = f"{within} ({terms}, {chosen}{noise_text(setting)}{beside})."
    else:
        method = f"{chosen}{noise_text(setting)}"
        first = solved_text(setting, subject, found.half_width, method, setting.noise_delta)
    second = _better_text(result) or _rival_text(result)
    if not second and (k := _first_alone(result)):
        second = (f"From k = {k:,} on, noisy {setting.period_words} are better.",)
    sentences = first, *joined(*together_text(found), *_range_of_year(result), *second)
    if result.pinned is None:
        return sentences
    old, new = (pin_text(part.setting, part.over_time.half_width) for part in (result.pinned, result))
    return *sentences, pin_sentence(f"{old} → {new}") if old != new else pin_sentence(f"{new} too")


def joined(*sentences: str) -> tuple[str, ...]:
    """Return one sentence of several, if there are any."""
    first, *others = sentences or ("",)
    one = "; ".join((first.rstrip("."), *(uncapitalized(sentence.rstrip(".")) for sentence in others)))
    return (f"{one}.",) if sentences else ()


def _range_of_year(result: SeriesResult) -> tuple[str, ...]:
    """Return the sentence with the ± of the first and the last total of a year where these differ."""
    if not (sizes := result.over_time.year_sizes):
        return ()
    first, last = map(format_up, sizes)
    return (f"By {result.setting.period} of the year: ±{first} in the first to ±{last} in the last.",)


def together_text(found: OverTime | AllRanges) -> tuple[str, ...]:
    """Return the sentence with the ± of all numbers at once, where that of each one by itself is shown."""
    size = found.together(found.answer_errors)
    return () if size is None else (f"All {found.n_numbers:,} together: ±{format_up(size)}.",)


def noise_text(setting: SeriesSetting) -> str:
    """Return with which noise, where it is not Gaussian as by default."""
    return "" if setting.series_noise == "gaussian" else f" with {setting.noise_words}"


def within_text(setting: SeriesSetting, subject: str, size: str) -> str:
    """Return within which ± each or all are, and in which share of releases."""
    return f"{subject} within {size} in{' at least' * setting.is_joint} {share(setting.significance)} of releases"


def solved_text(
    setting: SeriesSetting, subject: str, half_width: float, method: str, delta: float | None = None
) -> str:
    """Return the ε at which a method has the ± that is accepted, with its δ where no field in sight has that."""
    wanted, epsilon = format_input_up(setting.accuracy), format_input_up(setting.epsilon)
    if half_width > setting.accuracy:
        within = within_text(setting, f"{subject[0].lower()}{subject[1:]}", f"**±{format_up(half_width)}**")
        return f"No ε up to {epsilon} has ±{wanted}: {within}."
    within = within_text(setting, subject, f"±{wanted}")
    terms = f"**ε = {epsilon}**"
    return (
        f"{within} with {terms} by {method}." if delta is None else f"{within} ({terms}{and_delta(delta)}, {method})."
    )


def _rival_text(result: SeriesResult) -> tuple[str, ...]:
    """Return which ε another method takes for the ± that is accepted, where that is known and is more."""
    setting, found = result.setting, result.over_time
    if setting.wanted is None:
        return ()
    epsilon = found.enough_epsilon(errors_of(found.series, found.rival), setting.wanted)
    if epsilon <= setting.epsilon:
        return ()
    return (f"The wanted ± takes ε = {format_input_up(epsilon)} by {short_name(setting, found.rival)}.",)


def pin_text(setting: SeriesSetting, half_width: float) -> str:
    """Return what is compared with the pin: the ε where the ± is given, else the ±."""
    return f"±{format_up(half_width)}" if setting.wanted is None else f"ε = {format_input_up(setting.epsilon)}"


def _better_text(result: SeriesResult) -> tuple[str, ...]:
    """Return which method, or which other noise, has a smaller error, as a sentence; nothing where none has."""
    setting, found = result.setting, result.over_time
    best, of_each = found.largest(found.best_errors.strategy), " for each" if together_text(found) else ""
    if found.method != "best" and found.half_width > best * CLOSE:
        name = short_name(setting, found.best_errors.strategy)
        return (f"The best method here, {name}, has ±{format_up(best)}{of_each}.",)
    if found.is_pure_better:
        noises, first = result.better_noises or (found.pure_noise,), _first_alone(result)
        sizes = " or ".join(_noise_with_size(result, noise, is_short=first is not None) for noise in noises)
        where = "" if result.better_noises else " (under Noise)"  # else each has a button below the picture
        turn = "" if first is None else f"; k ≥ {first:,}: Gaussian too"
        return (f"Better{of_each}: {sizes} per {setting.period}, without δ{where}{turn}.",)
    if not result.is_better_with_delta:
        return ()
    other = found.with_delta
    name, way = FAMILIES[other.noise].name, short_name(setting, other.answer_errors.strategy)
    less = f"±{format_up(other.half_width)} by {way}"
    return (f"With δ = {format_input_up(setting.delta)}, {name} noise has less{of_each}: {less}.",)


def _noise_with_size(result: SeriesResult, noise: str, *, is_short: bool) -> str:
    whole, half_width = FAMILIES[noise].whole, format_up(result.over_time.half_width_with(noise))
    more = "" if is_short else f" noise{' (whole numbers)' * whole}"
    return f"{FAMILIES[noise].words}{more}, ±{half_width},"


def _first_alone(result: SeriesResult) -> int | None:
    """Return from which k on Gaussian noise in each period is better than the best method here; None if it is that."""
    found = result.over_time
    is_said = found.is_gaussian and found.method == "best" and found.answer_errors.strategy != ALONE
    return found.first_alone if is_said else None


def offer_text(result: SeriesResult, noise: str) -> str:
    """Return the words on the button that switches to a better noise."""
    found = result.over_time
    size = found.with_delta.half_width if noise == found.with_delta.noise else found.half_width_with(noise)
    return f"Use {FAMILIES[noise].words} noise: ±{format_up(size)}"


def turn_text(result: SeriesResult) -> str:
    """Return from which k on noise in each period is the best, of Gaussian noise; else nothing."""
    if not result.over_time.is_gaussian:
        return ""
    setting, first = result.setting, result.over_time.first_alone
    alone = f"noise in each {setting.period}"
    if first is None:
        return f"However many {setting.period_words} a person is in, {alone} is not the best."
    if first == 1:
        return f"No method is better than {alone} here."
    return f"For people who can be in {setting.periods(first)} or more, {alone} is the best."


def over_time_alternative_text(result: SeriesResult) -> str:
    """Return what the curves over time show."""
    found = result.over_time
    last = "; ".join(f"{LINE_NAMES[name]} ±{format_up(found.frame[name].to_numpy().max())}" for name in found.curves)
    limit = "" if found.limit is None else f" No method has a largest ± below {number_format.format_down(found.limit)}."
    return f"The ± of each number over time, at most: {last}.{limit}"


def over_persons_alternative_text(result: SeriesResult) -> str:
    """Return what the curves over k show."""
    found = result.over_time
    words = []
    for k, *values in found.over_persons.iloc[[0, -1]].itertuples(index=False):
        named = zip(found.curves, values, strict=True)
        words.append(f"k = {k:,.0f}: {', '.join(f'{LINE_NAMES[name]} ±{format_up(value)}' for name, value in named)}")
    return f"The largest ± over k. {'; '.join(words)}."


def limit_note(result: SeriesResult) -> str:
    """Return what the thin line is; nothing of other than Gaussian noise, of which no limit is known."""
    found = result.over_time
    if found.limit is None:
        return ""
    more = "" if found.series.contributions == 1 else f" It is for a person in one {result.setting.period}."
    return (
        f"**The limit.** With Gaussian noise, no method has every number within less than ±{format_down(found.limit)} "
        f"in {share(result.setting.significance)} of releases.{more}"
    )


def publication_text(result: SeriesResult) -> str:
    """Return what publication as it goes costs beside one publication at the end."""
    setting, found = result.setting, result.over_time
    going, once = map(format_up, found.trees)
    tree = "" if going == once else f" The binary tree has ±{going} as it goes and ±{once} at the end."
    if setting.publication == "once":
        return (
            f"Every number is published after {setting.periods(setting.n_periods)}. The other "
            f"methods would have the same errors as it goes.{tree}"
        )
    words = "nothing" if found.price < CLOSE else f"{percent_up(found.price - 1, 3)} more error"
    return (
        f"Each number appears when its {setting.period} ends, and stays as it is. The best method pays "
        f"{words} for that, beside one publication at the end.{tree}"
    )


def year_text(result: SeriesResult) -> str:
    """Return that ε counts for a person over the whole series, and what a guarantee for each year would add up to."""
    setting, found = result.setting, result.over_time
    per_year = PERIODS_PER_YEAR[setting.period]
    n_years = ceil(setting.n_periods / per_year)
    first = f"**ε is for a person over the whole series** of {setting.periods(setting.n_periods)}, not for each number."
    if per_year > 1:
        first += (
            f" The limit k is for the whole series too: who can be in 2 {setting.period_words} of every year can be in "
            f"{2 * n_years} of {setting.periods(n_years * per_year)}."
        )
    if n_years < 2:
        return first
    total, delta = format_up(found.epsilon_of_years(n_years)), "without a δ" if setting.noise.pure else "at the same δ"
    most = "at most " if setting.series_noise == "discrete_gaussian" else ""
    return (
        f"{first} If each year were a series of its own with {setting.terms_text}, a person in all of them would "
        f"have {most}ε = {total} over {n_years} years {delta}."
    )


def map_alternative_text(result: SeriesResult) -> str:
    """Return what the map of the best methods shows."""
    frame = result.over_time.best_methods
    last = frame[frame["length"] == (n := frame["length"].to_numpy().max())]
    rows, before = [], ""
    for k, name in zip(last["in_periods"], last["method"], strict=True):
        if name != before:
            rows.append(f"from k = {k:,.0f} on {LINE_NAMES[name]}")
        before = name
    best = "The best method" if result.over_time.is_gaussian else "The method of the least standard error"
    return f"{best} over T and k. Of T = {n:,.0f}: {', '.join(rows)}."


def trial_alternative_text(result: SeriesResult, frame: pd.DataFrame) -> str:
    """Return what the trial shows."""
    low, truth, high = (frame[name].to_numpy() for name in ("low", "truth", "high"))
    inside = np.count_nonzero((low <= truth) & (truth <= high))
    last = frame.iloc[-1]
    return (
        f"A trial with {result.setting.periods(len(frame))}: {inside:,} of {len(frame):,} bands contain the truth. The "
        f"last number is {number_format.format_nearest(last['published'])}, the truth "
        f"{number_format.format_nearest(last['truth'])}."
    )


def trial_errors_text(result: SeriesResult, frame: pd.DataFrame) -> str:
    """Return what the errors of the trial show."""
    off, alone = (np.abs(frame[name].to_numpy()).max() for name in ("error", "error_alone"))
    return (
        f"The errors of the trial: at most {number_format.format_nearest(off)} by "
        f"{LINE_NAMES[result.over_time.answer_errors.strategy]}, and "
        f"{number_format.format_nearest(alone)} by noise in each {result.setting.period} from the same seed."
    )


SAMPLER = (
    f"**The methods** have entries in the glossary: {glossary_link('series', 'series and running totals')} and "
    f"{glossary_link('square_root_mechanism', 'the square root mechanism')}.\n\n**The sampler.** This trial is for "
    "pictures. A release needs noise from a sampler that is safe in floating-point arithmetic, and a seed that nobody "
    "else knows. The noise of the method is drawn once for the whole series and stored, or drawn again from a secret "
    "seed: with fresh noise at every number the guarantee does not hold."
)


def series_steps_text(result: SeriesResult) -> str:
    """Return how to limit what a person adds, which noise to draw once, and what to publish with each number."""
    setting, found = result.setting, result.over_time
    when = f"when its {setting.period} ends" if setting.publication == "as_it_goes" else "at the end"
    terms = f"ε = {format_input_up(setting.epsilon)}"
    terms += " without a δ" if setting.noise.pure else f" and δ = {format_input_up(setting.delta)}"
    pure, noise = FAMILIES[found.pure_noise], setting.noise
    better = (
        f" Better here: {pure.name} noise with **{pure.symbol} = {format_up(found.pure_scale)}** in each "
        f"{setting.period}, and sums of it (±{format_up(found.pure)}, without a δ)."
        if found.is_pure_better
        else ""
    )
    return statements.steps_text(
        f"Make sure that {limit_text(setting)}.",
        f"Draw {noise.words} noise with **{noise.symbol} = {format_up(found.noise_scale)}** for each noisy sum "
        f"({LINE_NAMES[found.answer_errors.strategy]}), **once for the whole series**.{better}",
        f"Publish each {number_words(setting)} {when}, with ±{format_up(found.half_width)} in "
        f"{setting.share_text}, {terms} for a person over the whole series, and the conditions.",
    )


def explanation(result: SeriesResult) -> str:
    """Return how the numbers are computed."""
    setting, found = result.setting, result.over_time
    scale = number_format.tex(format_up(found.noise_scale))
    noise = _GAUSSIAN if found.is_gaussian else other_noise_text(setting)
    joint = joint_text(found, found.answer_errors) if setting.is_joint else ""
    alpha = f"\n\nHere α = {format_input_up(setting.significance)}."
    return _EXPLANATION.format(noise=noise.format(scale=scale), limit=_LIMIT * found.is_gaussian) + alpha + joint


def other_noise_text(setting: SeriesSetting) -> str:
    """Return how noise that is not Gaussian has its scale and its half-width, with a place for the scale."""
    norm = "1" if setting.noise.pure else "2"
    how = (
        "exact where the weights are multiples of one of them; else, as in a tree, that of the sum with each noise "
        "spread evenly between whole numbers, and a margin for it, so that the ± is a little larger than needed"
    )
    tail = how if setting.noise.whole else "the quantile by their characteristic function"
    return (
        f"Here each noisy sum has {setting.noise_words} of the scale ${{scale}}$: what the change "
        f"$\\max\\lVert Rx\\rVert_{norm}$ that one person can make requires "
        f"({setting.noise.calibration.theorem}). The ± of a number is that of its weighted sum of noise: {tail}."
    )


def joint_text(found: Guaranteed, errors: Errors) -> str:
    """Return why all numbers are inside at once, and of a simulation its size and its error."""
    joint, m = found.joint(errors), f"The errors of the {found.n_numbers:,} numbers"
    if joint.is_exact:
        why = f"{m} are independent: each is inside with probability $(1-\\alpha)^{{1/m}}$."
    elif joint.n_draws:
        why = (
            f"{m} are correlated. Their ± are in proportion to $\\sqrt{{\\lVert L_i\\rVert_2}}$, so wide that all of "
            f"them are inside in enough of {joint.n_draws:,} simulated releases from a fixed seed. They are too narrow "
            f"with probability {joint.doubt:g} at most (Clopper & Pearson 1934), and mostly a little too wide."
        )
    else:
        bound = (
            "(1-\\alpha)^{1/m}$ for each (Šidák 1967)" if found.is_gaussian else "1-\\alpha/m$ for each (union bound)"
        )
        why = f"{m} are correlated. A simulation would take too long or give more than ${bound}."
    return f"\n\n**All numbers at once.** {why}"


_EXPLANATION = r"""
**One form for every method.** The published numbers are $Wx$ of the counts $x$. A method chooses sums $Rx$, gives each
of them noise of the same scale, and publishes $L(Rx+\text{{noise}})$ with $LR=W$. {noise}

**The methods.** Noise in each period is $R=I$; noise in each total is $R=W$. The binary tree has the sums of 1, 2, 4, …
periods; plain, a number adds the fewest of them (Chan, Shi & Song 2011), and by least squares it is estimated of all
that are complete when it is published (Honaker 2015). The square root has
$R_{{ij}}=\binom{{2(i-j)}}{{i-j}}4^{{-(i-j)}}$ for running totals, and the power series root of $(1-z^w)/(1-z)$ for
windows (Fichtenberger, Henzinger & Upadhyay 2023). Normalised, its columns have the length 1 (Henzinger, Kalinin &
Upadhyay 2025).

**One person in k periods** changes $Rx$ by at most $\max\lVert Rx\rVert$ over all $x$ with at most $k$ entries, at
most $c$ in each and $N$ in all: the first $k$ columns for these methods, and an upper bound where that is not proved.
{limit}"""
_GAUSSIAN = r"""With Gaussian noise number $i$ has the
standard deviation $\sigma\lVert L_i\rVert_2$ and lies within $\pm\sigma\lVert L_i\rVert_2\,\Phi^{{-1}}(1-\alpha/2)$ of
the truth with probability $1-\alpha$. Here $\sigma={scale}$: the least noise with which the change
$\max\lVert Rx\rVert_2$ that one person can make satisfies $(\varepsilon,\delta)$-DP (Balle & Wang 2018)."""
_LIMIT = r"""
**The limit** is the largest $\lVert\operatorname{diag}(\sqrt u)\,W\operatorname{diag}(\sqrt v)\rVert_*$ that was
found over weights $u$ and $v$ with sum 1 (Li et al. 2015).
"""
