"""The sentences of the section."""

from math import ceil

from dpcore import gaussian
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_input_down,
    format_input_up,
    format_up,
    percent_up,
)
from pages.series.methods import EQUAL, enough_epsilon, errors_of
from pages.series.over_time.results import ALONE
from pages.series.parameters import PERIODS_PER_YEAR
from pages.series.results import SeriesResult, SeriesSetting
from pages.shared.error_text import share

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
CLOSE = 1.0005  # a ratio of errors that reads as 1


def short_name(setting: SeriesSetting, method: str) -> str:
    """Return a method in an answer."""
    return f"noisy {setting.period_words}" if method == ALONE else _SHORT_NAMES[method]


def number_words(setting: SeriesSetting) -> str:
    """Return what is published, in the singular."""
    return _NUMBERS[setting.totals].format(w=setting.periods(setting.window))


def setting_words(setting: SeriesSetting) -> str:
    """Return the guarantee, the series and the person in a line."""
    series = setting.series
    most = "" if series.per_cell == 1 else f", at most {format_input_down(series.per_cell)} in each"
    in_all = "" if series.total is None else f", {format_input_down(series.total)} in all"
    person = f"a person in {setting.periods(series.contributions)}{most}{in_all}"
    person += "" if setting.neighbours == "add_remove" else ", replaced"
    return f"Gaussian noise, {setting.guarantee_text}, {setting.periods(series.n)}, {person}"


def answer_text(result: SeriesResult) -> tuple[str, ...]:
    """Return the error of the chosen method beside noise in each period, and what is better where something is."""
    setting, found = result.setting, result.over_time
    total = setting.period if setting.totals == "each" else "total"
    subject = f"All {setting.n_periods:,} {total}s are" if found.is_joint else f"Each {total} is"
    chosen, rival = (short_name(setting, method) for method in (found.chosen.strategy, found.rival))
    other = float(found.half_widths_of(found.rival).max())
    beside = f", not ±{format_up(other)} by {rival}" if other > found.half_width * EQUAL else ""
    size = format_up(found.half_width)
    if setting.wanted is None:
        within = within_text(setting, subject, f"**±{size}**")
        first = f"{within} (ε = {format_input_up(setting.epsilon)}) by {chosen}{beside}."
    else:
        first = solved_text(setting, subject, found.half_width, chosen)
    sentences = first, *(_better_text(result) or _rival_text(result))
    if result.pinned is None:
        return sentences
    old, new = (pin_text(part.setting, part.over_time.half_width) for part in (result.pinned, result))
    return *sentences, f"Compared with the pin: {old} → {new}." if old != new else f"Compared with the pin: {new} too."


def within_text(setting: SeriesSetting, subject: str, size: str) -> str:
    """Return within which ± each or all are, and in which share of releases."""
    at_once = " at once" if setting.is_joint else ""
    return f"{subject} within {size}{at_once} in {share(setting.significance)} of releases"


def solved_text(setting: SeriesSetting, subject: str, half_width: float, method: str) -> str:
    """Return the ε at which a method has the ± that is accepted."""
    wanted, epsilon = format_input_up(setting.accuracy), format_input_up(setting.epsilon)
    if half_width > setting.accuracy:
        within = within_text(setting, f"{subject[0].lower()}{subject[1:]}", f"**±{format_up(half_width)}**")
        return f"No ε up to {epsilon} has ±{wanted}: {within}."
    return f"{within_text(setting, subject, f'±{wanted}')} with **ε = {epsilon}** by {method}."


def _rival_text(result: SeriesResult) -> tuple[str, ...]:
    """Return which ε another method takes for the ± that is accepted, where that is known and is more."""
    setting, found = result.setting, result.over_time
    if setting.wanted is None:
        return ()
    epsilon = enough_epsilon(errors_of(found.series, found.rival), setting.wanted, found.delta, found.level)
    if epsilon <= setting.epsilon:
        return ()
    return (f"The same ± takes ε = {format_input_up(epsilon)} by {short_name(setting, found.rival)}.",)


def pin_text(setting: SeriesSetting, half_width: float) -> str:
    """Return what is compared with the pin: the ε where the ± is given, else the ±."""
    if setting.wanted is None:
        return f"±{format_up(half_width)}"
    return f"ε = {format_input_up(setting.epsilon)}"


def _better_text(result: SeriesResult) -> tuple[str, ...]:
    """Return which method, or Laplace noise, has a smaller error, as a sentence; nothing where none has."""
    setting, found = result.setting, result.over_time
    if found.method != "best" and found.chosen.largest > found.best_errors.largest * CLOSE:
        best = format_up(float(found.half_widths(found.best_errors).max()))
        return (f"The best method here, {short_name(setting, found.best_errors.strategy)}, has ±{best}.",)
    if found.is_laplace_better:
        return (f"Better: Laplace noise in each {setting.period} has ±{format_up(found.laplace)}, without a δ.",)
    return ()


def turn_text(result: SeriesResult) -> str:
    """Return from which k on noise in each period is the best."""
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
    return f"The ± of each number over time, at most: {last}. No method has a largest ± below {_limit(found.limit)}."


def _limit(value: float) -> str:
    return number_format.format_down(value)


def over_persons_alternative_text(result: SeriesResult) -> str:
    """Return what the curves over k show."""
    found = result.over_time
    words = []
    for k, *values in found.over_persons.iloc[[0, -1]].itertuples(index=False):
        named = zip(found.curves, values, strict=True)
        words.append(f"k = {k:,.0f}: {', '.join(f'{LINE_NAMES[name]} ±{format_up(value)}' for name, value in named)}")
    return f"The largest ± over k. {'; '.join(words)}."


def limit_note(result: SeriesResult) -> str:
    """Return what the thin line is."""
    found = result.over_time
    more = "" if found.series.contributions == 1 else f" It is for a person in one {result.setting.period}."
    return (
        f"**The limit.** With Gaussian noise, no method has every number within less than ±{_limit(found.limit)} in "
        f"{share(result.setting.significance)} of releases.{more}"
    )


def publication_text(result: SeriesResult) -> str:
    """Return what publication as it goes costs beside one publication at the end."""
    setting, found = result.setting, result.over_time
    going, once = (format_up(found.unit * errors.largest) for errors in found.trees)
    tree = "" if going == once else f" The binary tree has ±{going} as it goes and ±{once} at the end."
    if setting.publication == "once":
        return (
            f"Every number is published after {setting.periods(setting.n_periods)}. The other "
            f"methods would have the same errors as it goes.{tree}"
        )
    price = found.price
    words = "nothing" if price < CLOSE else f"{percent_up(price - 1, 3)} more error"
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
    total = gaussian.epsilon_from_sigma(setting.delta, found.noise_scale / n_years**0.5, found.chosen.sensitivity)
    return (
        f"{first} If each year were a series of its own with {setting.guarantee_text}, a person in all of them would "
        f"have ε = {format_up(float(total))} over {n_years} years at the same δ."
    )


def map_alternative_text(result: SeriesResult) -> str:
    """Return what the map of the best methods shows."""
    frame = result.over_time.best_methods
    n = frame["length"].to_numpy().max()
    last = frame[frame["length"] == n]
    rows, before = [], ""
    for k, name in zip(last["in_periods"], last["method"], strict=True):
        if name != before:
            rows.append(f"from k = {k:,.0f} on {LINE_NAMES[name]}")
        before = name
    return f"The best method over T and k. Of T = {n:,.0f}: {', '.join(rows)}."


def methods_html(result: SeriesResult) -> str:
    """Return the table of all methods as HTML."""
    heads = ["Method", "Largest ±", "Root mean square, as ±", "Largest ±, all at the end", "Sensitivity of its sums"]
    frame = result.over_time.methods
    rows = [
        [LINE_NAMES[str(name)].capitalize(), *(format_up(value) for value in values)]
        for name, *values in frame.itertuples(index=False)
    ]
    return number_format.table_html("The error of each method", "cells", heads, rows)


def methods_alternative_text(result: SeriesResult) -> str:
    """Return what the table of the methods shows."""
    frame = result.over_time.methods
    first, last = (
        f"{LINE_NAMES[frame['method'].iloc[place]]}, ±{format_up(frame['largest'].iloc[place])}" for place in (0, -1)
    )
    return f"{len(frame)} methods, from {first}, to {last}."


def explanation(result: SeriesResult) -> str:
    """Return how the numbers are computed."""
    setting = result.setting
    return _EXPLANATION.format(sigma=number_format.tex(format_up(result.over_time.noise_scale))) + (
        f"\n\nHere α = {format_input_up(setting.significance)}."
        + (joint_text(setting.n_periods, result.over_time.level) if setting.is_joint else "")
    )


def joint_text(n_numbers: int, level: float) -> str:
    """Return why all numbers are inside at once."""
    return (
        f"\n\n**All numbers at once.** The errors of the {n_numbers:,} numbers are normal and correlated. If each is "
        "inside with probability $1-\\alpha'=(1-\\alpha)^{1/m}$, all of them are with $1-\\alpha$ at least "
        "(Šidák 1967): "
        f"$\\alpha'={number_format.tex(number_format.format_down(level))}$."
    )


_EXPLANATION = r"""
**One form for every method.** The published numbers are $Wx$ of the counts $x$. A method chooses sums $Rx$, gives each
of them Gaussian noise of the same $\sigma$, and publishes $L(Rx+\text{{noise}})$ with $LR=W$. Number $i$ has the
standard deviation $\sigma\lVert L_i\rVert_2$ and lies within $\pm\sigma\lVert L_i\rVert_2\,\Phi^{{-1}}(1-\alpha/2)$ of
the truth with probability $1-\alpha$. Here $\sigma={sigma}$: the least noise with which the change
$\max\lVert Rx\rVert_2$ that one person can make satisfies $(\varepsilon,\delta)$-DP (Balle & Wang 2018).

**The methods.** Noise in each period is $R=I$; noise in each total is $R=W$. The binary tree has the sums of 1, 2, 4, …
periods; plain, a number adds the fewest of them (Chan, Shi & Song 2011), and by least squares it is estimated of all
that are complete when it is published (Honaker 2015). The square root has
$R_{{ij}}=\binom{{2(i-j)}}{{i-j}}4^{{-(i-j)}}$ for running totals, and the power series root of $(1-z^w)/(1-z)$ for
windows (Fichtenberger, Henzinger & Upadhyay 2023). Normalised, its columns have the length 1 (Henzinger, Kalinin &
Upadhyay 2025).

**One person in k periods** changes $Rx$ by at most $\max\lVert Rx\rVert_2$ over all $x$ with at most $k$ entries, at
most $c$ in each and $N$ in all: the first $k$ columns for these methods, and an upper bound where that is not proved.

**The limit** is the largest $\lVert\operatorname{{diag}}(\sqrt u)\,W\operatorname{{diag}}(\sqrt v)\rVert_*$ that was
found over weights $u$ and $v$ with sum 1 (Li et al. 2015).
"""
