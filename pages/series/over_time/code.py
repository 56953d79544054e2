"""The answer as a program with dpcore, and why other libraries have none."""

from dpcore import linear_queries
from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.series.methods import EPSILONS
from pages.series.over_time.results import OverTime
from pages.series.ranges.results import AllRanges
from pages.series.results import SeriesResult, SeriesSetting
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP

_OTHERS = {
    OPENDP: "It has the sums of a tree (make_b_ary_tree) with least squares for all of them at the end, and no numbers "
    "that are published as they go.",
    DP_ACCOUNTING: "It accounts for a tree of sums, and publishes no numbers.",
    DIFFPRIVLIB: "It adds noise to single numbers.",
    OPACUS: "It trains models.",
}


def snippets(result: SeriesResult) -> tuple[Snippet, ...]:
    """Return the program that computes the largest half-width and the noise."""
    setting, found = result.setting, result.over_time
    series = found.series
    options = {
        "per_cell": None if series.per_cell == 1 else number(series.per_cell),
        "total": None if series.total is None else number(series.total),
        "neighbours": None if series.neighbours == "add_remove" else repr(series.neighbours),
        "window": None if series.window is None else str(series.window),
        "publication": repr(series.publication),
        "noise": None if series.noise == "gaussian" else repr(series.noise),
    }
    words = ", ".join(f"{name}={value}" for name, value in options.items() if value is not None)
    guarantee = ", ".join(map(number, found.guarantee))
    least, enough = least_epsilon_lines(setting, found, "months")
    library, each = each_lines(setting, series.n)
    level = "each" if each else number(setting.significance)
    code = program(
        f"from dpcore import {library}linear_queries",
        "",
        f"options = dict({words})",
        f"months = linear_queries.error({series.workload!r}, {found.chosen.strategy!r}, {series.n}, "
        f"{series.contributions}, **options)",
        *each,
        f"print(linear_queries.half_widths(months, {guarantee}, {level}).max())",
        f"print(linear_queries.noise_scale(months, {guarantee}))",
        *least,
    )
    symbol = setting.noise.symbol
    note = f"The largest ±, and the {symbol} of each noisy sum. sample() in the same module draws a trial."
    printed = found.half_width, found.noise_scale, *enough
    return Snippet(DPCORE, code, note, printed), *unavailable(_OTHERS)


def each_lines(setting: SeriesSetting, n_numbers: int) -> tuple[str, tuple[str, ...]]:
    """Return what to import for the level at which all numbers are inside at once, and its line; nothing for each."""
    if not setting.is_joint:
        return "", ()
    level = number(setting.significance)
    if setting.series_noise != "gaussian":
        return "", (f"each = {level} / {n_numbers}",)
    return "accuracy, ", (f"each = accuracy.each_significance({level}, {n_numbers})",)


def least_epsilon_lines(
    setting: SeriesSetting, found: OverTime | AllRanges, name: str
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the line that computes the least ε for the ± that is accepted, and what it prints; nothing without one."""
    if setting.wanted is None or setting.epsilon in EPSILONS:
        return (), ()
    known, level = (setting.wanted, found.guarantee[1]), "each" if found.is_joint else number(found.level)
    line = f"print(linear_queries.least_epsilon({name}, {', '.join(map(number, known))}, {level}))"
    return (line,), (linear_queries.least_epsilon(found.chosen, *known, found.level),)
