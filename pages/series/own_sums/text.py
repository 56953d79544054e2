"""The sentences of the section on sums of the user's own."""

from dpcore.families import FAMILIES
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    capitalized,
    escape_markdown,
    format_input_up,
    format_up,
    pin_sentence,
    plural,
)
from pages.framework.session.data_files import box_key
from pages.series.methods import EQUAL, has_delta, person_text
from pages.series.over_time.text import CLOSE
from pages.series.own_sums.results import CELLS_ALONE, OwnSums
from pages.series.parameters import SUMS_SLOT
from pages.series.results import SeriesResult
from pages.shared import statements
from pages.shared.counts.table import limit_text
from pages.shared.formulas import share

NAMES = {
    CELLS_ALONE: "noise in each cell",
    "per_number": "noise in each number",
    "tree": "a binary tree, least squares",
    "binary_tree": "a plain binary tree",
    "square_root": "the square root",
    "normalized_square_root": "the normalised square root",
    "optimum": "the numerical optimum",
}
"""The ways to add the noise, in legends and tables."""
MISSING = "Your own sums are missing: the link does not contain them."
INSTEAD = f"[Upload or paste them](#{box_key(SUMS_SLOT)}), or choose the months of a year."
SHORTER = "Choose a shorter series, or see [Over time](./A_series)."


def noise_name(noise: str) -> str:
    """Return the name of a noise within a sentence."""
    return f"{FAMILIES[noise].words} noise"


def guarantee_words(found: OwnSums) -> str:
    """Return ε, and δ of the noises that have one."""
    epsilon = f"ε = {format_input_up(found.epsilon)}"
    return f"{epsilon}, δ = {format_input_up(found.delta)}" if has_delta(found.noise) else f"{epsilon}, no δ"


def noise_words(found: OwnSums) -> str:
    """Return the noise with its scale."""
    return f"{noise_name(found.noise)}, {FAMILIES[found.noise].symbol} = {format_up(found.noise_scale)}"


def subtitle(result: SeriesResult) -> str:
    """Return the noise, the guarantee, the sums and the person in a line."""
    found = result.own_sums
    person = person_text(found.series, plural(found.series.contributions, "cell"))
    sums = f"{plural(found.n_sums, 'sum')} of {plural(found.series.n, 'cell')}"
    return f"{noise_name(found.noise)}, {guarantee_words(found)}, {sums}, {person}"


def answer_text(result: SeriesResult) -> tuple[str, ...]:
    """Return the largest error of a sum by the best way, and which other noise has a smaller one."""
    if result.are_sums_missing:
        return escape_markdown(result.sums_problem) or MISSING, INSTEAD if result.setting.are_sums_own else SHORTER
    found = result.own_sums
    first = (
        f"Each of {plural(found.n_sums, 'sum')} is within **±{format_up(found.half_width)}** in "
        f"{share(found.significance)} of releases by {NAMES[found.method]}."
    )
    noise = noise_words(found)
    real = (
        "" if found.noise == result.setting.sum_noise else " in place of noise in whole numbers, as c or N is not whole"
    )
    rest = "; ".join(filter(None, (_rival_text(found), _other_noise_text(found))))
    second = f"{capitalized(noise)}{real} ({guarantee_words(found)}); {rest}."
    if result.pinned is None or result.pinned.are_sums_missing:
        return first, second
    old = result.pinned.own_sums.half_width
    return first, second, pin_sentence(f"±{format_up(old)} → ±{format_up(found.half_width)}")


def _rival_text(found: OwnSums) -> str:
    """Return the error of noise in each cell, or of the best of the other ways; empty where it is the same."""
    other = found.largest[found.rival]
    return f"{NAMES[found.rival]}: ±{format_up(other)}" if other > found.half_width * EQUAL else ""


def _other_noise_text(found: OwnSums) -> str:
    """Return which other noise has the least error, or that none has a smaller one."""
    others = [row for row in found.best_of_noises.to_dict("records") if row["noise"] != found.noise]
    least = min(others, key=lambda row: row["largest"])
    if least["largest"] * CLOSE < found.half_width:
        without = "" if has_delta(least["noise"]) else ", without a δ"
        return f"better: {noise_name(least['noise'])} ±{format_up(least['largest'])}{without}"
    return f"no other noise is better ({noise_name(least['noise'])}: ±{format_up(least['largest'])})"


def sums_steps_text(result: SeriesResult) -> str:
    """Return what to do in three steps."""
    found = result.own_sums
    scale = f"**{FAMILIES[found.noise].symbol} = {format_up(found.noise_scale)}**"
    return statements.steps_text(
        f"Make sure that {limit_text(result.sums_values)}.",
        f"Add {noise_name(found.noise)} with {scale} to each noisy sum ({NAMES[found.method]}), once.",
        f"Make all published numbers of these sums, at the end, and publish each with ±{format_up(found.half_width)} "
        f"in {share(found.significance)} of releases, {guarantee_words(found)} and the conditions.",
    )


def explanation(result: SeriesResult) -> str:
    """Return how the numbers are computed."""
    if result.are_sums_missing:
        return _EXPLANATION
    found = result.own_sums
    size = number_format.tex(format_up(found.answer_errors.sensitivity))
    kind = "largest change" if found.answer_errors.is_exact else "upper bound of the change"
    return f"{_EXPLANATION}\nHere the {kind} by one person is ${size}$ by {NAMES[found.method]}."


_EXPLANATION = r"""
**One form for every way.** The published numbers are $Wx$ of the cells $x$, with a row of zeros and ones for each
number. A way chooses sums $Rx$, gives each of them noise of the same scale, and publishes $L(Rx+\text{noise})$ with
$LR=W$: noise in each cell is $R=I$, noise in each number is $R=W$; a tree has the sums of 1, 2, 4, … neighbouring
cells; the square root is that of running totals (see *Over time*), and the optimum is sought for up to 64 cells.

**The noise.** One person changes $Rx$ by at most $\Delta_1=\max\lVert Rx\rVert_1$ and
$\Delta_2=\max\lVert Rx\rVert_2$. Gaussian noise has the least σ for $\Delta_2$ (Balle & Wang 2018); discrete Gaussian
noise, for sums of whole cells, the least σ for each whole change of a length up to $\sqrt{30}$, and beyond that the σ
of zCDP (Canonne, Kamath & Steinke 2020); Laplace and geometric noise have the scale $\Delta_1/\varepsilon$, and no δ.

**The ±** of a number is the $1-\alpha$ quantile of the noise that it has: exact of Gaussian noise, and of sums of other
noise by their characteristic function; of noise in whole numbers with weights that are not multiples of one of them, or
of a very large scale, a bound that is a little larger.
"""
