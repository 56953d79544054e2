"""The sentences of the section."""

from dpcore.families import FAMILIES
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_down,
    format_input_up,
    format_up,
    pin_sentence,
    plural,
    uncapitalized,
)
from pages.series.methods import EQUAL, person_text
from pages.series.over_time.text import (
    CLOSE,
    joined,
    joint_text,
    noise_text,
    other_noise_text,
    pin_text,
    solved_text,
    together_text,
    within_text,
)
from pages.series.ranges.results import BRANCHINGS, CELLS_ALONE, AllRanges, RangeMethod, column_of
from pages.series.results import SeriesResult
from pages.shared import statements
from pages.shared.counts.table import limit_text
from pages.shared.formulas import share
from pages.shared.shared_parameters import glossary_link

_NAMES = {
    CELLS_ALONE: "noise in each cell",
    "square_root": "square root",
    "normalized_square_root": "normalised square root",
    "optimum": "numerical optimum",
}
METHOD_WORDS = _NAMES | {f"tree_{branching}": f"tree, {branching} children" for branching in BRANCHINGS}
"""The methods in legends and tables, by their columns."""


def method_words(method: RangeMethod) -> str:
    """Return a method in an answer."""
    if method.strategy == CELLS_ALONE:
        return "noisy cells"
    return f"a tree of {method.branching}" if method.branching else f"the {METHOD_WORDS[method.strategy]}"


def cells_words(result: SeriesResult) -> str:
    """Return the guarantee, the cells and the person in a line."""
    cells = result.ranges.series
    person = person_text(cells, plural(cells.contributions, "cell"))
    return f"{result.setting.noise.name} noise, {result.setting.terms_text}, {plural(cells.n, 'cell')}, {person}"


def answer_text(result: SeriesResult) -> tuple[str, ...]:
    """Return the largest error of a range by the best method beside noisy cells, and which ranges these suit."""
    found, setting = result.ranges, result.setting
    best, rival = found.half_width, found.largest[found.rival_method]
    beside = f", not {_rival_text(found, rival)}" if rival > best * EQUAL else ""
    method = f"{method_words(found.best_method)}{noise_text(setting)}"
    n_ranges = found.n_numbers
    subject = f"All {n_ranges:,} ranges are" if found.is_joint else "Each range is"
    first = f"{within_text(setting, subject, f'**±{format_up(best)}**')} by {method}{beside}."
    if setting.wanted is not None:
        first = solved_text(setting, subject, best, method)
    (second,) = joined(*together_text(found), _length_sentence(result))
    sentences = first, second if setting.wanted else f"At {setting.terms_text}, {uncapitalized(second)}"
    if result.pinned is None:
        return sentences
    pinned = result.pinned.ranges
    old = pin_text(result.pinned.setting, pinned.half_width)
    return *sentences, pin_sentence(f"{old} → {pin_text(setting, best)}")


_BEST_OF_ALL = {False: "is the best", True: "has the smallest ± that is proved"}  # that of a tree is a bound


def _rival_text(found: AllRanges, rival: float) -> str:
    """Return the ± of the other method, which with whole noise in a tree is an upper bound, with its name."""
    words = method_words(found.rival_method)
    if FAMILIES[found.noise].whole and found.rival_method.strategy != CELLS_ALONE:
        return f"the ±{format_up(rival)} proved for {words}"
    return f"±{format_up(rival)} by {words}"


def _length_sentence(result: SeriesResult) -> str:
    """Return which noise is better or, where none without a δ is, up to which length noisy cells are."""
    found, of_each = result.ranges, " for each" if together_text(result.ranges) else ""
    better = [(FAMILIES[other.noise].words, format_up(other.offered_half_width)) for other in result.better_ranges]
    if better and not result.setting.noise.pure:
        return f"Better{of_each}: {' or '.join(f'{name}, ±{size},' for name, size in better)} without δ."
    if found.best_method.strategy == CELLS_ALONE:
        words = f"For the worst range, noise in each cell {_BEST_OF_ALL[FAMILIES[found.noise].whole]}"
    elif found.last_alone == 0:
        words = "Noise in each cell is better for no range"
    else:
        words = f"Ranges of up to {plural(found.last_alone, 'cell')} have the smaller ± by noisy cells"
    more = [f"; with δ = {format_input_up(result.setting.delta)}, {name} noise has ±{size}" for name, size in better]
    return f"{words}{''.join(more)}{of_each * bool(better)}."


def offer_text(other: AllRanges) -> str:
    """Return the words on the button that switches to a better noise: its ± of each range, and of all at once."""
    noise, size = FAMILIES[other.noise].words, f"±{format_up(other.offered_half_width)}"
    together = other.together(other.offered_errors)
    sizes = size if together is None else f"{size} each, ±{format_up(together)} all"
    return f"Use {noise}: {sizes}"


def lengths_alternative_text(result: SeriesResult) -> str:
    """Return what the curves over the length show."""
    found = result.ranges
    words = []
    for length, *values in found.lengths.iloc[[0, -1]].itertuples(index=False):
        named = ", ".join(
            f"{METHOD_WORDS[column_of(method)]} ±{format_up(value)}"
            for method, value in zip(found.drawn, values, strict=True)
        )
        words.append(f"length {length:,}: {named}")
    return f"The largest ± over the length of a range. {'; '.join(words)}."


def range_steps_text(result: SeriesResult) -> str:
    """Return what to do in three steps: limit what a person adds, which noise, and what to publish with each range."""
    setting, found, better = result.setting, result.ranges, ""
    for other in result.better_ranges[:1]:
        noise, errors = FAMILIES[other.noise], other.offered_errors
        method = METHOD_WORDS[column_of(RangeMethod.of(errors))]
        better = (
            f" Better here: {noise.name} noise with **{noise.symbol} = {format_up(other.offered_scale)}** ({method}), "
            f"±{format_up(other.offered_half_width)}{'' if other.guarantee[1] else ', without a δ'}."
        )
    return statements.steps_text(
        f"Make sure that {limit_text(result.table_values)}.",
        f"Add {setting.noise_words} with **{setting.noise.symbol} = {format_up(found.noise_scale)}** to each noisy sum "
        f"({METHOD_WORDS[column_of(found.best_method)]}), once.{better}",
        f"Estimate all ranges from these sums, and publish {'all' if found.is_joint else 'each'} with "
        f"±{format_up(found.half_width)} in "
        f"{setting.share_text}, {setting.terms_text} and the conditions.",
    )


def tree_text(result: SeriesResult) -> str:
    """Return which noise a tree pays with."""
    frame = result.ranges.range_methods
    trees = [f"tree_{branching}" for branching in BRANCHINGS]
    parts = []
    for noise, column in (("Gaussian", "root_mean_square"), ("Laplace", "laplace_root_mean_square")):
        errors = dict(zip(frame["method"], frame[column].to_numpy(), strict=True))
        least = min(trees, key=lambda name: errors[name])
        tree, alone = errors[least], errors[CELLS_ALONE]
        verdict = "less than" if tree < alone / CLOSE else "more than" if tree > alone * CLOSE else "the same as"
        parts.append(
            f"With {noise} noise the best tree has {least.partition('_')[2]} children and a root mean square "
            f"error of {format_up(tree)} over all ranges, {verdict} the {format_up(alone)} of noise in each cell."
        )
    return " ".join(parts)


def lowest_text(result: SeriesResult) -> str:
    """Return what the thin line is, and where the methods are explained."""
    found = result.ranges
    more = "" if found.series.contributions == 1 else " It is for a person in one cell."
    link = glossary_link("square_root_mechanism", "The square root mechanism")
    if found.limit is None:
        return f"{link}, an entry of the glossary, is compared with Gaussian noise alone."
    return (
        f"**The limit.** With Gaussian noise, no method has every range within less than ±{format_down(found.limit)} "
        f"in {share(result.setting.significance)} of releases.{more} {link} is an entry of the glossary."
    )


def range_explanation(result: SeriesResult) -> str:
    """Return how the numbers are computed."""
    found = result.ranges
    joint = joint_text(found, found.answer_errors) if found.is_joint else ""
    scale = number_format.tex(format_up(found.noise_scale))
    noise = _GAUSSIAN if found.is_gaussian else other_noise_text(result.setting)
    return _EXPLANATION.format(noise=noise.format(scale=scale)) + joint


_GAUSSIAN = r"""Here $\sigma={scale}$ is the least noise with which the change $\max\lVert Rx\rVert_2$ by one person
satisfies $(\varepsilon,\delta)$-DP, and the standard errors are $\sigma\sqrt{{w(R^\top R)^{{-1}}w^\top}}$."""
_EXPLANATION = r"""
**All ranges.** The cells $x_1,\dots,x_n$ have an order, such as ages. A method chooses sums $Rx$ of cells, gives each
of them noise of the same scale, and publishes them once; every range $w$ of neighbouring cells is then estimated from
them, by least squares where there are several ways. {noise} All ranges are published together under one guarantee, so
that any of them may be added up, and they agree with each other.

**The methods.** A tree has the sums of all whole groups of 1, b, b², … cells (Hay et al. 2010; Qardaji, Yang & Li
2013). The square root is that of running totals, whose differences are the ranges; normalised, its columns have the
length 1 (Henzinger, Kalinin & Upadhyay 2025). With Laplace noise the change by one person is
$\max\lVert Rx\rVert_1$, and the standard error of each sum $\sqrt2/\varepsilon$ times that.

**The limit** is $\lVert\operatorname{{diag}}(\sqrt u)\,W\operatorname{{diag}}(\sqrt v)\rVert_*$ (Li et al. 2015), where
$u$ and $v$ are sought for up to 64 cells, and even above.
"""
