"""What to do with the answer on a series, in three steps, and how the answer is computed."""

from dpcore.families import FAMILIES
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.series.over_time.text import LINE_NAMES, number_words
from pages.series.results import SeriesResult, SeriesSetting, limit_text
from pages.shared import statements


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
        f"({LINE_NAMES[found.chosen.strategy]}), **once for the whole series**.{better}",
        f"Publish each {number_words(setting)} {when}, with ±{format_up(found.half_width)} in "
        f"{setting.share_text}, {terms} for a person over the whole series, and the conditions.",
    )


def explanation(result: SeriesResult) -> str:
    """Return how the numbers are computed."""
    setting, found = result.setting, result.over_time
    scale = number_format.tex(format_up(found.noise_scale))
    noise = _GAUSSIAN if found.is_gaussian else other_noise_text(setting)
    limit = _LIMIT if found.is_gaussian else ""
    joint = joint_text(setting, setting.n_periods, found.level) if setting.is_joint else ""
    alpha = f"\n\nHere α = {format_input_up(setting.significance)}."
    return _EXPLANATION.format(noise=noise.format(scale=scale), limit=limit) + alpha + joint


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


def joint_text(setting: SeriesSetting, n_numbers: int, level: float) -> str:
    """Return why all numbers are inside at once."""
    if setting.series_noise == "gaussian":
        why = (
            f"The errors of the {n_numbers:,} numbers are normal and correlated. If each is inside with probability "
            "$1-\\alpha'=(1-\\alpha)^{1/m}$, all of them are with $1-\\alpha$ at least (Šidák 1967): "
        )
    else:
        why = (
            f"Each of the {n_numbers:,} numbers is outside with probability $\\alpha'=\\alpha/m$ at most, so that any "
            "is with $\\alpha$ at most (union bound): "
        )
    shown = number_format.tex(number_format.format_down(level))
    return f"\n\n**All numbers at once.** {why}$\\alpha'={shown}$."


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
